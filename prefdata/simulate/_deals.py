"""Deals from the cards to the rows of the deals table, a block at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from prefdata.conventions import Convention
from prefdata.russian.vocabulary import CALL, CONTRACT, TRUMP
from prefdata.simulate._bidding import MISERE, Auction, hold_auction, name_contract
from prefdata.simulate._cards import Cards, deal_cards, suit_tables, talon_worth
from prefdata.simulate._chance import Chance, Draw
from prefdata.simulate._habits import Habits
from prefdata.simulate._play import NONE, Table, discard_in_misere, play_contract, play_misere, play_raspasy
from prefdata.simulate._tables import Styles, TablesToPlay
from prefdata.vocabulary import LEVELS, SEAT, SEATS, call_column, tricks_column

__all__ = [
    "ENUMS",
    "Columns",
    "declarer_skill",
    "in_blocks",
    "play_deals",
    "to_frame",
    "with_talon",
    "write_by_seat",
]

Array = np.ndarray[Any, Any]
Columns = dict[str, Array]

_DEALS_PER_BLOCK = 1 << 15
_REDEALS = 255
_SIX_SPADES = 60
_FIRST_LEVEL = min(LEVELS.values())
_CONTRACTS = list(CONTRACT.categories)
_WRONG_CARDS = ["", *SEATS]


class Block(NamedTuple):
    """Deals that are played at once, and who plays them; hands are in calling order, from the dealer's left."""

    tables: TablesToPlay
    rows: Array  # row of the deal's pulka
    deals: Array  # number of the deal
    players: Array
    dealer: Array  # seat, from 0
    seats: Array  # hands x deals: their seats; the dummy of two players has the last one
    convention: Convention
    habits: Habits


class Dealt(NamedTuple):
    """The cards of a block, and who won the auction with them."""

    chance: Chance
    cards: Cards
    auction: Auction


def play_deals(tables: TablesToPlay, rows: Array, deals: Array, convention: Convention, habits: Habits) -> Columns:
    """Play deals; gives the columns of the deals table as small whole numbers.

    Parameters
    ----------
    tables
        The tables.
    rows, deals
        Row of the pulka in `tables` and number of the deal, for each deal wanted.
    convention
        Tells which half whists there are and whether tens are checked.
    habits
        How people play.
    """

    def play(part: slice) -> Columns:
        return _play_block(tables, rows[part], deals[part], convention, habits)

    return in_blocks(play, len(rows), habits)


def in_blocks(play: Callable[[slice], Columns], deals: int, habits: Habits) -> Columns:
    """Play so many deals block by block, in threads, and put the columns together."""
    suit_tables(habits)  # before the threads want them
    slices = [slice(start, start + _DEALS_PER_BLOCK) for start in range(0, deals, _DEALS_PER_BLOCK)]
    with ThreadPoolExecutor(min(cpu_count() or 1, max(len(slices), 1))) as pool:
        blocks = list(pool.map(play, slices))
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


def _play_block(tables: TablesToPlay, rows: Array, deals: Array, convention: Convention, habits: Habits) -> Columns:
    players = tables.players[rows]
    dealer = (tables.first_dealer[rows] + deals - 1) % players
    seats = (dealer + 1 + np.arange(3)[:, None]) % players
    seats[2, players == 2] = len(SEATS) - 1
    block = Block(tables, rows, deals, players, dealer, seats, convention, habits)
    dealt = _deal(block)
    columns = {
        "dealer": dealer.astype(np.uint8),
        "contract": np.full(len(rows), _CONTRACTS.index("raspasy"), np.uint8),
        "declarer": np.full(len(rows), NONE, np.uint8),
        **{call_column(seat): np.full(len(rows), NONE, np.uint8) for seat in SEATS},
        **{tricks_column(seat): np.full(len(rows), NONE, np.uint8) for seat in SEATS},
        "conceded": np.zeros(len(rows), np.bool_),
        "talon": np.zeros(len(rows), np.uint8),
        "multiplier": 1 + dealt.chance.happens(Draw.DOUBLED, habits.doubled).astype(np.uint8),
        "wrong_cards": np.zeros(len(rows), np.uint8),
        "trump": np.full(len(rows), NONE, np.uint8),
    }
    bid = dealt.auction.bid
    for play, mine in ((_contracts, (bid > 0) & (bid != MISERE)), (_miseres, bid == MISERE), (_raspasy, bid == 0)):
        chosen = np.flatnonzero(mine)
        if len(chosen):
            play(columns, chosen, block, dealt)
    for columns_of_seat in (call_column, tricks_column):
        columns[columns_of_seat(SEATS[-1])][players < len(SEATS)] = NONE
    return columns


