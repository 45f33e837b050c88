"""Running cases: one here, or many in processes that may die or hang."""

from __future__ import annotations

import multiprocessing
import signal
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from tests.hostile import archives, conventions, names, processes, sheets
from tests.hostile.case import KINDS, Case
from tests.hostile.judging import Fault, HangError, Judgement, Verdict

__all__ = ["BrokenCaseError", "in_turn", "run_all", "run_case"]

_MODULES = (archives, conventions, names, processes, sheets)
"""Where kinds are listed."""

LONGEST = 300
"""After so many seconds a case hangs in compiled code, where no alarm is heard."""


def run_case(kind: str, seed: int) -> Verdict:
    """Make, run and judge one case."""
    made, _ = KINDS[kind]
    started = time.perf_counter()
    judgement, said = Judgement.DONE, ""
    with tempfile.TemporaryDirectory(prefix="hostile-", ignore_cleanup_errors=True) as place:
        case = Case(kind, seed, Path(place, "desk"))
        try:
            judgement = made(case)
        except Fault as fault:
            judgement, said = fault.judgement, fault.said.replace(str(case.folder), "…")
        except HangError:
            judgement, said = Judgement.HANG, "it took too long"
    return Verdict(kind, seed, judgement, said, time.perf_counter() - started)


def _is_of_processes(kind: str) -> bool:
    return KINDS[kind][0].__module__ == processes.__name__


def in_turn(cases: int, seed: int, kinds: Iterable[str] = ()) -> list[tuple[str, int]]:
    """List cases of all kinds, or of some, each kind spread over the whole list as its share wants it.

    Kinds whose cases are processes have no more than their share of ten thousand.
    """
    chosen = {name: share for name, (_, share) in KINDS.items() if name in (set(kinds) or KINDS)}
    total = sum(chosen.values())
    counts = {name: max(1, round(cases * share / total)) for name, share in chosen.items()}
    if not kinds:
        counts = {name: min(count, chosen[name]) if _is_of_processes(name) else count for name, count in counts.items()}
    spread = [((place + 0.5) / count, name, seed + place) for name, count in counts.items() for place in range(count)]
    return [(name, number) for _, name, number in sorted(spread)]


class BrokenCaseError(Exception):
    """A case itself is wrong, not prefdata."""


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    case: tuple[str, int] | None = None
    since: float = 0.0

    @classmethod
    def begin(cls) -> _Worker:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs,))
        process.start()
        theirs.close()
        return cls(process, ours)

    def give(self, case: tuple[str, int]) -> None:
        self.case, self.since = case, time.monotonic()
        self.pipe.send(case)

    def is_stuck(self) -> bool:
        """Tell whether the alarm should have been heard long ago."""
        return self.case is not None and time.monotonic() - self.since > LONGEST

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _work(pipe: Connection) -> None:
    """Run the cases that are sent, until there are none."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            case = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(run_case(*case))
        except Exception:
            pipe.send(f"{case[0]} {case[1]}\n{traceback.format_exc()}")


def run_all(cases: Iterable[tuple[str, int]], *, workers: int, minutes: float | None = None) -> Iterator[Verdict]:
    """Run cases in processes; one that dies or hangs is a verdict, and another one takes its place."""
    deadline = None if minutes is None else time.monotonic() + 60 * minutes
    left = iter(cases)
    team = [_Worker.begin() for _ in range(workers)]
    try:
        idle = list(team)
        while True:
            while idle and (deadline is None or time.monotonic() < deadline) and (case := next(left, None)) is not None:
                idle.pop().give(case)
            busy = [worker for worker in team if worker.case is not None]
            if not busy:
                return
            ready = wait([worker.pipe for worker in busy], timeout=1)
            for worker in busy:
                if worker.pipe in ready or worker.is_stuck():
                    verdict = _verdict(worker)
                    worker.case = None
                    if worker.process.is_alive():
                        idle.append(worker)
                    else:
                        team.remove(worker)
                        team.append(_Worker.begin())
                        idle.append(team[-1])
                    yield verdict
    finally:
        for worker in team:
            worker.end()


def _verdict(worker: _Worker) -> Verdict:
    assert worker.case is not None
    kind, seed = worker.case
    seconds = time.monotonic() - worker.since
    if not worker.pipe.poll():
        worker.end()
        return Verdict(kind, seed, Judgement.HANG, "it took too long, and no alarm was heard", seconds)
    try:
        verdict = worker.pipe.recv()
    except EOFError:
        worker.process.join()
        said = f"the process died, exit code {worker.process.exitcode}"
        return Verdict(kind, seed, Judgement.TRACEBACK, said, seconds)
    if not isinstance(verdict, Verdict):
        raise BrokenCaseError(verdict)
    return verdict
