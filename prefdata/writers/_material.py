"""What is written for others: chosen pulkas, with all that was worked out from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from prefdata.archives import Archive
from prefdata.conventions import Convention
from prefdata.game import Game
from prefdata.language import Words

__all__ = ["Format", "Material", "Scored"]


@dataclass(frozen=True)
class Scored:
    """What was worked out from pulkas.

    Attributes
    ----------
    ledger, sheets, settlements
        The tables, as `prefdata.ledger`, `prefdata.sheets` and `prefdata.settle` give them.
    wide
        The row of a wide settlement of each pulka, in twelfths of a whist.
    conventions
        The convention of each pulka.
    """

    ledger: pl.DataFrame
    sheets: pl.DataFrame
    settlements: pl.DataFrame
    wide: Mapping[int, Mapping[str, Any]]
    conventions: Mapping[int, Convention]


@dataclass(frozen=True)
class Material:
    """Pulkas to be written.

    Attributes
    ----------
    archive
        The pulkas with their deals, all of which keep the rules.
    score
        Works out their sheets and settlements; called where a format has a use for them.
    words
        The words of the language.
    """

    archive: Archive
    score: Callable[[], Scored]
    words: Words

    @property
    def game(self) -> Game:
        """The game that the deals are of."""
        return self.archive.game

    @cached_property
    def scored(self) -> Scored:
        """What was worked out from the pulkas."""
        return self.score()


@dataclass(frozen=True)
class Format:
    """A format of files.

    Attributes
    ----------
    name, title
        Its name for options, which ends the names of its files too, and in words.
    write
        Writes pulkas to a new file; the last argument is the name that people will know it by.
    """

    name: str
    title: str
    write: Callable[[Material, Path, Path], None]
