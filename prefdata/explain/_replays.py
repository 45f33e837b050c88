"""Pulkas played again with a slip in them, and all that follows from it: help, surplus, raspasy steps, the end."""

from __future__ import annotations

import numpy as np
import polars as pl

from prefdata.explain._slips import Ledger, Slips
from prefdata.explain.beside import Beside
from prefdata.outcomes.arrays import Array
from prefdata.scoring.scorer import walk_part
from prefdata.scoring.tidy import TidyPart

__all__ = ["has_consequences", "matching_when_replayed"]

_DEALS_AT_ONCE = 2_000_000
"""Deals that are walked at a time."""

_TIMES = {"deal missing": 0, "deal doubled": 2}
"""How often a deal is in the record, where a slip is about the whole of it."""


def has_consequences(found: Slips, beside: Beside) -> bool:
    """Tell whether a slip changes what later deals write: closing looks at bullets, and perhaps at mountains."""
    looked_at = ("bullet", "mountain") if beside.convention.made_first == "mountain" else ("bullet",)
    settled = list(beside.game.entries.values())
    return found.kind in _TIMES or any(settled[place].startswith(looked_at) for place in found.added)


def matching_when_replayed(found: Slips, ledger: Ledger, beside: Beside) -> Slips:
    """Keep the slips that make a sheet what it is when the rest of the pulka is written on top of them."""
    if not len(found.rows):
        return found
    deals = np.cumsum(beside.tidy.deals_of_pulka[ledger.pulkas[found.rows]])
    cuts = np.searchsorted(deals, np.arange(_DEALS_AT_ONCE, deals[-1], _DEALS_AT_ONCE))
    fits = np.zeros(len(found.rows), np.bool_)
    for chosen in np.split(np.arange(len(found.rows)), cuts):
        if len(chosen):
            among = np.zeros(len(fits), np.bool_)
            among[chosen] = True
            fits[chosen] = _fits(found.only(among), ledger, beside)
    return found.only(fits)


def _fits(found: Slips, ledger: Ledger, beside: Beside) -> Array:
    pulkas = ledger.pulkas[found.rows]
    replayed = walk_part(_replay(found, ledger, beside.tidy), beside.convention)
    entries = replayed.sheets[: len(beside.game.entries)].T.astype(np.float64)
    fits: Array = beside.matches(entries, pulkas) & (replayed.status == 0)
    return fits


def _replay(found: Slips, ledger: Ledger, tidy: TidyPart) -> TidyPart:
    """Make a pulka of each slip, under keys of their own."""
    pulkas, deals = ledger.pulkas[found.rows], ledger.deals[found.rows]
    times = _TIMES.get(found.kind, 1)
    lengths = tidy.deals_of_pulka[pulkas]
    first = np.cumsum(lengths) - lengths
    within = np.arange(lengths.sum()) - np.repeat(first, lengths)
    every = np.repeat(tidy.starts[pulkas], lengths) + within
    often = np.where(within == np.repeat(deals - 1, lengths), times, 1)
    return TidyPart(
        pulkas=tidy.pulkas[pulkas].with_columns(pulka=pl.int_range(len(pulkas), dtype=pl.Int64)),
        numbers=np.repeat(tidy.numbers[every], often),
        starts=np.concatenate([[0], np.cumsum(lengths + times - 1)]),
        adjustments=_adjustments(found, pulkas, deals, tidy),
        book=tidy.book,
        failures=tidy.failures,
        game=tidy.game,
    )


def _adjustments(found: Slips, pulkas: Array, deals: Array, tidy: TidyPart) -> pl.DataFrame:
    """Give each replayed pulka its own adjustments, and its slip as further ones."""
    empty: pl.DataFrame = tidy.game.adjustments.schema.create_empty()
    frames: list[pl.DataFrame] = [empty]
    if tidy.adjustments.height:
        keyed = pl.DataFrame(
            {"pulka": tidy.pulkas["pulka"].gather(pulkas), "replay": np.arange(len(pulkas)), "slip": deals}
        )
        own = keyed.join(tidy.adjustments, on="pulka", how="inner", maintain_order="left_right")
        shift = pl.when(pl.col("deal") >= pl.col("slip")).then(_TIMES.get(found.kind, 1) - 1).otherwise(0)
        moved = own.with_columns(pulka=pl.col("replay"), deal=pl.col("deal").cast(pl.Int64) + shift)
        frames.append(moved.select(pl.col(name).cast(kind) for name, kind in empty.schema.items()))
    if found.kind not in _TIMES:
        names = list(tidy.game.entries)
        frames += [
            _entry(names[place], values, deals).select(pl.col(name).cast(kind) for name, kind in empty.schema.items())
            for place, values in found.added.items()
        ]
    return pl.concat(frames).sort("pulka", "deal", maintain_order=True)


def _entry(name: str, points: Array, deals: Array) -> pl.DataFrame:
    """Write points in a column of each replay, as rows of the adjustments table."""
    entry, seats = name.split("_")
    return pl.DataFrame(
        {"pulka": np.arange(len(points)), "deal": deals, "points": points.astype(np.int64)}
    ).with_columns(
        seat=pl.lit(seats[0]),
        entry=pl.lit(entry),
        on_seat=pl.lit(seats[1] if len(seats) > 1 else None, dtype=pl.String),
        reason=pl.lit(""),
    )
