"""The one way to write a file or a folder: beside its place, then renamed, never over what is not to be replaced."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from prefdata.errors import ArchiveError, PrefdataError, TargetExistsError, reason_of

__all__ = ["moved_files", "new_file", "new_folder", "refuse_existing", "workspace"]


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
    except OSError as refused:
        raise error(f"{target} cannot be written: {reason_of(refused)}", hint="Choose another place.") from None
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def workspace(target: str | Path) -> Iterator[Path]:
    """Give an empty folder beside a target to work in, which is gone at the end unless it was moved.

    Raises
    ------
    ArchiveError
        If no folder can be made there.
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
