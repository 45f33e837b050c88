"""The book of outcomes of the Balkan game: what each different deal brings, ready for the walk."""

from __future__ import annotations

import numpy as np
import polars as pl

from prefdata.balkan import kernel
from prefdata.balkan.entries import CAN_BE_CUT, GIVES_REFE, VALUE, with_units
from prefdata.balkan.packing import LAYOUT
from prefdata.balkan.tables import Deals
from prefdata.balkan.vocabulary import entry_columns
from prefdata.conventions import Convention
from prefdata.outcomes.arrays import Array
from prefdata.outcomes.numbering import OutcomeBook
from prefdata.outcomes.staging import number
from prefdata.tables import is_legal_deal

__all__ = ["BalkanBook"]


class BalkanBook(OutcomeBook):
    """Outcomes of the Balkan game."""

    def _unpack(self, keys: pl.Series) -> pl.DataFrame:
        return LAYOUT.unpack(keys)

    def _is_legal(self) -> pl.Expr:
        return is_legal_deal(Deals)

    def entries(self, convention: Convention) -> Array:
        """Give what all outcomes bring under a convention: a row each, as `kernel.walk_balkan` reads it (int32)."""
        scored = self.scored(convention).drop("number").to_numpy()
        return np.ascontiguousarray(scored, dtype=np.int32)

    def _score(self, outcomes: pl.DataFrame, start: int, players: Array, convention: Convention) -> pl.DataFrame:
        flags = number(pl.col(GIVES_REFE)) * kernel.GIVES_REFE + number(pl.col(CAN_BE_CUT)) * kernel.CAN_BE_CUT
        declarer = pl.col("declarer").cat.physical().cast(pl.Int64)
        is_legal = pl.Series(players > 0)
        rows = with_units(outcomes, convention).select(*entry_columns(), VALUE, declarer=declarer, flags=flags)
        numbers = pl.int_range(start, start + outcomes.height, dtype=pl.Int64, eager=True)
        return rows.select(numbers.alias("number"), pl.when(is_legal).then(pl.all()).fill_null(0))
