"""Playing pulkas to their end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl

from prefdata.archives import DEALS_PER_PART, Archive, archive, concat
from prefdata.conventions import Convention, resolve
from prefdata.doors import as_kind, as_list, told
from prefdata.errors import SimulationError
from prefdata.failures import Failures
from prefdata.games import GAMES
from prefdata.scoring.scorer import walk_part
from prefdata.scoring.tidy import TidyPart
from prefdata.simulate import _balkan, _deals
from prefdata.simulate._deals import Columns, to_frame
from prefdata.simulate._habits import PLAYERS, Habits, Style, habits_under
from prefdata.simulate._tables import TablesToPlay, tables_to_play
from prefdata.vocabulary import BALKAN, PLAYER_COUNTS, RUSSIAN

__all__ = ["sample"]

Array = np.ndarray[Any, Any]

_USUAL = 3
"""Players at a table, unless a convention is for others."""

_LARGEST_LIMIT = 65_535


class _Way(NamedTuple):
    """How a game is played by the simulator."""

    play_deals: Callable[[TablesToPlay, Array, Array, Convention, Habits], Columns]
    enums: Mapping[str, pl.Enum]  # columns of its deals table that hold words
    bullet_limit: int  # usual limit, where a convention does not multiply prices
    points_per_deal: int  # points that the first deals are counted on to bring, for a guess of how many are needed


_WAYS = {
    RUSSIAN: _Way(_deals.play_deals, _deals.ENUMS, bullet_limit=20, points_per_deal=2),
    BALKAN: _Way(_balkan.play_deals, _balkan.ENUMS, bullet_limit=30, points_per_deal=5),
}


def sample(
    pulkas: int,
    *,
    players: int | Literal["mix"] | None = None,
    convention: str | Path | Convention = "sochi",
    seed: int = 1,
    bullet_limit: int | Sequence[int] | None = None,
    styles: Mapping[str, Style] | None = None,
    first_pulka: int = 1,
    habits: Habits | None = None,
) -> Archive:
    """Play pulkas and write their deals down.

    Cards are dealt, hands valued suit by suit, bids made and the talon taken; defenders call by their strength and
    tricks fall around what the cards bring.  A pulka goes on until it ends under its convention, or for as many deals
    as `Habits.longest_pulka` says.  Two players, who do not play raspasy, deal again when both pass.  The game is that
    of the convention; the Balkan one is for three.

    Parameters
    ----------
    pulkas
        How many pulkas.
    players
        Players at a table, 2, 3 or 4, or ``"mix"``; 3 unless given, or as many as the convention is for.
    convention
        The convention that is played: a convention, its name or its file.
    seed
        Chooses the chance, 0 or larger.  A pulka depends on the seed, its key and the other arguments only: it comes
        out the same with more or fewer pulkas around it, and on every machine.
    bullet_limit
        Limit of a pulka per player, or several from which each pulka takes one.  Unless given, 20 times the
        convention's `scale`, so 20 where prices are usual; 30 in the Balkan game.
    styles
        Players by name with their styles; `PLAYERS` unless given.
    first_pulka
        Key of the first pulka.
    habits
        All other parameters; unless given, `HABITS`, and where a preset's own rules ask for something else, that.

    Returns
    -------
    Archive
        The archive, in memory.

    Raises
    ------
    SimulationError
        If an argument is out of range, or a pulka to that limit cannot be written under the convention.
    ConventionError
        If there is no such convention.

    Examples
    --------
    >>> club = sample(2, seed=7)
    >>> club.deals.select("deal", "dealer", "contract", "declarer", "tricks_a").head(3).collect().rows()
    [(1, 'a', 'raspasy', None, 3), (2, 'b', 'raspasy', None, 3), (3, 'c', '7', 'c', 2)]
    """
    switches = resolve(convention)
    way, sizes = _WAYS[switches.game], _table_sizes(switches)
    if players is None:
        players = _USUAL if _USUAL in sizes else sizes[0]
    if bullet_limit is None:
        bullet_limit = way.bullet_limit * switches.scale
    limits = [bullet_limit] if isinstance(bullet_limit, int) else as_list(bullet_limit, "bullet_limit", "limits")
    everybody = PLAYERS if styles is None else styles
    habits = habits_under(switches.name) if habits is None else habits
    as_kind(habits, "habits", Habits, hint="simulate.Habits(...) makes them.")
    _refuse_no_table(players)
    _refuse_no_styles(everybody)
    _refuse_impossible(pulkas, players, seed, limits, everybody, first_pulka)
    _refuse_table(players, sizes, switches.name)
    size = None if players == "mix" else int(players)
    deals_of_pulka = max(1, int((size or 3) * max(limits) / switches.scale / way.points_per_deal))
    pulkas_of_part = max(1, DEALS_PER_PART // deals_of_pulka)
    parts = []
    for start in range(0, pulkas, pulkas_of_part):
        keys = np.arange(start, min(start + pulkas_of_part, pulkas)) + first_pulka
        tables = tables_to_play(keys, size, limits, switches.name, everybody, seed, habits)
        parts.append(archive(tables.frame, _Play(tables, switches, habits).to_the_end()))
    return concat(parts)


class _Play:
    """Pulkas under way: rounds of deals are added to those which have not ended."""

    def __init__(self, tables: TablesToPlay, convention: Convention, habits: Habits) -> None:
        self.tables = tables
        self.convention = convention
        self.habits = habits
        self.game = GAMES[convention.game]
        self.way = _WAYS[convention.game]
        self.book = self.game.book()
        self.ends = np.zeros(len(tables.players), np.int64)  # per pulka: deals that count
        self.rounds: list[tuple[pl.DataFrame, Array]] = []

    def to_the_end(self) -> pl.DataFrame:
        """Play until every pulka has ended; gives the deals table."""
        tables, longest = self.tables, self.habits.longest_pulka
        going = np.arange(len(tables.players))
        dealt = np.zeros(len(going), np.int64)
        numbers = np.zeros(0, np.int32)
        while len(going):
            more = np.minimum(self._estimate(going, dealt), longest - dealt)
            new = self._deal(going, dealt, more)
            numbers = _interleave(numbers, dealt, new, more)
            dealt = dealt + more
            closed, self.ends[going] = self._walk(going, numbers, dealt)
            stays = ~closed & (dealt < longest)
            numbers = numbers[np.repeat(stays, dealt)]
            going, dealt = going[stays], dealt[stays]
        return self._collect()

    def _estimate(self, going: Array, dealt: Array) -> Array:
        """Guess how many more deals a pulka needs; rather too few than too many, since none is played in vain."""
        points = self.tables.limits[going] * self.tables.players[going] // self.convention.scale
        first = (points / self.way.points_per_deal).astype(np.int64)
        return np.where(dealt == 0, np.maximum(first, 4), np.maximum(dealt // 4, 4))

    def _deal(self, going: Array, dealt: Array, more: Array) -> Array:
        """Play further deals of pulkas; gives the numbers of their outcomes."""
        rows = np.repeat(going, more)
        deals = np.arange(len(rows)) - np.repeat(np.cumsum(more) - more, more) + np.repeat(dealt, more) + 1
        columns = self.way.play_deals(self.tables, rows, deals, self.convention, self.habits)
        keys = self.tables.frame["pulka"].to_numpy()
        frame = to_frame(columns, self.way.enums, keys[rows], deals, self.tables.players[rows])
        self.rounds.append((frame, rows))
        return self.book.number(frame.select(key=self.game.layout.pack())["key"].to_numpy())

    def _walk(self, going: Array, numbers: Array, dealt: Array) -> tuple[Array, Array]:
        """Score pulkas as far as they are played; tells which have ended, and how many deals count."""
        starts = np.concatenate([[0], np.cumsum(dealt)])
        part = TidyPart(
            self.tables.frame[going], numbers, starts, pl.DataFrame(), self.book, Failures.gather([]), self.game
        )
        scored = walk_part(part, self.convention)
        if scored.status.any():
            failure = scored.failures.frame.row(0, named=True)
            raise SimulationError(
                f"{failure['value']}: {failure['reason']}", hint="Choose another limit, or change the convention."
            )
        return scored.closed, scored.deals_scored

    def _collect(self) -> pl.DataFrame:
        """Put the rounds together, without what was dealt after the end."""
        kept = [frame.filter(frame["deal"].to_numpy() <= self.ends[rows]) for frame, rows in self.rounds]
        return pl.concat(kept).sort("pulka", "deal")


def _interleave(old: Array, before: Array, new: Array, more: Array) -> Array:
    """Put new deals behind the old ones of each pulka, given how many each pulka has of them."""
    numbers = np.empty(len(old) + len(new), np.int32)
    is_new = np.repeat(np.tile([False, True], len(more)), np.stack([before, more], axis=1).ravel())
    numbers[~is_new], numbers[is_new] = old, new
    return numbers


def _refuse_impossible(
    pulkas: int,
    players: int | str,
    seed: int,
    limits: Sequence[int],
    styles: Mapping[str, Style],
    first_pulka: int,
) -> None:
    for name, number in (
        ("pulkas", pulkas),
        ("seed", seed),
        ("first_pulka", first_pulka),
        *(("bullet_limit", limit) for limit in limits),
    ):
        if isinstance(number, bool) or not isinstance(number, int):
            raise SimulationError(f"{name} is {told(number)}", hint=f"Give {name} as a whole number.")
    if pulkas < 1:
        raise SimulationError(f"pulkas is {pulkas}", hint="Ask for at least one pulka.")
    if not 0 <= seed < 1 << 64:
        raise SimulationError(f"seed is {seed}", hint="Give a whole number from 0 to 2**64 - 1.")
    if not pulkas < 1 << 62:
        raise SimulationError(f"pulkas is {pulkas}", hint="Ask for fewer than 2**62 pulkas.")
    if not 1 <= first_pulka < 1 << 62:
        raise SimulationError(f"first_pulka is {first_pulka}", hint="Give a key from 1 to 2**62 - 1.")
    if not limits or not all(1 <= limit <= _LARGEST_LIMIT for limit in limits):
        raise SimulationError(f"bullet_limit is {list(limits)}", hint=f"Give limits from 1 to {_LARGEST_LIMIT}.")
    seats = players if isinstance(players, int) else 4
    if not seats <= len(styles) <= 1 << 16:
        raise SimulationError(
            f"{len(styles)} players cannot fill a table of {seats}", hint=f"Give at least {seats} styles, by name."
        )


def _refuse_no_table(players: object) -> None:
    """Refuse what is no number of players."""
    is_mix = isinstance(players, str) and players == "mix"
    if not is_mix and (isinstance(players, bool) or not isinstance(players, int)):
        raise SimulationError(f"players is {told(players)}", hint='Give 2, 3 or 4, or "mix".')


def _refuse_no_styles(styles: object) -> None:
    """Refuse what are no players with their styles."""
    if not isinstance(styles, Mapping):
        raise SimulationError(f"styles is {told(styles)}", hint="Give a style for each player's name.")
    for name, style in styles.items():
        if not isinstance(name, str) or not isinstance(style, Style):
            raise SimulationError(
                f"styles has {told(style)} for {told(name)}", hint="Give a simulate.Style for each player's name."
            )


def _table_sizes(convention: Convention) -> list[int]:
    """List the numbers of players that a convention and its game are for."""
    return [size for size in GAMES[convention.game].players if size in convention.players]


def _refuse_table(players: int | str, sizes: Sequence[int], convention: str) -> None:
    """Refuse a number of players that the convention is not for."""
    if players in sizes or (players == "mix" and len(sizes) == len(PLAYER_COUNTS)):
        return
    words = " or ".join(map(str, sizes))
    raise SimulationError(
        f"players is {players!r}, but {convention} is for {words} players",
        hint='Leave it out, or give one of them; "mix" takes tables of 2, 3 and 4.',
    )
