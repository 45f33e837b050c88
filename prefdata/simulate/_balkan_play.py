"""What the defenders of the Balkan game call, and how the tricks fall."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prefdata.balkan.vocabulary import CALL, DEFENCE_MOST
from prefdata.simulate._bidding import Contract
from prefdata.simulate._cards import SUITS, layout, side_against_one, suit_tables
from prefdata.simulate._chance import Chance, Draw
from prefdata.simulate._habits import Habits, hundredths
from prefdata.simulate._play import NONE, declarer_tricks, defence_split, defence_strength, play_misere
from prefdata.vocabulary import TRICKS

__all__ = ["Played", "play_bettel", "play_game"]

Array = np.ndarray[Any, Any]

_PASS, _COME, _INVITE, _INVITED = range(len(CALL.categories))


class Played(NamedTuple):
    """What came of games, per deal; defenders are in calling order."""

    calls: Array  # uint8, two defenders x deals; NONE in bettel
    contra: Array  # how often the value was doubled
    sayer: Array  # place of the defender who said contra, 0-1
    tricks: Array  # uint8, declarer and two defenders x deals; NONE where nobody came


class Defence(NamedTuple):
    """What the defenders said, per deal."""

    calls: Array
    contra: Array
    sayer: Array


def play_game(
    contract: Contract, defenders: Array, whisting: Array, skill: Array, chance: Chance, habits: Habits
) -> Played:
    """Call and play all games but bettel.

    Parameters
    ----------
    contract
        The declarer's cards, promise and trumps.
    defenders
        uint8, two defenders x suits x deals.
    whisting
        Hundredths, two defenders x deals: how the players' styles defend.
    skill
        Hundredths by which the declarer plays better than the defenders.
    chance, habits
        Chance and habits.
    """
    said = _call(contract, defenders, whisting, chance, habits)
    passes = said.calls == _PASS
    tricks = np.where(passes.all(axis=0), NONE, _tricks(contract, defenders, passes, skill, chance, habits))
    return Played(*said, tricks.astype(np.uint8))


def _call(contract: Contract, defenders: Array, whisting: Array, chance: Chance, habits: Habits) -> Defence:
    """Let the defenders call by their strength; the second one knows what the first has said."""
    strength = defence_strength(contract, defenders, whisting, chance, habits)
    first_comes = strength[0] >= hundredths(habits.come_first)
    wanted = np.where(first_comes, hundredths(habits.come_second), hundredths(habits.come_alone))
    comes = np.stack([first_comes, strength[1] >= wanted])
    best = np.where(comes, strength, -(1 << 12))
    sayer, most = best.argmax(axis=0), best.max(axis=0)
    is_contra = most >= hundredths(habits.contra)
    invites = (comes.sum(axis=0) == 1) & (is_contra | (most >= hundredths(habits.invite)))
    calls = np.where(comes, np.where(invites, _INVITE, _COME), np.where(invites, _INVITED, _PASS)).astype(np.uint8)
    answers = -contract.missing >= hundredths(habits.recontra)
    return Defence(calls, is_contra.astype(np.uint8) + (is_contra & answers), sayer)


def _tricks(contract: Contract, defenders: Array, passes: Array, skill: Array, chance: Chance, habits: Habits) -> Array:
    """Let the tricks fall; a defender who passed does not play, and a failed game stops at the fifth of the defence."""
    tables = suit_tables(habits)
    first, second = np.where(passes[:, None], 0, defenders)
    is_alone = passes.any(axis=0)
    of_one = np.where(passes[0], second, first)
    layouts = layout(tables, contract.holdings, np.where(is_alone, of_one, first), np.where(is_alone, 0, second))
    beside = np.where(is_alone, side_against_one(habits)[layouts], tables.played_side[layouts])
    edge = skill + np.where(contract.trump == SUITS, hundredths(habits.sans_edge), 0)
    falls = declarer_tricks(contract, layouts, beside, edge, chance, habits)
    declarer = np.maximum(falls, TRICKS - DEFENCE_MOST)
    left = TRICKS - declarer
    of_first = np.where(is_alone, left * passes[1], defence_split(left, layouts, chance, habits))
    return np.stack([declarer, of_first, left - of_first])


def play_bettel(kept: Array, skill: Array, chance: Chance, habits: Habits) -> Played:
    """Play bettels.

    Parameters
    ----------
    kept
        uint8, suits x deals: the declarer's ten cards.
    skill
        Hundredths by which the declarer plays better than the defenders.
    chance, habits
        Chance and habits.
    """
    deals = len(chance.keys)
    return Played(
        np.full((2, deals), NONE, np.uint8),
        chance.happens(Draw.BETTEL_CONTRA, habits.bettel_contra).astype(np.uint8),
        chance.below(Draw.CONTRA_SAYER, 2),
        play_misere(kept, np.zeros(deals, np.bool_), skill, chance, habits),
    )
