"""The structure of the program: imports run one way, conventions are data, importing is light."""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import prefdata as pref
from prefdata.balkan import kernel
from prefdata.games import GAMES as GAMES_OF
from prefdata.vocabulary import GAMES

PACKAGE = Path(pref.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
ROOMS = ("analysis", "charts", "drawing")  # reached from prefdata itself


def rooms_of_the_page() -> list[tuple[set[str], set[str]]]:
    """Read the table of rooms in prefdata/README.md: rows of rooms, with what they must not know."""
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    table = text.partition("| room |")[2].partition("\n\n")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines()[2:]]
    return [(set(re.findall("`([^`]+)`", rooms)), set(re.findall("`([^`]+)`", unknown))) for rooms, _, unknown in rows]


PAGE = rooms_of_the_page()
LAYERS = [rooms for rooms, _ in PAGE]
UNKNOWN = {room: unknown for rooms, unknown in PAGE for room in rooms}


def room_of(module: str) -> str:
    """Name the room of a dotted module name below prefdata."""
    return module.split(".", maxsplit=1)[0]


def level_of(room: str) -> int:
    return next((level for level, layer in enumerate(LAYERS) if room in layer), len(LAYERS))


def imports_of(path: Path) -> set[str]:
    """Collect the prefdata modules that a module imports, those that only type checkers see among them."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("prefdata"):
            base = (node.module or "").removeprefix("prefdata").lstrip(".")
            # `from prefdata.russian import kernel` imports the module prefdata.russian.kernel
            modules = [f"{base}.{alias.name}".lstrip(".") for alias in node.names if is_module(base, alias.name)]
            found |= {*modules, *([base] if base and len(modules) < len(node.names) else [])}
    return found


def is_module(base: str, name: str) -> bool:
    folder = PACKAGE.joinpath(*base.split(".")) if base else PACKAGE
    return (folder / f"{name}.py").exists() or (folder / name / "__init__.py").exists()


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


@pytest.mark.parametrize("path", [path for path in MODULES if name_of(path)], ids=name_of)
def test_imports_run_one_way(path: Path) -> None:
    room = room_of(name_of(path))
    for imported in imports_of(path):
        other = room_of(imported)
        assert other == room or level_of(other) < level_of(room), f"{name_of(path)} must not import {imported}"


@pytest.mark.parametrize("path", [path for path in MODULES if name_of(path)], ids=name_of)
def test_private_modules_are_their_rooms_own(path: Path) -> None:
    """A module whose name begins with an underscore is imported by modules of its own folder alone."""
    folder = name_of(path).rpartition(".")[0] if path.stem != "__init__" else name_of(path)
    for imported in imports_of(path):
        home, _, name = imported.rpartition(".")
        assert not name.startswith("_") or home == folder, f"{name_of(path)} must not import {imported}"


def test_imports_run_in_no_circle() -> None:
    sorter: graphlib.TopologicalSorter[str] = graphlib.TopologicalSorter()
    for path in MODULES:
        sorter.add(name_of(path), *(imported for imported in imports_of(path) if imported != name_of(path)))
    sorter.prepare()  # raises where there is one


def test_few_modules_stand_loose() -> None:
    loose = {name_of(path) for path in PACKAGE.glob("*.py") if not path.stem.startswith("__")}
    assert len(loose) <= 9, sorted(loose)


@pytest.mark.parametrize("path", [path for path in MODULES if name_of(path)], ids=name_of)
def test_rooms_do_not_know_what_the_page_forbids(path: Path) -> None:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    outside = {alias.name.split(".")[0] for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    outside |= {(node.module or "").split(".")[0] for node in nodes if isinstance(node, ast.ImportFrom)}
    known = {*map(room_of, imports_of(path)), *outside}
    assert not known & UNKNOWN.get(room_of(name_of(path)), set())


def test_the_page_has_every_room_and_no_other() -> None:
    listed = [room for rooms in LAYERS for room in sorted(rooms)]
    there = {room_of(name_of(path)) for path in MODULES if name_of(path)} - {"__main__"}
    assert len(listed) == len(set(listed)) > 15
    assert set(listed) == there


def words_of_code(path: Path) -> set[str]:
    """Collect the texts of a module that are not docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    }


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_module_names_a_preset(path: Path) -> None:
    # The simulator and the examples play under one convention unless another one is asked for.
    allowed = {"sochi"} if room_of(name_of(path)) in ("simulate", "examples") else set()
    if name_of(path) == "vocabulary":
        allowed = set(GAMES)  # a game bears the name of its plainest convention
    assert not words_of_code(path) & set(pref.presets()) - allowed


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_and_functions_stay_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 420
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
            length = (body[-1].end_lineno or 0) - body[0].lineno + 1
            assert length <= 60, f"{node.name} is {length} lines long"


