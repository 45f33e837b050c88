"""Records of named expressions about a deal.

Their expressions are true or false, or a number, and never null, whatever the row holds, so that rules and entries can
be built from them without a thought for missing values.  For an analyst's single expression they are put in where they
are used; for whole frames `stage` computes them as columns first, so that no entry works out again what another one
needs too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any, TypeVar

import polars as pl

__all__ = ["BySeat", "is_word", "needed", "number", "stage"]

Record = TypeVar("Record")
BySeat = dict[str, pl.Expr]


def number(condition: pl.Expr) -> pl.Expr:
    """Turn true and false into 1 and 0."""
    return condition.cast(pl.Int64)


def is_word(column: str, word: str) -> pl.Expr:
    """Tell whether a column holds a word; false where it is empty."""
    return (pl.col(column) == word).fill_null(False)


def stage(record: Record) -> tuple[list[pl.Expr], Record]:
    """Name all expressions of a record as columns; gives them, and the record with those columns in it."""
    columns: list[pl.Expr] = []
    staged: dict[str, pl.Expr | BySeat] = {}

    def column(name: str, expression: pl.Expr) -> pl.Expr:
        columns.append(expression.alias(name))
        return pl.col(name)

    for field in dataclasses.fields(record):  # type: ignore[arg-type]
        value = getattr(record, field.name)
        name = f"{type(record).__name__}.{field.name}"
        if isinstance(value, dict):
            staged[field.name] = {seat: column(f"{name}.{seat}", expression) for seat, expression in value.items()}
        else:
            staged[field.name] = column(name, value)
    made: Any = type(record)
    return columns, made(**staged)


def needed(columns: Iterable[pl.Expr], *users: Iterable[pl.Expr]) -> list[pl.Expr]:
    """Keep the columns that others look at.

    >>> kept = needed([pl.lit(1).alias("one"), pl.lit(2).alias("two")], [pl.col("two") + 1])
    >>> [column.meta.output_name() for column in kept]
    ['two']
    """
    looked_at = {name for expressions in users for one in expressions for name in one.meta.root_names()}
    return [column for column in columns if column.meta.output_name() in looked_at]
