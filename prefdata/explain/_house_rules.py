"""Other conventions by which a sheet may have been written: the presets, and each switch set otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from prefdata.conventions import Convention, preset, presets, switches
from prefdata.errors import ConventionError

__all__ = ["one_switch", "other_presets"]

_SETTLEMENT = "7"
"""Section of the rules about settlements, of which a sheet shows nothing."""

_OF_TABLES = ("game", "players")


def other_presets(convention: Convention) -> Iterator[tuple[str, Convention]]:
    """Go through the presets of the same game that write sheets otherwise."""
    for name in presets():
        other = preset(name)
        if other.game == convention.game and _written_by(other) != _written_by(convention):
            yield name, other


def one_switch(convention: Convention) -> Iterator[tuple[str, Convention]]:
    """Go through what a change of one switch makes of a convention: its words, and what any preset has."""
    known = [preset(name) for name in presets()]
    known = [one for one in known if one.game == convention.game]
    for switch in _written_by(convention):
        values = [*_choices(switch), *(getattr(one, switch) for one in known)]
        tried = [getattr(convention, switch)]
        for value in values:
            if value in tried:
                continue
            tried.append(value)
            try:
                changed = convention.replace(**{switch: switches()[switch].plain(value)})
            except ConventionError:  # this switch cannot be changed alone
                continue
            yield f"{switch} = {_told(switch, value)}", changed


def _written_by(convention: Convention) -> dict[str, Any]:
    """Give the switches that decide what is written in a sheet."""
    of_sheets = {
        name
        for name, switch in switches().items()
        if convention.game in switch.games and not switch.section.startswith(_SETTLEMENT) and name not in _OF_TABLES
    }
    return {name: getattr(convention, name) for name in switches() if name in of_sheets}


def _choices(switch: str) -> tuple[Any, ...]:
    if isinstance(getattr(Convention(), switch), bool):
        return (True, False)
    return switches()[switch].words


def _told(switch: str, value: Any) -> str:
    """Write a value as a TOML file has it."""
    plain = switches()[switch].plain(value)
    return str(plain).lower() if isinstance(plain, bool) else f'"{plain}"' if isinstance(plain, str) else str(plain)
