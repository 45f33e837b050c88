"""One table of text: a line a deal, with its pulka's columns beside it, as `prefdata.import_file` reads it back."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from prefdata.archives import Part
from prefdata.errors import TableError
from prefdata.readers.guarded import guarded
from prefdata.writers._material import Format, Material

__all__ = ["FORMAT"]


def _write(material: Material, beside: Path, file: Path) -> None:
    """Write the table, part by part."""
    adjusted = material.archive.adjustments.select("pulka").unique().sort("pulka").head(1).collect()["pulka"]
    if len(adjusted):
        raise TableError(
            f"{file}: pulka {adjusted[0]} has adjustments, for which a table of deals has no place",
            hint="Write a .json or an .xlsx file, or choose other pulkas.",
        )
    with beside.open("wb") as out:
        for number, part in enumerate(material.archive.parts):
            _of_part(part).write_csv(out, include_header=number == 0)


def _of_part(part: Part) -> pl.DataFrame:
    """Join the deals of a part with what is known of their pulkas."""
    pulkas = part.pulkas.read()
    deals = part.deals.read().drop("outcome", strict=False)
    joined = deals.join(pulkas.drop("players"), on="pulka", how="left", maintain_order="left")
    return joined.with_columns(guarded(pl.col(pl.String)))


FORMAT = Format("csv", "a table of deals", _write)
"""The format, as the list of formats has it."""
