"""How numbers and lists are written in text."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

__all__ = ["amount", "listed", "number"]

_UNKNOWN = "-"


def number(value: float | None, decimals: int | None = None) -> str:
    """Write a number in groups of three, as people read it.

    Parameters
    ----------
    value
        The number; None where it is not known.
    decimals
        How many decimals are written where the number is none of the whole ones; as many as tell unless given.

    Examples
    --------
    >>> number(1234567), number(-12.5), number(0.046), number(7.0, 1), number(None)
    ('1 234 567', '-12.5', '0.046', '7.0', '-')
    """
    if value is None or not isfinite(value):
        return _UNKNOWN
    if isinstance(value, int):
        return f"{value:,}".replace(",", " ")
    if decimals is not None:
        rounded = round(value, decimals) + 0.0  # which makes 0.0 of -0.0
        return f"{rounded:,.{decimals}f}".replace(",", " ")
    if value.is_integer():
        return number(int(value))
    return number(value, 2 if abs(value) >= 0.1 else 3).rstrip("0").rstrip(".")


def amount(value: int, thing: str) -> str:
    """Write a number of things.

    Parameters
    ----------
    value
        How many there are.
    thing
        One of them.

    Examples
    --------
    >>> amount(1, "pulka"), amount(2000, "pulka")
    ('1 pulka', '2 000 pulkas')
    """
    return f"{number(value)} {thing}{'' if value == 1 else 's'}"


def listed(names: Iterable[str]) -> str:
    """Write names one after the other.

    Parameters
    ----------
    names
        The names, at least one.

    Examples
    --------
    >>> listed("A"), listed("AB"), listed("ABC")
    ('A', 'A and B', 'A, B and C')
    """
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
