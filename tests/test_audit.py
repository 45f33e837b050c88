"""Recorded sheets held against their deals: seeded errors are found and named, and nothing else is."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import polars as pl
import pytest

import prefdata as pref
from prefdata.archives import Archive
from prefdata.vocabulary import help_column, seats_at_table, seats_needed

Record = dict[str, Any]
Sheet = dict[str, int]
Error = tuple[Sheet, str, int | None]
"""What the sheet becomes, the kind of the cause, and the deal that it is about, if any."""

PULKAS, ERRORS = 1000, 100


class Table:
    """One pulka with its right sheet and what its deals wrote, as plain numbers."""

    def __init__(self, sheet: Record, ledger: list[Record], archive: Archive, convention: str) -> None:
        game = archive.game
        self.key, self.players = sheet["pulka"], sheet["players"]
        self.columns = [name for name in game.entries if seats_needed(name) <= self.players]
        self.sheet: Sheet = {name: sheet[name] for name in self.columns}
        self.deals = [row for row in ledger if row["scored"]]
        self.archive, self.convention = archive, convention

    def entries(self, *kinds: str) -> Iterator[tuple[Record, str, int]]:
        for row in self.deals:
            for name in self.columns:
                if row[name] and name.startswith(kinds):
                    yield row, name, row[name]

    def with_added(self, **points: int) -> Sheet:
        return {name: value + points.get(name, 0) for name, value in self.sheet.items()}


def times_deal(table: Table, rng: random.Random, kind: str, times: int) -> Error | None:
    deal = rng.choice([row for row in table.deals if any(row[name] for name in table.columns)])
    return table.with_added(**{name: times * deal[name] for name in table.columns}), kind, deal["deal"]


def deal_missing(table: Table, rng: random.Random) -> Error | None:
    return times_deal(table, rng, "deal missing", -1)


def deal_doubled(table: Table, rng: random.Random) -> Error | None:
    return times_deal(table, rng, "deal doubled", 1)


def times_entry(table: Table, rng: random.Random, kind: str, times: int) -> Error | None:
    deal, name, points = rng.choice(list(table.entries("")))
    return table.with_added(**{name: times * points}), kind, deal["deal"]


def entry_missing(table: Table, rng: random.Random) -> Error | None:
    return times_entry(table, rng, "entry missing", -1)


def entry_doubled(table: Table, rng: random.Random) -> Error | None:
    return times_entry(table, rng, "entry doubled", 1)


def wrong_sign(table: Table, rng: random.Random) -> Error | None:
    return times_entry(table, rng, "wrong sign", -2)


def wrong_opponent(table: Table, rng: random.Random) -> Error | None:
    found = list(table.entries("whists", "juha"))
    if not found or table.players == 2:
        return None
    deal, name, points = rng.choice(found)
    entry, seats = name.split("_")
    others = [seat for seat in seats_at_table(table.players) if seat not in seats]
    other = f"{entry}_{seats[0]}{rng.choice(others)}"
    return table.with_added(**{name: -points, other: points}), "wrong opponent", deal["deal"]


def wrong_player(table: Table, rng: random.Random) -> Error | None:
    deal, name, points = rng.choice(list(table.entries("bullet", "mountain", "contract")))
    entry, seat = name.split("_")
    other = f"{entry}_{rng.choice([one for one in seats_at_table(table.players) if one != seat])}"
    return table.with_added(**{name: -points, other: points}), "wrong player", deal["deal"]


def help_to_another(table: Table, rng: random.Random) -> Error | None:
    if table.players < 3 or "bullet_a" not in table.columns:
        return None
    seats = seats_at_table(table.players)
    found = [
        (row, helper, helped)
        for row in table.deals
        for helper in seats
        for helped in seats
        if helper != helped and row[help_column(helper, helped)]
    ]
    if not found:
        return None
    deal, helper, helped = rng.choice(found)
    points, rate = deal[help_column(helper, helped)], pref.convention(table.convention).help_rate
    other = rng.choice([seat for seat in seats if seat not in (helper, helped)])
    changed = {
        f"bullet_{helped}": -points,
        f"bullet_{other}": points,
        f"whists_{helper}{helped}": -rate * points,
        f"whists_{helper}{other}": rate * points,
    }
    return table.with_added(**changed), "help to another", deal["deal"]


def over_writing(table: Table, rng: random.Random) -> Error | None:
    """More whists were written than the deal brought, and taken back and fined, though the deals know nothing of it."""
    if "whists_ab" not in table.columns:
        return None
    excess = rng.choice([2, 4, 6, 8, 10])
    return table.with_added(whists_ab=-excess, whists_ba=excess), "over-writing fined", None


def digits_swapped(table: Table, rng: random.Random) -> Error | None:
    long = [name for name in table.columns if table.sheet[name] > 9 and str(table.sheet[name])[-1:] != "0"]
    long = [name for name in long if len(set(str(table.sheet[name])[-2:])) == 2]
    if not long:
        return None
    name = rng.choice(long)
    written = str(table.sheet[name])
    return table.sheet | {name: int(written[:-2] + written[-1] + written[-2])}, "digits swapped", None


def another_convention(table: Table, rng: random.Random) -> Error | None:
    other = {"sochi": "leningrad", "leningrad": "sochi", "rostov": "sochi", "hussar": None, "balkan": "slovene"}
    name = other[table.convention]
    if name is None:
        return None
    row = sheets_under(table.archive, name).get(table.key)
    return None if row is None else ({c: row[c] for c in table.columns}, "another convention", None)


def rounded(table: Table, rng: random.Random) -> Error | None:
    """One mountain was moved down by a point, for which the others wrote whists (4.2.12)."""
    if "mountain_a" not in table.columns or table.players == 2:
        return None
    owner, *others = rng.sample(seats_at_table(table.players), table.players)
    whists = {f"whists_{other}{owner}": 10 // table.players for other in others}
    return table.with_added(**{f"mountain_{owner}": -1}, **whists), "rounded", None


def left_out(table: Table, rng: random.Random) -> Error | None:
    """A deal was forgotten at the table, and the rest of the pulka played on without it."""
    deal = rng.choice(table.deals[:-1] or table.deals)["deal"]
    deals = table.archive.deals.filter(pl.col("pulka") == table.key, pl.col("deal") != deal).collect()
    number = pl.int_range(1, pl.len() + 1, dtype=pl.UInt16).alias("deal")
    without = pref.archive(
        table.archive.pulkas.filter(pl.col("pulka") == table.key).collect(), deals.with_columns(number)
    )
    row = pref.sheets(without, table.convention).row(0, named=True)
    return {name: row[name] for name in table.columns}, "deal missing", deal


SEEDS: tuple[Callable[[Table, random.Random], Error | None], ...] = (
    *(deal_missing, deal_doubled, entry_missing, entry_doubled, wrong_sign, wrong_opponent, wrong_player),
    *(help_to_another, over_writing, digits_swapped, another_convention, rounded, left_out),
)


@cache
def sheets_under(archive: Archive, convention: str) -> dict[int, Record]:
    return {row["pulka"]: row for row in pref.sheets(archive, convention).iter_rows(named=True)}


def seeded(convention: str, players: int | str, pulkas: int, errors: int) -> tuple[Archive, dict[int, Error]]:
    """Give an archive whose sheets are right but for one error each in some, and those errors by pulka."""
    archive = pref.sample(pulkas, players=players, convention=convention, seed=5)
    right = pref.sheets(archive, convention)
    ledgers = pref.ledger(archive, convention).partition_by("pulka", as_dict=True)
    rng, made = random.Random(f"{convention} {players}"), {}
    rows = right.to_dicts()
    for number, place in enumerate(rng.sample(range(pulkas), errors)):
        key = rows[place]["pulka"]
        table = Table(rows[place], ledgers[(key,)].to_dicts(), archive, convention)
        order = [*SEEDS[number % len(SEEDS) :], *SEEDS[: number % len(SEEDS)]]
        found = (seed(table, rng) for seed in order)
        made[key] = next(error for error in found if error is not None and error[0] != table.sheet)
        rows[place] |= made[key][0]
    recorded = pl.DataFrame(rows, schema=right.schema)
    tables = archive.pulkas.collect(), archive.deals.collect()
    return pref.archive(*tables, sheets=recorded), made


@pytest.mark.parametrize(
    ("convention", "players", "pulkas", "errors"),
    [
        ("sochi", "mix", PULKAS, ERRORS),
        ("leningrad", 3, 300, 60),
        ("rostov", 4, 300, 60),
        ("hussar", 2, 200, 40),
        ("balkan", 3, 300, 60),
    ],
)
def test_seeded_errors_are_found_and_named(convention: str, players: int | str, pulkas: int, errors: int) -> None:
    archive, made = seeded(convention, players, pulkas, errors)
    audit = pref.audit(archive, convention)
    assert audit.different == sorted(made)
    assert audit.pulkas.height == pulkas
    named = {(row["pulka"], row["cause"], row["deal"]) for row in audit.causes.iter_rows(named=True)}
    missed = {key: error[1:] for key, error in made.items() if (key, *error[1:]) not in named}
    assert len(missed) <= errors / 10, missed
