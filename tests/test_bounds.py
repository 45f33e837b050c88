"""The bounds of numbers: settled exactly up to them, set aside beyond, however a sheet came to be."""

from __future__ import annotations

import random
import zipfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import prefdata as pref
from prefdata.archives import Archive
from prefdata.conventions import ROUNDINGS
from prefdata.errors import ScoringError, TableError
from prefdata.outcomes import walks
from prefdata.russian.tables import Adjustments, Deals
from prefdata.settlement.sheet_files import read_sheets
from prefdata.tables import Pulkas
from prefdata.vocabulary import LARGEST_ENTRY, LARGEST_LIMIT, entry_columns, pairs, seats_at_table
from tests import second_scorer
from tests.records import frame_of, plain

MOST_POINTS = 2**31 - 1


def heaviest(rounding: Any, divisor: Any) -> pref.Convention:
    return pref.Convention(
        name="heaviest",
        rounding=rounding,
        mountain_weight=10_000,
        bullet_weight=10_000,
        mountain_divisor=divisor,
        bullet_divisor=divisor,
    )


def extreme_sheets(players: int, limit: int) -> pl.DataFrame:
    """Sheets with every column at the bound or near it, of either sign, and the worst of them by hand."""
    rng = random.Random(f"{players} {limit}")
    near = [side * (LARGEST_ENTRY - less) for side in (1, -1) for less in range(13)]
    columns = entry_columns(players)
    rows = [dict(zip(columns, rng.choices(near, k=len(columns)), strict=True)) for _ in range(40)]
    for owner in seats_at_table(players):
        for side in (LARGEST_ENTRY, -LARGEST_ENTRY):
            sign = {name: side if owner in name.partition("_")[2][:1] else -side for name in columns}
            mountains = {name: -value if name.startswith("mountain") else value for name, value in sign.items()}
            rows += [sign, mountains]
    keys = [{"pulka": key, "players": players, "bullet_limit": limit} for key in range(len(rows))]
    return pl.DataFrame([{**key, **row} for key, row in zip(keys, rows, strict=True)])


def by_hand(row: dict[str, Any], convention: pref.Convention) -> second_scorer.Settlement:
    """Settle a sheet in Python's numbers, which have no bound."""
    players = row["players"]
    seats = seats_at_table(players)
    return second_scorer.settle(
        players,
        row["bullet_limit"],
        {seat: row[f"bullet_{seat}"] for seat in seats},
        {seat: row[f"mountain_{seat}"] for seat in seats},
        {(writer, on): row[f"whists_{writer}{on}"] for writer, on in pairs(players)},
        plain(convention),
    )


def check_settled(sheets: pl.DataFrame, convention: pref.Convention) -> None:
    expected = {row["pulka"]: by_hand(row, convention) for row in sheets.iter_rows(named=True)}
    settled = pref.settle(sheets, convention)
    assert settled["pulka"].n_unique() == sheets.height
    for got in settled.iter_rows(named=True):
        exact, seat = expected[got["pulka"]], got["seat"]
        for part in ("from_bullet", "from_mountain", "from_whists", "result"):
            assert Fraction(got[f"{part}_twelfths"], 12) == getattr(exact, part)[seat]
        for part in ("rounded", "adjusted", "rank"):
            assert got[part] == getattr(exact, part)[seat]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("divisor", [1, "players", "players-1"])
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_every_rule_is_exact_at_the_bound(rounding: str, divisor: int | str, players: int) -> None:
    for limit in (1, LARGEST_LIMIT):
        check_settled(extreme_sheets(players, limit), heaviest(rounding, divisor))


@pytest.mark.parametrize("column", ["bullet_a", "mountain_b", "whists_cb"])
@pytest.mark.parametrize("kind", [pl.Int64, pl.Float64, pl.Int128])
@pytest.mark.parametrize("side", [1, -1])
def test_a_recorded_sheet_beyond_the_bound_is_set_aside(column: str, kind: Any, side: int) -> None:
    sheets = extreme_sheets(3, 10).with_columns(pl.col(column).cast(kind))
    first = pl.col("pulka") == 0
    at, beyond = (
        sheets.with_columns(pl.when(first).then(pl.lit(side * value, kind)).otherwise(column).alias(column))
        for value in (LARGEST_ENTRY, LARGEST_ENTRY + 1)
    )
    assert len(pref.check_sheets(at, "sochi")[1]) == 0
    good, failures = pref.check_sheets(beyond, "sochi")
    assert failures.frame.select("rule", "pulka").rows() == [("exact_in_twelfths", 0)]
    assert good.height == sheets.height - 1


@pytest.mark.parametrize(
    ("column", "value", "rule"),
    [
        ("bullet_limit", LARGEST_LIMIT + 1, "limit_of_sheet"),
        ("bullet_limit", 2**62, "limit_of_sheet"),
        ("bullet_limit", 2**63, "limit_of_sheet"),
        ("pulka", 2**63, "key_of_sheet"),
        ("pulka", None, "key_of_sheet"),
        ("players", 2**63, "players_of_sheet"),
    ],
)
def test_a_sheet_with_a_key_beyond_its_bound_is_set_aside(column: str, value: int | None, rule: str) -> None:
    sheets = extreme_sheets(3, 10).head(2).with_columns(pl.Series(column, [value, 3], dtype=pl.UInt64))
    good, failures = pref.check_sheets(sheets.drop("bullet_a", "bullet_b", "bullet_c"), "sochi")
    assert good.height == 1
    assert set(failures.frame["rule"]) >= {rule}


