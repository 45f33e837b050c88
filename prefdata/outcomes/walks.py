"""What a walk reads and writes, whatever the game: numbered deals in, sheets and a ledger out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from prefdata.errors import ScoringError
from prefdata.outcomes.arrays import Array, read_only
from prefdata.outcomes.numbering import OutcomeBook
from prefdata.tables import adjusted_column

__all__ = ["NumberedPart", "Written", "adjustment_arrays", "walk_in_threads"]

_DEALS_A_THREAD = 100_000

_MOST_ADJUSTMENTS = 2**29
"""Adjustments of a part below which no walk leaves Int64.

One has less than 2^31 points, so that these bring less than 2^60 to a column, and four columns, which a walk adds up,
stay below 2^62.  A deal writes less than 2^31 in a column as its entry, and as help or surplus less than 2^31 times
40,000, what a bullet point brings at most: 65,535 deals, of which no pulka has more, less than 2^62.3.  A column that
has both is below 2^63 - 1; four bullets, which get help and surplus in points only, are as well.
"""


@dataclass(frozen=True)
class NumberedPart:
    """Pulkas with their deals, each of which is known by the number of its outcome.

    Attributes
    ----------
    pulkas
        The pulkas table, in order.
    numbers
        int32 per deal: number of its outcome in `book`.
    starts
        int64 per pulka and one more: its first deal.
    adjustments
        The adjustments table, in order.
    book
        The outcomes.
    """

    pulkas: pl.DataFrame
    numbers: Array
    starts: Array
    adjustments: pl.DataFrame
    book: OutcomeBook

    @property
    def deals_of_pulka(self) -> Array:
        """int64 per pulka: how many deals it has."""
        return np.diff(self.starts)


@dataclass(frozen=True)
class Written:
    """What a walk writes; columns of absent seats hold zeros, as do pulkas set aside.

    Attributes
    ----------
    sheets
        int64, the game's `entries` and `states` x pulkas.
    closed, deals_scored, status
        Per pulka: whether it ended, how many of its deals counted, and 0 if it could be written; else a number that the
        game's `refusals` explain.  Pulkas with a status are passed over.
    ledger, scored
        int32, the game's `entries` and `marks` x deals, and bool per deal; empty where no ledger was asked for.
    """

    sheets: Array
    closed: Array
    deals_scored: Array
    status: Array
    ledger: Array
    scored: Array


def adjustment_arrays(part: NumberedPart, columns: Sequence[str]) -> tuple[Array, Array, Array, Array]:
    """Give the adjustments of a part as a kernel reads them.

    Returns
    -------
    tuple
        int64 each: per pulka and one more the first of its adjustments; per adjustment the deal after which it is
        written, its place among `columns` (-1 where it has none), and its points.
    """
    pulkas = part.pulkas
    if part.adjustments.height >= _MOST_ADJUSTMENTS:
        raise ScoringError(
            f"a part has {part.adjustments.height} adjustments, and {_MOST_ADJUSTMENTS} are too many to be added up",
            hint="Divide the archive into more parts.",
        )
    if part.adjustments.is_empty():
        none = read_only(np.zeros(0, np.int64))
        return np.zeros(pulkas.height + 1, np.int64), none, none, none
    place = adjusted_column().replace_strict(
        list(columns), list(range(len(columns))), default=-1, return_dtype=pl.Int64
    )
    adjustments = part.adjustments.with_columns(column=place)
    starts = adjustments["pulka"].search_sorted(pulkas["pulka"], side="left").to_numpy().astype(np.int64)
    return (
        np.append(starts, adjustments.height),
        read_only(adjustments["deal"].cast(pl.Int64).to_numpy()),
        read_only(adjustments["column"].to_numpy()),
        read_only(adjustments["points"].cast(pl.Int64).to_numpy()),
    )


def walk_in_threads(kernel: Any, pulkas: Array, deals: int, *arguments: Any) -> None:
    """Run a compiled walk over the pulkas with these indices, ranges of them in threads if there are many deals."""
    if not len(pulkas):
        return
    threads = min(os.cpu_count() or 1, 1 + deals // _DEALS_A_THREAD)
    if threads == 1:
        kernel(pulkas, *arguments)
        return
    with ThreadPoolExecutor(threads) as pool:
        tasks = [pool.submit(kernel, share, *arguments) for share in np.array_split(pulkas, threads)]
    for task in tasks:
        task.result()
