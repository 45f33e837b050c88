"""The games that prefdata scores: the tables of each, and the columns that come out of it.

An archive holds deals of one game, which its columns tell; a convention names its game.  Everything that is the same
for all games asks here for what is not.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass

import polars as pl

from prefdata import tables
from prefdata.balkan import packing as balkan_packing
from prefdata.balkan import tables as balkan_tables
from prefdata.balkan import vocabulary as balkan_words
from prefdata.conventions import Convention
from prefdata.errors import ConventionError
from prefdata.keys import KeyLayout
from prefdata.scoring.outcomes import encode
from prefdata.scoring.packing import LAYOUT
from prefdata.tables import Table
from prefdata.vocabulary import (
    BALKAN,
    PLAYER_COUNTS,
    RUSSIAN,
    bullet_column,
    entry_columns,
    help_column,
    pairs,
    whists_column,
)

__all__ = ["GAMES", "Game", "game_of_columns", "refuse_other_game", "refuse_unless_russian"]


@dataclass(frozen=True, eq=False)
class Game:
    """One game.

    Attributes
    ----------
    name
        As `Convention.game` names it.
    deals, adjustments
        Its tables; pulkas are the same in every game.
    layout
        How a deal is packed into a key.
    encode
        The expression that makes the stored outcome codes, if the game has such.
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
    """

    name: str
    deals: Table
    adjustments: Table
    layout: KeyLayout
    encode: Callable[[], pl.Expr] | None
    players: tuple[int, ...]
    entries: Mapping[str, str]
    marks: Mapping[str, type[pl.DataType]]
    states: Mapping[str, type[pl.DataType]]
    from_limit: frozenset[str] = frozenset()

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


GAMES: dict[str, Game] = {
    RUSSIAN: Game(
        name=RUSSIAN,
        deals=tables.DEALS,
        adjustments=tables.ADJUSTMENTS,
        layout=LAYOUT,
        encode=encode,
        players=PLAYER_COUNTS,
        entries={name: name for name in entry_columns()},
        marks=dict.fromkeys((help_column(helper, helped) for helper, helped in pairs()), pl.Int32),
        states={},
    ),
    BALKAN: Game(
        name=BALKAN,
        deals=balkan_tables.DEALS,
        adjustments=balkan_tables.ADJUSTMENTS,
        layout=balkan_packing.LAYOUT,
        encode=None,
        players=(balkan_words.PLAYERS,),
        entries={
            **{balkan_words.contract_column(seat): bullet_column(seat) for seat in balkan_words.SEATS},
            **{balkan_words.juha_column(*pair): whists_column(*pair) for pair in pairs(balkan_words.PLAYERS)},
        },
        marks=dict.fromkeys(("doubled", "cut", "gave_refe"), pl.Boolean),
        states={
            **{balkan_words.refes_column(seat): pl.Int64 for seat in balkan_words.SEATS},
            **{balkan_words.hat_column(seat): pl.Boolean for seat in balkan_words.SEATS},
        },
        from_limit=frozenset(map(balkan_words.contract_column, balkan_words.SEATS)),
    ),
}
"""The games by name."""


def game_of_columns(columns: Container[str]) -> Game:
    """Tell by the columns of a deals table which game it is of.

    Only Balkan deals have `contra` and `hand`; where one of them is missing, only Russian ones have a fourth call.
    """
    found = ("contra" in columns) + ("hand" in columns)
    is_balkan = found == 2 or (found == 1 and "call_d" not in columns)
    return GAMES[BALKAN if is_balkan else RUSSIAN]


def refuse_unless_russian(game: Game, what: str) -> None:
    """Refuse an archive of another game where something is for the Russian one only.

    Raises
    ------
    ConventionError
        If the game is another one.
    """
    if game.name != RUSSIAN:
        raise ConventionError(
            f"{what} the Russian game only, and the archive holds deals of the {game.title} game",
            hint="For other games there are check, entries, ledger, sheets, values, settle and rescore.",
        )


def refuse_other_game(convention: Convention, game: Game, what: str) -> None:
    """Refuse a convention of another game.

    Raises
    ------
    ConventionError
        If the convention is of another game than what it is to be used on.
    """
    if convention.game != game.name:
        raise ConventionError(
            f"{convention.name} is a convention of the {GAMES[convention.game].title} game, but {what} of the "
            f"{game.title} game",
            hint=f"Choose a convention of the {game.title} game; prefdata conventions lists them.",
        )
