"""The tables of the Russian game: deals and adjustments; pulkas are those of every game.

`RULES` of `prefdata.tables` lists what each rule says.
"""

from __future__ import annotations

from collections.abc import Callable

import dataframely as dy
import polars as pl

from prefdata.russian.facts import Facts
from prefdata.russian.vocabulary import CALL, CONTRACT, ENTRY, TRUMP, WORDS
from prefdata.tables import Table, is_at_table, rule
from prefdata.vocabulary import PLAYER_COUNTS, SEAT, SEATS, TRICKS, call_column, tricks_column

__all__ = ["ADJUSTMENTS", "DEALS", "Adjustments", "Deals"]


def _everywhere(condition: Callable[[str], pl.Expr]) -> pl.Expr:
    return pl.all_horizontal(*(condition(seat) for seat in SEATS))


def _tricks(seat: str) -> pl.Expr:
    return pl.col(tricks_column(seat))


def _has_declarers_tricks_alone(fact: Facts) -> pl.Expr:
    """Tell whether a misère has the tricks of its declarer and of nobody else."""
    return fact.is_misere & _everywhere(lambda seat: _tricks(seat).is_null() | fact.declares[seat])


class Deals(dy.Schema):
    """One row a deal (сдача), sorted by `pulka` and `deal`."""

    pulka = dy.Int64(nullable=False, description="key of its pulka")
    deal = dy.UInt16(nullable=False, min=1, description="number in the pulka: 1, 2, ... without gaps")
    players = dy.UInt8(min=2, max=4, description="as in pulkas")
    dealer = dy.Enum(SEAT.categories, description="seat of the dealer, who sits out with four players")
    contract = dy.Enum(CONTRACT.categories, description="what was played")
    declarer = dy.Enum(SEAT.categories, nullable=True, description="seat of the declarer; null in raspasy")
    call_a = dy.Enum(CALL.categories, nullable=True, description="final call of seat a against 6-10")
    call_b = dy.Enum(CALL.categories, nullable=True, description="final call of seat b against 6-10")
    call_c = dy.Enum(CALL.categories, nullable=True, description="final call of seat c against 6-10")
    call_d = dy.Enum(CALL.categories, nullable=True, description="final call of seat d against 6-10")
    tricks_a = dy.UInt8(nullable=True, max=TRICKS, description="tricks of seat a; null where nothing was played")
    tricks_b = dy.UInt8(nullable=True, max=TRICKS, description="tricks of seat b; null where nothing was played")
    tricks_c = dy.UInt8(nullable=True, max=TRICKS, description="tricks of seat c; null where nothing was played")
    tricks_d = dy.UInt8(nullable=True, max=TRICKS, description="tricks of seat d; null where nothing was played")
    conceded = dy.Bool(description="whether the declarer gave up three down before play")
    talon = dy.UInt8(max=3, description="worth of the talon in tricks, 0-3")
    multiplier = dy.UInt8(min=1, max=16, description="factor on the price of this deal")
    wrong_cards = dy.String(description="seats with a wrong number of cards, such as ab")
    trump = dy.Enum(TRUMP.categories, nullable=True, description="trump suit, never scored")
    outcome = dy.UInt32(nullable=True, description="code of all that scoring looks at, written by prefdata")

    @rule("two players must not play raspasy")
    def raspasy_for_three(cls) -> pl.Expr:
        return (pl.col("contract") != "raspasy") | (pl.col("players") != 2)

    @rule("the dealer must sit at the table")
    def dealer_at_table(cls) -> pl.Expr:
        return _everywhere(lambda seat: (pl.col("dealer") != seat) | is_at_table(seat))

    @rule("a contract and misère must have a declarer, and raspasy none")
    def declarer_of_contract(cls) -> pl.Expr:
        return pl.col("declarer").is_null() == (pl.col("contract") == "raspasy")

    @rule("the declarer must sit at the table and not be the sitting dealer")
    def declarer_plays(cls) -> pl.Expr:
        fact = Facts.of_deal()
        return _everywhere(lambda seat: ~fact.declares[seat] | fact.plays[seat])

    @rule(
        "defenders of a 6-10 that is not conceded must have a final call, and nobody else may have one, but for the "
        "sitting dealer who whists after two passes"
    )
    def calls_of_defenders(cls) -> pl.Expr:
        fact = Facts.of_deal()
        may_whist = fact.awaits_calls & (fact.pass_calls == 2)
        return _everywhere(
            lambda seat: (
                (pl.col(call_column(seat)).is_not_null() == (fact.defends[seat] & fact.awaits_calls))
                | (fact.whists_from_talon[seat] & may_whist)
            )
        )

    @rule("half a whist may be said only by the second defender, after a pass")
    def half_after_pass(cls) -> pl.Expr:
        fact = Facts.of_deal()
        after_pass = (fact.half_calls == 1) & (fact.pass_calls == 1)
        return _everywhere(lambda seat: ~fact.said_half[seat] | (fact.is_last_defender[seat] & after_pass))

    @rule(
        "whoever plays must have tricks where something was played, and nobody where nothing was; a misère may have "
        "the declarer's alone"
    )
    def tricks_where_played(cls) -> pl.Expr:
        fact = Facts.of_deal()
        was_played = ~fact.is_contract | fact.is_played
        alone = _has_declarers_tricks_alone(fact)
        return _everywhere(
            lambda seat: (
                fact.sits_out[seat]
                | (_tricks(seat).is_not_null() == (fact.plays[seat] & was_played))
                | (alone & fact.defends[seat])
            )
        )

    @rule("the tricks of a played deal must add up to ten")
    def tricks_add_up(cls) -> pl.Expr:
        fact = Facts.of_deal()
        nothing = pl.all_horizontal(*(_tricks(seat).is_null() for seat in SEATS))
        return nothing | _has_declarers_tricks_alone(fact) | (pl.sum_horizontal(fact.tricks.values()) == TRICKS)

    @rule("the sitting dealer must have no tricks, but for the talon's 0-2 in raspasy")
    def tricks_of_sitting_dealer(cls) -> pl.Expr:
        fact = Facts.of_deal()
        talon = fact.is_raspasy & (pl.col("players") == len(SEATS))
        return _everywhere(lambda seat: ~fact.sits_out[seat] | _tricks(seat).is_null() | (talon & (_tricks(seat) <= 2)))

    @rule("only a contract of 6-10 may be conceded")
    def conceded_contract(cls) -> pl.Expr:
        fact = Facts.of_deal()
        return ~fact.is_conceded | fact.is_contract

    @rule("the talon may have a worth in a contract of 6-10 only")
    def talon_of_contract(cls) -> pl.Expr:
        return (pl.col("talon") == 0) | Facts.of_deal().is_contract

    @rule("wrong_cards must name seats, each once")
    def wrong_cards_are_seats(cls) -> pl.Expr:
        named = pl.sum_horizontal(one.cast(pl.Int64) for one in Facts.of_deal().has_wrong_cards.values())
        return pl.col("wrong_cards").str.len_bytes().cast(pl.Int64) == named

    @rule("only the declarer and whisters of a played 6-10 may have wrong cards")
    def wrong_cards_in_play(cls) -> pl.Expr:
        fact = Facts.of_deal()

        def may_have(seat: str) -> pl.Expr:
            whists = fact.defends[seat] & (fact.said_whist[seat] | fact.is_unwhisted_ten)
            return fact.is_played & (fact.declares[seat] | whists)

        return _everywhere(lambda seat: ~fact.has_wrong_cards[seat] | may_have(seat))


