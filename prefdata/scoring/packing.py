"""A deal packed into one integer, whatever its row holds.

Scoring looks at fourteen columns of a deal, but an archive of millions has only some ten thousand different ones.  The
*key* packs those columns into 64 bits by shifts alone, which costs little more than reading them; keys are numbered and
only the different ones are unpacked, checked and scored.  Unlike the outcome code it has room for rows that break the
rules: a value out of range becomes one that is out of range too, so that it fails the same checks.
"""

from __future__ import annotations

from itertools import permutations

import polars as pl

from prefdata.vocabulary import CALL, CONTRACT, SEAT, SEATS, call_column, tricks_column

__all__ = ["CODE_MARK", "OUTCOME_COLUMNS", "deal_key", "unpack_keys"]

CODE_MARK = 1 << 62
"""Bit that is set in keys made from an outcome code, and in no packed row."""

_WRONG_CARDS = pl.Enum(["".join(seats) for length in range(4) for seats in permutations(SEATS, length)])

_BITS: dict[str, int] = {
    "players": 3,
    "dealer": 3,
    "contract": 3,
    "declarer": 3,
    **{call_column(seat): 2 for seat in SEATS},
    **{tricks_column(seat): 4 for seat in SEATS},
    "conceded": 1,
    "talon": 3,
    "multiplier": 5,
    "wrong_cards": 6,
}

_ENUMS: dict[str, pl.Enum] = {
    "dealer": SEAT,
    "contract": CONTRACT,
    "declarer": SEAT,
    **{call_column(seat): CALL for seat in SEATS},
    "wrong_cards": _WRONG_CARDS,
}

OUTCOME_COLUMNS: tuple[str, ...] = tuple(_BITS)
"""All columns of a deal that scoring looks at."""


def deal_key() -> pl.Expr:
    """Pack the columns of a deal that scoring looks at into a UInt64 key.

    Needs `OUTCOME_COLUMNS` in the types of the deals table.  Nulls and values beyond the field's width take the two
    largest numbers that the field can hold (all ones, and all ones but the last bit).

    Examples
    --------
    >>> from prefdata.examples import three_deals
    >>> keys = three_deals().select(key=deal_key())["key"]
    >>> unpack_keys(keys).select("contract", "declarer", "tricks_a").row(0)
    ('6', 'a', 7)
    """
    key: pl.Expr | None = None
    shift = 0
    for column, bits in _BITS.items():
        field = _field(column, bits).cast(pl.UInt64) * (1 << shift)
        key = field if key is None else key + field
        shift += bits
    assert key is not None
    return key


def unpack_keys(keys: pl.Series) -> pl.DataFrame:
    """Turn packed keys back into the columns of the deals table."""
    fields = []
    shift = 0
    for column, bits in _BITS.items():
        null = (1 << bits) - 1
        field = (pl.col("key") // (1 << shift) % (1 << bits)).cast(pl.UInt8)
        if column != "conceded":
            field = pl.when(field != null).then(field)
        if column in _ENUMS:
            field = field.cat.to(_ENUMS[column])
        if column == "wrong_cards":
            field = field.cast(pl.String).fill_null("?")
        if column == "conceded":
            field = field == 1
        fields.append(field.alias(column))
        shift += bits
    return keys.to_frame("key").select(fields)


def _field(column: str, bits: int) -> pl.Expr:
    null = (1 << bits) - 1
    value = pl.col(column)
    if column == "conceded":
        return value.fill_null(False)
    if column == "wrong_cards":
        return value.cast(_WRONG_CARDS, strict=False).cat.physical().fill_null(null)
    if column in _ENUMS:
        return value.cat.physical().fill_null(null)
    return value.clip(upper_bound=null - 1).fill_null(null)