def _deal(block: Block) -> Dealt:
    """Deal and bid; two players deal again when both pass, and at last the first one is made to play."""
    dealt = _deal_once(block, np.arange(len(block.deals)), 0)
    for attempt in range(1, _REDEALS + 1):
        again = np.flatnonzero((block.players == 2) & (dealt.auction.bid == 0))
        if not len(again):
            return dealt
        new = _deal_once(block, again, attempt)
        dealt.chance.keys[again] = new.chance.keys
        dealt.cards.holdings[..., again] = new.cards.holdings
        dealt.cards.talon[:, again] = new.cards.talon
        dealt.auction.winner[again] = new.auction.winner
        dealt.auction.bid[again] = new.auction.bid
    dealt.auction.bid[(block.players == 2) & (dealt.auction.bid == 0)] = _SIX_SPADES
    return dealt


def _deal_once(block: Block, chosen: Array, attempt: int) -> Dealt:
    rows, seats, styles = block.rows[chosen], block.seats[:, chosen], block.tables.styles
    chance = block.tables.chance.of_deals(rows, block.deals[chosen], attempt)
    cards = deal_cards(chance)
    bidders = np.minimum(block.players[chosen], 3)
    auction = hold_auction(
        cards.holdings[:3], styles.bidding[seats, rows], styles.misere[seats, rows], chance, block.habits, bidders
    )
    return Dealt(chance, cards, auction)


def _hands(winner: Array, players: Array) -> Array:
    """Give the hands of the declarer and of the defenders in calling order; the dummy comes last."""
    is_for_two = players == 2
    first = np.where(is_for_two, 1 - winner, (winner + 1) % 3)
    return np.stack([winner, first, np.where(is_for_two, 2, (winner + 2) % 3)])


def with_talon(cards: Cards, hand: Array, chosen: Array) -> Array:
    """Give the twelve cards (uint8, suits x deals) of hands of some deals."""
    taken: Array = cards.holdings[hand, :, chosen].T | cards.holdings[3][:, chosen]
    return taken


def _contracts(columns: Columns, chosen: Array, block: Block, dealt: Dealt) -> None:
    """Play contracts of 6-10 and write them down."""
    rows, players, styles = block.rows[chosen], block.players[chosen], block.tables.styles
    hands = _hands(dealt.auction.winner[chosen], players)
    seats = block.seats[hands, chosen]
    chance, holdings = dealt.chance.only(chosen), dealt.cards.holdings
    contract = name_contract(
        with_talon(dealt.cards, hands[0], chosen),
        dealt.auction.bid[chosen],
        styles.bidding[seats[0], rows],
        chance,
        block.habits,
    )
    table = Table(
        is_for_two=players == 2,
        whisting=styles.whisting[seats[1:], rows],
        skill=declarer_skill(styles, seats, rows, players),
        has_sitting_dealer=players == len(SEATS),
        half_levels=frozenset(level for level, _ in block.convention.half_whist),
        is_ten_checked=block.convention.ten == "checked",
    )
    defenders = np.stack([holdings[hand, :, chosen].T for hand in hands[1:]])
    played = play_contract(contract, defenders, table, chance, block.habits)
    columns["contract"][chosen] = contract.level - _FIRST_LEVEL
    columns["declarer"][chosen] = seats[0]
    columns["conceded"][chosen] = played.conceded
    columns["talon"][chosen] = talon_worth(dealt.cards.talon[:, chosen])
    columns["trump"][chosen] = contract.trump
    columns["wrong_cards"][chosen] = _seats_of_places(seats, played.wrong_cards)
    write_by_seat(columns, call_column, chosen, seats[1:], played.calls)
    write_by_seat(columns, tricks_column, chosen, seats, played.tricks)
    from_talon = chosen[played.dealer_whists]
    whist = np.full((1, len(from_talon)), CALL.categories.to_list().index("whist"), np.uint8)
    write_by_seat(columns, call_column, from_talon, block.dealer[None, from_talon], whist)


