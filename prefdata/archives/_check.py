"""Checking a part: which rows break which rule, and which pulkas are therefore set aside."""

from __future__ import annotations

import dataframely as dy
import polars as pl

from prefdata.archives._frames import TableFrame
from prefdata.archives._part import Part
from prefdata.failures import FAILURE_SCHEMA, Failures, failure_rows, shown_values
from prefdata.tables import Pulkas, explain_rule, is_at_table, is_legal_deal
from prefdata.vocabulary import SEATS

__all__ = ["check_part", "keeps_row_rules"]

_LEAST, _MOST = -(2**63), 2**63 - 1
"""The keys that a pulka can have."""


def check_part(part: Part, repeated: pl.Series) -> Failures:
    """Find every row of a part that breaks a rule.

    Parameters
    ----------
    part
        The part.
    repeated
        Keys of the pulkas that other parts have too.
    """
    pulkas = part.pulkas.read(part.pulkas.typed().with_row_index("row"))
    deals = part.deals.read(part.deals.typed().with_row_index("row").select("row", "pulka", "deal", "players"))
    failures = [
        _row_failures(part.pulkas, part.pulkas.filled().with_row_index("row")),
        _row_failures(part.deals, _suspects(part)),
        *_pulka_failures(part, pulkas, deals, repeated),
        *_deal_failures(part, pulkas, deals),
        _beside_keyless(part.deals, deals, pulkas),
    ]
    adjustments = pl.DataFrame(schema={"pulka": pl.Int64})
    if part.adjustments is not None:
        adjustments = part.adjustments.read(part.adjustments.typed().with_row_index("row"))
        failures.append(_row_failures(part.adjustments, part.adjustments.filled().with_row_index("row")))
        deals_of_pulka = deals.group_by("pulka").agg(deals_of_pulka=pl.len())
        failures += _adjustment_failures(part.adjustments, pulkas, deals_of_pulka)
        failures.append(_beside_keyless(part.adjustments, adjustments, pulkas))
    frame = pl.concat(failures)
    aside = frame["pulka"].drop_nulls().unique()

    def lost(table: pl.DataFrame) -> int:
        return table.filter(pl.col("pulka").is_in(aside.implode()) | pl.col("pulka").is_null()).height

    return Failures(
        frame.sort("pulka", "deal", "rule", nulls_last=True),
        deals=lost(deals),
        adjustments=lost(adjustments),
        pulka_rows=lost(pulkas),
    )


def keeps_row_rules(part: Part, pulkas: pl.DataFrame, deals_of_pulka: pl.DataFrame) -> bool:
    """Tell whether pulkas, adjustments and all values' types are in order; the deals are not looked at.

    Parameters
    ----------
    part
        The part.
    pulkas
        Its pulkas, as read.
    deals_of_pulka
        `pulka` and the number of its deals, `deals_of_pulka`.
    """
    tables = [table for table in (part.pulkas, part.deals, part.adjustments) if table is not None]
    if any(table.has_misfits() for table in tables) or not Pulkas.is_valid(pulkas):
        return False
    if part.adjustments is None:
        return True
    rows = part.adjustments.read()
    broken = _adjustment_failures(part.adjustments, pulkas, deals_of_pulka)
    return part.adjustments.table.schema.is_valid(rows) and not any(frame.height for frame in broken)


def _suspects(part: Part) -> pl.LazyFrame:
    """Keep the deals that break a rule about one row; only the different ones are looked at."""
    deals, layout = part.deals, part.game.layout
    typed = deals.typed()
    keys = deals.read(typed.select(key=layout.pack()).unique())["key"]
    bad = keys.filter(~layout.unpack(keys).select(is_legal_deal(deals.table.schema)).to_series())
    suspect = layout.pack().is_in(bad.implode()) | pl.any_horizontal(
        pl.col("pulka").is_null(), pl.col("deal").is_null(), pl.col("deal") == 0
    )
    rows = typed.with_row_index("row").filter(suspect).select("row")
    wanted = pl.concat([deals.read(rows), deals.misfit_rows()])["row"]
    return deals.filled().with_row_index("row").filter(pl.col("row").is_in(wanted.implode()))


def _row_failures(table: TableFrame, frame: pl.LazyFrame) -> pl.DataFrame:
    """Check rows one by one against the schema of their table."""
    rows = table.read(frame)
    schema = table.table.schema
    numbered: type[dy.Schema] = type(
        schema.__name__, (schema,), {"row": dy.UInt32(nullable=False), "__module__": __name__}
    )
    _, failure = numbered.filter(rows, cast=True)
    details = failure.details()
    found = []
    for rule in failure.counts():
        broken = details.filter(pl.col(rule) == "invalid")
        found.append(_listed(table, rule, broken, _columns_of(numbered, rule)))
    return pl.concat(found) if found else pl.DataFrame(schema=FAILURE_SCHEMA)


def _columns_of(schema: type[dy.Schema], rule: str) -> list[str]:
    if "|" in rule:
        return [rule.partition("|")[0]]
    if rule == "primary_key":
        return schema.primary_key()
    return list(dict.fromkeys(schema._validation_rules(with_cast=False)[rule].expr.meta.root_names()))


