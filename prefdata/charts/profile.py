"""A player's profile as a small composed chart."""

from __future__ import annotations

from typing import Any

import altair as alt
import polars as pl

from prefdata.analysis.players import PlayerProfiles
from prefdata.charts._frames import for_chart
from prefdata.charts._theme import GAIN, INK, LOSS, NEUTRAL, layered, text_title, themed, words_in, zero_axis
from prefdata.doors import as_kind, told
from prefdata.errors import ChartError
from prefdata.language import Words
from prefdata.vocabulary import LEVELS

__all__ = ["player_profile"]

_WIDTH = 300
_HEIGHT = 190


def player_profile(profiles: PlayerProfiles, player: str, *, language: str = "en") -> alt.ConcatChart:
    """Draw the profile of a player against the field.

    Parameters
    ----------
    profiles
        Profiles of all players; the field is the players in it.
    player
        The player.
    language
        ``en`` or ``ru``.

    Returns
    -------
    alt.ConcatChart
        Four panels: his contracts by level, made and failed; his share of whist calls by level beside that of all
        players; his tricks in raspasy among the others', if there are any; his mean result of a pulka among the
        others', with intervals.  A panel is changed through ``chart.concat[1]``.

    Raises
    ------
    ChartError
        If there is no such player.
    """
    words = words_in(language)
    as_kind(profiles, "profiles", PlayerProfiles, hint="prefdata.analysis.player_profiles gives them.")
    known = profiles.results["player"].to_list()
    if not isinstance(player, str) or player not in known:
        raise ChartError(f"no profile has a player {told(player)}", hint=f"Known are {', '.join(known)}.")
    found = profiles.results.row(by_predicate=pl.col("player") == player, named=True)
    title = words(
        "profile_title",
        player=player,
        mean=words.number(found["mean"], 1, sign=True),
        pulkas=words.number(found["pulkas"]),
        convention=profiles.convention,
    )
    shown = [_contracts, _whists, *([_raspasy] if profiles.raspasy["deals"].sum() else []), _results]
    panels = [draw(profiles, player, words) for draw in shown]
    together: alt.ConcatChart = alt.concat(*panels, columns=2, spacing=36, title=text_title(title))
    together = together.resolve_scale(color="independent")
    return themed(together, words)


def _panel(frame: pl.DataFrame, title: str) -> alt.Chart:
    heading = alt.TitleParams(title, fontSize=13, offset=8)
    return alt.Chart(for_chart(frame), title=heading, width=_WIDTH, height=_HEIGHT)


def _contracts(profiles: PlayerProfiles, player: str, words: Words) -> alt.LayerChart:
    """Draw what he declared, made and failed."""
    mine = profiles.contracts.filter(pl.col("player") == player)
    names = {contract: words(contract) for contract in (*LEVELS, "misere")}
    level = pl.col("contract").cast(pl.String).replace_strict(names, return_dtype=pl.String)
    outcomes = [words("made"), words("failed")]
    counts = pl.concat(
        [
            mine.select(contract=level, outcome=pl.lit(outcomes[0]), deals="made", order=pl.lit(0)),
            mine.select(
                contract=level, outcome=pl.lit(outcomes[1]), deals=pl.col("declared") - pl.col("made"), order=pl.lit(1)
            ),
        ],
        how="vertical_relaxed",
    )
    shares = mine.select(contract=level, declared="declared", said=_percents(mine["made_share"], words))
    declared, made = (int(mine[name].sum()) for name in ("declared", "made"))
    title = words("profile_contracts", share=words.percent(made / declared) if declared else "–")
    x = _levels(list(names.values()), words)
    room = alt.Scale(domain=[0, 1.12 * max([1.0, *mine["declared"]])], nice=False)
    bars = (
        _panel(counts, title)
        .mark_bar(size=28)
        .encode(
            x=x,
            y=alt.Y("deals:Q", axis=alt.Axis(title=words("declared"), tickMinStep=1, tickCount=6), scale=room),
            color=alt.Color(
                "outcome:N",
                scale=alt.Scale(domain=outcomes, range=[GAIN, LOSS]),
                legend=alt.Legend(title=None, orient="bottom"),
            ),
            order="order:Q",
        )
    )
    texts = alt.Chart(for_chart(shares)).mark_text(dy=-7, color=INK).encode(x=x, y="declared:Q", text="said:N")
    return layered(bars, texts)


