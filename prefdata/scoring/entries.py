"""Entries of an analyst's own frame of deals, of any game."""

from __future__ import annotations

from pathlib import Path
from typing import overload

import polars as pl

from prefdata.conventions import Convention, resolve
from prefdata.doors import AnyFrame, ArrowStream, as_either_frame
from prefdata.errors import TableError
from prefdata.game import Game
from prefdata.games import GAMES
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
        missing.
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
        If a column is missing.

    Examples
    --------
    >>> from prefdata.examples import three_deals
    >>> entries(three_deals(), "rostov").select("deal", "bullet_a", "mountain_b", "whists_ca", "whists_ab").rows()
    [(1, 2, 1, 0, 0), (2, 0, 6, 0, 19), (3, 1, 0, 0, 30)]
    """
    switches = resolve(convention)
    game = GAMES[switches.game]
    frame = as_either_frame(deals, "deals")
    if isinstance(frame, pl.LazyFrame):
        return game.deal_entries(_filled(frame, game), switches)
    return game.deal_entries(_filled(frame, game), switches)


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
