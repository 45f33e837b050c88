"""A case: a folder with something hostile in it, and what a user does with it."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import prefdata as pref
from prefdata.cli import main
from tests.hostile.judging import Fault, HangError, Judgement, Ran, observed, snapshot, touched, watchdog

__all__ = ["KINDS", "Case", "Kind", "kind"]

_ROOT = Path(pref.__file__).parent.parent
_THESIS = "years of work"


class Case:
    """One case of a kind, which its seed makes anew.

    Attributes
    ----------
    kind, seed
        What it is made from.
    rng
        Its chance.
    folder
        An empty folder, but for somebody's thesis.
    """

    def __init__(self, kind: str, seed: int, folder: Path) -> None:
        self.kind = kind
        self.seed = seed
        self.rng = random.Random(f"{kind} {seed}")
        self.folder = folder
        folder.mkdir()
        self.lay_thesis(folder)

    @property
    def out(self) -> Path:
        """Where results go."""
        return self.folder / "out"

    def lay_thesis(self, *folders: Path) -> None:
        """Put a foreign file into folders."""
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "thesis.txt").write_text(_THESIS)

    def write(self, name: str, content: bytes | str) -> Path:
        """Write a file into the folder."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"))
        return file

    def chance(self, one_in: int) -> bool:
        """Draw something that happens once in so many cases."""
        return self.rng.randrange(one_in) == 0

    def prefdata(self, *arguments: object, own: Iterable[Path] = ()) -> Ran:
        """Run a command in this process; all that was there must stay, but for what is the run's own."""
        return self.call(lambda: main([str(one) for one in arguments]), own=own, is_command=True)

    def call(self, function: Callable[[], object], *, own: Iterable[Path] = (), is_command: bool = False) -> Ran:
        """Call a public function; all that was there must stay, but for what is the call's own."""
        before = snapshot(self.folder)
        with watchdog():
            ran = observed(function, is_command=is_command)
        self.look_after(before, own)
        return ran

    def look_after(self, before: Mapping[str, object], own: Iterable[Path] = ()) -> None:
        """Look whether anything is gone or changed."""
        lost = touched(dict(before), self.folder, tuple(own))
        if lost is not None:
            raise Fault(Judgement.FOREIGN, lost)

    def environment(self) -> dict[str, str]:
        """Give the environment in which a process finds this prefdata."""
        return {**os.environ, "PYTHONPATH": str(_ROOT)}

    def start(self, *arguments: object, code: str | None = None) -> subprocess.Popen[str]:
        """Start a command, or some code, as a process of its own."""
        begun = ["-c", code] if code is not None else ["-m", "prefdata"]
        return subprocess.Popen(
            [sys.executable, *begun, *(str(one) for one in arguments)],
            env=self.environment(),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        )

    @staticmethod
    def wait(process: subprocess.Popen[str], seconds: float = 120) -> Ran:
        """Wait for a process, and take what it printed."""
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise HangError from None
        except BaseException:
            process.kill()
            raise
        return Ran(process.returncode, out or "", err or "")


Kind = Callable[[Case], Judgement]
KINDS: dict[str, tuple[Kind, int]] = {}
"""All kinds by name: what makes and judges a case, and how many there are in a run of ten thousand; see `kind`."""


def kind(name: str, share: int) -> Callable[[Kind], Kind]:
    """List a kind of cases; `share` is how many there are in a run of ten thousand."""

    def register(made: Kind) -> Kind:
        KINDS[name] = made, share
        return made

    return register
