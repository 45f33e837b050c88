"""Colours of a drawn sheet."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["THEMES", "Theme"]


@dataclass(frozen=True)
class Theme:
    """Colours of a drawn sheet.

    Attributes
    ----------
    paper, board
        Ground of the drawing, and of the sheet itself.
    ink, pale, label
        The newest figures and names; earlier figures; the names of fields.
    line, border
        Thin lines between fields and thick ones between sectors.
    help, write_off, adjustment, rounding
        Figures that these made.
    gain, loss
        Results above and below zero.
    """

    paper: str
    board: str
    ink: str
    pale: str
    label: str
    line: str
    border: str
    help: str
    write_off: str
    adjustment: str
    rounding: str
    gain: str
    loss: str


THEMES: dict[str, Theme] = {
    "light": Theme(
        paper="#FFFFFF",
        board="#FFFDF6",
        ink="#1F2937",
        pale="#6B7280",
        label="#8A7F66",
        line="#D6CDB8",
        border="#5C5443",
        help="#00795B",
        write_off="#0062A3",
        adjustment="#A34A00",
        rounding="#9C2F7F",
        gain="#00795B",
        loss="#B3261E",
    ),
    "dark": Theme(
        paper="#16181D",
        board="#1F2229",
        ink="#F3F4F6",
        pale="#A3AAB6",
        label="#9C927C",
        line="#424854",
        border="#A59B84",
        help="#4CCFA4",
        write_off="#6CB8F5",
        adjustment="#F5A35C",
        rounding="#E58CCB",
        gain="#4CCFA4",
        loss="#FF8A80",
    ),
}
"""The themes by name."""
