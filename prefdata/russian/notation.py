"""The column of a tournament sheet that holds the game bid and its result, such as ``6/=`` (Code 4.2.11)."""

from __future__ import annotations

import polars as pl

from prefdata.doors import as_text
from prefdata.russian.facts import Facts
from prefdata.russian.vocabulary import CONCESSION, CONTRACT, WRONG_CARDS
from prefdata.vocabulary import LEVELS, SEATS, TRICKS, tricks_column

__all__ = ["notation", "read_notation"]

_MISERE = "misere"
_MISERE_SIGN = "M"
_MINUS = r"\-\u2010-\u2014\u2212"
"""Hyphens, dashes from the figure's to the em dash, and the minus sign."""

_PATTERN = (
    r"(?i)^\s*(?:(?<level>6|7|8|9|10)|(?<misere>m(?:is(?:[eè]re)?|izer)?|м(?:из(?:ер)?)?))\s*/\s*"
    rf"(?:(?<made>=)|(?<sign>[+{_MINUS}])\s*(?<tricks>1[0-2]|[1-9]))\s*$"
)


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
        Name of a column with texts such as ``6/=`` or ``8/–1``.  Any hyphen, dash or minus sign will do, as will
        spaces; a sign is needed.  Misère is ``M`` (Latin or Cyrillic), ``misere``, ``мизер`` or their first three
        letters, in capitals or not.

    Returns
    -------
    pl.Expr
        Struct named like the column: `contract` (Enum) and `difference` (Int8), the declarer's tricks less those that
        he promised, in misère the tricks taken below zero.  Null where the text is no notation, or tells a result that
        no deal has, such as ``10/+1``.  The two tricks that wrong cards cost may lead below zero tricks.

    Examples
    --------
    >>> sheet = pl.DataFrame({"game": ["6/=", "8/–1", "мизер / -2", "6", None]})
    >>> sheet.select(read_notation("game").struct.unnest()).rows()
    [('6', 0), ('8', -1), ('misere', -2), (None, None), (None, None)]
    """
    column = as_text(column, "column", "the name of a column")
    parts = pl.col(column).cast(pl.String).str.extract_groups(_PATTERN).struct
    level = parts.field("level")
    tricks = parts.field("tricks").cast(pl.Int8)
    difference = (
        pl.when(parts.field("made").is_not_null())
        .then(pl.lit(0, dtype=pl.Int8))
        .when(parts.field("sign") == "+")
        .then(tricks)
        .otherwise(-tricks)
    )
    promised = level.replace_strict(LEVELS, default=0, return_dtype=pl.Int8)
    is_misere = parts.field("misere").is_not_null()
    fewest = pl.when(is_misere).then(-TRICKS).otherwise(-promised - WRONG_CARDS)
    most = pl.when(is_misere).then(0).otherwise(TRICKS - promised)
    contract = pl.when(is_misere).then(pl.lit(_MISERE)).otherwise(level).cast(CONTRACT)
    read = pl.struct(contract=contract, difference=difference)
    return pl.when(difference.is_between(fewest, most)).then(read).alias(column)


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
