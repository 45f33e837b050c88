"""Texts that a spreadsheet would take for a formula, written so that it takes them for texts, and read back."""

from __future__ import annotations

import polars as pl

__all__ = ["guarded", "unguarded"]

_FORMULA = r"^('*[=+\-@\t\r])"
"""How a formula begins, or a text that has been guarded already."""

_GUARDED = r"^'('*[=+\-@\t\r])"


def guarded(text: pl.Expr) -> pl.Expr:
    """Put an apostrophe before what would begin a formula, which spreadsheets show as text.

    >>> names = pl.DataFrame({"name": ["Anna", "=1+1", "'=x", "-"]})
    >>> names.select(guarded(pl.col("name"))).to_series().to_list()
    ['Anna', "'=1+1", "''=x", "'-"]
    >>> names.select(unguarded(guarded(pl.col("name")))).equals(names)
    True
    """
    return text.str.replace(_FORMULA, "'${1}")


def unguarded(text: pl.Expr) -> pl.Expr:
    """Take the apostrophe away that `guarded` has put there."""
    return text.str.replace(_GUARDED, "${1}")
