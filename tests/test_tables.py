"""Every rule of the tables: one broken row sets exactly its pulka aside, with the reason, and nothing else."""

from __future__ import annotations

import datetime
import random
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.balkan import tables as balkan_tables
from prefdata.russian.book import RussianBook
from prefdata.russian.tables import Adjustments, Deals
from prefdata.scoring import tidy
from prefdata.tables import RULES, Pulkas, explain_rule
from prefdata.vocabulary import SEATS, pairs
from tests import strategies
from tests.legality import VOCABULARIES, is_legal, loose_frame
from tests.records import frame_of

Record = dict[str, Any]
Tables = dict[str, list[Record]]
SCHEMAS = {"pulkas": Pulkas, "deals": Deals, "adjustments": Adjustments}


# --------------------------------------------------------------------------- a good archive


def deal(players: int, dealer: str, contract: str, declarer: str | None = None, **cells: Any) -> Record:
    """Make a deal; `calls="a whist b pass"`, `tricks="a 4 b 6"`."""
    row = strategies.empty_deal(players, dealer, contract) | {"declarer": declarer, "trump": "spades"}
    for kind in ("calls", "tricks"):
        words = cells.pop(kind, "").split()
        for seat, value in zip(words[::2], words[1::2], strict=True):
            row[f"{kind.rstrip('s') if kind == 'calls' else kind}_{seat}"] = value if kind == "calls" else int(value)
    return row | cells


TWO = [
    deal(2, "a", "6", "b", calls="a whist", tricks="a 4 b 6"),
    deal(2, "b", "misere", "a", tricks="a 0 b 10"),
    deal(2, "a", "8", "a", conceded=True),
    deal(2, "b", "10", "b", calls="a pass", tricks="a 1 b 9"),
]
THREE = [
    deal(3, "a", "6", "b", calls="a pass c whist", tricks="a 0 b 6 c 4"),
    deal(3, "b", "7", "c", calls="a pass b half"),
    deal(3, "c", "raspasy", tricks="a 4 b 3 c 3", trump=None),
    deal(3, "a", "10", "a", calls="b pass c pass", tricks="a 9 b 1 c 0"),
    deal(3, "b", "8", "a", calls="b pass c pass", talon=2),
    deal(3, "c", "misere", "b", tricks="a 5 b 1 c 4"),
    deal(3, "a", "9", "c", conceded=True),
    deal(3, "b", "8", "a", calls="b whist c whist", tricks="a 7 b 2 c 1", wrong_cards="ab", multiplier=2),
]
FOUR = [
    deal(4, "a", "6", "b", calls="c whist d pass", tricks="b 6 c 3 d 1"),
    deal(4, "b", "raspasy", tricks="a 3 b 1 c 3 d 3", trump=None),
    deal(4, "c", "raspasy", tricks="a 5 b 5 d 0", trump=None),
    deal(4, "d", "7", "a", calls="b pass c half"),
    deal(4, "a", "misere", "d", tricks="b 0 c 10 d 0"),
    deal(4, "b", "10", "c", calls="d pass a pass", tricks="a 0 c 10 d 0"),
]
KEYS = {10: TWO, 20: THREE, 30: FOUR}


def good_tables() -> Tables:
    """Make the records of three pulkas, of two, three and four players."""
    limits = {10: 20, 20: 10, 30: 10}
    return {
        "pulkas": [
            {
                "pulka": key,
                "players": deals[0]["players"],
                "bullet_limit": limits[key],
                "convention": "sochi",
                "player_a": "Anna",
                "player_b": "Boris",
                "stake": 0.5,
            }
            for key, deals in KEYS.items()
        ],
        "deals": [
            {"pulka": key, "deal": number, **row}
            for key, deals in KEYS.items()
            for number, row in enumerate(deals, start=1)
        ],
        "adjustments": [
            {"pulka": 20, "deal": 0, "seat": "a", "entry": "bullet", "points": 3, "reason": "carried over"},
            {"pulka": 20, "deal": 2, "seat": "b", "entry": "whists", "on_seat": "c", "points": 10},
            {"pulka": 30, "deal": 1, "seat": "d", "entry": "mountain", "points": -2},
        ],
    }


def archive_of_tables(tables: Tables) -> Archive:
    frames = {name: loose_frame(rows, SCHEMAS[name]) for name, rows in tables.items()}
    archive: Archive = pref.archive(frames["pulkas"], frames["deals"], frames["adjustments"])
    return archive


@pytest.fixture(scope="module")
def good_sheets() -> pl.DataFrame:
    """The sheets of the good archive."""
    sheets: pl.DataFrame = pref.sheets(archive_of_tables(good_tables()), "sochi")
    return sheets


def test_the_good_archive_is_good(good_sheets: pl.DataFrame) -> None:
    archive = archive_of_tables(good_tables())
    good, failures = archive.check()
    assert len(failures) == 0
    assert failures.deals == 0
    assert failures.counts() == {}
    assert good_sheets["pulka"].to_list() == list(KEYS)
    assert good_sheets["deals_after_end"].sum() == 0
    assert_frame_equal(pref.sheets(good, "sochi"), good_sheets)
    assert_frame_equal(good.deals.collect(), archive.deals.collect())


def test_a_seat_without_a_name_has_no_player() -> None:
    tables = good_tables()
    tables["pulkas"][1] |= {"player_a": "", "player_b": "", "player_c": " "}
    assert not archive_of_tables(tables).check().failures.counts()


# --------------------------------------------------------------------------- one case a rule

Change = Callable[[Tables], int]


