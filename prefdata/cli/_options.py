"""Options that several commands share, and how absent ones are left to the library's defaults."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

__all__ = ["conventions_option", "given", "overwrite_option", "rounding_option"]

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def given(**options: Any) -> dict[str, Any]:
    """Keep the options that were typed; the library's own defaults stand for the others.

    >>> given(seed=None, players="mix")
    {'players': 'mix'}
    """
    return {name: value for name, value in options.items() if value is not None and value != ()}


def conventions_option(*, several: bool, required: bool = True, played: bool = True) -> Decorator:
    """Make ``-c``, which takes a name or a TOML file; among several perhaps that of each pulka's row."""
    described = "Convention: a preset's name or a TOML file"
    if several:
        described += "; may be given several times"
        if played:
            described += '. "played" takes the one in each pulka\'s row'
    return click.option(
        "-c",
        "--convention",
        "conventions" if several else "convention",
        multiple=several,
        required=required,
        metavar="NAME|FILE",
        help=described + ".",
    )


def rounding_option() -> Decorator:
    """Make ``--rounding``."""
    from prefdata.conventions import ROUNDINGS

    return click.option(
        "--rounding", type=click.Choice(ROUNDINGS), help="Rounding rule, in place of the convention's own."
    )


def overwrite_option() -> Decorator:
    """Make ``--overwrite``."""
    return click.option(
        "--overwrite", is_flag=True, default=None, help="Replace what an earlier run has written there."
    )
