"""Settlement: sheets become results in whists, exact in twelfths (rules §7).

A sheet may come from scored deals or have been recorded at the table; nothing here knows about deals.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl

from prefdata.conventions import PLAYED, Convention, is_played, preset, resolve
from prefdata.doors import AnyFrame, as_frame, as_lazy_frame
from prefdata.errors import TableError, warn_set_aside
from prefdata.game import Game
from prefdata.games import GAMES
from prefdata.settlement.rounding import round_results
from prefdata.settlement.sheet_rules import as_keyed, as_sheets, check_sheets
from prefdata.vocabulary import (
    PLAYER_COUNTS,
    SEAT,
    SEATS,
    TWELFTHS,
    bullet_column,
    entry_columns,
    mountain_column,
    pairs,
    player_column,
    seats_at_table,
    whists_column,
)

__all__ = [
    "SETTLEMENT_SCHEMA",
    "as_pulkas",
    "in_settlement",
    "played_under",
    "settle",
    "settle_checked",
    "wide_settlement",
    "with_players",
]

_EXACT = ("from_bullet", "from_mountain", "from_whists", "result")
SETTLEMENT_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "pulka": pl.Int64,
    "convention": pl.String,
    "seat": SEAT,
    "player": pl.String,
    **{f"{name}{suffix}": kind for name in _EXACT for suffix, kind in (("", pl.Float64), ("_twelfths", pl.Int64))},
    "rounded": pl.Int64,
    "adjusted": pl.Int64,
    "money": pl.Float64,
    "rank": pl.UInt8,
}
"""Columns of a settlements table."""

_SHEETS_AT_ONCE = 40_000
"""Sheets that one thread settles at a time."""


def settle(
    sheets: AnyFrame,
    convention: str | Path | Convention,
    *,
    rounding: str | None = None,
    pulkas: AnyFrame | None = None,
) -> pl.DataFrame:
    """Settle sheets: what every seat won or lost, in whists.

    Parameters
    ----------
    sheets
        Sheets as `prefdata.sheets` gives them or as recorded at the table: `pulka`, `players`, `bullet_limit`,
        ``bullet_a`` ..., ``mountain_a`` ..., ``whists_ab`` ... in points and whists, whole or exact in twelfths.
        Without bullet columns everybody counts as closed.  Sheets of the Balkan game have ``contract_a`` ... and
        ``juha_ab`` ... instead.  ``player_a`` ... and `stake` are taken where they are.
    convention
        A convention, its name or its file; ``played`` takes the one in each pulka's row.
    rounding
        The rounding rule, in place of the convention's.
    pulkas
        A pulkas table from which players' names and stakes are taken.

    Returns
    -------
    pl.DataFrame
        One row a pulka and seat, in order: `pulka`, `convention`, `seat`, `player`, `from_bullet` (or from the contract
        column), `from_mountain`, `from_whists` (or juhas), `result` (whists, each with an exact ``*_twelfths``
        beside it), `rounded` (null under ``exact``, and where the rule cannot make all results of the pulka whole),
        `adjusted` (the mountain point that the rule moved), `money` (null without a stake), `rank` (by the exact
        result; equal results share a rank).

    Raises
    ------
    TableError
        If a column is missing, or something is no frame.

    Warns
    -----
    SetAsideWarning
        If sheets break a rule, see `check_sheets`.

    Examples
    --------
    The second example of rule 4.2.3.3 of the Code, Leningrad to 50:

    >>> sheet = pl.DataFrame(
    ...     {"pulka": [1], "players": [3], "bullet_limit": [50], "bullet_a": [56], "bullet_b": [48], "bullet_c": [48],
    ...      "mountain_a": [0], "mountain_b": [0], "mountain_c": [0], "whists_ab": [0], "whists_ac": [0],
    ...      "whists_ba": [0], "whists_bc": [0], "whists_ca": [0], "whists_cb": [0]})
    >>> settle(sheet, "leningrad").select("seat", "result_twelfths", "rounded", "adjusted").rows()
    [('a', 1280, 107, 0), ('b', -640, -54, 1), ('c', -640, -53, 0)]
    """
    recorded, beside = as_sheets(sheets), None if pulkas is None else as_pulkas(pulkas)
    if is_played(convention):
        return _settle_as_played(recorded, rounding, beside)
    return _settle(recorded, resolve(convention).with_rounding(rounding), beside)


def _settle(sheets: pl.DataFrame, convention: Convention, pulkas: pl.LazyFrame | None) -> pl.DataFrame:
    good, failures = check_sheets(sheets, convention)
    if len(failures):
        warn_set_aside(f"{failures.summary()}; check_sheets lists the rows")
    return settle_checked(with_players(good, pulkas), convention)


def as_pulkas(pulkas: AnyFrame) -> pl.LazyFrame:
    """Take a pulkas table for what stands beside sheets; players and stake are null where it has none.

    Raises
    ------
    TableError
        If it is no frame, has no keys, or a column that cannot be what it is called.
    """
    frame = as_lazy_frame(pulkas, "pulkas", columns=["pulka"], hint="Give pulkas=archive.pulkas.")
    kinds = frame.collect_schema()
    names = [*map(player_column, SEATS)]
    texts = [*names, "convention", "place"]
    for name, kind in kinds.items():
        is_text = isinstance(kind, pl.String | pl.Categorical | pl.Enum | pl.Null)
        fits = {
            "pulka": kind.is_integer(),
            "stake": kind.is_numeric() or kind == pl.Null,
            **dict.fromkeys(texts, is_text),
        }
        fits["played_on"] = isinstance(kind, pl.Date | pl.Null)
        if not fits.get(name, True):
            others = {"pulka": "whole numbers", "stake": "numbers", "played_on": "days"}
            wanted = others.get(name, "texts")
            raise TableError(f"pulkas: column {name} is {kind}, not {wanted}", hint="Cast it first.")
    beside = {**dict.fromkeys(names, pl.String()), "stake": pl.Float64()}
    return frame.with_columns(
        (pl.col(name) if name in kinds else pl.lit(None)).cast(kind).alias(name) for name, kind in beside.items()
    )


def played_under(sheets: pl.DataFrame, pulkas: pl.LazyFrame | None) -> dict[str, pl.DataFrame]:
    """Divide sheets by the convention in their pulka's row.

    Raises
    ------
    TableError
        If there are no such rows.
    """
    if pulkas is None or "convention" not in pulkas.collect_schema():
        raise TableError(
            f"sheets do not tell the convention that they were {PLAYED} under", hint="Give pulkas=archive.pulkas too."
        )
    keyed = as_keyed(sheets)
    names = as_frame(pulkas.select("pulka", played=pl.col("convention").cast(pl.String)), "pulkas")
    named = keyed.join(names, on="pulka", how="left", maintain_order="left")
    groups = named.partition_by("played", as_dict=True, maintain_order=True)
    return {str(name): group.drop("played") for (name,), group in groups.items()}


def _settle_as_played(sheets: pl.DataFrame, rounding: str | None, pulkas: pl.LazyFrame | None) -> pl.DataFrame:
    """Settle each sheet under the convention in its pulka's row."""
    frames = [
        _settle(group, preset(name).with_rounding(rounding), pulkas)
        for name, group in played_under(sheets, pulkas).items()
    ]
    return pl.concat([pl.DataFrame(schema=SETTLEMENT_SCHEMA), *frames]).sort("pulka", maintain_order=True)


