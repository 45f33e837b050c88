"""Hypothesis strategies and a fast random generator of legal deals, pulkas, conventions and sheets.

Everything is drawn by functions ``draw_*`` which know only two operations: an integer of a range, and a
choice from a sequence.  ``random.Random`` and Hypothesis both provide them, so that the two kinds of test see
the same distributions.  The first choice is always the plainest: Hypothesis shrinks towards it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
SEATS = ("a", "b", "c", "d")
CONTRACTS = ("6", "7", "8", "9", "10")

__all__ = [
    "deals",
    "draw_deal",
    "draw_pulka",
    "draw_recorded_sheet",
    "draw_switches",
    "pulkas",
    "random_deal",
    "random_pulka",
    "random_recorded_sheet",
    "random_switches",
    "recorded_sheets",
    "switches",
]


class Source(Protocol):
    """Where choices come from."""

    def integer(self, low: int, high: int) -> int:
        """An integer of low..high, both included."""

    def choose(self, options: Sequence[T]) -> T:
        """One of the options."""


class RandomSource:
    """Choices by a pseudo-random generator."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def integer(self, low: int, high: int) -> int:
        """An integer of low..high, both included."""
        return low + int(self._rng.random() * (high - low + 1))

    def choose(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[int(self._rng.random() * len(options))]


class HypothesisSource:
    """Choices by Hypothesis."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        """An integer of low..high, both included."""
        return int(self._draw(st.integers(low, high)))

    def choose(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.integer(0, len(options) - 1)]


def rarely(source: Source, one_in: int) -> bool:
    """True once in so many times."""
    return source.integer(1, one_in) == one_in


# --------------------------------------------------------------------------- deals


def seats_after(seat: str, players: int) -> list[str]:
    """All other seats, the nearest on the left first."""
    place = SEATS.index(seat)
    return [SEATS[(place + k) % players] for k in range(1, players)]


def empty_deal(players: int, dealer: str, contract: str) -> dict[str, Any]:
    """A deal with every column, nothing played."""
    deal: dict[str, Any] = {"players": players, "dealer": dealer, "contract": contract, "declarer": None}
    deal.update({f"call_{seat}": None for seat in SEATS})
    deal.update({f"tricks_{seat}": None for seat in SEATS})
    deal.update({"conceded": False, "talon": 0, "multiplier": 1, "wrong_cards": ""})
    return deal


def draw_deal(source: Source, players: int, dealer: str | None = None, raspasy: bool | None = None) -> dict[str, Any]:
    """One legal deal; `raspasy` settles whether everybody passed, else it is drawn."""
    if dealer is None:
        dealer = source.choose(SEATS[:players])
    if players == 2:
        raspasy = False
    elif raspasy is None:
        raspasy = rarely(source, 5)
    if raspasy:
        deal = draw_raspasy(source, players, dealer)
    else:
        contract = source.choose((*CONTRACTS, "6", "7", "8", "10", "misere"))
        playing = [*seats_after(dealer, players), dealer][: min(players, 3)]
        deal = empty_deal(players, dealer, contract)
        deal["declarer"] = source.choose(playing)
        if contract == "misere":
            share_out(source, deal, playing, draw_misere_tricks(source))
            leave_out_others(source, deal)
        else:
            draw_contract(source, deal, playing)
    if rarely(source, 6):
        deal["multiplier"] = source.choose((2, 4, 3, 8, 16, source.integer(1, 16)))
    return deal


def draw_raspasy(source: Source, players: int, dealer: str) -> dict[str, Any]:
    """All passed: ten tricks among those who play and, at a table of four, the talon's."""
    deal = empty_deal(players, dealer, "raspasy")
    playing = [*seats_after(dealer, players), dealer][: min(players, 3)]
    left = 10
    if players == 4:
        talon = source.choose((None, 0, 1, 2))
        deal[f"tricks_{dealer}"] = talon
        left -= talon or 0
    first = 0 if rarely(source, 4) else source.integer(0, left)
    second = source.choose((first, 0)) if rarely(source, 3) else source.integer(0, left - first)
    second = min(second, left - first)
    start = source.integer(0, 2)
    for place, count in enumerate((first, second, left - first - second)):
        deal[f"tricks_{playing[(start + place) % 3]}"] = count
    return deal


def draw_misere_tricks(source: Source) -> int:
    """The declarer's tricks on a misère."""
    return 0 if source.integer(0, 1) == 0 else source.integer(1, 10)


def leave_out_others(source: Source, deal: dict[str, Any]) -> None:
    """Sometimes a record of a misère holds its declarer's tricks alone."""
    if rarely(source, 3):
        deal.update({f"tricks_{seat}": None for seat in SEATS if seat != deal["declarer"]})


def draw_contract_tricks(source: Source, level: int) -> int:
    """The declarer's tricks: exact, a little off, or anything."""
    kind = source.integer(0, 5)
    if kind <= 1:
        return level
    if kind <= 3:
        return min(10, max(0, level + source.integer(-3, 3)))
    if kind == 4:
        return 10
    return source.integer(0, 10)


def share_out(source: Source, deal: dict[str, Any], playing: Sequence[str], declarer_tricks: int) -> None:
    """Write the declarer's tricks and let the defence share the rest."""
    declarer = deal["declarer"]
    defence = [seat for seat in seats_after(declarer, deal["players"]) if seat in playing]
    rest = 10 - declarer_tricks
    first = rest if len(defence) == 1 else source.choose((rest, 0, source.integer(0, rest)))
    deal[f"tricks_{declarer}"] = declarer_tricks
    deal[f"tricks_{defence[0]}"] = first
    if len(defence) == 2:
        deal[f"tricks_{defence[1]}"] = rest - first


def draw_contract(source: Source, deal: dict[str, Any], playing: Sequence[str]) -> None:
    """Calls, tricks, concession, talon and wrong cards of a contract of 6-10."""
    level = int(deal["contract"])
    deal["talon"] = source.choose((0, 0, 0, 1, 2, 3))
    if rarely(source, 15):
        deal["conceded"] = True
        return
    defence = [seat for seat in seats_after(deal["declarer"], deal["players"]) if seat in playing]
    calls = draw_calls(source, len(defence))
    for seat, call in zip(defence, calls, strict=True):
        deal[f"call_{seat}"] = call
    counted = [seat for seat, call in zip(defence, calls, strict=True) if call == "whist"]
    if draw_dealer_whists(source, deal, calls):
        deal[f"call_{deal['dealer']}"] = "whist"
    elif not counted:
        if level != 10 or "half" in calls or source.integer(0, 1) == 0:
            return
        counted = defence
    share_out(source, deal, playing, draw_contract_tricks(source, level))
    if rarely(source, 10):
        wrong = {seat for seat in (deal["declarer"], *counted) if source.integer(0, 1) == 0}
        deal["wrong_cards"] = "".join(seat for seat in SEATS if seat in wrong)


def draw_dealer_whists(source: Source, deal: dict[str, Any], calls: Sequence[str]) -> bool:
    """Whether the sitting dealer of four defends, which he may after two passes."""
    return deal["players"] == 4 and calls == ("pass", "pass") and rarely(source, 2)


def draw_calls(source: Source, defenders: int) -> tuple[str, ...]:
    """The defenders' final calls, in calling order."""
    if defenders == 1:
        return (source.choose(("whist", "whist", "pass")),)
    options = (
        ("whist", "whist"),
        ("whist", "pass"),
        ("pass", "whist"),
        ("pass", "pass"),
        ("pass", "half"),
        ("whist", "whist"),
        ("whist", "pass"),
        ("pass", "whist"),
    )
    return source.choose(options)


# --------------------------------------------------------------------------- pulkas


def draw_pulka(source: Source, players: int | None = None) -> dict[str, Any]:
    """A pulka's record: players, limit, sum agreed on, deals (numbered, raspasy in runs) and adjustments."""
    if players is None:
        players = source.choose((3, 4, 2, 4, 3, 4))
    limit = source.integer(1, 12) if not rarely(source, 5) else source.integer(1, 60)
    count = source.integer(1, 10) if not rarely(source, 3) else source.integer(1, 60)
    rotate = source.integer(0, 1) == 0
    dealer = source.choose(SEATS[:players])
    record: list[dict[str, Any]] = []
    raspasy = False
    for number in range(1, count + 1):
        raspasy = source.integer(1, 20) > (8 if raspasy else 15)
        deal = draw_deal(source, players, dealer if rotate else None, raspasy)
        record.append({"deal": number, **deal})
        dealer = seats_after(dealer, players)[0]
    return {
        "players": players,
        "limit": limit,
        "bullet_total": draw_bullet_total(source, players, limit),
        "deals": record,
        "adjustments": draw_adjustments(source, players, count),
    }


def draw_bullet_total(source: Source, players: int, limit: int) -> int | None:
    """Mostly none; else the limits together, another sum that divides, or any, which often does not."""
    if not rarely(source, 4):
        return None
    return source.choose(
        (players * limit, players * source.integer(1, 12), source.integer(1, 12 * players), players * limit + 1)
    )


def draw_adjustments(source: Source, players: int, deals_count: int) -> list[dict[str, Any]]:
    """Mostly none; else a few, before the first deal or after any."""
    if not rarely(source, 4):
        return []
    drawn: list[dict[str, Any]] = []
    for _ in range(source.integer(1, 5)):
        seat = source.choose(SEATS[:players])
        entry = source.choose(("bullet", "mountain", "whists"))
        drawn.append(
            {
                "deal": 0 if rarely(source, 3) else source.integer(0, deals_count),
                "seat": seat,
                "entry": entry,
                "on_seat": source.choose(seats_after(seat, players)) if entry == "whists" else None,
                "points": source.integer(-20, 20),
            }
        )
    return sorted(drawn, key=lambda adjustment: int(adjustment["deal"]))


# --------------------------------------------------------------------------- conventions

ONE_SWITCH: dict[str, Sequence[Any]] = {
    "scale": (1, 1, 4, 10, 2),
    "whist_factor": (1, 2),
    "remise_factor": (1, 2),
    "misere_factor": (1, 2),
    "shortage_factor": (Fraction(1), Fraction(1, 2)),
    "half_whist": (((6, 2), (7, 1)), ((6, 2),), (), ((6, 2), (7, 1), (8, 1)), ((7, 1), (9, 1), (10, 1))),
    "lone_whist": ("greedy", "gentleman"),
    "gentleman_scope": ("failed", "always"),
    "lone_whist_tricks": ("all", "own"),
    "failed_tricks": (True, False),
    "consolation": ("price", 10, "none", 5),
    "consolation_dealer": (True, False),
    "consolation_to": ("all", "whisters", "inviter"),
    "shortage_cap": ("personal", "pair"),
    "shortage_payer": ("last", "both"),
    "shortage_split": ("own", "whole", "half"),
    "personal_quota": (False, True),
    "ten": ("whisted", "checked"),
    "talon_bonus": (False, True),
    "talon_bonus_three": (False, True),
    "raspasy_reset": ("made", "any", "made_whisted", "whisted"),
    "raspasy": ("mountain", "whists"),
    "raspasy_price": (1, 2, 3),
    "ladder": ((1, 2, 3), (1,), (1, 2, 4), (2, 1), (1, 2, 3, 4, 5)),
    "raspasy_amnesty": (False, True),
    "raspasy_whist": (5, 1, 10),
    "raspasy_dealer_bullet": (0, 1, 2),
    "zero_bonus": ("step", "one", "none"),
    "zero_bonus_to": ("bullet", "mountain"),
    "zero_bonus_points": (1, 2, 3),
    "zero_bonus_dealer": (True, False),
    "close": ("each", "each", "total"),
    "help_rate": (10, 10, 1, 20, 5),
    "help_to": ("largest", "smallest", "clockwise"),
    "surplus": ("mountain", "mountain", "lost", "whists", "full"),
    "made_first": ("bullet", "bullet", "mountain"),
    "mountain_divisor": ("players", "players", "players-1", 1, 2, 3, 4),
    "bullet_divisor": ("players", "players", "players-1", 1, 2, 3, 4),
    "rounding": (
        "code",
        "code",
        "exact",
        "code-every-mountain",
        "nearest",
        "truncate",
        "total-half-up",
        "total-half-even",
        "total-truncate",
    ),
    "code_owner": ("largest", "smallest", "a", "b", "c", "d"),
    "code_compensation": ("down", "up"),
    "code_direction": ("down", "nearest"),
}

# bullet_weight, mountain_weight
WEIGHTS = ((10, 10), (20, 10), (1, 1), (10, 20), (2, 1), (5, 10), (10, 5), (3, 7))


def draw_switches(source: Source) -> dict[str, Any]:
    """Every switch of a convention, most of them plain, without the pairs that contradict each other."""
    strangeness = source.integer(0, 4)
    drawn: dict[str, Any] = {}
    for name, options in ONE_SWITCH.items():
        changed = source.integer(0, 4) < strangeness
        drawn[name] = source.choose(options) if changed else options[0]
    weights = source.choose(WEIGHTS) if strangeness else WEIGHTS[0]
    drawn["bullet_weight"], drawn["mountain_weight"] = weights
    return without_contradictions(drawn)


def without_contradictions(drawn: dict[str, Any]) -> dict[str, Any]:
    """Replace the second switch of every pair which a convention refuses."""
    if drawn["personal_quota"]:
        drawn["shortage_cap"] = "personal"
        drawn["shortage_split"] = "own"
    if drawn["shortage_factor"].denominator != 1 and drawn["shortage_split"] == "half":
        drawn["shortage_split"] = "own"
    if drawn["lone_whist"] == "greedy":
        drawn["gentleman_scope"] = "failed"
    if drawn["close"] == "total":
        drawn["surplus"] = "mountain"
    if drawn["zero_bonus"] == "none":
        drawn["zero_bonus_to"] = "bullet"
    if drawn["zero_bonus_to"] == "bullet":
        drawn["zero_bonus_points"] = 1
    if drawn["raspasy"] == "whists":
        drawn["raspasy_amnesty"] = False
    else:
        drawn["raspasy_dealer_bullet"] = 0
    return drawn


# --------------------------------------------------------------------------- recorded sheets


def draw_recorded_sheet(source: Source, players: int | None = None) -> dict[str, Any]:
    """A sheet without deals: whole numbers, sometimes with half points."""
    if players is None:
        players = source.choose((3, 4, 2))
    seats = SEATS[:players]
    limit = source.integer(1, 60)
    halves = rarely(source, 5)
    closed = source.integer(0, 1) == 0

    def points(low: int, high: int) -> int | Fraction:
        value = source.integer(low, high)
        return Fraction(2 * value + 1, 2) if halves and rarely(source, 2) else value

    return {
        "players": players,
        "limit": limit,
        "bullet": {seat: limit if closed else points(0, limit + 10) for seat in seats},
        "mountain": {seat: points(0, 12) if rarely(source, 3) else points(-30, 150) for seat in seats},
        "whists": {(i, j): points(0, 200) for i in seats for j in seats if i != j},
    }


# --------------------------------------------------------------------------- the two front ends


@st.composite
def deals(draw: st.DrawFn, players: int) -> dict[str, Any]:
    """One legal deal at a table of 2, 3 or 4."""
    return draw_deal(HypothesisSource(draw), players)


@st.composite
def pulkas(draw: st.DrawFn, players: int | None = None) -> dict[str, Any]:
    """A pulka: players, limit, sum agreed on, deals, adjustments."""
    return draw_pulka(HypothesisSource(draw), players)


@st.composite
def switches(draw: st.DrawFn) -> dict[str, Any]:
    """Every switch of a convention; a simple convention is a likely one."""
    return draw_switches(HypothesisSource(draw))


@st.composite
def recorded_sheets(draw: st.DrawFn, players: int | None = None) -> dict[str, Any]:
    """A sheet as it was recorded at the table."""
    return draw_recorded_sheet(HypothesisSource(draw), players)


def random_deal(rng: random.Random, players: int) -> dict[str, Any]:
    """One legal deal, without Hypothesis."""
    return draw_deal(RandomSource(rng), players)


def random_pulka(rng: random.Random, players: int | None = None) -> dict[str, Any]:
    """A pulka of the same shape as `pulkas`, without Hypothesis."""
    return draw_pulka(RandomSource(rng), players)


def random_switches(rng: random.Random) -> dict[str, Any]:
    """Switches of the same shape as `switches`, without Hypothesis."""
    return draw_switches(RandomSource(rng))


def random_recorded_sheet(rng: random.Random, players: int | None = None) -> dict[str, Any]:
    """A sheet of the same shape as `recorded_sheets`, without Hypothesis."""
    return draw_recorded_sheet(RandomSource(rng), players)
