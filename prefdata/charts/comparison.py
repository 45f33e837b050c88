"""Charts of a comparison of conventions."""

from __future__ import annotations

from math import ceil, log10
from typing import Any

import altair as alt
import polars as pl

from prefdata.analysis.comparison import ROLES, Comparison
from prefdata.charts._frames import for_chart, said
from prefdata.charts._theme import INK, PALETTE, WIDTH, layered, sign_scale, text_title, themed, words_in, zero_axis
from prefdata.doors import as_kind, as_number, as_text, as_whole
from prefdata.errors import ChartError
from prefdata.language import Words
from prefdata.vocabulary import PLAYER_COUNTS

__all__ = ["difference_distribution", "source_chart", "winner_change_matrix"]

_BARS = 90


def difference_distribution(comparison: Comparison, *, bar: float | None = None, language: str = "en") -> alt.Chart:
    """Draw how far the results of a seat lie from those under the base convention.

    Parameters
    ----------
    comparison
        The comparison.
    bar
        Width of a bar in whists; some ninety bars unless given.  The middle one is centred on no difference.
    language
        ``en`` or ``ru``.

    Returns
    -------
    alt.Chart
        A row of bars for each convention but the base, shares of all results.
    """
    words = words_in(language)
    base, *others = _as_comparison(comparison).conventions
    _refuse_empty(comparison)
    if bar is not None and as_number(bar, "bar") <= 0:
        raise ValueError(f"bar is {bar}, not a width above 0")
    named = {name: f"difference_{name}" for name in others}
    width = bar or max(1.0, _nice(2 * _reach(comparison.results.select(named.values())) / _BARS))
    moved = {name: _mean(comparison.results[column].abs()) for name, column in named.items()}
    panels = {name: _difference_panel(comparison, name, words) for name in others}
    frame = pl.concat(_bars(comparison.results[column], width, panels[name]) for name, column in named.items())
    signs = [words("less"), words("equal"), words("more")]
    drawn = for_chart(frame.with_columns(sign=pl.col("sign").replace_strict(dict(zip((-1, 0, 1), signs, strict=True)))))
    most = max(moved, key=lambda name: moved[name])
    title = text_title(
        words("difference_title", base=base, name=most, mean=words.number(moved[most], 1)),
        words("difference_note", width=words.number(width, 0 if width >= 1 else 2)),
    )
    bars = alt.Chart(drawn, title=title, width=WIDTH, height=150 if len(others) > 1 else 280).mark_bar()
    chart: alt.Chart = bars.encode(
        x=alt.X("start:Q", axis=zero_axis(words("difference"))),
        x2="end:Q",
        y=alt.Y("share:Q", axis=alt.Axis(title=words("share_of_seats"), format="%", tickCount=4)),
        y2=alt.datum(0),
        color=alt.Color("sign:N", scale=sign_scale(signs), legend=alt.Legend(title=words("sign"))),
        row=_panels(list(panels.values())),
        tooltip=[
            alt.Tooltip("start:Q", title=words("difference"), format=","),
            alt.Tooltip("seats:Q", title=words("seats"), format=","),
            alt.Tooltip("share:Q", title=words("share_of_seats"), format=".1%"),
        ],
    )
    return themed(chart, words)


def _panels(order: list[str]) -> alt.Row:
    """Draw a panel for each convention, one below the other."""
    return alt.Row("convention:N", sort=order, header=alt.Header(title=None, orient="top", labelAnchor="start"))


def _as_comparison(comparison: Comparison) -> Comparison:
    return as_kind(comparison, "comparison", Comparison, hint="prefdata.compare gives one.")


def _refuse_empty(comparison: Comparison) -> None:
    if not comparison.results.height:
        raise ChartError(
            "the comparison has no pulkas", hint="Look at Comparison.failures, or compare another archive."
        )


def _reach(differences: pl.DataFrame) -> float:
    """Tell how far most bars go: all but the farthest of a thousand results."""
    sizes = differences.select(pl.all().abs())
    reach = sizes.select(pl.all().quantile(0.999)).max_horizontal().item() or sizes.max().max_horizontal().item()
    return float(reach or 1)


def _nice(width: float) -> float:
    """Round the width of a bar up to 1, 2 or 5 times a power of ten.

    >>> _nice(23.1), _nice(0.02)
    (50.0, 0.02)
    """
    power = 10.0 ** (ceil(log10(width)) - 1)
    return float(next(round(step * power, 10) for step in (1, 2, 5, 10) if step * power >= width * (1 - 1e-9)))


