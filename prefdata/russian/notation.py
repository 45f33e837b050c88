"""The column of a tournament sheet that holds the game bid and its result, such as ``6/=`` (Code 4.2.11)."""

from __future__ import annotations

import re
from functools import cache

import polars as pl

from prefdata.doors import as_text
from prefdata.russian.facts import Facts
from prefdata.russian.vocabulary import CONCESSION, CONTRACT, TRUMP, WORDS, WRONG_CARDS
from prefdata.vocabulary import LEVELS, SEATS, TRICKS, folded, tricks_column

__all__ = ["notation", "read_notation"]

_MISERE, _RASPASY = "misere", "raspasy"
_MISERE_SIGN = "M"

_READ = {
    "contract": CONTRACT,
    "trump": TRUMP,
    "difference": pl.Int8(),
    "tricks": pl.List(pl.UInt8),
    "unread": pl.String(),
}
"""What `read_notation` gives."""

_CLOSE = CONCESSION
"""How many tricks a contract without a stroke may miss: with more, such as `6-4`, they may be the tricks taken."""

_IN_RASPASY = ("first", "second", "third", "fourth")
"""The groups of the pattern with the tricks of raspasy, in the order of the seats."""


def _texts_for(words: pl.Enum, *chosen: str) -> str:
    """Write a pattern of all that people write for words of a vocabulary, the longest first."""
    texts = [text for text, word in WORDS[words].spellings.items() if word in chosen]
    return "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True))


@cache
def _pattern() -> str:
    """Write the pattern of a folded notation."""
    between = "(?: ?[-,;:/] ?| )"
    tricks = [f"(?<{group}>10|[0-9])" for group in _IN_RASPASY]
    of_seats = f"{between.join(tricks[:-1])}(?:{between}{tricks[-1]})?"
    contract = (
        rf"(?<level>{'|'.join(LEVELS)}) ?(?<trump>{_texts_for(TRUMP, *TRUMP.categories)})? ?(?<stroke>/)? ?"
        "(?:(?<made>=)|(?<sign>[+-]) ?(?<by>1[0-2]|[1-9]))"
    )
    misere = rf"(?<misere>{_texts_for(CONTRACT, _MISERE)}) ?/? ?(?:(?<clean>=)|[+-]? ?(?<taken>10|[0-9]))"
    raspasy = rf"(?<raspasy>{_texts_for(CONTRACT, _RASPASY)})(?: ?[-:/]? ?{of_seats})?"
    return f"^(?:{contract}|{misere}|{raspasy})$"


def notation() -> pl.Expr:
    """Write the game and its result as tournament sheets do (Code 4.2.11).

    Behind the stroke stands by how many tricks the declarer missed or passed his contract: ``6/=``, ``8/-1``,
    ``7/+1``.  A contract that nobody whisted, or that was left for half a whist, is made: ``6/=``.  A concession is
    three down: ``8/-3``.  Misère is ``M/=``, with two tricks taken ``M/-2``.  A declarer with a wrong number of cards
    has two tricks taken off, and is never better than two down (Code 3.9.18): a six with eight tricks is ``6/-2``.

    Returns
    -------
    pl.Expr
        String named `notation`.  Null in raspasy, where nothing was bid and the column stays empty, and where tricks
        are missing.  It needs all columns of the deals table, as ``archive.deals`` gives them, those too that a frame
        of your own may leave out, such as `conceded` and `wrong_cards`: make an archive of the frame first.

    Examples
    --------
    >>> from prefdata.examples import three_deals
    >>> three_deals().select(notation()).to_series().to_list()
    ['6/+1', '8/-1', None]

    Deals without the columns that may be missing:

    >>> from prefdata.archives import archive
    >>> from prefdata.examples import one_pulka
    >>> own = three_deals().drop("conceded", "wrong_cards")
    >>> archive(one_pulka(), own).deals.select(notation()).collect().to_series().to_list()
    ['6/+1', '8/-1', None]
    """
    difference = _difference()
    result = (
        pl.when(difference == 0)
        .then(pl.lit("="))
        .when(difference > 0)
        .then(pl.concat_str(pl.lit("+"), difference.cast(pl.String)))
        .otherwise(difference.cast(pl.String))
    )
    return pl.concat_str(_bid(), pl.lit("/"), result).alias("notation")


