"""Archives written by others: whatever form their tables and files have, they give the same sheets."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.russian.tables import Deals
from tests.archives.builders import (
    ENUMS,
    FORMS,
    archive_of_frames,
    assert_same_tables,
    frames_of,
    sheets_of,
    write_files,
)


@pytest.mark.parametrize("name", FORMS)
def test_any_form_of_the_tables_gives_the_same_sheets(
    plain: Archive, plain_sheets: pl.DataFrame, tmp_path: Path, name: str
) -> None:
    frames = FORMS[name](frames_of(plain))
    expected = plain_sheets
    assert all(frame.height for frame in frames.values())
    assert_frame_equal(sheets_of(archive_of_frames(frames)), expected)
    for table, frame in frames.items():
        write_files(tmp_path / "club", table, {"part-00000": frame})
    opened = pref.open_archive(tmp_path / "club")
    assert opened.deals.collect_schema() == Deals.create_empty().schema
    assert_frame_equal(sheets_of(opened), expected)
    assert_same_tables(pref.write_archive(opened, tmp_path / "again"), opened)


@pytest.mark.parametrize("name", ["strings", "wide integers", "an extra column row", "unsorted"])
def test_a_broken_row_is_found_in_any_form(plain: Archive, name: str) -> None:
    frames = frames_of(plain)
    frames["deals"] = frames["deals"].with_columns(
        multiplier=pl.when((pl.col("pulka") == 2) & (pl.col("deal") == 1))
        .then(0)
        .otherwise("multiplier")
        .cast(pl.UInt8)
    )
    frames = FORMS[name](frames)
    failures = archive_of_frames(frames).check().failures
    first = failures.frame.row(0, named=True)
    assert failures.frame.select("rule", "pulka", "deal", "value").rows() == [("multiplier|min", 2, 1, "multiplier=0")]
    where = frames["deals"].with_row_index("place").filter(pl.col("pulka") == 2, pl.col("deal") == 1)
    assert first["row"] == where["place"].item()


def test_a_folder_without_manifest_opens(club_sheets: pl.DataFrame, folder: Path) -> None:
    (folder / "archive.json").unlink()
    archive = pref.open_archive(folder)
    assert not any(part.has_codes for part in archive.parts)
    assert_frame_equal(sheets_of(archive), club_sheets)


def test_other_file_names_pair_up(club: Archive, club_sheets: pl.DataFrame, tmp_path: Path) -> None:
    for number, part in enumerate([club.only(pl.col("pulka") <= 9), club.only(pl.col("pulka") > 9)]):
        for table, frame in frames_of(part).items():
            write_files(tmp_path / "club", table, {f"year {number}": frame})
    archive = pref.open_archive(tmp_path / "club")
    assert [part.name for part in archive.parts] == ["year 0.parquet", "year 1.parquet"]
    assert_frame_equal(sheets_of(archive), club_sheets)


def test_files_that_do_not_pair_up_are_one_part(club: Archive, club_sheets: pl.DataFrame, tmp_path: Path) -> None:
    frames = frames_of(club)
    deals = frames["deals"]
    write_files(tmp_path / "club", "pulkas", {"all": frames["pulkas"]})
    write_files(
        tmp_path / "club",
        "deals",
        {
            "1": deals[100:].with_columns(pl.col("deal", "players").cast(pl.Int64)),
            "2": deals[:100].drop("trump", "outcome").with_columns(ENUMS.cast(pl.String)),
        },
    )
    write_files(tmp_path / "club", "adjustments", {"corrections": frames["adjustments"]})
    archive = pref.open_archive(tmp_path / "club")
    assert len(archive.parts) == 1
    assert not archive.parts[0].has_codes
    assert_frame_equal(sheets_of(archive), club_sheets)
    assert len(archive.check().failures) == 0
    assert_frame_equal(sheets_of(pref.write_archive(archive, tmp_path / "again")), club_sheets)


def test_a_failure_names_its_file(folder: Path) -> None:
    file = folder / "deals" / "part-00001.parquet"
    deals = pl.read_parquet(file)
    deals.with_columns(
        talon=pl.when(pl.int_range(pl.len()) == 3).then(9).otherwise("talon").cast(pl.UInt8)
    ).write_parquet(file)
    said = pref.open_archive(folder).check().failures.frame.filter(pl.col("rule") == "talon|max").row(0, named=True)
    assert (said["file"], said["row"]) == (str(file), 3)
    assert (said["pulka"], said["deal"]) == deals.select("pulka", "deal").row(3)


def test_recorded_sheets_are_found(club: Archive, club_sheets: pl.DataFrame, folder: Path) -> None:
    assert pref.open_archive(folder).sheets is None
    assert club.sheets is None
    write_files(folder, "sheets", {"part-00000": club_sheets[:5], "part-00001": club_sheets[5:]})
    recorded = pref.open_archive(folder).sheets
    assert recorded is not None
    assert_frame_equal(recorded.collect(), club_sheets)
