"""The constant value of a game: what a bullet point is worth in each place where it can go (Code 4.1.1; rules §6).

A point in the own bullet brings its owner as much from each opponent as `Convention.bullet_share` says: its nominal
value.  A convention keeps the value of a game constant if a point is worth the same wherever else it goes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from prefdata.conventions import Convention

__all__ = ["CAUSES", "Drift", "drifts", "explain", "in_words", "is_constant", "places"]

CAUSES: tuple[str, ...] = ("help", "mountain", "lost", "whists")
"""Where a bullet point can lose its value: in another's bullet, off the own mountain as one mountain point
(`made_first` = ``"mountain"`` or `surplus` = ``"full"``), or as the two other wrong habits with a surplus."""


@dataclass(frozen=True)
class Drift:
    """By how much a bullet point in some place is worth more or less than in its owner's bullet.

    Attributes
    ----------
    cause
        The place, one of `CAUSES`, or ``exchange``: off the own mountain at its rate, which changes nothing.
    owner
        Exact whists that one point brings the player who made it, beyond its nominal value.
    helped
        The same for the player in whose bullet it stands; none where it is in no other's.
    other
        The same for each other player.
    rounded
        Whether the whists of an entry are rounded as a whole, so that a deal may differ by up to half a whist from each
        opponent.
    """

    cause: str
    owner: Fraction
    helped: Fraction | None
    other: Fraction
    rounded: bool = False

    @property
    def keeps_value(self) -> bool:
        """Whether a point is worth here what it is worth in its owner's bullet."""
        return not (self.owner or self.helped or self.other or self.rounded)


def places(convention: Convention, players: int) -> list[Drift]:
    """List the places where a bullet point can go beside its owner's bullet, with what changes there (rules §6).

    Parameters
    ----------
    convention
        The convention.
    players
        Number of players at the table.

    Examples
    --------
    The Code's answer b, which writes surplus points as whists: six of them are 20 whists on each of three others, where
    15 would be right (4.1.1):

    >>> house = Convention(surplus="whists")
    >>> [(place.cause, 6 * place.owner, 6 * place.other) for place in places(house, 4)]
    [('help', Fraction(0, 1), Fraction(0, 1)), ('whists', Fraction(15, 1), Fraction(-5, 1))]
    """
    bullet, mountain = convention.bullet_share(players), convention.mountain_share(players)
    others = players - 1

    def paid_by_each(cause: str, whists: Fraction) -> Drift:
        rounded = cause == "whists" and whists.denominator > 1
        return Drift(cause, others * (whists - bullet), None, bullet - whists, rounded)

    found = []
    if convention.close == "each":
        gained = convention.help_rate - players * bullet
        found.append(Drift("help", gained, -gained, Fraction(0)))
    if convention.made_first == "mountain" or convention.surplus == "full":
        found.append(paid_by_each("mountain", mountain))
    if convention.close == "each" and convention.surplus != "full":
        cause = {"mountain": "exchange", "lost": "lost", "whists": "whists"}[convention.surplus]
        whists = {"exchange": bullet, "lost": Fraction(0), "whists": Fraction(convention.bullet_weight, others)}
        found.append(paid_by_each(cause, whists[cause]))
    return found


def drifts(convention: Convention, players: int) -> list[Drift]:
    """List what breaks the constant value of a game, with the effect of one bullet point (Code 4.1.1).

    Examples
    --------
    In the hussar with an indivisible mountain only half of a surplus is to be written off (the Code's answer c):

    >>> house = Convention(mountain_divisor=1, bullet_divisor=2, surplus="full")
    >>> [(drift.cause, 6 * drift.owner, 6 * drift.other) for drift in drifts(house, 2)]
    [('mountain', Fraction(30, 1), Fraction(-30, 1))]
    """
    return [place for place in places(convention, players) if not place.keeps_value]


def is_constant(convention: Convention, players: int) -> bool:
    """Tell whether a game keeps its value in whists whatever the state of the pulka (Code 4.1.1).

    It does where nothing is lost or gained when points go into another's bullet or off the mountain: help is paid with
    what a bullet point brings from all players, and the surplus goes off the mountain at its own rate.

    Examples
    --------
    >>> from prefdata.conventions import convention
    >>> sochi = convention("sochi")
    >>> is_constant(sochi, 4), is_constant(sochi.replace(surplus="lost"), 4)
    (True, False)
    """
    return not drifts(convention, players)


def explain(convention: Convention, players: int) -> str:
    """Say in plain words whether a convention keeps the value of a game, and if not, why and by how many whists.

    Examples
    --------
    >>> print(explain(Convention(name="house", surplus="lost"), 4))
    under house a game has no constant value with 4 players: a surplus point is lost (its owner -7 1/2 whists, each other +2 1/2)
    >>> print(explain(Convention(name="sochi"), 4))
    under sochi a game keeps its value with 4 players
    """  # noqa: E501 - one sentence
    broken = drifts(convention, players)
    if not broken:
        return f"under {convention.name} a game keeps its value with {players} players"
    reasons = "; ".join(f"{_reason(drift, convention, players)} ({_effect(drift)})" for drift in broken)
    return f"under {convention.name} a game has no constant value with {players} players: {reasons}"


def in_words(whists: Fraction) -> str:
    """Write a number of whists, exactly.

    >>> in_words(Fraction(15)), in_words(Fraction(-15, 2)), in_words(Fraction(1, 3))
    ('15', '-7 1/2', '1/3')
    """
    whole, rest = divmod(abs(whists), 1)
    parts = [str(whole)] * (whole > 0 or rest == 0) + [str(rest)] * (rest > 0)
    return "-" * (whists < 0) + " ".join(parts)


def _reason(drift: Drift, convention: Convention, players: int) -> str:
    bullet = convention.bullet_share(players)
    if drift.cause == "help":
        right = in_words(players * bullet)
        return f"a point of help is paid with {convention.help_rate} whists, where {right} would be right"
    if drift.cause == "mountain":
        right = in_words(convention.exchange_rate(players))
        return f"a bullet point goes off the mountain as one point, where {right} would be right"
    if drift.cause == "lost":
        return "a surplus point is lost"
    written = Fraction(convention.bullet_weight, players - 1)
    rounded = ", rounded by entry" if drift.rounded else ""
    return (
        f"a surplus point is written as {in_words(written)} whists on each other player{rounded}, where "
        f"{in_words(bullet)} would be right"
    )


def _effect(drift: Drift) -> str:
    owner = "its owner" if drift.helped is None else "the helper"
    whom = {owner: drift.owner, "the helped": drift.helped, "each other": drift.other}
    told = [(name, whists) for name, whists in whom.items() if whists]
    if not told:
        return "up to half a whist each"
    first, *rest = [f"{name} {'+' * (whists > 0)}{in_words(whists)}" for name, whists in told]
    return ", ".join([f"{first} whists", *rest])
