"""`archive.json`: the schema's version, and rows, size, time and hash of every part."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from prefdata.errors import ArchiveError, counted
from prefdata.files import content_hash, new_file

__all__ = [
    "FILE",
    "SCHEMA_VERSION",
    "Seal",
    "describe",
    "frozen_under",
    "load",
    "read_seals",
    "sealed_files",
    "write_manifest",
]

FILE = "archive.json"
SCHEMA_VERSION = 1


def describe(path: Path, rows: int) -> dict[str, Any]:
    """Describe a file that was just written."""
    stat = path.stat()
    return {"rows": rows, "size": stat.st_size, "modified_ns": stat.st_mtime_ns, "sha256": content_hash(path)}


def load(folder: Path) -> dict[str, Any]:
    """Load `archive.json`; a folder written by others has none.

    Raises
    ------
    ArchiveError
        If it cannot be parsed, or was written by a later version.
    """
    file = folder / FILE
    if not file.exists():
        return {"schema_version": SCHEMA_VERSION, "parts": {}}
    try:
        manifest: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        version = int(manifest["schema_version"])
        for tables in manifest["parts"].values():
            for described in tables.values():
                described["size"], described["modified_ns"], described["sha256"]
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, OSError) as error:
        raise ArchiveError(
            f"{file} cannot be read: {type(error).__name__} {error}", hint="Delete it: the archive opens without it."
        ) from None
    if version > SCHEMA_VERSION:
        raise ArchiveError(
            f"{file} has schema version {version}, this prefdata knows {SCHEMA_VERSION}", hint="Upgrade prefdata."
        )
    return manifest


class Seal(NamedTuple):
    """What a file was when prefdata wrote it; its size and time prove nothing, and are not looked at."""

    file: Path
    sha256: str


def read_seals(folder: Path) -> dict[str, Seal]:
    """Give the seals of the deals of all parts, by their names; parts that prefdata did not write have none.

    Raises
    ------
    ArchiveError
        If a file is gone that is listed.
    """
    parts = load(folder)["parts"]
    listed = [f"{table}/{name}" for name, tables in sorted(parts.items()) for table in tables]
    gone = [file for file in listed if not (folder / file).exists()]
    if gone:
        raise ArchiveError(
            f"{folder} lacks {counted(len(gone), 'file')} that its {FILE} lists, such as {gone[0]}",
            hint=f"Bring it back; or delete {FILE} to open what is there, as if it were all.",
        )
    return {
        name: Seal(folder / "deals" / name, tables["deals"]["sha256"])
        for name, tables in parts.items()
        if "deals" in tables
    }


def frozen_under(folder: Path) -> str | None:
    """Name the convention under which an archive's sheets were frozen, if they were."""
    frozen = load(folder).get("frozen")
    return frozen if isinstance(frozen, str) else None


def sealed_files(folder: Path) -> set[Path]:
    """List the files of an archive, relative to it, that are still as prefdata wrote them, `archive.json` with them."""
    listed = {
        Path(table, name): described
        for name, tables in load(folder)["parts"].items()
        for table, described in tables.items()
    }
    untouched = {
        file
        for file, described in listed.items()
        if (folder / file).is_file() and content_hash(folder / file) == described["sha256"]
    }
    return {*untouched, Path(FILE)} if listed else set()


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Write `archive.json`, in place of one that is there."""
    with new_file(folder / FILE, overwrite=True) as beside:
        beside.write_text(json.dumps(manifest, indent=2, sort_keys=True) + "\n", encoding="utf-8")
