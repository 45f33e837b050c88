"""Whose codes are trusted: those of a file that is byte for byte what was written, and nobody's else."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import _manifest
from prefdata.cli import main
from prefdata.russian.codes import INVALID_CODE


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trust") / "club"
    pref.write_archive(pref.sample(6, seed=5, bullet_limit=10), folder)
    return folder


@pytest.fixture
def club(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "club"))


def deals_of(club: Path) -> Path:
    return club / "deals" / "part-00000.parquet"


def vouch(club: Path) -> None:
    """Let the manifest vouch for the deals as they stand."""
    file = deals_of(club)
    manifest = json.loads((club / "archive.json").read_text())
    manifest["parts"][file.name]["deals"] = _manifest.describe(file, pl.read_parquet(file).height)
    (club / "archive.json").write_text(json.dumps(manifest))


def sheets_of(club: Path) -> pl.DataFrame:
    archive = pref.open_archive(club)
    return pref.sheets(archive, "sochi")


def test_size_and_time_prove_nothing(club: Path) -> None:
    file = deals_of(club)
    before = file.stat()
    doubled = pl.read_parquet(file).with_columns(multiplier=pl.col("multiplier") % 16 + 1)
    doubled.write_parquet(file)
    content = file.read_bytes()
    manifest = json.loads((club / "archive.json").read_text())
    known = manifest["parts"][file.name]["deals"]
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    known["size"], known["modified_ns"] = len(content), before.st_mtime_ns
    (club / "archive.json").write_text(json.dumps(manifest))
    expected = pref.sheets(pref.archive(pref.open_archive(club).pulkas, doubled.drop("outcome")), "sochi")
    assert_frame_equal(sheets_of(club), expected)


@pytest.mark.parametrize("vouched", [False, True])
@pytest.mark.parametrize("code", [INVALID_CODE, INVALID_CODE - 1, None])
def test_an_invalid_code_never_ends_a_run(
    club: Path, tmp_path: Path, code: int | None, vouched: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = sheets_of(club)
    file = deals_of(club)
    bad = pl.when(pl.int_range(pl.len()) % 7 == 3).then(pl.lit(code, pl.UInt32)).otherwise("outcome").alias("outcome")
    pl.read_parquet(file).with_columns(bad).write_parquet(file)
    if vouched:
        vouch(club)
    assert_frame_equal(sheets_of(club), expected)
    assert main(["rescore", str(club), "-c", "sochi", "--out", str(tmp_path / "out")]) == 0
    assert_frame_equal(pl.read_parquet(tmp_path / "out" / "sochi" / "sheets" / "*.parquet"), expected)
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("vouched", [False, True])
def test_check_says_what_is_scored(club: Path, vouched: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """Legal codes that the columns contradict: the columns are scored, or a hash was forged, and then it is said."""
    by_codes = sheets_of(club)
    file = deals_of(club)
    pl.read_parquet(file).with_columns(multiplier=pl.col("multiplier") % 16 + 1).write_parquet(file)
    archive = pref.open_archive(club)
    by_columns = pref.sheets(pref.archive(archive.pulkas, archive.deals.drop("outcome")), "sochi")
    if vouched:
        vouch(club)
    assert_frame_equal(sheets_of(club), by_codes if vouched else by_columns)
    assert main(["check", str(club)]) == 0
    said = capsys.readouterr().err
    assert ("scored by the code" in said, "scored by their columns" in said) == (vouched, not vouched)


def test_codes_that_the_version_before_stored_are_read() -> None:
    """Its codes of misère told the tricks of the declarer's opponents as well."""
    before = pref.open_archive(Path(__file__).parent / "data" / "written-before")
    assert [part.has_codes for part in before.parts] == [True]
    deals = before.deals.collect()
    differs = deals["outcome"] != deals.select(pref.encode()).to_series()
    assert differs.any()
    assert deals.filter(differs)["contract"].unique().to_list() == ["misere"]
    assert before.stale_codes() == 0
    assert not len(before.check().failures)
    read_anew = pref.archive(before.pulkas, deals.drop("outcome"))
    for convention in ("sochi", "leningrad", "rostov"):
        assert pref.sheets(before, convention).equals(pref.sheets(read_anew, convention))
