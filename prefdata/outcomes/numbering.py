"""Numbers for the different deals met so far, each of which is checked and scored once; the same for every game."""

from __future__ import annotations

import threading

import numpy as np
import polars as pl

from prefdata.conventions import Convention
from prefdata.errors import ScoringError
from prefdata.outcomes.arrays import Array, read_only
from prefdata.outcomes.compiled import compiled

__all__ = ["OutcomeBook", "find_pulkas"]


@compiled
def number_keys(keys, start, slots, slot_numbers, known, count, numbers):  # type: ignore[no-untyped-def]
    """Number keys in order of first appearance, by a hash table with open addressing.

    `slots` (a power of two in length, 0 is empty) and `slot_numbers` are the table, `known` the keys by number.  Gives
    the place where it stopped - the end, or where the table is half full and must grow - and the new count.
    """
    mask = np.uint64(len(slots) - 1)
    capacity = len(slots) // 2
    for place in range(start, len(keys)):
        key = keys[place]
        slot = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(24)
        slot = (slot ^ (slot >> np.uint64(20))) & mask
        while slots[slot] != key and slots[slot] != np.uint64(0):
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] == np.uint64(0):
            if count >= capacity:
                return place, count
            slots[slot] = key
            slot_numbers[slot] = count
            known[count] = key
            count += 1
        numbers[place] = slot_numbers[slot]
    return len(keys), count


@compiled
def find_pulkas(pulka, deal, outcomes, outcome_players, keys, players, starts):  # type: ignore[no-untyped-def]
    """Find where each pulka's deals begin; tells whether all is in order.

    It is when `pulka` goes through the ascending `keys` of the pulkas table, deals are numbered 1, 2, ... without gaps,
    and each has an outcome of its pulka's number of players (an outcome that breaks a rule has 0).
    """
    count = 0
    for place in range(len(pulka)):
        if place == 0 or pulka[place] != pulka[place - 1]:
            if count == len(keys) or pulka[place] != keys[count] or deal[place] != 1:
                return False
            if count > 0 and keys[count] <= keys[count - 1]:
                return False
            starts[count] = place
            count += 1
        elif np.int64(deal[place]) != np.int64(deal[place - 1]) + 1:
            return False
        if outcome_players[outcomes[place]] != players[count - 1]:
            return False
    starts[count] = len(pulka)
    return count == len(keys)


class OutcomeBook:
    """Outcomes numbered in order of appearance, with their entries under each convention asked for.

    Numbers stay the same as more parts are read, and only new outcomes are scored.  One thread may number a part while
    another asks for entries.  A game says how its keys are unpacked, what a legal deal is, and what one brings.

    Attributes
    ----------
    outcomes
        One row an outcome: the columns of a deal that scoring looks at.
    players
        int8 per outcome: its number of players, 0 if it breaks a rule.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._slots = np.zeros(1 << 12, np.uint64)
        self._slot_numbers = np.zeros(1 << 12, np.int32)
        self._known = np.zeros(1 << 11, np.uint64)
        self._count = 0
        self._entries: dict[Convention, pl.DataFrame] = {}
        self.outcomes = self._unpack(pl.Series([], dtype=pl.UInt64))
        self.players: Array = np.zeros(0, np.int8)

    def _unpack(self, keys: pl.Series) -> pl.DataFrame:
        """Turn keys into the columns of a deal that scoring looks at."""
        raise NotImplementedError

    def _is_legal(self) -> pl.Expr:
        """Tell whether a deal keeps the rules of its table."""
        raise NotImplementedError

    def _score(self, outcomes: pl.DataFrame, start: int, players: Array, convention: Convention) -> pl.DataFrame:
        """Score new outcomes, which are numbered from `start`; gives rows with `number` and what each brings."""
        raise NotImplementedError

    def forget(self) -> None:
        """Forget what outcomes bring under all conventions; whoever asks for them again has them scored again."""
        with self._lock:
            self._entries.clear()

    def number(self, keys: Array) -> Array:
        """Number deals by their keys (uint64); gives int32 numbers of outcomes."""
        numbers, keys = np.empty(len(keys), np.int32), read_only(keys)
        with self._lock:
            place, before = 0, self._count
            while place < len(keys):
                place, self._count = number_keys(
                    keys, place, self._slots, self._slot_numbers, self._known, self._count, numbers
                )
                if place < len(keys):
                    self._grow()
            if self._count > before:
                self._learn(self._known[before : self._count])
        return numbers

    def _grow(self) -> None:
        known = self._known[: self._count]
        self._slots = np.zeros(4 * len(self._slots), np.uint64)
        self._slot_numbers = np.zeros(len(self._slots), np.int32)
        self._known = np.zeros(len(self._slots) // 2, np.uint64)
        again = np.empty(len(known), np.int32)
        number_keys(read_only(known), 0, self._slots, self._slot_numbers, self._known, 0, again)

    def _learn(self, keys: Array) -> None:
        """Unpack new keys and check them."""
        new = self._unpack(pl.Series("key", keys))
        legal = new.select(pl.when(self._is_legal()).then("players").otherwise(0).fill_null(0)).to_series()
        self.outcomes = pl.concat([self.outcomes, new])
        self.players = np.concatenate([self.players, legal.to_numpy().astype(np.int8)])

    def scored(self, convention: Convention) -> pl.DataFrame:
        """Give what all outcomes bring under a convention; only those that are new to it are scored.

        Raises
        ------
        ScoringError
            If an entry is too large to be written.
        """
        with self._lock:
            known = self._entries.get(convention)
            start = 0 if known is None or known.is_empty() else int(known["number"].max()) + 1  # type: ignore[arg-type]
            if known is None or start < len(self.players):
                try:
                    new = self._score(self.outcomes[start:], start, self.players[start:], convention)
                except pl.exceptions.InvalidOperationError as error:
                    raise ScoringError(
                        f"an entry under {convention.name} is too large for the ledger: {str(error).splitlines()[0]}",
                        hint="Lower the convention's scale, factors, ladder or flat consolation.",
                    ) from None
                self._entries[convention] = new if known is None else pl.concat([known, new])
            return self._entries[convention]
