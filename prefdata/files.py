"""The one way to write a file or a folder: beside its place, then renamed, never over what is not to be replaced."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from prefdata.errors import ArchiveError, PrefdataError, TargetExistsError, counted, reason_of, refusal_to_write

__all__ = [
    "content_hash",
    "files_below",
    "held",
    "moved_files",
    "new_file",
    "new_folder",
    "put_in_place",
    "refuse_existing",
    "refuse_foreign",
    "refuse_irregular",
    "refuse_overlap",
    "remove_own",
    "workspace",
]

_ROOM = "Make room for it, or choose another place."


def refuse_existing(path: str | Path, *, overwrite: bool | None = None) -> None:
    """Refuse a file's place that is taken; for work that takes long before it writes.

    Parameters
    ----------
    path
        The file.
    overwrite
        Whether a file that is there is replaced; None where there is no such choice.

    Raises
    ------
    TargetExistsError
        If there is a folder, or a file that must not be overwritten.
    """
    target = Path(path)
    if target.is_dir():
        raise TargetExistsError(f"{target} is a folder", hint="Give the name of a file.")
    if target.exists() and not overwrite:
        instead = "delete it first." if overwrite is None else "pass overwrite=True to replace it."
        raise TargetExistsError(f"{target} exists already", hint=f"Choose another name, or {instead}")


@contextmanager
def new_file(
    path: str | Path, *, overwrite: bool | None = None, error: type[PrefdataError] = ArchiveError
) -> Iterator[Path]:
    """Give a place to write a file to, which becomes the file at the end: whole, or not at all.

    Parameters
    ----------
    path
        The file.
    overwrite
        Whether a file that is there is replaced; None where there is no such choice.
    error
        Class of the error if the file cannot be written.

    Yields
    ------
    Path
        Where to write; it ends as the file does.

    Raises
    ------
    TargetExistsError
        If the place is taken.
    PrefdataError
        If the operating system refuses to write there, of the class `error`.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_file(f"{folder}/notes.txt") as beside:
    ...         _ = beside.write_text("ten tricks")
    ...     print(os.listdir(folder))
    ['notes.txt']
    """
    target = Path(path)
    refuse_existing(target, overwrite=overwrite)
    beside = target.with_name(f".{target.stem}.{uuid4().hex[:8]}{target.suffix}")
    try:
        yield beside
        os.replace(beside, target)
    except Exception as refused:
        reason = refusal_to_write(refused)
        if reason is None:
            raise
        raise error(
            f"{target} cannot be written: {reason}", hint="Make room for it, or choose another place."
        ) from None
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def workspace(target: str | Path) -> Iterator[Path]:
    """Give an empty folder beside a target to work in, which is gone at the end unless it was moved.

    Raises
    ------
    ArchiveError
        If no folder can be made there, or the operating system refuses to write to it.
    """
    place = Path(target)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
        folder.chmod(0o755)
    except OSError as refused:
        raise ArchiveError(
            f"{place} cannot be written: {reason_of(refused)}", hint="Choose a folder that you may write to."
        ) from None
    try:
        yield folder
    except Exception as refused:
        reason = refusal_to_write(refused)
        if reason is None:
            raise
        raise ArchiveError(f"{place} cannot be written: {reason}", hint=_ROOM) from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def new_folder(path: str | Path, *, hint: str = "Choose another folder, or delete it.") -> Iterator[Path]:
    """Give a folder to write to, which becomes the one at a path at the end: whole, or not at all.

    Parameters
    ----------
    path
        The folder; it must not exist, or be empty.
    hint
        What to do where it exists.

    Raises
    ------
    TargetExistsError
        If there is a file, or a folder that is not empty.
    ArchiveError
        If no folder can be made there.
    """
    target = Path(path)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise TargetExistsError(f"{target} exists already", hint=hint)
    with workspace(target) as folder:
        yield folder
        if target.exists():
            target.rmdir()
        os.replace(folder, target)


@contextmanager
def moved_files(source: Path, target: Path) -> Iterator[None]:
    """Move all files of a folder's folders to the same places in another one; back out if what follows fails.

    None of them may be in the target already.
    """
    moved: list[Path] = []
    try:
        for file in sorted(source.glob("*/*")):
            place = target / file.relative_to(source)
            refuse_existing(place)
            place.parent.mkdir(exist_ok=True)
            os.replace(file, place)
            moved.append(place)
        yield
    except BaseException:
        for place in moved:
            place.unlink(missing_ok=True)
        raise


def content_hash(file: Path) -> str:
    """Hash what a file holds (SHA-256)."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def refuse_irregular(file: Path) -> None:
    """Refuse to read what is no regular file, such as a pipe or a device, on which a reader might wait for ever.

    Raises
    ------
    OSError
        If it is none, or is not there.
    """
    mode = file.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is a pipe or a device, not a file")