def settle_checked(sheets: pl.DataFrame, convention: Convention) -> pl.DataFrame:
    """Settle sheets that keep the rules; see `settle`."""
    sheets = in_settlement(sheets, GAMES[convention.game])

    def settled(players: int, table: pl.DataFrame) -> pl.DataFrame:
        return _long(wide_settlement(table, players, convention), players, convention)

    tables = {players: sheets.filter(pl.col("players") == players) for players in PLAYER_COUNTS}
    shares = [(players, share) for players, table in tables.items() for share in table.iter_slices(_SHEETS_AT_ONCE)]
    if len(shares) > 1:
        with ThreadPoolExecutor() as pool:
            frames = list(pool.map(settled, *zip(*shares, strict=True)))
    else:
        frames = [settled(*share) for share in shares]
    together = pl.concat([pl.DataFrame(schema=SETTLEMENT_SCHEMA), *frames])
    return (
        together
        if sum(table.height > 0 for table in tables.values()) < 2
        else together.sort("pulka", maintain_order=True)
    )


def in_settlement(sheets: pl.DataFrame, game: Game) -> pl.DataFrame:
    """Give sheets of any game the columns of the settlement: bullets, mountains and whists.

    A Balkan pulka settles by the same formula (rules §9): ten whists a point of its contract columns, after what they
    lack of 0 is shared equally, and the balance of the juhas.
    """
    if all(own == settled for own, settled in game.entries.items()):
        return sheets
    mountains = {mountain_column(seat): pl.lit(0, dtype=pl.Int64) for seat in seats_at_table(max(game.players))}
    own = sheets.drop(game.entries.values(), strict=False)  # what another game would call so
    return own.rename(dict(game.entries)).with_columns(**mountains)


