"""Adding adjustments to an archive, and what they change in its results (rules §8)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from prefdata.archives import Archive, Part, TableFrame, as_archive
from prefdata.conventions import Convention, is_played, resolve
from prefdata.doors import AnyFrame, as_frame, as_lazy_frame
from prefdata.errors import CorrectionError, warn_set_aside
from prefdata.scoring.sheets import sheets
from prefdata.settlement.settling import settle
from prefdata.vocabulary import SEAT, TWELFTHS

__all__ = ["EFFECT_SCHEMA", "adjustment_effects", "effects", "with_adjustments"]

EFFECT_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "pulka": pl.Int64,
    "convention": pl.String,
    "seat": SEAT,
    "player": pl.String,
    **{
        f"{name}{suffix}": kind
        for name in ("without", "with", "shift")
        for suffix, kind in (("", pl.Float64), ("_twelfths", pl.Int64))
    },
    "rounded": pl.Int64,
    "residue": pl.Int64,
}
"""Columns of the frames that tell what adjustments change."""


def with_adjustments(archive: Archive | str | Path, *frames: AnyFrame) -> Archive:
    """Add adjustments to an archive, in memory (rules §8).

    Parameters
    ----------
    archive
        The archive, or its folder; it stays as it is.
    *frames
        Frames in the form of the adjustments table.  They are checked with the archive: what names a seat or a deal
        that its pulka does not have sets the pulka aside.

    Returns
    -------
    Archive
        The archive with the adjustments, each in the part that holds its pulka, after those which are there.

    Raises
    ------
    CorrectionError
        If the archive lacks a pulka.
    TableError
        If a frame lacks a column or has one of an impossible type.

    Examples
    --------
    >>> from prefdata.archives import archive
    >>> from prefdata.corrections import correct_over_writing
    >>> from prefdata.examples import one_pulka, three_deals
    >>> club = archive(one_pulka(), three_deals())
    >>> fined = with_adjustments(club, correct_over_writing(1, 2, "c", "bullet", 4))
    >>> fined.adjustments.select("seat", "entry", "points").collect().rows()
    [('c', 'bullet', 4), ('c', 'bullet', -4), ('c', 'mountain', 4)]
    """
    archive = as_archive(archive)
    if not frames:
        return archive
    table, given = archive.game.adjustments, [as_lazy_frame(frame, "one of frames") for frame in frames]
    added = as_frame(_together(*(TableFrame(frame, table, "a frame of adjustments") for frame in given)), "frames")
    parts, unknown = [], added["pulka"].unique()
    for part in archive.parts:
        keys = part.pulkas.read(part.pulkas.typed().select("pulka"))["pulka"].unique()
        unknown = unknown.filter(~unknown.is_in(keys.implode()).fill_null(False))
        own = added.filter(pl.col("pulka").is_in(keys.implode()))
        parts.append(_with_rows(part, own) if own.height else part)
    if len(unknown):
        raise CorrectionError(
            f"adjustments are for pulkas that the archive lacks: {', '.join(map(str, unknown.sort()))}",
            hint="Add the pulkas first, or correct the key.",
        )
    return replace(archive, parts=tuple(parts))


def _with_rows(part: Part, rows: pl.DataFrame) -> Part:
    where = part.adjustments.where if part.adjustments is not None else "adjustments"
    table = part.game.adjustments
    added = TableFrame(rows.lazy(), table, where)
    there = [part.adjustments] if part.adjustments is not None else []
    return replace(part, adjustments=TableFrame(_together(*there, added), table, where))


def _together(*tables: TableFrame) -> pl.LazyFrame:
    """Put tables below each other; values that do not fit stay as they came, for the check to list."""
    fitting = [table.filled() if table.has_misfits() else table.typed() for table in tables]
    return pl.concat(fitting, how="diagonal_relaxed")


def adjustment_effects(
    archive: Archive | str | Path, convention: str | Path | Convention, *, rounding: str | None = None
) -> pl.DataFrame:
    """Tell what adjustments change in the results of their pulkas (rules §8).

    Every pulka with adjustments is scored with and without them; a pulka that is open is settled as if it had been
    stopped.  Without them it may also end at another deal, and that is part of the change.

    Exact results sum to 0 whatever the columns hold, since every point counts between two players with opposite signs;
    no correction can break that.  Rounded results sum to 0 too, except under the rules that round every total by
    itself, ``total-half-up`` and ``total-half-even``: what remains there is the residue.

    Parameters
    ----------
    archive
        The archive, or its folder; pulkas that break a rule are set aside with a `SetAsideWarning`.
    convention
        A convention, its name or its file; ``played`` takes the one in each pulka's row.
    rounding
        The rounding rule, in place of the convention's.

    Returns
    -------
    pl.DataFrame
        One row a pulka with adjustments and seat: `pulka`, `convention`, `seat`, `player`; the exact results `without`
        and `with` the adjustments and the `shift` between them (whists, each with ``*_twelfths``); `rounded`, the
        result with them in whole whists; `residue`, the sum of the pulka's rounded results (whists; both null where
        the rule rounds nothing, or cannot make all results of the pulka whole).

    Examples
    --------
    Four points on c's mountain cost him 40 whists, less the third that he would pay himself:

    >>> from prefdata.archives import archive
    >>> from prefdata.corrections import correct_over_writing
    >>> from prefdata.examples import one_pulka, three_deals
    >>> fine = correct_over_writing(1, 2, "c", "bullet", 4)
    >>> club = with_adjustments(archive(one_pulka(), three_deals()), fine)
    >>> adjustment_effects(club, "sochi").select("seat", "shift_twelfths", "rounded", "residue").rows()
    [('a', 160, 93, 0), ('b', 160, -100, 0), ('c', -320, 7, 0)]
    """
    archive = as_archive(archive)
    if not is_played(convention):
        convention = resolve(convention)
    Convention().with_rounding(rounding)  # refuses a rule that is none
    keys = archive.adjustments.select("pulka").unique().collect()["pulka"]
    good, failures = archive.only(pl.col("pulka").is_in(keys.implode())).check()
    if len(failures):
        warn_set_aside(f"{failures.summary()}; archive.check().failures lists rows that break a rule")
    bare = replace(good, parts=tuple(replace(part, adjustments=None) for part in good.parts))
    before, after = (
        settle(sheets(scored, convention), convention, rounding=rounding, pulkas=scored.pulkas)
        for scored in (bare, good)
    )
    return effects(before, after)


def effects(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Compare two settlements of the same pulkas and seats."""
    rounded = pl.col("rounded")
    return (
        after.join(
            before.select("pulka", "seat", without_twelfths="result_twelfths"),
            on=["pulka", "seat"],
            maintain_order="left",
        )
        .with_columns(with_twelfths="result_twelfths", shift_twelfths=pl.col("result_twelfths") - "without_twelfths")
        .with_columns(
            *((pl.col(f"{name}_twelfths") / TWELFTHS).alias(name) for name in ("without", "with", "shift")),
            residue=pl.when(rounded.is_not_null().all().over("pulka")).then(rounded.sum().over("pulka")),
        )
        .select(pl.col(name).cast(kind) for name, kind in EFFECT_SCHEMA.items())
    )
