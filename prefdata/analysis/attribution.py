"""Attribution: which switch of a convention accounts for how many whists, by exact Shapley values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from prefdata.analysis._sources import sum_by_role
from prefdata.archives import Archive, as_archive
from prefdata.conventions import COUPLED, Convention, resolve_russian
from prefdata.errors import ConventionError, warn_set_aside
from prefdata.failures import Failures
from prefdata.games import refuse_unless_russian
from prefdata.reports import Report, Section, number
from prefdata.russian.walk import DealCounts
from prefdata.scoring.scorer import ScoredPart, walk_part
from prefdata.scoring.sheets import sheets_of
from prefdata.scoring.tidy import TidyPart, tidy_parts
from prefdata.settlement.settling import settle_checked, with_players
from prefdata.vocabulary import TWELFTHS

__all__ = ["Attribution", "SwitchGroup", "attribute"]

_WITHOUT_EFFECT = ("rounding", "code_owner", "code_compensation", "code_direction")
_MOST_GROUPS = 10
_WINNINGS = "winnings"
_WHOLE = "all"


@dataclass(frozen=True)
class SwitchGroup:
    """Switches that move together.

    Attributes
    ----------
    name
        The switches' names, joined by ``+``.
    changes
        For each switch its value under the first and under the second convention.
    """

    name: str
    changes: dict[str, tuple[Any, Any]]


@dataclass(frozen=True)
class Attribution(Report):
    """What each differing switch accounts for.

    Every pulka that all mixtures of the two conventions can write is in it.

    Attributes
    ----------
    first, second
        The conventions' names.
    groups
        The switches that differ, coupled ones together.
    archive
        `group`, `whists`, `twelfths`: of the difference between the sums of all winnings.
    players
        `player` (the seat, where nobody is named), `group`, `whists`, `twelfths`: of the difference in his result.
    roles
        `role`, `group`, `whists`, `twelfths`: of the difference in what a role brings, over all deals.
    failures
        What was set aside; a pulka that several mixtures cannot write is listed with the first of them, whose name
        tells the groups of switches that were changed.

    Notes
    -----
    `twelfths` is the text of an exact fraction, in twelfths of a whist, since Shapley values divide by factorials.  In
    every table the groups add up exactly to the whole difference, which stands there as the group ``all``.
    """

    first: str
    second: str
    groups: tuple[SwitchGroup, ...]
    archive: pl.DataFrame
    players: pl.DataFrame
    roles: pl.DataFrame
    failures: Failures

    @property
    def title(self) -> str:
        """What the report is about: the two conventions."""
        return f"From {self.first} to {self.second}, switch by switch"

    def findings(self) -> tuple[str, ...]:
        """Say by how much the sum of all winnings differs, and which switches weigh most."""
        worth = dict(self.archive.select("group", "whists").rows())
        whole = worth.pop(_WHOLE)
        told = [f"From {self.first} to {self.second} the sum of all winnings changes by {_signed(whole)} whists."]
        most = max(worth, key=lambda group: abs(worth[group]), default=None)
        if most is not None and worth[most]:
            told.append(f"What weighs most is {most}: {_signed(worth[most])} whists.")
        if len(self.failures):
            told.append(f"Left out under both: {self.failures.summary()}, the first in {self.failures.first()}.")
        return tuple(told)

    def sections(self) -> tuple[Section, ...]:
        """Give what each switch adds to all winnings, to each role and to each player."""
        changes = {
            group.name: "; ".join(f"{switch}: {old} → {new}" for switch, (old, new) in group.changes.items())
            for group in self.groups
        }
        winnings = self.archive.select(
            _called(pl.col("group")).alias("switches"),
            "whists",
            pl.col("group").replace_strict(changes, default="", return_dtype=pl.String).alias("change"),
        )
        way = f"from {self.first} to {self.second}"
        return (
            Section(f"What each switch adds to the sum of all winnings {way}, in whists", winnings),
            _by_switch(self.roles, "role", f"Whists that each role gains or loses {way}"),
            _by_switch(self.players, "player", f"Whists that each player gains or loses {way}"),
        )


def _signed(whists: float) -> str:
    return f"{'+' if whists > 0 else ''}{number(whists, 1)}"


def _called(group: pl.Expr) -> pl.Expr:
    return group.replace({_WHOLE: "all together"})


def _by_switch(frame: pl.DataFrame, key: str, title: str) -> Section:
    """Lay a table out with a column for each group of switches."""
    wide = frame.with_columns(_called(pl.col("group"))).pivot("group", index=key, values="whists", maintain_order=True)
    return Section(title, wide, labels={name: name for name in wide.columns})


def attribute(
    archive: Archive | str | Path, first: str | Path | Convention, second: str | Path | Convention
) -> Attribution:
    """Attribute the difference between two conventions to the switches in which they differ.

    The deals are scored under every mixture of the two conventions; a group of switches accounts for the mean of what
    it changes, over all orders in which the groups can be changed (Shapley value).  It is exact.  A pulka that one of
    the mixtures cannot write is left out of all, so that only equal pulkas are compared.

    Parameters
    ----------
    archive
        The archive, or its folder; pulkas that break a rule, or that a mixture cannot write, are set aside with a
        `SetAsideWarning`.
    first, second
        Conventions, their names or files.

    Raises
    ------
    ConventionError
        If they differ in more than ten groups of switches.

    Examples
    --------
    >>> from prefdata.archives import archive
    >>> from prefdata.conventions import convention
    >>> from prefdata.examples import one_pulka, three_deals
    >>> house = convention("sochi").replace(name="house", consolation="none")
    >>> attribute(archive(one_pulka(), three_deals()), "sochi", house).archive.rows()
    [('consolation', -12.0, '-144'), ('all', -12.0, '-144')]
    """
    archive = as_archive(archive)
    refuse_unless_russian(archive.game, "differences are attributed in")
    one, other = resolve_russian(first), resolve_russian(second)
    groups = _groups(one, other)
    if len(groups) > _MOST_GROUPS:
        raise ConventionError(
            f"{one.name} and {other.name} differ in {len(groups)} groups of switches, which would take "
            f"{2 ** len(groups)} scorings",
            hint="Go by way of a convention between the two.",
        )
    mixtures = {chosen: _mixture(one, other, groups, chosen) for chosen in _subsets(len(groups))}
    sums = {chosen: _Sums(mixture) for chosen, mixture in mixtures.items()}
    broken: list[Failures] = []
    for tidy in tidy_parts(archive):
        broken.append(tidy.failures)
        written = _written_by_all(tidy, mixtures.values(), broken)
        for mixture in sums.values():
            mixture.add(written)
    failures = Failures.gather(broken)
    if len(failures):
        warn_set_aside(f"{failures.summary()}; Attribution.failures lists them")
    measured = {chosen: mixture.measures() for chosen, mixture in sums.items()}
    tables = [_shapley({chosen: every[table] for chosen, every in measured.items()}, groups) for table in range(3)]
    return Attribution(
        one.name,
        other.name,
        groups,
        archive=tables[0].drop("key"),
        players=tables[1].rename({"key": "player"}),
        roles=tables[2].rename({"key": "role"}),
        failures=failures,
    )


Subset = tuple[int, ...]
Measures = dict[str, int]


def _groups(first: Convention, second: Convention) -> tuple[SwitchGroup, ...]:
    """Divide the differing switches into groups that move together."""
    changes = {name: pair for name, pair in first.diff(second).items() if name not in _WITHOUT_EFFECT}
    groups = []
    while changes:
        name = next(iter(changes))
        together = next((coupled for coupled in COUPLED if name in coupled), frozenset({name}))
        moved = {switch: changes.pop(switch) for switch in list(changes) if switch in together}
        groups.append(SwitchGroup("+".join(moved), moved))
    return tuple(groups)


def _subsets(count: int) -> Iterator[Subset]:
    return (chosen for size in range(count + 1) for chosen in combinations(range(count), size))


def _mixture(first: Convention, second: Convention, groups: Sequence[SwitchGroup], chosen: Subset) -> Convention:
    moved = [groups[place] for place in chosen]
    switches = {switch: getattr(second, switch) for group in moved for switch in group.changes}
    whole = moved and len(moved) == len(groups)
    name = second.name if whole else "+".join([first.name, *(group.name for group in moved)])
    return first.replace(name=name, rounding="exact", **switches)


def _written_by_all(tidy: TidyPart, mixtures: Iterable[Convention], broken: list[Failures]) -> TidyPart:
    """Keep the pulkas of a part that every mixture can write; the reasons why others cannot are added to `broken`.

    Sheets are thrown away: those of all mixtures together would not fit into memory.
    """
    unwritten = np.zeros(tidy.pulkas.height, np.bool_)
    for mixture in mixtures:
        scored = walk_part(tidy, mixture)
        scored.status[unwritten] = 0  # a mixture before it has told the reason
        if scored.status.any():
            broken.append(scored.failures)
            unwritten |= scored.status != 0
    return tidy.only(~unwritten) if unwritten.any() else tidy


class _Sums:
    """What an archive brings under one mixture, in twelfths, added up part by part."""

    def __init__(self, convention: Convention) -> None:
        self._convention = convention
        self._winnings = 0
        self._players: Counter[str] = Counter()
        self._counts = DealCounts(self._convention)

    def add(self, tidy: TidyPart) -> None:
        scored = walk_part(tidy, self._convention)
        settled = _results(scored, self._convention)
        self._winnings += settled.select(pl.col("result_twelfths").clip(lower_bound=0).sum()).item()
        for player, result in settled.group_by("player").agg(pl.col("result_twelfths").sum()).rows():
            self._players[player] += result
        self._counts.add(tidy, scored)

    def measures(self) -> tuple[Measures, Measures, Measures]:
        """Give all winnings, each player's result, and what each role brings."""
        roles = sum_by_role(self._counts).select("role", "twelfths")
        return {_WINNINGS: self._winnings}, dict(sorted(self._players.items())), dict(roles.rows())


