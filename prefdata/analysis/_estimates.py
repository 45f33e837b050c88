"""Shares and means with their uncertainty, in the one way that all player tables use.

A share has Wilson's 95 % interval.  A mean over pulkas has the normal one (mean ± 1.96 standard errors) from `ENOUGH`
pulkas on; below that expanded percentiles of a seeded bootstrap over the pulkas (Hesterberg 2015: taken further out by
Student's t, since plain ones are too narrow for few pulkas); and below `FEWEST` none.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl

from prefdata.vocabulary import TWELFTHS

__all__ = ["ENOUGH", "FEWEST", "Z", "means_by", "share", "standard_error", "wilson"]

Z = 1.959963984540054
"""Standard errors on each side of a 95 % interval."""

ENOUGH = 30
"""Pulkas from which on the normal approximation is used."""

FEWEST = 5
"""Pulkas below which no interval is given."""

_RESAMPLES = 4000
_SEED = 1
_ROWS_AT_ONCE = 1000
_STUDENT = (
    *(2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120),
    *(2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048),
)
"""Student's t of 95 % intervals for `FEWEST` ... pulkas, that is from 4 degrees of freedom on."""


def wilson(successes: pl.Expr, trials: pl.Expr) -> tuple[pl.Expr, pl.Expr]:
    """Give both ends of Wilson's 95 % interval of a share; null where nothing was tried.

    Examples
    --------
    >>> low, high = wilson(pl.col("made"), pl.col("tried"))
    >>> frame = pl.DataFrame({"made": [8, 0], "tried": [10, 0]})
    >>> frame.select(low=low.round(4), high=high.round(4)).rows()
    [(0.4902, 0.9433), (None, None)]
    """
    n = trials.cast(pl.Float64)
    observed = successes / n
    spread = Z * (observed * (1 - observed) / n + Z**2 / (4 * n**2)).sqrt()
    centre, scale = observed + Z**2 / (2 * n), 1 + Z**2 / n

    def end(value: pl.Expr) -> pl.Expr:
        return pl.when(trials > 0).then((value / scale).clip(0, 1))

    return end(centre - spread), end(centre + spread)


def share(name: str, successes: str, trials: str) -> list[pl.Expr]:
    """Give a share of two columns of counts with its interval: ``name``, ``name_low``, ``name_high``.

    >>> pl.DataFrame({"made": [1], "tried": [4]}).select(share("made_share", "made", "tried")).columns
    ['made_share', 'made_share_low', 'made_share_high']
    """
    low, high = wilson(pl.col(successes), pl.col(trials))
    observed = pl.when(pl.col(trials) > 0).then(pl.col(successes) / pl.col(trials))
    return [observed.alias(name), low.alias(f"{name}_low"), high.alias(f"{name}_high")]


def standard_error(count: str, total: str, squares: str, unit: int = 1) -> pl.Expr:
    """Give the standard error of a mean from a count, a sum and a sum of squares; null for a single value.

    >>> frame = pl.DataFrame({"n": [2, 1], "sum": [4, 3], "squares": [10, 9]})
    >>> frame.select(standard_error("n", "sum", "squares")).to_series().to_list()
    [1.0, None]
    """
    n = pl.col(count).cast(pl.Float64)
    around = (pl.col(squares) - pl.col(total).cast(pl.Float64) ** 2 / n).clip(lower_bound=0)
    return pl.when(pl.col(count) > 1).then((around / (n - 1) / n).sqrt() / unit)


def means_by(frame: pl.DataFrame, by: Sequence[str], twelfths: str) -> pl.DataFrame:
    """Average a result in twelfths of a whist over pulkas, by groups.

    Parameters
    ----------
    frame
        One row a pulka and group, in an order that does not change from run to run.
    by
        Columns of the groups.
    twelfths
        Column of the results, Int64.

    Returns
    -------
    pl.DataFrame
        The groups, `pulkas`, `result_twelfths` (their sum), `result`, `mean`, `standard_error`, `low`, `high` (whists)
        and `interval` (``normal``, ``bootstrap``, ``too few``).

    Examples
    --------
    >>> results = pl.DataFrame({"player": ["A", "A", "B"], "twelfths": [12, 36, -48]})
    >>> means_by(results, ["player"], "twelfths").sort("player").select("player", "mean", "interval").rows()
    [('A', 2.0, 'too few'), ('B', -4.0, 'too few')]
    """
    value = pl.col(twelfths).cast(pl.Int64)
    sums = frame.group_by(by).agg(
        pulkas=pl.len().cast(pl.Int64), result_twelfths=value.sum(), squares=(value.cast(pl.Float64) ** 2).sum()
    )
    drawn = _bootstrap(frame, by, twelfths)
    error = pl.col("standard_error")
    return (
        sums.join(drawn, on=by, how="left", nulls_equal=True, maintain_order="left")
        .with_columns(
            result=pl.col("result_twelfths") / TWELFTHS,
            mean=pl.col("result_twelfths") / pl.col("pulkas") / TWELFTHS,
            standard_error=standard_error("pulkas", "result_twelfths", "squares", TWELFTHS),
            interval=pl.when(pl.col("pulkas") >= ENOUGH)
            .then(pl.lit("normal"))
            .when(pl.col("pulkas") >= FEWEST)
            .then(pl.lit("bootstrap"))
            .otherwise(pl.lit("too few")),
        )
        .with_columns(
            low=pl.when(pl.col("pulkas") >= ENOUGH).then(pl.col("mean") - Z * error).otherwise("drawn_low"),
            high=pl.when(pl.col("pulkas") >= ENOUGH).then(pl.col("mean") + Z * error).otherwise("drawn_high"),
        )
        .select(*by, "pulkas", "result_twelfths", "result", "mean", "standard_error", "low", "high", "interval")
    )


def _bootstrap(frame: pl.DataFrame, by: Sequence[str], twelfths: str) -> pl.DataFrame:
    """Bootstrap the mean of every small group: the groups, `drawn_low`, `drawn_high` in whists."""
    size = pl.len().over(by)
    small = frame.filter((size >= FEWEST) & (size < ENOUGH))
    lists = small.group_by(by, maintain_order=True).agg(values=pl.col(twelfths).cast(pl.Int64))
    frames = []
    for group in lists.with_columns(size=pl.col("values").list.len()).partition_by("size"):
        pulkas = int(group["size"][0])
        for piece in group.iter_slices(_ROWS_AT_ONCE):
            values = piece["values"].list.to_array(pulkas).to_numpy().astype(np.float64)
            low, high = _percentiles(values)
            frames.append(piece.select(by).with_columns(drawn_low=pl.Series(low), drawn_high=pl.Series(high)))
    empty = small.select(*by, drawn_low=pl.lit(0.0), drawn_high=pl.lit(0.0)).clear()
    return pl.concat([empty, *frames])


def _percentiles(values: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Draw the pulkas of groups of one size again and again; the same draws serve all groups."""
    pulkas = values.shape[1]
    drawn = np.random.default_rng([_SEED, pulkas]).integers(pulkas, size=(_RESAMPLES, pulkas))
    times = np.zeros((_RESAMPLES, pulkas))
    np.add.at(times, (np.arange(_RESAMPLES)[:, None], drawn), 1)
    tail = NormalDist().cdf(-((pulkas / (pulkas - 1)) ** 0.5) * _STUDENT[pulkas - FEWEST])
    low, high = np.quantile(values @ times.T, [tail, 1 - tail], axis=1)
    return low / pulkas / TWELFTHS, high / pulkas / TWELFTHS
