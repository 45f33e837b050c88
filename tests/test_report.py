"""The report is one page that needs nothing from outside, and a browser has no complaint about it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import polars as pl
import pytest

import prefdata as pref
from prefdata.archives import Archive
from prefdata.charts import ComparisonPage, build_report
from prefdata.cli import main
from prefdata.errors import PrefdataError, TargetExistsError

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
]


@pytest.fixture(scope="module")
def club() -> Archive:
    return pref.sample(60, players="mix", seed=3)


@pytest.fixture(scope="module")
def report(club: Archive) -> ComparisonPage:
    return build_report(club, ["sochi", "rostov"])


def test_page_needs_nothing_from_outside(report: ComparisonPage) -> None:
    html = report.to_html()
    assert not re.findall(r"<script|<link(?! rel=\"icon\" href=\"data:)|@import|url\((?!['\"]?#)", html)
    assert set(re.findall(r"https?://[^/\"]+", html)) <= {"http://www.w3.org"}
    assert html.count("<svg") == len(report.charts) == 4
    assert "viewport" in html
    assert "would have bid" in html


def test_page_shows_the_figures(report: ComparisonPage) -> None:
    html = report.to_html()
    for row in report.comparison.summary.iter_rows(named=True):
        assert f"{row['mean_spread']:.1f}" in html
    for attribution in report.attributions:
        for group in attribution.groups:
            assert group.name in html


def test_comparison_alone_is_a_page_too(report: ComparisonPage, tmp_path: Path) -> None:
    report.comparison.save(tmp_path / "tables.html")
    assert "<table" in (tmp_path / "tables.html").read_text(encoding="utf-8")
    with pytest.raises(TargetExistsError):
        report.comparison.save(tmp_path / "tables.html")
    with pytest.raises(PrefdataError, match="cannot be written"):
        report.save(tmp_path / "nowhere" / "page.html")
    assert [file.name for file in tmp_path.iterdir()] == ["tables.html"]


def test_russian_labels(club: Archive) -> None:
    sochi = pref.convention("sochi")
    html = build_report(club, [sochi, sochi.replace(name="house", lone_whist="gentleman")], language="ru").to_html()
    assert re.search("[а-я]{4}", html)


@pytest.mark.skipif(CHROMIUM is None, reason="there is no browser here")
@pytest.mark.parametrize("width", [390, 1200])
def test_a_browser_shows_it_without_complaint(report: ComparisonPage, tmp_path: Path, width: int) -> None:
    report.save(tmp_path / "report.html")
    picture = tmp_path / "report.png"
    command = [
        str(CHROMIUM),
        *QUIET,
        f"--user-data-dir={tmp_path / 'profile'}",
        f"--window-size={width},2000",
        f"--screenshot={picture}",
        (tmp_path / "report.html").as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert picture.stat().st_size > 20_000, done.stderr
    assert "CONSOLE" not in done.stderr


def test_compare_from_the_command_line(club: Archive, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pref.write_archive(club, tmp_path / "club")
    (tmp_path / "house.toml").write_text('lone_whist = "gentleman"\n')
    words = ["compare", str(tmp_path / "club"), "-c", "sochi", "-c", str(tmp_path / "house.toml")]
    assert main(words) == 0
    assert "against sochi" in capsys.readouterr().out
    page = str(tmp_path / "report.html")
    assert main([*words, "--out", page]) == 0
    assert main([*words, "--out", page]) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert main([*words, "--out", page, "--overwrite"]) == 0
    assert main([*words[:4], "--out", page, "--overwrite"]) == 2
    assert "Give at least two conventions" in capsys.readouterr().err
    assert main([*words, "--out", str(tmp_path / "report.txt")]) == 2


def test_broken_pulkas_are_told(club: Archive, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    eleven = pl.when(pl.col("pulka") == 5).then(11).otherwise("tricks_a").cast(pl.UInt8).alias("tricks_a")
    for table, frame in (("pulkas", club.pulkas), ("deals", club.deals.with_columns(eleven).drop("outcome"))):
        (tmp_path / "club" / table).mkdir(parents=True)
        frame.collect().write_parquet(tmp_path / "club" / table / "part-00000.parquet")
    assert main(["compare", str(tmp_path / "club"), "-c", "sochi", "-c", "rostov"]) == 1
    assert "set aside: 1 pulka" in capsys.readouterr().err


def test_what_no_mixture_can_write_shows_on_the_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both conventions can write a pulka to 21, but not the mountain of one with the bullet of the other."""
    odd = pref.sample(3, seed=1, bullet_limit=21)
    pref.write_archive(odd, tmp_path / "club")
    house = tmp_path / "house.toml"
    house.write_text("bullet_weight = 20\nmountain_weight = 20\nhelp_rate = 20\n", encoding="utf-8")
    words = ["compare", str(tmp_path / "club"), "-c", "sochi", "-c", str(house), "--out", str(tmp_path / "page.html")]
    assert main(words) == 1
    told = capsys.readouterr().err
    assert "From sochi to house, switch by switch: set aside: 3 pulkas" in told
    assert "bullet_limit must be even" in (tmp_path / "page.html").read_text(encoding="utf-8")
