"""Archives of pulkas and deals: open, check, select, write."""

from __future__ import annotations

from prefdata.archives._archive import Archive, Checked, archive, concat, open_archive
from prefdata.archives._part import Part
from prefdata.archives._write import append, write_archive

__all__ = [
    "Archive",
    "Checked",
    "Part",
    "append",
    "archive",
    "concat",
    "open_archive",
    "write_archive",
]