def read_notation(column: str) -> pl.Expr:
    """Read the game and its result from a column of a tournament sheet (Code 4.2.11).

    Parameters
    ----------
    column
        Name of a column with texts of these forms:

        - ``6/=``, ``8/-1``, ``7/+1``: the level, and the tricks missed or beyond.  The trump may follow the level, as a
          sign, a letter or a word: ``7♠/+1``, ``7БК/=``, ``7 без козыря / =``.  The stroke may be left out before ``=``
          and ``+``, and before a minus with up to three tricks; ``6-4`` may tell the tricks taken, as ``6/8`` does.
        - ``M/=``, ``M/-2``, ``мизер/3``: a misère and the tricks taken, with any sign or none.
        - ``распасы 3-4-3``, ``Р 3 4 3``: raspasy and the tricks of all three or four seats in order, ten together;
          ``распасы`` alone leaves them open.

        Capitals, blanks and widths of signs do not count, any hyphen, dash or minus sign will do, and letters may be of
        the script in which they look alike.

    Returns
    -------
    pl.Expr
        Struct named like the column, null where the cell is empty or holds a dash:

        - `contract` (Enum) and `trump` (Enum, null where none is written);
        - `difference` (Int8), the declarer's tricks less those that he promised, in misère the tricks taken below zero;
          null in raspasy.  The two tricks that wrong cards cost may lead below zero tricks;
        - `tricks` (List of UInt8), those of the seats in raspasy, else null;
        - `unread` (String), the text as it stands where it is no such notation, or tells a result that no deal has,
          such as ``10/+1``; all else is null then.  Null where the text was understood.

    Examples
    --------
    >>> sheet = pl.DataFrame({"game": ["6/=", "8♥/–1", "мизер / 2", "Р 3-4-3", "6/8", None]})
    >>> read = sheet.select(read_notation("game").struct.unnest())
    >>> read.drop("unread").rows()[:3]
    [('6', None, 0, None), ('8', 'hearts', -1, None), ('misere', None, -2, None)]
    >>> read.row(3)
    ('raspasy', None, None, [3, 4, 3], None)

    What was not understood, with its row:

    >>> sheet.with_row_index("row").filter(read_notation("game").struct.field("unread").is_not_null()).rows()
    [(4, '6/8')]
    """
    column = as_text(column, "column", "the name of a column")
    written = pl.col(column).cast(pl.String)
    # The parts stay fields of one struct: as expressions of their own each of them would match the text anew.
    parts = (
        folded(written)
        .str.extract_groups(_pattern())
        .struct.with_fields(difference=_difference_read(), tricks=_tricks_read(), written=written)
    )
    return parts.struct.with_fields(read=_read()).struct.field("read").alias(column)


def _difference_read() -> pl.Expr:
    """Tell by how many tricks more than promised the parts of a notation speak; null in raspasy."""
    beyond = pl.field("by").cast(pl.Int8)
    return (
        pl.when(pl.field("made").is_not_null() | pl.field("clean").is_not_null())
        .then(pl.lit(0, dtype=pl.Int8))
        .when(pl.field("sign") == "+")
        .then(beyond)
        .otherwise(-pl.coalesce(beyond, pl.field("taken").cast(pl.Int8)))
    )


def _tricks_read() -> pl.Expr:
    """List the tricks of the seats in raspasy, where the parts of a notation have them."""
    seats = pl.concat_list(pl.field(group).cast(pl.UInt8) for group in _IN_RASPASY).list.drop_nulls()
    return pl.when(pl.field(_IN_RASPASY[0]).is_not_null()).then(seats)


def _read() -> pl.Expr:
    """Put the parts of a notation together, or tell that it was not understood."""
    is_misere, is_raspasy = (pl.field(group).is_not_null() for group in (_MISERE, _RASPASY))
    contract = pl.when(is_misere).then(pl.lit(_MISERE)).when(is_raspasy).then(pl.lit(_RASPASY))
    read = pl.struct(
        contract=contract.otherwise(pl.field("level")).cast(CONTRACT),
        trump=pl.field("trump").replace_strict(WORDS[TRUMP].spellings, default=None, return_dtype=TRUMP),
        difference=pl.field("difference"),
        tricks=pl.field("tricks"),
        unread=pl.lit(None, dtype=pl.String),
    )
    nothing = [pl.lit(None, dtype=kind).alias(name) for name, kind in _READ.items()]
    unread = pl.struct(*nothing[:-1], unread=pl.field("written"))
    is_empty = folded(pl.field("written")).str.contains("^[- ]*$")
    return pl.when(_is_possible(is_misere, is_raspasy)).then(read).when(~is_empty).then(unread)


def _is_possible(is_misere: pl.Expr, is_raspasy: pl.Expr) -> pl.Expr:
    """Tell whether the parts of a notation tell a result that a deal can have, and no other one."""
    difference, tricks = pl.field("difference"), pl.field("tricks")
    promised = pl.field("level").replace_strict(LEVELS, default=0, return_dtype=pl.Int8)
    fewest = pl.when(is_misere).then(-TRICKS).otherwise(-promised - WRONG_CARDS)
    most = pl.when(is_misere).then(0).otherwise(TRICKS - promised)
    is_plain = is_misere | pl.field("stroke").is_not_null() | (difference >= -_CLOSE)
    in_raspasy = tricks.is_null() | (tricks.list.sum() == TRICKS)
    return pl.when(is_raspasy).then(in_raspasy).otherwise(difference.is_between(fewest, most) & is_plain)


def _bid() -> pl.Expr:
    """Write what was bid; null in raspasy."""
    names = {**{level: level for level in LEVELS}, _MISERE: _MISERE_SIGN}
    return pl.col("contract").replace_strict(names, default=None, return_dtype=pl.String)


def _difference() -> pl.Expr:
    """Tell how many tricks more than promised the declarer has, as the result is written."""
    fact = Facts.of_deal()
    taken = pl.coalesce(pl.when(fact.declares[seat]).then(pl.col(tricks_column(seat)).cast(pl.Int64)) for seat in SEATS)
    promised = pl.col("contract").replace_strict(LEVELS, default=0, return_dtype=pl.Int64)
    is_wrong = pl.any_horizontal(fact.declares[seat] & fact.has_wrong_cards[seat] for seat in SEATS)
    played = (
        pl.when(is_wrong)
        .then((taken - promised).clip(upper_bound=0) - WRONG_CARDS)
        .when(taken.is_null() & fact.is_contract & (fact.whist_calls == 0) & (fact.pass_calls > 0))
        .then(0)
        .when(fact.is_contract)
        .then(taken - promised)
        .otherwise(-taken)
    )
    return pl.when(fact.is_contract & fact.is_conceded).then(-CONCESSION).otherwise(played)
