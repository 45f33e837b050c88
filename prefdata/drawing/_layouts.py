"""The paper of the Russian game: who sits where, and the fields of everybody's sector, as data.

A sector lies before its writer: in its own coordinates x goes from the writer's left to the right, and y from the
middle of the paper to the writer, so that everything in it stands upright for him (Code 4.2.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from prefdata.drawing._shapes import Point, Polygon, between, heights_of, span
from prefdata.vocabulary import bullet_column, left_of, mountain_column, seats_at_table, whists_column

__all__ = ["LAYOUTS", "RING", "Field", "Layout", "Sector", "fields_of"]

RING = 27.0
"""Radius of the ring in the middle, in which the limit stands."""

_TURNS = {"bottom": 0, "left": 90, "top": 180, "right": -90}
"""By how many degrees texts are turned clockwise for whoever sits at a side."""

_MOUNTAIN, _BULLET = 0.44, 0.69
"""Shares of a sector's depth, from the middle, after which the mountain and the bullet end; whists are outside."""


@dataclass(frozen=True)
class Layout:
    """The paper for a number of players.

    Attributes
    ----------
    width, height
        Its size.
    middle
        Where the ring is.
    sectors
        For each seat the side at which its player sits, and the corners of the sector.
    """

    width: float
    height: float
    middle: Point
    sectors: tuple[tuple[str, Polygon], ...]


_WIDTH = 568.0
_LOWER_LEFT, _LOWER_RIGHT, _UPPER_RIGHT = (0.0, 568.0), (568.0, 568.0), (568.0, 0.0)
_UPPER_LEFT, _UPPER_MIDDLE = (0.0, 0.0), (284.0, 0.0)
_MIDDLE, _MIDDLE_OF_TWO, _MIDDLE_OF_THREE = (284.0, 284.0), (284.0, 240.0), (284.0, 316.0)

LAYOUTS: dict[int, Layout] = {
    2: Layout(
        _WIDTH,
        480.0,
        _MIDDLE_OF_TWO,
        (
            ("bottom", ((0.0, 240.0), (568.0, 240.0), (568.0, 480.0), (0.0, 480.0))),
            ("top", (_UPPER_LEFT, _UPPER_RIGHT, (568.0, 240.0), (0.0, 240.0))),
        ),
    ),
    3: Layout(
        _WIDTH,
        568.0,
        _MIDDLE_OF_THREE,
        (
            ("bottom", (_MIDDLE_OF_THREE, _LOWER_RIGHT, _LOWER_LEFT)),
            ("left", (_UPPER_LEFT, _UPPER_MIDDLE, _MIDDLE_OF_THREE, _LOWER_LEFT)),
            ("right", (_UPPER_MIDDLE, _UPPER_RIGHT, _LOWER_RIGHT, _MIDDLE_OF_THREE)),
        ),
    ),
    4: Layout(
        _WIDTH,
        568.0,
        _MIDDLE,
        (
            ("bottom", (_MIDDLE, _LOWER_RIGHT, _LOWER_LEFT)),
            ("left", (_UPPER_LEFT, _MIDDLE, _LOWER_LEFT)),
            ("top", (_UPPER_LEFT, _UPPER_RIGHT, _MIDDLE)),
            ("right", (_MIDDLE, _UPPER_RIGHT, _LOWER_RIGHT)),
        ),
    ),
}
"""The papers by the number of players; the seats go clockwise from the bottom."""


@dataclass(frozen=True)
class Field:
    """A field of a sector: the column that is written in it, its shape, and on whom whists are (else None)."""

    column: str
    shape: Polygon
    on: str | None = None


@dataclass(frozen=True)
class Sector:
    """A seat's sector in its own coordinates.

    Attributes
    ----------
    seat
        The seat.
    turn, origin
        The place of its coordinates on the paper: turned clockwise by so many degrees around this point.
    shape, fields
        Its shape and its fields, from the middle outwards.
    """

    seat: str
    turn: int
    origin: Point
    shape: Polygon
    fields: tuple[Field, ...]


@cache
def fields_of(players: int) -> tuple[Sector, ...]:
    """Divide the paper into the sectors of the seats and their fields.

    >>> [(sector.seat, sector.turn) for sector in fields_of(3)]
    [('a', 0), ('b', 90), ('c', -90)]
    >>> [field.column for field in fields_of(3)[1].fields]
    ['mountain_b', 'bullet_b', 'whists_bc', 'whists_ba']
    """
    layout = LAYOUTS[players]
    return tuple(
        _sector(seat, side, corners, layout, players)
        for seat, (side, corners) in zip(seats_at_table(players), layout.sectors, strict=True)
    )


def _sector(seat: str, side: str, corners: Polygon, layout: Layout, players: int) -> Sector:
    x, y = layout.middle
    origin = {"bottom": (0.0, y), "left": (x, 0.0), "top": (layout.width, y), "right": (x, layout.height)}[side]
    shape = tuple(_turned_back((corner[0] - origin[0], corner[1] - origin[1]), _TURNS[side]) for corner in corners)
    _, depth = heights_of(shape)
    strips = [
        between(shape, 1, low * depth, high * depth)
        for low, high in ((0.0, _MOUNTAIN), (_MOUNTAIN, _BULLET), (_BULLET, 1.0))
    ]
    opponents = [left_of(seat, players, places) for places in range(1, players)]
    left, right = span(strips[2], (_BULLET + 1) / 2 * depth, (_BULLET + 1) / 2 * depth)
    ends = [-layout.width, *(left + (right - left) * place / len(opponents) for place in range(1, len(opponents)))]
    whists = (
        Field(whists_column(seat, on), between(strips[2], 0, start, end), on)
        for on, start, end in zip(opponents, ends, [*ends[1:], 2 * layout.width], strict=True)
    )
    own = (Field(mountain_column(seat), strips[0]), Field(bullet_column(seat), strips[1]))
    return Sector(seat, _TURNS[side], origin, shape, (*own, *whists))


def _turned_back(point: Point, turn: int) -> Point:
    """Give a point of the paper in coordinates that are turned clockwise."""
    x, y = point
    return {0: (x, y), 90: (y, -x), 180: (-x, -y), -90: (-y, x)}[turn]
