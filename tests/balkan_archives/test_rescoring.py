"""Batch rescoring of Balkan archives, by the command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.errors import ArchiveError
from tests.balkan_archives.builders import (
    Capture,
    Record,
    Words,
    frames_of,
    listing,
    read_parts,
    sheets_of,
    written_by_others,
)
from tests.test_cli import typed


def counts_of(folder: Path) -> dict[str, Record]:
    """Read the counts of a rescoring, which must add up."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    read = manifest["read"]
    for counts in manifest["conventions"].values():
        assert read["pulkas"] == counts["pulkas_scored"] + counts["pulkas_set_aside"]
        assert read["deals"] == counts["deals_scored"] + counts["deals_after_end"] + counts["deals_set_aside"]
        assert counts["sum_of_results_twelfths"] == 0
    conventions: dict[str, Record] = manifest["conventions"]
    return conventions


def test_rescore_writes_what_scoring_gives(club: Archive, folder: Path, tmp_path: Path, capsys: Capture) -> None:
    target = tmp_path / "out"
    code, out, err = typed(
        capsys, "rescore", folder, "-c", "balkan", "-c", "slovene", "--ledger", "--rounding", "exact", "--out", target
    )
    late = "1 adjustment after the end of their pulka"
    assert (code, err) == (0, f"not applied under balkan: {late}\nnot applied under slovene: {late}\n")
    parts = [file.name for file in sorted((folder / "deals").iterdir())]
    kinds = [f"{name}/{kind}" for name in ("balkan", "slovene") for kind in ("ledger", "settlements", "sheets")]
    places = [f"{place}/{part}" for place in (*kinds, "set-aside") for part in parts]
    assert listing(target) == sorted(["manifest.json", *places])
    counts = counts_of(target)
    for name in ("balkan", "slovene"):
        sheets = sheets_of(club, name)
        assert_frame_equal(read_parts(target / name / "sheets"), sheets)
        assert_frame_equal(read_parts(target / name / "ledger"), pref.ledger(club, name))
        settled = pref.settle(sheets, name, rounding="exact", pulkas=club.pulkas)
        assert_frame_equal(read_parts(target / name / "settlements"), settled)
        assert counts[name]["deals_after_end"] == sheets["deals_after_end"].sum() > 0
        assert counts[name]["pulkas_open"] == (~sheets["closed"]).sum()
        best = settled.sort("result", descending=True).row(0, named=True)
        assert counts[name]["largest_win"]["player"] == best["player"]
        assert re.search(rf"^{name} +24 +{sheets['deals_scored'].sum()} .* ok *$", out, re.MULTILINE)


def test_pulkas_are_scored_as_they_were_played(club: Archive, tmp_path: Path, capsys: Capture) -> None:
    """Unknown conventions, and those of the other game, set their pulkas aside."""
    names = ["balkan", "slovene", "house", "sochi", "Balkan"]
    played = club.pulkas.with_columns(convention=pl.int_range(pl.len()) % len(names)).with_columns(
        pl.col("convention").replace_strict(dict(enumerate(names)), return_dtype=pl.String)
    )
    archive = pref.archive(played, club.deals, club.adjustments)
    pref.write_archive(archive, tmp_path / "club")
    words: Words = ["rescore", tmp_path / "club", "-c", "played", "--out"]
    assert typed(capsys, *words, tmp_path / "out")[0] == 1
    other = "sochi is a convention of the Russian game, but the archive holds deals of the Balkan game"
    reasons = {
        "house": "unknown convention 'house'",
        "sochi": other,
        "Balkan": "unknown convention 'Balkan'",
    }
    aside = pl.read_parquet(tmp_path / "out/set-aside/*.parquet")
    key = pl.col("pulka")
    for name, reason in reasons.items():
        rows = aside.filter(pl.col("value") == f"convention={name}")
        assert set(rows.select("rule", "reason").rows()) == {("convention_known", reason)}
        assert set(rows["pulka"]) == set(played.filter(convention=name).collect()["pulka"])
    assert aside.height == counts_of(tmp_path / "out")["played"]["pulkas_set_aside"]
    expected = pl.concat(
        [sheets_of(archive.only((key - 1) % len(names) == place), name) for place, name in enumerate(names[:2])]
    )
    with pytest.warns(pref.SetAsideWarning, match="convention_known"):
        assert_frame_equal(sheets_of(archive, "played"), expected.sort("pulka"))
    assert_frame_equal(pl.read_parquet(tmp_path / "out/played/sheets/*.parquet"), expected.sort("pulka"))

    house = tmp_path / "house.toml"
    house.write_text('base = "balkan"\nrefe_max = 0\n')
    assert typed(capsys, *words, tmp_path / "more", "-c", house)[0] == 1
    assert not pl.read_parquet(tmp_path / "more/set-aside/*.parquet")["reason"].str.contains("house").any()
    strict, _, err = typed(capsys, *words, tmp_path / "strict", "--strict")
    assert strict == 2
    assert "the first in pulka 5: unknown convention 'Balkan' (convention=Balkan)" in err
    assert "without --strict everything is set aside" in err
    assert not (tmp_path / "strict").exists()


