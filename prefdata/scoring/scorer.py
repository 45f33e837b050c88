"""Walking the parts of an archive under conventions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from prefdata.archives import Archive
from prefdata.conventions import Convention, is_played, preset, resolve
from prefdata.errors import ConventionError, warn_set_aside
from prefdata.failures import Failures
from prefdata.game import Refusal
from prefdata.games import refuse_other_game
from prefdata.outcomes.walks import Written
from prefdata.scoring.tidy import TidyPart, set_aside, tidy_parts
from prefdata.vocabulary import LARGEST_ENTRY

__all__ = ["LEFT_OUT", "ScoredPart", "by_convention", "score", "walk_part"]

_TOO_LARGE = 1 << 4
"""Status of a pulka whose sheet cannot be settled exactly, beside those of the game."""

_OTHER_TABLE = 1 << 6
"""Status of a pulka at whose table the convention is not played."""

LEFT_OUT = 1 << 5
"""Status of a pulka that could be written but is left out, for a reason that is told elsewhere."""


def _refuse_table(convention: Convention) -> tuple[str, str]:
    return "players", f"{convention.name} is for {' or '.join(map(str, convention.players))} players"


def _refuse_size(convention: Convention) -> tuple[str, str]:
    return "pulka", f"every column of the sheet must be at most {LARGEST_ENTRY} under {convention.name}"


@dataclass(frozen=True)
class ScoredPart(Written):
    """What a walk wrote under one convention.

    Attributes
    ----------
    tidy
        What was walked.
    convention
        The convention.
    """

    tidy: TidyPart
    convention: Convention

    @property
    def failures(self) -> Failures:
        """The pulkas which this convention cannot write."""
        own = {_TOO_LARGE: _refuse_size, _OTHER_TABLE: _refuse_table}
        refusals: dict[int, Refusal] = {**self.tidy.game.refusals, **own}
        first = self.status & -self.status  # a pulka may have several, whose first tells enough
        bad = {status: first == status for status in refusals}
        return Failures.gather(
            set_aside(self.tidy, chosen, "pulka_can_be_written", *refusals[status](self.convention))
            for status, chosen in bad.items()
            if chosen.any()
        )


def walk_part(tidy: TidyPart, convention: Convention, *, ledger: bool = False) -> ScoredPart:
    """Walk the pulkas of a part under a convention of its game."""
    game, pulkas = tidy.game, tidy.pulkas.height
    kept = len(tidy.numbers) if ledger else 0
    fits = np.isin(tidy.pulkas["players"].to_numpy(), convention.players)
    scored = ScoredPart(
        sheets=np.zeros((len(game.entries) + len(game.states), pulkas), np.int64),
        closed=np.zeros(pulkas, np.bool_),
        deals_scored=np.zeros(pulkas, np.int64),
        status=np.where(fits, 0, _OTHER_TABLE).astype(np.int8),
        ledger=np.zeros((len(game.entries) + len(game.marks), kept), np.int32),
        scored=np.zeros(kept, np.bool_),
        tidy=tidy,
        convention=convention,
    )
    game.walk(tidy, convention, scored)
    entries = scored.sheets[: len(game.entries)]
    if entries.max(initial=0) > LARGEST_ENTRY or entries.min(initial=0) < -LARGEST_ENTRY:
        scored.status[(np.abs(entries) > LARGEST_ENTRY).any(axis=0)] |= _TOO_LARGE
    return scored


def score(archive: Archive, convention: str | Path | Convention, *, ledger: bool = False) -> Iterator[ScoredPart]:
    """Score an archive part by part; warns at the end if pulkas were set aside.

    Under ``played`` every part is given once for each convention that its pulkas were played under.
    """
    played = None if is_played(convention) else resolve(convention)
    failures = []
    if played is not None:
        refuse_other_game(played, archive.game, "the archive holds deals")
    for tidy in tidy_parts(archive):
        failures.append(tidy.failures)
        groups = [(tidy, played)] if played is not None else by_convention(tidy, failures)
        for group, of_group in groups:
            scored = walk_part(group, of_group, ledger=ledger)
            failures.append(scored.failures)
            yield scored
    _warn_of(Failures.gather(failures))


def by_convention(
    tidy: TidyPart, failures: list[Failures], known: Mapping[str, Convention] | None = None
) -> list[tuple[TidyPart, Convention]]:
    """Divide a part by the conventions that its pulkas were played under; unknown ones are added to `failures`."""
    names = tidy.pulkas["convention"]
    groups, unknown = [], {}
    for name in names.unique().sort():
        try:
            named = (known or {}).get(name) or preset(name)
            refuse_other_game(named, tidy.game, "the archive holds deals")
        except ConventionError as error:
            unknown[name] = error.what
        else:
            groups.append((tidy.only((names == name).to_numpy()), named))
    if unknown:
        failures.append(_of_unknown_convention(tidy, unknown))
    return groups


def _of_unknown_convention(tidy: TidyPart, reasons: Mapping[str, str]) -> Failures:
    """Set the pulkas aside whose convention is none, in one pass: there may be as many names as pulkas."""
    names = tidy.pulkas["convention"]
    chosen = names.is_in(list(reasons))
    failures = set_aside(tidy, chosen.to_numpy(), "convention_known", "convention", "")
    named = names.filter(chosen)
    by_name = failures.frame.with_columns(reason=named.replace_strict(reasons)).gather(named.arg_sort())
    return replace(failures, frame=by_name)


def _warn_of(failures: Failures) -> None:
    if len(failures):
        warn_set_aside(
            f"{failures.summary()}, the first in {failures.first()}; archive.check().failures lists rows that break a "
            "rule, prefdata.rescore writes down all reasons"
        )
