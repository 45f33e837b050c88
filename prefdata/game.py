"""What a game brings, so that everything that is the same for all games can ask for what is not.

A game stands in a folder of its own, whose `GAME` is one of these; `prefdata.games` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import polars as pl

from prefdata.conventions import Convention
from prefdata.outcomes.keys import KeyLayout
from prefdata.outcomes.numbering import OutcomeBook
from prefdata.outcomes.walks import NumberedPart, Written
from prefdata.tables import Table
from prefdata.vocabulary import Frame

__all__ = ["Game", "Refusal", "Steps"]

Steps = dict[str, dict[str, pl.Expr]]
"""For each step of a settlement by hand, what it gives for each seat."""

Refusal = Callable[[Convention], tuple[str, str]]
"""Tells of a pulka that a convention cannot write the column which is in the way, and the reason in words."""


class DealEntries(Protocol):
    """Gives `pulka`, `deal` and the entries of every deal as it stands; its optional columns are filled."""

    def __call__(self, deals: Frame, convention: Convention) -> Frame:
        """Score a frame of deals."""


@dataclass(frozen=True, eq=False)
class Game:
    """One game.

    Attributes
    ----------
    name
        As `Convention.game` names it, and as its folder is named.
    own_columns
        Columns that only its deals table has, by which it is told from those of other games.
    deals, adjustments
        Its tables; pulkas are the same in every game.
    layout
        How a deal is packed into a key.
    encode, renew
        The expression that makes the stored outcome codes, if the game has such; and what gives codes that an earlier
        version stored the form of today.
    players
        Numbers of players at its tables.
    entries
        Columns that deals write in, in the order of the walk, each with its name in the settlement: a contract column
        settles as a bullet, a juha as whists.
    marks
        Further columns of the ledger, with their types.
    states
        Further columns of a sheet, with their types.
    from_limit
        Columns of a sheet that begin at minus the limit, not at 0.
    omissible
        Columns of a recorded sheet that may all be left out, since everybody is closed then: they are at the limit.
    deal_entries
        The entries of a frame of deals.
    book
        Begins an empty book of outcomes.
    walk
        Walks the pulkas of a part under a convention of the game.
    refusals
        Reasons of the statuses that a walk gives to pulkas which a convention cannot write.
    equalise
        What is done to the bullets of a pulka that was stopped before they are settled, under a convention: expressions
        over a wide settlement, in twelfths, that replace them.
    steps
        The settlement by hand, by its variant of rule 4.2.14: expressions over a wide settlement for a number of
        players.
    """

    name: str
    own_columns: tuple[str, ...]
    deals: Table
    adjustments: Table
    layout: KeyLayout
    encode: Callable[[], pl.Expr] | None
    renew: Callable[[pl.Expr], pl.Expr] | None
    players: tuple[int, ...]
    entries: Mapping[str, str]
    marks: Mapping[str, type[pl.DataType]]
    states: Mapping[str, type[pl.DataType]]
    from_limit: frozenset[str]
    omissible: tuple[str, ...]
    deal_entries: DealEntries
    book: Callable[[], OutcomeBook]
    walk: Callable[[NumberedPart, Convention, Written], None]
    refusals: Mapping[int, Refusal]
    equalise: Callable[[Convention], Sequence[pl.Expr]]
    steps: Mapping[int, Callable[[int, Convention], Steps]]

    @property
    def title(self) -> str:
        """Its name for people."""
        return self.name.capitalize()

    @property
    def sheet_schema(self) -> dict[str, type[pl.DataType]]:
        """Columns of its sheets."""
        return {
            "pulka": pl.Int64,
            "players": pl.UInt8,
            "bullet_limit": pl.UInt16,
            **dict.fromkeys(self.entries, pl.Int64),
            **self.states,
            "closed": pl.Boolean,
            "deals_scored": pl.Int64,
            "deals_after_end": pl.Int64,
        }

    @property
    def ledger_schema(self) -> dict[str, type[pl.DataType]]:
        """Columns of its ledger."""
        entries = dict.fromkeys(self.entries, pl.Int32)
        return {"pulka": pl.Int64, "deal": pl.UInt16, "scored": pl.Boolean, **entries, **self.marks}
