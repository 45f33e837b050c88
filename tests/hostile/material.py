"""What cases are made of: small archives and sheets that are in order, and ways to damage bytes."""

from __future__ import annotations

import random
import tempfile
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

import prefdata as pref
from prefdata.archives import Archive
from prefdata.vocabulary import (
    SEATS,
    bullet_column,
    mountain_column,
    pairs,
    player_column,
    seats_at_table,
    whists_column,
)
from tests import strategies
from tests.records import archive_of

__all__ = [
    "CONVENTIONS",
    "TABLES",
    "Frames",
    "club",
    "lay_club",
    "lay_frames",
    "mutated",
    "mutated_parquet",
    "sheet_rows",
    "sheets_frame",
]

Frames = dict[str, pl.DataFrame]
Record = dict[str, Any]

TABLES = ("pulkas", "deals", "adjustments")
CONVENTIONS = ("sochi", "rostov", "leningrad", "classic", "kazakh", "mendelev")
CLUBS = 16
PART = "part-00000.parquet"


@cache
def _archive(number: int) -> Archive:
    """Make a small archive of one of `CLUBS`, three to five pulkas."""
    rng = random.Random(f"club {number}")
    pulkas = [strategies.random_pulka(rng) for _ in range(rng.randint(3, 5))]
    pulkas[0]["adjustments"] = [
        {"deal": deal, "seat": "a", "entry": "mountain", "on_seat": None, "points": 3 - deal} for deal in (0, 1)
    ]
    made = archive_of(pulkas, rng.choice(CONVENTIONS[:3]))
    names = {player_column(seat): pl.lit(f"Player {seat}") for seat in SEATS}
    at_table = [
        pl.when(pl.col("players") >= place).then(names[name]).alias(name) for place, name in enumerate(names, 1)
    ]
    return pref.archive(made.pulkas.collect().with_columns(at_table), made.deals.collect(), made.adjustments.collect())


@cache
def club(number: int) -> Frames:
    """Give the frames of a small archive, as somebody else may have written them: without codes."""
    archive = _archive(number % CLUBS)
    frames = {table: getattr(archive, table).collect() for table in TABLES}
    return {**frames, "deals": frames["deals"].drop("outcome")}


@cache
def _written(number: int, deals_per_part: int) -> dict[str, bytes]:
    """Give the files of a small archive as prefdata writes it."""
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder, "club")
        pref.write_archive(_archive(number), written, deals_per_part=deals_per_part)
        return {str(file.relative_to(written)): file.read_bytes() for file in written.rglob("*") if file.is_file()}


def lay_club(folder: Path, number: int, *, deals_per_part: int = 1_000_000) -> None:
    """Put a small archive into a folder as prefdata writes it, with codes and `archive.json`."""
    for name, content in _written(number % CLUBS, deals_per_part).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def lay_frames(folder: Path, frames: Frames, *, compressed: bool = True) -> None:
    """Put frames into a folder as an archive of one part."""
    for table, frame in frames.items():
        (folder / table).mkdir(parents=True, exist_ok=True)
        frame.write_parquet(folder / table / PART, compression="zstd" if compressed else "uncompressed")


def sheet_rows(rng: random.Random, count: int, players: int | None = None) -> list[Record]:
    """Draw recorded sheets as rows, with keys 1, 2, ..."""
    rows = []
    for key in range(1, count + 1):
        sheet = strategies.random_recorded_sheet(rng, players)
        row: Record = {"pulka": key, "players": sheet["players"], "bullet_limit": sheet["limit"]}
        seats = seats_at_table(sheet["players"])
        row |= {bullet_column(seat): _plain(sheet["bullet"][seat]) if seat in seats else None for seat in SEATS}
        row |= {mountain_column(seat): _plain(sheet["mountain"][seat]) if seat in seats else None for seat in SEATS}
        row |= {
            whists_column(*pair): _plain(sheet["whists"][pair]) if pair in sheet["whists"] else None for pair in pairs()
        }
        row |= {player_column(seat): f"Player {seat}" if seat in seats else None for seat in SEATS}
        rows.append(row)
    return rows


def sheets_frame(rows: list[Record]) -> pl.DataFrame:
    """Make a frame of sheets; a column of numbers is of floats if any of them is."""
    columns = {}
    for name in rows[0]:
        values = [row[name] for row in rows]
        kind: Any = pl.String if name.startswith("player_") else pl.Int64
        if any(isinstance(value, float) for value in values):
            kind, values = pl.Float64, [None if value is None else float(value) for value in values]
        columns[name] = pl.Series(values, dtype=kind)
    return pl.DataFrame(columns)


def _plain(value: int | Fraction) -> int | float:
    return float(value) if isinstance(value, Fraction) and value.denominator > 1 else int(value)


def mutated_parquet(rng: random.Random, content: bytes) -> bytes:
    """Damage a Parquet file: among its values, near its end, or anywhere."""
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    regions = ((4, max(5, footer)), (max(0, len(content) - 40), len(content)), (0, len(content)))
    return mutated(rng, content, rng.choice((regions[0], *regions)))


def mutated(rng: random.Random, content: bytes, region: tuple[int, int] | None = None) -> bytes:
    """Damage bytes in one to three places: flipped, set, cut out, cut off, put in, zeroed, doubled."""
    changed = bytearray(content)
    start, stop = region or (0, len(content))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if len(changed) <= start:
            break
        place = rng.randrange(start, min(stop, len(changed)))
        run = rng.choice((1, 1, 2, 8, 64))
        way = rng.choice(("flip",) * 6 + ("set",) * 4 + ("cut", "truncate", "insert", "zero", "ones", "double"))
        if way == "flip":
            changed[place] ^= 1 << rng.randrange(8)
        elif way == "set":
            changed[place] = rng.randrange(256)
        elif way == "cut":
            del changed[place : place + run]
        elif way == "truncate":
            del changed[place:]
        elif way == "insert":
            changed[place:place] = rng.randbytes(run)
        elif way == "double":
            changed[place:place] = changed[place : place + run]
        else:
            run = min(run, len(changed) - place)
            changed[place : place + run] = (b"\x00" if way == "zero" else b"\xff") * run
    return bytes(changed)
