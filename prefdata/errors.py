"""What can go wrong, as one small tree of exceptions.

Every message says what was wrong and where; `hint` says what to do next.  The command line ends with the exit code
of the exception's class.
"""

from __future__ import annotations

import errno
import os
import re
import sys
import unicodedata
import warnings

__all__ = [
    "ArchiveError",
    "ChartError",
    "ConventionError",
    "CorrectionError",
    "InterruptedRunError",
    "LanguageError",
    "PointsError",
    "PrefdataError",
    "RejectedError",
    "ScoringError",
    "SetAsideWarning",
    "SimulationError",
    "TableError",
    "TargetExistsError",
    "counted",
    "is_panic",
    "printable",
    "reason_of",
    "refusal_to_write",
    "warn_set_aside",
]


class PrefdataError(Exception):
    """Base of all errors that prefdata explains.

    Parameters
    ----------
    what
        What was wrong and where: file, row, column.
    hint
        The next step, as an imperative sentence.

    Examples
    --------
    >>> print(PrefdataError("data/club has no deals", hint="Point to an archive folder."))
    data/club has no deals
    Point to an archive folder.
    """

    exit_code = 2

    def __init__(self, what: str, *, hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint

    def __str__(self) -> str:
        return printable(f"{self.what}\n{self.hint}" if self.hint else self.what)


class ConventionError(PrefdataError):
    """A convention, or one of its switches, is unknown or contradicts itself."""


class CorrectionError(PrefdataError):
    """A correction is not one that the rules know, or does not fit the pulka that it is for."""


class ArchiveError(PrefdataError):
    """An archive cannot be opened, read or written."""


class TargetExistsError(ArchiveError):
    """The place to write to is taken."""


class TableError(PrefdataError):
    """A frame lacks a column or has one of an impossible type."""


class InterruptedRunError(PrefdataError):
    """Work was interrupted, and can be resumed."""

    exit_code = 130


class RejectedError(PrefdataError):
    """Rows break a rule of the tables, and nothing was to be set aside."""


class ScoringError(PrefdataError):
    """Numbers left the range in which prefdata is exact."""


class SimulationError(PrefdataError):
    """The generator was asked for something that it cannot play."""


class PointsError(PrefdataError):
    """A system of tournament points is unknown or contradicts itself."""


class LanguageError(PrefdataError):
    """There are no words in a language."""


class ChartError(PrefdataError):
    """A chart cannot be drawn or saved as it was asked for."""


class SetAsideWarning(UserWarning):
    """Some pulkas broke a rule of the tables and were left out of the result."""


def counted(number: int, thing: str) -> str:
    """Write a number of things.

    >>> counted(1, "deal"), counted(2, "deal")
    ('1 deal', '2 deals')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


_TURNS_WRITING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of what is around them."""

_CONTROLS = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's categories of what commands a terminal, is no character, or breaks a line."""


def printable(text: str) -> str:
    r"""Write a text so that it can command no terminal, whatever names stand in it; its lines stay.

    Control characters, and those that turn the direction of writing, are written as Python escapes them.

    >>> print(printable("Anna\x1b[2J wins\u202e"))
    Anna\x1b[2J wins\u202e
    """
    if text.isprintable():
        return text
    return "".join(sign if _is_plain(sign) else sign.encode("unicode_escape").decode() for sign in text)


def _is_plain(sign: str) -> bool:
    return sign == "\n" or not (sign in _TURNS_WRITING or unicodedata.category(sign) in _CONTROLS)


def reason_of(error: OSError) -> str:
    """Tell why the operating system refused something."""
    return error.strerror or str(error)


_NO_ROOM = re.compile(r"\bos error (\d+)\b")
_ERRORS_OF_WRITING = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EROFS}
_NO_END = "Invalid thrift: transport error"
"""What Polars says when it cannot write the end of a Parquet file, without the system's number."""


def refusal_to_write(error: BaseException) -> str | None:
    """Tell why the operating system refused to write; None if that is not what an error tells of.

    Libraries tell it in errors of their own, with the system's number in the text.

    >>> refusal_to_write(ValueError("underlying IO error: File too large (os error 27)"))
    'File too large'
    >>> refusal_to_write(ValueError("parquet: File out of specification: Invalid thrift: transport error"))
    'the disk did not take the end of the file'
    """
    if isinstance(error, PrefdataError):
        return None  # it tells what happened already
    if isinstance(error, OSError):
        return reason_of(error)
    if _NO_END in str(error):
        return "the disk did not take the end of the file"
    found = _NO_ROOM.search(str(error))
    return os.strerror(int(found[1])) if found and int(found[1]) in _ERRORS_OF_WRITING else None


def is_panic(error: BaseException) -> bool:
    """Tell whether an exception is the panic of a compiled library, which no class that one could name stands for."""
    return type(error).__name__ == "PanicException"


def warn_set_aside(message: str) -> None:
    """Warn that something was set aside, at the line that called prefdata."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("prefdata."):
        frame, level = frame.f_back, level + 1
    warnings.warn(printable(message), SetAsideWarning, stacklevel=level)
