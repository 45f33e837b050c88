"""Recorded sheets beside those that follow from the deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from prefdata.archives import Archive
from prefdata.conventions import Convention
from prefdata.doors import as_frame
from prefdata.errors import ArchiveError, TableError
from prefdata.failures import Failures, failure_rows, shown_values
from prefdata.game import Game
from prefdata.outcomes.arrays import Array
from prefdata.scoring.scorer import ScoredPart, walk_part
from prefdata.scoring.sheets import sheets_of
from prefdata.scoring.tidy import TidyPart
from prefdata.settlement.settling import settle_checked, with_players
from prefdata.settlement.sheet_rules import check_sheets
from prefdata.vocabulary import seats_needed

__all__ = ["Beside", "columns_of", "put_beside", "put_together", "recorded_sheets", "without_deals"]


@dataclass(frozen=True)
class Beside:
    """Sheets that were recorded, each beside the pulka that it is of.

    Attributes
    ----------
    tidy
        The pulkas, in the order of the sheets.
    convention
        What they are scored under.
    sheets
        The recorded sheets, with what they leave open filled from the computed ones.
    recorded, computed
        float64, pulkas x the game's `entries`: what stands in the sheet, and what follows from the deals.
    known
        Which entries the sheet holds at all.
    without_bullets
        For each pulka, whether its sheet holds no bullets, so that everybody is taken for closed.
    """

    tidy: TidyPart
    convention: Convention
    sheets: pl.DataFrame
    recorded: Array
    computed: Array
    known: Array
    without_bullets: Array

    @property
    def game(self) -> Game:
        """The game that the deals are of."""
        return self.tidy.game

    @cached_property
    def difference(self) -> Array:
        """By how much each entry that is known is more than it should be, in points and whists."""
        difference: Array = np.where(self.known, self.recorded - self.computed, 0)
        return difference

    def only(self, chosen: Array) -> Beside:
        """Keep some pulkas, by a bool for each."""
        return replace(
            self,
            tidy=self.tidy.only(chosen),
            sheets=self.sheets.filter(pl.Series(chosen)),
            **{name: getattr(self, name)[chosen] for name in ("recorded", "computed", "known", "without_bullets")},
        )

    def of_walk(self, scored: ScoredPart) -> Array:
        """Give what a walk over these pulkas wrote, in the form in which the sheets are recorded."""
        return self.as_recorded(_entries(scored), np.arange(scored.tidy.pulkas.height), scored.convention)

    def as_recorded(self, entries: Array, pulkas: Array, convention: Convention | None = None) -> Array:
        """Carry bullets to the mountain where the sheets of these pulkas hold none."""
        chosen = self.without_bullets[pulkas]
        if not chosen.any():
            return entries
        carried = self.carried(entries, pulkas, convention or self.convention)
        return np.where(chosen[:, None], carried, entries)

    def carried(self, entries: Array, pulkas: Array, convention: Convention) -> Array:
        """Carry what each bullet lacks of the limit to its mountain (Code 4.2.3)."""
        carried = entries.copy()
        limits = self.sheets["bullet_limit"].cast(pl.Float64).fill_null(0).to_numpy()[pulkas]
        players = self.tidy.pulkas["players"].to_numpy()[pulkas]
        for size in self.game.players:
            rows = np.flatnonzero(players == size)
            rate = float(convention.exchange_rate(size))
            for bullet, mountain in _bullets_and_mountains(self.game, size):
                carried[rows, mountain] += rate * (limits[rows] - entries[rows, bullet])
                carried[rows, bullet] = limits[rows]
        return carried

    def matches(self, entries: Array, pulkas: Array, convention: Convention | None = None) -> Array:
        """Tell which rows of entries, each of one of the pulkas, are what its sheet holds."""
        same = self.as_recorded(entries, pulkas, convention) == self.recorded[pulkas]
        matches: Array = (same | ~self.known[pulkas]).all(axis=1)
        return matches

    def results(self) -> pl.DataFrame:
        """Settle both kinds of sheets.

        Returns
        -------
        pl.DataFrame
            `pulka`, `seat`, `recorded_twelfths`, `computed_twelfths`, `difference_twelfths`.
        """
        names = list(self.game.entries)
        players = self.sheets["players"]
        columns = {
            name: pl.select(pl.when(players >= seats_needed(name)).then(pl.Series(self.computed[:, place]))).to_series()
            for place, name in enumerate(names)
        }
        computed = self.sheets.with_columns(values.alias(name) for name, values in columns.items())
        exact = self.convention.with_rounding("exact")
        settled, right = (settle_checked(with_players(one, None), exact) for one in (self.sheets, computed))
        return settled.select(
            "pulka", "seat", recorded_twelfths="result_twelfths", computed_twelfths=right["result_twelfths"]
        ).with_columns(difference_twelfths=pl.col("recorded_twelfths") - pl.col("computed_twelfths"))


def columns_of(game: Game, settled: str, players: int) -> list[str]:
    """List the columns of a table of a size that settle as bullets, mountains or whists."""
    return [name for name, kind in game.entries.items() if kind.startswith(settled) and seats_needed(name) <= players]


def _bullets_and_mountains(game: Game, players: int) -> list[tuple[int, int]]:
    """Give the places of each seat's bullet and mountain; a game without mountains has none."""
    names = list(game.entries)
    pairs = zip(columns_of(game, "bullet", players), columns_of(game, "mountain", players), strict=False)
    return [(names.index(bullet), names.index(mountain)) for bullet, mountain in pairs]


