"""Speed on six million random deals, as ratios in one run to reading the same columns.

Not part of the default run::

    pytest -n 0 tests/benchmarks/speed.py --benchmark-group-by=param:folder --benchmark-columns=median

The column of the medians gives, in brackets, how many times slower than the fastest each one is; the fastest is the
walk of a further convention or the reading itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import prefdata as pref
from prefdata.russian.book import RussianBook
from prefdata.russian.packing import LAYOUT
from prefdata.scoring.ledger import ledger_of
from prefdata.scoring.scorer import score, walk_part
from prefdata.scoring.sheets import sheets_of
from prefdata.scoring.tidy import tidy_parts
from tests.benchmarks.material import write_archive_of_random_deals

DEALS = 6_000_000
TABLES = {"three": [3], "four": [4], "mixed": [3, 4, 2]}
COLUMNS = ["pulka", "deal", *LAYOUT.columns]


@pytest.fixture(scope="module", params=list(TABLES))
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp(request.param)
    write_archive_of_random_deals(path, DEALS, TABLES[request.param])
    return path


def run(benchmark: Any, work: Any) -> None:
    benchmark.extra_info["deals"] = DEALS
    benchmark.pedantic(work, rounds=5, warmup_rounds=1)


def settlements(archive: pref.Archive, convention: str) -> pl.DataFrame:
    return pref.settle(pref.sheets(archive, convention), convention, pulkas=archive.pulkas)


def test_reading_the_columns(benchmark: Any, folder: Path) -> None:
    archive = pref.open_archive(folder / "plain")

    def read() -> None:
        for part in archive.parts:
            part.deals.raw.select(COLUMNS).collect()

    run(benchmark, read)


def test_parquet_to_settlements_from_readable_columns(benchmark: Any, folder: Path) -> None:
    run(benchmark, lambda: settlements(pref.open_archive(folder / "plain"), "sochi"))


def test_parquet_to_settlements_from_stored_codes(benchmark: Any, folder: Path) -> None:
    run(benchmark, lambda: settlements(pref.open_archive(folder / "coded"), "sochi"))


def test_a_further_convention(benchmark: Any, folder: Path) -> None:
    parts = list(tidy_parts(pref.open_archive(folder / "plain"), RussianBook()))
    conventions = iter(
        pref.convention("leningrad").replace(name=f"house-{number}", help_rate=number) for number in range(99)
    )

    def rescore() -> None:
        convention = next(conventions)
        sheets = pl.concat([sheets_of(walk_part(part, convention)) for part in parts])
        pref.settle(sheets, convention, pulkas=pl.concat([part.pulkas for part in parts]))

    run(benchmark, rescore)


def test_ledger_to_parquet(benchmark: Any, folder: Path, tmp_path: Path) -> None:
    archive, convention = pref.open_archive(folder / "plain"), pref.convention("sochi")

    def write() -> None:
        for number, scored in enumerate(score(archive, convention, ledger=True)):
            ledger_of(scored).write_parquet(tmp_path / f"{number}.parquet")

    run(benchmark, write)


def test_deals_through_the_public_expressions(benchmark: Any, folder: Path) -> None:
    deals = next(iter(pref.open_archive(folder / "plain"))).deals.collect()
    run(benchmark, lambda: pref.entries(deals, "sochi"))


@pytest.fixture(scope="module")
def table(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A part's deals as a CSV file, with what the pulkas table says beside each."""
    part = next(iter(pref.open_archive(folder / "plain")))
    file = tmp_path_factory.mktemp("csv") / "deals.csv"
    deals = part.deals.drop("outcome").collect()
    deals.join(part.pulkas.drop("players").collect(), on="pulka", maintain_order="left").write_csv(file)
    return file


def test_reading_a_csv_file(benchmark: Any, table: Path) -> None:
    run(benchmark, lambda: pl.read_csv(table, infer_schema_length=10_000))


def test_importing_a_csv_file(benchmark: Any, table: Path) -> None:
    run(benchmark, lambda: pref.import_file(table))


def test_importing_a_protocol_of_people(benchmark: Any, table: Path) -> None:
    text = table.read_text(encoding="utf-8").replace(",", ";").replace("misere", "Мизер").replace("whist", "в")
    typed = table.with_name("typed.csv")
    typed.write_text(text, encoding="cp1251")
    run(benchmark, lambda: pref.import_file(typed))
