"""The Balkan game, and its Slovene sister, for three players."""

from __future__ import annotations

import polars as pl

from prefdata.balkan.book import BalkanBook
from prefdata.balkan.entries import deal_entries
from prefdata.balkan.packing import LAYOUT
from prefdata.balkan.steps import by_contract, share_missing
from prefdata.balkan.tables import ADJUSTMENTS, DEALS
from prefdata.balkan.vocabulary import PLAYERS, SEATS, contract_column, hat_column, juha_column, refes_column
from prefdata.balkan.walk import REFUSALS, walk_pulkas
from prefdata.game import Game
from prefdata.vocabulary import BALKAN, bullet_column, pairs, whists_column

__all__ = ["GAME"]

GAME = Game(
    name=BALKAN,
    own_columns=("contra", "hand"),
    deals=DEALS,
    adjustments=ADJUSTMENTS,
    layout=LAYOUT,
    encode=None,
    renew=None,
    players=(PLAYERS,),
    entries={
        **{contract_column(seat): bullet_column(seat) for seat in SEATS},
        **{juha_column(*pair): whists_column(*pair) for pair in pairs(PLAYERS)},
    },
    marks=dict.fromkeys(("doubled", "cut", "gave_refe"), pl.Boolean),
    states={
        **{refes_column(seat): pl.Int64 for seat in SEATS},
        **{hat_column(seat): pl.Boolean for seat in SEATS},
    },
    from_limit=frozenset(map(contract_column, SEATS)),
    omissible=(),
    deal_entries=deal_entries,
    book=BalkanBook,
    walk=walk_pulkas,
    refusals=REFUSALS,
    equalise=share_missing,
    steps={1: by_contract, 2: by_contract},
)
"""The game, as everything else asks for it."""
