"""What a reader understood of a file, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from prefdata.archives import Archive
from prefdata.conventions import Convention
from prefdata.errors import counted
from prefdata.failures import Failures
from prefdata.reports import Report, Section, listed

__all__ = [
    "NOTE_SCHEMA",
    "PLACE",
    "REFUSED_SCHEMA",
    "Format",
    "Imported",
    "Options",
    "Records",
    "note_rows",
    "refused_rows",
]

PLACE = "place in the file"
"""Column of the tables of a reader: the row of the file that a row comes from, counted from 1 as people see it.

In a file without rows, such as JSON, records are counted in the order in which they stand."""

NOTE_SCHEMA = pl.Schema(
    {"row": pl.UInt32, "column": pl.String, "stood": pl.String, "taken": pl.String, "why": pl.String}
)
"""Columns of what was put right: where it stood, what stood there, what it was taken for, and why."""

REFUSED_SCHEMA = pl.Schema(
    {"row": pl.UInt32, "pulka": pl.Int64, "rule": pl.String, "value": pl.String, "reason": pl.String}
)
"""Columns of what was not understood: where it stood, which rule it broke, what stood there, and what must hold."""

_SHOWN = 20
"""How many rows of a list a report shows."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a file leaves open, and how strictly it is read.

    Attributes
    ----------
    columns
        For the file's own headings, the columns that they stand for.
    players
        Names of the players in seat order, where the file does not name them.
    bullet_limit, convention
        The limit and the convention, where the file does not tell them.
    first_dealer
        The seat that dealt first, where the file does not tell it; the deal goes round clockwise.
    repair
        Whether what is known to be left over, such as a fourth seat's data beside three players, is cleared.
    strict
        Whether what could be put right is set aside instead.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    players: Sequence[str] = ()
    bullet_limit: int | None = None
    convention: str | None = None
    first_dealer: str | None = None
    repair: bool = False
    strict: bool = False


@dataclass(frozen=True, kw_only=True)
class Records:
    """What a reader understood of a file.

    Attributes
    ----------
    pulkas, deals, adjustments, sheets
        Tables, with words as texts; each has `PLACE` beside its columns.  A file of sheets has no deals; a file may
        hold recorded sheets beside them.
    notes
        What was put right, with the columns of `NOTE_SCHEMA`.
    refused
        Rows that were not understood: `row`, `pulka` (null where that is not known), `rule`, `value`, `reason`.  Their
        pulkas are set aside as a whole, which is not the reader's work.
    rows
        How many rows of the file hold records.
    ignored
        Headings of columns, or other parts of the file, that are not read.
    conventions
        Conventions that the file itself describes, as its pulkas name them.
    """

    pulkas: pl.DataFrame | None = None
    deals: pl.DataFrame | None = None
    adjustments: pl.DataFrame | None = None
    sheets: pl.DataFrame | None = None
    notes: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=NOTE_SCHEMA))
    refused: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=REFUSED_SCHEMA))
    rows: int = 0
    ignored: tuple[str, ...] = ()
    conventions: tuple[Convention, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format of files.

    Attributes
    ----------
    name, title
        Its name for options, and in words.
    endings
        How names of such files end.
    is_recognised
        Tells from a file's content whether it is of this format.
    read
        Reads a file.
    """

    name: str
    title: str
    endings: tuple[str, ...]
    is_recognised: Callable[[Path], bool]
    read: Callable[[Path, Options], Records]


def note_rows(rows: pl.DataFrame, column: str, stood: pl.Expr, taken: pl.Expr | str, why: str) -> pl.DataFrame:
    """List what was put right in some rows, in the form of `Records.notes`."""
    as_taken = pl.lit(taken) if isinstance(taken, str) else taken.cast(pl.String)
    return rows.select(
        row=pl.col(PLACE).cast(pl.UInt32),
        column=pl.lit(column),
        stood=stood.cast(pl.String),
        taken=as_taken,
        why=pl.lit(why),
    )


def refused_rows(rows: pl.DataFrame, rule: str, value: pl.Expr, reason: str) -> pl.DataFrame:
    """List rows that were not understood, in the form of `Records.refused`."""
    key = pl.col("pulka").cast(pl.Int64, strict=False) if "pulka" in rows.columns else pl.lit(None, dtype=pl.Int64)
    return rows.select(
        row=pl.col(PLACE).cast(pl.UInt32),
        pulka=key,
        rule=pl.lit(rule),
        value=value.cast(pl.String),
        reason=pl.lit(reason),
    )


@dataclass(frozen=True)
class Imported(Report):
    """A file that was read.

    Attributes
    ----------
    file
        The file.
    format
        The format that it was read as.
    archive
        The good pulkas with their deals; None of a file that holds sheets without deals.
    sheets
        The good sheets, as `prefdata.settle` takes them; None if there are none.  Beside deals, they are what the file
        records of the pulkas in `archive`, which holds them too, for `prefdata.audit`.
    failures
        What was set aside, with its row in the file.
    notes
        What was put right: `row`, `column`, `stood`, `taken`, `why`.
    rows, good
        How many rows of the file hold records, and how many of these are in `archive` or `sheets`.
    ignored
        Headings of columns, or other parts of the file, that are not read.
    conventions
        Conventions that the file itself describes, as pulkas of the archive name them.
    """

    file: Path
    format: Format
    archive: Archive | None
    sheets: pl.DataFrame | None
    failures: Failures
    notes: pl.DataFrame
    rows: int
    good: int
    ignored: tuple[str, ...] = ()
    conventions: tuple[Convention, ...] = ()

    @property
    def title(self) -> str:
        """What was read."""
        return f"{self.file}, read as {self.format.title}"

    def findings(self) -> tuple[str, ...]:
        """Say how many rows were read, set aside and put right."""
        aside = self.rows - self.good
        said = [f"{counted(self.rows, 'row')} read: {self.good} good, {aside} set aside."]
        if self.notes.height:
            said.append(f"{counted(self.notes.height, 'value')} put right, see the notes.")
        if self.ignored:
            said.append(f"Not read: {listed(self.ignored)}.")
        return tuple(said)

    def sections(self) -> tuple[Section, ...]:
        """Show the first of what was set aside, and what was put right by its reason."""
        found = []
        if len(self.failures):
            columns = ["row", "pulka", "deal", "value", "reason"]
            listed_rows = self.failures.frame.select(columns).sort("row", maintain_order=True)
            known = [name for name in columns if listed_rows[name].null_count() < listed_rows.height]
            rest = listed_rows.height - _SHOWN
            sentences = (f"And {counted(rest, 'reason')} more.",) if rest > 0 else ()
            found.append(Section("Set aside", listed_rows.select(known).head(_SHOWN), sentences))
        if self.notes.height:
            found.append(Section("Put right", _by_reason(self.notes)))
        return tuple(found)


def _by_reason(notes: pl.DataFrame) -> pl.DataFrame:
    """Count the notes of each reason, with the first row and what stood there."""
    return (
        notes.group_by("column", "why", maintain_order=True)
        .agg(
            values=pl.len(),
            first_row=pl.col("row").first(),
            stood=pl.col("stood").first(),
            taken=pl.col("taken").first(),
        )
        .select("column", "values", "first_row", "stood", "taken", "why")
    )