def files_below(folder: Path) -> list[Path]:
    """List all files and links below a folder, relative to it, sorted."""
    found = [
        Path(place, name)
        for place, folders, files in os.walk(folder)
        for name in (*files, *(name for name in folders if Path(place, name).is_symlink()))
    ]
    return sorted(file.relative_to(folder) for file in found)


def refuse_overlap(target: Path, source: Path) -> None:
    """Refuse a place for results that is, holds or lies in what they are made from.

    Raises
    ------
    TargetExistsError
        If it is so; links are followed.
    """
    place, read = target.resolve(), source.resolve()
    if place == read or read in place.parents:
        raise TargetExistsError(f"{target} lies in the archive itself", hint="Choose a folder outside of it.")
    if place in read.parents:
        raise TargetExistsError(f"{target} holds the archive {source}", hint="Choose a folder beside it.")


def remove_own(
    folder: Path, is_own: Callable[[Path], bool], is_kept: Callable[[Path], bool] = lambda file: False
) -> None:
    """Remove a folder of which every file is one's own, or what is not to be kept of it.

    Parameters
    ----------
    folder
        The folder.
    is_own
        Tells of a file, by its path in the folder, whether it may be removed.
    is_kept
        Tells of a file whether it stays nevertheless; so do the folders that it stands in.

    Raises
    ------
    TargetExistsError
        If anything else is in it; then nothing is removed.
    """
    refuse_foreign(folder, is_own)
    for file in files_below(folder):
        if not is_kept(file):
            (folder / file).unlink()
    for place, _, _ in os.walk(folder, topdown=False):
        if not os.listdir(place):
            Path(place).rmdir()


def refuse_foreign(folder: Path, is_own: Callable[[Path], bool]) -> None:
    """Refuse a folder that holds files which are not one's own.

    Raises
    ------
    TargetExistsError
        If it does.
    """
    foreign = [file for file in files_below(folder) if not is_own(file)]
    if foreign:
        raise TargetExistsError(
            f"{folder} holds {counted(len(foreign), 'file')} that prefdata did not write there, such as {foreign[0]}",
            hint="Move what you want to keep, or choose another folder.",
        )


def put_in_place(folder: Path, target: Path, is_own: Callable[[Path], bool]) -> None:
    """Rename a folder to its place; one that is there is moved aside, and then removed if all of it is one's own."""
    if not target.exists():
        os.replace(folder, target)
        return
    aside = target.with_name(f".{target.name}.{uuid4().hex[:8]}.old")
    os.replace(target, aside)
    os.replace(folder, target)
    remove_own(aside, is_own)


@contextmanager
def held(lock: Path, busy: PrefdataError) -> Iterator[None]:
    """Hold a lock, which the operating system gives back when the process ends, however it ends.

    Parameters
    ----------
    lock
        A file for it; it stays.
    busy
        What is raised if somebody else holds it.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415 - few need it

    mutex = FileLock(lock, blocking=False)
    try:
        mutex.acquire()
    except Timeout:
        raise busy from None
    try:
        yield
    finally:
        mutex.release()
