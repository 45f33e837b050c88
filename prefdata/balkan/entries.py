"""What a Balkan deal brings as it stands (rules §9), as expressions.

An entry is a number of units times the value of the deal: a made or failed game, or a shortage, is one unit of a
contract column; a trick is one unit of a juha.  Units do not change with a refe or when the last game is cut, only the
value does.

Facts that many entries need are put beside the deals first, in steps.  Numbers are Int64, and nothing is ever null.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar

import polars as pl

from prefdata.balkan.vocabulary import DEFENCE_MOST, PLAYERS, RANKS, SEATS, contract_column, entry_columns, juha_column
from prefdata.conventions import Convention
from prefdata.vocabulary import TRICKS, call_column, left_of, pairs, tricks_column

__all__ = ["CAN_BE_CUT", "GIVES_REFE", "VALUE", "balkan_entries", "is_made", "with_units"]

Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)

_GAME = 6
"""Tricks that the declarer of every game but bettel promises."""

_QUOTAS = {"come": 2, "invite": 4}
"""Tricks that a defender answers for; an inviter answers for both."""

_CONTRA_QUOTA = 5
"""Tricks that the sayer of contra answers for, where he answers alone."""

VALUE = "game.value"
GIVES_REFE = "game.gives_refe"
CAN_BE_CUT = "game.can_be_cut"
"""Columns that `with_units` puts beside the units."""

_IS_BETTEL = "game.is_bettel"
_IS_WHISTED = "game.is_whisted"
_IS_MADE = "game.is_made"
_ANSWERS_ALONE = "game.answers_alone"
_DECLARER_TRICKS = "game.declarer_tricks"


def _tricks_of(seat: str) -> str:
    return f"game.tricks.{seat}"


def _is_short_of(seat: str) -> str:
    return f"game.is_short.{seat}"


def balkan_entries(deals: Frame, convention: Convention) -> Frame:
    """Give the entries of every deal as it stands: no refe, no cut of the last game.

    Returns
    -------
    DataFrame or LazyFrame, as it was given
        `pulka`, `deal` and the entries ``contract_a`` ... ``juha_cb`` (Int32).
    """
    written = [(pl.col(name) * pl.col(VALUE)).cast(pl.Int32) for name in entry_columns()]
    return with_units(deals, convention).select("pulka", "deal", *written)


def with_units(deals: Frame, convention: Convention) -> Frame:
    """Put the units of all columns of a sheet beside deals, with `VALUE`, `GIVES_REFE` and `CAN_BE_CUT`."""
    for step in _steps(convention):
        deals = deals.with_columns(step)
    return deals


def is_made() -> pl.Expr:
    """Whether the declarer of a deal took six tricks or more, or none in bettel, or nobody came."""
    tricks = _declarer_tricks()
    made = pl.when(_is("contract", "bettel")).then(tricks == 0).otherwise(~_is_whisted() | (tricks >= _GAME))
    return pl.col("declarer").is_not_null() & made


@lru_cache(maxsize=64)
def _steps(convention: Convention) -> list[list[pl.Expr]]:
    """List what is computed one after the other: facts of the deal, facts of its seats, units."""
    facts = {
        VALUE: _value(),
        _IS_BETTEL: _is("contract", "bettel"),
        _IS_WHISTED: _is_whisted(),
        _IS_MADE: is_made(),
        _DECLARER_TRICKS: _declarer_tricks(),
        GIVES_REFE: _gives_refe(convention),
        _ANSWERS_ALONE: _answers_alone(convention),
    }
    seats = {
        **{_tricks_of(seat): _written_tricks(seat) for seat in SEATS},
        **{_is_short_of(seat): _is_short(seat) for seat in SEATS},
    }
    is_written = _number(~pl.col(GIVES_REFE))
    units = {
        CAN_BE_CUT: pl.col(_IS_MADE) & ~pl.any_horizontal(*map(_is_short_of, SEATS)),
        **{contract_column(seat): is_written * _contract_units(seat) for seat in SEATS},
        **{
            juha_column(writer, on): is_written * _number(_is("declarer", on)) * _juha_tricks(writer)
            for writer, on in pairs(PLAYERS)
        },
    }
    steps = [facts, seats, units]
    return [[expression.alias(name) for name, expression in step.items()] for step in steps]


def _is(column: str, word: str) -> pl.Expr:
    return (pl.col(column) == word).fill_null(False)


def _number(condition: pl.Expr) -> pl.Expr:
    return condition.cast(pl.Int64)


def _tricks(seat: str) -> pl.Expr:
    return pl.col(tricks_column(seat)).cast(pl.Int64).fill_null(0)


def _declarer_tricks() -> pl.Expr:
    return pl.sum_horizontal(*(_number(_is("declarer", seat)) * _tricks(seat) for seat in SEATS))


def _is_whisted() -> pl.Expr:
    """Whether somebody came or invited, so that cards were played."""
    return pl.any_horizontal(*(_is(call_column(seat), word) for seat in SEATS for word in _QUOTAS))


def _value() -> pl.Expr:
    """Twice the rank, one rank more without the talon, doubled by each contra; 0 where all passed."""
    rank = pl.col("contract").replace_strict(RANKS, default=0, return_dtype=pl.Int64)
    doublings = pl.lit(2, dtype=pl.Int64).pow(pl.col("contra").cast(pl.Int64))
    return 2 * (rank + _number(pl.col("hand"))) * doublings


def _gives_refe(convention: Convention) -> pl.Expr:
    """Whether a deal writes nothing and may give everybody a refe: all passed, or Slovene spades without a contra."""
    all_passed = _is("contract", "all_pass")
    if convention.spades_without_contra == "refe":
        return all_passed | (_is("contract", "spades") & (pl.col("contra") == 0))
    return all_passed


def _answers_alone(convention: Convention) -> pl.Expr:
    """Whether the sayer of contra answers for the whole defence."""
    return pl.lit(convention.contra_responsibility == "alone") & (pl.col("contra") > 0)


def _is_short(seat: str) -> pl.Expr:
    """Whether a defender of a made game took fewer tricks than he answers for."""
    both = TRICKS - pl.col(_DECLARER_TRICKS)
    came = _is(call_column(seat), "come") & (_tricks(seat) < _QUOTAS["come"])
    invited = _is(call_column(seat), "invite") & (both < _QUOTAS["invite"])
    alone = _is("contra_by", seat) & (both < _CONTRA_QUOTA)
    return pl.col(_IS_MADE) & pl.col(_IS_WHISTED) & pl.when(_ANSWERS_ALONE).then(alone).otherwise(came | invited)


def _written_tricks(seat: str) -> pl.Expr:
    """Tricks that a defender writes, before the limit of a failed game: an inviter writes both hands'."""
    both = TRICKS - pl.col(_DECLARER_TRICKS)
    inviter = pl.when(_is(call_column(seat), "invite")).then(both).otherwise(0)
    own = pl.when(_is(call_column(seat), "come")).then(_tricks(seat)).otherwise(inviter)
    alone = pl.when(_is("contra_by", seat)).then(both).otherwise(0)
    return pl.when(_ANSWERS_ALONE).then(alone).otherwise(own)


