"""Tables of a club with the final columns of pulkas, a row a pulka: mountains, whists, perhaps bullets.

Headings are those of prefdata's sheets, or such as ``limit``, ``players``, ``hill1`` or ``гора 1``, ``w12`` or
``висты 1-2``, ``p1`` or ``игрок 1``; the option `columns` names others.  A key that is no whole number stays in the
column `record`, and all pulkas are numbered.
"""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

from prefdata.errors import TableError
from prefdata.readers._records import PLACE, Format, Options, Records, note_rows, refused_rows
from prefdata.readers._texts import TEXT_ENDINGS, WORKBOOK_ENDINGS, read_grid
from prefdata.readers._values import as_number
from prefdata.vocabulary import (
    PLAYER_COUNTS,
    SEATS,
    bullet_column,
    entry_columns,
    folded,
    mountain_column,
    pairs,
    player_column,
    seats_needed,
    whists_column,
)

__all__ = ["FORMAT"]

_PLAIN = {
    "pulka": ("pulka", "пулька", "№", "no", "id", "record"),
    "players": ("players", "игроков", "число игроков"),
    "bullet_limit": ("bullet limit", "limit", "лимит", "пуля до"),
    "stake": ("stake", "ставка"),
}
_OF_SEAT = {
    mountain_column: ("mountain", "hill", "гора"),
    bullet_column: ("bullet", "pool", "пуля"),
    player_column: ("player", "игрок", "p"),
}
_OF_PAIR = ("whists", "висты", "w")
_PLAYERS = tuple(map(player_column, SEATS))
_NUMBERS = ("players", "bullet_limit", "stake", *entry_columns())
_NEEDED = (mountain_column("a"), mountain_column("b"), whists_column("a", "b"), whists_column("b", "a"))


def _known_headings() -> dict[str, str]:
    """List the headings that are known, by their bare form, with the column that each stands for."""
    spelt = {heading: column for column, headings in _PLAIN.items() for heading in headings}
    for number, seat in enumerate(SEATS, start=1):
        for column, headings in _OF_SEAT.items():
            spelt |= {f"{heading}{sign}": column(seat) for heading in headings for sign in (number, seat)}
    for writer, on in pairs():
        signs = (f"{SEATS.index(writer) + 1}{SEATS.index(on) + 1}", writer + on)
        spelt |= {f"{heading}{sign}": whists_column(writer, on) for heading in _OF_PAIR for sign in signs}
    return dict(zip(_bare(list(spelt)), spelt.values(), strict=True))


def _bare(headings: list[str]) -> list[str]:
    """Bring headings into one form; blanks and strokes between their parts do not count."""
    every = pl.DataFrame({"heading": headings}, schema={"heading": pl.String})
    return [re.sub(r"[\s_\-.:>→]+", "", heading) for heading in every.select(folded(pl.col("heading"))).to_series()]


def _columns_of(headings: list[str], options: Options) -> dict[str, str]:
    """Tell for each heading that is understood the column that it stands for."""
    known = _known_headings()
    meant = dict(zip(headings, map(known.get, _bare(headings)), strict=True)) | dict(options.columns)
    return {heading: column for heading, column in meant.items() if column is not None}


def _is_recognised(file: Path) -> bool:
    return set(_NEEDED) <= set(_columns_of(read_grid(file).drop(PLACE).columns, Options()).values())


def _read(file: Path, options: Options) -> Records:
    """Read a table of sheets."""
    grid = read_grid(file)
    headings = _headings(grid, options, file)
    texts = grid.select(PLACE, *headings).rename(headings)
    typed, unread = _typed(_filled(texts, options, file))
    stale = typed.filter(_is_stale(typed))
    shown = _shown(stale, _beyond_table(stale))
    if options.repair:
        kept, refused = typed, unread
        notes = note_rows(stale, "seats that the table does not have", shown, "", "left over from another pulka")
    else:
        reason = "columns of seats that the table does not have must be empty; here they are left over, as it seems"
        kept = typed.filter(~_is_stale(typed))
        refused = pl.concat([unread, refused_rows(stale, "absent_seats_empty", shown, reason)])
        notes = Records().notes
    at_table = [pl.when(pl.col("players") >= seats_needed(name)).then(name).alias(name) for name in _beyond_table(kept)]
    return Records(
        sheets=kept.with_columns(at_table),
        notes=notes,
        refused=refused,
        rows=grid.height,
        ignored=tuple(heading for heading in grid.drop(PLACE).columns if heading not in headings),
    )


