"""The search for what made a sheet differ from its deals: simple causes first, rare ones for what is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import polars as pl

from prefdata.conventions import Convention
from prefdata.explain._beside import Beside
from prefdata.explain._house_rules import one_switch, other_presets
from prefdata.explain._replays import has_consequences, matching_when_replayed
from prefdata.explain._slips import Ledger, Slips, ledger_beside, matching, slips
from prefdata.explain._totals import Total, excess, settled_sheets, wrong_totals
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
    nonzero = np.count_nonzero(beside.difference, axis=1)
    found = [*_slips(beside), *_frames(wrong_totals(beside, nonzero), beside)]
    found += _frames(settled_sheets(beside), beside, but=_pulkas(found))
    presets, prevailing = _conventions(beside, other_presets, "another convention", found)
    found = _instead(found, presets, prevailing)
    if len(_pulkas(found)) < len(nonzero):
        switches, prevailing = _conventions(beside, one_switch, "another switch", found)
        found = _instead(found, switches, prevailing)
    found += _frames(excess(beside, nonzero), beside, but=_pulkas(found))
    return pl.concat([CAUSES_SCHEMA.to_frame(), *found]).unique(maintain_order=True).sort("pulka", maintain_order=True)


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
    left = ~beside.sheets["pulka"].is_in(list(but or ())).to_numpy()
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


def _conventions(
    beside: Beside, alternatives: _Alternatives, cause: str, found: list[pl.DataFrame]
) -> tuple[list[pl.DataFrame], set[int]]:
    """Look for conventions that reproduce sheets.

    Returns
    -------
    tuple
        The causes; and the pulkas of those that reproduce most of the sheets that differ, more than one: so many
        tables have not all made slips of their own.
    """
    frames: list[pl.DataFrame] = []
    prevailing: set[int] = set()
    everything = np.arange(len(beside.sheets))
    for name, other in alternatives(beside.convention):
        walked = walk_part(beside.tidy, other)
        entries = walked.sheets[: len(beside.game.entries)].T.astype(np.float64)
        fits = (walked.status == 0) & beside.matches(entries, everything, other)
        if not fits.any():
            continue
        frame = _frame(beside, np.flatnonzero(fits), cause=cause, convention=name)
        frames.append(frame)
        if max(1, len(fits) / 2) < fits.sum():
            prevailing |= set(frame["pulka"])
    return frames, prevailing - _pulkas(one for one in found if _is_of_conventions(one))


def _is_of_conventions(frame: pl.DataFrame) -> bool:
    return frame["convention"].null_count() < frame.height


def _instead(found: list[pl.DataFrame], others: list[pl.DataFrame], prevailing: set[int]) -> list[pl.DataFrame]:
    """Take other causes for the sheets that have none, and for those of which they are likelier."""
    explained = pl.Series(list(_pulkas(found) - prevailing), dtype=pl.Int64)
    likelier = pl.Series(list(prevailing), dtype=pl.Int64)
    kept = [frame.filter(~pl.col("pulka").is_in(likelier.implode())) for frame in found]
    return [*kept, *(frame.filter(~pl.col("pulka").is_in(explained.implode())) for frame in others)]
