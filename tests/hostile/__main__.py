"""``python -m tests.hostile``: tries to make prefdata crash, hang, lose, delete or miscount."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from tests.hostile.case import KINDS
from tests.hostile.judging import BAD
from tests.hostile.report import counts_table, write_report
from tests.hostile.running import in_turn, run_all

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run cases and tell what became of them; gives 1 if any ended badly."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first case of each kind")
    parser.add_argument("--kind", action="append", choices=sorted(KINDS), default=[])
    parser.add_argument("--minutes", type=float, help="stop after so many minutes")
    parser.add_argument("--workers", type=int, default=min(4, os.cpu_count() or 1), help="processes that run cases")
    parser.add_argument("--report", type=Path, help="put counts and the first bad cases into this page")
    chosen = parser.parse_args(arguments)
    cases = in_turn(chosen.cases, chosen.seed, chosen.kind)
    verdicts = []
    with tempfile.TemporaryDirectory(prefix="hostile-run-", ignore_cleanup_errors=True) as place:
        os.environ["TMPDIR"] = tempfile.tempdir = place
        for verdict in run_all(cases, workers=chosen.workers, minutes=chosen.minutes):
            verdicts.append(verdict)
            if verdict.judgement in BAD:
                line = f"{verdict.judgement}: {verdict.kind} {verdict.seed}: {verdict.one_line()}\n"
                sys.stdout.write(line)
                sys.stdout.flush()
    sys.stdout.write(counts_table(verdicts) + "\n")
    if chosen.report is not None:
        command = " ".join(["python -m tests.hostile", *(sys.argv[1:] if arguments is None else arguments)])
        write_report(chosen.report, verdicts, command)
    return int(any(verdict.judgement in BAD for verdict in verdicts))


if __name__ == "__main__":
    sys.exit(main())