@dataclass(frozen=True)
class Case:
    """A broken row.

    Attributes
    ----------
    rule
        The rule that it breaks.
    table, pulka, deal, value
        What the failure says; `value` as a set of cells which it must show, if there are others beside them.
    change
        Breaks the row and tells its number in the table.
    also
        Rules which cannot but be broken too.
    rows
        How many rows break the rule.
    beside
        The pulkas that a row without a key may belong to.
    """

    rule: str
    table: str
    pulka: int | None
    deal: int | None
    value: str | set[str]
    change: Change
    also: frozenset[str] = frozenset()
    rows: int = 1
    beside: tuple[int, ...] = ()

    def __str__(self) -> str:
        shown = self.value if isinstance(self.value, str) else ",".join(sorted(self.value))
        return f"{self.table}-{self.rule}-{self.pulka}-{shown}"


def in_row(table: str, cells: Record, pulka: int, deal: int | None = None) -> Change:
    """Change cells of one row."""

    def change(tables: Tables) -> int:
        rows = tables[table]
        found = [n for n, row in enumerate(rows) if row["pulka"] == pulka and deal in (None, row.get("deal"))]
        rows[found[0]] |= cells
        return found[0]

    return change


def with_row(table: str, cells: Record) -> Change:
    """Put one more row at the end."""

    def change(tables: Tables) -> int:
        tables[table].append(cells)
        return len(tables[table]) - 1

    return change


def broken_row(
    rule: str,
    table: str,
    place: tuple[int, int | None],
    cells: Record,
    *also: str,
    value: str | set[str] | None = None,
    said: tuple[int | None, int | None] | None = None,
    beside: tuple[int, ...] = (),
) -> Case:
    """Break a row; `said` is where the failure says that it is, if not in its place."""
    shown = {f"{name}={_text(cell)}" for name, cell in cells.items() if cell is not None}
    expected = (shown if len(shown) > 1 else "".join(shown)) if value is None else value
    where = place if said is None else said
    return Case(rule, table, *where, expected, in_row(table, cells, *place), frozenset(also), beside=beside)


def of_pulka(rule: str, pulka: int, cells: Record, *also: str, **more: Any) -> Case:
    return broken_row(rule, "pulkas", (pulka, None), cells, *also, **more)


def of_deal(rule: str, pulka: int, deal: int, cells: Record, *also: str, **more: Any) -> Case:
    return broken_row(rule, "deals", (pulka, deal), cells, *also, **more)


def of_adjustment(rule: str, pulka: int, deal: int, cells: Record, *also: str, **more: Any) -> Case:
    return broken_row(rule, "adjustments", (pulka, deal), cells, *also, **more)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


BESIDE = "rows_beside_have_keys"
FOUR_IN_THREE = {"players": 4, "dealer": "d"}
STRANGER = {"pulka": 99, "deal": 1, **THREE[0]}
CHILDLESS = {"pulka": 40, "players": 3, "bullet_limit": 10, "convention": "sochi"}
DOUBLE = good_tables()["pulkas"][1]

