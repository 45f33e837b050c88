"""Walking the parts of an archive under conventions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from prefdata.balkan.book import BalkanBook
from prefdata.balkan.walk import Pulkas, Written, walk_balkan
from prefdata.conventions import PLAYED, Convention, resolve
from prefdata.errors import ConventionError, warn_set_aside
from prefdata.failures import Failures
from prefdata.games import refuse_other_game
from prefdata.scoring import walk
from prefdata.scoring.book import OutcomeBook
from prefdata.scoring.tidy import TidyPart, refuse_no_archive, set_aside, tidy_parts
from prefdata.tables import adjusted_column
from prefdata.vocabulary import BALKAN, PLAYER_COUNTS, RUSSIAN, entry_columns

if TYPE_CHECKING:
    from prefdata.archives import Archive

__all__ = ["ScoredPart", "by_convention", "count_rows", "score", "walk_part"]

Array = np.ndarray[Any, Any]

_ODD_LIMIT = 4
_NO_REFE_MAX = 8
_OTHER_TABLE = 16
"""Further statuses of pulkas, beside those of a walk."""


@dataclass(frozen=True)
class ScoredPart:
    """What a walk wrote under one convention; columns of absent seats hold zeros, as do pulkas set aside.

    Attributes
    ----------
    tidy
        What was walked.
    convention
        The convention.
    sheets
        int64, the game's `entries` and `states` x pulkas.
    closed, deals_scored, status
        Per pulka: whether it ended, how many of its deals counted, and 0 if it could be written.
    ledger, scored
        int32, the game's `entries` and `marks` x deals, and bool per deal; empty where no ledger was asked for.
    """

    tidy: TidyPart
    convention: Convention
    sheets: Array
    closed: Array
    deals_scored: Array
    status: Array
    ledger: Array
    scored: Array

    @property
    def failures(self) -> Failures:
        """The pulkas which this convention cannot write."""
        name = self.convention.name
        sizes = " or ".join(map(str, self.convention.players))
        reasons = {
            walk.HALF_POINTS: ("bullet_limit", f"{name} would write part of a mountain point"),
            walk.OVERFLOW: ("bullet_limit", "an entry is too large for the ledger"),
            _ODD_LIMIT: ("bullet_limit", f"{name} would write half a mountain point: bullet_limit must be even"),
            _NO_REFE_MAX: (
                "bullet_limit",
                f"{name} does not say how many refes a pulka to this limit has; set refe_max",
            ),
            _OTHER_TABLE: ("players", f"{name} is for {sizes} players"),
        }
        first = np.where(self.status & walk.HALF_POINTS, walk.HALF_POINTS, self.status)
        bad = {kind: first == kind for kind in reasons}
        return Failures.gather(
            set_aside(self.tidy, chosen, "pulka_can_be_written", *reasons[kind])
            for kind, chosen in bad.items()
            if chosen.any()
        )


def walk_part(tidy: TidyPart, convention: Convention, *, ledger: bool = False) -> ScoredPart:
    """Walk the pulkas of a part under a convention of its game."""
    game, pulkas = tidy.game, tidy.pulkas.height
    kept = len(tidy.numbers) if ledger else 0
    scored = ScoredPart(
        tidy=tidy,
        convention=convention,
        sheets=np.zeros((len(game.entries) + len(game.states), pulkas), np.int64),
        closed=np.zeros(pulkas, np.bool_),
        deals_scored=np.zeros(pulkas, np.int64),
        status=np.zeros(pulkas, np.int8),
        ledger=np.zeros((len(game.entries) + len(game.marks), kept), np.int32),
        scored=np.zeros(kept, np.bool_),
    )
    _WALKS[game.name](scored)
    return scored


def _walk_russian(scored: ScoredPart) -> None:
    """Walk all pulkas of the Russian game."""
    for players in PLAYER_COUNTS:
        _walk_tables(scored, players)


def _walk_tables(scored: ScoredPart, players: int) -> None:
    """Walk all pulkas of the Russian game with one number of players."""
    tidy, convention = scored.tidy, scored.convention
    mine = tidy.pulkas["players"].to_numpy() == players
    in_halves = convention.exchange_rate(players).denominator == 2
    if in_halves and convention.close == "each" and convention.surplus == "mountain":
        scored.status[mine & (tidy.pulkas["bullet_limit"].to_numpy() % 2 == 1)] = _ODD_LIMIT
    if players not in convention.players:
        scored.status[mine] = _OTHER_TABLE
    every = list(tidy.game.entries)
    columns = np.array([every.index(name) for name in entry_columns(players)])
    out = walk.Sheets(
        sheets=scored.sheets,
        closed=scored.closed,
        deals_scored=scored.deals_scored,
        status=scored.status,
        ledger=scored.ledger[: len(every)],
        help=scored.ledger[len(every) :],
        scored=scored.scored,
        columns=columns,
        pair_columns=columns[2 * players :] - 8,
    )
    _in_threads(
        walk.walk_for(players),
        np.flatnonzero(mine & (scored.status == 0)),
        _walkable(tidy, players),
        _entries(scored, players),
        closing_rules(convention, players),
        out,
    )


def _entries(scored: ScoredPart, players: int) -> walk.OutcomeEntries:
    assert isinstance(scored.tidy.book, OutcomeBook)
    return scored.tidy.book.entries(scored.convention, players)


def _walk_balkan(scored: ScoredPart) -> None:
    """Walk all pulkas of the Balkan game."""
    tidy, convention = scored.tidy, scored.convention
    most = convention.refe_max
    limits = tidy.pulkas["bullet_limit"].cast(pl.Int64)
    if isinstance(most, int):
        refe_max = np.full(len(limits), most)
    else:
        refe_max = limits.replace_strict(dict(most), default=-1, return_dtype=pl.Int64).to_numpy()
        scored.status[refe_max < 0] = _NO_REFE_MAX
    assert isinstance(tidy.book, BalkanBook)
    part = Pulkas(tidy.starts, limits.to_numpy(), refe_max, tidy.numbers, *_adjustments(tidy, list(tidy.game.entries)))
    out = Written(scored.sheets, scored.closed, scored.deals_scored, scored.ledger, scored.scored)
    _in_threads(walk_balkan, np.flatnonzero(scored.status == 0), part, tidy.book.entries(convention), out)


_WALKS = {RUSSIAN: _walk_russian, BALKAN: _walk_balkan}


def _in_threads(compiled: Any, pulkas: Array, part: Any, *arguments: Any) -> None:
    """Walk pulkas, ranges of them in threads."""
    if not len(pulkas):
        return
    threads = min(os.cpu_count() or 1, 1 + len(part.outcomes) // 100_000)
    if threads == 1:
        compiled(pulkas, part, *arguments)
        return
    with ThreadPoolExecutor(threads) as pool:
        tasks = [pool.submit(compiled, share, part, *arguments) for share in np.array_split(pulkas, threads)]
    for task in tasks:
        task.result()


def count_rows(scored: ScoredPart, players: int) -> Array:
    """Count how often each row of `OutcomeBook.rows` was written in the scored deals of a part (int64)."""
    tidy = scored.tidy
    entries = _entries(scored, players)
    mine = np.flatnonzero((tidy.pulkas["players"].to_numpy() == players) & (scored.status == 0))
    counts = np.zeros(len(entries.rows), np.int64)
    ladder_length = len(scored.convention.ladder)
    walk.count_rows(mine, _walkable(tidy, players), entries, scored.deals_scored, ladder_length, counts)
    return counts


def _walkable(tidy: TidyPart, players: int) -> walk.Part:
    limits = tidy.pulkas["bullet_limit"].cast(pl.Int64).to_numpy()
    return walk.Part(tidy.starts, limits, tidy.numbers, *_adjustments(tidy, entry_columns(players)))


def _adjustments(tidy: TidyPart, names: Sequence[str]) -> tuple[Array, Array, Array, Array]:
    """Give the adjustments of a part as a walk reads them, by the columns of its sheet."""
    pulkas = tidy.pulkas
    if tidy.adjustments.is_empty():
        none = np.zeros(0, np.int64)
        return np.zeros(pulkas.height + 1, np.int64), none, none, none
    place = adjusted_column().replace_strict(list(names), list(range(len(names))), default=-1, return_dtype=pl.Int64)
    adjustments = tidy.adjustments.with_columns(column=place)
    starts = adjustments["pulka"].search_sorted(pulkas["pulka"], side="left").to_numpy().astype(np.int64)
    return (
        np.append(starts, adjustments.height),
        adjustments["deal"].cast(pl.Int64).to_numpy(),
        adjustments["column"].to_numpy(),
        adjustments["points"].cast(pl.Int64).to_numpy(),
    )


def closing_rules(convention: Convention, players: int) -> walk.ClosingRules:
    """Put the switches of rules §6 into numbers, for a number of players."""
    rate = convention.exchange_rate(players)
    numerator, denominator = {
        "mountain": (rate.numerator, rate.denominator),
        "full": (1, 1),
        "whists": (convention.bullet_weight, players - 1),
        "lost": (0, 1),
    }[convention.surplus]
    return walk.ClosingRules(
        close_total=convention.close == "total",
        made_first_mountain=convention.made_first == "mountain",
        help_rate=convention.help_rate,
        help_to=("largest", "smallest", "clockwise").index(convention.help_to),
        surplus={"mountain": 0, "full": 0, "lost": 1, "whists": 2}[convention.surplus],
        surplus_numerator=numerator,
        surplus_denominator=denominator,
        ladder_length=len(convention.ladder),
    )


def score(archive: Archive, convention: str | Path | Convention, *, ledger: bool = False) -> Iterator[ScoredPart]:
    """Score an archive part by part; warns at the end if pulkas were set aside.

    Under `PLAYED` every part is given once for each convention that its pulkas were played under.
    """
    refuse_no_archive(archive)
    played = None if convention == PLAYED else resolve(convention)
    failures = []
    if played is not None:
        refuse_other_game(played, archive.game, "the archive holds deals")
    for tidy in tidy_parts(archive):
        failures.append(tidy.failures)
        groups = [(tidy, played)] if played is not None else by_convention(tidy, failures)
        for group, of_group in groups:
            scored = walk_part(group, of_group, ledger=ledger)
            failures.append(scored.failures)
            yield scored
    _warn_of(Failures.gather(failures))


def by_convention(
    tidy: TidyPart, failures: list[Failures], known: Mapping[str, Convention] | None = None
) -> list[tuple[TidyPart, Convention]]:
    """Divide a part by the conventions that its pulkas were played under; unknown ones are added to `failures`."""
    names = tidy.pulkas["convention"]
    groups = []
    for name in names.unique().sort():
        chosen = (names == name).to_numpy()
        try:
            named = (known or {}).get(name) or resolve(name)
            refuse_other_game(named, tidy.game, "the archive holds deals")
            groups.append((tidy.only(chosen), named))
        except ConventionError as error:
            failures.append(set_aside(tidy, chosen, "convention_known", "convention", error.what))
    return groups


def _warn_of(failures: Failures) -> None:
    if len(failures):
        warn_set_aside(
            f"{failures.summary()}, the first in {failures.first()}; archive.check().failures lists rows that break a "
            "rule, prefdata.rescore writes down all reasons"
        )
