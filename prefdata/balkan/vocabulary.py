"""The words of the Balkan game: games, calls, and the names of columns.

========== ========================================= =====================================================
Word       Russian                                   Values
========== ========================================= =====================================================
seat       место                                     ``a b c``, clockwise
contract   контракт                                  ``spades diamonds hearts clubs bettel sans all_pass``
call       слово защитника                           ``pass come invite invited``
entry      запись                                    ``contract juha``
refe       рефет (radlc)                             a doubling that waits for its owner's next game
hat        шляпа                                     sign that a contract column is above 0
========== ========================================= =====================================================

`WORDS` has what people write for them, in capitals or not.
"""

from __future__ import annotations

import polars as pl

from prefdata.vocabulary import SUITS, Words, pairs

__all__ = [
    "CALL",
    "CONTRACT",
    "DEFENCE_MOST",
    "ENTRY",
    "PLAYERS",
    "RANKS",
    "SEAT",
    "SEATS",
    "WORDS",
    "contract_column",
    "entry_columns",
    "hat_column",
    "juha_column",
    "refes_column",
]

PLAYERS = 3
"""The Balkan game is for three."""

SEATS: tuple[str, ...] = ("a", "b", "c")

RANKS: dict[str, int] = {"spades": 2, "diamonds": 3, "hearts": 4, "clubs": 5, "bettel": 6, "sans": 7}
"""Rank of a game; its value is twice that, and twice one more when it is played without the talon."""

DEFENCE_MOST = 5
"""Tricks for which the defence writes when a game fails: play stops at the fifth."""

SEAT = pl.Enum(SEATS)
CONTRACT = pl.Enum([*RANKS, "all_pass"])
CALL = pl.Enum(["pass", "come", "invite", "invited"])
ENTRY = pl.Enum(["contract", "juha"])

WORDS: dict[pl.Enum, Words] = {
    words.kind: words
    for words in (
        Words(SEAT),
        Words(
            CONTRACT,
            {
                **SUITS,
                "diamonds": (*SUITS["diamonds"], "karo", "каро"),
                "hearts": (*SUITS["hearts"], "herc", "херц"),
                "bettel": ("betl", "бетл"),
                "sans": ("санс",),
                "all_pass": ("all pass", "all passed", "все пас", "все спасовали"),
            },
        ),
        Words(
            CALL,
            {
                "pass": ("пас", "pas", "ne dođem", "ne dodjem", "ne dodem", "не дођем"),
                "come": ("dođem", "dodjem", "dodem", "дођем"),
                "invite": ("zovem", "зовем"),
                "invited": ("pozvan", "позван"),
            },
        ),
        Words(ENTRY, {"contract": ("контракт",), "juha": ("юха", "supa", "супа")}),
    )
}
"""The vocabularies, with what people write for their words."""


def contract_column(seat: str) -> str:
    """Name the contract column (колонка контрактов) of a seat."""
    return f"contract_{seat}"


def juha_column(writer: str, on: str) -> str:
    """Name the juha (юха) that `writer` has on `on`."""
    return f"juha_{writer}{on}"


def refes_column(seat: str) -> str:
    """Name the column of the refes that a seat has not spent."""
    return f"refes_{seat}"


def hat_column(seat: str) -> str:
    """Name the column that tells whether a seat is under the hat (под шляпой)."""
    return f"hat_{seat}"


def entry_columns() -> list[str]:
    """List the columns of a sheet in their order: contract columns, juhas.

    >>> entry_columns()[:4]
    ['contract_a', 'contract_b', 'contract_c', 'juha_ab']
    """
    return [*map(contract_column, SEATS), *(juha_column(writer, on) for writer, on in pairs(PLAYERS))]