def _contract_units(seat: str) -> pl.Expr:
    """Plus one for a made game, minus one for a failed one, minus one for a short defender."""
    declarer = pl.when(_IS_MADE).then(1).otherwise(-1)
    return pl.when(_is("declarer", seat)).then(declarer).otherwise(-_number(pl.col(_is_short_of(seat)))).cast(pl.Int64)


def _juha_tricks(seat: str) -> pl.Expr:
    """Tricks of a defender's juha: five each on a failed bettel; at most five together on another failed game.

    Where the defence took more, the larger taker is cut first, of equal ones the later in calling order.
    """
    own = pl.col(_tricks_of(seat))
    other = pl.sum_horizontal(*(_tricks_of(one) for one in SEATS if one != seat))
    is_last = _number(_is("declarer", left_of(seat, PLAYERS)))
    evenly = (DEFENCE_MOST + 1) // 2 - is_last
    cut = (
        pl.when(own + other <= DEFENCE_MOST)
        .then(own)
        .when(pl.min_horizontal(own, other) > DEFENCE_MOST // 2)
        .then(evenly)
        .when(own > other)
        .then(DEFENCE_MOST - other)
        .otherwise(own)
    )
    on_bettel = pl.when(_IS_MADE).then(0).otherwise(DEFENCE_MOST)
    return pl.when(_IS_BETTEL).then(on_bettel).when(_IS_MADE).then(own).otherwise(cut)
