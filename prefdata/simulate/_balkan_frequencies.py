"""What is counted in an archive of the Balkan game."""

from __future__ import annotations

import polars as pl

from prefdata.balkan.facts import Facts
from prefdata.balkan.vocabulary import RANKS
from prefdata.outcomes.staging import number

__all__ = ["SHARES", "kinds"]


def kinds() -> dict[str, pl.Expr]:
    """Tell, by name, what is counted."""
    declared = pl.col("declarer").is_not_null()
    bettel = pl.col("contract") == "bettel"
    others = declared & ~bettel
    fact = Facts.of_deal()
    made = fact.is_made
    invited = pl.any_horizontal(fact.invites.values())
    came = pl.sum_horizontal(map(number, fact.comes.values()))
    return {
        "deals": pl.lit(True) & pl.col("deal").is_not_null(),
        "all_pass": pl.col("contract") == "all_pass",
        "declared": declared,
        **{game: pl.col("contract") == game for game in RANKS},
        "others": others,
        "hand": pl.col("hand"),
        "made": made,
        "bettel_made": bettel & made,
        "nobody_came": others & (came == 0) & ~invited,
        "one_came": others & (came == 1) & ~invited,
        "both_came": others & (came == 2),
        "invited": others & invited,
        "contra": pl.col("contra") > 0,
        "recontra": pl.col("contra") > 1,
    }


SHARES = {
    "deals_per_pulka": ("deals", "pulkas"),
    "all_pass": ("all_pass", "deals"),
    **{game: (game, "declared") for game in (*RANKS, "hand", "made")},
    "bettel_made": ("bettel_made", "bettel"),
    **{name: (name, "others") for name in ("nobody_came", "one_came", "both_came", "invited")},
    **{name: (name, "declared") for name in ("contra", "recontra")},
}
"""Which counts are divided for each measure, after the numbers of pulkas and deals."""
