"""Kinds of switches: what values a field of `Convention` takes, and how a wrong one is refused.

Each function makes a dataclass field which carries its default, a check (given the raw value, returns the tidy one or
raises `ValueError` with what was expected), its paragraph in the rules, and a line for help texts.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from prefdata.vocabulary import LEVELS, PLAYER_COUNTS, RUSSIAN

__all__ = [
    "Switch",
    "choice",
    "divisor",
    "flag",
    "half_steps",
    "ladder",
    "table_sizes",
    "tricks_by_level",
    "whole",
    "whole_or",
    "whole_or_by_limit",
]


@dataclass(frozen=True)
class Switch:
    """What is known about a switch beside its name and default.

    Attributes
    ----------
    check
        Turns a raw value into a tidy one or raises `ValueError`.
    expected
        The values it takes, in words.
    section
        Paragraph of the rules.
    help
        One line for people.
    games
        The games that have it.
    """

    check: Callable[[Any], Any]
    expected: str
    section: str
    help: str
    games: tuple[str, ...]


def _field(
    default: Any,
    check: Callable[[Any], Any],
    expected: str,
    section: str,
    help: str,
    games: tuple[str, ...] = (RUSSIAN,),
) -> Any:
    def checked(value: Any) -> Any:
        try:
            return check(value)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            raise ValueError(f"expected {expected}, got {value!r}") from None

    switch = Switch(checked, expected, section, help, games)
    return dataclasses.field(default=default, metadata={"switch": switch})


def _integer(value: Any, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError
    return value


def flag(default: bool, section: str, help: str) -> Any:
    """A switch that is on or off."""

    def check(value: Any) -> bool:
        if not isinstance(value, bool):
            raise ValueError
        return value

    return _field(default, check, "true or false", section, help)


def choice(*words: str, section: str, help: str, games: tuple[str, ...] = (RUSSIAN,)) -> Any:
    """A switch with named positions; the first is the default."""

    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError
        return value

    return _field(words[0], check, "one of " + ", ".join(f'"{word}"' for word in words), section, help, games)


def whole(default: int, section: str, help: str, *, least: int = 0, most: int = 10_000) -> Any:
    """A switch that is a whole number."""
    return _field(
        default, lambda value: _integer(value, least, most), f"a whole number from {least} to {most}", section, help
    )


def whole_or(*words: str, section: str, help: str, most: int = 10_000) -> Any:
    """A switch that is a named position (the first is the default) or a whole number."""

    def check(value: Any) -> str | int:
        return value if isinstance(value, str) and value in words else _integer(value, 0, most)

    named = " or ".join(f'"{word}"' for word in words)
    return _field(words[0], check, f"{named} or a whole number from 0 to {most}", section, help)


def half_steps(default: int, section: str, help: str) -> Any:
    """A factor in steps of one half: prices are even, so entries stay whole."""

    def check(value: Any) -> Fraction:
        factor = Fraction(value)
        if isinstance(value, bool) or factor < 0 or factor > 100 or (2 * factor).denominator != 1:
            raise ValueError
        return factor

    expected = 'a factor from 0 to 100 in steps of one half, such as 1, 0.5 or "1/2"'
    return _field(Fraction(default), check, expected, section, help)


def ladder(default: Sequence[int], section: str, help: str) -> Any:
    """A list of multipliers, one for each step of a run; the last one stays."""

    def check(value: Any) -> tuple[int, ...]:
        if not isinstance(value, Sequence):
            raise ValueError
        steps = tuple(_integer(step, 0, 1000) for step in value)
        if not 1 <= len(steps) <= 50:
            raise ValueError
        return steps

    expected = "a list of 1 to 50 whole numbers from 0 to 1000, such as [1, 2, 3]"
    return _field(tuple(default), check, expected, section, help)


def tricks_by_level(default: Mapping[int, int], section: str, help: str) -> Any:
    """A table from contract level to tricks, kept as sorted pairs so that conventions can be hashed."""

    def check(value: Any) -> tuple[tuple[int, int], ...]:
        rows = list(value.items() if isinstance(value, Mapping) else value)
        table = {LEVELS[str(level)]: _integer(tricks, 0, 10) for level, tricks in rows}
        if len(table) < len(rows):
            raise ValueError
        return tuple(sorted(table.items()))

    return _field(tuple(default.items()), check, "a table from level (6-10) to tricks (0-10)", section, help)


def whole_or_by_limit(default: Mapping[int, int], section: str, help: str, games: tuple[str, ...]) -> Any:
    """A whole number, or a table from a pulka's limit to one, kept as sorted pairs."""

    def check(value: Any) -> int | tuple[tuple[int, int], ...]:
        if isinstance(value, int):
            return _integer(value, 0, 1000)
        rows = list(value.items() if isinstance(value, Mapping) else value)
        limits = [_integer(int(limit) if isinstance(limit, str) else limit, 1, 65_535) for limit, _ in rows]
        table = {limit: _integer(number, 0, 1000) for limit, (_, number) in zip(limits, rows, strict=True)}
        if not rows or len(table) < len(rows):
            raise ValueError
        return tuple(sorted(table.items()))

    expected = "a whole number from 0 to 1000, or a table from a pulka's limit (1-65535) to one"
    return _field(tuple(default.items()), check, expected, section, help, games)


def table_sizes(section: str, help: str) -> Any:
    """Numbers of players, kept sorted; all of them by default."""

    def check(value: Any) -> tuple[int, ...]:
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise ValueError
        sizes = tuple(sorted({_integer(size, PLAYER_COUNTS[0], PLAYER_COUNTS[-1]) for size in value}))
        if not sizes or len(sizes) < len(value):
            raise ValueError
        return sizes

    return _field(PLAYER_COUNTS, check, "a list of different numbers from 2 to 4", section, help)


def divisor(section: str, help: str) -> Any:
    """A divisor of the settlement: by all players, by all but one, or a fixed number that twelfths can hold."""

    def check(value: Any) -> str | int:
        return value if value in ("players", "players-1") else _integer(value, 1, 4)

    return _field("players", check, '"players", "players-1" or a whole number from 1 to 4', section, help)
