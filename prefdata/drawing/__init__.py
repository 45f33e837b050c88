"""The sheet of a pulka as players draw it, as SVG, PNG, PDF or a page."""

from __future__ import annotations

from prefdata.drawing._drawing import SheetDrawing
from prefdata.drawing._sheets import draw_sheets, draw_states, save_sheets, sheet

__all__ = ["SheetDrawing", "draw_sheets", "draw_states", "save_sheets", "sheet"]
