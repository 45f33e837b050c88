"""Hypothesis strategies and a fast random generator of legal Balkan deals, pulkas and switches.

Everything is drawn by functions ``draw_*`` which know only the two operations of a ``Source``, so that
``random.Random`` and Hypothesis see the same distributions.  The first choice is always the plainest:
Hypothesis shrinks towards it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from tests.strategies import HypothesisSource, RandomSource, Source, rarely

SEATS = ("a", "b", "c")
SUITS_AND_SANS = ("diamonds", "clubs", "hearts", "spades", "sans")

__all__ = [
    "cases",
    "deals",
    "draw_case",
    "draw_deal",
    "draw_pulka",
    "draw_switches",
    "pulkas",
    "random_case",
    "random_deal",
    "random_pulka",
    "random_switches",
    "switches",
]


def seats_after(seat: str) -> list[str]:
    """The two other seats, the nearest on the left first."""
    place = SEATS.index(seat)
    return [SEATS[(place + 1) % 3], SEATS[(place + 2) % 3]]


# --------------------------------------------------------------------------- deals


def empty_deal(dealer: str, contract: str) -> dict[str, Any]:
    """A deal with every column, nothing played."""
    deal: dict[str, Any] = {"players": 3, "dealer": dealer, "contract": contract, "declarer": None, "hand": False}
    deal.update({f"call_{seat}": None for seat in SEATS})
    deal.update({"contra": 0, "contra_by": None})
    deal.update({f"tricks_{seat}": None for seat in SEATS})
    return deal


def draw_deal(source: Source, dealer: str | None = None, smooth: bool | None = None) -> dict[str, Any]:
    """One legal deal; a smooth one is mostly made with nobody short."""
    if dealer is None:
        dealer = source.choose(SEATS)
    if smooth is None:
        smooth = source.integer(0, 1) == 0
    if rarely(source, 6):
        return empty_deal(dealer, "all_pass")
    contract = "bettel" if rarely(source, 7) else source.choose((*SUITS_AND_SANS, "spades"))
    deal = empty_deal(dealer, contract)
    deal["declarer"] = source.choose(SEATS)
    deal["hand"] = rarely(source, 4)
    if contract == "bettel":
        draw_contra(source, deal, seats_after(deal["declarer"]))
        draw_bettel_tricks(source, deal, smooth)
    else:
        draw_game(source, deal, smooth)
    return deal


def draw_contra(source: Source, deal: dict[str, Any], may_say: Sequence[str]) -> None:
    """Mostly no contra; else one step, or more; its sayer."""
    if rarely(source, 4):
        deal["contra"] = source.choose((1, 1, 1, 1, 2, 2, source.integer(1, 5)))
        deal["contra_by"] = source.choose(may_say)


def draw_bettel_tricks(source: Source, deal: dict[str, Any], smooth: bool) -> None:
    """The declarer's tricks; those of the defenders, or of one of them, may be left out."""
    declarer, (first, second) = deal["declarer"], seats_after(deal["declarer"])
    is_made = not rarely(source, 5) if smooth else source.integer(0, 1) == 0
    taken = 0 if is_made else source.choose((1, 1, 2, source.integer(1, 10)))
    deal[f"tricks_{declarer}"] = taken
    if source.integer(0, 1) == 0:
        return
    own = source.integer(0, 10 - taken)
    deal[f"tricks_{first}"], deal[f"tricks_{second}"] = own, 10 - taken - own
    for seat in (first, second):
        if deal[f"tricks_{seat}"] == 0 and rarely(source, 3):
            deal[f"tricks_{seat}"] = None


