"""The rounding rules (rules §7), as expressions over one pulka's settlement in twelfths of a whist.

Every rule sees, for each seat s of a table, three columns: ``result_s``, the exact result; ``share_s``, what the mountain
of s after carrying the bullets and after the amnesty costs him to each opponent; ``balance_s``, his whists less those
written on him.  All are Int64 in twelfths.  A rule gives what it makes of them, and the points that it moved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import polars as pl

from prefdata.conventions import Convention
from prefdata.vocabulary import TWELFTHS, seats_at_table

__all__ = ["ROUNDING_RULES", "Rounded", "round_results"]


@dataclass(frozen=True)
class Rounded:
    """What a rule gives, seat by seat.

    Attributes
    ----------
    twelfths
        The rounded results, in twelfths.
    adjusted
        The mountain point that the rule moved: -1, 1 or 0.
    """

    twelfths: list[pl.Expr]
    adjusted: list[pl.Expr]


def round_results(players: int, convention: Convention) -> tuple[list[pl.Expr], list[pl.Expr]]:
    """Round the results of pulkas with one number of players under the convention's rule.

    Parameters
    ----------
    players
        Number of players.
    convention
        Its `rounding` names the rule, its `code_owner` the moved mountain.

    Returns
    -------
    tuple of lists of pl.Expr
        For each seat the rounded result in whists (Int64) and the moved point.  Where a rule leaves any result of a
        pulka with a fraction, as `exact` may, all its rounded results are null.
    """
    rule = ROUNDING_RULES[convention.rounding]
    rounded = rule(players, convention)
    is_whole = pl.lit(convention.rounding != "exact") & pl.all_horizontal(map(_is_whole, rounded.twelfths))
    whole = [pl.when(is_whole).then(twelfths // TWELFTHS) for twelfths in rounded.twelfths]
    return whole, [point.cast(pl.Int64) for point in rounded.adjusted]


def _is_whole(twelfths: pl.Expr) -> pl.Expr:
    return twelfths % TWELFTHS == 0


def _results(players: int) -> list[pl.Expr]:
    return [pl.col(f"result_{seat}") for seat in seats_at_table(players)]


def _shares(players: int) -> list[pl.Expr]:
    return [pl.col(f"share_{seat}") for seat in seats_at_table(players)]


def _from_shares(players: int, shares: list[pl.Expr]) -> list[pl.Expr]:
    """Settle shares anew: everybody receives each share but his own, and pays his own to each opponent."""
    total = pl.sum_horizontal(shares)
    return [
        total - share * players + pl.col(f"balance_{seat}")
        for seat, share in zip(seats_at_table(players), shares, strict=True)
    ]


def _unmoved(players: int) -> list[pl.Expr]:
    return [pl.lit(0)] * players


def _exact(players: int, convention: Convention) -> Rounded:
    """Keep fractions."""
    return Rounded(_results(players), _unmoved(players))


def _nearest(players: int, convention: Convention) -> Rounded:
    """Round each share to the nearest whole, half up; pairwise, so that the sum stays 0 (Mendelev)."""
    shares = [(share + TWELFTHS // 2) // TWELFTHS * TWELFTHS for share in _shares(players)]
    return Rounded(_from_shares(players, shares), _unmoved(players))


def _truncate(players: int, convention: Convention) -> Rounded:
    """Drop the fraction of each share."""
    shares = [share // TWELFTHS * TWELFTHS for share in _shares(players)]
    return Rounded(_from_shares(players, shares), _unmoved(players))


def _total_half_up(players: int, convention: Convention) -> Rounded:
    """Round each total by itself, half up, below zero too; the sum need not be 0."""
    totals = [(result + TWELFTHS // 2) // TWELFTHS * TWELFTHS for result in _results(players)]
    return Rounded(totals, _unmoved(players))


def _total_half_even(players: int, convention: Convention) -> Rounded:
    """Round each total by itself, half to even; the sum need not be 0."""
    totals = []
    for result in _results(players):
        whole, rest = result // TWELFTHS, result % TWELFTHS
        up = (rest > TWELFTHS // 2) | ((rest == TWELFTHS // 2) & (whole % 2 != 0))
        totals.append((whole + up.cast(pl.Int64)) * TWELFTHS)
    return Rounded(totals, _unmoved(players))


def _point(players: int, convention: Convention) -> int:
    """Tell what moving a mountain by one point shifts at each opponent before compensation, in twelfths."""
    shift: Fraction = convention.mountain_share(players) * TWELFTHS
    return shift.numerator // shift.denominator


def _compensation(players: int, convention: Convention) -> int:
    """Tell the whists that compensate for a moved point at each opponent, in twelfths (Code 4.2.12)."""
    return convention.mountain_weight // players * TWELFTHS


def _every_mountain(players: int, convention: Convention) -> Rounded:
    """Send every mountain whose share is not whole to 4.2.12 (Code 4.2.14 as several programs read it)."""
    point = _point(players, convention)
    moved = [
        pl.when(_is_whole(share))
        .then(0)
        .when(_is_whole(share - point))
        .then(-1)
        .when(_is_whole(share + point))
        .then(1)
        .otherwise(0)
        for share in _shares(players)
    ]
    shares = [share + move * point for share, move in zip(_shares(players), moved, strict=True)]
    all_moves = pl.sum_horizontal(moved)
    compensation = _compensation(players, convention)
    totals = [
        total + (move * players - all_moves) * compensation
        for total, move in zip(_from_shares(players, shares), moved, strict=True)
    ]
    return Rounded(totals, moved)


def _owners(players: int, convention: Convention) -> list[pl.Expr]:
    """Tell whose mountain 4.2.12 moves: the largest or smallest whose own share is not whole, or a seat's."""
    seats = seats_at_table(players)
    if convention.code_owner not in ("largest", "smallest"):
        return [pl.lit(seat == convention.code_owner) for seat in seats]
    uneven = [pl.when(~_is_whole(share)).then(share) for share in _shares(players)]
    chosen = pl.max_horizontal(uneven) if convention.code_owner == "largest" else pl.min_horizontal(uneven)
    owners: list[pl.Expr] = []
    for share in uneven:
        taken = pl.any_horizontal([*owners, pl.lit(False)])
        owners.append((share == chosen).fill_null(False) & ~taken)
    return owners


