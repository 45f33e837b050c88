"""A deal packed into one integer, whatever its row holds.

Scoring looks at fifteen columns of a deal, but an archive of millions has only some ten thousand different ones.  The
*key* packs those columns into 64 bits, which costs little more than reading them; keys are numbered, and only the
different ones are unpacked, checked and scored.  Unlike the outcome code it has room for rows that break the rules: a
number beyond its field is marked, and the unpacked deal breaks a rule too.
"""

from __future__ import annotations

from itertools import permutations

import polars as pl

from prefdata.vocabulary import CALL, CONTRACT, SEAT, SEATS, call_column

__all__ = ["CODE_MARK", "OUTCOME_COLUMNS", "deal_key", "unpack_keys"]

CODE_MARK = 1 << 62
"""Bit that is set in keys made from an outcome code, and in no packed row."""

_WRONG_CARDS = pl.Enum(["".join(seats) for length in range(4) for seats in permutations(SEATS, length)])

_CODE = "code"
_OUT_OF_RANGE = "out_of_range"

_BYTES: tuple[dict[str, int], ...] = (
    {"players": 3, "dealer": 3},
    {"contract": 3, "declarer": 3},
    {call_column(seat): 2 for seat in SEATS},
    {"tricks_a": 4, "tricks_b": 4},
    {"tricks_c": 4, "tricks_d": 4},
    {"conceded": 1, "talon": 3},
    {"multiplier": 5},
    {"wrong_cards": 6, _CODE: 1, _OUT_OF_RANGE: 1},
)
"""Fields of a key with their width in bits, byte by byte from the lowest.

The mark for numbers out of range is in the one byte that no such number can run into.
"""

_ENUMS: dict[str, pl.Enum] = {
    "dealer": SEAT,
    "contract": CONTRACT,
    "declarer": SEAT,
    **{call_column(seat): CALL for seat in SEATS},
}

OUTCOME_COLUMNS: tuple[str, ...] = tuple(
    column for fields in _BYTES for column in fields if column not in (_CODE, _OUT_OF_RANGE)
)
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
    parts = [_byte(fields) for fields in _BYTES]
    for width, kind in ((8, pl.UInt16), (16, pl.UInt32), (32, pl.UInt64)):
        # Neighbours are put together in types of growing width, which moves half the memory of one long sum.
        pairs = zip(parts[::2], parts[1::2], strict=True)
        parts = [low.cast(kind) + high.cast(kind) * (1 << width) for low, high in pairs]
    return parts[0]


def unpack_keys(keys: pl.Series) -> pl.DataFrame:
    """Turn packed keys back into the columns of the deals table."""
    columns: dict[str, pl.Expr] = {}
    for number, fields in enumerate(_BYTES):
        shift = 8 * number
        for column, bits in fields.items():
            field = (pl.col("key") // (1 << shift) % (1 << bits)).cast(pl.UInt8)
            columns[column] = _unpacked(column, field, bits)
            shift += bits
    in_range = columns.pop(_OUT_OF_RANGE) == 0
    columns.pop(_CODE)
    columns["players"] = pl.when(in_range).then(columns["players"])
    return keys.to_frame("key").select(**columns)


def _unpacked(column: str, field: pl.Expr, bits: int) -> pl.Expr:
    if column == "conceded":
        return field == 1
    if column in (_CODE, _OUT_OF_RANGE):
        return field
    enum = _WRONG_CARDS if column == "wrong_cards" else _ENUMS.get(column)
    if enum is None:
        return pl.when(field != (1 << bits) - 1).then(field)
    word = pl.when(field < len(enum.categories)).then(field).cat.to(enum)
    return word.cast(pl.String).fill_null("?") if column == "wrong_cards" else word


def _byte(fields: dict[str, int]) -> pl.Expr:
    byte = pl.lit(0, dtype=pl.UInt8)
    shift = 0
    for column, bits in fields.items():
        field = _field(column, bits)
        byte = field if shift == 0 else byte + field * (1 << shift)
        shift += bits
    return byte


def _field(column: str, bits: int) -> pl.Expr:
    null = (1 << bits) - 1
    if column == _CODE:
        return pl.lit(0, dtype=pl.UInt8)
    if column == _OUT_OF_RANGE:
        return _is_out_of_range().cast(pl.UInt8)
    value = pl.col(column)
    if column == "conceded":
        return value.fill_null(False).cast(pl.UInt8)
    if column == "wrong_cards":
        return value.cast(_WRONG_CARDS, strict=False).cat.physical().fill_null(null)
    return (value.cat.physical() if column in _ENUMS else value).fill_null(null)


def _is_out_of_range() -> pl.Expr:
    """Whether a number is too large for its field, where it would run into its neighbour's."""
    numbers = {
        column: bits
        for fields in _BYTES
        for column, bits in fields.items()
        if column not in (*_ENUMS, "conceded", "wrong_cards", _CODE, _OUT_OF_RANGE)
    }
    beyond = [pl.col(column) > (1 << bits) - 2 for column, bits in numbers.items()]
    return pl.any_horizontal(beyond).fill_null(False)
