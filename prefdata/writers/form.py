"""A workbook to type a pulka into: a sheet for the table, one for the deals, one of help."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefdata.conventions import convention, presets
from prefdata.doors import as_choice, as_flag, as_path, as_whole
from prefdata.errors import TableError
from prefdata.files import new_file
from prefdata.games import GAMES
from prefdata.readers.forms import FORM_LANGUAGES, FormWords, deal_columns, form_words, table_rows
from prefdata.vocabulary import BALKAN, LARGEST_LIMIT, PLAYER_COUNTS, RUSSIAN, SEATS, TRICKS

__all__ = ["write_form"]

_LINES = 120
"""Deals that a form has lines for."""

_SEATED = ("dealer", "declarer", "contra_by")
_WHOLE = {"multiplier": (1, 16)}


def write_form(
    path: str | Path, *, players: int = 3, game: str = RUSSIAN, language: str = "en", overwrite: bool = False
) -> None:
    """Write a workbook to type a pulka into, which `prefdata.import_file` reads.

    Parameters
    ----------
    path
        The file, an .xlsx.
    players
        How many sit at the table; three in the Balkan game.
    game
        ``russian`` or ``balkan``.
    language
        Of its words: ``en`` or ``ru``.
    overwrite
        Whether a file that is there is replaced.

    Raises
    ------
    TargetExistsError
        If there is a file and it must not be overwritten.
    TableError
        If the file is no .xlsx, cannot be written, or the game is not for so many players.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_form(Path(folder, "pulka.xlsx"), players=4, language="ru")
    ...     Path(folder, "pulka.xlsx").stat().st_size > 5000
    True
    """
    file, overwrite = as_path(path, "path"), as_flag(overwrite, "overwrite")
    players = as_whole(players, "players", min(PLAYER_COUNTS), max(PLAYER_COUNTS))
    game, language = as_choice(game, "game", GAMES), as_choice(language, "language", FORM_LANGUAGES)
    if players not in GAMES[game].players:
        raise TableError(f"the {GAMES[game].title} game is not for {players} players", hint="It is for three.")
    if file.suffix != ".xlsx":
        raise TableError(f"{file} does not end in .xlsx", hint="Name the file so, such as pulka.xlsx.")
    try:
        import xlsxwriter  # noqa: PLC0415 - an extra
    except ImportError:
        raise TableError(
            f"{file}: workbooks need an extra", hint="python -m pip install 'prefdata[excel]', then try again."
        ) from None
    with new_file(file, overwrite=overwrite, error=TableError) as beside:
        book = xlsxwriter.Workbook(str(beside))
        try:
            _Form(book, form_words(language), game, players).write()
        finally:
            book.close()


class _Form:
    """A form while it is written."""

    def __init__(self, book: Any, words: FormWords, game: str, players: int) -> None:
        self.book, self.words, self.game, self.players = book, words, game, players
        self.columns = deal_columns(game, players)
        self.rows = table_rows(players)
        self.table, self.deals, self.help = (
            book.add_worksheet(name) for name in (words.table, words.deals, words.help)
        )
        self.heading = book.add_format({"bold": True, "bg_color": "#E8E8E8", "border": 1, "text_wrap": True})
        self.cell = book.add_format({"border": 1, "border_color": "#BBBBBB"})
        self.day = book.add_format({"border": 1, "border_color": "#BBBBBB", "num_format": "yyyy-mm-dd"})
        self.red = book.add_format({"bg_color": "#F4B6B6"})

    def write(self) -> None:
        """Write the three sheets."""
        self._write_table()
        self._write_headings()
        self._write_lists()
        self._write_check()
        self.help.set_column(0, 0, 100)
        for number, line in enumerate(self.words.lines):
            self.help.write_string(number, 0, line)

    def _label(self, name: str, player: str = "") -> str:
        kind, _, seat = name.partition("_")
        known = name if name in self.words.headings else kind
        place = str(SEATS.index(seat) + 1) if seat in SEATS and known == kind else ""
        return self.words.headings[known].format(place=place, player=player or place)

    def _write_table(self) -> None:
        self.table.set_column(0, 0, 24)
        self.table.set_column(1, 1, 24)
        given = {"game": self.game, "players": self.players}
        for row, name in enumerate(self.rows):
            self.table.write_string(row, 0, self._label(name), self.heading)
            if name in given:
                self.table.write(row, 1, given[name], self.heading)
            else:
                self.table.write_blank(row, 1, None, self.day if name == "played_on" else self.cell)
        named = [name for name in presets() if convention(name).game == self.game]
        limit = {"validate": "integer", "criteria": "between", "minimum": 1, "maximum": LARGEST_LIMIT}
        self.table.data_validation(self.rows.index("bullet_limit"), 1, self.rows.index("bullet_limit"), 1, limit)
        chosen = {"validate": "list", "source": named, "error_type": "warning"}
        self.table.data_validation(self.rows.index("convention"), 1, self.rows.index("convention"), 1, chosen)

    def _name_cell(self, seat: str) -> str:
        return f"'{self.words.table}'!$B${self.rows.index(f'player_{seat}') + 1}"

    def _write_headings(self) -> None:
        self.deals.freeze_panes(1, 1)
        self.deals.set_landscape()
        self.deals.fit_to_pages(1, 0)
        self.deals.repeat_rows(0)
        self.deals.set_row(0, 32)
        for column, name in enumerate(self.columns):
            kind, _, seat = name.partition("_")
            self.deals.set_column(column, column, 5 if name == "deal" else 11)
            if kind in ("call", "tricks"):
                name_cell, plain = self._name_cell(seat), self._label(name)
                before = self.words.headings[kind].format(player="")
                formula = f'=IF({name_cell}="","{plain}","{before}"&{name_cell})'
                self.deals.write_formula(0, column, formula, self.heading, plain)
            else:
                self.deals.write_string(0, column, self._label(name), self.heading)
            for line in range(1, _LINES + 1):
                if name == "deal":
                    self.deals.write_number(line, column, line, self.heading)
                else:
                    self.deals.write_blank(line, column, None, self.cell)
        self.deals.set_column(len(self.columns), len(self.columns), 14)
        self.deals.write_string(0, len(self.columns), self._label("check"), self.heading)

    def _write_lists(self) -> None:
        first, last = self._name_cell(SEATS[0]), self._name_cell(SEATS[self.players - 1])
        names = f"={first}:{last.partition('!')[2]}"
        for column, (name, words) in enumerate(self.columns.items()):
            kind = name.partition("_")[0]
            hint = self.words.hints.get(name, self.words.hints.get(kind))
            told = {"input_message": hint} if hint else {}
            if name in _SEATED:
                rule: dict[str, Any] = {"validate": "list", "source": names}
            elif words:
                rule = {"validate": "list", "source": [self.words.words.get(word, word) for word in words]}
            elif kind == "tricks" or name in _WHOLE:
                least, most = _WHOLE.get(name, (0, TRICKS))
                rule = {"validate": "integer", "criteria": "between", "minimum": least, "maximum": most}
            else:
                continue
            self.deals.data_validation(1, column, _LINES, column, rule | told | {"error_type": "warning"})

    def _write_check(self) -> None:
        from xlsxwriter.utility import xl_col_to_name, xl_rowcol_to_cell  # noqa: PLC0415 - an extra

        places = {name: place for place, name in enumerate(self.columns)}
        tricks = [place for name, place in places.items() if name.startswith("tricks")]
        check = len(self.columns)
        alone = self.words.words.get("misere", "misere") if self.game != BALKAN else "bettel"
        for line in range(1, _LINES + 1):
            cells = f"{xl_rowcol_to_cell(line, tricks[0])}:{xl_rowcol_to_cell(line, tricks[-1])}"
            contract = xl_rowcol_to_cell(line, places["contract"])
            right = f'OR(SUM({cells})={TRICKS},AND(COUNT({cells})=1,{contract}="{alone}"))'
            formula = (
                f'=IF(COUNT({cells})=0,"",IF({right},"{self.words.adds_up}","{self.words.wrong_sum}"&SUM({cells})))'
            )
            self.deals.write_formula(line, check, formula, self.cell, "")
        column = xl_col_to_name(check)
        wrong = f'=LEFT(${column}2,{len(self.words.wrong_sum)})="{self.words.wrong_sum}"'
        span = (1, tricks[0], _LINES, check)
        self.deals.conditional_format(*span, {"type": "formula", "criteria": wrong, "format": self.red})
