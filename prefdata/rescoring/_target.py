"""Where a rescoring is written: a working folder beside the target, which becomes it when all of it is there.

The working folder bears a mark, is locked while a run writes to it, and keeps a journal of the parts that are done:
their counts, what they were made from, and what was written, each file with its hash.  Nothing is believed when a run
is resumed: a part whose input has changed, or whose output is not what the journal says, is done again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prefdata.errors import ArchiveError, TargetExistsError, reason_of
from prefdata.files import (
    content_hash,
    held,
    new_file,
    put_in_place,
    refuse_foreign,
    refuse_overlap,
    remove_own,
)

__all__ = [
    "MANIFEST",
    "WorkingFolder",
    "described",
    "is_unfinished",
    "part_file",
    "unfinished_folder",
    "working_folder",
]

MANIFEST = "manifest.json"
"""What was read, scored and set aside, and how."""

_KIND = "rescoring"
_OWN = ".prefdata"
_MARK, _JOURNAL, _LOCK = f"{_OWN}/mark.json", f"{_OWN}/journal.jsonl", f"{_OWN}/lock"
_BESIDE = re.compile(r"\.(?P<stem>.+)\.[0-9a-f]{8}(?P<suffix>\.\w+)")

Described = dict[str, dict[str, Any]]


def described(folder: Path, files: Iterable[Path], hash_of: Callable[[Path], str] = content_hash) -> Described:
    """Describe files below a folder, by their paths in it: their size and hash."""
    return {
        file.relative_to(folder).as_posix(): {"size": file.stat().st_size, "sha256": hash_of(file)} for file in files
    }


def is_unchanged(folder: Path, files: Mapping[str, Mapping[str, Any]]) -> bool:
    """Tell whether files are what they were when they were described."""
    try:
        return all(
            (folder / name).stat().st_size == known["size"] and content_hash(folder / name) == known["sha256"]
            for name, known in files.items()
        )
    except OSError:
        return False


@dataclass
class WorkingFolder:
    """The folder that a run writes to.

    Attributes
    ----------
    folder
        The folder.
    target
        Where it goes in the end.
    options
        What the run was asked for.
    overwrite
        Whether a rescoring that is there is replaced.
    done
        The parts that are done, by name, as their journal tells.
    """

    folder: Path
    target: Path
    options: Mapping[str, Any]
    overwrite: bool
    done: dict[str, dict[str, Any]] = field(default_factory=dict)

    def record(self, counts: dict[str, Any]) -> None:
        """Put a part that is done into the journal."""
        self.done[counts["part"]] = counts
        with (self.folder / _JOURNAL).open("a", encoding="utf-8") as journal:
            journal.write(json.dumps(counts) + "\n")

    def complete(self, manifest: dict[str, Any]) -> None:
        """Write the manifest and put the folder in its place."""
        with new_file(self.folder / MANIFEST, overwrite=True) as beside:
            text = json.dumps({"kind": _KIND, **manifest}, indent=2, default=str)
            beside.write_text(text + "\n", encoding="utf-8")
        _refuse_target(self.target, overwrite=self.overwrite)
        put_in_place(self.folder, self.target, _is_listed(self.target))
        self._tidy_up(self.target)

    def discard(self) -> None:
        """Remove the folder with all that was written."""
        remove_own(self.folder, _is_written(self.options))

    @staticmethod
    def _tidy_up(folder: Path) -> None:
        remove_own(folder / _OWN, lambda file: f"{_OWN}/{file}" in (_MARK, _JOURNAL, _LOCK))


@contextmanager
def working_folder(
    out: str | Path, archive: Path, options: Mapping[str, Any], *, resume: bool, overwrite: bool
) -> Iterator[WorkingFolder]:
    """Begin a working folder for a target, or go on with one, and hold it.

    Raises
    ------
    TargetExistsError
        If the target is taken, holds or lies in the archive; if what stands in the place of the working folder is none;
        or if another run writes to it.
    ArchiveError
        If it cannot be written, or there is nothing to resume.
    """
    target = _followed(Path(out))
    folder = unfinished_folder(out)
    for place in (target, folder):
        refuse_overlap(place, archive)
    _refuse_target(target, overwrite=overwrite)
    if resume and not is_unfinished(folder):
        raise _nothing_to_resume(folder)
    work = WorkingFolder(folder, target, options, overwrite)
    _make(folder)
    busy = TargetExistsError(
        f"another run is writing to {folder}", hint="Wait for it to end, or choose another folder."
    )
    with held(folder / _LOCK, busy):
        before = _marked_options(folder)
        if resume:
            _go_on(work, before)
        else:
            _clear(folder, before)
        with new_file(folder / _MARK, overwrite=True) as beside:
            beside.write_text(json.dumps({"kind": f"unfinished {_KIND}", "options": dict(options)}), encoding="utf-8")
        yield work


def _followed(out: Path) -> Path:
    return out.resolve() if out.is_symlink() else out


def unfinished_folder(out: str | Path) -> Path:
    """Name the folder in which a rescoring to a place is written until it is complete."""
    target = _followed(Path(out))
    return target.with_name(target.name + ".unfinished")


def is_unfinished(folder: Path) -> bool:
    """Tell whether a folder is one that a rescoring has left unfinished."""
    return (folder / _MARK).is_file()


def _make(folder: Path) -> None:
    """Make the working folder, unless there is one; what is none is refused."""
    try:
        if folder.exists() and not (folder / _OWN).is_dir() and (not folder.is_dir() or any(folder.iterdir())):
            raise TargetExistsError(
                f"{folder} is in the way, and is no working folder of prefdata",
                hint="Move it, or choose another folder for the result.",
            )
        (folder / _OWN).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArchiveError(
            f"{folder} cannot be written: {reason_of(error)}", hint="Choose another place for the result."
        ) from None


def _nothing_to_resume(folder: Path) -> ArchiveError:
    return ArchiveError(
        f"there is no unfinished rescoring of this archive with these options at {folder}",
        hint="Run without resume=True to start afresh.",
    )


def _read_json(file: Path) -> Any:
    """Read a file of JSON; None where there is none, or nothing that can be read."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _marked_options(folder: Path) -> dict[str, Any]:
    """Tell what the run was asked for that left a working folder; nothing where it had just begun."""
    mark = _read_json(folder / _MARK)
    options = mark.get("options") if isinstance(mark, dict) else None
    return options if isinstance(options, dict) else {}


