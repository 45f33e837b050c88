"""Deals of the Balkan game, from the cards to the rows of its deals table."""

from __future__ import annotations

from typing import Any

import numpy as np

from prefdata.balkan.vocabulary import CALL, CONTRACT, PLAYERS, SEAT, SEATS
from prefdata.conventions import Convention
from prefdata.simulate._balkan_bidding import BETTEL, Auction, Game, hold_auction, name_game
from prefdata.simulate._balkan_play import Played, play_bettel, play_game
from prefdata.simulate._cards import deal_cards, side_against_one
from prefdata.simulate._chance import Chance
from prefdata.simulate._deals import Columns, declarer_skill, in_blocks, write_by_seat
from prefdata.simulate._habits import Habits
from prefdata.simulate._play import NONE
from prefdata.simulate._tables import TablesToPlay
from prefdata.vocabulary import call_column, tricks_column

__all__ = ["ENUMS", "play_deals"]

Array = np.ndarray[Any, Any]

_ALL_PASS = CONTRACT.categories.to_list().index("all_pass")

ENUMS = {
    "dealer": SEAT,
    "contract": CONTRACT,
    "declarer": SEAT,
    "contra_by": SEAT,
    **{call_column(seat): CALL for seat in SEATS},
}
"""Columns of the deals table that hold words."""


def play_deals(tables: TablesToPlay, rows: Array, deals: Array, convention: Convention, habits: Habits) -> Columns:
    """Play deals; gives the columns of the deals table as small whole numbers.

    Parameters
    ----------
    tables
        The tables.
    rows, deals
        Row of the pulka in `tables` and number of the deal, for each deal wanted.
    convention
        Not looked at: players bid and defend alike under every convention of this game.
    habits
        How people play.
    """

    def play(part: slice) -> Columns:
        return _play_block(tables, rows[part], deals[part], habits)

    side_against_one(habits)  # before the threads want it
    return in_blocks(play, len(rows), habits)


def _play_block(tables: TablesToPlay, rows: Array, deals: Array, habits: Habits) -> Columns:
    """Deal, bid and play; hands are in calling order, from the dealer's left."""
    styles = tables.styles
    dealer = (tables.first_dealer[rows] + deals - 1) % PLAYERS
    seats = (dealer + 1 + np.arange(PLAYERS)[:, None]) % PLAYERS
    chance = tables.chance.of_deals(rows, deals)
    holdings = deal_cards(chance).holdings
    auction = hold_auction(holdings[:PLAYERS], styles.bidding[seats, rows], styles.misere[seats, rows], chance, habits)
    columns = _nothing_played(dealer)
    declared = np.flatnonzero(auction.most > 0)
    auction = Auction(*(told[declared] for told in auction))
    hands = (auction.winner + np.arange(PLAYERS)[:, None]) % PLAYERS
    seats, rows, chance = seats[hands, declared], rows[declared], chance.only(declared)
    own, *defenders = (holdings[hand, :, declared].T for hand in hands)
    bidding, misere = styles.bidding[seats[0], rows], styles.misere[seats[0], rows]
    game = name_game(own, holdings[PLAYERS][:, declared], auction, bidding, misere, chance, habits)
    whisting, skill = styles.whisting[seats[1:], rows], declarer_skill(styles, seats, rows, tables.players[rows])
    played = _play(game, np.stack(defenders), whisting, skill, chance, habits)
    sayer = np.take_along_axis(seats[1:], played.sayer[None], axis=0)[0]
    columns["contract"][declared] = game.game
    columns["declarer"][declared] = seats[0]
    columns["hand"][declared] = game.hand
    columns["contra"][declared] = played.contra
    columns["contra_by"][declared] = np.where(played.contra > 0, sayer, NONE)
    write_by_seat(columns, call_column, declared, seats[1:], played.calls)
    write_by_seat(columns, tricks_column, declared, seats, played.tricks)
    return columns


def _nothing_played(dealer: Array) -> Columns:
    """Begin the columns, as if everybody had passed."""
    deals = len(dealer)
    nothing = [*map(call_column, SEATS), "contra_by", *map(tricks_column, SEATS)]
    return {
        "dealer": dealer.astype(np.uint8),
        "contract": np.full(deals, _ALL_PASS, np.uint8),
        "declarer": np.full(deals, NONE, np.uint8),
        "hand": np.zeros(deals, np.bool_),
        "contra": np.zeros(deals, np.uint8),
        **{name: np.full(deals, NONE, np.uint8) for name in nothing},
    }


def _play(game: Game, defenders: Array, whisting: Array, skill: Array, chance: Chance, habits: Habits) -> Played:
    """Play bettels, and all other games."""
    others = play_game(game.contract, defenders, whisting, skill, chance, habits)
    bettels = play_bettel(game.contract.holdings, skill, chance, habits)
    is_bettel = game.game == BETTEL
    return Played(*(np.where(is_bettel, one, other) for one, other in zip(bettels, others, strict=True)))
