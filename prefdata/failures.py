"""Rows that break a rule of the tables, with their reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from prefdata.doors import as_path
from prefdata.errors import ArchiveError, counted
from prefdata.files import new_file

__all__ = ["FAILURE_SCHEMA", "Failures", "failure_rows", "shown_values"]

FAILURE_SCHEMA = pl.Schema(
    {
        "rule": pl.String,
        "table": pl.String,
        "pulka": pl.Int64,
        "deal": pl.UInt16,
        "value": pl.String,
        "reason": pl.String,
        "file": pl.String,
        "row": pl.UInt32,
    }
)
"""Columns of `Failures.frame`."""


def shown_values(columns: Iterable[str]) -> pl.Expr:
    """Write what stands in some columns of a row, those that are empty left out.

    >>> row = pl.DataFrame({"tricks_a": [7], "tricks_b": [None]})
    >>> row.select(shown_values(row.columns)).item()
    'tricks_a=7'
    """
    values = [
        pl.when(pl.col(column).is_not_null()).then(pl.concat_str(pl.lit(f"{column}="), pl.col(column).cast(pl.String)))
        for column in columns
    ]
    return pl.concat_str(values, separator=", ", ignore_nulls=True) if values else pl.lit("")


def failure_rows(
    rows: pl.DataFrame,
    rule: str,
    table: str,
    reason: str,
    value: pl.Expr,
    *,
    file: str | None = None,
    deal: str | None = None,
    row: str | None = None,
) -> pl.DataFrame:
    """List rows that break a rule, in the form of `Failures.frame`.

    Parameters
    ----------
    rows
        The rows, with `pulka`.
    rule, table, reason
        Name of the rule, the table whose rule it is, and what must hold.
    value
        What to show of a row, see `shown_values`.
    file
        Where the rows stand.
    deal, row
        Columns of the deal's number and of the row's; None where there are none.

    Examples
    --------
    >>> rows = pl.DataFrame({"pulka": [4], "players": [9]})
    >>> failure_rows(rows, "players|max", "pulkas", "players must be at most 4", shown_values(["players"])).row(0)[:5]
    ('players|max', 'pulkas', 4, None, 'players=9')
    """
    columns = {
        "rule": pl.lit(rule),
        "table": pl.lit(table),
        "pulka": pl.col("pulka"),
        "deal": pl.col(deal) if deal else pl.lit(None),
        "value": value,
        "reason": pl.lit(reason),
        "file": pl.lit(file),
        "row": pl.col(row) if row else pl.lit(None),
    }
    return rows.select(columns[name].cast(kind, strict=False).alias(name) for name, kind in FAILURE_SCHEMA.items())


@dataclass(frozen=True)
class Failures:
    """Rows that break a rule of the tables.

    Attributes
    ----------
    frame
        One row for each broken rule: `rule`, `table`, `pulka`, `deal` (null where it is about the whole pulka),
        `value` (what stood in the columns that the rule looks at), `reason`, `file`, `row` (from 0).
    deals, adjustments
        How many rows of these tables are set aside, those without a key among them.
    pulka_rows
        How many rows of the pulkas table are set aside; more than `pulkas` where a key is doubled or cannot be read.
    """

    frame: pl.DataFrame
    deals: int = 0
    adjustments: int = 0
    pulka_rows: int = 0

    def __len__(self) -> int:
        return self.frame.height

    @property
    def pulkas(self) -> pl.Series:
        """Keys of the pulkas that are set aside."""
        return self.frame["pulka"].drop_nulls().unique().sort()

    def summary(self) -> str:
        """Say in a line what is set aside, and which rules are broken.

        >>> Failures(pl.DataFrame(schema=FAILURE_SCHEMA)).summary()
        'set aside: 0 pulkas'
        """
        rules = f" ({', '.join(self.counts())})" if len(self) else ""
        deals = f" with {counted(self.deals, 'deal')}" if self.deals else ""
        return f"set aside: {counted(len(self.pulkas), 'pulka')}{deals}{rules}"

    def first(self) -> str:
        """Tell where the first failure is, what must hold and what stands there; nothing where there is none."""
        if self.frame.is_empty():
            return ""
        row = self.frame.row(0, named=True)
        deal = "" if row["deal"] is None else f", deal {row['deal']}"
        value = f" ({row['value']})" if row["value"] else ""
        return f"pulka {row['pulka']}{deal}: {row['reason']}{value}"

    def counts(self) -> dict[str, int]:
        """Count the failures of each rule, the most frequent first."""
        counted = self.frame.group_by("rule").len().sort(["len", "rule"], descending=[True, False])
        return dict(counted.rows())

    def write(self, path: str | Path) -> None:
        """Write the failures to a new CSV or Parquet file, by its ending.

        Raises
        ------
        TargetExistsError
            If there is a file already.
        ArchiveError
            If it cannot be written, or has another ending.
        """
        target = as_path(path, "path")
        if target.suffix not in (".csv", ".parquet"):
            raise ArchiveError(f"{target} ends neither in .csv nor in .parquet", hint="Name the file so.")
        with new_file(target) as beside:
            if target.suffix == ".csv":
                self.frame.write_csv(beside)
            else:
                self.frame.write_parquet(beside)

    @classmethod
    def gather(cls, parts: Iterable[Failures]) -> Failures:
        """Put the failures of several parts together."""
        every = list(parts)
        frames = [failures.frame for failures in every]
        return cls(
            pl.concat(frames) if frames else pl.DataFrame(schema=FAILURE_SCHEMA),
            deals=sum(one.deals for one in every),
            adjustments=sum(one.adjustments for one in every),
            pulka_rows=sum(one.pulka_rows for one in every),
        )
