"""Explanations: what was recorded at the table, held against its deals."""

from __future__ import annotations

from prefdata.explain._audit import audit
from prefdata.explain._report import Audit

__all__ = ["Audit", "audit"]
