"""Reading the parts of an archive: deals are numbered and checked, and broken pulkas set aside.

A part that keeps all rules is recognised in one pass.  Only a part that does not is looked at for reasons; its broken
pulkas are set aside and the rest is scored.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from prefdata.balkan.book import BalkanBook
from prefdata.failures import FAILURE_SCHEMA, Failures
from prefdata.games import Game
from prefdata.numbering import OutcomeNumbers, find_pulkas
from prefdata.scoring.book import OutcomeBook
from prefdata.scoring.packing import CODE_MARK
from prefdata.vocabulary import BALKAN, RUSSIAN

if TYPE_CHECKING:
    from prefdata.archives import Archive, Part

__all__ = ["TidyPart", "new_book", "refuse_no_archive", "set_aside", "tidy_part", "tidy_parts"]

Array = np.ndarray[Any, Any]

_BOOKS: dict[str, type[OutcomeNumbers]] = {RUSSIAN: OutcomeBook, BALKAN: BalkanBook}

_PARTS_AHEAD = 2
"""Parts that are read while another one is scored: what one thread computes alone fills the gaps of the other."""


@dataclass(frozen=True)
class TidyPart:
    """A part that keeps all rules, ready to be walked.

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
    failures
        What was set aside.
    game
        The game that the deals are of.
    """

    pulkas: pl.DataFrame
    numbers: Array
    starts: Array
    adjustments: pl.DataFrame
    book: OutcomeNumbers
    failures: Failures
    game: Game

    @property
    def deals_of_pulka(self) -> Array:
        """int64 per pulka: how many deals it has."""
        return np.diff(self.starts)

    def only(self, chosen: Array) -> TidyPart:
        """Keep some pulkas, by a bool for each; what was set aside is left behind."""
        pulkas = self.pulkas.filter(pl.Series(chosen))
        adjustments = self.adjustments
        if adjustments.height:
            adjustments = adjustments.filter(pl.col("pulka").is_in(pulkas["pulka"].implode()))
        return TidyPart(
            pulkas=pulkas,
            numbers=self.numbers[np.repeat(chosen, self.deals_of_pulka)],
            starts=np.concatenate([[0], np.cumsum(self.deals_of_pulka[chosen])]),
            adjustments=adjustments,
            book=self.book,
            failures=Failures.gather([]),
            game=self.game,
        )


def set_aside(tidy: TidyPart, chosen: Array, rule: str, column: str, reason: str) -> Failures:
    """Set whole pulkas of a part aside."""
    frame = tidy.pulkas.filter(pl.Series(chosen)).select(
        rule=pl.lit(rule),
        table=pl.lit("pulkas"),
        pulka="pulka",
        deal=pl.lit(None, dtype=pl.UInt16),
        value=pl.concat_str(pl.lit(f"{column}="), pl.col(column).cast(pl.String)),
        reason=pl.lit(reason),
        file=pl.lit(None, dtype=pl.String),
        row=pl.lit(None, dtype=pl.UInt32),
    )
    return Failures(frame.cast(FAILURE_SCHEMA), int(tidy.deals_of_pulka[chosen].sum()))


def new_book(game: Game) -> OutcomeNumbers:
    """Begin the book of outcomes of a game."""
    return _BOOKS[game.name]()


def refuse_no_archive(archive: object) -> None:
    """Refuse what is no archive, such as the path of one."""
    if not hasattr(archive, "parts"):
        raise TypeError(f"an archive is wanted, not {type(archive).__name__}; pref.open_archive(path) opens one")


def tidy_parts(archive: Archive, book: OutcomeNumbers | None = None) -> Iterator[TidyPart]:
    """Read an archive part by part, setting aside what breaks a rule; the next parts are read meanwhile."""
    refuse_no_archive(archive)
    shared = new_book(archive.game) if book is None else book
    left = iter(archive.parts)
    with ThreadPoolExecutor(_PARTS_AHEAD) as readers:
        waiting = deque(readers.submit(tidy_part, archive, part, shared) for part in islice(left, _PARTS_AHEAD))
        while waiting:
            tidy = waiting.popleft().result()
            waiting.extend(readers.submit(tidy_part, archive, part, shared) for part in islice(left, 1))
            yield tidy


def tidy_part(archive: Archive, part: Part, book: OutcomeNumbers) -> TidyPart:
    """Read a part of an archive, setting aside what breaks a rule."""
    tidy = _read(archive, part, book, Failures.gather([]))
    if tidy is not None:
        return tidy
    failures = archive.check_part(part)
    tidy = _read(archive, part.without(failures.pulkas), book, failures)
    if tidy is None:
        raise AssertionError(f"{part.name} breaks a rule that the check does not know")
    return tidy


def _read(archive: Archive, part: Part, book: OutcomeNumbers, failures: Failures) -> TidyPart | None:
    """Read a part; None if any row breaks a rule."""
    key = pl.col("outcome").cast(pl.UInt64) + CODE_MARK if part.has_codes else part.game.layout.pack()
    deals = part.deals.read(part.deals.typed().select("pulka", "deal", key=key))
    pulkas = part.pulkas.read()
    keys = [pulkas["pulka"], pulkas["players"], *deals.get_columns()]
    if any(column.null_count() for column in keys):
        return None
    numbers = book.number(deals["key"].to_numpy())
    starts = np.empty(pulkas.height + 1, np.int64)
    key_column, players_column, pulka_column, deal_column, _ = (column.to_numpy() for column in keys)
    if not find_pulkas(pulka_column, deal_column, numbers, book.players, key_column, players_column, starts):
        return None
    deals_of_pulka = pulkas.select("pulka", deals_of_pulka=pl.Series(np.diff(starts)))
    if not archive.keeps_row_rules(part, pulkas, deals_of_pulka):
        return None
    adjustments = part.adjustments.read() if part.adjustments else pl.DataFrame()
    if adjustments.height:
        adjustments = adjustments.sort("pulka", "deal", maintain_order=True)
    return TidyPart(pulkas, numbers, starts, adjustments, book, failures, part.game)
