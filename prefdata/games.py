"""The games that prefdata scores.

An archive holds deals of one game, which its columns tell; a convention names its game.
"""

from __future__ import annotations

from collections.abc import Container
from importlib import import_module

from prefdata import vocabulary
from prefdata.conventions import Convention
from prefdata.errors import ConventionError
from prefdata.game import Game

__all__ = ["GAMES", "game_of_columns", "refuse_other_game", "refuse_unless_russian"]

GAMES: dict[str, Game] = {name: import_module(f"prefdata.{name}").GAME for name in vocabulary.GAMES}
"""The games by name."""


def game_of_columns(columns: Container[str]) -> Game:
    """Tell by the columns of a deals table which game it is of: the one most of whose own columns it has.

    >>> game_of_columns(["pulka", "deal", "contract"]).name, game_of_columns(["contra", "hand"]).name
    ('russian', 'balkan')
    """
    return max(GAMES.values(), key=lambda game: sum(name in columns for name in game.own_columns))


def refuse_unless_russian(game: Game, what: str) -> None:
    """Refuse an archive of another game where something is for the Russian one only.

    Raises
    ------
    ConventionError
        If the game is another one.
    """
    if game.name != vocabulary.RUSSIAN:
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
            hint=f"Choose a convention of the {game.title} game; pref.presets() lists them.",
        )
