"""Batch rescoring: the parts of an archive, under several conventions, into a folder of Parquet files.

A task is one part: paths in, paths out and conventions as plain data, so that it runs in this process, in others, or on
other machines.  Everything is written to a folder beside the target, which is renamed when all of it is there; a run
that was interrupted leaves that folder, and can be resumed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import polars as pl

from prefdata import __version__
from prefdata.archives import Archive, open_archive
from prefdata.conventions import PLAYED, Convention, is_played, one_or_several, resolve
from prefdata.doors import as_flag, as_function, as_path, told
from prefdata.errors import ArchiveError, ConventionError, RejectedError, counted, reason_of
from prefdata.failures import FAILURE_SCHEMA, Failures
from prefdata.game import Game
from prefdata.games import refuse_other_game
from prefdata.outcomes.numbering import OutcomeBook
from prefdata.reports import Report, Section, amount, listed, number
from prefdata.rescoring._freezing import frozen_told
from prefdata.rescoring._part import PartCounts, PartTask, rescore_part
from prefdata.rescoring._target import WorkingFolder, working_folder
from prefdata.vocabulary import TWELFTHS

__all__ = ["Rescoring", "rescore"]

Progress = Callable[[int, int, int], None]
"""Told after each part: parts done, parts in all, deals done."""


@dataclass(frozen=True)
class Rescoring(Report):
    """What a rescoring did.

    Attributes
    ----------
    folder
        Where it was written.
    manifest
        What stands in ``manifest.json``.
    """

    folder: Path
    manifest: dict[str, Any]

    @property
    def pulkas_set_aside(self) -> int:
        """How many pulkas were set aside under any convention."""
        return max((counts["pulkas_set_aside"] for counts in self.manifest["conventions"].values()), default=0)

    @property
    def rows_set_aside(self) -> int:
        """How many reasons there were to set something aside, rows that belong to no pulka among them."""
        return sum(part["failures"] for part in self.manifest["done"].values())

    def failures(self) -> Failures:
        """Give what was set aside, with the reasons, as it was written down."""
        files = sorted((self.folder / "set-aside").glob("*.parquet"))
        frame = pl.concat([pl.DataFrame(schema=FAILURE_SCHEMA).drop("table"), *map(_read, files)], how="diagonal")
        deals = max((counts["deals_set_aside"] for counts in self.manifest["conventions"].values()), default=0)
        return Failures(frame.with_columns(table=pl.lit("")).select(FAILURE_SCHEMA.names()), deals)

    def table(self) -> pl.DataFrame:
        """Give a row for each convention: what was scored, and what came out.

        Returns
        -------
        pl.DataFrame
            `convention`, `pulkas` and `deals` (scored), `after_end` (deals), `set_aside` (pulkas), `open` (pulkas that
            did not end), `sum` (of all exact results in twelfths, which must be 0), `rounding_residue` (of all rounded
            results in whists), `adjustments_after_end` (not applied), `largest_win` in whists, with its `pulka`, `seat`
            and `player`.
        """
        rows = [
            {
                "convention": name,
                "pulkas": counts["pulkas_scored"],
                "deals": counts["deals_scored"],
                "after_end": counts["deals_after_end"],
                "set_aside": counts["pulkas_set_aside"],
                "open": counts["pulkas_open"],
                "sum": counts["sum_of_results_twelfths"],
                "rounding_residue": counts["sum_of_rounded"],
                "adjustments_after_end": counts["adjustments_after_end"],
                "largest_win": counts["largest_win"]["whists"],
                "pulka": counts["largest_win"]["pulka"],
                "seat": counts["largest_win"]["seat"],
                "player": counts["largest_win"]["player"],
            }
            for name, counts in self.manifest["conventions"].items()
        ]
        return pl.DataFrame(rows, infer_schema_length=None)

    @property
    def title(self) -> str:
        """What the report is about: the archive and the conventions."""
        return f"{self.manifest['archive']} rescored under {listed(self.manifest['conventions'])}"

    def findings(self) -> tuple[str, ...]:
        """Say who won most under each convention, whether frozen sheets have changed, and how much was read."""
        wins = []
        for row in self.table().filter(pl.col("pulka").is_not_null()).iter_rows(named=True):
            winner = row["player"] or f"seat {row['seat']}"
            win = f"{number(row['largest_win'])} whists by {winner} in pulka {row['pulka']}"
            wins.append(f"largest win under {row['convention']}: {win}")
        read = self.manifest["read"]
        frozen = [frozen_told(name, counts) for name, counts in self.manifest["conventions"].items()]
        return (
            *wins,
            *(told for told in frozen if told is not None),
            f"{amount(read['pulkas'], 'pulka')} with {amount(read['deals'], 'deal')} read in "
            f"{self.manifest['seconds']:.1f} s, written to {self.folder}",
        )

    def sections(self) -> tuple[Section, ...]:
        """Give what was scored under each convention, whether results add up to zero, and what was not applied."""
        table = self.table()
        checks = [_sum_check(row) for row in table.iter_rows(named=True)]
        unapplied = [
            f"not applied under {row['convention']}: {counted(row['adjustments_after_end'], 'adjustment')} after the "
            "end of their pulka"
            for row in table.iter_rows(named=True)
            if row["adjustments_after_end"]
        ]
        columns = ["convention", "pulkas", "deals", "after_end", "set_aside", "open"]
        return (
            Section(
                frame=table.select(columns).with_columns(sum_check=pl.Series(checks, dtype=pl.String)),
                sentences=tuple(unapplied),
                labels={"after_end": "after the end"},
            ),
        )


def _sum_check(row: dict[str, Any]) -> str:
    """Say whether the results of a convention add up to zero."""
    if row["sum"]:
        return f"off by {row['sum']}/{TWELFTHS}"
    return f"ok, rounding leaves {number(row['rounding_residue'])}" if row["rounding_residue"] else "ok"


def rescore(
    archive: str | Path | Archive,
    conventions: str | Path | Convention | Sequence[str | Path | Convention],
    out: str | Path,
    *,
    rounding: str | None = None,
    ledger: bool = False,
    overwrite: bool = False,
    resume: bool = False,
    strict: bool = False,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Rescoring:
    """Score an archive on disk under conventions, and write sheets and settlements.

    Parameters
    ----------
    archive
        Folder of the archive, or an archive that was opened from one.
    conventions
        Conventions, names or files; ``played`` scores each pulka under the one in its own row, which is looked for
        among the others that are given, then among the presets.
    out
        Folder to write: ``<convention>/sheets``, ``<convention>/settlements``, perhaps ``<convention>/ledger``, and
        ``set-aside``, each with a file for each part, and ``manifest.json``.
    rounding
        The rounding rule, in place of the conventions' own.
    ledger
        Whether to write ledgers too.
    overwrite
        Whether an earlier rescoring in that place is replaced when this one is complete.
    resume
        Whether to go on with a rescoring of the same archive, conventions and options that was interrupted; parts whose
        files have changed since are done again.  Without it what an interrupted one has left in ``OUT.unfinished`` is
        thrown away.
    strict
        Whether a pulka that would be set aside is an error.
    executor
        Where parts are scored: any `concurrent.futures.Executor`, also that of a Dask client; two threads by default.
    progress
        Told after each part.

    Returns
    -------
    Rescoring
        The manifest, and a table of what came out.

    Raises
    ------
    TargetExistsError
        If there is something in the place of `out`, or another run writes to it.
    RejectedError
        If `strict` and something had to be set aside.
    """
    labelled = _labelled(conventions)
    folder, target = _folder_of(archive), as_path(out, "out")
    ledger, strict = as_flag(ledger, "ledger"), as_flag(strict, "strict")
    overwrite, resume = as_flag(overwrite, "overwrite"), as_flag(resume, "resume")
    _refuse_no_helpers(executor, progress)
    Convention().with_rounding(rounding)  # refuses a rule that is none
    source = open_archive(folder)
    for chosen in labelled.values():
        if chosen is not None:
            refuse_other_game(chosen, source.game, f"{folder} holds deals")
    options: dict[str, Any] = {
        "archive": str(folder),
        "rounding": rounding,
        "ledger": ledger,
        "switches": {label: None if chosen is None else chosen.to_dict() for label, chosen in labelled.items()},
        "parts": [part.name for part in source.parts],
    }
    started = time.time()
    with working_folder(target, folder, options, resume=resume, overwrite=overwrite) as work:
        try:
            _score_parts(work, source.game, executor, strict=strict, progress=progress)
        except RejectedError:
            work.discard()
            raise
        manifest = _manifest(options, [work.done[name] for name in options["parts"]], time.time() - started)
        work.complete(manifest)
    return Rescoring(work.target, manifest)


def _folder_of(archive: object) -> Path:
    """Give the folder of an archive."""
    folder = archive.path if isinstance(archive, Archive) else archive
    if not isinstance(folder, str | Path):
        raise ArchiveError(
            f"rescore reads an archive from its folder, and archive is {told(archive)} without one",
            hint="Give the folder's path; write_archive makes one of an archive in memory.",
        )
    return Path(folder)


def _refuse_no_helpers(executor: object, progress: object) -> None:
    """Refuse what cannot score parts, and what cannot be told of them."""
    if executor is not None and (isinstance(executor, type) or not hasattr(executor, "submit")):
        raise TypeError(f"executor is {told(executor)}, not a concurrent.futures.Executor")
    if progress is not None:
        as_function(progress, "progress")


def _score_parts(
    work: WorkingFolder, game: Game, executor: Executor | None, *, strict: bool, progress: Progress | None
) -> None:
    """Score the parts that are not done.

    Raises
    ------
    RejectedError
        If `strict` and a part has something to be set aside.
    ArchiveError
        If the disk or a worker fails; what is done stays, and the run can be resumed.
    """
    parts, run = work.options["parts"], uuid4().hex
    keywords = {key: work.options[key] for key in ("archive", "switches", "rounding", "ledger")}
    tasks = [PartTask(part=name, out=str(work.folder), run=run, **keywords) for name in parts if name not in work.done]
    try:
        for counts in _run(tasks, executor, game.book()):
            if strict and counts.failures:
                raise RejectedError(
                    f"{counts.part}: {counted(counts.failures, 'broken rule')}, the first in {counts.first_failure}",
                    hint="archive.check() lists all that break a rule of the tables; without strict=True everything is "
                    "set aside with its reason, and the rest is scored.",
                )
            work.record(counts.to_dict())
            if progress:
                progress(len(work.done), len(parts), sum(part["deals_read"] for part in work.done.values()))
    except (OSError, BrokenExecutor) as error:
        reason = reason_of(error) if isinstance(error, OSError) else f"a worker died ({error})"
        raise ArchiveError(
            f"rescoring stopped after {len(work.done)} of {counted(len(parts), 'part')}: {reason}",
            hint=f"What is done is kept in {work.folder}; when the cause is mended, resume=True goes on.",
        ) from None


def _read(file: Path) -> pl.DataFrame:
    return pl.read_parquet(file, glob=False)


def _labelled(
    conventions: str | Path | Convention | Sequence[str | Path | Convention],
) -> dict[str, Convention | None]:
    """Give conventions by name; `PLAYED` has none of its own."""
    several = one_or_several(conventions)
    if not several:
        raise ConventionError("no convention was given", hint='Give at least one, such as "sochi" or a TOML file.')
    labelled: dict[str, Convention | None] = {}
    for one in several:
        chosen = None if is_played(one) else resolve(one)
        label = chosen.name if chosen else PLAYED
        if label in labelled and labelled[label] != chosen:
            raise ConventionError(
                f"two conventions are named {label!r}",
                hint='Name one of them otherwise: a TOML file is named as the file, or by a line name = "..." in it.',
            )
        if Path(label).name != label or label.startswith(".") or label == "set-aside":
            raise ConventionError(f"{label!r} cannot name a folder", hint="Give the convention a plain name.")
        labelled[label] = chosen
    return labelled


def _run(tasks: Iterable[PartTask], executor: Executor | None, book: OutcomeBook) -> Iterator[PartCounts]:
    """Score parts, a few at a time, in the order in which they are done."""
    pool = ThreadPoolExecutor(2) if executor is None else nullcontext(executor)
    score = rescore_part if executor else partial(rescore_part, book=book)
    with pool as chosen:
        waiting: set[Future[PartCounts]] = set()
        left = iter(tasks)
        at_once = getattr(chosen, "_max_workers", 8)
        try:
            while True:
                while len(waiting) < at_once and (task := next(left, None)) is not None:
                    waiting.add(chosen.submit(score, task))
                if not waiting:
                    return
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        except KeyboardInterrupt:
            # What has begun is brought to an end and counted, so that a resumed run need not do it again.
            begun = [future for future in waiting if not future.cancel()]
            for future in wait(begun).done:
                yield future.result()
            raise
        finally:
            for future in waiting:
                future.cancel()


def _manifest(options: dict[str, Any], parts: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    """Add the counts of all parts up; for each convention, read = scored or applied + after the end + set aside."""
    conventions = {}
    for label in options["switches"]:
        every = [part["conventions"][label] for part in parts]
        summed = [key for key in (every[0] if every else {}) if key != "largest_win"]
        wins = [counts["largest_win"] for counts in every]
        conventions[label] = {
            **{key: sum(counts[key] for counts in every) for key in summed},
            "largest_win": max(wins, key=lambda win: win["whists"], default=None),
        }
    return {
        "prefdata": __version__,
        **options,
        "read": {key: sum(part[f"{key}_read"] for part in parts) for key in ("pulkas", "deals", "adjustments")},
        "conventions": conventions,
        "done": {part["part"]: part for part in parts},
        "seconds": round(seconds, 3),
        "complete": True,
    }
