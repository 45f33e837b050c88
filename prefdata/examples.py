"""Small tables for documentation and doctests."""

from __future__ import annotations

import polars as pl

from prefdata.russian.vocabulary import CALL, CONTRACT, TRUMP
from prefdata.vocabulary import SEAT

__all__ = ["one_pulka", "three_deals"]


def one_pulka() -> pl.DataFrame:
    """Make a pulkas table with one pulka of three players, to 10.

    >>> one_pulka().select("pulka", "players", "bullet_limit").row(0)
    (1, 3, 10)
    """
    return pl.DataFrame(
        {"pulka": [1], "players": [3], "bullet_limit": [10], "convention": ["sochi"]},
        schema={"pulka": pl.Int64, "players": pl.UInt8, "bullet_limit": pl.UInt16, "convention": pl.String},
    )


def three_deals() -> pl.DataFrame:
    """Make the deals of that pulka: a made six, a failed eight, a raspasy.

    >>> three_deals().select("deal", "contract", "declarer").rows()
    [(1, '6', 'a'), (2, '8', 'b'), (3, 'raspasy', None)]
    """
    calls = {
        "call_a": [None, "pass", None],
        "call_b": ["whist", None, None],
        "call_c": ["pass", "whist", None],
        "call_d": [None, None, None],
    }
    tricks = {"tricks_a": [7, 2, 0], "tricks_b": [3, 7, 6], "tricks_c": [0, 1, 4], "tricks_d": [None, None, None]}
    return pl.DataFrame(
        {
            "pulka": [1, 1, 1],
            "deal": [1, 2, 3],
            "players": [3, 3, 3],
            "dealer": ["a", "b", "c"],
            "contract": ["6", "8", "raspasy"],
            "declarer": ["a", "b", None],
            **calls,
            **tricks,
            "conceded": [False, False, False],
            "talon": [0, 0, 0],
            "multiplier": [1, 1, 1],
            "wrong_cards": ["", "", ""],
            "trump": ["spades", "hearts", None],
        },
        schema={
            "pulka": pl.Int64,
            "deal": pl.UInt16,
            "players": pl.UInt8,
            "dealer": SEAT,
            "contract": CONTRACT,
            "declarer": SEAT,
            **dict.fromkeys(calls, CALL),
            **dict.fromkeys(tricks, pl.UInt8),
            "conceded": pl.Boolean,
            "talon": pl.UInt8,
            "multiplier": pl.UInt8,
            "wrong_cards": pl.String,
            "trump": TRUMP,
        },
    )
