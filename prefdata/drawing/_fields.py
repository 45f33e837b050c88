"""One field of a sheet: its name, and the figures in it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from prefdata.drawing._fitting import ABRIDGED, Form, fit_entries, fit_line, width_of
from prefdata.drawing._numbers import ADJUSTMENT, HELP, WRITE_OFF, Figure, SheetNumbers
from prefdata.drawing._shapes import Polygon, between, heights_of, inset, points_of, span
from prefdata.drawing._svg import Canvas
from prefdata.drawing._theme import Theme
from prefdata.language import Words

__all__ = ["FULL", "LEFT_OUT", "ROUNDING", "SIGNS", "Pen", "draw_field", "figures_shown", "mixed", "name_of", "signed"]

ROUNDING, FULL, LEFT_OUT = "rounding", "full", "left_out"
SIGNS = {HELP: "↑", WRITE_OFF: "↓", ADJUSTMENT: "*"}
"""Signs behind marked figures, so that they can be told without colours."""

_SIZES, _TOTAL_SIZES = (19.0, 18.0, 17.0, 16.0, 15.0, 14.0, 13.0, 12.0), (24.0, 22.0, 20.0, 18.0, 16.0, 14.0, 12.0)
_LABEL, _SMALLEST_LABEL = 12.0, 9.0
_LABEL_ROW = 15.0
_BESIDE = 5.0
"""Blank between the lines of a field and what stands in it."""

_FAR = 10_000.0


@dataclass(frozen=True)
class Pen:
    """What a sheet is drawn with.

    Attributes
    ----------
    canvas, theme, words
        What is drawn on, its colours, and the words.
    entries
        Whether all entries are drawn, or totals alone.
    """

    canvas: Canvas
    theme: Theme
    words: Words
    entries: bool


def mixed(number: int | Fraction) -> str:
    """Spell a number with a true minus, its fraction behind it.

    >>> mixed(-6), mixed(Fraction(1, 2))
    ('−6', '1/2')
    >>> print(mixed(Fraction(-160, 3)))
    −53 1/3
    """
    whole, rest = divmod(abs(Fraction(number)), 1)
    parts = [str(whole)] if whole or not rest else []
    parts += [f"{rest.numerator}/{rest.denominator}"] if rest else []
    return ("−" if number < 0 else "") + "\N{NO-BREAK SPACE}".join(parts)


def signed(number: int | Fraction) -> str:
    """Spell a number with its sign.

    >>> signed(12), signed(0), signed(-1)
    ('+12', '0', '−1')
    """
    return f"+{mixed(number)}" if number > 0 else mixed(number)


def name_of(numbers: SheetNumbers, seat: str, words: Words) -> str:
    """Name the player at a seat, or the seat where nobody knows him."""
    players = {one.seat: one.player for one in numbers.seats}
    return (players[seat] or "").strip() or words("seat", seat=seat)


def figures_shown(numbers: SheetNumbers, column: str, *, entries: bool) -> tuple[Figure, ...]:
    """Give the figures of a column that are drawn: all of them, or its total."""
    figures = numbers.columns[column]
    if entries:
        return figures
    return (Figure(numbers.totals[column], figures[-1].deal if figures else None),)


def draw_field(
    pen: Pen,
    numbers: SheetNumbers,
    column: str,
    shape: Polygon,
    *,
    label: str,
    top: float = 0.0,
    form: Form = "running",
) -> bool:
    """Draw a field and what is written in it.

    Parameters
    ----------
    pen, numbers
        What is drawn with, and the numbers.
    column, shape, label
        The column that is written in the field, its shape and its name.
    top
        Above this height there is no room.
    form
        How entries stand in it; totals are in its middle.

    Returns
    -------
    bool
        Whether figures had to be left out.
    """
    name, area = _rooms(shape, top)
    with pen.canvas.group(data_field=column, fill=pen.theme.pale):
        pen.canvas.element("polygon", points=points_of(shape), fill=pen.theme.board, stroke=pen.theme.line)
        left, right = span(name, *heights_of(name))
        text, size = fit_line(label, right - left, _LABEL, _SMALLEST_LABEL)
        pen.canvas.text(
            (left + right) / 2,
            heights_of(name)[0] + _LABEL,
            text,
            font_size=size,
            fill=pen.theme.label,
            text_anchor="middle",
            data_label=column,
        )
        return _draw_figures(pen, numbers, column, area, form=form)


@cache
def _rooms(shape: Polygon, top: float) -> tuple[Polygon, Polygon]:
    """Divide a field into the row of its name and the room for figures."""
    room = inset(shape, _BESIDE)
    start = max(heights_of(room)[0], top)
    return between(room, 1, start, start + _LABEL_ROW), between(room, 1, start + _LABEL_ROW, _FAR)


def _draw_figures(pen: Pen, numbers: SheetNumbers, column: str, area: Polygon, *, form: Form) -> bool:
    figures = figures_shown(numbers, column, entries=pen.entries)
    point = "." if pen.entries else ""
    texts = [f"{mixed(one.total)}{point}{''.join(SIGNS[mark] for mark in one.marks)}" for one in figures]
    moved = numbers.rounding.get(column)
    if moved is not None:
        texts.append(f"({signed(moved)})")
    if not texts:
        return False
    kept = 1 if moved is None else 2
    fitted = (
        fit_entries(texts, area, _SIZES, form=form, kept=kept)
        if pen.entries
        else fit_entries(texts, area, _TOTAL_SIZES, form="middle", kept=kept)
    )
    size = fitted.size
    for entry, x, y in fitted.places:
        if entry < fitted.left_out:
            told = ABRIDGED.format(count=fitted.left_out)
            pen.canvas.text(x, y, told, font_size=size, fill=pen.theme.label, data_left_out=fitted.left_out)
        elif entry == len(figures):
            pen.canvas.text(
                x, y, texts[entry], font_size=size, fill=pen.theme.rounding, data_entry=column, data_mark=ROUNDING
            )
        else:
            is_last = entry == len(figures) - 1
            _draw_figure(pen, column, figures[entry], texts[entry], (x, y), size, is_last=is_last)
            if is_last and column in numbers.full_bullets:
                _draw_ring(pen, (x, y), width_of(texts[entry], size), size)
    return bool(fitted.left_out)


def _draw_figure(
    pen: Pen, column: str, figure: Figure, text: str, place: tuple[float, float], size: float, *, is_last: bool
) -> None:
    colours = {HELP: pen.theme.help, WRITE_OFF: pen.theme.write_off, ADJUSTMENT: pen.theme.adjustment}
    plain = pen.theme.ink if is_last else None
    pen.canvas.text(
        *place,
        text,
        font_size=size,
        font_weight="bold" if is_last else None,
        fill=colours[figure.marks[-1]] if figure.marks else plain,
        data_entry=column,
        data_deal=figure.deal,
        data_mark=" ".join(figure.marks) or None,
    )


def _draw_ring(pen: Pen, place: tuple[float, float], width: float, size: float) -> None:
    """Ring the last figure of a bullet that is closed."""
    pen.canvas.element(
        "rect",
        x=place[0] - 2,
        y=place[1] - 0.86 * size,
        width=width + 3,
        height=1.08 * size,
        rx=0.5 * size,
        fill="none",
        stroke=pen.theme.ink,
    )
