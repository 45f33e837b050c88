"""What reaches the screen: the program's own words, not those that compiled libraries print beside their errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["own_words"]

_STDERR = 2


@contextmanager
def own_words() -> Iterator[None]:
    """Keep what libraries print to stderr by themselves, such as a panic on a damaged file, off the screen.

    Python's own stderr stays where it is, progress and warnings with it; the error that follows a panic tells of it.
    """
    if sys.stderr is None or not _is_on(sys.stderr, _STDERR):
        yield
        return
    before = sys.stderr
    before.flush()
    screen = os.dup(_STDERR)
    with (
        open(os.devnull, "wb") as nowhere,
        open(screen, "w", encoding=before.encoding, errors="replace", buffering=1) as shown,
    ):
        sys.stderr = shown
        os.dup2(nowhere.fileno(), _STDERR)
        try:
            yield
        finally:
            shown.flush()
            os.dup2(screen, _STDERR)
            sys.stderr = before


def _is_on(stream: object, number: int) -> bool:
    try:
        return bool(stream.fileno() == number)  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):
        return False
