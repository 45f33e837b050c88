"""One pulka as a sheet of a workbook: its columns as they were written, totals and settlement as formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prefdata.conventions import Convention
from prefdata.errors import TableError
from prefdata.game import Game
from prefdata.language import Words
from prefdata.settlement.rounding import compensation
from prefdata.vocabulary import TWELFTHS, player_column, seats_at_table, seats_needed
from prefdata.writers._settlement_formulas import ENTRIES, FORMULAS, rounding_formulas, worked_out

__all__ = ["PulkaSheet", "Styles", "write_text"]

Row = Mapping[str, Any]
Styles = Mapping[str, Any]

_HEADINGS = 4
"""The row of the players' names above their columns; that of the columns' own names follows."""

_FIRST = 2
"""The first column of entries, after the number of a deal and its game."""

_NAME = 1
_SETTLED = ("name", *ENTRIES, "from_bullet", "from_mountain", "from_whists", "result", "rounded", "money", "rank")
"""What people read of a settlement, from left to right."""

_ROOM = 6
"""Columns that are left free for notes, which run over them."""

_LONGEST = 32_767
"""Characters that a cell holds."""


def write_text(page: Any, row: int, column: int, text: str, style: Any) -> None:
    """Write a text, which is never taken for a formula.

    Raises
    ------
    TableError
        If it is longer than a cell can hold.
    """
    if len(text) > _LONGEST:
        raise TableError(
            f"sheet {page.get_name()}: {text[:20]} ... has {len(text)} characters, and a cell holds {_LONGEST}",
            hint="Shorten it, or write a .csv or .json file.",
        )
    page.write_string(row, column, text, style)


@dataclass(frozen=True)
class PulkaSheet:
    """What stands in the sheet of one pulka.

    Attributes
    ----------
    game, convention, words
        The game, what the pulka was scored under, the words of the language.
    pulka, sheet
        Its rows of these tables.
    lines
        What was written line after line: `deal`, `game`, `note`, `is_scored`, and the entries by column.  Those of a
        line that is not scored are shown and not counted.
    settlement
        Its rows of the settlements table, in seat order.
    wide
        Its row of a wide settlement.
    """

    game: Game
    convention: Convention
    words: Words
    pulka: Row
    sheet: Row
    lines: Sequence[Row]
    settlement: Sequence[Row]
    wide: Row

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats of its table."""
        return seats_at_table(int(self.pulka["players"]))

    @property
    def is_live(self) -> bool:
        """Whether the settlement can be written as formulas: not where a stopped pulka is shared in whole points."""
        return self.convention.early_stop == "exact"

    @property
    def has_stake(self) -> bool:
        """Whether results are paid in money."""
        return self.pulka.get("stake") is not None

    @property
    def total_row(self) -> int:
        """The row of the totals, counted from 0."""
        return _HEADINGS + 2 + len(self.lines)

    @property
    def first_seat(self) -> int:
        """The row of the first seat's settlement."""
        return self.total_row + 8

    def name_of(self, seat: str) -> str:
        """Name a seat's player."""
        return str(self.pulka.get(player_column(seat)) or self.words("seat", seat=seat))

    def columns(self) -> list[tuple[str, str, str]]:
        """List the columns in the order in which they stand: name, owner's seat, what it settles as."""
        players = len(self.seats)
        mine = [(name, kind) for name, kind in self.game.entries.items() if seats_needed(name) <= players]
        return [(name, seat, kind) for seat in self.seats for name, kind in mine if kind.split("_")[1][0] == seat]

    def write(self, page: Any, styles: Styles) -> None:
        """Write everything to an empty sheet of a workbook."""
        _Page(self, page, styles).write()

    def result_cell(self) -> Iterator[str]:
        """Give for each seat the address of its result."""
        place = _Page.places(self)["rounded" if self.convention.rounding != "exact" else "result"]
        yield from (f"{_letters(place)}{self.first_seat + number + 1}" for number in range(len(self.seats)))

    def results(self) -> list[float | None]:
        """Give the results as they were worked out: rounded ones, exact ones where nothing is rounded."""
        which = "result" if self.convention.rounding == "exact" else "rounded"
        return [row[which] for row in self.settlement]


