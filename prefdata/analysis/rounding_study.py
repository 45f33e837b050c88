"""The rounding study: what the rules that round results (rules §7) do to the same sheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import polars as pl

from prefdata.analysis._rounding_frames import KEYS, StudyFrames, study_frames
from prefdata.analysis._rounding_sums import RoundingSums, add_up
from prefdata.analysis._rounding_text import say_fractions, study_sections
from prefdata.conventions import PLAYED, Convention, is_played, preset, resolve_russian
from prefdata.doors import AnyFrame, as_texts
from prefdata.errors import ConventionError, counted, warn_set_aside
from prefdata.failures import Failures
from prefdata.reports import Report, Section
from prefdata.settlement.rounding import ROUNDING_RULES
from prefdata.settlement.settling import as_pulkas, played_under, with_players
from prefdata.settlement.sheet_rules import as_sheets, check_sheets

__all__ = ["RoundingStudy", "study_rounding"]

_DEFAULT = Convention(name="default")


@dataclass(frozen=True)
class RoundingStudy(StudyFrames, Report):
    """What each rounding rule does to the same sheets.

    Every frame begins with the columns of `by`, most go on with `rule`; rows are sorted.  Counts are of sheets (Int64);
    a column in twelfths of a whist is exact.  Money is known where a sheet has a stake, and null elsewhere.

    Attributes
    ----------
    convention
        Name of the convention that the sheets were settled under.
    rules
        The rules that were studied.
    by
        Keys of the frames: `players` and `bullet_limit`, one of them, or none.
    sheets, set_aside
        Number of sheets studied, and of those left out since they break a rule of `check_sheets`.
    fractions
        `sheets`; `with_fractions`, whose totals have fractions, with their `share` and its 95 % interval `share_low`,
        `share_high` (Wilson); which fraction all totals carry (above the whole number below): `one_third`,
        `two_thirds`, `halves`, or `other`, where they carry different or smaller ones.
    distance
        `settled` sheets and their `seats`; distance of the rounded results from the exact ones: its sum
        `distance_twelfths`, its `mean` over seats, the `largest` (whists, with `largest_twelfths`), `mean_money` and
        `largest_money`; sheets `changed`, and of those without fractions `changed_whole`; the residue, which the
        rounded results add up to: `residues` (sheets that have one) and `largest_residue` (whists).
    favours
        `group` (winner and loser by the exact result, largest and smallest mountain after carrying the bullets, the
        seats, the player whose mountain a rule moved); `sheets` where there is such a player; mean `gain` over the
        exact result in whists, its `standard_error` and 95 % interval `low`, `high` (normal, from 30 sheets on);
        `gain_money`.  Those who share a place count with their mean, so that a sheet is one observation.
    breaks
        `settled` sheets and those that are `not_whole`, which the rule leaves with fractions (under ``exact`` they
        are settled as they are, under others not at all); of the settled: `not_zero_sum`; `order` changed, by
        `ties_made`, `ties_broken`, `swaps`; `sign` of a result changed (0 is a sign of its own), `sign_reversed`.
    owner
        For ``code``, by `owner` (a choice of `code_owner`) and the `point` moved: `sheets`; mean `gain` of the owner
        over his exact result; `value`, the mean distance between what the owner gains and what he would if another
        were chosen; their sums in twelfths; sheets where ranks differ `ranks_from_exact`, `ranks_from_convention` (the
        choice of the convention) and `ranks_contested`, between any two choices of a seat.
    amnesty
        `sheets`; how many the rule would settle `otherwise` if mountains were not lowered by the smallest first, with
        their `share`; `otherwise_ranks`, the sheets whose ranks differ, and the largest difference of a result,
        `largest` (whists, with `largest_twelfths`).
    sums
        The integer sums from which the frames are made.
    """

    convention: str
    sheets: int
    set_aside: int
    sums: RoundingSums

    @property
    def title(self) -> str:
        """What the report is about: the convention, and how many sheets."""
        left_out = f"; {counted(self.set_aside, 'sheet')} left out" if self.set_aside else ""
        return f"Rounding under {self.convention}: {counted(self.sheets, 'sheet')}{left_out}"

    def regroup(self, by: str | Sequence[str]) -> RoundingStudy:
        """Give the same study by other keys, without settling anew.

        >>> study = study_rounding(_three_sheets())
        >>> study.regroup([]).fractions.select("sheets", "with_fractions").row(0)
        (3, 2)
        """
        return _study(self.convention, self.rules, _as_keys(by), self.set_aside, self.sums)

    def findings(self) -> tuple[str, ...]:
        """Say how many sheets have totals with fractions, so that a rule has anything to do."""
        return say_fractions(self._by_players()) if self.sheets else ()

    def sections(self) -> tuple[Section, ...]:
        """Give tables by number of players, each with what its figures say."""
        return study_sections(self._by_players()) if self.sheets else ()

    def _by_players(self) -> RoundingStudy:
        kept = [key for key in self.by if key == "players"]
        return self if list(self.by) == kept else self.regroup(kept)


def study_rounding(
    sheets: AnyFrame,
    convention: str | Path | Convention = _DEFAULT,
    *,
    rules: str | Sequence[str] | None = None,
    pulkas: AnyFrame | None = None,
    by: str | Sequence[str] = KEYS,
) -> RoundingStudy:
    """Study all rounding rules on the same sheets (rules §7).

    Parameters
    ----------
    sheets
        Sheets, scored or recorded, as for `settle`; `stake` is taken where it is.
    convention
        A convention, its name or its file, of which the rounding is replaced; ``played`` takes the one in each pulka's
        row.  The default switches, those of Sochi, unless given.
    rules
        The rules to study, or one; all unless given.
    pulkas
        A pulkas table from which stakes (money per whist) are taken.
    by
        Keys of the frames: `players`, `bullet_limit`, both or none.

    Returns
    -------
    RoundingStudy
        The study, see there for its frames.

    Raises
    ------
    TableError
        If a column is missing.
    ConventionError
        If there is no such rule.

    Warns
    -----
    SetAsideWarning
        If sheets break a rule, see `check_sheets`; they are left out.

    Examples
    --------
    >>> study = study_rounding(_three_sheets(), rules=["code", "nearest"])
    >>> study.fractions.select("players", "bullet_limit", "sheets", "one_third", "two_thirds").row(0)
    (3, 20, 3, 1, 1)
    >>> study.distance.select("rule", "distance_twelfths", "largest_twelfths", "changed").rows()
    [('code', 32, 8, 2), ('nearest', 32, 8, 2)]
    """
    named = tuple(dict.fromkeys(ROUNDING_RULES if rules is None else as_texts(rules, "rules")))
    if not named:
        raise ConventionError("rules names no rule to study", hint=f"There are {', '.join(ROUNDING_RULES)}.")
    by, recorded = _as_keys(by), as_sheets(sheets)
    beside = None if pulkas is None else as_pulkas(pulkas)
    sums, failures = [], []
    for part, switches in _parts(recorded, convention, beside):
        good, failed = check_sheets(part, switches)
        under = {rule: switches.replace(name=rule, rounding=rule) for rule in named}
        sums.append(add_up(with_players(good, beside), switches, under))
        failures.append(failed)
    broken = Failures(pl.concat(failed.frame for failed in failures)) if failures else Failures.gather([])
    if len(broken):
        warn_set_aside(f"{broken.summary()}; check_sheets lists the rows")
    together = RoundingSums(
        *(
            pl.concat([getattr(each, frame) for each in sums], how="diagonal_relaxed")
            for frame in ("sheets", "rules", "owners")
        )
    )
    name = PLAYED if is_played(convention) else resolve_russian(convention).name
    set_aside = recorded.height - int(together.sheets["sheets"].sum())
    return _study(name, named, by, set_aside, together)


def _parts(
    sheets: pl.DataFrame, convention: str | Path | Convention, pulkas: pl.LazyFrame | None
) -> Iterator[tuple[pl.DataFrame, Convention]]:
    """Go through the sheets by the convention that they are settled under."""
    if not is_played(convention):
        yield sheets, resolve_russian(convention)
        return
    groups = played_under(sheets, pulkas)
    if not sheets.height:
        yield sheets, _DEFAULT
    for name, group in groups.items():
        yield group, resolve_russian(preset(name))


def _as_keys(by: str | Sequence[str]) -> list[str]:
    """Take keys of the frames."""
    keys = as_texts(by, "by")
    if not set(keys) <= set(KEYS):
        raise ValueError(f"by takes {' and '.join(KEYS)}, not {keys}")
    return keys


def _study(
    convention: str, rules: tuple[str, ...], by: Sequence[str], set_aside: int, sums: RoundingSums
) -> RoundingStudy:
    frames = study_frames(sums, rules, by)
    return RoundingStudy(
        **{field.name: getattr(frames, field.name) for field in fields(frames)},
        convention=convention,
        sheets=int(sums.sheets["sheets"].sum()),
        set_aside=set_aside,
        sums=sums,
    )


def _three_sheets() -> pl.DataFrame:
    """Three sheets of three players whose mountains leave no fraction, one third and two thirds."""
    whists = {f"whists_{writer}{on}": [0, 0, 0] for writer, on in ("ab", "ac", "ba", "bc", "ca", "cb")}
    mountains = {"mountain_a": [3, 4, 5], "mountain_b": [9, 9, 9], "mountain_c": [0, 0, 0]}
    return pl.DataFrame({"pulka": [1, 2, 3], "players": [3, 3, 3], "bullet_limit": [20, 20, 20], **mountains, **whists})