def _listed(table: TableFrame, rule: str, rows: pl.DataFrame, columns: list[str]) -> pl.DataFrame:
    """List broken rows of a table, with what stands in some columns."""
    return failure_rows(
        rows,
        rule,
        table.table.name,
        explain_rule(table.table.schema, rule),
        shown_values(column for column in columns if column in rows.columns),
        file=table.where,
        deal="deal" if "deal" in rows.columns else None,
        row="row",
    )


def _pulka_failures(part: Part, pulkas: pl.DataFrame, deals: pl.DataFrame, repeated: pl.Series) -> list[pl.DataFrame]:
    with_deals = deals["pulka"].unique().implode()
    childless = pulkas.filter(~pl.col("pulka").is_in(with_deals))
    twice = pulkas.filter(pl.col("pulka").is_in(repeated.implode()))
    return [
        _listed(part.pulkas, "pulka_has_deals", childless, ["pulka"]),
        _listed(part.pulkas, "pulka_in_one_part", twice, ["pulka"]),
    ]


def _deal_failures(part: Part, pulkas: pl.DataFrame, deals: pl.DataFrame) -> list[pl.DataFrame]:
    known = pulkas["pulka"].unique().implode()
    homeless = deals.filter(~pl.col("pulka").is_in(known))
    ordered = deals.filter(pl.col("pulka").is_not_null() & pl.col("deal").is_not_null()).sort(
        "pulka", "deal", maintain_order=True
    )
    previous = pl.col("deal").shift(fill_value=0).over("pulka").cast(pl.Int64)
    ordered = ordered.with_columns(previous=previous)
    twice = ordered.filter((pl.col("deal") == pl.col("previous")) & (pl.col("deal") > 0))
    gaps = ordered.filter(pl.col("deal") > pl.col("previous") + 1)
    tables = pulkas.unique("pulka").select("pulka", players_of_pulka="players")
    strangers = deals.join(tables, on="pulka", maintain_order="left").filter(
        pl.col("players") != pl.col("players_of_pulka")
    )
    return [
        _listed(part.deals, "deal_of_known_pulka", homeless, ["pulka"]),
        _listed(part.deals, "deal_number_unique", twice, ["deal"]),
        _listed(part.deals, "deals_without_gaps", gaps, ["deal", "previous"]),
        _listed(part.deals, "players_agree", strangers, ["players", "players_of_pulka"]),
    ]


def _beside_keyless(table: TableFrame, rows: pl.DataFrame, pulkas: pl.DataFrame) -> pl.DataFrame:
    """List the pulkas from the one before to the one after each row whose key cannot be read: it may be of any of them.

    The loss of a pulka's last deal shows in nothing else.
    """
    before, after = pl.col("pulka").forward_fill(), pl.col("pulka").backward_fill()
    keyless = rows.select("row", "pulka", before=before, after=after).filter(pl.col("pulka").is_null())
    spans = keyless.unique(["before", "after"], maintain_order=True).select(
        keyless_row="row",
        first=pl.when(pl.col("before").is_null()).then(_LEAST).otherwise(pl.min_horizontal("before", "after")),
        last=pl.when(pl.col("after").is_null()).then(_MOST).otherwise(pl.max_horizontal("before", "after")),
    )
    keys = pulkas.select("pulka").drop_nulls().unique("pulka", maintain_order=True)
    suspects = spans.join_where(keys, pl.col("first") <= pl.col("pulka"), pl.col("pulka") <= pl.col("last"))
    suspects = suspects.select("keyless_row", "pulka", row="keyless_row").sort("row", "pulka")
    return _listed(table, "rows_beside_have_keys", suspects, ["keyless_row"])


def _adjustment_failures(table: TableFrame, pulkas: pl.DataFrame, deals: pl.DataFrame) -> list[pl.DataFrame]:
    """Check adjustments against the pulkas and the number of deals in each (`deals_of_pulka`)."""
    rows = table.read(table.typed().with_row_index("row"))
    tables = pulkas.unique("pulka").select("pulka", "players", is_known=True).join(deals, on="pulka", how="left")
    known = rows.join(tables, on="pulka", how="left", maintain_order="left")
    at_table = pl.all_horizontal(
        (pl.col(column) != seat).fill_null(True) | is_at_table(seat) for column in ("seat", "on_seat") for seat in SEATS
    )
    is_known = pl.col("is_known").fill_null(False)
    housed = known.filter(is_known)
    late = pl.col("deal") > pl.col("deals_of_pulka").fill_null(0)
    return [
        _listed(table, "adjustment_of_known_pulka", known.filter(~is_known), ["pulka"]),
        _listed(table, "adjustment_after_known_deal", housed.filter(late), ["deal", "deals_of_pulka"]),
        _listed(
            table,
            "adjustment_at_table",
            housed.filter(pl.col("players").is_not_null() & ~at_table),
            ["seat", "on_seat", "players"],
        ),
    ]
