"""Sheets that were frozen stay, and every later rescoring tells what has changed against them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.cli import main
from prefdata.errors import ArchiveError, TargetExistsError
from tests.archives.builders import listing


@pytest.fixture
def club(tmp_path: Path) -> Path:
    archive = pref.sample(40, players="mix", seed=8)
    pref.write_archive(archive, tmp_path / "club", deals_per_part=400)
    return tmp_path / "club"


def with_deals(folder: Path, change: pl.Expr) -> None:
    """Change tricks in the files of the deals, as somebody might who mends a record."""
    for file in (folder / "deals").glob("*.parquet"):
        pl.read_parquet(file).with_columns(change).write_parquet(file)


def miscounted(pulka: int) -> pl.Expr:
    """Let one pulka lack tricks, so that it breaks a rule."""
    return pl.when(pl.col("pulka") == pulka).then(None).otherwise("tricks_b").cast(pl.UInt8).alias("tricks_b")


def test_frozen_sheets_are_those_of_today_and_listed(club: Path) -> None:
    before = listing(club)
    frozen = pref.freeze(club, "sochi")
    assert frozen.sheets is not None
    assert frozen.frozen == "sochi"
    assert_frame_equal(frozen.sheets.collect().sort("pulka"), pref.sheets(club, "sochi"))
    after = listing(club)
    assert {name: content for name, content in after.items() if name in before and name != "archive.json"} == {
        name: content for name, content in before.items() if name != "archive.json"
    }
    assert len(list((club / "sheets").iterdir())) == len(frozen.parts) > 1
    assert all(part.has_codes for part in frozen.parts)
    assert pref.audit(club, "sochi").different == []
    copied = pref.write_archive(frozen, club.parent / "copy")
    assert copied.frozen == "sochi"


@pytest.mark.parametrize("given", [str, Path, pref.open_archive])
def test_a_folder_is_frozen_in_whatever_form_it_is_given(club: Path, given: Callable[[Path], Any]) -> None:
    assert pref.freeze(given(club)).frozen == "played"
    assert pref.audit(club).different == []


def test_frozen_sheets_are_never_written_over(club: Path) -> None:
    pref.freeze(club, "sochi")
    before = listing(club)
    with pytest.raises(TargetExistsError, match="has sheets already, frozen under sochi, which are never written over"):
        pref.freeze(club, "rostov")
    assert listing(club) == before
    assert list(club.parent.iterdir()) == [club]


def test_recorded_sheets_are_not_frozen_over(club: Path) -> None:
    archive = pref.open_archive(club)
    recorded = pref.archive(archive.pulkas, archive.deals, sheets=pref.sheets(archive, "sochi"))
    pref.write_archive(recorded, club.parent / "recorded")
    with pytest.raises(TargetExistsError, match="recorded ones"):
        pref.freeze(club.parent / "recorded")


def test_an_archive_in_memory_has_nowhere_to_freeze() -> None:
    with pytest.raises(ArchiveError, match="without one"):
        pref.freeze(pref.sample(1, seed=1))


def test_rescoring_says_that_nothing_has_changed(club: Path, tmp_path: Path) -> None:
    pref.freeze(club, "sochi")
    done = pref.rescore(club, ["sochi", "rostov"], tmp_path / "out")
    sochi, rostov = (done.manifest["conventions"][name] for name in ("sochi", "rostov"))
    assert {name: sochi[f"frozen_{name}"] for name in ("same", "changed", "lost", "new")} == {
        "same": 40,
        "changed": 0,
        "lost": 0,
        "new": 0,
    }
    assert not any(name.startswith("frozen") for name in rostov)
    assert "0 of 40 frozen sheets have changed under sochi" in done.findings()


def test_rescoring_counts_what_has_changed(club: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frozen = pref.freeze(club)
    ledger = pref.ledger(club, "sochi")
    misere = pl.col("contract").cast(pl.String) == "misere"
    deals = frozen.deals.filter(misere).collect().join(ledger.filter("scored"), on=["pulka", "deal"], how="semi")
    changed = sorted(set(deals["pulka"]) - {1})
    assert changed
    with_deals(
        club,
        pl.when(misere & (pl.col("pulka") != 1)).then(2).otherwise("multiplier").cast(pl.UInt8).alias("multiplier"),
    )
    with_deals(club, miscounted(1))
    later = pref.sample(3, players=3, seed=9, first_pulka=100)
    pref.append(club, later)
    assert main(["rescore", str(club), "-c", "played", "--out", str(tmp_path / "out")]) == 1
    told = f"{len(changed)} of 40 frozen sheets have changed under played, 1 pulka of them is scored no longer"
    assert f"{told}, and 3 pulkas have none" in capsys.readouterr().out
    assert pref.audit(club).different == changed


def test_the_command_freezes(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with_deals(club, miscounted(2))
    assert main(["freeze", str(club)]) == 1
    printed = capsys.readouterr()
    assert printed.out == f"39 sheets frozen under played in {club / 'sheets'}\n"
    assert "set aside: 1 pulka" in printed.err
    assert main(["freeze", str(club)]) == 2
