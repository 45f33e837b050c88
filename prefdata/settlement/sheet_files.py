"""Tables in single files: recorded sheets in, settlements out, as CSV, Parquet or Excel."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from prefdata.errors import TableError
from prefdata.files import new_file

__all__ = ["read_sheets", "write_table"]

_ENDINGS = (".csv", ".parquet", ".xlsx")


def read_sheets(path: str | Path) -> pl.DataFrame:
    """Read recorded sheets from a file; its ending tells the format.

    Raises
    ------
    TableError
        If the file is missing, damaged or of another format.
    """
    file = Path(path)
    _refuse_ending(file)
    try:
        if file.suffix == ".csv":
            sheets = pl.read_csv(file, infer_schema_length=None)
        else:
            sheets = pl.read_parquet(file) if file.suffix == ".parquet" else pl.read_excel(file)
    except ImportError:
        raise TableError(
            f"{file}: Excel files need an extra", hint="python -m pip install 'prefdata[excel]', or save it as CSV."
        ) from None
    except (OSError, pl.exceptions.PolarsError, ValueError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise TableError(f"{file} cannot be read: {reason}", hint="Give a .csv, .parquet or .xlsx file.") from None
    if sheets.is_empty():
        raise TableError(f"{file} has no rows", hint="Write a row for each pulka.")
    if sheets.width == 1:
        raise TableError(
            f"{file} has the one column {sheets.columns[0]}", hint="Separate columns by commas, and save it as UTF-8."
        )
    return sheets


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
    if file.suffix not in _ENDINGS:
        kind = "is a folder" if file.is_dir() else f"ends in none of {', '.join(_ENDINGS)}"
        raise TableError(f"{file} {kind}", hint="Give a .csv, .parquet or .xlsx file.")
