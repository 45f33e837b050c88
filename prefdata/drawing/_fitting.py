"""How wide texts are, and how they are made to fit."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

from prefdata.drawing._shapes import Polygon, heights_of, span

__all__ = ["ABRIDGED", "FONT", "Fitted", "Form", "Placed", "fit_entries", "fit_line", "width_of"]

FONT = "Arial, 'Liberation Sans', 'Helvetica Neue', 'DejaVu Sans', sans-serif"
"""The family of all texts; the widths below are those of its first two, bold or not, whichever is wider."""

_WIDTHS = {
    280: " ',./I\\ijl|’ÌÍÎÏìíîïіІЇ\u00a0",
    340: "!()-:;[]`ft·ї",
    400: "*r{}°",
    460: "гґ",
    510: '"z↑↓“”зктžҐ',
    560: "#$0123456789J_aceksvxy«»±–аесухэёàáâãäåçèéêë÷ýÿčćšєў",
    615: "+<=>?FLTZ^bdghnopqu~−×ГКТвийнопрцчья×ßðñòóôõöøùúûüþđŽ",
    670: "EPSVXYЕЗРУХбдлЁÈÉÊËÝÞŠЎ",
    725: "&ABCDHKNRUАБВДИЙЛНПСЧЬЭЯжÀÁÂÃÄÅÇÐÑÙÚÛÜČĆĐЄ",
    780: "GOQwОЦмъÒÓÔÕÖØ",
    850: "M½¼¾Мшщ",
    890: "%mФЪфыюæ",
    980: "WЖЫ",
}
_OF_LETTER = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_OTHER, _WIDE = 1000, 1150
_MARGIN = 1.04
"""By how much a text is taken to be wider than the table says."""

_LINE, _BASE = 1.2, 0.92
"""Height of a row, and depth of its base line below its top, in sizes of the font."""

_GAP = 0.45
"""Blank between two entries, in sizes of the font."""


ABRIDGED = "[{count}] …"
"""What is written for entries left out."""

Form = Literal["running", "column", "middle"]
"""How entries stand in a field."""


class Placed(NamedTuple):
    """An entry in its place: its number among the entries, its left end and its base line."""

    entry: int
    x: float
    y: float


class Fitted(NamedTuple):
    """Entries in their places, all of one size; the first `left_out` of them have none."""

    size: float
    places: tuple[Placed, ...]
    left_out: int


@cache
def _width_of_letter(letter: str) -> int:
    known = _OF_LETTER.get(letter)
    if known is not None:
        return known
    if unicodedata.combining(letter):
        return 0
    return _WIDE if unicodedata.east_asian_width(letter) in "WF" else _OTHER


def width_of(text: str, size: float) -> float:
    """Measure a text, rather too wide than too narrow.

    >>> round(width_of("42.", 10), 1)
    14.6
    """
    return sum(map(_width_of_letter, text)) * size * _MARGIN / 1000


def fit_line(text: str, width: float, size: float, smallest: float) -> tuple[str, float]:
    """Shrink a text until it fits a width, then cut it off.

    >>> fit_line("Anna", 100, 14, 9), fit_line("Anna of the long name", 60, 14, 9)
    (('Anna', 14), ('Anna of th…', 9))
    """
    natural = width_of(text, 1)
    if natural * size <= width:
        return text, size
    if natural * smallest <= width:
        return text, width / natural
    shown = text
    while shown and width_of(f"{shown.rstrip()}…", smallest) > width:
        shown = shown[:-1]
    return f"{shown.rstrip()}…", smallest


def fit_entries(
    entries: Sequence[str],
    field: Polygon,
    sizes: Sequence[float],
    *,
    form: Form = "running",
    kept: int = 1,
) -> Fitted:
    """Put entries into rows of a field: as large as they all fit, else the newest ones that do.

    Parameters
    ----------
    entries
        The entries, the newest last.
    field
        Where they may stand, in coordinates in which rows are level; convex.
    sizes
        Sizes of the font, the largest first; at the last one earlier entries are left out.
    form
        ``running`` from the left to the right, row by row; ``column``, every entry in a row of its own, from above;
        ``middle``, in the middle of the rows.
    kept
        How many of the newest are never left out.
    """
    for size in sizes:
        places = _placed(entries, field, size, form=form)
        if places is not None:
            return Fitted(size, places, 0)
    return _abridged(entries, field, sizes[-1], form=form, kept=kept)


def _abridged(entries: Sequence[str], field: Polygon, size: float, *, form: Form, kept: int) -> Fitted:
    """Leave out as few entries as need be; what still does not fit is shrunk."""

    def tried(left_out: int, size: float) -> tuple[Placed, ...] | None:
        shown = [ABRIDGED.format(count=left_out), *entries[left_out:]] if left_out else entries
        return _placed(shown, field, size, form=form)

    most = max(0, len(entries) - kept)
    least = min(1, most)
    while least < most:
        middle = (least + most) // 2
        least, most = (least, middle) if tried(middle, size) is not None else (middle + 1, most)
    places = tried(least, size)
    while places is None:
        size *= 0.9
        places = tried(least, size)
    moved = max(0, least - 1)
    return Fitted(size, tuple(place._replace(entry=place.entry + moved) for place in places), least)


def _placed(entries: Sequence[str], field: Polygon, size: float, *, form: Form) -> tuple[Placed, ...] | None:
    """Put all entries into as few rows as need be, at one size; None where they do not fit."""
    top, bottom = heights_of(field)
    widths = [width_of(entry, size) for entry in entries]
    height = size * _LINE
    for rows in range(1, int((bottom - top) / height) + 1):
        starts = (top + size / 4,) if form == "column" else ((top + bottom - rows * height) / 2, bottom - rows * height)
        for start in starts:
            spans = [span(field, start + row * height, start + (row + 1) * height) for row in range(rows)]
            placed = _in_rows(widths, spans, size * _GAP, form=form)
            if placed is not None:
                return tuple(
                    Placed(entry, x, start + row * height + size * _BASE) for entry, (row, x) in enumerate(placed)
                )
    return None


def _in_rows(
    widths: Sequence[float], spans: Sequence[tuple[float, float]], gap: float, *, form: Form
) -> list[tuple[int, float]] | None:
    """Fill rows from the left; None where they end too early."""
    row, x = 0, spans[0][0]
    placed: list[tuple[int, float]] = []
    for width in widths:
        while x + width > spans[row][1] or (form == "column" and placed and placed[-1][0] == row):
            row += 1
            if row == len(spans):
                return None
            x = spans[row][0]
        placed.append((row, x))
        x += width + gap
    return _in_the_middle(placed, widths, spans) if form == "middle" else placed


def _in_the_middle(
    placed: list[tuple[int, float]], widths: Sequence[float], spans: Sequence[tuple[float, float]]
) -> list[tuple[int, float]]:
    """Move what is in a row to its middle."""
    ends = {row: x + width for (row, x), width in zip(placed, widths, strict=True)}
    return [(row, x + (spans[row][1] - ends[row]) / 2) for row, x in placed]