# --------------------------------------------------------------------------- scored sheets


def club(deals: list[dict[str, Any]], adjustments: list[dict[str, Any]] | None = None) -> Archive:
    """Make an archive of one pulka with these deals, and another one that has only the first of them."""
    seated = {"players": 3, "dealer": "a", "conceded": False, "talon": 0, "multiplier": 1, "wrong_cards": ""}
    rows = [{"pulka": 1, "deal": number, **seated, **deal} for number, deal in enumerate(deals, start=1)]
    rows.append({**rows[0], "pulka": 2})
    keys = [{"pulka": key, "players": 3, "bullet_limit": 100, "convention": "sochi"} for key in (1, 2)]
    written = [{"pulka": 1, "deal": 0, "seat": "a", **row} for row in adjustments or ()]
    return pref.archive(
        frame_of(keys, Pulkas), frame_of(rows, Deals), frame_of(written, Adjustments) if written else None
    )


FAILED_MISERE = {"contract": "misere", "declarer": "b", "tricks_a": 0, "tricks_b": 10, "tricks_c": 0}


def adding_up_to(total: int) -> list[dict[str, Any]]:
    """List adjustments of a mountain that add up to a total."""
    side = 1 if total > 0 else -1
    whole, rest = divmod(abs(total), MOST_POINTS)
    return [{"entry": "mountain", "points": side * points} for points in [*[MOST_POINTS] * whole, rest]]


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_adjustments_up_to_the_bound_are_settled(side: int, rounding: str) -> None:
    archive = club([FAILED_MISERE], adding_up_to(side * LARGEST_ENTRY))
    convention = heaviest(rounding, 1)
    sheets = pref.sheets(archive, convention)
    assert sheets["mountain_a"].to_list() == [side * LARGEST_ENTRY, 0]
    check_settled(sheets, convention)


@pytest.mark.parametrize("side", [1, -1])
def test_adjustments_beyond_the_bound_set_their_pulka_aside(side: int) -> None:
    archive = club([FAILED_MISERE], adding_up_to(side * (LARGEST_ENTRY + 1)))
    with pytest.warns(pref.SetAsideWarning, match=f"pulka 1: every column of the sheet must be at most {2**40}"):
        sheets = pref.sheets(archive, "sochi")
    assert sheets["pulka"].to_list() == [2]
    with pytest.warns(pref.SetAsideWarning, match="pulka_can_be_written"):
        assert pref.ledger(archive, "sochi")["pulka"].unique().to_list() == [2]


def test_so_many_adjustments_that_a_settlement_would_wrap_are_set_aside(tmp_path: Path) -> None:
    archive = club([FAILED_MISERE], [{"entry": "mountain", "points": MOST_POINTS}] * 120_000)
    with pytest.warns(pref.SetAsideWarning, match="pulka 1: every column"):
        assert pref.sheets(archive, heaviest("exact", 1))["pulka"].to_list() == [2]
    pref.write_archive(archive, tmp_path / "club")
    counts = pref.rescore(tmp_path / "club", "sochi", tmp_path / "out").manifest["conventions"]["sochi"]
    names = ("pulkas_scored", "pulkas_set_aside", "deals_set_aside", "adjustments_set_aside")
    assert [counts[name] for name in names] == [1, 1, 1, 120_000]


def test_failed_miseres_are_settled_up_to_the_bound_and_set_aside_beyond() -> None:
    convention = heaviest("code", 1).replace(name="dear", scale=10_000, misere_factor=200)
    mountain = int(pref.sheets(club([FAILED_MISERE]), convention)["mountain_b"][0])
    fitting = LARGEST_ENTRY // mountain
    assert 0 < fitting < 65_535
    sheets = pref.sheets(club([FAILED_MISERE] * fitting), convention)
    assert sheets["mountain_b"].to_list() == [fitting * mountain, mountain]
    check_settled(sheets, convention)
    for deals in (fitting + 1, 65_535):
        with pytest.warns(pref.SetAsideWarning, match="pulka 1: every column"):
            assert pref.sheets(club([FAILED_MISERE] * deals), convention)["pulka"].to_list() == [2]


def test_more_adjustments_than_a_walk_can_add_up_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = club([FAILED_MISERE], [{"entry": "mountain", "points": 1}] * 4)
    monkeypatch.setattr(walks, "_MOST_ADJUSTMENTS", 5)
    assert pref.sheets(archive, "sochi").height == 2
    monkeypatch.setattr(walks, "_MOST_ADJUSTMENTS", 4)
    with pytest.raises(ScoringError, match="4 adjustments"):
        pref.sheets(archive, "sochi")


# --------------------------------------------------------------------------- workbooks


def test_a_workbook_whose_numbers_were_altered_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "sheets.xlsx"
    extreme_sheets(2, 10).with_columns(mountain_a=777).write_excel(file)
    stored = tmp_path / "stored.xlsx"
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(stored, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    assert read_sheets(stored)["mountain_a"].unique().to_list() == [777]
    content = stored.read_bytes()
    assert b"<v>777</v>" in content
    stored.write_bytes(content.replace(b"<v>777</v>", b"<v>776</v>", 1))
    with pytest.raises(TableError, match=r"sheet1\.xml in it does not have its checksum"):
        read_sheets(stored)
