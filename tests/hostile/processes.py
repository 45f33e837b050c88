"""Runs that meet each other, are killed, lose their workers, or find the disk full."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
from functools import cache
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen

import prefdata as pref
from prefdata.errors import PrefdataError
from prefdata.rescoring import is_unfinished, unfinished_folder
from tests.hostile.accounting import look_at_rescoring
from tests.hostile.case import Case, kind
from tests.hostile.judging import Fault, Judgement, Ran, judge, observed, snapshot, watchdog
from tests.hostile.material import sheet_rows, sheets_frame

_FLAGS = ("-c", "rostov", "-c", "sochi", "--ledger")
_CONVENTIONS = ("rostov", "sochi")


@cache
def _files() -> dict[str, bytes]:
    """Give the files of an archive of some eight parts."""
    with tempfile.TemporaryDirectory() as folder:
        club = Path(folder, "club")
        drawn = pref.sample(24, players="mix", seed=3, bullet_limit=10)
        pref.write_archive(drawn, club, deals_per_part=80)
        return _contents(club, all_files=True)


@cache
def _fresh() -> tuple[dict[str, bytes], float]:
    """Give what a run without incident writes, and how many seconds it takes."""
    with tempfile.TemporaryDirectory() as folder:
        _lay(Path(folder, "club"))
        started = time.perf_counter()
        pref.rescore(Path(folder, "club"), list(_CONVENTIONS), Path(folder, "out"), ledger=True)
        return _contents(Path(folder, "out")), time.perf_counter() - started


def _contents(folder: Path, *, all_files: bool = False) -> dict[str, bytes]:
    """Read every file below a folder, but for the manifest, which holds times."""
    files = (file for file in folder.rglob("*") if file.is_file() and (all_files or file.name != "manifest.json"))
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def _lay(folder: Path) -> None:
    for name, content in _files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def _prepared(case: Case) -> Path:
    archive = case.folder / "club"
    _lay(archive)
    case.lay_thesis(archive, case.folder / "out.old")
    return archive


def _look_at_result(case: Case, archive: Path, ran: Ran) -> None:
    """Compare a result, byte for byte, with that of a run without incident."""
    fresh, _ = _fresh()
    found = _contents(case.out)
    if missing := sorted(fresh.keys() - found.keys()):
        raise Fault(Judgement.SILENT_LOSS, f"exit code {ran.code}, and yet {len(missing)} files lack: {missing[0]}")
    if different := sorted(name for name, content in found.items() if fresh.get(name) != content):
        raise Fault(Judgement.WRONG_SUM, f"{len(different)} files differ from those of a fresh run: {different[0]}")
    look_at_rescoring(archive, case.out, ran, [pref.convention(name) for name in _CONVENTIONS], by_columns=False)


def _go_on(case: Case, archive: Path) -> Judgement:
    """Go on with what an accident left, as a user would: with --resume, and afresh where there is nothing to resume."""
    unfinished = unfinished_folder(case.out)
    own = (case.out, unfinished)
    ran = Ran(code=2)
    if not (case.out / "manifest.json").exists():
        for flags in (["--resume"], []):
            ran = case.prefdata("rescore", archive, *_FLAGS, "--out", case.out, *flags, own=own)
            judge(ran)
            if ran.code == 0:
                break
        if ran.code != 0:
            raise Fault(Judgement.SILENT_LOSS, f"neither --resume nor a fresh run goes on: {ran.err}")
    else:
        ran = Ran(code=0)
    if unfinished.exists():
        raise Fault(Judgement.SILENT_LOSS, f"done, and yet there is {unfinished}")
    _look_at_result(case, archive, ran)
    return Judgement.DONE


def _await(process: Popen[str], until: Path, seconds: float = 60) -> None:
    """Wait until there is a file, or the process has ended."""
    deadline = time.monotonic() + seconds
    while not until.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)


@kind("kills", 30)
def kills(case: Case) -> Judgement:
    """A run that is killed at some moment, and then resumed."""
    archive = _prepared(case)
    _, seconds = _fresh()
    before = snapshot(case.folder)
    process = case.start("rescore", archive, *_FLAGS, "--out", case.out)
    if case.chance(6):
        time.sleep(case.rng.uniform(0, 2))
    else:
        _await(process, unfinished_folder(case.out))
        time.sleep(case.rng.uniform(0, 1.2 * seconds))
    process.kill()
    process.communicate()
    case.look_after(before, own=(case.out, unfinished_folder(case.out)))
    return _go_on(case, archive)


def _workers_of(process: Popen[str]) -> list[int]:
    """List the worker processes that a process has spawned."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    found = []
    for number in children.read_text().split() if children.exists() else []:
        try:
            command = Path(f"/proc/{number}/cmdline").read_bytes()
        except OSError:
            continue
        if b"spawn_main" in command:
            found.append(int(number))
    return found


@kind("dead-workers", 5)
def dead_workers(case: Case) -> Judgement:
    """A run of which a worker is killed, and which is then resumed."""
    archive = _prepared(case)
    _, seconds = _fresh()
    before = snapshot(case.folder)
    process = case.start("rescore", archive, *_FLAGS, "--out", case.out, "--workers", 2)
    _await(process, unfinished_folder(case.out) / ".prefdata")
    time.sleep(case.rng.uniform(0, 2 + seconds))
    workers = _workers_of(process)
    if workers and process.poll() is None:
        os.kill(case.rng.choice(workers), signal.SIGKILL)
    ran = case.wait(process)
    case.look_after(before, own=(case.out, unfinished_folder(case.out)))
    judge(ran)
    if ran.code == 0 and not (case.out / "manifest.json").exists():
        raise Fault(Judgement.SILENT_LOSS, "exit code 0 without a result")
    return _go_on(case, archive)


