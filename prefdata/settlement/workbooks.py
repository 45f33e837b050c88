"""Reading the cells of a workbook, after looking at what its reader does not look at."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from typing import Any

import polars as pl

__all__ = ["read_cells", "sheet_names"]

_LARGEST_CONTENT = 2**30
"""Bytes of the files in a workbook, unpacked."""

_MOST_CELLS = 2**25
"""Cells of the rectangle that a sheet spans; its reader makes room for every one, filled or not."""

_UNSOUND = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    LookupError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    struct.error,
)
_ERRORS = {
    "Div0": "#DIV/0!",
    "NA": "#N/A",
    "Name": "#NAME?",
    "Null": "#NULL!",
    "Num": "#NUM!",
    "Ref": "#REF!",
    "Value": "#VALUE!",
}
_PLACE = re.compile(rb"""<(?:\w+:)?(?:c|row|dimension)\s[^>]*?\b(?:r|ref)=["']([^"']{1,40})["']""")
_CELL = re.compile(r"\$?([A-Za-z]{0,4})\$?(\d{0,9})")


def read_cells(content: bytes, sheet: str | int = 0, *, has_headings: bool = True) -> pl.DataFrame:
    """Read the cells of a sheet of a workbook as texts, so that TRUE or a day among numbers can be told.

    Parameters
    ----------
    content
        The bytes of an .xlsx or .ods file.
    sheet
        The sheet's name, or its number from 0.
    has_headings
        Whether the first row names the columns; else they are numbered, and all rows from the first one on are given.

    Returns
    -------
    pl.DataFrame
        The rows; an empty cell is null, and an error stands there as it is written: #DIV/0!.

    Raises
    ------
    ValueError
        If the file is damaged or altered, or spans too many cells, or has no such sheet.
    """
    from fastexcel import read_excel  # noqa: PLC0415 - an extra

    _refuse_unsound(content)
    headings = 0 if has_headings else None
    loaded = read_excel(content).load_sheet(sheet, dtypes="string", header_row=headings, skip_rows=0)
    cells, errors = loaded.to_arrow_with_errors()
    frame = pl.DataFrame(cells)
    for error in errors.errors if errors is not None else ():
        frame[error.offset_position] = _spelt(error)
    return frame


def sheet_names(content: bytes) -> list[str]:
    """List the sheets of a workbook.

    Raises
    ------
    ValueError
        If the file is damaged or altered.
    """
    from fastexcel import read_excel  # noqa: PLC0415 - an extra

    _refuse_unsound(content)
    return list(read_excel(content).sheet_names)


def _spelt(error: Any) -> str:
    """Spell an error that a cell holds as the program that wrote it does."""
    found = re.search(r"Error\((\w+)\)", error.detail)
    return _ERRORS.get(found[1], f"#{found[1]}") if found else "#ERROR"


def _refuse_unsound(content: bytes) -> None:
    """Hold the files in a workbook against their checksums, and its sheets against what there is room for."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as files:
            size = sum(info.file_size for info in files.infolist())
            if size > _LARGEST_CONTENT:
                raise ValueError(f"unpacked it has {size} bytes, and {_LARGEST_CONTENT} are the most")
            altered = files.testzip()
            if altered is not None:
                raise ValueError(f"{altered} in it does not have its checksum")
            for name in files.namelist():
                if "/worksheets/" in name and name.endswith(".xml"):
                    _refuse_wide(name, files.read(name))
    except _UNSOUND as error:
        raise ValueError(f"it is no sound workbook ({error})") from None


def _refuse_wide(name: str, sheet: bytes) -> None:
    rows = columns = 1
    for place in set(_PLACE.findall(sheet)):
        for corner in place.decode("ascii", "replace").split(":"):
            cell = _CELL.fullmatch(corner)
            if cell is None:
                raise ValueError(f"{name} in it has a cell {corner!r}")
            rows, columns = max(rows, int(cell[2] or 1)), max(columns, _number(cell[1]))
    if rows * columns > _MOST_CELLS:
        raise ValueError(f"{name} in it spans {rows} rows and {columns} columns; {_MOST_CELLS} cells are the most")


def _number(letters: str) -> int:
    """Number a column by its letters; A is 1.

    >>> _number("A"), _number("AB")
    (1, 28)
    """
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