def _entries(scored: ScoredPart) -> Array:
    """Give the entries of a walk, a row a pulka."""
    return scored.sheets[: len(scored.tidy.game.entries)].T.astype(np.float64)


def recorded_sheets(archive: Archive) -> pl.DataFrame:
    """Read the recorded sheets of an archive.

    Raises
    ------
    ArchiveError
        If it has none.
    TableError
        If they have no keys, or cannot be read.
    """
    if archive.sheets is None:
        raise ArchiveError(
            f"{archive.path or 'the archive'} has no recorded sheets",
            hint="Put them into its folder sheets/ as Parquet, or give them: pref.archive(pulkas, deals, sheets=...).",
        )
    sheets = as_frame(archive.sheets, "the recorded sheets", columns=["pulka"])
    if not sheets["pulka"].dtype.is_integer():
        raise TableError(
            f"the recorded sheets: column pulka is {sheets['pulka'].dtype}, not whole numbers",
            hint="Cast it first: the key of a sheet is that of its pulka.",
        )
    return sheets.with_columns(pl.col("pulka").cast(pl.Int64, strict=False))


def without_deals(recorded: pl.DataFrame, here: pl.Series, failures: list[Failures]) -> Failures:
    """Set aside the sheets of which there are no deals, or none that could be scored."""
    broken = Failures.gather(failures).frame.filter(pl.col("table") != "sheets")["pulka"]
    numbered = recorded.with_row_index("row")
    is_here = pl.col("pulka").is_in(here.implode()).fill_null(False)
    is_broken = pl.col("pulka").is_in(broken.implode()).fill_null(False)
    value = pl.concat_str(pl.lit("pulka="), pl.col("pulka").cast(pl.String).fill_null("empty"))
    foreign = numbered.filter(~is_here & ~is_broken)
    unscored = numbered.filter(is_broken)
    reasons = {
        "sheet_has_deals": (foreign, "the pulka of a sheet must be in the archive"),
        "sheet_of_good_deals": (unscored, "the pulka of a sheet must not be set aside"),
    }
    return Failures(
        pl.concat(failure_rows(rows, rule, "sheets", why, value, row="row") for rule, (rows, why) in reasons.items())
    )


def put_beside(tidy: TidyPart, convention: Convention, recorded: pl.DataFrame) -> tuple[Beside, list[Failures]]:
    """Score pulkas and put the sheets that were recorded beside them; those that break a rule are set aside.

    Parameters
    ----------
    tidy
        The pulkas.
    convention
        What they are scored under.
    recorded
        Recorded sheets, of these pulkas among others.
    """
    scored = walk_part(tidy, convention)
    computed = sheets_of(scored)
    mine = recorded.join(computed.select("pulka"), on="pulka", how="semi", maintain_order="left")
    beside = mine.select("pulka").join(computed, on="pulka", how="left", maintain_order="left")
    filled, known, without_bullets = _filled(mine, beside, tidy.game)
    own, empty = _of_its_pulka(mine, beside), ~known.select(pl.any_horizontal(pl.all())).to_series()
    good, broken = check_sheets(filled.filter(own & ~empty), convention)
    kept = own & ~empty & mine["pulka"].is_in(good["pulka"].implode())
    order = mine.filter(kept)["pulka"].arg_sort()
    good = good.sort("pulka")
    rows = kept.arg_true().gather(order).to_numpy()
    chosen = tidy.pulkas["pulka"].is_in(good["pulka"].implode()).to_numpy()
    names = list(tidy.game.entries)
    side = Beside(
        tidy=tidy.only(chosen),
        convention=convention,
        sheets=good,
        recorded=good.select(pl.col(names).cast(pl.Float64)).to_numpy(),
        computed=_entries(scored)[chosen],
        known=known.to_numpy()[rows],
        without_bullets=without_bullets.to_numpy()[rows],
    )
    everything = np.arange(good.height)
    side = replace(side, computed=side.as_recorded(side.computed, everything))
    return side, [scored.failures, broken, *_unfit(mine, own, empty)]


