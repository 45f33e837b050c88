"""The rounding study: what the rules that round results (rules §7) do to the same sheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from prefdata.analysis._estimates import ENOUGH, Z, share, standard_error
from prefdata.analysis._rounding_sums import GROUPS, PARTS, RoundingSums, add_up
from prefdata.analysis._rounding_text import study_text
from prefdata.conventions import PLAYED, Convention, resolve_russian
from prefdata.errors import TableError, warn_set_aside
from prefdata.failures import Failures
from prefdata.settlement.rounding import ROUNDING_RULES
from prefdata.settlement.settling import with_players
from prefdata.settlement.sheet_rules import check_sheets
from prefdata.vocabulary import TWELFTHS

__all__ = ["RoundingStudy", "study_rounding"]

_DEFAULT = Convention(name="default")
_KEYS = ("players", "bullet_limit")


@dataclass(frozen=True)
class RoundingStudy:
    """What each rounding rule does to the same sheets.

    Every frame begins with the columns of `by`, most go on with `rule`; rows are sorted.  Counts are of sheets (Int64);
    a column in twelfths of a whist is exact.  Money is known where a sheet has a stake, and null elsewhere.

    Attributes
    ----------
    convention
        Name of the convention that the sheets were settled under.
    rules
        The rules that were studied.
    by
        Keys of the frames: `players` and `bullet_limit`, one of them, or none.
    sheets, set_aside
        Number of sheets studied, and of those left out since they break a rule of `check_sheets`.
    fractions
        `sheets`; `with_fractions`, whose totals have fractions, with their `share` and its 95 % interval `share_low`,
        `share_high` (Wilson); which fraction all totals carry (above the whole number below): `one_third`,
        `two_thirds`, `halves`, or `other`, where they carry different or smaller ones.
    distance
        `settled` sheets and their `seats`; distance of the rounded results from the exact ones: its sum
        `distance_twelfths`, its `mean` over seats, the `largest` (whists, with `largest_twelfths`), `mean_money` and
        `largest_money`; sheets `changed`, and of those without fractions `changed_whole`; the residue, which the
        rounded results add up to: `residues` (sheets that have one) and `largest_residue` (whists).
    favours
        `group` (winner and loser by the exact result, largest and smallest mountain after carrying the bullets, the
        seats, the player whose mountain a rule moved); `sheets` where there is such a player; mean `gain` over the
        exact result in whists, its `standard_error` and 95 % interval `low`, `high` (normal, from 30 sheets on);
        `gain_money`.  Those who share a place count with their mean, so that a sheet is one observation.
    breaks
        `settled` sheets and those that are `not_whole`, which the rule leaves with fractions (under ``exact`` they
        are settled as they are, under others not at all); of the settled: `not_zero_sum`; `order` changed, by
        `ties_made`, `ties_broken`, `swaps`; `sign` of a result changed (0 is a sign of its own), `sign_reversed`.
    owner
        For ``code``, by `owner` (a choice of `code_owner`) and the `point` moved: `sheets`; mean `gain` of the owner
        over his exact result; `value`, the mean distance between what the owner gains and what he would if another
        were chosen; their sums in twelfths; sheets where ranks differ `ranks_from_exact`, `ranks_from_convention` (the
        choice of the convention) and `ranks_contested`, between any two choices of a seat.
    amnesty
        `sheets`; how many the rule would settle `otherwise` if mountains were not lowered by the smallest first, with
        their `share`; `otherwise_ranks`, the sheets whose ranks differ, and the largest difference of a result,
        `largest` (whists, with `largest_twelfths`).
    sums
        The integer sums from which the frames are made.
    """

    convention: str
    rules: tuple[str, ...]
    by: tuple[str, ...]
    sheets: int
    set_aside: int
    fractions: pl.DataFrame
    distance: pl.DataFrame
    favours: pl.DataFrame
    breaks: pl.DataFrame
    owner: pl.DataFrame
    amnesty: pl.DataFrame
    sums: RoundingSums

    def regroup(self, by: Sequence[str]) -> RoundingStudy:
        """Give the same study by other keys, without settling anew.

        >>> study = study_rounding(_three_sheets())
        >>> study.regroup([]).fractions.select("sheets", "with_fractions").row(0)
        (3, 2)
        """
        return _study(self.convention, self.rules, by, self.set_aside, self.sums)

    def render(self) -> str:
        """Write the study as plain text by number of players, each table with what its figures say."""
        kept = [key for key in self.by if key == "players"]
        return study_text(self if list(self.by) == kept else self.regroup(kept))


def study_rounding(
    sheets: pl.DataFrame,
    convention: str | Path | Convention = _DEFAULT,
    *,
    rules: Sequence[str] | None = None,
    pulkas: pl.DataFrame | pl.LazyFrame | None = None,
    by: Sequence[str] = _KEYS,
) -> RoundingStudy:
    """Study all rounding rules on the same sheets (rules §7).

    Parameters
    ----------
    sheets
        Sheets, scored or recorded, as for `settle`; `stake` is taken where it is.
    convention
        A convention, its name or its file, of which the rounding is replaced; ``played`` takes the one in each pulka's
        row.  The default switches, those of Sochi, unless given.
    rules
        The rules to study; all unless given.
    pulkas
        A pulkas table from which stakes (money per whist) are taken.
    by
        Keys of the frames: `players`, `bullet_limit`, both or none.

    Returns
    -------
    RoundingStudy
        The study, see there for its frames.

    Raises
    ------
    TableError
        If a column is missing.
    ConventionError
        If there is no such rule.

    Warns
    -----
    SetAsideWarning
        If sheets break a rule, see `check_sheets`; they are left out.

    Examples
    --------
    >>> study = study_rounding(_three_sheets(), rules=["code", "nearest"])
    >>> study.fractions.select("players", "bullet_limit", "sheets", "one_third", "two_thirds").row(0)
    (3, 20, 3, 1, 1)
    >>> study.distance.select("rule", "distance_twelfths", "largest_twelfths", "changed").rows()
    [('code', 32, 8, 2), ('nearest', 32, 8, 2)]
    """
    named = tuple(dict.fromkeys(ROUNDING_RULES if rules is None else rules))
    if not set(by) <= set(_KEYS):
        raise ValueError(f"by takes {' and '.join(_KEYS)}, not {list(by)}")
    sums, failures = [], []
    for part, switches in _parts(sheets, convention, pulkas):
        good, failed = check_sheets(part, switches)
        under = {rule: switches.replace(name=rule, rounding=rule) for rule in named}
        sums.append(add_up(with_players(good, pulkas), switches, under))
        failures.append(failed)
    broken = Failures(pl.concat(failed.frame for failed in failures)) if failures else Failures.gather([])
    if len(broken):
        warn_set_aside(f"{broken.summary()}; check_sheets lists the rows")
    together = RoundingSums(
        *(
            pl.concat([getattr(each, frame) for each in sums], how="diagonal_relaxed")
            for frame in ("sheets", "rules", "owners")
        )
    )
    name = str(convention) if convention == PLAYED else resolve_russian(convention).name
    set_aside = sheets.height - int(together.sheets["sheets"].sum())
    return _study(name, named, by, set_aside, together)


def _parts(
    sheets: pl.DataFrame, convention: str | Path | Convention, pulkas: pl.DataFrame | pl.LazyFrame | None
) -> Iterator[tuple[pl.DataFrame, Convention]]:
    """Go through the sheets by the convention that they are settled under."""
    if convention != PLAYED:
        yield sheets, resolve_russian(convention)
        return
    if pulkas is None:
        raise TableError(
            f"sheets do not tell the convention that they were {PLAYED} under", hint="Give pulkas=archive.pulkas too."
        )
    names = pulkas.lazy().select("pulka", played="convention").collect()
    named = sheets.join(names, on="pulka", how="left", maintain_order="left")
    if not sheets.height:
        yield sheets, _DEFAULT
    for (name,), group in named.partition_by("played", as_dict=True, maintain_order=True).items():
        yield group.drop("played"), resolve_russian(str(name))


def _study(
    convention: str, rules: tuple[str, ...], by: Sequence[str], set_aside: int, sums: RoundingSums
) -> RoundingStudy:
    keys = tuple(key for key in _KEYS if key in by)
    order = pl.Enum(rules)
    of_rules = sums.rules.with_columns(pl.col("rule").cast(order)).sort(*_KEYS, "stake", "rule")
    pooled = _pooled(of_rules, (*keys, "rule"), largest=["largest", "residue", "otherwise_largest"])
    return RoundingStudy(
        convention=convention,
        rules=rules,
        by=keys,
        sheets=int(sums.sheets["sheets"].sum()),
        set_aside=set_aside,
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
        sums=sums,
    )


def _pooled(sums: pl.DataFrame, keys: Sequence[str], *, largest: Sequence[str] = ()) -> pl.DataFrame:
    """Add cells up by other keys."""
    values = [name for name in sums.columns if name not in (*_KEYS, "stake", "rule", "owner", "point")]
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
    order = pl.Enum(["largest", "smallest", "a", "b", "c", "d"])
    pooled = _pooled(sums.with_columns(pl.col("owner").cast(order)), (*keys, "owner", "point"))
    return pooled.select(
        *(*keys, "owner", "point", "sheets"),
        (pl.col("gain") / TWELFTHS / pl.col("sheets")).alias("gain"),
        (pl.col("value") / TWELFTHS / pl.col("sheets")).alias("value"),
        *(pl.col(name).alias(f"{name}_twelfths") for name in ("gain", "value")),
        *("ranks_from_exact", "ranks_from_convention", "ranks_contested"),
    )


def _three_sheets() -> pl.DataFrame:
    """Three sheets of three players whose mountains leave no fraction, one third and two thirds."""
    whists = {f"whists_{writer}{on}": [0, 0, 0] for writer, on in ("ab", "ac", "ba", "bc", "ca", "cb")}
    mountains = {"mountain_a": [3, 4, 5], "mountain_b": [9, 9, 9], "mountain_c": [0, 0, 0]}
    return pl.DataFrame({"pulka": [1, 2, 3], "players": [3, 3, 3], "bullet_limit": [20, 20, 20], **mountains, **whists})
