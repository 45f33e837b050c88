"""What a Balkan deal brings as it stands (rules §9), as expressions.

An entry is a number of units times the value of the deal: a made or failed game, or a shortage, is one unit of a
contract column; a trick is one unit of a juha.  Units do not change with a refe or when the last game is cut, only the
value does.  Numbers are Int64, and nothing is ever null.
"""

from __future__ import annotations

from functools import lru_cache

import polars as pl

from prefdata.balkan.facts import Facts, Ruling
from prefdata.balkan.vocabulary import DEFENCE_MOST, PLAYERS, SEATS, contract_column, entry_columns, juha_column
from prefdata.conventions import Convention
from prefdata.outcomes.staging import needed, number, stage
from prefdata.vocabulary import Frame, left_of, pairs

__all__ = ["CAN_BE_CUT", "GIVES_REFE", "VALUE", "deal_entries", "with_units"]

VALUE, GIVES_REFE, CAN_BE_CUT = "Ruling.value", "Ruling.gives_refe", "Ruling.can_be_cut"
"""Columns that `with_units` puts beside the units, see `Ruling`."""


def deal_entries(deals: Frame, convention: Convention) -> Frame:
    """Give the entries of every deal as it stands: no refe, no cut of the last game; see `prefdata.entries`."""
    written = [(pl.col(name) * pl.col(VALUE)).cast(pl.Int32) for name in entry_columns()]
    return with_units(deals, convention).select("pulka", "deal", *written)


def with_units(deals: Frame, convention: Convention) -> Frame:
    """Put the units of all columns of a sheet beside deals, with `VALUE`, `GIVES_REFE` and `CAN_BE_CUT`."""
    facts, rulings, units = _stages(convention)
    return deals.with_columns(facts).with_columns(rulings).with_columns(units)


@lru_cache(maxsize=64)
def _stages(convention: Convention) -> tuple[list[pl.Expr], list[pl.Expr], list[pl.Expr]]:
    """List what is computed one after the other: facts, the ruling on them, units made of both."""
    facts, fact = stage(Facts.of_deal())
    rulings, ruling = stage(Ruling.under(convention, fact))
    is_written = number(~ruling.gives_refe)
    units = [
        *((is_written * _contract_units(seat, fact, ruling)).alias(contract_column(seat)) for seat in SEATS),
        *(
            (is_written * number(fact.declares[on]) * _juha_tricks(writer, fact, ruling)).alias(juha_column(writer, on))
            for writer, on in pairs(PLAYERS)
        ),
    ]
    rulings = needed(rulings, units, [pl.col(name) for name in (VALUE, GIVES_REFE, CAN_BE_CUT)])
    return needed(facts, rulings, units), rulings, units


def _contract_units(seat: str, fact: Facts, ruling: Ruling) -> pl.Expr:
    """Plus one for a made game, minus one for a failed one, minus one for a short defender."""
    declarer = pl.when(fact.is_made).then(1).otherwise(-1)
    return pl.when(fact.declares[seat]).then(declarer).otherwise(-number(ruling.is_short[seat])).cast(pl.Int64)


def _juha_tricks(seat: str, fact: Facts, ruling: Ruling) -> pl.Expr:
    """Tricks of a defender's juha: five each on a failed bettel; at most five together on another failed game.

    Where the defence took more, the larger taker is cut first, of equal ones the later in calling order.
    """
    own = ruling.written_tricks[seat]
    other = pl.sum_horizontal(*(ruling.written_tricks[one] for one in SEATS if one != seat))
    is_last = number(fact.declares[left_of(seat, PLAYERS)])
    evenly = (DEFENCE_MOST + 1) // 2 - is_last
    cut = (
        pl.when(own + other <= DEFENCE_MOST)
        .then(own)
        .when(pl.min_horizontal(own, other) > DEFENCE_MOST // 2)
        .then(evenly)
        .when(own > other)
        .then(DEFENCE_MOST - other)
        .otherwise(own)
    )
    on_bettel = pl.when(fact.is_made).then(0).otherwise(DEFENCE_MOST)
    return pl.when(fact.is_bettel).then(on_bettel).when(fact.is_made).then(own).otherwise(cut)
