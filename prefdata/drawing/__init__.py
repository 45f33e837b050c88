"""The sheet of a pulka as players draw it, as SVG, PNG, PDF or a page."""

from __future__ import annotations

from prefdata.drawing._drawing import SheetDrawing
from prefdata.drawing._sheets import draw_sheets, save_sheets, sheet

__all__ = ["SheetDrawing", "draw_sheets", "save_sheets", "sheet"]
