"""The rules that a sheet keeps before it is settled, whether it was scored or recorded at the table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from prefdata.conventions import Convention, resolve
from prefdata.doors import AnyFrame, as_frame
from prefdata.errors import TableError
from prefdata.failures import Failures, failure_rows
from prefdata.game import Game
from prefdata.games import GAMES
from prefdata.vocabulary import (
    LARGEST_ENTRY,
    LARGEST_LIMIT,
    PLAYER_COUNTS,
    RUSSIAN,
    SEATS,
    TWELFTHS,
    player_column,
    seats_needed,
)

__all__ = ["as_keyed", "as_sheets", "check_sheets"]

_ROW = "row of the sheets"
_WRITTEN = ", as written"
_PLAYERS = tuple(map(player_column, SEATS))
_KEYS = ("pulka", "players", "bullet_limit")
_TEXTS = (pl.String, pl.Categorical, pl.Enum)
_WIDE = (pl.UInt64, pl.Int128, pl.UInt128)
"""Types of whole numbers that hold some which Int64 does not."""


SheetRule = tuple[pl.Expr, str, Sequence[pl.Expr]]
"""What must hold, in words, and what to show of a row where it does not."""


def as_sheets(sheets: AnyFrame, name: str = "sheets") -> pl.DataFrame:
    """Take a frame of sheets.

    Raises
    ------
    TableError
        If it is no frame.
    """
    hint = "prefdata.sheets(archive, convention) gives sheets; pl.read_csv and the like read recorded ones from a file."
    return as_frame(sheets, name, hint=hint)


def as_keyed(sheets: pl.DataFrame) -> pl.DataFrame:
    """Refuse sheets without the keys of their pulkas."""
    if "pulka" not in sheets.columns:
        raise TableError("the sheets lack the column pulka", hint="Sheets have the key of their pulka.")
    if not sheets["pulka"].dtype.is_integer():
        raise TableError(_no_whole(sheets["pulka"]), hint=_CAST_A_KEY)
    return sheets


_CAST_A_KEY = "Cast it first; a pulka's key is a whole number, with_row_index makes one."


def _no_whole(column: pl.Series) -> str:
    return f"the sheets: column {column.name} is {column.dtype}, not whole numbers"


def check_sheets(sheets: AnyFrame, convention: str | Path | Convention) -> tuple[pl.DataFrame, Failures]:
    """Check sheets row by row before they are settled.

    Returns
    -------
    tuple
        The good sheets, with all columns that a sheet has, and a failure object with a row for each broken rule.

    Raises
    ------
    TableError
        If a column is missing, or is no number.

    Examples
    --------
    A stale fourth column in a sheet of three:

    >>> good, failures = check_sheets(pl.DataFrame({
    ...     "pulka": [1], "players": [3], "bullet_limit": [10], "mountain_a": [1], "mountain_b": [2], "mountain_c": [0],
    ...     "mountain_d": [9], "whists_ab": [0], "whists_ac": [0], "whists_ba": [0], "whists_bc": [0], "whists_ca": [0],
    ...     "whists_cb": [0]}), "sochi")
    >>> failures.frame.select("rule", "value").row(0)
    ('absent_seats_empty', 'mountain_d=9')
    """
    switches = resolve(convention)
    game = GAMES[switches.game]
    filled = _filled(_with_limit(as_sheets(sheets), switches), game).with_row_index(_ROW)
    sizes = [size for size in game.players if size in switches.players]
    numbers = _number_rule(filled)
    rules = {
        "players_of_sheet": (
            pl.col("players").is_in(sizes),
            f"{switches.name} is for {' or '.join(map(str, sizes))} players",
            [_shown("players")],
        ),
        "key_of_sheet": (pl.col("pulka").is_not_null(), "pulka must be a value that Int64 can hold", [_shown("pulka")]),
        "limit_of_sheet": _limit_rule(switches),
        "sheet_unique": (pl.col("pulka").is_unique(), "a pulka must have one sheet", [_shown("pulka")]),
        "absent_seats_empty": _seat_rule(game, present=False),
        "seats_filled": _seat_rule(game, present=True),
        "exact_in_twelfths": _exact_rule(filled, switches),
    }
    rules = {
        "numbers_of_sheet": numbers,
        **{name: (~numbers[0] | rule, reason, shown) for name, (rule, reason, shown) in rules.items()},
    }
    if filled.select(pl.all_horizontal(rule.fill_null(False) for rule, _, _ in rules.values()).all()).item():
        return _without_helpers(filled), Failures.gather([])
    verdicts = filled.select(_ROW, *(rule.fill_null(False).alias(name) for name, (rule, _, _) in rules.items()))
    found = [
        failure_rows(
            filled.filter(~verdicts[name]),
            name,
            "sheets",
            reason,
            pl.concat_str(shown, separator=", ", ignore_nulls=True) if shown else pl.lit(""),
            row=_ROW,
        )
        for name, (_, reason, shown) in rules.items()
    ]
    good = filled.filter(verdicts.select(pl.all_horizontal(pl.all().exclude(_ROW))).to_series())
    return _without_helpers(good), Failures(pl.concat(found))


def _without_helpers(filled: pl.DataFrame) -> pl.DataFrame:
    return filled.drop(_ROW, pl.selectors.ends_with(_WRITTEN))


def _needs_limit(convention: Convention) -> bool:
    """Tell whether a settlement looks at the limit: not where bullets close together, since it settles away."""
    return convention.game != RUSSIAN or convention.close == "each"


def _with_limit(sheets: pl.DataFrame, convention: Convention) -> pl.DataFrame:
    if "bullet_limit" in sheets.columns or _needs_limit(convention):
        return sheets
    return sheets.with_columns(bullet_limit=pl.lit(None, dtype=pl.Int64))


def _limit_rule(convention: Convention) -> SheetRule:
    limit = pl.col("bullet_limit")
    is_good = limit.is_between(1, LARGEST_LIMIT)
    if not _needs_limit(convention):
        is_good = is_good | limit.is_null()
    return is_good, f"bullet_limit must be from 1 to {LARGEST_LIMIT}", [_shown("bullet_limit")]


def _filled(sheets: pl.DataFrame, game: Game) -> pl.DataFrame:
    """Add the columns that a sheet of fewer players lacks; without bullets everybody is closed."""
    sheets = _with_numbers(sheets, (*_KEYS, *game.entries))
    omitted = game.omissible if not any(name in sheets.columns for name in game.omissible) else ()
    _refuse_foreign(sheets, game, omitted)
    closed = {
        name: pl.when(pl.col("players") >= seats_needed(name)).then("bullet_limit").cast(pl.Int64) for name in omitted
    }
    absent = {
        name: pl.lit(None, dtype=pl.Int64)
        for name in game.entries
        if name not in closed and (name not in sheets.columns or sheets[name].null_count() == sheets.height)
    }
    kinds = pl.selectors.decimal() | pl.selectors.by_dtype(pl.Float32, pl.Float16)
    inexact = pl.selectors.by_name(*game.entries, require_all=False) & kinds
    wide = pl.selectors.by_name(*_KEYS) & pl.selectors.by_dtype(*_WIDE)
    names = pl.selectors.by_name(*_PLAYERS, require_all=False)  # someone may be called 7
    exact = sheets.with_columns(inexact.cast(pl.Float64), wide.cast(pl.Int64, strict=False), names.cast(pl.String))
    return exact.with_columns(**closed, **absent)


def _with_numbers(sheets: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Read numbers that are written as texts, in columns where at least one is; the texts stay beside them."""
    found = []
    for column in sheets.select(pl.selectors.by_name(*names, require_all=False) & pl.selectors.string()).iter_columns():
        whole, numbers = (column.str.strip_chars().cast(kind, strict=False) for kind in (pl.Int64, pl.Float64))
        if numbers.null_count() < len(column):
            is_whole = whole.null_count() == numbers.null_count()
            found += [whole if is_whole else numbers, column.alias(f"{column.name}{_WRITTEN}")]
    return sheets.with_columns(found)


