"""The guard of every public function: what can be understood becomes what is wanted, the rest is one sentence.

A function begins by handing its arguments, with their names, to these.  What they refuse is told as "NAME is THING, not
WHAT IS WANTED".  Archives have their guard in `prefdata.archives`, conventions in `prefdata.conventions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from math import isfinite
from numbers import Integral, Rational, Real
from pathlib import Path, PurePath
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
import polars as pl

from prefdata.errors import ArchiveError, TableError, is_panic

__all__ = [
    "AnyFrame",
    "ArrowStream",
    "as_choice",
    "as_either_frame",
    "as_flag",
    "as_frame",
    "as_function",
    "as_kind",
    "as_lazy_frame",
    "as_list",
    "as_number",
    "as_path",
    "as_text",
    "as_texts",
    "as_whole",
    "told",
]


class ArrowStream(Protocol):
    """A table of any library that speaks Arrow's C stream: of pandas, pyarrow, DuckDB."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Give the table as a stream."""


AnyFrame: TypeAlias = pl.DataFrame | pl.LazyFrame | ArrowStream
"""What is taken for a frame."""

Kind = TypeVar("Kind")

_SAID_AS_THEY_ARE = (str, bytes, bool, Real, date, PurePath, type(None))
_LONGEST = 60


def told(thing: object, longest: int = _LONGEST) -> str:
    """Name a thing in a message: a plain one as it is spelt, another by its type.

    Parameters
    ----------
    thing
        The thing.
    longest
        Characters after which a spelling is cut off.

    Examples
    --------
    >>> told("sochi"), told([1, 2]), told(pl.DataFrame()), told(int)
    ("'sochi'", '[1, 2]', 'a DataFrame', 'the class int')
    """
    if isinstance(thing, type):
        return f"the class {thing.__name__}"
    if not _is_plain(thing):
        return _one(type(thing).__name__)
    spelt = repr(thing)
    return spelt if len(spelt) <= longest else f"{spelt[:longest]} ..."


def _one(name: str) -> str:
    return f"{'an' if name[0] in 'aeioAEIO' else 'a'} {name}"


def _is_plain(thing: object, deep: int = 3) -> bool:
    """Tell whether the spelling of a thing is one line that people can read."""
    if isinstance(thing, list | tuple | set | frozenset | dict):
        inside = [*thing, *thing.values()] if isinstance(thing, dict) else list(thing)
        return deep > 0 and all(_is_plain(one, deep - 1) for one in inside)
    return isinstance(thing, _SAID_AS_THEY_ARE)


def as_either_frame(frame: AnyFrame, name: str, *, hint: str = "") -> pl.DataFrame | pl.LazyFrame:
    """Take a frame of Polars, lazy or not, or a table of another library.

    Parameters
    ----------
    frame
        What was given.
    name
        The parameter.
    hint
        How such a frame is made.

    Raises
    ------
    TableError
        If it is no table, or a lazy one of files that cannot be opened.

    Examples
    --------
    >>> import pyarrow as pa
    >>> as_either_frame(pa.table({"pulka": [1]}), "sheets").shape
    (1, 1)
    """
    if isinstance(frame, pl.DataFrame):
        return frame
    if isinstance(frame, pl.LazyFrame):
        with _Reading(name):
            frame.collect_schema()
        return frame
    if isinstance(frame, type | pl.Series) or not hasattr(frame, "__arrow_c_stream__"):
        what = hint or "Give a frame of Polars, or a table of pandas, pyarrow or DuckDB."
        raise TableError(f"{name} is {told(frame)}, not a frame", hint=what)
    with _Reading(name):
        return pl.DataFrame(frame)


def as_lazy_frame(frame: AnyFrame, name: str, *, columns: Sequence[str] = (), hint: str = "") -> pl.LazyFrame:
    """Take a table as a lazy frame, which must have some columns; see `as_either_frame`."""
    lazy = as_either_frame(frame, name, hint=hint).lazy()
    present = lazy.collect_schema().names()
    missing = [column for column in columns if column not in present]
    if missing:
        lacks = f"{name} lacks the column{'s' * (len(missing) > 1)} {', '.join(missing)}"
        raise TableError(lacks, hint=hint or f"It has {', '.join(present) or 'none'}.")
    return lazy


