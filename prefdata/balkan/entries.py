"""What a Balkan deal brings as it stands (rules §9), as expressions.

An entry is a number of units times the value of the deal: a made or failed game, or a shortage, is one unit of a
contract column; a trick is one unit of a juha.  Units do not change with a refe or when the last game is cut, only the
value does.  All work in Int64 and are never null.
"""

from __future__ import annotations

from typing import TypeVar

import polars as pl

from prefdata.balkan.vocabulary import PLAYERS, RANKS, SEATS, contract_column, juha_column
from prefdata.conventions import Convention
from prefdata.vocabulary import TRICKS, call_column, left_of, pairs, tricks_column

__all__ = ["balkan_entries", "can_be_cut", "gives_refe", "units", "value"]

Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)

_GAME = 6
"""Tricks that the declarer of every game but bettel promises."""

_DEFENCE_MOST = 5
"""Tricks for which the defence writes when a game fails: play stops at the fifth."""

_QUOTAS = {"come": 2, "invite": 4}
"""Tricks that a defender answers for; an inviter answers for both."""

_CONTRA_QUOTA = 5
"""Tricks that the sayer of contra answers for, where he answers alone."""


def value() -> pl.Expr:
    """Value of a game: twice its rank, one rank more without the talon, doubled by each contra; 0 where all passed."""
    rank = pl.col("contract").replace_strict(RANKS, default=0, return_dtype=pl.Int64)
    played_from_hand = (pl.col("hand") & (rank > 0)).cast(pl.Int64)
    doublings = pl.lit(2, dtype=pl.Int64).pow(pl.col("contra").cast(pl.Int64))
    return 2 * (rank + played_from_hand) * doublings


def gives_refe(convention: Convention) -> pl.Expr:
    """Whether a deal writes nothing and may give everybody a refe: all passed, or Slovene spades without a contra."""
    all_passed = _is("contract", "all_pass")
    if convention.spades_without_contra == "refe":
        return all_passed | (_is("contract", "spades") & (pl.col("contra") == 0))
    return all_passed


def can_be_cut(convention: Convention) -> pl.Expr:
    """Whether a deal is cut when it would take the sum of the contract columns above 0: made, and nobody short."""
    nobody_short = ~pl.any_horizontal(*(_is_short(seat, convention) for seat in SEATS))
    return _is_made() & nobody_short & ~gives_refe(convention)


def units(convention: Convention) -> dict[str, pl.Expr]:
    """Give the units of every column of a sheet: signs of the contract columns, tricks of the juhas."""
    is_written = (~gives_refe(convention)).cast(pl.Int64)
    contracts = {contract_column(seat): is_written * _contract_units(seat, convention) for seat in SEATS}
    juhas = {
        juha_column(writer, on): is_written * _is("declarer", on).cast(pl.Int64) * _juha_tricks(writer, convention)
        for writer, on in pairs(PLAYERS)
    }
    return {**contracts, **juhas}


def balkan_entries(deals: Frame, convention: Convention) -> Frame:
    """Give the entries of every deal as it stands: no refe, no cut of the last game.

    Returns
    -------
    DataFrame or LazyFrame, as it was given
        `pulka`, `deal` and the entries ``contract_a`` ... ``juha_cb`` (Int32).
    """
    worth = value()
    columns = [(unit * worth).cast(pl.Int32).alias(name) for name, unit in units(convention).items()]
    return deals.select("pulka", "deal", *columns)


def _is(column: str, word: str) -> pl.Expr:
    return (pl.col(column) == word).fill_null(False)


def _tricks(seat: str) -> pl.Expr:
    return pl.col(tricks_column(seat)).cast(pl.Int64).fill_null(0)


def _declarer_tricks() -> pl.Expr:
    return pl.sum_horizontal(*(_is("declarer", seat).cast(pl.Int64) * _tricks(seat) for seat in SEATS))


def _is_bettel() -> pl.Expr:
    return _is("contract", "bettel")


def _is_whisted() -> pl.Expr:
    """Whether somebody came or invited, so that cards were played."""
    return pl.any_horizontal(*(_is(call_column(seat), word) for seat in SEATS for word in _QUOTAS))


def _is_made() -> pl.Expr:
    """Whether the declarer took six tricks or more, or none in bettel, or nobody came."""
    tricks = _declarer_tricks()
    made = pl.when(_is_bettel()).then(tricks == 0).otherwise(~_is_whisted() | (tricks >= _GAME))
    return pl.col("declarer").is_not_null() & made


def _answers_alone(convention: Convention) -> pl.Expr:
    """Whether the sayer of contra answers for the whole defence."""
    return pl.lit(convention.contra_responsibility == "alone") & (pl.col("contra") > 0) & ~_is_bettel()


def _is_short(seat: str, convention: Convention) -> pl.Expr:
    """Whether a defender of a made game took fewer tricks than he answers for."""
    both = TRICKS - _declarer_tricks()
    came = _is(call_column(seat), "come") & (_tricks(seat) < _QUOTAS["come"])
    invited = _is(call_column(seat), "invite") & (both < _QUOTAS["invite"])
    alone = _is("contra_by", seat) & (both < _CONTRA_QUOTA)
    short = pl.when(_answers_alone(convention)).then(alone).otherwise(came | invited)
    return _is_made() & _is_whisted() & short


def _contract_units(seat: str, convention: Convention) -> pl.Expr:
    """Plus one for a made game, minus one for a failed one, minus one for a short defender."""
    declarer = pl.when(_is_made()).then(1).otherwise(-1)
    defender = -_is_short(seat, convention).cast(pl.Int64)
    return pl.when(_is("declarer", seat)).then(declarer).otherwise(defender).cast(pl.Int64)


def _written_tricks(seat: str, convention: Convention) -> pl.Expr:
    """Tricks that a defender writes, before the limit of a failed game: an inviter writes both hands'."""
    both = TRICKS - _declarer_tricks()
    inviter = pl.when(_is(call_column(seat), "invite")).then(both).otherwise(0)
    own = pl.when(_is(call_column(seat), "come")).then(_tricks(seat)).otherwise(inviter)
    alone = pl.when(_is("contra_by", seat)).then(both).otherwise(0)
    return pl.when(_answers_alone(convention)).then(alone).otherwise(own)


def _juha_tricks(seat: str, convention: Convention) -> pl.Expr:
    """Tricks of a defender's juha: five each on a failed bettel; at most five together on another failed game.

    Where the defence took more, the larger taker is cut first, of equal ones the later in calling order.
    """
    own = _written_tricks(seat, convention)
    other = pl.sum_horizontal(*(_written_tricks(one, convention) for one in SEATS if one != seat))
    is_last = _is("declarer", left_of(seat, PLAYERS)).cast(pl.Int64)
    evenly = (_DEFENCE_MOST + 1) // 2 - is_last
    cut = (
        pl.when(own + other <= _DEFENCE_MOST)
        .then(own)
        .when(pl.min_horizontal(own, other) > _DEFENCE_MOST // 2)
        .then(evenly)
        .when(own > other)
        .then(_DEFENCE_MOST - other)
        .otherwise(own)
    )
    on_bettel = pl.when(_is_made() | _is("declarer", seat)).then(0).otherwise(_DEFENCE_MOST)
    return pl.when(_is_bettel()).then(on_bettel).when(_is_made()).then(own).otherwise(cut)
