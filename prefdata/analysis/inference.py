"""Inference: which convention the recorded sheets of an archive were written under."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from prefdata.analysis._fits import Fit, Fits
from prefdata.analysis._search import alternatives, search
from prefdata.archives import Archive, as_archive
from prefdata.conventions import Convention, save_convention
from prefdata.conventions.neighbours import as_line, changed, known_values, near_values, presets_of, switches_tried
from prefdata.doors import as_function, as_whole
from prefdata.errors import ArchiveError
from prefdata.explain.beside import Beside, put_beside, put_together, recorded_sheets, without_deals
from prefdata.failures import Failures
from prefdata.reports import Report, Section, amount, listed, number
from prefdata.scoring.tidy import tidy_parts

__all__ = ["Inference", "infer"]

_SEARCHED = 2000
"""Sheets that the search looks at unless it is told otherwise."""

_SHOWN = 50
"""Sheets that differ and are shown one by one."""

_NAMED = 8
"""Switches that are named in a sentence."""

_NAME = "inferred"

_AROUND = 150
"""About how many conventions there are around one."""

_FITS = {
    "convention": pl.String,
    "differ": pl.Int64,
    "columns": pl.Int64,
    "points": pl.Float64,
    "same_sheets": pl.Boolean,
}
_SWITCHES = {"switch": pl.String, "taken": pl.String, "fits_too": pl.String, "excluded": pl.String}
_REMAINING = {"pulka": pl.Int64, "columns": pl.Int64, "points": pl.Float64}

_Progress = Callable[[int, int, int], None]


@dataclass(frozen=True)
class Inference(Report):
    """The convention that recorded sheets were written under, as far as they tell.

    Attributes
    ----------
    convention
        What fits best: a preset, or one with some switches changed, which is named ``inferred``.
    base
        The preset that is nearest to it.
    fits
        The presets, and the best where it is none of them, closest first: `convention`, `differ` (sheets that differ or
        cannot be written, of those searched), `columns` (entries that differ, over all), `points` (by how much, over
        all), `same_sheets` (whether it writes what the best one writes).
    undecided
        A row for each switch that the sheets leave open: `switch`, the value `taken`, the tried values that write the
        same sheets (`fits_too`), and those that do not (`excluded`).
    remaining
        All recorded sheets that differ even so: `pulka`, `columns` (entries that differ), `points` (by how much).
    searched, sheets
        How many sheets the search looked at, and how many there are.
    failures
        The pulkas and the sheets that were set aside.
    """

    convention: Convention
    base: Convention
    fits: pl.DataFrame
    undecided: pl.DataFrame
    remaining: pl.DataFrame
    searched: int
    sheets: int
    failures: Failures

    @property
    def title(self) -> str:
        """What is asked."""
        return "The convention that the recorded sheets were written under"

    def findings(self) -> tuple[str, ...]:
        """Say what fits best and how well, what else fits, and what the sheets leave open."""
        lines = [as_line(switch, value) for switch, (value, _) in self.convention.diff(self.base).items()]
        best = f"{self.base.name} with {listed(lines)}" if lines else self.base.name
        same = self.sheets - self.remaining.height
        told = [f"{best} writes {number(same)} of {amount(self.sheets, 'recorded sheet')}."]
        if self.searched < self.sheets:
            told.append(f"The search looked at {number(self.searched)} of them; what it found was held against all.")
        equal = self.fits.filter(pl.col("same_sheets"))["convention"]
        equal = equal.filter(equal != self.convention.name)
        if len(equal):
            told.append(f"The same sheets come from {listed(equal)}.")
        left = self.undecided["switch"]
        if len(left):
            named = listed(left) if len(left) <= _NAMED else f"{number(len(left))} switches"
            told.append(f"These sheets leave open, in some of their values: {named}.")
        if len(self.failures):
            told.append(f"{self.failures.summary()}, the first in {self.failures.first()}.".capitalize())
        return tuple(told)

    def sections(self) -> tuple[Section, ...]:
        """Give how well the presets fit, what the sheets leave open, and the sheets that differ even so."""
        fits = self.fits.with_columns(same_sheets=pl.when("same_sheets").then(pl.lit("yes")).otherwise(pl.lit("")))
        left = self.remaining.height - _SHOWN
        more = (f"{amount(left, 'more sheet')} differ; Inference.remaining has all.",) if left > 0 else ()
        every = (
            Section(f"How well conventions fit {amount(self.searched, 'sheet')}", fits, decimals=None),
            Section("Switches that the sheets leave open, of the values that were tried", self.undecided),
            Section("Sheets that differ even so", self.remaining.head(_SHOWN), decimals=None, sentences=more),
        )
        return tuple(section for section in every if section.frame is not None and section.frame.height)

    def save_convention(self, path: str | Path) -> None:
        """Write the convention to a new TOML file, by whose name results will be labelled.

        Raises
        ------
        TargetExistsError
            If there is a file already.
        ConventionError
            If it cannot be written there.
        """
        name = Path(path).stem if self.convention.name == _NAME else self.convention.name
        save_convention(self.convention.replace(name=name), path)


def infer(
    archive: Archive | str | Path, *, most_sheets: int = _SEARCHED, progress: _Progress | None = None
) -> Inference:
    """Find the convention under which the recorded sheets of an archive follow from its deals.

    All presets are tried, then every switch in its named values, in those of the presets, in near ones and in the
    numbers that the differences ask for, as long as that comes closer; where no single switch does, two are changed at
    once.  The fewest sheets that differ fit best, so that slips of the pencil in some sheets do no harm.

    One convention is looked for.  Of an archive with several, choose: ``infer(archive.only(convention="house"))``.

    Parameters
    ----------
    archive
        The archive, or its folder, with recorded `sheets`.  What a sheet leaves empty is not compared.
    most_sheets
        How many sheets are searched, evenly chosen from all.
    progress
        Told (conventions tried, about how many there will be, deals looked at).

    Returns
    -------
    Inference
        A report, with the `Convention` and with what the sheets leave open.

    Raises
    ------
    ArchiveError
        If the archive has no recorded sheets, or none of a pulka that can be scored.

    Examples
    --------
    >>> from prefdata.archives import archive
    >>> from prefdata.examples import one_pulka, three_deals
    >>> from prefdata.scoring.sheets import sheets
    >>> written = sheets(archive(one_pulka(), three_deals()), "leningrad")
    >>> found = infer(archive(one_pulka(), three_deals(), sheets=written))
    >>> found.convention.name, found.remaining.height
    ('leningrad', 0)
    """
    archive = as_archive(archive)
    as_whole(most_sheets, "most_sheets", 1)
    if progress is not None:
        as_function(progress, "progress")
    recorded = recorded_sheets(archive)
    sides, failures = _sides(archive, recorded)
    if not sides:
        raise ArchiveError(
            f"{archive.path or 'the archive'} has no recorded sheet of a pulka that can be scored",
            hint="archive.check() tells what is wrong with its deals; the keys of sheets are those of pulkas.",
        )
    (every,) = sides
    searched = _evenly(every, most_sheets)
    fits = Fits(searched, _telling(progress, len(searched.tidy.numbers)))
    best = search(fits)
    base, convention = _named(best)
    return Inference(
        convention=convention,
        base=base,
        fits=_presets_and_best(fits, best, convention),
        undecided=_undecided(fits, best),
        remaining=_remaining(every, best.convention),
        searched=len(searched.sheets),
        sheets=len(every.sheets),
        failures=failures,
    )


def _sides(archive: Archive, recorded: pl.DataFrame) -> tuple[list[Beside], Failures]:
    """Put the recorded sheets beside their deals, under a convention that can write all pulkas, or else most."""
    tidies = list(tidy_parts(archive))
    most: list[tuple[Beside, list[Failures]]] = []
    for base in _bases(archive.game.name):
        if most and base not in presets_of(archive.game.name):
            break
        found = [put_beside(tidy, base, recorded) for tidy in tidies]
        if _sheets(found) > _sheets(most):
            most = found
        if not any(len(failures[0]) for _, failures in found):
            break
    failures = [*(tidy.failures for tidy in tidies), *(one for _, several in most for one in several)]
    here = pl.concat([pl.Series("pulka", [], dtype=pl.Int64), *(tidy.pulkas["pulka"] for tidy in tidies)])
    failures.append(without_deals(recorded, here, failures))
    return put_together([side for side, _ in most]), Failures.gather(failures)


def _bases(game: str) -> Iterator[Convention]:
    """Go through the presets, then through what a change of one switch makes of the first of them."""
    presets = presets_of(game)
    yield from presets
    for switch in switches_tried(presets[0]):
        for value in (*known_values(presets[0], switch), *near_values(presets[0], switch)):
            other = changed(presets[0], **{switch: value})
            if other is not None:
                yield other


def _sheets(found: Iterable[tuple[Beside, Any]]) -> int:
    return sum(len(side.sheets) for side, _ in found)


def _evenly(every: Beside, most_sheets: int) -> Beside:
    """Choose as many sheets, evenly from all."""
    count = len(every.sheets)
    chosen = np.zeros(count, np.bool_)
    chosen[np.linspace(0, count - 1, min(count, most_sheets)).astype(np.int64)] = True
    return every.only(chosen)


def _telling(progress: _Progress | None, deals: int) -> Callable[[int], None] | None:
    """Tell of conventions tried; nobody knows how many there will be, only about how many there are around one."""
    if progress is None:
        return None
    return lambda tried: progress(tried, -(-(tried + 1) // _AROUND) * _AROUND, tried * deals)


def _named(best: Fit) -> tuple[Convention, Convention]:
    """Give the preset nearest to a convention, and the convention under a name of its own unless it is that preset."""
    base = min(presets_of(best.convention.game), key=lambda one: len(one.diff(best.convention)))
    if not base.diff(best.convention):
        return base, base
    return base, best.convention.replace(name=_NAME, title="")


def _presets_and_best(fits: Fits, best: Fit, convention: Convention) -> pl.DataFrame:
    """List how well the presets fit, and the best."""
    rows = [(fits.fit(preset).convention.name, fits.fit(preset)) for preset in presets_of(convention.game)]
    if convention.name == _NAME:
        rows.insert(0, (_NAME, best))
    rows.sort(key=lambda row: row[1].closeness())
    return pl.DataFrame(
        [(name, fit.pulkas, fit.columns, fit.points, fit.sheets == best.sheets) for name, fit in rows],
        schema=_FITS,
        orient="row",
    )


def _undecided(fits: Fits, best: Fit) -> pl.DataFrame:
    """List the switches of which several values write the same sheets."""
    same: dict[tuple[str, ...], list[str]] = {}
    other: dict[tuple[str, ...], list[str]] = {}
    for change, fit in alternatives(fits, best):
        switches = tuple(switch for switch, _ in change)
        kind = same if fit.sheets == best.sheets else other
        kind.setdefault(switches, []).append(_values(change))
    rows = []
    for switches, values in same.items():
        taken = _values([(switch, getattr(best.convention, switch)) for switch in switches])
        rows.append((" and ".join(switches), taken, ", ".join(values), ", ".join(other.get(switches, []))))
    return pl.DataFrame(rows, schema=_SWITCHES, orient="row")


def _values(change: Iterable[tuple[str, Any]]) -> str:
    """Write the values of switches as a TOML file has them."""
    return " and ".join(as_line(switch, value).removeprefix(f"{switch} = ") for switch, value in change)


def _remaining(every: Beside, convention: Convention) -> pl.DataFrame:
    """List the sheets of all that a convention does not write."""
    missing = Fits(every).missing(convention)
    differs = (missing != 0).any(axis=1)
    return pl.DataFrame(
        {
            "pulka": every.sheets["pulka"].filter(pl.Series(differs)),
            "columns": np.count_nonzero(missing[differs], axis=1),
            "points": np.abs(missing[differs]).sum(axis=1),
        },
        schema=_REMAINING,
    )
