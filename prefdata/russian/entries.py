"""A deal's entries as it stands: bullet, mountain and whists, before anything closes.

The same expressions score the few different outcomes of an archive and an analyst's own frame of deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import polars as pl

from prefdata.conventions import Convention, resolve_russian
from prefdata.doors import as_choice
from prefdata.outcomes.staging import needed, stage
from prefdata.russian.contracts import contract_bullet, contract_mountain, contract_whists
from prefdata.russian.facts import Facts, Ruling
from prefdata.russian.raspasy import ends_run, raspasy_bullet, raspasy_mountain, raspasy_step, raspasy_whists
from prefdata.tables import is_at_table
from prefdata.vocabulary import SEATS, Frame, bullet_column, entry_columns, mountain_column, pairs, whists_column

__all__ = ["all_entries", "bullet", "deal_entries", "mountain", "whists"]


def bullet(seat: str, convention: str | Path | Convention) -> pl.Expr:
    """Give the bullet points (пуля) that a deal brings to a seat, before help and surplus.

    Parameters
    ----------
    seat
        The seat, ``a`` to ``d``.
    convention
        A convention, its name or its file.

    Returns
    -------
    pl.Expr
        Int32 named ``bullet_<seat>``, in points; null where the table has no such seat.  It needs the columns of the
        deals table that scoring looks at, and `raspasy_step`.

    Examples
    --------
    >>> from prefdata.examples import three_deals
    >>> from prefdata.conventions import convention
    >>> sochi = convention("sochi")
    >>> deals = three_deals().with_columns(raspasy_step(sochi))
    >>> deals.select(bullet("a", sochi)).to_series().to_list()
    [2, 0, 1]
    """
    _refuse_unknown(seat)
    return _Deal.inline(resolve_russian(convention)).bullet(seat)


def mountain(seat: str, convention: str | Path | Convention) -> pl.Expr:
    """Give the mountain points (гора) that a deal brings to a seat.

    Parameters and columns are those of `bullet`; Int32 named ``mountain_<seat>``, in points.

    Examples
    --------
    >>> from prefdata.examples import three_deals
    >>> from prefdata.conventions import convention
    >>> sochi = convention("sochi")
    >>> deals = three_deals().with_columns(raspasy_step(sochi))
    >>> deals.select(mountain("b", sochi)).to_series().to_list()
    [2, 6, 6]
    """
    _refuse_unknown(seat)
    return _Deal.inline(resolve_russian(convention)).mountain(seat)


def whists(writer: str, on: str, convention: str | Path | Convention) -> pl.Expr:
    """Give the whists (висты) that a deal lets one seat write on another.

    Parameters and columns are those of `bullet`; Int32 named ``whists_<writer><on>``, in whists.

    Examples
    --------
    >>> from prefdata.examples import three_deals
    >>> from prefdata.conventions import convention
    >>> sochi = convention("sochi")
    >>> deals = three_deals().with_columns(raspasy_step(sochi))
    >>> deals.select(whists("b", "a", sochi), whists("c", "b", sochi)).rows()
    [(6, 0), (0, 24), (0, 0)]
    """
    _refuse_unknown(writer, on)
    return _Deal.inline(resolve_russian(convention)).whists(writer, on)


def _refuse_unknown(*seats: str) -> None:
    for seat in seats:
        as_choice(seat, "seat", SEATS)
    if len(set(seats)) < len(seats):
        raise ValueError(f"nobody writes whists on himself, but both seats are {seats[0]!r}")


@dataclass(frozen=True)
class _Deal:
    """The entries of a deal, from its facts and the ruling on them."""

    fact: Facts
    ruling: Ruling
    convention: Convention

    @classmethod
    def inline(cls, convention: Convention) -> _Deal:
        fact = Facts.of_deal()
        return cls(fact, Ruling.under(convention, fact), convention)

    def bullet(self, seat: str) -> pl.Expr:
        points = contract_bullet(seat, self.fact, self.ruling) + raspasy_bullet(seat, self.fact, self.convention)
        return self._written(points, seat).alias(bullet_column(seat))

    def mountain(self, seat: str) -> pl.Expr:
        points = contract_mountain(seat, self.fact, self.ruling, self.convention)
        points = points + raspasy_mountain(seat, self.fact, self.convention)
        return self._written(points, seat).alias(mountain_column(seat))

    def whists(self, writer: str, on: str) -> pl.Expr:
        amount = contract_whists(writer, on, self.fact, self.ruling, self.convention)
        amount = amount + raspasy_whists(writer, on, self.fact, self.convention)
        return self._written(amount, writer, on).alias(whists_column(writer, on))

    def _written(self, amount: pl.Expr, *seats: str) -> pl.Expr:
        at_table = pl.all_horizontal(*(is_at_table(seat) for seat in seats))
        return pl.when(at_table).then(amount).cast(pl.Int32)


def all_entries(frame: Frame, convention: Convention) -> Frame:
    """Put the entries of all seats and pairs beside deals that have `raspasy_step`, and what a walk asks of a deal.

    Returns
    -------
    DataFrame or LazyFrame
        The frame with the columns of a sheet, `is_raspasy`, `ends_run`, and `is_made` (a made contract or misère).
    """
    columns = frame.collect_schema().names()
    facts, rulings, written = _stages(convention)
    return frame.with_columns(facts).with_columns(rulings).select(*columns, *written)


@lru_cache(maxsize=256)
def _stages(convention: Convention) -> tuple[list[pl.Expr], list[pl.Expr], list[pl.Expr]]:
    """List what is computed one after the other: facts, the ruling on them, entries made of both."""
    facts, fact = stage(Facts.of_deal())
    rulings, ruling = stage(Ruling.under(convention, fact))
    deal = _Deal(fact, ruling, convention)
    written = [
        *(deal.bullet(seat) for seat in SEATS),
        *(deal.mountain(seat) for seat in SEATS),
        *(deal.whists(writer, on) for writer, on in pairs()),
        fact.is_raspasy.alias("is_raspasy"),
        ends_run(fact, ruling, convention).alias("ends_run"),
        ruling.is_bullet_entry.alias("is_made"),
    ]
    rulings = needed(rulings, written)
    return needed(facts, rulings, written), rulings, written


def deal_entries(deals: Frame, convention: Convention) -> Frame:
    """Give the entries of every deal as it stands, with its step in a run of raspasy; see `prefdata.entries`."""
    return all_entries(deals.with_columns(raspasy_step(convention)), convention).select(
        "pulka", "deal", "raspasy_step", *entry_columns()
    )
