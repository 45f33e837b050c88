"""Frames made of plain records, as the strategies draw them."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import dataframely as dy
import polars as pl

import prefdata as pref
from prefdata.archives import Archive
from prefdata.balkan import tables as balkan
from prefdata.russian.tables import Adjustments, Deals
from prefdata.tables import Pulkas

Record = dict[str, Any]


def archive_of(pulkas: Sequence[Record], convention: str = "sochi", *, with_sums: bool = False) -> Archive:
    """Make an archive of drawn pulkas, with keys 1, 2, ..., and with the sums that tables agreed on if they count."""
    rows, deals, adjustments = [], [], []
    for key, pulka in enumerate(pulkas, start=1):
        limits = {"bullet_limit": pulka["limit"], "bullet_total": pulka["bullet_total"] if with_sums else None}
        rows.append({"pulka": key, "players": pulka["players"], **limits, "convention": convention})
        deals += [{"pulka": key, **deal} for deal in pulka["deals"]]
        adjustments += [{"pulka": key, **adjustment} for adjustment in pulka["adjustments"]]
    return pref.archive(
        frame_of(rows, Pulkas),
        frame_of(deals, Deals),
        frame_of(adjustments, Adjustments) if adjustments else None,
    )


def balkan_archive_of(pulkas: Sequence[Record]) -> Archive:
    """Make an archive of drawn pulkas of the Balkan game, with keys 1, 2, ..."""
    rows, deals, adjustments = [], [], []
    for key, pulka in enumerate(pulkas, start=1):
        rows.append({"pulka": key, "players": 3, "bullet_limit": pulka["limit"], "convention": "balkan"})
        deals += [{"pulka": key, "players": 3, **deal} for deal in pulka["deals"]]
        adjustments += [{"pulka": key, **adjustment} for adjustment in pulka["adjustments"]]
    return pref.archive(
        frame_of(rows, Pulkas),
        frame_of(deals, balkan.Deals),
        frame_of(adjustments, balkan.Adjustments) if adjustments else None,
    )


def frame_of(rows: Sequence[Record], schema: type[dy.Schema]) -> pl.DataFrame:
    """Make a frame of records in a table's types; what a record does not say is null."""
    return pl.DataFrame(
        {
            name: pl.Series([row.get(name) for row in rows], dtype=column.dtype)
            for name, column in schema.columns().items()
        }
    )


def plain(convention: pref.Convention) -> SimpleNamespace:
    """Give a convention to the second scorer."""
    return SimpleNamespace(**{switch: getattr(convention, switch) for switch in pref.switches()})
