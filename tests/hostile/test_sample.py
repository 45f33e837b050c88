"""A short sample of the hostile cases; and that the judge sees what it looks for."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import prefdata as pref
from prefdata.errors import PrefdataError
from tests.hostile import accounting, judging
from tests.hostile.case import KINDS, Case
from tests.hostile.judging import BAD, Fault, HangError, Judgement, Ran, Verdict, judge
from tests.hostile.material import lay_club
from tests.hostile.report import write_report
from tests.hostile.running import in_turn, run_all, run_case

SAMPLE = {
    "sheets-csv": 40,
    "sheets-parquet": 24,
    "sheets-xlsx": 16,
    "conventions": 16,
    "parquet-bytes": 7,
    "column-types": 5,
    "file-names": 12,
    "odd-values": 3,
    "out-paths": 4,
    "player-names": 3,
    "names-in-rows": 2,
}
"""How many cases of a kind are tried; one of those that are not named."""


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_nothing_ends_badly(kind: str) -> None:
    verdicts = [run_case(kind, seed) for seed in range(1, 1 + SAMPLE.get(kind, 1))]
    assert [verdict for verdict in verdicts if verdict.judgement in BAD] == []


# --------------------------------------------------------------------------- the judge


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return Case("test", 1, tmp_path / "desk")


def crash() -> None:
    raise ZeroDivisionError


def refuse() -> None:
    raise PrefdataError("no")


@pytest.mark.parametrize(
    "ran",
    [
        Ran(error=ZeroDivisionError()),
        Ran(code=1, err="Traceback (most recent call last):"),
        Ran(code=2, err="thread 'x' panicked at y\nerror: no"),
        Ran(code=2),
        Ran(code=-9, err="killed"),
    ],
)
def test_a_traceback_is_seen(ran: Ran) -> None:
    with pytest.raises(Fault) as caught:
        judge(ran)
    assert caught.value.judgement == Judgement.TRACEBACK


def test_what_is_raised_and_printed_is_taken(case: Case) -> None:
    assert judge(case.call(refuse)) == Judgement.REFUSED
    with pytest.raises(Fault, match="ZeroDivisionError"):
        judge(case.call(crash))
    ran = case.call(lambda: subprocess.run(["echo", "from another program"], check=True))
    assert (ran.out, judge(ran)) == ("from another program\n", Judgement.DONE)


def test_a_hang_is_seen() -> None:
    with pytest.raises(HangError), judging.watchdog(0.05):
        time.sleep(5)


@pytest.mark.parametrize(
    "harm",
    [
        lambda folder: (folder / "thesis.txt").unlink(),
        lambda folder: (folder / "thesis.txt").write_text("less work"),
        lambda folder: (folder / "link").unlink(),
        lambda folder: (folder / "empty").rmdir(),
    ],
)
def test_a_foreign_file_that_was_touched_is_seen(case: Case, harm: Callable[[Path], object]) -> None:
    (case.folder / "link").symlink_to("thesis.txt")
    (case.folder / "empty").mkdir()
    with pytest.raises(Fault) as caught:
        case.call(lambda: harm(case.folder))
    assert caught.value.judgement == Judgement.FOREIGN


@pytest.fixture
def rescored(case: Case) -> tuple[Case, Ran]:
    """A rescoring in which nothing is wrong."""
    lay_club(case.folder / "club", 0)
    ran = case.prefdata("rescore", case.folder / "club", "-c", "sochi", "--out", case.out)
    look(case, ran)
    return case, ran


def look(case: Case, ran: Ran) -> None:
    accounting.look_at_rescoring(case.folder / "club", case.out, ran, [pref.convention("sochi")])


def change(folder: Path, table: str, column: str) -> None:
    file = folder / table / "part-00000.parquet"
    frame = pl.read_parquet(file)
    first = pl.int_range(pl.len()) == 0
    frame.with_columns(pl.when(first).then(pl.col(column) + 1).otherwise(column).alias(column)).write_parquet(file)


@pytest.mark.parametrize(
    ("table", "column"),
    [("sheets", "mountain_a"), ("sheets", "deals_scored"), ("settlements", "result_twelfths"), ("settlements", "rank")],
)
def test_a_wrong_sum_is_seen(rescored: tuple[Case, Ran], table: str, column: str) -> None:
    case, ran = rescored
    change(case.out / "sochi", table, column)
    with pytest.raises(Fault) as caught:
        look(case, ran)
    assert caught.value.judgement == Judgement.WRONG_SUM


def test_an_illegal_row_that_was_scored_is_seen(rescored: tuple[Case, Ran]) -> None:
    case, ran = rescored
    change(case.folder / "club", "deals", "talon")
    change(case.folder / "club", "deals", "multiplier")
    with pytest.raises(Fault) as caught:
        look(case, ran)
    assert caught.value.judgement == Judgement.WRONG_SUM


@pytest.mark.parametrize("table", ["pulkas", "deals", "adjustments"])
def test_a_silent_loss_is_seen(rescored: tuple[Case, Ran], table: str) -> None:
    case, ran = rescored
    file = case.folder / "club" / table / "part-00000.parquet"
    frame = pl.read_parquet(file)
    pl.concat([frame, frame[:1]]).write_parquet(file)
    with pytest.raises(Fault, match="read by the manifest") as caught:
        look(case, ran)
    assert caught.value.judgement == Judgement.SILENT_LOSS


def test_a_set_aside_row_without_an_exit_code_is_seen(rescored: tuple[Case, Ran]) -> None:
    case, _ = rescored
    file = case.out / "set-aside" / "part-00000.parquet"
    pl.DataFrame({"pulka": [1], "rule": ["players_agree"]}).write_parquet(file)
    with pytest.raises(Fault, match="exit code 0") as caught:
        look(case, Ran(code=0))
    assert caught.value.judgement == Judgement.SILENT_LOSS


# --------------------------------------------------------------------------- the command


def test_a_case_is_made_anew_from_its_seed() -> None:
    one, again = (run_case("sheets-csv", 3) for _ in range(2))
    assert (one.judgement, one.said) == (again.judgement, again.said)


def test_kinds_are_spread_over_a_run() -> None:
    cases = in_turn(10_000, 1)
    assert len(cases) == pytest.approx(10_000, rel=0.05)
    assert {kind for kind, _ in cases} == set(KINDS)
    kills = [place for place, (kind, _) in enumerate(cases) if kind == "kills"]
    assert len(kills) >= 20
    assert kills[0] < len(cases) / 20
    assert kills[-1] > len(cases) * 0.95


def test_cases_run_in_processes() -> None:
    verdicts = list(run_all([("file-names", seed) for seed in (1, 2)], workers=1))
    assert sorted(verdict.seed for verdict in verdicts) == [1, 2]


def test_a_report_keeps_what_the_page_says(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text("# Hostile\n\nWhat it is.\n\n## The last whole run\n\nold counts\n")
    bad = Verdict("codes", 7, Judgement.WRONG_SUM, "pulka 1\nis off", 0.5)
    write_report(page, [bad, Verdict("codes", 8, Judgement.DONE, "", 0.5)], "python -m tests.hostile")
    text = page.read_text()
    assert text.startswith("# Hostile\n\nWhat it is.\n\n## The last whole run\n")
    assert "old counts" not in text
    assert "| codes | 1 | 0 | 0 | 0 | 1 | 0 | 0 | 0.50 |" in text
    assert "- `codes` 7: `` pulka 1 is off ``" in text
    assert "### Hang\n\nnone" in text
