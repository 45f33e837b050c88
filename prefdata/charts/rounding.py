"""Charts of a study of rounding rules."""

from __future__ import annotations

import altair as alt
import polars as pl

from prefdata.analysis.rounding_study import RoundingStudy
from prefdata.charts._frames import for_chart
from prefdata.charts._theme import (
    GAIN,
    INK,
    LOSS,
    NEUTRAL,
    WIDTH,
    layered,
    sign_scale,
    text_title,
    themed,
    words_in,
    zero_axis,
)
from prefdata.doors import as_kind, as_whole
from prefdata.errors import ChartError
from prefdata.language import Words
from prefdata.vocabulary import PLAYER_COUNTS

__all__ = ["rounding_error", "rounding_favours"]


def rounding_error(study: RoundingStudy, *, language: str = "en") -> alt.LayerChart:
    """Draw how far each rule's results lie from the exact ones.

    Parameters
    ----------
    study
        The study.  Where it tells numbers of players apart, so does the chart.
    language
        ``en`` or ``ru``.

    Returns
    -------
    alt.LayerChart
        Bars of the mean distance of a seat's result, points of the largest, by rule, the nearest first.
    """
    words = words_in(language)
    _refuse_no_study(study)
    keys = [key for key in study.by if key == "players"]
    pooled = study.regroup([]).distance.drop_nulls("mean").sort("mean", "rule")
    if pooled.is_empty():
        raise ChartError("the study has no settled sheets", hint="Study sheets that no rule of check_sheets refuses.")
    rules = [str(rule) for rule in pooled["rule"]]
    frame = study.regroup(keys).distance.drop_nulls("mean")
    if not keys:
        frame = frame.with_columns(players=pl.lit(0))
    drawn = for_chart(frame.select(*("players", "rule", "mean", "largest", "changed", "settled")))
    strays = [rule for rule in rules if rule != "exact"] or rules
    note = words("distance_note", sheets=words.number(study.sheets), convention=study.convention)
    title = words("distance_title_one", best=strays[0])
    if len(strays) > 1:
        means = dict(zip(rules, pooled["mean"], strict=True))
        best, worst = (
            _together([r for r in strays if means[r] == means[end]], words) for end in (strays[0], strays[-1])
        )
        title = words("distance_title", best=best, worst=worst)
    return themed(_distances(drawn, rules, bool(keys), words).properties(title=text_title(title, note)), words)


def _refuse_no_study(study: object) -> None:
    as_kind(study, "study", RoundingStudy, hint="prefdata.analysis.study_rounding gives one.")


def _together(rules: list[str], words: Words) -> str:
    """Name rules that are equal."""
    return words("and", one=", ".join(rules[:-1]), other=rules[-1]) if len(rules) > 1 else rules[0]


def _distances(drawn: pl.DataFrame, rules: list[str], by_players: bool, words: Words) -> alt.LayerChart:
    step = 17 * max(1, drawn["players"].n_unique()) + 10
    encoded = alt.Chart(drawn, width=WIDTH - 40, height=alt.Step(step, **{"for": "position"})).encode(
        y=alt.Y("rule:N", sort=rules, title=words("rule")),
        color=alt.Color("players:N", title=words("players")) if by_players else alt.value(GAIN),
        tooltip=[
            alt.Tooltip("rule:N", title=words("rule")),
            alt.Tooltip("mean:Q", title=words("mean_of_seats"), format=".3f"),
            alt.Tooltip("largest:Q", title=words("largest"), format=".3f"),
        ],
    )
    if by_players:
        encoded = encoded.encode(yOffset="players:N")
    bars = encoded.mark_bar(height=alt.RelativeBandSize(0.85)).encode(
        x=alt.X("mean:Q", axis=zero_axis(words("distance")))
    )
    points = encoded.mark_point(filled=True, size=50, opacity=1, stroke=INK, strokeWidth=0.5).encode(x="largest:Q")
    return layered(bars, points)


