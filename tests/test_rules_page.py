"""The specification of the arithmetic has every section that is cited, and tells numbers and switches as they are."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib import resources
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest

import prefdata as pref
from prefdata.balkan import tables as balkan
from prefdata.balkan.vocabulary import DEFENCE_MOST, RANKS
from prefdata.conventions import Convention, convention, presets, switches
from prefdata.russian.tables import Deals
from prefdata.russian.vocabulary import CALL, CONCESSION, PRICES, QUOTAS
from prefdata.settlement.settling import SETTLEMENT_SCHEMA
from prefdata.tables import Pulkas
from prefdata.vocabulary import RUSSIAN
from tests.pages import Table, codes, table_of, tables, value_of
from tests.records import archive_of

ROOT = Path(__file__).parent.parent
PAGE = (resources.files("prefdata") / "rules.md").read_text(encoding="utf-8")
THREE = ["Sochi", "Leningrad", "Rostov"]
NOTHING = "–"


def sections() -> dict[str, str]:
    """Give the text of each section, items included, by its number."""
    parts = re.split(r"^##+ §([\d.]+) .*$", PAGE, flags=re.MULTILINE)
    own = dict(zip(parts[1::2], parts[2::2], strict=True))
    return {number: "".join(own[one] for one in own if f"{one}.".startswith(f"{number}.")) for number in own}


SECTIONS = sections()


def cited(text: str) -> Iterator[str]:
    """List the sections that a text cites, such as §3.6, §3.1-3 or §2-§7."""
    for first, last in re.findall(r"§(\d+(?:\.\d+)?)(?:[-–]§?(\d+))?", text):
        chapter, dot, item = first.rpartition(".")
        for number in range(int(item), int(last or item) + 1):
            yield f"{chapter}{dot}{number}"


FILES = [
    ROOT / "README.md",
    *ROOT.glob("prefdata/**/*.md"),
    *ROOT.glob("prefdata/**/*.py"),
    *ROOT.glob("tests/**/*.py"),
]
CITING = sorted(path for path in FILES if any(cited(path.read_text(encoding="utf-8"))))


def settings(text: str) -> list[tuple[str, str]]:
    """List the settings of switches in the code spans of a text: name, value."""
    found = (code.partition(" = ") for code in codes(text) if not code.startswith("{"))
    return [(name, value) for name, equals, value in found if equals]


# --------------------------------------------------------------------------- sections


def test_sections_and_items_are_numbered() -> None:
    chapters = [number for number in SECTIONS if "." not in number]
    assert chapters == [str(number) for number in range(1, 11)]
    assert [number for number in SECTIONS if number.startswith("3.")] == [f"3.{number}" for number in range(1, 10)]


def test_citations_are_read() -> None:
    assert list(cited("rules §3.1-3, §4 and §2-§7; §10.")) == ["3.1", "3.2", "3.3", "4", *"234567", "10"]


@pytest.mark.parametrize("path", CITING, ids=lambda path: str(path.relative_to(ROOT)))
def test_cited_sections_are_there(path: Path) -> None:
    assert set(cited(path.read_text(encoding="utf-8"))) <= SECTIONS.keys()


def test_named_parts_of_sections_are_there() -> None:
    parts = {match for path in CITING for match in re.findall(r"rules §(\d), ([A-Z]\w+)", path.read_text("utf-8"))}
    assert parts >= {("6", "Invariance"), ("5", "Rostov")}
    assert all(part in SECTIONS[number] for number, part in parts)


# --------------------------------------------------------------------------- switches and presets


@pytest.mark.parametrize("name", switches())
def test_a_switch_is_explained_in_its_section(name: str) -> None:
    switch = switches()[name]
    text = SECTIONS[switch.section]
    assert name in codes(text) or name in dict(settings(text))
    told = codes(text) + [value for _, value in settings(text)]
    for word in re.findall(r'"[a-z_-]{2,}(?:-\d)?"', switch.expected):
        assert word in told, f"{name} = {word}"


def test_settings_on_the_page_are_legal() -> None:
    found = settings(PAGE)
    assert len(found) > 80
    for name, value in found:
        switches()[name].check(value_of(value))


def test_the_page_knows_no_other_names() -> None:
    columns = {*Pulkas.column_names(), *Deals.column_names(), *balkan.Deals.column_names(), *SETTLEMENT_SCHEMA}
    words = {code for code in codes(PAGE) if re.fullmatch(r"[a-z][a-z_-]*", code)} - {"true", "false"}
    assert words <= {*switches(), *presets(), *columns, *CALL.categories}


def three_presets() -> list[Table]:
    return [table for table in tables(PAGE) if table.columns[-3:] == THREE]


def test_the_tables_have_every_switch_of_the_russian_game_once() -> None:
    names = [codes(cell)[0] for table in three_presets() for cell in table.column("switch")]
    own = [name for name, switch in switches().items() if switch.games == (RUSSIAN,)]
    assert sorted(names) == sorted([*own, "rounding", "code_owner"])


@pytest.mark.parametrize("preset", THREE)
def test_the_tables_tell_the_three_presets(preset: str) -> None:
    told = {
        codes(name)[0]: switches()[codes(name)[0]].check(value_of(*codes(value)))
        for table in three_presets()
        for name, value in zip(table.column("switch"), table.column(preset), strict=True)
    }
    known = convention(preset.lower())
    assert told == {name: getattr(known, name) for name in told}


def test_presets_of_the_page_are_there() -> None:
    others = [codes(cell)[0] for cell in table_of(PAGE, "preset").column("preset")]
    assert {*others, *(preset.lower() for preset in THREE)} <= set(presets())
    for title in ("Mendelev", "Hussar", "Kazakh", "Classic", "Slovene", "Balkan"):
        assert title in SECTIONS["9"]


@pytest.mark.parametrize("row", table_of(PAGE, "preset").rows, ids=lambda row: codes(row[0])[0])
def test_the_page_tells_a_preset_as_it_is(row: list[str]) -> None:
    (name,), base, changes = codes(row[0]), row[1], settings(row[2])
    file = resources.files("prefdata.conventions") / f"{name}.toml"
    extends = tomllib.loads(file.read_text(encoding="utf-8")).get("base")
    assert base == (f"`{extends}`" if extends else NOTHING)
    differing = convention(name).diff(convention(extends) if extends else Convention())
    told = {switch: switches()[switch].check(value_of(value)) for switch, value in changes}
    assert told == {switch: value for switch, (value, _) in differing.items()}


def test_the_table_of_roundings_is_complete() -> None:
    told = [value_of(*codes(cell)) for cell in table_of(PAGE, "rounding").column("rounding")]
    assert told == re.findall('"([^"]+)"', switches()["rounding"].expected)


# --------------------------------------------------------------------------- numbers


def test_prices_and_quotas() -> None:
    russian, _ = numbers_by_game()
    games = [{"misère": "misere"}.get(game, game) for game in russian.columns[1:]]
    assert {*games, "raspasy"} == PRICES.keys()
    prices, quotas = russian.rows
    assert prices[0] == "price"
    assert prices[1:] == [str(PRICES[game]) for game in games]
    assert quotas[0].startswith("quota")
    assert quotas[1:] == [str(QUOTAS[game] or NOTHING) for game in games]


def test_ranks_and_values_of_the_balkan_game() -> None:
    _, game = numbers_by_game()
    rank, value, hand = ([int(cell) for cell in row[1:]] for row in game.rows)
    assert dict(zip(game.columns[1:], rank, strict=True)) == RANKS
    assert value == [2 * one for one in rank]
    assert hand == [2 * (one + 1) for one in rank]
    failed = [str(number) for number in (value[4], hand[4], value[4] * DEFENCE_MOST, hand[4] * DEFENCE_MOST)]
    assert re.findall(r"\d+", re.split(r"\*\*Bettel\*\*|Made: nobody", PAGE)[1]) == failed


def numbers_by_game() -> tuple[Table, Table]:
    first, second = (table for table in tables(PAGE) if table.rows[0][0] in ("price", "rank"))
    return first, second


def test_a_concession_costs_as_many_undertricks_as_told() -> None:
    assert f"{CONCESSION} × *v* × `remise_factor`" in SECTIONS["3.8"]


@pytest.mark.parametrize("preset", ["sochi", "leningrad", "rostov"])
def test_the_example_of_a_failed_seven(preset: str) -> None:
    """The last number of each cell is what is written."""
    deal = {
        "deal": 1,
        "players": 3,
        "dealer": "c",
        "contract": "7",
        "declarer": "a",
        "call_b": "whist",
        "call_c": "pass",
        "tricks_a": 5,
        "tricks_b": 3,
        "tricks_c": 2,
    }
    archive = archive_of([{"players": 3, "limit": 10, "deals": [deal], "adjustments": []}])
    written = pref.entries(archive.deals, preset).select("mountain_a", "whists_ba", "whists_ca").collect()
    (example,) = (table for table in tables(PAGE) if table.columns[1] == "the declarer's mountain")
    (row,) = (row for row in example.rows if row[0] == f"`{preset}`")
    assert written.row(0) == tuple(int(re.findall(r"\d+", cell)[-1]) for cell in row[1:])


@pytest.mark.parametrize("row", table_of(PAGE, "*n*").rows, ids=lambda row: f"{row[0]} {row[1][-1]}")
def test_what_a_moved_point_brings(row: list[str]) -> None:
    """A sheet with one mountain, whose sum leaves what the row tells."""
    players, left = int(row[0]), int(row[1][-1]) if row[1][-1].isdigit() else 1
    seats = "abcd"[:players]
    sheet = {
        "pulka": 1,
        "players": players,
        "bullet_limit": 10,
        **{f"mountain_{seat}": left * (seat == "a") for seat in seats},
        **{f"whists_{one}{other}": 0 for one in seats for other in seats if one != other},
    }
    settled = pref.settle(pl.DataFrame([sheet]), "sochi")
    moved = (settled["rounded"] * 12 - settled["result_twelfths"]).to_list()
    assert settled["adjusted"].to_list() == [int(row[2].replace("−", "-")), *[0] * (players - 1)]
    assert moved == [twelfths(row[3]), *[twelfths(row[4])] * (players - 1)]


def twelfths(text: str) -> int:
    sign, parts = {"+": 1, "−": -1}[text[0]], {"⅓": 4, "½": 6, "⅔": 8}
    return sign * sum(parts[one] if one in parts else 12 * int(one) for one in text[1:])


def test_rows_of_moved_points_differ() -> None:
    rows = table_of(PAGE, "*n*").rows
    assert all(one[:2] != other[:2] for one, other in pairwise(rows))
