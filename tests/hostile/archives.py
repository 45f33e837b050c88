"""Hostile archives: damaged bytes, columns of every type, odd values, lying manifests, wrong codes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

import prefdata as pref
from prefdata.archives import _manifest
from tests.hostile.accounting import look_at_rescoring
from tests.hostile.case import Case, kind
from tests.hostile.columns import STRIDE, TYPES, in_type, odd_rows
from tests.hostile.judging import Fault, Judgement, judge
from tests.hostile.material import (
    CLUBS,
    CONVENTIONS,
    PART,
    TABLES,
    club,
    lay_club,
    lay_frames,
    mutated,
    mutated_parquet,
)

__all__ = ["rescored"]

ADJUSTMENT_COLUMNS = ("pulka", "deal", "seat", "entry", "on_seat", "points", "reason")


def rescored(case: Case, archive: Path, *, by_columns: bool = True) -> Judgement:
    """Rescore an archive, or sometimes only check it, and judge all of it."""
    if case.chance(8):
        return _checked(case, archive)
    chosen: list[pref.Convention | str] = [pref.convention(case.rng.choice(CONVENTIONS))]
    if case.chance(6):
        chosen.append("played")
    flags = [word for one in chosen for word in ("-c", one if isinstance(one, str) else one.name)]
    if case.chance(4):
        flags.append("--ledger")
    ran = case.prefdata("rescore", archive, *flags, "--out", case.out)
    look_at_rescoring(archive, case.out, ran, chosen, by_columns=by_columns)
    return judge(ran)


def _checked(case: Case, archive: Path) -> Judgement:
    rejects = case.folder / f"rejects.{case.rng.choice(('csv', 'parquet'))}"
    ran = case.prefdata("check", archive, "--rejects", rejects)
    if ran.is_done and not rejects.exists():
        raise Fault(Judgement.SILENT_LOSS, f"check ended with {ran.code} and wrote no rejects")
    if ran.is_done:
        read = pl.read_csv(rejects) if rejects.suffix == ".csv" else pl.read_parquet(rejects)
        if (ran.code == 1) != bool(read.height):
            raise Fault(Judgement.SILENT_LOSS, f"check ended with {ran.code}, rejects have {read.height} rows")
    return judge(ran)


# --------------------------------------------------------------------------- bytes


@kind("parquet-bytes", 2500)
def parquet_bytes(case: Case) -> Judgement:
    """A file of an archive with damaged bytes, at times in its footer."""
    archive = case.folder / "club"
    number = case.rng.randrange(CLUBS)
    if case.chance(2):
        lay_club(archive, number, deals_per_part=case.rng.choice((20, 1_000_000)))
    else:
        lay_frames(archive, club(number), compressed=case.chance(3))
    case.lay_thesis(archive, archive / "deals")
    files = sorted(archive.rglob("*.parquet"))
    for file in case.rng.sample(files, case.rng.choice((1, 1, 1, 2)) if len(files) > 1 else 1):
        file.write_bytes(mutated_parquet(case.rng, file.read_bytes()))
    return rescored(case, archive)


# --------------------------------------------------------------------------- types and values

_COLUMNS = [(table, name) for table in ("pulkas", "deals") for name in club(0)[table].columns]
_COLUMNS += [("deals", "outcome"), *(("adjustments", name) for name in ADJUSTMENT_COLUMNS)]
_GRID = [(table, name, type_) for table, name in _COLUMNS for type_ in TYPES]


@kind("column-types", 1600)
def column_types(case: Case) -> Judgement:
    """A column in some type, all of them in turn."""
    frames = dict(club(case.rng.randrange(CLUBS)))
    table, name, type_ = _GRID[case.seed * STRIDE % len(_GRID)]
    frame = frames[table]
    values = frame[name].to_list() if name in frame.columns else [None] * frame.height
    frames[table] = frame.with_columns(in_type(case.rng, name, values, type_))
    lay_frames(case.folder / "club", frames)
    return rescored(case, case.folder / "club")


@kind("odd-values", 2000)
def odd_values(case: Case) -> Judgement:
    """Values beyond all bounds, empty, doubled, unknown or missing rows and columns."""
    frames = dict(club(case.rng.randrange(CLUBS)))
    for _ in range(case.rng.choice((1, 1, 2, 3))):
        table = case.rng.choice(("pulkas", "deals", "deals", "adjustments"))
        frames[table] = odd_rows(case.rng, frames[table])
    lay_frames(case.folder / "club", frames)
    case.lay_thesis(case.folder / "club")
    return rescored(case, case.folder / "club")


@kind("long-pulkas", 15)
def long_pulkas(case: Case) -> Judgement:
    """Thousands of deals in a pulka, adjustments as large as they may be, and one too many."""
    rng = case.rng
    players = rng.choice((3, 4))
    count = rng.choice((1_000, 3_000, 3_000, 10_000, 65_535, 65_536))
    failed: dict[str, Any] = {"contract": "misere", "declarer": "b", "tricks_a": 0, "tricks_b": 10, "tricks_c": 0}
    raspasy: dict[str, Any] = {"contract": "raspasy", "declarer": None, "tricks_a": 10, "tricks_b": 0, "tricks_c": 0}
    row: dict[str, Any] = {"pulka": 1, "players": players, "dealer": "a" if players == 3 else "d", "multiplier": 16}
    row |= {f"call_{seat}": None for seat in "abcd"} | {"tricks_d": None} | rng.choice((failed, raspasy))
    kinds = {name: kind_ for name, kind_ in club(0)["deals"].schema.items() if name in row}
    deals = pl.DataFrame({name: [value] for name, value in row.items()}, schema=kinds)
    deals = pl.concat([deals] * count).with_columns(deal=pl.int_range(1, count + 1))
    pulkas = {"pulka": [1], "players": [players], "bullet_limit": [rng.choice((1, 65_535))], "convention": ["sochi"]}
    frames = {"pulkas": pl.DataFrame(pulkas), "deals": deals}
    if case.chance(2):
        points = rng.choice((2**31 - 1, -(2**31), 2**31))
        entry = rng.choice(("mountain", "whists"))
        of_seat = {"pulka": 1, "deal": 1, "seat": "a", "entry": entry, "on_seat": "b" if entry == "whists" else None}
        frames["adjustments"] = pl.DataFrame([of_seat | {"points": points}] * rng.choice((1, 2_000)))
    lay_frames(case.folder / "club", frames)
    return rescored(case, case.folder / "club")


# --------------------------------------------------------------------------- archive.json

Lie = Callable[[random.Random, dict[str, Any]], None]


def _of_table(rng: random.Random, manifest: dict[str, Any]) -> dict[str, Any]:
    part = manifest["parts"][rng.choice(sorted(manifest["parts"]))]
    table: dict[str, Any] = part[rng.choice(sorted(part))]
    return table


def _lying_value(rng: random.Random, manifest: dict[str, Any]) -> None:
    table = _of_table(rng, manifest)
    table[rng.choice(sorted(table))] = rng.choice(_ODD_JSON)


def _lying_name(rng: random.Random, manifest: dict[str, Any]) -> None:
    parts = manifest["parts"]
    name = rng.choice(
        ("../../thesis.txt", "/etc/passwd", "..", "", "a\x00b", "x" * 3000, "/dev/zero", "part-9.parquet")
    )
    parts[name] = parts.pop(rng.choice(sorted(parts)))


def _lying_part(rng: random.Random, manifest: dict[str, Any]) -> None:
    part = manifest["parts"][rng.choice(sorted(manifest["parts"]))]
    part[rng.choice((*sorted(part), "other"))] = rng.choice(_ODD_JSON)


def _lying_top(rng: random.Random, manifest: dict[str, Any]) -> None:
    manifest[rng.choice((*sorted(manifest), "other"))] = rng.choice(_ODD_JSON)


def _deep(rng: random.Random, manifest: dict[str, Any]) -> None:
    deep: Any = None
    for _ in range(rng.choice((10, 400))):
        deep = [deep] if rng.randrange(2) else {"a": deep}
    manifest[rng.choice(("parts", "other"))] = deep


_ODD_JSON: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    2**63,
    10**400,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "../x",
    [],
    {},
    [1],
)
_LIES: tuple[Lie, ...] = (_lying_value, _lying_value, _lying_name, _lying_part, _lying_top, _deep)


@kind("archive-json", 700)
def archive_json(case: Case) -> Judgement:
    """An `archive.json` that is damaged or lies."""
    archive = case.folder / "club"
    lay_club(archive, case.rng.randrange(CLUBS), deals_per_part=case.rng.choice((20, 1_000_000)))
    file = archive / "archive.json"
    if case.chance(3):
        file.write_bytes(mutated(case.rng, file.read_bytes()))
    elif case.chance(12):
        opening = case.rng.choice(("[", '{"parts":', '{"schema_version": 1, "parts": {"a":'))
        file.write_text(opening * case.rng.choice((200, 100_000)))
    else:
        manifest = json.loads(file.read_text())
        case.rng.choice(_LIES)(case.rng, manifest)
        file.write_text(json.dumps(manifest))
    return rescored(case, archive)


@kind("missing-parts", 150)
def missing_parts(case: Case) -> Judgement:
    """Files of parts that `archive.json` lists are gone, doubled or named otherwise."""
    archive = case.folder / "club"
    number = case.rng.randrange(CLUBS)
    lay_club(archive, number, deals_per_part=15)
    parts = sorted((archive / "deals").glob("*.parquet"))
    chosen = case.rng.choice(parts).name
    way = case.rng.choice(("table", "part", "double", "rename"))
    tables = [table for table in TABLES if (archive / table / chosen).exists()]
    gone = {"table": [case.rng.choice(tables)], "part": tables}.get(way, [])
    for table in gone:
        (archive / table / chosen).unlink()
    for table in tables if way in ("double", "rename") else ():
        file = archive / table / chosen
        (archive / table / "part-77777.parquet").write_bytes(file.read_bytes())
        if way == "rename":
            file.unlink()
    ran = case.prefdata("rescore", archive, "-c", "sochi", "--out", case.out)
    look_at_rescoring(archive, case.out, ran, [pref.convention("sochi")])
    if ran.code == 0 and gone:
        raise Fault(
            Judgement.SILENT_LOSS, f"{chosen} of {', '.join(gone)}, which archive.json lists, is gone; exit code 0"
        )
    return judge(ran)


# --------------------------------------------------------------------------- codes


@kind("codes", 700)
def codes(case: Case) -> Judgement:
    """Stored codes that are none, or contradict their columns, with a manifest that vouches for them or not."""
    archive = case.folder / "club"
    lay_club(archive, case.rng.randrange(CLUBS))
    file = archive / "deals" / PART
    deals = pl.read_parquet(file)
    stored = deals["outcome"].to_list()
    for place in case.rng.sample(range(len(stored)), case.rng.randint(1, min(5, len(stored)))):
        other = case.rng.choice(stored)
        drawn = case.rng.choice((None, 2**32 - 1, 0, 1, other, case.rng.randrange(2**32), stored[place] ^ 1))
        stored[place] = drawn
    changed = deals.with_columns(outcome=pl.Series(stored, dtype=pl.UInt32))
    if case.chance(4):
        changed = changed.with_columns(multiplier=pl.col("multiplier") % 16 + 1)
    changed.write_parquet(file)
    vouched = case.chance(2)
    if vouched:
        manifest = json.loads((archive / "archive.json").read_text())
        manifest["parts"][file.name]["deals"] = _manifest.describe(file, changed.height)
        (archive / "archive.json").write_text(json.dumps(manifest))
    return rescored(case, archive, by_columns=not vouched)
