"""Cards: dealing them, and what a suit is worth.

What a hand has in a suit - its *holding* - is eight bits, the seven being the lowest and the ace the highest, so that
whatever is to be known of one looks up in a table of 256.  How a suit falls is known from a table over all its 65,536
layouts.  Tricks are counted in hundredths.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from prefdata.simulate._chance import Chance, Draw
from prefdata.simulate._habits import Habits, hundredths

__all__ = [
    "SUITS",
    "Cards",
    "SuitTables",
    "deal_cards",
    "discard",
    "layout",
    "side_against_one",
    "suit_by_suit",
    "suit_tables",
    "talon_worth",
]

Array = np.ndarray[Any, Any]

SUITS = 4
_RANKS = 8
_HOLDINGS = 1 << _RANKS
_QUEEN, _KING, _ACE = 5, 6, 7
_TRUMPS = 4
"""Cards that a declarer has at least in his trumps, when a defender values his own."""
_SIDE_CARDS = 2
"""Cards that he has at most beside them."""


class Cards(NamedTuple):
    """Dealt cards, one column a deal."""

    holdings: Array  # uint8, hands in calling order and then the talon x suits x deals
    talon: Array  # uint8, the two cards of the talon x deals: suit * 8 + rank


class SuitTables(NamedTuple):
    """What is to be known of a suit; hundredths of a trick where nothing else is said."""

    trump: Array  # by holding: tricks to expect as trumps, without knowing the other hands
    side: Array  # by holding: tricks to expect beside trumps
    notrump: Array  # by holding: tricks to expect in notrump
    control: Array  # by holding of trumps: percent of the ruffs which they prevent
    defence_trump: Array  # by holding: tricks of a defender to expect in the declarer's trumps
    defence_side: Array  # by holding: tricks of a defender to expect beside them
    played_trump: Array  # by layout: tricks of the declarer, the suit being trumps or the contract notrump
    played_side: Array  # by layout: tricks of the declarer beside trumps
    first_takes: Array  # by layout: tricks of the first defender
    second_takes: Array  # by layout: tricks of the second defender
    spread: Array  # by holding: its bits four apart in base, to make up a layout
    without_lowest: Array  # by holding: the holding without its lowest card
    danger: Array  # by holding: holes in a misère, in hundredths
    without_worst: Array  # by holding: the holding without the card that is worst in a misère
    raspasy: Array  # by holding: tricks to fear in raspasy


def deal_cards(chance: Chance) -> Cards:
    """Deal 32 cards: ten to each of three hands, two to the talon."""
    keys = np.empty((len(chance.keys), 32), np.uint32)
    for word in range(16):
        drawn = chance.words(Draw.CARDS + word)
        keys[:, word] = drawn
        keys[:, word + 16] = drawn >> np.uint64(32)
    keys &= np.uint32(0xFFFFFFE0)
    keys |= np.arange(32, dtype=np.uint32)
    keys.sort(axis=1)  # no two are equal, since each ends in its card: any sorting gives the same
    keys &= np.uint32(31)
    talon = keys[:, 30:].T.astype(np.uint8)
    cards = np.ascontiguousarray((np.uint32(1) << keys).T)
    holdings = np.empty((4, SUITS, len(chance.keys)), np.uint8)
    for owner in range(4):
        held = np.bitwise_or.reduce(cards[10 * owner : 10 * owner + 10], axis=0)
        for suit in range(SUITS):
            holdings[owner, suit] = held >> np.uint32(_RANKS * suit)
    return Cards(holdings, talon)


def talon_worth(talon: Array) -> Array:
    """Tell what the talon is worth (rules §3.9).

    >>> talon_worth(np.array([[7, 7, 7, 6, 7], [0, 15, 6, 5, 14]])).tolist()
    [1, 3, 2, 1, 1]
    """
    rank = talon & 7
    same_suit = (talon[0] ^ talon[1]) < _RANKS
    aces = (rank == _ACE).sum(axis=0)
    lower, higher = rank.min(axis=0), rank.max(axis=0)
    ace_king = same_suit & (higher == _ACE) & (lower == _KING)
    marriage = same_suit & (higher == _KING) & (lower == _QUEEN)
    return np.where(aces == 2, 3, aces + ace_king + marriage).astype(np.uint8)


def layout(tables: SuitTables, declarer: Array, first: Array, second: Array) -> Array:
    """Number the layouts of a suit from the three holdings."""
    spread = tables.spread
    number: Array = spread[declarer] + 2 * spread[first] + 3 * spread[second]
    return number


def suit_by_suit(trump: Array, in_trump: Array, beside: Array, control: Array) -> Array:
    """Add up the tricks of a declarer; with good trumps those of other suits are safe from ruffs.

    Parameters
    ----------
    trump
        Suit of trumps, 4 in notrump.
    in_trump, beside
        Tricks of the suits x deals as trumps, or in notrump, and beside trumps.
    control
        Percent, suits x deals, of ruffs that are prevented if the suit is trumps.
    """
    suits = np.arange(SUITS)[:, None]
    safe: Array = in_trump.sum(axis=0, dtype=np.int32)
    exposed = np.where(trump == suits, 0, in_trump - beside).sum(axis=0, dtype=np.int32)
    kept = np.where(trump == suits, control, 0).sum(axis=0, dtype=np.int32)
    return safe - np.where(trump == SUITS, 0, exposed * (100 - kept) // 100)


def discard(holdings: Array, trump: Array, tables: SuitTables) -> Array:
    """Throw two cards away, each time the lowest of the suit that loses least by it.

    Parameters
    ----------
    holdings
        uint8, suits x deals: the declarer's twelve cards.
    trump
        Suit of trumps, 4 in notrump.
    tables
        The tables.
    """
    kept = holdings.copy()
    suits = np.arange(SUITS)[:, None]
    is_trump = (trump == suits) | (trump == SUITS)
    for _ in range(2):
        less = tables.without_lowest[kept]
        loss = np.where(is_trump, tables.trump[kept] - tables.trump[less], tables.side[kept] - tables.side[less])
        loss[kept == 0] = 1 << 12
        chosen = (loss * SUITS + suits).min(axis=0) % SUITS
        kept = np.where(chosen == suits, less, kept)
    return kept


def suit_tables(habits: Habits) -> SuitTables:
    """Give the tables, made by playing every layout of a suit."""
    ruffs = hundredths(habits.ruffed), hundredths(habits.control_from), hundredths(habits.control_to)
    return _suit_tables(*ruffs, hundredths(habits.unstopped))


@cache
def _suit_tables(ruffed: int, control_from: int, control_to: int, unstopped: int) -> SuitTables:
    digits, (nobody, declarer, first, second) = _layouts()
    lead = _play_suit(declarer, first, second, ruffed, declarer_leads=True)
    wait = _play_suit(declarer, first, second, ruffed, declarer_leads=False)
    trump, side, first_takes, second_takes = (
        (leading + waiting) // 2 for leading, waiting in zip(lead, wait, strict=True)
    )
    whole = nobody == 0
    length = (digits == 1).sum(axis=1)
    trump_value = _mean(trump, declarer, whole)
    stopped = np.array([_is_stopped(held) for held in map(_ranks, range(_HOLDINGS))])
    danger = np.array([_danger(held) for held in map(_ranks, range(_HOLDINGS))], np.int16)
    return SuitTables(
        trump=trump_value,
        side=_mean(side, declarer, whole),
        notrump=(trump_value - np.where(stopped, 0, unstopped)).astype(np.int16),
        control=np.clip((trump_value - control_from) * 100 // max(control_to - control_from, 1), 0, 100).astype(
            np.int16
        ),
        defence_trump=_mean(first_takes, first, whole & (length >= _TRUMPS)),
        defence_side=_mean(first_takes, first, whole & (length <= _SIDE_CARDS)),
        played_trump=trump.astype(np.int16),
        played_side=side.astype(np.int16),
        first_takes=first_takes.astype(np.int16),
        second_takes=second_takes.astype(np.int16),
        spread=np.array([sum(4**rank for rank in _ranks(held)) for held in range(_HOLDINGS)], np.int32),
        without_lowest=np.array([held & (held - 1) for held in range(_HOLDINGS)], np.uint8),
        danger=danger,
        without_worst=np.array([_without_worst(held, danger) for held in range(_HOLDINGS)], np.uint8),
        raspasy=np.array([_raspasy_tricks(held) for held in map(_ranks, range(_HOLDINGS))], np.int16),
    )


def side_against_one(habits: Habits) -> Array:
    """Give, by layout without the second defender, the tricks of the declarer beside trumps against the first alone."""
    return _side_against_one(hundredths(habits.ruffed))


@cache
def _side_against_one(ruffed: int) -> Array:
    _, (_, declarer, first, second) = _layouts()
    leading, waiting = (
        _play_suit(declarer, first, second, ruffed, declarer_leads=leads, against_one=True)[1]
        for leads in (True, False)
    )
    return ((leading + waiting) // 2).astype(np.int16)


def _layouts() -> tuple[Array, list[Array]]:
    """Give every layout of a suit: whose each rank is, and the holdings of nobody, declarer and both defenders."""
    digits = (np.arange(4**_RANKS)[:, None] >> (2 * np.arange(_RANKS))) & 3
    return digits, [((digits == owner) << np.arange(_RANKS)).sum(axis=1) for owner in range(4)]


def _mean(tricks: Array, holder: Array, layouts: Array) -> Array:
    """Average tricks over layouts, by the holding of one hand."""
    total = np.zeros(_HOLDINGS, np.int64)
    np.add.at(total, holder[layouts], tricks[layouts])
    return (total // np.maximum(np.bincount(holder[layouts], minlength=_HOLDINGS), 1)).astype(np.int16)


def _ranks(held: int) -> list[int]:
    return [rank for rank in range(_RANKS) if held >> rank & 1]


def _lowest(held: Array) -> Array:
    return held & -held


def _highest(held: Array) -> Array:
    return np.array([1 << max(_ranks(holding), default=0) if holding else 0 for holding in range(_HOLDINGS)])[held]


def _play_suit(
    declarer: Array, first: Array, second: Array, ruffed: int, *, declarer_leads: bool, against_one: bool = False
) -> tuple[Array, Array, Array, Array]:
    """Play a suit from the top until the declarer has none left, led by him or by the defenders.

    Gives the declarer's tricks as trumps and beside them, and the tricks of each defender.  Whoever cannot win plays
    his lowest card, whoever can his cheapest winner.
    """
    trump, side, first_takes, second_takes = (np.zeros(len(declarer), np.int64) for _ in range(4))
    for _ in range(_RANKS):
        plays = declarer > 0
        defenders = first | second
        if declarer_leads:
            card = _highest(declarer)
            above = ~(2 * card - 1)
            first_wins = plays & (first & above > 0)
            second_wins = plays & ~first_wins & (second & above > 0)
            first_card = np.where(first_wins, _lowest(first & above), _lowest(first))
            second_card = np.where(second_wins, _lowest(second & above), _lowest(second))
        else:
            lead = _highest(defenders)
            winner = np.where(lead > 0, _lowest(declarer & ~(2 * lead - 1)), _highest(declarer))
            card = np.where(winner > 0, winner, _lowest(declarer))
            first_wins = plays & (winner == 0) & (first & lead > 0)
            second_wins = plays & (winner == 0) & (second & lead > 0)
            first_card = np.where(first & lead > 0, lead, _lowest(first))
            second_card = np.where(second & lead > 0, lead, _lowest(second))
        won = plays & ~first_wins & ~second_wins
        can_ruff = (first == 0) | ((second == 0) & (not against_one))
        trump += 100 * won
        side += np.where(can_ruff, 100 - ruffed, 100) * won
        first_takes += 100 * first_wins
        second_takes += 100 * second_wins
        declarer, first, second = declarer & ~card, first & ~first_card, second & ~second_card
    return trump, side, first_takes, second_takes


def _is_stopped(ranks: list[int]) -> bool:
    """Tell whether the defenders cannot run the suit in notrump."""
    return any(len(ranks) > _ACE - rank for rank in ranks if rank >= _QUEEN)


def _danger(ranks: list[int]) -> int:
    """Count the holes of a suit in misère; 7, 9, J, K is the highest holding without one."""
    excess = (rank - 2 * place for place, rank in enumerate(ranks))
    return sum(min(100, 35 * missing) for missing in excess if missing > 0)


def _without_worst(held: int, danger: Array) -> int:
    return min((held & ~(1 << rank) for rank in _ranks(held)), key=lambda rest: (danger[rest], rest), default=0)


def _raspasy_tricks(ranks: list[int]) -> int:
    """Count the tricks to fear of a suit: a card with more lower cards against it, and fewer higher, wins oftener."""
    by_lower = (2, 15, 40, 60, 75, 85, 92, 95)
    total = 0
    for place, rank in enumerate(ranks):
        lower = rank - place
        higher = _ACE - rank - (len(ranks) - 1 - place)
        total += by_lower[lower] * (100 - 12 * min(higher, 5)) // 100
    return total
