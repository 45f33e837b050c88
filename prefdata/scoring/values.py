"""The value of a deal: what it is worth to every seat, whatever the state of the pulka (rules §6, Invariance)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from prefdata.conventions import Convention
from prefdata.errors import ConventionError
from prefdata.scoring.scorer import ScoredPart, score
from prefdata.vocabulary import (
    PLAYER_COUNTS,
    SEATS,
    TWELFTHS,
    bullet_column,
    entry_columns,
    mountain_column,
    pairs,
    seats_at_table,
    whists_column,
)

if TYPE_CHECKING:
    from prefdata.archives import Archive

__all__ = ["VALUE_SCHEMA", "is_constant", "value", "values"]

VALUE_SCHEMA: dict[str, type[pl.DataType]] = {
    "pulka": pl.Int64,
    "deal": pl.UInt16,
    "scored": pl.Boolean,
    **{f"value_{seat}": pl.Float64 for seat in SEATS},
    **{f"value_{seat}_twelfths": pl.Int64 for seat in SEATS},
}
"""Columns of a values table."""


def is_constant(convention: Convention, players: int) -> bool:
    """Tell whether a game keeps its value in whists whatever the state of the pulka (Code 4.1.1).

    It does where nothing is lost or gained when points go into another's bullet or off the mountain: help is paid with
    what a bullet point brings from all players, and the surplus goes off the mountain at its own rate.

    Examples
    --------
    >>> from prefdata.conventions import convention
    >>> sochi = convention("sochi")
    >>> is_constant(sochi, 4), is_constant(sochi.replace(surplus="lost"), 4)
    (True, False)
    """
    rate = convention.exchange_rate(players)
    off_mountain_first = convention.made_first == "bullet" or rate == 1
    if convention.close == "total":
        return off_mountain_first
    fair_help = convention.help_rate == players * convention.bullet_share(players)
    fair_surplus = convention.surplus == "mountain" or (convention.surplus == "full" and rate == 1)
    return off_mountain_first and fair_help and fair_surplus


def value(seat: str, players: int, convention: Convention) -> pl.Expr:
    """Turn the entries of a deal into its value for a seat, in twelfths of a whist.

    It needs the entry columns of tables with this number of players.
    """
    seats = seats_at_table(players)
    bullet = convention.bullet_share(players) * TWELFTHS
    mountain = convention.mountain_share(players) * TWELFTHS

    def lead(column: dict[str, pl.Expr]) -> pl.Expr:
        return column[seat] * players - pl.sum_horizontal(column.values())

    bullets = {other: pl.col(bullet_column(other)).cast(pl.Int64) for other in seats}
    mountains = {other: pl.col(mountain_column(other)).cast(pl.Int64) for other in seats}
    own = [pl.col(whists_column(writer, on)).cast(pl.Int64) for writer, on in pairs(players) if writer == seat]
    others = [pl.col(whists_column(writer, on)).cast(pl.Int64) for writer, on in pairs(players) if on == seat]
    balance = (pl.sum_horizontal(own) - pl.sum_horizontal(others)) * TWELFTHS
    return lead(bullets) * int(bullet) - lead(mountains) * int(mountain) + balance


def values(archive: Archive, convention: str | Path | Convention) -> pl.DataFrame:
    """Value every deal of an archive for every seat.

    Parameters
    ----------
    archive
        The archive; pulkas that break a rule are set aside with a `SetAsideWarning`.
    convention
        A convention that keeps the value of a game constant, its name or its file.

    Returns
    -------
    pl.DataFrame
        One row a deal, sorted: `pulka`, `deal`, `scored`, ``value_a`` ... in whists, exact in ``value_a_twelfths`` ...;
        null for seats that the table does not have, and in deals after the pulka's end.  The values of a deal sum to
        zero, and those of a pulka add up to its results where it has no adjustments.

    Raises
    ------
    ConventionError
        If the convention does not keep the value of a game constant.

    Examples
    --------
    >>> from prefdata.archives import archive
    >>> from prefdata.examples import one_pulka, three_deals
    >>> values(archive(one_pulka(), three_deals()), "sochi").select("deal", "value_a_twelfths").rows()
    [(1, 168), (2, 312), (3, 480)]
    """
    frames = []
    for scored in score(archive, convention, ledger=True):
        _refuse_inconstant(scored.convention, scored)
        frames.append(_values_of(scored))
    return pl.concat(frames).sort("pulka", "deal") if frames else pl.DataFrame(schema=VALUE_SCHEMA)


def _refuse_inconstant(convention: Convention, scored: ScoredPart) -> None:
    for players in scored.tidy.pulkas["players"].unique().to_list():
        if not is_constant(convention, players):
            raise ConventionError(
                f"under {convention.name} a game of {players} has no constant value: help at {convention.help_rate} "
                f"whists a point, surplus {convention.surplus!r}, made_first {convention.made_first!r}",
                hint="Rule 4.1.1 asks for fair help and for the surplus to go off the mountain; use prefdata.ledger.",
            )


def _values_of(scored: ScoredPart) -> pl.DataFrame:
    """Value the deals of a part by what was written: under a constant value, help and write-off change nothing."""
    tidy = scored.tidy
    counts = tidy.deals_of_pulka
    frame = pl.DataFrame(
        {
            "pulka": np.repeat(tidy.pulkas["pulka"].to_numpy(), counts),
            "deal": (np.arange(len(tidy.numbers)) - np.repeat(tidy.starts[:-1], counts) + 1).astype(np.uint16),
            "players": np.repeat(tidy.pulkas["players"].to_numpy(), counts),
            "scored": scored.scored,
        }
    ).with_columns(pl.Series(name, column) for name, column in zip(entry_columns(), scored.ledger, strict=True))
    kept = frame.filter(pl.Series(np.repeat(scored.status == 0, counts))) if scored.status.any() else frame
    exact = kept.with_columns(
        pl.coalesce(
            pl.when(pl.col("scored") & (pl.col("players") == players)).then(value(seat, players, scored.convention))
            for players in PLAYER_COUNTS
            if seat in seats_at_table(players)
        ).alias(f"value_{seat}_twelfths")
        for seat in SEATS
    ).with_columns((pl.col(f"value_{seat}_twelfths") / TWELFTHS).alias(f"value_{seat}") for seat in SEATS)
    return exact.select(pl.col(name).cast(kind) for name, kind in VALUE_SCHEMA.items())
