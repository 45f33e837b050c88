"""A result taken apart: which deals came to a player, and what he made of them."""

from __future__ import annotations

import polars as pl

from prefdata.analysis._columns import COLUMNS
from prefdata.analysis._estimates import Z
from prefdata.vocabulary import TWELFTHS

__all__ = ["luck", "luck_by_role"]

_CELL = ("players", "contract", "role")


def _by_cell(deals: pl.DataFrame) -> pl.DataFrame:
    """Compare what every player's deals brought with the archive's mean of the same table size, contract and role."""
    mean = pl.col("cell_value") / pl.col("cell_deals")
    cells = deals.group_by(_CELL).agg(
        cell_deals=pl.col("deals").sum(), cell_value=pl.col("value").sum(), cell_squares=pl.col("squares").sum()
    )
    cells = cells.select(
        *_CELL,
        mean=mean / TWELFTHS,
        variance=(pl.col("cell_squares") / pl.col("cell_deals") - mean**2).clip(lower_bound=0) / TWELFTHS**2,
    )
    own = deals.drop_nulls("player").group_by("player", *_CELL).agg(pl.col("deals", "value").sum())
    return (
        own.join(cells, on=_CELL, how="inner")
        .sort("player", *_CELL)  # sums of floats depend on the order
        .with_columns(mix=pl.col("deals") * pl.col("mean"), variance=pl.col("deals") * pl.col("variance"))
    )


def luck_by_role(deals: pl.DataFrame) -> pl.DataFrame:
    """Take the value of every player's deals apart by role; columns in `COLUMNS`."""
    return (
        _by_cell(deals)
        .group_by("player", "role", maintain_order=True)
        .agg(
            pl.col("deals").sum(),
            value=pl.col("value").sum() / TWELFTHS,
            mix=pl.col("mix").sum(),
            chance=pl.col("variance").sum().sqrt(),
        )
        .with_columns(within=pl.col("value") - pl.col("mix"))
        .sort("player", "role")
        .select(*COLUMNS["luck_by_role"])
    )


def luck(deals: pl.DataFrame, results: pl.DataFrame) -> pl.DataFrame:
    """Take every player's result apart; `results` has `player` and `result_twelfths`; columns in `COLUMNS`."""
    values = (
        _by_cell(deals)
        .group_by("player", maintain_order=True)
        .agg(pl.col("deals", "value").sum(), mix=pl.col("mix").sum(), chance=pl.col("variance").sum().sqrt())
    )
    per_deal = [(pl.col(name) / pl.col("deals")).alias(f"{name}_per_deal") for name in ("mix", "within")]
    return (
        values.join(results.select("player", "result_twelfths"), on="player", how="inner")
        .with_columns(
            result=pl.col("result_twelfths") / TWELFTHS,
            adjustments=(pl.col("result_twelfths") - pl.col("value")) / TWELFTHS,
            within=pl.col("value") / TWELFTHS - pl.col("mix"),
        )
        .with_columns(
            *per_deal,
            within_low=pl.col("within") - Z * pl.col("chance"),
            within_high=pl.col("within") + Z * pl.col("chance"),
        )
        .sort("player")
        .select(*COLUMNS["luck"])
    )
