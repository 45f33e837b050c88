"""The search for what made a sheet differ from its deals: simple causes first, rare ones for what is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import polars as pl

from prefdata.conventions import Convention
from prefdata.explain._house_rules import one_switch, other_presets
from prefdata.explain._replays import has_consequences, matching_when_replayed
from prefdata.explain._slips import Ledger, Slips, ledger_beside, matching, slips
from prefdata.explain._totals import Total, excess, settled_sheets, wrong_totals
from prefdata.explain.beside import Beside
from prefdata.outcomes.arrays import Array
from prefdata.scoring.scorer import walk_part

__all__ = ["CAUSES_SCHEMA", "find_causes"]

CAUSES_SCHEMA = pl.Schema(
    {
        "pulka": pl.Int64,
        "cause": pl.String,
        "deal": pl.UInt16,
        "column": pl.String,
        "other": pl.String,
        "points": pl.Float64,
        "convention": pl.String,
    }
)
"""Columns of the causes of an audit."""

_SHEETS_AT_ONCE = 500
"""Sheets whose ledgers are searched at a time."""

_Alternatives = Callable[[Convention], Iterable[tuple[str, Convention]]]


def find_causes(beside: Beside) -> pl.DataFrame:
    """Find what makes each sheet differ, of sheets all of which do.

    Every cause in the result makes the whole difference by itself; of a sheet there are several where they fit equally
    well, and none where nothing fits.
    """
    if not len(beside.sheets):
        return CAUSES_SCHEMA.to_frame()
    presets, prevailing = _conventions(beside, other_presets, "another convention")
    found = [frame.filter(_is_one_of(prevailing)) for frame in presets]
    left = _but(beside, prevailing)
    nonzero = np.count_nonzero(left.difference, axis=1)
    found += [*_slips(left), *_frames(wrong_totals(left, nonzero), left)]
    found += _frames(settled_sheets(left), left, but=_pulkas(found))
    explained = _pulkas(found)
    found += [frame.filter(~_is_one_of(explained)) for frame in presets]
    if len(_pulkas(found)) < beside.sheets.height:
        found = _with_switches(beside, found, prevailing)
    found += _frames(excess(left, nonzero), left, but=_pulkas(found))
    return pl.concat([CAUSES_SCHEMA.to_frame(), *found]).unique(maintain_order=True).sort("pulka", maintain_order=True)


def _with_switches(beside: Beside, found: list[pl.DataFrame], prevailing: set[int]) -> list[pl.DataFrame]:
    """Look for a switch that reproduces sheets without a cause, or most of those that no preset reproduces."""
    switches, likelier = _conventions(_but(beside, prevailing), one_switch, "another switch")
    explained = _pulkas(found) - likelier
    return [
        *(frame.filter(~_is_one_of(likelier)) for frame in found),
        *(frame.filter(~_is_one_of(explained)) for frame in switches),
    ]


def _is_one_of(pulkas: set[int]) -> pl.Expr:
    return pl.col("pulka").is_in(pl.Series(list(pulkas), dtype=pl.Int64).implode())


def _but(beside: Beside, pulkas: set[int]) -> Beside:
    """Leave out the sheets of some pulkas."""
    return beside.only(beside.sheets.select(~_is_one_of(pulkas)).to_series().to_numpy())


def _pulkas(found: Iterable[pl.DataFrame]) -> set[int]:
    """Give the pulkas with any cause."""
    return {pulka for frame in found for pulka in frame["pulka"]}


def _slips(beside: Beside) -> Iterator[pl.DataFrame]:
    """Look for slips by which a single deal was written, as they stand and with all that follows from them."""
    everything = np.arange(len(beside.sheets))
    for first in range(0, len(everything), _SHEETS_AT_ONCE):
        some = beside.only((everything >= first) & (everything < first + _SHEETS_AT_ONCE))
        ledger, nonzero = ledger_beside(some), np.count_nonzero(some.difference, axis=1)
        for one in slips(ledger, some.game, some.convention):
            found = [matching(one, ledger, some, nonzero)]
            if has_consequences(one, some):
                found.append(matching_when_replayed(one, ledger, some))
            yield from (_of_slips(each, ledger, some) for each in found if len(each.rows))


def _of_slips(found: Slips, ledger: Ledger, beside: Beside) -> pl.DataFrame:
    points = found.points
    return _frame(
        beside,
        ledger.pulkas[found.rows],
        cause=found.kind,
        deal=pl.Series(ledger.deals[found.rows]),
        column=found.column,
        other=found.other,
        points=None if points is None else pl.Series(points),
    )


def _frames(totals: Iterable[Total], beside: Beside, but: set[int] | None = None) -> list[pl.DataFrame]:
    """List what happened to totals, of all sheets `but` those of some pulkas."""
    left = beside.sheets.select(~_is_one_of(but or set())).to_series().to_numpy()
    frames = []
    for one in totals:
        chosen = one.pulkas & left
        if not chosen.any():
            continue
        points = None if one.points is None else pl.Series(one.points[chosen])
        frames.append(
            _frame(beside, np.flatnonzero(chosen), cause=one.kind, column=one.column, other=one.other, points=points)
        )
    return frames


def _frame(beside: Beside, pulkas: Array, **columns: str | pl.Series | None) -> pl.DataFrame:
    keys = beside.sheets["pulka"].gather(pulkas)
    given = {
        name: values if isinstance(values, pl.Series) else pl.repeat(values, len(keys), eager=True, dtype=pl.String)
        for name, values in columns.items()
        if values is not None
    }
    frame = pl.DataFrame({"pulka": keys, **given})
    return frame.select(
        (pl.col(name) if name in frame.columns else pl.lit(None)).cast(kind).alias(name)
        for name, kind in CAUSES_SCHEMA.items()
    )


def _conventions(beside: Beside, alternatives: _Alternatives, cause: str) -> tuple[list[pl.DataFrame], set[int]]:
    """Look for conventions that reproduce sheets.

    Returns
    -------
    tuple
        The causes; and the pulkas of those that reproduce most of the sheets, more than one: so many tables have not
        all made slips of their own.
    """
    frames: list[pl.DataFrame] = []
    prevailing: set[int] = set()
    everything = np.arange(beside.sheets.height)
    for name, other in alternatives(beside.convention):
        walked = walk_part(beside.tidy, other)
        entries = walked.sheets[: len(beside.game.entries)].T.astype(np.float64)
        fits = (walked.status == 0) & beside.matches(entries, everything, other)
        frame = _frame(beside, np.flatnonzero(fits), cause=cause, convention=name)
        frames.append(frame)
        if fits.sum() > max(1, len(fits) / 2):
            prevailing |= set(frame["pulka"])
    return frames, prevailing
