"""The waterfall of an attribution."""

from __future__ import annotations

from typing import Any

import altair as alt
import polars as pl

from prefdata.analysis.attribution import Attribution, SwitchGroup
from prefdata.charts._frames import for_chart, said
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
from prefdata.doors import as_kind, as_text
from prefdata.errors import ChartError
from prefdata.language import Words

__all__ = ["attribution_waterfall"]

_WHOLE = "all"
_LINE = 15


def attribution_waterfall(
    attribution: Attribution, *, player: str | None = None, role: str | None = None, language: str = "en"
) -> alt.LayerChart:
    """Draw the way from one convention to another, switch by switch.

    Parameters
    ----------
    attribution
        The attribution.
    player
        Draw the result of this player in place of the sum of all winnings.
    role
        Draw what this role brings: `declarer`, `whister`, `passer`, `sitting dealer`, `opponent`.
    language
        ``en`` or ``ru``.

    Returns
    -------
    alt.LayerChart
        A bar for each group of switches, the largest first, each beginning where the one above ended; and the whole.

    Raises
    ------
    ChartError
        If there is no such player or role, or both are given.
    """
    words = words_in(language)
    as_kind(attribution, "attribution", Attribution, hint="prefdata.attribute gives one.")
    shares = _shares(attribution, player, role)
    whole = float(shares.filter(pl.col("group") == _WHOLE)["whists"].sum())
    groups = {group.name: group for group in attribution.groups}
    parts = shares.filter(pl.col("group") != _WHOLE).sort(pl.col("whists").abs(), "group", descending=[True, False])
    labels = {name: _label(group, words) for name, group in groups.items()}
    steps = parts.with_columns(end=pl.col("whists").cum_sum()).select(
        label=pl.col("group").replace_strict(labels, return_dtype=pl.String),
        start=pl.col("end") - pl.col("whists"),
        end="end",
        whists="whists",
    )
    last = pl.DataFrame({"label": [words("in_all")], "start": [0.0], "end": [whole], "whists": [whole]})
    frame = pl.concat([steps, last])
    told = said(frame["whists"], lambda one: words.number(one, _decimals(whole), sign=True))
    frame = frame.with_columns(told.alias("said"))
    lines = max(label.count("\n") + 1 for label in frame["label"])
    name, kind = player or (words(role) if role else ""), "player" if player else "role" if role else "archive"
    title = text_title(
        words(
            f"waterfall_{kind}",
            first=attribution.first,
            second=attribution.second,
            name=name,
            whole=words.number(whole, _decimals(whole), sign=True),
        ),
        words("waterfall_note"),
    )
    return themed(_waterfall(frame, max(34, 10 + _LINE * lines), words).properties(title=title), words)


def _shares(attribution: Attribution, player: str | None, role: str | None) -> pl.DataFrame:
    for name, one in (("player", player), ("role", role)):
        if one is not None:
            as_text(one, name)
    if player is not None and role is not None:
        raise ChartError("a waterfall is of a player or of a role, not of both", hint="Leave one of them out.")
    if player is None and role is None:
        return attribution.archive
    column, wanted = ("player", player) if player is not None else ("role", role)
    table = attribution.players if player is not None else attribution.roles
    found = table.filter(pl.col(column) == wanted)
    if found.is_empty():
        known = table[column].unique(maintain_order=True).to_list()
        raise ChartError(f"no {column} {wanted!r} was attributed", hint=f"There are {', '.join(map(str, known))}.")
    return found


def _decimals(whole: float) -> int:
    return 0 if abs(whole) >= 100 else 1


def _label(group: SwitchGroup, words: Words) -> str:
    """Tell a group's switches, each with its change, a line each."""
    return "\n".join(f"{words.switch(name)}: {_change(pair, words)}" for name, pair in group.changes.items())


def _change(pair: tuple[Any, Any], words: Words) -> str:
    return " → ".join(words.value(value) for value in pair)


def _waterfall(frame: pl.DataFrame, step: int, words: Words) -> alt.LayerChart:
    order = frame["label"].to_list()
    below, above, whole = (words("less"), words("more"), words("in_all"))
    is_last = pl.int_range(pl.len()) == pl.len() - 1
    sign = pl.when(is_last).then(pl.lit(whole)).when(pl.col("whists") < 0).then(pl.lit(below)).otherwise(pl.lit(above))
    drawn = for_chart(
        frame.with_columns(
            sign=sign,
            right=pl.max_horizontal("start", "end"),
            next=pl.col("label").shift(-1),
        )
    )
    y = alt.Y("label:N", sort=order, axis=alt.Axis(title=None, labels=False, ticks=False))
    encoded = alt.Chart(drawn, width=WIDTH - 140, height=alt.Step(step)).encode(y=y)
    bars = encoded.mark_bar(size=20).encode(
        x=alt.X("start:Q", axis=zero_axis(words("change")), scale=alt.Scale(padding=56, nice=False)),
        x2="end:Q",
        color=alt.Color("sign:N", scale=sign_scale([below, above, whole], (LOSS, GAIN, NEUTRAL)), legend=None),
        tooltip=[
            alt.Tooltip("label:N", title=words("switch")),
            alt.Tooltip("whists:Q", title=words("change"), format="+,.1f"),
        ],
    )
    texts = encoded.mark_text(align="left", dx=6, color=INK).encode(x="right:Q", text="said:N")
    links = (
        alt.Chart(drawn.filter(pl.col("next").is_not_null()))
        .mark_rule(color=NEUTRAL, strokeDash=[2, 2])
        .encode(x="end:Q", y=y, y2="next:N")
    )
    return layered(links, bars, texts, *_labels(encoded, order))


def _labels(encoded: alt.Chart, order: list[str]) -> list[alt.Chart]:
    """Write the names of the bars, those of several lines in the middle too, which an axis cannot do."""
    texts = []
    for lines in sorted({label.count("\n") for label in order}):
        mine = alt.FieldOneOfPredicate("label", [label for label in order if label.count("\n") == lines])
        text = encoded.mark_text(
            align="right", dx=-10, dy=-lines * _LINE / 2, fontSize=12, lineBreak="\n", lineHeight=_LINE
        )
        texts.append(text.transform_filter(mine).encode(x=alt.value(0), text="label:N"))
    return texts