def as_frame(frame: AnyFrame, name: str, *, columns: Sequence[str] = (), hint: str = "") -> pl.DataFrame:
    """Take a table as a frame, which must have some columns; see `as_either_frame`.

    >>> as_frame(pl.LazyFrame({"pulka": [1]}), "sheets", columns=["pulka"]).height
    1
    """
    with _Reading(name):
        return as_lazy_frame(frame, name, columns=columns, hint=hint).collect()


class _Reading:
    """A table is read; what the library that does it has to complain of is told as one error."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is None or isinstance(error, TableError) or not (isinstance(error, Exception) or is_panic(error)):
            return
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise TableError(f"{self._name} cannot be read: {reason}", hint="Look at it by itself first.") from None


def as_kind(thing: object, name: str, kind: type[Kind], *, hint: str) -> Kind:
    """Take a thing of one kind.

    >>> as_kind(3, "archive", int, hint="")
    3
    """
    if not isinstance(thing, kind):
        raise TypeError(f"{name} is {told(thing)}, not {_one(kind.__name__)}\n{hint}")
    return thing


def as_text(text: object, name: str, wanted: str = "a text") -> str:
    """Take a text; `wanted` says what it should be.

    >>> as_text("a", "seat")
    'a'
    """
    if not isinstance(text, str):
        raise TypeError(f"{name} is {told(text)}, not {wanted}")
    return text


def as_list(things: object, name: str, wanted: str) -> list[Any]:
    """Take several things in the order in which they are given, a text being one thing.

    >>> as_list("sochi", "conventions", "conventions"), as_list((1, 2), "limits", "whole numbers")
    (['sochi'], [1, 2])
    """
    if isinstance(things, str | PurePath):
        return [things]
    if not isinstance(things, Iterable) or isinstance(things, bytes | Mapping | pl.DataFrame | type):
        raise TypeError(f"{name} is {told(things)}, not {wanted}")
    return list(things)


def as_texts(texts: object, name: str, wanted: str = "texts") -> list[str]:
    """Take texts, or one.

    >>> as_texts(["a", "b"], "players")
    ['a', 'b']
    """
    return [as_text(text, f"one of {name}", wanted) for text in as_list(texts, name, wanted)]


def as_choice(word: object, name: str, words: Iterable[str]) -> str:
    """Take one of some words.

    >>> as_choice("b", "seat", "abcd")
    'b'
    """
    known = list(words)
    if not isinstance(word, str) or word not in known:
        raise ValueError(f"{name} is {told(word)}, not one of {', '.join(known)}")
    return word


def as_whole(number: object, name: str, least: int | None = None, most: int | None = None) -> int:
    """Take a whole number, perhaps between two others.

    >>> as_whole(3, "players", 2, 4)
    3
    """
    if isinstance(number, bool) or not isinstance(number, Integral):
        raise TypeError(f"{name} is {told(number)}, not a whole number")
    whole = int(number)
    if (least is not None and whole < least) or (most is not None and whole > most):
        between = f"from {least} to {most}" if most is not None else f"of {least} or more"
        raise ValueError(f"{name} is {told(whole)}, not a whole number {between}")
    return whole


def as_number(number: object, name: str) -> float:
    """Take a finite number.

    >>> as_number(2, "bar")
    2.0
    """
    if isinstance(number, bool) or not isinstance(number, Real):
        raise TypeError(f"{name} is {told(number)}, not a number")
    if not isinstance(number, Rational) and not isfinite(number):
        raise ValueError(f"{name} is {told(number)}, not a finite number")
    return float(number)


def as_function(function: Any, name: str) -> Any:
    """Take a function.

    >>> as_function(len, "progress")
    <built-in function len>
    """
    if isinstance(function, type) or not callable(function):
        raise TypeError(f"{name} is {told(function)}, not a function")
    return function


def as_flag(flag: object, name: str) -> bool:
    """Take a truth value.

    >>> as_flag(True, "overwrite")
    True
    """
    if not isinstance(flag, bool | np.bool_):
        raise TypeError(f"{name} is {told(flag)}, not True or False")
    return bool(flag)


def as_path(path: object, name: str) -> Path:
    """Take the path of a file or a folder.

    Raises
    ------
    TypeError
        If it is none.
    ArchiveError
        If it holds a NUL.

    Examples
    --------
    >>> as_path("data/club", "path").name
    'club'
    """
    if not isinstance(path, str | PurePath):
        raise TypeError(f"{name} is {told(path)}, not a path")
    if "\0" in str(path):
        raise ArchiveError(f"{name} is {told(path)}, which no file can be called", hint="Give another name.")
    return Path(path)
