"""Files for people and for other programs."""

from __future__ import annotations

from prefdata.writers.form import write_form

__all__ = ["write_form"]