class Adjustments(dy.Schema):
    """Signed entries beside the deals: penalties, corrections, columns carried over (rules §8)."""

    pulka = dy.Int64(nullable=False, description="key of its pulka")
    deal = dy.UInt16(nullable=False, description="the deal after which it is written; 0 opens the pulka")
    seat = dy.Enum(SEAT.categories, description="whose sheet it is written in")
    entry = dy.Enum(ENTRY.categories, description="which column it is written in")
    on_seat = dy.Enum(SEAT.categories, nullable=True, description="on whom, for whists")
    points = dy.Int32(nullable=False, description="points or whists, signed")
    reason = dy.String(nullable=True, description="why")

    @rule("whists must be written on another seat, other entries on nobody")
    def adjustment_on_seat(cls) -> pl.Expr:
        on_other = pl.col("on_seat").is_not_null() & (pl.col("on_seat") != pl.col("seat")).fill_null(False)
        return pl.when(pl.col("entry") == "whists").then(on_other).otherwise(pl.col("on_seat").is_null())


DEALS = Table(
    Deals,
    {
        "conceded": pl.lit(False),
        "talon": pl.lit(0, dtype=pl.UInt8),
        "multiplier": pl.lit(1, dtype=pl.UInt8),
        "wrong_cards": pl.lit(""),
        "trump": None,
        "outcome": None,
    },
    WORDS,
    tuple(column(seat) for column in (call_column, tricks_column) for seat in SEATS[min(PLAYER_COUNTS) :]),
)
ADJUSTMENTS = Table(Adjustments, dict.fromkeys(("on_seat", "reason")), WORDS)
