"""The words that all games share: seats, numbers, and the names of columns.

Everything else in prefdata speaks these words and no module repeats them.  A function ending in ``_column`` builds
the name of one column, so that ``whists_column("a", "b")`` is the only place that knows how ``whists_ab`` is spelt.
The words of one game alone stand in its own folder: `prefdata.russian.vocabulary`, `prefdata.balkan.vocabulary`.

========== ======================= ==========================================
Word       Russian                 Values
========== ======================= ==========================================
seat       место                   ``a b c d``, clockwise: b is on a's left
========== ======================= ==========================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import polars as pl

__all__ = [
    "BALKAN",
    "GAMES",
    "LARGEST_ENTRY",
    "LARGEST_LIMIT",
    "LEVELS",
    "PLAYER_COUNTS",
    "RUSSIAN",
    "SEAT",
    "SEATS",
    "SUITS",
    "TRICKS",
    "TWELFTHS",
    "Frame",
    "Words",
    "bullet_column",
    "call_column",
    "entry_columns",
    "folded",
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

Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)
"""A frame of either kind: what is given comes back as the same kind."""

RUSSIAN, BALKAN = GAMES = ("russian", "balkan")
"""The games that prefdata scores; each has a folder of this name."""

SEATS: tuple[str, ...] = ("a", "b", "c", "d")
"""Seats, clockwise.  Three players use a-c, two a-b."""

PLAYER_COUNTS: tuple[int, ...] = (2, 3, 4)
"""Numbers of players at a table; with four the sitting dealer counts."""

TRICKS = 10
"""Tricks in a deal."""

TWELFTHS = 12
"""Parts of a whist in which results are exact: whole for two, three and four players."""

LARGEST_LIMIT = 65_535
"""The largest limit of a pulka, in points of the bullet."""

LARGEST_ENTRY = 2**40
"""The largest entry of a sheet that is settled, in points or whists, either sign: every step stays exact in Int64.

Let B be this bound, W = 10,000 the largest weight of a point; the smallest divisor is 1, and at most four sit down.  In
twelfths of a whist, a share of a bullet, of a mountain is at most u = 12 W B, since it is multiplied before it is
divided; a limit's is far less.  Four of them add up to 4 u; differences to three opponents, from bullets or from
mountains, are at most 6 u each; the balance of six columns of whists is at most 72 B, and so a result at most
12 u + 72 B.  A share after carrying and amnesty is at most 4 u, because the limit cancels out.  The rounding rules go
farthest where they settle such shares anew: four shares less four times one's own, 32 u + 72 B.  Moving a point, its
compensation and rounding add less than 10^8.  All in all 3,840,072 B + 10^8 < 2^62, and Int64 holds 2^63 - 1.
"""

LEVELS: dict[str, int] = {"6": 6, "7": 7, "8": 8, "9": 9, "10": 10}
"""Tricks that the declarer of a contract of the Russian game promises, by the contract's name; a switch of conventions
speaks of them too."""

SUITS: dict[str, tuple[str, ...]] = {
    "spades": ("♠", "♤", "s", "spade", "п", "пик", "пика", "пики", "pik"),
    "clubs": ("♣", "♧", "c", "club", "т", "треф", "трефа", "трефы", "tref", "крести"),
    "diamonds": ("♦", "♢", "d", "diamond", "б", "бубен", "бубна", "бубны", "бубн"),
    "hearts": ("♥", "♡", "h", "heart", "ч", "черва", "червей", "черви", "червы", "черв"),
}
"""Suits, with what people write for them."""

SEAT = pl.Enum(SEATS)

_ALIKE = {
    **dict(zip("асеёорхуктмн", "aceeopxyktmh", strict=True)),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys("\u2044\u2215", "/"),
}
"""Cyrillic letters that look like Latin ones, in capitals at least; every dash; every stroke."""

_UNSEEN = "[\u00ad\u200b-\u200d\u2060\ufe0e\ufe0f\ufeff]"
"""Signs without width: soft hyphens, joiners, what chooses between a sign's pictures, byte order marks."""


def folded(text: pl.Expr) -> pl.Expr:
    """Bring texts which people read alike into one form, by which they are compared, never shown.

    Capitals, blanks around, kinds of blanks and dashes, wide digits, and the script of letters that look alike in both
    do not count.

    >>> pl.DataFrame({"text": [" Misère", "М", "８\u00a0–１"]}).select(folded(pl.col("text"))).to_series().to_list()
    ['misère', 'm', '8 -1']
    """
    plain = text.str.normalize("NFKC").str.replace_all(_UNSEEN, "").str.replace_all(r"\s+", " ")
    return plain.str.strip_chars().str.to_lowercase().str.replace_many(_ALIKE)


@dataclass(frozen=True, eq=False)
class Words:
    """A vocabulary, with what people write for its words.

    Attributes
    ----------
    kind
        The words themselves.
    synonyms
        Other words and signs for each of them, if it has any.
    """

    kind: pl.Enum
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def spellings(self) -> dict[str, str]:
        """Give each word by every text that stands for it, folded.

        >>> Words(pl.Enum(["whist"]), {"whist": ("Вист",)}).spellings
        {'whist': 'whist', 'виct': 'whist'}
        """
        pairs_of = [(text, word) for word in self.kind.categories for text in (word, *self.synonyms.get(word, ()))]
        texts = pl.DataFrame(pairs_of, schema=["text", "word"], orient="row")
        return dict(texts.select(folded(pl.col("text")), "word").iter_rows())

    def read(self, texts: pl.Series) -> pl.Series:
        """Give the words that texts stand for; null where one stands for none.

        >>> Words(pl.Enum(["whist"]), {"whist": ("вист",)}).read(pl.Series(["Вист ", "WHIST", "wist"])).to_list()
        ['whist', 'whist', None]
        """
        words = texts.cast(self.kind, strict=False)
        return words if words.null_count() == texts.null_count() else self.spelt(texts).cast(self.kind, strict=False)

    def spelt(self, texts: pl.Series) -> pl.Series:
        """Put words for the texts that stand for them, and leave other texts as they are.

        >>> Words(pl.Enum(["whist"]), {"whist": ("вист",)}).spelt(pl.Series(["Вист ", "WHIST", "wist"])).to_list()
        ['whist', 'whist', 'wist']
        """
        others = texts.filter(texts.cast(self.kind, strict=False).is_null() & texts.is_not_null()).unique()
        if not len(others):
            return texts
        written = pl.col(others.name)
        words = folded(written).replace_strict(self.spellings, default=written, return_dtype=pl.String)
        return texts.replace(others, others.to_frame().select(words).to_series())


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
    """List the columns by which every sheet settles, in their order: bullets, mountains, whists.

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
