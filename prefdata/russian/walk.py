"""Walking the pulkas of a part under a convention: tables of each size through the kernel compiled for them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import polars as pl

from prefdata.conventions import Convention
from prefdata.game import Refusal
from prefdata.outcomes.arrays import Array, read_only
from prefdata.outcomes.walks import NumberedPart, Written, adjustment_arrays, walk_in_threads
from prefdata.russian import kernel
from prefdata.russian.book import RussianBook
from prefdata.tables import limit_of_all, limit_of_each
from prefdata.vocabulary import PLAYER_COUNTS, entry_columns

__all__ = ["REFUSALS", "DealCounts", "walk_pulkas"]

_ODD_LIMIT = 4
"""Status of a pulka whose limit leads to halves of mountain points, beside those of the kernel."""

_UNEVEN_SUM = 8
"""Status of a pulka to an agreed sum of which no bullet has a whole share."""

REFUSALS: dict[int, Refusal] = {
    kernel.HALF_POINTS: lambda convention: (
        "bullet_limit",
        f"{convention.name} would write part of a mountain point",
    ),
    kernel.OVERFLOW: lambda convention: ("bullet_limit", "an entry is too large for the ledger"),
    _UNEVEN_SUM: lambda convention: (
        "bullet_total",
        f"{convention.name} closes each bullet by itself: bullet_total must divide by the number of players",
    ),
    _ODD_LIMIT: lambda convention: (
        "bullet_limit",
        f"{convention.name} would write half a mountain point: bullet_limit must be even",
    ),
}
"""Reasons of the statuses of pulkas."""


def walk_pulkas(part: NumberedPart, convention: Convention, written: Written) -> None:
    """Walk all pulkas of a part that have no status yet."""
    for players in PLAYER_COUNTS:
        _walk_tables(part, convention, players, written)


def _walk_tables(part: NumberedPart, convention: Convention, players: int, written: Written) -> None:
    """Walk the pulkas with one number of players."""
    mine = _tables_of(part, players) & (written.status == 0)
    limits, _ = _limits(part, convention)
    written.status[mine & (limits < 1)] = _UNEVEN_SUM
    in_halves = convention.exchange_rate(players).denominator == 2
    if in_halves and convention.close == "each" and convention.surplus == "mountain":
        written.status[mine & (limits % 2 == 1)] = _ODD_LIMIT
    every = entry_columns()
    columns = np.array([every.index(name) for name in entry_columns(players)])
    out = kernel.Sheets(
        sheets=written.sheets,
        closed=written.closed,
        deals_scored=written.deals_scored,
        status=written.status,
        ledger=written.ledger[: len(every)],
        help=written.ledger[len(every) :],
        scored=written.scored,
        columns=columns,
        pair_columns=columns[2 * players :] - 2 * PLAYER_COUNTS[-1],
    )
    walk_in_threads(
        kernel.walk_for(players),
        np.flatnonzero(mine & (written.status == 0)),
        len(part.numbers),
        _walkable(part, convention, players),
        _book(part).entries(convention, players),
        _closing_rules(convention, players),
        out,
    )


def _tables_of(part: NumberedPart, players: int) -> Array:
    tables: Array = part.pulkas["players"].to_numpy() == players
    return tables


def _book(part: NumberedPart) -> RussianBook:
    assert isinstance(part.book, RussianBook)
    return part.book


def _limits(part: NumberedPart, convention: Convention) -> tuple[Array, Array]:
    """Give L and the sum of bullets at which a pulka ends, for each pulka; 0 where bullets have no L that is whole."""
    if convention.close == "total":
        totals = part.pulkas.select(limit_of_all()).to_series()
        return read_only(np.ones(len(totals), np.int64)), read_only(totals.to_numpy())
    limits = part.pulkas.select(limit_of_each().fill_null(0)).to_series()
    return read_only(limits.to_numpy()), read_only((limits * part.pulkas["players"]).to_numpy())


def _walkable(part: NumberedPart, convention: Convention, players: int) -> kernel.Part:
    limits, totals = _limits(part, convention)
    return kernel.Part(part.starts, limits, totals, part.numbers, *adjustment_arrays(part, entry_columns(players)))


def _closing_rules(convention: Convention, players: int) -> kernel.ClosingRules:
    """Put the switches of rules §6 into numbers, for a number of players."""
    rate = convention.exchange_rate(players)
    numerator, denominator = {
        "mountain": (rate.numerator, rate.denominator),
        "full": (1, 1),
        "whists": (convention.bullet_weight, players - 1),
        "lost": (0, 1),
    }[convention.surplus]
    return kernel.ClosingRules(
        close_total=convention.close == "total",
        made_first_mountain=convention.made_first == "mountain",
        help_rate=convention.help_rate,
        help_to=("largest", "smallest", "clockwise").index(convention.help_to),
        surplus={"mountain": 0, "full": 0, "lost": 1, "whists": 2}[convention.surplus],
        surplus_numerator=numerator,
        surplus_denominator=denominator,
        ladder_length=len(convention.ladder),
    )


class DealCounts:
    """How often each different deal was scored under one convention, added up part by part."""

    def __init__(self, convention: Convention) -> None:
        self.convention = convention
        self._counts: dict[int, Array] = {}
        self._book = RussianBook()

    def add(self, part: NumberedPart, written: Written) -> None:
        """Count the scored deals of a part; all parts share one book, of which later ones know more."""
        self._book = _book(part)
        for players in PLAYER_COUNTS:
            mine = np.flatnonzero(_tables_of(part, players) & (written.status == 0))
            if not len(mine):
                continue
            entries = self._book.entries(self.convention, players)
            counts = np.zeros(len(entries.rows), np.int64)
            ladder_length = len(self.convention.ladder)
            kernel.count_rows(
                mine, _walkable(part, self.convention, players), entries, written.deals_scored, ladder_length, counts
            )
            before = self._counts.get(players, np.zeros(0, np.int64))
            counts[: len(before)] += before
            self._counts[players] = counts

    def deals(self) -> Iterable[tuple[int, pl.DataFrame]]:
        """Go through the numbers of players; each with its different deals, their entries and `count` (Int64)."""
        for players, counts in sorted(self._counts.items()):
            rows = self._book.rows(self.convention, players).head(len(counts))
            yield players, rows.with_columns(count=pl.Series(counts)).filter(pl.col("count") > 0)
