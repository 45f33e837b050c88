"""What a rescoring must never do: lose, delete or believe wrongly, whatever happens to it (files and runs)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import prefdata as pref
from prefdata.cli import main
from prefdata.errors import ArchiveError, TargetExistsError
from prefdata.rescoring import _part, is_unfinished, unfinished_folder

CONVENTIONS = ["rostov"]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of four parts."""
    folder = tmp_path_factory.mktemp("safety") / "club"
    pref.write_archive(pref.sample(40, players="mix", seed=3, bullet_limit=10), folder, deals_per_part=150)
    return folder


@pytest.fixture
def own_club(club: Path, tmp_path: Path) -> Path:
    """The archive, to be changed."""
    return Path(shutil.copytree(club, tmp_path / "club"))


@pytest.fixture(scope="module")
def fresh(club: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a run without incident writes."""
    out = tmp_path_factory.mktemp("fresh") / "out"
    pref.rescore(club, CONVENTIONS, out)
    return contents(out)


def contents(folder: Path) -> dict[str, bytes]:
    """Read every file below a folder, but for the manifest, which holds times."""
    files = (file for file in folder.rglob("*") if file.is_file() and file.name != "manifest.json")
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


class Killed(BaseException):
    """Stands for the end of a process: nothing of prefdata catches it."""


def killed_after(parts: int) -> Callable[[int, int, int], None]:
    def progress(done: int, *_: int) -> None:
        if done >= parts:
            raise Killed

    return progress


def leave_unfinished(club: Path, out: Path, parts: int = 2) -> None:
    with pytest.raises(Killed):
        pref.rescore(club, CONVENTIONS, out, progress=killed_after(parts))
    assert is_unfinished(unfinished_folder(out))


# --------------------------------------------------------------------------- two runs at once


def test_a_second_run_into_one_target_is_refused(club: Path, tmp_path: Path, fresh: dict[str, bytes]) -> None:
    out, refused = tmp_path / "out", []

    def begin_another(done: int, *_: int) -> None:
        if done == 1:
            for resume in (False, True):
                with pytest.raises(TargetExistsError, match="another run is writing") as caught:
                    pref.rescore(club, CONVENTIONS, out, resume=resume)
                refused.append(caught.value.exit_code)

    pref.rescore(club, CONVENTIONS, out, progress=begin_another)
    assert refused == [2, 2]
    assert contents(out) == fresh


def test_many_runs_at_once_leave_one_whole_result(club: Path, tmp_path: Path, fresh: dict[str, bytes]) -> None:
    out, outcomes = tmp_path / "out", []

    def run() -> None:
        try:
            pref.rescore(club, CONVENTIONS, out)
            outcomes.append("done")
        except TargetExistsError:
            outcomes.append("refused")

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["done", "refused", "refused", "refused"]
    assert contents(out) == fresh
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_lock_does_not_outlive_its_process(club: Path, tmp_path: Path, fresh: dict[str, bytes]) -> None:
    code = (
        "import os, prefdata as pref\n"
        f"die = lambda *_: os.kill(os.getpid(), {signal.SIGKILL})\n"
        f"pref.rescore({str(club)!r}, {CONVENTIONS!r}, 'out', progress=die)"
    )
    killed = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    pref.rescore(club, CONVENTIONS, tmp_path / "out", resume=True)
    assert contents(tmp_path / "out") == fresh
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_result_that_appeared_meanwhile_is_not_replaced(club: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"

    def appear(done: int, *_: int) -> None:
        if done == 1:
            out.mkdir()
            (out / "thesis.txt").write_text("years of work")

    for overwrite in (False, True):
        with pytest.raises(TargetExistsError):
            pref.rescore(club, "sochi", out, progress=appear, overwrite=overwrite)
        assert (out / "thesis.txt").read_text() == "years of work"
        shutil.rmtree(out)


# --------------------------------------------------------------------------- what is not ours


@pytest.mark.parametrize("overwrite", [False, True])
def test_an_archive_in_the_place_of_the_working_folder_stays(
    club: Path, own_club: Path, tmp_path: Path, overwrite: bool
) -> None:
    source = own_club.rename(tmp_path / "club.unfinished")
    before = contents(source)
    for archive in (source, club):
        with pytest.raises(TargetExistsError):
            pref.rescore(archive, "sochi", tmp_path / "club", overwrite=overwrite)
        assert contents(source) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["club.unfinished"]


@pytest.mark.parametrize("out", [".", "club", "club/deep/out", "club/../club", "link"])
def test_a_target_around_or_in_the_archive_is_refused(own_club: Path, tmp_path: Path, out: str) -> None:
    (tmp_path / "link").symlink_to(own_club)
    before = contents(own_club)
    with pytest.raises(TargetExistsError):
        pref.rescore(own_club, "sochi", tmp_path / out, overwrite=True)
    assert contents(own_club) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["club", "link"]


@pytest.mark.parametrize("name", ["out.old", "out.unfinished", ".out.old"])
def test_what_somebody_has_beside_the_target_stays(club: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    pref.rescore(club, "sochi", out)
    (tmp_path / name).mkdir()
    (tmp_path / name / "thesis.txt").write_text("years of work")
    try:
        pref.rescore(club, "rostov", out, overwrite=True)
        done = True
    except TargetExistsError:
        done = False
    assert done == (name != "out.unfinished")
    assert (tmp_path / name / "thesis.txt").read_text() == "years of work"
    assert (out / ("rostov" if done else "sochi")).is_dir()


@pytest.mark.parametrize(
    "manifest",
    ["{}", "[]", "null", '{"complete": true, "done": {}}', '{"kind": "rescoring"}', "{" * 9000, "\x00", '"rescoring"'],
)
def test_a_foreign_manifest_makes_no_rescoring(club: Path, tmp_path: Path, manifest: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "manifest.json").write_text(manifest)
    (out / "thesis.txt").write_text("years of work")
    with pytest.raises(TargetExistsError):
        pref.rescore(club, "sochi", out, overwrite=True)
    assert sorted(path.name for path in out.iterdir()) == ["manifest.json", "thesis.txt"]


@pytest.mark.parametrize("place", ["notes.txt", "sochi/sheets/notes.parquet", "sochi/notes/part-00000.parquet"])
def test_files_that_the_manifest_does_not_list_stop_overwriting(club: Path, tmp_path: Path, place: str) -> None:
    out = tmp_path / "out"
    pref.rescore(club, "sochi", out)
    (out / place).parent.mkdir(exist_ok=True)
    (out / place).write_text("years of work")
    before = contents(out)
    with pytest.raises(TargetExistsError, match="did not write there"):
        pref.rescore(club, "sochi", out, overwrite=True)
    assert contents(out) == before
    (out / place).unlink()
    pref.rescore(club, "rostov", out, overwrite=True)
    assert {path.name for path in out.iterdir()} == {"manifest.json", "rostov", "set-aside"}


@pytest.mark.parametrize("resume", [False, True])
def test_files_that_somebody_put_into_a_working_folder_stay(club: Path, tmp_path: Path, resume: bool) -> None:
    out = tmp_path / "out"
    leave_unfinished(club, out)
    thesis = unfinished_folder(out) / "rostov" / "thesis.txt"
    thesis.write_text("years of work")
    with pytest.raises(TargetExistsError, match="did not write there"):
        pref.rescore(club, CONVENTIONS, out, resume=resume)
    assert thesis.read_text() == "years of work"


def test_a_link_is_followed_and_stays(club: Path, tmp_path: Path, fresh: dict[str, bytes]) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "disk" / "results")
    pref.rescore(club, CONVENTIONS, tmp_path / "out")
    assert (tmp_path / "out").is_symlink()
    assert contents(tmp_path / "disk" / "results") == fresh


# --------------------------------------------------------------------------- resuming


def test_a_resumed_run_ends_as_a_fresh_one(club: Path, tmp_path: Path, fresh: dict[str, bytes]) -> None:
    for parts in (1, 2, 3, 4):
        out = tmp_path / f"after-{parts}"
        leave_unfinished(club, out, parts)
        told: list[tuple[int, ...]] = []
        pref.rescore(club, CONVENTIONS, out, resume=True, progress=lambda *counts, told=told: told.append(counts))
        assert [done for done, _, _ in told] == list(range(parts + 1, 5))
        assert contents(out) == fresh


Harm = Callable[[Path, Path], None]


def changed_input(club: Path, _: Path) -> None:
    file = club / "deals" / "part-00000.parquet"
    stat = file.stat()
    deals = pl.read_parquet(file).with_columns(multiplier=pl.col("multiplier") % 16 + 1)
    deals.write_parquet(file)
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def lost_output(_: Path, work: Path) -> None:
    (work / "rostov" / "sheets" / "part-00000.parquet").unlink()


def altered_output(_: Path, work: Path) -> None:
    file = work / "rostov" / "settlements" / "part-00000.parquet"
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def cut_journal(_: Path, work: Path) -> None:
    journal = work / ".prefdata" / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-40])


def lost_journal(_: Path, work: Path) -> None:
    (work / ".prefdata" / "journal.jsonl").write_bytes(b"\x00\xff garbage\n[]\n{}\n" + b"[" * 30_000)


def left_half_written(_: Path, work: Path) -> None:
    (work / "rostov" / "sheets" / ".part-00003.0123abcd.parquet").write_bytes(b"PAR1")


@pytest.mark.parametrize(
    "harm", [changed_input, lost_output, altered_output, cut_journal, lost_journal, left_half_written]
)
def test_nothing_is_believed_when_a_run_is_resumed(own_club: Path, tmp_path: Path, harm: Harm) -> None:
    out = tmp_path / "out"
    leave_unfinished(own_club, out, parts=3)
    harm(own_club, unfinished_folder(out))
    pref.rescore(own_club, CONVENTIONS, out, resume=True)
    pref.rescore(own_club, CONVENTIONS, tmp_path / "afresh")
    assert contents(out) == contents(tmp_path / "afresh")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["afresh", "club", "out"]


@pytest.mark.parametrize("resume", [False, True])
def test_what_a_killed_run_had_half_written_goes(
    club: Path, tmp_path: Path, fresh: dict[str, bytes], resume: bool
) -> None:
    out = tmp_path / "out"
    leave_unfinished(club, out)
    for name in (".manifest.0123abcd.json", ".prefdata/.mark.0123abcd.json", "set-aside/.part-00001.0123abcd.parquet"):
        (unfinished_folder(out) / name).write_text("{")
    pref.rescore(club, CONVENTIONS, out, resume=resume)
    assert contents(out) == fresh


@pytest.mark.parametrize("mark", ["", "{}", "null", "[" * 30_000, '{"options": 3}'])
def test_a_mark_that_is_garbage_is_begun_afresh_or_refused(
    club: Path, tmp_path: Path, fresh: dict[str, bytes], mark: str
) -> None:
    out = tmp_path / "out"
    leave_unfinished(club, out)
    work = unfinished_folder(out)
    (work / ".prefdata" / "mark.json").write_text(mark)
    before = contents(work)
    for resume in (True, False):
        with pytest.raises((ArchiveError, TargetExistsError)):
            pref.rescore(club, CONVENTIONS, out, resume=resume)
        assert before.items() <= contents(work).items()
    shutil.rmtree(work)
    pref.rescore(club, CONVENTIONS, out)
    assert contents(out) == fresh


def test_a_thousand_parts_do_not_write_the_manifest_a_thousand_times(club: Path, tmp_path: Path) -> None:
    sizes: list[int] = []
    journal = unfinished_folder(tmp_path / "out") / ".prefdata" / "journal.jsonl"
    pref.rescore(club, "sochi", tmp_path / "out", progress=lambda *_: sizes.append(journal.stat().st_size))
    growth = [after - before for before, after in zip([0, *sizes], sizes, strict=False)]
    assert max(growth) < 1.2 * min(growth)


# --------------------------------------------------------------------------- failing disks and workers


def test_a_full_disk_keeps_what_is_done(
    club: Path,
    tmp_path: Path,
    fresh: dict[str, bytes],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write = _part._write_parquet

    def full(frame: pl.DataFrame, file: Path) -> None:
        if file.name == "part-00003.parquet" and file.parent.name == "settlements":
            raise OSError(28, "No space left on device")
        write(frame, file)

    out = tmp_path / "out"
    flags = [word for name in CONVENTIONS for word in ("-c", name)]
    with monkeypatch.context() as patched:
        patched.setattr(_part, "_write_parquet", full)
        assert main(["rescore", str(club), *flags, "--out", str(out)]) == 2
    said = capsys.readouterr().err
    assert "No space left on device" in said
    assert "--resume" in said
    assert "Traceback" not in said
    assert main(["rescore", str(club), *flags, "--out", str(out), "--resume"]) == 0
    assert contents(out) == fresh


class _DyingWorkers(Executor):
    """Does two tasks; then a worker is gone."""

    _max_workers = 1

    def __init__(self) -> None:
        self.left = 2

    def submit(self, function: Any, /, *arguments: Any, **keywords: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.left -= 1
        if self.left < 0:
            future.set_exception(BrokenProcessPool("a process was terminated abruptly"))
        else:
            future.set_result(function(*arguments, **keywords))
        return future


def test_a_dead_worker_keeps_what_is_done(club: Path, tmp_path: Path, fresh: dict[str, bytes]) -> None:
    out = tmp_path / "out"
    with pytest.raises(ArchiveError, match="2 of 4 parts: a worker died") as caught:
        pref.rescore(club, CONVENTIONS, out, executor=_DyingWorkers())
    assert "resume=True" in caught.value.hint
    pref.rescore(club, CONVENTIONS, out, resume=True)
    assert contents(out) == fresh


# --------------------------------------------------------------------------- counts


def with_broken_rows(folder: Path) -> None:
    """Break rows of every table: keys that cannot be read, doubled or unknown, and a deal with eleven tricks."""
    pulkas, deals = (sorted((folder / table).glob("*.parquet")) for table in ("pulkas", "deals"))
    first = pl.read_parquet(pulkas[0])
    pl.concat([first, first[:1], first[1:2].with_columns(pulka=pl.lit(None, pl.Int64))]).write_parquet(pulkas[0])
    last = pl.read_parquet(deals[1])
    gone = pl.when(pl.int_range(pl.len()) == pl.len() - 1).then(None).otherwise("pulka").alias("pulka")
    last.with_columns(gone).write_parquet(deals[1])
    eleven = pl.read_parquet(deals[2])
    eleven.with_columns(
        pl.when(pl.col("deal") == 1).then(11).otherwise("tricks_a").cast(pl.UInt8).alias("tricks_a")
    ).write_parquet(deals[2])
    (folder / "adjustments").mkdir()
    keys = pl.read_parquet(pulkas[3])["pulka"].to_list()
    pl.DataFrame(
        {
            "pulka": [keys[0], None, keys[2], 9999],
            "deal": [0, 1, 500, 1],
            "seat": ["a", "a", "b", "a"],
            "entry": ["bullet"] * 4,
            "points": [1, 2, 3, 4],
        }
    ).write_parquet(folder / "adjustments" / pulkas[3].name)


def test_everything_read_is_scored_after_the_end_or_set_aside(
    own_club: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with_broken_rows(own_club)
    assert main(["rescore", str(own_club), "-c", "sochi", "-c", "played", "--out", str(tmp_path / "out")]) == 1
    assert "rows_beside_have_keys" in capsys.readouterr().err
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    rows = {
        table: sum(pl.read_parquet(file).height for file in (own_club / table).glob("*.parquet"))
        for table in ("pulkas", "deals", "adjustments")
    }
    assert manifest["read"] == rows
    for counts in manifest["conventions"].values():
        assert counts["pulkas_scored"] + counts["pulkas_set_aside"] == rows["pulkas"]
        deals = counts["deals_scored"] + counts["deals_after_end"] + counts["deals_set_aside"]
        assert deals == rows["deals"]
        adjustments = counts["adjustments_applied"] + counts["adjustments_after_end"] + counts["adjustments_set_aside"]
        assert adjustments == rows["adjustments"]
