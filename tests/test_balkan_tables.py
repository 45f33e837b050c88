"""The tables, files and commands of the Balkan game: what is legal, what is set aside and why, what is refused."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.analysis import head_to_head, player_profiles, pulka_results, study_rounding
from prefdata.archives import Archive
from prefdata.balkan.packing import LAYOUT
from prefdata.balkan.tables import Adjustments, Deals
from prefdata.balkan.vocabulary import (
    CALL,
    CONTRACT,
    RANKS,
    SEAT,
    SEATS,
    contract_column,
    entry_columns,
    juha_column,
)
from prefdata.charts import build_report, contract_values
from prefdata.errors import ArchiveError, ConventionError, PrefdataError, TableError
from prefdata.games import GAMES
from prefdata.scoring.values import VALUE_SCHEMA
from prefdata.settlement.settling import SETTLEMENT_SCHEMA
from prefdata.tables import RULES, Pulkas, is_legal_deal
from prefdata.vocabulary import pairs
from tests import balkan_strategies, second_balkan, strategies
from tests.legality import loose_frame
from tests.records import archive_of, frame_of
from tests.test_balkan_scorers_agree import balkan_archive
from tests.test_cli import typed

Record = dict[str, Any]
Tables = dict[str, list[Record]]
Capture = pytest.CaptureFixture[str]
Words = list[str | Path]
SCHEMAS = {"pulkas": Pulkas, "deals": Deals, "adjustments": Adjustments}
PAIRS = list(pairs(3))
DATA = Path(__file__).parents[1] / "data"
HOUSE = pref.Convention(name="house", game="balkan", refe_max=1)
"""A convention that knows the refes of every limit."""


# --------------------------------------------------------------------------- a good archive


def deal(
    dealer: str, contract: str, declarer: str | None = None, calls: str = "", tricks: str = "", **more: Any
) -> Any:
    """Make a deal; `calls="a come b pass"`, `tricks="a 4 b 0"`."""
    row = balkan_strategies.empty_deal(dealer, contract) | {"declarer": declarer}
    said, taken = calls.split(), tricks.split()
    row |= {f"call_{seat}": word for seat, word in zip(said[::2], said[1::2], strict=True)}
    row |= {f"tricks_{seat}": int(number) for seat, number in zip(taken[::2], taken[1::2], strict=True)}
    return row | more


PLAYED = {
    10: (
        30,
        [
            deal("a", "diamonds", "c", "a invited b invite", "a 1 b 2 c 7"),
            deal("b", "bettel", "b", tricks="a 2 b 8", hand=True),
        ],
    ),
    20: (
        50,
        [
            deal("a", "spades", "b", "c come a come", "a 2 b 6 c 2"),
            deal("b", "clubs", "c", "a pass b pass"),
            deal("c", "all_pass"),
            deal("a", "bettel", "a", tricks="a 0"),
            deal("b", "sans", "a", "b invite c invited", "a 5 b 3 c 2", hand=True, contra=2, contra_by="b"),
            deal("c", "hearts", "b", "c come a pass", "b 6 c 4"),
            deal("a", "bettel", "c", tricks="a 4 b 3 c 3", contra=1, contra_by="a"),
        ],
    ),
    30: (30, [deal("c", "all_pass"), deal("a", "hearts", "a", "b pass c come", "a 4 b 0 c 6")]),
}
"""Pulkas with their limits and deals; none of them ends."""


def good_tables() -> Tables:
    adjustment = dict.fromkeys(("on_seat", "reason"))
    return {
        "pulkas": [
            {"pulka": key, "players": 3, "bullet_limit": limit, "convention": "balkan", "player_a": "Ana", "stake": 0.5}
            for key, (limit, _) in PLAYED.items()
        ],
        "deals": [
            {"pulka": key, "deal": number, **row}
            for key, (_, deals) in PLAYED.items()
            for number, row in enumerate(deals, start=1)
        ],
        "adjustments": [
            adjustment | {"pulka": 20, "deal": 0, "seat": "a", "entry": "contract", "points": 3, "reason": "carried"},
            adjustment | {"pulka": 20, "deal": 2, "seat": "b", "entry": "juha", "on_seat": "c", "points": 10},
            adjustment | {"pulka": 30, "deal": 1, "seat": "c", "entry": "contract", "points": -2},
        ],
    }


def archive_of_tables(tables: Tables) -> Archive:
    frames = {name: loose_frame(rows, SCHEMAS[name]) for name, rows in tables.items()}
    archive: Archive = pref.archive(frames["pulkas"], frames["deals"], frames["adjustments"])
    return archive


@pytest.fixture(scope="module")
def good_sheets() -> pl.DataFrame:
    """The sheets of the good archive."""
    archive = archive_of_tables(good_tables())
    assert archive.check().failures.counts() == {}
    sheets: pl.DataFrame = pref.sheets(archive, "balkan")
    assert sheets["pulka"].to_list() == list(PLAYED)
    assert not sheets["closed"].any()
    return sheets


# --------------------------------------------------------------------------- one case a rule


@dataclass(frozen=True)
class Case:
    """A broken row.

    Attributes
    ----------
    rule, table, place
        The rule that it breaks, and where: pulka and deal.
    cells
        What stands there instead.
    also
        Rules which cannot but be broken too.
    value
        What the failure shows, if not just the cells.
    said
        Where the failure says that it is, if not in its place.
    """

    rule: str
    table: str
    place: tuple[int, int]
    cells: Record
    also: frozenset[str] = frozenset()
    value: frozenset[str] | None = None
    said: tuple[int | None, int | None] | None = None

    def __str__(self) -> str:
        cells = ",".join(f"{name}={cell}" for name, cell in self.cells.items())
        return f"{self.table}-{self.rule}-{self.place[1]}-{cells}"

    @property
    def shown(self) -> frozenset[str]:
        """What the failure must show at least."""
        cells = {name: str(cell).lower() if isinstance(cell, bool) else cell for name, cell in self.cells.items()}
        mine = frozenset(f"{name}={cell}" for name, cell in cells.items() if cell is not None)
        return mine if self.value is None else self.value


def of_deal(number: int, rule: str, cells: Record, *also: str, value: str = "", pulka: int = 20, **more: Any) -> Case:
    shown = frozenset(value.split(", ")) if value else None
    return Case(rule, "deals", (pulka, number), cells, frozenset(also), shown, **more)


def of_adjustment(place: tuple[int, int], rule: str, cells: Record, *also: str, **more: Any) -> Case:
    return Case(rule, "adjustments", place, cells, frozenset(also), **more)


UNPLAYED = dict.fromkeys(("tricks_a", "tricks_b", "tricks_c"))
LAST: Any = {"pulka": 30, "said": (None, 2)}
HOMELESS = (None, 1)

CASES: list[Case] = [
    # deals: what is said of the row together
    of_deal(3, "declarer_of_game", {"declarer": "a"}, value="declarer=a, contract=all_pass"),
    of_deal(7, "declarer_of_game", {"declarer": None, "contra": 0, "contra_by": None}, value="contract=bettel"),
    of_deal(3, "hand_of_game", {"hand": True}, value="hand=true, contract=all_pass"),
    of_deal(2, "calls_of_balkan_defenders", {"call_a": None}, value="call_b=pass, declarer=c, contract=clubs"),
    of_deal(1, "calls_of_balkan_defenders", {"call_c": None}, value="call_a=come, declarer=b"),
    of_deal(2, "calls_of_balkan_defenders", {"call_c": "pass"}, value="call_c=pass, declarer=c"),
    of_deal(3, "calls_of_balkan_defenders", {"call_a": "pass"}, value="call_a=pass, contract=all_pass"),
    of_deal(4, "calls_of_balkan_defenders", {"call_b": "pass"}, value="call_b=pass, contract=bettel"),
    of_deal(5, "invitations_fit", {"call_c": "come"}, value="call_b=invite, call_c=come"),
    of_deal(5, "invitations_fit", {"call_b": "come"}, value="call_b=come, call_c=invited"),
    of_deal(1, "invitations_fit", {"call_a": "invite", "call_c": "invite"}),
    of_deal(1, "invitations_fit", {"call_a": "invited", "call_c": "invited"}, "balkan_tricks_where_played"),
    of_deal(1, "invitations_fit", {"call_a": "invited", "call_c": "invited"} | UNPLAYED),
    of_deal(6, "invitations_fit", {"call_a": "invited", "tricks_a": 0}, value="call_a=invited, call_c=come"),
    of_deal(1, "contra_has_sayer", {"contra": 1}),
    of_deal(1, "contra_has_sayer", {"contra_by": "c"}, value="contra=0, contra_by=c"),
    of_deal(1, "contra_by_defender", {"contra": 1, "contra_by": "b"}, value="contra_by=b, declarer=b"),
    of_deal(6, "contra_by_defender", {"contra": 1, "contra_by": "a"}, value="contra_by=a, call_a=pass"),
    of_deal(2, "contra_by_defender", {"contra": 1, "contra_by": "b"}, value="contra_by=b, call_b=pass"),
    of_deal(3, "contra_by_defender", {"contra": 1, "contra_by": "a"}, value="contra_by=a"),
    of_deal(2, "balkan_tricks_where_played", {"tricks_a": 0, "tricks_b": 0, "tricks_c": 10}),
    of_deal(3, "balkan_tricks_where_played", {"tricks_a": 4, "tricks_b": 3, "tricks_c": 3}),
    of_deal(1, "balkan_tricks_where_played", {"tricks_a": None, "tricks_b": 8}),
    of_deal(5, "balkan_tricks_where_played", {"tricks_c": None, "tricks_b": 5}, value="tricks_b=5, call_c=invited"),
    of_deal(6, "balkan_tricks_where_played", {"tricks_a": 1, "tricks_c": 3}, value="tricks_a=1, call_a=pass"),
    of_deal(4, "balkan_tricks_where_played", {"tricks_a": None, "tricks_b": 5, "tricks_c": 5}),
    of_deal(6, "balkan_tricks_where_played", dict(UNPLAYED), value="call_c=come, contract=hearts"),
    of_deal(1, "tricks_add_up", {"tricks_a": 3}, value="tricks_a=3, tricks_b=6, tricks_c=2"),
    of_deal(6, "tricks_add_up", {"tricks_b": 5}, value="tricks_b=5, tricks_c=4"),
    of_deal(4, "tricks_add_up", {"tricks_b": 3}, value="tricks_a=0, tricks_b=3, contract=bettel"),
    of_deal(7, "tricks_add_up", {"tricks_c": 4}),
    # deals: columns
    of_deal(2, "pulka|nullability", {"pulka": None}, **LAST),
    of_deal(2, "pulka|dtype", {"pulka": 2**63}, **LAST),
    of_deal(2, "deal|nullability", {"deal": None}, pulka=30, said=(30, None)),
    of_deal(1, "deal|min", {"deal": 0}, "deals_without_gaps", pulka=30, said=(30, 0)),
    *(of_deal(2, "deal|dtype", {"deal": number}, pulka=30, said=(30, None)) for number in (-1, 65_536)),
    of_deal(3, "players|nullability", {"players": None}),
    of_deal(3, "players|min", {"players": 2}, "players_agree"),
    *(of_deal(3, "players|max", {"players": number}, "players_agree") for number in (4, 7, 8, 11, 255)),
    *(of_deal(3, "players|dtype", {"players": number}) for number in (-3, 259)),
    of_deal(3, "dealer|nullability", {"dealer": None}),
    *(of_deal(3, "dealer|dtype", {"dealer": name}) for name in ("d", "A", "")),
    of_deal(3, "contract|nullability", {"contract": None}),
    *(of_deal(3, "contract|dtype", {"contract": name}) for name in ("6", "misere", "raspasy", "Spades")),
    of_deal(3, "declarer|dtype", {"declarer": "d"}),
    of_deal(3, "hand|nullability", {"hand": None}),
    of_deal(5, "hand|nullability", {"hand": None}),
    *(of_deal(3, f"call_{seat}|dtype", {f"call_{seat}": word}) for seat in SEATS for word in ("whist", "half")),
    of_deal(3, "contra|nullability", {"contra": None}),
    *(of_deal(5, "contra|max", {"contra": number}) for number in (6, 15, 16, 18, 255)),
    *(of_deal(3, "contra|dtype", {"contra": number}) for number in (-1, 256)),
    of_deal(3, "contra_by|dtype", {"contra_by": "d"}),
    *(
        of_deal(7, f"tricks_{seat}|max", {f"tricks_{seat}": number}, "tricks_add_up")
        for seat in SEATS
        for number in (11, 15, 16, 20, 255)
    ),
    *(of_deal(3, f"tricks_{seat}|dtype", {f"tricks_{seat}": number}) for seat in SEATS for number in (-1, 256)),
    # adjustments
    of_adjustment((20, 2), "juha_on_seat", {"on_seat": None}, value=frozenset({"entry=juha", "seat=b"})),
    of_adjustment((20, 2), "juha_on_seat", {"on_seat": "b"}, value=frozenset({"entry=juha", "seat=b", "on_seat=b"})),
    of_adjustment((20, 0), "juha_on_seat", {"on_seat": "b"}, value=frozenset({"entry=contract", "on_seat=b"})),
    of_adjustment((30, 1), "pulka|nullability", {"pulka": None}, "adjustment_of_known_pulka", said=HOMELESS),
    of_adjustment((30, 1), "pulka|dtype", {"pulka": 2**63}, "adjustment_of_known_pulka", said=HOMELESS),
    of_adjustment((20, 2), "deal|nullability", {"deal": None}, said=(20, None)),
    of_adjustment((20, 2), "deal|dtype", {"deal": -1}, said=(20, None)),
    of_adjustment((20, 0), "seat|nullability", {"seat": None}),
    of_adjustment((20, 0), "seat|dtype", {"seat": "d"}),
    of_adjustment((20, 0), "entry|nullability", {"entry": None}),
    *(of_adjustment((20, 0), "entry|dtype", {"entry": word}) for word in ("bullet", "mountain", "Contract")),
    of_adjustment((20, 2), "entry|dtype", {"entry": "whists"}),
    of_adjustment((20, 2), "on_seat|dtype", {"on_seat": "d"}),
    of_adjustment((20, 0), "points|nullability", {"points": None}),
    of_adjustment((20, 0), "points|dtype", {"points": 2**31}),
]

NEVER_BROKEN = {("deals", "hand|dtype"), ("adjustments", "reason|dtype")}
"""Rules of columns which no row can break: no type that is taken for these has values that they cannot hold."""

SENTENCES = {
    "declarer_of_game": "a game has a declarer, all_pass has none",
    "hand_of_game": "only a game is played without the talon",
    "calls_of_balkan_defenders": "defenders have a call, but for bettel, and nobody else has",
    "invitations_fit": "whoever is invited is so by the other defender, who invites",
    "contra_has_sayer": "contra has a sayer, and only contra has",
    "contra_by_defender": "contra is said by a defender who did not pass",
    "balkan_tricks_where_played": "whoever took part has tricks where something was played; who passed takes none; in "
    "bettel those of the defenders may be left out",
    "tricks_add_up": "the tricks of a played deal add up to ten",
    "juha_on_seat": "a juha is written on another seat, a contract entry on nobody",
    "deal|min": "deal is at least 1",
    "players|min": "players is at least 3",
    "players|max": "players is at most 3",
    "contra|max": "contra is at most 5",
    "contract|dtype": "contract is one of spades, diamonds, hearts, clubs, bettel, sans, all_pass",
    "entry|dtype": "entry is one of contract, juha",
    "pulka|dtype": "pulka is a value that Int64 can hold",
    "points|dtype": "points is a value that Int32 can hold",
}


def sentence(rule: str) -> str:
    """Say what must hold."""
    column, _, check = rule.partition("|")
    words = {
        "seat": "a, b, c",
        "dealer": "a, b, c",
        "declarer": "a, b, c",
        "contra": "",
        "on": "a, b, c",
        "call": "pass, come, invite, invited",
    }
    sentences = {"nullability": f"{column} is not empty", "max": f"{column} is at most 10"}
    if rule in SENTENCES or check in sentences:
        return SENTENCES.get(rule) or sentences[check]
    of_column = "a, b, c" if column == "contra_by" else words.get(column.split("_")[0], "")
    kind = "UInt16" if column == "deal" else "UInt8"
    return f"{column} is one of {of_column}" if of_column else f"{column} is a value that {kind} can hold"


def test_every_rule_has_a_case() -> None:
    covered = {(case.table, case.rule) for case in CASES}
    rules = {
        (name, rule) for name in ("deals", "adjustments") for rule in SCHEMAS[name]._validation_rules(with_cast=True)
    }
    assert rules - covered == NEVER_BROKEN
    assert covered <= rules
    assert {case.rule for case in CASES if "|" not in case.rule} <= set(RULES)


@dataclass(frozen=True)
class Broken:
    """An archive of the good pulkas and, for every case, of its pulka with the broken row, under a key of its own."""

    failures: pl.DataFrame
    aside: set[int]
    rows: dict[str, tuple[int, int]]


@pytest.fixture(scope="module")
def broken(good_sheets: pl.DataFrame) -> dict[bool, Broken]:
    """Score all cases at once: those which the columns' types can hold, and those which need wider ones (True)."""
    return {wide: score_broken([one for one in CASES if is_wide(one) == wide], good_sheets) for wide in (False, True)}


