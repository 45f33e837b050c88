"""Compiling functions: the one place that knows the compiler.

A compiled function calls none of another module: it is cached by its own file's time, and a change in the other file
would not be seen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

__all__ = ["compiled"]


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function, so that it releases the interpreter's lock; cached where a cache folder can be written."""
    try:
        return numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # no folder that a cache could be written to
        return numba.njit(nogil=True)(function)
