"""The type of NumPy arrays, whose kind and shape their users tell."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Array"]

Array = np.ndarray[Any, Any]
