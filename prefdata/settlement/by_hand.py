"""The settlement step by step, in the two ways of rule 4.2.14, for people who check by hand."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from prefdata.conventions import Convention, resolve
from prefdata.doors import AnyFrame, as_whole
from prefdata.game import Steps
from prefdata.games import GAMES
from prefdata.settlement.rounding import compensation
from prefdata.settlement.settling import in_settlement, wide_settlement
from prefdata.settlement.sheet_rules import check_sheets
from prefdata.vocabulary import SEAT, SEATS, TWELFTHS, seats_at_table

__all__ = ["settlement_steps"]


def settlement_steps(
    sheets: AnyFrame, convention: str | Path | Convention, *, variant: int = 1, rounding: str | None = None
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
    variant = as_whole(variant, "variant", 1, 2)
    switches = resolve(convention).with_rounding(rounding)
    good, _ = check_sheets(sheets, switches)
    game = GAMES[switches.game]
    steps = game.steps[variant]
    frames = [
        _seat_rows(wide_settlement(table, players, switches), players, switches, steps(players, switches))
        for players in reversed(game.players)  # the largest table has all columns, in order
        if (table := in_settlement(good.filter(pl.col("players") == players), game)).height
    ]
    return pl.concat(frames, how="diagonal").sort("pulka", "seat") if frames else pl.DataFrame()


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
