"""What is so in a deal, found once and used by tables, codes, entries, notation and analysis.

`Facts` tells who is who and what was recorded, the same under every convention; `Ruling` adds what a convention makes
of it.  Both are records of named expressions, see `prefdata.outcomes.staging`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import polars as pl

from prefdata.conventions import Convention
from prefdata.outcomes.staging import BySeat, is_word, number
from prefdata.russian.vocabulary import PRICES, QUOTAS
from prefdata.tables import is_at_table
from prefdata.vocabulary import LEVELS, SEATS, TRICKS, call_column, left_of, tricks_column

__all__ = ["Facts", "Ruling", "by_contract", "is_on_left_of_dealer"]


def by_contract(values: dict[str, int]) -> pl.Expr:
    """Look a number up by the contract's name; 0 where it has none."""
    return pl.col("contract").replace_strict(values, default=0, return_dtype=pl.Int64)


def _plays_with(players: int) -> pl.Expr:
    return (pl.col("players") == players).fill_null(False)


@dataclass(frozen=True)
class Facts:
    """Who is who in a deal, and what was recorded.

    Attributes
    ----------
    sits_out, plays, declares, defends
        By seat: sitting dealer (сдающий на прикупе); holder of cards; declarer (разыгрывающий); who plays against him.
    is_first_defender, is_last_defender
        By seat: place in calling order, which begins on the declarer's left and skips the sitting dealer.  The one
        defender of two players is both.
    said_pass, said_whist, said_half
        By seat: the final call.
    whists_from_talon
        By seat: whether it is the sitting dealer, who whists after both defenders have passed (rules §3.7).
    has_wrong_cards
        By seat: whether it had a wrong number of cards.
    tricks
        By seat: tricks, 0 where none are recorded.
    has_fewest_tricks, is_nearest_with_fewest
        By seat: whether nobody else who holds cards has fewer tricks; and whether of those with so few nobody is nearer
        on the dealer's left.
    is_contract, is_misere, is_raspasy
        Which kind of deal it is; a contract is one of 6-10.
    dealer_whists
        Whether the sitting dealer is the one who whists.
    is_conceded, awaits_calls
        Whether the contract was given up before play, and whether defenders had to answer it.
    pass_calls, whist_calls, half_calls
        How many ended with this call, the sitting dealer counted.
    is_unwhisted_ten
        Whether a ten was played although nobody whisted: it was checked (rules §3.7).
    is_played
        Whether a contract of 6-10 was played out.
    declarer_tricks, multiplier
        Numbers of the deal.
    """

    sits_out: BySeat
    plays: BySeat
    declares: BySeat
    defends: BySeat
    is_first_defender: BySeat
    is_last_defender: BySeat
    said_pass: BySeat
    said_whist: BySeat
    said_half: BySeat
    whists_from_talon: BySeat
    has_wrong_cards: BySeat
    tricks: BySeat
    has_fewest_tricks: BySeat
    is_nearest_with_fewest: BySeat
    is_contract: pl.Expr
    is_misere: pl.Expr
    is_raspasy: pl.Expr
    dealer_whists: pl.Expr
    is_conceded: pl.Expr
    awaits_calls: pl.Expr
    pass_calls: pl.Expr
    whist_calls: pl.Expr
    half_calls: pl.Expr
    is_unwhisted_ten: pl.Expr
    is_played: pl.Expr
    declarer_tricks: pl.Expr
    multiplier: pl.Expr

    @classmethod
    @cache
    def of_deal(cls) -> Facts:
        """Read the facts from the columns of the deals table."""
        sits_out = {seat: _plays_with(len(SEATS)) & is_word("dealer", seat) for seat in SEATS}
        plays = {seat: is_at_table(seat) & ~sits_out[seat] for seat in SEATS}
        declares = {seat: is_word("declarer", seat) for seat in SEATS}
        defends = {seat: plays[seat] & pl.col("declarer").is_not_null() & ~declares[seat] for seat in SEATS}
        last = {seat: defends[seat] & _sits_last(seat, declares) for seat in SEATS}
        said = {call: {seat: is_word(call_column(seat), call) for seat in SEATS} for call in ("pass", "whist", "half")}
        calls = {call: pl.sum_horizontal(*map(number, of_seats.values())) for call, of_seats in said.items()}
        from_talon = {seat: sits_out[seat] & said["whist"][seat] for seat in SEATS}
        tricks = {seat: pl.col(tricks_column(seat)).cast(pl.Int64).fill_null(0) for seat in SEATS}
        fewest = pl.min_horizontal(*(pl.when(plays[seat]).then(tricks[seat]) for seat in SEATS))
        has_fewest = {seat: (plays[seat] & (tricks[seat] == fewest)).fill_null(False) for seat in SEATS}
        is_contract = pl.any_horizontal(*(is_word("contract", level) for level in LEVELS))
        is_conceded = pl.col("conceded").fill_null(False)
        is_unwhisted_ten = is_word("contract", "10") & (calls["whist"] == 0) & (calls["half"] == 0) & _has_tricks()
        is_named = (pl.col("wrong_cards") != "").fill_null(False)
        return cls(
            sits_out=sits_out,
            plays=plays,
            declares=declares,
            defends=defends,
            is_first_defender={seat: defends[seat] & ~(last[seat] & (pl.col("players") > 2)) for seat in SEATS},
            is_last_defender=last,
            said_pass=said["pass"],
            said_whist=said["whist"],
            said_half=said["half"],
            whists_from_talon=from_talon,
            has_wrong_cards={seat: is_named & pl.col("wrong_cards").str.contains(seat, literal=True) for seat in SEATS},
            tricks=tricks,
            has_fewest_tricks=has_fewest,
            is_nearest_with_fewest={seat: _is_nearest(seat, has_fewest) for seat in SEATS},
            is_contract=is_contract,
            is_misere=is_word("contract", "misere"),
            is_raspasy=is_word("contract", "raspasy"),
            dealer_whists=pl.any_horizontal(*from_talon.values()),
            is_conceded=is_conceded,
            awaits_calls=is_contract & ~is_conceded,
            pass_calls=calls["pass"],
            whist_calls=calls["whist"],
            half_calls=calls["half"],
            is_unwhisted_ten=is_unwhisted_ten,
            is_played=is_contract & ~is_conceded & ((calls["whist"] > 0) | is_unwhisted_ten),
            declarer_tricks=pl.sum_horizontal(*(number(declares[seat]) * tricks[seat] for seat in SEATS)),
            multiplier=pl.col("multiplier").cast(pl.Int64),
        )


