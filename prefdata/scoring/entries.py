"""Entries of an analyst's own frame of deals, of any game."""

from __future__ import annotations

from pathlib import Path
from typing import overload

import polars as pl

from prefdata.archives import TableFrame
from prefdata.conventions import Convention, resolve
from prefdata.doors import AnyFrame, ArrowStream, as_either_frame, as_frame
from prefdata.errors import TableError
from prefdata.game import Game
from prefdata.games import GAMES, game_of_columns
from prefdata.vocabulary import Frame

__all__ = ["entries"]


@overload
def entries(deals: Frame, convention: str | Path | Convention) -> Frame: ...


@overload
def entries(deals: ArrowStream, convention: str | Path | Convention) -> pl.DataFrame: ...


def entries(deals: AnyFrame, convention: str | Path | Convention) -> pl.DataFrame | pl.LazyFrame:
    """Give the entries of every deal as it stands: no closing, no help, no end.

    Parameters
    ----------
    deals
        Deals in the form of the deals table, in order, as a frame of Polars or another library; optional columns may be
        missing, as may those of seats at which nobody sits in any deal: then a lazy frame's `players` are looked at.
    convention
        A convention, its name or its file.

    Returns
    -------
    DataFrame or LazyFrame, as it was given; else a DataFrame
        `pulka`, `deal`, `raspasy_step` and the entries ``bullet_a`` ... ``whists_dc`` (Int32, null for seats that the
        table does not have).  Of the Balkan game: `pulka`, `deal`, ``contract_a`` ... ``juha_cb``, without refes and
        without the cut of the last game.

    Raises
    ------
    TableError
        If a column is missing, or of an impossible type.

    Examples
    --------
    >>> from prefdata.examples import three_deals
    >>> entries(three_deals(), "rostov").select("deal", "bullet_a", "mountain_b", "whists_ca", "whists_ab").rows()
    [(1, 2, 1, 0, 0), (2, 0, 6, 0, 19), (3, 1, 0, 0, 30)]
    """
    switches = resolve(convention)
    game = GAMES[switches.game]
    frame = as_either_frame(deals, "deals")
    typed = _typed(frame.lazy(), game)
    if isinstance(frame, pl.LazyFrame):
        return game.deal_entries(typed, switches)
    return game.deal_entries(as_frame(typed, "deals"), switches)


def _typed(deals: pl.LazyFrame, game: Game) -> pl.LazyFrame:
    """Fill the optional columns of deals and bring all into the types of the table; raise where one is missing."""
    present, schema = deals.collect_schema().names(), game.deals.schema
    of_seats = game.deals.of_seats if game_of_columns(present) is game else ()
    missing = {"pulka", "deal", *game.layout.columns} - {*present, *game.deals.optional, *of_seats}
    if missing:
        raise TableError(
            f"the deals lack {', '.join(sorted(missing))}", hint=f"See {schema.__module__}.Deals for the columns."
        )
    kinds = pl.Schema({name: column.dtype for name, column in schema.columns().items()})
    table = TableFrame(deals, game.deals, "deals")
    table.refuse_lacking(table)
    return table.filled().cast(kinds)
