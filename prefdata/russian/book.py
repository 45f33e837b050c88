"""The book of outcomes of the Russian game: what each different deal brings, ready for the walk."""

from __future__ import annotations

import numpy as np
import polars as pl

from prefdata.conventions import Convention
from prefdata.outcomes.arrays import Array
from prefdata.outcomes.numbering import OutcomeBook
from prefdata.russian import kernel
from prefdata.russian.codes import decode_codes, renew
from prefdata.russian.entries import all_entries
from prefdata.russian.packing import LAYOUT
from prefdata.russian.tables import Deals
from prefdata.tables import is_legal_deal
from prefdata.vocabulary import entry_columns

__all__ = ["RussianBook"]


class RussianBook(OutcomeBook):
    """Outcomes of the Russian game; a key is a packed row or an outcome code."""

    def __init__(self) -> None:
        super().__init__()
        self._walkable: dict[tuple[Convention, int], kernel.OutcomeEntries] = {}

    def _unpack(self, keys: pl.Series) -> pl.DataFrame:
        is_code = keys // LAYOUT.code_mark == 1
        rows = LAYOUT.unpack(keys * (~is_code).cast(pl.UInt64))
        if is_code.any():
            decoded = decode_codes((keys % LAYOUT.code_mark).to_frame("code").select(renew(pl.col("code"))).to_series())
            rows = rows.select(
                pl.when(is_code).then(decoded[column]).otherwise(column).alias(column) for column in LAYOUT.columns
            )
        return rows

    def _is_legal(self) -> pl.Expr:
        return is_legal_deal(Deals)

    def forget(self) -> None:
        """Forget what outcomes bring under all conventions."""
        with self._lock:
            super().forget()
            self._walkable.clear()

    def entries(self, convention: Convention, players: int) -> kernel.OutcomeEntries:
        """Give the entries of all outcomes under a convention, for one number of players.

        Raises
        ------
        ScoringError
            If an entry is too large to be written.
        """
        with self._lock:
            scored = self.scored(convention)
            known = self._walkable.get((convention, players))
            if known is None or len(known.first_row) < len(self.players):
                known = self._walkable[convention, players] = _walkable(scored, players)
        return known

    def rows(self, convention: Convention, players: int) -> pl.DataFrame:
        """Give the deals that the rows of `entries` belong to.

        Returns
        -------
        pl.DataFrame
            In the order of the rows: the columns of a deal that scoring looks at, `raspasy_step`, and the entries.
        """
        with self._lock:
            scored = self.scored(convention)
            mine = scored.filter(pl.col("players") == players)
            return self.outcomes[mine["number"].to_numpy()].hstack(mine.select("raspasy_step", *entry_columns()))

    def _score(self, outcomes: pl.DataFrame, start: int, players: Array, convention: Convention) -> pl.DataFrame:
        """Score outcomes; a raspasy once for each step of the ladder."""
        steps = len(convention.ladder)
        numbered = outcomes.with_columns(
            number=pl.int_range(start, start + outcomes.height, dtype=pl.Int64, eager=True),
            legal_players=pl.Series(players),
        ).with_columns(
            raspasy_step=pl.when(pl.col("contract") == "raspasy")
            .then(pl.lit(list(range(1, steps + 1)), dtype=pl.List(pl.UInt32)))
            .otherwise(pl.lit([0], dtype=pl.List(pl.UInt32)))
        )
        return (
            all_entries(numbered.explode("raspasy_step"), convention)
            .with_columns(
                players="legal_players", dealer_index=pl.col("dealer").cat.physical().fill_null(0).cast(pl.Int8)
            )
            .drop(LAYOUT.columns[1:])
        )


def _walkable(scored: pl.DataFrame, players: int) -> kernel.OutcomeEntries:
    """Put the scored outcomes of one number of players into the arrays of a walk."""
    mine = scored.filter(pl.col("players") == players)
    one_each = scored.filter(pl.col("raspasy_step") <= 1)
    first_row = np.full(one_each.height, -1, np.int32)
    numbers = mine["number"].to_numpy()
    first_of_outcome = mine["raspasy_step"].to_numpy() <= 1
    first_row[numbers[first_of_outcome]] = np.flatnonzero(first_of_outcome)
    entries = mine.select(entry_columns(players)).to_numpy()
    flags = mine.select(
        pl.col("dealer_index").cast(pl.Int32)
        + pl.col("is_raspasy").cast(pl.Int32) * kernel.IS_RASPASY
        + pl.col("ends_run").cast(pl.Int32) * kernel.ENDS_RUN
        + pl.col("is_made").cast(pl.Int32) * kernel.IS_MADE
    ).to_numpy()
    rows = np.hstack([entries, _sole_bullets(entries[:, :players] != 0), flags])
    return kernel.OutcomeEntries(first_row, np.ascontiguousarray(rows, dtype=np.int32))


def _sole_bullets(has_bullet: Array) -> Array:
    """Tell for each row of entries which seat alone has a bullet entry; one column."""
    entries = has_bullet.sum(axis=1)
    several = np.where(entries > 1, kernel.SEVERAL_BULLETS, kernel.NO_BULLET)
    return np.where(entries == 1, has_bullet.argmax(axis=1), several)[:, None]
