"""Appended pulkas are further parts; what cannot be appended leaves the archive as it was."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.errors import ArchiveError
from prefdata.examples import one_pulka, three_deals
from tests.archives.builders import (
    BREAKDOWNS,
    Breakdown,
    assert_same_tables,
    failing,
    frames_of,
    listing,
    random_archive,
    renumbered,
    sheets_of,
    write_files,
)


def test_appended_pulkas_are_further_parts(club: Archive, folder: Path) -> None:
    before = listing(folder)
    more = renumbered(random_archive("more", 10), 1000)
    back = pref.append(folder, more, deals_per_part=40)
    after = listing(folder)
    assert {name: after[name] for name in before if name != "archive.json"} == {
        name: content for name, content in before.items() if name != "archive.json"
    }
    old = {name for name in before if name.startswith("deals/")}
    new = {name for name in after if name.startswith("deals/")} - old
    assert new == {f"deals/part-{number:05d}.parquet" for number in range(len(old), len(old) + len(new))}
    assert len(new) > 1
    both = pref.concat([club, more])
    assert_same_tables(back, both)
    assert_frame_equal(sheets_of(back), sheets_of(both))
    assert all(part.has_codes for part in back.parts)
    assert [entry.name for entry in folder.parent.iterdir()] == ["club"]


def test_pulkas_of_equal_keys_are_not_appended(club: Archive, folder: Path) -> None:
    before = listing(folder)
    with pytest.raises(ArchiveError, match=r"has pulka 3 already \(2 such keys\)") as caught:
        pref.append(folder, pref.concat([club.only(pulka=[3, 5]), renumbered(club, 100)]))
    assert "keys" in caught.value.hint
    assert listing(folder) == before


def test_broken_pulkas_are_not_appended(folder: Path) -> None:
    before = listing(folder)
    pulkas = one_pulka().with_columns(pulka=pl.lit(500, dtype=pl.Int64))
    deals = three_deals().with_columns(pulka=pl.lit(500, dtype=pl.Int64), multiplier=pl.lit(0, dtype=pl.UInt8))
    with pytest.raises(ArchiveError, match="pulka 500, deal 1: multiplier must be at least 1"):
        pref.append(folder, pref.archive(pulkas, deals))
    assert listing(folder) == before


def test_nothing_is_appended_to_no_archive(club: Archive, tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="nowhere does not exist"):
        pref.append(tmp_path / "nowhere", club)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", [*BREAKDOWNS, "replace last"])
def test_a_failure_leaves_the_archive_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    before = listing(folder.parent)
    more = renumbered(random_archive("more", 10), 1000)
    owner, attribute, call = BREAKDOWNS.get(name, (os, "replace", 6))
    monkeypatch.setattr(owner, attribute, failing(call, getattr(owner, attribute)))
    with pytest.raises(Breakdown):
        pref.append(folder, more, deals_per_part=40)
    assert listing(folder.parent) == before


def test_pulkas_are_appended_to_a_folder_without_manifest(club: Archive, folder: Path) -> None:
    (folder / "archive.json").unlink()
    old = {file.name for file in (folder / "deals").iterdir()}
    more = renumbered(random_archive("more", 5), 1000)
    back = pref.append(folder, more)
    both = pref.concat([club, more])
    assert_same_tables(back, both)
    assert_frame_equal(sheets_of(back), sheets_of(both))
    assert {part.name for part in back.parts if part.has_codes} == {part.name for part in back.parts} - old


def test_nothing_is_lost_when_pulkas_are_appended_to_a_folder_whose_files_do_not_pair_up(
    club: Archive, tmp_path: Path
) -> None:
    frames = frames_of(club)
    write_files(tmp_path / "club", "pulkas", {"all": frames["pulkas"]})
    write_files(tmp_path / "club", "deals", {"part-00000": frames["deals"][:100], "part-00001": frames["deals"][100:]})
    before = listing(tmp_path / "club")
    more = renumbered(random_archive("more", 5), 1000)
    try:
        back = pref.append(tmp_path / "club", more)
    except ArchiveError as refused:
        assert refused.hint  # noqa: PT017
        assert listing(tmp_path / "club") == before
    else:
        after = listing(tmp_path / "club")
        assert {name: after[name] for name in before} == before
        assert back.deals.collect().height == frames["deals"].height + more.deals.collect().height
