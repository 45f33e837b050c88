"""Who is who in a deal, as expressions over the columns of the deals table.

All of them are true or false and never null, whatever the row holds, so that rules and entries can be built from them
without a thought for missing values.
"""

from __future__ import annotations

import polars as pl

from prefdata.vocabulary import LEVELS, SEATS, call_column, left_of, tricks_column

__all__ = [
    "called",
    "calls_of",
    "is_at_table",
    "is_contract",
    "is_declarer",
    "is_defender",
    "is_last_defender",
    "is_on_left_of_dealer",
    "is_playing",
    "is_sitting_dealer",
    "is_unwhisted_ten",
    "whist_calls",
]


def _is(column: str, value: str) -> pl.Expr:
    return (pl.col(column) == value).fill_null(False)


def is_contract() -> pl.Expr:
    """Tell whether the deal is a contract of 6-10, not misère or raspasy."""
    return pl.any_horizontal(*(_is("contract", level) for level in LEVELS))


def is_at_table(seat: str) -> pl.Expr:
    """Tell whether the table has this seat."""
    return (pl.col("players") > SEATS.index(seat)).fill_null(False)


def is_sitting_dealer(seat: str) -> pl.Expr:
    """Tell whether the seat deals at a table of four and sits out (сдающий на прикупе)."""
    return (pl.col("players") == 4).fill_null(False) & _is("dealer", seat)


def is_playing(seat: str) -> pl.Expr:
    """Tell whether the seat holds cards in this deal."""
    return is_at_table(seat) & ~is_sitting_dealer(seat)


def is_declarer(seat: str) -> pl.Expr:
    """Tell whether the seat plays the contract (разыгрывающий)."""
    return _is("declarer", seat)


def is_defender(seat: str) -> pl.Expr:
    """Tell whether the seat plays against a declarer; the sitting dealer does not."""
    return is_playing(seat) & pl.col("declarer").is_not_null() & ~is_declarer(seat)


def is_last_defender(seat: str) -> pl.Expr:
    """Tell whether the seat is the last defender in calling order, the declarer being next on its left.

    The first to call is the declarer's left neighbour; the sitting dealer is skipped.
    """
    three = pl.col("players") < 4
    over_dealer = _is("dealer", left_of(seat, 4))
    small_table = pl.any_horizontal(
        *(
            (pl.col("players") == players).fill_null(False) & is_declarer(left_of(seat, players))
            for players in (2, 3)
            if SEATS.index(seat) < players
        ),
        pl.lit(False),
    )
    large_table = (over_dealer & is_declarer(left_of(seat, 4, 2))) | (~over_dealer & is_declarer(left_of(seat, 4)))
    return is_defender(seat) & pl.when(three).then(small_table).otherwise(large_table)


def is_on_left_of_dealer(seat: str, places: int) -> pl.Expr:
    """Tell whether the seat is some places on the dealer's left, around the table; 0 is the dealer."""
    return pl.any_horizontal(
        *(
            (pl.col("players") == players).fill_null(False) & _is("dealer", left_of(seat, players, -places))
            for players in (2, 3, 4)
            if SEATS.index(seat) < players
        ),
        pl.lit(False),
    )


def called(seat: str, call: str) -> pl.Expr:
    """Tell whether the seat's final call is this one."""
    return _is(call_column(seat), call)


def calls_of(call: str) -> pl.Expr:
    """Count the defenders whose final call is this one."""
    return pl.sum_horizontal(*(called(seat, call).cast(pl.Int64) for seat in SEATS))


def whist_calls() -> pl.Expr:
    """Count the defenders who said whist."""
    return calls_of("whist")


def is_unwhisted_ten() -> pl.Expr:
    """Tell whether a ten was played although nobody whisted: it was checked (rules §3.7)."""
    any_tricks = pl.any_horizontal(*(pl.col(tricks_column(seat)).is_not_null() for seat in SEATS))
    return _is("contract", "10") & (whist_calls() == 0) & (calls_of("half") == 0) & any_tricks
