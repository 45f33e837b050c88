"""The sheet of the Russian game: sectors around the middle, everybody's figures facing him."""

from __future__ import annotations

from prefdata.drawing._fields import Pen, draw_field, name_of, signed
from prefdata.drawing._fitting import fit_line, width_of
from prefdata.drawing._layouts import LAYOUTS, RING, Sector, fields_of
from prefdata.drawing._numbers import SheetNumbers
from prefdata.drawing._shapes import heights_of, points_of, span
from prefdata.drawing._svg import number

__all__ = ["MARGIN", "draw_russian", "size_of_russian"]

MARGIN = 34.0
"""Room around the paper, where names stand."""

_NAME, _SMALLEST_NAME, _BELOW, _BESIDE = 16.0, 10.0, 22.0, 10.0


def size_of_russian(players: int) -> tuple[float, float]:
    """Tell the width and the height of the sheet, names included."""
    layout = LAYOUTS[players]
    sides = {side for side, _ in layout.sectors}
    return layout.width + 2 * MARGIN, layout.height + MARGIN * (1 + ("top" in sides))


def draw_russian(pen: Pen, numbers: SheetNumbers) -> bool:
    """Draw the sheet of a pulka; tell whether figures had to be left out."""
    layout = LAYOUTS[numbers.players]
    has_name_above = any(side == "top" for side, _ in layout.sectors)
    left_out = False
    with pen.canvas.group(transform=f"translate({number(MARGIN)} {number(MARGIN * has_name_above)})"):
        for sector in fields_of(numbers.players):
            left_out |= _draw_sector(pen, numbers, sector)
        x, y = layout.middle
        pen.canvas.element("circle", cx=x, cy=y, r=RING, fill=pen.theme.board, stroke=pen.theme.border, stroke_width=2)
        limit = "" if numbers.limit is None else str(numbers.limit)
        text, size = fit_line(limit, 1.7 * RING, 20.0, 6.0)
        pen.canvas.text(
            x,
            y + 0.36 * size,
            text,
            font_size=size,
            font_weight="bold",
            fill=pen.theme.ink,
            text_anchor="middle",
            data_limit=limit,
        )
    return left_out


def _draw_sector(pen: Pen, numbers: SheetNumbers, sector: Sector) -> bool:
    x, y = sector.origin
    left_out = False
    with pen.canvas.group(transform=f"translate({number(x)} {number(y)}) rotate({sector.turn})", data_seat=sector.seat):
        for field in sector.fields:
            label = (
                pen.words("on_player", name=name_of(numbers, field.on, pen.words))
                if field.on
                else _label(pen, field.column)
            )
            top = RING + 2 if heights_of(field.shape)[0] < RING else 0.0
            left_out |= draw_field(pen, numbers, field.column, field.shape, label=label, top=top)
        pen.canvas.element(
            "polygon",
            points=points_of(sector.shape),
            fill="none",
            stroke=pen.theme.border,
            stroke_width=2,
            stroke_linejoin="round",
        )
        _draw_name(pen, numbers, sector)
    return left_out


def _label(pen: Pen, column: str) -> str:
    words = pen.words
    return words("bullet") if column.startswith("bullet") else words("mountain")


def _draw_name(pen: Pen, numbers: SheetNumbers, sector: Sector) -> None:
    """Write the name and the result below the outer edge."""
    _, edge = heights_of(sector.shape)
    left, right = span(sector.shape, edge, edge)
    own = next(one for one in numbers.seats if one.seat == sector.seat)
    won = own.result if own.rounded is None else own.rounded
    result, result_size = fit_line(signed(won), (right - left) / 3, _NAME, 5.0)
    result_width = width_of(result, result_size)
    name, size = fit_line(
        name_of(numbers, sector.seat, pen.words), right - left - result_width - 2 * _BESIDE, _NAME, _SMALLEST_NAME
    )
    start = (left + right - width_of(name, size) - _BESIDE - result_width) / 2
    pen.canvas.text(
        start, edge + _BELOW, name, font_size=size, font_weight="bold", fill=pen.theme.ink, data_name=sector.seat
    )
    pen.canvas.text(
        start + width_of(name, size) + _BESIDE,
        edge + _BELOW,
        result,
        font_size=result_size,
        font_weight="bold",
        fill=pen.theme.loss if won < 0 else pen.theme.gain,
        data_result=sector.seat,
    )
