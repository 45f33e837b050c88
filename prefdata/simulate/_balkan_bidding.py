"""The auction of the Balkan game, and the game that the declarer names.

A bid is the rank of a game, and more by `_HAND` without the talon; 0 is a pass.  What a game is worth to a hand is
counted in hundredths of a trick, of the six which it promises: in bettel every hole is a trick that is missing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prefdata.balkan.vocabulary import RANKS
from prefdata.russian.vocabulary import TRUMP
from prefdata.simulate._bidding import Contract, outbid
from prefdata.simulate._cards import SUITS, SuitTables, discard, suit_by_suit, suit_tables
from prefdata.simulate._chance import Chance, Draw
from prefdata.simulate._habits import Habits, hundredths
from prefdata.simulate._play import discard_in_misere

__all__ = ["BETTEL", "Auction", "Game", "hold_auction", "name_game"]

Array = np.ndarray[Any, Any]

_GAMES = list(RANKS)
_RANKS = np.array(list(RANKS.values()))[:, None]
BETTEL = _GAMES.index("bettel")
_IS_BETTEL = np.arange(len(_GAMES))[:, None] == BETTEL
_TRUMPS = TRUMP.categories.to_list()
_SUITS = [_TRUMPS.index(game) if game in _TRUMPS else SUITS for game in _GAMES]
"""Trumps of the games; sans and bettel have none."""
_HAND = 10
_HANDS = 3
_SIX = 6
_CERTAIN = 1 << 20


class Auction(NamedTuple):
    """How the bidding ended, per deal."""

    winner: Array  # hand in calling order, 0-2
    most: Array  # the highest bid that he would have made; 0 where all passed
    least: Array  # rank of the game that he has to play at least


class Game(NamedTuple):
    """What the declarer names, per deal."""

    game: Array  # in the order of ranks, from 0
    hand: Array  # whether it is played without the talon
    contract: Contract  # his ten cards, the promise and the trumps


def hold_auction(holdings: Array, bidding: Array, misere: Array, chance: Chance, habits: Habits) -> Auction:
    """Bid with every hand up to the highest game that it is worth; whoever bids highest wins.

    Parameters
    ----------
    holdings
        uint8, hands x suits x deals.
    bidding, misere
        Hundredths per hand and deal: how the players' styles bid.
    chance, habits
        Chance and habits.
    """
    tables = suit_tables(habits)
    with_talon, without = (100 * _SIX + _by_game(wanted) for wanted in (habits.game_bid, habits.hand_bid))
    hoped = np.where(_IS_BETTEL, hundredths(habits.misere_holes), hundredths(habits.talon_help))
    most = np.empty((_HANDS, holdings.shape[-1]), np.int64)
    for hand in range(_HANDS):
        worth = np.stack([_worth(game, holdings[hand], tables, habits) for game in range(len(_GAMES))])
        of_games = chance.bell(Draw.JUDGEMENT + hand, habits.judgement) + bidding[hand]
        of_bettel = chance.bell(Draw.MISERE_JUDGEMENT + hand, habits.judgement) + misere[hand]
        judged = worth + np.where(_IS_BETTEL, of_bettel, of_games)
        bids = np.where(judged >= without, _HAND + _RANKS, np.where(judged + hoped >= with_talon, _RANKS, 0))
        most[hand] = bids.max(axis=0)
    winner, own, pushed = outbid(most)
    least = np.maximum(np.where(own > _HAND, pushed - _HAND, pushed), _RANKS.min())
    return Auction(winner, own, least)


def name_game(
    own: Array, talon: Array, auction: Auction, bidding: Array, misere: Array, chance: Chance, habits: Habits
) -> Game:
    """Take the talon, unless it is a game without, throw two cards away and name the highest game that seems certain.

    Parameters
    ----------
    own, talon
        uint8, suits x deals: the declarer's ten cards, and those of the talon.
    auction
        The auction.
    bidding, misere
        Hundredths per deal: the declarer's style.
    chance, habits
        Chance and habits.
    """
    tables = suit_tables(habits)
    by_hand = auction.most > _HAND
    kept = np.stack(
        [np.where(by_hand, own, _exchange(game, own | talon, tables, habits)) for game in range(len(_GAMES))]
    )
    worth = np.stack([_worth(game, holdings, tables, habits) for game, holdings in enumerate(kept)])
    judged = worth + np.where(_IS_BETTEL, misere, chance.bell(Draw.ORDER, habits.judgement / 2) + bidding)
    certain = judged >= 100 * _SIX + _by_game(habits.game_order)
    over = judged - 100 * _SIX - _by_game(habits.game_bid)
    is_open = np.where(by_hand, auction.most - _HAND == _RANKS, auction.least <= _RANKS)
    game = np.where(is_open, np.where(certain, _CERTAIN * _RANKS, over), -_CERTAIN).argmax(axis=0)
    deals = np.arange(len(game))
    contract = Contract(
        kept[game, :, deals].T, np.full(len(game), _SIX), np.array(_SUITS)[game], 100 * _SIX - worth[game, deals]
    )
    return Game(game, by_hand, contract)


def _exchange(game: int, holdings: Array, tables: SuitTables, habits: Habits) -> Array:
    """Throw two of twelve cards away for a game."""
    if game == BETTEL:
        return discard_in_misere(holdings, habits)
    return discard(holdings, np.array(_SUITS[game]), tables)


def _worth(game: int, holdings: Array, tables: SuitTables, habits: Habits) -> Array:
    """Count what a game is worth with ten cards (suits x deals)."""
    trump = _SUITS[game]
    if game == BETTEL:
        worth: Array = 100 * _SIX - tables.danger[holdings].sum(axis=0, dtype=np.int32)
    elif trump == SUITS:
        worth = tables.notrump[holdings].sum(axis=0, dtype=np.int32) - hundredths(habits.notrump_cost)
    else:
        in_trump, beside, control = tables.trump[holdings], tables.side[holdings], tables.control[holdings]
        worth = suit_by_suit(np.array(trump), in_trump, beside, control)
    return worth


def _by_game(tricks: tuple[float, ...]) -> Array:
    return np.array([[hundredths(value)] for value in tricks])
