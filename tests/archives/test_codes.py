"""The codes of outcomes are trusted where prefdata wrote them, and worked out where anything has changed."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import _manifest
from prefdata.russian.codes import encode
from tests.archives.builders import (
    archive_of_frames,
    frames_of,
    parts_of,
    sheets_of,
)


def trusted(folder: Path) -> list[bool]:
    return [part.has_codes for part in pref.open_archive(folder).parts]


def test_written_deals_hold_their_codes(written: Path) -> None:
    for deals in parts_of(written, "deals"):
        assert deals["outcome"].null_count() == 0
        assert_frame_equal(deals.select("outcome"), deals.select(outcome=encode()))
    assert trusted(written) == [True] * len(parts_of(written, "deals"))


def with_other_tricks(deals: pl.DataFrame) -> pl.DataFrame:
    """Let the tricks go round in raspasy of three, and double other deals; the codes stay as they were."""
    is_raspasy = (pl.col("contract") == "raspasy") & (pl.col("players") == 3)
    return deals.with_columns(
        pl.when(is_raspasy).then("multiplier").otherwise(pl.col("multiplier") % 16 + 1).alias("multiplier"),
        *(
            pl.when(is_raspasy).then(f"tricks_{right}").otherwise(f"tricks_{seat}").alias(f"tricks_{seat}")
            for seat, right in zip("abc", "cab", strict=True)
        ),
    )


@pytest.mark.parametrize("same_size", [False, True])
def test_stale_codes_are_not_trusted(folder: Path, club_sheets: pl.DataFrame, same_size: bool) -> None:
    files = sorted((folder / "deals").iterdir())
    for file in files:
        with_other_tricks(pl.read_parquet(file)).write_parquet(file)
        os.utime(file, ns=(1, 1))
    if same_size:
        manifest = json.loads((folder / "archive.json").read_text())
        for file in files:
            manifest["parts"][file.name]["deals"]["size"] = file.stat().st_size
        (folder / "archive.json").write_text(json.dumps(manifest))
    assert not any(trusted(folder))
    archive = pref.open_archive(folder)
    sheets = sheets_of(archive)
    assert not sheets.equals(club_sheets)
    assert_frame_equal(sheets, sheets_of(archive_of_frames(frames_of(archive))))
    again = pref.write_archive(archive, folder.parent / "again")
    assert_frame_equal(sheets_of(again), sheets)
    assert all(part.has_codes for part in again.parts)
    codes = again.deals.collect()
    assert_frame_equal(codes.select("outcome"), codes.select(outcome=encode()))


def test_a_file_that_was_only_touched_is_trusted(folder: Path, club_sheets: pl.DataFrame) -> None:
    for file in (folder / "deals").iterdir():
        os.utime(file, ns=(1, 1))
    assert all(trusted(folder))
    assert_frame_equal(sheets_of(pref.open_archive(folder)), club_sheets)


def test_a_copied_archive_is_trusted(written: Path, tmp_path: Path) -> None:
    shutil.copytree(written, tmp_path / "copy", copy_function=shutil.copy)
    assert all(trusted(tmp_path / "copy"))


def test_codes_are_read_where_they_are_trusted(folder: Path) -> None:
    """The readable columns say something else here, under a manifest which says that prefdata wrote them."""
    manifest = json.loads((folder / "archive.json").read_text())
    expected = sheets_of(pref.open_archive(folder))
    for file in (folder / "deals").iterdir():
        deals = with_other_tricks(pl.read_parquet(file))
        deals.write_parquet(file)
        manifest["parts"][file.name]["deals"] = _manifest.describe(file, deals.height)
    (folder / "archive.json").write_text(json.dumps(manifest))
    assert all(trusted(folder))
    assert_frame_equal(sheets_of(pref.open_archive(folder)), expected)


def test_only_the_changed_part_loses_its_trust(folder: Path, club_sheets: pl.DataFrame) -> None:
    file = folder / "deals" / "part-00001.parquet"
    pl.read_parquet(file).write_parquet(file, compression="uncompressed")
    assert trusted(folder) == [number != 1 for number in range(len(trusted(folder)))]
    assert_frame_equal(sheets_of(pref.open_archive(folder)), club_sheets)


def test_codes_that_somebody_dropped_are_not_missed(folder: Path, club_sheets: pl.DataFrame) -> None:
    file = folder / "deals" / "part-00000.parquet"
    pl.read_parquet(file).drop("outcome").write_parquet(file)
    assert_frame_equal(sheets_of(pref.open_archive(folder)), club_sheets)


def test_broken_rows_of_a_trusted_archive_are_set_aside(folder: Path, club_sheets: pl.DataFrame) -> None:
    file = folder / "pulkas" / "part-00000.parquet"
    pulkas = pl.read_parquet(file)
    key = pulkas["pulka"][1]
    pulkas.with_columns(
        bullet_limit=pl.when(pl.col("pulka") == key).then(0).otherwise("bullet_limit").cast(pl.UInt16)
    ).write_parquet(file)
    archive = pref.open_archive(folder)
    assert all(part.has_codes for part in archive.parts)
    with pytest.warns(pref.SetAsideWarning, match=r"bullet_limit\|min"):
        assert_frame_equal(sheets_of(archive), club_sheets.filter(pl.col("pulka") != key))


def test_a_pulka_in_two_parts_of_a_folder_is_set_aside(folder: Path, club_sheets: pl.DataFrame) -> None:
    key = parts_of(folder, "pulkas")[0]["pulka"][0]
    for table in ("pulkas", "deals"):
        first, second = parts_of(folder, table)[:2]
        pl.concat([second, first.filter(pl.col("pulka") == key)]).write_parquet(folder / table / "part-00001.parquet")
    archive = pref.open_archive(folder)
    failures = archive.check().failures
    assert failures.counts() == {"pulka_in_one_part": 2}
    assert failures.frame["file"].to_list() == [str(folder / "pulkas" / f"part-0000{part}.parquet") for part in (0, 1)]
    expected = club_sheets.filter(pl.col("pulka") != key)
    with pytest.warns(pref.SetAsideWarning, match="pulka_in_one_part"):
        assert_frame_equal(sheets_of(archive), expected)
    assert_frame_equal(sheets_of(archive.check().good), expected)
