"""The key of a deal: the fifteen columns that scoring looks at, packed into 64 bits; see `prefdata.keys`."""

from __future__ import annotations

from itertools import permutations

import polars as pl

from prefdata.keys import CODE, OUT_OF_RANGE, KeyLayout
from prefdata.vocabulary import CALL, CONTRACT, SEAT, SEATS, call_column

__all__ = ["CODE_MARK", "LAYOUT", "OUTCOME_COLUMNS", "deal_key", "unpack_keys"]

CODE_MARK = 1 << 62
"""Bit that is set in keys made from an outcome code, and in no packed row."""

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

OUTCOME_COLUMNS: tuple[str, ...] = LAYOUT.columns
"""All columns of a deal that scoring looks at."""


def deal_key() -> pl.Expr:
    """Pack the columns of a deal that scoring looks at into a UInt64 key.

    Needs `OUTCOME_COLUMNS` in the types of the deals table.

    Examples
    --------
    >>> from prefdata.examples import three_deals
    >>> keys = three_deals().select(key=deal_key())["key"]
    >>> unpack_keys(keys).select("contract", "declarer", "tricks_a").row(0)
    ('6', 'a', 7)
    """
    return LAYOUT.pack()


def unpack_keys(keys: pl.Series) -> pl.DataFrame:
    """Turn packed keys back into the columns of the deals table."""
    return LAYOUT.unpack(keys)
