"""Rescoring one part: the task that runs anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import polars as pl

from prefdata.archives import Archive, TableFrame, open_archive
from prefdata.conventions import Convention
from prefdata.failures import Failures
from prefdata.files import new_file
from prefdata.game import Game
from prefdata.outcomes.numbering import OutcomeBook
from prefdata.rescoring._freezing import changes_since_frozen
from prefdata.rescoring._target import Described, described, part_file
from prefdata.scoring.ledger import ledger_of
from prefdata.scoring.scorer import ScoredPart, by_convention, walk_part
from prefdata.scoring.sheets import sheets_of
from prefdata.scoring.tidy import TidyPart, tidy_part
from prefdata.settlement.settling import SETTLEMENT_SCHEMA, settle_checked, with_players

__all__ = ["PartCounts", "PartTask", "rescore_part"]


@dataclass(frozen=True)
class PartTask:
    """One part to rescore, as plain data.

    Attributes
    ----------
    archive, part
        Folder of the archive, and name of the part.
    out
        Folder to write into.
    switches
        Conventions by name, as `Convention.to_dict` gives them; None for the one that each pulka was played under.
    rounding, ledger
        Options of `rescore`.
    run
        Something that is different for each call of `rescore`: the archive is opened once in a run and process.
    """

    archive: str
    part: str
    out: str
    switches: Mapping[str, Mapping[str, Any] | None]
    rounding: str | None
    ledger: bool
    run: str


@dataclass(frozen=True)
class PartCounts:
    """What a part held and what became of it, as plain data; files by their paths in the archive and in the result."""

    part: str
    pulkas_read: int
    deals_read: int
    adjustments_read: int
    failures: int
    first_failure: str
    conventions: dict[str, dict[str, Any]]
    inputs: Described
    files: Described

    def to_dict(self) -> dict[str, Any]:
        """Give the counts as a dictionary."""
        return asdict(self)


def rescore_part(task: PartTask, book: OutcomeBook | None = None) -> PartCounts:
    """Score one part under all conventions and write the results, each file whole or not at all.

    Tasks in one process may share a book, so that outcomes which other parts have too are scored once.
    """
    whole = _opened(task.archive, task.run)
    part = next(part for part in whole.parts if part.name == task.part)
    inputs = described(Path(task.archive), part.files, part.hash_of)
    tidy = tidy_part(whole, part, book or whole.game.book())
    out, name = Path(task.out), part_file(task.part)
    failures = [tidy.failures]
    counts, written = {}, [out / "set-aside" / name]
    for label, switches in task.switches.items():
        of_label = [tidy.failures]
        scored = _scored(tidy, switches, task, of_label)
        counts[label], sheets = _write(out / label, name, scored, whole.game, task)
        if label == whole.frozen:
            keys = part.pulkas.read(part.pulkas.typed().select("pulka"))["pulka"]
            counts[label] |= changes_since_frozen(whole, sheets, keys)
        written += [out / label / table / name for table in _tables(task)]
        aside = Failures.gather(of_label)
        counts[label] |= {
            "pulkas_set_aside": aside.pulka_rows,
            "deals_set_aside": aside.deals,
            "adjustments_set_aside": aside.adjustments,
        }
        failures += of_label[1:]
    every = Failures.gather(failures)
    set_aside = every.frame.select("pulka", "deal", "rule", "reason", "value", "file", "row")
    _write_parquet(set_aside, out / "set-aside" / name)
    return PartCounts(
        part=task.part,
        pulkas_read=_rows(part.pulkas),
        deals_read=_rows(part.deals),
        adjustments_read=_rows(part.adjustments) if part.adjustments else 0,
        failures=len(every),
        first_failure=every.first(),
        conventions=counts,
        inputs=inputs,
        files=described(out, written),
    )


def _tables(task: PartTask) -> list[str]:
    return ["sheets", "settlements", *(["ledger"] if task.ledger else [])]


def _rows(table: TableFrame) -> int:
    return int(table.read(table.raw.select(pl.len())).item())


@lru_cache(maxsize=4)
def _opened(archive: str, run: str) -> Archive:
    """Open an archive once for all the tasks of a run."""
    return open_archive(archive)


def _scored(
    tidy: TidyPart, switches: Mapping[str, Any] | None, task: PartTask, failures: list[Failures]
) -> list[ScoredPart]:
    """Walk a part, in groups where each pulka is scored as it was played; adds what cannot be scored to `failures`."""
    known = {name: Convention.from_dict(given) for name, given in task.switches.items() if given is not None}
    groups = by_convention(tidy, failures, known) if switches is None else [(tidy, Convention.from_dict(switches))]
    scored = [walk_part(group, convention, ledger=task.ledger) for group, convention in groups]
    failures += [one.failures for one in scored]
    return scored


def _write(
    folder: Path, name: str, scored: list[ScoredPart], game: Game, task: PartTask
) -> tuple[dict[str, Any], pl.DataFrame]:
    """Write sheets, settlements and perhaps the ledger of one convention; gives their counts, and the sheets."""
    sheets, settlements, ledgers = [], [], []
    applied = late = 0
    for one in scored:
        convention = one.convention.with_rounding(task.rounding)
        frame = sheets_of(one)
        sheets.append(frame)
        written, after_end = _adjustments(one, frame)
        applied, late = applied + written, late + after_end
        settlements.append(settle_checked(with_players(frame, one.tidy.pulkas), convention))
        if task.ledger:
            ledgers.append(ledger_of(one))
    all_sheets = pl.concat([pl.DataFrame(schema=game.sheet_schema), *sheets]).sort("pulka")
    all_settlements = pl.concat([pl.DataFrame(schema=SETTLEMENT_SCHEMA), *settlements])
    all_settlements = all_settlements.sort("pulka", maintain_order=True)
    _write_parquet(all_sheets, folder / "sheets" / name)
    _write_parquet(all_settlements, folder / "settlements" / name)
    if task.ledger:
        ledger = pl.concat([pl.DataFrame(schema=game.ledger_schema), *ledgers]).sort("pulka", "deal")
        _write_parquet(ledger, folder / "ledger" / name)
    counts = {**_counts(all_sheets, all_settlements), "adjustments_applied": applied, "adjustments_after_end": late}
    return counts, all_sheets


def _adjustments(scored: ScoredPart, sheets: pl.DataFrame) -> tuple[int, int]:
    """Count the adjustments that were applied, and those that follow a deal after their pulka's end (rules §8)."""
    if scored.tidy.adjustments.is_empty():
        return 0, 0
    ends = scored.tidy.adjustments.join(sheets.select("pulka", "deals_scored"), on="pulka")
    late = int((ends["deal"] > ends["deals_scored"]).sum())
    return ends.height - late, late


def _counts(sheets: pl.DataFrame, settlements: pl.DataFrame) -> dict[str, Any]:
    whists = pl.col("rounded").cast(pl.Float64).fill_null(pl.col("result"))  # a fraction stays where none was rounded
    by_win = ["whists", "result_twelfths", "pulka"]
    best = settlements.with_columns(whists=whists).sort(by_win, descending=[True, True, False]).head(1)
    win = best.row(0, named=True) if best.height else {}
    return {
        "pulkas_scored": sheets.height,
        "pulkas_open": int((~sheets["closed"]).sum()),
        "deals_scored": int(sheets["deals_scored"].sum()),
        "deals_after_end": int(sheets["deals_after_end"].sum()),
        "sum_of_results_twelfths": int(settlements["result_twelfths"].sum()),
        "sum_of_rounded": int(settlements["rounded"].sum()),
        "results_not_rounded": int(settlements["rounded"].null_count()),
        "largest_win": {
            "whists": win.get("whists", 0.0),
            "pulka": win.get("pulka"),
            "seat": win.get("seat"),
            "player": win.get("player"),
        },
    }


def _write_parquet(frame: pl.DataFrame, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with new_file(file, overwrite=True) as beside:
        frame.write_parquet(beside)