def _number_rule(filled: pl.DataFrame) -> SheetRule:
    names = [name.removesuffix(_WRITTEN) for name in filled.columns if name.endswith(_WRITTEN)]
    wrong = {name: pl.col(name).is_null() & pl.col(f"{name}{_WRITTEN}").is_not_null() for name in names}
    shown = [pl.when(is_wrong).then(_shown(f"{name}{_WRITTEN}", name)) for name, is_wrong in wrong.items()]
    return ~pl.any_horizontal(pl.lit(False), *wrong.values()), "entries and keys must be numbers", shown


def _refuse_foreign(sheets: pl.DataFrame, game: Game, omitted: Sequence[str]) -> None:
    """Raise if a needed column is missing or is no number; those that are `omitted` may be missing."""
    most = sheets["players"].max() if "players" in sheets.columns and sheets["players"].dtype.is_integer() else None
    players = most if isinstance(most, int) and most in game.players else game.players[0]
    needed = [name for name in game.entries if seats_needed(name) <= players and name not in omitted]
    missing = [name for name in [*_KEYS, *needed] if name not in sheets.columns]
    if missing:
        others = [one.title for one in GAMES.values() if one is not game and set(one.entries) <= set(sheets.columns)]
        look = f"  These look like sheets of the {others[0]} game: choose a convention of it." if others else ""
        raise TableError(
            f"the sheets lack the column{'s' * (len(missing) > 1)} {', '.join(missing)}",
            hint=f"Sheets of the {game.title} game have {', '.join([*_KEYS, *needed])}.{look}",
        )
    for name in _KEYS:
        if not sheets[name].dtype.is_integer() and not (name == "bullet_limit" and sheets[name].dtype == pl.Null):
            raise TableError(_no_whole(sheets[name]), hint=_CAST_A_KEY)
    for name in game.entries:
        if name not in sheets.columns or sheets[name].null_count() == sheets.height:
            continue
        if not sheets[name].dtype.is_numeric():
            raise TableError(f"the sheets: {_no_number(sheets[name])}", hint="Mend the cell, or cast the column first.")
    for name in _PLAYERS:
        kind = sheets.schema.get(name, pl.Null())
        if not (isinstance(kind, _TEXTS) or kind.is_integer() or kind == pl.Null):
            raise TableError(f"the sheets: column {name} is {kind}, not texts", hint="Cast it first.")
    stake = sheets.schema.get("stake", pl.Null())
    if not (stake.is_numeric() or stake == pl.Null):
        raise TableError(f"the sheets: {_no_number(sheets['stake'])}", hint="Mend the cell, or cast the column first.")


