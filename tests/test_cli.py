"""The command line as a user types it: exit codes, messages with the next step, results on stdout."""

from __future__ import annotations

import inspect
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import polars as pl
import pytest

import prefdata as pref
from prefdata.cli import check, conventions, main, rescore, sample, settle
from prefdata.cli._main import COMMANDS
from prefdata.rescoring import _run as rescoring
from prefdata.simulate import HABITS
from tests import strategies
from tests.records import archive_of


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = random.Random(11)
    folder = tmp_path_factory.mktemp("cli") / "club"
    pref.write_archive(archive_of([strategies.random_pulka(rng) for _ in range(12)]), folder)
    return folder


def foreign(club: Path, folder: Path, change: Callable[[pl.DataFrame], pl.DataFrame]) -> Path:
    """Write the archive as others would, with its deals changed."""
    archive = pref.open_archive(club)
    for table, frame in (
        ("pulkas", archive.pulkas.collect()),
        ("deals", change(archive.deals.drop("outcome").collect())),
        ("adjustments", archive.adjustments.collect()),
    ):
        (folder / table).mkdir(parents=True)
        frame.write_parquet(folder / table / "part-00000.parquet")
    return folder


def typed(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


def test_rescore_ends_with_a_table_that_agrees(club: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = typed(capsys, "rescore", club, "-c", "sochi", "-c", "rostov", "--out", tmp_path / "out")
    opened = pref.open_archive(club)
    late = [pref.unapplied_adjustments(opened, pref.ledger(opened, name)).height for name in ("sochi", "rostov")]
    assert min(late) > 1
    told = "not applied under {}: {} adjustments after the end of their pulka\n"
    assert (code, err) == (0, told.format("sochi", late[0]) + told.format("rostov", late[1]))
    sheets = pref.sheets(pref.open_archive(club), "rostov")
    row = next(line.split() for line in out.splitlines() if line.split()[:1] == ["rostov"])
    counts = (sheets.height, sheets["deals_scored"].sum(), sheets["deals_after_end"].sum(), 0)
    assert [int(word) for word in row[1:5]] == list(counts)
    assert "ok" in row
    again, _, refusal = typed(capsys, "rescore", club, "-c", "sochi", "--out", tmp_path / "out")
    assert again == 2
    assert "holds a rescoring already" in refusal
    assert "--overwrite" in refusal
    assert typed(capsys, "rescore", club, "-c", "sochi", "--out", tmp_path / "out", "--overwrite")[0] == 0


def eleven_tricks(deals: pl.DataFrame) -> pl.DataFrame:
    played = (pl.col("pulka") == 3) & pl.col("tricks_a").is_not_null()
    first = played & (played.cum_sum().over("pulka") == 1)
    return deals.with_columns(pl.when(first).then(pl.col("tricks_a") + 1).otherwise("tricks_a").alias("tricks_a"))


def duplicate_number(deals: pl.DataFrame) -> pl.DataFrame:
    return pl.concat([deals, deals.filter((pl.col("pulka") == 3) & (pl.col("deal") == 1))])


def declarer_who_sits_out(deals: pl.DataFrame) -> pl.DataFrame:
    sits = (pl.col("players") == 4) & (pl.col("contract") == "6")
    return deals.with_columns(pl.when(sits).then("dealer").otherwise("declarer").alias("declarer"))


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (eleven_tricks, "tricks_add_up"),
        (duplicate_number, "deal_number_unique"),
        (declarer_who_sits_out, "declarer_plays"),
    ],
)
def test_broken_deals_are_set_aside_with_exit_code_one(
    club: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[pl.DataFrame], pl.DataFrame],
    rule: str,
) -> None:
    broken = foreign(club, tmp_path / "broken", change)
    code, out, _ = typed(capsys, "check", broken, "--rejects", tmp_path / "rejects.csv")
    assert code == 1
    assert rule in out
    assert rule in pl.read_csv(tmp_path / "rejects.csv")["rule"].to_list()
    code, out, err = typed(capsys, "rescore", broken, "-c", "sochi", "--out", tmp_path / "out")
    assert code == 1
    assert "set-aside" in err
    strict, _, err = typed(capsys, "rescore", broken, "-c", "sochi", "--out", tmp_path / "strict", "--strict")
    assert strict == 2
    assert "prefdata check" in err
    assert not (tmp_path / "strict").exists()


def truncated(club: Path, folder: Path) -> Path:
    whole = foreign(club, folder, lambda deals: deals)
    file = whole / "deals" / "part-00000.parquet"
    file.write_bytes(file.read_bytes()[:-200])
    return whole


