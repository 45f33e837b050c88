"""The page on conventions tells every switch and preset as they are, and its examples come true."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from prefdata.balkan.vocabulary import RANKS
from prefdata.cli import main
from prefdata.conventions import COUPLED, Convention, convention, presets, switches
from prefdata.conventions._convention import _CONTRADICTIONS
from prefdata.errors import ConventionError
from prefdata.russian.vocabulary import PRICES, QUOTAS
from tests.pages import codes, table_of, tables, value_of

PAGE = Path(str(resources.files("prefdata.conventions") / "README.md")).read_text(encoding="utf-8")
DEFAULT = Convention()
NOTHING = "–"


def section(title: str) -> str:
    return re.split(rf"^## {title}$", PAGE, flags=re.MULTILINE)[1].split("\n## ")[0]


def settings(text: str) -> dict[str, Any]:
    """Read the switches that are set in a text."""
    return tomllib.loads("\n".join(code for code in codes(text) if " = " in code and not code.startswith("{")))


class Row(NamedTuple):
    """A switch as the page describes it."""

    section: str
    values: str
    meaning: str
    used_by: str
    source: str


def switch_rows() -> list[tuple[str, Row]]:
    rows = []
    for table in tables(PAGE):
        if table.columns != ["switch", "values", "what it does", "used by", "source"]:
            assert table.columns[0] != "switch"
            continue
        paragraph = re.search(r"\(§(\d)\)$", table.heading)
        assert paragraph, table.heading
        for name, *cells in table.rows:
            own = re.search(r"§([\d.]+)$", name)
            assert own is None or own[1].startswith(paragraph[1] + ".")
            rows.append((codes(name)[0], Row((own or paragraph)[1], *cells)))
    return rows


ROWS = dict(switch_rows())


# --------------------------------------------------------------------------- switches


def test_the_page_has_every_switch_once_in_order() -> None:
    assert [name for name, _ in switch_rows()] == list(switches())


@pytest.mark.parametrize("name", switches())
def test_the_page_tells_a_switch_as_it_is(name: str) -> None:
    row, switch = ROWS[name], switches()[name]
    assert row.section == switch.section
    assert len(row.meaning) > 20
    assert row.meaning.endswith(".")
    assert row.source
    told = re.findall(r"\*\*`([^`]+)`\*\*", row.values)
    assert len(told) == 1, "one default"
    assert row.values.startswith(f"**`{told[0]}`**"), "the default comes first"
    assert switch.check(value_of(told[0])) == getattr(DEFAULT, name)


@pytest.mark.parametrize("name", switches())
def test_the_page_tells_the_values_that_a_switch_takes(name: str) -> None:
    cell, expected = ROWS[name].values, switches()[name].expected
    for code in codes(cell):
        switches()[name].check(value_of(code))
    plain = re.sub(r"[*`]", "", cell)
    if expected == "true or false":
        assert sorted(codes(cell)) == ["false", "true"]
    elif expected.startswith("one of "):
        assert plain == expected.removeprefix("one of ")
    else:
        assert re.findall('"[^"]*"', plain) == re.findall('"[^"]*"', expected)
        assert plain.endswith(re.sub('^("[^"]*"(, | or )?)+', "", expected))


@pytest.mark.parametrize("name", switches())
def test_quoted_values_in_the_meaning_are_real(name: str) -> None:
    row = ROWS[name]
    for code in codes(row.meaning) + codes(row.source):
        if code[0] in '"{[' or code in ("true", "false"):
            assert any(takes(one, code) for one in switches() if one == name or f"`{one}`" in row.meaning), code
        else:
            assert code in switches() or settings(f"`{code}`"), code
    assert all(switches()[one].check(value) is not None for one, value in settings(row.meaning).items())


def takes(name: str, code: str) -> bool:
    try:
        switches()[name].check(value_of(code))
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("name", switches())
def test_the_page_tells_who_uses_a_switch(name: str) -> None:
    cell = ROWS[name].used_by
    used = {
        preset: getattr(convention(preset), name)
        for preset in presets()
        if getattr(convention(preset), name) != getattr(DEFAULT, name)
    }
    if not used:
        assert cell == NOTHING
        return
    told: dict[str, Any] = {}
    for part in cell.split("; "):
        value, names = part.split(": ")
        for pattern in codes(names):
            matching = [preset for preset in presets() if fnmatch(preset, pattern)]
            assert matching, pattern
            assert not told.keys() & matching
            told |= dict.fromkeys(matching, switches()[name].check(value_of(*codes(value))))
    assert told == used


def test_the_page_tells_every_rounding() -> None:
    assert [codes(row[0])[0] for row in table_of(PAGE, "rounding").rows] == codes(ROWS["rounding"].values)
    assert all(what and source for _, what, source in table_of(PAGE, "rounding").rows)


# --------------------------------------------------------------------------- presets and fixed numbers


def test_the_page_has_every_preset_once() -> None:
    assert sorted(codes(row[0])[0] for row in table_of(PAGE, "preset").rows) == presets()


@pytest.mark.parametrize("row", table_of(PAGE, "preset").rows, ids=lambda row: codes(row[0])[0])
def test_the_page_tells_a_preset_as_it_is(row: list[str]) -> None:
    preset, russian, base, changes, source = row
    (name,) = codes(preset)
    file = resources.files("prefdata.conventions") / f"{name}.toml"
    extends = tomllib.loads(file.read_text(encoding="utf-8")).get("base")
    assert base == (f"`{extends}`" if extends else NOTHING)
    told = {switch: switches()[switch].check(value) for switch, value in settings(changes).items()}
    differing = convention(name).diff(convention(extends) if extends else DEFAULT)
    assert told == {switch: value for switch, (value, _) in differing.items()}
    assert (changes == NOTHING) == (not differing)
    assert re.search("[а-я]", russian)
    assert source
    assert ("provisional" in source) == ("provisional" in convention(name).title)


def test_the_page_tells_the_fixed_numbers() -> None:
    russian, balkan = (table for table in tables(PAGE) if table.heading == "What no switch changes")
    games = [{"misère": "misere"}.get(game, game) for game in russian.columns[1:-1]]
    prices, quotas = (row[1:-1] for row in russian.rows)
    assert prices == [str(PRICES[game]) for game in games]
    assert quotas == [str(QUOTAS[game] or NOTHING) for game in games]
    assert set(games) == {*PRICES} - {"raspasy"}
    ranks = [RANKS[game] for game in balkan.columns[1:]]
    assert len(ranks) == len(RANKS)
    assert [row[1:] for row in balkan.rows] == [
        list(map(str, numbers)) for numbers in (ranks, [2 * rank for rank in ranks], [2 * rank + 2 for rank in ranks])
    ]


# --------------------------------------------------------------------------- switches that go together


def points(text: str) -> list[str]:
    return [" ".join(point.split()) for point in re.findall(r"^- (.*(?:\n  .*)*)", text, flags=re.MULTILINE)]


def test_the_page_tells_every_contradiction() -> None:
    refused, _ = section("Switches that go together").split("Others may be set")
    told = []
    for point in points(refused):
        with pytest.raises(ConventionError) as caught:
            Convention(name="house", **settings(point.split(": ")[0]))
        told.append(caught.value.what.removeprefix("convention 'house': "))
        for name, value in settings(point).items():
            if f'`{name} = "{value}"`, the default' in point:
                assert getattr(DEFAULT, name) == value
    assert sorted(told) == sorted(what for _, what, _ in _CONTRADICTIONS)


def test_the_page_tells_the_coupled_switches() -> None:
    _, coupled = section("Switches that go together").split("Others may be set")
    assert [frozenset(codes(point)) for point in points(coupled)] == list(COUPLED)


# --------------------------------------------------------------------------- examples

EXAMPLES = {name: text for text, name in re.findall(r"```toml\n(# (\w+\.toml)\n.*?)```", PAGE, flags=re.DOTALL)}
COMMANDS = re.findall(r"```text\n\$ prefdata (.*)\n((?:.*\n)*?)```", PAGE)
REFUSALS = table_of(PAGE, "what is wrong").rows


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in EXAMPLES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_all_examples_are_tried() -> None:
    assert len(EXAMPLES) == PAGE.count("```toml")
    assert len(COMMANDS) == PAGE.count("```text")
    assert PAGE.count("```") == 2 * (len(EXAMPLES) + len(COMMANDS) + PAGE.count("```python"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_a_convention_that_changes_what_it_lists(name: str, folder: Path) -> None:
    listed = tomllib.loads(EXAMPLES[name])
    found, base = convention(folder / name), convention(listed.pop("base", "sochi"))
    assert found.name == name.removesuffix(".toml")
    assert found.title == listed.pop("title", "")
    assert {switch: own for switch, (own, _) in found.diff(base).items()} == {
        switch: switches()[switch].check(value) for switch, value in listed.items()
    }


@pytest.mark.parametrize("line", EXAMPLES["don.toml"].splitlines()[2:])
def test_both_lines_of_the_mended_base_are_needed(line: str, folder: Path) -> None:
    (folder / "don.toml").write_text(EXAMPLES["don.toml"].replace(line, ""), encoding="utf-8")
    if "dealer" in line:
        with pytest.raises(ConventionError, match=r"raspasy_dealer_bullet belongs to raspasy = \"whists\""):
            convention("don.toml")
    else:
        assert set(convention("don.toml").diff(convention("rostov"))) == {"raspasy_dealer_bullet"}


@pytest.mark.parametrize(("words", "output"), COMMANDS)
def test_a_command_prints_what_the_page_shows(
    words: str, output: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split()) == 0
    assert [line.rstrip() for line in capsys.readouterr().out.rstrip().splitlines()] == output.splitlines()


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL))
def test_python_of_the_page_runs(code: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"^print.*  # (.*)$", code, flags=re.MULTILINE)
    assert convention("mild.toml") == convention("house.toml").replace(name="mild", consolation=5)


@pytest.mark.parametrize(("example", "message"), [row[1:] for row in REFUSALS], ids=[row[0] for row in REFUSALS])
def test_a_wrong_file_is_refused_as_the_page_tells(
    example: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "wrong.toml").write_text("\n".join(codes(example)), encoding="utf-8")
    assert main(["conventions", "wrong.toml"]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("error: wrong.toml")
    (told,) = codes(message)
    what, hint = err.rstrip().split("\n")
    assert told in what
    assert hint


def test_links_of_the_page_lead_somewhere() -> None:
    headings = re.findall(r"^#+ (.*)$", PAGE, flags=re.MULTILINE)
    anchors = {"#" + heading.lower().replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(([^)]+)\)", PAGE)) <= anchors
