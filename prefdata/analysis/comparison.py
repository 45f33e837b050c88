"""Comparison: the same deals under several conventions, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from prefdata.analysis._sources import ROLES, SOURCES, sum_by_source_and_role
from prefdata.archives import Archive, as_archive
from prefdata.conventions import Convention, one_or_several, resolve_russian
from prefdata.errors import ConventionError, warn_set_aside
from prefdata.failures import Failures
from prefdata.games import refuse_unless_russian
from prefdata.reports import Report, Section
from prefdata.russian.walk import DealCounts
from prefdata.scoring.scorer import LEFT_OUT, ScoredPart, walk_part
from prefdata.scoring.sheets import sheets_of
from prefdata.scoring.tidy import TidyPart, tidy_parts
from prefdata.settlement.settling import settle_checked, with_players
from prefdata.vocabulary import TWELFTHS

__all__ = ["ROLES", "SOURCES", "Comparison", "compare"]

_LABELS = {
    "open": "do not end",
    "mean_spread": "whists from first to last",
    "mean_absolute_difference": "mean difference",
    "winner_changed": "other winner",
}


@dataclass(frozen=True)
class Comparison(Report):
    """The same deals under several conventions; the first one is the base of all differences.

    Every pulka that all of the conventions can write is in it.

    Attributes
    ----------
    conventions
        Names of the conventions.
    results
        A row a pulka and seat: `pulka`, `players`, `bullet_limit`, `seat`, `player`; for each convention
        ``result_NAME`` (whists, exact in ``twelfths_NAME``) and ``rank_NAME``; for all but the first
        ``difference_NAME`` (whists).
    pulkas
        A row a pulka: `pulka`, `players`, `bullet_limit`; for each convention ``spread_NAME`` (whists between first
        and last), ``deals_NAME`` (scored), ``closed_NAME``; for all but the first ``winner_changed_NAME`` (nobody who
        is first under the base is first), ``rank_correlation_NAME`` (Spearman; null where all are equal under one of
        them) and ``end_NAME`` (`earlier`, `later`, `same`, `only base` or `only this` ends, `both open`).
    summary
        A row a convention: `pulkas`, `mean_spread`, `open`; and against the base `mean_absolute_difference`,
        `largest_difference` (whists a seat), `winner_changed`, `ends_earlier`, `ends_later`, `ends_only_here`,
        `ends_only_in_base` (shares of pulkas), `rank_correlation` (mean).
    ranks
        How ranks move: for each pair of conventions `first`, `second`, `players`, `rank_first`, `rank_second`, `seats`.
    sources
        Where results come from: `convention`, `source`, `role`, `seats`, `whists` (sum over all deals, exact in
        `twelfths`), `difference` (whists, against the base).  Over the roles of a source whists add up to zero.
    failures
        What was set aside.
    """

    conventions: tuple[str, ...]
    results: pl.DataFrame
    pulkas: pl.DataFrame
    summary: pl.DataFrame
    ranks: pl.DataFrame
    sources: pl.DataFrame
    failures: Failures

    @property
    def title(self) -> str:
        """What the report is about: the conventions."""
        return f"The same deals under {', '.join(self.conventions)}"

    def findings(self) -> tuple[str, ...]:
        """Say what each convention makes of the deals, and how that differs from the base."""
        told = []
        for row in self.summary.iter_rows(named=True):
            name = row["convention"]
            if not row["pulkas"]:
                told.append(f"{name}: 0 pulkas.")
                continue
            told.append(
                f"{name}: {row['pulkas']} pulkas, {row['open']:.1%} do not end, on average "
                f"{row['mean_spread']:.1f} whists between the first and the last."
            )
            if row["mean_absolute_difference"] is not None:
                told.append(
                    f"{name} against {self.conventions[0]}: a seat's result differs by "
                    f"{row['mean_absolute_difference']:.1f} whists on average and by {row['largest_difference']:.0f} "
                    f"at most; the winner changes in {row['winner_changed']:.1%} of pulkas; {row['ends_earlier']:.1%} "
                    f"end earlier, {row['ends_later']:.1%} later."
                )
        if len(self.failures):
            set_aside = self.failures.summary()
            told.append(f"{set_aside[0].upper()}{set_aside[1:]}.")
        return tuple(told)

    def sections(self) -> tuple[Section, ...]:
        """Give the tables: each convention, what differs from the base, and where whists come from."""
        alone = ("pulkas", "open", "mean_spread")
        against = [name for name in self.summary.columns if name not in ("convention", *alone)]
        gained = self.sources.group_by("convention", "source", maintain_order=True).agg(
            gained=pl.col("whists").filter(pl.col("whists") > 0).sum()
        )
        of_roles = self.sources.group_by("convention", "role", maintain_order=True).agg(pl.col("whists").sum())
        sources = gained.pivot("convention", index="source", values="gained")
        roles = of_roles.pivot("convention", index="role", values="whists")
        named = {name: name for name in self.conventions}
        return (
            Section(
                "The same deals under each convention",
                self.summary.select("convention", *alone),
                shares=("open",),
                labels=_LABELS,
            ),
            Section(
                f"Against {self.conventions[0]}: how results and ends move",
                self.summary[1:].select("convention", *against),
                decimals=2,
                shares=tuple(name for name in against if name.startswith(("winner", "ends"))),
                labels=_LABELS,
            ),
            Section("Whists that changed hands, by source", sources, decimals=0, labels=named),
            Section("Whists that each role won or lost, over all deals", roles, decimals=0, labels=named),
        )


def compare(
    archive: Archive | str | Path, conventions: str | Path | Convention | Sequence[str | Path | Convention]
) -> Comparison:
    """Score an archive under several conventions and compare what comes out.

    Parameters
    ----------
    archive
        The archive, or its folder; pulkas that break a rule, or that one of the conventions cannot write, are set aside
        with a `SetAsideWarning`.
    conventions
        At least two conventions, names or files; the first is the base of the differences.

    Raises
    ------
    ConventionError
        If there are fewer than two, or two of one name.

    Examples
    --------
    >>> from prefdata.archives import archive
    >>> from prefdata.examples import one_pulka, three_deals
    >>> comparison = compare(archive(one_pulka(), three_deals()), ["sochi", "rostov"])
    >>> comparison.results.select("seat", "twelfths_sochi", "twelfths_rostov", "rank_rostov").rows()
    [('a', 960, 1276, 1), ('b', -1368, -1424, 3), ('c', 408, 148, 2)]
    """
    archive = as_archive(archive)
    refuse_unless_russian(archive.game, "conventions are compared in")
    chosen = [resolve_russian(one) for one in one_or_several(conventions)]
    names = tuple(one.name for one in chosen)
    if len(set(names)) < 2 or len(set(names)) < len(names):
        raise ConventionError(
            f"cannot compare {', '.join(names) or 'nothing'}" + " with nothing else" * (len(names) == 1),
            hint="Give at least two conventions, of different names.",
        )
    sides = [_Side(one) for one in chosen]
    broken: list[Failures] = []
    for tidy in tidy_parts(archive):
        broken.append(tidy.failures)
        _add_part(tidy, sides)
    failures = Failures.gather([*broken, *(one for side in sides for one in side.failures)])
    if len(failures):
        warn_set_aside(f"{failures.summary()}; Comparison.failures lists them")
    sheets = {side.convention.name: side.sheets() for side in sides}
    results = _results({side.convention.name: side.settled() for side in sides})
    pulkas = _pulkas(sheets, results, names)
    return Comparison(
        conventions=names,
        results=results,
        pulkas=pulkas,
        summary=_summary(results, pulkas, names),
        ranks=_ranks(results, names),
        sources=_sources(sides),
        failures=failures,
    )


class _Side:
    """What comes out under one convention, gathered part by part."""

    def __init__(self, convention: Convention) -> None:
        self.convention = convention
        self.counts = DealCounts(convention)
        self.failures: list[Failures] = []
        self._sheets: list[pl.DataFrame] = []
        self._settled: list[pl.DataFrame] = []

    def add(self, scored: ScoredPart) -> None:
        sheets = sheets_of(scored)
        settled = settle_checked(with_players(sheets, scored.tidy.pulkas), self.convention.with_rounding("exact"))
        sizes = sheets.select("players", "bullet_limit")[np.repeat(np.arange(sheets.height), sheets["players"])]
        self._sheets.append(sheets.select("pulka", "players", "bullet_limit", "deals_scored", "closed"))
        self._settled.append(
            settled.select("pulka", "seat", "player", "result_twelfths", "result", "rank").hstack(sizes)
        )
        self.counts.add(scored.tidy, scored)

    def sheets(self) -> pl.DataFrame:
        """Give a row a pulka, sorted."""
        return pl.concat(self._sheets).sort("pulka")

    def settled(self) -> pl.DataFrame:
        """Give a row a pulka and seat, sorted."""
        return pl.concat(self._settled).sort("pulka", maintain_order=True)


def _add_part(tidy: TidyPart, sides: Sequence[_Side]) -> None:
    """Score a part under all conventions; a pulka that one of them cannot write is left out of all."""
    scored = [walk_part(tidy, side.convention) for side in sides]
    for side, one in zip(sides, scored, strict=True):
        side.failures.append(one.failures)
    unwritten = np.any([one.status != 0 for one in scored], axis=0)
    for side, one in zip(sides, scored, strict=True):
        one.status[unwritten & (one.status == 0)] = LEFT_OUT
        side.add(one)


def _results(settled: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """Put settlements of the same pulkas side by side: all of them are in one order."""
    base, *others = settled
    frame = settled[base].select("pulka", "players", "bullet_limit", "seat", "player")
    columns = [
        settled[name][column].alias(f"{label}_{name}")
        for name in settled
        for column, label in (("result_twelfths", "twelfths"), ("result", "result"), ("rank", "rank"))
    ]
    return frame.hstack(columns).with_columns(
        ((pl.col(f"twelfths_{name}") - pl.col(f"twelfths_{base}")) / TWELFTHS).alias(f"difference_{name}")
        for name in others
    )


def _pulkas(sheets: dict[str, pl.DataFrame], results: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    base, *others = names
    measured = results.group_by("pulka", maintain_order=True).agg(
        *(
            ((pl.col(f"twelfths_{name}").max() - pl.col(f"twelfths_{name}").min()) / TWELFTHS).alias(f"spread_{name}")
            for name in names
        ),
        *(
            (~((pl.col(f"rank_{base}") == 1) & (pl.col(f"rank_{name}") == 1)).any()).alias(f"winner_changed_{name}")
            for name in others
        ),
    )
    frame = sheets[base].select("pulka", "players", "bullet_limit").hstack(measured.drop("pulka"))
    for name in names:
        frame = frame.with_columns(
            sheets[name]["deals_scored"].alias(f"deals_{name}"), sheets[name]["closed"].alias(f"closed_{name}")
        )
    correlated = results.group_by("pulka", maintain_order=True).agg(
        pl.corr(f"twelfths_{base}", f"twelfths_{name}", method="spearman")
        .fill_nan(None)
        .alias(f"rank_correlation_{name}")
        for name in others
    )
    frame = frame.hstack(correlated.drop("pulka"))
    return frame.with_columns(_end(base, name).alias(f"end_{name}") for name in others)


def _end(base: str, name: str) -> pl.Expr:
    here, there = pl.col(f"closed_{name}"), pl.col(f"closed_{base}")
    deals_here, deals_there = pl.col(f"deals_{name}"), pl.col(f"deals_{base}")
    return (
        pl.when(~here & ~there)
        .then(pl.lit("both open"))
        .when(~here)
        .then(pl.lit("only base"))
        .when(~there)
        .then(pl.lit("only this"))
        .when(deals_here < deals_there)
        .then(pl.lit("earlier"))
        .when(deals_here > deals_there)
        .then(pl.lit("later"))
        .otherwise(pl.lit("same"))
    )


def _summary(results: pl.DataFrame, pulkas: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    rows = []
    for place, name in enumerate(names):
        row: dict[str, Any] = {
            "convention": name,
            "pulkas": pulkas.height,
            "mean_spread": pulkas[f"spread_{name}"].mean(),
            "open": (~pulkas[f"closed_{name}"]).mean(),
        }
        if place:
            difference, end = results[f"difference_{name}"].abs(), pulkas[f"end_{name}"]
            row |= {
                "mean_absolute_difference": difference.mean(),
                "largest_difference": difference.max(),
                "winner_changed": pulkas[f"winner_changed_{name}"].mean(),
                "rank_correlation": pulkas[f"rank_correlation_{name}"].mean(),
                "ends_earlier": (end == "earlier").mean(),
                "ends_later": (end == "later").mean(),
                "ends_only_here": (end == "only this").mean(),
                "ends_only_in_base": (end == "only base").mean(),
            }
        rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)


def _ranks(results: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    frames = [
        results.group_by("players", rank_first=f"rank_{first}", rank_second=f"rank_{second}")
        .agg(seats=pl.len())
        .select(pl.lit(first).alias("first"), pl.lit(second).alias("second"), pl.all())
        for first, second in combinations(names, 2)
    ]
    return pl.concat(frames).sort("first", "second", "players", "rank_first", "rank_second")


def _sources(sides: Sequence[_Side]) -> pl.DataFrame:
    frames = [
        sum_by_source_and_role(side.counts).select(pl.lit(side.convention.name).alias("convention"), pl.all())
        for side in sides
    ]
    base = frames[0].select("source", "role", base="twelfths")
    together = pl.concat(frames).join(base, on=["source", "role"], how="left", maintain_order="left")
    return together.with_columns(
        whists=pl.col("twelfths") / TWELFTHS, difference=(pl.col("twelfths") - pl.col("base").fill_null(0)) / TWELFTHS
    ).select("convention", "source", "role", "seats", "whists", "twelfths", "difference")
