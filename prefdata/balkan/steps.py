"""The settlement by hand of the Balkan game (rules §9)."""

from __future__ import annotations

import polars as pl

from prefdata.conventions import Convention
from prefdata.game import Steps
from prefdata.vocabulary import TWELFTHS, bullet_column, seats_at_table

__all__ = ["by_contract"]


def by_contract(players: int, convention: Convention) -> Steps:
    """Share what the contract columns lack of 0 equally, then count them with the juhas (rules §9)."""
    seats = seats_at_table(players)
    columns = {seat: pl.col(bullet_column(seat)) / TWELFTHS for seat in seats}
    missing = pl.sum_horizontal(pl.col(bullet_column(seat)) for seat in seats) * -1  # whole, where no zero has a sign
    share = missing / (players * TWELFTHS)
    return {
        "contract": columns,
        "share": dict.fromkeys(seats, share),
        "equalised": {seat: columns[seat] + share for seat in seats},
        "from_contract": {seat: pl.col(f"from_bullet_{seat}") / TWELFTHS for seat in seats},
        "from_juha": {seat: pl.col(f"balance_{seat}") / TWELFTHS for seat in seats},
    }
