"""Balkan adjustments, and the end of a pulka."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.balkan.tables import Adjustments, Deals
from prefdata.balkan.vocabulary import (
    SEATS,
    entry_columns,
)
from prefdata.tables import Pulkas
from tests.balkan_archives.builders import (
    HOUSE,
    Record,
    deal,
    sheets_of,
)
from tests.records import frame_of

ENDING = [
    deal("a", "all_pass"),
    deal("b", "spades", "a", "b come c come", "a 6 b 2 c 2"),  # doubled: a 4 of -4
    deal("c", "hearts", "b", "c pass a come", "a 4 b 6"),  # doubled to 16, cut to the missing 4
    deal("a", "all_pass"),
    deal("b", "clubs", "c", "a pass b pass"),
]
Row = tuple[int, str, str, str | None, int]


def adjusted(*rows: Row, limit: int = 4) -> Archive:
    """Make a pulka that ends with its third deal, with adjustments: deal, seat, entry, on_seat, points."""
    names = ("deal", "seat", "entry", "on_seat", "points")
    records = [{"pulka": 1, **dict(zip(names, row, strict=True))} for row in rows]
    pulka = {"pulka": 1, "players": 3, "bullet_limit": limit, "convention": "balkan"}
    deals = [{"pulka": 1, "deal": number, **row} for number, row in enumerate(ENDING, start=1)]
    archive: Archive = pref.archive(frame_of([pulka], Pulkas), frame_of(deals, Deals), frame_of(records, Adjustments))
    assert len(archive.check().failures) == 0
    return archive


def sheet_of(archive: Archive) -> Record:
    return sheets_of(archive, HOUSE).row(0, named=True)


def test_deals_after_the_end_are_not_scored() -> None:
    archive = adjusted()
    row = sheet_of(archive)
    written = {"contract_a": 4, "contract_b": 0, "contract_c": -4, "juha_ab": 16, "juha_ba": 16, "juha_ca": 16}
    written |= {"refes_c": 1, "hat_a": True, "closed": True, "deals_scored": 3, "deals_after_end": 2}
    assert {name: row[name] for name in written} == written
    ledger = pref.ledger(archive, HOUSE, running_columns=True)
    assert ledger["scored"].to_list() == [True, True, True, False, False]
    assert ledger["doubled"].to_list() == [False, True, True, False, False]
    assert ledger["cut"].to_list() == [False, False, True, False, False]
    assert ledger["contract_c"].to_list() == [0] * 5
    assert ledger["running_contract_b"].to_list() == [-4, -4, 0, 0, 0]
    assert pref.entries(archive.deals, HOUSE).collect()["contract_c"].to_list() == [0, 0, 0, 0, 10]
    values = pref.values(archive, HOUSE)
    assert values["value_a_twelfths"].to_list()[3:] == [None, None]
    settled = pref.settle(sheets_of(archive, HOUSE), HOUSE)
    assert settled["result_twelfths"].to_list() == [24 * 12, 0, -24 * 12]
    assert values.select(pl.col("^value_._twelfths$").sum()).row(0) == (24 * 12, 0, -24 * 12, 0)


def test_values_add_up_to_results(folder: Path) -> None:
    opened = pref.open_archive(folder)
    adjusted_keys = opened.adjustments.select("pulka").collect()["pulka"]
    plain = opened.only(~pl.col("pulka").is_in(adjusted_keys.implode()))
    for name in ("balkan", "slovene"):
        results = pref.settle(sheets_of(plain, name), name).pivot("seat", index="pulka", values="result_twelfths")
        sums = (
            pref.values(plain, name).group_by("pulka", maintain_order=True).agg(pl.col("^value_[abc]_twelfths$").sum())
        )
        assert sums.height > 10
        assert sums.rows() == results.rows()


def test_adjustments_are_written_as_they_stand() -> None:
    """They change neither the ledger nor, with the columns' sum, the end."""
    rows: list[Row] = [
        (0, "a", "contract", None, 3),
        (0, "b", "contract", None, -3),
        (1, "c", "juha", "a", -30),
        (2, "c", "juha", "b", 25),
        (3, "a", "juha", "c", 9),
    ]
    before, archive = sheet_of(adjusted()), adjusted(*rows)
    after = sheet_of(archive)
    changed = {name: after[name] - before[name] for name in entry_columns() if after[name] != before[name]}
    assert changed == {"contract_a": 3, "contract_b": -3, "juha_ca": -30, "juha_cb": 25, "juha_ac": 9}
    ledger = pref.ledger(archive, HOUSE)
    assert_frame_equal(ledger, pref.ledger(adjusted(), HOUSE))
    assert pref.unapplied_adjustments(archive, ledger).is_empty()
    last = pref.ledger(archive, HOUSE, running_columns=True).row(-1, named=True)
    assert {name: last[f"running_{name}"] for name in entry_columns()} == {
        name: after[name] for name in entry_columns()
    }
    effects = pref.adjustment_effects(archive, HOUSE)
    shift = {"a": 30 + 9 + 30, "b": -30 - 25, "c": -30 + 25 - 9}
    assert dict(effects.select("seat", "shift").rows()) == shift


@pytest.mark.parametrize("late", [(4, "b", "contract", None, 5), (5, "b", "juha", "c", 5)])
def test_adjustments_after_the_end_are_reported(late: Row) -> None:
    archive = adjusted(late)
    assert sheet_of(archive) == sheet_of(adjusted())
    unapplied = pref.unapplied_adjustments(archive, pref.ledger(archive, HOUSE))
    assert unapplied.select("deal", "seat", "entry", "on_seat", "points").rows() == [late]


def test_adjustments_may_end_a_pulka() -> None:
    """The end is looked for once a deal, so the first deal is still scored; nobody is given a refe under a hat."""
    row = sheet_of(adjusted((0, "a", "contract", None, 12)))
    assert (row["closed"], row["deals_scored"], row["deals_after_end"], row["contract_a"]) == (True, 1, 4, 8)
    assert [row[f"refes_{seat}"] for seat in SEATS] == [0, 0, 0]
    row = sheet_of(adjusted((1, "a", "contract", None, 12)))
    assert (row["deals_scored"], [row[f"refes_{seat}"] for seat in SEATS]) == (1, [1, 1, 1])


def test_there_is_no_mountain(club: Archive) -> None:
    """Corrections of the Russian game name its columns, which set the pulka aside."""
    fine = pref.correct_over_writing(1, 1, "a", "bullet", 3)
    for rows, entries in ((fine, {"bullet", "mountain"}), (fine.filter(pl.col("entry") == "mountain"), {"mountain"})):
        failures = pref.with_adjustments(club, rows).check().failures
        assert failures.frame.select("rule", "pulka", "reason").unique().rows() == [
            ("entry|dtype", 1, "entry must be one of contract, juha")
        ]
        assert set(failures.frame["value"]) == {f"entry={entry}" for entry in entries}
