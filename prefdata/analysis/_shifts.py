"""The frames of an invariance report: what deals wrote beside their entries as they stand, in whists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import polars as pl

from prefdata.conventions import Convention
from prefdata.conventions.constancy import CAUSES, drifts, places
from prefdata.scoring.ledger import ledger_of
from prefdata.scoring.scorer import ScoredPart
from prefdata.scoring.sheets import sheets_of
from prefdata.scoring.values import uncapped, value
from prefdata.settlement.settling import settle_checked, with_players
from prefdata.vocabulary import (
    PLAYER_COUNTS,
    SEAT,
    SEATS,
    TWELFTHS,
    bullet_column,
    entry_columns,
    help_column,
    mountain_column,
    pairs,
    seats_at_table,
    whists_column,
)

__all__ = ["Shifts", "measure", "sum_by_cause", "sum_by_player", "sum_by_table", "worth_of_points"]

_Schema = dict[str, pl.DataType | type[pl.DataType]]


def _whists(*names: str) -> _Schema:
    return {column: kind for name in names for column, kind in ((name, pl.Float64), (f"{name}_twelfths", pl.Int64))}


_COUNTS = tuple(f"{cause}_points" for cause in CAUSES)
_SHIFTS = tuple(f"shift_{seat}" for seat in SEATS)

_POINTS: _Schema = {
    "players": pl.UInt8,
    "cause": pl.String,
    "keeps_value": pl.Boolean,
    "rounded": pl.Boolean,
    **_whists("owner", "helped", "other"),
}
_PULKAS: _Schema = {
    "pulka": pl.Int64,
    "players": pl.UInt8,
    "seat": SEAT,
    "player": pl.String,
    **_whists("nominal", "result", "shift"),
    "nominal_rank": pl.UInt8,
    "rank": pl.UInt8,
}
_DEALS: _Schema = {
    "pulka": pl.Int64,
    "deal": pl.UInt16,
    "players": pl.UInt8,
    **dict.fromkeys(_COUNTS, pl.Int64),
    **_whists(*_SHIFTS),
}
_CAUSES: _Schema = {
    "players": pl.UInt8,
    "cause": pl.String,
    "deals": pl.Int64,
    "points": pl.Int64,
    **_whists("owner", "helped", "other"),
}


_MOVED: _Schema = {**_DEALS, "paid": pl.Int64}


@dataclass(frozen=True)
class Shifts:
    """What deals wrote beside their entries as they stand.

    Attributes
    ----------
    pulkas
        As in the report.
    moved
        Deals as in the report, but all that placed a point elsewhere than in its owner's bullet, and `paid`, the whists
        written for a surplus.
    """

    pulkas: pl.DataFrame
    moved: pl.DataFrame

    @property
    def deals(self) -> pl.DataFrame:
        """Those that shift anything."""
        shifts = pl.any_horizontal(pl.col(f"{name}_twelfths") != 0 for name in _SHIFTS)
        return self.moved.filter(shifts).select(*_DEALS)


def measure(parts: Iterable[ScoredPart]) -> Shifts:
    """Measure what is shifted in parts that were scored under one convention, with their ledgers."""
    found = [_measure(scored) for scored in parts]
    pulkas = pl.concat([pl.DataFrame(schema=_PULKAS), *(one.pulkas for one in found)])
    moved = pl.concat([pl.DataFrame(schema=_MOVED), *(one.moved for one in found)])
    return Shifts(pulkas.sort("pulka", maintain_order=True), moved.sort("pulka", "deal"))


def _measure(scored: ScoredPart) -> Shifts:
    """Compare what the deals of a part wrote with their entries as they stand."""
    written, bare = ledger_of(scored), ledger_of(uncapped(scored))
    is_moved = (
        pl.any_horizontal((written[name] != bare[name]).fill_null(False) for name in entry_columns())
        & written["scored"]
    )
    sizes = scored.tidy.pulkas.select("pulka", "players")
    helped = pl.sum_horizontal(help_column(*pair) for pair in pairs()).cast(pl.Int64)
    changed = (
        written.with_columns(
            *((written[name].cast(pl.Int64) - bare[name]).alias(name) for name in entry_columns()), help_points=helped
        )
        .filter(is_moved)
        .join(sizes, on="pulka", how="left", maintain_order="left")
    )
    sheets = with_players(sheets_of(scored), scored.tidy.pulkas)
    added = sheets.select("pulka").join(
        changed.group_by("pulka").agg(pl.col(entry_columns()).sum()), on="pulka", how="left", maintain_order="left"
    )
    nominal = sheets.with_columns(sheets[name] - added[name].fill_null(0) for name in entry_columns())
    exact = scored.convention.with_rounding("exact")
    pulkas = _pulkas(settle_checked(sheets, exact), settle_checked(nominal, exact), sizes)
    return Shifts(pulkas, _moved(changed, scored.convention))


def _pulkas(settled: pl.DataFrame, nominal: pl.DataFrame, sizes: pl.DataFrame) -> pl.DataFrame:
    exact = (
        settled.select("pulka", "seat", "player", "rank", "result_twelfths")
        .with_columns(nominal_twelfths=nominal["result_twelfths"], nominal_rank=nominal["rank"])
        .with_columns(shift_twelfths=pl.col("result_twelfths") - pl.col("nominal_twelfths"))
    )
    return _in_whists(exact.join(sizes, on="pulka", how="left", maintain_order="left"), _PULKAS)


def _moved(changed: pl.DataFrame, convention: Convention) -> pl.DataFrame:
    """Value what deals wrote differently, and count the points that lost their value."""
    frames = []
    for players in PLAYER_COUNTS:
        seats, broken = seats_at_table(players), {drift.cause for drift in drifts(convention, players)}
        missing = -pl.sum_horizontal(bullet_column(seat) for seat in seats)
        off = -pl.sum_horizontal(mountain_column(seat) for seat in seats)
        rate = convention.exchange_rate(players)
        if convention.surplus == "mountain" and rate != 1:
            # Of `missing` points, all went off the mountain: some as one point each, the others at the rate.
            at_one = (off * rate.denominator - missing * rate.numerator) // (rate.denominator - rate.numerator)
        else:
            at_one = off
        counts = {"help": pl.col("help_points"), "mountain": at_one, "lost": missing - off, "whists": missing - off}
        written = pl.sum_horizontal(whists_column(*pair) for pair in pairs(players))
        frames.append(
            changed.filter(players=players).with_columns(
                *(
                    (counts[cause] if cause in broken else pl.lit(0, pl.Int64)).alias(f"{cause}_points")
                    for cause in CAUSES
                ),
                *(value(seat, players, convention).alias(f"shift_{seat}_twelfths") for seat in seats),
                *(pl.lit(None, pl.Int64).alias(f"shift_{seat}_twelfths") for seat in SEATS if seat not in seats),
                paid=written - pl.col("help_points") * convention.help_rate,
            )
        )
    return _in_whists(pl.concat(frames), _MOVED)


def _in_whists(exact: pl.DataFrame, schema: _Schema) -> pl.DataFrame:
    """Put whists beside the columns in twelfths."""
    names = [name for name in schema if f"{name}_twelfths" in schema]
    in_whists = exact.with_columns((pl.col(f"{name}_twelfths") / TWELFTHS).alias(name) for name in names)
    return in_whists.select(pl.col(name).cast(kind) for name, kind in schema.items())


def _of_rows(rows: list[dict[str, Any]], schema: _Schema) -> pl.DataFrame:
    exact = {name: kind for name, kind in schema.items() if f"{name}_twelfths" not in schema}
    return pl.DataFrame(rows, schema=exact, orient="row")


def _twelfths(whists: Fraction | None) -> int | None:
    return None if whists is None else int(whists * TWELFTHS)


def worth_of_points(convention: Convention, counts: Iterable[int]) -> pl.DataFrame:
    """List what one bullet point is worth in each place, for each number of players."""
    rows = [
        {
            "players": players,
            "cause": place.cause,
            "keeps_value": place.keeps_value,
            "rounded": place.rounded,
            **{f"{whom}_twelfths": _twelfths(getattr(place, whom)) for whom in ("owner", "helped", "other")},
        }
        for players in counts
        for place in places(convention, players)
    ]
    return _in_whists(_of_rows(rows, _POINTS), _POINTS)


def sum_by_cause(moved: pl.DataFrame, convention: Convention, counts: Iterable[int]) -> pl.DataFrame:
    """Add up what each cause shifts: its points times the drift of one, but for entries that are rounded as a whole."""
    rows: list[dict[str, Any]] = []
    for players in counts:
        mine = moved.filter(players=players)
        for drift in drifts(convention, players):
            points = int(mine[f"{drift.cause}_points"].sum())
            owner = points * drift.owner
            if drift.cause == "whists":
                owner = int(mine["paid"].sum()) - points * (players - 1) * convention.bullet_share(players)
            helped = None if drift.helped is None else points * drift.helped
            rows.append(
                {
                    "players": players,
                    "cause": drift.cause,
                    "deals": int((mine[f"{drift.cause}_points"] > 0).sum()),
                    "points": points,
                    "owner_twelfths": _twelfths(owner),
                    "helped_twelfths": _twelfths(helped),
                    "other_twelfths": _twelfths(-owner - (helped or 0)),
                }
            )
    return _in_whists(_of_rows(rows, _CAUSES), _CAUSES)


def sum_by_player(pulkas: pl.DataFrame) -> pl.DataFrame:
    """Add up the shifts of every player's results."""
    name = pl.col("player").fill_null(pl.concat_str(pl.lit("seat "), pl.col("seat").cast(pl.String)))
    added = pulkas.group_by(player=name).agg(
        pulkas=pl.col("pulka").n_unique().cast(pl.Int64), shift_twelfths=pl.sum("shift_twelfths")
    )
    shift = pl.col("shift_twelfths") / TWELFTHS
    return added.sort("player").select(
        "player", "pulkas", shift.alias("shift"), "shift_twelfths", mean=shift / pl.col("pulkas")
    )


def sum_by_table(pulkas: pl.DataFrame, deals: pl.DataFrame) -> pl.DataFrame:
    """Sum up by number of players how often and how far results are shifted."""
    absolute = pl.col("shift_twelfths").abs()
    both_first = (pl.col("rank") == 1) & (pl.col("nominal_rank") == 1)
    of_pulkas = pulkas.group_by("players", "pulka").agg(
        shifted=(absolute > 0).any(), changed=~both_first.any(), total=absolute.sum(), largest=absolute.max()
    )
    shifted = deals.group_by("players").agg(deals=pl.len().cast(pl.Int64))
    return (
        of_pulkas.group_by("players")
        .agg(
            pulkas=pl.len().cast(pl.Int64),
            pulkas_shifted=pl.sum("shifted").cast(pl.Int64),
            mean=pl.sum("total") / TWELFTHS / pl.len() / pl.first("players"),
            largest=pl.max("largest") / TWELFTHS,
            winner_changed=pl.sum("changed").cast(pl.Int64),
        )
        .join(shifted, on="players", how="left")
        .select(
            "players", "pulkas", "pulkas_shifted", pl.col("deals").fill_null(0), "mean", "largest", "winner_changed"
        )
        .sort("players")
    )