CASES: list[Case] = [
    # rules about rows together
    of_deal("deal_number_unique", 20, 8, {"deal": 7}, said=(20, 7)),
    of_deal("deal_number_unique", 20, 2, {"deal": 1}, "deals_without_gaps", said=(20, 1)),
    of_deal("deals_without_gaps", 20, 8, {"deal": 9}, value="deal=9, previous=7", said=(20, 9)),
    of_deal("deals_without_gaps", 30, 6, {"deal": 65535}, value="deal=65535, previous=5", said=(30, 65535)),
    Case("deal_of_known_pulka", "deals", 99, 1, "pulka=99", with_row("deals", STRANGER)),
    Case("pulka_has_deals", "pulkas", 40, None, "pulka=40", with_row("pulkas", CHILDLESS)),
    of_deal("players_agree", 20, 3, FOUR_IN_THREE, value="players=4, players_of_pulka=3"),
    Case(
        "adjustment_of_known_pulka",
        "adjustments",
        99,
        0,
        "pulka=99",
        with_row("adjustments", {"pulka": 99, "deal": 0, "seat": "a", "entry": "bullet", "points": 1}),
    ),
    of_adjustment("adjustment_after_known_deal", 20, 2, {"deal": 9}, value="deal=9, deals_of_pulka=8", said=(20, 9)),
    of_adjustment("adjustment_at_table", 20, 0, {"seat": "d"}, value="seat=d, players=3"),
    of_adjustment("adjustment_at_table", 20, 2, {"on_seat": "d"}, value="seat=b, on_seat=d, players=3"),
    # rules about one row: pulkas
    of_pulka("players_at_table", 20, {"player_d": "Olga"}, value={"players=3", "player_d=Olga"}),
    of_pulka("players_at_table", 10, {"player_c": ""}, value={"players=2", "player_c="}),
    of_pulka("player_sits_once", 20, {"player_b": "Anna"}, value={"player_a=Anna", "player_b=Anna"}),
    Case("primary_key", "pulkas", 20, None, "pulka=20", with_row("pulkas", DOUBLE), rows=2),
    of_pulka("players|min", 20, {"players": 1}, "players_agree", "players_at_table", "adjustment_at_table"),
    of_pulka("players|max", 20, {"players": 5}, "players_agree"),
    of_pulka("players|nullability", 20, {"players": None}, "players_at_table"),
    of_pulka("players|dtype", 20, {"players": 259}),
    of_pulka("players|dtype", 20, {"players": -3}),
    of_pulka("bullet_limit|min", 20, {"bullet_limit": 0}),
    of_pulka("limit_is_given", 20, {"bullet_limit": None}, value=""),
    of_pulka("bullet_total|min", 20, {"bullet_total": 0}),
    of_pulka("bullet_total|dtype", 20, {"bullet_total": 65536}),
    of_pulka("bullet_limit|dtype", 20, {"bullet_limit": 65536}),
    of_pulka("bullet_limit|dtype", 20, {"bullet_limit": -1}),
    of_pulka("convention|nullability", 20, {"convention": None}),
    of_pulka("stake|min", 20, {"stake": -0.25}),
    of_pulka("stake|inf", 20, {"stake": float("inf")}),
    of_pulka("stake|nan", 20, {"stake": float("nan")}, value="stake=NaN"),
    Case("pulka|nullability", "pulkas", None, None, "", with_row("pulkas", CHILDLESS | {"pulka": None})),
    Case("pulka|dtype", "pulkas", None, None, f"pulka={2**63}", with_row("pulkas", CHILDLESS | {"pulka": 2**63})),
    # rules about one row: deals
    of_deal(
        "raspasy_for_three",
        10,
        3,
        TWO[2] | deal(2, "a", "raspasy", tricks="a 5 b 5"),
        value={"contract=raspasy", "players=2"},
    ),
    of_deal("dealer_at_table", 20, 3, {"dealer": "d"}, value={"dealer=d", "players=3"}),
    of_deal("dealer_at_table", 10, 1, {"dealer": "c"}, value={"dealer=c", "players=2"}),
    of_deal("declarer_of_contract", 20, 6, {"declarer": None}, value="contract=misere"),
    of_deal("declarer_of_contract", 20, 3, {"declarer": "a"}, value="declarer=a, contract=raspasy"),
    of_deal("declarer_plays", 20, 6, {"declarer": "d"}, value={"declarer=d", "players=3"}),
    of_deal("declarer_plays", 30, 5, {"declarer": "a"}, value={"declarer=a", "players=4", "dealer=a"}),
    of_deal("calls_of_defenders", 20, 1, {"call_a": None}, value={"call_c=whist", "declarer=b"}),
    of_deal("calls_of_defenders", 20, 1, {"call_b": "whist"}, value={"call_b=whist", "declarer=b"}),
    of_deal("calls_of_defenders", 20, 1, {"call_d": "pass"}, value={"call_d=pass", "players=3"}),
    of_deal("calls_of_defenders", 20, 3, {"call_a": "pass"}, value={"call_a=pass", "contract=raspasy"}),
    of_deal("calls_of_defenders", 20, 6, {"call_a": "pass"}, value={"call_a=pass", "contract=misere"}),
    of_deal("calls_of_defenders", 20, 7, {"call_a": "pass"}, value={"call_a=pass", "conceded=true"}),
    of_deal("calls_of_defenders", 30, 1, {"call_a": "pass"}, value={"call_a=pass", "dealer=a"}),
    of_deal("calls_of_defenders", 30, 1, {"call_a": "whist"}, value={"call_a=whist", "call_c=whist"}),
    of_deal("calls_of_defenders", 30, 5, {"call_a": "whist"}, value={"call_a=whist", "contract=misere"}),
    of_deal(
        "calls_of_defenders", 30, 6, {"call_b": "half"}, "half_after_pass", "tricks_where_played", value={"dealer=b"}
    ),
    of_deal("half_after_pass", 20, 2, {"call_a": "half", "call_b": "pass"}),
    of_deal("half_after_pass", 20, 2, {"call_a": "half"}, value={"call_a=half", "call_b=half"}),
    of_deal("half_after_pass", 10, 4, {"call_a": "half", "tricks_a": None, "tricks_b": None}, value={"call_a=half"}),
    of_deal("half_after_pass", 20, 8, {"call_c": "half", "wrong_cards": ""}, value={"call_b=whist", "call_c=half"}),
    of_deal("half_after_pass", 20, 8, {"call_b": "half", "wrong_cards": ""}, value={"call_b=half", "call_c=whist"}),
    of_deal("tricks_where_played", 20, 1, {"tricks_a": None}, value={"tricks_b=6", "tricks_c=4"}),
    of_deal("tricks_where_played", 20, 6, {"tricks_a": None}, "tricks_add_up", value={"tricks_b=1", "tricks_c=4"}),
    of_deal("tricks_where_played", 20, 6, {"tricks_b": None}, "tricks_add_up", value={"tricks_a=5", "tricks_c=4"}),
    of_deal("tricks_where_played", 30, 4, {"call_c": "pass", "call_d": "whist"}, value={"call_d=whist", "dealer=d"}),
    of_deal("tricks_where_played", 20, 5, {"tricks_a": 8, "tricks_b": 2, "tricks_c": 0}),
    of_deal("tricks_where_played", 20, 2, {"tricks_a": 3, "tricks_b": 0, "tricks_c": 7}),
    of_deal("tricks_where_played", 20, 7, {"tricks_a": 3, "tricks_b": 0, "tricks_c": 7}),
    of_deal("tricks_where_played", 20, 1, {"tricks_d": 0}, value={"tricks_d=0", "players=3"}),
    of_deal(
        "tricks_where_played", 20, 3, dict.fromkeys(("tricks_a", "tricks_b", "tricks_c")), value={"contract=raspasy"}
    ),
    of_deal("tricks_add_up", 20, 1, {"tricks_a": 1}, value={"tricks_a=1", "tricks_b=6", "tricks_c=4"}),
    of_deal("tricks_add_up", 20, 6, {"tricks_a": 6}, value={"tricks_a=6", "tricks_b=1", "tricks_c=4"}),
    of_deal("tricks_add_up", 30, 2, {"tricks_b": 2}, value={"tricks_b=2"}),
    of_deal("tricks_of_sitting_dealer", 30, 1, {"tricks_a": 0}, value={"tricks_a=0", "dealer=a", "contract=6"}),
    of_deal("tricks_of_sitting_dealer", 30, 2, {"tricks_a": 1, "tricks_b": 3}, value={"tricks_b=3", "dealer=b"}),
    of_deal("tricks_of_sitting_dealer", 30, 5, {"tricks_a": 0}, value={"tricks_a=0", "contract=misere"}),
    of_deal("conceded_contract", 20, 6, {"conceded": True}, value={"conceded=true", "contract=misere"}),
    of_deal("conceded_contract", 20, 3, {"conceded": True}, value={"conceded=true", "contract=raspasy"}),
    of_deal("talon_of_contract", 20, 6, {"talon": 1}, value={"talon=1", "contract=misere"}),
    of_deal("talon_of_contract", 20, 3, {"talon": 3}, value={"talon=3", "contract=raspasy"}),
    of_deal("wrong_cards_are_seats", 20, 8, {"wrong_cards": "aa"}),
    of_deal("wrong_cards_are_seats", 20, 8, {"wrong_cards": "a,b"}),
    of_deal("wrong_cards_are_seats", 20, 8, {"wrong_cards": "A"}),
    of_deal("wrong_cards_are_seats", 20, 8, {"wrong_cards": "aé"}),
    of_deal("wrong_cards_are_seats", 20, 3, {"wrong_cards": "z"}),
    of_deal(
        "wrong_cards_in_play",
        30,
        6,
        {"call_b": "whist", "wrong_cards": "b"},
        value={"call_b=whist", "wrong_cards=b", "dealer=b"},
    ),
    of_deal("wrong_cards_in_play", 20, 8, {"wrong_cards": "abcd"}, value={"wrong_cards=abcd", "declarer=a"}),
    of_deal("wrong_cards_in_play", 20, 1, {"wrong_cards": "a"}, value={"wrong_cards=a", "call_a=pass"}),
    of_deal("wrong_cards_in_play", 20, 3, {"wrong_cards": "b"}, value={"wrong_cards=b", "contract=raspasy"}),
    of_deal("wrong_cards_in_play", 20, 6, {"wrong_cards": "b"}, value={"wrong_cards=b", "contract=misere"}),
    of_deal("wrong_cards_in_play", 20, 5, {"wrong_cards": "a"}, value={"wrong_cards=a", "call_b=pass"}),
    of_deal("wrong_cards_in_play", 20, 7, {"wrong_cards": "c"}, value={"wrong_cards=c", "conceded=true"}),
    of_deal("wrong_cards_in_play", 20, 2, {"wrong_cards": "c"}, value={"wrong_cards=c", "call_b=half"}),
    of_deal("wrong_cards_in_play", 30, 1, {"wrong_cards": "a"}, value={"wrong_cards=a", "dealer=a"}),
    # columns of deals
    of_deal("pulka|nullability", 30, 6, {"pulka": None}, BESIDE, said=(None, 6), beside=(30,)),
    of_deal("pulka|dtype", 30, 6, {"pulka": 2**63}, BESIDE, said=(None, 6), beside=(30,)),
    of_deal("deal|nullability", 30, 6, {"deal": None}, said=(30, None)),
    of_deal("deal|min", 30, 1, {"deal": 0}, "deals_without_gaps", said=(30, 0)),
    of_deal("deal|dtype", 30, 6, {"deal": 65536}, said=(30, None)),
    of_deal("deal|dtype", 30, 6, {"deal": -1}, said=(30, None)),
    of_deal("players|nullability", 20, 3, {"players": None}, "tricks_where_played", "dealer_at_table"),
    of_deal("players|min", 20, 3, {"players": 1}, "players_agree", "tricks_where_played", "dealer_at_table"),
    of_deal("players|max", 20, 3, {"players": 5}, "players_agree", "tricks_where_played"),
    of_deal("players|dtype", 20, 3, {"players": 259}),
    of_deal("dealer|nullability", 20, 3, {"dealer": None}),
    of_deal("dealer|dtype", 20, 3, {"dealer": "north"}),
    of_deal("contract|nullability", 20, 6, {"contract": None}),
    of_deal("contract|dtype", 20, 6, {"contract": "grand"}),
    of_deal("declarer|dtype", 20, 6, {"declarer": "e"}),
    *(of_deal(f"call_{s}|dtype", 20, 8, {f"call_{s}": "maybe"}) for s in "bc"),
    *(of_deal(f"call_{s}|dtype", 20, 3, {f"call_{s}": "passe"}) for s in "ad"),
    *(of_deal(f"tricks_{s}|max", 20, 3, {f"tricks_{s}": 11}, "tricks_add_up") for s in "abc"),
    of_deal("tricks_d|max", 30, 3, {"tricks_d": 255}, "tricks_add_up"),
    *(of_deal(f"tricks_{s}|dtype", 20, 3, {f"tricks_{s}": 256}) for s in "abc"),
    of_deal("tricks_d|dtype", 20, 3, {"tricks_d": -1}),
    of_deal("talon|max", 20, 5, {"talon": 4}),
    of_deal("talon|dtype", 20, 5, {"talon": 256}),
    of_deal("multiplier|min", 20, 5, {"multiplier": 0}),
    of_deal("multiplier|max", 20, 5, {"multiplier": 17}),
    of_deal("multiplier|max", 20, 5, {"multiplier": 40}),
    of_deal("multiplier|dtype", 20, 5, {"multiplier": -1}),
    of_deal("trump|dtype", 20, 5, {"trump": "swords"}),
    of_deal("outcome|dtype", 20, 5, {"outcome": 2**32}),
    of_deal("outcome|dtype", 20, 5, {"outcome": -1}),
    # adjustments
    of_adjustment("adjustment_on_seat", 20, 2, {"on_seat": None}, value={"entry=whists", "seat=b"}),
    of_adjustment("adjustment_on_seat", 20, 2, {"on_seat": "b"}, value={"entry=whists", "seat=b", "on_seat=b"}),
    of_adjustment("adjustment_on_seat", 20, 0, {"on_seat": "b"}, value={"entry=bullet", "on_seat=b"}),
    *(
        of_adjustment(rule, 30, 1, {"pulka": key}, BESIDE, "adjustment_of_known_pulka", said=(None, 1), beside=(20, 30))
        for rule, key in (("pulka|nullability", None), ("pulka|dtype", 2**63))
    ),
    of_adjustment("deal|nullability", 20, 2, {"deal": None}, said=(20, None)),
    of_adjustment("deal|dtype", 20, 2, {"deal": -1}, said=(20, None)),
    of_adjustment("seat|nullability", 20, 0, {"seat": None}),
    of_adjustment("seat|dtype", 20, 0, {"seat": "Anna"}),
    of_adjustment("entry|nullability", 20, 0, {"entry": None}),
    of_adjustment("entry|dtype", 20, 0, {"entry": "pool"}),
    of_adjustment("on_seat|dtype", 20, 2, {"on_seat": "Boris"}),
    of_adjustment("points|nullability", 20, 0, {"points": None}),
    of_adjustment("points|dtype", 20, 0, {"points": 2**31}),
]

