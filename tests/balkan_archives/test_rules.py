"""One case for each rule of the Balkan tables: what is set aside, where and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.balkan.vocabulary import (
    SEATS,
)
from prefdata.tables import RULES
from tests.balkan_archives.builders import (
    PLAYED,
    SCHEMAS,
    Record,
    archive_of_tables,
    good_tables,
)


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
    *(of_deal(3, "dealer|dtype", {"dealer": name}) for name in ("d", "Ana", "")),
    of_deal(3, "contract|nullability", {"contract": None}),
    *(of_deal(3, "contract|dtype", {"contract": name}) for name in ("6", "misere", "raspasy", "spade s")),
    of_deal(3, "declarer|dtype", {"declarer": "d"}),
    *(of_deal(3, f"call_{seat}|dtype", {f"call_{seat}": word}) for seat in SEATS for word in ("whist", "half")),
    of_deal(3, "contra|nullability", {"contra": None}),
    of_deal(5, "contra|nullability", {"contra": None}),
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
    *(of_adjustment((20, 0), "entry|dtype", {"entry": word}) for word in ("bullet", "mountain", "contracts")),
    of_adjustment((20, 2), "entry|dtype", {"entry": "whists"}),
    of_adjustment((20, 2), "on_seat|dtype", {"on_seat": "d"}),
    of_adjustment((20, 0), "points|nullability", {"points": None}),
    of_adjustment((20, 0), "points|dtype", {"points": 2**31}),
]

NEVER_BROKEN = {("deals", "hand|dtype"), ("deals", "hand|nullability"), ("adjustments", "reason|dtype")}
"""Rules of columns which no row can break: no type that is taken for these has values that they cannot hold, and an
empty hand takes its default."""

SENTENCES = {
    "declarer_of_game": "a game must have a declarer, and all_pass none",
    "hand_of_game": "only a game may be played without the talon",
    "calls_of_balkan_defenders": "defenders must have a call, but for bettel, and nobody else may have one",
    "invitations_fit": "whoever is invited must be so by the other defender, who invites",
    "contra_has_sayer": "contra must have a sayer, and nothing else may have one",
    "contra_by_defender": "contra may be said only by a defender who did not pass",
    "balkan_tricks_where_played": "whoever took part must have tricks where something was played, who passed none; in "
    "bettel those of the defenders may be left out",
    "tricks_add_up": "the tricks of a played deal must add up to ten",
    "juha_on_seat": "a juha must be written on another seat, a contract entry on nobody",
    "deal|min": "deal must be at least 1",
    "players|min": "players must be at least 3",
    "players|max": "players must be at most 3",
    "contra|max": "contra must be at most 5",
    "contract|dtype": "contract must be one of spades, diamonds, hearts, clubs, bettel, sans, all_pass",
    "entry|dtype": "entry must be one of contract, juha",
    "pulka|dtype": "pulka must be a value that Int64 can hold",
    "points|dtype": "points must be a value that Int32 can hold",
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
    sentences = {"nullability": f"{column} must not be empty", "max": f"{column} must be at most 10"}
    if rule in SENTENCES or check in sentences:
        return SENTENCES.get(rule) or sentences[check]
    of_column = "a, b, c" if column == "contra_by" else words.get(column.split("_")[0], "")
    kind = "UInt16" if column == "deal" else "UInt8"
    return f"{column} must be one of {of_column}" if of_column else f"{column} must be a value that {kind} can hold"


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
    every = found.failures.filter(is_it | (pl.col("pulka") == key), pl.col("rule") != "rows_beside_have_keys")
    assert set(every["rule"]) == {case.rule} | case.also
    assert (key in found.aside) == (pulka is not None or case.rule.startswith("pulka|"))


@pytest.mark.parametrize(
    ("number", "cells"),
    [(5, {"contra": None}), (5, {"contra": 16}), (7, {"tricks_a": 255}), (3, {"players": 8})],
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
