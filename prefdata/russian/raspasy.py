"""What raspasy (распасы) brings at its step of the run (rules §5), as expressions.

The expressions need `raspasy_step` beside the columns of the deals table.  They are zero in every other deal.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from prefdata.conventions import Convention, resolve_russian
from prefdata.outcomes.staging import number
from prefdata.russian.contracts import is_whisted_and_made
from prefdata.russian.facts import Facts, Ruling
from prefdata.vocabulary import SEATS

__all__ = ["ends_run", "raspasy_bullet", "raspasy_mountain", "raspasy_step", "raspasy_whists"]


def ends_run(fact: Facts, ruling: Ruling, convention: Convention) -> pl.Expr:
    """Whether a deal ends a run of raspasy (rules §5, `raspasy_reset`)."""
    return {
        "any": ~fact.is_raspasy,
        "made": ruling.is_bullet_entry,
        "made_whisted": is_whisted_and_made(fact, ruling),
        "whisted": fact.is_played,
    }[convention.raspasy_reset]


def raspasy_step(convention: str | Path | Convention) -> pl.Expr:
    """Position of a raspasy in its run, 1, 2, ...; 0 in every other deal (rules §5).

    Needs the deals in order; a run never goes past a pulka.  UInt32 named ``raspasy_step``.

    Examples
    --------
    >>> from prefdata.examples import three_deals
    >>> three_deals().select(raspasy_step("sochi"))["raspasy_step"].to_list()
    [0, 0, 1]
    """
    switches = resolve_russian(convention)
    fact = Facts.of_deal()
    runs = ends_run(fact, Ruling.under(switches, fact), switches).cast(pl.UInt32).cum_sum().over("pulka")
    position = fact.is_raspasy.cast(pl.UInt32).cum_sum().over("pulka", runs)
    return pl.when(fact.is_raspasy).then(position).otherwise(0).cast(pl.UInt32).alias("raspasy_step")


def _step_price(fact: Facts, convention: Convention) -> pl.Expr:
    """Price of a trick at this step: p (rules §5)."""
    ladder = dict(enumerate(convention.ladder, start=1))
    rung = pl.col("raspasy_step").cast(pl.Int64).clip(1, len(ladder)).replace_strict(ladder, return_dtype=pl.Int64)
    return fact.multiplier * (convention.scale * convention.raspasy_price) * rung


def _bonus(seat: str, fact: Facts, convention: Convention) -> pl.Expr:
    """Points for no trick, before they are written anywhere (rules §5, zero tricks)."""
    if convention.zero_bonus == "none":
        return pl.lit(0, dtype=pl.Int64)
    by_step = convention.zero_bonus == "step"
    amount = _step_price(fact, convention) if by_step else fact.multiplier * convention.scale
    entitled = fact.plays[seat]
    if convention.raspasy == "mountain" and convention.zero_bonus_dealer:
        entitled = entitled | fact.sits_out[seat]
    return number(fact.is_raspasy & entitled & (fact.tricks[seat] == 0)) * amount


def raspasy_bullet(seat: str, fact: Facts, convention: Convention) -> pl.Expr:
    """Bullet of a seat: the bonus for no trick, or the sitting dealer's point (rules §5)."""
    to_bullet = convention.zero_bonus_to == "bullet"
    bullet = _bonus(seat, fact, convention) if to_bullet else pl.lit(0, dtype=pl.Int64)
    if convention.raspasy == "whists" and convention.raspasy_dealer_bullet:
        points = fact.multiplier * (convention.scale * convention.raspasy_dealer_bullet)
        bullet = bullet + number(fact.is_raspasy & fact.sits_out[seat]) * points
    return bullet


def raspasy_mountain(seat: str, fact: Facts, convention: Convention) -> pl.Expr:
    """Mountain of a seat: its tricks at the step's price, less a bonus that is written off it (rules §5)."""
    mountain = pl.lit(0, dtype=pl.Int64)
    if convention.raspasy == "mountain":
        counted = fact.tricks[seat]
        if convention.raspasy_amnesty:
            at_table = [pl.when(fact.plays[other] | fact.sits_out[other]).then(fact.tricks[other]) for other in SEATS]
            counted = counted - pl.min_horizontal(*at_table)
        mountain = number(fact.is_raspasy) * counted * _step_price(fact, convention)
    if convention.zero_bonus_to == "mountain":
        mountain = mountain - _bonus(seat, fact, convention) * convention.zero_bonus_points
    return mountain


def raspasy_whists(writer: str, on: str, fact: Facts, convention: Convention) -> pl.Expr:
    """Whists that one seat writes on another where raspasy is written in whists (rules §5, Rostov)."""
    if convention.raspasy == "mountain":
        return pl.lit(0, dtype=pl.Int64)
    wins = fact.has_fewest_tricks
    winners = pl.sum_horizontal(*map(number, wins.values()))
    whists = fact.tricks[on] * fact.multiplier * (convention.scale * convention.raspasy_whist)
    # whists are odd with four players, when cards of the talon took tricks
    half = (whists + number(fact.is_nearest_with_fewest[writer])) // 2
    written = pl.when(winners == 1).then(whists).when(winners == 2).then(half).otherwise(0)
    return number(fact.is_raspasy & wins[writer] & fact.plays[on] & ~wins[on]) * written
