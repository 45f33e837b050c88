"""Archives of pulkas and deals: open, check, select, write."""

from __future__ import annotations

from prefdata.archives._archive import Archive, Checked, archive, as_archive, concat, open_archive
from prefdata.archives._frames import TableFrame
from prefdata.archives._part import Part
from prefdata.archives._write import DEALS_PER_PART, append, freeze_sheets, write_archive

__all__ = [
    "DEALS_PER_PART",
    "Archive",
    "Checked",
    "Part",
    "TableFrame",
    "append",
    "archive",
    "as_archive",
    "concat",
    "freeze_sheets",
    "open_archive",
    "write_archive",
]
