"""The search for the convention that sheets were written under: from the presets, a switch at a time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

from prefdata.analysis._fits import Fit, Fits
from prefdata.conventions import Convention
from prefdata.conventions.neighbours import (
    changed,
    devices,
    is_number,
    known_values,
    near_values,
    next_value,
    presets_of,
    switches_tried,
    takes_numbers,
)

__all__ = ["alternatives", "search"]

_Change = tuple[tuple[str, Any], ...]
"""Switches with their new values."""

_STARTS = 3
"""Presets from which the search begins, as long as sheets differ much."""

_PAIRED = 12
"""Changes that are tried two at a time, where none alone brings anything."""

_ESTIMATES = 2
"""Values of a number that are tried because what differs asks for them."""

_RATIOS = (("mountain_weight", "bullet_weight"), ("mountain_divisor", "bullet_divisor"))
"""Switches of which a sheet shows no more than how many mountain points a bullet point is worth."""

_ENOUGH = 350
"""Conventions after which a descent takes the best that it has: what fits nothing fits no house rules either."""

_PERVASIVE = ("close", "scale")
"""Switches that change nearly every sheet: as long as they are wrong, nothing is seen of the others."""

_MANY = 10
"""One in so many sheets that differ is too many for slips of the pencil."""


def search(fits: Fits) -> Fit:
    """Find the closest convention: one that can be changed in no switch, and in no two that matter, to come closer."""
    starts = sorted(_starts(fits), key=Fit.closeness)
    best = starts[0]
    for start in starts[:_STARTS]:
        found = _descend(fits, start)
        if found.closeness() < best.closeness():
            best = found
        if best.pulkas * _MANY <= len(fits.beside.sheets):
            break
    return _nearest_to_preset(fits, best)


def _starts(fits: Fits) -> list[Fit]:
    """Give the presets; where none of them is near, in every scale and way of closing too."""
    starts = [fits.fit(preset) for preset in presets_of(fits.beside.game.name)]
    if min(fit.pulkas for fit in starts) * 2 > len(fits.beside.sheets):
        for switch in _PERVASIVE:
            if switch in switches_tried(starts[0].convention):
                starts += [fit for start in list(starts) for _, fit in _of_switch(fits, start, switch)]
    return starts


def _descend(fits: Fits, start: Fit) -> Fit:
    """Change switches as long as that comes closer."""
    best, leads = start, [start]
    silent: set[str] = set()
    before = len(fits.found)
    while best.pulkas and len(fits.found) - before <= _ENOUGH:
        tried: dict[_Change, Fit] = {}
        for lead in leads:
            tried |= dict(_around(fits, lead, silent))
            if any(not fit.pulkas for fit in tried.values()):
                break
        closest = min(tried.values(), key=Fit.closeness, default=best)
        if closest.closeness() >= best.closeness():
            closest = _two_at_once(fits, best, tried)
            if closest.closeness() >= best.closeness():
                return best
        best = closest
        leads = _leads(best, tried)
    return best


def _leads(best: Fit, tried: dict[_Change, Fit]) -> list[Fit]:
    """Go on from what is closest, and from what is closest in entries and in points: the ways part sometimes."""
    by_columns = min(tried.values(), key=lambda fit: fit.columns)
    by_points = min(tried.values(), key=lambda fit: fit.points)
    leads = {fit.convention: fit for fit in (best, by_columns, by_points)}
    return list(leads.values())


def _around(fits: Fits, fit: Fit, silent: set[str]) -> Iterator[tuple[_Change, Fit]]:
    """Go through the conventions around one, switches that have changed something before the silent ones."""
    switches = sorted(switches_tried(fit.convention), key=lambda switch: switch in silent)
    for switch in switches:
        moved = False
        for change, other in _of_switch(fits, fit, switch):
            moved = moved or other.sheets != fit.sheets
            yield change, other
            if not other.pulkas:
                return
        (silent.discard if moved else silent.add)(switch)
    for values in devices(fit.convention):
        of_device = changed(fit.convention, **values)
        if of_device is not None:
            yield tuple(values.items()), fits.fit(of_device)


def _of_switch(fits: Fits, fit: Fit, switch: str) -> Iterator[tuple[_Change, Fit]]:
    """Go through what changes of one switch make: known values, near ones, and those that what differs asks for."""
    here = fit.convention
    values = [*known_values(here, switch), *near_values(here, switch)]
    for value in dict.fromkeys(values):
        other = changed(here, **{switch: value})
        if other is not None:
            yield ((switch, value),), fits.fit(other)
    for value in _asked_for(fits, fit, switch):
        other = changed(here, **{switch: value})
        if value not in values and other is not None:
            yield ((switch, value),), fits.fit(other)


def _asked_for(fits: Fits, fit: Fit, switch: str) -> Iterator[Any]:
    """Work out the numbers by which what differs would vanish; of a ladder, in each of its steps."""
    here, value = fit.convention, getattr(fit.convention, switch)
    if switch == "ladder":
        ways = [(value[:step], value[step], value[step + 1 :]) for step in range(len(value))]
        for before, multiplier, after in ways:
            further = changed(here, ladder=(*before, multiplier + 1, *after))
            if further is not None:
                for times in islice(_useful(fits, fit, further), _ESTIMATES):
                    yield (*before, multiplier + times, *after)
    elif takes_numbers(switch):
        pivot = here if is_number(value) else changed(here, **{switch: 1})
        further = pivot and changed(pivot, **{switch: next_value(pivot, switch)})
        if pivot is not None and further is not None:
            number, step = getattr(pivot, switch), getattr(further, switch) - getattr(pivot, switch)
            for times in islice(_useful(fits, fits.fit(pivot), further), _ESTIMATES):
                yield number + times * step


def _useful(fits: Fits, fit: Fit, further: Convention) -> Iterator[int]:
    """Estimate steps, but for those that lead nowhere new."""
    if fits.fit(further).sheets != fit.sheets:
        yield from (times for times in fits.steps(fit.convention, further) if times not in (0, 1))


def _two_at_once(fits: Fits, best: Fit, tried: dict[_Change, Fit]) -> Fit:
    """Try pairs of the changes that bring entries or points closest."""
    mine = {change: fit for change, fit in tried.items() if fit.sheets != best.sheets}
    by_columns = sorted(mine, key=lambda change: mine[change].columns)
    by_points = sorted(mine, key=lambda change: mine[change].points)
    chosen = dict.fromkeys([*by_columns[: _PAIRED // 2], *by_points[: _PAIRED // 2]])
    closest = best
    for first, second in combinations(chosen, 2):
        if {switch for switch, _ in first} & {switch for switch, _ in second}:
            continue
        other = changed(best.convention, **dict(first), **dict(second))
        if other is None:
            continue
        fit = fits.fit(other)
        if fit.closeness() < closest.closeness():
            closest = fit
    return closest


def _nearest_to_preset(fits: Fits, best: Fit) -> Fit:
    """Give up every change from the preset that is nearest, as long as the same sheets come out."""
    near = min(presets_of(best.convention.game), key=lambda one: len(one.diff(best.convention)))
    for switch in near.diff(best.convention):
        other = changed(best.convention, **{switch: getattr(near, switch)})
        if other is not None and fits.fit(other).sheets == best.sheets:
            best = fits.fit(other)
    return best


def alternatives(fits: Fits, best: Fit) -> Iterator[tuple[_Change, Fit]]:
    """Go through every switch in every value that is tried, and through what a sheet knows the ratio of alone."""
    for switch in switches_tried(best.convention):
        yield from _of_switch(fits, best, switch)
    for switches in _RATIOS:
        if set(switches) <= set(switches_tried(best.convention)):
            for change in _in_ratio(best.convention, switches):
                other = changed(best.convention, **dict(change))
                if other is not None:
                    yield change, fits.fit(other)


def _in_ratio(here: Convention, switches: tuple[str, str]) -> Iterator[_Change]:
    """Change two switches so that they keep their ratio: the double of numbers, another word of words."""
    values = [getattr(here, switch) for switch in switches]
    if all(map(is_number, values)):
        yield tuple((switch, 2 * value) for switch, value in zip(switches, values, strict=True))
    elif values[0] == values[1]:
        for word in known_values(here, switches[0]):
            yield tuple((switch, word) for switch in switches)
