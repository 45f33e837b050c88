"""The settlement step by step, in the two ways of rule 4.2.14, for people who check by hand."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from prefdata.conventions import Convention, resolve
from prefdata.games import GAMES
from prefdata.rounding import compensation
from prefdata.settlement import in_settlement, wide_settlement
from prefdata.sheet_rules import check_sheets
from prefdata.vocabulary import (
    BALKAN,
    SEAT,
    SEATS,
    TWELFTHS,
    bullet_column,
    mountain_column,
    seats_at_table,
    whists_column,
)

__all__ = ["settlement_steps"]

_FIRST_STEPS = ("mountain", "carried")


def settlement_steps(
    sheets: pl.DataFrame, convention: str | Path | Convention, *, variant: int = 1, rounding: str | None = None
) -> pl.DataFrame:
    """Show how sheets are settled, step by step, by either variant of rule 4.2.14 (rules §7).

    Parameters
    ----------
    sheets
        Sheets, as for `settle`; those that break a rule are left out.
    convention
        A convention, its name or its file.
    variant
        1, the amnesty: each mountain is lowered by the smallest one, its share is added to the whists that every other
        player has on its owner, and these are compared pair by pair.  2, the mean: each mountain is compared with the
        mean mountain.  A Balkan pulka has one way only.
    rounding
        The rounding rule, in place of the convention's.

    Returns
    -------
    pl.DataFrame
        One row a pulka and seat.  Both variants begin with `mountain` (points) and `carried` (what the bullet lacks of
        the limit, at the rate of the convention) and end with `result`, `rounded`, and the moved point `adjusted` with
        `compensation`, the whists for which it was moved (positive where they are written on the others).
        Variant 1 has `amnesty`, `remaining`, `share` (whists to each opponent) and ``against_a`` ... (the balance with
        each other seat); variant 2 has `mean`, `from_mean` and `from_whists`.  A Balkan pulka has `contract`, `share`
        (what its seat is given of the points missing to 0), `equalised`, `from_contract` and `from_juha` in whists,
        `result`, `rounded`, `adjusted`, `compensation`.

    Examples
    --------
    The third-party example with mountains 17, 1 and 12 of three players closed at 20:

    >>> sheet = pl.DataFrame(
    ...     {"pulka": [1], "players": [3], "bullet_limit": [20], "mountain_a": [17], "mountain_b": [1],
    ...      "mountain_c": [12], "whists_ab": [0], "whists_ac": [0], "whists_ba": [0], "whists_bc": [6],
    ...      "whists_ca": [30], "whists_cb": [0]})
    >>> settlement_steps(sheet, "sochi", variant=2).select("seat", "mean", "from_mean", "from_whists", "result").rows()
    [('a', 10.0, -70.0, -30.0, -100.0), ('b', 10.0, 90.0, 6.0, 96.0), ('c', 10.0, -20.0, 24.0, 4.0)]

    The shares of a and c are not whole, though the results are; a rule that rounds shares moves them:

    >>> settlement_steps(sheet, "sochi", rounding="nearest").select("seat", "remaining", "result", "rounded").rows()
    [('a', 16.0, -100.0, -99), ('b', 0.0, 96.0, 96), ('c', 11.0, 4.0, 3)]
    """
    if variant not in (1, 2):
        raise ValueError(f"variant is 1 or 2, not {variant!r}")
    switches = resolve(convention).with_rounding(rounding)
    good, _ = check_sheets(sheets, switches)
    steps = {1: _by_amnesty, 2: _by_mean}[variant]
    game = GAMES[switches.game]
    if switches.game == BALKAN:
        steps = _by_contract
    frames = [
        _seat_rows(wide_settlement(table, players, switches), players, switches, steps(players, switches))
        for players in reversed(game.players)  # the largest table has all columns, in order
        if (table := in_settlement(good.filter(pl.col("players") == players), game)).height
    ]
    return pl.concat(frames, how="diagonal").sort("pulka", "seat") if frames else pl.DataFrame()


Steps = dict[str, dict[str, pl.Expr]]
"""For each step before the result, what it gives for each seat."""


def _points(seat: str, players: int, convention: Convention) -> tuple[pl.Expr, pl.Expr]:
    """Give a seat's mountain and what is carried to it, in points."""
    rate = float(convention.exchange_rate(players))
    lacking = pl.col("bullet_limit") - pl.col(bullet_column(seat)) / TWELFTHS
    return pl.col(mountain_column(seat)) / TWELFTHS, lacking * rate


