"""A fourth player joins three: a new pulka that carries their columns over (rules §8)."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import Any

import polars as pl

from prefdata.conventions import PLAYED, Convention, is_played, preset, resolve_russian
from prefdata.corrections._effects import effects
from prefdata.corrections._rows import Entry, adjustments_of, refuse_no_key, refuse_unknown
from prefdata.doors import AnyFrame, as_frame, told
from prefdata.errors import CorrectionError, TableError, counted
from prefdata.failures import Failures
from prefdata.games import GAMES
from prefdata.settlement.settling import as_pulkas, settle
from prefdata.settlement.sheet_rules import as_sheets, check_sheets
from prefdata.tables import Pulkas
from prefdata.vocabulary import (
    RUSSIAN,
    SEAT,
    SEATS,
    bullet_column,
    entry_columns,
    mountain_column,
    pairs,
    player_column,
    seats_at_table,
    whists_column,
)

__all__ = ["Joining", "fourth_player_joins"]

_TYPES = {name: column.dtype for name, column in Pulkas.columns().items()}
_THREE = seats_at_table(3)

Row = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Joining:
    """The pulka of four that goes on from a pulka of three.

    Attributes
    ----------
    pulkas
        The new pulka's row of the pulkas table.
    adjustments
        Its opening adjustments: the columns of the three, and the newcomer's.
    effects
        What joining changes at that moment, a row a seat of the new pulka, in the form of `adjustment_effects`:
        `without` is the settlement of the three as if they had stopped (0 for the newcomer), `with` that of the four,
        `shift` their difference, `residue` the sum of the rounded results of the four.
    """

    pulkas: pl.DataFrame
    adjustments: pl.DataFrame
    effects: pl.DataFrame


def fourth_player_joins(
    sheet: AnyFrame,
    convention: str | Path | Convention,
    pulka: int,
    *,
    player: str | None = None,
    seat: str = "d",
    bullet_limit: int | None = None,
    pulkas: AnyFrame | None = None,
) -> Joining:
    """Let a fourth player join: make a new pulka whose opening adjustments carry the columns over (rules §8).

    The newcomer gets the mean of the three bullets, rounded down, that of the mountains, rounded up, and no whists.

    Under the divisors of the Code, which are the numbers of players, the change from three to four by itself moves
    nobody: a mountain point costs its owner 10 whists less his own share of the mean, and a newcomer with exactly the
    mean starts at 0.  Rounded means start him below 0, by 7½ whists for a whole point at weights of 10 (10 whists at
    most), and each of the others gains a third of that.  Other divisors, such as ``players-1``, change what a point
    costs, and so the results of everybody.  The shifts sum to 0 in any case.

    The old pulka goes on in the new one: its results are contained in the new results and not to be added to them.
    Only the Russian game knows such a fourth player.

    Parameters
    ----------
    sheet
        The sheet of the three, one row as `sheets` gives it; a recorded one must have whole entries.
    convention
        A convention of the Russian game, its name or its file, under which the two settlements are made; ``played``
        takes the one in the pulka's row.
    pulka
        Key of the new pulka.
    player
        The newcomer's name.
    seat
        The newcomer's seat; the others keep their order around the table, the first of them in the first seat left.
    bullet_limit
        The limit of the new pulka, that of the sheet if it is not given.  It cannot be lowered below a bullet that is
        carried over; where bullets close together, not below the mean of the four.
    pulkas
        A pulkas table with the old pulka's row, from which names, place, day, stake and convention are taken.

    Returns
    -------
    Joining
        `pulkas`, the new pulka's row of the pulkas table; `adjustments`, its opening adjustments; `effects`, what
        joining changes at that moment, a row a seat, with columns as of `adjustment_effects`.  The four play on in an
        archive of their own, ``pref.archive(joining.pulkas, deals, joining.adjustments)``, with the deals that follow,
        which have the new key and the numbers 1, 2, ...; `concat` puts it beside others.

    Raises
    ------
    CorrectionError
        If the sheet is not one open pulka of three with whole entries, the new pulka's key or limit cannot be, or the
        newcomer sits at the table already.
    ConventionError
        If the convention is unknown, or of another game.
    TableError
        If a column is missing, as it is from sheets of another game.

    Examples
    --------
    >>> from prefdata.archives import archive
    >>> from prefdata.examples import one_pulka, three_deals
    >>> from prefdata.scoring.sheets import sheets
    >>> sheet = sheets(archive(one_pulka(), three_deals().head(2)), "sochi")
    >>> sheet.select("bullet_a", "bullet_b", "bullet_c", "mountain_a", "mountain_b", "mountain_c").row(0)
    (2, 0, 0, 0, 8, 0)
    >>> joining = fourth_player_joins(sheet, "sochi", 2)
    >>> joining.adjustments.filter(seat="d").select("entry", "points", "reason").rows()
    [('mountain', 3, 'mean of the mountains, rounded up')]
    >>> joining.effects.select("seat", "without_twelfths", "with_twelfths", "shift_twelfths", "residue").rows()
    [('a', 480, 510, 30, 0), ('b', -1008, -978, 30, 0), ('c', 528, 558, 30, 0), ('d', 0, -90, -90, 0)]

    The four play on; d deals, and a makes a six with a trick more:

    >>> deals = three_deals().head(1).with_columns(pulka=2, players=4, dealer=pl.lit("d"))
    >>> four = archive(joining.pulkas, deals, joining.adjustments)
    >>> sheets(four, "sochi").select("pulka", "players", "bullet_a", "mountain_b", "mountain_d").row(0)
    (2, 4, 4, 10, 3)
    """
    refuse_unknown(seat)
    refuse_no_key(pulka)
    three = _sheet_of_three(as_sheets(sheet, "sheet"))
    row = _row_of(pulkas, three["pulka"])
    if is_played(convention) and row.get("convention") is None:
        raise CorrectionError(
            f"a sheet does not tell the convention that it was {PLAYED} under", hint="Give pulkas=archive.pulkas too."
        )
    switches = resolve_russian(preset(str(row["convention"])) if is_played(convention) else convention)
    _refuse_broken(check_sheets(sheet, switches)[1])
    limit = three["bullet_limit"] if bullet_limit is None else bullet_limit
    seats = dict(zip(_THREE, (other for other in SEATS if other != seat), strict=True))
    columns = _columns_of_four(three, seats, seat)
    _refuse_unfit(three, pulka, limit, switches)
    _refuse_low_limit(limit, three["bullet_limit"], [columns[bullet_column(taken)] for taken in SEATS], switches)
    _refuse_unseatable(player, row)
    new = {
        "convention": switches.name,
        **{name: value for name, value in row.items() if name in _TYPES and value is not None},
        **{player_column(taken): row.get(player_column(old)) for old, taken in seats.items()},
        player_column(seat): player,
        "pulka": pulka,
        "players": len(SEATS),
        "bullet_limit": limit,
        "bullet_total": None,
    }
    table = pl.DataFrame([tuple(new.get(name) for name in _TYPES)], schema=_TYPES, orient="row")
    four = pl.DataFrame([{"pulka": pulka, "players": len(SEATS), "bullet_limit": limit, **columns}])
    before = _seated(settle(sheet, switches), seats, seat, pulka)
    return Joining(
        pulkas=table,
        adjustments=adjustments_of(pulka, 0, _opening(columns, seat, three["pulka"])),
        effects=effects(before, settle(four, switches, pulkas=table)),
    )


def _sheet_of_three(sheet: pl.DataFrame) -> Row:
    """Give the one sheet as a row with whole entries."""
    try:
        good, failures = check_sheets(sheet, Convention(close="total"))
    except TableError as error:
        others = [game for game in GAMES.values() if game.name != RUSSIAN and set(game.entries) <= set(sheet.columns)]
        if not others:
            raise
        raise TableError(
            f"a fourth player joins in the Russian game only, and {error.what}",
            hint=f"These look like sheets of the {others[0].title} game; give one of the Russian game.",
        ) from None
    _refuse_broken(failures)
    if good.height != 1:
        raise CorrectionError(
            f"a fourth player joins one pulka, but there are {counted(good.height, 'sheet')}",
            hint="Filter the sheets to the row of one pulka.",
        )
    row = good.row(0, named=True)
    if row["players"] != len(_THREE):
        raise CorrectionError(
            f"a fourth player joins three, but pulka {row['pulka']} has {row['players']} players",
            hint="Give the sheet of a pulka of three.",
        )
    entries = {name: row[name] for name in entry_columns(len(_THREE))}
    halves = [f"{name}={entry}" for name, entry in entries.items() if entry != int(entry)]
    if halves:
        raise CorrectionError(
            f"adjustments are whole, but pulka {row['pulka']} has {', '.join(halves)}",
            hint="Let the players agree on whole entries first.",
        )
    return {**row, **{name: int(entry) for name, entry in entries.items()}}


def _refuse_broken(failures: Failures) -> None:
    if len(failures):
        first = failures.frame.row(0, named=True)
        raise CorrectionError(
            f"the sheet breaks a rule: {first['reason']} ({first['value']})", hint="check_sheets lists the rows."
        )


def _row_of(pulkas: AnyFrame | None, key: int) -> Row:
    """Give a pulka's row of the pulkas table; nothing is known without one."""
    if pulkas is None:
        return {}
    rows = as_frame(as_pulkas(pulkas).filter(pl.col("pulka") == key), "pulkas")
    if rows.height != 1:
        raise CorrectionError(
            f"the pulkas table has {counted(rows.height, 'row')} of pulka {key}, and not one",
            hint="Give the table that the sheet belongs to, or leave pulkas out.",
        )
    return rows.row(0, named=True)


