"""The frames of a rounding study, made from integer sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from prefdata.analysis._estimates import ENOUGH, Z, share, standard_error
from prefdata.analysis._rounding_sums import GROUPS, PARTS, RoundingSums
from prefdata.conventions import switches
from prefdata.vocabulary import TWELFTHS

__all__ = ["KEYS", "StudyFrames", "study_frames"]

KEYS = ("players", "bullet_limit")
"""What a study can be grouped by."""


@dataclass(frozen=True)
class StudyFrames:
    """What rules do to sheets, `by` keys; `RoundingStudy` tells the columns."""

    rules: tuple[str, ...]
    by: tuple[str, ...]
    fractions: pl.DataFrame
    distance: pl.DataFrame
    favours: pl.DataFrame
    breaks: pl.DataFrame
    owner: pl.DataFrame
    amnesty: pl.DataFrame


def study_frames(sums: RoundingSums, rules: tuple[str, ...], by: Sequence[str]) -> StudyFrames:
    """Add sums up by keys, and measure."""
    keys = tuple(key for key in KEYS if key in by)
    of_rules = sums.rules.with_columns(pl.col("rule").cast(pl.Enum(rules))).sort(*KEYS, "stake", "rule")
    pooled = _pooled(of_rules, (*keys, "rule"), largest=["largest", "residue", "otherwise_largest"])
    return StudyFrames(
        rules=rules,
        by=keys,
        fractions=_fractions(_pooled(sums.sheets, keys), keys),
        distance=_distance(pooled, of_rules, (*keys, "rule")),
        favours=_favours(of_rules, (*keys, "rule")),
        breaks=pooled.select(
            *keys,
            "rule",
            "settled",
            "not_whole",
            pl.col("residues").alias("not_zero_sum"),
            *("order", "ties_made", "ties_broken", "swaps", "sign", "sign_reversed"),
        ),
        owner=_owner(sums.owners, keys),
        amnesty=pooled.select(
            *(*keys, "rule", "sheets", "otherwise"),
            (pl.col("otherwise") / pl.col("sheets")).alias("share"),
            *("otherwise_ranks", pl.col("otherwise_largest").alias("largest_twelfths")),
            (pl.col("otherwise_largest") / TWELFTHS).alias("largest"),
        ),
    )


def _pooled(sums: pl.DataFrame, keys: Sequence[str], *, largest: Sequence[str] = ()) -> pl.DataFrame:
    """Add cells up by other keys."""
    values = [name for name in sums.columns if name not in (*KEYS, "stake", "rule", "owner", "point")]
    added = [pl.col(name).max() if name in largest else pl.col(name).sum() for name in values]
    if not keys:
        return sums.select(added) if sums.height else sums.select(values)
    return sums.group_by(keys).agg(added).sort(keys)


def _money(sums: pl.DataFrame, keys: Sequence[str], twelfths: pl.Expr, number: str) -> pl.DataFrame:
    """Give the mean money of a sum of parts of whists, of sheets that have a stake, always added in one order."""
    staked = sums.filter(pl.col("stake").is_not_null())
    listed = staked.group_by(keys, maintain_order=True).agg(money=twelfths * pl.col("stake"), number=pl.sum(number))
    return listed.select(*keys, money=pl.col("money").list.sum() / pl.when(pl.col("number") > 0).then("number"))


def _fractions(sums: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """Add the share of sheets with fractions and its interval."""
    kinds = ("one_third", "two_thirds", "halves", "other")
    return sums.with_columns(with_fractions=pl.sum_horizontal(kinds)).select(
        *keys, "sheets", "with_fractions", *share("share", "with_fractions", "sheets"), *kinds
    )


def _distance(pooled: pl.DataFrame, sums: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    whists = pl.col("distance") / TWELFTHS
    largest = sums.group_by(keys).agg(largest_money=(pl.col("largest") * pl.col("stake")).max() / TWELFTHS)
    return (
        pooled.join(_money(sums, keys, whists, "seats"), on=keys, how="left", maintain_order="left")
        .join(largest, on=keys, how="left", maintain_order="left")
        .select(
            *keys,
            *("settled", "seats", pl.col("distance").alias("distance_twelfths")),
            (whists / pl.when(pl.col("seats") > 0).then("seats")).alias("mean"),
            pl.col("largest").alias("largest_twelfths"),
            pl.col("largest") / TWELFTHS,
            pl.col("money").alias("mean_money"),
            *("largest_money", "changed", "changed_whole", "residues"),
            (pl.col("residue") // TWELFTHS).alias("largest_residue"),
        )
    )


def _favours(sums: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """Give each group's mean gain with its uncertainty."""
    number, error = pl.col("sheets"), pl.col("standard_error")
    frames = []
    for group in GROUPS:
        cells = sums.select(*keys, "stake", sheets=f"sheets_{group}", total=f"gain_{group}", squares=f"squares_{group}")
        money = _money(cells, keys, pl.col("total") / PARTS, "sheets").rename({"money": "gain_money"})
        added = cells.group_by(keys).agg(pl.sum("sheets", "total", "squares")).filter(number > 0)
        frames.append(
            added.with_columns(
                group=pl.lit(group, dtype=pl.Enum(GROUPS)),
                gain=pl.col("total") / number / PARTS,
                standard_error=standard_error("sheets", "total", "squares", PARTS),
            ).join(money, on=keys, how="left")
        )
    margin = pl.when(number >= ENOUGH).then(Z * error)
    return (
        pl.concat(frames)
        .with_columns(low=pl.col("gain") - margin, high=pl.col("gain") + margin)
        .select(*keys, "group", "sheets", "gain", "standard_error", "low", "high", "gain_money")
        .sort(*keys, "group")
    )


def _owner(sums: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    choices = pl.Enum(switches()["code_owner"].words)
    pooled = _pooled(sums.with_columns(pl.col("owner").cast(choices)), (*keys, "owner", "point"))
    return pooled.select(
        *(*keys, "owner", "point", "sheets"),
        (pl.col("gain") / TWELFTHS / pl.col("sheets")).alias("gain"),
        (pl.col("value") / TWELFTHS / pl.col("sheets")).alias("value"),
        *(pl.col(name).alias(f"{name}_twelfths") for name in ("gain", "value")),
        *("ranks_from_exact", "ranks_from_convention", "ranks_contested"),
    )
