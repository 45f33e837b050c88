"""The form to type a pulka into, read back; what was typed wrong is named by its cell."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import polars as pl

from prefdata.errors import PrefdataError, TableError
from prefdata.readers._layout import BLOCK, Layout
from prefdata.readers._records import PLACE, Format, Options, Records
from prefdata.readers._texts import WORKBOOK_ENDINGS, clean, read_bytes, read_workbook, workbook_sheets
from prefdata.readers.balkan_deals import balkan_records
from prefdata.readers.forms import FORM_LANGUAGES, FormWords, deal_columns, form_words, table_rows
from prefdata.readers.protocol import records_of
from prefdata.vocabulary import BALKAN, GAMES, PLAYER_COUNTS, player_column, seats_at_table

__all__ = ["FORMAT"]


class _Filled(NamedTuple):
    """A form as it was filled in."""

    words: FormWords
    table: dict[str, str | None]
    deals: pl.DataFrame


def _is_recognised(file: Path) -> bool:
    try:
        return _words_of(file) is not None
    except PrefdataError:
        return False


def _words_of(file: Path) -> FormWords | None:
    sheets = set(workbook_sheets(read_bytes(file), file))
    every = map(form_words, FORM_LANGUAGES)
    return next((words for words in every if {words.table, words.deals} <= sheets), None)


def _filled(file: Path) -> _Filled:
    """Read the sheets of a form."""
    words = _words_of(file)
    if words is None:
        raise TableError(f"{file} is no form", hint="Write one with pref.writers.write_form, and keep its sheets.")
    content = read_bytes(file)
    cells = read_workbook(content, file, words.table).select(clean(pl.all())).rows()
    given: list[str | None] = [row[1] if len(row) > 1 else None for row in cells]
    game, players = (*map(str, given), "", "")[:2]
    if game not in GAMES or players not in [str(count) for count in PLAYER_COUNTS]:
        raise TableError(
            f"{file}, sheet {words.table}: B1 and B2 do not tell the game and the number of players",
            hint=f"B1 must be one of {', '.join(GAMES)}, and B2 one of 2, 3, 4, as they were written.",
        )
    rows = table_rows(int(players))
    table = dict(zip(rows, [*given, *[None] * len(rows)], strict=False))
    deals = read_workbook(content, file, words.deals).select(clean(pl.all())).with_row_index(PLACE, offset=1).slice(1)
    return _Filled(words, table, deals)


def _read(file: Path, options: Options) -> Records:
    """Read a form."""
    filled = _filled(file)
    game, players = str(filled.table["game"]), int(str(filled.table["players"]))
    columns = list(deal_columns(game, players))
    own = filled.deals.columns[1 : len(columns) + 1]
    letters = {name: _letter(number) for number, name in enumerate(columns)}
    grid = filled.deals.select(PLACE, **{name: pl.col(cell) for name, cell in zip(columns, own, strict=False)})
    grid = grid.with_columns(pl.lit(None, dtype=pl.String).alias(name) for name in columns if name not in grid.columns)
    typed = pl.any_horizontal(pl.col(name).is_not_null() for name in columns if name != "deal")
    grid = grid.filter(typed).drop("deal").with_columns(pl.lit(0, dtype=pl.Int64).alias(BLOCK))
    if grid.is_empty():
        raise TableError(f"{file} has no deals", hint=f"Write a line a deal into the sheet {filled.words.deals}.")
    about = {name: value for name, value in filled.table.items() if name != "game"}
    layout = Layout(
        grid.with_columns(pl.lit(value, dtype=pl.String).alias(name) for name, value in about.items()),
        {name: f"sheet {filled.words.deals}, column {letter}" for name, letter in letters.items()},
        pl.DataFrame(schema={BLOCK: pl.Int64}),
        [name for seat in seats_at_table(players) if (name := filled.table[player_column(seat)])],
    )
    records = (balkan_records if game == BALKAN else records_of)(layout, file, options)
    return _with_cells(records, filled, letters)


def _with_cells(records: Records, filled: _Filled, letters: dict[str, str]) -> Records:
    """Name what was typed wrong by its cell."""
    rows = {name: f"sheet {filled.words.table}, B{place}" for place, name in enumerate(filled.table, start=1)}
    rule, row = pl.col("rule"), pl.col("row").cast(pl.String)
    of_deal = pl.concat_str(
        pl.lit(f"sheet {filled.words.deals}, "), rule.replace_strict(letters, default=None, return_dtype=pl.String), row
    )
    cell = pl.coalesce(rule.replace_strict(rows, default=None, return_dtype=pl.String), of_deal)
    what = pl.col("value").str.split("=").list.slice(1).list.join("=")
    named = pl.coalesce(pl.concat_str(cell, pl.lit(": "), what), pl.col("value"))
    refused = records.refused.with_columns(value=named)
    return Records(
        pulkas=records.pulkas,
        deals=records.deals,
        notes=records.notes,
        refused=refused.unique(["rule", "value"], keep="first", maintain_order=True),
        rows=records.rows,
        ignored=records.ignored,
    )


def _letter(number: int) -> str:
    return chr(ord("A") + number)


FORMAT = Format(
    name="form",
    title="the form to type into",
    endings=WORKBOOK_ENDINGS,
    is_recognised=_is_recognised,
    read=_read,
)
"""The format, as the list of formats has it."""
