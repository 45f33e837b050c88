"""What may have happened to the totals of a sheet when its deals were written well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from prefdata.explain.beside import Beside, columns_of
from prefdata.outcomes.arrays import Array

__all__ = ["Total", "excess", "settled_sheets", "wrong_totals"]

_DIGITS = 12
"""Digits of the longest entry that is settled."""


@dataclass(frozen=True)
class Total:
    """One thing that may have happened to totals.

    Attributes
    ----------
    kind
        What happened.
    pulkas
        For each sheet, whether this makes the whole difference.
    column, other
        The columns that it happened to, if not to all.
    points
        How much, per sheet, where it is about an amount.
    """

    kind: str
    pulkas: Array
    column: str | None = None
    other: str | None = None
    points: Array | None = None


def wrong_totals(beside: Beside, nonzero: Array) -> Iterator[Total]:
    """Go through what may have happened to one total, or to two."""
    names = list(beside.game.entries)
    recorded, computed, difference = beside.recorded, beside.computed, beside.difference
    for place, name in enumerate(names):
        alone = (nonzero == 1) & (difference[:, place] != 0)
        yield Total("digits swapped", alone & _swapped(recorded[:, place], computed[:, place]), name)
        yield Total("wrong sign of the total", alone & (recorded[:, place] == -computed[:, place]), name)
    for (first, name), (second, other) in combinations(enumerate(names), 2):
        both = (nonzero == 2) & (difference[:, first] != 0) & (difference[:, second] != 0)
        crossed = (recorded[:, first] == computed[:, second]) & (recorded[:, second] == computed[:, first])
        if _alike(beside, name, other):
            yield Total("columns exchanged", both & crossed, name, other)
        balanced = both & (difference[:, first] == -difference[:, second])
        for (over, place), fined in (((name, first), other), ((other, second), name)):
            if _is_fine(beside, over, fined):
                taken_back = balanced & (difference[:, place] < 0)
                yield Total("over-writing fined", taken_back, over, fined, -difference[:, place])


def _swapped(recorded: Array, computed: Array) -> Array:
    """Tell where two neighbouring digits of a total changed places."""
    whole = np.abs(computed)
    swapped: Array = np.zeros(len(whole), np.bool_)
    for power in 10.0 ** np.arange(_DIGITS):
        low, high = whole // power % 10, whole // (10 * power) % 10
        is_number = whole >= 10 * power
        swapped |= is_number & (low != high) & (np.abs(recorded) == whole + (low - high) * 9 * power)
    swapped &= np.sign(recorded) == np.sign(computed)
    return swapped


def _alike(beside: Beside, name: str, other: str) -> bool:
    """Tell whether two columns may be taken for one another: of one kind, or of one seat."""
    (kind, seats), (other_kind, other_seats) = (beside.game.entries[one].split("_") for one in (name, other))
    return kind == other_kind or seats == other_seats


def _is_fine(beside: Beside, name: str, other: str) -> bool:
    """Tell whether what is over-written in one column is fined in another (Code 4.2.7)."""
    (kind, seats), (other_kind, other_seats) = (beside.game.entries[one].split("_") for one in (name, other))
    if kind == "whists":
        return other_kind == "whists" and other_seats == seats[::-1]
    return (kind, other_kind) == ("bullet", "mountain") and seats == other_seats


def settled_sheets(beside: Beside) -> Iterator[Total]:
    """Go through what a settlement may have left in a sheet: carried bullets, an amnesty, a point that was moved."""
    if not any(kind.startswith("mountain") for kind in beside.game.entries.values()):
        return
    players = beside.tidy.pulkas["players"].to_numpy()
    for size in beside.game.players:
        rows = np.flatnonzero(players == size)
        if not len(rows):
            continue
        for kind, entries in _settlements(beside, rows, size):
            found = np.zeros(len(players), np.bool_)
            found[rows] = beside.matches(entries, rows)
            yield Total(kind, found)
        for name, points, entries in _moved(beside, rows, size):
            found = np.zeros(len(players), np.bool_)
            found[rows] = beside.matches(entries, rows)
            yield Total("rounded", found, name, None, np.full(len(players), float(points)))


def _settlements(beside: Beside, rows: Array, players: int) -> Iterator[tuple[str, Array]]:
    computed = beside.computed[rows]
    carried = beside.carried(computed, rows, beside.convention)
    yield "bullets carried", carried
    yield "amnesty", _amnestied(beside, computed, players)
    yield "bullets carried, amnesty", _amnestied(beside, carried, players)


def _amnestied(beside: Beside, entries: Array, players: int) -> Array:
    """Take the smallest mountain off everybody; nothing is like a sheet in which that is nought."""
    names = list(beside.game.entries)
    mountains = [names.index(name) for name in columns_of(beside.game, "mountain", players)]
    smallest = entries[:, mountains].min(axis=1, keepdims=True)
    amnestied = entries.copy()
    amnestied[:, mountains] -= np.where(smallest == 0, np.nan, smallest)
    return amnestied


def _moved(beside: Beside, rows: Array, players: int) -> Iterator[tuple[str, int, Array]]:
    """Move one mountain by a point, with the whists of rule 4.2.12 or without, in every form of the sheet."""
    weight = beside.convention.mountain_weight
    names = {settled: place for place, settled in enumerate(beside.game.entries.values())}
    forms = [beside.computed[rows], *(entries for _, entries in _settlements(beside, rows, players))]
    mountains = columns_of(beside.game, "mountain", players)
    seats = [name.split("_")[1] for name in mountains]
    compensations = sorted({0, weight // players, -(-weight // players)})
    for entries, (mountain, owner), points, whists in product(
        forms, zip(mountains, seats, strict=True), (-1, 1), compensations
    ):
        moved = entries.copy()
        moved[:, names[f"mountain_{owner}"]] += points
        for other in seats:
            if other != owner:
                column = f"whists_{other}{owner}" if points < 0 else f"whists_{owner}{other}"
                moved[:, names[column]] += whists
        yield mountain, points, moved


def excess(beside: Beside, nonzero: Array) -> Iterator[Total]:
    """Go through sheets with too much in one column that rule 4.2.7 knows over-writing of."""
    for place, (name, kind) in enumerate(beside.game.entries.items()):
        if kind.startswith(("bullet", "whists")):
            over = (nonzero == 1) & (beside.difference[:, place] > 0)
            yield Total("over-writing", over, name, None, beside.difference[:, place])
