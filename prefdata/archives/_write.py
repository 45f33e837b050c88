"""Writing archives: parts of about a million deals, never through a pulka, whole or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl

from prefdata.archives import _manifest
from prefdata.archives._archive import WHOLE, Archive, as_archive, open_archive
from prefdata.archives._part import Part
from prefdata.doors import as_flag, as_path, as_whole
from prefdata.errors import ArchiveError, TargetExistsError, counted
from prefdata.files import moved_files, new_folder, put_in_place, refuse_foreign, workspace
from prefdata.game import Game
from prefdata.tables import PULKAS

__all__ = ["DEALS_PER_PART", "append", "freeze_sheets", "write_archive"]

DEALS_PER_PART = 1_000_000
"""Deals after which a part ends with the pulka that it has come to."""

Tables = dict[str, pl.DataFrame]


def write_archive(
    archive: Archive | str | Path,
    path: str | Path,
    *,
    deals_per_part: int = DEALS_PER_PART,
    overwrite: bool = False,
) -> Archive:
    """Write an archive to a new folder, with the outcome codes beside the readable columns.

    Parameters
    ----------
    archive
        What to write, or the folder of an archive; every row must keep the rules of the tables.
    path
        The folder; it must not exist, or be empty.
    deals_per_part
        Size of a part.
    overwrite
        Whether an archive that prefdata has written there is replaced; one that holds anything else never is.

    Returns
    -------
    Archive
        The archive as opened from its folder.

    Raises
    ------
    TargetExistsError
        If the folder exists and is not empty, unless it is to be overwritten and holds nothing but what prefdata wrote.
    ArchiveError
        If a row breaks a rule, or the folder cannot be written.
    ValueError
        If `deals_per_part` is not positive.
    """
    archive, target = as_archive(archive), as_path(path, "path")
    as_whole(deals_per_part, "deals_per_part", 1)
    with _place(target, overwrite=as_flag(overwrite, "overwrite")) as folder:
        _refuse_failures(archive)
        parts = _write_parts(archive, folder, 0, deals_per_part)
        frozen = {"frozen": archive.frozen} if archive.frozen else {}
        _manifest.write_manifest(folder, {"schema_version": _manifest.SCHEMA_VERSION, "parts": parts, **frozen})
    return open_archive(target)


@contextmanager
def _place(target: Path, *, overwrite: bool) -> Iterator[Path]:
    """Give a folder to write to that becomes the target, in place of an archive if that is to be overwritten."""
    if not (overwrite and target.is_dir() and any(target.iterdir())):
        hint = "Choose another folder, or pass overwrite=True to replace it; pref.append adds to an archive."
        with new_folder(target, hint=hint) as folder:
            yield folder
        return
    sealed = _manifest.sealed_files(target)

    def is_own(file: Path) -> bool:
        return file in sealed

    refuse_foreign(target, is_own)
    with workspace(target) as folder:
        yield folder
        put_in_place(folder, target, is_own)


def append(path: str | Path, archive: Archive | str | Path, *, deals_per_part: int = DEALS_PER_PART) -> Archive:
    """Add pulkas to an archive on disk, as further parts.

    Raises
    ------
    ArchiveError
        If a row breaks a rule, or a pulka's key is in the archive already.
    """
    archive, target = as_archive(archive), as_path(path, "path")
    as_whole(deals_per_part, "deals_per_part", 1)
    old = open_archive(target)
    _refuse_failures(archive)
    keys = archive.pulkas.select("pulka").collect()["pulka"]
    taken = old.pulkas.select("pulka").collect()["pulka"]
    if [part.name for part in old.parts] == [WHOLE]:
        raise ArchiveError(
            f"the files of {target} do not pair up, so that a part cannot be added",
            hint="Write it anew with write_archive(open_archive(...)), then append.",
        )
    if archive.game is not old.game:
        raise ArchiveError(
            f"{target} holds deals of the {old.game.title} game, the new ones are of the {archive.game.title} game",
            hint="Write them to an archive of their own.",
        )
    clash = keys.filter(keys.is_in(taken.implode()))
    if len(clash):
        raise ArchiveError(
            f"{target} has pulka {clash[0]} already ({len(clash)} such keys)",
            hint="Give the new pulkas other keys, or keep only those that are new.",
        )
    numbered = [re.fullmatch(r"part-(\d+)\.parquet", part.name) for part in old.parts]
    first = max((int(name[1]) for name in numbered if name), default=-1) + 1
    with workspace(target) as folder:
        parts = _write_parts(archive, folder, first, deals_per_part)
        with moved_files(folder, target):
            manifest = _manifest.load(target)
            manifest["parts"].update(parts)
            _manifest.write_manifest(target, manifest)
    return open_archive(target)


def freeze_sheets(path: Path, sheets: pl.DataFrame, convention: str) -> Archive:
    """Put the sheets of an archive on disk into its folder ``sheets/``, for good: a file for the sheets of each part.

    Raises
    ------
    TargetExistsError
        If there are sheets already.
    ArchiveError
        If the folder cannot be written.
    """
    old = open_archive(path)
    if old.sheets is not None:
        what = f"frozen under {old.frozen}" if old.frozen else "recorded ones"
        raise TargetExistsError(
            f"{path} has sheets already, {what}, which are never written over",
            hint="pref.audit(archive) tells how they differ from the deals.",
        )
    with workspace(path) as folder:
        (folder / "sheets").mkdir()
        written = {}
        for number, part in enumerate(old.parts):
            name = part.name if part.name != WHOLE else f"part-{number:05d}.parquet"
            keys = part.pulkas.read(part.pulkas.typed().select("pulka"))["pulka"]
            mine = sheets.filter(pl.col("pulka").is_in(keys.implode()))
            mine.write_parquet(folder / "sheets" / name)
            written[name] = {"sheets": _manifest.describe(folder / "sheets" / name, mine.height)}
        with moved_files(folder, path):
            manifest = _manifest.load(path)
            for name, described in written.items():
                manifest["parts"].setdefault(name, {}).update(described)
            _manifest.write_manifest(path, {**manifest, "frozen": convention})
    return open_archive(path)


def _refuse_failures(archive: Archive) -> None:
    for part in archive.parts:
        failures = archive.check_part(part)
        if len(failures):
            raise ArchiveError(
                f"{counted(len(failures), 'broken rule')}, the first in {failures.first()}",
                hint="Write archive.check().good, and archive.check().failures beside it.",
            )


def _write_parts(archive: Archive, folder: Path, first: int, deals_per_part: int) -> dict[str, dict[str, object]]:
    written: dict[str, dict[str, object]] = {}
    for number, tables in enumerate(_cut(archive, deals_per_part), start=first):
        name = f"part-{number:05d}.parquet"
        written[name] = {}
        for table, frame in tables.items():
            if table == "adjustments" and frame.is_empty():
                continue
            file = folder / table / name
            file.parent.mkdir(exist_ok=True)
            frame.write_parquet(file)
            written[name][table] = _manifest.describe(file, frame.height)
    if archive.sheets is not None:
        file = folder / "sheets" / f"part-{first:05d}.parquet"
        file.parent.mkdir(exist_ok=True)
        sheets = archive.sheets.collect()
        sheets.write_parquet(file)
        written[file.name]["sheets"] = _manifest.describe(file, sheets.height)
    return written


def _cut(archive: Archive, deals_per_part: int) -> Iterator[Tables]:
    """Cut an archive into parts: small ones are put together, large ones split between pulkas."""
    cut = False
    game = archive.game
    waiting: Tables = {table.name: table.schema.create_empty() for table in (PULKAS, game.deals, game.adjustments)}
    for tables in _in_order(archive):
        waiting = {table: pl.concat([waiting[table], frame]) for table, frame in tables.items()}
        while waiting["deals"].height >= deals_per_part:
            last = waiting["deals"]["pulka"][deals_per_part - 1]
            head = {name: frame.filter(pl.col("pulka") <= last) for name, frame in waiting.items()}
            waiting = {name: frame.filter(pl.col("pulka") > last) for name, frame in waiting.items()}
            yield head
            cut = True
    if waiting["pulkas"].height or not cut:
        yield waiting


def _in_order(archive: Archive) -> Iterator[Tables]:
    """Load the parts by ascending keys; parts between whose keys are others' are loaded together."""
    keys = [part.pulkas.read(part.pulkas.typed().select("pulka"))["pulka"] for part in archive.parts]
    spans: list[Any] = sorted((key.min(), key.max(), number) for number, key in enumerate(keys) if len(key))
    if all(before[1] < after[0] for before, after in pairwise(spans)):
        yield from (_load(archive.parts[number]) for _, _, number in spans)
        return
    loaded = [_load(archive.parts[number]) for _, _, number in spans]
    whole = {table: pl.concat(tables[table] for tables in loaded) for table in loaded[0]}
    yield {
        table: frame.sort("pulka" if table == "pulkas" else ("pulka", "deal"), maintain_order=True)
        for table, frame in whole.items()
    }


def _load(part: Part) -> Tables:
    return {
        "pulkas": part.pulkas.read().sort("pulka"),
        "deals": with_codes(part.deals.read().sort("pulka", "deal"), part.game),
        "adjustments": Archive((part,)).adjustments.collect().sort("pulka", "deal", maintain_order=True),
    }


def with_codes(deals: pl.DataFrame, game: Game) -> pl.DataFrame:
    """Put the outcome codes into a deals table, if the game has such; only the different deals are encoded."""
    if game.encode is None:
        return deals
    if deals.is_empty():  # NOTE: replace_strict with an empty mapping does not keep its return_dtype
        return deals
    keyed = deals.with_columns(key=game.layout.pack())
    keys = keyed["key"].unique()
    codes = game.layout.unpack(keys).select(game.encode()).to_series()
    coded = pl.col("key").replace_strict(keys, codes, return_dtype=pl.UInt32)
    return keyed.with_columns(outcome=coded).select(deals.columns)