def _headings(grid: pl.DataFrame, options: Options, file: Path) -> dict[str, str]:
    own = grid.drop(PLACE).columns
    absent = [heading for heading in options.columns if heading not in own]
    if absent:
        raise TableError(f"{file} has no column {absent[0]}", hint=f"Its columns are {', '.join(own)}.")
    found = _columns_of(own, options)
    targets = {*_PLAIN, *_PLAYERS, *entry_columns()}
    unknown = [column for column in found.values() if column not in targets]
    if unknown:
        hint = f"Sheets have {', '.join(sorted(targets))}."
        raise TableError(f"{file}: no sheet has a column {unknown[0]}", hint=hint)
    twice = [column for column in found.values() if list(found.values()).count(column) > 1]
    if twice:
        both = [heading for heading, column in found.items() if column == twice[0]]
        raise TableError(f"{file}: {' and '.join(both)} both stand for {twice[0]}", hint="Rename one of them.")
    lacking = [column for column in _NEEDED if column not in found.values()]
    if lacking:
        hint = f"Say which heading it is, as in --map HEADING={lacking[0]}; the file has {', '.join(own)}."
        raise TableError(f"{file} has no column for {lacking[0]}", hint=hint)
    return found


def _filled(texts: pl.DataFrame, options: Options, file: Path) -> pl.DataFrame:
    """Add what a file need not tell: numbers of the pulkas, the limit, how many players there were."""
    if "bullet_limit" not in texts.columns and options.bullet_limit is None:
        raise TableError(f"{file} does not tell the limit", hint="Give it: bullet_limit=20, or --limit 20.")
    added: dict[str, pl.Expr] = {}
    if "bullet_limit" not in texts.columns:
        added["bullet_limit"] = pl.lit(str(options.bullet_limit))
    if "players" not in texts.columns:
        mountains = [name for name in map(mountain_column, SEATS) if name in texts.columns]
        filled = pl.sum_horizontal(pl.col(name).is_not_null().cast(pl.Int64) for name in mountains)
        added["players"] = filled.cast(pl.String)
    for seat, name in zip(SEATS, options.players, strict=False):
        if player_column(seat) not in texts.columns:
            added[player_column(seat)] = pl.lit(name)
    keys = as_number(pl.col("pulka")) if "pulka" in texts.columns else pl.lit(None, dtype=pl.Float64)
    numbers = texts.select(keys.alias("key"))["key"]
    if numbers.null_count() == 0 and numbers.is_unique().all() and (numbers == numbers.round()).all():
        return texts.with_columns(**added)
    own = {"record": pl.col("pulka")} if "pulka" in texts.columns else {}
    return texts.with_columns(**added, **own, pulka=pl.int_range(1, pl.len() + 1).cast(pl.String))


def _typed(texts: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Turn the texts into numbers; gives the rows of which all could be read, and what is wrong with the others."""
    names = [name for name in ("pulka", *_NUMBERS) if name in texts.columns]
    read = texts.with_columns(as_number(pl.col(name)).alias(name) for name in names)
    wrong = [(read[name].is_null() & texts[name].is_not_null()).alias(name) for name in names]
    refused = [
        refused_rows(
            texts.filter(is_wrong), "is_number", _shown_one(is_wrong.name), f"{is_wrong.name} must be a number"
        )
        for is_wrong in wrong
    ]
    sizes = pl.Series([*PLAYER_COUNTS], dtype=pl.Float64).implode()
    no_table = texts.filter(~read.select(pl.col("players").is_in(sizes).fill_null(False))["players"])
    refused.append(refused_rows(no_table, "players_of_sheet", _shown_one("players"), "players must be 2, 3 or 4"))
    every = pl.concat(refused).unique(["row", "rule", "value"], maintain_order=True)
    good = read.filter(~pl.col(PLACE).is_in(every["row"].implode()))
    whole = [name for name in names if name != "stake" and (good[name].drop_nulls() % 1 == 0).all()]
    return good.with_columns(pl.col(whole).cast(pl.Int64)), every


def _shown_one(name: str) -> pl.Expr:
    return pl.concat_str(pl.lit(f"{name}="), pl.col(name).cast(pl.String).fill_null("empty"))


def _shown(rows: pl.DataFrame, names: list[str]) -> pl.Expr:
    """Show what stands in columns of seats that the table does not have."""
    beyond = [pl.when(_is_left_over(name)).then(_shown_one(name)) for name in names]
    return pl.concat_str(beyond, separator=", ", ignore_nulls=True) if beyond else pl.lit("")


def _beyond_table(rows: pl.DataFrame) -> list[str]:
    """List the columns that not every table has."""
    of_seats = [name for name in (*entry_columns(), *_PLAYERS) if seats_needed(name) > PLAYER_COUNTS[0]]
    return [name for name in of_seats if name in rows.columns]


def _is_left_over(name: str) -> pl.Expr:
    return (pl.col("players") < seats_needed(name)) & pl.col(name).is_not_null()


def _is_stale(rows: pl.DataFrame) -> pl.Expr:
    """Tell whether a row has data of seats that its table does not have."""
    return pl.any_horizontal(pl.lit(False), *map(_is_left_over, _beyond_table(rows)))


FORMAT = Format(
    name="club-sheets",
    title="a table of final columns",
    endings=(*TEXT_ENDINGS, *WORKBOOK_ENDINGS),
    is_recognised=_is_recognised,
    read=_read,
)
"""The format, as the list of formats has it."""