OF_PARTS = {"pulka_in_one_part", BESIDE}
"""Rules about several parts or rows, which have tests of their own."""

NEVER_BROKEN = {
    # an empty cell of these takes its default
    *(("deals", f"{column}|nullability") for column in ("conceded", "talon", "multiplier", "wrong_cards")),
    # no type that is taken for these has values that they cannot hold
    *(("deals", f"{column}|dtype") for column in ("conceded", "wrong_cards")),
    *(("pulkas", f"{column}|dtype") for column in ("convention", "played_on", "place", "stake")),
    *(("pulkas", f"player_{seat}|dtype") for seat in SEATS),
    ("adjustments", "reason|dtype"),
}
"""Rules of columns which no row can break."""


def test_every_rule_has_a_case() -> None:
    covered = {(case.table, case.rule) for case in CASES}
    rules = {(table, rule) for table, schema in SCHEMAS.items() for rule in schema._validation_rules(with_cast=True)}
    assert rules - covered == NEVER_BROKEN
    assert covered.isdisjoint(NEVER_BROKEN)
    balkan = {
        rule
        for schema in (balkan_tables.Deals, balkan_tables.Adjustments)
        for rule in schema._validation_rules(with_cast=True)
    }
    assert set(RULES) - balkan - {rule for _, rule in covered} == OF_PARTS
    assert {rule for case in CASES for rule in case.also} - OF_PARTS <= {rule for _, rule in covered}


