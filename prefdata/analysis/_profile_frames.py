"""The tables of a player's profile, each added up from `player_deals` or `pulka_results`."""

from __future__ import annotations

import polars as pl

from prefdata.analysis._columns import COLUMNS
from prefdata.analysis._estimates import means_by, share, standard_error
from prefdata.vocabulary import LEVELS, TWELFTHS

__all__ = ["contracts", "declaring", "defending", "raspasy", "results", "streaks"]


def _deals(condition: pl.Expr) -> pl.Expr:
    return pl.col("deals").filter(condition).sum()


def _value(condition: pl.Expr) -> pl.Expr:
    return pl.col("value").filter(condition).sum() / TWELFTHS


def _mean(total: str, count: str) -> pl.Expr:
    """Divide a sum by a count; null where there is nothing to average."""
    return pl.when(pl.col(count) > 0).then(pl.col(total) / pl.col(count))


def _undertricks() -> pl.Expr:
    return (pl.col("undertricks") * pl.col("deals")).filter(pl.col("role") == "declarer").sum()


def results(pulka_results: pl.DataFrame) -> pl.DataFrame:
    """Add up every player's pulkas; columns in `COLUMNS`."""
    named = pulka_results.drop_nulls("player")
    counts = named.group_by("player").agg(
        deals=pl.col("deals").sum(),
        money=pl.when(pl.col("money").count() > 0).then(pl.col("money").sum().round(6)),
        pulkas_for_money=pl.col("money").count().cast(pl.Int64),
        in_plus=(pl.col("result_twelfths") > 0).sum().cast(pl.Int64),
        **{
            name: (pl.col("rank") == rank).sum().cast(pl.Int64)
            for rank, name in enumerate(("wins", "second", "third", "fourth"), start=1)
        },
        mean_rank=pl.col("rank").cast(pl.Int64).mean(),
    )
    return (
        means_by(named, ["player"], "result_twelfths")
        .join(counts, on="player", how="inner")
        .with_columns(*share("wins_share", "wins", "pulkas"), whists_per_deal=_mean("result", "deals"))
        .sort("player")
        .select(*COLUMNS["results"])
    )


def declaring(deals: pl.DataFrame) -> pl.DataFrame:
    """Count what every player declared; columns in `COLUMNS`."""
    declared = pl.col("role") == "declarer"
    misere = declared & (pl.col("contract") == "misere")
    sat_out = pl.col("role") == "sitting dealer"
    return (
        deals.drop_nulls("player")
        .group_by("player")
        .agg(
            played=_deals(~sat_out),
            sat_out=_deals(sat_out),
            declared=_deals(declared),
            made=_deals(declared & pl.col("made")),
            undertricks=_undertricks(),
            value=_value(declared),
            misere_tried=_deals(misere),
            misere_made=_deals(misere & pl.col("made")),
        )
        .with_columns(
            *share("declared_share", "declared", "played"),
            *share("made_share", "made", "declared"),
            *share("misere_share", "misere_made", "misere_tried"),
            value_mean=_mean("value", "declared"),
        )
        .sort("player")
        .select(*COLUMNS["declaring"])
    )


def contracts(deals: pl.DataFrame) -> pl.DataFrame:
    """Count every player's contracts by level; columns in `COLUMNS`."""
    made, everything = pl.col("made"), pl.lit(True)
    return (
        deals.drop_nulls("player")
        .filter(pl.col("role") == "declarer")
        .group_by("player", "contract")
        .agg(
            declared=pl.col("deals").sum(),
            made=_deals(made),
            unplayed=_deals(pl.col("unplayed")),
            conceded=_deals(pl.col("conceded")),
            undertricks=_undertricks(),
            failed=_deals(~made),
            value=_value(everything),
        )
        .with_columns(
            *share("made_share", "made", "declared"),
            undertricks_mean=_mean("undertricks", "failed"),
            value_mean=_mean("value", "declared"),
        )
        .sort("player", "contract")
        .select(*COLUMNS["contracts"])
    )


