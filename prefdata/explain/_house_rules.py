"""Other conventions by which a sheet may have been written: the presets, and each switch set otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from prefdata.conventions import Convention, switches
from prefdata.conventions.neighbours import as_line, known_values, presets_of, switches_tried
from prefdata.errors import ConventionError

__all__ = ["one_switch", "other_presets"]

_SETTLEMENT = "7"
"""Section of the rules about settlements, of which a sheet shows nothing."""


def other_presets(convention: Convention) -> Iterator[tuple[str, Convention]]:
    """Go through the presets of the same game that write sheets otherwise."""
    for other in presets_of(convention.game):
        if _written_by(other) != _written_by(convention):
            yield other.name, other


def one_switch(convention: Convention) -> Iterator[tuple[str, Convention]]:
    """Go through what a change of one switch makes of a convention: its words, and what any preset has."""
    for switch in _written_by(convention):
        for value in known_values(convention, switch):
            plain = switches()[switch].plain(value)
            try:
                changed = convention.replace(**{switch: plain})
            except ConventionError:  # this switch cannot be changed alone
                continue
            yield as_line(switch, value), changed


def _written_by(convention: Convention) -> dict[str, Any]:
    """Give the switches that decide what is written in a sheet."""
    of_sheets = [name for name in switches_tried(convention) if not switches()[name].section.startswith(_SETTLEMENT)]
    return {name: getattr(convention, name) for name in of_sheets}