def _has_tricks() -> pl.Expr:
    return pl.any_horizontal(*(pl.col(tricks_column(seat)).is_not_null() for seat in SEATS))


def _sits_last(seat: str, declares: BySeat) -> pl.Expr:
    """Tell whether the declarer is next on the left of a seat, the sitting dealer being skipped."""
    small_table = pl.any_horizontal(
        *(_plays_with(players) & declares[left_of(seat, players)] for players in (2, 3) if SEATS.index(seat) < players),
        pl.lit(False),
    )
    over_dealer = is_word("dealer", left_of(seat, 4))
    large_table = (over_dealer & declares[left_of(seat, 4, 2)]) | (~over_dealer & declares[left_of(seat, 4)])
    return pl.when(pl.col("players") < len(SEATS)).then(small_table).otherwise(large_table)


def _is_nearest(seat: str, chosen: BySeat) -> pl.Expr:
    """Tell whether a seat is chosen, and no other chosen one is nearer on the dealer's left."""
    places = {other: _places_from_dealer(other) for other in SEATS}
    nearer = [chosen[other] & (places[other] < places[seat]) for other in SEATS if other != seat]
    return chosen[seat] & ~pl.any_horizontal(*nearer)


def _places_from_dealer(seat: str) -> pl.Expr:
    """Count how many places a seat is on the dealer's left, who comes last himself."""
    return pl.sum_horizontal(*(number(is_on_left_of_dealer(seat, places)) * places for places in (1, 2, 3)))


