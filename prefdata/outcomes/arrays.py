"""NumPy arrays: their type, whose kind and shape their users tell, and views for compiled functions."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Array", "read_only"]

Array = np.ndarray[Any, Any]


def read_only(array: Array) -> Array:
    """View an array that a compiled function only reads.

    Polars gives columns now as arrays that may be written to, now as others, and for each kind a function would be
    compiled anew.

    Examples
    --------
    >>> read_only(np.zeros(2)).flags.writeable
    False
    """
    view = array.view()
    view.flags.writeable = False
    return view