def _results(scored: ScoredPart, convention: Convention) -> pl.DataFrame:
    settled = settle_checked(with_players(sheets_of(scored), scored.tidy.pulkas), convention)
    name = pl.col("player").fill_null(pl.concat_str(pl.lit("seat "), pl.col("seat").cast(pl.String)))
    return settled.select(player=name, result_twelfths="result_twelfths")


def _shapley(measured: dict[Subset, Measures], groups: tuple[SwitchGroup, ...]) -> pl.DataFrame:
    """Give the Shapley value of each group for each key, and their sum."""
    count = len(groups)
    keys = list(dict.fromkeys(key for values in measured.values() for key in values))
    rows = []
    for key in keys:
        worth = {chosen: values.get(key, 0) for chosen, values in measured.items()}
        for place, group in enumerate(groups):
            share = sum(
                (
                    Fraction(factorial(len(chosen)) * factorial(count - len(chosen) - 1), factorial(count))
                    * (worth[tuple(sorted((*chosen, place)))] - worth[chosen])
                    for chosen in worth
                    if place not in chosen
                ),
                Fraction(0),
            )
            rows.append((key, group.name, float(share) / TWELFTHS, str(share)))
        whole = worth[tuple(range(count))] - worth[()]
        rows.append((key, _WHOLE, whole / TWELFTHS, str(whole)))
    kinds = {"key": pl.String, "group": pl.String, "whists": pl.Float64, "twelfths": pl.String}
    return pl.DataFrame(rows, schema=kinds, orient="row")
