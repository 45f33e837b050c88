"""How well conventions fit recorded sheets."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from prefdata.conventions import Convention
from prefdata.errors import ScoringError
from prefdata.explain.beside import Beside
from prefdata.outcomes.arrays import Array
from prefdata.scoring.scorer import walk_part

__all__ = ["Fit", "Fits"]

_REMEMBERED = 40
"""Conventions whose entries a book keeps at a time; what is worked out from them stays."""

_Tell = Callable[[int], None]


@dataclass(frozen=True, eq=False)
class Fit:
    """How well one convention fits.

    Attributes
    ----------
    convention
        The convention.
    is_different
        For each pulka, whether its sheet differs from the recorded one, or cannot be written at all.
    columns
        How many entries differ, over all pulkas.
    points
        By how much they differ, over all of them.
    sheets
        Stands for everything that was written: equal for conventions that write the same.
    """

    convention: Convention
    is_different: Array
    columns: int
    points: float
    sheets: bytes

    @property
    def pulkas(self) -> int:
        """How many pulkas differ."""
        return int(np.count_nonzero(self.is_different))

    def closeness(self) -> tuple[int, int, float]:
        """Compare by pulkas that differ, then by entries, then by points; less is closer."""
        return self.pulkas, self.columns, self.points


class Fits:
    """Scores recorded pulkas under one convention after the other, each once.

    Attributes
    ----------
    beside
        The recorded sheets beside their deals.
    found
        The fits so far, by convention.
    """

    def __init__(self, beside: Beside, tell: _Tell | None = None) -> None:
        self.beside = beside
        self.found: dict[Convention, Fit] = {}
        self._tell = tell
        self._everything = np.arange(len(beside.sheets))

    def fit(self, convention: Convention) -> Fit:
        """Tell how well a convention fits."""
        if convention not in self.found:
            self.found[convention] = self._fit(convention, *self._written(convention))
            if self._tell is not None:
                self._tell(len(self.found))
        return self.found[convention]

    def best(self, conventions: Iterable[Convention]) -> Fit:
        """Give the closest of some conventions, the first of equal ones."""
        return min(map(self.fit, conventions), key=Fit.closeness)

    def steps(self, convention: Convention, further: Convention) -> Iterator[int]:
        """Estimate how often the way from one convention to another must be gone to meet what was recorded.

        Where the way changes an entry by 2, and the recorded one is 6 more, it is three times; the numbers of times
        that most entries ask for come first.
        """
        (here, _), (there, _) = self._written(convention), self._written(further)
        way, missing = there - here, self.beside.recorded - here
        asks = self.beside.known & (way != 0) & (missing != 0)
        times = missing[asks] / way[asks]
        whole, counts = np.unique(times[times % 1 == 0], return_counts=True)
        yield from map(int, whole[np.argsort(-counts, kind="stable")])

    def _written(self, convention: Convention) -> tuple[Array, Array]:
        """Give what a convention writes, in the form of the recorded sheets, and the status of each pulka."""
        if len(self.found) % _REMEMBERED == _REMEMBERED - 1:
            self.beside.tidy.book.forget()
        try:
            scored = walk_part(self.beside.tidy, convention)
        except ScoringError:  # a number of the convention is too large for the ledger
            return np.zeros_like(self.beside.recorded), np.ones(len(self.beside.sheets), np.int8)
        return self.beside.of_walk(scored), scored.status

    def missing(self, convention: Convention) -> Array:
        """Tell what recorded entries have more than written ones; 1 for each of a pulka that cannot be written."""
        entries, status = self._written(convention)
        return self._missing(entries, status != 0)

    def _missing(self, entries: Array, is_unwritten: Array) -> Array:
        known = self.beside.known
        missing: Array = np.where(known, self.beside.recorded - entries, 0)
        missing[is_unwritten] = known[is_unwritten]
        return missing

    def _fit(self, convention: Convention, entries: Array, status: Array) -> Fit:
        is_unwritten = status != 0
        missing = self._missing(entries, is_unwritten)
        written = np.where(self.beside.known & ~is_unwritten[:, None], entries, np.nan)
        return Fit(
            convention=convention,
            is_different=(missing != 0).any(axis=1),
            columns=int(np.count_nonzero(missing)),
            points=float(np.abs(missing).sum()),
            sheets=_stamp(written, is_unwritten),
        )


def _stamp(*arrays: Any) -> bytes:
    """Make a short text that stands for arrays."""
    stamp = hashlib.sha256()
    for array in arrays:
        stamp.update(np.ascontiguousarray(array).tobytes())
    return stamp.digest()
