"""Bringing foreign frames into the types of a table, and finding the values that do not fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

import polars as pl

from prefdata.errors import ArchiveError, TableError, is_panic, reason_of
from prefdata.files import refuse_irregular
from prefdata.tables import Table
from prefdata.vocabulary import SEATS, Words, seats_needed

__all__ = ["TableFrame", "in_memory", "scan", "together"]

_TEXTS = (pl.String, pl.Categorical, pl.Enum)
_ACCEPTED: dict[type[pl.DataType], tuple[type[pl.DataType], ...]] = {
    pl.Enum: _TEXTS,
    pl.String: _TEXTS,
    pl.Boolean: (pl.Boolean,),
    pl.Date: (pl.Date, pl.Datetime),
    pl.Float64: (pl.Float64, pl.Float32, pl.Decimal),
}


_KINDS: dict[type[pl.DataType], tuple[str, str]] = {
    pl.Enum: ("text", "pl.String"),
    pl.String: ("text", "pl.String"),
    pl.Boolean: ("true and false", "pl.Boolean"),
    pl.Date: ("days", "pl.Date"),
    pl.Float64: ("numbers", "pl.Float64"),
}
"""What a column of a table holds, in words and as Polars has it; whole numbers are left out."""

_MISSPELT = 0.85
"""How much two names are alike if one may be the other, misspelt."""


class TableFrame:
    """A lazy frame that is to be one of the tables, in whatever types it came.

    Parameters
    ----------
    frame
        The frame as read.
    table
        The table that it is to be.
    where
        File or table name for messages.

    Attributes
    ----------
    lacking
        Columns of seats that it does not have; they are null, and `refuse_lacking` tells whether they may be.

    Raises
    ------
    TableError
        If another column is missing, or one has a type that cannot hold the table's values.
    """

    def __init__(self, frame: pl.LazyFrame, table: Table, where: str) -> None:
        self.raw = frame
        self.table = table
        self.where = where
        types = frame.collect_schema()
        self._types = {name: column.dtype for name, column in table.schema.columns().items()}
        missing = [name for name in self._types if name not in types and name not in table.optional]
        self._refuse_missing([name for name in missing if name not in table.of_seats])
        if not any(name in types for name in table.alternatives):
            self._refuse_missing(table.alternatives[:1])
        self.lacking = tuple(missing)
        self._refuse_misspelt(types)
        self._present = {name: types[name] for name in self._types if name in types}
        for name, found in self._present.items():
            self._refuse_impossible(name, found)

    def refuse_lacking(self, tables: TableFrame) -> None:
        """Refuse to lack the columns of a seat at which somebody sits.

        Parameters
        ----------
        tables
            What has the `players` of every `pulka`; it is looked at only where columns are lacking.

        Raises
        ------
        TableError
            If a pulka has so many players.
        """
        if not self.lacking:
            return
        fewest = min(map(seats_needed, self.lacking))
        crowded = tables.typed().select("pulka", "players").filter(pl.col("players").is_between(fewest, len(SEATS)))
        firsts = tables.read(crowded.unique("players", keep="first", maintain_order=True)).sort("players")
        if firsts.height:
            pulka, most = firsts.row(-1)
            missing = [name for name in self.lacking if seats_needed(name) <= most]
            self._refuse_missing(missing, f" Pulka {pulka} has {most} players.")

    def _refuse_missing(self, missing: Sequence[str], because: str = "") -> None:
        if missing:
            columns = ", ".join(self.table.schema.column_names())
            raise TableError(
                f"{self.where} lacks the column{'s' * (len(missing) > 1)} {', '.join(missing)}",
                hint=f"The {self.table.name} table has the columns {columns}.{because}",
            )

    def _refuse_misspelt(self, types: pl.Schema) -> None:
        """Refuse a column that looks like one which would be taken at its default: that is a score gone wrong."""
        absent = [name for name in self.table.defaults if name not in types]
        for name in types:
            near = get_close_matches(name.lower(), absent, 1, _MISSPELT) if name not in self._types else []
            if near:
                raise TableError(
                    f"{self.where} has a column {name}, and no {near[0]}",
                    hint=f"Rename it to {near[0]}, or drop it if it is something else.",
                )

    def _refuse_impossible(self, name: str, found: pl.DataType) -> None:
        wanted = self._types[name]
        base = type(wanted) if isinstance(wanted, pl.DataType) else wanted
        fits = found.is_integer() if base.is_integer() else isinstance(found, _ACCEPTED[base])
        if base == pl.Float64:
            fits = fits or found.is_integer()
        if name in self.table.alternatives:
            fits = fits or found == pl.String  # a lazy CSV file gives a column that nobody fills as one of texts
        if not fits and found != pl.Null:
            expected, to = _KINDS.get(base, ("whole numbers", "pl.Int64"))
            hint = f'Cast it: pl.col("{name}").cast({to}); of a CSV file, schema_overrides={{"{name}": {to}}}.'
            if base.is_integer() and found.is_numeric():
                hint = f'If all of them are whole, cast it: pl.col("{name}").cast({to}); a cast cuts fractions off.'
            if name in self.table.alternatives and found.is_numeric():
                hint += f"  What players agreed on together goes into {self.table.alternatives[-1]}."
            raise TableError(f"{self.where}: column {name} is {found}, not {expected}", hint=hint)

    def _plain(self, name: str) -> pl.Expr:
        """Take a column as it is, words of other vocabularies as texts."""
        found = self._present[name]
        is_foreign = isinstance(found, pl.Categorical | pl.Enum) and found != self._types[name]
        return pl.col(name).cast(pl.String) if is_foreign else pl.col(name)

    def _words(self, name: str) -> Words | None:
        """Give the vocabulary of a column whose texts are to be brought into it."""
        kind, found = self._types[name], self._present.get(name)
        is_foreign = isinstance(found, _TEXTS) and found != kind
        return self.table.words.get(kind) if is_foreign and isinstance(kind, pl.Enum) else None

    def _filled(self, name: str) -> pl.Expr:
        """Take a column as it is, its default where it is missing or empty."""
        found = self._present.get(name)
        default = self.table.optional.get(name)
        if found is None or found == pl.Null:
            missing = default if default is not None else pl.lit(None)
            return missing.cast(self._types[name]).alias(name)
        column, words = self._plain(name), self._words(name)
        if words is not None:
            column = column.map_batches(words.spelt, return_dtype=pl.String, is_elementwise=True)
        return column.fill_null(default) if default is not None else column

    def _cast(self, name: str) -> pl.Expr:
        """Take a column in the type of the table; what that cannot hold is null."""
        words = self._words(name)
        if words is not None:
            return self._plain(name).map_batches(words.read, return_dtype=words.kind, is_elementwise=True)
        return self._filled(name).cast(self._types[name], strict=False)

    def filled(self) -> pl.LazyFrame:
        """Give the frame with all columns of the table, in the types that it came in."""
        return self.raw.select(self._filled(name).alias(name) for name in self._types)

    def typed(self) -> pl.LazyFrame:
        """Give the table; values that its types cannot hold are null."""
        return self.raw.select(
            self._filled(name) if self._present.get(name) == self._types[name] else self._cast(name)
            for name in self._types
        )

    def read(self, frame: pl.LazyFrame | None = None) -> pl.DataFrame:
        """Read the table, or what was made of it.

        Raises
        ------
        ArchiveError
            If its file is damaged.
        """
        try:
            return (self.typed() if frame is None else frame).collect()
        except BaseException as error:
            if not isinstance(error, pl.exceptions.ComputeError | OSError) and not is_panic(error):
                raise
            raise _unreadable(self.where, error) from None

    def misfit_rows(self) -> pl.DataFrame:
        """Number the rows, from 0, that have a value which does not fit its column's type."""
        misfit = self.misfit()
        if misfit is None:
            return pl.DataFrame(schema={"row": pl.UInt32})
        return self.read(self.raw.select(misfit=misfit).with_row_index("row").filter("misfit").select("row"))

    def has_misfits(self) -> bool:
        """Tell whether any value does not fit its column's type."""
        misfit = self.misfit()
        return misfit is not None and bool(self.read(self.raw.select(misfit.any())).item())

    def misfit(self) -> pl.Expr | None:
        """Tell whether a row has a value that its column's type cannot hold; None where no row can."""
        lossy = [name for name, found in self._present.items() if found not in (self._types[name], pl.Null)]
        if not lossy:
            return None
        return pl.any_horizontal(pl.col(name).is_not_null() & self._cast(name).is_null() for name in lossy)