def _code(players: int, convention: Convention) -> Rounded:
    """Move one player's mountain by one point where totals have fractions, for whists (Code 4.2.12)."""
    shift = _point(players, convention) - _compensation(players, convention)
    owners = _owners(players, convention)

    def moved_by(point: int) -> list[pl.Expr]:
        return [
            result + pl.when(owner).then(-point * (players - 1) * shift).otherwise(point * shift)
            for result, owner in zip(_results(players), owners, strict=True)
        ]

    has_fractions = ~pl.all_horizontal(map(_is_whole, _results(players)))
    has_owner = has_fractions & pl.any_horizontal(owners)
    down = has_owner & pl.all_horizontal(map(_is_whole, moved_by(-1)))
    up = has_owner & ~down & pl.all_horizontal(map(_is_whole, moved_by(1)))
    point = pl.when(down).then(-1).when(up).then(1).otherwise(0)
    totals = [
        pl.when(down).then(lower).when(up).then(higher).otherwise(result)
        for result, lower, higher in zip(_results(players), moved_by(-1), moved_by(1), strict=True)
    ]
    return Rounded(totals, [pl.when(owner).then(point).otherwise(0) for owner in owners])


ROUNDING_RULES: dict[str, Callable[[int, Convention], Rounded]] = {
    "exact": _exact,
    "code": _code,
    "code-every-mountain": _every_mountain,
    "nearest": _nearest,
    "truncate": _truncate,
    "total-half-up": _total_half_up,
    "total-half-even": _total_half_even,
}
"""The rules by their names in `Convention.rounding`."""
