"""The report of a comparison: one page with tables and pictures that needs nothing from outside."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import polars as pl

from prefdata.analysis._html import page, save_page, table
from prefdata.analysis.attribution import Attribution, attribute
from prefdata.analysis.comparison import Comparison, compare
from prefdata.archives import Archive
from prefdata.charts import attribution_waterfall, difference_distribution, source_chart, winner_change_matrix
from prefdata.conventions import Convention
from prefdata.errors import ConventionError

__all__ = ["Report", "build_report"]

_CAVEAT = (
    "The deals are taken as they were played. Under another convention the players would have bid, whisted and passed "
    "differently; the page shows what the arithmetic does to the same deals, not what they would have become."
)


@dataclass(frozen=True)
class Report:
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

    def to_html(self) -> str:
        """Make the page."""
        base, *others = self.comparison.conventions
        blocks = [f"<p>{escape(line.strip())}.</p>" for line in self.comparison.render().splitlines()]
        blocks += [f"<p><em>{escape(_CAVEAT)}</em></p>", *self.comparison.blocks()]
        for attribution in self.attributions:
            blocks += [
                f"<h2>From {escape(attribution.first)} to {escape(attribution.second)}, switch by switch</h2>",
                _switches(attribution),
                _pivot(attribution.roles, "role", f"Whists that each role gains or loses, {attribution.second}"),
                _pivot(attribution.players, "player", f"Whists that each player gains or loses, {attribution.second}"),
            ]
        for heading, chart in self.charts.items():
            blocks += [f"<h2>{escape(heading)}</h2>", f'<div class="wide">{_svg(chart)}</div>']
        pulkas, deals = self.comparison.pulkas.height, self.comparison.pulkas[f"deals_{base}"].sum()
        blocks.append(
            f"<footer>{pulkas:,} pulkas, {deals:,} deals scored under {escape(base)}. Made by prefdata.</footer>"
        )
        return page(f"{base} against {', '.join(others)}: the same deals", blocks)

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the page to a file, which must be new unless it is to be overwritten."""
        save_page(self.to_html(), path, overwrite=overwrite)


def build_report(archive: Archive, conventions: Sequence[str | Path | Convention], *, language: str = "en") -> Report:
    """Compare conventions on an archive, attribute the differences, and draw them.

    Parameters
    ----------
    archive
        The archive.
    conventions
        At least two; the first is the base.
    language
        Of the pictures' labels, ``en`` or ``ru``.
    """
    comparison = compare(archive, conventions)
    base, *others = conventions
    attributions = tuple(one for other in others if (one := _attribution(archive, base, other)) is not None)
    charts = {
        "How far results move": difference_distribution(comparison, language=language),
        "Who would have come first": winner_change_matrix(comparison, language=language),
        "Where the difference comes from": source_chart(comparison, language=language),
    }
    for attribution in attributions:
        heading = f"How high is played, from {attribution.first} to {attribution.second}"
        charts[heading] = attribution_waterfall(attribution, language=language)
    return Report(comparison, attributions, charts)


def _attribution(
    archive: Archive, first: str | Path | Convention, second: str | Path | Convention
) -> Attribution | None:
    try:
        return attribute(archive, first, second)
    except ConventionError:  # they differ in too many switches
        return None


def _switches(attribution: Attribution) -> str:
    changes = {
        group.name: "; ".join(f"{switch}: {old} → {new}" for switch, (old, new) in group.changes.items())
        for group in attribution.groups
    }
    rows = attribution.archive.select(
        switches=pl.col("group").replace({"all": "all together"}),
        change=pl.col("group").replace_strict(changes, default="", return_dtype=pl.String),
        whists="whists",
    )
    return table(rows, title="What each switch adds to the sum of all winnings, in whists", decimals=0)


def _pivot(frame: pl.DataFrame, key: str, title: str) -> str:
    wide = frame.pivot("group", index=key, values="whists", maintain_order=True).rename({"all": "all together"})
    return table(wide, title=title, decimals=0)


def _svg(chart: Any) -> str:
    drawn = io.StringIO()
    chart.save(drawn, format="svg")
    return drawn.getvalue()
