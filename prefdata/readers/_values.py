"""Numbers as people and spreadsheets write them."""

from __future__ import annotations

import polars as pl

from prefdata.vocabulary import folded

__all__ = ["as_number"]

_NUMBER = r"^[+-]?\d+([.,]\d+)?$"


def as_number(text: pl.Expr) -> pl.Expr:
    """Read a number: any minus sign, a decimal comma, blanks between thousands; null where it is none (Float64).

    >>> pl.DataFrame({"text": ["−6,5", "1 000", "+7", "x"]}).select(as_number(pl.col("text"))).to_series().to_list()
    [-6.5, 1000.0, 7.0, None]
    """
    plain = folded(text).str.replace_all(" ", "")
    number = pl.when(plain.str.contains(_NUMBER)).then(plain)
    return number.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
