"""Where the deals of a protocol stand: below their headings, in one pulka or several, with lines about each above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from prefdata.errors import TableError
from prefdata.readers._headings import Headings, bare, headings_of_deals
from prefdata.readers._records import PLACE, Options
from prefdata.readers._texts import named
from prefdata.vocabulary import SEATS, player_column

__all__ = ["BLOCK", "Layout", "find_headings", "heading_name", "laid_out"]

BLOCK = "block of the file"
"""Column that numbers the pulkas of a file by the lines between them, from 0."""

_HEADING = "headings above"

_ABOUT = {
    "players": ("players", "игроки", "состав"),
    "bullet_limit": ("limit", "лимит", "пуля до", "пулька до", "пуля"),
    "bullet_total": ("total", "пуля вместе"),
    "convention": ("convention", "конвенция", "правила"),
    "played_on": ("date", "дата"),
    "place": ("place", "место"),
    "stake": ("stake", "ставка"),
}
_KEYS = {spelling: column for column, texts in _ABOUT.items() for spelling in bare(texts)}
_NEEDED = {"contract", "result"}
_SEARCHED = 100
"""How many rows are searched for the headings."""


@dataclass(frozen=True)
class Layout:
    """The deals of a protocol as a grid.

    Attributes
    ----------
    grid
        Rows of deals: `PLACE`, `BLOCK` and a column for each heading that is understood, under the name of its column.
    headings
        For each column its heading in the file.
    about
        One row a block, with what the lines above its deals say.
    players
        Names that the headings have, in seat order.
    ignored
        Headings and lines that are not understood.
    """

    grid: pl.DataFrame
    headings: Mapping[str, str]
    about: pl.DataFrame
    players: Sequence[str] = ()
    ignored: tuple[str, ...] = field(default_factory=tuple)


def find_headings(rows: pl.DataFrame, options: Options) -> tuple[int, Headings] | None:
    """Find the row of the headings; gives its number among the rows, and what it says."""
    for number, cells in enumerate(rows.drop(PLACE).head(_SEARCHED).rows()):
        texts = [cell for cell in cells if cell is not None]
        found = headings_of_deals(texts, {k: v for k, v in options.columns.items() if k in texts}, options.players)
        columns = set(found.columns.values())
        if columns & _NEEDED and columns & {"dealer", "declarer"} and len(columns) > 2:
            return number, found
    return None


def laid_out(rows: pl.DataFrame, file: Path, options: Options) -> Layout:
    """Take a protocol apart.

    Raises
    ------
    TableError
        If it has no headings of deals, or one column twice.
    """
    found = find_headings(rows, options)
    if found is None:
        raise TableError(
            f"{file} has no headings of deals",
            hint="A row must name the columns, such as: deal, dealer, contract, declarer, call_a, tricks_a.",
        )
    number, understood = found
    marked = _marked(rows, number, understood)
    deals = marked.filter("is_deal")
    lines = marked.filter("is_line").with_columns(pl.col(BLOCK) + 1)
    about, unread = _about(lines, rows.columns[1:])
    grids: list[pl.DataFrame] = []
    headings: dict[str, str] = {}
    ignored: list[str] = []
    for heading in (
        marked.filter("is_heading").unique(_HEADING, maintain_order=True).select(rows.columns).iter_slices(1)
    ):
        below = deals.filter(pl.col(_HEADING) == heading.select(_joined(rows)).item())
        if below.is_empty():
            continue
        grid = named(pl.concat([heading, below.select(rows.columns)]), file)
        own = [name for name in grid.columns if name != PLACE]
        meant = headings_of_deals(own, {k: v for k, v in options.columns.items() if k in own}, options.players)
        _refuse_twice(meant.columns, file)
        names = {
            heading_name(player_column(seat)): pl.lit(name) for seat, name in zip(SEATS, meant.players, strict=False)
        }
        columns = {column: pl.col(name) for name, column in meant.columns.items()}
        grids.append(grid.select(PLACE, pl.Series(BLOCK, below[BLOCK]), **columns, **names))
        headings = {column: name for name, column in meant.columns.items()} | headings
        ignored += [name for name in own if name not in meant.columns and name not in ignored]
    if not grids:
        raise TableError(f"{file} has no rows", hint="Write a line a deal below the headings.")
    whole = pl.concat(grids, how="diagonal").sort(PLACE)
    return Layout(whole, headings, about, understood.players, (*ignored, *unread))


def heading_name(column: str) -> str:
    """Name the column of a grid that has the player whom the headings name, by the column of players.

    >>> heading_name("player_a")
    'player_a of the headings'
    """
    return f"{column} of the headings"


def _joined(rows: pl.DataFrame) -> pl.Expr:
    return pl.concat_str([pl.col(name).fill_null("") for name in rows.columns[1:]], separator="\n")


def _marked(rows: pl.DataFrame, number: int, understood: Headings) -> pl.DataFrame:
    """Tell of each row what it is, which pulka it is of, and below which headings it stands."""
    first = rows.row(number)
    game = next(heading for heading, column in understood.columns.items() if column in _NEEDED)
    at = rows.columns[first.index(game, 1)]
    key = pl.col(rows.columns[1])
    is_line = key.str.contains(r"^[^:\d]+:") & key.str.split(":").list.first().is_in(_spellings(rows, key))
    marked = rows.with_row_index("number").with_columns(
        is_heading=(pl.col(at) == game).fill_null(False) & (pl.col("number") >= number),
        is_line=is_line.fill_null(False) | (pl.col("number") < number),
    )
    gap = (pl.col(PLACE).cast(pl.Int64).diff() > 1).fill_null(False)
    is_deal = ~pl.col("is_heading") & ~pl.col("is_line")
    begins = is_deal & (gap | ~is_deal.shift(1, fill_value=False))
    heading = pl.when("is_heading").then(_joined(rows)).forward_fill()
    return marked.with_columns(is_deal=is_deal, **{BLOCK: begins.cast(pl.Int64).cum_sum(), _HEADING: heading})


def _spellings(rows: pl.DataFrame, key: pl.Expr) -> list[str]:
    """List the words before a colon, as they stand in the file, that say what a line is about."""
    with_colon = rows.select(key.filter(key.str.contains(r"^[^:\d]+:")).str.split(":").list.first()).to_series()
    words = with_colon.drop_nulls().unique().to_list()
    return [word for word, plain in zip(words, bare(words), strict=True) if plain in _KEYS]


def _about(lines: pl.DataFrame, cells: Sequence[str]) -> tuple[pl.DataFrame, list[str]]:
    """Read the lines above the deals of each block; gives a row a block, and the lines that say nothing known."""
    said: dict[int, dict[str, Any]] = {}
    unread = []
    for row in lines.iter_rows(named=True):
        texts = [row[cell] for cell in cells if row[cell] is not None]
        key, _, rest = texts[0].partition(":")
        values = [value for text in (rest, *texts[1:]) if (value := text.strip())]
        column = _KEYS.get(bare([key])[0])
        if column is None or not values:
            unread.append(" ".join(texts))
            continue
        block = said.setdefault(row[BLOCK], {})
        if column == "players":
            names = [name for value in values for name in _split(value)]
            block.update(zip(map(player_column, SEATS), names, strict=False))
        else:
            block[column] = values[0]
    names = [*(name for name in _ABOUT if name != "players"), *map(player_column, SEATS)]
    schema = {BLOCK: pl.Int64, **dict.fromkeys(names, pl.String)}
    return pl.DataFrame([{BLOCK: block, **values} for block, values in said.items()], schema=schema), unread


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.replace(";", ",").split(",") if part.strip()]


def _refuse_twice(columns: Mapping[str, str], file: Path) -> None:
    every = list(columns.values())
    twice = [column for column in every if every.count(column) > 1]
    if twice:
        both = [heading for heading, column in columns.items() if column == twice[0]]
        raise TableError(f"{file}: {' and '.join(both)} both stand for {twice[0]}", hint="Rename one of them.")
