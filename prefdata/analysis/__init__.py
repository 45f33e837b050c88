"""Analysis: conventions compared and understood, rounding studied, players profiled."""

from prefdata.analysis._columns import COLUMNS
from prefdata.analysis._player_deals import pulka_results
from prefdata.analysis.head_to_head import HeadToHead, head_to_head
from prefdata.analysis.players import PlayerProfiles, player_profiles
from prefdata.analysis.points_system import Band, PointsSystem, points_system, points_systems
from prefdata.analysis.rating import Ratings, ratings
from prefdata.analysis.rounding_study import RoundingStudy, study_rounding
from prefdata.analysis.standings import Standings, seasons, standings
from prefdata.errors import PointsError

__all__ = [
    "COLUMNS",
    "Band",
    "HeadToHead",
    "PlayerProfiles",
    "PointsError",
    "PointsSystem",
    "Ratings",
    "RoundingStudy",
    "Standings",
    "head_to_head",
    "player_profiles",
    "points_system",
    "points_systems",
    "pulka_results",
    "ratings",
    "seasons",
    "standings",
    "study_rounding",
]
