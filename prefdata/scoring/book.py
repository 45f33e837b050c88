"""The book of outcomes: each different deal met so far has a number, and is checked and scored once."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import polars as pl

from prefdata.conventions import Convention
from prefdata.errors import ScoringError
from prefdata.scoring import walk
from prefdata.scoring.entries import all_entries
from prefdata.scoring.outcomes import decode_codes
from prefdata.scoring.packing import CODE_MARK, OUTCOME_COLUMNS, unpack_keys
from prefdata.tables import is_legal_deal
from prefdata.vocabulary import entry_columns

__all__ = ["OutcomeBook"]

Numbers = np.ndarray[Any, Any]


class OutcomeBook:
    """Outcomes numbered in order of appearance, with their entries under each convention asked for.

    Numbers stay the same as more parts are read, and only new outcomes are scored.  One thread may number a part while
    another asks for entries.

    Attributes
    ----------
    outcomes
        One row an outcome: the columns of a deal that scoring looks at.
    players
        int8 per outcome: its number of players, 0 if it breaks a rule.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._slots = np.zeros(1 << 12, np.uint64)
        self._slot_numbers = np.zeros(1 << 12, np.int32)
        self._known = np.zeros(1 << 11, np.uint64)
        self._count = 0
        self._entries: dict[Convention, pl.DataFrame] = {}
        self._walkable: dict[tuple[Convention, int], walk.OutcomeEntries] = {}
        self.outcomes = unpack_keys(pl.Series([], dtype=pl.UInt64))
        self.players: Numbers = np.zeros(0, np.int8)

    def number(self, keys: Numbers) -> Numbers:
        """Number deals by their keys (uint64); gives int32 numbers of outcomes."""
        numbers = np.empty(len(keys), np.int32)
        with self._lock:
            place, before = 0, self._count
            while place < len(keys):
                place, self._count = walk.number_keys(
                    keys, place, self._slots, self._slot_numbers, self._known, self._count, numbers
                )
                if place < len(keys):
                    self._grow()
            if self._count > before:
                self._learn(self._known[before : self._count])
        return numbers

    def _grow(self) -> None:
        known = self._known[: self._count]
        self._slots = np.zeros(4 * len(self._slots), np.uint64)
        self._slot_numbers = np.zeros(len(self._slots), np.int32)
        self._known = np.zeros(len(self._slots) // 2, np.uint64)
        again = np.empty(len(known), np.int32)
        walk.number_keys(known, 0, self._slots, self._slot_numbers, self._known, 0, again)

    def _learn(self, keys: Numbers) -> None:
        """Unpack new keys, which are packed rows or outcome codes, and check them."""
        series = pl.Series("key", keys)
        is_code = series // CODE_MARK == 1
        new = unpack_keys(series * (~is_code).cast(pl.UInt64))
        if is_code.any():
            decoded = decode_codes(series % CODE_MARK)
            new = new.select(
                pl.when(is_code).then(decoded[column]).otherwise(column).alias(column) for column in OUTCOME_COLUMNS
            )
        legal = new.select(pl.when(is_legal_deal()).then("players").otherwise(0).fill_null(0)).to_series()
        self.outcomes = pl.concat([self.outcomes, new])
        self.players = np.concatenate([self.players, legal.to_numpy().astype(np.int8)])

    def entries(self, convention: Convention, players: int) -> walk.OutcomeEntries:
        """Give the entries of all outcomes under a convention, for one number of players.

        Raises
        ------
        ScoringError
            If an entry is too large to be written.
        """
        with self._lock:
            scored = self._scored(convention)
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
            scored = self._scored(convention)
            mine = scored.filter(pl.col("players") == players)
            return self.outcomes[mine["number"].to_numpy()].hstack(mine.select("raspasy_step", *entry_columns()))

    def _scored(self, convention: Convention) -> pl.DataFrame:
        """Score the outcomes that are new to this convention; a raspasy once for each step of the ladder."""
        known = self._entries.get(convention)
        start = 0 if known is None else int(known["number"].max()) + 1  # type: ignore[arg-type]
        if start < len(self.players):
            new = _score(self.outcomes[start:], start, self.players[start:], convention)
            self._entries[convention] = new if known is None else pl.concat([known, new])
        return self._entries[convention]


def _walkable(scored: pl.DataFrame, players: int) -> walk.OutcomeEntries:
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
        + pl.col("is_raspasy").cast(pl.Int32) * walk.IS_RASPASY
        + pl.col("ends_run").cast(pl.Int32) * walk.ENDS_RUN
        + pl.col("is_made").cast(pl.Int32) * walk.IS_MADE
    ).to_numpy()
    rows = np.hstack([entries, _sole_bullets(entries[:, :players] != 0), flags])
    return walk.OutcomeEntries(first_row, np.ascontiguousarray(rows, dtype=np.int32))


def _sole_bullets(has_bullet: Numbers) -> Numbers:
    """Tell for each row of entries which seat alone has a bullet entry; one column."""
    entries = has_bullet.sum(axis=1)
    several = np.where(entries > 1, walk.SEVERAL_BULLETS, walk.NO_BULLET)
    return np.where(entries == 1, has_bullet.argmax(axis=1), several)[:, None]


def _score(outcomes: pl.DataFrame, start: int, players: Numbers, convention: Convention) -> pl.DataFrame:
    steps = len(convention.ladder)
    numbered = outcomes.with_columns(
        number=pl.int_range(start, start + outcomes.height, dtype=pl.Int64, eager=True),
        legal_players=pl.Series(players),
    ).with_columns(
        raspasy_step=pl.when(pl.col("contract") == "raspasy")
        .then(pl.lit(list(range(1, steps + 1)), dtype=pl.List(pl.UInt32)))
        .otherwise(pl.lit([0], dtype=pl.List(pl.UInt32)))
    )
    try:
        scored = all_entries(numbered.explode("raspasy_step"), convention)
    except pl.exceptions.InvalidOperationError as error:
        raise ScoringError(
            f"an entry under {convention.name} is too large for the ledger: {str(error).splitlines()[0]}",
            hint="Lower the convention's scale, factors, ladder or flat consolation.",
        ) from None
    return scored.with_columns(
        players="legal_players", dealer_index=pl.col("dealer").cat.physical().fill_null(0).cast(pl.Int8)
    ).drop(OUTCOME_COLUMNS[1:])
