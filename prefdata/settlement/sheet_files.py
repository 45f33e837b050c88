"""Tables in single files: recorded sheets in, settlements out, as CSV, Parquet or Excel."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from prefdata.errors import TableError, is_panic
from prefdata.files import new_file
from prefdata.settlement.workbooks import read_cells

__all__ = ["read_sheets", "write_table"]


def read_sheets(path: str | Path) -> pl.DataFrame:
    """Read recorded sheets from a file; its ending tells the format.

    Raises
    ------
    TableError
        If the file is missing, damaged or of another format.
    """
    file = Path(path)
    _refuse_ending(file)
    if file.exists() and not file.is_file():
        raise TableError(f"{file} is no regular file", hint="Give a .csv, .parquet or .xlsx file.")
    try:
        sheets = _READERS[file.suffix](file)
    except ImportError:
        raise TableError(
            f"{file}: Excel files need an extra", hint="python -m pip install 'prefdata[excel]', or save it as CSV."
        ) from None
    except BaseException as error:
        if not isinstance(error, _UNREADABLE) and not is_panic(error) and type(error).__module__ != "_fastexcel":
            raise
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise TableError(f"{file} cannot be read: {reason}", hint="Give a .csv, .parquet or .xlsx file.") from None
    if sheets.is_empty():
        raise TableError(f"{file} has no rows", hint="Write a row for each pulka.")
    if sheets.width == 1:
        raise TableError(
            f"{file} has the one column {sheets.columns[0]}", hint="Separate columns by commas, and save it as UTF-8."
        )
    return sheets


_UNREADABLE = (OSError, pl.exceptions.PolarsError, ValueError)


def _read_csv(file: Path) -> pl.DataFrame:
    return pl.read_csv(file.read_bytes(), infer_schema_length=None)


def _read_parquet(file: Path) -> pl.DataFrame:
    """Read a Parquet file with Arrow, which takes a damaged one more calmly than Polars."""
    try:
        return pl.read_parquet(file.read_bytes(), use_pyarrow=True)
    except NotImplementedError:  # whole numbers of 128 bits are known to Polars alone
        return pl.read_parquet(file.read_bytes())


def _read_excel(file: Path) -> pl.DataFrame:
    """Read the first sheet of a workbook; a column whose cells are all numbers becomes one of numbers."""
    cells = read_cells(file.read_bytes())
    return cells.with_columns(_as_numbers(column) for column in cells.iter_columns())


def _as_numbers(column: pl.Series) -> pl.Series:
    for kind in (pl.Int64, pl.Float64):
        numbers = column.cast(kind, strict=False)
        if column.null_count() < len(column) and numbers.null_count() == column.null_count():
            return numbers
    return column


_READERS = {".csv": _read_csv, ".parquet": _read_parquet, ".xlsx": _read_excel}


def write_table(frame: pl.DataFrame, path: str | Path, *, overwrite: bool = False) -> None:
    """Write a table to a file, whole or not at all; its ending tells the format.

    Raises
    ------
    TargetExistsError
        If there is a file and it must not be overwritten.
    TableError
        If the file cannot be written.
    """
    file = Path(path)
    _refuse_ending(file)
    with new_file(file, overwrite=overwrite, error=TableError) as beside:
        if file.suffix == ".csv":
            frame.write_csv(beside)
        elif file.suffix == ".parquet":
            frame.write_parquet(beside)
        else:
            _write_excel(frame, beside, file)


def _write_excel(frame: pl.DataFrame, beside: Path, file: Path) -> None:
    try:
        frame.write_excel(beside)
    except ImportError:
        raise TableError(
            f"{file}: Excel files need an extra", hint="python -m pip install 'prefdata[excel]', or write a .csv."
        ) from None


def _refuse_ending(file: Path) -> None:
    if file.suffix not in _READERS:
        kind = "is a folder" if file.is_dir() else f"ends in none of {', '.join(_READERS)}"
        raise TableError(f"{file} {kind}", hint="Give a .csv, .parquet or .xlsx file.")
