"""One JSON document: pulkas with their deals, adjustments, sheets and settlements.

Its top has `format` (``"prefdata"``), `schema_version` and `pulkas`.  A pulka has the columns of the pulkas table,
`scored_under` (all switches of the convention), `deals`, `adjustments`, `sheet` and `settlement`; these are lists of
rows, or a row, with the columns of the tables of these names.  What is empty is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl

from prefdata.writers._material import Format, Material

__all__ = ["FORMAT", "SCHEMA_VERSION"]

SCHEMA_VERSION = 1


def _write(material: Material, beside: Path, file: Path) -> None:
    """Write the document, a pulka at a time."""
    head = json.dumps({"format": "prefdata", "schema_version": SCHEMA_VERSION})[:-1]
    with beside.open("w", encoding="utf-8") as out:
        out.write(f'{head}, "pulkas": [')
        for number, pulka in enumerate(_pulkas(material)):
            out.write(",\n" if number else "\n")
            json.dump(pulka, out, ensure_ascii=False, allow_nan=False, default=_plain)
        out.write("\n]}\n")


def _pulkas(material: Material) -> Iterator[dict[str, Any]]:
    archive, scored = material.archive, material.scored
    deals = _rows(archive.deals.collect().drop("outcome", strict=False))
    adjustments, settlements = _rows(archive.adjustments.collect()), _rows(scored.settlements)
    sheets = _rows(scored.sheets)
    for row in archive.pulkas.collect().iter_rows(named=True):
        key = row["pulka"]
        if key not in scored.conventions:
            continue  # it was set aside, which has been told
        yield {
            **_filled(row),
            "scored_under": scored.conventions[key].to_dict(),
            "deals": deals[key],
            "adjustments": adjustments.get(key, []),
            "sheet": sheets[key][0],
            "settlement": settlements[key],
        }


def _rows(frame: pl.DataFrame) -> dict[int, list[dict[str, Any]]]:
    """Give the rows of each pulka, without its key and without what is empty."""
    groups = frame.partition_by("pulka", as_dict=True, include_key=False, maintain_order=True)
    return {int(key): [_filled(row) for row in group.iter_rows(named=True)] for (key,), group in groups.items()}


def _filled(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}


def _plain(value: Any) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no form in JSON")


FORMAT = Format("json", "one document", _write)
"""The format, as the list of formats has it."""