def test_every_reason_says_what_must_hold_and_cannot_be_read_as_what_does() -> None:
    schemas = [*SCHEMAS.values(), balkan_tables.Deals, balkan_tables.Adjustments]
    told = {explain_rule(schema, rule) for schema in schemas for rule in schema._validation_rules(with_cast=True)}
    good = {"players": 3, "bullet_limit": 10, **{f"mountain_{seat}": 0.0 for seat in "abc"}, "mountain_d": None}
    good |= {f"whists_{writer}{on}": 0 for writer, on in pairs(3)}
    changes: list[Record] = [{"players": 5}, {"bullet_limit": 0}, {"mountain_d": 9.0}, {"mountain_c": None}]
    broken = [{**good, **change, "pulka": pulka} for pulka, change in enumerate([*changes, {"mountain_a": 0.01}])]
    _, failures = pref.check_sheets(pl.DataFrame([*broken, broken[-1]], infer_schema_length=None), "sochi")
    assert len(failures.counts()) == 6
    told |= {*RULES.values(), *failures.frame["reason"]}
    assert [sentence for sentence in told if not re.search(r"\b(must|may|is for)\b", sentence)] == []


BOOK = RussianBook()
TIDY_PART = tidy.tidy_part


@pytest.fixture
def shared_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learn the outcomes once for all cases and look for a part's failures once, which saves half of the time."""
    monkeypatch.setattr(tidy, "tidy_part", lambda archive, part, _: TIDY_PART(archive, part, BOOK))
    monkeypatch.setattr(Archive, "check_part", cache(Archive.check_part))


@pytest.mark.usefixtures("shared_work")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_broken_row_sets_its_pulka_aside(case: Case, good_sheets: pl.DataFrame) -> None:
    tables = good_tables()
    row = case.change(tables)
    broken = archive_of_tables(tables)
    good, failures = broken.check()

    said = failures.frame.filter(pl.col("rule") == case.rule, pl.col("table") == case.table)
    assert said.height == case.rows
    first = said.row(-1, named=True)
    assert (first["pulka"], first["deal"]) == (case.pulka, case.deal)
    if isinstance(case.value, str):
        assert first["value"] == case.value
    else:
        assert case.value <= set(first["value"].split(", "))
    assert first["reason"]
    assert first["reason"] != case.rule
    assert first["file"] == case.table
    assert first["row"] == row
    assert set(failures.frame["rule"]) == {case.rule} | case.also

    aside = list(case.beside) if case.pulka is None else [case.pulka]
    assert failures.pulkas.to_list() == aside
    lost = [deal for deal in tables["deals"] if deal["pulka"] in (None, 2**63, *aside)]
    assert failures.deals == len(lost)
    check_scored_without(broken, good, aside, case, good_sheets)


@pytest.mark.parametrize(
    ("table", "row", "suspects"),
    [
        ("deals", 0, [10]),
        ("deals", len(TWO), [10, 20]),
        ("deals", len(TWO) + len(THREE) - 1, [20, 30]),
        ("adjustments", 0, [10, 20]),
        ("adjustments", 1, [20, 30]),
    ],
)
def test_a_row_without_a_key_makes_its_neighbours_suspect(table: str, row: int, suspects: list[int]) -> None:
    """The deal that is lost may have been the last one of the pulka before it, which no gap in numbers shows."""
    tables = good_tables()
    tables[table][row] |= {"pulka": None}
    good, failures = archive_of_tables(tables).check()
    found = failures.frame.filter(rule=BESIDE)
    assert found["pulka"].to_list() == suspects
    assert set(found["value"]) == {f"keyless_row={row}"}
    assert good.pulkas.collect()["pulka"].to_list() == [key for key in KEYS if key not in failures.pulkas]
    rows = {name: len(tables[name]) for name in ("deals", "adjustments", "pulkas")}
    kept = {name: getattr(good, name).collect().height for name in rows}
    lost = {"deals": failures.deals, "adjustments": failures.adjustments, "pulkas": failures.pulka_rows}
    assert rows == {name: kept[name] + lost[name] for name in rows}


