"""What each rounding rule does to each sheet, added up in integers before any mean is taken (rules §7).

Sheets are settled once for each number of players; every rule then rounds the same wide frame, and what it does to a
sheet is counted in the sheet's cell: its players, bullet limit and stake.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import polars as pl

from prefdata.conventions import Convention
from prefdata.settlement.rounding import round_results
from prefdata.settlement.settling import wide_settlement
from prefdata.vocabulary import PLAYER_COUNTS, SEATS, TWELFTHS, seats_at_table

__all__ = ["CELL", "GROUPS", "PARTS", "RoundingSums", "add_up"]

CELL = ("players", "bullet_limit", "stake")
"""Columns that tell in which cell a sheet is counted."""

GROUPS = ("winner", "loser", "largest_mountain", "smallest_mountain", *(f"seat_{seat}" for seat in SEATS), "moved")
"""Those whom a rule may favour."""

PARTS = TWELFTHS * 12
"""Parts of a whist in which a group's mean gain on one sheet is whole: up to four of a group may be tied."""

_SHEETS_AT_ONCE = 100_000
"""Sheets that are settled together; more of them only take more memory."""


@dataclass(frozen=True)
class RoundingSums:
    """Integer sums over sheets, a row a cell: the ground of every frame of a rounding study.

    Attributes
    ----------
    sheets
        Per cell: `sheets`, and of those with fractions `one_third`, `two_thirds`, `halves`, `other`.
    rules
        Per cell and `rule`: `settled` sheets and `not_whole` ones; sums of distances and gains; counts of breaks; what
        the rule does without the amnesty.
    owners
        Per cell, `owner` (a choice of `code_owner`) and `point`: sheets on which `code` moves a mountain.
    """

    sheets: pl.DataFrame
    rules: pl.DataFrame
    owners: pl.DataFrame


def add_up(sheets: pl.DataFrame, convention: Convention, rules: Mapping[str, Convention]) -> RoundingSums:
    """Settle good sheets under every rule and add up what the rules do.

    Parameters
    ----------
    sheets
        Sheets that keep the rules, with `stake`.
    convention
        Gives the shares; its `code_owner` is the choice that others are compared with.
    rules
        For each rule's name the convention that rounds by it.
    """
    cells: list[pl.DataFrame] = []
    by_rule: list[pl.DataFrame] = []
    by_owner: list[pl.DataFrame] = []
    for players, table in _tables(sheets, convention):
        cells.append(table.group_by(CELL).agg(_fractions(players)))
        for name, switches in rules.items():
            by_rule += [sums.with_columns(rule=pl.lit(name)) for sums in _sums_of_rule(table, players, switches)]
        by_owner += _sums_of_owners(table, players, convention)
    return RoundingSums(*(pl.concat(frames, how="diagonal_relaxed") for frames in (cells, by_rule, by_owner)))


def _tables(sheets: pl.DataFrame, convention: Convention) -> Iterator[tuple[int, pl.DataFrame]]:
    """Settle sheets, a table for each number of players (an empty one too, so that no sum lacks its columns)."""
    for players in PLAYER_COUNTS:
        table = sheets.filter(pl.col("players") == players)
        names = [
            f"{name}_{seat}" for name in ("result", "share", "carried", "balance") for seat in seats_at_table(players)
        ]
        for share in table.iter_slices(_SHEETS_AT_ONCE) if table.height else [table]:
            yield (
                players,
                wide_settlement(share, players, convention).select(*CELL[:2], pl.col("stake").cast(pl.Float64), *names),
            )


def _columns(name: str, players: int) -> list[pl.Expr]:
    return [pl.col(f"{name}_{seat}") for seat in seats_at_table(players)]


def _count(rule: pl.Expr) -> pl.Expr:
    return rule.sum().cast(pl.Int64)


def _fractions(players: int) -> list[pl.Expr]:
    """Count sheets, and those whose totals have fractions by the fraction that all of them carry."""
    rests = [result % TWELFTHS for result in _columns("result", players)]

    def all_carry(twelfths: int) -> pl.Expr:
        return pl.all_horizontal(rest == twelfths for rest in rests)

    known = {"one_third": 4, "two_thirds": 8, "halves": 6}
    whole = all_carry(0)
    other = ~whole & ~pl.any_horizontal(all_carry(twelfths) for twelfths in known.values())
    return [
        pl.len().cast(pl.Int64).alias("sheets"),
        *(_count(all_carry(twelfths)).alias(name) for name, twelfths in known.items()),
        _count(other).alias("other"),
    ]


