"""Cells of a table of deals as people write them, brought into the words of the tables.

Each function takes texts that are all different and gives what each stands for, null where it stands for nothing that
is known; a column is read through its different texts alone, so that millions of rows cost no more than their words.
"""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from prefdata.readers._values import as_number
from prefdata.russian.notation import read_notation
from prefdata.russian.vocabulary import CALL, CONTRACT, TRUMP, WORDS
from prefdata.vocabulary import SEATS, Words, folded

__all__ = [
    "CONCEDED",
    "as_amount",
    "as_day",
    "as_flag",
    "as_seats",
    "as_whole",
    "call",
    "contract",
    "different",
    "is_concession",
    "trump",
]

_CALLS = Words(
    CALL,
    {
        "pass": (*WORDS[CALL].synonyms["pass"], "п", "p", "-", "0"),
        "whist": (*WORDS[CALL].synonyms["whist"], "в", "w", "v", "+", "1"),
        "half": (*WORDS[CALL].synonyms["half"], "½", "в½", "w½", "в 1/2", "пв", "hw", "h", "0,5", "0.5"),
    },
)
_FLAGS = {
    **dict.fromkeys(("true", "yes", "y", "да", "+", "1", "x", "v", "уход", "без трех"), "true"),
    **dict.fromkeys(("false", "no", "n", "нет", "-", "0"), "false"),
}
CONCEDED = ("уход", "уход без трёх", "без трёх", "concession", "conceded", "without three")
"""What people write in the place of a result for a contract that was given up."""

_SEATS = {
    **{seat: seat for seat in SEATS},
    **{str(number): seat for number, seat in enumerate(SEATS, start=1)},
    **dict(zip("бвг", SEATS[1:], strict=True)),
}


def different(texts: pl.Series, read: Callable[[pl.Series], pl.Series]) -> pl.Series:
    """Read a column through its different texts.

    >>> different(pl.Series("call", ["в", None, "П", "в"]), call).to_list()
    ['whist', None, 'pass', 'whist']
    """
    words = texts.unique().drop_nulls()
    meant = read(words)
    if not len(words):
        return pl.Series(texts.name, [None], dtype=meant.dtype).new_from_index(0, len(texts))
    return texts.replace_strict(words, meant, return_dtype=meant.dtype)


def _looked_up(texts: pl.Series, words: dict[str, str]) -> pl.Series:
    known = pl.DataFrame(list(words.items()), schema={"text": pl.String, "word": pl.String}, orient="row")
    spellings = dict(known.select(folded(pl.col("text")), "word").iter_rows())
    return _of(texts, folded(pl.col("text")).replace_strict(spellings, default=None, return_dtype=pl.String))


def _of(texts: pl.Series, expression: pl.Expr) -> pl.Series:
    return texts.to_frame("text").select(expression).to_series()


def call(texts: pl.Series) -> pl.Series:
    """Read final calls: words, letters, signs."""
    return _CALLS.read(texts).cast(pl.String)


def trump(texts: pl.Series) -> pl.Series:
    """Read trumps."""
    return WORDS[TRUMP].read(texts).cast(pl.String)


def contract(texts: pl.Series) -> pl.DataFrame:
    """Read games, perhaps with trump and result; gives `contract`, `trump`, `difference` and `tricks`.

    >>> read = contract(pl.Series(["6♠", "7 БК", "мизер", "6/=", "шесть"]))
    >>> read.select("contract", "trump", "difference").rows()[:4]
    [('6', 'spades', None), ('7', 'notrump', None), ('misere', None, None), ('6', None, 0)]
    >>> read["contract"][4] is None
    True
    """
    alone = texts.to_frame("text").select(
        level=folded(pl.col("text")).str.extract(r"^(10|[6-9]) ?[a-zа-яё♠♣♦♥♤♧♢♡. ]*$"),
        suit=folded(pl.col("text")).str.extract(r"^(?:10|[6-9]) ?([a-zа-яё♠♣♦♥♤♧♢♡. ]+)$").str.strip_chars(" ."),
        word=WORDS[CONTRACT].read(texts).cast(pl.String),
    )
    suit = trump(alone["suit"])
    is_level = (suit.is_not_null() | alone["suit"].is_null()) & alone["level"].is_not_null()
    game = alone.select(pl.coalesce("word", pl.when(is_level).then("level"))).to_series()
    noted = texts.to_frame("text").select(read_notation("text").struct.unnest())
    return noted.select(
        contract=pl.coalesce(game, pl.col("contract").cast(pl.String)),
        trump=pl.coalesce(pl.when(is_level).then(suit), pl.col("trump").cast(pl.String)),
        difference=pl.when(game.is_null()).then("difference"),
        tricks="tricks",
    )


def as_flag(texts: pl.Series) -> pl.Series:
    """Read yes and no."""
    return _looked_up(texts, {**_FLAGS}) == "true"


def as_seats(texts: pl.Series) -> pl.Series:
    """Read seats by letter or number."""
    return _looked_up(texts, _SEATS)


def as_whole(texts: pl.Series) -> pl.Series:
    """Read whole numbers; a dash stands for none."""
    number = _of(texts, as_number(pl.col("text")))
    return (
        pl.DataFrame({"number": number})
        .select(pl.when(pl.col("number") % 1 == 0).then("number").cast(pl.Int64, strict=False))
        .to_series()
    )


def as_day(texts: pl.Series) -> pl.Series:
    """Read days, as 2024-05-17 or 17.05.2024."""
    forms = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%Y-%m-%d %H:%M:%S")
    return _of(texts, pl.coalesce(pl.col("text").str.to_date(form, strict=False) for form in forms))


def as_amount(texts: pl.Series) -> pl.Series:
    """Read amounts of money."""
    return _of(texts, as_number(pl.col("text")))


def is_concession(texts: pl.Series) -> pl.Series:
    """Tell which texts stand for a contract that was given up."""
    given_up = _looked_up(texts, dict.fromkeys(CONCEDED, "true"))
    return given_up.is_not_null()
