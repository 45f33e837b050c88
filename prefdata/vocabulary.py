"""The words of the games: seats, contracts, calls, and the names of columns.

Everything else in prefdata speaks these words and no module repeats them.  A function ending in ``_column`` builds
the name of one column, so that ``whists_column("a", "b")`` is the only place that knows how ``whists_ab`` is spelt.

========== ======================= ==========================================
Word       Russian                 Values
========== ======================= ==========================================
seat       место                   ``a b c d``, clockwise: b is on a's left
contract   контракт                ``6 7 8 9 10 misere raspasy``
call       слово защитника         ``pass whist half``
trump      козырь                  ``spades clubs diamonds hearts notrump``
entry      запись                  ``bullet mountain whists``
========== ======================= ==========================================
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

__all__ = [
    "BALKAN",
    "CALL",
    "CONCESSION",
    "CONTRACT",
    "ENTRY",
    "GAMES",
    "LEVELS",
    "PLAYER_COUNTS",
    "PRICES",
    "QUOTAS",
    "RUSSIAN",
    "SEAT",
    "SEATS",
    "TRICKS",
    "TRUMP",
    "TWELFTHS",
    "WRONG_CARDS",
    "bullet_column",
    "call_column",
    "entry_columns",
    "help_column",
    "left_of",
    "mountain_column",
    "pairs",
    "player_column",
    "seats_at_table",
    "seats_needed",
    "tricks_column",
    "whists_column",
]

RUSSIAN, BALKAN = GAMES = ("russian", "balkan")
"""The games that prefdata scores; the words below are those of the Russian one, or of both."""

SEATS: tuple[str, ...] = ("a", "b", "c", "d")
"""Seats, clockwise.  Three players use a-c, two a-b."""

PLAYER_COUNTS: tuple[int, ...] = (2, 3, 4)
"""Numbers of players at a table; with four the sitting dealer counts."""

TRICKS = 10
"""Tricks in a deal."""

TWELFTHS = 12
"""Parts of a whist in which results are exact: whole for two, three and four players."""

LEVELS: dict[str, int] = {"6": 6, "7": 7, "8": 8, "9": 9, "10": 10}
"""Tricks that the declarer of a contract promises, by the contract's name."""

PRICES: dict[str, int] = {"6": 2, "7": 4, "8": 6, "9": 8, "10": 10, "misere": 10, "raspasy": 0}
"""Price of a contract in points (rules §2; Code 2.2.2).  Raspasy has a price of its own, in the convention."""

QUOTAS: dict[str, int] = {"6": 4, "7": 2, "8": 1, "9": 1, "10": 1, "misere": 0, "raspasy": 0}
"""Tricks that the defence owes when it whists (rules §2; Code 3.8.2)."""

CONCESSION = 3
"""Undertricks of a contract that was given up before play (rules §3.8)."""

WRONG_CARDS = 2
"""Tricks that are taken off whoever had a wrong number of cards (rules §8; Code 3.9.18)."""

SEAT = pl.Enum(SEATS)
CONTRACT = pl.Enum(["6", "7", "8", "9", "10", "misere", "raspasy"])
CALL = pl.Enum(["pass", "whist", "half"])
TRUMP = pl.Enum(["spades", "clubs", "diamonds", "hearts", "notrump"])
ENTRY = pl.Enum(["bullet", "mountain", "whists"])


def seats_at_table(players: int) -> tuple[str, ...]:
    """List the seats of a table.

    >>> seats_at_table(3)
    ('a', 'b', 'c')
    """
    return SEATS[:players]


def left_of(seat: str, players: int, places: int = 1) -> str:
    """Name the seat some places on the left (clockwise) of a seat.

    >>> left_of("c", 3), left_of("c", 4), left_of("d", 4, 2)
    ('a', 'd', 'b')
    """
    return SEATS[(SEATS.index(seat) + places) % players]


def pairs(players: int = 4) -> Iterator[tuple[str, str]]:
    """Go through the ordered pairs (who writes whists, on whom).

    >>> list(pairs(2))
    [('a', 'b'), ('b', 'a')]
    """
    seats = seats_at_table(players)
    return ((writer, on) for writer in seats for on in seats if writer != on)


def bullet_column(seat: str) -> str:
    """Name the bullet (пуля) column of a seat."""
    return f"bullet_{seat}"


def mountain_column(seat: str) -> str:
    """Name the mountain (гора) column of a seat."""
    return f"mountain_{seat}"


def whists_column(writer: str, on: str) -> str:
    """Name the column of whists (висты) that `writer` has on `on`."""
    return f"whists_{writer}{on}"


def help_column(helper: str, helped: str) -> str:
    """Name the column of bullet points that `helper` wrote into the bullet of `helped`."""
    return f"help_{helper}{helped}"


def call_column(seat: str) -> str:
    """Name the column of a defender's final call."""
    return f"call_{seat}"


def tricks_column(seat: str) -> str:
    """Name the column of the tricks that a seat took."""
    return f"tricks_{seat}"


def player_column(seat: str) -> str:
    """Name the column of the player's name at a seat."""
    return f"player_{seat}"


def entry_columns(players: int = 4) -> list[str]:
    """List the columns of a sheet in their order: bullets, mountains, whists.

    >>> entry_columns(2)
    ['bullet_a', 'bullet_b', 'mountain_a', 'mountain_b', 'whists_ab', 'whists_ba']
    """
    seats = seats_at_table(players)
    return [
        *map(bullet_column, seats),
        *map(mountain_column, seats),
        *(whists_column(writer, on) for writer, on in pairs(players)),
    ]


def seats_needed(column: str) -> int:
    """Tell with how many players a table has a column of seats.

    >>> seats_needed("whists_ac"), seats_needed("bullet_d")
    (3, 4)
    """
    return max(SEATS.index(seat) + 1 for seat in column.rpartition("_")[2])
