"""Reading the pages that come with the project: their tables, their sections, what they put in code."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any, NamedTuple


class Table(NamedTuple):
    """A Markdown table, by its columns, and the heading above it."""

    heading: str
    columns: list[str]
    rows: list[list[str]]

    def column(self, name: str) -> list[str]:
        return [row[self.columns.index(name)] for row in self.rows]


def tables(page: str) -> Iterator[Table]:
    """Read the tables of a page."""
    heading = ""
    for title, lines in re.findall(r"^#+ (.*)$|((?:^\|.*\n)+)", page, flags=re.MULTILINE):
        heading = title or heading
        if lines:
            first, _, *rest = (cells(line) for line in lines.splitlines())
            assert all(len(row) == len(first) for row in rest), first
            yield Table(heading, first, rest)


def cells(line: str) -> list[str]:
    """Divide a row of a table; a bar after a backslash is text."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def table_of(page: str, column: str) -> Table:
    """Give the one table whose first column is named so."""
    (found,) = (table for table in tables(page) if table.columns[0] == column)
    return found


def codes(text: str) -> list[str]:
    """List the code spans of a text."""
    return re.findall(r"`([^`\n]+)`", text)


def blocks(page: str) -> list[str]:
    """List the commands in the indented blocks of a page; a line that ends in a backslash goes on in the next one."""
    text = page.replace("\\\n", " ")
    return [" ".join(line.split()) for line in re.findall(r"^    (\S.*)$", text, flags=re.MULTILINE)]


def value_of(code: str) -> Any:
    """Read a value of TOML."""
    return tomllib.loads(f"value = {code}")["value"]