def _rounded(table: pl.DataFrame, players: int, convention: Convention) -> pl.DataFrame:
    """Round a table; ``rounded_a`` in twelfths, the exact result where the rule keeps fractions, ``gain_a`` over it."""
    frame = round_results(table, players, convention)
    keeps = convention.rounding == "exact"
    pairs = zip(seats_at_table(players), _columns("result", players), _columns("rounded", players), strict=True)
    return frame.with_columns(
        (result if keeps else rounded * TWELFTHS).alias(f"rounded_{seat}") for seat, result, rounded in pairs
    ).with_columns(
        (rounded - result).alias(f"gain_{seat}")
        for seat, rounded, result in zip(
            seats_at_table(players), _columns("rounded", players), _columns("result", players), strict=True
        )
    )


def _order(values: Sequence[pl.Expr]) -> pl.Expr:
    """Number the order of the players, ties included: equal for two results exactly if everybody's rank is."""
    signs = [(one - other).sign() + 1 for one, other in combinations(values, 2)]
    return pl.sum_horizontal(sign * 3**place for place, sign in enumerate(signs))


def _sums_of_rule(table: pl.DataFrame, players: int, convention: Convention) -> Iterator[pl.DataFrame]:
    """Give the sums of one rule: of all sheets, of those that it settles, and what it does without the amnesty."""
    frame = _rounded(table, players, convention)
    results, rounded = _columns("result", players), _columns("rounded", players)
    whole = pl.all_horizontal(total % TWELFTHS == 0 for total in rounded)
    yield frame.group_by(CELL).agg(pl.len().cast(pl.Int64).alias("sheets"), not_whole=_count(~whole.fill_null(False)))
    settled = frame.filter(rounded[0].is_not_null())
    fractional = pl.any_horizontal(result % TWELFTHS != 0 for result in results)
    changed = pl.any_horizontal(gain != 0 for gain in _columns("gain", players))
    facts = settled.select(
        *CELL,
        *_distances(players),
        *_gains(players),
        changed=changed,
        changed_whole=changed & ~fractional,
        **_breaks(results, rounded),
    )
    yield facts.group_by(CELL).agg(
        pl.len().cast(pl.Int64).alias("settled"),
        _count(pl.selectors.boolean()),
        pl.sum("distance", "seats"),
        pl.max("largest", "residue"),
        residues=_count(pl.col("residue") != 0),
        **{f"sheets_{name}": pl.col(f"gain_{name}").count().cast(pl.Int64) for name in GROUPS},
        **{f"gain_{name}": pl.col(f"gain_{name}").sum() for name in GROUPS},
        **{f"squares_{name}": (pl.col(f"gain_{name}") ** 2).sum() for name in GROUPS},
    )
    yield _without_amnesty(frame, players, convention)


def _distances(players: int) -> list[pl.Expr]:
    gains = [gain.abs() for gain in _columns("gain", players)]
    return [
        pl.sum_horizontal(gains).alias("distance"),
        pl.max_horizontal(gains).alias("largest"),
        pl.sum_horizontal(_columns("rounded", players)).abs().alias("residue"),
        pl.lit(players, dtype=pl.Int64).alias("seats"),
    ]


