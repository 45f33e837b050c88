"""The pulkas that are to be played: their tables, players, limits and days."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from prefdata.simulate._chance import Chance, Draw
from prefdata.simulate._habits import Habits, Style, hundredths
from prefdata.vocabulary import PLAYER_COUNTS, SEATS, player_column

__all__ = ["Styles", "TablesToPlay", "tables_to_play"]

Array = np.ndarray[Any, Any]


class Styles(NamedTuple):
    """Styles in hundredths, seats x pulkas; an empty seat has the average one."""

    bidding: Array
    whisting: Array
    misere: Array
    skill: Array


class TablesToPlay(NamedTuple):
    """What is known of pulkas before they are played, in order of their keys."""

    frame: pl.DataFrame  # the pulkas table
    chance: Chance
    players: Array  # int64 per pulka
    limits: Array  # int64 per pulka
    first_dealer: Array  # int64 per pulka: seat of the first dealer, from 0
    styles: Styles


def tables_to_play(
    keys: Array,
    players: int | None,
    limits: Sequence[int],
    convention: str,
    styles: Mapping[str, Style],
    seed: int,
    habits: Habits,
) -> TablesToPlay:
    """Draw the tables of pulkas; `players` is None for a mix."""
    chance = Chance.of_pulkas(seed, keys)
    if players is None:
        drawn = chance.below(Draw.PLAYERS, sum(habits.mix))
        sizes = np.array(PLAYER_COUNTS)[np.searchsorted(np.cumsum(habits.mix), drawn, side="right")]
    else:
        sizes = np.full(len(keys), players)
    limit = np.array(limits, np.int64)[chance.below(Draw.LIMIT, len(limits))]
    seated = _seated(chance, sizes, len(styles))
    dealer = np.zeros(len(keys), np.int64)
    for size in PLAYER_COUNTS:
        mine = np.flatnonzero(sizes == size)
        dealer[mine] = chance.only(mine).below(Draw.DEALER, size)
    days, places, stakes = _evenings(keys, seed, habits)
    frame = pl.DataFrame(
        {
            "pulka": pl.Series(keys, dtype=pl.Int64),
            "players": pl.Series(sizes, dtype=pl.UInt8),
            "bullet_limit": pl.Series(limit, dtype=pl.UInt16),
            "bullet_total": pl.Series([None] * len(keys), dtype=pl.UInt16),
            "convention": pl.repeat(convention, len(keys), eager=True),
            **{player_column(seat): _names(seated[place], list(styles)) for place, seat in enumerate(SEATS)},
            "played_on": days,
            "place": places,
            "stake": stakes,
        }
    )
    return TablesToPlay(frame, chance, sizes, limit, dealer, _styles_at(seated, styles))


def _seated(chance: Chance, sizes: Array, choice: int) -> Array:
    """Choose different players for every table; -1 at the seats which it does not have."""
    order = np.empty((len(sizes), choice), np.uint64)
    for player in range(choice):
        order[:, player] = chance.words(Draw.SEATING + player) & ~np.uint64(0xFFFF) | np.uint64(player)
    order.sort(axis=1)
    chosen = (order[:, : len(SEATS)] & np.uint64(0xFFFF)).astype(np.int64).T
    seated = np.full((len(SEATS), len(sizes)), -1)
    seated[: len(chosen)] = chosen
    return np.where(np.arange(len(SEATS))[:, None] < sizes, seated, -1)


def _styles_at(seated: Array, styles: Mapping[str, Style]) -> Styles:
    every = [*styles.values(), Style()]
    return Styles(
        *(
            np.array([hundredths(getattr(style, field)) for style in every], np.int32)[seated]
            for field in Styles._fields
        )
    )


def _names(seated: Array, names: Sequence[str]) -> pl.Series:
    return pl.Series([*names, None], dtype=pl.String).gather(np.where(seated < 0, len(names), seated))


def _evenings(keys: Array, seed: int, habits: Habits) -> tuple[pl.Series, pl.Series, pl.Series]:
    """Give the days, places and stakes of pulkas; one evening is spent at one place."""
    evening = (keys - 1) // habits.pulkas_per_evening
    calendar: list[date] = habits.evenings()
    place = Chance.of_pulkas(seed, evening).below(Draw.PLACE, len(habits.places))
    return (
        pl.Series(calendar, dtype=pl.Date).gather(evening % len(calendar)),
        pl.Series([name for name, _ in habits.places], dtype=pl.String).gather(place),
        pl.Series([stake for _, stake in habits.places], dtype=pl.Float64).gather(place),
    )