def _bars(difference: pl.Series, width: float, panel: str) -> pl.DataFrame:
    frame = pl.DataFrame({"number": (difference / width + 0.5).floor().cast(pl.Int64)})
    counted = frame.group_by("number").agg(seats=pl.len()).sort("number")
    return counted.select(
        convention=pl.lit(panel),
        start=(pl.col("number") - 0.5) * width,
        end=(pl.col("number") + 0.5) * width,
        sign=pl.col("number").sign(),
        seats="seats",
        share=pl.col("seats") / frame.height,
    )


def _difference_panel(comparison: Comparison, name: str, words: Words) -> str:
    distance = comparison.results[f"difference_{name}"].abs()
    largest = words.number(_largest(distance))
    return words("difference_panel", name=name, mean=words.number(_mean(distance), 1), largest=largest)


def _mean(values: pl.Series) -> float:
    return float(values.mean() or 0)  # type: ignore[arg-type]


def _largest(values: pl.Series) -> float:
    return float(values.max() or 0)  # type: ignore[arg-type]


def winner_change_matrix(
    comparison: Comparison,
    *,
    first: str | None = None,
    second: str | None = None,
    players: int | None = None,
    language: str = "en",
) -> alt.LayerChart | alt.FacetChart:
    """Draw how ranks move from one convention to another.

    Parameters
    ----------
    comparison
        The comparison.
    first
        Convention of the rows, the base unless given.
    second
        Convention of the columns, all others unless given.
    players
        Pulkas of so many players only.
    language
        ``en`` or ``ru``.

    Returns
    -------
    alt.LayerChart or alt.FacetChart
        For each convention and number of players a heat map: of the results with a rank under the first convention,
        the shares with each rank under the second.  Where there are several, their size is that of ``chart.spec``.
    """
    words = words_in(language)
    base = _as_comparison(comparison).conventions[0]
    base = base if first is None else as_text(first, "first")
    others = (
        [name for name in comparison.conventions if name != base] if second is None else [as_text(second, "second")]
    )
    players = None if players is None else as_whole(players, "players")
    for name in (base, *others):
        if name not in comparison.conventions:
            raise ChartError(f"{name} was not compared", hint=f"There are {', '.join(comparison.conventions)}.")
    moved = pl.concat(_moves(comparison, base, name) for name in others)
    if players is not None:
        moved = moved.filter(pl.col("players").is_in([size for size in PLAYER_COUNTS if size == players]))
    if moved.is_empty():
        raise ChartError("there are no such pulkas in the comparison", hint="Leave players out.")
    drawn = for_chart(
        moved.with_columns(
            table=said(moved["players"], lambda number: words("of_players", players=number)),
            under=said(moved["convention"], lambda name: words("rank_under", name=name)),
        )
    )
    matrix: alt.LayerChart | alt.FacetChart = _matrix(drawn, base, others, words)
    matrix.title = _ranks_title(drawn, base, others, words)
    return themed(matrix, words)


def _moves(comparison: Comparison, first: str, second: str) -> pl.DataFrame:
    """Count results by both ranks, and their shares of those with one rank under the first."""
    keys = ["players", "before", "after"]
    counted = comparison.results.group_by(
        "players", before=pl.col(f"rank_{first}"), after=pl.col(f"rank_{second}")
    ).agg(seats=pl.len())
    return counted.sort(keys).select(
        pl.lit(second).alias("convention"),
        *keys,
        "seats",
        share=pl.col("seats") / pl.col("seats").sum().over("players", "before"),
    )


