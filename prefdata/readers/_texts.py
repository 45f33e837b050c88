"""Files of rows and columns, whatever they were saved as: CSV of any kind, XLSX, ODS.

Every cell is a text, every row has its place in the file, and the first row that is not empty names the columns.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import polars as pl

from prefdata.errors import TableError, is_panic, reason_of
from prefdata.files import refuse_irregular
from prefdata.readers._records import PLACE
from prefdata.readers.guarded import unguarded
from prefdata.settlement.workbooks import read_cells, sheet_names

__all__ = [
    "TEXT_ENDINGS",
    "WORKBOOK_ENDINGS",
    "clean",
    "decoded",
    "named",
    "read_bytes",
    "read_grid",
    "read_rows",
    "read_workbook",
    "workbook_sheets",
]

Read = TypeVar("Read")

TEXT_ENDINGS = (".csv", ".tsv", ".txt")
WORKBOOK_ENDINGS = (".xlsx", ".ods")

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_FIRST_BYTES = 50_000
"""Bytes in which the headings of a long text are looked for."""
_SEPARATORS = ",;\t|"


def read_bytes(file: Path) -> bytes:
    """Read the very file that is named.

    Raises
    ------
    TableError
        If it is no regular file, or cannot be read.
    """
    try:
        refuse_irregular(file)
        return file.read_bytes()
    except OSError as error:
        raise TableError(f"{file} cannot be read: {reason_of(error)}", hint="Give the path of a file.") from None


def decoded(content: bytes, file: Path) -> str:
    """Turn bytes into text: UTF-8, UTF-16 or, of a file that is neither, the code page of Russian Windows.

    >>> decoded("пуля".encode("cp1251"), Path("a.csv")), decoded("пуля".encode("utf-16"), Path("a.csv"))
    ('пуля', 'пуля')
    """
    marked = (encoding for mark, encoding in _MARKS if content.startswith(mark))
    encoding = next(marked, None) or _unmarked(content)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        raise TableError(f"{file} is no text", hint="Save it as CSV in UTF-8, or give an .xlsx or .ods file.") from None
    if "\0" in text:
        raise TableError(f"{file} is no text", hint="Save it as CSV in UTF-8, or give an .xlsx or .ods file.")
    return text


def _unmarked(content: bytes) -> str:
    """Tell how text without a mark is encoded."""
    first = content[:4096]
    if first[1::2].count(0) > len(first) // 4:
        return "utf-16-le"
    if first[::2].count(0) > len(first) // 4:
        return "utf-16-be"
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1251"
    return "utf-8"


def read_grid(file: Path) -> pl.DataFrame:
    """Read a table of texts.

    Parameters
    ----------
    file
        A .csv, .tsv or .txt file with any usual separator and encoding, or the first sheet of an .xlsx or .ods file.

    Returns
    -------
    pl.DataFrame
        The rows below the first one that is not empty, which names the columns; empty rows are left out.  All columns
        are String, blanks around cells are gone, and empty cells are null; `PLACE` (UInt32) is the row of the file,
        counted from 1.

    Raises
    ------
    TableError
        If the file cannot be read, is damaged, empty, or names a column twice.
    """
    return named(read_rows(file), file)


def read_rows(file: Path, *, first: bool = False) -> pl.DataFrame:
    """Read the rows of a table of texts that are not empty, with `PLACE`; no column has a name yet.

    Parameters
    ----------
    file
        As for `read_grid`.
    first
        Whether the first rows of a long text will do.
    """
    content = read_bytes(file)
    if first and file.suffix.lower() in TEXT_ENDINGS and b"\0" not in content[:_FIRST_BYTES]:
        content = content[: content.rfind(b"\n", 0, _FIRST_BYTES) + 1] or content
    ending = file.suffix.lower()
    if ending in WORKBOOK_ENDINGS:
        rows = _workbook_rows(content, file).select(clean(pl.all()))
    elif ending in TEXT_ENDINGS:
        text = decoded(content, file)
        is_plain = not any(blank in text for blank in _BLANKS)
        rows = _text_rows(text, file).select(_stripped(pl.all()) if is_plain else clean(pl.all()))
    else:
        raise TableError(
            f"{file} ends in none of {', '.join((*TEXT_ENDINGS, *WORKBOOK_ENDINGS))}", hint="Save it as one of these."
        )
    rows = rows.with_row_index(PLACE, offset=1)
    return rows.filter(~pl.all_horizontal(pl.all().exclude(PLACE).is_null()))


def _workbook_rows(content: bytes, file: Path) -> pl.DataFrame:
    return read_workbook(content, file, 0)


def read_workbook(content: bytes, file: Path, sheet: str | int) -> pl.DataFrame:
    """Read all cells of a sheet of a workbook as texts."""
    return _told(file, lambda: read_cells(content, sheet, has_headings=False))


def workbook_sheets(content: bytes, file: Path) -> list[str]:
    """List the sheets of a workbook."""
    return _told(file, lambda: sheet_names(content))


def _told(file: Path, read: Callable[[], Read]) -> Read:
    """Read something of a workbook, and tell what is wrong with it."""
    try:
        return read()
    except ImportError:
        raise TableError(
            f"{file}: workbooks need an extra", hint="python -m pip install 'prefdata[excel]', or save it as CSV."
        ) from None
    except BaseException as error:
        if not (isinstance(error, ValueError) or is_panic(error) or type(error).__module__ == "_fastexcel"):
            raise
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise TableError(f"{file} cannot be read: {reason}", hint="Save it again, or save it as CSV.") from None


def _text_rows(text: str, file: Path) -> pl.DataFrame:
    separator = _separator(text)
    widest = max((line.count(separator) for line in text.splitlines()), default=0)
    numbers = separator.join(f"column_{number}" for number in range(1, widest + 2))
    try:
        return pl.read_csv(f"{numbers}\n{text}".encode(), separator=separator, infer_schema=False)
    except pl.exceptions.NoDataError:
        return pl.DataFrame()
    except pl.exceptions.PolarsError as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise TableError(f"{file} cannot be read: {reason}", hint="Save it again as CSV.") from None


def _separator(text: str) -> str:
    """Find what separates the columns: what most of the first lines have most evenly."""
    lines = [line for line in text[:20_000].splitlines()[:20] if line.strip()]
    counts = {sign: [len(next(csv.reader([line], delimiter=sign), [])) for line in lines] for sign in _SEPARATORS}
    return max(_SEPARATORS, key=lambda sign: (min(counts[sign], default=1) > 1, sum(counts[sign])))


def named(filled: pl.DataFrame, file: Path) -> pl.DataFrame:
    """Take the first row for the headings."""
    if filled.height < 2:
        raise TableError(f"{file} has no rows", hint="The first row names the columns, the others hold the records.")
    first = filled.row(0, named=True)
    names = {column: heading for column, heading in first.items() if heading is not None and column != PLACE}
    _refuse_repeated(list(names.values()), file)
    below = filled.slice(1)
    nameless = [column for column in first if column != PLACE and column not in names]
    for column in nameless:
        if below[column].null_count() < below.height:
            row = below.filter(pl.col(column).is_not_null()).row(0, named=True)
            raise TableError(
                f"{file}, row {row[PLACE]}: {row[column]!r} stands in a column without a heading",
                hint="Name every column in the first row.",
            )
    return below.drop(nameless).rename(names)


def _refuse_repeated(names: Sequence[str], file: Path) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise TableError(f"{file} has two columns named {name}", hint="Give each column a name of its own.")
        seen.add(name)


_BLANKS = "\u00a0\u2007\u202f\u2009\ufeff\u200b"
"""Blanks that spreadsheets put into numbers and texts."""


def clean(cells: pl.Expr) -> pl.Expr:
    """Take the blanks around texts away, every kind of blank for a plain one, and nothing for no text at all."""
    return unguarded(_stripped(cells.str.replace_all(f"[{_BLANKS}]", " ")))


def _stripped(cells: pl.Expr) -> pl.Expr:
    plain = cells.str.strip_chars()
    return pl.when(plain != "").then(plain).name.keep()
