"""Balkan archives are written, appended and put together, but never mixed with Russian ones."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.balkan.tables import Adjustments, Deals
from prefdata.balkan.vocabulary import (
    entry_columns,
)
from prefdata.errors import ArchiveError
from prefdata.games import GAMES
from prefdata.scoring.values import VALUE_SCHEMA
from prefdata.settlement.settling import SETTLEMENT_SCHEMA
from prefdata.tables import Pulkas
from tests.balkan_archives.builders import (
    FORMS,
    SCHEMAS,
    Capture,
    frames_of,
    listing,
    read_parts,
    sheets_of,
    written_by_others,
)
from tests.test_cli import typed


def test_a_written_archive_is_the_same(club: Archive, folder: Path) -> None:
    manifest = json.loads((folder / "archive.json").read_text(encoding="utf-8"))["parts"]
    names = [f"part-{number:05d}.parquet" for number in range(len(manifest))]
    assert list(manifest) == names
    assert len(names) > 2
    files = {f"{table}/{name}" for name in names for table in manifest[name]}
    assert set(listing(folder)) == {"archive.json", *files}
    assert {"pulkas", "deals"} <= set(manifest[names[0]]) <= set(SCHEMAS)
    for table, frame in frames_of(club).items():
        assert_frame_equal(read_parts(folder / table), frame.sort("pulka", *(["deal"] * ("deal" in frame.columns))))
        assert frame.height == sum(part[table]["rows"] for part in manifest.values() if table in part)
    assert pref.open_archive(folder).stale_codes() == 0


def test_pulkas_are_appended(club: Archive, club_sheets: pl.DataFrame, tmp_path: Path) -> None:
    place = tmp_path / "club"
    pref.write_archive(club.only(pl.col("pulka") <= 15), place, deals_per_part=150)
    old = listing(place)
    both = pref.append(place, club.only(pl.col("pulka") > 15))
    assert len(listing(place)) == len(old) + 3
    assert_frame_equal(sheets_of(both), club_sheets)
    with pytest.raises(ArchiveError, match=r"has pulka 3 already \(1 such keys\)"):
        pref.append(place, club.only(pulka=3))


def test_games_are_not_mixed(club: Archive, folder: Path, russian: Archive, tmp_path: Path) -> None:
    mixes = "mixes deals of the Balkan and the Russian game"
    for order in ((club, russian), (russian, club)):
        with pytest.raises(ArchiveError, match=f"^the archive {mixes}\nKeep the deals of each game"):
            pref.concat(order)
    place = tmp_path / "russian"
    pref.write_archive(russian, place)
    for target, more, words in ((place, club, ("Russian", "Balkan")), (folder, russian, ("Balkan", "Russian"))):
        before = listing(target)
        told = f"{target} holds deals of the {words[0]} game, the new ones are of the {words[1]} game"
        with pytest.raises(ArchiveError, match=f"{told}\nWrite them to an archive of their own"):
            pref.append(target, more)
        assert listing(target) == before


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("texts", [True, False])
def test_games_are_not_mixed_in_one_folder(
    club: Archive, russian: Archive, tmp_path: Path, capsys: Capture, paired: bool, texts: bool
) -> None:
    for name, archive in (("b.parquet", club), ("a.parquet", russian)):
        frames = frames_of(archive)
        written = {table: FORMS["strings"](frames[table]) if texts else frames[table] for table in ("pulkas", "deals")}
        written_by_others(written, tmp_path, name)
    if not paired:
        (tmp_path / "pulkas" / "a.parquet").rename(tmp_path / "pulkas" / "c.parquet")
    code, out, err = typed(capsys, "check", tmp_path)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {tmp_path} mixes deals of the Balkan and the Russian game\n")


def test_files_that_do_not_pair_up_are_one_part(club: Archive, club_sheets: pl.DataFrame, tmp_path: Path) -> None:
    """Also where a column is an Enum of other words in another file."""
    frames = frames_of(club)
    deals = frames["deals"]
    written_by_others({"pulkas": frames["pulkas"], "adjustments": frames["adjustments"]}, tmp_path)
    written_by_others({"deals": deals[:99]}, tmp_path, "1.parquet")
    other = pl.col("dealer").cast(pl.String).cast(pl.Enum(["c", "b", "a"]))
    written_by_others({"deals": deals[99:].with_columns(other)}, tmp_path, "2.parquet")
    archive = pref.open_archive(tmp_path)
    assert len(archive.parts) == 1
    assert_frame_equal(sheets_of(archive), club_sheets)


def test_an_archive_without_rows_gives_empty_frames(club: Archive, tmp_path: Path, capsys: Capture) -> None:
    empty = pref.archive(Pulkas.create_empty(), Deals.create_empty(), Adjustments.create_empty())
    written = pref.write_archive(empty, tmp_path / "none")
    game = GAMES["balkan"]
    for archive in (empty, written):
        assert archive.game is game
        assert sheets_of(archive).schema == pl.Schema(game.sheet_schema)
        assert pref.ledger(archive, "balkan").schema == pl.Schema(game.ledger_schema)
        running = pref.ledger(archive, "balkan", running_columns=True)
        assert running.schema == pref.ledger(club, "balkan", running_columns=True).schema
        assert pref.values(archive, "balkan").schema == pl.Schema(VALUE_SCHEMA)
        assert pref.settle(sheets_of(archive), "balkan").schema == pl.Schema(SETTLEMENT_SCHEMA)
        assert pref.entries(archive.deals, "balkan").collect().columns == ["pulka", "deal", *entry_columns()]
        assert len(archive.check().failures) == 0
    assert typed(capsys, "check", tmp_path / "none")[0] == 0
    words = ("rescore", tmp_path / "none", "-c", "balkan", "--ledger", "--out", tmp_path / "out")
    code, out, _ = typed(capsys, *words)
    assert code == 0
    assert "0 pulkas with 0 deals read" in out
    assert pl.read_parquet(tmp_path / "out/balkan/ledger/part-00000.parquet").schema == pl.Schema(game.ledger_schema)
    assert typed(capsys, "rescore", tmp_path / "none", "-c", "sochi", "--out", tmp_path / "no")[0] == 2
