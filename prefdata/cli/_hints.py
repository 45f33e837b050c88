"""Hints of the library in the words of the command line.

The library speaks of its keywords and functions; here they become the flags and commands that do the same.
"""

from __future__ import annotations

import re

__all__ = ["in_flags"]

_COMMANDS = {
    "several make a list": "-c may be given several times",
    "pref.presets()": "prefdata conventions",
    "archive.check()": "prefdata check ARCHIVE",
    "pref.audit(archive)": "prefdata audit ARCHIVE",
    "Name one as its convention": "Name one with -c",
    "the seat as first_dealer": "the seat with --first-dealer",
    "Give it as bullet_limit": "Give it with --limit",
}


def in_flags(hint: str) -> str:
    """Put a hint into flags and commands.

    >>> in_flags("Pass overwrite=True to replace it."), in_flags("pref.presets() lists them.")
    ('Pass --overwrite to replace it.', 'prefdata conventions lists them.')
    """
    for function, command in _COMMANDS.items():
        hint = hint.replace(function, command)
    return re.sub(r"\b([a-z_]+)=True\b", lambda keyword: "--" + keyword[1].replace("_", "-"), hint)