def with_players(sheets: pl.DataFrame, pulkas: pl.DataFrame | pl.LazyFrame | None) -> pl.DataFrame:
    """Put players' names and the stake of a pulkas table beside sheets, null where nobody knows them."""
    names = [*map(player_column, SEATS), "stake"]
    if pulkas is not None:
        known = as_frame(pulkas.lazy().select("pulka", *names), "pulkas")
        rest = sheets.drop(names, strict=False)
        if rest["pulka"].equals(known["pulka"]):
            return rest.hstack(known.drop("pulka"))
        return rest.join(known, on="pulka", how="left", maintain_order="left")
    return sheets.with_columns(
        pl.lit(None, dtype=pl.Float64 if name == "stake" else pl.String).alias(name)
        for name in names
        if name not in sheets.columns
    )


def _twelfths(column: str, factor: Fraction | int = 1) -> pl.Expr:
    """Give a column in twelfths, times a factor under which it stays whole."""
    fraction = Fraction(factor)
    return pl.col(column) * fraction.numerator // fraction.denominator


def wide_settlement(sheets: pl.DataFrame, players: int, convention: Convention) -> pl.DataFrame:
    """Settle tables of one size: a row a pulka, for each seat the parts of its result in twelfths.

    Beside the sheet's columns, in twelfths too, it has for each seat ``bullet_share_a`` and ``mountain_share_a`` (what
    its points bring from or cost to each opponent), ``carried_a`` (what the mountain costs after carrying the bullets),
    ``share_a`` (the same after the amnesty), ``balance_a`` of whists, ``from_bullet_a``, ``from_mountain_a``,
    ``result_a``, ``rounded_a`` (in whists), ``adjusted_a``, ``rank_a``; and `limit_share`.
    """
    seats = seats_at_table(players)
    bullet_share, mountain_share = convention.bullet_share(players), convention.mountain_share(players)
    exact = sheets.with_columns(_in_twelfths(sheets, name) for name in entry_columns(players))
    exact = exact.with_columns(GAMES[convention.game].equalise(convention))
    limit = pl.col("bullet_limit").cast(pl.Int64).fill_null(0) * TWELFTHS  # that of nobody is settled away
    frame = exact.with_columns(
        *(_twelfths(bullet_column(seat), bullet_share).alias(f"bullet_share_{seat}") for seat in seats),
        *(_twelfths(mountain_column(seat), mountain_share).alias(f"mountain_share_{seat}") for seat in seats),
        *(_balance(seat, players).alias(f"balance_{seat}") for seat in seats),
        limit_share=limit * bullet_share.numerator // bullet_share.denominator,
    )
    bullets = pl.sum_horizontal(f"bullet_share_{seat}" for seat in seats)
    mountains = pl.sum_horizontal(f"mountain_share_{seat}" for seat in seats)
    carried = {
        seat: pl.col(f"mountain_share_{seat}") + pl.col("limit_share") - pl.col(f"bullet_share_{seat}")
        for seat in seats
    }
    frame = frame.with_columns(
        *(share.alias(f"carried_{seat}") for seat, share in carried.items()),
        *((pl.col(f"bullet_share_{seat}") * players - bullets).alias(f"from_bullet_{seat}") for seat in seats),
        *((mountains - pl.col(f"mountain_share_{seat}") * players).alias(f"from_mountain_{seat}") for seat in seats),
        *((share - pl.min_horizontal(carried.values())).alias(f"share_{seat}") for seat, share in carried.items()),
    ).with_columns(
        (pl.col(f"from_bullet_{seat}") + pl.col(f"from_mountain_{seat}") + pl.col(f"balance_{seat}")).alias(
            f"result_{seat}"
        )
        for seat in seats
    )
    ranks = [
        1 + pl.sum_horizontal((pl.col(f"result_{other}") > pl.col(f"result_{seat}")).cast(pl.UInt8) for other in seats)
        for seat in seats
    ]
    return round_results(frame, players, convention).with_columns(
        value.alias(f"rank_{seat}") for seat, value in zip(seats, ranks, strict=True)
    )


