"""What every player did and got, added up from pulkas and deals: the frames from which profiles are made."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from prefdata.archives import Archive, as_archive
from prefdata.conventions import Convention
from prefdata.errors import TableError
from prefdata.outcomes.staging import stage
from prefdata.russian.facts import Facts, Ruling
from prefdata.russian.packing import LAYOUT
from prefdata.russian.vocabulary import CONCESSION
from prefdata.scoring.sheets import sheets
from prefdata.scoring.values import values
from prefdata.settlement.settling import settle
from prefdata.vocabulary import SEAT, SEATS, call_column, player_column, tricks_column

__all__ = ["ROLE", "player_deals", "pulka_results"]

ROLE = pl.Enum(["declarer", "defender", "sitting dealer", "raspasy"])
"""Who a player is in a deal; in raspasy all who hold cards are equal.  The bidding decides it, not the defenders."""

_FACTS = ("players", "contract", "role", "call", "made", "unplayed", "conceded", "undertricks", "tricks")


def pulka_results(archive: Archive | str | Path, convention: str | Path | Convention) -> pl.DataFrame:
    """Settle every pulka of an archive, in the order of time.

    Parameters
    ----------
    archive
        The archive with players' names, or its folder.
    convention
        A convention, its name or its file; ``played`` takes the one in each pulka's row.

    Returns
    -------
    pl.DataFrame
        One row a pulka and seat, by `played_on` (undated pulkas last), `pulka` and `seat`: `pulka`, `played_on`,
        `players`, `deals` (that were scored), `seat`, `player` (null where nobody is named), `result` (whists, exact),
        `result_twelfths`, `rounded` (whists), `money` (null without a stake), `rank`.

    Raises
    ------
    TableError
        If no pulka names its players.

    Examples
    --------
    >>> from prefdata.archives import archive
    >>> from prefdata.examples import one_pulka, three_deals
    >>> named = one_pulka().with_columns(player_a=pl.lit("A"), player_b=pl.lit("B"), player_c=pl.lit("C"))
    >>> club = archive(named, three_deals())
    >>> pulka_results(club, "sochi").select("player", "deals", "result_twelfths", "rank").rows()
    [('A', 3, 960, 1), ('B', 3, -1368, 3), ('C', 3, 408, 2)]
    """
    archive = as_archive(archive)
    scored = sheets(archive, convention)
    settled = settle(scored, convention, pulkas=archive.pulkas)
    if settled.height and settled["player"].null_count() == settled.height:
        raise TableError("no pulka names its players", hint="Fill the columns player_a ... of the pulkas table.")
    days = archive.pulkas.select("pulka", "played_on").unique("pulka", keep="any").collect()
    beside = scored.select("pulka", "players", deals="deals_scored").join(days, on="pulka", how="left")
    return (
        settled.join(beside, on="pulka", how="left")
        .select(
            *("pulka", "played_on", "players", "deals", "seat", "player"),
            *("result", "result_twelfths", "rounded", "money", "rank"),
        )
        .sort("played_on", "pulka", "seat", nulls_last=True)
    )


def player_deals(archive: Archive, convention: Convention) -> pl.DataFrame:
    """Add up the scored deals of an archive by player and by all that profiles look at.

    Returns
    -------
    pl.DataFrame
        `player` (null: unnamed), `players`, `contract`, `role`, `call`, `made` (the declarer's entry went to the
        bullet), `unplayed` (made because nobody whisted or for half a whist), `conceded`, `undertricks` (of the
        declarer; three in a concession, the tricks of a misère), `tricks` (of the player; null where nothing was
        played), `deals` (how many were so), `value` (their sum for the player, twelfths of a whist), `squares` (sum of
        the squares of their values).
    """
    counted = _count_keys(archive, convention)
    facts = _facts_of_keys(counted["key"].unique(), convention)
    return (
        counted.join(facts, on=["key", "seat"], how="inner")
        .group_by("player", *_FACTS)
        .agg(pl.col("deals", "value", "squares").sum())
        .with_columns(pl.col("player").cast(pl.String))
        .sort("player", *_FACTS)
    )


def _count_keys(archive: Archive, convention: Convention) -> pl.DataFrame:
    """Count and value the scored deals by player, seat and the key of what happened."""
    names = [player_column(seat) for seat in SEATS]
    tables = archive.pulkas.select("pulka", *names).unique("pulka", keep="any").collect()
    everybody = pl.Enum(pl.concat([tables[name] for name in names]).drop_nulls().unique().sort())
    deals = (
        values(archive, convention)
        .lazy()
        .filter("scored")
        .select("pulka", "deal", pl.selectors.ends_with("_twelfths"))
        .join(archive.deals.select("pulka", "deal", key=LAYOUT.pack()), on=["pulka", "deal"], how="inner")
        .join(tables.lazy().with_columns(pl.col(names).cast(everybody)), on="pulka", how="inner")
        .collect()
    )
    frames = []
    for seat in SEATS:
        value = pl.col(f"value_{seat}_twelfths")
        mine = deals.lazy().filter(value.is_not_null()).group_by("key", player=pl.col(player_column(seat)))
        sums = mine.agg(deals=pl.len().cast(pl.Int64), value=value.sum(), squares=(value.cast(pl.Float64) ** 2).sum())
        frames.append(sums.with_columns(seat=pl.lit(seat, dtype=SEAT)))
    return pl.concat(frames).collect()


def _facts_of_keys(keys: pl.Series, convention: Convention) -> pl.DataFrame:
    """Tell what every seat did in each different deal: `key`, `seat` and the facts."""
    facts, fact = stage(Facts.of_deal())
    rulings, ruling = stage(Ruling.under(convention, fact))
    frame = LAYOUT.unpack(keys).with_columns(key=keys).with_columns(facts).with_columns(rulings)
    undertricks = (
        pl.when(fact.is_conceded)
        .then(CONCESSION)
        .when(fact.is_misere)
        .then(fact.declarer_tricks)
        .otherwise(ruling.undertricks)
    )
    frames = []
    for seat in SEATS:
        who = (
            pl.when(fact.declares[seat])
            .then(pl.lit("declarer", dtype=ROLE))
            .when(fact.sits_out[seat])
            .then(pl.lit("sitting dealer", dtype=ROLE))
            .when(fact.is_raspasy)
            .then(pl.lit("raspasy", dtype=ROLE))
            .otherwise(pl.lit("defender", dtype=ROLE))
        )
        at_table = frame.filter(pl.col("players") > SEATS.index(seat))
        seen = at_table.select(
            *("key", "players", "contract"),
            seat=pl.lit(seat, dtype=SEAT),
            role=who,
            call=pl.when(fact.defends[seat]).then(call_column(seat)),
            made=ruling.is_bullet_entry,
            unplayed=fact.awaits_calls & ~fact.is_played,
            conceded=fact.is_conceded,
            undertricks=undertricks.cast(pl.Int64),
            tricks=pl.col(tricks_column(seat)).cast(pl.Int64),
        )
        frames.append(seen.select("key", "seat", *_FACTS))
    return pl.concat(frames)
