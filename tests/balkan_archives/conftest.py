"""The archives that the tests of this folder share."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest

import prefdata as pref
from prefdata.archives import Archive
from prefdata.balkan.vocabulary import (
    SEATS,
)
from tests import balkan_strategies, strategies
from tests.balkan_archives.builders import (
    PLAYED,
    archive_of_tables,
    good_tables,
    sheets_of,
)
from tests.records import archive_of, balkan_archive_of


@pytest.fixture(scope="module")
def good_sheets() -> pl.DataFrame:
    """The sheets of the good archive."""
    archive = archive_of_tables(good_tables())
    assert archive.check().failures.counts() == {}
    sheets: pl.DataFrame = pref.sheets(archive, "balkan")
    assert sheets["pulka"].to_list() == list(PLAYED)
    assert not sheets["closed"].any()
    return sheets


LIMITS = (30, 50)


@pytest.fixture(scope="module")
def club() -> Archive:
    """An archive in memory of named players, with pulkas that end and go on, refes, cuts and adjustments."""
    rng = random.Random("club")
    drawn = balkan_archive_of([balkan_strategies.random_pulka(rng, rng.choice(LIMITS)) for _ in range(24)])
    names = [pl.lit(name).alias(f"player_{seat}") for seat, name in zip(SEATS, ("Ana", "Bojan", "Cene"), strict=True)]
    archive = pref.archive(drawn.pulkas.with_columns(*names, stake=pl.lit(0.5)), drawn.deals, drawn.adjustments)
    ledger = pref.ledger(archive, "balkan")
    assert ledger.select(pl.col("scored", "doubled", "cut").any()).row(0) == (True, True, True)
    assert pref.sheets(archive, "balkan")["closed"].mean() not in (0, 1)
    assert archive.adjustments.collect()["entry"].n_unique() == 2
    assert pref.unapplied_adjustments(archive, ledger).height
    return archive


@pytest.fixture(scope="module")
def club_sheets(club: Archive) -> pl.DataFrame:
    """Its sheets."""
    return sheets_of(club)


@pytest.fixture(scope="module")
def folder(club: Archive, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder, in several parts; not to be changed."""
    place = tmp_path_factory.mktemp("balkan") / "club"
    pref.write_archive(club, place, deals_per_part=150)
    return place


@pytest.fixture(scope="module")
def russian() -> Archive:
    """A few pulkas of the Russian game."""
    rng = random.Random("russian")
    return archive_of([{**strategies.random_pulka(rng), "adjustments": []} for _ in range(5)])
