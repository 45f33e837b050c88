"""`archive.json`: the schema's version, and rows, size, time and hash of every part."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from prefdata.errors import ArchiveError
from prefdata.files import new_file

__all__ = ["FILE", "SCHEMA_VERSION", "describe", "load", "read_manifest", "write_manifest"]

FILE = "archive.json"
SCHEMA_VERSION = 1


def describe(path: Path, rows: int) -> dict[str, Any]:
    """Describe a file that was just written."""
    stat = path.stat()
    return {"rows": rows, "size": stat.st_size, "modified_ns": stat.st_mtime_ns, "sha256": _hash(path)}


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
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        raise ArchiveError(
            f"{file} cannot be read: {type(error).__name__} {error}", hint="Delete it: the archive opens without it."
        ) from None
    if version > SCHEMA_VERSION:
        raise ArchiveError(
            f"{file} has schema version {version}, this prefdata knows {SCHEMA_VERSION}", hint="Upgrade prefdata."
        )
    return manifest


def read_manifest(folder: Path) -> Callable[[str], bool]:
    """Give a function that tells whether a part's deals are as prefdata wrote them.

    A file of the recorded size and time is; one that differs is hashed.
    """
    parts = load(folder)["parts"]

    def is_trusted(name: str) -> bool:
        known = parts.get(name, {}).get("deals")
        file = folder / "deals" / name
        if known is None or file.stat().st_size != known["size"]:
            return False
        return bool(file.stat().st_mtime_ns == known["modified_ns"] or _hash(file) == known["sha256"])

    return is_trusted


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Write `archive.json`, in place of one that is there."""
    with new_file(folder / FILE, overwrite=True) as beside:
        beside.write_text(json.dumps(manifest, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
