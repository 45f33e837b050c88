"""A row packed into one integer, whatever it holds.

Scoring looks at a dozen columns of a deal, but an archive of millions has only some ten thousand different ones.  A
*key* packs those columns into 64 bits, which costs little more than reading them; keys are numbered, and only the
different ones are unpacked, checked and scored.  Keys have room for rows that break the rules: a number beyond its
field is marked, and the unpacked row breaks a rule too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

__all__ = ["CODE", "OUT_OF_RANGE", "KeyLayout"]

CODE = "code"
"""Field of the mark for keys which are made from outcome codes, see `KeyLayout.code_mark`; 0 in a packed row."""

OUT_OF_RANGE = "out_of_range"
"""Field of the mark for numbers beyond their own; no such number may stand in the same byte."""

_MARKS = (CODE, OUT_OF_RANGE)


@dataclass(frozen=True)
class KeyLayout:
    """Which columns a key holds, and where.

    Attributes
    ----------
    bytes
        Eight mappings from field to its width in bits, from the lowest byte; the highest value of a field stands for
        null.
    enums
        Vocabularies of the Enum columns.
    texts
        Vocabularies of String columns; other texts are unpacked as ``?``.
    flags
        The Boolean columns; null is kept in a field of two bits, and false in one of one.
    """

    bytes: tuple[Mapping[str, int], ...]
    enums: Mapping[str, pl.Enum]
    texts: Mapping[str, pl.Enum] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that a key holds."""
        return tuple(column for fields in self.bytes for column in fields if column not in _MARKS)

    @property
    def code_mark(self) -> int:
        """The bit that is set in keys which were made from an outcome code, and in no packed row."""
        shift = 0
        for fields in self.bytes:
            for column, bits in fields.items():
                if column == CODE:
                    return 1 << shift
                shift += bits
            shift = -(-shift // 8) * 8
        raise ValueError("this layout keeps no room for codes")

    def pack(self) -> pl.Expr:
        """Pack the columns, in the types of their table, into a UInt64 key."""
        parts = [self._byte(fields) for fields in self.bytes]
        for width, kind in ((8, pl.UInt16), (16, pl.UInt32), (32, pl.UInt64)):
            # Neighbours are put together in types of growing width, which moves half the memory of one long sum.
            pairs = zip(parts[::2], parts[1::2], strict=True)
            parts = [low.cast(kind) + high.cast(kind) * (1 << width) for low, high in pairs]
        return parts[0]

    def unpack(self, keys: pl.Series) -> pl.DataFrame:
        """Turn packed keys back into the columns of their table; `players` is null where a number was out of range."""
        columns: dict[str, pl.Expr] = {}
        for number, fields in enumerate(self.bytes):
            shift = 8 * number
            for column, bits in fields.items():
                packed = (pl.col("key") // (1 << shift) % (1 << bits)).cast(pl.UInt8)
                columns[column] = self._unpacked(column, packed, bits)
                shift += bits
        in_range = columns.pop(OUT_OF_RANGE) == 0
        columns.pop(CODE, None)
        columns["players"] = pl.when(in_range).then(columns["players"])
        return keys.to_frame("key").select(**columns)

    def _unpacked(self, column: str, packed: pl.Expr, bits: int) -> pl.Expr:
        if column in self.flags:
            return packed == 1 if bits == 1 else pl.when(packed < 2).then(packed == 1)
        if column in _MARKS:
            return packed
        enum = self.texts.get(column) or self.enums.get(column)
        if enum is None:
            return pl.when(packed != (1 << bits) - 1).then(packed)
        word = pl.when(packed < len(enum.categories)).then(packed).cat.to(enum)
        return word.cast(pl.String).fill_null("?") if column in self.texts else word

    def _byte(self, fields: Mapping[str, int]) -> pl.Expr:
        byte = pl.lit(0, dtype=pl.UInt8)
        shift = 0
        for column, bits in fields.items():
            packed = self._field(column, bits)
            byte = packed if shift == 0 else byte + packed * (1 << shift)
            shift += bits
        return byte

    def _field(self, column: str, bits: int) -> pl.Expr:
        null = (1 << bits) - 1
        if column == CODE:
            return pl.lit(0, dtype=pl.UInt8)
        if column == OUT_OF_RANGE:
            return self._is_out_of_range().cast(pl.UInt8)
        value = pl.col(column)
        if column in self.flags:
            return value.cast(pl.UInt8).fill_null(null if bits > 1 else 0)
        if column in self.texts:
            return value.cast(self.texts[column], strict=False).cat.physical().fill_null(null)
        return (value.cat.physical() if column in self.enums else value).fill_null(null)

    def _is_out_of_range(self) -> pl.Expr:
        """Whether a number is too large for its field, where it would run into its neighbour's."""
        numbers = {
            column: bits
            for fields in self.bytes
            for column, bits in fields.items()
            if column not in (*self.enums, *self.texts, *self.flags, *_MARKS)
        }
        beyond = [pl.col(column) > (1 << bits) - 2 for column, bits in numbers.items()]
        return pl.any_horizontal(beyond).fill_null(False)
