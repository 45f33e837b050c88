"""Archives at random, their frames and files, and what can go wrong while they are written."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive, _manifest, _write
from tests import strategies
from tests.records import archive_of

Frames = dict[str, pl.DataFrame]
TABLES = ("pulkas", "deals", "adjustments")
PULKAS = 24


def random_archive(seed: str, pulkas: int = PULKAS) -> Archive:
    rng = random.Random(seed)
    archive: Archive = archive_of([strategies.random_pulka(rng) for _ in range(pulkas)])
    return archive


def sheets_of(archive: Archive, convention: str = "sochi") -> pl.DataFrame:
    sheets: pl.DataFrame = pref.sheets(archive, convention)
    return sheets


def frames_of(archive: Archive) -> Frames:
    return {table: getattr(archive, table).collect() for table in TABLES}


def archive_of_frames(frames: Frames) -> Archive:
    archive: Archive = pref.archive(frames["pulkas"], frames["deals"], frames["adjustments"])
    return archive


def assert_same_tables(one: Archive, other: Archive) -> None:
    """Check that two archives hold the same rows, the codes left aside."""
    for table in TABLES:
        left, right = frames_of(one)[table], frames_of(other)[table]
        key = ["pulka", "deal"] if "deal" in left.columns else ["pulka"]
        assert_frame_equal(
            left.drop("outcome", strict=False).sort(key, maintain_order=True),
            right.drop("outcome", strict=False).sort(key, maintain_order=True),
        )


def listing(folder: Path) -> dict[str, bytes]:
    """Read everything below a folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def parts_of(folder: Path, table: str) -> list[pl.DataFrame]:
    return [pl.read_parquet(file) for file in sorted((folder / table).glob("*.parquet"))]


def shuffled(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.sample(fraction=1, shuffle=True, seed=7)


class Breakdown(Exception):  # noqa: N818
    """Something that fails half-way."""


def failing(call: int, function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function work until it is called for the nth time."""
    calls = 0

    def wrapped(*arguments: Any, **keywords: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call:
            raise Breakdown
        return function(*arguments, **keywords)

    return wrapped


BREAKDOWNS: dict[str, tuple[Any, str, int]] = {
    "with_codes": (_write, "with_codes", 1),
    "describe": (_manifest, "describe", 1),
    "describe later": (_manifest, "describe", 5),
    "write": (pl.DataFrame, "write_parquet", 4),
    "manifest": (_manifest, "write_manifest", 1),
    "replace": (os, "replace", 1),
    "replace later": (os, "replace", 2),
}


def renumbered(archive: Archive, by: int) -> Archive:
    return archive_of_frames(
        {table: frame.with_columns(pl.col("pulka") + by) for table, frame in frames_of(archive).items()}
    )


def write_files(folder: Path, table: str, files: Frames) -> None:
    (folder / table).mkdir(parents=True, exist_ok=True)
    for name, frame in files.items():
        frame.write_parquet(folder / table / f"{name}.parquet")


def change(table: str, *expressions: Any) -> Callable[[Frames], Frames]:
    return lambda frames: frames | {table: frames[table].with_columns(*expressions)}


def in_every_table(frame_change: Callable[[pl.DataFrame], pl.DataFrame]) -> Callable[[Frames], Frames]:
    return lambda frames: {table: frame_change(frame) for table, frame in frames.items()}


def without_defaults(frames: Frames) -> Frames:
    """Leave out the optional columns that scoring does not look at."""
    optional = {
        "player_a",
        "player_b",
        "player_c",
        "player_d",
        "played_on",
        "place",
        "stake",
        "trump",
        "outcome",
        "reason",
    }
    return {table: frame.drop(optional & set(frame.columns)) for table, frame in frames.items()}


def null_columns(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.lit(None).alias(name) for name in frame.columns if frame[name].is_null().all())


def empty_defaults(frames: Frames) -> Frames:
    deals = frames["deals"].with_columns(
        conceded=pl.when("conceded").then(True),
        talon=pl.when(pl.col("talon") > 0).then("talon"),
        multiplier=pl.when(pl.col("multiplier") > 1).then("multiplier"),
        wrong_cards=pl.when(pl.col("wrong_cards") != "").then("wrong_cards"),
    )
    return frames | {"deals": deals}


ENUMS = pl.selectors.enum()
WHOLE = pl.selectors.integer()
FORMS: dict[str, Callable[[Frames], Frames]] = {
    "strings": in_every_table(lambda frame: frame.with_columns(ENUMS.cast(pl.String))),
    "categories": in_every_table(lambda frame: frame.with_columns(ENUMS.cast(pl.String).cast(pl.Categorical))),
    "another enum": change(
        "deals", pl.col("dealer", "declarer").cast(pl.String).cast(pl.Enum(["d", "c", "b", "a", "e"]))
    ),
    "a narrower enum": change(
        "adjustments", pl.col("entry").cast(pl.String).cast(pl.Enum(["whists", "mountain", "bullet"]))
    ),
    "categories for texts": change("deals", pl.col("wrong_cards").cast(pl.Categorical)),
    "wide integers": in_every_table(lambda frame: frame.with_columns(WHOLE.cast(pl.Int64))),
    "unsigned integers": change("deals", WHOLE.cast(pl.UInt64)),
    "narrow integers": change("deals", WHOLE.exclude("outcome").cast(pl.Int16)),
    "missing columns": without_defaults,
    "columns of nulls": in_every_table(null_columns),
    "no codes": change("deals", pl.lit(None, dtype=pl.UInt32).alias("outcome")),
    "wrong codes": change("deals", pl.lit(7, dtype=pl.UInt32).alias("outcome")),
    "empty defaults": empty_defaults,
    "extra columns": in_every_table(lambda frame: frame.with_columns(note=pl.lit("x"), lists=pl.lit([1, 2]))),
    "an extra column row": in_every_table(lambda frame: frame.with_columns(row=pl.lit(0))),
    "extra columns key, previous": in_every_table(
        lambda frame: frame.with_columns(
            key=pl.lit("x"), previous=pl.lit(0), deals_of_pulka=pl.lit(0), column=pl.lit(1)
        )
    ),
    "unsorted": in_every_table(shuffled),
    "reversed": in_every_table(lambda frame: frame.reverse()),
    "columns in another order": in_every_table(lambda frame: frame.select(reversed(frame.columns))),
    "unsorted strings": in_every_table(lambda frame: shuffled(frame).with_columns(ENUMS.cast(pl.String))),
    "dates with times": change("pulkas", pl.col("played_on").cast(pl.Datetime("us"))),
    "whole stakes": change("pulkas", pl.lit(2).alias("stake")),
    "stakes in decimals": change("pulkas", pl.lit("0.25").cast(pl.Decimal(10, 2)).alias("stake")),
}
