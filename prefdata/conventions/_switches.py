"""Kinds of switches: what values a field of `Convention` takes, and how a wrong one is refused.

Each function makes a dataclass field with the switch's default, its paragraph in the rules and a line for help texts.
The words that a switch takes are those of the field's type, which is known once the class is made: `switches_of` reads
it and makes the switches.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from prefdata.doors import told
from prefdata.vocabulary import LEVELS, PLAYER_COUNTS, RUSSIAN

__all__ = [
    "Switch",
    "choice",
    "divisor",
    "flag",
    "half_steps",
    "ladder",
    "switches_of",
    "table_sizes",
    "tricks_by_level",
    "whole",
    "whole_or",
    "whole_or_by_limit",
]

Check: TypeAlias = Callable[[Any], Any]
Words: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class Switch:
    """What is known about a switch beside its name and default.

    Attributes
    ----------
    check
        Turns a raw value into a tidy one or raises `ValueError`.
    expected
        The values it takes, told to people.
    words
        The named positions among them, the default first.
    section
        Paragraph of the rules.
    help
        One line for people.
    games
        The games that have it.
    plain
        Writes a value as plain data (strings, numbers, lists, tables).
    """

    check: Check
    expected: str
    words: Words
    section: str
    help: str
    games: tuple[str, ...]
    plain: Callable[[Any], Any]


def switches_of(convention: type[Any]) -> dict[str, Switch]:
    """List the switches among a dataclass's fields, in their order."""
    types = get_type_hints(convention)
    return {
        field.name: field.metadata["switch"](_words_of(types[field.name]))
        for field in dataclasses.fields(convention)
        if "switch" in field.metadata
    }


def _words_of(values: Any) -> Words:
    """List the words of a type: of a Literal, or of one among other types."""
    if get_origin(values) is Literal:
        return get_args(values)
    return tuple(word for part in get_args(values) for word in _words_of(part))


def _as_it_is(value: Any) -> Any:
    return value


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def _table(value: Any) -> Any:
    return {str(key): number for key, number in value} if isinstance(value, tuple) else value


def _field(
    default: Any,
    check: Check,
    expected: str,
    section: str,
    help: str,
    games: tuple[str, ...] = (RUSSIAN,),
    plain: Callable[[Any], Any] = _as_it_is,
) -> Any:
    """Make the field of a switch that takes no words."""

    def switch(_: Words) -> Switch:
        return Switch(_refusing(check, expected), expected, (), section, help, games, plain)

    return dataclasses.field(default=default, metadata={"switch": switch})


def _worded(
    default: str,
    check: Callable[[Any, Words], Any],
    expected: Callable[[list[str]], str],
    section: str,
    help: str,
    games: tuple[str, ...] = (RUSSIAN,),
    words: Words = (),
) -> Any:
    """Make the field of a switch that takes the words of its type, or those given; the check is told them."""

    def switch(typed: Words) -> Switch:
        taken = tuple(sorted(words or typed, key=lambda word: word != default))
        told = expected([f'"{word}"' for word in taken])
        return Switch(_refusing(lambda value: check(value, taken), told), told, taken, section, help, games, _as_it_is)

    return dataclasses.field(default=default, metadata={"switch": switch})


def _refusing(check: Check, expected: str) -> Check:
    """Give the check with the one message for whatever it does not take."""

    def checked(value: Any) -> Any:
        try:
            return check(value)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            raise ValueError(f"expected {expected}, got {_told(value)}") from None

    return checked


def _word(value: Any, words: Words) -> str:
    if not isinstance(value, str) or value not in words:
        raise ValueError
    return value


def _told(value: Any) -> str:
    """Write a wrong value, one of any size."""
    return told(value, _LONGEST_TOLD)


_LONGEST_TOLD = 400


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


def choice(default: str, section: str, help: str, *, games: tuple[str, ...] = (RUSSIAN,), words: Words = ()) -> Any:
    """A switch with named positions: the words of its type, or those given."""
    return _worded(default, _word, lambda quoted: "one of " + ", ".join(quoted), section, help, games, words)


def whole(default: int, section: str, help: str, *, least: int = 0, most: int = 10_000) -> Any:
    """A switch that is a whole number."""
    return _field(
        default, lambda value: _integer(value, least, most), f"a whole number from {least} to {most}", section, help
    )


def whole_or(default: str, section: str, help: str, *, most: int = 10_000) -> Any:
    """A switch that is a word of its type or a whole number."""

    def check(value: Any, words: Words) -> str | int:
        return _word(value, words) if isinstance(value, str) else _integer(value, 0, most)

    expected = f"a whole number from 0 to {most}"
    return _worded(default, check, lambda quoted: " or ".join([*quoted, expected]), section, help)


_FRACTION = re.compile(r"\d{1,4}(\.\d{1,4}|/\d{1,4})?")
"""Texts that stand for a fraction; one with an exponent could be of any size."""


def half_steps(default: int, section: str, help: str) -> Any:
    """A factor in steps of one half: prices are even, so entries stay whole."""

    def check(value: Any) -> Fraction:
        if isinstance(value, str) and not _FRACTION.fullmatch(value):
            raise ValueError
        factor = Fraction(value)
        if isinstance(value, bool) or factor < 0 or factor > 100 or (2 * factor).denominator != 1:
            raise ValueError
        return factor

    expected = 'a factor from 0 to 100 in steps of one half, such as 1, 0.5 or "1/2"'
    return _field(Fraction(default), check, expected, section, help, plain=_number)


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
    return _field(tuple(default), check, expected, section, help, plain=list)


def tricks_by_level(default: Mapping[int, int], section: str, help: str) -> Any:
    """A table from contract level to tricks, kept as sorted pairs so that conventions can be hashed."""

    def check(value: Any) -> tuple[tuple[int, int], ...]:
        rows = list(value.items() if isinstance(value, Mapping) else value)
        table = {LEVELS[str(level)]: _integer(tricks, 0, 10) for level, tricks in rows}
        if len(table) < len(rows):
            raise ValueError
        return tuple(sorted(table.items()))

    expected = "a table from level (6-10) to tricks (0-10)"
    return _field(tuple(default.items()), check, expected, section, help, plain=_table)


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
    return _field(tuple(default.items()), check, expected, section, help, games, plain=_table)


def table_sizes(section: str, help: str) -> Any:
    """Numbers of players, kept sorted; all of them by default."""

    def check(value: Any) -> tuple[int, ...]:
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise ValueError
        sizes = tuple(sorted({_integer(size, PLAYER_COUNTS[0], PLAYER_COUNTS[-1]) for size in value}))
        if not sizes or len(sizes) < len(value):
            raise ValueError
        return sizes

    return _field(PLAYER_COUNTS, check, "a list of different numbers from 2 to 4", section, help, plain=list)


def divisor(default: str, section: str, help: str) -> Any:
    """A divisor of the settlement: a number of players by a word of its type, or one that twelfths can hold."""

    def check(value: Any, words: Words) -> str | int:
        return _word(value, words) if isinstance(value, str) else _integer(value, 1, 4)

    expected = "a whole number from 1 to 4"
    return _worded(default, check, lambda quoted: f"{', '.join(quoted)} or {expected}", section, help)
