"""Slips of the pencil: what one deal would have changed in a sheet, had it been written wrongly.

A slip is told by what it adds to the columns of the right sheet.  It is looked for twice: as it stands, and with all
that follows from it at the table, since a bullet that is lower gets more help (`_replays`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np
import polars as pl

from prefdata.conventions import Convention
from prefdata.explain.beside import Beside
from prefdata.game import Game
from prefdata.outcomes.arrays import Array
from prefdata.scoring.ledger import ledger_of
from prefdata.scoring.scorer import walk_part
from prefdata.vocabulary import help_column, pairs, seats_needed

__all__ = ["Ledger", "Slips", "ledger_beside", "matching", "slips"]


@dataclass(frozen=True)
class Ledger:
    """What the deals of some pulkas wrote.

    Attributes
    ----------
    pulkas, deals, players
        Per deal, the place of its pulka among the sheets, its number, and how many players are at the table.
    entries
        float64, deals x the game's `entries`.
    help
        Points of help by helper and helped, per deal; nothing in a game without help.
    """

    pulkas: Array
    deals: Array
    players: Array
    entries: Array
    help: Mapping[tuple[str, str], Array]


@dataclass(frozen=True)
class Slips:
    """Slips of one kind, at most one a deal.

    Attributes
    ----------
    kind
        What went wrong.
    rows
        Which deals of the ledger.
    added
        By the place of a column, what the slip adds to it.
    column, other
        The column of the entry, and the one in which it came to stand instead, if any.
    points
        The entry.
    """

    kind: str
    rows: Array
    added: Mapping[int, Array]
    column: str | None = None
    other: str | None = None
    points: Array | None = None

    def only(self, chosen: Array) -> Slips:
        """Keep some of the slips, by a bool for each."""
        return Slips(
            self.kind,
            self.rows[chosen],
            {place: values[chosen] for place, values in self.added.items()},
            self.column,
            self.other,
            None if self.points is None else self.points[chosen],
        )


def ledger_beside(beside: Beside) -> Ledger:
    """Write the ledger of the pulkas whose sheets were recorded."""
    game = beside.game
    scored = walk_part(beside.tidy, beside.convention, ledger=True)
    frame = ledger_of(scored).with_columns(pl.selectors.by_dtype(pl.Int32).fill_null(0))
    lengths = beside.tidy.deals_of_pulka
    helped = {pair: help_column(*pair) for pair in pairs() if help_column(*pair) in game.marks}
    return Ledger(
        pulkas=np.repeat(np.arange(len(lengths)), lengths),
        deals=frame["deal"].to_numpy().astype(np.int64),
        players=np.repeat(beside.tidy.pulkas["players"].to_numpy(), lengths),
        entries=frame.select(pl.col(list(game.entries)).cast(pl.Float64)).to_numpy(),
        help={pair: frame[name].cast(pl.Float64).to_numpy() for pair, name in helped.items()},
    )


def slips(ledger: Ledger, game: Game, convention: Convention) -> Iterator[Slips]:
    """Go through all slips that a deal can be written with, simple ones first."""
    every = (
        _of_deals(ledger),
        _of_entries(ledger, game),
        _misplaced(ledger, game),
        _misplaced_help(ledger, game, convention),
        _fined(ledger, game),
    )
    needed = [seats_needed(name) for name in game.entries]
    for found in chain(*every):
        players = ledger.players[found.rows]
        fits = [(values == 0) | (players >= needed[place]) for place, values in found.added.items()]
        yield found.only(np.logical_and.reduce(fits))


def _of_deals(ledger: Ledger) -> Iterator[Slips]:
    rows = np.flatnonzero(ledger.entries.any(axis=1))
    for kind, times in (("deal missing", -1), ("deal doubled", 1)):
        yield Slips(kind, rows, {place: times * values for place, values in enumerate(ledger.entries[rows].T)})


def _of_entries(ledger: Ledger, game: Game) -> Iterator[Slips]:
    alone = np.count_nonzero(ledger.entries, axis=1) == 1  # then the whole deal says it
    for kind, times in (("entry missing", -1), ("entry doubled", 1), ("wrong sign", -2)):
        for place, name in enumerate(game.entries):
            found = ledger.entries[:, place] != 0
            rows = np.flatnonzero(found & ~alone if abs(times) == 1 else found)
            points = ledger.entries[rows, place]
            yield Slips(kind, rows, {place: times * points}, name, None, points)


def _misplaced(ledger: Ledger, game: Game) -> Iterator[Slips]:
    """Go through entries that came to stand in another column than their own."""
    for place, name in enumerate(game.entries):
        for other_place, other in enumerate(game.entries):
            if (kind := _misplacement(game, name, other)) is None:
                continue
            rows = np.flatnonzero(ledger.entries[:, place])
            points = ledger.entries[rows, place]
            yield Slips(kind, rows, {place: -points, other_place: points}, name, other, points)


def _misplacement(game: Game, name: str, other: str) -> str | None:
    """Name the slip that brings an entry from one column to another; None where nobody would slip so."""
    kind, seats = game.entries[name].split("_")
    other_kind, other_seats = game.entries[other].split("_")
    if name == other or (kind != other_kind and (seats != other_seats or len(seats) > 1)):
        return None
    if kind != other_kind:
        return "wrong column"
    if len(seats) == 1:
        return "wrong player"
    if seats == other_seats[::-1]:
        return "wrong way round"
    return "wrong opponent" if seats[0] == other_seats[0] else None


def _misplaced_help(ledger: Ledger, game: Game, convention: Convention) -> Iterator[Slips]:
    """Go through help that was written into another bullet than the rule's (Code 4.2.3.1), with its whists or not."""
    named = {settled: place for place, settled in enumerate(game.entries.values())}
    for (helper, helped), help_points in ledger.help.items():
        rows = np.flatnonzero(help_points)
        points = help_points[rows]
        for other in {seat for pair in ledger.help for seat in pair} - {helper, helped}:
            bullets = {named[f"bullet_{helped}"]: -points, named[f"bullet_{other}"]: points}
            whists = points * convention.help_rate
            with_whists = {named[f"whists_{helper}{helped}"]: -whists, named[f"whists_{helper}{other}"]: whists}
            names = f"bullet_{helped}", f"bullet_{other}"
            yield Slips("help to another", rows, bullets | with_whists, *names, points)
            yield Slips("help to another", rows, bullets, *names, points)


