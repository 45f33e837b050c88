"""What a terminal is told: names in files and tables cannot command it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import prefdata as pref
from prefdata.analysis import pulka_results, standings
from prefdata.cli import main
from prefdata.errors import PrefdataError, printable
from prefdata.reports import Section, text_table

NASTY = "A\x1b[2J\x1b]0;gone\x07\r\x9b31m\u202eB\u2028\t"
COMMANDS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]")


@pytest.fixture(scope="module")
def club() -> pref.Archive:
    """Pulkas one of whose players has a hostile name, in a convention of a hostile name."""
    drawn = pref.sample(3, seed=1, bullet_limit=4)
    hostile = pl.when(pl.col("pulka") == 2).then(pl.lit(f"x{NASTY}")).otherwise("convention").alias("convention")
    return pref.archive(drawn.pulkas.with_columns(pl.lit(NASTY).alias("player_a"), hostile), drawn.deals)


def typed(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    code = main([str(word) for word in words])
    said = capsys.readouterr()
    assert COMMANDS.findall(said.out + said.err) == []
    return code, said.out + said.err


def test_commands_show_names_escaped(
    club: pref.Archive, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pref.write_archive(club, "club")
    code, told = typed(capsys, "rescore", "club", "-c", "sochi", "-c", "played", "--out", "out")
    assert code == 1
    assert r"whists by A\x1b[2J" in told
    assert r"unknown convention 'xA\x1b[2J" in told
    sheets = pref.sheets(club, "sochi").with_columns(player_a=pl.lit(NASTY), player_b=pl.lit("E\nF"))
    sheets.write_parquet("sheets.parquet")
    code, told = typed(capsys, "settle", "sheets.parquet", "-c", "sochi")
    assert code == 0
    assert r"A\x1b[2J\x1b]0;gone\x07\r\x9b31m\u202eB\u2028\t" in told
    assert r"E\nF" in told


@pytest.mark.parametrize(
    "words",
    [
        ("settle", f"{NASTY}.csv", "-c", "sochi"),
        ("settle", f"{NASTY}.doc", "-c", "sochi"),
        ("check", NASTY),
        ("conventions", NASTY),
        ("conventions", f"{NASTY}.toml"),
        (NASTY,),
        ("sample", "out", "--players", NASTY),
        ("rescore", "club", "-c", "sochi", "--out", "out", NASTY),
    ],
)
def test_errors_show_names_escaped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, told = typed(capsys, *words)
    assert code == 2
    assert r"\x1b" in told


def test_reports_and_errors_show_names_escaped(club: pref.Archive) -> None:
    report = standings(pulka_results(club, "sochi"), "club-league")
    assert COMMANDS.findall(report.render()) == []
    assert r"A\x1b[2J" in report.render()
    with pytest.raises(PrefdataError) as caught:
        report.only(NASTY)
    assert COMMANDS.findall(str(caught.value)) == []
    assert COMMANDS.findall(str(PrefdataError(NASTY, hint=NASTY))) == []
    with pytest.warns(pref.SetAsideWarning) as warned:
        pref.sheets(club, "played")
    assert [COMMANDS.findall(str(one.message)) for one in warned] == [[]]


def test_a_cell_keeps_to_its_line() -> None:
    shown = text_table(Section(frame=pl.DataFrame({"player\n\x1b": ["A\nB", "Ж\u200d👪"]})))
    assert shown.splitlines() == [r"player\n\x1b", "-" * 12, r"A\nB", "Ж\u200d👪"]


def test_other_writing_stays_as_it_is() -> None:
    for text in ("", "Анна · ½\nсочинка", "é\u0301", "👪\u200d", "\u00a0\u202f", "עברית"):
        assert printable(text) == text


PANIC = """
import os, sys, warnings
from prefdata.cli._streams import own_words
with own_words():
    os.write(2, b"thread 'async-executor-1' panicked at somewhere\\n")
    print("error: the file is damaged", file=sys.stderr)
    warnings.warn("told")
os.write(2, b"afterwards\\n")
"""


def test_what_libraries_print_by_themselves_stays_off_the_screen() -> None:
    done = subprocess.run([sys.executable, "-c", PANIC], capture_output=True, text=True, check=True)
    said = done.stderr.splitlines()
    assert said[0] == "error: the file is damaged"
    assert "UserWarning: told" in said[1]
    assert said[-1] == "afterwards"
    assert "panicked" not in done.stderr


def test_a_closed_screen_is_no_fault(tmp_path: Path) -> None:
    code = "import os, sys; os.close(1); os.execv(sys.executable, [sys.executable, '-m', 'prefdata', *sys.argv[1:]])"
    words = ["sample", str(tmp_path / "club"), "--pulkas", "2"]
    for command in (words, ["rescore", words[1], "-c", "sochi", "--out", str(tmp_path / "out")], ["check", words[1]]):
        done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=False)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert (tmp_path / "out" / "manifest.json").exists()
