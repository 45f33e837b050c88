"""prefdata scores the card game preferans as data.

An archive of deal records goes in; bullet, mountain and whist columns, sheets and settlements come out, under any
convention, exactly.  The usual way:

    import prefdata as pref

    club = pref.open_archive("data/club")
    sheets = pref.sheets(club, "sochi")
    results = pref.settle(sheets, "sochi", pulkas=club.pulkas)

Analyses are found in `pref.analysis`, charts in `pref.charts`, drawn sheets in `pref.drawing`.  Names are loaded when
they are first used, so that importing prefdata is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "Archive": "prefdata.archives",
    "Convention": "prefdata.conventions",
    "Failures": "prefdata.failures",
    "PrefdataError": "prefdata.errors",
    "SetAsideWarning": "prefdata.errors",
    "adjustment_effects": "prefdata.corrections",
    "append": "prefdata.archives",
    "archive": "prefdata.archives",
    "attribute": "prefdata.analysis",
    "audit": "prefdata.explain",
    "bullet": "prefdata.russian.entries",
    "check_sheets": "prefdata.settlement.sheet_rules",
    "compare": "prefdata.analysis",
    "concat": "prefdata.archives",
    "convention": "prefdata.conventions",
    "correct_over_writing": "prefdata.corrections",
    "decode": "prefdata.russian.codes",
    "encode": "prefdata.russian.codes",
    "entries": "prefdata.scoring.entries",
    "export": "prefdata.rescoring",
    "fourth_player_joins": "prefdata.corrections",
    "freeze": "prefdata.rescoring",
    "import_file": "prefdata.readers",
    "infer": "prefdata.analysis",
    "invariance": "prefdata.analysis",
    "ledger": "prefdata.scoring.ledger",
    "mountain": "prefdata.russian.entries",
    "notation": "prefdata.russian.notation",
    "open_archive": "prefdata.archives",
    "presets": "prefdata.conventions",
    "raspasy_step": "prefdata.russian.raspasy",
    "read_notation": "prefdata.russian.notation",
    "rescore": "prefdata.rescoring",
    "sample": "prefdata.simulate",
    "save_convention": "prefdata.conventions",
    "settle": "prefdata.settlement.settling",
    "settlement_steps": "prefdata.settlement.by_hand",
    "sheet": "prefdata.drawing",
    "sheets": "prefdata.scoring.sheets",
    "switches": "prefdata.conventions",
    "unapplied_adjustments": "prefdata.scoring.ledger",
    "values": "prefdata.scoring.values",
    "whists": "prefdata.russian.entries",
    "with_adjustments": "prefdata.corrections",
    "write_archive": "prefdata.archives",
}

_ROOMS = ("analysis", "charts", "drawing")

__all__ = [
    "Archive",
    "Convention",
    "Failures",
    "PrefdataError",
    "SetAsideWarning",
    "adjustment_effects",
    "append",
    "archive",
    "attribute",
    "audit",
    "bullet",
    "check_sheets",
    "compare",
    "concat",
    "convention",
    "correct_over_writing",
    "decode",
    "encode",
    "entries",
    "export",
    "fourth_player_joins",
    "freeze",
    "import_file",
    "infer",
    "invariance",
    "ledger",
    "mountain",
    "notation",
    "open_archive",
    "presets",
    "raspasy_step",
    "read_notation",
    "rescore",
    "sample",
    "save_convention",
    "settle",
    "settlement_steps",
    "sheet",
    "sheets",
    "switches",
    "unapplied_adjustments",
    "values",
    "whists",
    "with_adjustments",
    "write_archive",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        found = getattr(import_module(_HOMES[name]), name)
        globals()[name] = found
        return found
    if name in _ROOMS:
        return import_module(f"prefdata.{name}")
    raise AttributeError(f"module 'prefdata' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *_ROOMS, "__version__"]
