"""An archive without rows gives empty frames with all columns."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.failures import FAILURE_SCHEMA
from prefdata.games import GAMES
from prefdata.russian.tables import Adjustments, Deals
from prefdata.scoring.values import VALUE_SCHEMA
from prefdata.settlement.settling import SETTLEMENT_SCHEMA
from prefdata.tables import Pulkas
from prefdata.vocabulary import entry_columns
from tests.archives.builders import (
    sheets_of,
    write_files,
)


def check_empty(archive: Archive) -> None:
    """Check that an archive without rows gives empty frames with the right columns."""
    sheets = sheets_of(archive)
    assert sheets.is_empty()
    assert sheets.schema == pl.Schema(GAMES["russian"].sheet_schema)
    ledger = pref.ledger(archive, "sochi")
    assert ledger.is_empty()
    assert ledger.schema == pl.Schema(GAMES["russian"].ledger_schema)
    running = pref.ledger(archive, "sochi", running_columns=True)
    assert running.columns == [*GAMES["russian"].ledger_schema, *(f"running_{name}" for name in entry_columns())]
    assert set(running.select(pl.selectors.starts_with("running_")).dtypes) == {pl.Int64}
    values = pref.values(archive, "sochi")
    assert values.is_empty()
    assert values.schema == pl.Schema(VALUE_SCHEMA)
    settled = pref.settle(sheets, "sochi", pulkas=archive.pulkas)
    assert settled.is_empty()
    assert settled.schema == pl.Schema(SETTLEMENT_SCHEMA)
    entries = pref.entries(archive.deals, "sochi").collect()
    assert entries.is_empty()
    assert entries.columns == ["pulka", "deal", "raspasy_step", *entry_columns()]
    assert set(entries.select(entry_columns()).dtypes) == {pl.Int32}
    assert pref.unapplied_adjustments(archive, ledger).is_empty()
    good, failures = archive.check()
    assert failures.frame.is_empty()
    assert failures.frame.schema == pl.Schema(FAILURE_SCHEMA)
    assert len(failures) == failures.deals == 0
    assert good.deals.collect().is_empty()
    assert archive.only(players=3).pulkas.collect().is_empty()


def nothing(adjustments: bool = False) -> Archive:
    empty = Adjustments.create_empty() if adjustments else None
    archive: Archive = pref.archive(Pulkas.create_empty(), Deals.create_empty(), empty)
    return archive


@pytest.mark.parametrize("adjustments", [False, True])
def test_an_archive_without_rows_gives_empty_frames(adjustments: bool) -> None:
    check_empty(nothing(adjustments))


def test_an_archive_of_which_nothing_is_left_gives_empty_frames(club: Archive, written: Path) -> None:
    check_empty(club.only(pl.lit(False)))
    check_empty(pref.open_archive(written).only(pulka=[]))


def test_no_archives_put_together_give_empty_frames() -> None:
    check_empty(pref.concat([]))


def test_files_without_rows_give_empty_frames(tmp_path: Path) -> None:
    write_files(tmp_path / "club", "pulkas", {"part-00000": Pulkas.create_empty()})
    write_files(tmp_path / "club", "deals", {"part-00000": Deals.create_empty()})
    check_empty(pref.open_archive(tmp_path / "club"))


def test_an_archive_without_rows_is_written_and_opened(tmp_path: Path) -> None:
    back = pref.write_archive(nothing(), tmp_path / "club")
    check_empty(back)
    check_empty(pref.open_archive(tmp_path / "club"))


def test_an_empty_part_among_others(club: Archive, club_sheets: pl.DataFrame) -> None:
    assert_frame_equal(sheets_of(pref.concat([nothing(), club, nothing(True)])), club_sheets)
