"""The rounding rules (rules §7), over settlements in twelfths of a whist, a row a pulka.

Every rule sees, for each seat s of a table, three columns: ``result_s``, the exact result; ``share_s``, what the
mountain of s, after carrying the bullets and after the amnesty, costs him to each opponent; ``balance_s``, his whists
less those written on him.  All are Int64 in twelfths.  A rule adds ``rounded_s``, in twelfths, and ``adjusted_s``, the
mountain point that it moved.

A rule is a function under ``@_rule``, found by its name: ``_total_half_up`` is "total-half-up".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

import polars as pl

from prefdata.conventions import ROUNDINGS, Convention
from prefdata.vocabulary import TWELFTHS, seats_at_table

__all__ = ["ROUNDING_RULES", "compensation", "round_results"]

_Rule: TypeAlias = Callable[[pl.DataFrame, int, Convention], pl.DataFrame]
_FOUR = 4
"""Players at a table where half of a mountain point cannot be paid in whists, which is where habits differ."""

_written: dict[str, _Rule] = {}


def round_results(frame: pl.DataFrame, players: int, convention: Convention) -> pl.DataFrame:
    """Round the results of pulkas with one number of players under the convention's rule.

    Parameters
    ----------
    frame
        One row a pulka, with the columns named above.
    players
        Number of players.
    convention
        Its `rounding` names the rule, its `code_owner` whose mountain is moved.

    Returns
    -------
    pl.DataFrame
        The frame with ``rounded_s`` in whists and ``adjusted_s`` (-1, 0 or 1) for each seat s (Int64).  Where a rule
        leaves any result of a pulka with a fraction, as `exact` may, all its rounded results are null.
    """
    rounded = ROUNDING_RULES[convention.rounding](frame, players, convention)
    every = _columns("rounded", players)
    is_whole = pl.lit(convention.rounding != "exact") & _are_whole(every)
    return rounded.with_columns(
        *(pl.when(is_whole).then(column // TWELFTHS).alias(column.meta.output_name()) for column in every),
        *(column.cast(pl.Int64) for column in _columns("adjusted", players)),
    )


def compensation(players: int, convention: Convention) -> int:
    """Tell the whists that compensate for a moved point between its owner and each opponent (Code 4.2.12).

    >>> compensation(3, Convention()), compensation(4, Convention())
    (3, 2)
    >>> compensation(4, Convention(code_compensation="up"))
    3
    """
    is_up = convention.code_compensation == "up" and players == _FOUR
    return -(-convention.mountain_weight // players) if is_up else convention.mountain_weight // players


def _columns(name: str, players: int) -> list[pl.Expr]:
    return [pl.col(f"{name}_{seat}") for seat in seats_at_table(players)]


def _named(name: str, players: int, values: Iterable[pl.Expr]) -> list[pl.Expr]:
    return [value.alias(f"{name}_{seat}") for seat, value in zip(seats_at_table(players), values, strict=True)]


def _is_whole(twelfths: pl.Expr) -> pl.Expr:
    return twelfths % TWELFTHS == 0


def _are_whole(twelfths: Sequence[pl.Expr]) -> pl.Expr:
    return pl.all_horizontal(map(_is_whole, twelfths))


def _unmoved(frame: pl.DataFrame, players: int, rounded: Iterable[pl.Expr]) -> pl.DataFrame:
    """Write rounded results of a rule that moves no mountain."""
    return frame.with_columns(*_named("rounded", players, rounded), *_named("adjusted", players, [pl.lit(0)] * players))


def _from_shares(players: int, shares: Sequence[pl.Expr]) -> list[pl.Expr]:
    """Settle shares anew: everybody receives each share but his own, and pays his own to each opponent."""
    total = pl.sum_horizontal(shares)
    return [
        total - share * players + balance for share, balance in zip(shares, _columns("balance", players), strict=True)
    ]


def _rule(function: _Rule) -> _Rule:
    _written[function.__name__.removeprefix("_").replace("_", "-")] = function
    return function


@_rule
def _exact(frame: pl.DataFrame, players: int, convention: Convention) -> pl.DataFrame:
    """Keep fractions."""
    return _unmoved(frame, players, _columns("result", players))


@_rule
def _nearest(frame: pl.DataFrame, players: int, convention: Convention) -> pl.DataFrame:
    """Round each share to the nearest whole, half up; pairwise, so that the sum stays 0 (Mendelev)."""
    shares = [(share + TWELFTHS // 2) // TWELFTHS * TWELFTHS for share in _columns("share", players)]
    return _unmoved(frame, players, _from_shares(players, shares))


@_rule
def _truncate(frame: pl.DataFrame, players: int, convention: Convention) -> pl.DataFrame:
    """Drop the fraction of each share."""
    shares = [share // TWELFTHS * TWELFTHS for share in _columns("share", players)]
    return _unmoved(frame, players, _from_shares(players, shares))


@_rule
def _total_half_up(frame: pl.DataFrame, players: int, convention: Convention) -> pl.DataFrame:
    """Round each total by itself, half up, below zero too; the sum need not be 0."""
    totals = [(result + TWELFTHS // 2) // TWELFTHS * TWELFTHS for result in _columns("result", players)]
    return _unmoved(frame, players, totals)


@_rule
def _total_half_even(frame: pl.DataFrame, players: int, convention: Convention) -> pl.DataFrame:
    """Round each total by itself, half to even; the sum need not be 0."""
    totals = []
    for result in _columns("result", players):
        whole, rest = result // TWELFTHS, result % TWELFTHS
        up = (rest > TWELFTHS // 2) | ((rest == TWELFTHS // 2) & (whole % 2 != 0))
        totals.append((whole + up.cast(pl.Int64)) * TWELFTHS)
    return _unmoved(frame, players, totals)


@_rule
def _total_truncate(frame: pl.DataFrame, players: int, convention: Convention) -> pl.DataFrame:
    """Cut the fraction off each total, towards zero; the sum need not be 0."""
    totals = [result - result.sign() * (result.abs() % TWELFTHS) for result in _columns("result", players)]
    return _unmoved(frame, players, totals)


def _point(players: int, convention: Convention) -> int:
    """Tell what a mountain point costs to each opponent, in twelfths."""
    share: Fraction = convention.mountain_share(players) * TWELFTHS
    return share.numerator // share.denominator


@_rule
def _code_every_mountain(frame: pl.DataFrame, players: int, convention: Convention) -> pl.DataFrame:
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
        for share in _columns("share", players)
    ]
    frame = frame.with_columns(_named("adjusted", players, moved))
    moves = _columns("adjusted", players)
    shares = [share + move * point for share, move in zip(_columns("share", players), moves, strict=True)]
    whists = [
        (move * players - pl.sum_horizontal(moves)) * (compensation(players, convention) * TWELFTHS) for move in moves
    ]
    totals = [total + written for total, written in zip(_from_shares(players, shares), whists, strict=True)]
    return frame.with_columns(_named("rounded", players, totals))


def _with_owner(frame: pl.DataFrame, players: int, convention: Convention) -> pl.DataFrame:
    """Mark whose mountain 4.2.12 moves: the largest or smallest whose own share is not whole, or a seat's."""
    seats = seats_at_table(players)
    if convention.code_owner not in ("largest", "smallest"):
        return frame.with_columns(_named("owner", players, [pl.lit(seat == convention.code_owner) for seat in seats]))
    uneven = [pl.when(~_is_whole(share)).then(share) for share in _columns("share", players)]
    chosen = pl.max_horizontal(uneven) if convention.code_owner == "largest" else pl.min_horizontal(uneven)
    frame = frame.with_columns(_named("owner", players, [(share == chosen).fill_null(False) for share in uneven]))
    owners = _columns("owner", players)
    first = [owner & ~pl.any_horizontal([*owners[:number], pl.lit(False)]) for number, owner in enumerate(owners)]
    return frame.with_columns(first)