def _go_on(work: WorkingFolder, before: Mapping[str, Any]) -> None:
    """Take over the parts of an earlier run that are as they were left."""
    if before != json.loads(json.dumps(dict(work.options), default=str)):
        raise _nothing_to_resume(work.folder)
    journal = work.folder / _JOURNAL
    lines = journal.read_text(encoding="utf-8", errors="replace").splitlines() if journal.is_file() else []
    found = {entry["part"]: entry for entry in map(_entry, lines) if entry is not None}
    with ThreadPoolExecutor() as pool:
        sound = pool.map(lambda entry: _is_sound(work, entry), found.values())
        work.done = {
            name: entry
            for (name, entry), is_sound in zip(found.items(), sound, strict=True)
            if is_sound and name in work.options["parts"]
        }
    kept = {_LOCK, _MARK, _JOURNAL, *(name for entry in work.done.values() for name in entry["files"])}
    remove_own(work.folder, _is_written(work.options), lambda file: file.as_posix() in kept)


def _entry(line: str) -> dict[str, Any] | None:
    """Read a line of the journal; None where it was cut off."""
    try:
        entry = json.loads(line)
        entry["part"], entry["inputs"], entry["files"], entry["conventions"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return dict(entry)


def _is_sound(work: WorkingFolder, entry: Mapping[str, Any]) -> bool:
    archive = Path(work.options["archive"])
    return is_unchanged(archive, entry["inputs"]) and is_unchanged(work.folder, entry["files"])


def _clear(folder: Path, options: Mapping[str, Any]) -> None:
    """Remove what an earlier run has left in its working folder, but for the lock and the mark."""
    remove_own(folder, _is_written(options), lambda file: file.as_posix() in (_LOCK, _MARK))


def _is_written(options: Mapping[str, Any]) -> Any:
    """Tell of the files of a working folder whether a run with these options writes them."""
    labels, parts = set(options.get("switches", ())), set(map(part_file, options.get("parts", ())))

    def is_own(file: Path) -> bool:
        beside = _BESIDE.fullmatch(file.name)
        name = f"{beside['stem']}{beside['suffix']}" if beside else file.name
        whole = file.with_name(name).as_posix()
        if whole in (MANIFEST, _MARK, _JOURNAL, _LOCK):
            return True
        *folders, name = Path(whole).parts
        of_table = len(folders) == 2 and folders[0] in labels and folders[1] in ("sheets", "settlements", "ledger")
        return name in parts and (of_table or folders == ["set-aside"])

    return is_own


def part_file(part: str) -> str:
    """Name the file of a part in the result."""
    return part if part.endswith(".parquet") else f"{part}.parquet"


def _is_listed(target: Path) -> Any:
    """Tell of the files of a rescoring whether its manifest lists them."""
    manifest = _read_json(target / MANIFEST)
    parts = manifest.get("done", {}).values() if isinstance(manifest, dict) else ()
    listed = {MANIFEST, _MARK, _JOURNAL, _LOCK, *(name for part in parts for name in part.get("files", ()))}
    return lambda file: file.as_posix() in listed


def _refuse_target(target: Path, *, overwrite: bool) -> None:
    """Refuse a target that is taken, unless it is a rescoring and may be overwritten."""
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    manifest = _read_json(target / MANIFEST) if target.is_dir() else None
    is_rescoring = isinstance(manifest, dict) and manifest.get("kind") == _KIND and "prefdata" in manifest
    if not is_rescoring:
        raise TargetExistsError(f"{target} exists and is no rescoring", hint="Choose another folder.")
    if not overwrite:
        raise TargetExistsError(
            f"{target} holds a rescoring already", hint="Pass overwrite=True to replace it, or choose another folder."
        )
    refuse_foreign(target, _is_listed(target))
