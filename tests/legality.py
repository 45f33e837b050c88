"""Which deals are legal: the deals table of the design, in plain Python, written without looking at the expressions.

Also frames whose columns are wide enough for values that the tables' own types cannot hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import dataframely as dy
import polars as pl

from prefdata.russian.vocabulary import CALL, CONTRACT, ENTRY, TRUMP
from prefdata.vocabulary import SEAT, SEATS

Record = dict[str, Any]
VOCABULARIES: dict[str, pl.Enum] = {
    "dealer": SEAT,
    "contract": CONTRACT,
    "declarer": SEAT,
    **{f"call_{seat}": CALL for seat in SEATS},
    "trump": TRUMP,
    "seat": SEAT,
    "on_seat": SEAT,
    "entry": ENTRY,
}
"""Columns of words, with their words."""

DEFAULTS: Record = {"conceded": False, "talon": 0, "multiplier": 1, "wrong_cards": ""}


def is_legal(deal: Record) -> bool:
    """Tell whether a deal keeps the table, its pulka and number left aside."""
    deal = deal | {name: default for name, default in DEFAULTS.items() if deal.get(name) is None}
    for name in ("dealer", "contract", "declarer", "trump", *(f"call_{seat}" for seat in SEATS)):
        if deal.get(name) is not None and deal[name] not in VOCABULARIES[name].categories:
            return False
    if deal["players"] not in (2, 3, 4) or deal["dealer"] not in SEATS[: deal["players"]]:
        return False
    if not 0 <= deal["talon"] <= 3 or not 1 <= deal["multiplier"] <= 16:
        return False
    if deal.get("outcome") is not None and not 0 <= deal["outcome"] < 2**32:
        return False
    return _players_are_legal(deal)


def seats_playing(deal: Record) -> list[str]:
    """List the seats that hold cards, from the dealer's left."""
    players, dealer = deal["players"], SEATS.index(deal["dealer"])
    around = [SEATS[(dealer + place) % players] for place in range(1, players + 1)]
    return around[:3]


def defenders(deal: Record) -> list[str]:
    """List the declarer's opponents in calling order."""
    playing = seats_playing(deal)
    place = playing.index(deal["declarer"])
    return playing[place + 1 :] + playing[:place]


def _players_are_legal(deal: Record) -> bool:
    contract, declarer = deal["contract"], deal["declarer"]
    if contract == "raspasy":
        return deal["players"] > 2 and declarer is None and _is_plain(deal) and _tricks_are_legal(deal, played=True)
    if contract is None or declarer not in seats_playing(deal):
        return False
    if contract == "misere":
        return _is_plain(deal) and (_tricks_are_legal(deal, played=True) or _holds_declarer_alone(deal))
    calls = _calls(deal)
    if deal["conceded"]:
        no_calls = all(call is None for call in calls.values())
        return no_calls and deal["wrong_cards"] == "" and _tricks_are_legal(deal, played=False)
    said = [calls[seat] for seat in defenders(deal)]
    dealer_whists = _dealer_whists(deal, said)
    others = [seat for seat in SEATS if seat not in defenders(deal) and not (dealer_whists and seat == deal["dealer"])]
    if None in said or any(calls[seat] is not None for seat in others):
        return False
    if "half" in said and said != ["pass", "half"]:
        return False
    whisters = [seat for seat in defenders(deal) if calls[seat] == "whist"]
    is_open = contract == "10" and "half" not in said and not whisters and not dealer_whists
    if is_open and deal[f"tricks_{declarer}"] is not None:
        whisters = defenders(deal)
    played = bool(whisters) or dealer_whists
    may_be_wrong = [declarer, *whisters] if played else []
    return _are_seats_of(deal["wrong_cards"], may_be_wrong) and _tricks_are_legal(deal, played=played)


def _calls(deal: Record) -> Record:
    return {seat: deal.get(f"call_{seat}") for seat in SEATS}


def _dealer_whists(deal: Record, said: Sequence[str | None]) -> bool:
    """Tell whether the sitting dealer of four defends after two passes."""
    return deal["players"] == 4 and said == ["pass", "pass"] and deal.get(f"call_{deal['dealer']}") == "whist"


def _is_plain(deal: Record) -> bool:
    """Tell whether nothing is said about a deal that belongs to contracts of 6-10 only."""
    no_calls = all(call is None for call in _calls(deal).values())
    return no_calls and not deal["conceded"] and deal["talon"] == 0 and deal["wrong_cards"] == ""


def _are_seats_of(names: str, seats: Iterable[str]) -> bool:
    return len(set(names)) == len(names) and set(names) <= set(seats)


def _holds_declarer_alone(deal: Record) -> bool:
    """Tell whether a misère has its declarer's tricks and nobody else's."""
    tricks = {seat: deal.get(f"tricks_{seat}") for seat in SEATS}
    own = tricks.pop(deal["declarer"])
    return own is not None and 0 <= own <= 10 and all(count is None for count in tricks.values())


def _tricks_are_legal(deal: Record, *, played: bool) -> bool:
    tricks = {seat: deal.get(f"tricks_{seat}") for seat in SEATS}
    playing = seats_playing(deal)
    of_talon = None
    for seat, count in tricks.items():
        if seat in playing:
            if (count is not None) != played:
                return False
        elif count is not None:
            if deal["players"] != 4 or deal["contract"] != "raspasy" or not 0 <= count <= 2:
                return False
            of_talon = count
    counted: list[int] = [count for seat, count in tricks.items() if seat in playing and count is not None]
    return not played or (all(0 <= count <= 10 for count in counted) and sum(counted) + (of_talon or 0) == 10)


def loose_frame(rows: Sequence[Record], schema: type[dy.Schema]) -> pl.DataFrame:
    """Make a frame of records; a column has its table's type if that holds all its values, else a wider one."""
    return pl.DataFrame(
        {name: _loose([row.get(name) for row in rows], column.dtype) for name, column in schema.columns().items()}
    )


def _loose(values: list[Any], dtype: Any) -> pl.Series:
    if isinstance(dtype, pl.Enum):
        fits = all(value is None or value in dtype.categories for value in values)
        return pl.Series(values, dtype=dtype if fits else pl.String)
    if dtype.is_integer():
        least, most = pl.select(least=dtype.min(), most=dtype.max()).row(0)
        fits = all(value is None or least <= value <= most for value in values)
        is_huge = any(value is not None and value >= 2**63 for value in values)
        return pl.Series(values, dtype=dtype if fits else pl.UInt64 if is_huge else pl.Int64)
    return pl.Series(values, dtype=dtype)
