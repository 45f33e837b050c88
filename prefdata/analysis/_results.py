"""Results of pulkas as standings and ratings take them: a row a pulka and player."""

from __future__ import annotations

import polars as pl

from prefdata.doors import AnyFrame, as_frame
from prefdata.errors import TableError

__all__ = ["as_results"]


def as_results(results: AnyFrame, result: str = "result", *, season: str | None = None) -> pl.DataFrame:
    """Take a frame of results.

    Parameters
    ----------
    results
        What was given.
    result, season
        Columns that it must have, beside `pulka` and `player`; the result a number.

    Raises
    ------
    TableError
        If it is no frame, lacks a column, or has a result that is no number.

    Examples
    --------
    >>> as_results(pl.LazyFrame({"pulka": [1], "player": ["A"], "result": [4]})).height
    1
    """
    frame = as_frame(results, "results", hint="prefdata.settle or prefdata.analysis.pulka_results gives results.")
    for column in ("pulka", "player", result, *([season] if season else [])):
        if column not in frame.columns:
            raise TableError(f"results have no column {column}", hint="They need pulka, player and a result.")
    if not frame[result].dtype.is_numeric():
        raise TableError(
            f"results: column {result} is {frame[result].dtype}, not numbers", hint="Name a column of whists."
        )
    return frame
