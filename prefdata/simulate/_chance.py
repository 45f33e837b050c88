"""Chance: random integers that depend on nothing but the seed, the pulka, the deal and what they are for.

There is no state that moves on: every number is a hash (SplitMix64) of its place.  A deal therefore comes out the same
whatever is generated beside it, in blocks of any size and on any number of threads; and since only whole numbers are
computed, on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from prefdata.simulate._habits import hundredths

__all__ = ["Chance", "Draw"]

Array = np.ndarray[Any, Any]

_STEP = np.uint64(0x9E3779B97F4A7C15)
_DEAL_STEP = np.uint64(0xD1B54A32D192ED03)
_PULKA_STEP = np.uint64(0x8CB92BA72F3D8DD7)
_BYTE = np.uint64(255)
_BELL_SPREAD = 148
"""Standard deviation of the sum of four bytes."""


class Draw(IntEnum):
    """What a random number is for; a number once given keeps its meaning, so that seeds keep theirs."""

    CARDS = 0  # and the fifteen that follow
    JUDGEMENT = 16  # and two more, one a hand
    ORDER = 19
    MISERE_JUDGEMENT = 20  # and two more, one a hand
    LUCK = 24
    CONCESSION = 25
    WHIST_JUDGEMENT = 26  # and one more, one a defender
    HALF_WHIST = 28
    UNWHISTED_TEN = 29
    DEFENCE_SPLIT = 30  # and one more, one a defender
    MISERE_CAUGHT = 32
    MISERE_TRICKS = 33
    RASPASY = 34  # and two more, one a hand
    TALON_TRICK = 37  # and one more, one a card
    DOUBLED = 39
    WRONG_CARDS = 40
    WHOSE_CARDS = 41
    BETTEL_CONTRA = 42
    CONTRA_SAYER = 43
    DEALER_WHIST = 44
    PLAYERS = 48
    LIMIT = 49
    DEALER = 50
    PLACE = 51
    SEATING = 64  # and as many as there are players to choose from


def _scatter(numbers: Array) -> Array:
    """Mix the bits of 64-bit numbers, in place (the finalizer of SplitMix64)."""
    shifted = numbers >> np.uint64(30)
    numbers ^= shifted
    numbers *= np.uint64(0xBF58476D1CE4E5B9)
    np.right_shift(numbers, np.uint64(27), out=shifted)
    numbers ^= shifted
    numbers *= np.uint64(0x94D049BB133111EB)
    np.right_shift(numbers, np.uint64(31), out=shifted)
    numbers ^= shifted
    return numbers


@dataclass(frozen=True)
class Chance:
    """Random integers, one for each row and purpose.

    Attributes
    ----------
    keys
        uint64 per row: the hash of seed and pulka, or of seed, pulka and deal.
    """

    keys: Array

    @classmethod
    def of_pulkas(cls, seed: int, pulkas: Array) -> Chance:
        """Give the chance of pulkas, by their keys.

        >>> Chance.of_pulkas(1, np.array([1, 2, 1])).below(Draw.LIMIT, 1000).tolist()
        [48, 337, 48]
        """
        start = _scatter(np.array([seed], np.uint64) + _STEP)
        return cls(_scatter(pulkas.astype(np.uint64) * _PULKA_STEP + start))

    def of_deals(self, rows: Array, deals: Array, attempt: int = 0) -> Chance:
        """Give the chance of deals: rows of their pulkas, numbers, and how often they have been dealt before."""
        place = deals.astype(np.uint64) * np.uint64(256) + np.uint64(attempt)
        return Chance(_scatter(self.keys[rows] + place * _DEAL_STEP))

    def only(self, rows: Array) -> Chance:
        """Keep some rows."""
        return Chance(self.keys[rows])

    def words(self, draw: int) -> Array:
        """Draw 64 random bits."""
        return _scatter(self.keys + (np.array([draw], np.uint64) + np.uint64(1)) * _STEP)

    def below(self, draw: int, bound: int) -> Array:
        """Draw whole numbers from 0 to `bound` - 1, which fits in 32 bits."""
        drawn = self.words(draw)
        drawn >>= np.uint64(32)
        drawn *= np.uint64(bound)
        drawn >>= np.uint64(32)
        return drawn.astype(np.int64)

    def happens(self, draw: int, share: float | Array) -> Array:
        """Decide with a probability from 0 to 1, which is taken in parts of 65,536."""
        threshold = np.asarray(np.rint(np.asarray(share) * 65536), np.uint64)
        return (self.words(draw) >> np.uint64(48)) < threshold

    def bell(self, draw: int, spread: float) -> Array:
        """Draw hundredths of a trick around 0 with this spread in tricks, never beyond 3.4 spreads."""
        drawn = self.words(draw)
        total = (drawn & _BYTE).astype(np.int32)
        for _ in range(3):
            drawn >>= np.uint64(8)
            total += (drawn & _BYTE).astype(np.int32)
        return (total - 510) * hundredths(spread) // _BELL_SPREAD