def rounding_favours(
    study: RoundingStudy, *, players: int | None = None, columns: int = 3, language: str = "en"
) -> alt.FacetChart:
    """Draw whom each rule favours: the mean gain over the exact result with its interval.

    Parameters
    ----------
    study
        The study.
    players
        Sheets of so many players only; all together unless given.
    columns
        How many rules stand side by side.
    language
        ``en`` or ``ru``.

    Returns
    -------
    alt.FacetChart
        A panel for each rule but ``exact``.  Intervals that leave zero out are blue above it and red below it.

    Raises
    ------
    ChartError
        If the study has no such sheets.
    """
    words = words_in(language)
    _refuse_no_study(study)
    columns = as_whole(columns, "columns", 1)
    players = None if players is None else as_whole(players, "players")
    favours = study.regroup([]).favours
    if players is not None:
        if "players" not in study.by:
            raise ChartError("the study does not tell numbers of players apart", hint='Study with by=["players"].')
        favours = study.regroup(["players"]).favours.filter(
            pl.col("players").is_in([size for size in PLAYER_COUNTS if size == players])
        )
    favours = favours.filter(pl.col("rule").cast(pl.String) != "exact")
    if favours.is_empty():
        raise ChartError("the study has no such sheets or rules", hint="Ask for other players, or study more rules.")
    named = favours.with_columns(
        who=pl.Series([_who(group, words) for group in favours["group"].cast(pl.String)]),
        sign=pl.when(pl.col("low") > 0).then(1).when(pl.col("high") < 0).then(-1).otherwise(0),
    )
    return themed(_favours(named, columns, words).properties(title=_favours_title(study, named, players, words)), words)


def _who(group: str, words: Words) -> str:
    return words("seat", seat=group.removeprefix("seat_")) if group.startswith("seat_") else words(group)


def _favours_title(study: RoundingStudy, named: pl.DataFrame, players: int | None, words: Words) -> alt.TitleParams:
    clear = named.filter(pl.col("sign") > 0, pl.col("group").cast(pl.String) != "moved").sort(
        "gain", "rule", descending=[True, False]
    )
    title = words("favours_title_none")
    if clear.height:
        most = clear.row(0, named=True)
        title = words(
            "favours_title", rule=most["rule"], group=most["who"], gain=words.number(most["gain"], 2, sign=True)
        )
    counted = named["sheets"].max()
    note = words(
        "favours_note",
        sheets=words.number(float(counted or 0)),  # type: ignore[arg-type]
        convention=study.convention,
        players="" if players is None else f", {words('of_players', players=players).lower()}",
    )
    return text_title(title, note)


def _favours(named: pl.DataFrame, columns: int, words: Words) -> alt.FacetChart:
    groups = named.sort("group")["who"].unique(maintain_order=True).to_list()
    rules = [str(rule) for rule in named.sort("rule")["rule"].unique(maintain_order=True)]
    signs = {-1: words("less"), 0: words("equal"), 1: words("more")}
    drawn = for_chart(
        named.select(
            *("rule", "who", "gain", "low", "high", "sheets"),
            sign=pl.col("sign").replace_strict(signs, return_dtype=pl.String),
        )
    )
    encoded = alt.Chart(width=180, height=190).encode(
        y=alt.Y("who:N", sort=groups, title=None),
        color=alt.Color("sign:N", scale=sign_scale(list(signs.values()), (LOSS, NEUTRAL, GAIN)), legend=None),
    )
    intervals = encoded.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", axis=zero_axis(None, tickCount=4), scale=alt.Scale(padding=10)), x2="high:Q"
    )
    points = encoded.mark_point(filled=True, size=55, opacity=1).encode(
        x="gain:Q",
        tooltip=[
            alt.Tooltip("rule:N", title=words("rule")),
            alt.Tooltip("who:N", title=words("group")),
            alt.Tooltip("gain:Q", title=words("gain"), format="+.3f"),
        ],
    )
    facet = alt.Facet("rule:N", sort=rules, title=words("gain"), header=alt.Header(titleOrient="bottom"))
    return layered(intervals, points, data=drawn).facet(facet=facet, columns=columns)