def _is_nearer_up(players: int, convention: Convention) -> pl.Expr:
    """Tell whether the mountains of four are nearer to the next multiple of four, where that is looked at."""
    if convention.code_direction == "down" or players != _FOUR:
        return pl.lit(False)
    point = _point(players, convention)
    return pl.sum_horizontal(_columns("share", players)) % (_FOUR * point) > 2 * point


@_rule
def _code(frame: pl.DataFrame, players: int, convention: Convention) -> pl.DataFrame:
    """Move one player's mountain by one point where totals have fractions, for whists (Code 4.2.12)."""
    frame = _with_owner(frame, players, convention)
    owners, results = _columns("owner", players), _columns("result", players)
    shift = _point(players, convention) - compensation(players, convention) * TWELFTHS

    def moved_by(point: int) -> list[pl.Expr]:
        return [
            result + pl.when(owner).then(-point * (players - 1) * shift).otherwise(point * shift)
            for result, owner in zip(results, owners, strict=True)
        ]

    frame = frame.with_columns(
        *_named("down", players, moved_by(-1)),
        *_named("up", players, moved_by(1)),
        is_movable=~_are_whole(results) & pl.any_horizontal(owners),
    )
    downs, ups = _columns("down", players), _columns("up", players)
    frame = frame.with_columns(
        point=pl.when(~pl.col("is_movable"))
        .then(0)
        .when(_is_nearer_up(players, convention) & _are_whole(ups))
        .then(1)
        .when(_are_whole(downs))
        .then(-1)
        .when(_are_whole(ups))
        .then(1)
        .otherwise(0)
    )
    point = pl.col("point")
    totals = [
        pl.when(point == 0).then(result).when(point < 0).then(down).otherwise(up)
        for result, down, up in zip(results, downs, ups, strict=True)
    ]
    moved = [pl.when(owner).then(point).otherwise(0) for owner in owners]
    return frame.with_columns(*_named("rounded", players, totals), *_named("adjusted", players, moved))


if unmatched := _written.keys() ^ set(ROUNDINGS):
    raise NotImplementedError(f"rounding rules without a function, or functions without a name: {sorted(unmatched)}")

ROUNDING_RULES: dict[str, _Rule] = {rounding: _written[rounding] for rounding in ROUNDINGS}
"""The rules by their names in `Convention.rounding`."""
