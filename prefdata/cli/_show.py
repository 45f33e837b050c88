"""Tables on stdout and progress on stderr."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import polars as pl
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from prefdata.cli._say import say
from prefdata.failures import Failures
from prefdata.reports import Section, number, text_table

__all__ = ["print_failures", "print_table", "progress_bar"]


def print_table(section: Section, *, err: bool = False) -> None:
    """Print a table under its title; on a terminal the last column is wrapped."""
    stream = sys.stderr if err else sys.stdout
    is_terminal = stream is not None and stream.isatty()  # a closed stream is None
    width = shutil.get_terminal_size().columns if is_terminal else None
    if section.title:
        say(section.title, err=err)
    say(text_table(section, width=width), err=err)


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
    columns = ["rule", "rows", "pulka/deal", "what must hold (what stands in the first row)"]
    print_table(Section(frame=pl.DataFrame(rows, schema=columns, orient="row")), err=err)


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
