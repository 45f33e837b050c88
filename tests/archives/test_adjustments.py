"""Adjustments are written as they stand, until the end of their pulka."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.examples import one_pulka, three_deals
from prefdata.russian.tables import Adjustments
from prefdata.vocabulary import entry_columns
from tests.archives.builders import (
    sheets_of,
)
from tests.records import frame_of


def adjusted(*rows: tuple[int, str, str, str | None, int], limit: int = 10) -> Archive:
    """Make the example's pulka with adjustments: deal, seat, entry, on_seat, points."""
    names = ("deal", "seat", "entry", "on_seat", "points")
    records = [{"pulka": 1, "reason": "why not", **dict(zip(names, row, strict=True))} for row in rows]
    pulkas = one_pulka().with_columns(bullet_limit=pl.lit(limit, dtype=pl.UInt16))
    archive: Archive = pref.archive(pulkas, three_deals(), frame_of(records, Adjustments))
    return archive


def test_adjustments_are_written_as_they_stand() -> None:
    before = sheets_of(pref.archive(one_pulka(), three_deals())).row(0, named=True)
    archive = adjusted(
        (0, "c", "bullet", None, 4),
        (0, "c", "bullet", None, -1),
        (1, "a", "mountain", None, -7),
        (2, "b", "whists", "c", 25),
        (3, "a", "bullet", None, 100),
    )
    assert len(archive.check().failures) == 0
    after = sheets_of(archive).row(0, named=True)
    changed = {name: after[name] - before[name] for name in entry_columns(3) if after[name] != before[name]}
    assert changed == {"bullet_c": 3, "mountain_a": -7, "whists_bc": 25, "bullet_a": 100}
    ledger = pref.ledger(archive, "sochi")
    assert pref.unapplied_adjustments(archive, ledger).is_empty()
    assert_frame_equal(ledger, pref.ledger(pref.archive(one_pulka(), three_deals()), "sochi"))


def test_running_columns_hold_the_adjustments() -> None:
    archive = adjusted((0, "c", "bullet", None, 3), (1, "a", "mountain", None, -7), (3, "b", "whists", "c", 25))
    running = pref.ledger(archive, "sochi", running_columns=True)
    assert running["running_bullet_c"].to_list() == [3, 3, 3]
    assert running["running_mountain_a"].to_list() == [-7, -7, -7]
    last = running.select(pl.selectors.starts_with("running_")).tail(1)
    expected = sheets_of(archive).select(pl.col(name).alias(f"running_{name}") for name in entry_columns())
    assert_frame_equal(last, expected)


@pytest.mark.parametrize("deal", [1, 2, 3])
def test_adjustments_after_the_end_are_reported_and_not_applied(deal: int) -> None:
    """An opening adjustment leaves two points open, which the first deal's six brings; so the pulka ends with it."""
    opening: tuple[tuple[int, str, str, str | None, int], ...] = (
        (0, "a", "bullet", None, 1),
        (0, "b", "bullet", None, 3),
        (0, "c", "bullet", None, 3),
    )
    late = (deal, "b", "mountain", None, 5)
    archive = adjusted(*opening, late, limit=3)
    assert len(archive.check().failures) == 0
    row = sheets_of(archive).row(0, named=True)
    assert (row["closed"], row["deals_scored"], row["deals_after_end"]) == (True, 1, 2)
    without = sheets_of(adjusted(*opening, limit=3)).row(0, named=True)
    unapplied = pref.unapplied_adjustments(archive, pref.ledger(archive, "sochi"))
    if deal == 1:
        assert row["mountain_b"] == without["mountain_b"] + 5
        assert unapplied.is_empty()
    else:
        assert row == without
        names = ("deal", "seat", "entry", "on_seat", "points")
        assert unapplied.select(names).rows() == [late]
        assert unapplied["reason"].to_list() == ["why not"]


def test_adjustments_are_read_from_a_folder(tmp_path: Path) -> None:
    archive = adjusted((0, "c", "bullet", None, 3), (3, "b", "whists", "c", 25))
    back = pref.write_archive(archive, tmp_path / "club")
    assert_frame_equal(back.adjustments.collect(), archive.adjustments.collect())
    assert_frame_equal(sheets_of(back), sheets_of(archive))


def test_an_opening_adjustment_may_close_a_pulka() -> None:
    """The end is looked for once a deal, so the first deal is still scored."""
    opening = [(0, seat, "bullet", None, 10) for seat in "abc"]
    row = sheets_of(adjusted(*opening)).row(0, named=True)
    assert (row["closed"], row["deals_scored"], row["deals_after_end"]) == (True, 1, 2)
