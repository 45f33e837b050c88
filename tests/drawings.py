"""Sheets that are drawn in tests, and where texts stand in a drawing.

The stored drawings are written anew by::

    python -m tests.drawings
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import polars as pl

import prefdata as pref
from prefdata.drawing import SheetDrawing
from prefdata.examples import one_pulka, three_deals

STORED = Path(__file__).parent / "data" / "drawings"
SVG = "{http://www.w3.org/2000/svg}"
LONG = ("Константин Константинопольский-Щукин мл.", "W" * 40, "ЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩ", "Ы & <Ю>")
NAMES = ("Anna", "Boris", "Vera", "Gleb")
BIG_BALKAN = pref.convention("balkan").replace(name="big", refe_max=7)


def named(archive: pref.Archive, names: Sequence[str], stake: float | None = 0.1) -> pref.Archive:
    """Put players at the tables of an archive."""
    pulkas = archive.pulkas.collect()
    seats = "abcd"[: pulkas["players"][0]]
    columns = [pl.lit(name).alias(f"player_{seat}") for seat, name in zip(seats, names, strict=False)]
    stakes = pl.lit(stake, dtype=pl.Float64).alias("stake")
    return pref.archive(pulkas.with_columns(*columns, stakes), archive.deals.collect(), archive.adjustments.collect())


@cache
def small() -> pref.Archive:
    """Three deals of three, and an adjustment after the second."""
    adjusted = pref.with_adjustments(
        pref.archive(one_pulka(), three_deals()), pref.correct_over_writing(1, 2, "c", "bullet", 4)
    )
    return named(adjusted, NAMES)


def sample(players: int, limit: int, *, seed: int = 3, names: Sequence[str] = NAMES) -> pref.Archive:
    """Play one pulka."""
    convention = "hussar" if players == 2 else "sochi"
    return named(pref.sample(1, players=players, convention=convention, seed=seed, bullet_limit=limit), names)


def balkan(limit: int, *, seed: int = 2, names: Sequence[str] = NAMES) -> pref.Archive:
    """Play one pulka of the Balkan game."""
    return named(pref.sample(1, convention=BIG_BALKAN, seed=seed, bullet_limit=limit), names)


def extreme_sheet(players: int, size: int) -> pl.DataFrame:
    """Record a sheet of numbers as large as the settlement takes, with both signs."""
    sheets = pref.sheets(sample(players, 10), "hussar" if players == 2 else "sochi")
    columns = [name for name in sheets.columns if name.startswith(("bullet_", "mountain_", "whists_"))]
    numbers = [
        (pl.lit(size) * (-1) ** place).cast(pl.Int64).alias(name)
        for place, name in enumerate(columns)
        if name != "bullet_limit" and sheets[name][0] is not None
    ]
    return sheets.with_columns(
        *numbers, *(pl.lit(name).alias(f"player_{seat}") for seat, name in zip("ab", LONG[:2], strict=True))
    )


def _of_russian_tables(players: int) -> dict[str, Callable[[], SheetDrawing]]:
    convention = "hussar" if players == 2 else "sochi"

    @cache
    def crowded() -> pref.Archive:
        return sample(players, 80, seed=5, names=LONG)

    return {
        f"{players} ordinary": lambda: pref.sheet(sample(players, 20), 1, convention),
        f"{players} crowded": lambda: pref.sheet(crowded(), 1, convention, language="ru", theme="dark"),
        f"{players} totals": lambda: pref.sheet(crowded(), 1, convention, entries=False),
        f"{players} begun": lambda: pref.sheet(crowded(), 1, convention, deal=1),
        f"{players} huge": lambda: pref.sheet(extreme_sheet(players, 2**39), 1, convention),
        f"{players} large": lambda: pref.sheet(extreme_sheet(players, 98_765), 1, convention, language="ru"),
    }


DRAWINGS: dict[str, Callable[[], SheetDrawing]] = {
    **_of_russian_tables(2),
    **_of_russian_tables(3),
    **_of_russian_tables(4),
    "balkan ordinary": lambda: pref.sheet(balkan(30), 1, BIG_BALKAN),
    "balkan crowded": lambda: pref.sheet(balkan(300, seed=4, names=LONG), 1, BIG_BALKAN, language="ru"),
    "balkan totals": lambda: pref.sheet(balkan(300, seed=4, names=LONG), 1, BIG_BALKAN, entries=False),
    "adjusted": lambda: pref.sheet(small(), 1, "sochi"),
}
"""Sheets of all layouts, ordinary and extreme ones."""


@cache
def drawing_of(name: str) -> SheetDrawing:
    """Draw one of them."""
    return DRAWINGS[name]()


STORED_DRAWINGS: dict[str, Callable[[], SheetDrawing]] = {
    "two": lambda: pref.sheet(sample(2, 10), 1, "hussar"),
    "three": lambda: pref.sheet(small(), 1, "sochi"),
    "four-ru-dark": lambda: pref.sheet(sample(4, 10), 1, "sochi", language="ru", theme="dark"),
    "balkan": lambda: pref.sheet(balkan(20), 1, BIG_BALKAN),
}
"""What is stored."""


Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Text:
    """A text of a drawing: what it says, its attributes, its field, its size and its place in the field."""

    text: str
    attributes: dict[str, str]
    field: str | None
    shape: tuple[tuple[float, float], ...]
    matrix: Matrix
    x: float
    y: float
    size: float

    @property
    def turn(self) -> int:
        """By how many degrees it is turned clockwise."""
        return round(math.degrees(math.atan2(self.matrix[1], self.matrix[0])))

    def on_paper(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """Turn a box (left, top, right, bottom) of its coordinates into one of the paper."""
        a, b, c, d, e, f = self.matrix
        corners = [(a * x + c * y + e, b * x + d * y + f) for x in box[::2] for y in box[1::2]]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return min(xs), min(ys), max(xs), max(ys)


def texts_of(svg: str) -> list[Text]:
    """List all texts of a drawing."""
    return list(_texts(ElementTree.fromstring(svg), (1, 0, 0, 1, 0, 0), None, ()))


def _texts(
    element: ElementTree.Element, matrix: Matrix, field: str | None, shape: tuple[tuple[float, float], ...]
) -> Iterator[Text]:
    matrix = _times(matrix, element.get("transform", ""))
    if element.get("data-field"):
        field = element.get("data-field")
        points = next(child.get("points", "") for child in element if child.tag == f"{SVG}polygon")
        shape = tuple((float(x), float(y)) for x, y in (point.split(",") for point in points.split()))
    if element.tag == f"{SVG}text":
        x, y, size = (float(element.get(name, "")) for name in ("x", "y", "font-size"))
        yield Text(element.text or "", dict(element.attrib), field, shape, matrix, x, y, size)
    for child in element:
        yield from _texts(child, matrix, field, shape)


def _times(matrix: Matrix, transform: str) -> Matrix:
    a, b, c, d, e, f = matrix
    for one in transform.split(") "):
        name, _, rest = one.rstrip(")").partition("(")
        numbers = [float(number) for number in rest.split()] if rest else []
        if name == "translate":
            x, y = numbers
            e, f = a * x + c * y + e, b * x + d * y + f
        elif name == "rotate":
            cos, sin = math.cos(math.radians(numbers[0])), math.sin(math.radians(numbers[0]))
            a, b, c, d = a * cos + c * sin, b * cos + d * sin, c * cos - a * sin, d * cos - b * sin
    return a, b, c, d, e, f


if __name__ == "__main__":
    STORED.mkdir(exist_ok=True)
    for name, draw in STORED_DRAWINGS.items():
        draw().save(STORED / f"{name}.svg", overwrite=True)
