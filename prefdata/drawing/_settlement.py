"""What stands below a drawn sheet: the settlement, and what the marks mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from prefdata.drawing._fields import FULL, LEFT_OUT, ROUNDING, SIGNS, Pen, figures_shown, name_of, signed
from prefdata.drawing._fitting import fit_line, width_of
from prefdata.drawing._numbers import ADJUSTMENT, HELP, WRITE_OFF, SeatResult, SheetNumbers
from prefdata.language import Words
from prefdata.vocabulary import RUSSIAN

__all__ = ["draw_legend", "draw_settlement", "height_of_settlement", "legend_of"]

_ROW, _HEAD = 26.0, 24.0
_SIZE, _HEAD_SIZE, _SMALLEST = 15.0, 12.0, 9.0
_NAME_SHARE, _PAD, _APART = 0.34, 6.0, 22.0
_LEGEND_SIZE, _LEGEND_ROW, _LEGEND_GAP = 12.0, 19.0, 16.0


class _Column(NamedTuple):
    """A column of the settlement: what it is called in the drawing and by people, and its cell for a seat."""

    key: str
    head: str
    cell: Callable[[SeatResult], str]


def _columns(numbers: SheetNumbers, words: Words) -> list[_Column]:
    decimals = 2 if any(own.money and own.money % 1 for own in numbers.seats) else 0
    is_russian = numbers.game == RUSSIAN
    bullets = words("from_bullets") if is_russian else words("from_contracts")
    whists = words("from_whist_columns") if is_russian else words("from_juhas")
    columns = [
        _Column("from_bullet", bullets, lambda own: signed(own.from_bullet)),
        _Column("from_mountain", words("from_mountains"), lambda own: signed(own.from_mountain)),
        _Column("from_whists", whists, lambda own: signed(own.from_whists)),
        _Column("result", words("exact_result"), lambda own: signed(own.result)),
        _Column("rounded", words("rounded_result"), lambda own: "" if own.rounded is None else signed(own.rounded)),
        _Column(
            "money",
            words("money"),
            lambda own: "" if own.money is None else words.number(own.money, decimals, sign=True),
        ),
    ]
    unused = {
        "from_bullet": is_russian and not any(own.from_bullet for own in numbers.seats),
        "from_mountain": not is_russian,
        "result": all(own.result == own.rounded for own in numbers.seats),
        "rounded": all(own.rounded is None for own in numbers.seats),
        "money": all(own.money is None for own in numbers.seats),
    }
    return [column for column in columns if not unused.get(column.key)]


def height_of_settlement(numbers: SheetNumbers) -> float:
    """Tell how much room the table takes."""
    return _HEAD + _ROW * len(numbers.seats)


def draw_settlement(pen: Pen, numbers: SheetNumbers, width: float) -> None:
    """Draw the table: a row for each player, with where his result comes from."""
    columns = _columns(numbers, pen.words)
    ends = _ends(columns, numbers, pen.words, width)
    name_width = ends[0]
    for column, start, end in zip(columns, ends, ends[1:], strict=False):
        text, size = fit_line(column.head, end - start - _PAD, _HEAD_SIZE, 6.0)
        pen.canvas.text(end, 15.0, text, font_size=size, fill=pen.theme.label, text_anchor="end")
    for row, own in enumerate(numbers.seats):
        top = _HEAD + row * _ROW
        pen.canvas.element("line", x1=0, y1=top, x2=width, y2=top, stroke=pen.theme.line)
        base = top + 0.5 * _ROW + 0.36 * _SIZE
        name, size = fit_line(name_of(numbers, own.seat, pen.words), name_width - _PAD, _SIZE, _SMALLEST)
        pen.canvas.text(0.0, base, name, font_size=size, fill=pen.theme.ink, data_player=own.seat)
        for column, start, end in zip(columns, ends, ends[1:], strict=False):
            text, size = fit_line(column.cell(own), end - start - _PAD, _SIZE, 3.0)
            is_final = column is _final(columns)
            pen.canvas.text(
                end,
                base,
                text,
                font_size=size,
                font_weight="bold" if is_final else None,
                fill=_colour(pen, text) if is_final else pen.theme.ink,
                text_anchor="end",
                data_settlement=column.key,
                data_seat=own.seat,
            )


def _ends(columns: list[_Column], numbers: SheetNumbers, words: Words, width: float) -> list[float]:
    """Tell where columns end, that of the names first: figures take what they need, names have the rest.

    Where that is too little for the names, they have their share, or as much as they need if that is less.
    """
    wide = [
        _APART
        + max(
            width_of(column.head, _HEAD_SIZE),
            *(width_of(column.cell(own), _SIZE) for own in numbers.seats),
        )
        for column in columns
    ]
    longest = max(width_of(name_of(numbers, own.seat, words), _SIZE) for own in numbers.seats) + _PAD
    room = width - min(longest, width * _NAME_SHARE)
    if sum(wide) > room:
        wide = [room / len(columns)] * len(columns)
    return [width - sum(wide[place:]) for place in range(len(wide) + 1)]


def _final(columns: list[_Column]) -> _Column:
    """Give the column in which people look for what they won."""
    return [column for column in columns if column.key in ("result", "rounded")][-1]


def _colour(pen: Pen, text: str) -> str:
    return pen.theme.loss if text.startswith("−") else pen.theme.gain


def legend_of(pen: Pen, numbers: SheetNumbers, *, left_out: bool) -> list[tuple[str, str, str]]:
    """Tell the marks that are on the sheet: what each is, its sign, and its colour."""
    words, theme = pen.words, pen.theme
    marks = {
        mark
        for column in numbers.columns
        for figure in figures_shown(numbers, column, entries=pen.entries)
        for mark in figure.marks
    }
    points = [signed(point) for name, point in numbers.rounding.items() if len(name.rpartition("_")[2]) == 1]
    every = (
        (HELP in marks, f"{SIGNS[HELP]} {words('drawn_help')}", theme.help),
        (WRITE_OFF in marks, f"{SIGNS[WRITE_OFF]} {words('drawn_write_off')}", theme.write_off),
        (ADJUSTMENT in marks, f"{SIGNS[ADJUSTMENT]} {words('drawn_adjustment')}", theme.adjustment),
        (bool(points), f"({', '.join(points)}) {words('drawn_rounding')}", theme.rounding),
        (bool(numbers.full_bullets), f"○ {words('drawn_full')}", theme.ink),
        (left_out, f"[…] {words('drawn_left_out')}", theme.label),
    )
    keys = (HELP, WRITE_OFF, ADJUSTMENT, ROUNDING, FULL, LEFT_OUT)
    return [(key, text, colour) for key, (there, text, colour) in zip(keys, every, strict=True) if there]


def draw_legend(pen: Pen, legend: list[tuple[str, str, str]], width: float) -> float:
    """Draw what the marks mean, in as many rows as need be, and tell the height."""
    x, y = 0.0, 0.0
    for key, text, colour in legend:
        wide = width_of(text, _LEGEND_SIZE)
        if x and x + wide > width:
            x, y = 0.0, y + _LEGEND_ROW
        pen.canvas.text(x, y + _LEGEND_SIZE, text, font_size=_LEGEND_SIZE, fill=colour, data_legend=key)
        x += wide + _LEGEND_GAP
    return y + _LEGEND_ROW if legend else 0.0
