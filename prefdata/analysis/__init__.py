"""Analysis: conventions compared and understood, rounding studied, players profiled.

Every result is a `prefdata.reports.Report`: it says what it found, shows its tables as text, as a page, in a notebook,
and keeps them as frames.
"""

from __future__ import annotations

from prefdata.analysis._columns import COLUMNS
from prefdata.analysis._player_deals import pulka_results
from prefdata.analysis.attribution import Attribution, SwitchGroup, attribute
from prefdata.analysis.comparison import ROLES, SOURCES, Comparison, compare
from prefdata.analysis.game_value import Invariance, invariance
from prefdata.analysis.inference import Inference, infer
from prefdata.analysis.opponents import HeadToHead, head_to_head
from prefdata.analysis.players import PlayerProfiles, player_profiles
from prefdata.analysis.rating import Ratings, ratings
from prefdata.analysis.rounding_study import RoundingStudy, study_rounding
from prefdata.analysis.tournament import Standings, seasons, standings
from prefdata.analysis.tournament_points import Band, PointsSystem, points_system, points_systems
from prefdata.errors import PointsError

__all__ = [
    "COLUMNS",
    "ROLES",
    "SOURCES",
    "Attribution",
    "Band",
    "Comparison",
    "HeadToHead",
    "Inference",
    "Invariance",
    "PlayerProfiles",
    "PointsError",
    "PointsSystem",
    "Ratings",
    "RoundingStudy",
    "Standings",
    "SwitchGroup",
    "attribute",
    "compare",
    "head_to_head",
    "infer",
    "invariance",
    "player_profiles",
    "points_system",
    "points_systems",
    "pulka_results",
    "ratings",
    "seasons",
    "standings",
    "study_rounding",
]