def defending(deals: pl.DataFrame, *, by_level: bool = False) -> pl.DataFrame:
    """Count every player's final calls, by the contract's level if asked; columns in `COLUMNS`."""
    by = ["player", "contract"] if by_level else ["player"]
    whist = pl.col("call") == "whist"
    return (
        deals.drop_nulls("player")
        .filter(pl.col("contract").cast(pl.String).is_in(list(LEVELS)))
        .group_by(by)
        .agg(
            called=_deals(pl.col("call").is_not_null()),
            whists=_deals(whist),
            halves=_deals(pl.col("call") == "half"),
            passes=_deals(pl.col("call") == "pass"),
            whist_value=_value(whist),
            pass_value=_value(pl.col("call").is_not_null() & ~whist),
        )
        .with_columns(unwhisted=pl.col("called") - pl.col("whists"))
        .with_columns(
            *share("whist_share", "whists", "called"),
            whist_value_mean=_mean("whist_value", "whists"),
            pass_value_mean=_mean("pass_value", "unwhisted"),
        )
        .filter(pl.col("called") > 0)
        .sort(by)
        .select(*COLUMNS["whists" if by_level else "defending"])
    )


def raspasy(deals: pl.DataFrame) -> pl.DataFrame:
    """Count every player's raspasy; columns in `COLUMNS`."""
    plays = pl.col("role") == "raspasy"
    tricks = pl.col("tricks").fill_null(0)
    return (
        deals.drop_nulls("player")
        .filter(pl.col("contract") == "raspasy")
        .group_by("player")
        .agg(
            count=_deals(plays),
            tricks=(tricks * pl.col("deals")).filter(plays).sum(),
            tricks_squares=(tricks**2 * pl.col("deals")).filter(plays).sum(),
            zeros=_deals(plays & (tricks == 0)),
            twelfths=pl.col("value").filter(plays).sum(),
            squares=pl.col("squares").filter(plays).sum(),
            sat_out=_deals(~plays),
            sat_out_value=_value(~plays),
        )
        .rename({"count": "deals"})
        .with_columns(
            tricks_mean=_mean("tricks", "deals"),
            tricks_error=standard_error("deals", "tricks", "tricks_squares"),
            value=pl.col("twelfths") / TWELFTHS,
            value_error=standard_error("deals", "twelfths", "squares", TWELFTHS),
        )
        .with_columns(value_mean=_mean("value", "deals"))
        .sort("player")
        .select(*COLUMNS["raspasy"])
    )


def streaks(pulka_results: pl.DataFrame) -> pl.DataFrame:
    """Find every player's longest runs, pulkas being in the order of time; columns in `COLUMNS`."""
    signs = pulka_results.drop_nulls("player").select("player", "pulka", sign=pl.col("result_twelfths").sign())
    in_time = signs.sort("player", maintain_order=True)
    runs = (
        in_time.with_columns(run=pl.struct("player", "sign").rle_id())
        .group_by("run", maintain_order=True)
        .agg(
            pl.col("player", "sign").first(),
            length=pl.len().cast(pl.Int64),
            first=pl.col("pulka").first(),
            last=pl.col("pulka").last(),
        )
    )
    found = runs.group_by("player", maintain_order=True).agg(current=pl.col("sign").last() * pl.col("length").last())
    for name, sign in (("winning", 1), ("losing", -1)):
        longest = (
            runs.filter(pl.col("sign") == sign)
            .sort("length", descending=True, maintain_order=True)
            .unique("player", keep="first", maintain_order=True)
        )
        named = longest.select(
            "player", pl.col("length").alias(f"longest_{name}"), first=pl.col("first"), last=pl.col("last")
        ).rename({"first": f"{name}_from", "last": f"{name}_to"})
        found = found.join(named, on="player", how="left").with_columns(pl.col(f"longest_{name}").fill_null(0))
    return found.sort("player").select(*COLUMNS["streaks"])
