"""Hostile names: of players, conventions in rows, files and places for results."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import polars as pl

import prefdata as pref
from tests.hostile.accounting import look_at_rescoring, look_at_settlements
from tests.hostile.case import Case, kind
from tests.hostile.judging import Fault, Judgement, judge
from tests.hostile.material import CLUBS, club, lay_club, lay_frames, sheet_rows, sheets_frame

_PLAYERS = (
    "",
    " ",
    "\x1b[2J\x1b[31m",
    "\x07",
    "\x9b31m",
    "a\nb",
    "a\rb",
    "a\tb",
    "\u202eabc",
    "\u2066a",
    "x" * 10_000,
    "\x00",
    "<script>alert(1)</script>",
    "[red]x[/red]",
    "[/]",
    "ж",
    "👩‍👩‍👧",
    "=1+1",
    "null",
    "\ufeff",
    "%s",
    "{0}",
    "\\",
    "'\"",
)
_PATHS = (
    "house.toml",
    "./house.toml",
    "pipe.toml",
    "../desk/house.toml",
    "/dev/zero",
    "/dev/stdin",
    "a\x00b.toml",
    "x" * 300,
    "",
    ".",
    "..",
    "sochi.toml",
    "Sochi",
    "sochi ",
    "played",
    "nil",
    "rostov/../sochi",
    "~",
    "$HOME",
    "\x1b[31m",
    "balkan",
)


@kind("player-names", 250)
def player_names(case: Case) -> Judgement:
    """Names of players that are no names, shown by every command."""
    frames = dict(club(case.rng.randrange(CLUBS)))
    names = {f"player_{seat}": case.rng.choice(_PLAYERS) for seat in case.rng.sample("abcd", 2)}
    there = [
        pl.when(pl.col(name).is_not_null()).then(pl.lit(value)).otherwise(name).alias(name)
        for name, value in names.items()
    ]
    frames["pulkas"] = frames["pulkas"].with_columns(there)
    if case.chance(4):
        place = pl.lit(case.rng.choice(_PLAYERS)).alias("place")
        frames["pulkas"] = frames["pulkas"].with_columns(place)
    archive = case.folder / "club"
    if case.chance(2):
        lay_frames(archive, frames)
        ran = case.prefdata("rescore", archive, "-c", "sochi", "--out", case.out)
        look_at_rescoring(archive, case.out, ran, [pref.convention("sochi")])
    else:
        rows = [row | {name: value for name, value in names.items() if row[name]} for row in sheet_rows(case.rng, 3)]
        file = case.folder / f"sheets.{case.rng.choice(('csv', 'parquet', 'xlsx'))}"
        frame = sheets_frame(rows)
        if file.suffix == ".csv":
            frame.write_csv(file)
        elif file.suffix == ".parquet":
            frame.write_parquet(file)
        else:
            frame.write_excel(file)
        shown = [] if case.chance(2) else ["--out", case.folder / "settled.parquet"]
        ran = case.prefdata("settle", file, "-c", "sochi", *shown)
        if shown and ran.is_done:
            look_at_settlements(rows, pl.read_parquet(case.folder / "settled.parquet"), ran, pref.convention("sochi"))
    return judge(ran)


@kind("names-in-rows", 200)
def names_in_rows(case: Case) -> Judgement:
    """Conventions in rows that are paths, pipes or devices."""
    case.write("house.toml", "consolation = 10")
    os.mkfifo(case.folder / "pipe.toml")
    frames = dict(club(case.rng.randrange(CLUBS)))
    names = frames["pulkas"]["convention"].to_list()
    names[case.rng.randrange(len(names))] = case.rng.choice(_PATHS)
    frames["pulkas"] = frames["pulkas"].with_columns(convention=pl.Series(names))
    archive = case.folder / "club"
    lay_frames(archive, frames)
    before = Path.cwd()
    os.chdir(case.folder)
    try:
        ran = case.prefdata("rescore", archive, "-c", "played", "--out", case.out)
    finally:
        os.chdir(before)
    look_at_rescoring(archive, case.out, ran, ["played"])
    return judge(ran)


_FILES = (
    "s[1]",
    "s?",
    "*",
    "**",
    "s{1,2}",
    "a\nb",
    "a b",
    "-c",
    "--help",
    "ж",
    "x" * 200,
    "x" * 260,
    ".s",
    "s.",
    "%s",
    "s'1",
    's"1',
    "\udcff",
    "[!s]",
    "~",
    "$HOME",
    "s\\1",
    "s#1",
    "s;1",
)


@kind("file-names", 250)
def file_names(case: Case) -> Judgement:
    """Files of sheets whose names are patterns, flags or worse, beside one that the pattern would match."""
    ending = case.rng.choice((".csv", ".parquet", ".xlsx"))
    name = case.rng.choice(_FILES)
    wanted, other = sheets_frame(sheet_rows(case.rng, 2, 3)), sheets_frame(sheet_rows(case.rng, 2, 3))
    for stem, frame in (("s1", other), ("wanted", wanted.with_columns(pulka=pl.col("pulka") + 100))):
        write: Any = {".csv": frame.write_csv, ".parquet": frame.write_parquet, ".xlsx": frame.write_excel}[ending]
        write(case.folder / f"{stem}{ending}")
    is_there = not case.chance(3)
    file = case.folder / f"{name}{ending}"
    try:
        if is_there:
            (case.folder / f"wanted{ending}").rename(file)
    except OSError:
        is_there = False
    if not is_there and case.chance(2):
        file = case.folder / f"pipe{ending}"
        os.mkfifo(file)
    out = case.folder / "settled.parquet"
    ran = case.prefdata("settle", file, "-c", "sochi", "--out", out)
    if ran.is_done:
        keys = set(pl.read_parquet(out)["pulka"].to_list())
        if not is_there or keys != {101, 102}:
            raise Fault(Judgement.WRONG_SUM, f"{file.name!r} was named, and the pulkas {sorted(keys)} were settled")
    return judge(ran)


@kind("out-paths", 250)
def out_paths(case: Case) -> Judgement:
    """Results into, around and over what is there: the archive, somebody's folders, links, files."""
    archive = case.folder / case.rng.choice(("club", "out.unfinished", "deep/club"))
    lay_club(archive, case.rng.randrange(CLUBS))
    case.lay_thesis(archive, case.folder / "full", case.folder / "out.old", case.folder / ".out.old")
    (case.folder / "empty").mkdir()
    (case.folder / "link").symlink_to(case.rng.choice((archive, case.folder / "full", case.folder / "new")))
    if case.chance(3):
        foreign = case.rng.choice(
            ('{"kind": "rescoring", "prefdata": "1", "done": {}}', "{}", "[" * 30_000, "null", "\x00")
        )
        case.write("full/manifest.json", foreign)
    names = (
        "out",
        "out",
        "full",
        "empty",
        "link",
        "club",
        "club/out",
        "club/../club",
        "deep",
        ".",
        "..",
        "thesis.txt",
        "thesis.txt/out",
        "a\x00b",
        "x" * 300,
        "new/a/b",
        "link/out",
        "full/thesis.txt",
        "a\nb",
        "-",
        "",
        "empty/../full",
        "club/deals",
    )
    out = case.folder / case.rng.choice(names)
    flags = case.rng.choice(([], ["--overwrite"], ["--resume"], ["--overwrite", "--resume"]))
    if "\x00" in out.name:  # no shell can say it
        ran = case.call(lambda: pref.rescore(archive, "sochi", out))
    else:
        ran = case.prefdata("rescore", archive, "-c", "sochi", "--out", out, *flags)
    if ran.is_done:
        look_at_rescoring(archive, out, ran, [pref.convention("sochi")])
    return judge(ran)