def test_every_mistake_has_its_message(club: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deals.csv").write_text("pulka,deal\n1,1\n")
    (tmp_path / "empty").mkdir()
    misspelt = tmp_path / "house.toml"
    misspelt.write_text('lone_wist = "gentleman"\n')
    (tmp_path / "taken").write_text("a file")
    out: list[str | Path] = ["--out", tmp_path / "o"]
    cases: list[tuple[list[str | Path], str, str]] = [
        (["check", tmp_path / "nowhere"], "does not exist", "folder with pulkas/ and deals/"),
        (["check", tmp_path / "deals.csv"], "is a file", "folder with pulkas/ and deals/"),
        (["check", tmp_path / "empty"], "is no archive", "pulkas/part-00000.parquet"),
        (["check", truncated(club, tmp_path / "cut")], "cannot be read as Parquet", "Copy or write the file again"),
        (
            ["rescore", club, "-c", "tbilisi", *out],
            "unknown convention 'tbilisi'",
            "The presets are",
        ),
        (
            ["rescore", club, "-c", "sohci", *out],
            "unknown convention 'sohci'",
            "Did you mean sochi?",
        ),
        (
            ["rescore", club, "-c", misspelt, *out],
            "unknown switch lone_wist",
            "Did you mean lone_whist",
        ),
        (["rescore", club, "-c", "no.toml", *out], "cannot be read", "Give the path of a TOML file"),
        (["rescore", club, "-c", "sochi", "--out", tmp_path / "taken"], "exists and is no rescoring", "another folder"),
        (["rescore", club, "-c", "sochi", "--out", "/proc/here/out"], "cannot be written", "Choose another place"),
        (["rescore", club, *out], "Missing option '-c'", "rescore"),
        (["rescore", club, "-c", "sochi", *out, "--resume"], "no unfinished rescoring", "--resume"),
        (["settle", tmp_path / "no.csv", "-c", "sochi"], "cannot be read", ".csv, .parquet or .xlsx"),
        (
            ["settle", tmp_path / "deals.csv", "-c", "sochi"],
            "lack the columns players",
            "Sheets of the Russian game have pulka",
        ),
        (["settle", tmp_path / "house.toml", "-c", "sochi"], "ends in none of .csv", ".csv, .parquet or .xlsx"),
        (["conventions", "--diff", "sochi"], "--diff needs a convention", "prefdata conventions"),
        (["compare", club, "-c", "sochi"], "sochi has nothing to be compared with", "at least two conventions"),
        (
            ["compare", club, "-c", "sochi", "-c", "rostov", "--out", tmp_path / "page.htm"],
            "page.htm does not end in .html",
            "A page's name ends in .html.",
        ),
        (["frobnicate"], "No such command", "prefdata"),
    ]
    for words, what, hint in cases:
        code, result, err = typed(capsys, *words)
        assert code == 2, words
        assert result == ""
        assert what in err, (words, err)
        assert hint in err, (words, err)
        assert "Traceback" not in err


def test_archive_without_deals_is_done_with_zeros(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nothing = archive_of([])
    pref.write_archive(nothing, tmp_path / "none")
    code, out, _ = typed(capsys, "rescore", tmp_path / "none", "-c", "sochi", "--out", tmp_path / "out")
    assert code == 0
    assert "0 pulkas with 0 deals read" in out
    assert typed(capsys, "check", tmp_path / "none")[0] == 0


def test_settle_writes_each_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sheets.csv").write_text(
        "pulka,players,bullet_limit,mountain_a,mountain_b,mountain_c,mountain_d,whists_ab,whists_ac,whists_ba,whists_bc,"
        "whists_ca,whists_cb,player_a,stake\n"
        "1,3,20,17,1,12,,0,0,0,6,30,0,A,0.5\n"
        "2,3,20,17,1,12,9,0,0,0,6,30,0,A,0.5\n"
    )
    code, out, err = typed(capsys, "settle", tmp_path / "sheets.csv", "-c", "sochi")
    assert code == 1
    assert "absent_seats_empty" in err
    assert "-100" in out
    for ending in ("csv", "parquet", "xlsx"):
        target = tmp_path / f"results.{ending}"
        words: list[str | Path] = [
            "settle",
            tmp_path / "sheets.csv",
            "-c",
            "sochi",
            "--rounding",
            "exact",
            "--out",
            target,
        ]
        assert typed(capsys, *words)[0] == 1
        assert target.exists()
        assert typed(capsys, *words)[0] == 2
        assert typed(capsys, *words, "--overwrite")[0] == 1
    settled = pl.read_csv(tmp_path / "results.csv")
    assert settled["result"].to_list() == [-100, 96, 4]
    assert settled["money"].to_list() == [-50, 48, 2]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "results.csv",
        "results.parquet",
        "results.xlsx",
        "sheets.csv",
    ]


