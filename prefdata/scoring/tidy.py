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

import numpy as np
import polars as pl

from prefdata.archives import Archive, Part
from prefdata.failures import Failures, failure_rows, shown_values
from prefdata.game import Game
from prefdata.outcomes.arrays import Array, read_only
from prefdata.outcomes.numbering import OutcomeBook, find_pulkas
from prefdata.outcomes.walks import NumberedPart

__all__ = ["TidyPart", "set_aside", "tidy_part", "tidy_parts"]

_PARTS_AHEAD = 2
"""Parts that are read while another one is scored: what one thread computes alone fills the gaps of the other."""


@dataclass(frozen=True)
class TidyPart(NumberedPart):
    """A part that keeps all rules, ready to be walked.

    Attributes
    ----------
    failures
        What was set aside.
    game
        The game that the deals are of.
    """

    failures: Failures
    game: Game

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
    rows = failure_rows(tidy.pulkas.filter(pl.Series(chosen)), rule, "pulkas", reason, shown_values([column]))
    lost = tidy.only(chosen)
    return Failures(rows, deals=len(lost.numbers), adjustments=lost.adjustments.height, pulka_rows=rows.height)


def tidy_parts(archive: Archive, book: OutcomeBook | None = None) -> Iterator[TidyPart]:
    """Read an archive part by part, setting aside what breaks a rule; the next parts are read meanwhile."""
    shared = archive.game.book() if book is None else book
    left = iter(archive.parts)
    with ThreadPoolExecutor(_PARTS_AHEAD) as readers:
        waiting = deque(readers.submit(tidy_part, archive, part, shared) for part in islice(left, _PARTS_AHEAD))
        while waiting:
            tidy = waiting.popleft().result()
            waiting.extend(readers.submit(tidy_part, archive, part, shared) for part in islice(left, 1))
            yield tidy


def tidy_part(archive: Archive, part: Part, book: OutcomeBook) -> TidyPart:
    """Read a part of an archive, setting aside what breaks a rule."""
    tidy = _read(archive, part, book, Failures.gather([]))
    if tidy is not None:
        return tidy
    failures = archive.check_part(part)
    tidy = _read(archive, part.without(failures.pulkas), book, failures)
    if tidy is None:
        raise AssertionError(f"{part.name} breaks a rule that the check does not know")
    return tidy


def _read(archive: Archive, part: Part, book: OutcomeBook, failures: Failures) -> TidyPart | None:
    """Read a part; None if any row breaks a rule."""
    layout = part.game.layout
    key = pl.col("outcome").cast(pl.UInt64) + layout.code_mark if part.has_codes else layout.pack()
    deals = part.deals.read(part.deals.typed().select("pulka", "deal", key=key))
    pulkas = part.pulkas.read()
    keys = [pulkas["pulka"], pulkas["players"], *deals.get_columns()]
    if any(column.null_count() for column in keys):
        return None
    numbers = book.number(deals["key"].to_numpy())
    starts = np.empty(pulkas.height + 1, np.int64)
    key_column, players_column, pulka_column, deal_column, _ = (read_only(column.to_numpy()) for column in keys)
    if not find_pulkas(pulka_column, deal_column, numbers, book.players, key_column, players_column, starts):
        return None
    deals_of_pulka = pulkas.select("pulka", deals_of_pulka=pl.Series(np.diff(starts)))
    if not archive.keeps_row_rules(part, pulkas, deals_of_pulka):
        return None
    adjustments = part.adjustments.read() if part.adjustments else pl.DataFrame()
    if adjustments.height:
        adjustments = adjustments.sort("pulka", "deal", maintain_order=True)
    return TidyPart(pulkas, numbers, starts, adjustments, book, failures, part.game)