def _matrix(drawn: pl.DataFrame, first: str, others: list[str], words: Words) -> alt.LayerChart | alt.FacetChart:
    axis = alt.Axis(labelAngle=0, grid=False, ticks=False, domain=False)
    one = len(others) == 1
    encoded = alt.Chart(width=380 if one else 230, height=240 if one else 190).encode(
        x=alt.X("after:O", title=words("rank_under", name=others[0]) if one else None, axis=axis),
        y=alt.Y("before:O", title=words("rank_under", name=first), axis=axis),
    )
    cells = encoded.mark_rect(stroke="white", strokeWidth=2).encode(
        color=alt.Color(
            "share:Q",
            scale=alt.Scale(domain=[0, 1]),
            legend=alt.Legend(title=words("share_of_row"), format="%", gradientLength=160),
        ),
        tooltip=[
            alt.Tooltip("seats:Q", title=words("seats"), format=","),
            alt.Tooltip("share:Q", title=words("share_of_row"), format=".1%"),
        ],
    )
    dark = alt.datum.share > 0.78
    shares = encoded.mark_text(fontSize=13).encode(
        text=alt.Text("share:Q", format=".0%"), color=alt.condition(dark, alt.value("white"), alt.value(INK))
    )
    cell = layered(cells, shares, data=drawn)
    if one and drawn["table"].n_unique() == 1:
        return cell
    head = alt.Header(title=None)
    order = [words("rank_under", name=name) for name in others]
    facets: dict[str, Any] = {"row": alt.Row("table:N", header=head)}
    if not one:
        facets["column"] = alt.Column("under:N", sort=order, header=head)
    faceted: alt.FacetChart = cell.facet(**facets).resolve_scale(x="independent", y="independent")
    return faceted


def _ranks_title(drawn: pl.DataFrame, first: str, others: list[str], words: Words) -> alt.TitleParams:
    note = words("ranks_note", first=first)
    if len(others) > 1:
        return text_title(words("ranks_title_many", first=first), note)
    seats = {
        winners: int(drawn.filter(pl.col("before") == 1, pl.col("after") <= last)["seats"].sum())
        for winners, last in (("kept", 1), ("all", 4))
    }
    kept = words.percent(seats["kept"] / seats["all"])
    return text_title(words("ranks_title", first=first, second=others[0], kept=kept), note)


def source_chart(comparison: Comparison, *, language: str = "en") -> alt.Chart:
    """Draw where the difference from the base convention comes from, by source and role.

    Parameters
    ----------
    comparison
        The comparison.
    language
        ``en`` or ``ru``.

    Returns
    -------
    alt.Chart
        A row of bars for each convention but the base: for each source what the roles gain and lose in an average
        pulka.  A source adds up to zero over its roles.  A convention that ends pulkas earlier counts fewer deals, and
        that is part of the difference.
    """
    words = words_in(language)
    base, *others = _as_comparison(comparison).conventions
    _refuse_empty(comparison)
    differing = comparison.sources.filter(pl.col("convention").is_in(others), pl.col("difference") != 0)
    frame = differing.with_columns(whists=pl.col("difference") / comparison.pulkas.height)
    sizes = (
        frame.group_by("source").agg(pl.col("whists").abs().sum()).sort("whists", "source", descending=[True, False])
    )
    roles = [role for role in ROLES if role in frame["role"]]
    drawn = for_chart(
        frame.select(
            "convention",
            "whists",
            source=_said(frame["source"], words),
            role=_said(frame["role"], words),
            order=pl.col("role").replace_strict(list(ROLES), range(len(ROLES)), return_dtype=pl.Int64),
        )
    )
    named = [words(role) for role in roles]
    title = text_title(_source_title(frame, base, words), words("sources_note"))
    bars = alt.Chart(drawn, title=title, width=WIDTH, height=alt.Step(26)).mark_bar(size=18)
    chart: alt.Chart = bars.encode(
        x=alt.X("whists:Q", axis=zero_axis(words("difference_per_pulka"))),
        y=alt.Y("source:N", title=None, sort=[words(source) for source in sizes["source"]]),
        color=alt.Color(
            "role:N",
            scale=alt.Scale(domain=named, range=[PALETTE[ROLES.index(role)] for role in roles]),
            legend=alt.Legend(title=words("role")),
        ),
        order="order:Q",
        row=_panels(others),
        tooltip=[
            alt.Tooltip("source:N", title=words("source")),
            alt.Tooltip("role:N", title=words("role")),
            alt.Tooltip("whists:Q", title=words("difference_per_pulka"), format="+,.1f"),
        ],
    )
    return themed(chart, words)


def _said(values: pl.Series, words: Words) -> pl.Series:
    return pl.Series(values.name, [words(value) for value in values], dtype=pl.String)


def _source_title(frame: pl.DataFrame, base: str, words: Words) -> str:
    if frame.is_empty():
        return words("sources_equal", base=base)
    sizes = frame.group_by("convention", "source").agg(pl.col("whists").abs().sum())
    most = sizes.sort("whists", "convention", "source", descending=[True, False, False]).row(0, named=True)
    return words("sources_title", base=base, source=words(most["source"]), name=most["convention"])
