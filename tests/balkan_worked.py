"""Deals and pulkas of the Balkan game as worked examples write them, and what prefdata makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import prefdata as pref
from prefdata.archives import Archive
from prefdata.balkan.tables import Adjustments, Deals
from prefdata.balkan.vocabulary import entry_columns
from prefdata.tables import Pulkas
from tests.records import frame_of

Record = dict[str, Any]
Entries = dict[str, int]

BALKAN = pref.convention("balkan")
SERBIAN = BALKAN.replace(contra_responsibility="alone")
CAME = {"a": "come", "b": "come"}


def game(
    contract: str,
    declarer: str | None = "c",
    *,
    calls: Mapping[str, str] | None = None,
    tricks: Mapping[str, int] | None = None,
    **columns: Any,
) -> Record:
    """Make a deal; both others came unless `calls` says otherwise."""
    plain = {"players": 3, "dealer": "a", "contract": contract, "declarer": declarer, "hand": False, "contra": 0}
    called = CAME if calls is None else calls
    return {
        **plain,
        **{f"call_{seat}": call for seat, call in called.items()},
        **{f"tricks_{seat}": count for seat, count in (tricks or {}).items()},
        **columns,
    }


def pulka(deals: Sequence[Record], adjustments: Sequence[Record] = (), *, limit: int = 30) -> Archive:
    numbered = [{"pulka": 1, "deal": number, **deal} for number, deal in enumerate(deals, start=1)]
    head = {"pulka": 1, "players": 3, "bullet_limit": limit, "convention": "balkan"}
    beside = frame_of([{"pulka": 1, **one} for one in adjustments], Adjustments) if adjustments else None
    archive = pref.archive(frame_of([head], Pulkas), frame_of(numbered, Deals), beside)
    assert not len(archive.check().failures)
    return archive


def nonzero(row: Mapping[str, Any]) -> Entries:
    return {name: row[name] for name in entry_columns() if row[name]}


def written(deal: Record, convention: pref.Convention = BALKAN) -> Entries:
    """What a deal brings, the same as it stands and in a ledger."""
    archive = pulka([deal])
    entries = nonzero(pref.entries(archive.deals.collect(), convention).row(0, named=True))
    assert entries == nonzero(pref.ledger(archive, convention).row(0, named=True))
    return entries


def entry(seat: str, points: int, *, after: int = 0) -> Record:
    """Make an adjustment of a contract column; without `after` it opens the pulka."""
    return {"deal": after, "seat": seat, "entry": "contract", "points": points}