def _is_closed(three: Row, convention: Convention) -> bool:
    """Tell whether the three have come to their end; a recorded sheet does not say so itself."""
    if three.get("closed") is not None:
        return bool(three["closed"])
    bullets, limit = [three[bullet_column(seat)] for seat in _THREE], three["bullet_limit"]
    if limit is None:
        return False
    return sum(bullets) >= len(_THREE) * limit and (convention.close == "total" or min(bullets) >= limit)


def _refuse_unfit(three: Row, pulka: int, limit: int | None, convention: Convention) -> None:
    """Raise if the new pulka cannot go on from the old one."""
    key = three["pulka"]
    if pulka == key:
        raise CorrectionError(f"pulka {key} is that of the three already", hint="Give the new pulka another key.")
    if limit is None:
        raise CorrectionError(
            f"pulka {key} has no bullet_limit, but a sum that its three agreed on",
            hint="Give bullet_limit, the points for each of the four.",
        )
    if not isinstance(limit, Integral) or not 1 <= limit < 2**16:
        raise CorrectionError(
            f"bullet_limit is {told(limit)}, but it is a whole number, at least 1",
            hint="Give points that can be played.",
        )
    if _is_closed(three, convention) and limit <= (three["bullet_limit"] or 0):
        raise CorrectionError(
            f"pulka {key} is closed, there is nothing to join",
            hint="Start a pulka of four, or give a larger bullet_limit to play on.",
        )


