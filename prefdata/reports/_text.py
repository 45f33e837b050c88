"""Tables and reports as plain text."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from prefdata.errors import printable
from prefdata.reports._section import Section

__all__ = ["text_report", "text_table"]

_GAP = "  "
_NARROWEST = 20
"""Characters that the last column keeps on the narrowest terminal."""


def text_table(section: Section, *, width: int | None = None) -> str:
    """Write the table of a section as text: words on the left, numbers on the right.

    Parameters
    ----------
    section
        The section, which has a table; its title and sentences are left out.
    width
        Characters of a line, into which the last column is wrapped; never wrapped unless given.

    Examples
    --------
    >>> import polars as pl
    >>> wins = Section(frame=pl.DataFrame({"wins": [1200, None], "player": ["A", "B, who came later"]}))
    >>> print(text_table(wins))
     wins  player
    -----  -----------------
    1 200  A
        -  B, who came later
    """
    table = section.table
    columns = [[_in_a_cell(text) for text in (section.label(name), *section.cells(name))] for name in table.columns]
    is_number = [kind.is_numeric() for kind in table.dtypes]
    widths = [max(map(len, texts)) for texts in columns]
    if width is not None:
        room = width - sum(widths[:-1]) - len(_GAP) * (len(widths) - 1)
        widths[-1] = min(widths[-1], max(room, _NARROWEST))
    header, *rows = (_lines(row, widths, is_number) for row in zip(*columns, strict=True))
    rule = _GAP.join("-" * characters for characters in widths)
    return "\n".join([*header, rule, *(line for row in rows for line in row)])


def _in_a_cell(text: str) -> str:
    """Write a text so that it stays in its cell and commands no terminal."""
    return printable(text).replace("\n", r"\n")


def _lines(texts: Sequence[str], widths: Sequence[int], is_number: Sequence[bool]) -> list[str]:
    """Write a row; its last text may take several lines."""
    *others, last = (
        text.rjust(width) if right else text.ljust(width)
        for text, width, right in zip(texts, widths, is_number, strict=True)
    )
    begun = "".join(text + _GAP for text in others)
    wrapped = textwrap.wrap(last, widths[-1], break_on_hyphens=False) if len(last) > widths[-1] else [last]
    return [f"{begun}{wrapped[0]}".rstrip(), *(" " * len(begun) + rest for rest in wrapped[1:])]


def text_report(title: str, findings: Sequence[str], sections: Sequence[Section]) -> str:
    """Write a report as text: what it says first, then every section that has a table or sentences."""
    blocks = ["\n".join([title, *findings])]
    for section in sections:
        said = [*([text_table(section)] if section.table.height else []), *section.sentences]
        if said:
            blocks.append("\n".join([*([section.title] if section.title else []), *said]))
    return printable("\n\n".join(blocks))