def check_scored_without(
    broken: Archive, good: Archive, aside: list[int], case: Case, good_sheets: pl.DataFrame
) -> None:
    """Check that the other pulkas have the sheets that they had, whether the archive is checked first or not."""
    sheets = pref.sheets(good, "sochi")
    assert_frame_equal(sheets, good_sheets.filter(~pl.col("pulka").is_in(aside)))
    with pytest.warns(pref.SetAsideWarning, match=re.escape(case.rule)):
        assert_frame_equal(pref.sheets(broken, "sochi"), sheets)


# --------------------------------------------------------------------------- what a failure says


def test_all_that_is_wrong_is_listed_in_order() -> None:
    tables = good_tables()
    for change in (
        in_row("deals", {"tricks_a": 2, "talon": 9}, 30, 5),
        in_row("deals", {"tricks_a": 1}, 20, 1),
        in_row("deals", {"multiplier": 0}, 20, 5),
        in_row("adjustments", {"entry": None}, 20, 0),
    ):
        change(tables)
    good, failures = archive_of_tables(tables).check()
    assert failures.frame.select("pulka", "deal", "rule", "table").rows() == [
        (20, 0, "entry|nullability", "adjustments"),
        (20, 1, "tricks_add_up", "deals"),
        (20, 5, "multiplier|min", "deals"),
        (30, 5, "talon_of_contract", "deals"),
        (30, 5, "talon|max", "deals"),
        (30, 5, "tricks_add_up", "deals"),
        (30, 5, "tricks_of_sitting_dealer", "deals"),
    ]
    assert len(failures) == 7
    assert failures.counts() == {
        "tricks_add_up": 2,
        "entry|nullability": 1,
        "multiplier|min": 1,
        "talon_of_contract": 1,
        "talon|max": 1,
        "tricks_of_sitting_dealer": 1,
    }
    assert failures.pulkas.to_list() == [20, 30]
    assert failures.deals == len(THREE) + len(FOUR)
    assert good.pulkas.collect()["pulka"].to_list() == [10]
    assert good.adjustments.collect().is_empty()


def test_a_warning_says_how_much_is_set_aside_and_why() -> None:
    tables = good_tables()
    in_row("deals", {"tricks_a": 1}, 20, 1)(tables)
    first = "the first in pulka 20, deal 1: the tricks of a played deal must add up to ten"
    message = rf"^set aside: 1 pulka with 8 deals \(tricks_add_up\), {first} .*; archive.check\(\).failures lists"
    for score in (pref.sheets, pref.ledger, pref.values):
        with pytest.warns(pref.SetAsideWarning, match=message) as caught:
            score(archive_of_tables(tables), "sochi")
        assert len(caught) == 1
        assert caught[0].filename == __file__


def test_empty_optional_cells_take_their_defaults(good_sheets: pl.DataFrame) -> None:
    tables = good_tables()
    for row in tables["deals"]:
        for column, default in {"conceded": False, "talon": 0, "multiplier": 1, "wrong_cards": ""}.items():
            if row[column] == default:
                row[column] = None
    archive = archive_of_tables(tables)
    assert len(archive.check().failures) == 0
    assert_frame_equal(pref.sheets(archive, "sochi"), good_sheets)
    assert_frame_equal(archive.deals.collect(), archive_of_tables(good_tables()).deals.collect())


# --------------------------------------------------------------------------- rules about parts


def parts(*keys: tuple[int, ...]) -> list[Archive]:
    """Make archives which hold some of the pulkas each."""
    whole = good_tables()
    return [
        archive_of_tables({name: [row for row in rows if row["pulka"] in chosen] for name, rows in whole.items()})
        for chosen in keys
    ]


@pytest.mark.parametrize("chosen", [((10, 20), (20, 30)), ((10, 20, 30), (20,)), ((20, 30), (10, 20))], ids=str)
def test_a_pulka_in_two_parts_is_set_aside(chosen: tuple[tuple[int, ...], ...], good_sheets: pl.DataFrame) -> None:
    twice = pref.concat(parts(*chosen))
    good, failures = twice.check()
    assert (
        failures.frame.select("rule", "table", "pulka", "deal", "value", "file").rows()
        == [("pulka_in_one_part", "pulkas", 20, None, "pulka=20", "pulkas")] * 2
    )
    assert failures.frame["row"].to_list() == [keys.index(20) for keys in chosen]
    assert failures.pulkas.to_list() == [20]
    assert failures.deals == 2 * len(THREE)
    expected = good_sheets.filter(pl.col("pulka") != 20)
    assert_frame_equal(pref.sheets(good, "sochi"), expected)
    with pytest.warns(pref.SetAsideWarning, match="pulka_in_one_part"):
        assert_frame_equal(pref.sheets(twice, "sochi"), expected)


@pytest.mark.parametrize("chosen", [((10,), (20,), (30,)), ((10, 30), (20,)), ((30,), (10, 20))], ids=str)
def test_pulkas_in_several_parts_are_scored_together(
    chosen: tuple[tuple[int, ...], ...], good_sheets: pl.DataFrame
) -> None:
    archive = pref.concat(parts(*chosen))
    assert len(archive.check().failures) == 0
    assert_frame_equal(pref.sheets(archive, "sochi"), good_sheets)


