"""The key of a deal: the fifteen columns that scoring looks at, packed into 64 bits; see `prefdata.outcomes.keys`."""

from __future__ import annotations

from itertools import permutations

import polars as pl

from prefdata.outcomes.keys import CODE, OUT_OF_RANGE, KeyLayout
from prefdata.russian.vocabulary import CALL, CONTRACT
from prefdata.vocabulary import SEAT, SEATS, call_column

__all__ = ["LAYOUT"]

LAYOUT = KeyLayout(
    bytes=(
        {"players": 3, "dealer": 3},
        {"contract": 3, "declarer": 3},
        {call_column(seat): 2 for seat in SEATS},
        {"tricks_a": 4, "tricks_b": 4},
        {"tricks_c": 4, "tricks_d": 4},
        {"conceded": 1, "talon": 3},
        {"multiplier": 5},
        {"wrong_cards": 6, CODE: 1, OUT_OF_RANGE: 1},
    ),
    enums={
        "dealer": SEAT,
        "contract": CONTRACT,
        "declarer": SEAT,
        **{call_column(seat): CALL for seat in SEATS},
    },
    texts={
        "wrong_cards": pl.Enum(["".join(seats) for length in range(4) for seats in permutations(SEATS, length)]),
    },
    flags=frozenset({"conceded"}),
)
