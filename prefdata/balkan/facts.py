"""What is so in a Balkan deal, found once and used by tables, entries and the simulator (rules §9).

`Facts` tells who is who and what was recorded, the same under every convention; `Ruling` adds what a convention makes
of it.  Both are records of named expressions, see `prefdata.outcomes.staging`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import polars as pl

from prefdata.balkan.vocabulary import RANKS, SEATS
from prefdata.conventions import Convention
from prefdata.outcomes.staging import BySeat, is_word, number
from prefdata.vocabulary import TRICKS, call_column, tricks_column

__all__ = ["Facts", "Ruling"]

_GAME = 6
"""Tricks that the declarer of every game but bettel promises."""

_OWN_QUOTA, _PAIR_QUOTA = 2, 4
"""Tricks that a defender who came answers for; an inviter answers for both."""

_CONTRA_QUOTA = 5
"""Tricks that the sayer of contra answers for, where he answers alone."""


@dataclass(frozen=True)
class Facts:
    """Who is who in a deal, and what was recorded.

    Attributes
    ----------
    declares, defends
        By seat: declarer; who plays against him.
    passes, comes, invites, is_invited
        By seat: the defender's call.
    said_contra
        By seat: whether it said contra.
    tricks
        By seat: tricks, 0 where none are recorded.
    is_bettel, is_suit_game
        Which kind of game it is; a suit game is every game but bettel, sans too.  Neither where all passed.
    is_whisted
        Whether somebody came or invited.
    is_played
        Whether cards were played: bettel always, another game when somebody came.
    declarer_tricks
        His tricks.
    is_made
        Whether the declarer took six tricks or more, or none in bettel, or nobody came.
    """

    declares: BySeat
    defends: BySeat
    passes: BySeat
    comes: BySeat
    invites: BySeat
    is_invited: BySeat
    said_contra: BySeat
    tricks: BySeat
    is_bettel: pl.Expr
    is_suit_game: pl.Expr
    is_whisted: pl.Expr
    is_played: pl.Expr
    declarer_tricks: pl.Expr
    is_made: pl.Expr

    @classmethod
    @cache
    def of_deal(cls) -> Facts:
        """Read the facts from the columns of the deals table."""
        declares = {seat: is_word("declarer", seat) for seat in SEATS}
        called = {
            call: {seat: is_word(call_column(seat), call) for seat in SEATS}
            for call in ("pass", "come", "invite", "invited")
        }
        tricks = {seat: pl.col(tricks_column(seat)).cast(pl.Int64).fill_null(0) for seat in SEATS}
        is_bettel = is_word("contract", "bettel")
        is_suit_game = pl.col("contract").is_not_null() & ~is_bettel & ~is_word("contract", "all_pass")
        is_whisted = pl.any_horizontal(*called["come"].values(), *called["invite"].values())
        declarer_tricks = pl.sum_horizontal(*(number(declares[seat]) * tricks[seat] for seat in SEATS))
        took_enough = pl.when(is_bettel).then(declarer_tricks == 0).otherwise(~is_whisted | (declarer_tricks >= _GAME))
        return cls(
            declares=declares,
            defends={seat: pl.col("declarer").is_not_null() & ~declares[seat] for seat in SEATS},
            passes=called["pass"],
            comes=called["come"],
            invites=called["invite"],
            is_invited=called["invited"],
            said_contra={seat: is_word("contra_by", seat) for seat in SEATS},
            tricks=tricks,
            is_bettel=is_bettel,
            is_suit_game=is_suit_game,
            is_whisted=is_whisted,
            is_played=is_bettel | (is_suit_game & is_whisted),
            declarer_tricks=declarer_tricks,
            is_made=pl.col("declarer").is_not_null() & took_enough,
        )


@dataclass(frozen=True)
class Ruling:
    """What a convention makes of a deal.

    Attributes
    ----------
    value
        Twice the rank, one rank more without the talon, doubled by each contra; 0 where all passed.
    gives_refe
        Whether a deal writes nothing and may give everybody a refe: all passed, or Slovene spades without a contra.
    written_tricks
        By seat: tricks that a defender writes, before the limit of a failed game; an inviter writes both hands'.
    is_short
        By seat: whether a defender of a made game took fewer tricks than he answers for; of a made bettel, whether he
        said contra and answers alone.
    can_be_cut
        Whether the value is cut to what the sum of the contract columns lacks of 0: a made game with nobody short.
    """

    value: pl.Expr
    gives_refe: pl.Expr
    written_tricks: BySeat
    is_short: BySeat
    can_be_cut: pl.Expr

    @classmethod
    def under(cls, convention: Convention, fact: Facts) -> Ruling:
        """Work the ruling out from the facts."""
        rank = pl.col("contract").replace_strict(RANKS, default=0, return_dtype=pl.Int64)
        doublings = pl.lit(2, dtype=pl.Int64).pow(pl.col("contra").cast(pl.Int64))
        gives_refe = is_word("contract", "all_pass")
        if convention.spades_without_contra == "refe":
            gives_refe = gives_refe | (is_word("contract", "spades") & (pl.col("contra") == 0))
        both = TRICKS - fact.declarer_tricks
        answers_alone = pl.lit(convention.contra_responsibility == "alone") & (pl.col("contra") > 0)
        both_came = pl.sum_horizontal(*map(number, fact.comes.values())) == 2
        has_quota_together = pl.lit(convention.come_quota == "pair") & both_came & (both >= _PAIR_QUOTA)

        def written(seat: str) -> pl.Expr:
            inviter = pl.when(fact.invites[seat]).then(both).otherwise(0)
            own = pl.when(fact.comes[seat]).then(fact.tricks[seat]).otherwise(inviter)
            alone = pl.when(fact.said_contra[seat]).then(both).otherwise(0)
            return pl.when(answers_alone).then(alone).otherwise(own)

        def is_short(seat: str) -> pl.Expr:
            own = fact.comes[seat] & (fact.tricks[seat] < _OWN_QUOTA) & ~has_quota_together
            pair = fact.invites[seat] & (both < _PAIR_QUOTA)
            alone = fact.said_contra[seat] & (both < _CONTRA_QUOTA)
            in_bettel = answers_alone & fact.said_contra[seat]
            in_game = fact.is_whisted & pl.when(answers_alone).then(alone).otherwise(own | pair)
            return fact.is_made & pl.when(fact.is_bettel).then(in_bettel).otherwise(in_game)

        short = {seat: is_short(seat) for seat in SEATS}
        return cls(
            value=2 * (rank + number(pl.col("hand"))) * doublings,
            gives_refe=gives_refe,
            written_tricks={seat: written(seat) for seat in SEATS},
            is_short=short,
            can_be_cut=fact.is_made & ~pl.any_horizontal(*short.values()),
        )
