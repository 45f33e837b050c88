"""What raspasy (распасы) brings at its step of the run (rules §5), as expressions over the deals table.

The expressions need `raspasy_step` beside the columns of the deals table.  They are zero in every other deal.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from prefdata.conventions import Convention
from prefdata.conventions import convention as resolve
from prefdata.roles import is_on_left_of_dealer, is_playing, is_sitting_dealer
from prefdata.scoring.contracts import is_bullet_entry, is_whisted_and_made
from prefdata.vocabulary import SEATS, tricks_column

__all__ = [
    "ends_run",
    "is_raspasy",
    "raspasy_bullet",
    "raspasy_mountain",
    "raspasy_step",
    "raspasy_whists",
]


def is_raspasy() -> pl.Expr:
    """Whether everybody passed."""
    return (pl.col("contract") == "raspasy").fill_null(False)


def ends_run(convention: Convention) -> pl.Expr:
    """Whether a deal ends a run of raspasy (rules §5, `raspasy_reset`)."""
    if convention.raspasy_reset == "any":
        return ~is_raspasy()
    return is_bullet_entry() if convention.raspasy_reset == "made" else is_whisted_and_made()


def raspasy_step(convention: str | Path | Convention) -> pl.Expr:
    """Position of a raspasy in its run, 1, 2, ...; 0 in every other deal (rules §5).

    Needs the deals in order; a run never goes past a pulka.  UInt32 named ``raspasy_step``.

    Examples
    --------
    >>> from prefdata.examples import three_deals
    >>> three_deals().select(raspasy_step("sochi"))["raspasy_step"].to_list()
    [0, 0, 1]
    """
    runs = ends_run(resolve(convention)).cast(pl.UInt32).cum_sum().over("pulka")
    position = is_raspasy().cast(pl.UInt32).cum_sum().over("pulka", runs)
    return pl.when(is_raspasy()).then(position).otherwise(0).cast(pl.UInt32).alias("raspasy_step")


def _tricks(seat: str) -> pl.Expr:
    return pl.col(tricks_column(seat)).cast(pl.Int64).fill_null(0)


def _times(convention: Convention) -> pl.Expr:
    return pl.col("multiplier").cast(pl.Int64) * convention.scale


def _step_price(convention: Convention) -> pl.Expr:
    """Price of a trick at this step: p (rules §5)."""
    ladder = dict(enumerate(convention.ladder, start=1))
    rung = pl.col("raspasy_step").cast(pl.Int64).clip(1, len(ladder)).replace_strict(ladder, return_dtype=pl.Int64)
    return _times(convention) * convention.raspasy_price * rung


def _bonus(seat: str, convention: Convention) -> pl.Expr:
    """Points for no trick, before they are written anywhere (rules §5, zero tricks)."""
    if convention.zero_bonus == "none":
        return pl.lit(0, dtype=pl.Int64)
    amount = _step_price(convention) if convention.zero_bonus == "step" else _times(convention)
    entitled = is_playing(seat)
    if convention.raspasy == "mountain" and convention.zero_bonus_dealer:
        entitled = entitled | is_sitting_dealer(seat)
    return (is_raspasy() & entitled & (_tricks(seat) == 0)).cast(pl.Int64) * amount


def raspasy_bullet(seat: str, convention: Convention) -> pl.Expr:
    """Bullet of a seat: the bonus for no trick, or the sitting dealer's point (rules §5)."""
    bullet = _bonus(seat, convention) if convention.zero_bonus_to == "bullet" else pl.lit(0, dtype=pl.Int64)
    if convention.raspasy == "whists" and convention.raspasy_dealer_bullet:
        sits = (is_raspasy() & is_sitting_dealer(seat)).cast(pl.Int64)
        bullet = bullet + sits * _times(convention) * convention.raspasy_dealer_bullet
    return bullet


def raspasy_mountain(seat: str, convention: Convention) -> pl.Expr:
    """Mountain of a seat: its tricks at the step's price, less a bonus that is written off it (rules §5)."""
    mountain = pl.lit(0, dtype=pl.Int64)
    if convention.raspasy == "mountain":
        counted = _tricks(seat)
        if convention.raspasy_amnesty:
            at_table = [pl.when(pl.col("players") > SEATS.index(other)).then(_tricks(other)) for other in SEATS]
            counted = counted - pl.min_horizontal(*at_table)
        mountain = is_raspasy().cast(pl.Int64) * counted * _step_price(convention)
    if convention.zero_bonus_to == "mountain":
        mountain = mountain - _bonus(seat, convention) * convention.zero_bonus_points
    return mountain


def raspasy_whists(writer: str, on: str, convention: Convention) -> pl.Expr:
    """Whists that one seat writes on another where raspasy is written in whists (rules §5, Rostov)."""
    if convention.raspasy == "mountain":
        return pl.lit(0, dtype=pl.Int64)
    fewest = pl.min_horizontal(*(pl.when(is_playing(seat)).then(_tricks(seat)) for seat in SEATS))
    wins = {seat: is_playing(seat) & (_tricks(seat) == fewest) for seat in SEATS}
    winners = pl.sum_horizontal(*(won.cast(pl.Int64) for won in wins.values()))
    whists = _tricks(on) * _times(convention) * convention.raspasy_whist
    larger_half = (whists + _is_nearest_winner(writer, wins).cast(pl.Int64)) // 2
    written = pl.when(winners == 1).then(whists).when(winners == 2).then(larger_half).otherwise(0)
    return (is_raspasy() & wins[writer] & is_playing(on) & ~wins[on]).cast(pl.Int64) * written


def _is_nearest_winner(seat: str, wins: dict[str, pl.Expr]) -> pl.Expr:
    """Whether no other seat with the fewest tricks is nearer on the dealer's left.

    It matters where whists are odd: with four players, when cards of the talon took tricks.
    """
    nearer_wins = [
        is_on_left_of_dealer(seat, place) & is_on_left_of_dealer(other, nearer) & wins[other]
        for place in (2, 3)
        for nearer in range(1, place)
        for other in SEATS
        if other != seat
    ]
    return ~pl.any_horizontal(*nearer_wins)
