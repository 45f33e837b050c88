"""The key of a Balkan deal: the columns that scoring looks at, packed into 64 bits; see `prefdata.outcomes.keys`."""

from __future__ import annotations

from prefdata.balkan.vocabulary import CALL, CONTRACT, SEAT, SEATS
from prefdata.outcomes.keys import OUT_OF_RANGE, KeyLayout
from prefdata.vocabulary import call_column

__all__ = ["LAYOUT"]

LAYOUT = KeyLayout(
    bytes=(
        {"players": 3, "dealer": 2, "contra_by": 2},
        {"contract": 3, "declarer": 2},
        {"call_a": 3, "call_b": 3},
        {"call_c": 3, "contra": 4},
        {"tricks_a": 4, "tricks_b": 4},
        {"tricks_c": 4},
        {"hand": 2, OUT_OF_RANGE: 1},
        {},
    ),
    enums={
        "dealer": SEAT,
        "contra_by": SEAT,
        "contract": CONTRACT,
        "declarer": SEAT,
        **{call_column(seat): CALL for seat in SEATS},
    },
    flags=frozenset({"hand"}),
)
