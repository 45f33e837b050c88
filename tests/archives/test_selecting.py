"""Pulkas chosen, archives put together, and an archive part by part."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.outcomes.numbering import find_pulkas, number_keys
from prefdata.russian.kernel import walk_for
from tests.archives.builders import (
    frames_of,
    parts_of,
    renumbered,
    sheets_of,
)


@pytest.mark.parametrize("on_disk", [False, True])
def test_only_keeps_whole_pulkas(club: Archive, club_sheets: pl.DataFrame, written: Path, on_disk: bool) -> None:
    archive = pref.open_archive(written) if on_disk else club
    for chosen, condition in (
        (archive.only(players=4), pl.col("players") == 4),
        (archive.only(players=[2, 4]), pl.col("players") != 3),
        (archive.only(pl.col("bullet_limit") > 5, players=3), (pl.col("bullet_limit") > 5) & (pl.col("players") == 3)),
        (archive.only(pulka=pl.Series([3, 1, 99])), pl.col("pulka").is_in([1, 3])),
        (archive.only(), pl.lit(True)),
    ):
        expected = club_sheets.filter(condition)
        assert expected.height
        assert frames_of(chosen)["pulkas"]["pulka"].to_list() == expected["pulka"].to_list()
        assert set(frames_of(chosen)["deals"]["pulka"]) == set(expected["pulka"])
        assert set(frames_of(chosen)["adjustments"]["pulka"]) <= set(expected["pulka"])
    assert_frame_equal(sheets_of(archive.only(players=[2, 4])), club_sheets.filter(pl.col("players") != 3))


def test_archives_put_together_are_scored_together(club: Archive, written: Path) -> None:
    other = renumbered(club, -100)
    both = pref.concat([pref.open_archive(written), other])
    expected = pl.concat([sheets_of(other), sheets_of(club)])
    assert_frame_equal(sheets_of(both), expected)
    assert both.deals.collect().height == 2 * club.deals.collect().height


def test_an_archive_is_gone_through_part_by_part(club_sheets: pl.DataFrame, written: Path) -> None:
    one_by_one = [sheets_of(part) for part in pref.open_archive(written)]
    assert len(one_by_one) == len(parts_of(written, "pulkas"))
    assert_frame_equal(pl.concat(one_by_one), club_sheets)


def test_lazy_frames_make_an_archive(club: Archive, club_sheets: pl.DataFrame) -> None:
    frames = frames_of(club)
    lazy = pref.archive(frames["pulkas"].lazy(), frames["deals"].lazy(), frames["adjustments"].lazy())
    assert_frame_equal(sheets_of(lazy), club_sheets)


def test_nothing_is_compiled_twice(club: Archive, written: Path) -> None:
    """Whether the columns come from memory or from files, and with adjustments or without."""
    for archive in (club, pref.open_archive(written), pref.archive(club.pulkas, club.deals)):
        for score in (pref.sheets, pref.ledger):
            score(archive, "sochi")
    for compiled in (number_keys, find_pulkas, *map(walk_for, (2, 3, 4))):
        assert len(compiled.signatures) == 1