def draw_game(source: Source, deal: dict[str, Any], smooth: bool) -> None:
    """Calls, contra and tricks of a game which is not bettel."""
    defence = seats_after(deal["declarer"])
    calls = source.choose(
        (
            ("come", "come"),
            ("come", "pass"),
            ("pass", "come"),
            ("pass", "pass"),
            ("invite", "invited"),
            ("invited", "invite"),
            ("come", "come"),
        )
    )
    for seat, call in zip(defence, calls, strict=True):
        deal[f"call_{seat}"] = call
    takers = [seat for seat, call in zip(defence, calls, strict=True) if call != "pass"]
    if not takers:
        return
    draw_contra(source, deal, takers)
    for seat in defence:
        deal[f"tricks_{seat}"] = None if seat not in takers and source.integer(0, 1) == 0 else 0
    if smooth and not rarely(source, 4):
        share_out(deal, takers, [2] * len(takers))
    else:
        taken = draw_declarer_tricks(source)
        first = 10 - taken if len(takers) == 1 else source.choose(((10 - taken) // 2, source.integer(0, 10 - taken)))
        share_out(deal, takers, [first, 10 - taken - first])


def draw_declarer_tricks(source: Source) -> int:
    """About the six that are needed, or anything."""
    kind = source.integer(0, 4)
    if kind <= 2:
        return source.choose((6, 5, 7, 4))
    return source.integer(0, 10)


def share_out(deal: dict[str, Any], takers: Sequence[str], counts: Sequence[int]) -> None:
    """Write the tricks of the defenders who take part; the declarer has the rest."""
    deal[f"tricks_{deal['declarer']}"] = 10
    for seat, count in zip(takers, counts, strict=False):
        deal[f"tricks_{seat}"] = count
        deal[f"tricks_{deal['declarer']}"] -= count


# --------------------------------------------------------------------------- pulkas


def draw_limit(source: Source) -> int:
    """Mostly 30 or 50; else any other, more often a small one."""
    kind = source.integer(0, 9)
    if kind <= 6:
        return 30 if kind <= 3 else 50
    return source.choose((6, 4, 10, 12, source.integer(1, 20))) if kind <= 8 else source.integer(1, 120)


def draw_pulka(source: Source, limit: int | None = None) -> dict[str, Any]:
    """A pulka's record: players, limit, deals (numbered) and adjustments; mostly smooth, so that many end."""
    if limit is None:
        limit = draw_limit(source)
    smooth = not rarely(source, 4)
    count = source.integer(1, 10) if rarely(source, 3) else source.integer(5, 40)
    rotate = source.integer(0, 1) == 0
    dealer = source.choose(SEATS)
    record: list[dict[str, Any]] = []
    for number in range(1, count + 1):
        deal = draw_deal(source, dealer if rotate else None, smooth and not rarely(source, 5))
        record.append({"deal": number, **deal})
        dealer = seats_after(dealer)[0]
    return {"players": 3, "limit": limit, "deals": record, "adjustments": draw_adjustments(source, limit, count)}


def draw_adjustments(source: Source, limit: int, deals_count: int) -> list[dict[str, Any]]:
    """Mostly none; else a few, before the first deal or after any."""
    if not rarely(source, 4):
        return []
    drawn: list[dict[str, Any]] = []
    for _ in range(source.integer(1, 5)):
        seat = source.choose(SEATS)
        entry = source.choose(("contract", "juha"))
        drawn.append(
            {
                "deal": 0 if rarely(source, 3) else source.integer(0, deals_count),
                "seat": seat,
                "entry": entry,
                "on_seat": source.choose(seats_after(seat)) if entry == "juha" else None,
                "points": draw_points(source, limit),
            }
        )
    return sorted(drawn, key=lambda adjustment: int(adjustment["deal"]))


def draw_points(source: Source, limit: int) -> int:
    """A few points of either sign; or what brings a column to 0, or the price of a game above it; or many."""
    kind = source.integer(0, 5)
    if kind <= 2:
        return source.integer(-20, 20)
    if kind <= 4:
        return limit + source.choose((0, 6, 4, 10, 8, 12))
    return source.integer(-120, 120)


# --------------------------------------------------------------------------- switches

TABLES = (((50, 3), (30, 1)), ((30, 1), (50, 3)), ((30, 2), (50, 2)))


def draw_switches(source: Source, limit: int | None = None) -> dict[str, Any]:
    """Every switch; `refe_max` is a table only for a limit which stands in it, else a number, which fits any."""
    plain = source.integer(0, 2) == 0
    number = source.choose((1, 3, 2, 0, 5, 20))
    return {
        "refe_max": source.choose((*TABLES, number)) if limit in (30, 50) else number,
        "contra_responsibility": "none" if plain else source.choose(("none", "alone", "alone")),
        "come_quota": "each" if plain else source.choose(("each", "pair")),
        "spades_without_contra": "played" if plain else source.choose(("played", "refe")),
        "early_stop": "exact" if plain else source.choose(("exact", "whole")),
    }


def draw_case(source: Source) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Five to nine pulkas and the switches to score them by; to 30 or 50 where a table gives `refe_max`."""
    switches = draw_switches(source, source.choose((50, 50, None)))
    has_table = isinstance(switches["refe_max"], tuple)
    count = source.integer(5, 9)
    return [draw_pulka(source, source.choose((30, 50)) if has_table else None) for _ in range(count)], switches


# --------------------------------------------------------------------------- the two front ends


@st.composite
def deals(draw: st.DrawFn) -> dict[str, Any]:
    """One legal deal."""
    return draw_deal(HypothesisSource(draw))


@st.composite
def pulkas(draw: st.DrawFn, limit: int | None = None) -> dict[str, Any]:
    """A pulka: players, limit, deals, adjustments."""
    return draw_pulka(HypothesisSource(draw), limit)


@st.composite
def switches(draw: st.DrawFn, limit: int | None = None) -> dict[str, Any]:
    """Every switch, fit for a pulka of this limit, or of any."""
    return draw_switches(HypothesisSource(draw), limit)


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Pulkas and the switches to score them by."""
    return draw_case(HypothesisSource(draw))


def random_deal(rng: random.Random) -> dict[str, Any]:
    """One legal deal, without Hypothesis."""
    return draw_deal(RandomSource(rng))


def random_pulka(rng: random.Random, limit: int | None = None) -> dict[str, Any]:
    """A pulka of the same shape as `pulkas`, without Hypothesis."""
    return draw_pulka(RandomSource(rng), limit)


def random_switches(rng: random.Random, limit: int | None = None) -> dict[str, Any]:
    """Switches of the same shape as `switches`, without Hypothesis."""
    return draw_switches(RandomSource(rng), limit)


def random_case(rng: random.Random) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Pulkas and their switches, without Hypothesis."""
    return draw_case(RandomSource(rng))
