"""Whatever form the Balkan tables have, they give the same sheets; what lacks a column is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.balkan.tables import Deals
from prefdata.balkan.vocabulary import (
    SEAT,
)
from prefdata.errors import TableError
from prefdata.games import GAMES
from tests.balkan_archives.builders import (
    FORMS,
    frames_of,
    sheets_of,
    written_by_others,
)


@pytest.mark.parametrize("form", FORMS)
def test_any_form_of_the_tables_gives_the_same_sheets(
    club: Archive, club_sheets: pl.DataFrame, tmp_path: Path, form: str
) -> None:
    frames = {name: FORMS[form](frame) for name, frame in frames_of(club).items()}
    assert_frame_equal(sheets_of(pref.archive(*frames.values())), club_sheets)
    opened = pref.open_archive(written_by_others(frames, tmp_path / "club"))
    assert opened.game is GAMES["balkan"]
    assert_frame_equal(sheets_of(opened), club_sheets)


def test_tables_go_through_csv(club: Archive, club_sheets: pl.DataFrame) -> None:
    texts = {
        name: frame.drop("played_on", strict=False).write_csv().encode() for name, frame in frames_of(club).items()
    }
    frames = {name: pl.read_csv(text, infer_schema_length=None) for name, text in texts.items()}
    assert frames["deals"]["contract"].dtype == pl.String
    assert_frame_equal(sheets_of(pref.archive(*frames.values())), club_sheets)


def test_an_empty_hand_is_no(club: Archive) -> None:
    """c51-hand-empty: deals typed by hand, with nothing where the talon was taken."""
    frames = frames_of(club)
    typed_deals = frames["deals"].with_columns(hand=pl.when("hand").then("hand"))
    read = pref.archive(frames["pulkas"], typed_deals, frames["adjustments"])
    assert_frame_equal(read.deals.collect(), frames["deals"])
    assert_frame_equal(sheets_of(read), sheets_of(club))


def test_without_contras_nobody_need_be_named(club: Archive) -> None:
    frames = frames_of(club)
    plain = frames["deals"].with_columns(contra=pl.lit(0, dtype=pl.UInt8), contra_by=pl.lit(None, dtype=SEAT))
    short = pref.archive(frames["pulkas"], plain.drop("contra_by"), frames["adjustments"].drop("reason"))
    assert_frame_equal(short.deals.collect(), plain)
    assert_frame_equal(sheets_of(short), sheets_of(pref.archive(frames["pulkas"], plain, frames["adjustments"])))
    some = pref.archive(frames["pulkas"], frames["deals"].drop("contra_by"))
    assert some.check().failures.counts() == {"contra_has_sayer": (frames["deals"]["contra"] > 0).sum()}


@pytest.mark.parametrize("column", [name for name in Deals.column_names() if name not in ("contra_by", "hand")])
def test_a_missing_column_is_named(club: Archive, column: str) -> None:
    frames = frames_of(club)
    with pytest.raises(TableError) as caught:
        pref.archive(frames["pulkas"], frames["deals"].drop(column))
    assert caught.value.what == f"deals lacks the column {column}"
    assert caught.value.hint == f"The deals table has the columns {', '.join(Deals.column_names())}."


@pytest.mark.parametrize(("column", "value"), [("hand", 0), ("hand", "yes"), ("contra", True), ("call_a", 1)])
def test_a_column_of_an_impossible_type_is_named(club: Archive, column: str, value: Any) -> None:
    frames = frames_of(club)
    with pytest.raises(TableError, match=f"deals: column {column} is .*, not "):
        pref.archive(frames["pulkas"], frames["deals"].with_columns(pl.lit(value).alias(column)))


def test_memory_files_and_streams_give_the_same(club: Archive, club_sheets: pl.DataFrame, folder: Path) -> None:
    opened = pref.open_archive(folder)
    lazy = pref.archive(club.pulkas, club.deals, club.adjustments)
    assert len(opened.parts) > 2
    for archive in (opened, lazy, pref.concat(list(opened))):
        assert_frame_equal(sheets_of(archive), club_sheets)
        for score in (pref.ledger, pref.values):
            assert_frame_equal(score(archive, "slovene"), score(club, "slovene"))
    for name in ("balkan", "slovene"):
        eager = pref.entries(club.deals.collect(), name)
        entries = pref.entries(opened.deals, name)
        assert_frame_equal(entries.collect(), eager)
        assert_frame_equal(entries.collect(engine="streaming"), eager)
