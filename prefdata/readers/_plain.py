"""The quick way for a protocol that a program wrote: a CSV file whose headings are the columns of the tables."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from prefdata.games import GAMES, game_of_columns
from prefdata.readers._deals import put_right
from prefdata.readers._records import PLACE, Options, Records
from prefdata.readers._texts import TEXT_ENDINGS, read_bytes
from prefdata.readers.guarded import unguarded
from prefdata.tables import Pulkas

__all__ = ["has_plain_headings", "read_plain"]

_DEALS = {
    game: {name: column.dtype for name, column in one.deals.schema.columns().items()} for game, one in GAMES.items()
}
_PULKAS = {name: column.dtype for name, column in Pulkas.columns().items()}
_NEEDED = {"pulka", "deal", "players", "dealer", "contract", "declarer"}


def has_plain_headings(file: Path) -> bool:
    """Tell whether the first line of a text file names columns of the tables of one game alone."""
    if file.suffix.lower() not in TEXT_ENDINGS:
        return False
    with file.open("rb") as opened:
        return bool(_headings(opened.readline(10_000)))


def _headings(line: bytes) -> list[str]:
    names = line.decode("utf-8", "replace").removeprefix("\ufeff").strip().split(",")
    own = _DEALS[game_of_columns(names).name]
    is_plain = set(names) >= _NEEDED and set(names) <= {*own, *_PULKAS} and len(set(names)) == len(names)
    return names if is_plain else []


def read_plain(file: Path, options: Options) -> Records | None:
    """Read such a file in one go; None where anything in it has to be looked at more closely."""
    if options.columns or options.players or not has_plain_headings(file):
        return None
    content = read_bytes(file)
    names = _headings(content[: content.find(b"\n")])
    of_deals = _DEALS[game_of_columns(names).name]
    try:
        rows = pl.read_csv(content, glob=False, schema_overrides={name: (of_deals | _PULKAS)[name] for name in names})
    except pl.exceptions.PolarsError:
        return None
    lines = content.count(b"\n") + (not content.endswith(b"\n"))
    if lines != rows.height + 1 or rows.is_empty() or rows["pulka"].null_count():
        return None
    pulkas = _pulkas(rows, options)
    if pulkas is None:
        return None
    pulkas = pulkas.with_columns(unguarded(pl.col(pl.String)))
    rows = rows.with_columns(pl.int_range(2, pl.len() + 2, dtype=pl.UInt32).alias(PLACE))
    deals, notes = put_right(
        rows.select(*(name for name in names if name in of_deals and name != "outcome"), PLACE), strict=options.strict
    )
    return Records(pulkas=pulkas, deals=deals, notes=notes, rows=rows.height)


def _pulkas(rows: pl.DataFrame, options: Options) -> pl.DataFrame | None:
    """Make the pulkas table; None where the deals of a pulka contradict one another, or something is not told."""
    columns = [name for name in _PULKAS if name in rows.columns]
    pulkas = (
        rows.lazy()
        .with_row_index(PLACE, offset=2)
        .group_by("pulka")
        .agg(pl.col(PLACE).first(), pl.col(columns).exclude("pulka").first())
        .sort("pulka")
        .collect()
    )
    if rows.select(columns).unique().height != pulkas.height:
        return None
    given = {"bullet_limit": options.bullet_limit, "convention": options.convention}
    for name, value in given.items():
        if value is not None and not (name == "bullet_limit" and "bullet_total" in columns):
            filled = pl.coalesce(name, pl.lit(value)) if name in columns else pl.lit(value)
            pulkas = pulkas.with_columns(filled.cast(_PULKAS[name]).alias(name))
    is_told = "convention" in pulkas.columns and {"bullet_limit", "bullet_total"} & set(pulkas.columns)
    return pulkas if is_told else None
