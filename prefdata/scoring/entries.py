"""A deal's entries as it stands: bullet, mountain and whists, before anything closes.

The same expressions score the few different outcomes of an archive and an analyst's own frame of deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import polars as pl

from prefdata.balkan.entries import balkan_entries
from prefdata.conventions import Convention
from prefdata.conventions import resolve as any_convention
from prefdata.conventions import resolve_russian as resolve
from prefdata.errors import TableError
from prefdata.games import GAMES, Game
from prefdata.roles import is_at_table
from prefdata.scoring.contracts import contract_bullet, contract_mountain, contract_whists
from prefdata.scoring.facts import Facts, Roles, stage
from prefdata.scoring.raspasy import ends_run, raspasy_bullet, raspasy_mountain, raspasy_step, raspasy_whists
from prefdata.vocabulary import BALKAN, SEATS, bullet_column, entry_columns, mountain_column, pairs, whists_column

__all__ = ["all_entries", "bullet", "entries", "mountain", "whists"]

Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)


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
    return _Deal.inline(resolve(convention)).bullet(seat)


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
    return _Deal.inline(resolve(convention)).mountain(seat)


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
    return _Deal.inline(resolve(convention)).whists(writer, on)


def _refuse_unknown(*seats: str) -> None:
    for seat in seats:
        if seat not in SEATS:
            raise ValueError(f"seat is {seat!r}, not one of {', '.join(SEATS)}")
    if len(set(seats)) < len(seats):
        raise ValueError(f"nobody writes whists on himself, but both seats are {seats[0]!r}")


@dataclass(frozen=True)
class _Deal:
    """The entries of a deal, from its roles and facts."""

    role: Roles
    fact: Facts
    convention: Convention

    @classmethod
    def inline(cls, convention: Convention) -> _Deal:
        role = Roles.of_deal()
        return cls(role, Facts.under(convention, role), convention)

    def bullet(self, seat: str) -> pl.Expr:
        points = contract_bullet(seat, self.role, self.fact) + raspasy_bullet(seat, self.role, self.convention)
        return self._written(points, seat).alias(bullet_column(seat))

    def mountain(self, seat: str) -> pl.Expr:
        points = contract_mountain(seat, self.role, self.fact, self.convention)
        points = points + raspasy_mountain(seat, self.role, self.convention)
        return self._written(points, seat).alias(mountain_column(seat))

    def whists(self, writer: str, on: str) -> pl.Expr:
        amount = contract_whists(writer, on, self.role, self.fact, self.convention)
        amount = amount + raspasy_whists(writer, on, self.role, self.convention)
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
    roles, facts, written = _stages(convention)
    return frame.with_columns(roles).with_columns(facts).select(*columns, *written)


@lru_cache(maxsize=256)
def _stages(convention: Convention) -> tuple[list[pl.Expr], list[pl.Expr], list[pl.Expr]]:
    """List what is computed one after the other: roles, facts made of them, entries made of both."""
    roles, role = stage(Roles.of_deal())
    facts, fact = stage(Facts.under(convention, role))
    deal = _Deal(role, fact, convention)
    written = [
        *(deal.bullet(seat) for seat in SEATS),
        *(deal.mountain(seat) for seat in SEATS),
        *(deal.whists(writer, on) for writer, on in pairs()),
        role.is_raspasy.alias("is_raspasy"),
        ends_run(role, fact, convention).alias("ends_run"),
        fact.is_bullet_entry.alias("is_made"),
    ]
    return roles, facts, written


def _filled(deals: Frame, game: Game) -> Frame:
    """Fill the optional columns of deals; raise where another one is missing."""
    defaults = {name: pl.lit(None) if value is None else value for name, value in game.deals.optional.items()}
    present = deals.collect_schema().names()
    filled = deals.with_columns(
        **{name: pl.col(name).fill_null(value) if name in present else value for name, value in defaults.items()}
    )
    missing = {"pulka", "deal", *game.layout.columns} - set(filled.collect_schema().names())
    if missing:
        schema = game.deals.schema
        raise TableError(
            f"the deals lack {', '.join(sorted(missing))}", hint=f"See {schema.__module__}.Deals for the columns."
        )
    return filled


def entries(deals: Frame, convention: str | Path | Convention) -> Frame:
    """Give the entries of every deal as it stands: no closing, no help, no end.

    Parameters
    ----------
    deals
        Deals in the form of the deals table, in order; optional columns may be missing.
    convention
        A convention, its name or its file.

    Returns
    -------
    DataFrame or LazyFrame, as it was given
        `pulka`, `deal`, `raspasy_step` and the entries ``bullet_a`` ... ``whists_dc`` (Int32, null for seats that the
        table does not have).  Of the Balkan game: `pulka`, `deal`, ``contract_a`` ... ``juha_cb``, without refes and
        without the cut of the last game.

    Raises
    ------
    TableError
        If a column is missing.

    Examples
    --------
    >>> from prefdata.examples import three_deals
    >>> entries(three_deals(), "rostov").select("deal", "bullet_a", "mountain_b", "whists_ca", "whists_ab").rows()
    [(1, 2, 1, 0, 0), (2, 0, 6, 0, 19), (3, 1, 0, 0, 30)]
    """
    switches = any_convention(convention)
    filled = _filled(deals, GAMES[switches.game])
    if switches.game == BALKAN:
        return balkan_entries(filled, switches)
    return all_entries(filled.with_columns(raspasy_step(switches)), switches).select(
        "pulka", "deal", "raspasy_step", *entry_columns()
    )