def test_a_limit_without_refe_max_is_set_aside(club: Archive, tmp_path: Path, capsys: Capture) -> None:
    limit = pl.when(pl.col("pulka") % 3 == 0).then(40).otherwise("bullet_limit").cast(pl.UInt16)
    archive = pref.archive(club.pulkas.with_columns(bullet_limit=limit), club.deals, club.adjustments)
    pref.write_archive(archive, tmp_path / "club")
    (tmp_path / "house.toml").write_text('base = "balkan"\nrefe_max = {30 = 1, 40 = 2, 50 = 3}\n')
    words: Words = [
        "rescore",
        tmp_path / "club",
        "-c",
        "balkan",
        "-c",
        tmp_path / "house.toml",
        "--out",
        tmp_path / "out",
    ]
    code, _, err = typed(capsys, *words, "--ledger")
    assert code == 1
    assert "balkan does not say how many refes a pulka to this limit has; set refe_max" in err
    assert f"all rows set aside, with their reasons: {tmp_path / 'out' / 'set-aside'}\n" in err
    aside = pl.read_parquet(tmp_path / "out/set-aside/*.parquet")
    assert set(aside.select("rule", "value", "reason").rows()) == {
        (
            "pulka_can_be_written",
            "bullet_limit=40",
            "balkan does not say how many refes a pulka to this limit has; set refe_max",
        )
    }
    counts = counts_of(tmp_path / "out")
    assert (counts["balkan"]["pulkas_set_aside"], counts["house"]["pulkas_set_aside"]) == (8, 0)
    scored = pl.read_parquet(tmp_path / "out/balkan/sheets/*.parquet")
    assert_frame_equal(scored, pl.read_parquet(tmp_path / "out/house/sheets/*.parquet").filter(pl.col("pulka") % 3 > 0))
    for score in (pref.sheets, pref.ledger, pref.values):
        with pytest.warns(pref.SetAsideWarning, match=r"set aside: 8 pulkas .*\(pulka_can_be_written\)"):
            assert set(score(archive, "balkan")["pulka"]) == set(scored["pulka"])


def test_broken_deals_are_set_aside_by_the_commands(club: Archive, tmp_path: Path, capsys: Capture) -> None:
    frames = frames_of(club)
    third = (pl.col("pulka") == 3) & (pl.col("deal") == 1)
    frames["deals"] = frames["deals"].with_columns(contra=pl.when(~third).then("contra"))
    place = written_by_others(frames, tmp_path / "club")
    code, out, _ = typed(capsys, "check", place, "--rejects", tmp_path / "rejects.csv")
    assert code == 1
    assert re.search(r"contra\|nullability +1 +3/1 +contra must not be empty", out)
    rejected = pl.read_csv(tmp_path / "rejects.csv").select("rule", "pulka", "deal").rows()
    assert rejected == [("contra|nullability", 3, 1)]
    code, _, err = typed(capsys, "rescore", place, "-c", "balkan", "--out", tmp_path / "out")
    assert code == 1
    assert "set-aside" in err
    assert counts_of(tmp_path / "out")["balkan"]["pulkas_set_aside"] == 1
    with pytest.raises(ArchiveError, match="1 broken rule, the first in pulka 3, deal 1: contra must not be empty"):
        pref.write_archive(pref.open_archive(place), tmp_path / "again")
