"""Walking the pulkas of a part under a convention of the Balkan game."""

from __future__ import annotations

import numpy as np
import polars as pl

from prefdata.balkan import kernel
from prefdata.balkan.book import BalkanBook
from prefdata.balkan.vocabulary import entry_columns
from prefdata.conventions import Convention
from prefdata.game import Refusal
from prefdata.outcomes.arrays import read_only
from prefdata.outcomes.walks import NumberedPart, Written, adjustment_arrays, walk_in_threads
from prefdata.tables import limit_of_each

__all__ = ["REFUSALS", "walk_pulkas"]

_NO_REFE_MAX = 1
"""Status of a pulka to a limit for which the convention names no number of refes."""

_UNEVEN_SUM = 2
"""Status of a pulka to an agreed sum of which no contract column has a whole share."""

REFUSALS: dict[int, Refusal] = {
    _UNEVEN_SUM: lambda convention: (
        "bullet_total",
        "every contract column begins at its share of the sum: bullet_total must divide by the number of players",
    ),
    _NO_REFE_MAX: lambda convention: (
        "bullet_limit",
        f"{convention.name} does not say how many refes a pulka to this limit has; set refe_max",
    ),
}
"""Reasons of the statuses of pulkas."""


def walk_pulkas(part: NumberedPart, convention: Convention, written: Written) -> None:
    """Walk all pulkas of a part that have no status yet."""
    most = convention.refe_max
    limits = part.pulkas.select(limit_of_each().fill_null(0)).to_series()
    written.status[(limits == 0).to_numpy() & (written.status == 0)] = _UNEVEN_SUM
    if isinstance(most, int):
        refe_max = np.full(len(limits), most)
    else:
        refe_max = limits.replace_strict(dict(most), default=-1, return_dtype=pl.Int64).to_numpy()
        written.status[(refe_max < 0) & (written.status == 0)] = _NO_REFE_MAX
    assert isinstance(part.book, BalkanBook)
    walk_in_threads(
        kernel.walk_balkan,
        np.flatnonzero(written.status == 0),
        len(part.numbers),
        kernel.Pulkas(
            part.starts,
            read_only(limits.to_numpy()),
            read_only(refe_max),
            part.numbers,
            *adjustment_arrays(part, entry_columns()),
        ),
        part.book.entries(convention),
        kernel.Written(written.sheets, written.closed, written.deals_scored, written.ledger, written.scored),
    )
