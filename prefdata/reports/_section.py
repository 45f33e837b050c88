"""A section of a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from prefdata.reports._words import number

__all__ = ["Section"]


@dataclass(frozen=True)
class Section:
    """A part of a report: a small table, sentences that its figures support, perhaps a picture.

    Attributes
    ----------
    title
        Says what is seen; may be empty where the report's own title does.
    frame
        The table, few rows and columns of plain values; an empty one is not shown.
    sentences
        What the figures say.
    decimals
        Decimals of numbers that are not whole; None writes as many as tell, two or three.
    shares
        Columns that are shares from 0 to 1, written as percentages with one decimal.
    labels
        Words for columns; the others are called by their names, with spaces in place of underscores.
    picture
        An Altair chart, or whatever else has its ``save``; pages show it.

    Examples
    --------
    >>> wins = Section("Wins", pl.DataFrame({"won_share": [0.5, None]}), shares=("won_share",))
    >>> wins.label("won_share"), wins.cells("won_share")
    ('won share', ['50.0%', '-'])
    """

    title: str = ""
    frame: pl.DataFrame | None = None
    sentences: tuple[str, ...] = ()
    decimals: int | None = 1
    shares: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    picture: Any = None

    @property
    def table(self) -> pl.DataFrame:
        """The table, empty where there is none."""
        return pl.DataFrame() if self.frame is None else self.frame

    def label(self, column: str) -> str:
        """Give the words for a column."""
        return self.labels.get(column, column.replace("_", " "))

    def cells(self, column: str) -> list[str]:
        """Write the cells of a column."""
        return [self._cell(value, is_share=column in self.shares) for value in self.table[column]]

    def _cell(self, value: Any, *, is_share: bool) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        if is_share and value is not None:
            return f"{number(100 * value, 1)}%"
        return number(value, self.decimals) if value is None or isinstance(value, int | float) else str(value)
