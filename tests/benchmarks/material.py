"""Millions of random legal deals: a pool of different ones, drawn again and again."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import polars as pl

import prefdata as pref
from prefdata.archives import Archive
from prefdata.russian.tables import Deals
from tests import strategies
from tests.records import frame_of

DEALS_PER_PULKA = 40
POOL = 10_000


def pool_of(players: int) -> pl.DataFrame:
    """Draw different deals of one number of players."""
    rng = random.Random(players)
    deals = [strategies.random_deal(rng, players) for _ in range(POOL)]
    return frame_of(deals, Deals)


def archive_of_random_deals(deals: int, tables: list[int], bullet_limit: int = 200) -> Archive:
    """Make an archive of random deals; the tables' sizes take turns."""
    rng = np.random.default_rng(1)
    pulkas = deals // DEALS_PER_PULKA
    pools = {players: pool_of(players) for players in set(tables)}
    starts = dict(zip(pools, np.cumsum([0, *(pool.height for pool in pools.values())]), strict=False))
    sizes = np.array(tables)[np.arange(pulkas) % len(tables)]
    drawn = np.repeat([starts[size] for size in sizes], DEALS_PER_PULKA) + rng.integers(
        0, POOL, len(sizes) * DEALS_PER_PULKA
    )
    frame = pl.concat(pools.values())[drawn].with_columns(
        pulka=pl.Series(np.repeat(np.arange(1, pulkas + 1), DEALS_PER_PULKA)),
        deal=pl.Series(np.tile(np.arange(1, DEALS_PER_PULKA + 1, dtype=np.uint16), pulkas)),
    )
    table = pl.DataFrame(
        {
            "pulka": np.arange(1, pulkas + 1),
            "players": sizes.astype(np.uint8),
            "bullet_limit": np.full(pulkas, bullet_limit, np.uint16),
        }
    ).with_columns(convention=pl.lit("sochi"))
    return pref.archive(table, frame)


def write_archive_of_random_deals(folder: Path, deals: int, tables: list[int]) -> None:
    """Write such an archive, once with stored codes and once as others would write it, without."""
    archive = archive_of_random_deals(deals, tables)
    written = pref.write_archive(archive, folder / "coded")
    for part in written.parts:
        for table, frame in (("pulkas", part.pulkas), ("deals", part.deals)):
            plain = frame.read()
            target = folder / "plain" / table / part.name
            target.parent.mkdir(parents=True, exist_ok=True)
            plain.drop("outcome", strict=False).write_parquet(target)
