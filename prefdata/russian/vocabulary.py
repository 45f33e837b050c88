"""The words of the Russian game: contracts, calls, prices.

========== ======================= ==========================================
Word       Russian                 Values
========== ======================= ==========================================
contract   контракт                ``6 7 8 9 10 misere raspasy``
call       слово защитника         ``pass whist half``
trump      козырь                  ``spades clubs diamonds hearts notrump``
entry      запись                  ``bullet mountain whists``
========== ======================= ==========================================

`WORDS` has what people write for them, in capitals or not.
"""

from __future__ import annotations

import polars as pl

from prefdata.vocabulary import LEVELS, SEAT, SUITS, Words

__all__ = ["CALL", "CONCESSION", "CONTRACT", "ENTRY", "PRICES", "QUOTAS", "TRUMP", "WORDS", "WRONG_CARDS"]

PRICES: dict[str, int] = {"6": 2, "7": 4, "8": 6, "9": 8, "10": 10, "misere": 10, "raspasy": 0}
"""Price of a contract in points (rules §2; Code 2.2.2).  Raspasy has a price of its own, in the convention."""

QUOTAS: dict[str, int] = {"6": 4, "7": 2, "8": 1, "9": 1, "10": 1, "misere": 0, "raspasy": 0}
"""Tricks that the defence owes when it whists (rules §2; Code 3.8.2)."""

CONCESSION = 3
"""Undertricks of a contract that was given up before play (rules §3.8)."""

WRONG_CARDS = 2
"""Tricks that are taken off whoever had a wrong number of cards (rules §8; Code 3.9.18)."""

CONTRACT = pl.Enum([*LEVELS, "misere", "raspasy"])
CALL = pl.Enum(["pass", "whist", "half"])
TRUMP = pl.Enum(["spades", "clubs", "diamonds", "hearts", "notrump"])
ENTRY = pl.Enum(["bullet", "mountain", "whists"])

WORDS: dict[pl.Enum, Words] = {
    words.kind: words
    for words in (
        Words(SEAT),
        Words(
            CONTRACT,
            {
                "6": ("шестерная",),
                "7": ("семерная",),
                "8": ("восьмерная",),
                "9": ("девятерная",),
                "10": ("десятерная",),
                "misere": ("misère", "mis", "m", "mizer", "мизер", "миз"),
                "raspasy": ("raspas", "распасы", "распас", "распасовка", "рп", "р"),
            },
        ),
        Words(
            CALL,
            {
                "pass": ("пас", "пасс", "pas"),
                "whist": ("вист", "vist"),
                "half": ("полвиста", "пол виста", "пол-виста", "half whist", "half a whist", "уход за своих"),
            },
        ),
        Words(
            TRUMP,
            {
                **SUITS,
                "notrump": ("nt", "no trump", "no trumps", "бк", "без", "без козыря", "бескозырка", "бескозырная"),
            },
        ),
        Words(ENTRY, {"bullet": ("пуля",), "mountain": ("гора",), "whists": ("висты",)}),
    )
}
"""The vocabularies, with what people write for their words."""
