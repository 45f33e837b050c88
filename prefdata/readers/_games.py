"""Whole games of other programs, as the tables of a reader.

A program's file holds one game or several.  What cannot be read in a game sets that game aside, with the place of what
was wrong in it; the others stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from prefdata.conventions import Convention, preset
from prefdata.errors import TableError
from prefdata.game import Game as Rules
from prefdata.games import GAMES
from prefdata.readers._deals import put_right
from prefdata.readers._records import NOTE_SCHEMA, PLACE, REFUSED_SCHEMA, Options, Records
from prefdata.tables import PULKAS, Table
from prefdata.vocabulary import SEATS, call_column, seats_at_table, tricks_column

__all__ = ["RecordedGame", "UnreadableError", "convention_of", "first_dealer_of", "records_of"]


class UnreadableError(Exception):
    """Something in a game that cannot be read: a rule's name, what stood there with its place, and what must hold.

    The row of the file is told where it is another one than that of the record which is being read.
    """

    def __init__(self, rule: str, value: str, reason: str, row: int | None = None) -> None:
        super().__init__(reason)
        self.rule, self.value, self.reason, self.row = rule, value, reason, row


@dataclass(kw_only=True)
class RecordedGame:
    """A game as it was read.

    Attributes
    ----------
    pulka, sheet
        Its row in the table of pulkas and, if the file records one, of sheets; empty where there is none.
    deals, adjustments
        Its deals and what was written beside them, each with `PLACE`.
    refused, notes
        What could not be read, and what was put right, in the columns of `Records.refused` and `Records.notes`.
    rows
        How many records of the file it has.
    only_sheet
        Whether the file tells its columns, but not what was played.
    """

    pulka: dict[str, Any] = field(default_factory=dict)
    sheet: dict[str, Any] = field(default_factory=dict)
    deals: list[dict[str, Any]] = field(default_factory=list)
    adjustments: list[dict[str, Any]] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)
    rows: int = 0
    only_sheet: bool = False

    def refuse(self, row: int, error: UnreadableError) -> None:
        """Set the game aside for what stands in a row of the file."""
        told = {"rule": error.rule, "value": error.value, "reason": error.reason}
        self.refused.append({"row": error.row or row, **told, "pulka": self.pulka.get("pulka")})

    def add_deal(self, deal: dict[str, Any], place: str, *, strict: bool) -> None:
        """Add a deal of the Russian game.

        Programs fill in the tricks of a ten that nobody whisted, although it was not played; the tables would take it
        for one that was checked.

        Raises
        ------
        UnreadableError
            If it is such a ten, and nothing is to be put right.
        """
        self.deals.append(deal)
        calls = {deal.get(call_column(seat)) for seat in SEATS} - {None}
        recorded = {name: deal[name] for name in map(tricks_column, SEATS) if deal.get(name) is not None}
        if deal["contract"] != "10" or calls != {"pass"} or not recorded:
            return
        told = ", ".join(f"{name}={number}" for name, number in recorded.items())
        why = "this program does not play a ten that nobody whisted"
        if strict:
            raise UnreadableError("tricks_where_played", f"{place}: {told}", f"{why}, so that it has no tricks")
        for name in recorded:
            del deal[name]
        self.note(deal[PLACE], "tricks", told, "nothing", why)

    def note(self, row: int, column: str, stood: str, taken: str, why: str) -> None:
        """Note what was taken for something else than it says."""
        self.notes.append({"row": row, "column": column, "stood": stood, "taken": taken, "why": why})


def convention_of(options: Options, game: str, file: Path, *, called: str = "") -> Convention:
    """Give the convention of the option, which must be of a game; `called` is what the file calls its own.

    Raises
    ------
    TableError
        If the option is not given, or names a convention of another game.
    """
    if options.convention is None:
        own = f" The file calls its own {called!r}, with settings that no preset has." if called else ""
        raise TableError(
            f"{file} does not tell a preset that it was played under",
            hint=f"Name one as its convention; it stands in every pulka, and any other may score it later.{own}",
        )
    chosen = preset(options.convention)
    if chosen.game != game:
        raise TableError(
            f"{file} holds deals of the {game.capitalize()} game, and {chosen.name} is a convention of the "
            f"{chosen.game.capitalize()} one",
            hint=f"Name a convention of the {game.capitalize()} game.",
        )
    return chosen


def first_dealer_of(options: Options, players: int, file: Path) -> str:
    """Give the seat of the option that says who dealt first.

    Raises
    ------
    TableError
        If the option is not given, or names no seat of the table.
    """
    seats = seats_at_table(players)
    if options.first_dealer is None or options.first_dealer not in seats:
        raise TableError(
            f"{file} does not tell who dealt first",
            hint=f"Give the seat as first_dealer: one of {', '.join(seats)}, in the order of the file's players.",
        )
    return options.first_dealer


def records_of(
    games: Sequence[RecordedGame],
    game: str,
    options: Options,
    *,
    ignored: Sequence[str] = (),
    conventions: Sequence[Convention] = (),
) -> Records:
    """Put games into tables; those in which something could not be read are left out, with what was wrong.

    Parameters
    ----------
    games
        All games of a file, in its order.
    game
        Which game they are of.
    options
        Whether deals are put right, see `put_right`.
    ignored, conventions
        As in `Records`.
    """
    rules = GAMES[game]
    good = [one for one in games if not one.refused]
    played = [one for one in good if not one.only_sheet]
    sheets = [one.sheet for one in good if one.sheet]
    deals = _table([row for one in played for row in one.deals], rules.deals)
    righted = put_right(deals, strict=options.strict)
    notes = pl.DataFrame([row for one in good for row in one.notes], schema=NOTE_SCHEMA)
    adjustments = [row for one in played for row in one.adjustments]
    return Records(
        pulkas=_table([one.pulka for one in played], PULKAS) if played else None,
        deals=righted.deals if played else None,
        adjustments=_table(adjustments, rules.adjustments) if adjustments else None,
        sheets=_sheets(sheets, rules) if sheets else None,
        notes=pl.concat([notes, righted.notes]),
        refused=pl.DataFrame([row for one in games for row in one.refused], schema=REFUSED_SCHEMA),
        rows=sum(one.rows for one in games),
        ignored=tuple(ignored),
        conventions=tuple(conventions),
    )


def _table(rows: list[dict[str, Any]], table: Table) -> pl.DataFrame:
    """Make a frame of rows, with words as texts and whole numbers that are checked later."""
    schema = {name: _as_read(column.dtype) for name, column in table.schema.columns().items() if name != "outcome"}
    return pl.DataFrame(rows, schema={**schema, PLACE: pl.UInt32})


def _as_read(kind: pl.DataType) -> pl.DataType:
    if kind == pl.Enum:
        return pl.String()
    return pl.Int64() if kind.is_integer() else kind


def _sheets(rows: list[dict[str, Any]], rules: Rules) -> pl.DataFrame:
    """Make a frame of recorded sheets: keys, names, entries, and what a reader keeps beside them."""
    schema: dict[str, pl.DataType | type[pl.DataType]] = {
        name: column.dtype
        for name, column in PULKAS.schema.columns().items()
        if name in rows[0] and name != "convention"
    }
    schema |= dict.fromkeys(("pulka", "players", "bullet_limit"), pl.Int64)
    schema |= dict.fromkeys(rules.entries, pl.Float64)
    beside = {name: pl.Int64 for row in rows for name in row if name not in (*schema, "convention", PLACE)}
    frame = pl.DataFrame(rows, schema={**schema, **beside, PLACE: pl.UInt32})
    whole = [name for name in rules.entries if (frame[name].drop_nulls() % 1 == 0).all()]
    return frame.with_columns(pl.col(whole).cast(pl.Int64))
