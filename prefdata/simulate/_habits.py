"""Who plays and how: every parameter of the generator, in one place."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib import resources
from math import isfinite

from prefdata.doors import told
from prefdata.errors import SimulationError

__all__ = ["HABITS", "PLAYERS", "Habits", "Style", "habits_under", "hundredths"]


def hundredths(tricks: float) -> int:
    """Turn tricks into the whole hundredths in which the generator counts.

    >>> hundredths(0.29)
    29
    """
    return round(tricks * 100)


def _values(value: float | tuple[float, ...]) -> tuple[float, ...]:
    return value if isinstance(value, tuple) else (value,)


def _refuse_unfit(habits: object, kind: str) -> None:
    """Refuse parameters that are not of the kind of their default."""
    for field in dataclasses.fields(habits):  # type: ignore[arg-type]
        value = getattr(habits, field.name)
        if isinstance(value, list):
            object.__setattr__(habits, field.name, value := tuple(value))
        if not _is_like(value, field.default):
            raise SimulationError(f"{kind}: {field.name} is {told(value)}", hint=f"Its default is {field.default!r}.")


def _is_like(value: object, default: object) -> bool:
    """Tell whether a value is of the kind of a default: a number, a whole one, a text, or several of them."""
    if isinstance(default, tuple) and isinstance(default[0], tuple):
        return isinstance(value, tuple) and all(_is_row_like(row, default[0]) for row in value)
    if isinstance(default, tuple):
        return isinstance(value, tuple) and all(_is_like(one, default[0]) for one in value)
    if isinstance(default, str):
        return isinstance(value, str)
    if isinstance(value, bool) or not isinstance(value, int if isinstance(default, int) else int | float):
        return False
    return isfinite(value) and abs(value) < _LARGEST


def _is_row_like(row: object, default: tuple[object, ...]) -> bool:
    return isinstance(row, tuple | list) and len(row) == len(default) and all(map(_is_like, row, default))


_LARGEST = 1 << 31


def _refuse_unless(holds: bool, what: str, expected: str) -> None:
    if not holds:
        raise SimulationError(f"{what} is out of range", hint=f"Give {expected}.")


@dataclass(frozen=True, kw_only=True)
class Style:
    """How a player differs from the average one.

    Attributes
    ----------
    bidding
        Tricks by which he overrates his hand when he bids and names the contract; a cautious player's are negative.
    whisting
        Tricks by which he overrates his hand when he is asked to whist.
    misere
        Holes more than usual with which he bids misère, or bettel.
    skill
        Tricks that his play is worth, as declarer; against a declarer the mean of both defenders counts.

    Examples
    --------
    >>> bold = Style(bidding=0.6)
    >>> bold.bidding, bold.skill
    (0.6, 0.0)
    """

    bidding: float = 0.0
    whisting: float = 0.0
    misere: float = 0.0
    skill: float = 0.0

    def __post_init__(self) -> None:
        _refuse_unfit(self, "style")
        for field in dataclasses.fields(self):
            _refuse_unless(
                -10 <= getattr(self, field.name) <= 10, f"style: {field.name}", "a number of tricks from -10 to 10"
            )


PLAYERS: Mapping[str, Style] = {
    "A": Style(),
    "B": Style(bidding=0.5, misere=0.2, skill=-0.1),
    "C": Style(bidding=-0.4, whisting=-0.2, misere=-0.2, skill=0.1),
    "D": Style(whisting=0.4, skill=-0.1),
    "E": Style(bidding=0.1, skill=0.4),
    "F": Style(bidding=-0.1, skill=-0.4),
    "G": Style(bidding=0.3, whisting=0.3, misere=0.4, skill=-0.2),
    "H": Style(bidding=-0.3, whisting=-0.4, skill=0.2),
    "I": Style(misere=0.6),
    "J": Style(bidding=0.2, whisting=-0.3, skill=0.1),
    "K": Style(bidding=-0.2, whisting=0.2, misere=-0.4),
    "L": Style(skill=0.2),
}
"""The players of a simulated archive unless others are given: B is bold, C cautious, D whists, E plays well, ..."""


@dataclass(frozen=True, kw_only=True)
class Habits:
    """How the deals of a simulated archive come about.

    Every parameter is here.  Strength is counted in tricks, to the hundredth; a spread is the standard deviation of a
    bell of them; a share is a probability from 0 to 1.  A parameter by level has five values, for contracts of 6, 7, 8,
    9 and 10; one by game has six, for spades, diamonds, hearts, clubs, bettel and sans of the Balkan game, in which a
    hole of bettel counts as a trick that is missing.

    Attributes
    ----------
    talon_help
        Tricks which a bidder hopes to find in the talon.
    judgement
        Spread of a player's estimate of his hand.
    ruffed
        Share of a side suit's winner that is lost as soon as a defender has no card of the suit.
    control_from, control_to
        Tricks in trumps with which a declarer begins to be safe from ruffs, and is safe from them.
    notrump_cost
        Tricks by which a hand must be better without trumps than with them.
    unstopped
        Tricks that a suit which the defenders can run costs in notrump.
    order_margin
        Tricks, by level, that a declarer wants to have over when he names a contract above his bid.
    misere_holes
        Holes of a hand with which an average player bids misère, or bettel; a card that may have to take a trick is a
        hole, or part of one where it is nearly safe.
    declarer_edge
        Tricks which the declarer makes beyond what his suits bring one by one.
    luck
        Spread of the declarer's tricks around that.
    room
        Tricks of the defence from which luck, skill and edge work in full; with fewer, there is less to win or to lose.
    hopeless
        Tricks short of his contract at which a declarer thinks of giving up three down.
    concession
        Share of hopeless contracts that are conceded.
    trust
        Share of his hand's tricks on which a defender counts, the declarer being strong.
    whist_first
        Tricks, by level, with which the first defender whists.
    whist_second
        Tricks, by level, with which the second defender whists after a whist.
    whist_alone
        Tricks, by level, with which the second defender whists after a pass.
    dummy_help
        Tricks which the defender of two players expects from the dummy.
    half_whist
        Share of second defenders who leave for half a whist, rather than pass, after a pass, where they may.
    unwhisted_ten
        Share of tens, passed by both defenders, that are played open all the same; all are where tens are checked.
    dealer_whist
        Share of contracts that both defenders of four players passed and the sitting dealer whists (rules §3.7), 0
        where the rules do not let him.
    misere_caught
        Share of misères and bettels that are caught, by holes left after the exchange: 0, up to 1, up to 2, more.
    misere_tricks
        Weights of 1, 2, ... tricks in a caught misère or bettel.
    ducked
        Tricks that everybody ducks in raspasy; what his cards make him fear beyond them he may have to take.
    raspasy_luck
        Spread of tricks in raspasy around what the cards say.
    talon_takes
        Shares, by rank from seven to ace, of talon cards which take a trick in raspasy with four players.
    game_bid
        Tricks, by game, beyond the promise with which an average player bids, the talon's help included.
    game_order
        Tricks, by game, beyond the promise with which a declarer names a game rather than a lower one.
    hand_bid
        Tricks, by game, beyond the promise with which a game is played without the talon.
    sans_edge
        Tricks which the declarer of sans makes beyond `declarer_edge`; fewer, since the defenders run their suits.
    come_first, come_second, come_alone
        Tricks with which the first defender comes, the second after him, and the second after a pass.
    invite
        Tricks with which a defender who came alone invites the other.
    contra
        Tricks with which a defender says contra; if the other passed, he invites him.
    recontra
        Tricks beyond the promise with which the declarer answers a contra.
    bettel_contra
        Share of bettels with a contra.
    doubled
        Share of deals with multiplier 2, as in a blind game.
    wrong_cards
        Share of played contracts in which the declarer or a whister has a wrong number of cards.
    mix
        Weights of tables of 2, 3 and 4 players in a mix.
    first_season
        Year in which the first season begins.
    seasons
        How many seasons the dates go through; after the last evening they begin again.
    weekdays
        Evenings of play, Monday being 0; a season lasts from September to May.
    pulkas_per_evening
        Pulkas that are played in one evening.
    places
        Where they are played, with the stake per whist.
    longest_pulka
        Deals after which a pulka that has not ended is left open.

    Raises
    ------
    SimulationError
        If a parameter is out of range.

    Examples
    --------
    >>> Habits(half_whist=0.5).half_whist
    0.5
    """

    # bidding
    talon_help: float = 0.99
    judgement: float = 0.5
    ruffed: float = 0.4
    control_from: float = 2.5
    control_to: float = 5.0
    notrump_cost: float = 0.5
    unstopped: float = 0.6
    order_margin: tuple[float, ...] = (0.0, 0.75, 0.5, 0.2, -0.18)
    misere_holes: float = 0.85

    # play of a contract
    declarer_edge: float = -0.7
    luck: float = 0.7
    room: float = 3.0
    hopeless: float = 1.3
    concession: float = 0.5

    # calls of the defenders
    trust: float = 0.67
    whist_first: tuple[float, ...] = (1.5, 1.6, 1.6, 1.5, 1.4)
    whist_second: tuple[float, ...] = (1.35, 1.55, 1.65, 1.6, 1.5)
    whist_alone: tuple[float, ...] = (1.5, 1.5, 1.4, 1.4, 1.3)
    dummy_help: float = 0.6
    half_whist: float = 0.12
    unwhisted_ten: float = 0.1
    dealer_whist: float = 0.0

    # misère and raspasy
    misere_caught: tuple[float, ...] = (0.03, 0.4, 0.7, 0.9)
    misere_tricks: tuple[int, ...] = (38, 26, 16, 10, 6, 4)
    ducked: float = 1.2
    raspasy_luck: float = 0.7
    talon_takes: tuple[float, ...] = (0.0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.6, 0.9)

    # the Balkan game
    game_bid: tuple[float, ...] = (-1.2, -1.1, -0.9, -0.5, 0.2, 1.6)
    game_order: tuple[float, ...] = (-0.2, 0.3, 0.6, 0.9, 0.0, 1.8)
    hand_bid: tuple[float, ...] = (1.4, 1.5, 1.7, 2.1, 0.2, 2.6)
    sans_edge: float = -3.0
    come_first: float = 1.9
    come_second: float = 1.8
    come_alone: float = 1.9
    invite: float = 2.6
    contra: float = 3.2
    recontra: float = 1.0
    bettel_contra: float = 0.03

    # rare columns
    doubled: float = 0.0
    wrong_cards: float = 0.0002

    # pulkas
    mix: tuple[int, ...] = (1, 5, 4)
    first_season: int = 2021
    seasons: int = 4
    weekdays: tuple[int, ...] = (2, 4, 5)
    pulkas_per_evening: int = 5
    places: tuple[tuple[str, float], ...] = (("club", 0.1), ("dacha", 0.05), ("at home", 0.05))
    longest_pulka: int = 400

    def __post_init__(self) -> None:
        _refuse_unfit(self, "habits")
        for name in _SHARES:
            for share in _values(getattr(self, name)):
                _refuse_unless(0 <= share <= 1, f"habits: {name}", "a share from 0 to 1")
        for name in _TRICKS:
            for tricks in _values(getattr(self, name)):
                _refuse_unless(-20 <= tricks <= 20, f"habits: {name}", "a number of tricks from -20 to 20")
        for name, length in _LENGTHS.items():
            _refuse_unless(len(getattr(self, name)) == length, f"habits: {name}", f"{length} values")
        for name in ("misere_tricks", "mix"):
            weights = getattr(self, name)
            _refuse_unless(bool(weights), f"habits: {name}", "weights")
            _refuse_unless(
                min(weights) >= 0 < sum(weights) <= 1 << 16, f"habits: {name}", "whole weights, not all of them 0"
            )
        _refuse_unless(1 <= len(self.misere_tricks) <= 10, "habits: misere_tricks", "1 to 10 weights")
        _refuse_unless(1 <= self.longest_pulka <= 10_000, "habits: longest_pulka", "1 to 10000 deals")
        _refuse_unless(1 <= self.first_season <= 9000, "habits: first_season", "a year from 1 to 9000")
        _refuse_unless(self.seasons <= 900, "habits: seasons", "up to 900 seasons")
        _refuse_unless(self.pulkas_per_evening >= 1, "habits: pulkas_per_evening", "at least 1")
        _refuse_unless(bool(self.places), "habits: places", "at least one place with its stake")
        _refuse_unless(bool(self.evenings()), "habits: seasons and weekdays", "at least one evening of play")

    def evenings(self) -> list[date]:
        """List the days of play through all seasons.

        >>> Habits().evenings()[0]
        datetime.date(2021, 9, 1)
        """
        days = []
        for year in range(self.first_season, self.first_season + self.seasons):
            first = date(year, 9, 1)
            season = (first + timedelta(days=number) for number in range((date(year + 1, 6, 1) - first).days))
            days += [day for day in season if day.weekday() in self.weekdays]
        return days


_SHARES = (
    "ruffed",
    "trust",
    "concession",
    "half_whist",
    "unwhisted_ten",
    "dealer_whist",
    "misere_caught",
    "talon_takes",
    "bettel_contra",
    "doubled",
    "wrong_cards",
)
_TRICKS = (
    "talon_help",
    "judgement",
    "control_from",
    "control_to",
    "notrump_cost",
    "unstopped",
    "order_margin",
    "misere_holes",
    "declarer_edge",
    "luck",
    "room",
    "ducked",
    "hopeless",
    "whist_first",
    "whist_second",
    "whist_alone",
    "dummy_help",
    "raspasy_luck",
    "game_bid",
    "game_order",
    "hand_bid",
    "sans_edge",
    "come_first",
    "come_second",
    "come_alone",
    "invite",
    "contra",
    "recontra",
)
_LENGTHS = {
    "order_margin": 5,
    "whist_first": 5,
    "whist_second": 5,
    "whist_alone": 5,
    "misere_caught": 4,
    "talon_takes": 8,
    "game_bid": 6,
    "game_order": 6,
    "hand_bid": 6,
    "mix": 3,
}


HABITS = Habits()
"""The usual habits."""


@cache
def habits_under(convention: str) -> Habits:
    """Give the habits of people who play under a convention of this name.

    >>> habits_under("sochi") == HABITS, habits_under("leningrad-federation").dealer_whist
    (True, 0.15)
    """
    text = (resources.files("prefdata.simulate") / "habits.toml").read_text(encoding="utf-8")
    return Habits(**tomllib.loads(text).get(convention, {}))
