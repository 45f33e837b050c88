"""The settlement by hand of the Russian game, in the two ways of rule 4.2.14 (rules §7).

Each function gives, for each step before the result, an expression for each seat over a wide settlement (see
`prefdata.settlement.settling.wide_settlement`), in points or whists.
"""

from __future__ import annotations

import polars as pl

from prefdata.conventions import Convention
from prefdata.game import Steps
from prefdata.vocabulary import TWELFTHS, bullet_column, mountain_column, seats_at_table, whists_column

__all__ = ["by_amnesty", "by_mean", "leave_bullets"]


def leave_bullets(convention: Convention) -> list[pl.Expr]:
    """Replace no bullet: what one lacks is carried to the mountain."""
    return []


def by_amnesty(players: int, convention: Convention) -> Steps:
    """Lower each mountain by the smallest one, pay its share to every opponent, and compare pair by pair."""
    seats = seats_at_table(players)
    full = {seat: pl.sum_horizontal(_points(seat, players, convention)) for seat in seats}
    smallest = pl.min_horizontal(full.values())
    share = {seat: pl.col(f"share_{seat}") / TWELFTHS for seat in seats}

    def against(seat: str, other: str) -> pl.Expr:
        if seat == other:
            return pl.lit(None, dtype=pl.Float64)
        own = pl.col(whists_column(seat, other)) / TWELFTHS + share[other]
        return own - pl.col(whists_column(other, seat)) / TWELFTHS - share[seat]

    return {
        **_mountains(players, convention),
        "amnesty": dict.fromkeys(seats, smallest),
        "remaining": {seat: full[seat] - smallest for seat in seats},
        "share": share,
        **{f"against_{other}": {seat: against(seat, other) for seat in seats} for other in seats},
    }


def by_mean(players: int, convention: Convention) -> Steps:
    """Compare each mountain with the mean one, and add the whists."""
    seats = seats_at_table(players)
    full = {seat: pl.sum_horizontal(_points(seat, players, convention)) for seat in seats}
    from_mean = {seat: (pl.col(f"from_bullet_{seat}") + pl.col(f"from_mountain_{seat}")) / TWELFTHS for seat in seats}
    return {
        **_mountains(players, convention),
        "mean": dict.fromkeys(seats, pl.mean_horizontal(full.values())),
        "from_mean": from_mean,
        "from_whists": {seat: pl.col(f"balance_{seat}") / TWELFTHS for seat in seats},
    }


def _mountains(players: int, convention: Convention) -> Steps:
    """Give what both ways begin with."""
    points = {seat: _points(seat, players, convention) for seat in seats_at_table(players)}
    return {
        "mountain": {seat: mountain for seat, (mountain, _) in points.items()},
        "carried": {seat: carried for seat, (_, carried) in points.items()},
    }


def _points(seat: str, players: int, convention: Convention) -> tuple[pl.Expr, pl.Expr]:
    """Give a seat's mountain and what is carried to it, in points; a pulka without a limit of each carries from 0."""
    rate = float(convention.exchange_rate(players))
    lacking = pl.col("bullet_limit").fill_null(0) - pl.col(bullet_column(seat)) / TWELFTHS
    return pl.col(mountain_column(seat)) / TWELFTHS, lacking * rate
