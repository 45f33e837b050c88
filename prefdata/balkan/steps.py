"""The settlement by hand of the Balkan game (rules §9)."""

from __future__ import annotations

import polars as pl

from prefdata.balkan.vocabulary import PLAYERS, SEATS
from prefdata.conventions import Convention
from prefdata.game import Steps
from prefdata.vocabulary import TWELFTHS, bullet_column, seats_at_table

__all__ = ["by_contract", "share_missing"]


def share_missing(convention: Convention) -> list[pl.Expr]:
    """Share the points that contract columns lack of 0 in whole points, where a convention does so (rules §9).

    Whoever has most to pay takes one point more, of equal debts the first in seat order; points above 0 are taken off
    in the same way.  Where what is missing is not whole itself, it is shared exactly, like everywhere else.

    Returns
    -------
    list
        For each seat its contract column after that, and ``given_a`` ..., what it was given; all in twelfths.
    """
    if convention.early_stop == "exact":
        return []
    columns = {seat: pl.col(bullet_column(seat)) for seat in SEATS}
    missing = -pl.sum_horizontal(columns.values())
    points = missing // TWELFTHS
    written = []
    for number, (seat, column) in enumerate(columns.items()):
        owes_more = [
            (columns[other] < column) | ((columns[other] == column) & pl.lit(place < number))
            for place, other in enumerate(SEATS)
            if other != seat
        ]
        before = pl.sum_horizontal(one.cast(pl.Int64) for one in owes_more)
        share = points // PLAYERS + (before < points % PLAYERS).cast(pl.Int64)
        given = pl.when(missing % TWELFTHS == 0).then(share * TWELFTHS).otherwise(0)
        written += [(column + given).alias(bullet_column(seat)), given.alias(f"given_{seat}")]
    return written


def by_contract(players: int, convention: Convention) -> Steps:
    """Share what the contract columns lack of 0, then count them with the juhas (rules §9)."""
    seats = seats_at_table(players)
    columns = {seat: pl.col(bullet_column(seat)) / TWELFTHS for seat in seats}
    missing = pl.sum_horizontal(pl.col(bullet_column(seat)) for seat in seats) * -1  # whole, where no zero has a sign
    share = missing / (players * TWELFTHS)
    is_given = convention.early_stop == "whole"
    given = {seat: pl.col(f"given_{seat}") / TWELFTHS if is_given else pl.lit(0.0) for seat in seats}
    return {
        "contract": {seat: columns[seat] - given[seat] for seat in seats},
        "share": {seat: given[seat] + share for seat in seats},
        "equalised": {seat: columns[seat] + share for seat in seats},
        "from_contract": {seat: pl.col(f"from_bullet_{seat}") / TWELFTHS for seat in seats},
        "from_juha": {seat: pl.col(f"balance_{seat}") / TWELFTHS for seat in seats},
    }
