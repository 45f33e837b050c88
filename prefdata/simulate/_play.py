"""The defenders' calls, and how the tricks fall."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prefdata.russian.vocabulary import CALL
from prefdata.simulate._bidding import Contract
from prefdata.simulate._cards import SUITS, layout, suit_by_suit, suit_tables
from prefdata.simulate._chance import Chance, Draw
from prefdata.simulate._habits import Habits, hundredths
from prefdata.vocabulary import TRICKS

__all__ = [
    "NONE",
    "Played",
    "Table",
    "declarer_tricks",
    "defence_split",
    "defence_strength",
    "discard_in_misere",
    "play_contract",
    "play_misere",
    "play_raspasy",
]

Array = np.ndarray[Any, Any]

NONE = 255
"""Stands for null in columns of small numbers."""

_PASS, _WHIST, _HALF = range(len(CALL.categories))
_SIX = 6
_SOME_ROOM = 25
"""Hundredths of a trick for luck where the cards leave none."""


class Played(NamedTuple):
    """What came of contracts, per deal; defenders are in calling order, and the second of two players is the dummy."""

    calls: Array  # uint8, two defenders x deals
    dealer_whists: Array  # whether both passed and the sitting dealer whists
    tricks: Array  # uint8, declarer and two defenders x deals; NONE where nothing was played
    conceded: Array
    wrong_cards: Array  # uint8: 0, or one more than the place among declarer and defenders


class Table(NamedTuple):
    """What is so at the table beside the cards, per deal, and under which convention it is played."""

    is_for_two: Array
    whisting: Array  # hundredths, two defenders x deals
    skill: Array  # hundredths: by how much the declarer plays better than the defenders
    has_sitting_dealer: Array
    half_levels: frozenset[int]
    is_ten_checked: bool


def play_contract(contract: Contract, defenders: Array, table: Table, chance: Chance, habits: Habits) -> Played:
    """Call and play contracts of 6-10.

    Parameters
    ----------
    contract
        The contracts.
    defenders
        uint8, two defenders x suits x deals.
    table
        Who sits there.
    chance, habits
        Chance and habits.
    """
    is_hopeless = contract.missing >= hundredths(habits.hopeless)
    conceded = is_hopeless & chance.happens(Draw.CONCESSION, habits.concession)
    calls = _call(contract, defenders, table, chance, habits)
    checked = contract.level == TRICKS
    if table.is_ten_checked:
        calls[:, checked] = _PASS
    else:
        checked &= (calls == _PASS).all(axis=0) & chance.happens(Draw.UNWHISTED_TEN, habits.unwhisted_ten)
    from_talon = table.has_sitting_dealer & ~conceded & ~checked & (calls == _PASS).all(axis=0)
    from_talon &= chance.happens(Draw.DEALER_WHIST, habits.dealer_whist)
    is_played = ~conceded & (checked | from_talon | (calls == _WHIST).any(axis=0))
    tricks = np.where(is_played, _tricks(contract, defenders, table, chance, habits), NONE).astype(np.uint8)
    calls[:, conceded] = NONE
    calls[1, table.is_for_two] = NONE
    wrong = _wrong_cards(calls, is_played, chance, habits)
    return Played(calls, from_talon, tricks, conceded, wrong)


def _call(contract: Contract, defenders: Array, table: Table, chance: Chance, habits: Habits) -> Array:
    """Let the defenders call by their strength; the second one knows what the first has said."""
    level = contract.level
    strength = defence_strength(contract, defenders, table.whisting, chance, habits)
    first, second, alone = (
        np.array([hundredths(tricks) for tricks in needed])[level - _SIX]
        for needed in (habits.whist_first, habits.whist_second, habits.whist_alone)
    )
    strength[0] += table.is_for_two * hundredths(habits.dummy_help)
    first_whists = strength[0] >= first
    second_whists = ~table.is_for_two & (strength[1] >= np.where(first_whists, second, alone))
    may_halve = np.isin(level, list(table.half_levels)) & ~first_whists & ~second_whists & ~table.is_for_two
    halves = may_halve & chance.happens(Draw.HALF_WHIST, habits.half_whist)
    calls = np.full(strength.shape, _PASS, np.uint8)
    calls[0, first_whists] = _WHIST
    calls[1, second_whists] = _WHIST
    calls[1, halves] = _HALF
    return calls


def defence_strength(contract: Contract, defenders: Array, whisting: Array, chance: Chance, habits: Habits) -> Array:
    """Tell, two defenders x deals, the hundredths of a trick on which they count as they are asked to defend."""
    tables = suit_tables(habits)
    is_trump = contract.trump == np.arange(SUITS)[:, None]
    strength = np.where(is_trump, tables.defence_trump[defenders], tables.defence_side[defenders]).sum(
        axis=1, dtype=np.int32
    )
    strength = strength * hundredths(habits.trust) // 100 + whisting
    strength[0] += chance.bell(Draw.WHIST_JUDGEMENT, habits.judgement)
    strength[1] += chance.bell(Draw.WHIST_JUDGEMENT + 1, habits.judgement)
    counted: Array = strength
    return counted


def _tricks(contract: Contract, defenders: Array, table: Table, chance: Chance, habits: Habits) -> Array:
    """Let the tricks fall; the dummy's go to the defender."""
    tables = suit_tables(habits)
    layouts = layout(tables, contract.holdings, defenders[0], defenders[1])
    declarer = declarer_tricks(contract, layouts, tables.played_side[layouts], table.skill, chance, habits)
    left = TRICKS - declarer
    first = np.where(table.is_for_two, left, defence_split(left, layouts, chance, habits))
    return np.stack([declarer, first, left - first])


