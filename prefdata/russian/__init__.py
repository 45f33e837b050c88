"""The Russian game: Sochi, Leningrad, Rostov, the hussar and their kin, for two, three and four players."""

from __future__ import annotations

import polars as pl

from prefdata.game import Game
from prefdata.russian.book import RussianBook
from prefdata.russian.codes import encode, renew
from prefdata.russian.entries import deal_entries
from prefdata.russian.packing import LAYOUT
from prefdata.russian.steps import by_amnesty, by_mean, leave_bullets
from prefdata.russian.tables import ADJUSTMENTS, DEALS
from prefdata.russian.walk import REFUSALS, walk_pulkas
from prefdata.vocabulary import PLAYER_COUNTS, RUSSIAN, SEATS, bullet_column, entry_columns, help_column, pairs

__all__ = ["GAME"]

GAME = Game(
    name=RUSSIAN,
    own_columns=("call_d",),
    deals=DEALS,
    adjustments=ADJUSTMENTS,
    layout=LAYOUT,
    encode=encode,
    renew=renew,
    players=PLAYER_COUNTS,
    entries={name: name for name in entry_columns()},
    marks=dict.fromkeys((help_column(helper, helped) for helper, helped in pairs()), pl.Int32),
    states={},
    from_limit=frozenset(),
    omissible=tuple(map(bullet_column, SEATS)),
    deal_entries=deal_entries,
    book=RussianBook,
    walk=walk_pulkas,
    refusals=REFUSALS,
    steps={1: by_amnesty, 2: by_mean},
    equalise=leave_bullets,
)
"""The game, as everything else asks for it."""
