"""Columns in every type, and rows with odd values."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import polars as pl

__all__ = ["ODD_NUMBERS", "STRIDE", "TYPES", "in_type", "odd_rows"]

_INTEGERS = (
    pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.Int128, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64, pl.UInt128
)  # fmt: skip
_OTHERS: tuple[Any, ...] = (
    pl.Boolean(),
    pl.Float16(),
    pl.Float32(),
    pl.Float64(),
    pl.Decimal(38, 0),
    pl.Decimal(20, 4),
    pl.String(),
    pl.Categorical(),
    pl.Enum(["a", "b", "6", "whist", "ж", ""]),
    pl.Enum([]),
    pl.Date(),
    pl.Datetime("us"),
    pl.Datetime("ns", "UTC"),
    pl.Duration("ms"),
    pl.Time(),
    pl.Binary(),
    pl.List(pl.Int64),
    pl.List(pl.String),
    pl.Array(pl.Int64, 2),
    pl.Struct({"x": pl.Int64}),
    pl.Null(),
)
TYPES: tuple[Any, ...] = (*(type_() for type_ in _INTEGERS), *_OTHERS)
"""All types that a Parquet file can hold."""

STRIDE = 389
"""By how much a seed goes on in a grid of columns and types, coprime to its size: a short run looks at all of it."""

ODD_NUMBERS: tuple[int, ...] = (
    0, -1, 1, 2, 5, 11, 17, 127, 128, 255, 256, 65_535, 65_536, 2**31 - 1, 2**31, -(2**31), 2**32, 2**40, 2**40 + 1,
    2**53 + 1, 2**63 - 1, -(2**63), 2**63, 2**64 - 1,
)  # fmt: skip
_ODD_FLOATS = (0.5, -0.0, float("nan"), float("inf"), float("-inf"), 1e300, 5e-324, 1 / 3, 1 / 12)
_ODD_TEXTS = ("", " ", "a", "e", "A", "abcd", "11", "misère", "whist\x00", "\x1b[2J", "ж" * 300, "sochi.toml", "NaN")
_PLAIN_VALUES: dict[Any, Sequence[Any]] = {
    pl.Date: (date(1, 1, 1), date(9999, 12, 31), date(2020, 2, 29)),
    pl.Datetime: (datetime(2020, 1, 1), datetime(1970, 1, 1)),
    pl.Duration: (timedelta(0), timedelta(days=-9)),
    pl.Binary: (b"", b"\xff\x00a"),
}


def in_type(rng: random.Random, name: str, values: Sequence[Any], type_: Any) -> pl.Series:
    """Make a column of a type: the values as far as they fit, or odd ones of that type."""
    if rng.randrange(3):
        try:
            found = pl.Series(name, values).cast(type_, strict=False)
        except pl.exceptions.PolarsError:
            found = None
        if found is not None and len(found) == len(values):
            return found
    return pl.Series(name, [_odd_of(rng, type_) for _ in values], dtype=type_, strict=False)


def _odd_of(rng: random.Random, type_: Any) -> Any:
    """Draw an odd value of a type."""
    if rng.randrange(6) == 0 or type_ == pl.Null:
        return None
    if type_.is_integer():
        least, most = pl.select(least=type_.min(), most=type_.max()).row(0)
        return rng.choice([value for value in ODD_NUMBERS if least <= value <= most])
    if type_.is_float():
        return rng.choice(_ODD_FLOATS)
    if isinstance(type_, pl.Decimal):
        return Decimal(rng.choice((0, 1, -5, 3)))
    if isinstance(type_, pl.Enum):
        return rng.choice([*type_.categories, None])
    if type_ in (pl.String, pl.Categorical):
        return rng.choice(_ODD_TEXTS)
    if type_ == pl.Boolean:
        return rng.random() < 0.5
    if isinstance(type_, pl.List):
        return rng.choice(([], [None], [1, 2] if type_.inner == pl.Int64 else ["a"]))
    if isinstance(type_, pl.Array):
        return [1, 2]
    if isinstance(type_, pl.Struct):
        return {"x": 1}
    if isinstance(type_, pl.Time):
        return None
    return rng.choice(_PLAIN_VALUES[type(type_)])


def odd_rows(rng: random.Random, frame: pl.DataFrame) -> pl.DataFrame:
    """Change a frame in one odd way: values, rows or columns."""
    ways = (_odd_values, _odd_values, _odd_values, _odd_keys, _odd_rows, _odd_columns)
    return rng.choice(ways)(rng, frame)


def _odd_values(rng: random.Random, frame: pl.DataFrame) -> pl.DataFrame:
    """Put odd values into some rows of a column, which is widened for them."""
    name = rng.choice(frame.columns)
    values = frame[name].to_list()
    kind = frame.schema[name]
    for place in rng.sample(range(len(values)), min(len(values), rng.choice((1, 1, 2, len(values))))):
        if kind.is_integer():
            values[place] = rng.choice((None, *ODD_NUMBERS))
        elif kind.is_float():
            values[place] = rng.choice((None, *_ODD_FLOATS))
        elif kind == pl.Boolean:
            values[place] = rng.choice((None, True, False))
        elif kind == pl.Date:
            values[place] = rng.choice((None, date(1, 1, 1), date(9999, 12, 31)))
        else:
            words = kind.categories.to_list() if isinstance(kind, pl.Enum) else ["sochi", "leningrad", "b"]
            values[place] = rng.choice((None, *_ODD_TEXTS, *words, *words))
    return frame.with_columns(_widened(name, values, kind))


def _widened(name: str, values: list[Any], kind: Any) -> pl.Series:
    """Make a column that holds all values: in its own type, or in a wider one."""
    if kind.is_integer():
        numbers = [value for value in values if value is not None]
        if any(value >= 2**63 for value in numbers):
            return pl.Series(name, values, dtype=pl.Int128 if any(value < 0 for value in numbers) else pl.UInt64)
        return pl.Series(name, values, dtype=pl.Int64)
    if isinstance(kind, pl.Enum):
        return pl.Series(name, values, dtype=pl.String)
    return pl.Series(name, values, dtype=kind)


def _odd_keys(rng: random.Random, frame: pl.DataFrame) -> pl.DataFrame:
    """Empty, double, shift or turn keys, of pulkas or of deals."""
    name = rng.choice([name for name in ("pulka", "deal") if name in frame.columns])
    if frame.is_empty():
        return frame
    values = frame[name].to_list()
    place = rng.randrange(len(values))
    way = rng.randrange(5)
    if way == 0:
        values[place] = None
    elif way == 1:
        values[place] = rng.choice(values)
    elif way == 2:
        values[-1] = rng.choice((None, 9_999))
    elif way == 3:
        values = [value and value - rng.choice((1, 2)) for value in values]
    else:
        values = [value and (-(2**63) if value == 1 else 2**63 - value) for value in values]
    return frame.with_columns(_widened(name, values, pl.Int64()))


def _odd_rows(rng: random.Random, frame: pl.DataFrame) -> pl.DataFrame:
    """Take rows away, double them, or bring them out of order."""
    if frame.is_empty():
        return frame
    place = rng.randrange(frame.height)
    way = rng.randrange(5)
    if way == 0:
        return pl.concat([frame[:place], frame[place + 1 :]])
    if way == 1:
        return pl.concat([frame, frame[place : place + 1]])
    if way == 2:
        return frame.sample(fraction=1, shuffle=True, seed=rng.randrange(1000))
    if way == 3:
        return frame[:place]
    return frame.reverse()


def _odd_columns(rng: random.Random, frame: pl.DataFrame) -> pl.DataFrame:
    """Take a column away, add one, or name one otherwise."""
    name = rng.choice(frame.columns)
    way = rng.randrange(4)
    if way == 0:
        return frame.drop(name)
    if way == 1:
        return frame.with_columns(
            pl.lit(1).alias(rng.choice(("other", name.upper(), f"{name}s", "row", "key", "value")))
        )
    if way == 2:
        return frame.rename({name: rng.choice((name.upper(), f" {name}", "x" * 3000, "", "\x00", "rule|dtype"))})
    return frame.select(rng.sample(frame.columns, len(frame.columns)))
