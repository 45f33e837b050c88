"""Seasons and their standings by tournament points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

import polars as pl

from prefdata.analysis._columns import COLUMNS
from prefdata.analysis.results import as_results
from prefdata.analysis.tournament_points import PointsSystem, points_system
from prefdata.doors import AnyFrame, as_list, as_text, told
from prefdata.errors import TableError
from prefdata.reports import Report, Section, listed, number
from prefdata.vocabulary import TWELFTHS

__all__ = ["Standings", "seasons", "standings"]


def seasons(starts: int | Sequence[date] = 9, *, column: str = "played_on") -> pl.Expr:
    """Name the season of a day of play.

    Parameters
    ----------
    starts
        The month in whose first day every season begins (September unless given), or the days on which seasons begin.
    column
        Column of the days.

    Returns
    -------
    pl.Expr
        String named `season`: ``2021/22`` for a season from September to August, ``2021`` for one from January to
        December, with given days the first day of the season; null without a day and before the first of them.

    Examples
    --------
    >>> days = pl.DataFrame({"played_on": [date(2021, 8, 31), date(2021, 9, 1), date(2022, 1, 5)]})
    >>> days.select(seasons()).to_series().to_list()
    ['2020/21', '2021/22', '2021/22']
    >>> days.select(seasons([date(2021, 9, 1), date(2022, 1, 1)])).to_series().to_list()
    [None, '2021-09-01', '2022-01-01']
    """
    day = pl.col(as_text(column, "column", "the name of a column"))
    if isinstance(starts, int):
        if isinstance(starts, bool) or not 1 <= starts <= 12:
            raise ValueError(f"starts is {starts}, not a month from 1 to 12")
        year = day.dt.year() - (day.dt.month() < starts).cast(pl.Int32)
        ends = ((year + 1) % 100).cast(pl.String).str.zfill(2)
        named = year.cast(pl.String) if starts == 1 else pl.concat_str(year.cast(pl.String), pl.lit("/"), ends)
        return pl.when(day.is_not_null()).then(named).alias("season")
    season = pl.lit(None, dtype=pl.String)
    days = as_list(starts, "starts", "a month, or days")
    if not all(isinstance(first, date) and not isinstance(first, datetime) for first in days):
        raise TypeError(f"starts is {told(starts)}, not a month from 1 to 12, or days")
    for first in sorted(days):
        season = pl.when(day >= first).then(pl.lit(first.isoformat())).otherwise(season)
    return season.alias("season")


@dataclass(frozen=True)
class Standings(Report):
    """Standings of every season.

    Attributes
    ----------
    points
        The system of points.
    frame
        A row a season and player, in order: `season`, `place` (by points, then by result; null after a removal),
        `player`, `pulkas`, `points`, `result` (whists), `firsts`, `in_plus` (pulkas), `removed`.
    rounds
        A row a pulka and player: `season`, `pulka`, `player`, `result` (whists), `rank`, `points`, `removed`.
    """

    points: PointsSystem
    frame: pl.DataFrame
    rounds: pl.DataFrame

    def only(self, season: str) -> Standings:
        """Keep the standings of one season.

        Raises
        ------
        TableError
            If there is no such season.
        """
        known = self.frame["season"].unique(maintain_order=True).drop_nulls().to_list()
        if not isinstance(season, str) or season not in known:
            raise TableError(f"there is no season {told(season)}", hint=f"Known are {', '.join(known) or 'none'}.")
        chosen = pl.col("season") == season
        return Standings(self.points, self.frame.filter(chosen), self.rounds.filter(chosen))

    @property
    def title(self) -> str:
        """What the report is about: the system of points."""
        return self.points.title or self.points.name

    def findings(self) -> tuple[str, ...]:
        """Say who is first in each season."""
        told = []
        for name, table in self._seasons():
            first = table.filter(pl.col("place") == 1)
            if first.height:
                told.append(
                    f"{name}: {listed(first['player'])} {'is' if first.height == 1 else 'are'} first, with "
                    f"{number(first['points'][0], 1)} points."
                )
            else:
                told.append(f"{name}: nobody has a place.")
        return tuple(told)

    def sections(self) -> tuple[Section, ...]:
        """Give the standings of each season."""
        return tuple(Section(name, table.drop("season")) for name, table in self._seasons())

    def render(self, season: str | None = None) -> str:
        """Write the standings as plain text: of every season, or of one."""
        return super().render() if season is None else self.only(season).render()

    def _seasons(self) -> list[tuple[str, pl.DataFrame]]:
        tables = self.frame.partition_by("season", maintain_order=True)
        names = [table["season"][0] for table in tables]
        return [
            ("Standings" if name is None else f"Season {name}", table)
            for name, table in zip(names, tables, strict=True)
        ]


def standings(
    results: AnyFrame,
    points: str | Path | PointsSystem,
    *,
    season: str | None = None,
    result: str = "result",
) -> Standings:
    """Rank players by tournament points.

    Parameters
    ----------
    results
        A row a pulka and player: `pulka`, `player` and the result, such as `pulka_results` or `prefdata.settle` give.
    points
        A system of points, its name or its file.
    season
        Column of the seasons, such as `seasons` makes it; without one all pulkas are one season.
    result
        Column of the results in whists, exact in twelfths; ``rounded`` for whole whists as they are paid.

    Returns
    -------
    Standings
        The report.  A player who was removed stands last, with his points but without a place.

    Raises
    ------
    TableError
        If a column is missing or a result is null.
    PointsError
        If there is no such system of points.

    Examples
    --------
    >>> results = pl.DataFrame({"pulka": [1, 1, 1], "player": ["A", "B", "C"], "result": [100, -40, -60]})
    >>> standings(results, "club-league").frame.select("place", "player", "points").rows()
    [(1, 'A', 4.0), (2, 'B', 1.0), (3, 'C', 0.0)]
    """
    system = points_system(points)
    season = None if season is None else as_text(season, "season", "the name of a column")
    results = as_results(results, as_text(result, "result", "the name of a column"), season=season)
    if results[result].null_count():
        raise TableError(f"{result} is null in some rows", hint="Leave them out, or take the exact result.")
    in_twelfths = (pl.col(result) * TWELFTHS).round().cast(pl.Int64)
    named_season = pl.col(season).cast(pl.String) if season else pl.lit(None, dtype=pl.String)
    scored = results.select("pulka", "player", season=named_season, twelfths=in_twelfths).with_columns(
        units=system.points_of("twelfths"),
        rank=pl.col("twelfths").rank("min", descending=True).over("pulka").cast(pl.Int64),
        removed=pl.lit(False) if system.floor is None else pl.col("twelfths") < system.floor * TWELFTHS,
    )
    named = scored.drop_nulls("player")
    exact = {"points": pl.col("units") / system.unit, "result": pl.col("twelfths") / TWELFTHS}
    rounds = named.with_columns(**exact).sort("season", "pulka", "rank", "player", nulls_last=True)
    return Standings(system, _ranked(named, system), rounds.select(*COLUMNS["rounds"]))


def _ranked(scored: pl.DataFrame, system: PointsSystem) -> pl.DataFrame:
    """Add up the points by season and player."""
    sums = scored.group_by("season", "player").agg(
        pl.col("units", "twelfths").sum(),
        pulkas=pl.len().cast(pl.Int64),
        firsts=(pl.col("rank") == 1).sum().cast(pl.Int64),
        in_plus=(pl.col("twelfths") > 0).sum().cast(pl.Int64),
        removed=pl.col("removed").any(),
    )
    order = pl.struct("units", "twelfths").rank("min", descending=True).over("season", "removed")
    return (
        sums.with_columns(
            place=pl.when(~pl.col("removed")).then(order.cast(pl.Int64)),
            points=pl.col("units") / system.unit,
            result=pl.col("twelfths") / TWELFTHS,
        )
        .sort("season", "place", "units", "player", descending=[False, False, True, False], nulls_last=True)
        .select(*COLUMNS["standings"])
    )
