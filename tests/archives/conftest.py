"""The archives that the tests of this folder share."""

from __future__ import annotations

import shutil
from pathlib import Path

import polars as pl
import pytest

import prefdata as pref
from prefdata.archives import Archive
from tests.archives.builders import (
    random_archive,
    sheets_of,
)


@pytest.fixture(scope="module")
def club() -> Archive:
    """An archive in memory, of all kinds of tables, with adjustments."""
    return random_archive("club")


@pytest.fixture(scope="module")
def club_sheets(club: Archive) -> pl.DataFrame:
    """Its sheets."""
    return sheets_of(club)


@pytest.fixture(scope="module")
def written(club: Archive, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder, in several parts; not to be changed."""
    folder = tmp_path_factory.mktemp("written") / "club"
    pref.write_archive(club, folder, deals_per_part=80)
    return folder


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    """A copy of its folder, to be changed."""
    return Path(shutil.copytree(written, tmp_path / "club"))


@pytest.fixture(scope="module")
def plain() -> Archive:
    """A smaller archive."""
    return random_archive("plain", 12)


@pytest.fixture(scope="module")
def plain_sheets(plain: Archive) -> pl.DataFrame:
    """Its sheets."""
    return sheets_of(plain)
