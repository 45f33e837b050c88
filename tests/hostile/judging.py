"""What one hostile case may end in, and how that is found out."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import FrameType
from typing import IO

import prefdata as pref
from prefdata.errors import PrefdataError

__all__ = [
    "BAD",
    "SECONDS",
    "Fault",
    "HangError",
    "Judgement",
    "Ran",
    "Verdict",
    "judge",
    "observed",
    "snapshot",
    "touched",
    "watchdog",
]

SECONDS = 20
"""How long one case may take before it hangs."""

_PACKAGE = Path(pref.__file__).parent
_PRINTED = re.compile(r'File "[^"]*/prefdata/([^"]+)", line (\d+), in (\w+)')
_ALARMS = ("Traceback (most recent call last)", "panicked at")


class Judgement(StrEnum):
    """What a case ended in."""

    DONE = "done"
    REFUSED = "refused"
    TRACEBACK = "traceback"
    HANG = "hang"
    WRONG_SUM = "wrong sum"
    SILENT_LOSS = "silent loss"
    FOREIGN = "foreign file touched"


BAD = tuple(judgement for judgement in Judgement if judgement not in (Judgement.DONE, Judgement.REFUSED))
"""The judgements of which there must be none."""


class Fault(Exception):  # noqa: N818
    """Something that must not happen did."""

    def __init__(self, judgement: Judgement, said: str) -> None:
        super().__init__(said)
        self.judgement = judgement
        self.said = said


class HangError(BaseException):
    """A case took too long; nothing of prefdata catches it."""


@dataclass(frozen=True)
class Verdict:
    """What became of a case."""

    kind: str
    seed: int
    judgement: Judgement
    said: str
    seconds: float

    def one_line(self, width: int = 300) -> str:
        """Give what was said in one line of printable characters."""
        line = " ".join("".join(one if one.isprintable() else " " for one in self.said).split())
        return line if len(line) <= width else line[:width] + " …"


@dataclass
class Ran:
    """What prefdata did: its exit code, None where it was a function; what was printed; what it raised."""

    code: int | None = None
    out: str = ""
    err: str = ""
    error: BaseException | None = None
    value: object = None
    warned: list[str] = field(default_factory=list)

    @property
    def is_done(self) -> bool:
        """Whether there are results."""
        return self.error is None and self.code in (None, 0, 1)


def judge(ran: Ran) -> Judgement:
    """Judge what was said; whether it is true is judged elsewhere.

    Raises
    ------
    Fault
        If it is not one sentence, or a result.
    """
    if ran.error is not None and not isinstance(ran.error, PrefdataError):
        raise Fault(Judgement.TRACEBACK, f"{type(ran.error).__name__} at {_innermost(ran.error)}: {ran.error}")
    for line in (ran.err + "\n" + ran.out).splitlines():
        if any(alarm in line for alarm in _ALARMS):
            lines = _PRINTED.findall(ran.err)
            where = f" at {lines[-1][0]}:{lines[-1][1]} ({lines[-1][2]})" if lines else f": {line}"
            raise Fault(Judgement.TRACEBACK, f"printed, with exit code {ran.code}{where}: {_last(ran.err)}")
    if ran.error is not None:
        return Judgement.REFUSED
    if ran.code == 2:
        if not ran.err.strip():
            raise Fault(Judgement.TRACEBACK, "exit code 2 without a sentence")
        return Judgement.REFUSED
    if ran.code not in (None, 0, 1):
        raise Fault(Judgement.TRACEBACK, f"exit code {ran.code}: {_last(ran.err)}")
    return Judgement.DONE


def _last(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "")


def _innermost(error: BaseException) -> str:
    """Name the innermost line of prefdata that an exception went through."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(_PACKAGE)]
    if not own:
        return "no line of prefdata"
    return f"{Path(own[-1].filename).relative_to(_PACKAGE).as_posix()}:{own[-1].lineno} ({own[-1].name})"


@contextmanager
def watchdog(seconds: float = SECONDS) -> Iterator[None]:
    """Raise `HangError` in the main thread after some seconds."""

    def bark(_signal: int, _frame: FrameType | None) -> None:
        raise HangError

    before = signal.signal(signal.SIGALRM, bark)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def observed(function: Callable[[], object], *, is_command: bool = False) -> Ran:
    """Call a function and take what it prints, from compiled libraries too, what it warns of and what it raises."""
    ran = Ran()
    with _captured(ran), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            value = function()
            ran.value = value
            if is_command:
                ran.code = int(str(value))
        except (HangError, KeyboardInterrupt):
            raise
        except BaseException as error:
            ran.error = error
    ran.warned = [str(one.message) for one in warned]
    return ran


@contextmanager
def _captured(ran: Ran) -> Iterator[None]:
    """Send what is printed, by Python or on the descriptors themselves, to files, and read them."""
    streams = sys.stdout, sys.stderr
    for stream in streams:
        stream.flush()
    kept = [os.dup(number) for number in (1, 2)]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        for number, file in ((1, out), (2, err)):
            os.dup2(file.fileno(), number)
        sys.stdout, sys.stderr = (
            io.TextIOWrapper(io.FileIO(number, "w", closefd=False), encoding="utf-8") for number in (1, 2)
        )
        try:
            yield
        finally:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            sys.stdout, sys.stderr = streams
            for number, descriptor in zip((1, 2), kept, strict=True):
                os.dup2(descriptor, number)
                os.close(descriptor)
            ran.out, ran.err = (_read(file) for file in (out, err))


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", errors="replace")


Snapshot = dict[str, object]


def snapshot(folder: Path) -> Snapshot:
    """Read all that is below a folder: files, links and what else there is."""
    found: Snapshot = {}
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(place, name)
            if path.is_symlink():
                found[str(path)] = os.readlink(path)
            elif path.is_file():
                found[str(path)] = path.read_bytes()
            else:
                found[str(path)] = os.lstat(path).st_mode
    return found


def touched(before: Snapshot, folder: Path, own: tuple[Path, ...] = ()) -> str | None:
    """Tell what was changed or removed of what was there, but for what is one's own; None where nothing was."""
    after = snapshot(folder)
    for name, content in before.items():
        if any(Path(name) == one or one in Path(name).parents for one in own):
            continue
        if name not in after:
            return f"{name} is gone"
        if after[name] != content:
            return f"{name} was changed"
    return None
