"""Files of people and of other programs, as tables of prefdata.

One module reads one format; `FORMATS` lists them.  A reader never dies of one bad row: it gives what it understood, and
says of everything else where it stands and what is wrong with it.
"""

from __future__ import annotations

from prefdata.readers._importing import FORMATS, import_file
from prefdata.readers._records import Format, Imported, Options, Records

__all__ = ["FORMATS", "Format", "Imported", "Options", "Records", "import_file"]
