"""Failures are written as files."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.errors import TargetExistsError
from prefdata.failures import FAILURE_SCHEMA
from tests.archives.builders import (
    archive_of_frames,
    frames_of,
)


@pytest.fixture
def failures(club: Archive) -> pref.Failures:
    """Some broken rows."""
    frames = frames_of(club)
    frames["deals"] = frames["deals"].with_columns(
        talon=pl.when(pl.col("pulka") == 2).then(7).otherwise("talon").cast(pl.UInt8)
    )
    found: pref.Failures = archive_of_frames(frames).check().failures
    assert len(found)
    return found


def test_failures_are_written_as_parquet(failures: pref.Failures, tmp_path: Path) -> None:
    failures.write(tmp_path / "rejects.parquet")
    assert_frame_equal(pl.read_parquet(tmp_path / "rejects.parquet"), failures.frame)


def test_failures_are_written_as_csv(failures: pref.Failures, tmp_path: Path) -> None:
    failures.write(str(tmp_path / "rejects.csv"))
    back = pl.read_csv(tmp_path / "rejects.csv", schema_overrides=dict(FAILURE_SCHEMA))
    assert_frame_equal(back, failures.frame)


@pytest.mark.parametrize("name", ["rejects.csv", "rejects.parquet"])
def test_no_failures_are_a_file_with_columns(club: Archive, tmp_path: Path, name: str) -> None:
    club.check().failures.write(tmp_path / name)
    back = pl.read_csv(tmp_path / name) if name.endswith(".csv") else pl.read_parquet(tmp_path / name)
    assert back.columns == list(FAILURE_SCHEMA)
    assert back.is_empty()


@pytest.mark.parametrize("name", ["rejects.csv", "rejects.parquet"])
def test_failures_overwrite_nothing(failures: pref.Failures, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("notes")
    with pytest.raises(TargetExistsError, match=f"{name} exists already") as caught:
        failures.write(tmp_path / name)
    assert caught.value.hint
    assert (tmp_path / name).read_text() == "notes"