def _no_number(column: pl.Series) -> str:
    """Tell what is wrong with a column that holds no numbers: the first such row, from 0, if it holds texts."""
    what = f"column {column.name} is {column.dtype}, not a number"
    if column.dtype != pl.String:
        return what
    misfits = column.is_not_null() & column.cast(pl.Float64, strict=False).is_null()
    row = misfits.arg_max() if misfits.any() else None
    return what if row is None else f"{what}: row {row} has {column[row]!r}"


def _shown(column: str, name: str = "") -> pl.Expr:
    return pl.concat_str(pl.lit(f"{name or column}="), pl.col(column).cast(pl.String).fill_null("empty"))


def _seat_rule(game: Game, *, present: bool) -> SheetRule:
    def holds(column: str) -> pl.Expr:
        at_table = pl.col("players") >= seats_needed(column)
        return ~at_table | pl.col(column).is_not_null() if present else at_table | pl.col(column).is_null()

    rule = pl.all_horizontal(holds(column) for column in game.entries)
    reason = (
        "every seat of the table must have its columns filled" if present else "columns of absent seats must be empty"
    )
    wrong = [pl.when(~holds(column)).then(_shown(column)) for column in game.entries]
    return rule, reason, wrong


def _exact_rule(sheets: pl.DataFrame, convention: Convention) -> SheetRule:
    """Entries must be whole in twelfths, and stay so when they are shared."""
    settled_as = GAMES[convention.game].entries
    rules = [pl.col(name).is_null() | pl.col(name).is_between(-LARGEST_ENTRY, LARGEST_ENTRY) for name in settled_as]
    columns = [name for name in settled_as if not sheets[name].dtype.is_integer()]
    for column in columns:
        twelfths = pl.col(column) * TWELFTHS
        rules.append(pl.col(column).is_null() | ((twelfths - twelfths.round()).abs() < 1e-6))
        for players in PLAYER_COUNTS:
            share = {"bullet": convention.bullet_share, "mountain": convention.mountain_share}.get(
                settled_as[column].split("_")[0]
            )
            if share is not None and (denominator := share(players).denominator) > 1:
                divides = twelfths.round().cast(pl.Int64, strict=False) % denominator == 0
                rules.append((pl.col("players") != players) | pl.col(column).is_null() | divides.fill_null(False))
    large = [
        pl.when(~pl.col(name).is_between(-LARGEST_ENTRY, LARGEST_ENTRY)).then(_shown(name))
        for name in settled_as
        if name not in columns
    ]
    shown = [pl.when(pl.col(name).is_not_null()).then(_shown(name)) for name in columns]
    return pl.all_horizontal(rules), "entries must be at most 2^40, and exact in twelfths of a whist", [*large, *shown]
