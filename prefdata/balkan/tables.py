"""The tables of the Balkan game (rules §9): deals and adjustments; pulkas are those of every game."""

from __future__ import annotations

from collections.abc import Callable

import dataframely as dy
import polars as pl

from prefdata.balkan.facts import Facts
from prefdata.balkan.vocabulary import CALL, CONTRACT, ENTRY, PLAYERS, SEAT, SEATS, WORDS
from prefdata.outcomes.staging import number
from prefdata.tables import Table, rule
from prefdata.vocabulary import TRICKS, call_column, tricks_column

__all__ = ["ADJUSTMENTS", "DEALS", "Adjustments", "Deals"]


def _everywhere(condition: Callable[[str], pl.Expr]) -> pl.Expr:
    return pl.all_horizontal(*(condition(seat) for seat in SEATS))


def _tricks(seat: str) -> pl.Expr:
    return pl.col(tricks_column(seat))


def _tricks_in_place(seat: str) -> pl.Expr:
    """Whether a seat has tricks where it took part, and none where it did not."""
    fact = Facts.of_deal()
    return (
        pl.when(fact.is_bettel & fact.defends[seat])
        .then(pl.lit(True))
        .when(fact.passes[seat])
        .then((_tricks(seat).is_null()) | ((_tricks(seat) == 0) & fact.is_played))
        .otherwise(_tricks(seat).is_not_null() == fact.is_played)
    )


class Deals(dy.Schema):
    """One row a deal of the Balkan game, sorted by `pulka` and `deal`."""

    pulka = dy.Int64(nullable=False, description="key of its pulka")
    deal = dy.UInt16(nullable=False, min=1, description="number in the pulka: 1, 2, ... without gaps")
    players = dy.UInt8(min=PLAYERS, max=PLAYERS, description="three")
    dealer = dy.Enum(SEAT.categories, description="seat of the dealer")
    contract = dy.Enum(CONTRACT.categories, description="what was played, or all_pass")
    declarer = dy.Enum(SEAT.categories, nullable=True, description="seat of the declarer; null where all passed")
    hand = dy.Bool(description="whether it was played without the talon; empty is no")
    call_a = dy.Enum(CALL.categories, nullable=True, description="call of seat a where it defends, but for bettel")
    call_b = dy.Enum(CALL.categories, nullable=True, description="call of seat b where it defends, but for bettel")
    call_c = dy.Enum(CALL.categories, nullable=True, description="call of seat c where it defends, but for bettel")
    contra = dy.UInt8(max=5, description="how often the value was doubled: 1 contra, 2 recontra, ...")
    contra_by = dy.Enum(SEAT.categories, nullable=True, description="seat of the defender who said contra")
    tricks_a = dy.UInt8(nullable=True, max=TRICKS, description="tricks of seat a; null where nothing was played")
    tricks_b = dy.UInt8(nullable=True, max=TRICKS, description="tricks of seat b; null where nothing was played")
    tricks_c = dy.UInt8(nullable=True, max=TRICKS, description="tricks of seat c; null where nothing was played")

    @rule("a game must have a declarer, and all_pass none")
    def declarer_of_game(cls) -> pl.Expr:
        return pl.col("declarer").is_null() == (pl.col("contract") == "all_pass")

    @rule("only a game may be played without the talon")
    def hand_of_game(cls) -> pl.Expr:
        return ~pl.col("hand") | (pl.col("contract") != "all_pass")

    @rule("defenders must have a call, but for bettel, and nobody else may have one")
    def calls_of_balkan_defenders(cls) -> pl.Expr:
        fact = Facts.of_deal()
        return _everywhere(
            lambda seat: pl.col(call_column(seat)).is_not_null() == (fact.defends[seat] & fact.is_suit_game)
        )

    @rule("whoever is invited must be so by the other defender, who invites")
    def invitations_fit(cls) -> pl.Expr:
        fact = Facts.of_deal()
        invites, invited = (pl.sum_horizontal(map(number, of.values())) for of in (fact.invites, fact.is_invited))
        return (invites == invited) & (invites <= 1)

    @rule("contra must have a sayer, and nothing else may have one")
    def contra_has_sayer(cls) -> pl.Expr:
        return (pl.col("contra") > 0) == pl.col("contra_by").is_not_null()

    @rule("contra may be said only by a defender who did not pass")
    def contra_by_defender(cls) -> pl.Expr:
        fact = Facts.of_deal()
        return _everywhere(lambda seat: ~fact.said_contra[seat] | (fact.defends[seat] & ~fact.passes[seat]))

    @rule(
        "whoever took part must have tricks where something was played, who passed none; in bettel those of the "
        "defenders may be left out"
    )
    def balkan_tricks_where_played(cls) -> pl.Expr:
        return _everywhere(_tricks_in_place)

    @rule("the tricks of a played deal must add up to ten")
    def tricks_add_up(cls) -> pl.Expr:
        fact = Facts.of_deal()
        total = pl.sum_horizontal(fact.tricks.values())
        recorded = pl.sum_horizontal(number(_tricks(seat).is_not_null()) for seat in SEATS)
        return (recorded == 0) | (total == TRICKS) | (fact.is_bettel & (recorded == 1))


class Adjustments(dy.Schema):
    """Signed entries beside the deals: penalties, corrections, columns carried over (rules §8)."""

    pulka = dy.Int64(nullable=False, description="key of its pulka")
    deal = dy.UInt16(nullable=False, description="the deal after which it is written; 0 opens the pulka")
    seat = dy.Enum(SEAT.categories, description="whose column it is written in")
    entry = dy.Enum(ENTRY.categories, description="which column it is written in")
    on_seat = dy.Enum(SEAT.categories, nullable=True, description="on whom, for a juha")
    points = dy.Int32(nullable=False, description="points or whists, signed")
    reason = dy.String(nullable=True, description="why")

    @rule("a juha must be written on another seat, a contract entry on nobody")
    def juha_on_seat(cls) -> pl.Expr:
        on_other = pl.col("on_seat").is_not_null() & (pl.col("on_seat") != pl.col("seat")).fill_null(False)
        return pl.when(pl.col("entry") == "juha").then(on_other).otherwise(pl.col("on_seat").is_null())


DEALS = Table(Deals, {"hand": pl.lit(False), "contra_by": None}, WORDS)
ADJUSTMENTS = Table(Adjustments, dict.fromkeys(("on_seat", "reason")), WORDS)
