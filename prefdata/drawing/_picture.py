"""The whole picture: what the sheet is, the sheet, the settlement and what the marks mean."""

from __future__ import annotations

from prefdata.drawing._balkan import draw_balkan, size_of_balkan
from prefdata.drawing._fields import Pen
from prefdata.drawing._fitting import FONT, fit_line
from prefdata.drawing._numbers import SheetNumbers
from prefdata.drawing._russian import draw_russian, size_of_russian
from prefdata.drawing._settlement import draw_legend, draw_settlement, height_of_settlement, legend_of
from prefdata.drawing._svg import Canvas, number
from prefdata.drawing._theme import Theme
from prefdata.language import Words
from prefdata.vocabulary import BALKAN, RUSSIAN

__all__ = ["draw_picture", "title_of"]

_BOARDS = {RUSSIAN: (size_of_russian, draw_russian), BALKAN: (size_of_balkan, draw_balkan)}
_HEAD, _TITLE, _NOTE, _SMALLEST = 66.0, 20.0, 13.0, 8.0
_SHOWN = 0.85
"""Points for each unit of the drawing, so that it is printed on A4 with a margin."""

_SIDE, _GAP, _FOOT = 36.0, 14.0, 12.0


def title_of(numbers: SheetNumbers, words: Words) -> str:
    """Name a sheet: its pulka, the convention, the limit."""
    limit = [] if numbers.limit is None else [words("drawn_limit", limit=numbers.limit)]
    return " · ".join([words("drawn_pulka", pulka=numbers.pulka), numbers.convention, *limit])


def _note_of(numbers: SheetNumbers, words: Words, deal: int | None) -> str:
    """Tell when and where it was played, and how far it got."""
    told = [] if numbers.played_on is None else [numbers.played_on.isoformat()]
    told += [numbers.place] if numbers.place else []
    if deal is not None:
        told.append(words("drawn_after", deal=deal))
    elif numbers.deals is None:
        told.append(words("drawn_recorded"))
    else:
        told.append(words("drawn_deals", deals=numbers.deals))
    told += [words("drawn_after_end", deals=numbers.after_end)] if numbers.after_end else []
    told += [words("drawn_open")] if numbers.closed is False else []
    return " · ".join(told)


def draw_picture(numbers: SheetNumbers, theme: Theme, words: Words, *, entries: bool, deal: int | None) -> str:
    """Draw a sheet as SVG.

    Parameters
    ----------
    numbers, theme, words
        What is drawn, in which colours and words.
    entries
        Whether all entries are drawn, or totals alone.
    deal
        The deal after which the sheet stands so; None at the end.
    """
    size_of_board, draw_board = _BOARDS[numbers.game]
    width, board_height = size_of_board(numbers.players)
    inner = width - 2 * _SIDE
    pen = Pen(Canvas(), theme, words, entries and numbers.has_entries)
    _draw_head(pen, title_of(numbers, words), _note_of(numbers, words, deal), inner)
    with pen.canvas.group(transform=f"translate(0 {number(_HEAD)})"):
        left_out = draw_board(pen, numbers)
    below = _HEAD + board_height + _GAP
    with pen.canvas.group(transform=f"translate({number(_SIDE)} {number(below)})"):
        draw_settlement(pen, numbers, inner)
    below += height_of_settlement(numbers) + _GAP
    with pen.canvas.group(transform=f"translate({number(_SIDE)} {number(below)})"):
        below += draw_legend(pen, legend_of(pen, numbers, left_out=left_out), inner)
    return _framed(pen, title_of(numbers, words), width, below + _FOOT)


def _draw_head(pen: Pen, title: str, note: str, width: float) -> None:
    text, size = fit_line(title, width, _TITLE, _SMALLEST)
    pen.canvas.text(_SIDE, 30.0, text, font_size=size, font_weight="bold", fill=pen.theme.ink, data_title="title")
    text, size = fit_line(note, width, _NOTE, _SMALLEST)
    pen.canvas.text(_SIDE, 50.0, text, font_size=size, fill=pen.theme.pale, data_title="note")


def _framed(pen: Pen, title: str, width: float, height: float) -> str:
    """Put what was drawn on its paper."""
    whole = Canvas()
    with whole.group(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=_SHOWN * width,
        height=_SHOWN * height,
        role="img",
        font_family=FONT,
        lang=pen.words.language,
    ):
        whole.element("title", title)
        whole.element("rect", width=width, height=height, fill=pen.theme.paper)
        whole.include(pen.canvas)
    return whole.drawn()
