"""Results of players over time, and the standings."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import polars as pl

from prefdata.analysis.results import as_results
from prefdata.analysis.tournament import Standings
from prefdata.charts._frames import MOST_ROWS, for_chart, said
from prefdata.charts._theme import (
    GAIN,
    INK,
    LOSS,
    NEUTRAL,
    PALETTE,
    WIDTH,
    layered,
    sign_scale,
    text_title,
    themed,
    words_in,
    zero_axis,
)
from prefdata.doors import AnyFrame, as_kind, as_text, as_texts
from prefdata.errors import ChartError
from prefdata.language import Words

__all__ = ["results_over_time", "standings_chart"]

_PERIODS = {"day": "1d", "week": "1w", "month": "1mo", "quarter": "1q", "year": "1y"}
_HEIGHT = 420
_LABEL = 15
_FEW = 40
_DASHES = ([1, 0], [6, 3], [2, 2])


def results_over_time(
    results: AnyFrame,
    *,
    players: str | Sequence[str] | None = None,
    result: str = "result",
    language: str = "en",
) -> alt.LayerChart:
    """Draw the cumulative result of each player.

    Parameters
    ----------
    results
        A row a pulka and player: `pulka`, `player` and the result, such as `prefdata.analysis.players.pulka_results` or
        `prefdata.settle` give, under one convention.  With `played_on` the chart goes by days of play, or by weeks,
        months, quarters or years where there would be more than 5,000 rows; pulkas without a day are left out.
        Without it, it goes by the order of pulkas.
    players
        The players to draw, or one; all unless given.
    result
        Column of the results, whists.
    language
        ``en`` or ``ru``.

    Returns
    -------
    alt.LayerChart
        A line a player, with his name at its end.

    Raises
    ------
    ChartError
        If a column is missing, a player is unknown, or results are of several conventions.
    """
    words = words_in(language)
    result = as_text(result, "result", "the name of a column")
    frame = as_results(results, result, error=ChartError)
    chosen = _chosen(frame, None if players is None else as_texts(players, "players"), result)
    dated = "played_on" in chosen.columns and chosen["played_on"].null_count() < chosen.height
    frame, period = _by_period(chosen) if dated else (_by_pulka(chosen), "pulka_number")
    lines = for_chart(frame)
    last = lines.group_by("player", maintain_order=True).agg(pl.col("at", "whists").last())
    ends = last.sort("whists", "player", descending=[True, False])
    return themed(_lines(lines, ends, words(period), dated, words).properties(title=_time_title(ends, words)), words)


def _chosen(results: pl.DataFrame, players: Sequence[str] | None, result: str) -> pl.DataFrame:
    if "convention" in results.columns and results["convention"].n_unique() > 1:
        raise ChartError("results are of several conventions", hint="Filter one of them first.")
    if players is not None and not players:
        raise ChartError("players names nobody", hint="Name at least one, or leave it out.")
    named = results.drop_nulls(["player", result])
    known = named["player"].unique().sort().to_list()
    unknown = sorted(set(players or ()) - set(known))
    if unknown or not known:
        missing = ", ".join(unknown) or "anybody"
        raise ChartError(f"there are no results of {missing}", hint=f"Known are {', '.join(known) or 'none'}.")
    kept = named if players is None else named.filter(pl.col("player").is_in(list(players)))
    days = ["played_on"] if "played_on" in results.columns else []
    return kept.select("pulka", "player", *days, whists=pl.col(result).cast(pl.Float64))


def _cumulative(frame: pl.DataFrame) -> pl.DataFrame:
    """Add up by player and time."""
    sums = frame.group_by("player", "at").agg(pl.col("whists").sum()).sort("player", "at")
    return sums.with_columns(pl.col("whists").cum_sum().over("player"))


def _by_period(chosen: pl.DataFrame) -> tuple[pl.DataFrame, str]:
    dated = chosen.drop_nulls("played_on")
    days = _cumulative(dated.with_columns(at=pl.col("played_on").cast(pl.Date)))
    for period, every in _PERIODS.items():
        frame = days if period == "day" else _last_in(days, every)
        if frame.height <= MOST_ROWS:
            return frame, period
    return frame, "year"


def _last_in(days: pl.DataFrame, every: str) -> pl.DataFrame:
    """Keep what stood at the end of each period, on its last day of play."""
    period = pl.col("at").dt.truncate(every)
    return (
        days.group_by("player", period.alias("period"), maintain_order=True)
        .agg(pl.col("at", "whists").last())
        .drop("period")
    )


def _by_pulka(chosen: pl.DataFrame) -> pl.DataFrame:
    numbered = chosen.with_columns(number=pl.col("pulka").rank("dense").cast(pl.Int64))
    together = 1
    while (frame := _cumulative(numbered.with_columns(at=_last_of(pl.col("number"), together)))).height > MOST_ROWS:
        together *= 2
    return frame


def _last_of(number: pl.Expr, together: int) -> pl.Expr:
    """Name a group of pulkas by its last one."""
    return (((number - 1) // together + 1) * together).clip(upper_bound=number.max())


def _time_title(ends: pl.DataFrame, words: Words) -> alt.TitleParams:
    best, worst = ends.row(0, named=True), ends.row(-1, named=True)
    most, least = (words.number(row["whists"], sign=True) for row in (best, worst))
    if ends.height == 1:
        return text_title(words("time_title_one", best=best["player"], most=most))
    return text_title(words("time_title", best=best["player"], most=most, worst=worst["player"], least=least))


def _lines(lines: pl.DataFrame, ends: pl.DataFrame, when: str, dated: bool, words: Words) -> alt.LayerChart:
    players = sorted(ends["player"].to_list())
    colours = [PALETTE[place % len(PALETTE)] for place in range(len(players))]
    dashes = [_DASHES[place // len(PALETTE) % len(_DASHES)] for place in range(len(players))]
    kind = "T" if dated else "Q"
    x = alt.X(f"at:{kind}", axis=alt.Axis(title=when, grid=False, tickMinStep=alt.Undefined if dated else 1))
    colour = alt.Color("player:N", scale=alt.Scale(domain=players, range=colours), legend=None)
    y = alt.Y("whists:Q", axis=zero_axis(words("cumulative")))
    drawn = alt.Chart(lines, width=WIDTH, height=_HEIGHT).encode(x=x, y=y, color=colour)
    few = lines["at"].n_unique() <= _FEW
    curves = drawn.mark_line(strokeWidth=1.8, point=alt.OverlayMarkDef(size=25, opacity=1) if few else False).encode(
        strokeDash=alt.StrokeDash("player:N", scale=alt.Scale(domain=players, range=dashes), legend=None),
        tooltip=[
            alt.Tooltip("player:N", title=words("player")),
            alt.Tooltip(f"at:{kind}", title=when),
            alt.Tooltip("whists:Q", title=words("cumulative"), format="+,.0f"),
        ],
    )
    values = lines["whists"]
    named = _spread(ends, float(values.min() or 0), float(values.max() or 0))  # type: ignore[arg-type]
    labels = (
        alt.Chart(named.with_columns(at=pl.lit(lines["at"].max())))
        .mark_text(align="left", dx=8, fontSize=12, fontWeight="bold")
        .encode(x=x, y=alt.Y("label:Q"), text="player:N", color=colour)
    )
    return layered(curves, labels)


def _spread(ends: pl.DataFrame, least: float, most: float) -> pl.DataFrame:
    """Place the names at the ends of lines so that none covers another."""
    gap = (max(most, 0) - min(least, 0)) * _LABEL / _HEIGHT
    places: list[float] = []
    for value in ends["whists"]:
        places.append(min(value, places[-1] - gap) if places else value)
    lowest = min(least, 0)
    for number in range(len(places) - 1, -1, -1):
        floor = lowest if number == len(places) - 1 else places[number + 1] + gap
        places[number] = max(places[number], floor)
    return ends.select("player", "whists").with_columns(label=pl.Series(places, dtype=pl.Float64))


def standings_chart(standings: Standings, *, season: str | None = None, language: str = "en") -> alt.LayerChart:
    """Draw the standings of a season.

    Parameters
    ----------
    standings
        The standings.
    season
        The season; the last one unless given.
    language
        ``en`` or ``ru``.

    Returns
    -------
    alt.LayerChart
        A bar a player, in the order of places, below zero in another colour; those who were removed are grey and stand
        last.

    Raises
    ------
    ChartError
        If there is no such season.
    """
    words = words_in(language)
    as_kind(standings, "standings", Standings, hint="prefdata.analysis.standings gives them.")
    season = None if season is None else as_text(season, "season")
    known = standings.frame["season"].drop_nulls().unique().sort().to_list()
    wanted = season if season is not None else known[-1] if known else None
    table = standings.frame.filter(pl.col("season").eq_missing(pl.lit(wanted, dtype=pl.String)))
    if table.is_empty():
        raise ChartError(f"there is no season {season!r}", hint=f"There are {', '.join(known) or 'no seasons'}.")
    name = words("season", season=wanted) if wanted is not None else words("no_season")
    title = text_title(_standings_title(table, name, words), standings.points.title or standings.points.name)
    return themed(_table(table, words).properties(title=title), words)


def _points(value: float, words: Words) -> str:
    return words.number(value, 0 if round(value, 2) == round(value) else 1)


def _standings_title(table: pl.DataFrame, season: str, words: Words) -> str:
    ranked = table.filter(~pl.col("removed"))
    if ranked.is_empty():
        return words("standings_none", season=season)
    leader = ranked.row(0, named=True)
    said = {"season": season, "leader": leader["player"], "points": _points(leader["points"], words)}
    if ranked.height == 1:
        return words("standings_one", **said)
    second = ranked.row(1, named=True)
    said["second"] = second["player"]
    lead = leader["points"] - second["points"]
    return words("standings_title", **said, lead=_points(lead, words)) if lead else words("standings_tie", **said)


def _table(table: pl.DataFrame, words: Words) -> alt.LayerChart:
    decimals = 0 if (table["points"] == table["points"].round()).all() else 1
    signs = [words("ranked"), words("below_zero"), words("removed")]
    number = pl.when("removed").then(2).when(pl.col("points") < 0).then(1).otherwise(0)
    drawn = for_chart(
        table.select(
            *("player", "place", "pulkas", "points", "result"),
            status=number.replace_strict(dict(enumerate(signs)), return_dtype=pl.String),
            right=pl.max_horizontal("points", 0.0),
            said=said(table["points"], lambda value: words.number(value, decimals)),
        )
    )
    encoded = alt.Chart(drawn, width=WIDTH, height=alt.Step(26)).encode(
        y=alt.Y("player:N", sort=drawn["player"].to_list(), title=words("player"))
    )
    has_removed = bool(table["removed"].any())
    bars = encoded.mark_bar(size=18).encode(
        x=alt.X("points:Q", axis=zero_axis(words("points"))),
        color=alt.Color(
            "status:N",
            scale=sign_scale(signs, (GAIN, LOSS, NEUTRAL)),
            legend=alt.Legend(title=words("status")) if has_removed else None,
        ),
        tooltip=[
            alt.Tooltip("place:Q", title=words("place")),
            alt.Tooltip("pulkas:Q", title=words("pulkas")),
            alt.Tooltip("points:Q", title=words("points"), format=",.1f"),
            alt.Tooltip("result:Q", title=words("result"), format="+,.1f"),
        ],
    )
    texts = encoded.mark_text(align="left", dx=5, color=INK).encode(x="right:Q", text="said:N")
    return layered(bars, texts)
