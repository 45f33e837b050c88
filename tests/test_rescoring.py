"""Batch rescoring: what is written agrees with the Python interface, whole or not at all."""

from __future__ import annotations

import json
import multiprocessing
import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.errors import ArchiveError, ConventionError, RejectedError, TargetExistsError
from tests import strategies
from tests.records import archive_of

CONVENTIONS = ["sochi", "rostov", "leningrad"]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of 60 pulkas in several parts, played under three conventions in turn."""
    rng = random.Random(7)
    drawn = archive_of([strategies.random_pulka(rng) for _ in range(60)])
    played = pl.col("pulka").mod(3).replace_strict([0, 1, 2], CONVENTIONS, return_dtype=pl.String)
    archive = pref.archive(drawn.pulkas.with_columns(convention=played), drawn.deals, drawn.adjustments)
    folder = tmp_path_factory.mktemp("archive") / "club"
    return pref.write_archive(archive, folder, deals_per_part=300).path or folder


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory, club: Path) -> Path:
    """The same archive as others would write it, with eleven tricks in pulka 5."""
    archive = pref.open_archive(club)
    eleven = (pl.col("pulka") == 5) & (pl.col("deal") == 1)
    tricks = pl.when(eleven).then(11).otherwise("tricks_a").cast(pl.UInt8).alias("tricks_a")
    folder = tmp_path_factory.mktemp("broken") / "club"
    for table, frame in (
        ("pulkas", archive.pulkas),
        ("deals", archive.deals.with_columns(tricks).drop("outcome")),
        ("adjustments", archive.adjustments),
    ):
        (folder / table).mkdir(parents=True)
        frame.collect().write_parquet(folder / table / "part-00000.parquet")
    return folder


def written(folder: Path, table: str) -> pl.DataFrame:
    return pl.concat([pl.read_parquet(file) for file in sorted((folder / table).glob("*.parquet"))])


def test_agrees_with_the_python_interface(club: Path, tmp_path: Path) -> None:
    done = pref.rescore(club, CONVENTIONS, tmp_path / "out", ledger=True)
    archive = pref.open_archive(club)
    assert len(archive.parts) > 2
    for name in CONVENTIONS:
        sheets = pref.sheets(archive, name)
        assert_frame_equal(written(tmp_path / "out" / name, "sheets"), sheets)
        settled = pref.settle(sheets, name, pulkas=archive.pulkas)
        assert_frame_equal(written(tmp_path / "out" / name, "settlements"), settled)
        assert_frame_equal(written(tmp_path / "out" / name, "ledger"), pref.ledger(archive, name))
        row = done.table().row(by_predicate=pl.col("convention") == name, named=True)
        assert row["deals"] == sheets["deals_scored"].sum()
        assert row["after_end"] == sheets["deals_after_end"].sum()
        assert row["open"] == (~sheets["closed"]).sum()
        assert row["sum"] == 0
        assert row["largest_win"] == settled["rounded"].max()


def test_counts_of_the_manifest_add_up(broken: Path, tmp_path: Path) -> None:
    done = pref.rescore(broken, [*CONVENTIONS, "played"], tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["complete"]
    assert done.pulkas_set_aside == 1
    for counts in manifest["conventions"].values():
        deals = counts["deals_scored"] + counts["deals_after_end"] + counts["deals_set_aside"]
        assert deals == manifest["read"]["deals"]
        assert counts["pulkas_scored"] + counts["pulkas_set_aside"] == manifest["read"]["pulkas"] == 60
    aside = written(tmp_path / "out", "set-aside")
    assert set(aside["pulka"]) == {5}
    assert {"pulka", "deal", "rule", "reason"} <= set(aside.columns)
    assert "tricks_a|max" in aside["rule"].to_list()


def test_each_pulka_as_it_was_played(club: Path, tmp_path: Path) -> None:
    pref.rescore(club, "played", tmp_path / "out")
    archive = pref.open_archive(club)
    settled = written(tmp_path / "out" / "played", "settlements")
    for number, name in enumerate(CONVENTIONS):
        own = archive.only(convention=name)
        expected = pref.settle(pref.sheets(own, name), name, pulkas=own.pulkas)
        assert_frame_equal(settled.filter(pl.col("pulka") % 3 == number), expected)
    assert_frame_equal(pref.settle(pref.sheets(archive, "played"), "played", pulkas=archive.pulkas), settled)


def test_unknown_conventions_of_pulkas_are_set_aside(club: Path) -> None:
    archive = pref.open_archive(club)
    named = pl.when(pl.col("pulka") == 9).then(pl.lit("sohci")).otherwise("convention").alias("convention")
    renamed = pref.archive(archive.pulkas.with_columns(named), archive.deals.drop("outcome"), archive.adjustments)
    with pytest.warns(pref.SetAsideWarning, match="convention_known"):
        sheets = pref.sheets(renamed, "played")
    assert 9 not in sheets["pulka"]
    assert sheets.height == 59


def test_refuses_what_is_there_and_overwrites_when_told(club: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    pref.rescore(club, "sochi", out)
    with pytest.raises(TargetExistsError, match="already") as refused:
        pref.rescore(club, "rostov", out)
    assert "overwrite=True" in refused.value.hint
    pref.rescore(club, "rostov", out, overwrite=True)
    assert sorted(path.name for path in out.iterdir()) == ["manifest.json", "rostov", "set-aside"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(TargetExistsError, match="no rescoring"):
        pref.rescore(club, "sochi", tmp_path / "mine", overwrite=True)
    with pytest.raises(TargetExistsError, match="archive itself"):
        pref.rescore(club, "sochi", club / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "out"]


def test_an_error_leaves_nothing_behind(club: Path, broken: Path, tmp_path: Path) -> None:
    with pytest.raises(RejectedError, match="pulka 5, deal 1"):
        pref.rescore(broken, "sochi", tmp_path / "out", strict=True)
    with pytest.raises(ConventionError):
        pref.rescore(club, ["sochi", "sohci"], tmp_path / "out")
    with pytest.raises(ArchiveError, match="cannot be written"):
        pref.rescore(club, "sochi", Path("/proc/here/out"))
    assert not list(tmp_path.iterdir())


def test_an_interrupted_run_can_be_resumed(club: Path, tmp_path: Path) -> None:
    def interrupt(done: int, parts: int, deals: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        pref.rescore(club, ["sochi", "played"], out, progress=interrupt)
    assert [path.name for path in tmp_path.iterdir()] == ["out.unfinished"]
    with pytest.raises(ArchiveError, match="no unfinished rescoring"):
        pref.rescore(club, ["rostov"], out, resume=True)
    told: list[int] = []
    resumed = pref.rescore(club, ["sochi", "played"], out, resume=True, progress=lambda done, *_: told.append(done))
    assert told[0] == 3
    fresh = pref.rescore(club, ["sochi", "played"], tmp_path / "fresh")
    assert_frame_equal(resumed.table(), fresh.table())
    assert_frame_equal(written(out / "played", "settlements"), written(tmp_path / "fresh" / "played", "settlements"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fresh", "out"]


def test_other_processes_give_the_same(club: Path, tmp_path: Path) -> None:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        pref.rescore(club, CONVENTIONS, tmp_path / "pool", executor=pool, ledger=True, rounding="nearest")
    pref.rescore(club, CONVENTIONS, tmp_path / "here", ledger=True, rounding="nearest")
    for name in CONVENTIONS:
        for table in ("sheets", "settlements", "ledger"):
            assert_frame_equal(written(tmp_path / "pool" / name, table), written(tmp_path / "here" / name, table))


def test_conventions_need_names_of_their_own(club: Path, tmp_path: Path) -> None:
    house = pref.convention("sochi").replace(name="rostov")
    with pytest.raises(ConventionError, match="two conventions"):
        pref.rescore(club, ["rostov", house], tmp_path / "out")
    with pytest.raises(ConventionError, match="cannot name a folder"):
        pref.rescore(club, [house.replace(name="a/b")], tmp_path / "out")
    with pytest.raises(ConventionError, match="no convention"):
        pref.rescore(club, [], tmp_path / "out")