def is_wide(case: Case) -> bool:
    return case.rule.endswith("|dtype")


def score_broken(cases: list[Case], good_sheets: pl.DataFrame) -> Broken:
    """Check and score an archive of broken rows; what else is in it must be scored as if they were not there."""
    tables, places = good_tables(), {}
    for key, case in enumerate(cases, start=100):
        for name, rows in good_tables().items():
            for row in rows:
                if row["pulka"] == case.place[0]:
                    is_it = name == case.table and row["deal"] == case.place[1]
                    if is_it:
                        places[str(case)] = (key, len(tables[name]))
                    tables[name].append(row | {"pulka": key} | (case.cells if is_it else {}))
    assert len(places) == len(cases)
    archive = archive_of_tables(tables)
    good, failures = archive.check()
    with pytest.warns(pref.SetAsideWarning, match="set aside"):
        sheets = pref.sheets(archive, "balkan")
    assert_frame_equal(pref.sheets(good, "balkan"), sheets)
    assert_frame_equal(sheets.head(len(PLAYED)), good_sheets)
    assert set(sheets["pulka"]).isdisjoint(failures.pulkas)
    return Broken(failures.frame, set(failures.pulkas), places)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_broken_row_sets_its_pulka_aside(case: Case, broken: dict[bool, Broken]) -> None:
    found = broken[is_wide(case)]
    key, number = found.rows[str(case)]
    pulka, deal = (key, case.place[1]) if case.said is None else (case.said[0] and key, case.said[1])
    is_it = (pl.col("table") == case.table) & (pl.col("row") == number)
    said = found.failures.row(by_predicate=is_it & (pl.col("rule") == case.rule), named=True)
    assert (said["pulka"], said["deal"], said["file"]) == (pulka, deal, case.table)
    assert case.shown <= set(said["value"].split(", ")), said["value"]
    assert said["reason"] == sentence(case.rule)
    every = found.failures.filter(is_it | (pl.col("pulka") == key))
    assert set(every["rule"]) == {case.rule} | case.also
    assert (key in found.aside) == (pulka is not None)