def _in_twelfths(sheets: pl.DataFrame, name: str) -> pl.Expr:
    if sheets[name].dtype.is_integer():
        return pl.col(name).cast(pl.Int64) * TWELFTHS
    return (pl.col(name) * TWELFTHS).round().cast(pl.Int64)


def _balance(seat: str, players: int) -> pl.Expr:
    """Whists of a seat on the others, less the others' on it."""
    own = [pl.col(whists_column(writer, on)) for writer, on in pairs(players) if writer == seat]
    others = [pl.col(whists_column(writer, on)) for writer, on in pairs(players) if on == seat]
    return pl.sum_horizontal(own) - pl.sum_horizontal(others)


def _long(wide: pl.DataFrame, players: int, convention: Convention) -> pl.DataFrame:
    """Turn one row a pulka into one row a seat, in order."""
    seats = seats_at_table(players)

    by_pulka = np.arange(wide.height * players).reshape(players, wide.height).T.ravel()

    def stacked(name: str) -> pl.Series:
        return pl.concat([wide[f"{name}_{seat}"] for seat in seats]).gather(by_pulka).alias(name)

    exact = {f"{name}_twelfths": stacked("balance" if name == "from_whists" else name) for name in _EXACT}
    times = np.repeat(np.arange(wide.height), players)
    seat_numbers = pl.Series(np.tile(np.arange(players, dtype=np.uint8), wide.height))
    frame = pl.DataFrame(
        {
            "pulka": wide["pulka"].gather(times),
            "seat": seat_numbers.cat.to(SEAT),
            "player": stacked("player"),
            "stake": wide["stake"].gather(times),
            **exact,
            **{name: stacked(name) for name in ("rounded", "adjusted", "rank")},
        }
    ).with_columns(
        *((pl.col(f"{name}_twelfths") / TWELFTHS).alias(name) for name in _EXACT),
        convention=pl.lit(convention.name),
    )
    paid = pl.col("result") if convention.rounding == "exact" else pl.col("rounded")
    return frame.with_columns(money=(paid * pl.col("stake")).round(6)).select(
        pl.col(name).cast(kind) for name, kind in SETTLEMENT_SCHEMA.items()
    )
