"""Sheets which a club really wrote: mountains and whists of closed pulkas, some of them with a stale fourth seat."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import prefdata as pref
from prefdata.vocabulary import (
    SEATS,
    mountain_column,
    pairs,
    player_column,
    seats_at_table,
    whists_column,
)
from tests import second_scorer
from tests.records import plain

DATA = Path(__file__).parent / "data"
SOCHI = pref.convention("sochi")
OF_FOURTH_SEAT = [mountain_column("d"), *(whists_column(*pair) for pair in pairs() if "d" in pair)]


def read(name: str) -> pl.DataFrame:
    """Read sheets in the club's form, hill1 and w12 and so on, as sheets of prefdata; W001 is pulka 1."""
    number = {seat: place for place, seat in enumerate(SEATS, start=1)}
    columns = {
        "limit": "bullet_limit",
        **{f"p{number[seat]}": player_column(seat) for seat in SEATS},
        **{f"hill{number[seat]}": mountain_column(seat) for seat in SEATS},
        **{f"w{number[writer]}{number[on]}": whists_column(writer, on) for writer, on in pairs()},
    }
    frame = pl.read_csv(DATA / name, schema_overrides={"pulka": pl.String}).rename(columns, strict=False)
    return frame.with_columns(pl.col("pulka").str.extract(r"(\d+)").cast(pl.Int64))


@pytest.fixture(scope="module")
def sheets() -> pl.DataFrame:
    return read("club-sheets.csv")


def with_fractions(sheets: pl.DataFrame, players: int) -> pl.DataFrame:
    """Keep the sheets of a table whose totals have fractions: the mountains do not add up to a multiple (rules §7)."""
    mountains = pl.sum_horizontal(map(mountain_column, seats_at_table(players)))
    multiple = {3: 3, 4: 2}[players]
    return sheets.filter(pl.col("players") == players, mountains % multiple != 0)


def by_second_scorer(row: dict[str, Any], convention: pref.Convention) -> second_scorer.Settlement:
    players, limit = row["players"], row["bullet_limit"]
    seats = seats_at_table(players)
    return second_scorer.settle(
        players,
        limit,
        dict.fromkeys(seats, limit),
        {seat: row[mountain_column(seat)] for seat in seats},
        {pair: row[whists_column(*pair)] for pair in pairs(players)},
        plain(convention),
    )


def test_all_settle_exactly(sheets: pl.DataFrame) -> None:
    settlement = pref.settle(sheets, SOCHI)
    assert sheets["players"].value_counts().sort("players").rows() == [(3, 19), (4, 18)]
    assert settlement.height == 19 * 3 + 18 * 4
    assert settlement["pulka"].unique().sort().equals(sheets["pulka"])
    assert settlement["result_twelfths"].null_count() == 0
    sums = settlement.group_by("pulka").agg(pl.sum("result_twelfths", "from_bullet_twelfths", "from_mountain_twelfths"))
    assert sums.drop("pulka").unique().rows() == [(0, 0, 0)]
    assert settlement["from_bullet_twelfths"].unique().to_list() == [0]
    assert settlement.filter(pulka=3).select("seat", "player").rows() == [
        ("a", "J"),
        ("b", "I"),
        ("c", "M"),
        ("d", "A"),
    ]


def test_totals_with_fractions(sheets: pl.DataFrame) -> None:
    fractional = pref.settle(sheets, SOCHI).filter(pl.col("result_twelfths") % 12 != 0)["pulka"].unique().sort()
    expected = pl.concat([with_fractions(sheets, players) for players in (3, 4)])["pulka"].sort()
    assert fractional.equals(expected)
    assert with_fractions(sheets, 3).height == 16
    assert with_fractions(sheets, 4).height == 5


