"""Rows of the adjustments table."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral

import polars as pl

from prefdata.doors import told
from prefdata.errors import CorrectionError
from prefdata.russian.tables import Adjustments
from prefdata.vocabulary import SEATS

__all__ = ["Entry", "adjustments_of", "refuse_no_key", "refuse_unknown"]

Entry = tuple[str, str, str | None, int, str]
"""Seat, entry, on which seat, points and reason of an adjustment."""

_TYPES = {name: column.dtype for name, column in Adjustments.columns().items()}


def adjustments_of(pulka: int, deal: int, rows: Iterable[Entry]) -> pl.DataFrame:
    """Make adjustments which all stand after one deal."""
    return pl.DataFrame([(pulka, deal, *row) for row in rows], schema=_TYPES, orient="row")


def refuse_no_key(pulka: int) -> None:
    """Raise if this cannot be the key of a pulka."""
    if not isinstance(pulka, Integral) or not -(2**63) <= pulka < 2**63:
        raise CorrectionError(f"pulka is {told(pulka)}, not the key of a pulka", hint="Give a whole number.")


def refuse_unknown(seat: str) -> None:
    """Raise if there is no such seat."""
    if not isinstance(seat, str) or seat not in SEATS:
        raise CorrectionError(f"seat is {told(seat)}, not one of {', '.join(SEATS)}", hint="Name one of them.")
