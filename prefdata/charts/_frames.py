"""What goes into a chart: small eager frames of plain columns."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import polars as pl

from prefdata.errors import ChartError

__all__ = ["MOST_ROWS", "for_chart", "said"]

MOST_ROWS = 5000
"""Rows that Altair takes."""


def for_chart(frame: pl.DataFrame) -> pl.DataFrame:
    """Make a frame fit for Altair: texts and plain numbers, no NaN.

    Raises
    ------
    ChartError
        If it has more than 5,000 rows, or a column's name cannot be spelt in Vega-Lite.

    Examples
    --------
    >>> for_chart(pl.DataFrame({"share": [0.5, float("nan")], "seat": ["a", "b"]})).rows()
    [(0.5, 'a'), (None, 'b')]
    """
    if frame.height > MOST_ROWS:
        raise ChartError(
            f"a chart of {frame.height} rows is too large; Altair takes {MOST_ROWS}",
            hint="Take fewer conventions or players, or aggregate before drawing.",
        )
    wrong = [name for name in frame.columns if re.search(r"[.:\[\]]", name)]
    if wrong:
        raise ChartError(f"columns {', '.join(wrong)} cannot be drawn", hint="Rename them without . : [ and ].")
    kinds = pl.selectors
    return frame.with_columns(
        kinds.enum().cast(pl.String),
        kinds.categorical().cast(pl.String),
        kinds.integer().cast(pl.Int64),
        kinds.decimal().cast(pl.Float64),
    ).with_columns(kinds.float().fill_nan(None))


def said(values: pl.Series, say: Callable[[Any], str]) -> pl.Series:
    """Put the few values of a chart into words.

    >>> said(pl.Series([1.5, -2.0]), lambda value: f"{value:+.1f}").to_list()
    ['+1.5', '-2.0']
    """
    return pl.Series([say(value) for value in values], dtype=pl.String)