def test_conventions_are_shown_and_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = typed(capsys, "conventions")
    assert code == 0
    assert {"sochi", "rostov", "leningrad"} <= set(out.split())
    assert all(switch in typed(capsys, "conventions", "rostov")[1] for switch in ["half_whist", "code_owner"])
    (tmp_path / "house.toml").write_text('lone_whist = "gentleman"\n')
    code, out, _ = typed(capsys, "conventions", tmp_path / "house.toml", "--diff", "sochi")
    assert code == 0
    assert "lone_whist" in out
    assert "half_whist" not in out
    assert "same switches" in typed(capsys, "conventions", "sochi", "--diff", "sochi")[1]


def test_a_convention_is_shown_with_the_switches_of_its_game(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("sochi", "slovene"):
        _, out, _ = typed(capsys, "conventions", name)
        shown = [line.split()[0] for line in out.splitlines()[3:] if line[:1].strip()]
        assert shown == pref.convention(name).own_switches()
    code, out, _ = typed(capsys, "conventions", "leningrad", "--diff", "slovene")
    first, _, _, game = out.splitlines()
    assert code == 0
    assert "different games" in first
    assert game.split()[:3] == ["game", "russian", "balkan"]


@pytest.mark.parametrize("width", [80, 200])
def test_conventions_are_listed_at_any_width(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for name, value in (("COLUMNS", str(width)), ("TERM", "xterm"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)
    out = re.sub(r"\x1b\[\d*m", "", typed(capsys, "conventions")[1])
    assert max(map(len, out.splitlines())) <= width
    assert set(pref.presets()) <= set(out.split())
    listed = out[out.index("leningrad-tournament") : out.index("mendelev")]
    assert " ".join(listed.split()) == (
        "leningrad-tournament leningrad Leningrad, tournament: ten, raspasy_reset, zero_bonus_to"
    )


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        (None, "cannot be read", "Give the path of a TOML file"),
        ("scale 4", "is not valid TOML", "Mend the line"),
        ("lone_wist = 1", "unknown switch lone_wist", "Did you mean lone_whist?"),
        ('base = "sohci"', "unknown convention 'sohci'", "Did you mean sochi?"),
        ('base = "house.toml"', "comes back to this file", "another convention"),
        ('base = "balkan"\nscale = 4', "no switch of the Balkan game", 'needs game = "russian"'),
    ],
)
def test_a_wrong_house_rule_is_told(
    text: str | None, what: str, hint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = tmp_path / "house.toml"
    if text is not None:
        house.write_text(text)
    for words in ([house], [house, "--diff", "sochi"], ["sochi", "--diff", house]):
        code, out, err = typed(capsys, "conventions", *words)
        assert (code, out) == (2, "")
        assert str(house) in err
        assert what in err
        assert hint in err


@pytest.mark.parametrize("command", ["sample", "check", "rescore", "settle", "conventions"])
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = typed(capsys, command, "--help")
    assert code == 0
    assert "Usage: prefdata" in out
    assert typed(capsys, "--version")[1].strip().endswith(pref.__version__)


def test_only_rescore_takes_what_was_played(capsys: pytest.CaptureFixture[str]) -> None:
    told = {command: '"played"' in typed(capsys, command, "--help")[1] for command in COMMANDS}
    assert [command for command, is_told in told.items() if is_told] == ["rescore"]


def test_pulkas_that_do_not_end_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    longest = HABITS.longest_pulka
    assert f"after {longest} deals is left open" in " ".join(typed(capsys, "sample", "--help")[1].split())
    code, out, err = typed(capsys, "sample", tmp_path / "long", "--pulkas", "1", "--limit", "60000")
    assert code == 0
    assert out.splitlines()[-1] == f"1 pulka with {longest} deals written to {tmp_path / 'long'}"
    assert err == f"left open after {longest} deals: 1 pulka\n"
    assert typed(capsys, "sample", tmp_path / "short", "--pulkas", "2", "--limit", "1")[2] == ""


def test_flags_and_keywords_agree() -> None:
    only_here = {"workers", "cluster", "log", "quiet"}  # they make the executor and the progress
    flags = {option.name for option in rescore.command.params} - only_here
    keywords = set(inspect.signature(rescoring.rescore).parameters) - {"executor", "progress"}
    assert flags == keywords
    names = {
        opt
        for command in (check, rescore, settle, sample, conventions)
        for p in command.command.params
        for opt in p.opts
    }
    contract = (
        "--pulkas --players -c --seed --rejects --out --rounding --ledger --resume --overwrite --strict --workers"
    )
    assert set(contract.split()) | {"--cluster", "--log", "--quiet", "--diff"} <= names
    for command in (check, rescore, settle, sample, conventions):
        for parameter in command.command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help


RENAMED = """
from prefdata import Convention
from prefdata.cli import main
assert Convention(rounding="upwards").rounding == "upwards"
main(["rescore", "--help"])
main(["settle", "--help"])
import prefdata.settlement.rounding
"""


def test_names_of_rounding_rules_stand_in_one_place(tmp_path: Path) -> None:
    """A rule renamed there is taken everywhere, and its function is missed."""
    package = Path(pref.__file__).parent
    shutil.copytree(package, tmp_path / "prefdata", ignore=shutil.ignore_patterns("__pycache__"))
    place = tmp_path / "prefdata" / "conventions" / "_convention.py"
    text = place.read_text(encoding="utf-8")
    assert text.count('"truncate"') == 1
    place.write_text(text.replace('"truncate"', '"upwards"'), encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", RENAMED], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.count("|nearest|upwards|total-half-up|") == 2
    assert "|truncate" not in done.stdout
    assert "NotImplementedError" in done.stderr
    assert done.stderr.rstrip().endswith("['truncate', 'upwards']")


def test_help_is_quick_and_loads_nothing_heavy() -> None:
    code = (
        "import sys; from prefdata.cli import main; main(['--help']); print('polars' in sys.modules, file=sys.stderr)"
    )
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "False"
    assert time.perf_counter() - started < 2


def test_interrupted_by_hand(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("prefdata.rescoring._run.rescore_part", interrupt)
        code, _, err = typed(capsys, "rescore", club, "-c", "sochi", "--out", tmp_path / "out")
    assert code == 130
    assert "interrupted; what was done is kept in" in err
    assert "--resume to go on" in err
    assert not (tmp_path / "out").exists()
    assert typed(capsys, "rescore", club, "-c", "sochi", "--out", tmp_path / "out", "--resume")[0] == 0


def test_a_run_begun_afresh_says_so(club: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pref.rescore(club, "sochi", tmp_path / "out", progress=interrupt)
    code, _, err = typed(capsys, "rescore", club, "-c", "sochi", "--out", tmp_path / "out")
    assert code == 0
    assert "begun afresh" in err


def run(*words: str | Path, **options: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "prefdata", *map(str, words)]
    return subprocess.run(command, capture_output="stdout" not in options, check=False, **options)


def test_any_encoding_of_the_terminal_will_do() -> None:
    for encoding in ("cp1251", "cp866", "ascii"):
        done = run("conventions", "rostov", env={**os.environ, "PYTHONIOENCODING": encoding})
        assert done.returncode == 0, done.stderr
        assert b"half_whist" in done.stdout


def test_whoever_reads_may_stop_reading() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = run("conventions", "rostov", stdout=pipe, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_is_told() -> None:
    with Path("/dev/full").open("wb") as full:
        done = run("conventions", "rostov", stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert b"No space left" in done.stderr
    assert b"Traceback" not in done.stderr


def test_tables_fit_a_terminal_of_80_columns(club: Path, tmp_path: Path) -> None:
    done = run("rescore", club, "-c", "sochi", "-c", "leningrad", "--out", tmp_path / "out")
    table = done.stdout.decode().splitlines()[:4]
    assert table[0].split()[0] == "convention"
    assert max(map(len, table)) <= 80


def test_no_scheduler_is_told(club: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words: list[str | Path] = ["rescore", club, "-c", "sochi", "--out", tmp_path / "out", "--cluster", "nonsense"]
    code, _, err = typed(capsys, *words)
    assert code == 2
    assert "no Dask scheduler answers at nonsense" in err


def test_a_house_rule_is_found_by_its_name_where_it_was_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = tmp_path / "house.toml"
    house.write_text('lone_whist = "gentleman"\n')
    assert typed(capsys, "sample", tmp_path / "club", "--pulkas", "5", "-c", house)[0] == 0
    code, out, _ = typed(capsys, "rescore", tmp_path / "club", "-c", "played", "-c", house, "--out", tmp_path / "out")
    assert code == 0
    assert "played" in out
    alone = typed(capsys, "rescore", tmp_path / "club", "-c", "played", "--out", tmp_path / "alone")
    assert alone[0] == 1


def test_rejects_of_a_good_archive_are_an_empty_table(
    club: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words: list[str | Path] = ["check", club, "--rejects", tmp_path / "rejects.csv"]
    assert typed(capsys, *words)[0] == 0
    assert pl.read_csv(tmp_path / "rejects.csv").is_empty()
    assert typed(capsys, *words)[0] == 2
