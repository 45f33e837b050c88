"""Corrections beside the deals (rules §8): over-writing, a fourth player who joins, and what they change."""

from __future__ import annotations

from prefdata.corrections._effects import EFFECT_SCHEMA, adjustment_effects, with_adjustments
from prefdata.corrections._joining import Joining, fourth_player_joins
from prefdata.corrections._over_writing import correct_over_writing

__all__ = [
    "EFFECT_SCHEMA",
    "Joining",
    "adjustment_effects",
    "correct_over_writing",
    "fourth_player_joins",
    "with_adjustments",
]