@pytest.mark.parametrize(
    ("number", "cells"),
    [(5, {"hand": None}), (5, {"contra": 16}), (7, {"tricks_a": 255}), (3, {"players": 8})],
    ids=str,
)
def test_one_broken_row_is_not_scored(number: int, cells: Record, good_sheets: pl.DataFrame) -> None:
    """Nothing else is broken, so that it is not for another row that the part is looked at."""
    tables = good_tables()
    next(row for row in tables["deals"] if (row["pulka"], row["deal"]) == (20, number)).update(cells)
    with pytest.warns(pref.SetAsideWarning, match="set aside: 1 pulka with 7 deals"):
        sheets = pref.sheets(archive_of_tables(tables), "balkan")
    assert_frame_equal(sheets, good_sheets.filter(pl.col("pulka") != 20))


def test_a_pulka_of_four_is_set_aside(good_sheets: pl.DataFrame) -> None:
    for cells, rule in (({"players": 4}, "players_agree"), ({"player_d": "Olga"}, "players_at_table")):
        tables = good_tables()
        tables["pulkas"][1] |= cells
        broken = archive_of_tables(tables)
        assert set(broken.check().failures.frame.select("rule", "pulka").rows()) == {(rule, 20)}
        with pytest.warns(pref.SetAsideWarning, match=rule):
            assert_frame_equal(pref.sheets(broken, "balkan"), good_sheets.filter(pl.col("pulka") != 20))


# --------------------------------------------------------------------------- which deals are legal


def is_legal(row: Record) -> bool:
    """Tell whether a deal keeps its table, pulka and number left aside; in plain words, apart from the expressions."""
    if row["players"] != 3 or row["dealer"] not in SEATS or row["contra"] not in range(6) or row["hand"] is None:
        return False
    if row["contract"] == "all_pass":
        return row == balkan_strategies.empty_deal(row["dealer"], "all_pass")
    if row["contract"] not in RANKS or row["declarer"] not in SEATS:
        return False
    defence = balkan_strategies.seats_after(row["declarer"])
    calls = {seat: row[f"call_{seat}"] for seat in SEATS}
    tricks = {seat: row[f"tricks_{seat}"] for seat in SEATS}
    if any(number not in (None, *range(11)) for number in tricks.values()):
        return False
    sayers = [seat for seat in defence if calls[seat] != "pass"]
    if row["contra_by"] not in (sayers if row["contra"] else [None]):
        return False
    if row["contract"] == "bettel":
        recorded = [number for number in tricks.values() if number is not None]
        complete = len(recorded) == 1 or sum(recorded) == 10
        return not any(calls.values()) and tricks[row["declarer"]] is not None and complete
    return calls[row["declarer"]] is None and _is_legal_game([calls[seat] for seat in defence], defence, tricks)


def _is_legal_game(calls: list[str | None], defence: list[str], tricks: Record) -> bool:
    """Judge the calls of the defence, and the tricks, of a game other than bettel."""
    if calls == ["pass", "pass"]:
        return all(number is None for number in tricks.values())
    free = all(call in ("pass", "come") for call in calls)
    if not free and sorted(map(str, calls)) != ["invite", "invited"]:
        return False
    for seat, call in zip(defence, calls, strict=True):
        if (call == "pass" and tricks[seat]) or (call != "pass" and tricks[seat] is None):
            return False
    declarer = next(seat for seat in SEATS if seat not in defence)
    return tricks[declarer] is not None and sum(number or 0 for number in tricks.values()) == 10


def every_deal(dealer: str) -> Iterator[Record]:
    """Make every legal deal of a dealer."""
    yield balkan_strategies.empty_deal(dealer, "all_pass")
    for declarer, hand in product(SEATS, (False, True)):
        first, second = balkan_strategies.seats_after(declarer)
        base = balkan_strategies.empty_deal(dealer, "") | {"declarer": declarer, "hand": hand}
        names = [f"tricks_{seat}" for seat in (declarer, first, second)]
        shares = [(10 - x - y, x, y) for x in range(11) for y in range(11 - x)]
        half = [(10 - x, x, None) for x in range(11)]
        bettel: list[Any] = [*shares, *half, *((x, z, y) for x, y, z in half), *((x, None, None) for x in range(11))]
        for taken, contra in product(bettel, contras(first, second)):
            yield base | {"contract": "bettel"} | dict(zip(names, taken, strict=True)) | contra
        alone: list[Any] = [(10 - x, x, passed) for x in range(11) for passed in (None, 0)]
        games: list[tuple[tuple[str, str], list[Any], list[str]]] = [
            (("come", "come"), shares, [first, second]),
            (("invite", "invited"), shares, [first, second]),
            (("invited", "invite"), shares, [first, second]),
            (("come", "pass"), alone, [first]),
            (("pass", "come"), [(x, z, y) for x, y, z in alone], [second]),
            (("pass", "pass"), [(None, None, None)], []),
        ]
        for calls, tricks, sayers in games:
            said = base | {f"call_{first}": calls[0], f"call_{second}": calls[1]}
            for taken, contra in product(tricks, contras(*sayers)):
                played = said | dict(zip(names, taken, strict=True)) | contra
                yield from (played | {"contract": name} for name in RANKS if name != "bettel")


def contras(*sayers: str) -> list[Record]:
    said = [{"contra": number, "contra_by": seat} for number in range(1, 6) for seat in sayers]
    return [{"contra": 0, "contra_by": None}, *said]


@pytest.fixture(scope="module")
def legal() -> list[Record]:
    """Every legal deal that a deals."""
    return list(every_deal("a"))


KEYED = {name: column.dtype for name, column in Deals.columns().items() if name not in ("pulka", "deal")}


def keyed_frame(rows: list[Record]) -> pl.DataFrame:
    return pl.DataFrame({name: pl.Series([row[name] for row in rows], dtype=kind) for name, kind in KEYED.items()})


def test_the_key_of_every_legal_deal_is_its_own(legal: list[Record]) -> None:
    assert set(LAYOUT.columns) == set(KEYED)
    assert all(map(is_legal, legal))
    of_a = keyed_frame(legal)
    every = pl.concat([of_a.with_columns(dealer=pl.lit(seat, dtype=SEAT)) for seat in SEATS])
    assert every.select(is_legal_deal(Deals).all()).item()
    keys = every.select(key=LAYOUT.pack())["key"]
    assert keys.n_unique() == every.height == 239_475
    assert_frame_equal(LAYOUT.unpack(keys), every, check_column_order=False)


