"""Causes in words."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from prefdata.reports import number

__all__ = ["KINDS", "causes_in_words"]

_DEALS_NAMED = 6
"""Deals of one cause that are named; of more, how many there are besides."""

KINDS: dict[str, str] = {
    "deal missing": "deal {deals} was not written",
    "deal doubled": "deal {deals} was written twice",
    "entry missing": "{points} of deal {deals} in {column} was not written",
    "entry doubled": "{points} of deal {deals} in {column} was written twice",
    "wrong sign": "{points} of deal {deals} in {column} was written with the wrong sign",
    "wrong opponent": "{points} of deal {deals} was written in {other} in place of {column}",
    "wrong player": "{points} of deal {deals} was written in {other} in place of {column}",
    "wrong way round": "{points} of deal {deals} was written in {other} in place of {column}",
    "wrong column": "{points} of deal {deals} was written in {other} in place of {column}",
    "help to another": "help of {points} in deal {deals} was written in {other} in place of {column}",
    "over-writing fined": "{points} over-written in {column} was taken back and fined in {other} (4.2.7)",
    "digits swapped": "two digits of {column} changed places",
    "wrong sign of the total": "the total of {column} has the wrong sign",
    "columns exchanged": "{column} and {other} were taken for each other",
    "bullets carried": "what bullets lack was carried to the mountains, as in a settlement",
    "amnesty": "the smallest mountain was taken off everybody, as in a settlement",
    "bullets carried, amnesty": "bullets were carried and the smallest mountain was taken off, as in a settlement",
    "rounded": "{column} was moved by a point, as fractions are settled (4.2.12)",
    "another convention": "it was written under {conventions}",
    "another switch": "it was written with {conventions}",
    "over-writing": "{points} too much in {column}, as by over-writing (4.2.7)",
}
"""For each kind of cause, likely ones first, how it is told."""

_NONE = "no single cause fits"


def causes_in_words(causes: pl.DataFrame, pulkas: Sequence[int]) -> dict[int, str]:
    """Tell the causes of some pulkas, all that fit equally well.

    >>> from prefdata.explain._search import CAUSES_SCHEMA
    >>> causes = pl.DataFrame(
    ...     [(4, "deal missing", 7, None, None, None, None), (4, "deal missing", 12, None, None, None, None)],
    ...     schema=CAUSES_SCHEMA, orient="row")
    >>> causes_in_words(causes, [4, 5])
    {4: 'deal 7 or 12 was not written', 5: 'no single cause fits'}
    """
    told: dict[int, list[str]] = {pulka: [] for pulka in pulkas}
    alike = ["pulka", "cause", "column", "other", "points"]
    grouped = causes.filter(pl.col("pulka").is_in(list(pulkas))).group_by(alike, maintain_order=True)
    for row in grouped.agg("deal", "convention").iter_rows(named=True):
        deals = [str(deal) for deal in row["deal"] if deal is not None]
        points = None if row["points"] is None else number(row["points"])
        words = KINDS[row["cause"]].format(
            deals=_either(deals),
            points=points,
            column=row["column"],
            other=row["other"],
            conventions=_either([name for name in row["convention"] if name is not None]),
        )
        told[row["pulka"]].append(words)
    return {pulka: "; or ".join(words) if words else _NONE for pulka, words in told.items()}


def _either(names: Sequence[str]) -> str:
    """Write names of which any may be meant."""
    named = list(names[:_DEALS_NAMED])
    if len(names) > _DEALS_NAMED:
        named.append(f"one of {len(names) - _DEALS_NAMED} others")
    *others, last = named or [""]
    return f"{', '.join(others)} or {last}" if others else last