@pytest.mark.parametrize("empty", [False, True])
def test_a_part_without_keys_does_not_hide_the_others(empty: bool, good_sheets: pl.DataFrame) -> None:
    row = {"pulka": None, "players": 3, "bullet_limit": 10, "convention": "sochi"}
    keyless = pref.archive(frame_of([] if empty else [row], Pulkas), Deals.create_empty())
    for archive in (pref.concat([keyless, *parts((10, 20, 30))]), pref.concat([*parts((10, 20, 30)), keyless])):
        assert archive.check().failures.counts() == ({} if empty else {"pulka|nullability": 1})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pref.SetAsideWarning)
            assert_frame_equal(pref.sheets(archive, "sochi"), good_sheets)


# --------------------------------------------------------------------------- the fast check and the slow one


def scored_and_warned(archive: Archive) -> tuple[pl.DataFrame, bool]:
    """Score an archive; tells whether it warned that pulkas are set aside, and lets no other warning pass."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sheets = pref.sheets(archive, "sochi")
    assert all(issubclass(warning.category, pref.SetAsideWarning) for warning in caught)
    return sheets, bool(caught)


NUMBERS = st.one_of(
    st.none(),
    st.integers(-2, 20),
    st.sampled_from((31, 32, 40, 63, 64, 127, 128, 255, 256)),
    st.integers(-(2**31), 2**33),
)
NAMES = st.one_of(
    st.none(), st.sampled_from((*SEATS, "", "ab", "ba", "abc", "whist")), st.text("abcdABx ,é", max_size=4)
)


def cells(table: str, column: str) -> st.SearchStrategy[Any]:
    """Draw any value for a column of a table."""
    dtype = SCHEMAS[table].columns()[column].dtype
    if column in VOCABULARIES:
        words = st.sampled_from((*VOCABULARIES[column].categories, "", "A", "raspasy", "pool"))
        return st.one_of(st.none(), words, st.text(max_size=3))
    if dtype == pl.Boolean:
        return st.sampled_from((None, False, True))
    if dtype == pl.Float64:
        return st.one_of(st.none(), st.floats())
    if dtype == pl.Date:
        return st.one_of(st.none(), st.dates(datetime.date(1900, 1, 1)))
    return NUMBERS if dtype.is_integer() else NAMES


@st.composite
def mutated_tables(draw: st.DrawFn) -> tuple[Tables, str, Record]:
    """Draw a legal pulka with one cell changed; tells the table and the changed row as well."""
    players = draw(st.sampled_from((2, 3, 4)))
    deals = draw(st.lists(strategies.deals(players), min_size=1, max_size=3))
    tables: Tables = {
        "pulkas": [{"pulka": 1, "players": players, "bullet_limit": 10, "convention": "sochi", "player_a": "Anna"}],
        "deals": [{"pulka": 1, "deal": number, **row} for number, row in enumerate(deals, start=1)],
        "adjustments": [{"pulka": 1, "deal": 0, "seat": "a", "entry": "whists", "on_seat": "b", "points": 5}],
    }
    table = draw(st.sampled_from(("deals", "deals", "deals", "pulkas", "adjustments")))
    row = draw(st.sampled_from(tables[table]))
    column = draw(st.sampled_from(list(SCHEMAS[table].columns())))
    row[column] = draw(cells(table, column))
    return tables, table, row


@settings(max_examples=settings().max_examples // 2)
@given(mutated_tables())
def test_scoring_sets_aside_what_the_check_finds(drawn: tuple[Tables, str, Record]) -> None:
    tables, table, row = drawn
    number = tables[table].index(row) + 1
    archive = archive_of_tables(tables)
    good, failures = archive.check()
    sheets, warned = scored_and_warned(archive)
    assert warned == bool(len(failures))
    assert sheets["pulka"].to_list() == good.pulkas.collect()["pulka"].to_list()
    assert set(sheets["pulka"]).isdisjoint(failures.pulkas)
    assert failures.frame.null_count().select("rule", "table", "value", "reason").row(0) == (0, 0, 0, 0)
    if table == "deals":
        in_place = (row["pulka"], row["deal"], row["players"]) == (1, number, tables["pulkas"][0]["players"])
        assert (len(failures) == 0) == (in_place and is_legal(row)), row


def test_hundreds_of_pulkas_are_set_aside_as_the_design_says() -> None:
    """Change a cell in every other pulka of a large archive, within the columns' types."""
    rng = random.Random("set aside")
    rows: list[Record] = []
    records: list[Record] = []
    broken = set()
    for key in range(1, 501):
        pulka = strategies.random_pulka(rng)
        records.append(
            {"pulka": key, "players": pulka["players"], "bullet_limit": pulka["limit"], "convention": "sochi"}
        )
        if key % 2:
            changed = rng.choice(pulka["deals"])
            column = rng.choice(list(changed))
            changed[column] = random_cell(rng, column)
            number = pulka["deals"].index(changed) + 1
            if changed["deal"] != number or changed["players"] != pulka["players"] or not is_legal(changed):
                broken.add(key)
        rows += [{"pulka": key, **row} for row in pulka["deals"]]
    archive = pref.archive(frame_of(records, Pulkas), frame_of(rows, Deals))
    failures = archive.check().failures
    assert 100 < len(broken) < 250
    assert set(failures.pulkas) == broken
    assert failures.deals == sum(row["pulka"] in broken for row in rows)
    sheets, warned = scored_and_warned(archive)
    assert warned
    assert set(sheets["pulka"]) == set(range(1, 501)) - broken


def random_cell(rng: random.Random, column: str) -> Any:
    """Draw a value that the column's type can hold."""
    if rng.random() < 0.1:
        return None
    if column in VOCABULARIES:
        return rng.choice(list(VOCABULARIES[column].categories))
    if column == "conceded":
        return rng.random() < 0.5
    if column == "wrong_cards":
        return rng.choice(("", "a", "b", "ab", "ba", "cda", "abcd", "aa", "x", "A", "a b", "é", "d"))
    return rng.choice((*range(20), 31, 32, 40, 64, 128, 255))


