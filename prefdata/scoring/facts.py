"""What is so in a deal, found once and used by many entries.

`Roles` tells who is who and what was recorded; `Facts` adds what a convention makes of it.  Both are records of named
expressions.  For an analyst's single expression they are put in where they are used; for whole frames `stage` computes
them as columns first, so that no entry works out again what another one needs too.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import polars as pl

from prefdata import roles
from prefdata.conventions import Convention
from prefdata.vocabulary import LEVELS, PRICES, QUOTAS, SEATS, TRICKS, tricks_column

__all__ = ["Facts", "Roles", "by_contract", "number", "stage"]

Record = TypeVar("Record", "Roles", "Facts")
BySeat = dict[str, pl.Expr]


def by_contract(values: dict[str, int]) -> pl.Expr:
    """Look a number up by the contract's name; 0 where it has none."""
    return pl.col("contract").replace_strict(values, default=0, return_dtype=pl.Int64)


def number(condition: pl.Expr) -> pl.Expr:
    """Turn true and false into 1 and 0."""
    return condition.cast(pl.Int64)


@dataclass(frozen=True)
class Roles:
    """Who is who, and what was recorded; the same under every convention.

    Attributes
    ----------
    declares, defends, is_last_defender, sits_out, plays
        By seat: declarer; defender; the defender who called last; sitting dealer; holder of cards.
    said_whist, said_half, has_wrong_cards
        By seat: the final call; whether it had a wrong number of cards.
    tricks
        By seat: tricks, 0 where none are recorded.
    is_contract, is_misere, is_raspasy, is_conceded, is_unwhisted_ten
        What was played; a ten that nobody whisted was checked.
    whist_calls, declarer_tricks, multiplier
        Numbers of the deal.
    """

    declares: BySeat
    defends: BySeat
    is_last_defender: BySeat
    sits_out: BySeat
    plays: BySeat
    said_whist: BySeat
    said_half: BySeat
    has_wrong_cards: BySeat
    tricks: BySeat
    is_contract: pl.Expr
    is_misere: pl.Expr
    is_raspasy: pl.Expr
    is_conceded: pl.Expr
    is_unwhisted_ten: pl.Expr
    whist_calls: pl.Expr
    declarer_tricks: pl.Expr
    multiplier: pl.Expr

    @classmethod
    @cache
    def of_deal(cls) -> Roles:
        """Read the roles from the columns of the deals table."""
        named = (pl.col("wrong_cards") != "").fill_null(False)
        tricks = {seat: pl.col(tricks_column(seat)).cast(pl.Int64).fill_null(0) for seat in SEATS}
        declares = {seat: roles.is_declarer(seat) for seat in SEATS}
        return cls(
            declares=declares,
            defends={seat: roles.is_defender(seat) for seat in SEATS},
            is_last_defender={seat: roles.is_last_defender(seat) for seat in SEATS},
            sits_out={seat: roles.is_sitting_dealer(seat) for seat in SEATS},
            plays={seat: roles.is_playing(seat) for seat in SEATS},
            said_whist={seat: roles.called(seat, "whist") for seat in SEATS},
            said_half={seat: roles.called(seat, "half") for seat in SEATS},
            has_wrong_cards={seat: named & pl.col("wrong_cards").str.contains(seat, literal=True) for seat in SEATS},
            tricks=tricks,
            is_contract=roles.is_contract(),
            is_misere=(pl.col("contract") == "misere").fill_null(False),
            is_raspasy=(pl.col("contract") == "raspasy").fill_null(False),
            is_conceded=pl.col("conceded").fill_null(False),
            is_unwhisted_ten=roles.is_unwhisted_ten(),
            whist_calls=roles.whist_calls(),
            declarer_tricks=pl.sum_horizontal(*(number(declares[seat]) * tricks[seat] for seat in SEATS)),
            multiplier=pl.col("multiplier").cast(pl.Int64),
        )


@dataclass(frozen=True)
class Facts:
    """What a convention makes of a deal.

    Attributes
    ----------
    price
        v of rules §2, in points.
    is_played
        Whether a contract of 6-10 was played out.
    is_checked
        Whether both defenders count as whisters without a quota: a checked ten (rules §3.7).
    is_lone_whist, is_shared
        Whether one defender answers and writes alone; whether he halves with the passer (rules §3.4).
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
    is_played: pl.Expr
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
    def under(cls, convention: Convention, role: Roles) -> Facts:
        """Work the facts out from the roles."""
        is_played = role.is_contract & ~role.is_conceded & ((role.whist_calls > 0) | role.is_unwhisted_ten)
        short = (by_contract(LEVELS) - role.declarer_tricks).clip(lower_bound=0)
        undertricks = number(is_played) * short
        declarer_wrong = pl.any_horizontal(*(role.declares[seat] & role.has_wrong_cards[seat] for seat in SEATS))
        is_checked = role.is_unwhisted_ten
        if convention.ten == "checked":
            is_checked = is_checked | (is_played & (pl.col("contract") == "10"))
        is_lone = (role.whist_calls == 1) & ~is_checked | (is_checked & (pl.col("players") == 2))
        is_shared = pl.lit(False)
        if convention.lone_whist == "gentleman":
            is_shared = is_lone & is_played & (pl.col("players") > 2)
            if convention.gentleman_scope == "failed":
                is_shared = is_shared & (undertricks > 0)
        made = role.is_contract & ~role.is_conceded & (undertricks == 0) & ~declarer_wrong
        quota = by_contract(QUOTAS)
        return cls(
            price=by_contract(PRICES) * convention.scale * role.multiplier,
            is_played=is_played,
            is_checked=is_checked,
            is_lone_whist=is_lone,
            is_shared=is_shared,
            whists={seat: role.defends[seat] & (role.said_whist[seat] | is_checked) for seat in SEATS},
            undertricks=undertricks,
            declarer_has_wrong_cards=declarer_wrong,
            anybody_has_wrong_cards=pl.any_horizontal(*role.has_wrong_cards.values()),
            is_bullet_entry=made | (role.is_misere & (role.declarer_tricks == 0)),
            quota=quota,
            pair_shortage=(quota - (TRICKS - role.declarer_tricks)).clip(lower_bound=0),
        )


def stage(record: Record) -> tuple[list[pl.Expr], Record]:
    """Name all expressions of a record as columns; gives them, and the record with those columns in it."""
    columns: list[pl.Expr] = []
    staged: dict[str, pl.Expr | BySeat] = {}

    def column(name: str, expression: pl.Expr) -> pl.Expr:
        columns.append(expression.alias(name))
        return pl.col(name)

    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        name = f"{type(record).__name__}.{field.name}"
        if isinstance(value, dict):
            staged[field.name] = {seat: column(f"{name}.{seat}", expression) for seat, expression in value.items()}
        else:
            staged[field.name] = column(name, value)
    return columns, type(record)(**staged)  # type: ignore[arg-type]
