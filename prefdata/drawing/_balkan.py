"""The sheet of the Balkan game: three columns for each player, his contract column between two of juhas."""

from __future__ import annotations

from prefdata.balkan.vocabulary import contract_column, juha_column
from prefdata.drawing._fields import Pen, draw_field, name_of, signed
from prefdata.drawing._fitting import fit_line, width_of
from prefdata.drawing._numbers import SeatResult, SheetNumbers
from prefdata.drawing._shapes import Polygon, points_of
from prefdata.drawing._svg import number
from prefdata.language import Words
from prefdata.vocabulary import left_of

__all__ = ["draw_balkan", "size_of_balkan"]

_WIDTH, _HEIGHT, _HEAD = 600.0, 560.0, 78.0
_MARGIN, _GAP = 18.0, 9.0
_BLOCK = (_WIDTH - 2 * _GAP) / 3
_JUHA = 0.31
"""Share of a player's width that each column of juhas takes."""

_NAME, _SMALLEST_NAME = 16.0, 10.0


def size_of_balkan(players: int) -> tuple[float, float]:
    """Tell the width and the height of the sheet, names included."""
    return _WIDTH + 2 * _MARGIN, _HEIGHT


def draw_balkan(pen: Pen, numbers: SheetNumbers) -> bool:
    """Draw the sheet of a pulka; tell whether figures had to be left out."""
    left_out = False
    for place, own in enumerate(numbers.seats):
        start = _MARGIN + place * (_BLOCK + _GAP)
        with pen.canvas.group(transform=f"translate({number(start)} 0)", data_seat=own.seat):
            _draw_head(pen, numbers, own)
            left_out |= _draw_columns(pen, numbers, own.seat)
    return left_out


def _draw_columns(pen: Pen, numbers: SheetNumbers, seat: str) -> bool:
    on_left, on_right = left_of(seat, numbers.players), left_of(seat, numbers.players, 2)
    inner = (_BLOCK * _JUHA, _BLOCK * (1 - _JUHA))
    words = pen.words
    columns = (
        (juha_column(seat, on_left), 0.0, inner[0], words("on_player", name=name_of(numbers, on_left, words))),
        (contract_column(seat), inner[0], inner[1], words("contract_column")),
        (juha_column(seat, on_right), inner[1], _BLOCK, words("on_player", name=name_of(numbers, on_right, words))),
    )
    left_out = False
    for column, left, right, label in columns:
        left_out |= draw_field(pen, numbers, column, _box(left, right), label=label, form="column")
    for edge in inner:
        pen.canvas.element("line", x1=edge, y1=_HEAD, x2=edge, y2=_HEIGHT, stroke=pen.theme.border, stroke_width=1.5)
    pen.canvas.element(
        "polygon", points=points_of(_box(0.0, _BLOCK)), fill="none", stroke=pen.theme.border, stroke_width=2
    )
    return left_out


def _box(left: float, right: float) -> Polygon:
    return ((left, _HEAD), (right, _HEAD), (right, _HEIGHT), (left, _HEIGHT))


def _draw_head(pen: Pen, numbers: SheetNumbers, own: SeatResult) -> None:
    """Write name and result above the columns, with the refes as strokes and the hat."""
    name, size = fit_line(name_of(numbers, own.seat, pen.words), _BLOCK, _NAME, _SMALLEST_NAME)
    middle = _BLOCK / 2
    bold = {"font_weight": "bold", "text_anchor": "middle"}
    pen.canvas.text(middle, 18.0, name, font_size=size, fill=pen.theme.ink, data_name=own.seat, **bold)
    won = own.result if own.rounded is None else own.rounded
    result, size = fit_line(signed(won), _BLOCK, _NAME, 5.0)
    colour = pen.theme.loss if won < 0 else pen.theme.gain
    pen.canvas.text(middle, 40.0, result, font_size=size, fill=colour, data_result=own.seat, **bold)
    if own.hat:
        _draw_hat(pen, pen.words, middle)
    _draw_refes(pen, pen.words, own)


def _draw_hat(pen: Pen, words: Words, middle: float) -> None:
    """Draw the hat over the contract column, as everybody does: a brim and a crown."""
    with pen.canvas.group(data_hat="on", fill=pen.theme.ink):
        pen.canvas.element("title", words("hat"))
        pen.canvas.element("rect", x=middle - 17, y=69.0, width=34.0, height=4.0, rx=2.0)
        pen.canvas.element("rect", x=middle - 10, y=53.0, width=20.0, height=16.0, rx=2.0)


def _draw_refes(pen: Pen, words: Words, own: SeatResult) -> None:
    """Draw a triangle for each refe that is not spent, on the left; many as a number."""
    if not own.refes:
        return
    with pen.canvas.group(data_refes=own.refes, fill="none", stroke=pen.theme.ink, stroke_width=1.5):
        pen.canvas.element("title", words("refes", count=own.refes))
        drawn = own.refes if own.refes <= 3 else 1
        for place in range(drawn):
            x = 6.0 + 17 * place
            pen.canvas.element("polygon", points=points_of(((x, 71.0), (x + 13, 71.0), (x + 6.5, 58.0))))
    if own.refes > drawn:
        text = f"×{own.refes}"
        pen.canvas.text(
            24.0, 71.0, text, font_size=min(14.0, 30 / width_of(text, 1)), fill=pen.theme.ink, data_count=own.seat
        )
