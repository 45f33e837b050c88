"""Shapes of the paper: convex polygons, and what of them lies between two lines."""

from __future__ import annotations

from typing import TypeAlias

__all__ = ["Point", "Polygon", "between", "heights_of", "inset", "points_of", "span"]

Point: TypeAlias = tuple[float, float]
Polygon: TypeAlias = tuple[Point, ...]
"""Corners of a convex polygon, in order."""


def between(polygon: Polygon, axis: int, low: float, high: float) -> Polygon:
    """Cut out what of a polygon lies between two lines.

    Parameters
    ----------
    polygon
        The polygon.
    axis
        0 for upright lines, 1 for level ones.
    low, high
        Where the lines are.

    Examples
    --------
    >>> between(((0, 0), (4, 0), (4, 4), (0, 4)), 1, 1, 3)
    ((0.0, 3.0), (0.0, 1.0), (4.0, 1.0), (4.0, 3.0))
    """
    forward = (1.0, 0.0) if axis == 0 else (0.0, 1.0)
    backward = (-forward[0], -forward[1])
    return _inside(_inside(polygon, (low, low), forward), (high, high), backward)


def heights_of(polygon: Polygon) -> tuple[float, float]:
    """Tell where a polygon begins and ends from above."""
    heights = [y for _, y in polygon]
    return min(heights), max(heights)


def span(polygon: Polygon, top: float, bottom: float) -> tuple[float, float]:
    """Tell from where to where a level row between two heights lies inside a polygon.

    >>> span(((0, 0), (8, 0), (4, 4)), 1, 2)
    (2.0, 6.0)
    """
    (left, right), (lower_left, lower_right) = _chord(polygon, top), _chord(polygon, bottom)
    return max(left, lower_left), min(right, lower_right)


def _chord(polygon: Polygon, height: float) -> tuple[float, float]:
    crossed = []
    for place, (x, y) in enumerate(polygon):
        x_before, y_before = polygon[place - 1]
        if min(y, y_before) - 1e-9 <= height <= max(y, y_before) + 1e-9:
            crossed += (
                [x, x_before] if y == y_before else [x_before + (height - y_before) / (y - y_before) * (x - x_before)]
            )
    return (min(crossed), max(crossed)) if crossed else (0.0, 0.0)


def inset(polygon: Polygon, margin: float) -> Polygon:
    """Give what of a convex polygon is at least a margin away from each of its sides.

    >>> inset(((0, 0), (4, 0), (4, 4), (0, 4)), 1)
    ((1.0, 3.0), (1.0, 1.0), (3.0, 1.0), (3.0, 3.0))
    """
    middle = (sum(x for x, _ in polygon) / len(polygon), sum(y for _, y in polygon) / len(polygon))
    kept = polygon
    for place, (x, y) in enumerate(polygon):
        x_before, y_before = polygon[place - 1]
        across, along = x - x_before, y - y_before
        length = (across**2 + along**2) ** 0.5
        inward = (-along / length, across / length)
        if inward[0] * (middle[0] - x) + inward[1] * (middle[1] - y) < 0:
            inward = (-inward[0], -inward[1])
        kept = _inside(kept, (x + margin * inward[0], y + margin * inward[1]), inward)
    return tuple((round(x, 9), round(y, 9)) for x, y in kept)


def _inside(polygon: Polygon, on_line: Point, inward: Point) -> Polygon:
    """Keep what of a polygon is on the inner side of a line."""

    def depth(point: Point) -> float:
        return (point[0] - on_line[0]) * inward[0] + (point[1] - on_line[1]) * inward[1]

    kept: list[Point] = []
    for place, corner in enumerate(polygon):
        before = polygon[place - 1]
        now, then = depth(corner), depth(before)
        if (now >= 0) != (then >= 0):
            share = then / (then - now)
            kept.append((before[0] + share * (corner[0] - before[0]), before[1] + share * (corner[1] - before[1])))
        if now >= 0:
            kept.append((float(corner[0]), float(corner[1])))
    return tuple(kept)


def points_of(polygon: Polygon) -> str:
    """Spell a polygon as SVG does.

    >>> points_of(((0.0, 0.0), (4.0, 0.5)))
    '0,0 4,0.5'
    """
    return " ".join(f"{x:g},{y:g}" for x, y in ((round(x, 1), round(y, 1)) for x, y in polygon))
