"""Invariance: whether a game keeps its value in whists (Code 4.1.1), and where not, by how many whists and for whom."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from prefdata.analysis._shifts import measure, sum_by_cause, sum_by_player, sum_by_table, worth_of_points
from prefdata.archives import Archive, as_archive
from prefdata.conventions import Convention, resolve_russian
from prefdata.conventions.constancy import drifts, explain
from prefdata.errors import counted
from prefdata.reports import Report, Section
from prefdata.scoring.scorer import score

__all__ = ["Invariance", "invariance"]

_SHOWN = 10
"""Players that a report shows."""


@dataclass(frozen=True)
class Invariance(Report):
    """Whether a convention keeps the value of a game, and by how many whists the results of given deals show it.

    A *shift* is what a result has beyond the nominal one, which follows from the deals' nominal values: every bullet
    point at what it brings in its owner's bullet.  Shifts of a deal add up to zero, and those of its deals to a
    pulka's.  They are exact, whatever the convention's rounding; whists (Float64) stand beside ``*_twelfths`` (Int64).

    Attributes
    ----------
    convention
        The convention's name.
    is_constant
        Whether a game keeps its value, with each number of players in question.
    explanation
        A sentence for each number of players.
    points
        What one bullet point brings beyond its nominal value, a row a number of `players` and place where it can go
        (`cause`): ``help``; off the own mountain as one point, ``mountain``, or at its rate, ``exchange``; ``lost``;
        ``whists``.  `owner`, who made it (the helper); `helped`, null but for help; each `other` player; `keeps_value`;
        `rounded` (whether an entry's whists are rounded as a whole).
    pulkas
        A row a pulka and seat: `pulka`, `players`, `seat`, `player`, `nominal`, `result`, `shift` in whists, and the
        ranks `nominal_rank` and `rank`.  Adjustments count in both.
    deals
        A row a scored deal that shifts anything, `pulka`, `deal`, `players`: the bullet points that lost their value,
        ``help_points``, ``mountain_points``, ``lost_points``, ``whists_points`` (0 where such a place keeps it), and
        ``shift_a`` ... in whists.
    causes
        What each cause shifts in all deals: `players`, `cause`, `deals` that have it, `points`, and the whists of all
        `owner`, `helped` (null but for help) and `other` players.
    players
        `player` (the seat, where nobody is named), `pulkas`, `shift` in whists over all of them, and its `mean`.
    summary
        A row a number of `players`: `pulkas`, `pulkas_shifted`, `deals` shifted, `mean` and `largest` absolute shift of
        a seat in whists, `winner_changed` (pulkas in which nobody is first both by nominal and by real results).
    """

    convention: str
    is_constant: bool
    explanation: str
    points: pl.DataFrame
    pulkas: pl.DataFrame
    deals: pl.DataFrame
    causes: pl.DataFrame
    players: pl.DataFrame
    summary: pl.DataFrame

    @property
    def title(self) -> str:
        """What the report is about: the convention."""
        return f"The value of a game under {self.convention}"

    def findings(self) -> tuple[str, ...]:
        """Say whether a game keeps its value, and in how many pulkas results are shifted."""
        told = [line[0].upper() + line[1:] + "." for line in self.explanation.splitlines()]
        if self.summary.height:
            shifted = int(self.summary["pulkas_shifted"].sum())
            whole = counted(int(self.summary["pulkas"].sum()), "pulka")
            told.append(f"Results are shifted in {shifted} of {whole}, by {counted(self.deals.height, 'deal')}.")
        return tuple(told)

    def sections(self) -> tuple[Section, ...]:
        """Give the tables; empty ones are left out."""
        points = Section("Whists of one bullet point beyond its nominal value", _in_whists(self.points), decimals=3)
        sections = [points] if self.points.height else []
        if not self.deals.height:
            return tuple(sections)
        most = self.players.sort(pl.col("shift_twelfths").abs(), "player", descending=[True, False])
        whom = f"Whom it shifts most ({min(_SHOWN, most.height)} of {most.height})"
        return (
            *sections,
            Section("What shifts results, in whists of all deals", _in_whists(self.causes)),
            Section("Shifts of a seat's result, in whists", _in_whists(self.summary)),
            Section(whom, _in_whists(most.head(_SHOWN))),
        )


def _in_whists(frame: pl.DataFrame) -> pl.DataFrame:
    """Leave out what stands in twelfths beside the whists."""
    return frame.select(~pl.selectors.ends_with("_twelfths"))


def invariance(convention: str | Path | Convention, archive: Archive | str | Path | None = None) -> Invariance:
    """Tell whether a convention keeps the value of a game constant, and measure where it does not (Code 4.1.1).

    Parameters
    ----------
    convention
        A convention of the Russian game, its name or its file.
    archive
        Deals on which to measure it, or the folder of their archive; pulkas that break a rule, or that the convention
        cannot write, are set aside with a `SetAsideWarning`.

    Returns
    -------
    Invariance
        A `prefdata.analysis.Invariance`, whose help lists the columns of its frames: `is_constant` and its
        `explanation` in words; `points`, what a bullet point brings in each place beyond its nominal value; and of the
        archive's results what shifts them, by `pulkas`, `deals`, `causes`, `players` and in a `summary`.  `render`
        gives it as text, `to_html` as a page, and `save` writes it to a file.  Without an archive it is about all
        numbers of players, and the frames of results are empty.

    Raises
    ------
    ConventionError
        If the convention is of another game.

    Examples
    --------
    >>> from prefdata.conventions import convention
    >>> house = convention("sochi").replace(name="house", surplus="lost")
    >>> report = invariance(house)
    >>> report.is_constant
    False
    >>> report.points.filter(players=4).select("cause", "owner", "other").rows()
    [('help', 0.0, 0.0), ('lost', -7.5, 2.5)]
    """
    switches = resolve_russian(convention)
    shifts = measure([] if archive is None else score(as_archive(archive), switches, ledger=True))
    counts = tuple(sorted(shifts.pulkas["players"].unique())) or switches.players
    return Invariance(
        convention=switches.name,
        is_constant=not any(drifts(switches, players) for players in counts),
        explanation="\n".join(explain(switches, players) for players in counts),
        points=worth_of_points(switches, counts),
        pulkas=shifts.pulkas,
        deals=shifts.deals,
        causes=sum_by_cause(shifts.moved, switches, counts),
        players=sum_by_player(shifts.pulkas),
        summary=sum_by_table(shifts.pulkas, shifts.deals),
    )
