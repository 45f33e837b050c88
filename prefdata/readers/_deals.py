"""What people and programs write beside a deal although the tables leave it out, put right for all readers.

A game that nobody whisted is often recorded with tricks, a misère with calls, a passer's tricks as a blank.  Where what
stands there can mean one thing only, that is taken, and a note says so; where it contradicts the rest of the deal it is
left, and the rules of the tables tell what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import polars as pl

from prefdata.archives import archive
from prefdata.failures import shown_values
from prefdata.readers._records import NOTE_SCHEMA, note_rows
from prefdata.russian import GAME
from prefdata.russian.facts import Facts, by_contract
from prefdata.russian.vocabulary import CONCESSION
from prefdata.tables import Pulkas, is_legal_deal
from prefdata.vocabulary import LEVELS, SEATS, TRICKS, call_column, tricks_column

__all__ = ["Righted", "put_right"]

Condition = Callable[[str], pl.Expr]


class Righted(NamedTuple):
    """Deals as the tables have them, and notes of what was changed for it."""

    deals: pl.DataFrame
    notes: pl.DataFrame


@dataclass(frozen=True)
class _Remedy:
    """One thing that people write otherwise than the tables have it.

    Attributes
    ----------
    told
        What it is about, for the note.
    cells
        For each column that may have to be changed, whether a deal's cell is to be.
    taken
        What stands there afterwards; None for nothing.
    why
        The reason, as the note gives it.
    """

    told: str
    cells: dict[str, pl.Expr]
    taken: int | None
    why: str


def put_right(deals: pl.DataFrame, *, strict: bool) -> Righted:
    """Bring deals as people record them into the form of the deals table.

    Parameters
    ----------
    deals
        Deals of any game, with `PLACE`; words may be texts.  Only those of the Russian game are looked at.
    strict
        Whether nothing is put right, so that the rules of the tables set such deals aside.

    Returns
    -------
    Righted
        The deals in their order and types, and the notes, with the columns of `NOTE_SCHEMA`.

    Examples
    --------
    A six that nobody whisted, with ten tricks:

    >>> from prefdata.examples import three_deals
    >>> from prefdata.readers._records import PLACE
    >>> deals = three_deals().head(1).with_columns(
    ...     pl.lit(2).alias(PLACE), pl.lit("pass").alias("call_b"), tricks_a=10, tricks_b=0
    ... )
    >>> righted = put_right(deals, strict=False)
    >>> righted.deals.select("tricks_a", "tricks_b", "tricks_c").row(0)
    (None, None, None)
    >>> righted.notes.select("row", "stood", "why").row(0)
    (2, 'tricks_a=10, tricks_b=0, tricks_c=0', 'nobody whisted, so that nothing was played')
    """
    no_notes = pl.DataFrame(schema=NOTE_SCHEMA)
    if strict or deals.is_empty():
        return Righted(deals, no_notes)
    is_suspect = _suspects(deals)
    if not is_suspect.any():
        return Righted(deals, no_notes)
    place = "place among the deals"
    numbered = deals.with_row_index(place)
    rows = numbered.filter(is_suspect)
    notes = []
    for remedy in _remedies():
        rows, told = _applied(remedy, rows)
        notes.append(told)
    together = pl.concat([numbered.filter(~is_suspect), rows]).sort(place).drop(place)
    return Righted(together, pl.concat(notes).sort("row", maintain_order=True))


def _suspects(deals: pl.DataFrame) -> pl.Series:
    """Tell which deals of the Russian game break a rule about one row, although all their values are known."""
    (part,) = archive(Pulkas.create_empty(), deals).parts
    if part.game is not GAME:
        return pl.Series([False]).new_from_index(0, deals.height)
    keys = part.deals.typed().select(key=GAME.layout.pack()).collect()["key"]
    different = keys.unique()
    illegal = different.filter(
        ~GAME.layout.unpack(different).select(is_legal_deal(part.deals.table.schema)).to_series()
    )
    unread = pl.int_range(deals.height, dtype=pl.UInt32, eager=True).is_in(part.deals.misfit_rows()["row"].implode())
    return keys.is_in(illegal.implode()) & ~unread


def _applied(remedy: _Remedy, rows: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Change the cells that a remedy is for; gives the rows and the notes."""
    typed = archive(Pulkas.create_empty(), rows).deals.collect()
    cells = {name: condition for name, condition in remedy.cells.items() if name in rows.columns}
    masks = typed.select(condition.fill_null(False).alias(name) for name, condition in cells.items())
    changed = masks.select(pl.any_horizontal(pl.lit(False), pl.all())).to_series()
    changed = changed if len(changed) == rows.height else changed.new_from_index(0, rows.height)
    after = rows.with_columns(
        pl.when(masks[name]).then(pl.lit(remedy.taken)).otherwise(pl.col(name)).cast(rows.schema[name]).alias(name)
        for name in cells
    )
    taken = "nothing" if remedy.taken is None else str(remedy.taken)
    return after, note_rows(rows.filter(changed), remedy.told, shown_values(cells), taken, remedy.why)