def _refuse_low_limit(limit: int, old: int | None, bullets: list[int], convention: Convention) -> None:
    """Raise if the limit is lowered below what the bullets hold; a bullet that was above the old one may stay so."""
    if convention.close == "total":
        held, whose = -(-sum(bullets) // len(bullets)), "the mean of the bullets that are carried over"
    else:
        held, whose = max(bullets), "a bullet that is carried over"
    if limit < (held if old is None else min(old, held)):
        raise CorrectionError(f"bullet_limit is {limit}, but {whose} is {held}", hint=f"Give at least {held}.")


def _refuse_unseatable(player: str | None, row: Row) -> None:
    """Raise if the newcomer's name is none, or that of one of the three."""
    if player is None:
        return
    if not isinstance(player, str) or not player.strip():
        raise CorrectionError(f"player is {told(player)}, not a name", hint="Give a text, or leave player out.")
    for seat in _THREE:
        if row.get(player_column(seat)) == player:
            raise CorrectionError(
                f"player is {player!r}, who sits at the table already, at seat {seat}",
                hint="Give the newcomer another name; two people of one name would be taken for one player.",
            )


def _columns_of_four(three: Row, seats: dict[str, str], newcomer: str) -> dict[str, int]:
    """Give the columns of the new sheet: those of the three in their seats, and the newcomer's means."""
    columns = dict.fromkeys(entry_columns(), 0)
    for old, taken in seats.items():
        columns[bullet_column(taken)] = three[bullet_column(old)]
        columns[mountain_column(taken)] = three[mountain_column(old)]
    for writer, on in pairs(len(_THREE)):
        columns[whists_column(seats[writer], seats[on])] = three[whists_column(writer, on)]
    columns[bullet_column(newcomer)] = sum(three[bullet_column(old)] for old in _THREE) // len(_THREE)
    columns[mountain_column(newcomer)] = -(-sum(three[mountain_column(old)] for old in _THREE) // len(_THREE))
    return columns


def _opening(columns: dict[str, int], newcomer: str, key: int) -> list[Entry]:
    """List the entries that write the columns; those of 0 are left out."""
    carried = f"carried over from pulka {key}"
    bullet_reason = {newcomer: "mean of the bullets, rounded down"}
    mountain_reason = {newcomer: "mean of the mountains, rounded up"}
    entries: list[Entry] = [
        *((s, "bullet", None, columns[bullet_column(s)], bullet_reason.get(s, carried)) for s in SEATS),
        *((s, "mountain", None, columns[mountain_column(s)], mountain_reason.get(s, carried)) for s in SEATS),
        *((writer, "whists", on, columns[whists_column(writer, on)], carried) for writer, on in pairs()),
    ]
    return [entry for entry in entries if entry[3]]


def _seated(settled: pl.DataFrame, seats: dict[str, str], newcomer: str, pulka: int) -> pl.DataFrame:
    """Give the results of the three in the seats of the new pulka, and 0 to the newcomer."""
    results = dict(zip([*seats.values(), newcomer], [*settled["result_twelfths"], 0], strict=True))
    return pl.DataFrame(
        {"pulka": pulka, "seat": list(results), "result_twelfths": list(results.values())},
        schema_overrides={"seat": SEAT},
    )
