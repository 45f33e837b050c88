"""Reports: what a result says, shown as text, as plain data, as a page and in a notebook by one way of writing.

A result subclasses `Report` and names its title, its findings and its sections; all else comes from here.
"""

from __future__ import annotations

from prefdata.reports._report import Report
from prefdata.reports._section import Section
from prefdata.reports._text import text_table
from prefdata.reports._words import amount, listed, number

__all__ = ["Report", "Section", "amount", "listed", "number", "text_table"]
