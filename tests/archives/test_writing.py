"""A written archive is the same, sorted, described, and whole or not there at all."""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.errors import ArchiveError, PrefdataError, TargetExistsError
from prefdata.examples import one_pulka, three_deals
from prefdata.russian.tables import Adjustments, Deals
from prefdata.tables import Pulkas
from tests.archives.builders import (
    BREAKDOWNS,
    TABLES,
    Breakdown,
    archive_of_frames,
    assert_same_tables,
    failing,
    frames_of,
    listing,
    parts_of,
    sheets_of,
    shuffled,
)


@pytest.mark.parametrize("deals_per_part", [1, 50, 10_000])
def test_a_written_archive_is_the_same(
    club: Archive, club_sheets: pl.DataFrame, tmp_path: Path, deals_per_part: int
) -> None:
    target = tmp_path / "new" / "club"
    back = pref.write_archive(club, target, deals_per_part=deals_per_part)
    assert back.path == target
    assert_same_tables(back, club)
    assert_same_tables(pref.open_archive(str(target)), club)
    assert_frame_equal(sheets_of(back), club_sheets)
    assert os.listdir(tmp_path) == ["new"]
    assert os.listdir(tmp_path / "new") == ["club"]
    check_cuts(back, target, deals_per_part)


def check_cuts(archive: Archive, folder: Path, deals_per_part: int) -> None:
    """Check that each part ends with the pulka in which it becomes full."""
    pulkas, deals = parts_of(folder, "pulkas"), parts_of(folder, "deals")
    assert len(pulkas) == len(deals) == len(archive.parts)
    for of_pulkas, of_deals in zip(pulkas, deals, strict=True):
        assert of_pulkas["pulka"].to_list() == of_deals["pulka"].unique(maintain_order=True).to_list()
        before_last = of_deals.filter(pl.col("pulka") != of_deals["pulka"][-1])
        assert before_last.height < deals_per_part
    assert all(of_deals.height >= deals_per_part for of_deals in deals[:-1])
    assert [part.name for part in archive.parts] == [f"part-{number:05d}.parquet" for number in range(len(deals))]


def test_written_tables_have_the_columns_and_types_of_the_schema(written: Path) -> None:
    for table, schema in zip(TABLES, (Pulkas, Deals, Adjustments), strict=True):
        for frame in parts_of(written, table):
            assert frame.schema == schema.create_empty().schema
            assert frame.height