def _fined(ledger: Ledger, game: Game) -> Iterator[Slips]:
    """Go through entries that were over-written once more, taken back and fined (Code 4.2.7)."""
    settled = {kind: place for place, kind in enumerate(game.entries.values())}
    names = list(game.entries)
    for place, kind in enumerate(game.entries.values()):
        column, seats = kind.split("_")
        fine = {"whists": f"whists_{seats[::-1]}", "bullet": f"mountain_{seats}"}.get(column)
        if fine in settled:
            rows = np.flatnonzero(ledger.entries[:, place] > 0)
            points = ledger.entries[rows, place]
            yield Slips("over-writing fined", rows, {settled[fine]: points}, names[place], names[settled[fine]], points)


def matching(found: Slips, ledger: Ledger, beside: Beside, nonzero: Array) -> Slips:
    """Keep the slips that by themselves make the whole difference of their sheet."""
    pulkas = ledger.pulkas[found.rows]
    fits = np.ones(len(pulkas), np.bool_)
    explained = np.zeros(len(pulkas), np.int64)
    for place, values in found.added.items():
        known = beside.known[pulkas, place]
        fits &= ~known | (beside.difference[pulkas, place] == values)
        explained += known & (values != 0)
    return found.only(fits & (explained == nonzero[pulkas]) & (explained > 0))
