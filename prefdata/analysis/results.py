"""Results of pulkas as standings, ratings and charts take them: a row a pulka and player."""

from __future__ import annotations

import polars as pl

from prefdata.doors import AnyFrame, as_frame
from prefdata.errors import PrefdataError, TableError

__all__ = ["as_results"]


def as_results(
    results: AnyFrame,
    result: str = "result",
    *,
    season: str | None = None,
    error: type[PrefdataError] = TableError,
) -> pl.DataFrame:
    """Take a frame of results.

    Parameters
    ----------
    results
        What was given.
    result, season
        Columns that it must have, beside `pulka` and `player`; the result a number.

    error
        What is raised.

    Raises
    ------
    TableError
        If it is no frame, lacks a column, or has one of an impossible type.

    Examples
    --------
    >>> as_results(pl.LazyFrame({"pulka": [1], "player": ["A"], "result": [4]})).height
    1
    """
    frame = as_frame(results, "results", hint="prefdata.settle or prefdata.analysis.pulka_results gives results.")
    for column in ("pulka", "player", result, *([season] if season else [])):
        if column not in frame.columns:
            raise error(f"results have no column {column}", hint="They need pulka, player and a result.")
    for column, kind in frame.schema.items():
        is_text = isinstance(kind, pl.String | pl.Categorical | pl.Enum | pl.Null)
        is_day = isinstance(kind, pl.Date | pl.Datetime | pl.Null)
        fits = {"player": is_text, "played_on": is_day, result: kind.is_numeric(), "pulka": not kind.is_nested()}
        if not fits.get(column, True):
            wanted = {"player": "texts", "played_on": "days", result: "numbers"}.get(column, "keys")
            raise error(f"results: column {column} is {kind}, not {wanted}", hint="Cast it, or name another column.")
    if frame[result].dtype.is_float() and not frame[result].drop_nulls().is_finite().all():
        raise error(f"results: column {result} has a value that is no number", hint="Leave those rows out.")
    return frame
