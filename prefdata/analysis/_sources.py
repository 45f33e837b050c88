"""What deals bring, by source and by role: the value of every deal, taken apart and added up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import polars as pl

from prefdata.conventions import Convention
from prefdata.scoring.book import OutcomeBook
from prefdata.scoring.entries import all_entries
from prefdata.scoring.facts import Roles
from prefdata.scoring.scorer import ScoredPart, count_rows
from prefdata.scoring.values import value
from prefdata.vocabulary import (
    PLAYER_COUNTS,
    SEATS,
    bullet_column,
    entry_columns,
    mountain_column,
    pairs,
    seats_at_table,
    whists_column,
)

__all__ = ["ROLES", "SOURCES", "sum_by_role", "sum_by_source_and_role"]

Array = np.ndarray[Any, Any]

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


def sum_by_source_and_role(parts: Iterable[ScoredPart]) -> pl.DataFrame:
    """Add up what scored deals brought, by source and role.

    Parameters
    ----------
    parts
        Parts scored under one convention.

    Returns
    -------
    pl.DataFrame
        `source`, `role`, `seats` (in how many deals somebody had that role), `twelfths` (Int64, of a whist).  Over the
        roles of a source the whists add up to zero.
    """
    order = [pl.col("source").cast(pl.Enum(SOURCES)), pl.col("role").cast(pl.Enum(ROLES))]
    return _sum(parts, _values_by_source, ["source", "role"]).sort(order)


def sum_by_role(parts: Iterable[ScoredPart]) -> pl.DataFrame:
    """Add up what scored deals brought, by role: `role`, `seats`, `twelfths`; see `sum_by_source_and_role`."""
    return _sum(parts, _values, ["role"]).sort(pl.col("role").cast(pl.Enum(ROLES)))


Valuation = Callable[[pl.DataFrame, Convention, int], pl.DataFrame]


def _sum(parts: Iterable[ScoredPart], valuation: Valuation, keys: list[str]) -> pl.DataFrame:
    """Value the different deals of each table size once, and count how often each was written in all parts."""
    every = list(parts)
    frames = [pl.DataFrame(schema={**dict.fromkeys(keys, pl.String), "seats": pl.Int64, "twelfths": pl.Int64})]
    for players in PLAYER_COUNTS:
        counts = _counts([scored for scored in every if (scored.tidy.pulkas["players"] == players).any()], players)
        if not len(counts):
            continue
        convention, seats = every[0].convention, seats_at_table(players)
        book = every[0].tidy.book
        assert isinstance(book, OutcomeBook)
        deals = book.rows(convention, players).with_columns(count=pl.Series(counts))
        written = deals.filter(pl.col("count") > 0).with_columns(_roles(players))
        valued = valuation(written, convention, players)
        frames += [
            valued.select(
                *keys[:-1],
                role=pl.col(f"role_{seat}"),
                seats=pl.col("count"),
                twelfths=pl.col(f"value_{seat}") * pl.col("count"),
            )
            for seat in seats
        ]
    return pl.concat(frames).group_by(keys).agg(pl.col("seats", "twelfths").sum())


def _counts(parts: list[ScoredPart], players: int) -> Array:
    """Add up how often each row was written; parts of one book number the rows alike, the later ones know more."""
    every = [count_rows(scored, players) for scored in parts]
    total = np.zeros(max((len(counts) for counts in every), default=0), np.int64)
    for counts in every:
        total[: len(counts)] += counts
    return total


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
    role = Roles.of_deal()
    return [
        pl.when(role.is_raspasy)
        .then(pl.lit("raspasy"))
        .when(role.declares[seat])
        .then(pl.lit("declarer"))
        .when(role.sits_out[seat])
        .then(pl.lit("sitting dealer"))
        .when(role.is_misere | role.is_conceded)
        .then(pl.lit("opponent"))
        .when(role.said_whist[seat])
        .then(pl.lit("whister"))
        .otherwise(pl.lit("passer"))
        .alias(f"role_{seat}")
        for seat in seats_at_table(players)
    ]