def _mountains(players: int, convention: Convention) -> Steps:
    points = {seat: _points(seat, players, convention) for seat in seats_at_table(players)}
    return {name: {seat: of_seat[place] for seat, of_seat in points.items()} for place, name in enumerate(_FIRST_STEPS)}


def _by_contract(players: int, convention: Convention) -> Steps:
    """Share what the contract columns lack of 0 equally, then count them with the juhas (rules §9)."""
    seats = seats_at_table(players)
    columns = {seat: pl.col(bullet_column(seat)) / TWELFTHS for seat in seats}
    missing = pl.sum_horizontal(pl.col(bullet_column(seat)) for seat in seats) * -1  # whole, where no zero has a sign
    share = missing / (players * TWELFTHS)
    return {
        "contract": columns,
        "share": dict.fromkeys(seats, share),
        "equalised": {seat: columns[seat] + share for seat in seats},
        "from_contract": {seat: pl.col(f"from_bullet_{seat}") / TWELFTHS for seat in seats},
        "from_juha": {seat: pl.col(f"balance_{seat}") / TWELFTHS for seat in seats},
    }


def _by_amnesty(players: int, convention: Convention) -> Steps:
    seats = seats_at_table(players)
    full = {seat: pl.sum_horizontal(_points(seat, players, convention)) for seat in seats}
    smallest = pl.min_horizontal(full.values())
    share = {seat: pl.col(f"share_{seat}") / TWELFTHS for seat in seats}

    def against(seat: str, other: str) -> pl.Expr:
        if seat == other:
            return pl.lit(None, dtype=pl.Float64)
        own = pl.col(whists_column(seat, other)) / TWELFTHS + share[other]
        return own - pl.col(whists_column(other, seat)) / TWELFTHS - share[seat]

    return {
        **_mountains(players, convention),
        "amnesty": dict.fromkeys(seats, smallest),
        "remaining": {seat: full[seat] - smallest for seat in seats},
        "share": share,
        **{f"against_{other}": {seat: against(seat, other) for seat in seats} for other in seats},
    }


def _by_mean(players: int, convention: Convention) -> Steps:
    seats = seats_at_table(players)
    full = {seat: pl.sum_horizontal(_points(seat, players, convention)) for seat in seats}
    from_mean = {seat: (pl.col(f"from_bullet_{seat}") + pl.col(f"from_mountain_{seat}")) / TWELFTHS for seat in seats}
    return {
        **_mountains(players, convention),
        "mean": dict.fromkeys(seats, pl.mean_horizontal(full.values())),
        "from_mean": from_mean,
        "from_whists": {seat: pl.col(f"balance_{seat}") / TWELFTHS for seat in seats},
    }


def _seat_rows(wide: pl.DataFrame, players: int, convention: Convention, steps: Steps) -> pl.DataFrame:
    whists_for_point = compensation(players, convention)
    rows = []
    for number, seat in enumerate(seats_at_table(players)):
        rows.append(
            wide.select(
                "pulka",
                seat=pl.lit(SEATS[number], dtype=SEAT),
                **{name: of_seat[seat] for name, of_seat in steps.items()},
                result=pl.col(f"result_{seat}") / TWELFTHS,
                rounded=f"rounded_{seat}",
                adjusted=f"adjusted_{seat}",
                compensation=pl.col(f"adjusted_{seat}") * whists_for_point,
            )
        )
    return pl.concat(rows)