@kind("two-runs", 30)
def two_runs(case: Case) -> Judgement:
    """Two runs into one target at once, as threads or as processes."""
    archive = _prepared(case)
    _fresh()
    before = snapshot(case.folder)
    codes: list[int | None] = []
    if case.chance(3):
        started = []
        for _ in range(2):
            started.append(case.start("rescore", archive, *_FLAGS, "--out", case.out))
            time.sleep(case.rng.choice((0, 0, 0.05, 0.3)))
        both = [case.wait(process) for process in started]
        for ran in both:
            judge(ran)
        codes = [ran.code for ran in both]
    else:
        both = _in_threads(archive, case.out, resumed=case.chance(3))
        codes = [ran.code for ran in both]
    case.look_after(before, own=(case.out, unfinished_folder(case.out)))
    if 0 not in codes:
        if any(code != 2 for code in codes):
            raise Fault(Judgement.TRACEBACK, f"exit codes {codes}")
        return _go_on(case, archive)
    _look_at_result(case, archive, Ran(code=0))
    return Judgement.DONE


def _in_threads(archive: Path, out: Path, *, resumed: bool) -> list[Ran]:
    """Rescore twice at once; where asked for, the second run would rather resume."""
    ended: list[Ran] = []

    def run(*, resume: bool) -> None:
        try:
            pref.rescore(archive, list(_CONVENTIONS), out, ledger=True, resume=resume)
            ended.append(Ran(code=0))
        except PrefdataError as error:
            ended.append(Ran(code=error.exit_code, err=str(error)))
        except BaseException as error:
            ended.append(Ran(error=error))

    threads = [threading.Thread(target=run, daemon=True, kwargs={"resume": resume}) for resume in (False, resumed)]

    def all_run() -> None:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    with watchdog(60):
        observed(all_run)
    for ran in ended:
        judge(ran)
    return ended


# --------------------------------------------------------------------------- full disks

_LIMITED = """
import resource, sys
most = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
from prefdata.cli import main
sys.exit(main(sys.argv[1:]))
"""
_WITHOUT_STDOUT = """
import os, sys
os.close(1)
os.execv(sys.executable, [sys.executable, "-m", "prefdata", *sys.argv[1:]])
"""


@kind("full-disks", 40)
def full_disks(case: Case) -> Judgement:
    """A disk that is full after some bytes, or a stdout that takes nothing."""
    archive = _prepared(case)
    name = case.rng.choice(("rescore", "rescore", "rescore", "sample", "settle", "settle", "check", "compare"))
    target, arguments = _writing(case, archive, name)
    before = snapshot(case.folder)
    way = case.rng.choice(("limit", "limit", "limit", "limit", "full", "closed"))
    if way == "limit":
        most = case.rng.choice((0, 1, 100, 700, 2_000, 5_000, 20_000))
        ran = case.wait(case.start(most, name, *arguments, code=_LIMITED))
    elif way == "closed":
        ran = case.wait(case.start(name, *arguments, code=_WITHOUT_STDOUT))
    else:
        ran = _into_full(case, name, *arguments)
    case.look_after(before, own=(case.out, unfinished_folder(case.out)))
    judgement = judge(ran)
    if name == "rescore" and judgement == Judgement.DONE:
        _look_at_result(case, archive, ran)
    elif name == "rescore" and judgement == Judgement.REFUSED and is_unfinished(unfinished_folder(case.out)):
        _go_on(case, archive)
    elif judgement == Judgement.REFUSED and way == "limit" and target.exists():
        raise Fault(Judgement.SILENT_LOSS, f"{name} ended with 2, and yet there is {target.name}")
    return judgement


def _writing(case: Case, archive: Path, name: str) -> tuple[Path, list[object]]:
    """Give where a command writes, and its arguments."""
    if name == "rescore":
        return case.out, [archive, *_FLAGS, "--out", case.out]
    if name == "sample":
        return case.out, [case.out, "--pulkas", 30, "--limit", 10]
    if name == "check":
        rejects = case.folder / case.rng.choice(("rejects.csv", "rejects.parquet"))
        (archive / "pulkas" / "part-00000.parquet").write_bytes(_files()["pulkas/part-00001.parquet"])
        return rejects, [archive, "--rejects", rejects]
    if name == "settle":
        file = case.folder / "sheets.parquet"
        sheets_frame(sheet_rows(case.rng, 300, 3)).write_parquet(file)
        settled = case.folder / case.rng.choice(("settled.csv", "settled.parquet", "settled.xlsx"))
        return settled, [file, "-c", "sochi", "--out", settled]
    page = case.folder / "page.html"
    return page, [archive, "-c", "sochi", "-c", "rostov", "--out", page]


def _into_full(case: Case, *arguments: object) -> Ran:
    with Path("/dev/full").open("w") as full:
        process = Popen(
            [sys.executable, "-m", "prefdata", *(str(one) for one in arguments)],
            env=case.environment(),
            cwd=case.folder,
            stdin=DEVNULL,
            stdout=full,
            stderr=PIPE,
            text=True,
        )
        return case.wait(process)
