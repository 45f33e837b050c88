"""Conventions near another one: what can be tried in place of each switch's value."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from prefdata.conventions._convention import COUPLED, Convention, switches
from prefdata.conventions._files import in_toml, preset, presets
from prefdata.errors import ConventionError
from prefdata.vocabulary import LEVELS

__all__ = [
    "as_line",
    "changed",
    "devices",
    "is_number",
    "known_values",
    "near_values",
    "next_value",
    "presets_of",
    "switches_tried",
    "takes_numbers",
]

_DEFAULTS = {field.name: field.default for field in dataclasses.fields(Convention)}

_OF_TABLES = ("game", "players")
"""Switches that say what a convention is for, not what it writes."""

_TRICKS_TRIED = (1, 2, 3)
"""Tricks for which somebody may leave for half, beside those of the presets."""


def as_line(switch: str, value: Any) -> str:
    """Write a switch with its value as a TOML file has it.

    >>> as_line("half_whist", ((6, 2),)), as_line("failed_tricks", False)
    ('half_whist = {6 = 2}', 'failed_tricks = false')
    """
    return f"{switch} = {in_toml(switches()[switch].plain(value))}"


def presets_of(game: str) -> list[Convention]:
    """Give the presets of a game.

    >>> [one.name for one in presets_of("balkan")]
    ['balkan', 'slovene']
    """
    return [one for one in map(preset, presets()) if one.game == game]


def switches_tried(convention: Convention) -> list[str]:
    """List the switches of a convention's game that decide what it writes or settles."""
    return [switch for switch in convention.own_switches() if switch not in _OF_TABLES]


def known_values(convention: Convention, switch: str) -> list[Any]:
    """List the values of a switch that have a name or that a preset of the game has, but for the convention's own.

    >>> known_values(Convention(), "lone_whist"), known_values(Convention(), "failed_tricks")
    (['gentleman'], [False])
    """
    of_presets = [getattr(one, switch) for one in presets_of(convention.game)]
    is_flag = isinstance(_DEFAULTS[switch], bool)
    every = [*((True, False) if is_flag else switches()[switch].words), *of_presets]
    return [value for value in dict.fromkeys(every) if value != getattr(convention, switch)]


def near_values(convention: Convention, switch: str) -> list[Any]:
    """List values of a switch near the convention's own: one step up or down, a row of a table more, less or other.

    >>> near_values(Convention(), "help_rate"), near_values(Convention(), "close")
    ([9, 11], [])
    """
    value = getattr(convention, switch)
    if is_number(value):
        step = next_value(convention, switch) - value
        return [value - step, value + step]
    if takes_numbers(switch):
        return [1]
    if switch == "half_whist":
        tables = [{**dict(value), level: tricks} for level in LEVELS.values() for tricks in _TRICKS_TRIED]
        tables += [{level: tricks for level, tricks in value if level != left} for left, _ in value]
        return [table for one in tables if (table := tuple(sorted(one.items()))) != value]
    if switch == "ladder":
        further = 2 * value[-1] - value[-2] if len(value) > 1 else value[-1] + 1
        shorter = [value[:-1]] if len(value) > 1 else []
        raised = [(*value[:step], value[step] + 1, *value[step + 1 :]) for step in range(len(value))]
        return [*shorter, (*value, further), *raised]
    return []


def is_number(value: Any) -> bool:
    """Tell whether a value of a switch is a number."""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def takes_numbers(switch: str) -> bool:
    """Tell whether a switch takes numbers, perhaps beside words.

    >>> takes_numbers("consolation"), takes_numbers("close")
    (True, False)
    """
    try:
        return is_number(switches()[switch].check(1))
    except ValueError:
        return False


def next_value(convention: Convention, switch: str) -> Any:
    """Give the number that comes after the convention's own, in the steps of the switch.

    >>> next_value(Convention(), "shortage_factor")
    Fraction(3, 2)
    """
    value = getattr(convention, switch)
    return value + (Fraction(1, 2) if isinstance(_DEFAULTS[switch], Fraction) else 1)


def changed(convention: Convention, **values: Any) -> Convention | None:
    """Change switches; those that would contradict them go back to their defaults.  None if that is no convention.

    The name stays, since it is the switches that are looked for.

    >>> gentleman = Convention(lone_whist="gentleman", gentleman_scope="always")
    >>> changed(gentleman, lone_whist="greedy").gentleman_scope
    'failed'
    """
    plain = {switch: switches()[switch].plain(value) for switch, value in values.items()}
    beside = {other for group in COUPLED if group & set(values) for other in group} - set(values)
    for further in ({}, {other: switches()[other].plain(_DEFAULTS[other]) for other in sorted(beside)}):
        try:
            return convention.replace(**plain, **further, name=convention.name, title=convention.title)
        except ConventionError:
            continue
    return None


def devices(convention: Convention) -> Iterator[dict[str, Any]]:
    """Go through devices of the presets that need several switches at once, such as their way of raspasy."""
    for group in COUPLED:
        for other in presets_of(convention.game):
            values = {switch: getattr(other, switch) for switch in sorted(group)}
            if sum(getattr(convention, switch) != value for switch, value in values.items()) > 1:
                yield values
