"""Files for people and for other programs: one module writes one format, and `FORMATS` lists them."""

from __future__ import annotations

from prefdata.writers import csv_table, json_document, workbook
from prefdata.writers._material import Format, Material, Scored
from prefdata.writers.form import write_form

__all__ = ["FORMATS", "Format", "Material", "Scored", "write_form"]

FORMATS: dict[str, Format] = {one.name: one for one in (workbook.FORMAT, csv_table.FORMAT, json_document.FORMAT)}
"""The formats by name, which is how the names of their files end too."""
