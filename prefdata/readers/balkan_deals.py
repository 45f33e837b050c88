"""Deals of the Balkan game as people type them."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from prefdata.balkan.vocabulary import CALL, CONTRACT, SEATS, WORDS
from prefdata.readers import _cells
from prefdata.readers._layout import Layout
from prefdata.readers._records import PLACE, Options, Records, refused_rows
from prefdata.readers.protocol import pulkas_of, seated, shown_cell, with_about, with_numbers
from prefdata.vocabulary import Words, call_column, player_column, tricks_column

__all__ = ["balkan_records"]

_SEATED = ("dealer", "declarer", "contra_by")


def balkan_records(layout: Layout, file: Path, options: Options) -> Records:
    """Understand the cells of a form of the Balkan game; words are read with the tables."""
    texts = with_numbers(with_about(layout, options))
    values, wrong = texts, []
    readers = {tricks_column(seat): (_cells.as_whole, "must be a number of tricks") for seat in SEATS}
    readers |= {"contra": (_cells.as_whole, "must be a whole number"), "hand": (_cells.as_flag, "must be yes or no")}
    readers |= dict.fromkeys(("deal", "players", "bullet_limit"), (_cells.as_whole, "must be a whole number"))
    readers |= {"stake": (_cells.as_amount, "must be a number"), "played_on": (_cells.as_day, "must be a day")}
    readers |= {call_column(seat): (_reader(WORDS[CALL]), "must be a call") for seat in SEATS}
    readers |= {"contract": (_reader(WORDS[CONTRACT]), "must be a game, or all pass")}
    for name, (read, must) in readers.items():
        if name in texts.columns:
            column = _cells.different(texts[name], read)
            unread = column.is_null() & texts[name].is_not_null()
            wrong.append(refused_rows(texts.filter(unread), name, shown_cell(layout, name), f"{name} {must}"))
            values = values.with_columns(column.alias(name))
    pulkas = pulkas_of(values, file)
    values, strangers = seated(values, texts, pulkas, layout, _SEATED)
    own = ["pulka", "deal", "players", *_SEATED, "contract", "hand", "contra"]
    own += [column(seat) for column in (call_column, tricks_column) for seat in SEATS]
    deals = values.select(PLACE, *own).with_columns(pl.col("contra").fill_null(0), hand=pl.col("hand").fill_null(False))
    players = [player_column(seat) for seat in SEATS]
    return Records(
        pulkas=pulkas.select(pl.exclude([name for name in players if name not in pulkas.columns])),
        deals=deals,
        refused=pl.concat([*wrong, *strangers]),
        rows=layout.grid.height,
        ignored=layout.ignored,
    )


def _reader(words: Words):  # type: ignore[no-untyped-def]
    def read(texts: pl.Series) -> pl.Series:
        return words.read(texts).cast(pl.String)

    return read
