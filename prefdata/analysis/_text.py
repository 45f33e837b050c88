"""Tables as plain text, for the reports' `render`."""

from __future__ import annotations

from typing import Any

import polars as pl

__all__ = ["section", "text_table"]


def text_table(frame: pl.DataFrame, decimals: int = 1) -> str:
    """Write a small frame as text: words on the left, numbers on the right, ``-`` where nothing is known.

    >>> print(text_table(pl.DataFrame({"player": ["A", "B"], "mean": [1.25, None], "won": [True, False]})))
    player  mean  won
    A        1.2  yes
    B          -  no
    """
    cells = [[_cell(value, name, decimals) for value in frame[name]] for name in frame.columns]
    columns = []
    for name, texts in zip(frame.columns, cells, strict=True):
        width = max(map(len, [name, *texts]))
        right = frame[name].dtype.is_numeric()
        columns.append([text.rjust(width) if right else text.ljust(width) for text in [name, *texts]])
    return "\n".join("  ".join(row).rstrip() for row in zip(*columns, strict=True))


def section(title: str, frame: pl.DataFrame, decimals: int = 1) -> str:
    """Write a table under its title.

    >>> print(section("Wins", pl.DataFrame({"player": ["A"], "wins": [3]})))
    Wins
    player  wins
    A          3
    """
    return f"{title}\n{text_table(frame, decimals) if frame.height else 'nobody'}"


def _cell(value: Any, name: str, decimals: int) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{100 * value:.{decimals}f}%" if "share" in name else f"{value:.{decimals}f}"
    return str(value)
