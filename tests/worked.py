"""Deals and sheets as worked examples write them, and what prefdata makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.vocabulary import (
    bullet_column,
    call_column,
    entry_columns,
    left_of,
    mountain_column,
    pairs,
    seats_at_table,
    tricks_column,
    whists_column,
)
from tests.records import archive_of

Record = dict[str, Any]
Entries = dict[str, int]

SOCHI, LENINGRAD, ROSTOV = map(pref.convention, ("sochi", "leningrad", "rostov"))
GENTLEMAN = SOCHI.replace(lone_whist="gentleman")
FEDERATION = LENINGRAD.replace(
    talon_bonus=True,
    talon_bonus_three=True,
    gentleman_scope="always",
    zero_bonus_to="mountain",
    zero_bonus_points=2,
    zero_bonus_dealer=False,
    raspasy_reset="made_whisted",
)
MENDELEV = SOCHI.replace(
    scale=10,
    bullet_weight=1,
    mountain_weight=1,
    help_rate=1,
    consolation_to="inviter",
    talon_bonus=True,
    rounding="nearest",
)
CLASSIC = SOCHI.replace(ladder=[1, 2, 4], made_first="mountain")
AMONG_OPPONENTS = SOCHI.replace(mountain_divisor="players-1", bullet_divisor="players-1")
INDIVISIBLE = SOCHI.replace(mountain_divisor=1, bullet_divisor=2)

BOTH = {"b": "whist", "c": "whist"}
LONE = {"b": "whist", "c": "pass"}
PASSED = {"b": "pass", "c": "pass"}
HALF = {"b": "pass", "c": "half"}

LEVELS = (6, 7, 8, 9, 10)


def deal(
    contract: int | str,
    declarer: str | None = "a",
    *,
    calls: Mapping[str, str] | None = None,
    tricks: Sequence[int | None] = (),
    players: int = 3,
    **columns: Any,
) -> Record:
    """Make a deal, with tricks in seat order; of four players d deals unless `dealer` says otherwise."""
    return {
        "players": players,
        "dealer": seats_at_table(players)[-1],
        "contract": str(contract),
        "declarer": declarer,
        **{call_column(seat): call for seat, call in (calls or {}).items()},
        **dict(zip(map(tricks_column, seats_at_table(players)), tricks, strict=False)),
        **columns,
    }


def raspasy(*tricks: int | None, **columns: Any) -> Record:
    return deal("raspasy", None, tricks=tricks, players=len(tricks), **columns)


def entry(column: str, points: int, *, after: int = 0) -> Record:
    """Make an adjustment of a column of the sheet; without `after` it opens the pulka."""
    kind, _, seats = column.partition("_")
    return {"deal": after, "seat": seats[0], "entry": kind, "on_seat": seats[1:] or None, "points": points}


def pulka(deals: Sequence[Record], adjustments: Sequence[Record] = (), *, limit: int = 50) -> Archive:
    numbered = [{"deal": number, **one} for number, one in enumerate(deals, start=1)]
    record = {"players": deals[0]["players"], "limit": limit, "deals": numbered, "adjustments": list(adjustments)}
    return archive_of([record])


def nonzero(row: Mapping[str, Any]) -> Entries:
    """Keep the entries which were really written."""
    return {name: row[name] for name in entry_columns() if row.get(name)}


def written(convention: pref.Convention, *deals: Record) -> list[Entries]:
    """Score deals of one pulka, far from its end: what a ledger says is what each deal brings by itself."""
    archive = pulka(deals, limit=1000)
    entries = pref.entries(archive.deals.collect(), convention).select(entry_columns())
    assert_frame_equal(entries, pref.ledger(archive, convention).select(entry_columns()))
    return [nonzero(row) for row in entries.iter_rows(named=True)]


def final(archive: Archive, convention: pref.Convention) -> Entries:
    """Give the sheet of an archive's only pulka."""
    return nonzero(pref.sheets(archive, convention).row(0, named=True))


def sheet(
    mountain: Sequence[int], *, bullet: Sequence[int] = (), limit: int = 20, whists: Mapping[str, int] | None = None
) -> pl.DataFrame:
    """Make a recorded sheet, in seat order; without bullets everybody is closed."""
    seats = seats_at_table(len(mountain))
    return pl.DataFrame(
        {
            "pulka": 1,
            "players": len(mountain),
            "bullet_limit": limit,
            **dict(zip(map(bullet_column, seats), bullet, strict=bool(bullet))),
            **dict(zip(map(mountain_column, seats), mountain, strict=True)),
            **{whists_column(*pair): (whists or {}).get("".join(pair), 0) for pair in pairs(len(mountain))},
        }
    )


def results(sheets: pl.DataFrame, convention: pref.Convention) -> list[Fraction]:
    """Settle a sheet exactly; both variants of the Code's rule 4.2.14 must come to the same."""
    exact = [Fraction(twelfths, 12) for twelfths in pref.settle(sheets, convention)["result_twelfths"]]
    assert sum(exact) == 0
    for variant in (1, 2):
        steps = pref.settlement_steps(sheets, convention, variant=variant)
        assert steps["result"].to_list() == pytest.approx([float(result) for result in exact])
    return exact


def rounded(sheets: pl.DataFrame, convention: pref.Convention) -> list[int]:
    whole: list[int] = pref.settle(sheets, convention)["rounded"].to_list()
    return whole


def steps(sheets: pl.DataFrame, convention: pref.Convention, name: str) -> list[float]:
    """Give one step of the settlement with amnesty, in seat order."""
    found: list[float] = pref.settlement_steps(sheets, convention)[name].to_list()
    return found


def balances(sheets: pl.DataFrame, convention: pref.Convention) -> dict[str, float]:
    """Give the balance of every pair, positive for its first seat."""
    rows = {row["seat"]: row for row in pref.settlement_steps(sheets, convention).iter_rows(named=True)}
    found = {a + b: rows[a][f"against_{b}"] for a, b in pairs(len(rows))}
    assert all(found[pair] == pytest.approx(-found[pair[::-1]]) for pair in found)
    return {pair: balance for pair, balance in found.items() if pair[0] < pair[1]}


def moved_by_hand(sheets: pl.DataFrame, convention: pref.Convention) -> pl.DataFrame:
    """Write into a sheet the mountain point, and the whists for it, which the settlement says that it moved."""
    row = sheets.row(0, named=True)
    moves = pref.settlement_steps(sheets, convention).select("seat", "adjusted", "compensation")
    for owner, point, whists in moves.iter_rows():
        row[mountain_column(owner)] += point
        for other in (left_of(owner, moves.height, places) for places in range(1, moves.height)):
            writer, on = (owner, other) if whists > 0 else (other, owner)
            row[whists_column(writer, on)] += abs(whists)
    return pl.DataFrame([row])