def in_memory(frame: pl.DataFrame | pl.LazyFrame) -> pl.LazyFrame:
    """Take a frame as it is; columns without any value, which a CSV file gives as texts, may become of any type."""
    if isinstance(frame, pl.LazyFrame):
        return frame
    empty = [column.name for column in frame if column.dtype == pl.String and column.null_count() == frame.height]
    return frame.lazy().with_columns(pl.col(empty).cast(pl.Null)) if empty else frame.lazy()


def scan(path: Path) -> pl.LazyFrame:
    """Open a Parquet file lazily.

    Raises
    ------
    ArchiveError
        If it is cut off or not Parquet at all.
    """
    try:
        refuse_irregular(path)
        frame = pl.scan_parquet(path, glob=False)
        frame.collect_schema()
    except BaseException as error:
        if not isinstance(error, pl.exceptions.PolarsError | OSError) and not is_panic(error):
            raise
        raise _unreadable(str(path), error) from None
    return frame


def together(paths: Iterable[Path], where: str) -> pl.LazyFrame:
    """Open several files as one table, in types that hold the values of all of them.

    Raises
    ------
    ArchiveError
        If there are no such types, or a file cannot be read.
    """
    frames = [scan(path) for path in paths]
    if any(frame.collect_schema() != frames[0].collect_schema() for frame in frames):
        # Polars has no common type for Enums of different words.
        frames = [frame.with_columns(pl.selectors.enum().cast(pl.String)) for frame in frames]
    whole = pl.concat(frames, how="diagonal_relaxed")
    try:
        whole.collect_schema()
    except pl.exceptions.PolarsError as error:
        raise ArchiveError(
            f"the files in {where} have columns of different types: {_first_line(error)}",
            hint="Write them again with the same types.",
        ) from None
    return whole


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _unreadable(where: str, error: BaseException) -> ArchiveError:
    reason = reason_of(error) if isinstance(error, OSError) else _first_line(error)
    if isinstance(error, FileNotFoundError):
        return ArchiveError(f"{where} is no longer there: {reason}", hint="Open the archive again.")
    return ArchiveError(
        f"{where} cannot be read as Parquet: {reason}",
        hint="Copy or write the file again; it may be cut off, or not be a Parquet file.",
    )
