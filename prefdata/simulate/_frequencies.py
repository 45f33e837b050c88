"""What came out: frequencies of an archive."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from prefdata.archives import Archive, as_archive
from prefdata.russian.facts import Facts
from prefdata.simulate import _balkan_frequencies
from prefdata.vocabulary import BALKAN, LEVELS, RUSSIAN, SEATS, TRICKS, tricks_column

__all__ = ["frequencies"]


def frequencies(archive: Archive | str | Path) -> pl.DataFrame:
    """Count how often things happen in an archive.

    Parameters
    ----------
    archive
        Any archive, or its folder; its rows are taken as they are.

    Returns
    -------
    pl.DataFrame
        One row a measure and number of players: `measure`, `players` (UInt8; null for all tables together), `value`
        (Float64; null where there was nothing to count).  The measures, in order:

        - ``pulkas``, ``deals``, ``deals_per_pulka``: counts and their ratio;
        - ``raspasy``: share of deals;
        - ``contract_6`` ... ``contract_10``, ``misere``: shares of the deals with a declarer;
        - ``made``: share of the deals with a declarer in which he took what he had promised, played or not;
        - ``misere_made``: share of misères;
        - ``both_passed``, ``one_whisted``, ``dealer_whisted`` (the sitting dealer after two passes), ``both_whisted``,
          ``half_whist``, ``conceded``, ``wrong_cards``, ``talon_has_worth``: shares of the contracts of 6-10; the one
          defender of two players is both;
        - ``notrump``: share of the contracts of 6-10 with a known trump;
        - ``zero_tricks``: share of raspasy in which a player took no trick.

        In the Balkan game, after the first three:

        - ``all_pass``: share of deals;
        - ``spades`` ... ``sans``, ``hand``, ``contra``, ``recontra``: shares of the deals with a declarer;
        - ``made``: share of the deals with a declarer in which he took what he had promised, played or not;
        - ``bettel_made``: share of bettels;
        - ``nobody_came``, ``one_came``, ``both_came``, ``invited``: shares of the other games, one of the four each.

    Examples
    --------
    >>> from prefdata.archives import archive
    >>> from prefdata.examples import one_pulka, three_deals
    >>> found = frequencies(archive(one_pulka(), three_deals()))
    >>> found.filter(pl.col("players") == 3, pl.col("measure").is_in(["deals", "made"])).rows()
    [('deals', 3, 3.0), ('made', 3, 0.5)]
    """
    archive = as_archive(archive)
    kinds, shares = _COUNTED[archive.game.name]
    counted = {name: kind.fill_null(False).sum().cast(pl.Int64) for name, kind in kinds().items()}
    of_pulkas = archive.pulkas.group_by("players").agg(pulkas=pl.len().cast(pl.Int64))
    of_deals = archive.deals.group_by("players").agg(**counted)
    counts = of_pulkas.join(of_deals, on="players", how="left").collect().sort("players")
    total = counts.select(pl.lit(None, dtype=pl.UInt8).alias("players"), pl.exclude("players").sum())
    every = pl.concat([counts, total])
    measures = _measures(shares)
    measured = every.select("players", **measures)
    return (
        measured.unpivot(index="players", variable_name="measure", value_name="value")
        .join(pl.DataFrame({"measure": list(measures)}).with_row_index("place"), on="measure", maintain_order="left")
        .sort("players", "place", nulls_last=True)
        .select("measure", "players", "value")
    )


def _kinds() -> dict[str, pl.Expr]:
    """Tell, by name, what is counted."""
    fact = Facts.of_deal()
    contract, misere, whists = fact.is_contract, fact.is_misere, fact.whist_calls
    declarer_tricks = pl.coalesce(pl.when(fact.declares[seat]).then(pl.col(tricks_column(seat))) for seat in SEATS)
    level = pl.col("contract").replace_strict(LEVELS, default=0, return_dtype=pl.Int64)
    kept = (declarer_tricks.fill_null(TRICKS) >= level) & ~fact.is_conceded
    took_none = pl.any_horizontal(~fact.sits_out[seat] & (pl.col(tricks_column(seat)) == 0) for seat in SEATS)
    return {
        "deals": pl.lit(True) & pl.col("deal").is_not_null(),
        "raspasy": fact.is_raspasy,
        "declared": contract | misere,
        "contracts": contract,
        **{f"contract_{name}": pl.col("contract") == name for name in LEVELS},
        "misere": misere,
        "made": (contract & kept) | (misere & (declarer_tricks == 0)),
        "misere_made": misere & (declarer_tricks == 0),
        "both_passed": fact.awaits_calls & (whists == 0) & (fact.half_calls == 0),
        "one_whisted": fact.awaits_calls & (whists == 1) & ~fact.dealer_whists,
        "dealer_whisted": fact.dealer_whists,
        "both_whisted": fact.awaits_calls & (whists == 2),
        "half_whist": fact.half_calls > 0,
        "conceded": fact.is_contract & fact.is_conceded,
        "wrong_cards": contract & (pl.col("wrong_cards") != ""),
        "trumps": contract & pl.col("trump").is_not_null(),
        "notrump": contract & (pl.col("trump") == "notrump"),
        "talon_has_worth": contract & (pl.col("talon") > 0),
        "zero_tricks": fact.is_raspasy & took_none,
    }


_SHARES = {
    "deals_per_pulka": ("deals", "pulkas"),
    "raspasy": ("raspasy", "deals"),
    **{f"contract_{name}": (f"contract_{name}", "declared") for name in LEVELS},
    "misere": ("misere", "declared"),
    "made": ("made", "declared"),
    "misere_made": ("misere_made", "misere"),
    **{
        name: (name, "contracts")
        for name in (
            *("both_passed", "one_whisted", "dealer_whisted", "both_whisted", "half_whist", "conceded"),
            "wrong_cards",
        )
    },
    "notrump": ("notrump", "trumps"),
    "talon_has_worth": ("talon_has_worth", "contracts"),
    "zero_tricks": ("zero_tricks", "raspasy"),
}
"""Which counts are divided for each measure, after the numbers of pulkas and deals."""


_COUNTED = {RUSSIAN: (_kinds, _SHARES), BALKAN: (_balkan_frequencies.kinds, _balkan_frequencies.SHARES)}
"""What is counted in each game, and which counts are divided."""


def _measures(shares: Mapping[str, tuple[str, str]]) -> dict[str, pl.Expr]:
    """Divide the counts, in the order of the measures."""
    counted = {name: pl.col(name).cast(pl.Float64) for name in ("pulkas", "deals")}
    divided = {
        name: pl.when(pl.col(whole) > 0).then(pl.col(part) / pl.col(whole)) for name, (part, whole) in shares.items()
    }
    return {**counted, **divided}
