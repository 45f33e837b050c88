"""Deals as people record them: what can mean one thing only is put right with a note, the rest is left to the rules."""

from __future__ import annotations

import random
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.readers._deals import put_right
from prefdata.readers._records import PLACE
from tests import strategies
from tests.records import archive_of

PLAIN: dict[str, Any] = {
    "pulka": 1,
    "deal": 1,
    "players": 3,
    "dealer": "c",
    "contract": "6",
    "declarer": "a",
    "conceded": False,
    **dict.fromkeys(("call_a", "call_b", "call_c", "call_d")),
    **dict.fromkeys(("tricks_a", "tricks_b", "tricks_c", "tricks_d")),
    "talon": 0,
    "multiplier": 1,
    "wrong_cards": "",
    "trump": None,
}
WORDS = ("dealer", "contract", "declarer", "call_a", "call_b", "call_c", "call_d", "wrong_cards", "trump")
PASSED = {"call_b": "pass", "call_c": "пас"}
WHISTED = {"call_b": "whist", "call_c": "pass"}


def tricks(*taken: int | None) -> dict[str, Any]:
    return dict(zip(("tricks_a", "tricks_b", "tricks_c", "tricks_d"), taken, strict=False))


def deal(**values: Any) -> pl.DataFrame:
    schema = {name: pl.String if name in WORDS else pl.Boolean if name == "conceded" else pl.Int64 for name in PLAIN}
    return pl.DataFrame([PLAIN | values], schema=schema, orient="row").with_columns(pl.lit(7).alias(PLACE))


def failures(deals: pl.DataFrame) -> dict[str, int]:
    pulka = {"pulka": [1], "players": deals["players"], "bullet_limit": [10], "convention": ["sochi"]}
    return pref.archive(pl.DataFrame(pulka), deals.drop(PLACE)).check().failures.counts()


RIGHT: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "ten to nothing after two passes": (PASSED | tricks(10, 0, 0), PASSED),
    "noughts after two passes": (PASSED | tricks(0, 0, 0), PASSED),
    "half a whist with tricks": (
        {"call_b": "pass", "call_c": "полвиста"} | tricks(8, 0, 2),
        {"call_b": "pass", "call_c": "полвиста"},
    ),
    "a concession with tricks": ({"conceded": True} | tricks(3, 7, 0), {"conceded": True}),
    "a concession with calls": ({"conceded": True} | WHISTED, {"conceded": True}),
    "a misère with calls": (
        {"contract": "мизер"} | WHISTED | tricks(2, 5, 3),
        {"contract": "мизер"} | tricks(2, 5, 3),
    ),
    "a misère with noughts": ({"contract": "misere"} | tricks(0, 0, 0), {"contract": "misere"} | tricks(0)),
    "raspasy with passes": (
        {"contract": "raspasy", "declarer": None, "call_a": "pass", **PASSED} | tricks(3, 3, 4),
        {"contract": "raspasy", "declarer": None} | tricks(3, 3, 4),
    ),
    "a declarer who passes": (WHISTED | {"call_a": "pass"} | tricks(6, 4, 0), WHISTED | tricks(6, 4, 0)),
    "a sitting dealer who passes": (
        {"players": 4, "dealer": "d", "call_d": "pass"} | WHISTED | tricks(6, 4, 0, 0),
        {"players": 4, "dealer": "d"} | WHISTED | tricks(6, 4, 0),
    ),
    "a blank for no tricks": (WHISTED | tricks(6, 4, None), WHISTED | tricks(6, 4, 0)),
    "a talon in a misère": ({"contract": "misere", "talon": 2} | tricks(0), {"contract": "misere"} | tricks(0)),
}


@pytest.mark.parametrize(("recorded", "meant"), RIGHT.values(), ids=RIGHT)
def test_what_means_one_thing_is_put_right(recorded: dict[str, Any], meant: dict[str, Any]) -> None:
    righted, notes = put_right(deal(**recorded), strict=False)
    assert_frame_equal(righted, deal(**meant))
    assert not failures(righted)
    assert notes["row"].unique().to_list() == [7]
    assert notes.null_count().row(0) == (0, 0, 0, 0, 0)
    strictly, none = put_right(deal(**recorded), strict=True)
    assert_frame_equal(strictly, deal(**recorded))
    assert none.is_empty()
    assert failures(strictly)


LEFT: dict[str, dict[str, Any]] = {
    "a contract that failed although nobody whisted": PASSED | tricks(5, 3, 2),
    "a concession with other tricks": {"conceded": True} | tricks(5, 5, 0),
    "a declarer who whists": WHISTED | {"call_a": "whist"} | tricks(6, 4, 0),
    "raspasy with a whist": {"contract": "raspasy", "declarer": None, "call_b": "whist"} | tricks(3, 3, 4),
    "a trick short": WHISTED | tricks(6, 3, None),
    "tricks of nobody": WHISTED | tricks(6, 3, 0, 1),
    "a word that nobody knows": {"contract": "семь"} | PASSED | tricks(10, 0, 0),
}


@pytest.mark.parametrize("recorded", LEFT.values(), ids=LEFT)
def test_what_contradicts_itself_is_left(recorded: dict[str, Any]) -> None:
    righted, notes = put_right(deal(**recorded), strict=False)
    assert_frame_equal(righted, deal(**recorded))
    assert notes.is_empty()
    assert failures(righted)


def test_legal_deals_are_left_as_they_are() -> None:
    rng = random.Random(5)
    deals = archive_of([strategies.random_pulka(rng) for _ in range(30)]).deals.collect().with_row_index(PLACE)
    righted, notes = put_right(deals, strict=False)
    assert_frame_equal(righted, deals)
    assert notes.is_empty()


def test_the_order_of_deals_is_kept() -> None:
    rows = [deal(deal=number, **(PASSED | tricks(10, 0, 0) if number % 2 else PASSED)) for number in range(1, 8)]
    deals = pl.concat(rows).with_columns(pl.col("deal").alias(PLACE))
    righted, notes = put_right(deals, strict=False)
    assert righted["deal"].to_list() == [1, 2, 3, 4, 5, 6, 7]
    assert notes["row"].to_list() == [1, 3, 5, 7]
