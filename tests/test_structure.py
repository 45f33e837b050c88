"""The structure of the program: imports run one way, conventions are data, importing is light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import prefdata as pref
from prefdata.balkan import walk as balkan_walk
from prefdata.games import GAMES as GAMES_OF
from prefdata.vocabulary import GAMES

PACKAGE = Path(pref.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

# Each room may import those before it and itself; rooms in one row do not know each other.
LAYERS: list[set[str]] = [
    {"vocabulary", "errors", "keys", "compiled"},
    {"failures", "roles", "conventions", "language"},
    {"tables", "examples", "tournament_notation"},
    {"scoring.packing", "scoring.outcomes", "numbering"},
    {"balkan"},
    {"games"},
    {"archives", "scoring"},
    {"rounding", "sheet_rules"},
    {"settlement"},
    {"settlement_by_hand", "simulate", "rescoring_part", "corrections"},
    {"rescoring", "sheet_files"},
    {"analysis"},
    {"charts"},
    {"report"},
    {"cli"},
    {"__main__"},
]


def room_of(module: str) -> str:
    """Name the room of a dotted module name below prefdata."""
    rooms = {room for layer in LAYERS for room in layer}
    parts = module.split(".")
    return next((name for name in (".".join(parts[:2]), parts[0]) if name in rooms), parts[0])


def level_of(room: str) -> int:
    return next(level for level, layer in enumerate(LAYERS) if room in layer)


def runtime_imports(path: Path) -> set[str]:
    """Collect the prefdata modules that a module imports, but for those that only type checkers see."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    hidden = {
        id(node)
        for test in ast.walk(tree)
        if isinstance(test, ast.If) and isinstance(test.test, ast.Name) and test.test.id == "TYPE_CHECKING"
        for statement in test.body
        for node in ast.walk(statement)
    }
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and id(node) not in hidden and (node.module or "").startswith("prefdata"):
            base = (node.module or "").removeprefix("prefdata").lstrip(".")
            names = [base] if base else []
            # `from prefdata.scoring import walk` imports the module prefdata.scoring.walk
            names += [f"{base}.{alias.name}".lstrip(".") for alias in node.names if is_module(base, alias.name)]
            found |= {name for name in names if name}
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
    for imported in runtime_imports(path):
        other = room_of(imported)
        assert other == room or level_of(other) < level_of(room), f"{name_of(path)} must not import {imported}"


def test_every_room_has_its_place() -> None:
    known = {room for layer in LAYERS for room in layer}
    assert {room_of(name_of(path)) for path in MODULES if name_of(path)} <= known


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
    assert [name_of(path) for path in MODULES if "import numba" in path.read_text(encoding="utf-8")] == ["compiled"]
    found = {name_of(path): runtime_imports(path) for path in MODULES if "compiled" in runtime_imports(path)}
    assert set(found) == {"balkan.walk", "numbering", "scoring.walk"}
    assert not any(imported & set(found) for imported in found.values())


def test_the_walk_of_the_balkan_game_knows_the_places_of_its_columns() -> None:
    game = GAMES_OF["balkan"]
    entries, states, marks = len(game.entries), list(game.states), list(game.marks)
    assert (entries, entries) == (balkan_walk._ENTRIES, balkan_walk._VALUE)
    assert entries + states.index("refes_a") == balkan_walk._REFES
    assert entries + states.index("hat_a") == balkan_walk._HATS
    places = (balkan_walk._DOUBLED, balkan_walk._CUT, balkan_walk._GAVE_REFE)
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
        "import sys, prefdata as pref; [getattr(pref, name) for name in pref.__all__];"
        "print([name for name in ('altair', 'great_tables', 'jupyterlab') if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert printed.strip() == "[]"


def test_no_module_hides_a_public_name() -> None:
    assert [name for name in pref.__all__ if is_module("", name)] == []


def test_public_names_are_documented_and_typed() -> None:
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    imported = {alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert imported - {"annotations", None} == set(pref.__all__)
    for name in pref.__all__:
        assert getattr(pref, name).__doc__, name
    assert set(pref.__all__) == set(vars(pref)["_HOMES"])