def _levels(names: list[str], words: Words) -> alt.X:
    return alt.X("contract:N", scale=alt.Scale(domain=names), axis=alt.Axis(title=words("contract"), labelAngle=0))


def _percents(shares: pl.Series, words: Words) -> pl.Series:
    return pl.Series([words.percent(share) if share is not None else "" for share in shares], dtype=pl.String)


def _whists(profiles: PlayerProfiles, player: str, words: Words) -> alt.LayerChart:
    """Draw how often he whists beside how often all players do."""
    mine = profiles.whists.filter(pl.col("player") == player)
    names = {contract: words(contract) for contract in LEVELS}
    level = pl.col("contract").cast(pl.String).replace_strict(names, return_dtype=pl.String)
    everybody = profiles.whists.group_by("contract").agg(pl.col("whists", "called").sum())
    field = everybody.select(contract=level, share=pl.col("whists") / pl.col("called"))
    own = mine.select(contract=level, share="whist_share", low="whist_share_low", high="whist_share_high")
    both = pl.concat(
        [own.with_columns(who=pl.lit(player)), field.with_columns(who=pl.lit(words("field")))], how="diagonal"
    )
    called, whists = (int(mine[name].sum()) for name in ("called", "whists"))
    title = words("profile_whists", share=words.percent(whists / called) if called else "–")
    colour = alt.Color(
        "who:N",
        scale=alt.Scale(domain=[player, words("field")], range=[GAIN, NEUTRAL]),
        legend=alt.Legend(title=None, orient="bottom", symbolType="circle"),
    )
    encoded = _panel(both, title).encode(x=_levels(list(names.values()), words), color=colour)
    axis = alt.Axis(title=words("whist_share"), format="%", tickCount=5)
    y, low = (alt.Y(name, axis=axis, scale=alt.Scale(domain=[0, 1.05], nice=False)) for name in ("share:Q", "low:Q"))
    intervals = encoded.transform_filter("isValid(datum.low)").mark_rule(strokeWidth=2).encode(y=low, y2="high:Q")
    ticks = encoded.transform_filter("!isValid(datum.low)").mark_tick(thickness=3, size=22, opacity=1).encode(y=y)
    points = encoded.transform_filter("isValid(datum.low)").mark_point(filled=True, size=60, opacity=1).encode(y=y)
    return layered(ticks, intervals, points)


def _raspasy(profiles: PlayerProfiles, player: str, words: Words) -> alt.LayerChart:
    """Draw his tricks in raspasy among the others'."""
    tricks, error = pl.col("tricks_mean"), pl.col("tricks_error")
    frame = profiles.raspasy.drop_nulls("tricks_mean").select(
        "player", mean=tricks, low=tricks - 1.96 * error, high=tricks + 1.96 * error
    )
    mine = frame.filter(pl.col("player") == player)["mean"]
    title = words("profile_raspasy", tricks=words.number(mine[0], 2) if len(mine) else "–")
    x = alt.X("mean:Q", axis=alt.Axis(title=words("raspasy_tricks")), scale=alt.Scale(zero=False))
    return _among_others(frame.sort("mean", "player"), player, title, x, words)


def _results(profiles: PlayerProfiles, player: str, words: Words) -> alt.LayerChart:
    """Draw his mean result among the others'."""
    frame = profiles.results.select("player", "mean", "low", "high").sort("mean", "player", descending=[True, False])
    x = alt.X("mean:Q", axis=zero_axis(words("mean_result")))
    return _among_others(frame, player, words("profile_result"), x, words)


def _among_others(frame: pl.DataFrame, player: str, title: str, x: Any, words: Words) -> alt.LayerChart:
    """Draw means with intervals, one player's in colour."""
    own = alt.condition(alt.datum.player == player, alt.value(GAIN), alt.value(NEUTRAL))
    encoded = _panel(frame, title).encode(
        y=alt.Y("player:N", sort=frame["player"].to_list(), title=words("player")), color=own
    )
    intervals = encoded.transform_filter("isValid(datum.low)").mark_rule(strokeWidth=2).encode(x="low:Q", x2="high:Q")
    points = encoded.mark_point(filled=True, size=55, opacity=1).encode(x=x)
    return layered(intervals, points)