def test_the_manifest_describes_every_file(written: Path) -> None:
    manifest = json.loads((written / "archive.json").read_text(encoding="utf-8"))
    assert manifest["schema_version"] == 1
    described = {f"{table}/{name}": facts for name, part in manifest["parts"].items() for table, facts in part.items()}
    assert set(described) == {name for name in listing(written) if name.endswith(".parquet")}
    for name, facts in described.items():
        file = written / name
        assert facts == {
            "rows": pl.read_parquet(file).height,
            "size": file.stat().st_size,
            "modified_ns": file.stat().st_mtime_ns,
            "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        }


def test_parts_without_adjustments_have_no_file_of_them(tmp_path: Path) -> None:
    archive = pref.write_archive(pref.archive(one_pulka(), three_deals()), tmp_path / "one")
    assert sorted(listing(tmp_path / "one")) == [
        "archive.json",
        "deals/part-00000.parquet",
        "pulkas/part-00000.parquet",
    ]
    assert archive.adjustments.collect().is_empty()
    assert archive.adjustments.collect_schema() == Adjustments.create_empty().schema


@pytest.mark.parametrize("deals_per_part", [60, 10_000])
def test_what_is_written_is_sorted(
    club: Archive, club_sheets: pl.DataFrame, tmp_path: Path, deals_per_part: int
) -> None:
    archive = archive_of_frames({table: shuffled(frame) for table, frame in frames_of(club).items()})
    back = pref.write_archive(archive, tmp_path / "club", deals_per_part=deals_per_part)
    check_sorted(tmp_path / "club")
    assert_frame_equal(sheets_of(back), club_sheets)


@pytest.mark.parametrize("deals_per_part", [60, 10_000])
def test_parts_in_any_order_are_written_sorted(
    club: Archive, club_sheets: pl.DataFrame, tmp_path: Path, deals_per_part: int
) -> None:
    keys = club_sheets["pulka"].to_list()
    mixed = pref.concat([club.only(pulka=keys[start::3]) for start in (1, 0, 2)])
    back = pref.write_archive(mixed, tmp_path / "club", deals_per_part=deals_per_part)
    assert_same_tables(back, club)
    assert_frame_equal(sheets_of(back), club_sheets)
    check_sorted(tmp_path / "club")


def check_sorted(folder: Path) -> None:
    """Check that each file is sorted by its key."""
    for table, key in (("pulkas", ["pulka"]), ("deals", ["pulka", "deal"]), ("adjustments", ["pulka", "deal"])):
        for frame in parts_of(folder, table):
            assert_frame_equal(frame, frame.sort(key, maintain_order=True))


def test_a_full_folder_is_not_overwritten(club: Archive, folder: Path) -> None:
    before = listing(folder)
    with pytest.raises(TargetExistsError, match="club exists already") as caught:
        pref.write_archive(club, folder)
    assert "append" in caught.value.hint
    assert listing(folder) == before


def test_a_file_is_not_overwritten(club: Archive, tmp_path: Path) -> None:
    (tmp_path / "club").write_text("notes")
    with pytest.raises(TargetExistsError, match="exists already"):
        pref.write_archive(club, tmp_path / "club")
    assert listing(tmp_path) == {"club": b"notes"}


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    back = pref.write_archive(pref.archive(one_pulka(), three_deals()), tmp_path / "club")
    assert back.deals.collect().height == 3
    assert os.listdir(tmp_path) == ["club"]


def test_a_folder_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("notes")
    with pytest.raises(ArchiveError, match="club cannot be written: ") as caught:
        pref.write_archive(pref.archive(one_pulka(), three_deals()), tmp_path / "notes" / "club")
    assert caught.value.hint


def test_an_archive_that_breaks_a_rule_is_not_written(tmp_path: Path) -> None:
    broken = pref.archive(one_pulka(), three_deals().with_columns(talon=pl.Series([0, 4, 0], dtype=pl.UInt8)))
    with pytest.raises(
        ArchiveError, match=r"1 broken rule, the first in pulka 1, deal 2: talon must be at most 3 \(talon=4\)"
    ) as caught:
        pref.write_archive(broken, tmp_path / "club")
    assert "archive.check().good" in caught.value.hint
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", BREAKDOWNS)
@pytest.mark.parametrize("exists", [False, True])
def test_a_failure_leaves_nothing_behind(
    club: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, exists: bool
) -> None:
    owner, attribute, call = BREAKDOWNS[name]
    if exists:
        (tmp_path / "club").mkdir()
    monkeypatch.setattr(owner, attribute, failing(call, getattr(owner, attribute)))
    with pytest.raises(Breakdown):
        pref.write_archive(club, tmp_path / "club", deals_per_part=50)
    left = {entry.name for entry in tmp_path.iterdir()}
    assert left <= ({"club"} if exists else set())
    assert listing(tmp_path) == {}


@pytest.mark.parametrize("deals_per_part", [0, -1])
def test_a_part_has_at_least_one_deal(club: Archive, tmp_path: Path, deals_per_part: int) -> None:
    with pytest.raises((PrefdataError, ValueError), match="deals_per_part"):
        pref.write_archive(club, tmp_path / "club", deals_per_part=deals_per_part)
    assert os.listdir(tmp_path) == []


def test_nothing_else_is_warned_of(folder: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        archive = pref.open_archive(folder)
        pref.settle(sheets_of(archive), "sochi", pulkas=archive.pulkas)
        pref.ledger(archive, "leningrad", running_columns=True)
        pref.values(archive, "sochi")