CELLS: dict[str, list[Any]] = {
    "players": [3, 2, 4, 7, 8, 11, 255, None],
    "dealer": [*SEATS, None],
    "contract": [*CONTRACT.categories, None],
    "declarer": [*SEATS, None],
    "hand": [False, True, None],
    **{f"call_{seat}": [*CALL.categories, None] for seat in SEATS},
    "contra": [*range(7), 15, 16, 17, 32, 255, None],
    "contra_by": [*SEATS, None],
    **{f"tricks_{seat}": [*range(12), 14, 15, 16, 20, 128, 255, None] for seat in SEATS},
}
"""What the columns' types can hold, or enough of it."""


def nearly_legal(rng: random.Random, legal: list[Record], count: int) -> list[Record]:
    """Change a few cells of legal deals, to what stands in another one or to anything."""
    rows = []
    for _ in range(count):
        row, other = dict(rng.choice(legal)), rng.choice(legal)
        for name in rng.sample(list(CELLS), rng.choice((1, 1, 1, 2, 2, 3))):
            row[name] = other[name] if rng.random() < 0.5 else rng.choice(CELLS[name])
        rows.append(row)
    return rows


def test_the_judge_and_the_rules_agree_on_nearly_legal_deals(legal: list[Record]) -> None:
    rng = random.Random("nearly legal")
    passed = [balkan_strategies.empty_deal(seat, "all_pass") for seat in SEATS] * (len(legal) // 30)
    rows = nearly_legal(rng, legal + passed, 20_000)
    frame = keyed_frame(rows)
    judged = pl.Series(map(is_legal, rows))
    assert 4_000 < judged.sum() < 12_000
    assert_frame_equal(frame.select(ok=is_legal_deal(Deals)), judged.to_frame("ok"))

    unpacked = LAYOUT.unpack(frame.select(key=LAYOUT.pack())["key"]).select(frame.columns)
    assert_frame_equal(unpacked.select(ok=is_legal_deal(Deals)), judged.to_frame("ok"))
    assert_frame_equal(unpacked.filter(judged), frame.filter(judged))

    keys = pl.Series(range(1, len(rows) + 1))
    one = pl.lit(1, dtype=pl.UInt16)
    limits = {"bullet_limit": pl.lit(50, dtype=pl.UInt16), "convention": pl.lit("balkan")}
    pulkas = pl.DataFrame({"pulka": keys}).with_columns(players=pl.lit(3, dtype=pl.UInt8), **limits)
    archive = pref.archive(pulkas, frame.select(pulka=keys, deal=one).hstack(frame))
    assert_frame_equal(archive.check().failures.pulkas.to_frame(), keys.filter(~judged).to_frame("pulka"))
    with pytest.warns(pref.SetAsideWarning, match=f"set aside: {(~judged).sum()} pulkas with {(~judged).sum()} deals"):
        sheets = pref.sheets(archive, "balkan")
    assert_frame_equal(sheets.select("pulka"), keys.filter(judged).to_frame("pulka"))


# --------------------------------------------------------------------------- frames and files

LIMITS = (30, 50)


@pytest.fixture(scope="module")
def club() -> Archive:
    """An archive in memory of named players, with pulkas that end and go on, refes, cuts and adjustments."""
    rng = random.Random("club")
    drawn = balkan_archive([balkan_strategies.random_pulka(rng, rng.choice(LIMITS)) for _ in range(24)])
    names = [pl.lit(name).alias(f"player_{seat}") for seat, name in zip(SEATS, ("Ana", "Bojan", "Cene"), strict=True)]
    archive = pref.archive(drawn.pulkas.with_columns(*names, stake=pl.lit(0.5)), drawn.deals, drawn.adjustments)
    ledger = pref.ledger(archive, "balkan")
    assert ledger.select(pl.col("scored", "doubled", "cut").any()).row(0) == (True, True, True)
    assert pref.sheets(archive, "balkan")["closed"].mean() not in (0, 1)
    assert archive.adjustments.collect()["entry"].n_unique() == 2
    assert pref.unapplied_adjustments(archive, ledger).height
    return archive


@pytest.fixture(scope="module")
def club_sheets(club: Archive) -> pl.DataFrame:
    """Its sheets."""
    return sheets_of(club)


@pytest.fixture(scope="module")
def folder(club: Archive, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder, in several parts; not to be changed."""
    place = tmp_path_factory.mktemp("balkan") / "club"
    pref.write_archive(club, place, deals_per_part=150)
    return place


def sheets_of(archive: Archive, convention: str | pref.Convention = "balkan") -> pl.DataFrame:
    sheets: pl.DataFrame = pref.sheets(archive, convention)
    return sheets


def frames_of(archive: Archive) -> dict[str, pl.DataFrame]:
    return {name: getattr(archive, name).collect() for name in SCHEMAS}


def written_by_others(frames: dict[str, pl.DataFrame], folder: Path, name: str = "part-00000.parquet") -> Path:
    """Write tables as a folder without a manifest."""
    for table, frame in frames.items():
        (folder / table).mkdir(parents=True, exist_ok=True)
        frame.write_parquet(folder / table / name)
    return folder


def listing(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def read_parts(folder: Path) -> pl.DataFrame:
    return pl.concat([pl.read_parquet(file) for file in sorted(folder.glob("*.parquet"))])


ENUMS, WHOLE = pl.selectors.enum(), pl.selectors.integer()
FORMS: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "strings": lambda frame: frame.with_columns(ENUMS.cast(pl.String)),
    "categories": lambda frame: frame.with_columns(ENUMS.cast(pl.String).cast(pl.Categorical)),
    "wide integers": lambda frame: frame.with_columns(WHOLE.cast(pl.Int64)),
    "narrow integers": lambda frame: frame.with_columns(WHOLE.cast(pl.Int16)),
    "unsorted, with more columns": lambda frame: frame.sample(fraction=1, shuffle=True, seed=3).with_columns(
        *(pl.lit(7).alias(name) for name in ("row", "key", "previous", "outcome", "conceded", "call_d"))
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_any_form_of_the_tables_gives_the_same_sheets(
    club: Archive, club_sheets: pl.DataFrame, tmp_path: Path, form: str
) -> None:
    frames = {name: FORMS[form](frame) for name, frame in frames_of(club).items()}
    assert_frame_equal(sheets_of(pref.archive(*frames.values())), club_sheets)
    opened = pref.open_archive(written_by_others(frames, tmp_path / "club"))
    assert opened.game is GAMES["balkan"]
    assert_frame_equal(sheets_of(opened), club_sheets)


def test_tables_go_through_csv(club: Archive, club_sheets: pl.DataFrame) -> None:
    texts = {
        name: frame.drop("played_on", strict=False).write_csv().encode() for name, frame in frames_of(club).items()
    }
    frames = {name: pl.read_csv(text, infer_schema_length=None) for name, text in texts.items()}
    assert frames["deals"]["contract"].dtype == pl.String
    assert_frame_equal(sheets_of(pref.archive(*frames.values())), club_sheets)


def test_without_contras_nobody_need_be_named(club: Archive) -> None:
    frames = frames_of(club)
    plain = frames["deals"].with_columns(contra=pl.lit(0, dtype=pl.UInt8), contra_by=pl.lit(None, dtype=SEAT))
    short = pref.archive(frames["pulkas"], plain.drop("contra_by"), frames["adjustments"].drop("reason"))
    assert_frame_equal(short.deals.collect(), plain)
    assert_frame_equal(sheets_of(short), sheets_of(pref.archive(frames["pulkas"], plain, frames["adjustments"])))
    some = pref.archive(frames["pulkas"], frames["deals"].drop("contra_by"))
    assert some.check().failures.counts() == {"contra_has_sayer": (frames["deals"]["contra"] > 0).sum()}


@pytest.mark.parametrize("column", [name for name in Deals.column_names() if name != "contra_by"])
def test_a_missing_column_is_named(club: Archive, column: str) -> None:
    frames = frames_of(club)
    with pytest.raises(TableError) as caught:
        pref.archive(frames["pulkas"], frames["deals"].drop(column))
    assert caught.value.what == f"deals lacks the column {column}"
    assert caught.value.hint == f"The deals table has the columns {', '.join(Deals.column_names())}."


@pytest.mark.parametrize(("column", "value"), [("hand", 0), ("hand", "yes"), ("contra", True), ("call_a", 1)])
def test_a_column_of_an_impossible_type_is_named(club: Archive, column: str, value: Any) -> None:
    frames = frames_of(club)
    with pytest.raises(TableError, match=f"deals: column {column} is .*, not "):
        pref.archive(frames["pulkas"], frames["deals"].with_columns(pl.lit(value).alias(column)))


def test_memory_files_and_streams_give_the_same(club: Archive, club_sheets: pl.DataFrame, folder: Path) -> None:
    opened = pref.open_archive(folder)
    lazy = pref.archive(club.pulkas, club.deals, club.adjustments)
    assert len(opened.parts) > 2
    for archive in (opened, lazy, pref.concat(list(opened))):
        assert_frame_equal(sheets_of(archive), club_sheets)
        for score in (pref.ledger, pref.values):
            assert_frame_equal(score(archive, "slovene"), score(club, "slovene"))
    for name in ("balkan", "slovene"):
        eager = pref.entries(club.deals.collect(), name)
        entries = pref.entries(opened.deals, name)
        assert_frame_equal(entries.collect(), eager)
        assert_frame_equal(entries.collect(engine="streaming"), eager)


# --------------------------------------------------------------------------- write, append, put together


def test_a_written_archive_is_the_same(club: Archive, folder: Path) -> None:
    manifest = json.loads((folder / "archive.json").read_text(encoding="utf-8"))["parts"]
    names = [f"part-{number:05d}.parquet" for number in range(len(manifest))]
    assert list(manifest) == names
    assert len(names) > 2
    files = {f"{table}/{name}" for name in names for table in manifest[name]}
    assert set(listing(folder)) == {"archive.json", *files}
    assert {"pulkas", "deals"} <= set(manifest[names[0]]) <= set(SCHEMAS)
    for table, frame in frames_of(club).items():
        assert_frame_equal(read_parts(folder / table), frame.sort("pulka", *(["deal"] * ("deal" in frame.columns))))
        assert frame.height == sum(part[table]["rows"] for part in manifest.values() if table in part)
    assert pref.open_archive(folder).stale_codes() == 0


def test_pulkas_are_appended(club: Archive, club_sheets: pl.DataFrame, tmp_path: Path) -> None:
    place = tmp_path / "club"
    pref.write_archive(club.only(pl.col("pulka") <= 15), place, deals_per_part=150)
    old = listing(place)
    both = pref.append(place, club.only(pl.col("pulka") > 15))
    assert len(listing(place)) == len(old) + 3
    assert_frame_equal(sheets_of(both), club_sheets)
    with pytest.raises(ArchiveError, match=r"has pulka 3 already \(1 such keys\)"):
        pref.append(place, club.only(pulka=3))


@pytest.fixture(scope="module")
def russian() -> Archive:
    """A few pulkas of the Russian game."""
    rng = random.Random("russian")
    return archive_of([{**strategies.random_pulka(rng), "adjustments": []} for _ in range(5)])


def test_games_are_not_mixed(club: Archive, folder: Path, russian: Archive, tmp_path: Path) -> None:
    mixes = "mixes deals of the Balkan and the Russian game"
    for order in ((club, russian), (russian, club)):
        with pytest.raises(ArchiveError, match=f"^the archive {mixes}\nKeep the deals of each game"):
            pref.concat(order)
    place = tmp_path / "russian"
    pref.write_archive(russian, place)
    for target, more, words in ((place, club, ("Russian", "Balkan")), (folder, russian, ("Balkan", "Russian"))):
        before = listing(target)
        told = f"{target} holds deals of the {words[0]} game, the new ones are of the {words[1]} game"
        with pytest.raises(ArchiveError, match=f"{told}\nWrite them to an archive of their own"):
            pref.append(target, more)
        assert listing(target) == before


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("texts", [True, False])
def test_games_are_not_mixed_in_one_folder(
    club: Archive, russian: Archive, tmp_path: Path, capsys: Capture, paired: bool, texts: bool
) -> None:
    for name, archive in (("b.parquet", club), ("a.parquet", russian)):
        frames = frames_of(archive)
        written = {table: FORMS["strings"](frames[table]) if texts else frames[table] for table in ("pulkas", "deals")}
        written_by_others(written, tmp_path, name)
    if not paired:
        (tmp_path / "pulkas" / "a.parquet").rename(tmp_path / "pulkas" / "c.parquet")
    code, out, err = typed(capsys, "check", tmp_path)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {tmp_path} mixes deals of the Balkan and the Russian game\n")


def test_files_that_do_not_pair_up_are_one_part(club: Archive, club_sheets: pl.DataFrame, tmp_path: Path) -> None:
    """Also where a column is an Enum of other words in another file."""
    frames = frames_of(club)
    deals = frames["deals"]
    written_by_others({"pulkas": frames["pulkas"], "adjustments": frames["adjustments"]}, tmp_path)
    written_by_others({"deals": deals[:99]}, tmp_path, "1.parquet")
    other = pl.col("dealer").cast(pl.String).cast(pl.Enum(["c", "b", "a"]))
    written_by_others({"deals": deals[99:].with_columns(other)}, tmp_path, "2.parquet")
    archive = pref.open_archive(tmp_path)
    assert len(archive.parts) == 1
    assert_frame_equal(sheets_of(archive), club_sheets)


def test_an_archive_without_rows_gives_empty_frames(club: Archive, tmp_path: Path, capsys: Capture) -> None:
    empty = pref.archive(Pulkas.create_empty(), Deals.create_empty(), Adjustments.create_empty())
    written = pref.write_archive(empty, tmp_path / "none")
    game = GAMES["balkan"]
    for archive in (empty, written):
        assert archive.game is game
        assert sheets_of(archive).schema == pl.Schema(game.sheet_schema)
        assert pref.ledger(archive, "balkan").schema == pl.Schema(game.ledger_schema)
        running = pref.ledger(archive, "balkan", running_columns=True)
        assert running.schema == pref.ledger(club, "balkan", running_columns=True).schema
        assert pref.values(archive, "balkan").schema == pl.Schema(VALUE_SCHEMA)
        assert pref.settle(sheets_of(archive), "balkan").schema == pl.Schema(SETTLEMENT_SCHEMA)
        assert pref.entries(archive.deals, "balkan").collect().columns == ["pulka", "deal", *entry_columns()]
        assert len(archive.check().failures) == 0
    assert typed(capsys, "check", tmp_path / "none")[0] == 0
    words = ("rescore", tmp_path / "none", "-c", "balkan", "--ledger", "--out", tmp_path / "out")
    code, out, _ = typed(capsys, *words)
    assert code == 0
    assert "0 pulkas with 0 deals read" in out
    assert pl.read_parquet(tmp_path / "out/balkan/ledger/part-00000.parquet").schema == pl.Schema(game.ledger_schema)
    assert typed(capsys, "rescore", tmp_path / "none", "-c", "sochi", "--out", tmp_path / "no")[0] == 2


# --------------------------------------------------------------------------- rescore


def counts_of(folder: Path) -> dict[str, Record]:
    """Read the counts of a rescoring, which must add up."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    read = manifest["read"]
    for counts in manifest["conventions"].values():
        assert read["pulkas"] == counts["pulkas_scored"] + counts["pulkas_set_aside"]
        assert read["deals"] == counts["deals_scored"] + counts["deals_after_end"] + counts["deals_set_aside"]
        assert counts["sum_of_results_twelfths"] == 0
    conventions: dict[str, Record] = manifest["conventions"]
    return conventions


def test_rescore_writes_what_scoring_gives(club: Archive, folder: Path, tmp_path: Path, capsys: Capture) -> None:
    target = tmp_path / "out"
    code, out, err = typed(
        capsys, "rescore", folder, "-c", "balkan", "-c", "slovene", "--ledger", "--rounding", "exact", "--out", target
    )
    late = "1 adjustment after the end of their pulka"
    assert (code, err) == (0, f"not applied under balkan: {late}\nnot applied under slovene: {late}\n")
    parts = [file.name for file in sorted((folder / "deals").iterdir())]
    kinds = [f"{name}/{kind}" for name in ("balkan", "slovene") for kind in ("ledger", "settlements", "sheets")]
    places = [f"{place}/{part}" for place in (*kinds, "set-aside") for part in parts]
    assert listing(target) == sorted(["manifest.json", *places])
    counts = counts_of(target)
    for name in ("balkan", "slovene"):
        sheets = sheets_of(club, name)
        assert_frame_equal(read_parts(target / name / "sheets"), sheets)
        assert_frame_equal(read_parts(target / name / "ledger"), pref.ledger(club, name))
        settled = pref.settle(sheets, name, rounding="exact", pulkas=club.pulkas)
        assert_frame_equal(read_parts(target / name / "settlements"), settled)
        assert counts[name]["deals_after_end"] == sheets["deals_after_end"].sum() > 0
        assert counts[name]["pulkas_open"] == (~sheets["closed"]).sum()
        best = settled.sort("result", descending=True).row(0, named=True)
        assert counts[name]["largest_win"]["player"] == best["player"]
        assert re.search(rf"^{name} +24 +{sheets['deals_scored'].sum()} .* ok *$", out, re.MULTILINE)


def test_pulkas_are_scored_as_they_were_played(club: Archive, tmp_path: Path, capsys: Capture) -> None:
    """Unknown conventions, and those of the other game, set their pulkas aside."""
    names = ["balkan", "slovene", "house", "sochi", "Balkan"]
    played = club.pulkas.with_columns(convention=pl.int_range(pl.len()) % len(names)).with_columns(
        pl.col("convention").replace_strict(dict(enumerate(names)), return_dtype=pl.String)
    )
    archive = pref.archive(played, club.deals, club.adjustments)
    pref.write_archive(archive, tmp_path / "club")
    words: Words = ["rescore", tmp_path / "club", "-c", "played", "--out"]
    assert typed(capsys, *words, tmp_path / "out")[0] == 1
    other = "sochi is a convention of the Russian game, but the archive holds deals of the Balkan game"
    reasons = {
        "house": "unknown convention 'house'",
        "sochi": other,
        "Balkan": "unknown convention 'Balkan'",
    }
    aside = pl.read_parquet(tmp_path / "out/set-aside/*.parquet")
    key = pl.col("pulka")
    for name, reason in reasons.items():
        rows = aside.filter(pl.col("value") == f"convention={name}")
        assert set(rows.select("rule", "reason").rows()) == {("convention_known", reason)}
        assert set(rows["pulka"]) == set(played.filter(convention=name).collect()["pulka"])
    assert aside.height == counts_of(tmp_path / "out")["played"]["pulkas_set_aside"]
    expected = pl.concat(
        [sheets_of(archive.only((key - 1) % len(names) == place), name) for place, name in enumerate(names[:2])]
    )
    with pytest.warns(pref.SetAsideWarning, match="convention_known"):
        assert_frame_equal(sheets_of(archive, "played"), expected.sort("pulka"))
    assert_frame_equal(pl.read_parquet(tmp_path / "out/played/sheets/*.parquet"), expected.sort("pulka"))

    house = tmp_path / "house.toml"
    house.write_text('base = "balkan"\nrefe_max = 0\n')
    assert typed(capsys, *words, tmp_path / "more", "-c", house)[0] == 1
    assert not pl.read_parquet(tmp_path / "more/set-aside/*.parquet")["reason"].str.contains("house").any()
    strict, _, err = typed(capsys, *words, tmp_path / "strict", "--strict")
    assert strict == 2
    assert "the first in pulka 5: unknown convention 'Balkan' (convention=Balkan)" in err
    assert "without --strict everything is set aside" in err
    assert not (tmp_path / "strict").exists()


def test_a_limit_without_refe_max_is_set_aside(club: Archive, tmp_path: Path, capsys: Capture) -> None:
    limit = pl.when(pl.col("pulka") % 3 == 0).then(40).otherwise("bullet_limit").cast(pl.UInt16)
    archive = pref.archive(club.pulkas.with_columns(bullet_limit=limit), club.deals, club.adjustments)
    pref.write_archive(archive, tmp_path / "club")
    (tmp_path / "house.toml").write_text('base = "balkan"\nrefe_max = {30 = 1, 40 = 2, 50 = 3}\n')
    words: Words = [
        "rescore",
        tmp_path / "club",
        "-c",
        "balkan",
        "-c",
        tmp_path / "house.toml",
        "--out",
        tmp_path / "out",
    ]
    code, _, err = typed(capsys, *words, "--ledger")
    assert code == 1
    assert "balkan does not say how many refes a pulka to this limit has; set refe_max" in err
    assert f"all rows set aside, with their reasons: {tmp_path / 'out' / 'set-aside'}\n" in err
    aside = pl.read_parquet(tmp_path / "out/set-aside/*.parquet")
    assert set(aside.select("rule", "value", "reason").rows()) == {
        (
            "pulka_can_be_written",
            "bullet_limit=40",
            "balkan does not say how many refes a pulka to this limit has; set refe_max",
        )
    }
    counts = counts_of(tmp_path / "out")
    assert (counts["balkan"]["pulkas_set_aside"], counts["house"]["pulkas_set_aside"]) == (8, 0)
    scored = pl.read_parquet(tmp_path / "out/balkan/sheets/*.parquet")
    assert_frame_equal(scored, pl.read_parquet(tmp_path / "out/house/sheets/*.parquet").filter(pl.col("pulka") % 3 > 0))
    for score in (pref.sheets, pref.ledger, pref.values):
        with pytest.warns(pref.SetAsideWarning, match=r"set aside: 8 pulkas .*\(pulka_can_be_written\)"):
            assert set(score(archive, "balkan")["pulka"]) == set(scored["pulka"])


def test_broken_deals_are_set_aside_by_the_commands(club: Archive, tmp_path: Path, capsys: Capture) -> None:
    frames = frames_of(club)
    third = (pl.col("pulka") == 3) & (pl.col("deal") == 1)
    frames["deals"] = frames["deals"].with_columns(hand=pl.when(~third).then("hand"))
    place = written_by_others(frames, tmp_path / "club")
    code, out, _ = typed(capsys, "check", place, "--rejects", tmp_path / "rejects.csv")
    assert code == 1
    assert re.search(r"hand\|nullability +1 +3/1 +hand is not empty", out)
    assert pl.read_csv(tmp_path / "rejects.csv").select("rule", "pulka", "deal").rows() == [("hand|nullability", 3, 1)]
    code, _, err = typed(capsys, "rescore", place, "-c", "balkan", "--out", tmp_path / "out")
    assert code == 1
    assert "set-aside" in err
    assert counts_of(tmp_path / "out")["balkan"]["pulkas_set_aside"] == 1
    with pytest.raises(ArchiveError, match="1 broken rule, the first in pulka 3, deal 1: hand is not empty"):
        pref.write_archive(pref.open_archive(place), tmp_path / "again")


# --------------------------------------------------------------------------- the wrong game


def test_commands_refuse_the_wrong_game(folder: Path, russian: Archive, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "house.toml").write_text('base = "balkan"\nscale = 4\n')
    pref.write_archive(russian, tmp_path / "russian")
    before = listing(tmp_path)
    balkan_only = "Choose a convention of the Balkan game"
    out: Words = ["--out", tmp_path / "out"]
    page: Words = ["--out", tmp_path / "page.html"]
    cases: list[tuple[Words, str, str]] = [
        (
            ["rescore", folder, "-c", "sochi", *out],
            f"sochi is a convention of the Russian game, but {folder}",
            balkan_only,
        ),
        (
            ["rescore", folder, "-c", "balkan", "-c", "rostov", *out],
            "rostov is a convention of the Russian",
            balkan_only,
        ),
        (
            ["rescore", tmp_path / "russian", "-c", "balkan", *out],
            "balkan is a convention of the Balkan game, but",
            "Choose a convention of the Russian game",
        ),
        (
            ["rescore", DATA / "club", "-c", "slovene", *out],
            f"but {DATA / 'club'} holds deals of the Russian",
            "Choose",
        ),
        (["rescore", folder, "-c", tmp_path / "house.toml", *out], "scale is no switch of the Balkan game", "refe_max"),
        (["compare", folder, "-c", "balkan", "-c", "slovene", *page], "the Russian game only", "conventions"),
        (
            ["compare", folder, "-c", "sochi", "-c", "rostov"],
            "and the archive holds deals of the Balkan",
            "values, settle and rescore",
        ),
        (["compare", tmp_path / "russian", "-c", "sochi", "-c", "balkan"], "this is about the Russian one", "Choose"),
    ]
    for words, what, hint in cases:
        code, result, err = typed(capsys, *words)
        assert (code, result) == (2, ""), words
        assert what in err, (words, err)
        assert hint in err, (words, err)
    assert listing(tmp_path) == before


NOT_FOR_BALKAN: dict[str, Callable[[Archive, str], object]] = {
    "compare": lambda club, name: pref.compare(club, [name, "rostov" if name == "sochi" else "slovene"]),
    "attribute": lambda club, name: pref.attribute(club, name, "rostov" if name == "sochi" else "slovene"),
    "invariance": lambda club, name: pref.invariance(name, club),
    "head_to_head": head_to_head,
    "player_profiles": player_profiles,
    "player_profiles as played": lambda club, _: player_profiles(club),
    "build_report": lambda club, name: build_report(club, [name, "rostov" if name == "sochi" else "slovene"]),
}
ABOUT_GAMES = (
    r"(balkan|sochi) is a convention of (the Balkan|the Russian|another) |the Russian game only, and the archive holds"
)


@pytest.mark.parametrize("name", ["balkan", "sochi"])
@pytest.mark.parametrize("function", NOT_FOR_BALKAN)
def test_what_is_about_the_russian_game_says_so(club: Archive, function: str, name: str) -> None:
    with pytest.raises(ConventionError, match=ABOUT_GAMES) as caught:
        NOT_FOR_BALKAN[function](club, name)
    assert caught.value.hint


def test_scoring_under_another_game_is_refused(club: Archive, club_sheets: pl.DataFrame, russian: Archive) -> None:
    for archive, name, game in ((club, "sochi", "Balkan"), (russian, "slovene", "Russian")):
        for score in (pref.sheets, pref.ledger, pref.values, pref.adjustment_effects):
            with pytest.raises(ConventionError, match=f"{name} is a convention of .* holds deals of the {game} game"):
                score(archive if score is not pref.adjustment_effects else with_contract(archive), name)
    for deals, name, lacking in ((club.deals, "sochi", "call_d"), (russian.deals, "balkan", "contra, hand")):
        frames: list[Any] = [deals, deals.collect()]
        for frame in frames:
            with pytest.raises(TableError, match=f"the deals lack .*{lacking}"):
                pref.entries(frame, name)
    lacking = "the sheets lack the columns"
    for sheets, name, first in (
        (club_sheets, "sochi", "mountain_a"),
        (sheets_of(russian, "sochi"), "balkan", "contract"),
    ):
        with pytest.raises(TableError, match=f"{lacking} {first}"):
            pref.settle(sheets, name)
    for refused in (study_rounding, lambda sheets: pref.fourth_player_joins(sheets.head(1), "balkan", 99)):
        with pytest.raises(TableError, match=f"{lacking} mountain_a"):
            refused(club_sheets)
    for expression in (
        lambda: pref.bullet("a", "balkan"),
        lambda: pref.whists("a", "b", "slovene"),
        lambda: pref.raspasy_step("balkan"),
        lambda: contract_values(["balkan"]),
        lambda: study_rounding(club_sheets, "balkan"),
    ):
        with pytest.raises(ConventionError, match="is a convention of the Balkan game, and this is about the Russian"):
            expression()


def with_contract(archive: Archive) -> Archive:
    """Put an adjustment into an archive, of its own game."""
    entry = "contract" if archive.game.name == "balkan" else "bullet"
    row = {"pulka": 1, "deal": 0, "seat": "a", "entry": entry, "on_seat": None, "points": 1, "reason": None}
    return pref.with_adjustments(archive, pl.DataFrame([row]))


def test_results_of_players_are_of_any_game(club: Archive, club_sheets: pl.DataFrame) -> None:
    settled = pref.settle(club_sheets, "balkan", pulkas=club.pulkas)
    results = pulka_results(club, "balkan").sort("pulka", "seat")
    assert results.select("pulka", "player", "result_twelfths", "money").equals(
        settled.select("pulka", "player", "result_twelfths", "money")
    )


# --------------------------------------------------------------------------- adjustments and the end

ENDING = [
    deal("a", "all_pass"),
    deal("b", "spades", "a", "b come c come", "a 6 b 2 c 2"),  # doubled: a 4 of -4
    deal("c", "hearts", "b", "c pass a come", "a 4 b 6"),  # doubled to 16, cut to the missing 4
    deal("a", "all_pass"),
    deal("b", "clubs", "c", "a pass b pass"),
]
Row = tuple[int, str, str, str | None, int]


def adjusted(*rows: Row, limit: int = 4) -> Archive:
    """Make a pulka that ends with its third deal, with adjustments: deal, seat, entry, on_seat, points."""
    names = ("deal", "seat", "entry", "on_seat", "points")
    records = [{"pulka": 1, **dict(zip(names, row, strict=True))} for row in rows]
    pulka = {"pulka": 1, "players": 3, "bullet_limit": limit, "convention": "balkan"}
    deals = [{"pulka": 1, "deal": number, **row} for number, row in enumerate(ENDING, start=1)]
    archive: Archive = pref.archive(frame_of([pulka], Pulkas), frame_of(deals, Deals), frame_of(records, Adjustments))
    assert len(archive.check().failures) == 0
    return archive


def sheet_of(archive: Archive) -> Record:
    return sheets_of(archive, HOUSE).row(0, named=True)


def test_deals_after_the_end_are_not_scored() -> None:
    archive = adjusted()
    row = sheet_of(archive)
    written = {"contract_a": 4, "contract_b": 0, "contract_c": -4, "juha_ab": 16, "juha_ba": 16, "juha_ca": 16}
    written |= {"refes_c": 1, "hat_a": True, "closed": True, "deals_scored": 3, "deals_after_end": 2}
    assert {name: row[name] for name in written} == written
    ledger = pref.ledger(archive, HOUSE, running_columns=True)
    assert ledger["scored"].to_list() == [True, True, True, False, False]
    assert ledger["doubled"].to_list() == [False, True, True, False, False]
    assert ledger["cut"].to_list() == [False, False, True, False, False]
    assert ledger["contract_c"].to_list() == [0] * 5
    assert ledger["running_contract_b"].to_list() == [-4, -4, 0, 0, 0]
    assert pref.entries(archive.deals, HOUSE).collect()["contract_c"].to_list() == [0, 0, 0, 0, 10]
    values = pref.values(archive, HOUSE)
    assert values["value_a_twelfths"].to_list()[3:] == [None, None]
    settled = pref.settle(sheets_of(archive, HOUSE), HOUSE)
    assert settled["result_twelfths"].to_list() == [24 * 12, 0, -24 * 12]
    assert values.select(pl.col("^value_._twelfths$").sum()).row(0) == (24 * 12, 0, -24 * 12, 0)


def test_values_add_up_to_results(folder: Path) -> None:
    opened = pref.open_archive(folder)
    adjusted_keys = opened.adjustments.select("pulka").collect()["pulka"]
    plain = opened.only(~pl.col("pulka").is_in(adjusted_keys.implode()))
    for name in ("balkan", "slovene"):
        results = pref.settle(sheets_of(plain, name), name).pivot("seat", index="pulka", values="result_twelfths")
        sums = (
            pref.values(plain, name).group_by("pulka", maintain_order=True).agg(pl.col("^value_[abc]_twelfths$").sum())
        )
        assert sums.height > 10
        assert sums.rows() == results.rows()


def test_adjustments_are_written_as_they_stand() -> None:
    """They change neither the ledger nor, with the columns' sum, the end."""
    rows: list[Row] = [
        (0, "a", "contract", None, 3),
        (0, "b", "contract", None, -3),
        (1, "c", "juha", "a", -30),
        (2, "c", "juha", "b", 25),
        (3, "a", "juha", "c", 9),
    ]
    before, archive = sheet_of(adjusted()), adjusted(*rows)
    after = sheet_of(archive)
    changed = {name: after[name] - before[name] for name in entry_columns() if after[name] != before[name]}
    assert changed == {"contract_a": 3, "contract_b": -3, "juha_ca": -30, "juha_cb": 25, "juha_ac": 9}
    ledger = pref.ledger(archive, HOUSE)
    assert_frame_equal(ledger, pref.ledger(adjusted(), HOUSE))
    assert pref.unapplied_adjustments(archive, ledger).is_empty()
    last = pref.ledger(archive, HOUSE, running_columns=True).row(-1, named=True)
    assert {name: last[f"running_{name}"] for name in entry_columns()} == {
        name: after[name] for name in entry_columns()
    }
    effects = pref.adjustment_effects(archive, HOUSE)
    shift = {"a": 30 + 9 + 30, "b": -30 - 25, "c": -30 + 25 - 9}
    assert dict(effects.select("seat", "shift").rows()) == shift


@pytest.mark.parametrize("late", [(4, "b", "contract", None, 5), (5, "b", "juha", "c", 5)])
def test_adjustments_after_the_end_are_reported(late: Row) -> None:
    archive = adjusted(late)
    assert sheet_of(archive) == sheet_of(adjusted())
    unapplied = pref.unapplied_adjustments(archive, pref.ledger(archive, HOUSE))
    assert unapplied.select("deal", "seat", "entry", "on_seat", "points").rows() == [late]


def test_adjustments_may_end_a_pulka() -> None:
    """The end is looked for once a deal, so the first deal is still scored; nobody is given a refe under a hat."""
    row = sheet_of(adjusted((0, "a", "contract", None, 12)))
    assert (row["closed"], row["deals_scored"], row["deals_after_end"], row["contract_a"]) == (True, 1, 4, 8)
    assert [row[f"refes_{seat}"] for seat in SEATS] == [0, 0, 0]
    row = sheet_of(adjusted((1, "a", "contract", None, 12)))
    assert (row["deals_scored"], [row[f"refes_{seat}"] for seat in SEATS]) == (1, [1, 1, 1])


def test_there_is_no_mountain(club: Archive) -> None:
    """Corrections of the Russian game name its columns, which set the pulka aside."""
    fine = pref.correct_over_writing(1, 1, "a", "bullet", 3)
    for rows, entries in ((fine, {"bullet", "mountain"}), (fine.filter(pl.col("entry") == "mountain"), {"mountain"})):
        failures = pref.with_adjustments(club, rows).check().failures
        assert failures.frame.select("rule", "pulka", "reason").unique().rows() == [
            ("entry|dtype", 1, "entry is one of contract, juha")
        ]
        assert set(failures.frame["value"]) == {f"entry={entry}" for entry in entries}


# --------------------------------------------------------------------------- recorded sheets

HEADER = ["pulka", "players", "bullet_limit", *entry_columns(), "player_a", "player_b", "stake"]
RECORDED = [
    "1,3,50,10,-4,-6,100,0,40,12,8,60,Ana,Bojan,0.5",
    "2,3,50,-18,-18,-18,0,0,0,0,0,0,,,",
    "3,3,50,1.5,-1.5,0,0,0.5,0,0,0,0,,,2",
    "7,3,30,-20,-13,-1,0,0,0,0,0,0,,,",
]


def recorded(folder: Path, *rows: str, header: list[str] = HEADER) -> Path:
    (folder / "sheets.csv").write_text("\n".join([",".join(header), *rows]) + "\n")
    return folder / "sheets.csv"


def settled(capsys: Capture, sheets: Path, *words: str | Path) -> tuple[int, pl.DataFrame, str]:
    """Settle a file of sheets by the command, into another file."""
    out = sheets.with_name("results.csv")
    code, said, err = typed(capsys, "settle", sheets, "-c", "balkan", *words, "--out", out, "--overwrite")
    assert said == ""
    return code, pl.read_csv(out), err


def test_recorded_sheets_are_settled(tmp_path: Path, capsys: Capture) -> None:
    code, results, _ = settled(capsys, recorded(tmp_path, *RECORDED))
    assert code == 0
    assert results.select(
        "pulka", "seat", "player", "result_twelfths", "rounded", "adjusted", "money", "rank"
    ).rows() == [
        (1, "a", "Ana", 152 * 12, 152, 0, 76, 1),
        (1, "b", "Bojan", -148 * 12, -148, 0, -74, 3),
        (1, "c", None, -4 * 12, -4, 0, -2, 2),
        *((2, seat, None, 0, 0, 0, None, 1) for seat in SEATS),
        (3, "a", None, 15 * 12 + 6, None, 0, None, 1),
        (3, "b", None, -15 * 12, None, 0, None, 3),
        (3, "c", None, -6, None, 0, None, 2),
        (7, "a", None, -1040, -86, -1, None, 3),
        (7, "b", None, -200, -17, 0, None, 2),
        (7, "c", None, 1240, 103, 0, None, 1),
    ]
    code, exact, _ = settled(capsys, recorded(tmp_path, *RECORDED), "--rounding", "exact")
    assert code == 0
    assert exact["rounded"].null_count() == exact.height
    assert_frame_equal(exact.select("result_twelfths", "rank"), results.select("result_twelfths", "rank"))
    assert exact["money"].drop_nulls().to_list() == [76, -74, -2, 31, -30, -1]
    code, table, err = typed(capsys, "settle", recorded(tmp_path, *RECORDED), "-c", "slovene")
    assert (code, err) == (0, "")
    assert re.search(r"1 +a +Ana +152 +152 +0 +76 +1", table)


def test_random_sheets_are_settled_exactly(tmp_path: Path, capsys: Capture) -> None:
    """Halves and quarters of a point, and twelfths of a whist, are exact."""
    rng = random.Random("sheets")
    parts = [Fraction(0), Fraction(0), Fraction(1, 2), Fraction(3, 4)]
    rows, expected = [], {}
    for pulka in range(1, 41):
        contract = {seat: rng.randint(-50, 50) + rng.choice(parts) for seat in SEATS}
        juha = {pair: rng.randint(0, 300) + Fraction(rng.choice((0, 0, 0, rng.randrange(12))), 12) for pair in PAIRS}
        rows.append(",".join(str(cell) for cell in (pulka, 3, 50, *map(float, (*contract.values(), *juha.values())))))
        expected[pulka] = second_balkan.exact_results(contract, juha)
    code, results, _ = settled(capsys, recorded(tmp_path, *rows, header=HEADER[:-3]), "--rounding", "exact")
    assert code == 0
    assert {(row["pulka"], row["seat"]): row["result_twelfths"] for row in results.iter_rows(named=True)} == {
        (pulka, seat): result * 12 for pulka, every in expected.items() for seat, result in every.items()
    }


def test_sheets_that_break_a_rule_are_set_aside(tmp_path: Path, capsys: Capture) -> None:
    rest = "0,0,0,0,0,0,,,"
    broken = {
        f"4,3,50,0.1,0,0,{rest}": ("exact_in_twelfths", "contract_a=0.1"),
        f"5,3,50,0,0,{1 / 12},{rest}": ("exact_in_twelfths", f"contract_c={1 / 12}"),
        f"6,4,50,0,0,0,{rest}": ("players_of_sheet", "players=4"),
        f"8,3,0,0,0,0,{rest}": ("limit_of_sheet", "bullet_limit=0"),
        f"9,3,50,0,,0,{rest}": ("seats_filled", "contract_b=empty"),
    }
    code, results, err = settled(capsys, recorded(tmp_path, *RECORDED, *broken))
    assert code == 1
    assert results["pulka"].unique(maintain_order=True).to_list() == [1, 2, 3, 7]
    assert "set aside: 5 pulkas" in err
    good, failures = pref.check_sheets(pl.read_csv(tmp_path / "sheets.csv", infer_schema_length=None), "balkan")
    assert good.height == len(RECORDED)
    found = {pulka: (rule, value) for pulka, rule, value in failures.frame.select("pulka", "rule", "value").rows()}
    for row, (rule, value) in broken.items():
        said = found[int(row[0])]
        assert said[0] == rule
        assert value in said[1].split(", ")
    assert all(rule in err for rule, _ in broken.values())


def test_columns_of_another_game_do_not_matter(tmp_path: Path, capsys: Capture) -> None:
    more = ["bullet_a", "mountain_b", "whists_ab", "note"]
    rows = [f"{row},8,9,7,x" for row in RECORDED]
    code, results, _ = settled(capsys, recorded(tmp_path, *rows, header=[*HEADER, *more]))
    assert code == 0
    assert_frame_equal(results, settled(capsys, recorded(tmp_path, *RECORDED))[1])


@pytest.mark.parametrize("column", ["players", "bullet_limit", "contract_b", "juha_cb"])
def test_a_missing_column_of_sheets_is_named(tmp_path: Path, capsys: Capture, column: str) -> None:
    pl.read_csv(recorded(tmp_path, *RECORDED)).drop(column).write_csv(tmp_path / "sheets.csv")
    code, out, err = typed(capsys, "settle", tmp_path / "sheets.csv", "-c", "balkan", "--out", tmp_path / "out.csv")
    assert (code, out) == (2, "")
    assert err.startswith(
        f"error: the sheets lack the column {column}\nSheets of the Balkan game have pulka, players, "
    )
    assert listing(tmp_path) == ["sheets.csv"]


def test_sheets_of_the_wrong_game_are_refused(tmp_path: Path, capsys: Capture) -> None:
    balkan = recorded(tmp_path, *RECORDED)
    words = tmp_path / "words.csv"
    words.write_text(balkan.read_text().replace("3,50,10,", "3,50,ten,"))
    for sheets, name, what in (
        (DATA / "sheets.csv", "balkan", "lack the columns contract_a, contract_b, contract_c, juha_ab"),
        (balkan, "sochi", "lack the columns mountain_a, mountain_b, mountain_c, whists_ab"),
        (words, "balkan", "column contract_a is String, not a number"),
    ):
        code, out, err = typed(capsys, "settle", sheets, "-c", name)
        assert (code, out) == (2, "")
        assert what in err


def test_scored_sheets_are_settled_as_recorded_ones(club: Archive, club_sheets: pl.DataFrame, tmp_path: Path) -> None:
    """The marks beside the columns, refes and hats, do not matter; nor whether the file knows them."""
    expected = pref.settle(club_sheets, "balkan", pulkas=club.pulkas)
    columns = [
        "pulka",
        "players",
        "bullet_limit",
        *map(contract_column, SEATS),
        *(juha_column(*pair) for pair in PAIRS),
    ]
    assert_frame_equal(pref.settle(club_sheets.select(columns), "balkan", pulkas=club.pulkas), expected)
    assert_frame_equal(pref.settle(club_sheets, "played", pulkas=club.pulkas), expected)
    with pytest.raises(PrefdataError, match="sheets do not tell the convention"):
        pref.settle(club_sheets, "played")