def _unfit(recorded: pl.DataFrame, own: pl.Series, empty: pl.Series) -> list[Failures]:
    """Set aside the sheets of other tables than their pulkas, and those that hold nothing."""
    said = shown_values(name for name in ("players", "bullet_limit") if name in recorded.columns)
    unfit = (
        (~own, "sheet_of_its_pulka", "players and bullet_limit of a sheet must be those of its pulka", said),
        (own & empty, "sheet_holds_entries", "a sheet must hold an entry", pl.lit("")),
    )
    return [
        Failures(failure_rows(recorded.filter(chosen), rule, "sheets", reason, value))
        for chosen, rule, reason, value in unfit
    ]


def put_together(sides: Sequence[Beside]) -> list[Beside]:
    """Put sheets of several parts together that are of one convention; their parts have one book."""
    groups: dict[Convention, list[Beside]] = {}
    for side in sides:
        if side.sheets.height:
            groups.setdefault(side.convention, []).append(side)
    return [_joined(group) for group in groups.values()]


def _joined(group: Sequence[Beside]) -> Beside:
    parts = [side.tidy for side in group]
    lengths = np.concatenate([part.deals_of_pulka for part in parts])
    adjustments = [part.adjustments for part in parts if part.adjustments.height]
    tidy = replace(
        parts[0],
        pulkas=pl.concat(part.pulkas for part in parts),
        numbers=np.concatenate([part.numbers for part in parts]),
        starts=np.concatenate([[0], np.cumsum(lengths)]),
        adjustments=pl.concat(adjustments).sort("pulka", "deal", maintain_order=True)
        if adjustments
        else pl.DataFrame(),
    )
    return Beside(
        tidy=tidy,
        convention=group[0].convention,
        sheets=pl.concat((side.sheets for side in group), how="vertical_relaxed"),
        recorded=np.concatenate([side.recorded for side in group]),
        computed=np.concatenate([side.computed for side in group]),
        known=np.concatenate([side.known for side in group]),
        without_bullets=np.concatenate([side.without_bullets for side in group]),
    )


def _of_its_pulka(recorded: pl.DataFrame, computed: pl.DataFrame) -> pl.Series:
    """Tell which sheets say nothing else of the table than its pulka does."""
    said = [name for name in ("players", "bullet_limit") if name in recorded.columns]
    both = computed.select(*said, *(recorded[name].alias(f"recorded_{name}") for name in said))
    rules = [
        pl.col(f"recorded_{name}").is_null()
        | pl.col(f"recorded_{name}").cast(pl.Float64, strict=False).eq_missing(pl.col(name))
        for name in said
    ]
    return both.select(own=pl.all_horizontal(rules)).to_series() if said else _yes(recorded.height)


def _plain(column: pl.Series) -> pl.Series:
    """Take a column of a sheet in a type that can hold what is filled in; empty texts hold nothing."""
    kind = column.dtype
    if kind == pl.String:
        return column.str.strip_chars().replace("", None)
    if kind in (pl.Null, pl.Int8, pl.Int16, pl.Int32, pl.UInt8, pl.UInt16, pl.UInt32):
        return column.cast(pl.Int64)
    return column.cast(pl.Float64) if kind.is_numeric() and kind != pl.Int64 else column


def _yes(height: int) -> pl.Series:
    return pl.repeat(True, height, eager=True)


def _filled(recorded: pl.DataFrame, computed: pl.DataFrame, game: Game) -> tuple[pl.DataFrame, pl.DataFrame, pl.Series]:
    """Fill what sheets leave open from the computed ones; bullets that are nowhere in a sheet, from the limit.

    Returns
    -------
    tuple
        The sheets; for every entry whether it was recorded; and whether a sheet has no bullets at all.
    """
    names = list(game.entries)
    present = {name: _plain(recorded[name]) for name in names if name in recorded.columns}
    nothing = pl.Series([None] * recorded.height, dtype=pl.Int64)
    known = pl.DataFrame({name: present.get(name, nothing).is_not_null() for name in names})
    without = known.select(~pl.any_horizontal(pl.lit(False), *game.omissible)).to_series()
    if not game.omissible:
        without = ~_yes(recorded.height)
    columns = []
    for name in names:
        value = computed[name]
        if name in game.omissible:
            at_table = computed["players"] >= seats_needed(name)
            limit = computed["bullet_limit"].cast(pl.Int64)
            value = value.zip_with(~(without & at_table & limit.is_not_null()), limit)
        column = present.get(name, nothing)
        columns.append(column.fill_null(value.cast(column.dtype)).alias(name))
    keys = computed.select("pulka", "players", "bullet_limit")
    return keys.with_columns(columns), known, without