def _of_seats(column: Callable[[str], str], condition: Condition) -> dict[str, pl.Expr]:
    return {column(seat): condition(seat) for seat in SEATS}


def _stands(column: Callable[[str], str], seat: str) -> pl.Expr:
    return pl.col(column(seat)).is_not_null()


def _remedies() -> list[_Remedy]:
    """List what is put right, in this order: tricks are judged by calls that are in order."""
    fact = Facts.of_deal()
    return [*_of_calls(fact), *_of_unplayed(fact), *_of_played(fact), *_of_talon(fact)]


def _of_calls(fact: Facts) -> list[_Remedy]:
    bystander = {seat: fact.declares[seat] | fact.sits_out[seat] for seat in SEATS}
    return [
        _Remedy(
            "calls",
            _of_seats(call_column, lambda seat: fact.is_misere & _stands(call_column, seat)),
            None,
            "a misère has no calls",
        ),
        _Remedy(
            "calls",
            _of_seats(call_column, lambda seat: fact.is_raspasy & fact.said_pass[seat]),
            None,
            "in raspasy all have passed",
        ),
        _Remedy(
            "calls",
            _of_seats(call_column, lambda seat: fact.is_contract & fact.is_conceded & _stands(call_column, seat)),
            None,
            "a contract that was given up needs no calls",
        ),
        _Remedy(
            "calls",
            _of_seats(call_column, lambda seat: fact.awaits_calls & bystander[seat] & fact.said_pass[seat]),
            None,
            "neither the declarer nor the sitting dealer has to call",
        ),
    ]


def _tricks(condition: Condition, why: str, taken: int | None = None) -> _Remedy:
    return _Remedy("tricks", _of_seats(tricks_column, condition), taken, why)


def _of_unplayed(fact: Facts) -> list[_Remedy]:
    """Take the tricks of games away that were not played, unless they tell of another result."""
    promised = by_contract(LEVELS)
    nothing = pl.sum_horizontal(fact.tricks.values()) == 0
    unplayed = fact.awaits_calls & ~fact.is_played & (nothing | (fact.declarer_tricks >= promised))
    passed_out = unplayed & (fact.pass_calls > 0) & (fact.half_calls == 0)
    left = unplayed & (fact.half_calls == 1)
    agrees = nothing | (fact.declarer_tricks == promised - CONCESSION)
    given_up = fact.is_contract & fact.is_conceded & agrees
    return [
        _tricks(lambda seat: passed_out & _stands(tricks_column, seat), "nobody whisted, so that nothing was played"),
        _tricks(
            lambda seat: left & _stands(tricks_column, seat),
            "it was left for half a whist, so that nothing was played",
        ),
        _tricks(
            lambda seat: given_up & _stands(tricks_column, seat),
            "the contract was given up, so that nothing was played",
        ),
    ]


def _of_played(fact: Facts) -> list[_Remedy]:
    """Take noughts away where no tricks belong, and put them where they were left out."""
    whole = pl.sum_horizontal(fact.tricks.values()) == TRICKS
    others = pl.sum_horizontal(pl.when(fact.defends[seat]).then(fact.tricks[seat]).otherwise(0) for seat in SEATS)
    declarers = pl.any_horizontal(fact.declares[seat] & _stands(tricks_column, seat) for seat in SEATS)
    alone = fact.is_misere & ~whole & (others == 0) & declarers
    was_played = fact.is_played | fact.is_raspasy | fact.is_misere
    return [
        _tricks(
            lambda seat: ~fact.is_raspasy & ~fact.plays[seat] & (pl.col(tricks_column(seat)) == 0),
            "whoever does not play has no tricks",
        ),
        _tricks(
            lambda seat: alone & fact.defends[seat] & _stands(tricks_column, seat),
            "in a misère the declarer's tricks alone were written",
        ),
        _tricks(
            lambda seat: was_played & fact.plays[seat] & whole & ~_stands(tricks_column, seat),
            "the others have all ten tricks",
            taken=0,
        ),
    ]


def _of_talon(fact: Facts) -> list[_Remedy]:
    without = (pl.col("talon") > 0) & ~fact.is_contract
    return [_Remedy("talon", {"talon": without}, 0, "the talon counts in a contract of 6-10 only")]
