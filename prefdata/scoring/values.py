"""The value of a deal: what it is worth to every seat, whatever the state of the pulka (rules §6, Invariance)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from prefdata.archives import Archive, as_archive
from prefdata.conventions import Convention
from prefdata.conventions.constancy import explain, is_constant
from prefdata.doors import as_flag
from prefdata.errors import ConventionError, ScoringError
from prefdata.games import refuse_unless_russian
from prefdata.scoring.scorer import ScoredPart, score, walk_part
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

__all__ = ["NOMINAL_SCHEMA", "VALUE_SCHEMA", "uncapped", "value", "values"]

VALUE_SCHEMA: dict[str, type[pl.DataType]] = {
    "pulka": pl.Int64,
    "deal": pl.UInt16,
    "scored": pl.Boolean,
    **{f"value_{seat}": pl.Float64 for seat in SEATS},
    **{f"value_{seat}_twelfths": pl.Int64 for seat in SEATS},
}
"""Columns of a values table."""

NOMINAL_SCHEMA: dict[str, type[pl.DataType]] = {
    name.replace("value", "nominal"): kind for name, kind in VALUE_SCHEMA.items()
}
"""Columns of a table of nominal values."""

_UNREACHABLE = 2**40
"""A limit at which no bullet closes."""


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


def values(
    archive: Archive | str | Path, convention: str | Path | Convention, *, nominal: bool = False
) -> pl.DataFrame:
    """Value every deal of an archive for every seat.

    Parameters
    ----------
    archive
        The archive, or its folder; pulkas that break a rule are set aside with a `SetAsideWarning`.
    convention
        A convention, its name or its file; unless `nominal`, one that keeps the value of a game constant (Code 4.1.1).
    nominal
        Whether to give nominal values, under any convention: what the deals' entries bring as they stand, all bullet
        points at what they bring in the own bullet.  Where the value of a game is constant, they are the values.

    Returns
    -------
    pl.DataFrame
        One row a deal, sorted: `pulka`, `deal`, `scored`, ``value_a`` ... in whists, exact in ``value_a_twelfths`` ...
        (``nominal_a`` ..., ``nominal_a_twelfths`` ... if `nominal`); null for seats that the table does not have, and
        in deals after the pulka's end.  The values of a deal sum to zero, and those of a pulka add up to its results
        where it has no adjustments; by how much nominal values miss them tells `prefdata.invariance`.  Values of the
        Balkan game are what was written, refes and the cut of the last game included.

    Raises
    ------
    ConventionError
        If the convention does not keep the value of a game constant, and nominal values are not asked for.

    Examples
    --------
    >>> from prefdata.archives import archive
    >>> from prefdata.conventions import convention
    >>> from prefdata.examples import one_pulka, three_deals
    >>> club = archive(one_pulka(), three_deals())
    >>> values(club, "sochi").select("deal", "value_a_twelfths").rows()
    [(1, 168), (2, 312), (3, 480)]
    >>> lost = convention("sochi").replace(surplus="lost")
    >>> values(club, lost, nominal=True).select("deal", "nominal_a_twelfths").rows()
    [(1, 168), (2, 312), (3, 480)]
    """
    archive, nominal = as_archive(archive), as_flag(nominal, "nominal")
    if nominal:
        refuse_unless_russian(archive.game, "values are nominal in")
    frames = []
    for scored in score(archive, convention, ledger=True):
        if not nominal:
            _refuse_inconstant(scored.convention, scored)
        frames.append(_values_of(uncapped(scored) if nominal else scored))
    valued = pl.concat(frames).sort("pulka", "deal") if frames else pl.DataFrame(schema=VALUE_SCHEMA)
    return valued.rename(dict(zip(VALUE_SCHEMA, NOMINAL_SCHEMA, strict=True))) if nominal else valued


def uncapped(scored: ScoredPart) -> ScoredPart:
    """Put the deals' entries as they stand, raspasy at its step, in place of the ledger that was written.

    The deals are walked again with a limit that nobody reaches: there is no help, no surplus, and nothing comes off a
    mountain first.
    """
    unlimited = pl.lit(_UNREACHABLE, pl.Int64)
    endless = replace(scored.tidy, pulkas=scored.tidy.pulkas.with_columns(bullet_limit=unlimited, bullet_total=None))
    open_ended = {"close": "total", "surplus": "mountain", "made_first": "bullet"}
    convention = scored.convention.replace(name=scored.convention.name, **open_ended)
    walked = walk_part(endless, convention, ledger=True)
    beyond = (walked.status != 0) & (scored.status == 0)
    if beyond.any():
        pulka = scored.tidy.pulkas["pulka"][int(beyond.argmax())]
        raise ScoringError(
            f"the nominal values of pulka {pulka} under {scored.convention.name} are too large to be exact",
            hint="Leave such pulkas out, or lessen the convention's scale.",
        )
    return replace(scored, ledger=walked.ledger)


def _refuse_inconstant(convention: Convention, scored: ScoredPart) -> None:
    for players in scored.tidy.pulkas["players"].unique().sort().to_list():
        if not is_constant(convention, players):
            raise ConventionError(
                explain(convention, players),
                hint="Use nominal=True for what a bullet point brings in the own bullet; prefdata.invariance tells by "
                "how many whists results differ from that (rule 4.1.1).",
            )


def _settled_columns(scored: ScoredPart) -> list[pl.Series]:
    """Give the ledger's columns as the settlement names them; a game without mountains has empty ones."""
    written = dict(zip(scored.tidy.game.entries.values(), scored.ledger, strict=False))
    nothing = np.zeros(len(scored.scored), np.int32)
    return [pl.Series(name, written.get(name, nothing)) for name in entry_columns()]


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
    ).with_columns(_settled_columns(scored))
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
