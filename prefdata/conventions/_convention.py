"""A convention: all the switches of a game, as one frozen value."""

from __future__ import annotations

import dataclasses
import difflib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

from prefdata.conventions._switches import (
    Switch,
    choice,
    divisor,
    flag,
    half_steps,
    ladder,
    switches_of,
    table_sizes,
    tricks_by_level,
    whole,
    whole_or,
    whole_or_by_limit,
)
from prefdata.doors import told
from prefdata.errors import ConventionError
from prefdata.vocabulary import BALKAN, GAMES, RUSSIAN

__all__ = ["COUPLED", "PLAYED", "ROUNDINGS", "Convention", "Rounding", "switches"]

PLAYED = "played"
"""Stands for the convention in each pulka's own row."""

Rounding: TypeAlias = Literal[
    "exact", "code", "code-every-mountain", "nearest", "truncate", "total-half-up", "total-half-even", "total-truncate"
]
"""Names of the rounding rules (rules §7)."""

ROUNDINGS: tuple[str, ...] = get_args(Rounding)
"""The names in the order in which the rules are studied."""


@dataclass(frozen=True, kw_only=True)
class Convention:
    """The switches under which deals are scored and sheets settled (rules §2-§7, §9).

    Every field but `name` and `title` is a switch; its default is the Sochi column of rules §10.  `switches` tells the
    values that each one takes, its paragraph in the rules, its meaning and the games that have it: `game` says which
    game the convention is of, and the switches of the other one stay as they are.

    Results are labelled with the name, and folders are named by it.

    Raises
    ------
    ConventionError
        If the name cannot name a folder, a switch has a value it does not take, or two switches contradict each other.

    Examples
    --------
    >>> house = Convention(name="house", lone_whist="gentleman")
    >>> house.diff(Convention(name="sochi"))
    {'lone_whist': ('gentleman', 'greedy')}
    """

    name: str = "unnamed"
    title: str = ""

    game: str = choice(RUSSIAN, "9", "which game is played", games=GAMES, words=GAMES)
    players: tuple[int, ...] = table_sizes("9", "numbers of players that it is for; other tables are set aside")

    # rules §2, prices
    scale: int = whole(1, "2", "multiplies every price", least=1)
    whist_factor: int = whole(1, "2", "price factor of whists, per trick or undertrick")
    remise_factor: int = whole(1, "2", "price factor of the declarer's mountain, per undertrick")
    misere_factor: int = whole(1, "2", "price factor of the mountain, per trick of a failed misère")
    shortage_factor: Fraction = half_steps(1, "2", "price factor of a whister's mountain, per trick short")

    # rules §3, contracts of 6-10
    half_whist: tuple[tuple[int, int], ...] = tricks_by_level(
        {6: 2, 7: 1}, "3.2", "levels at which the second defender may leave for half, and for how many tricks"
    )
    lone_whist: Literal["greedy", "gentleman"] = choice(
        "greedy", "3.4", "whether a lone whister shares when the declarer fails"
    )
    gentleman_scope: Literal["failed", "always"] = choice(
        "failed", "3.4", "whether a gentleman shares a made contract too"
    )
    lone_whist_tricks: Literal["all", "own"] = choice(
        "all", "3.4", "whether a lone whister writes all tricks of the defence, or his own"
    )
    failed_tricks: bool = flag(True, "3.4", "whether the defence writes its tricks when the contract fails")
    consolation: int | Literal["price", "none"] = whole_or(
        "price", "3.5", "whists for each undertrick: the price, nothing, or a flat number"
    )
    consolation_dealer: bool = flag(True, "3.5", "whether the sitting dealer writes consolation")
    consolation_to: Literal["all", "whisters", "inviter"] = choice("all", "3.5", "which defenders write consolation")
    shortage_cap: Literal["personal", "pair"] = choice(
        "personal", "3.6", "whether a whister never pays more than the pair is short"
    )
    shortage_payer: Literal["last", "both"] = choice("last", "3.6", "who of two whisters pays on 8, 9 and 10")
    shortage_split: Literal["own", "whole", "half"] = choice(
        "own", "3.6", "whether each of two whisters pays his own shortage, the pair's, or half of the pair's"
    )
    personal_quota: bool = flag(False, "3.6", "whether a whister answers for his share even if the pair has its quota")
    ten: Literal["whisted", "checked"] = choice("whisted", "3.7", "whether ten tricks are whisted or checked")
    talon_bonus: bool = flag(False, "3.9", "whether the sitting dealer of four writes the talon's worth")
    talon_bonus_three: bool = flag(False, "3.9", "whether each opponent of three writes half of the talon's worth")

    # rules §5, raspasy
    raspasy_reset: Literal["made", "any", "made_whisted", "whisted"] = choice(
        "made", "5", "which deals end a run of raspasy"
    )
    raspasy: Literal["mountain", "whists"] = choice("mountain", "5", "where the tricks of raspasy are written")
    raspasy_price: int = whole(1, "5", "points for a trick of raspasy at the first step")
    ladder: tuple[int, ...] = ladder((1, 2, 3), "5", "multipliers of the price by step of the run")
    raspasy_amnesty: bool = flag(False, "5", "whether the smallest count of tricks is taken off everybody")
    raspasy_whist: int = whole(5, "5", "whists for a trick of raspasy, where they are written in whists")
    raspasy_dealer_bullet: int = whole(0, "5", "bullet points of the sitting dealer where raspasy is written in whists")
    zero_bonus: Literal["step", "one", "none"] = choice(
        "step", "5", "bonus for no trick in raspasy: the step's price, one point, nothing"
    )
    zero_bonus_to: Literal["bullet", "mountain"] = choice(
        "bullet", "5", "whether the bonus goes to the bullet or off the mountain"
    )
    zero_bonus_points: int = whole(1, "5", "how many times the bonus is written off the mountain")
    zero_bonus_dealer: bool = flag(True, "5", "whether the sitting dealer has the bonus too")

    # rules §6, closing the bullets
    close: Literal["each", "total"] = choice(
        "each", "6", "whether each bullet closes at the limit, or all together at their sum"
    )
    help_rate: int = whole(10, "6", "whists for a point of help")
    help_to: Literal["largest", "smallest", "clockwise"] = choice("largest", "6", "which open bullet is helped first")
    surplus: Literal["mountain", "lost", "whists", "full"] = choice(
        "mountain", "6", "where points go when everybody is closed"
    )
    made_first: Literal["bullet", "mountain"] = choice(
        "bullet", "6", "whether made contracts are first written off the own mountain"
    )

    # rules §7, settlement
    mountain_weight: int = whole(10, "7", "whists in a mountain point", least=1)
    bullet_weight: int = whole(10, "7", "whists in a bullet point", least=1)
    mountain_divisor: int | Literal["players", "players-1"] = divisor("players", "7", "by what a mountain is divided")
    bullet_divisor: int | Literal["players", "players-1"] = divisor("players", "7", "by what a bullet is divided")
    rounding: Rounding = choice("code", "7", "how fractions of a whist are rounded", games=GAMES)
    code_owner: Literal["largest", "smallest", "a", "b", "c", "d"] = choice(
        "largest", "7", "whose mountain rule 4.2.12 moves, among those whose share is not whole", games=GAMES
    )
    code_compensation: Literal["down", "up"] = choice(
        "down", "7", "whether four players write the whists for a moved point rounded down or up"
    )
    code_direction: Literal["down", "nearest"] = choice(
        "down", "7", "whether rule 4.2.12 takes the point down, or goes to the nearest multiple of four players"
    )

    # rules §9, the Balkan game
    refe_max: int | tuple[tuple[int, int], ...] = whole_or_by_limit(
        {30: 1, 50: 3}, "9", "how often in a pulka everybody may be given a refe", games=(BALKAN,)
    )
    contra_responsibility: Literal["none", "alone"] = choice(
        "none", "9", "whether whoever says contra answers for the whole defence", games=(BALKAN,)
    )
    come_quota: Literal["each", "pair"] = choice(
        "each", "9", "whether two who came answer for two tricks each, or for four together", games=(BALKAN,)
    )
    early_stop: Literal["exact", "whole"] = choice(
        "exact", "9", "whether the points missing when a pulka is stopped are shared exactly, or whole", games=(BALKAN,)
    )
    spades_without_contra: Literal["played", "refe"] = choice(
        "played", "9", "whether spades that nobody contras give a refe instead", games=(BALKAN,)
    )

    def __post_init__(self) -> None:
        _refuse_labels(self.name, self.title)
        for switch, kind in switches().items():
            try:
                object.__setattr__(self, switch, kind.check(getattr(self, switch)))
            except ValueError as error:
                raise ConventionError(
                    f"convention {self.name!r}: switch {switch}: {error}",
                    hint=f"{switch}: {kind.help} (rules §{kind.section}).",
                ) from None
        for switch, kind in switches().items():
            if self.game not in kind.games and getattr(self, switch) != _DEFAULTS[switch]:
                own = self.own_switches()
                few = f" This game has {', '.join(own)}." if len(own) <= 10 else ""
                raise ConventionError(
                    f"convention {self.name!r}: {switch} is no switch of the {self.game.capitalize()} game",
                    hint=f'A convention that has it needs game = "{kind.games[0]}", or a base of that game; else leave '
                    f"out {switch}, or the base that sets it.{few}",
                )
        for contradicts, what, hint in _CONTRADICTIONS:
            if contradicts(self):
                raise ConventionError(f"convention {self.name!r}: {what}", hint=hint)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Convention:
        """Make a convention from plain data, such as a parsed TOML file.

        Raises
        ------
        ConventionError
            If a key is no switch; the message names the nearest one.

        Examples
        --------
        >>> Convention.from_dict({"name": "house", "half_whist": {"6": 2}}).half_whist
        ((6, 2),)
        """
        if not isinstance(values, Mapping):
            raise ConventionError(f"values is {told(values)}, not a table", hint="Give switches with their values.")
        known = [field.name for field in dataclasses.fields(cls)]
        for key in values:
            if key not in known:
                near = difflib.get_close_matches(str(key), known, n=1)
                hint = f"Did you mean {near[0]}?" if near else "The switches are " + ", ".join(known[2:]) + "."
                raise ConventionError(f"convention {values.get('name', 'unnamed')!r}: unknown switch {key}", hint=hint)
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """Give the convention as plain data (strings, numbers, lists), fit for TOML, JSON and other processes."""
        values = {switch: kind.plain(getattr(self, switch)) for switch, kind in switches().items()}
        return {"name": self.name, "title": self.title, **values}

    def replace(self, **changes: Any) -> Convention:
        """Give a convention with some switches changed.

        Unless a `name` is given that is not empty, the new name tells the changes, so that no result is labelled with
        a convention under which it was not scored.

        Examples
        --------
        >>> Convention(name="sochi").replace(lone_whist="gentleman").name
        'sochi+lone_whist=gentleman'
        """
        changes = {field: value for field, value in changes.items() if (field, value) != ("name", "")}
        changed = self.from_dict({**self.to_dict(), **changes})
        told = [f"{switch}={changed.to_dict()[switch]}" for switch in changed.diff(self)]
        renamed = {"name": "+".join([self.name, *told]), "title": "" if told else self.title}
        return self.from_dict({**changed.to_dict(), **renamed, **changes})

    def with_rounding(self, rounding: str | None) -> Convention:
        """Give the convention under its own name with another rounding rule; with its own if that is None."""
        return self if rounding is None else self.replace(name=self.name, rounding=rounding)

    def diff(self, other: Convention) -> dict[str, tuple[Any, Any]]:
        """Tell the switches in which two conventions differ, as (own value, other's value).

        Raises
        ------
        ConventionError
            If the other is no convention but, for instance, the name of one.
        """
        if not isinstance(other, Convention):
            raise ConventionError(
                f"diff compares with a convention, and {told(other)} is none",
                hint=f"Load it first: prefdata.convention({told(other)}).",
            )
        return {
            switch: (getattr(self, switch), getattr(other, switch))
            for switch in switches()
            if getattr(self, switch) != getattr(other, switch)
        }

    def own_switches(self) -> list[str]:
        """List the switches that the convention's game has."""
        return [switch for switch, kind in switches().items() if self.game in kind.games]

    def bullet_share(self, players: int) -> Fraction:
        """Tell what a point of the bullet, or of a contract column, brings from each opponent, in whists (rules §7)."""
        return Fraction(self.bullet_weight, _divide(self.bullet_divisor, players))

    def mountain_share(self, players: int) -> Fraction:
        """Tell what a mountain point costs to each opponent, in whists (rules §7).

        >>> Convention().mountain_share(3)
        Fraction(10, 3)
        """
        return Fraction(self.mountain_weight, _divide(self.mountain_divisor, players))

    def exchange_rate(self, players: int) -> Fraction:
        """Tell how many mountain points are worth one bullet point: r of rules §7."""
        return self.bullet_share(players) / self.mountain_share(players)