def is_on_left_of_dealer(seat: str, places: int) -> pl.Expr:
    """Tell whether the seat is some places on the dealer's left, around the table; 0 is the dealer."""
    return pl.any_horizontal(
        *(
            _plays_with(players) & is_word("dealer", left_of(seat, players, -places))
            for players in (2, 3, 4)
            if SEATS.index(seat) < players
        ),
        pl.lit(False),
    )


@dataclass(frozen=True)
class Ruling:
    """What a convention makes of a deal.

    Attributes
    ----------
    price
        v of rules §2, in points.
    is_checked
        Whether both defenders count as whisters without a quota: a checked ten (rules §3.7).
    is_lone_whist, is_shared
        Whether one defender, or the sitting dealer, answers and writes alone; whether a defender halves that with the
        passer (rules §3.4).
    whists
        By seat: whether it counts as a whister.
    undertricks
        Real undertricks of a played contract: u of rules §3.
    declarer_has_wrong_cards, anybody_has_wrong_cards
        Whether penalties for wrong cards are due (rules §8).
    is_bullet_entry
        Whether the declarer's entry goes to the bullet: made, passed out, half whist, misère (rules §3.1-3, §4, §5).
    quota, pair_shortage
        Tricks that the defence owes, and how many the pair is short of them (rules §3.6).
    """

    price: pl.Expr
    is_checked: pl.Expr
    is_lone_whist: pl.Expr
    is_shared: pl.Expr
    whists: BySeat
    undertricks: pl.Expr
    declarer_has_wrong_cards: pl.Expr
    anybody_has_wrong_cards: pl.Expr
    is_bullet_entry: pl.Expr
    quota: pl.Expr
    pair_shortage: pl.Expr

    @classmethod
    def under(cls, convention: Convention, fact: Facts) -> Ruling:
        """Work the ruling out from the facts."""
        short = (by_contract(LEVELS) - fact.declarer_tricks).clip(lower_bound=0)
        undertricks = number(fact.is_played) * short
        declarer_wrong = pl.any_horizontal(*(fact.declares[seat] & fact.has_wrong_cards[seat] for seat in SEATS))
        is_checked = fact.is_unwhisted_ten
        if convention.ten == "checked":
            is_checked = is_checked | (fact.is_played & ~fact.dealer_whists & (pl.col("contract") == "10"))
        is_lone = (fact.whist_calls == 1) & ~is_checked | (is_checked & (pl.col("players") == 2))
        is_shared = pl.lit(False)
        if convention.lone_whist == "gentleman":
            is_shared = is_lone & fact.is_played & ~fact.dealer_whists & (pl.col("players") > 2)
            if convention.gentleman_scope == "failed":
                is_shared = is_shared & (undertricks > 0)
        made = fact.awaits_calls & (undertricks == 0) & ~declarer_wrong
        quota = by_contract(QUOTAS)
        return cls(
            price=by_contract(PRICES) * convention.scale * fact.multiplier,
            is_checked=is_checked,
            is_lone_whist=is_lone,
            is_shared=is_shared,
            whists={seat: fact.defends[seat] & (fact.said_whist[seat] | is_checked) for seat in SEATS},
            undertricks=undertricks,
            declarer_has_wrong_cards=declarer_wrong,
            anybody_has_wrong_cards=pl.any_horizontal(*fact.has_wrong_cards.values()),
            is_bullet_entry=made | (fact.is_misere & (fact.declarer_tricks == 0)),
            quota=quota,
            pair_shortage=(quota - (TRICKS - fact.declarer_tricks)).clip(lower_bound=0),
        )