# --------------------------------------------------------------------------- rules of sheets


@dataclass(frozen=True)
class SheetCase:
    """A broken cell of a sheet, and what the failure shows."""

    rule: str
    pulka: int
    cells: Record
    value: str
    also: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"{self.rule}-{self.pulka}-{','.join(f'{name}={cell}' for name, cell in self.cells.items())}"


SEATS_TOO = frozenset({"absent_seats_empty", "seats_filled"})
SHEET_CASES = [
    SheetCase("players_of_sheet", 20, {"players": 5}, "players=5", SEATS_TOO),
    SheetCase("players_of_sheet", 20, {"players": 1}, "players=1", SEATS_TOO),
    SheetCase("players_of_sheet", 20, {"players": -3}, "players=-3", SEATS_TOO),
    SheetCase("players_of_sheet", 20, {"players": None}, "players=empty", SEATS_TOO),
    SheetCase("limit_of_sheet", 30, {"bullet_limit": 0}, "bullet_limit=0"),
    SheetCase("limit_of_sheet", 30, {"bullet_limit": None}, "bullet_limit=empty"),
    SheetCase("absent_seats_empty", 20, {"mountain_d": 0}, "mountain_d=0"),
    SheetCase("absent_seats_empty", 10, {"whists_ac": 3, "bullet_c": 1}, "bullet_c=1, whists_ac=3"),
    SheetCase("seats_filled", 20, {"mountain_b": None}, "mountain_b=empty"),
    SheetCase("seats_filled", 30, {"whists_da": None, "bullet_a": None}, "bullet_a=empty, whists_da=empty"),
    SheetCase("exact_in_twelfths", 20, {"mountain_a": 0.1}, "mountain_a=0.1"),
    SheetCase("exact_in_twelfths", 20, {"mountain_a": float("nan")}, "mountain_a=NaN"),
    SheetCase("exact_in_twelfths", 20, {"whists_ab": float("-inf")}, "whists_ab=-inf"),
    SheetCase("exact_in_twelfths", 20, {"whists_ab": 1e300}, "whists_ab=1e+300"),
    SheetCase("exact_in_twelfths", 20, {"bullet_b": 1 / 12}, f"bullet_b={1 / 12}"),
    SheetCase("exact_in_twelfths", 20, {"mountain_a": 2**62}, f"mountain_a={2**62}"),
]


def sheet_with(sheets: pl.DataFrame, pulka: int, cells: Record) -> pl.DataFrame:
    """Change cells of one sheet."""
    changed = {
        name: pl.Series(
            [cell if key == pulka else old for key, old in sheets.select("pulka", name).rows()], strict=False
        )
        for name, cell in cells.items()
    }
    return sheets.with_columns(**changed)


def test_every_rule_of_sheets_has_a_case(good_sheets: pl.DataFrame) -> None:
    strange = sheet_with(good_sheets, 20, {"players": None, "bullet_limit": None, "mountain_a": 0.1})
    _, failures = pref.check_sheets(pl.concat([strange, strange]), "sochi")
    assert set(failures.frame["rule"]) == {case.rule for case in SHEET_CASES} | {"sheet_unique"}


@pytest.mark.parametrize("case", SHEET_CASES, ids=str)
def test_a_broken_sheet_is_set_aside(case: SheetCase, good_sheets: pl.DataFrame) -> None:
    broken = sheet_with(good_sheets, case.pulka, case.cells)
    good, failures = pref.check_sheets(broken, "sochi")
    said = failures.frame.filter(pl.col("rule") == case.rule).row(0, named=True)
    assert said["reason"]
    assert {name: said[name] for name in ("table", "pulka", "deal", "value", "file", "row")} == {
        "table": "sheets",
        "pulka": case.pulka,
        "deal": None,
        "value": case.value,
        "file": None,
        "row": list(KEYS).index(case.pulka),
    }
    assert case.rule in set(failures.frame["rule"]) <= {case.rule} | case.also
    assert failures.pulkas.to_list() == [case.pulka]
    others = good_sheets.filter(pl.col("pulka") != case.pulka)
    assert good["pulka"].to_list() == others["pulka"].to_list()
    expected = pref.settle(others, "sochi")
    assert_frame_equal(pref.settle(good, "sochi"), expected)
    with pytest.warns(pref.SetAsideWarning, match=f"set aside: 1 pulka.*{case.rule}"):
        assert_frame_equal(pref.settle(broken, "sochi"), expected)


def test_two_sheets_of_a_pulka_are_set_aside(good_sheets: pl.DataFrame) -> None:
    good, failures = pref.check_sheets(pl.concat([good_sheets, good_sheets[1:2]]), "sochi")
    assert failures.frame.select("rule", "pulka", "value", "row").rows() == [
        ("sheet_unique", 20, "pulka=20", 1),
        ("sheet_unique", 20, "pulka=20", 3),
    ]
    assert good["pulka"].to_list() == [10, 30]


def test_exact_parts_of_a_whist_are_kept(good_sheets: pl.DataFrame) -> None:
    fractions = {"whists_ab": 1 / 12, "whists_ba": -7 / 3, "mountain_a": 0.25, "bullet_b": 1.5}
    exact = sheet_with(good_sheets, 20, fractions)
    good, failures = pref.check_sheets(exact, "sochi")
    assert len(failures) == 0
    assert good["whists_ba"].to_list()[1] == -7 / 3
    assert pref.settle(exact, "sochi", rounding="exact")["result_twelfths"].sum() == 0


def test_good_sheets_keep_the_rules(good_sheets: pl.DataFrame) -> None:
    good, failures = pref.check_sheets(good_sheets, "sochi")
    assert len(failures) == 0
    assert_frame_equal(good, good_sheets)