def switches() -> dict[str, Switch]:
    """List all switches with what is known about them.

    >>> switches()["lone_whist"].expected
    'one of "greedy", "gentleman"'
    """
    return _SWITCHES


_SWITCHES = switches_of(Convention)

_DEFAULTS: dict[str, Any] = {field.name: field.default for field in dataclasses.fields(Convention)}

_CONTRADICTIONS: list[tuple[Callable[[Convention], bool], str, str]] = [
    (
        lambda c: c.lone_whist == "greedy" and c.gentleman_scope == "always",
        'gentleman_scope is "always", but lone_whist is "greedy"',
        'Set lone_whist = "gentleman", or gentleman_scope = "failed".',
    ),
    (
        lambda c: c.personal_quota and c.shortage_cap == "pair",
        'personal_quota charges each whister for himself, but shortage_cap is "pair"',
        'Set personal_quota = false, or shortage_cap = "personal".',
    ),
    (
        lambda c: c.personal_quota and c.shortage_split != "own",
        "personal_quota charges each whister for himself, but shortage_split charges both for the pair",
        'Set personal_quota = false, or shortage_split = "own".',
    ),
    (
        lambda c: c.shortage_split == "half" and c.shortage_factor.denominator > 1,
        'shortage_split is "half", and half of a trick at a shortage_factor that is not whole is half a point',
        'Set shortage_factor = 1, or shortage_split = "whole".',
    ),
    (
        lambda c: c.close == "total" and c.surplus != "mountain",
        'surplus is set, but with close = "total" a bullet has no limit and leaves no surplus',
        'Set close = "each", or surplus = "mountain".',
    ),
    (
        lambda c: c.zero_bonus == "none" and c.zero_bonus_to == "mountain",
        'zero_bonus is "none", but zero_bonus_to says where to write it',
        'Set zero_bonus = "step", or zero_bonus_to = "bullet".',
    ),
    (
        lambda c: c.zero_bonus_to == "bullet" and c.zero_bonus_points != 1,
        "zero_bonus_points counts what is written off the mountain, but the bonus goes to the bullet",
        'Set zero_bonus_to = "mountain", or zero_bonus_points = 1.',
    ),
    (
        lambda c: c.raspasy == "whists" and c.raspasy_amnesty,
        'raspasy_amnesty lowers mountain entries, but raspasy is written in "whists"',
        'Set raspasy = "mountain", or raspasy_amnesty = false.',
    ),
    (
        lambda c: c.raspasy == "mountain" and c.raspasy_dealer_bullet > 0,
        'raspasy_dealer_bullet belongs to raspasy = "whists", but raspasy is "mountain"',
        'Set raspasy = "whists", or raspasy_dealer_bullet = 0.',
    ),
]


