"""Charts: Altair objects over small aggregated frames, which stay open to change.

Functions that draw return an Altair chart and take ``language="ru"``.  The charts carry their theme with them:
`enable_theme` is for charts of one's own, `combine` puts several together, `save_chart` writes files that need no
network, and `enable_notebook_charts` makes charts visible in JupyterLab without one.  `build_report` puts the tables
and charts of a comparison on one page.
"""

from __future__ import annotations

from prefdata.charts._theme import GAIN, LOSS, NEUTRAL, PALETTE, combine, enable_theme, theme
from prefdata.charts.attribution import attribution_waterfall
from prefdata.charts.comparison import difference_distribution, source_chart, winner_change_matrix
from prefdata.charts.comparison_page import ComparisonPage, build_report
from prefdata.charts.contracts import contract_values
from prefdata.charts.profile import player_profile
from prefdata.charts.results import results_over_time, standings_chart
from prefdata.charts.rounding import rounding_error, rounding_favours
from prefdata.charts.saving import enable_notebook_charts, save_chart
from prefdata.errors import ChartError

__all__ = [
    "GAIN",
    "LOSS",
    "NEUTRAL",
    "PALETTE",
    "ChartError",
    "ComparisonPage",
    "attribution_waterfall",
    "build_report",
    "combine",
    "contract_values",
    "difference_distribution",
    "enable_notebook_charts",
    "enable_theme",
    "player_profile",
    "results_over_time",
    "rounding_error",
    "rounding_favours",
    "save_chart",
    "source_chart",
    "standings_chart",
    "theme",
    "winner_change_matrix",
]