class _Page:
    """The sheet while it is written."""

    def __init__(self, what: PulkaSheet, page: Any, styles: Styles) -> None:
        self.what, self.page, self.styles = what, page, styles
        self.columns = {name: _FIRST + place for place, (name, _, _) in enumerate(what.columns())}

    def write(self) -> None:
        self._head()
        self._entries()
        self._numbers()
        self._settlement()
        self._dress()

    def _head(self) -> None:
        what, words = self.what, self.what.words
        limit = what.sheet["bullet_limit"]
        told = [what.convention.name, *([words("drawn_limit", limit=limit)] if limit is not None else [])]
        told += [str(what.pulka[name]) for name in ("played_on", "place") if what.pulka.get(name) is not None]
        self._text(0, 0, f"{words('drawn_pulka', pulka=what.pulka['pulka'])} · {' · '.join(told)}", "title")
        self._text(1, 0, words("export_hint") if what.is_live else words("export_values"), "note")
        self._text(_HEADINGS + 1, 0, words("export_deal"), "head")
        self._text(_HEADINGS + 1, 1, words("export_game"), "head")
        every = what.columns()
        for seat in what.seats:
            places = [self.columns[name] for name, owner, _ in every if owner == seat]
            self.page.merge_range(_HEADINGS, places[0], _HEADINGS, places[-1], "", self.styles["player"])
            self._text(_HEADINGS, places[0], what.name_of(seat), "player")
        for name, _, kind in every:
            self._text(_HEADINGS + 1, self.columns[name], self._heading(name, kind), "head")

    def _heading(self, name: str, kind: str) -> str:
        entry, seats = kind.split("_")
        words = self.what.words
        if entry == "whists":
            return words("on_player", name=self.what.name_of(seats[1]))
        if entry == "mountain":
            return words("mountain")
        return words("contract_column") if name.startswith("contract") else words("bullet")

    def _entries(self) -> None:
        """Write every entry as a number, and the totals as sums of them."""
        last_column = _FIRST + len(self.columns)
        for number, line in enumerate(self.what.lines):
            row = _HEADINGS + 2 + number
            style = "entry" if line["is_scored"] else "late"
            self._text(row, 0, str(line["deal"]), "deal")
            self._text(row, 1, line["game"], style)
            for name, column in self.columns.items():
                if line.get(name) and line["is_scored"]:
                    self.page.write_number(row, column, line[name], self.styles[style])
                elif line.get(name):  # a sum does not count texts
                    self._text(row, column, str(line[name]), style)
            self._text(row, last_column, line["note"], "remark")
        first, last = _HEADINGS + 3, self.what.total_row
        self._text(self.what.total_row, 1, self.what.words("export_total"), "total")
        for name, column in self.columns.items():
            letters = _letters(column)
            formula = f"=SUM({letters}{first}:{letters}{last})" if last >= first else "=0"
            self.page.write_formula(self.what.total_row, column, formula, self.styles["total"], self.what.sheet[name])

    def _numbers(self) -> None:
        """Write the numbers of the convention that the settlement looks at."""
        row, words = self.what.total_row + 2, self.what.words
        for number, (name, value) in enumerate(self._of_convention().items()):
            self._text(row + number, 1, words(f"export_{name}"), "note")
            self.page.write_number(row + number, _FIRST, value, self.styles["parameter"])

    def _of_convention(self) -> dict[str, float]:
        what, players = self.what, len(self.what.seats)
        shares = what.convention.bullet_share(players), what.convention.mountain_share(players)
        bullet, mountain = (float(share * TWELFTHS) for share in shares)
        limit = what.sheet["bullet_limit"] or 0
        whists = compensation(players, what.convention)
        return {"bullet_worth": bullet, "mountain_worth": mountain, "limit": limit, "whists": whists}

    @staticmethod
    def formulas(what: PulkaSheet) -> dict[str, str]:
        """Give the formulas of a seat's row by name."""
        return {**FORMULAS, **rounding_formulas(what.convention, len(what.seats))}

    @staticmethod
    def places(what: PulkaSheet) -> dict[str, int]:
        """Tell in which column each cell of a seat's row stands: what people read first, helping ones behind."""
        helping = ["seat", *(name for name in _Page.formulas(what) if name not in _SETTLED)]
        is_shown = {"rounded": "rounded" in _Page.formulas(what), "money": what.has_stake}
        shown = [name for name in _SETTLED if is_shown.get(name, True)]
        read = {name: _NAME + place for place, name in enumerate(shown)}
        return read | {name: _Page.width(what) + place for place, name in enumerate(helping)}

    @staticmethod
    def width(what: PulkaSheet) -> int:
        """Tell how many columns people read and print."""
        return max(_FIRST + len(what.columns()) + _ROOM, _NAME + len(_SETTLED))

    def _settlement(self) -> None:
        what, places = self.what, self.places(self.what)
        formulas, head = self.formulas(what), what.first_seat - 1
        for name, place in places.items():
            self._text(head, place, what.words(f"export_{name}"), "head")
        values = worked_out(what.convention, what.seats, what.wide)
        for number, (seat, settled) in enumerate(zip(what.seats, what.settlement, strict=True)):
            row = what.first_seat + number
            self._text(row, places["name"], what.name_of(seat), "name")
            self._text(row, places["seat"], seat, "note")
            for name, formula in {**self._from_columns(seat), **formulas}.items():
                style = "result" if name in ("result", "rounded") else "entry"
                value = {**self._sums(seat), **values[seat]}[name]
                if what.is_live or name in ENTRIES:
                    filled = f"={self._filled(formula, row)}"
                    self.page.write_formula(row, places[name], filled, self.styles[style], value)
                elif settled.get(name) is not None:
                    self.page.write_number(row, places[name], value, self.styles[style])
            if what.has_stake:
                paid = "rounded" if "rounded" in formulas else "result"
                formula = f'=IF([{paid}]="","",[{paid}]*{float(what.pulka["stake"])!r})'
                money = settled["money"] if settled["money"] is not None else ""
                self.page.write_formula(row, places["money"], self._filled(formula, row), self.styles["money"], money)

    def _from_columns(self, seat: str) -> dict[str, str]:
        """Point at the totals that a seat's row begins with."""
        found: dict[str, list[str]] = {name: [] for name in ENTRIES}
        for name, which in self._sources(seat):
            found[which].append(f"{_letters(self.columns[name])}{self.what.total_row + 1}")
        return {name: "+".join(cells) or "0" for name, cells in found.items()}

    def _sources(self, seat: str) -> Iterator[tuple[str, str]]:
        """Go through the columns that are about a seat, with the cell that each is added to."""
        for name, _, kind in self.what.columns():
            entry, seats = kind.split("_")
            if entry != "whists" and seats == seat:
                yield name, entry
            elif entry == "whists" and seat in seats:
                yield name, "written" if seats[0] == seat else "suffered"

    def _sums(self, seat: str) -> dict[str, int]:
        """Add up the totals that a seat's row begins with."""
        found = dict.fromkeys(ENTRIES, 0)
        for name, which in self._sources(seat):
            found[which] += self.what.sheet[name]
        return found

    def _filled(self, formula: str, row: int) -> str:
        """Put addresses in the place of names."""
        places = self.places(self.what)
        first, last = self.what.first_seat, self.what.first_seat + len(self.what.seats) - 1

        def cell(found: re.Match[str]) -> str:
            name, rest = found[1], found[2]
            letters = _letters(places[name])
            if rest == ":":
                return f"{letters}${first + 1}:{letters}${last + 1}"
            if rest == ":before":  # the seats before this one; the heading, which is no number, before the first
                return f"{letters}${first}:{letters}{row}"
            return f"{letters}{row + 1}"

        numbers = {name: place for place, name in enumerate(self._of_convention())}
        addresses = {name: f"${_letters(_FIRST)}${self.what.total_row + 3 + place}" for name, place in numbers.items()}
        filled = re.sub(r"\[(\w+)(:before|:)?\]", cell, formula)
        return filled.format(players=len(self.what.seats), **addresses)

    def _text(self, row: int, column: int, text: str, style: str) -> None:
        write_text(self.page, row, column, text, self.styles[style])

    def _dress(self) -> None:
        width, last_row = self.width(self.what), self.what.first_seat + len(self.what.seats) - 1
        self.page.freeze_panes(_HEADINGS + 2, _FIRST)
        self.page.set_column(0, 0, 6)
        self.page.set_column(1, 1, 28)
        self.page.set_row(_HEADINGS + 1, 45)
        self.page.set_row(self.what.first_seat - 1, 45)
        self.page.set_column(_FIRST, width - 1, 8.5)
        self.page.set_column(width, width + len(self.formulas(self.what)), 12)
        self.page.print_area(0, 0, last_row, width - 1)
        self.page.set_landscape()
        self.page.set_paper(9)
        self.page.fit_to_pages(1, 0)


def _letters(column: int) -> str:
    """Name a column as spreadsheets do.

    >>> _letters(0), _letters(27)
    ('A', 'AB')
    """
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