def _seats_of_places(seats: Array, places: Array) -> Array:
    """Turn places among declarer and defenders, from 1, into seats, from 1; 0 stays 0."""
    found = np.take_along_axis(seats, np.maximum(places.astype(np.int64) - 1, 0)[None], axis=0)[0]
    return np.where(places > 0, found + 1, 0)


def _miseres(columns: Columns, chosen: Array, block: Block, dealt: Dealt) -> None:
    """Play misères and write them down."""
    rows, players = block.rows[chosen], block.players[chosen]
    hands = _hands(dealt.auction.winner[chosen], players)
    seats = block.seats[hands, chosen]
    kept = discard_in_misere(with_talon(dealt.cards, hands[0], chosen), block.habits)
    skill = declarer_skill(block.tables.styles, seats, rows, players)
    tricks = play_misere(kept, players == 2, skill, dealt.chance.only(chosen), block.habits)
    columns["contract"][chosen] = _CONTRACTS.index("misere")
    columns["declarer"][chosen] = seats[0]
    write_by_seat(columns, tricks_column, chosen, seats, tricks)


def _raspasy(columns: Columns, chosen: Array, block: Block, dealt: Dealt) -> None:
    """Play raspasy and write it down; with four players the talon's tricks are the sitting dealer's."""
    seats, is_for_four = block.seats[:, chosen], block.players[chosen] == len(SEATS)
    skill = block.tables.styles.skill[seats, block.rows[chosen]]
    holdings, talon = dealt.cards.holdings[:3, :, chosen], dealt.cards.talon[:, chosen]
    tricks = play_raspasy(holdings, talon, is_for_four, skill, dealt.chance.only(chosen), block.habits)
    write_by_seat(columns, tricks_column, chosen, seats, tricks[:3])
    sitting = chosen[is_for_four]
    write_by_seat(columns, tricks_column, sitting, block.dealer[None, sitting], tricks[3:, is_for_four])


def declarer_skill(styles: Styles, seats: Array, rows: Array, players: Array) -> Array:
    """Tell by how much the declarer plays better than the defenders do; the dummy is played by the other one."""
    first = styles.skill[seats[1], rows]
    second = np.where(players == 2, first, styles.skill[seats[2], rows])
    better: Array = styles.skill[seats[0], rows] - (first + second) // 2
    return better


def write_by_seat(columns: Columns, name: Callable[[str], str], chosen: Array, seats: Array, values: Array) -> None:
    """Write what belongs to hands into the columns of their seats."""
    for number, column in enumerate(map(name, SEATS)):
        for hand, value in zip(seats, values, strict=True):
            mine = hand == number
            if mine.any():
                columns[column][chosen[mine]] = value[mine]


ENUMS = {
    "dealer": SEAT,
    "contract": CONTRACT,
    "declarer": SEAT,
    **{call_column(seat): CALL for seat in SEATS},
    "trump": TRUMP,
}
"""Columns of the deals table that hold words."""


def to_frame(
    columns: Columns, enums: Mapping[str, pl.Enum], pulkas: Array, deals: Array, players: Array
) -> pl.DataFrame:
    """Make the deals table from its columns as they were played: small whole numbers, in which `NONE` is null."""
    raw = pl.DataFrame(
        {"pulka": pulkas, "deal": deals.astype(np.uint16), "players": players.astype(np.uint8), **columns}
    )
    return raw.with_columns(_typed(columns, enums))


def _typed(columns: Columns, enums: Mapping[str, pl.Enum]) -> Iterator[pl.Expr]:
    for name in columns:
        filled = pl.when(pl.col(name) != NONE).then(pl.col(name))
        if name in enums:
            yield filled.cat.to(enums[name]).alias(name)
        elif name.startswith("tricks"):
            yield filled.alias(name)
        elif name == "wrong_cards":
            yield pl.col(name).cat.to(pl.Enum(_WRONG_CARDS)).cast(pl.String)
