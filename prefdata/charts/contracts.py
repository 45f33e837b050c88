"""What contracts are worth under different conventions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import altair as alt
import polars as pl

from prefdata.archives import Archive, archive
from prefdata.charts._frames import for_chart, said
from prefdata.charts._theme import INK, WIDTH, layered, text_title, themed, words_in, zero_axis
from prefdata.conventions import Convention, one_or_several, resolve_russian
from prefdata.errors import ChartError
from prefdata.language import Words
from prefdata.scoring.values import values
from prefdata.vocabulary import LEVELS, TRICKS

__all__ = ["contract_values"]

_CONTRACTS = (*LEVELS, "misere")
_LIMIT = 10_000
_MOST_LABELLED = 4


def contract_values(
    conventions: str | Path | Convention | Sequence[str | Path | Convention], *, language: str = "en"
) -> alt.LayerChart:
    """Draw what a made and a failed contract is worth to its declarer, by level and convention.

    Three players.  Both defenders whist.  A contract is made exactly or fails by one trick, a misère fails by one trick
    taken.  The defenders share their tricks evenly; of an odd number the declarer's left neighbour has the larger part.
    A ten made exactly leaves them short of their quota.  The worth is that of `prefdata.values`: bullet, mountain and
    whists together, whatever the state of the pulka.

    Parameters
    ----------
    conventions
        Conventions, or one, that keep the value of a game constant, names or files.
    language
        ``en`` or ``ru``.

    Returns
    -------
    alt.LayerChart
        Bars above zero for made contracts and below for failed ones.

    Raises
    ------
    ConventionError
        If a convention does not keep the value of a game constant.
    """
    words = words_in(language)
    chosen = [resolve_russian(one) for one in one_or_several(conventions)]
    names = [one.name for one in chosen]
    if not chosen or len(set(names)) < len(names):
        raise ChartError(
            f"cannot draw {', '.join(names) or 'no convention'}", hint="Give different conventions, at least one."
        )
    deals = _typical_deals()
    table = _archive_of(deals)
    worth = [values(table, one).select(value="value_a", convention=pl.lit(one.name)) for one in chosen]
    frame = pl.concat(deals.select("contract", "made").hstack(one) for one in worth)
    return themed(_bars(frame, names, words).properties(title=_title(frame, words)), words)


def _typical_deals() -> pl.DataFrame:
    """Make the deals: seat a declares; for each contract one made exactly and one that fails by a trick."""
    rows = []
    for contract in _CONTRACTS:
        for made in (True, False):
            own = LEVELS[contract] - (not made) if contract in LEVELS else int(not made)
            call = "whist" if contract in LEVELS else None
            theirs = TRICKS - own
            rows.append((contract, made, call, own, theirs - theirs // 2, theirs // 2))
    return pl.DataFrame(rows, schema=["contract", "made", "call", "tricks_a", "tricks_b", "tricks_c"], orient="row")


def _archive_of(deals: pl.DataFrame) -> Archive:
    """Make an archive in which every deal opens a pulka of its own."""
    keys = pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias("pulka")
    table = deals.select(keys, players=pl.lit(3))
    nobody = pl.lit(None, dtype=pl.String)
    return archive(
        table.with_columns(bullet_limit=pl.lit(_LIMIT), convention=pl.lit("any")),
        deals.select(
            keys,
            *("contract", "tricks_a", "tricks_b", "tricks_c"),
            deal=pl.lit(1),
            players=pl.lit(3),
            dealer=pl.lit("c"),
            declarer=pl.lit("a"),
            call_a=nobody,
            call_b="call",
            call_c="call",
            call_d=nobody,
            tricks_d=pl.lit(None, dtype=pl.UInt8),
        ),
    )


def _title(frame: pl.DataFrame, words: Words) -> alt.TitleParams:
    spreads = frame.group_by("contract", "convention", maintain_order=True).agg(
        spread=pl.col("value").max() - pl.col("value").min()
    )
    most = spreads.sort("spread", descending=True, maintain_order=True).row(0, named=True)
    text = words(
        "values_title",
        contract=words(most["contract"]),
        name=most["convention"],
        spread=words.number(most["spread"]),
        made=words("made"),
        failed=words("failed"),
    )
    return text_title(text, words("values_note"))


def _bars(frame: pl.DataFrame, names: list[str], words: Words) -> alt.LayerChart:
    contracts = {contract: words(contract) for contract in _CONTRACTS}
    drawn = for_chart(
        frame.select(
            "convention",
            "value",
            contract=pl.col("contract").replace_strict(contracts, return_dtype=pl.String),
            outcome=pl.when("made").then(pl.lit(words("made"))).otherwise(pl.lit(words("failed"))),
            said=said(frame["value"], lambda one: words.number(one, 0)),
        )
    )
    encoded = alt.Chart(drawn, width=WIDTH, height=380).encode(
        x=alt.X("contract:N", sort=list(contracts.values()), axis=alt.Axis(title=words("contract"), labelAngle=0)),
        xOffset=alt.XOffset("convention:N", sort=names),
        y=alt.Y("value:Q", axis=zero_axis(words("value")), scale=alt.Scale(padding=18, nice=False)),
    )
    bars = encoded.mark_bar().encode(
        color=alt.Color("convention:N", sort=names, scale=alt.Scale(domain=names), title=words("convention")),
        tooltip=[
            alt.Tooltip("contract:N", title=words("contract")),
            alt.Tooltip("convention:N", title=words("convention")),
            alt.Tooltip("outcome:N", title=words("outcome")),
            alt.Tooltip("value:Q", title=words("value"), format="+,.1f"),
        ],
    )
    if len(names) > _MOST_LABELLED:
        return layered(bars)
    texts = [
        encoded.mark_text(dy=shift, fontSize=10, color=INK).transform_filter(chosen).encode(text="said:N")
        for shift, chosen in ((-7, alt.datum.value >= 0), (8, alt.datum.value < 0))
    ]
    return layered(bars, *texts)
