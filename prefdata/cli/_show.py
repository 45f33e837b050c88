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

__all__ = ["amount", "number", "print_failures", "print_table", "progress_bar"]


def number(value: Any) -> str:
    """Write a number with thin groups of three, as people read it.

    >>> number(1234567), number(-12.5), number(0.046), number(None)
    ('1 234 567', '-12.5', '0.046', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, float) and not value.is_integer():
        decimals = 2 if abs(value) >= 0.1 else 3
        return f"{value:,.{decimals}f}".rstrip("0").rstrip(".").replace(",", " ")
    return f"{value:,.0f}".replace(",", " ") if isinstance(value, int | float) else str(value)


def amount(value: int, thing: str) -> str:
    """Write a number of things.

    >>> amount(1, "pulka"), amount(2000, "pulka")
    ('1 pulka', '2 000 pulkas')
    """
    return f"{number(value)} {thing}{'' if value == 1 else 's'}"


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]], *, title: str = "", err: bool = False) -> None:
    """Print a table; numbers stand on the right, and only the last column is wrapped."""
    table = Table(
        title=title or None,
        box=box.SIMPLE_HEAD,
        title_justify="left",
        title_style="bold",
        show_edge=False,
        pad_edge=False,
    )
    for place, name in enumerate(columns):
        is_number = any(isinstance(row[place], int | float) for row in rows)
        is_last = place == len(columns) - 1
        table.add_column(name, justify="right" if is_number else "left", no_wrap=not is_last, overflow="fold")
    for row in rows:
        table.add_row(*(number(value) for value in row))
    stream = sys.stderr if err else sys.stdout
    width = None if stream.isatty() else 200
    Console(file=stream, width=width, highlight=False, markup=False, emoji=False).print(table)


def print_failures(failures: Failures, *, first: int = 5, err: bool = False) -> None:
    """Print how often each rule is broken, with the first places, a first value, and what must hold."""
    rows = []
    for rule, count in failures.counts().items():
        broken = failures.frame.filter(failures.frame["rule"] == rule)
        places = [
            f"{pulka}/{deal}" if deal is not None else f"{pulka}"
            for pulka, deal in broken.select("pulka", "deal").head(first).rows()
        ]
        shown = ", ".join(places) + (", ..." if len(broken) > first else "")
        example = f" ({broken['value'][0]})" if broken["value"][0] else ""
        rows.append((rule, count, shown, broken["reason"][0] + example))
    print_table(["rule", "rows", "pulka/deal", "what must hold (what stands in the first row)"], rows, err=err)


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
