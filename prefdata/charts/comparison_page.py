"""A comparison with what explains it: one page with tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prefdata.analysis import Attribution, Comparison, attribute, compare
from prefdata.archives import Archive, as_archive
from prefdata.charts._theme import words_in
from prefdata.charts.attribution import attribution_waterfall
from prefdata.charts.comparison import difference_distribution, source_chart, winner_change_matrix
from prefdata.conventions import Convention, one_or_several
from prefdata.errors import ConventionError
from prefdata.reports import Report, Section, amount

__all__ = ["ComparisonPage", "build_report"]

_CAVEAT = (
    "The deals are taken as they were played. Under another convention the players would have bid, whisted and passed "
    "differently; the page shows what the arithmetic does to the same deals, not what they would have become."
)


@dataclass(frozen=True)
class ComparisonPage(Report):
    """A comparison with what explains it.

    Attributes
    ----------
    comparison
        The same deals under all conventions.
    attributions
        For each convention but the first, what each switch accounts for; left out where too many differ.
    charts
        The pictures by their headings, each open to changes before the page is made.
    """

    comparison: Comparison
    attributions: tuple[Attribution, ...]
    charts: dict[str, Any]

    @property
    def title(self) -> str:
        """What the page is about: the base convention and those compared with it."""
        base, *others = self.comparison.conventions
        return f"{base} against {', '.join(others)}: the same deals"

    def findings(self) -> tuple[str, ...]:
        """Say how results differ, what accounts for it, and what such a comparison cannot tell."""
        base = self.comparison.conventions[0]
        pulkas, deals = self.comparison.pulkas.height, int(self.comparison.pulkas[f"deals_{base}"].sum())
        return (
            *self.comparison.findings(),
            *(finding for attribution in self.attributions for finding in attribution.findings()),
            f"{amount(pulkas, 'pulka')}, {amount(deals, 'deal')} scored under {base}.",
            _CAVEAT,
        )

    def sections(self) -> tuple[Section, ...]:
        """Give the tables of the comparison, those of its attributions, and the pictures."""
        return (
            *self.comparison.sections(),
            *(section for attribution in self.attributions for section in attribution.sections()),
            *(Section(heading, picture=chart) for heading, chart in self.charts.items()),
        )


def build_report(
    archive: Archive | str | Path,
    conventions: str | Path | Convention | Sequence[str | Path | Convention],
    *,
    language: str = "en",
) -> ComparisonPage:
    """Compare conventions on an archive, attribute the differences, and draw them.

    Parameters
    ----------
    archive
        The archive, or its folder.
    conventions
        At least two; the first is the base.
    language
        Of the pictures' labels, ``en`` or ``ru``.

    Returns
    -------
    ComparisonPage
        The report.

    Raises
    ------
    ConventionError
        If there are fewer than two conventions, or two of one name.
    ChartError
        If the archive has no pulka that all of them can write.
    """
    words_in(language)
    archive, several = as_archive(archive), one_or_several(conventions)
    comparison = compare(archive, several)
    base, *others = several
    attributions = tuple(one for other in others if (one := _attribution(archive, base, other)) is not None)
    charts = {
        "How far results move": difference_distribution(comparison, language=language),
        "Who would have come first": winner_change_matrix(comparison, language=language),
        "Where the difference comes from": source_chart(comparison, language=language),
    }
    for attribution in attributions:
        heading = f"How high is played, from {attribution.first} to {attribution.second}"
        charts[heading] = attribution_waterfall(attribution, language=language)
    return ComparisonPage(comparison, attributions, charts)


def _attribution(
    archive: Archive, first: str | Path | Convention, second: str | Path | Convention
) -> Attribution | None:
    try:
        return attribute(archive, first, second)
    except ConventionError:  # they differ in too many switches
        return None
