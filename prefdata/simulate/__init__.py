"""A seeded generator of archives: pulkas as people play them, for trying out, teaching and measuring.

`sample` plays them; `Habits` holds every parameter, `Style` how a player differs from the average one, and
`frequencies` tells what came out.
"""

from __future__ import annotations

from prefdata.errors import SimulationError
from prefdata.simulate._frequencies import frequencies
from prefdata.simulate._habits import HABITS, PLAYERS, Habits, Style
from prefdata.simulate._simulate import sample

__all__ = ["HABITS", "PLAYERS", "Habits", "SimulationError", "Style", "frequencies", "sample"]