def _gains(players: int) -> list[pl.Expr]:
    """Give what each group gains on a sheet over exact, in parts of a whist: the mean of those who share a place."""
    results, shares = _columns("result", players), _columns("share", players)
    seats = seats_at_table(players)
    members = {
        "winner": [result == pl.max_horizontal(results) for result in results],
        "loser": [result == pl.min_horizontal(results) for result in results],
        "largest_mountain": [share == pl.max_horizontal(shares) for share in shares],
        "smallest_mountain": [share == pl.min_horizontal(shares) for share in shares],
        **{f"seat_{seat}": [pl.lit(other == seat) for other in seats] for seat in SEATS},
        "moved": [adjusted != 0 for adjusted in _columns("adjusted", players)],
    }

    def mean(belong: Sequence[pl.Expr]) -> pl.Expr:
        gains = zip(belong, _columns("gain", players), strict=True)
        own = [pl.when(is_in).then(gain).otherwise(0) for is_in, gain in gains]
        number = pl.sum_horizontal(is_in.cast(pl.Int64) for is_in in belong)
        whole = pl.when(number > 0).then(number)  # 12 divides by 1, 2, 3 and 4
        return pl.sum_horizontal(own) * (PARTS // TWELFTHS // whole)

    return [mean(belong).cast(pl.Int64).alias(f"gain_{name}") for name, belong in members.items()]


def _breaks(results: Sequence[pl.Expr], rounded: Sequence[pl.Expr]) -> dict[str, pl.Expr]:
    """Tell what of the exact results no longer holds: the order, and the signs."""
    before = [(one - other).sign() for one, other in combinations(results, 2)]
    after = [(one - other).sign() for one, other in combinations(rounded, 2)]
    pairs = list(zip(before, after, strict=True))
    signs = [(result.sign(), total.sign()) for result, total in zip(results, rounded, strict=True)]
    return {
        "order": pl.any_horizontal(old != new for old, new in pairs),
        "ties_made": pl.any_horizontal((old != 0) & (new == 0) for old, new in pairs),
        "ties_broken": pl.any_horizontal((old == 0) & (new != 0) for old, new in pairs),
        "swaps": pl.any_horizontal(old * new < 0 for old, new in pairs),
        "sign": pl.any_horizontal(old != new for old, new in signs),
        "sign_reversed": pl.any_horizontal(old * new < 0 for old, new in signs),
    }


def _without_amnesty(frame: pl.DataFrame, players: int, convention: Convention) -> pl.DataFrame:
    """Round mountains as they are carried, not lowered by the smallest one, and compare."""
    seats = seats_at_table(players)
    full = frame.select(*CELL, *_columns("result", players), *_columns("balance", players)).with_columns(
        frame[f"carried_{seat}"].alias(f"share_{seat}") for seat in seats
    )
    rounded = _rounded(full, players, convention).select(
        pl.col(f"rounded_{seat}").alias(f"unamnestied_{seat}") for seat in seats
    )
    both = pl.concat([frame, rounded], how="horizontal")
    pairs = list(zip(_columns("rounded", players), _columns("unamnestied", players), strict=True))
    ranks = _order([one for one, _ in pairs]) != _order([other for _, other in pairs])
    return both.group_by(CELL).agg(
        otherwise=_count(pl.any_horizontal(one.ne_missing(other) for one, other in pairs)),
        otherwise_ranks=_count(
            pl.all_horizontal(pair[0].is_not_null() & pair[1].is_not_null() for pair in pairs) & ranks
        ),
        otherwise_largest=pl.max_horizontal((one - other).abs() for one, other in pairs).max(),
    )


def _sums_of_owners(table: pl.DataFrame, players: int, convention: Convention) -> Iterator[pl.DataFrame]:
    """Give what `code` brings to the player whose mountain is moved, for each choice of him."""
    seats = seats_at_table(players)
    moves = {
        owner: _moves(table, players, convention.replace(name=owner, rounding="code", code_owner=owner))
        for owner in ("largest", "smallest", *seats)
    }
    orders = pl.DataFrame({owner: frame["order"] for owner, frame in moves.items()})
    first = pl.col(seats[0])
    contested = orders.select(pl.any_horizontal(pl.col(seat) != first for seat in seats[1:])).to_series()
    chosen = orders[convention.code_owner] if convention.code_owner in moves else None
    for owner, frame in moves.items():
        default = pl.lit(None, dtype=pl.Int64) if chosen is None else chosen
        compared = frame.with_columns(contested=contested, changes=pl.col("order") != default)
        yield (
            compared.filter(pl.col("point") != 0)
            .group_by(*CELL, "point")
            .agg(
                pl.len().cast(pl.Int64).alias("sheets"),
                pl.sum("gain", "value"),
                ranks_from_exact=_count(pl.col("order") != pl.col("exact_order")),
                ranks_from_convention=_count(pl.col("changes")),
                ranks_contested=_count(pl.col("contested")),
            )
            .with_columns(owner=pl.lit(owner))
        )


def _moves(table: pl.DataFrame, players: int, convention: Convention) -> pl.DataFrame:
    """Give the point that `code` moves, what its owner gains, and what that is worth against not being chosen."""
    gains, moved = _columns("gain", players), _columns("adjusted", players)
    own = [pl.when(point != 0).then(gain).otherwise(0) for gain, point in zip(gains, moved, strict=True)]
    return _rounded(table, players, convention).select(
        *CELL,
        point=pl.sum_horizontal(moved),
        gain=pl.sum_horizontal(own),
        value=pl.max_horizontal(gains) - pl.min_horizontal(gains),
        order=pl.when(pl.all_horizontal(gain.is_not_null() for gain in gains)).then(
            _order(_columns("rounded", players))
        ),
        exact_order=_order(_columns("result", players)),
    )