def test_rule_4_2_12_makes_all_totals_whole(sheets: pl.DataFrame) -> None:
    settlement = pref.settle(sheets, SOCHI)
    assert settlement["rounded"].null_count() == 0
    pulkas = settlement.group_by("pulka").agg(
        pl.col("rounded").sum(),
        moved=(pl.col("adjusted") != 0).sum(),
        point=pl.col("adjusted").sum(),
        fractional=(pl.col("result_twelfths") % 12 != 0).any(),
    )
    assert pulkas["rounded"].unique().to_list() == [0]
    assert pulkas["moved"].max() == 1
    assert pulkas["point"].is_between(-1, 1).all()
    assert pulkas.filter(pl.col("fractional") != (pl.col("moved") == 1)).height == 0
    # of three, a remainder of one goes down and of two goes up; of four it always goes down
    assert pulkas["point"].value_counts().sort("point").rows() == [(-1, 6 + 5), (0, 3 + 13), (1, 10)]


def test_whoever_moves_the_point_by_hand_gets_the_rounded_totals(sheets: pl.DataFrame) -> None:
    rows = {row["pulka"]: row for row in sheets.iter_rows(named=True)}
    moves = pref.settlement_steps(sheets, SOCHI).filter(pl.col("adjusted") != 0)
    for pulka, owner, point, whists in moves.select("pulka", "seat", "adjusted", "compensation").iter_rows():
        rows[pulka][mountain_column(owner)] += point
        for other in seats_at_table(rows[pulka]["players"]):
            if other != owner:
                writer, on = (owner, other) if whists > 0 else (other, owner)
                rows[pulka][whists_column(writer, on)] += abs(whists)
    by_hand = pref.settle(pl.DataFrame(list(rows.values()), schema=sheets.schema), SOCHI, rounding="exact")
    rounded = pref.settle(sheets, SOCHI)["rounded"]
    assert by_hand["result_twelfths"].equals((rounded * 12).alias("result_twelfths"))


@pytest.mark.parametrize(
    ("rounding", "code_owner"),
    [
        *((rule, "largest") for rule in ("exact", "code", "code-every-mountain", "nearest", "truncate")),
        *((rule, "largest") for rule in ("total-half-up", "total-half-even")),
        *(("code", owner) for owner in ("smallest", "a", "d")),
    ],
)
def test_second_scorer_agrees(sheets: pl.DataFrame, rounding: str, code_owner: str) -> None:
    convention = SOCHI.replace(rounding=rounding, code_owner=code_owner)
    expected = {row["pulka"]: by_second_scorer(row, convention) for row in sheets.iter_rows(named=True)}
    for got in pref.settle(sheets, convention).iter_rows(named=True):
        settled, seat = expected[got["pulka"]], got["seat"]
        for part in ("from_bullet", "from_mountain", "from_whists", "result"):
            assert Fraction(got[f"{part}_twelfths"], 12) == getattr(settled, part)[seat], (got["pulka"], part)
        for part in ("rounded", "adjusted", "rank"):
            assert got[part] == getattr(settled, part)[seat], (got["pulka"], part)


def test_stale_fourth_seats_are_set_aside() -> None:
    dirty = read("club-sheets-dirty.csv")
    good, failures = pref.check_sheets(dirty, SOCHI)
    assert good["pulka"].to_list() == [3]
    assert failures.counts() == {"absent_seats_empty": 3}
    assert failures.pulkas.to_list() == [1, 2, 4]
    stale = {row["pulka"]: row for row in dirty.iter_rows(named=True)}
    for pulka, value in failures.frame.select("pulka", "value").iter_rows():
        assert value == ", ".join(f"{column}={stale[pulka][column]}" for column in OF_FOURTH_SEAT)
    with pytest.warns(pref.SetAsideWarning, match="set aside: 3 pulkas.*absent_seats_empty"):
        settlement = pref.settle(dirty, SOCHI)
    assert settlement["pulka"].unique().to_list() == [3]
    assert settlement["result"].sum() == 0


def test_stale_sheets_settle_once_they_are_cleaned() -> None:
    dirty = read("club-sheets-dirty.csv")
    cleaned = dirty.with_columns(pl.when(players=4).then(column).alias(column) for column in OF_FOURTH_SEAT)
    settlement = pref.settle(cleaned, SOCHI)
    assert settlement.group_by("pulka", maintain_order=True).agg(pl.sum("rounded")).rows() == [
        (pulka, 0) for pulka in (1, 2, 3, 4)
    ]