def declarer_tricks(
    contract: Contract, layouts: Array, beside: Array, skill: Array, chance: Chance, habits: Habits
) -> Array:
    """Let the declarer's tricks fall around what the suits bring one by one.

    Parameters
    ----------
    contract
        The contracts.
    layouts
        Layouts, suits x deals.
    beside
        Hundredths that the suits bring beside trumps, suits x deals.
    skill
        Hundredths by which the declarer plays better than the defenders.
    chance, habits
        Chance and habits.
    """
    tables = suit_tables(habits)
    falls = suit_by_suit(contract.trump, tables.played_trump[layouts], beside, tables.control[contract.holdings])
    most = hundredths(habits.room)
    room = np.clip(TRICKS * 100 - falls, 0, most)
    fortune = skill + hundredths(habits.declarer_edge) + chance.bell(Draw.LUCK, habits.luck)
    falls += fortune * (room + _SOME_ROOM) // (most + _SOME_ROOM)
    declarer: Array = np.clip((falls + 50) // 100, 0, TRICKS)
    return declarer


def defence_split(left: Array, layouts: Array, chance: Chance, habits: Habits) -> Array:
    """Give the first of two defenders his part of the tricks that are left, by what the suits bring to each."""
    tables = suit_tables(habits)
    weights = [
        takes[layouts].sum(axis=0, dtype=np.int32) + chance.below(Draw.DEFENCE_SPLIT + place, 100) + 1
        for place, takes in enumerate((tables.first_takes, tables.second_takes))
    ]
    return _share(left, weights[0], weights[1])


def _share(tricks: Array, own: Array, other: Array) -> Array:
    """Round the part of the tricks that goes with a part of the weights."""
    both = own + other
    rounded: Array = (2 * tricks * own + both) // (2 * both)
    return rounded


def _wrong_cards(calls: Array, is_played: Array, chance: Chance, habits: Habits) -> Array:
    """Choose deals in which the declarer, or a whister, has a wrong number of cards."""
    place = chance.below(Draw.WHOSE_CARDS, 3)
    is_whister = ((place == 1) & (calls[0] == _WHIST)) | ((place == 2) & (calls[1] == _WHIST))
    wrong = is_played & chance.happens(Draw.WRONG_CARDS, habits.wrong_cards)
    named: Array = wrong * (1 + place * is_whister)
    return named.astype(np.uint8)


def discard_in_misere(holdings: Array, habits: Habits) -> Array:
    """Throw away the two cards of twelve (uint8, suits x deals) that are worst in a misère."""
    tables = suit_tables(habits)
    kept = holdings
    suits = np.arange(SUITS)[:, None]
    for _ in range(2):
        less = tables.without_worst[kept]
        gain = tables.danger[kept].astype(np.int32) - tables.danger[less]
        gain[kept == 0] = -1
        chosen = SUITS - 1 - (gain * SUITS + suits[::-1]).max(axis=0) % SUITS
        kept = np.where(chosen == suits, less, kept)
    return kept


def play_misere(kept: Array, is_for_two: Array, skill: Array, chance: Chance, habits: Habits) -> Array:
    """Play misères; gives uint8, declarer and two defenders x deals.

    Parameters
    ----------
    kept
        uint8, suits x deals: the declarer's ten cards.
    is_for_two
        Whether the second defender is the dummy, whose tricks are the other's.
    skill
        Hundredths by which the declarer plays better than the defenders: so much of a hole he can play around.
    chance, habits
        Chance and habits.
    """
    holes = suit_tables(habits).danger[kept].sum(axis=0, dtype=np.int32)
    holes = np.where(holes > 0, np.maximum(holes - skill, 1), 0)
    caught = chance.happens(Draw.MISERE_CAUGHT, np.array(habits.misere_caught)[np.minimum((holes + 99) // 100, 3)])
    weights = np.cumsum(habits.misere_tricks)
    taken = 1 + np.searchsorted(weights, chance.below(Draw.MISERE_TRICKS, int(weights[-1])), side="right")
    declarer = np.where(caught, taken, 0)
    left = TRICKS - declarer
    own, other = (1 + chance.below(Draw.DEFENCE_SPLIT + place, 100) for place in range(2))
    first = np.where(is_for_two, left, _share(left, 100 + own, 100 + other))
    return np.stack([declarer, first, left - first]).astype(np.uint8)


def play_raspasy(
    holdings: Array, talon: Array, is_for_four: Array, skill: Array, chance: Chance, habits: Habits
) -> Array:
    """Play raspasy; gives uint8, the three hands in calling order and the talon x deals.

    Parameters
    ----------
    holdings
        uint8, three hands x suits x deals.
    talon
        The talon's cards.
    is_for_four
        Whether the talon's cards are played for the sitting dealer, as the first two tricks.
    skill
        Hundredths, hands x deals: tricks that a player avoids.
    chance, habits
        Chance and habits.
    """
    takes = np.array(habits.talon_takes)[talon & 7]
    of_talon = np.zeros(len(chance.keys), np.int64)
    for card in range(2):
        of_talon += is_for_four & chance.happens(Draw.TALON_TRICK + card, takes[card])
    feared = suit_tables(habits).raspasy[holdings].sum(axis=1, dtype=np.int64) - skill - hundredths(habits.ducked)
    for hand in range(3):
        feared[hand] += chance.bell(Draw.RASPASY + hand, habits.raspasy_luck)
    feared = np.maximum(feared, 0)
    feared[:, feared.sum(axis=0) == 0] = 1
    tricks = _in_proportion(TRICKS - of_talon, feared)
    return np.concatenate([tricks, of_talon[None]]).astype(np.uint8)


def _in_proportion(total: Array, weights: Array) -> Array:
    """Share tricks among three hands; what is left over goes to the largest remainders."""
    every = weights.sum(axis=0)
    shared, remainder = np.divmod(total * weights, every)
    hands = np.arange(3)[:, None]
    ranked = remainder * 3 + hands[::-1]
    left = total - shared.sum(axis=0)
    shared += (left >= 1) & (ranked == ranked.max(axis=0))
    shared += (left == 2) & (ranked != ranked.max(axis=0)) & (ranked != ranked.min(axis=0))
    return shared