COUPLED: tuple[frozenset[str], ...] = (
    frozenset({"lone_whist", "gentleman_scope"}),
    frozenset({"personal_quota", "shortage_cap", "shortage_split", "shortage_factor"}),
    frozenset({"raspasy", "raspasy_price", "ladder", "raspasy_whist", "raspasy_amnesty", "raspasy_dealer_bullet"}),
    frozenset({"zero_bonus", "zero_bonus_to", "zero_bonus_points"}),
    frozenset({"close", "bullet_weight", "surplus"}),
    frozenset({"mountain_divisor", "bullet_divisor"}),
)
"""Switches that only make sense together: those of a contradiction, and those of one device."""


def _refuse_labels(name: Any, title: Any) -> None:
    """Refuse a name that cannot name a folder, and a title that is no text."""
    for field, label in (("name", name), ("title", title)):
        if not isinstance(label, str):
            raise ConventionError(
                f"convention {told(name)}: {field} is {told(label)}, not a text", hint="Put it in quotes."
            )
    hint = 'Name it otherwise; a TOML file is named as the file, or by a line name = "..." in it.'
    if name == PLAYED:
        raise ConventionError(f"no convention is named {name!r}, which stands for each pulka's own one", hint=hint)
    unfit = any(sign in "/\\" or unicodedata.category(sign) in ("Cc", "Cs") for sign in name)
    if unfit or name.startswith(".") or not name.strip():
        raise ConventionError(f"convention name {name!r} cannot name a folder", hint=hint)


def _divide(kind: int | str, players: int) -> int:
    if isinstance(kind, int):
        return kind
    return players if kind == "players" else players - 1
