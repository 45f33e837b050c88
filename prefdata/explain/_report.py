"""What an audit found, as a report."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from prefdata.explain._words import KINDS, causes_in_words
from prefdata.failures import Failures
from prefdata.reports import Report, Section, amount, listed, number
from prefdata.vocabulary import SEAT, TWELFTHS

__all__ = ["DIFFERENCES_SCHEMA", "PULKAS_SCHEMA", "RESULTS_SCHEMA", "Audit"]

PULKAS_SCHEMA = pl.Schema(
    {
        "pulka": pl.Int64,
        "players": pl.UInt8,
        "convention": pl.String,
        "columns_compared": pl.UInt8,
        "columns_empty": pl.UInt8,
        "columns_different": pl.UInt8,
    }
)
DIFFERENCES_SCHEMA = pl.Schema(
    {
        "pulka": pl.Int64,
        "column": pl.String,
        "recorded": pl.Float64,
        "computed": pl.Float64,
        "difference": pl.Float64,
    }
)
RESULTS_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "pulka": pl.Int64,
    "seat": SEAT,
    "recorded_twelfths": pl.Int64,
    "computed_twelfths": pl.Int64,
    "difference_twelfths": pl.Int64,
}

_SHOWN = 50
"""Pulkas that are shown one by one."""

_NAMED = 10
"""Pulkas that are named in a sentence."""


@dataclass(frozen=True)
class Audit(Report):
    """Recorded sheets held against the deals of their pulkas.

    Attributes
    ----------
    convention
        What the sheets were written under; ``played`` for what stands in each pulka's row.
    pulkas
        A row for each sheet that was compared: `pulka`, `players`, `convention`, `columns_compared` (entries that stand
        in the sheet), `columns_empty` (those that it leaves open), `columns_different`.
    differences
        A row an entry that differs, in points and whists: `pulka`, `column`, `recorded`, `computed`, `difference`.
    results
        What the sheets that differ settle to, a row a seat: `pulka`, `seat`, `recorded_twelfths`, `computed_twelfths`,
        `difference_twelfths`, in twelfths of a whist.
    causes
        A row for each cause that makes the whole difference of a sheet, several of a sheet where they fit equally well:
        `pulka`, `cause` (its kind), `deal`, `column`, `other` (where the entry came to stand), `points`, `convention`
        (a preset, or a switch and its value), each null where a cause has none.
    without_sheet
        Pulkas that have no recorded sheet.
    failures
        The pulkas and the sheets that were set aside.
    """

    convention: str
    pulkas: pl.DataFrame
    differences: pl.DataFrame
    results: pl.DataFrame
    causes: pl.DataFrame
    without_sheet: pl.Series
    failures: Failures

    @property
    def title(self) -> str:
        """What the report is about."""
        return f"Recorded sheets against their deals, {self.convention}"

    @property
    def different(self) -> list[int]:
        """The pulkas whose sheets differ from their deals."""
        return self.pulkas.filter(pl.col("columns_different") > 0)["pulka"].to_list()

    def explained(self) -> pl.DataFrame:
        """Tell the causes in words: a row for each pulka that differs, `pulka` and `cause`."""
        words = causes_in_words(self.causes, self.different)
        return pl.DataFrame({"pulka": [*words], "cause": [*words.values()]}, schema={"pulka": pl.Int64, "cause": str})

    def counts(self) -> pl.DataFrame:
        """Count the causes: for each kind `alone` (sheets that only causes of it fit) and `among_others`."""
        kinds = self.causes.unique(["pulka", "cause"]).with_columns(fitting=pl.len().over("pulka"))
        alone = pl.col("fitting") == 1
        counted = kinds.group_by("cause").agg(alone=alone.sum(), among_others=(~alone).sum())
        return counted.sort(pl.col("cause").cast(pl.Enum(list(KINDS))))

    def findings(self) -> tuple[str, ...]:
        """Say how many sheets agree, how many differ and by how much, what made them so, and what was not compared."""
        different, compared = self.different, self.pulkas.height
        agree = "agrees with its" if compared == 1 else "agree with their"
        told = [f"{number(compared - len(different))} of {amount(compared, 'recorded sheet')} {agree} deals."]
        if not compared:
            told = ["No recorded sheet could be held against its deals."]
        if different:
            largest = self.results["difference_twelfths"].abs().max()
            assert isinstance(largest, int)
            others = f" and {len(different) - _NAMED} others" if len(different) > _NAMED else ""
            named = ", ".join(map(str, different[:_NAMED])) + others if others else listed(map(str, different))
            differ = "differs" if len(different) == 1 else "differ"
            told.append(
                f"{number(len(different))} {differ}, which changes a result by {number(largest / TWELFTHS)} whists at "
                f"most: pulka{'s' * (len(different) > 1)} {named}."
            )
            told.append(self._causes_told())
        partial = self.pulkas.filter(pl.col("columns_empty") > 0).height
        if partial:
            leave = "leaves" if partial == 1 else "leave"
            told.append(f"{amount(partial, 'sheet')} {leave} columns empty, which are not compared.")
        if len(self.without_sheet):
            have = "has" if len(self.without_sheet) == 1 else "have"
            told.append(f"{amount(len(self.without_sheet), 'pulka')} {have} no recorded sheet.")
        if len(self.failures):
            rules = ", ".join(f"{rule} {count}" for rule, count in self.failures.counts().items())
            told.append(f"Set aside: {amount(len(self.failures), 'row')} ({rules}).")
        return tuple(told)

    def _causes_told(self) -> str:
        """Say of how many sheets the cause is known."""
        kinds = self.causes.unique(["pulka", "cause"]).group_by("pulka").len()["len"]
        one, several = int((kinds == 1).sum()), int((kinds > 1).sum())
        none = len(self.different) - one - several
        told = ((one, "one kind of cause fits"), (several, "several kinds fit"), (none, "no single cause fits"))
        sentence = ", ".join(f"{words} {amount(sheets, 'sheet')}" for sheets, words in told if sheets)
        return f"{sentence[0].upper()}{sentence[1:]}."

    def sections(self) -> tuple[Section, ...]:
        """Give what differs with its cause, what that does to the results, how often each cause was found."""
        shown = self.different[:_SHOWN]
        words = causes_in_words(self.causes, shown)
        first = pl.col("pulka").is_first_distinct()
        named = pl.col("pulka").replace_strict([*words], [*words.values()], default="", return_dtype=pl.String)
        differing = self.differences.filter(pl.col("pulka").is_in(shown)).with_columns(
            cause=pl.when(first).then(named).otherwise(pl.lit(""))
        )
        results = self.results.filter(pl.col("pulka").is_in(shown) & (pl.col("difference_twelfths") != 0)).select(
            "pulka",
            "seat",
            *((pl.col(f"{name}_twelfths") / TWELFTHS).alias(name) for name in ("recorded", "computed", "difference")),
            twelfths="difference_twelfths",
        )
        left = len(self.different) - len(shown)
        more = (f"{amount(left, 'more pulka')} differ; Audit.differences has all.",) if left else ()
        return (
            Section("What differs", differing, decimals=None, sentences=more),
            Section("What that does to results, in whists", results, decimals=None),
            Section("Causes, by the sheets that they fit", self.counts()),
        )
