"""Tables on stdout and progress on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from prefdata.failures import Failures

__all__ = ["number", "print_failures", "print_table", "progress_bar"]


def number(value: Any) -> str:
    """Write a number with thin groups of three, as people read it.

    >>> number(1234567), number(-12.5), number(None)
    ('1 234 567', '-12.5', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, float) and not value.is_integer():
        return f"{value:,.2f}".rstrip("0").rstrip(".").replace(",", " ")
    return f"{value:,.0f}".replace(",", " ") if isinstance(value, int | float) else str(value)


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]], *, title: str = "") -> None:
    """Print a table; numbers stand on the right."""
    table = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for place, name in enumerate(columns):
        is_number = any(isinstance(row[place], int | float) for row in rows)
        table.add_column(name, justify="right" if is_number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(number(value) for value in row))
    width = None if sys.stdout.isatty() else 200
    Console(file=sys.stdout, width=width, highlight=False, markup=False, emoji=False).print(table)


def print_failures(failures: Failures, *, first: int = 5) -> None:
    """Print how often each rule is broken, with its reason and the first places."""
    rows = []
    for rule, count in failures.counts().items():
        broken = failures.frame.filter(failures.frame["rule"] == rule)
        places = [
            f"{pulka}/{deal}" if deal is not None else f"{pulka}"
            for pulka, deal in broken.select("pulka", "deal").rows()
        ]
        shown = ", ".join(places[:first]) + (", ..." if len(places) > first else "")
        example = broken["value"][0] or ""
        rows.append((rule, count, broken["reason"][0], shown, example))
    print_table(["rule", "rows", "what must hold", "pulka/deal", "first value"], rows)


@contextmanager
def progress_bar(what: str, *, quiet: bool) -> Iterator[Any]:
    """Show progress on a terminal; gives a function that is told (done, all, deals)."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[deals]} deals"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bars:
        task = bars.add_task(what, total=None, deals="0")

        def tell(done: int, total: int, deals: int) -> None:
            bars.update(task, completed=done, total=total, deals=number(deals))

        yield tell