def test_nothing_is_written_with_polars_format() -> None:
    """Polars 2.1 ends in a panic where `pl.format` meets a frame with an empty chunk; `pl.concat_str` does not."""
    assert [name_of(path) for path in MODULES if "pl.format(" in path.read_text(encoding="utf-8")] == []


def test_compiled_code_of_a_game_is_in_one_module() -> None:
    """What is compiled calls nothing compiled of another module, whose changes its cache would not see."""
    with_numba = [name_of(path) for path in MODULES if "import numba" in path.read_text(encoding="utf-8")]
    assert with_numba == ["outcomes.compiled"]
    found = {name_of(path): imports_of(path) for path in MODULES if "outcomes.compiled" in imports_of(path)}
    assert set(found) == {"balkan.kernel", "outcomes.numbering", "russian.kernel"}
    assert not any(imported & set(found) for imported in found.values())


def test_the_kernel_of_the_balkan_game_knows_the_places_of_its_columns() -> None:
    game = GAMES_OF["balkan"]
    entries, states, marks = len(game.entries), list(game.states), list(game.marks)
    assert (entries, entries) == (kernel._ENTRIES, kernel._VALUE)
    assert entries + states.index("refes_a") == kernel._REFES
    assert entries + states.index("hat_a") == kernel._HATS
    places = (kernel._DOUBLED, kernel._CUT, kernel._GAVE_REFE)
    assert places == tuple(entries + marks.index(name) for name in ("doubled", "cut", "gave_refe"))


def test_importing_is_light() -> None:
    code = (
        "import sys, prefdata; prefdata.__all__;"
        "print([name for name in ('altair', 'great_tables', 'jupyterlab', 'numba', 'polars') if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert printed.strip() == "[]"


def test_scoring_does_not_load_charts() -> None:
    code = (
        "import sys, prefdata as pref; pref.analysis; [getattr(pref, name) for name in pref.__all__];"
        "print([name for name in ('altair', 'great_tables', 'jupyterlab') if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert printed.strip() == "[]"


def test_no_module_hides_a_public_name() -> None:
    assert [name for name in pref.__all__ if is_module("", name)] == []


@pytest.mark.parametrize("room", sorted(file.parent.name for file in PACKAGE.glob("*/__init__.py")))
def test_no_module_hides_a_name_of_its_room(room: str) -> None:
    """A package has one attribute for a module and for what is exported: the last that was imported."""
    exported = getattr(import_module(f"prefdata.{room}"), "__all__", [])
    assert [name for name in exported if is_module(room, name)] == []


def test_rooms_are_reached_when_they_are_used() -> None:
    code = "import prefdata as pref; print(pref.analysis.invariance.__name__, pref.charts.build_report.__name__)"
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert printed.split() == ["invariance", "build_report"]
    assert set(ROOMS) <= set(dir(pref))


def test_public_names_are_documented_and_typed() -> None:
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    imported = {alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert imported - {"annotations", None} == {*pref.__all__, *ROOMS}
    for name in pref.__all__:
        assert getattr(pref, name).__doc__, name
    assert set(pref.__all__) == set(vars(pref)["_HOMES"])
