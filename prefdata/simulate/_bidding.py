"""The auction, and the contract that the declarer names after the exchange.

Bids are numbered ``10 * level + 2 * suit`` in the order of the game, spades being 0 and notrump 4; misère is one more
than eight notrump, and 0 is a pass.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prefdata.simulate._cards import SUITS, SuitTables, discard, suit_by_suit, suit_tables
from prefdata.simulate._chance import Chance, Draw
from prefdata.simulate._habits import Habits, hundredths
from prefdata.vocabulary import LEVELS

__all__ = ["MISERE", "Auction", "Contract", "hold_auction", "name_contract", "outbid"]

Array = np.ndarray[Any, Any]

MISERE = 89
_HANDS = 3
_SIX, _TEN = 6, 10


class Auction(NamedTuple):
    """How the bidding ended, per deal."""

    winner: Array  # hand in calling order, 0-2
    bid: Array  # his last bid; 0 where all passed


class Contract(NamedTuple):
    """What the declarer names after the exchange, per deal."""

    holdings: Array  # uint8, suits x deals: his ten cards
    level: Array  # 6-10
    trump: Array  # suit, 4 for notrump
    missing: Array  # hundredths of a trick by which he thinks himself short


def hold_auction(
    holdings: Array, bidding: Array, misere: Array, chance: Chance, habits: Habits, bidders: Array
) -> Auction:
    """Bid with every hand as high as it is worth; whoever bids highest wins, at the price that the next one forces.

    Parameters
    ----------
    holdings
        uint8, hands x suits x deals.
    bidding, misere
        Hundredths per hand and deal: how the players' styles bid.
    chance, habits
        Chance and habits.
    bidders
        How many hands bid, per deal; the dummy of two players does not.
    """
    tables = suit_tables(habits)
    tricks, trump = map(np.stack, zip(*(_value(hand, tables, habits) for hand in holdings), strict=True))
    holes = tables.danger[holdings].sum(axis=1)
    most = np.empty(tricks.shape, np.int16)
    for hand in range(_HANDS):
        judged = chance.bell(Draw.JUDGEMENT + hand, habits.judgement) + bidding[hand]
        level = (tricks[hand] + hundredths(habits.talon_help) + judged) // 100
        bid = np.where(level >= _SIX, 10 * np.minimum(level, _TEN) + 2 * trump[hand], 0)
        mood = chance.bell(Draw.MISERE_JUDGEMENT + hand, habits.judgement) + misere[hand]
        dares = holes[hand] <= hundredths(habits.misere_holes) + mood
        most[hand] = np.where(dares, np.maximum(bid, MISERE), bid) * (hand < bidders)
    winner, own, pushed = outbid(most)
    suit = np.take_along_axis(trump, winner[None], axis=0)[0]
    bid = np.where(own == MISERE, MISERE, _lowest_bid(pushed, suit))
    return Auction(winner, np.where(own > 0, bid, 0))


def outbid(most: Array) -> tuple[Array, Array, Array]:
    """Find who wins an auction, how high he would bid and how far the others push him.

    On equal bids the earlier hand has the right.

    Parameters
    ----------
    most
        The highest bid of the hands in calling order x deals, 0 for a pass.

    Examples
    --------
    >>> [found.tolist() for found in outbid(np.array([[3, 0], [5, 4], [5, 6]]))]
    [[1, 2], [5, 6], [5, 5]]
    """
    winner = most.argmax(axis=0)
    hands = np.arange(_HANDS)[:, None]
    pushed = np.where(hands == winner, 0, most + (hands < winner) * (most > 0)).max(axis=0)
    return winner, most.max(axis=0), pushed


def _lowest_bid(pushed: Array, suit: Array) -> Array:
    """Give the lowest bid in a suit that is not below another bid."""
    level = np.maximum((pushed - 2 * suit.astype(np.int64) + 9) // 10, _SIX)
    bid: Array = 10 * level + 2 * suit
    return bid


def _value(holdings: Array, tables: SuitTables, habits: Habits) -> tuple[Array, Array]:
    """Value a hand (suits x deals) in hundredths of a trick, with its best trumps."""
    in_trump, side, control = tables.trump[holdings], tables.side[holdings], tables.control[holdings]
    suits = np.arange(SUITS)[:, None]
    gain = (in_trump - side).astype(np.int32)
    best = SUITS - 1 - (gain * SUITS + suits[::-1]).max(axis=0) % SUITS
    tricks = suit_by_suit(best, in_trump, side, control)
    notrump = tables.notrump[holdings].sum(axis=0, dtype=np.int32) - hundredths(habits.notrump_cost)
    return np.maximum(tricks, notrump), np.where(notrump > tricks, SUITS, best).astype(np.uint8)


def name_contract(holdings: Array, bid: Array, bidding: Array, chance: Chance, habits: Habits) -> Contract:
    """Take the talon, throw two cards away and name the contract, at least as high as the bid.

    Parameters
    ----------
    holdings
        uint8, suits x deals: the declarer's twelve cards.
    bid
        His last bid.
    bidding
        Hundredths of a trick per deal: the declarer's style.
    chance, habits
        Chance and habits.
    """
    tables = suit_tables(habits)
    _, trump = _value(holdings, tables, habits)
    kept = discard(holdings, trump, tables)
    tricks = suit_by_suit(trump, tables.trump[kept], tables.side[kept], tables.control[kept])
    judged = chance.bell(Draw.ORDER, habits.judgement / 2) + bidding
    hoped = np.full(len(tricks), _SIX - 1)
    for level, margin in zip(LEVELS.values(), habits.order_margin, strict=True):
        hoped += tricks + judged >= 100 * level + hundredths(margin)
    level = np.clip(np.maximum(hoped, _lowest_bid(bid, trump) // 10), _SIX, _TEN)
    return Contract(kept, level, trump, 100 * level - tricks)
