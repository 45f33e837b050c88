"""Rows that break a rule of the tables, with their reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from prefdata.errors import ArchiveError, TargetExistsError, counted, reason_of

__all__ = ["FAILURE_SCHEMA", "Failures"]

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


@dataclass(frozen=True)
class Failures:
    """Rows that break a rule of the tables.

    Attributes
    ----------
    frame
        One row for each broken rule: `rule`, `table`, `pulka`, `deal` (null where it is about the whole pulka),
        `value` (what stood in the columns that the rule looks at), `reason`, `file`, `row` (from 0).
    deals
        How many deals are set aside with their pulkas.
    """

    frame: pl.DataFrame
    deals: int = 0

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
        target = Path(path)
        if target.suffix not in (".csv", ".parquet"):
            raise ArchiveError(f"{target} ends neither in .csv nor in .parquet", hint="Name the file so.")
        if target.exists():
            raise TargetExistsError(f"{target} exists already", hint="Choose another name, or delete it first.")
        try:
            if target.suffix == ".csv":
                self.frame.write_csv(target)
            else:
                self.frame.write_parquet(target)
        except OSError as error:
            reason = reason_of(error)
            raise ArchiveError(f"{target} cannot be written: {reason}", hint="Choose another place.") from None

    @classmethod
    def gather(cls, parts: Iterable[Failures]) -> Failures:
        """Put the failures of several parts together."""
        every = list(parts)
        frames = [failures.frame for failures in every]
        return cls(
            pl.concat(frames) if frames else pl.DataFrame(schema=FAILURE_SCHEMA), sum(one.deals for one in every)
        )
