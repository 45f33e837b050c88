"""What deals bring, by source and by role: the value of every deal, taken apart and added up."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from prefdata.conventions import Convention
from prefdata.russian.entries import all_entries
from prefdata.russian.facts import Facts
from prefdata.russian.walk import DealCounts
from prefdata.scoring.values import value
from prefdata.vocabulary import (
    SEATS,
    bullet_column,
    entry_columns,
    mountain_column,
    pairs,
    seats_at_table,
    whists_column,
)

__all__ = ["ROLES", "SOURCES", "sum_by_role", "sum_by_source_and_role"]

SOURCES: tuple[str, ...] = (
    "contracts made",
    "remises",
    "shortage",
    "whists",
    "consolation",
    "talon",
    "misère",
    "raspasy",
)
"""Where results come from.  Help and the write-off of a surplus bring nothing to anybody (rules §6, Invariance)."""

ROLES: tuple[str, ...] = ("declarer", "whister", "passer", "sitting dealer", "opponent", "raspasy")
"""Who a seat is in a deal; an opponent defends against a misère, or against a contract that was conceded."""


def sum_by_source_and_role(counts: DealCounts) -> pl.DataFrame:
    """Add up what scored deals brought, by source and role.

    Returns
    -------
    pl.DataFrame
        `source`, `role`, `seats` (in how many deals somebody had that role), `twelfths` (Int64, of a whist).  Over the
        roles of a source the whists add up to zero.
    """
    order = [pl.col("source").cast(pl.Enum(SOURCES)), pl.col("role").cast(pl.Enum(ROLES))]
    return _sum(counts, _values_by_source, ["source", "role"]).sort(order)


def sum_by_role(counts: DealCounts) -> pl.DataFrame:
    """Add up what scored deals brought, by role: `role`, `seats`, `twelfths`; see `sum_by_source_and_role`."""
    return _sum(counts, _values, ["role"]).sort(pl.col("role").cast(pl.Enum(ROLES)))


Valuation = Callable[[pl.DataFrame, Convention, int], pl.DataFrame]


def _sum(counts: DealCounts, valuation: Valuation, keys: list[str]) -> pl.DataFrame:
    """Value the different deals of each table size once, times how often each was written."""
    frames = [pl.DataFrame(schema={**dict.fromkeys(keys, pl.String), "seats": pl.Int64, "twelfths": pl.Int64})]
    for players, deals in counts.deals():
        valued = valuation(deals.with_columns(_roles(players)), counts.convention, players)
        frames += [
            valued.select(
                *keys[:-1],
                role=pl.col(f"role_{seat}"),
                seats=pl.col("count"),
                twelfths=pl.col(f"value_{seat}") * pl.col("count"),
            )
            for seat in seats_at_table(players)
        ]
    return pl.concat(frames).group_by(keys).agg(pl.col("seats", "twelfths").sum())


def _values(deals: pl.DataFrame, convention: Convention, players: int) -> pl.DataFrame:
    """Value different deals for every seat: a row for each deal."""
    seats = seats_at_table(players)
    values = [value(seat, players, convention).alias(f"value_{seat}") for seat in seats]
    return deals.select("count", "contract", *(f"role_{seat}" for seat in seats), *values)


def _values_by_source(deals: pl.DataFrame, convention: Convention, players: int) -> pl.DataFrame:
    """Value different deals for every seat, a row for each deal and source that it has."""
    whole = deals
    no_talon = convention.replace(talon_bonus=False, talon_bonus_three=False)
    different = deals.drop(entry_columns())
    without_talon = all_entries(different, no_talon)
    bare = all_entries(different, no_talon.replace(consolation="none"))
    parts = {
        "contracts made": _only(whole, bullets=True),
        "remises": _only(whole, mountains="declarer"),
        "shortage": _only(whole, mountains="others"),
        "whists": _only(bare, whists=True),
        "consolation": _less(_only(without_talon, whists=True), _only(bare, whists=True)),
        "talon": _less(_only(whole, whists=True), _only(without_talon, whists=True)),
    }
    special = pl.col("contract").cast(pl.String).replace({"misere": "misère"})
    frames = []
    for source in SOURCES:
        is_source = special == source if source in ("misère", "raspasy") else ~special.is_in(["misère", "raspasy"])
        frames.append(
            _values(parts.get(source, whole), convention, players).filter(is_source).with_columns(source=pl.lit(source))
        )
    return pl.concat(frames)


def _only(entries: pl.DataFrame, *, bullets: bool = False, mountains: str = "", whists: bool = False) -> pl.DataFrame:
    """Keep some columns of entries and make the others zero."""

    def kept(seat: str) -> pl.Expr:
        is_declarer = (pl.col("declarer") == seat).fill_null(False)
        return is_declarer if mountains == "declarer" else ~is_declarer if mountains == "others" else pl.lit(False)

    return entries.with_columns(
        *(pl.col(bullet_column(seat)) * bullets for seat in SEATS),
        *(pl.col(mountain_column(seat)) * kept(seat) for seat in SEATS),
        *(pl.col(whists_column(writer, on)) * whists for writer, on in pairs()),
    )


def _less(entries: pl.DataFrame, others: pl.DataFrame) -> pl.DataFrame:
    return entries.with_columns(entries[name] - others[name] for name in entry_columns())


def _roles(players: int) -> list[pl.Expr]:
    """Name the role of every seat."""
    fact = Facts.of_deal()
    return [
        pl.when(fact.is_raspasy)
        .then(pl.lit("raspasy"))
        .when(fact.declares[seat])
        .then(pl.lit("declarer"))
        .when(fact.sits_out[seat])
        .then(pl.lit("sitting dealer"))
        .when(fact.is_misere | fact.is_conceded)
        .then(pl.lit("opponent"))
        .when(fact.said_whist[seat])
        .then(pl.lit("whister"))
        .otherwise(pl.lit("passer"))
        .alias(f"role_{seat}")
        for seat in seats_at_table(players)
    ]
