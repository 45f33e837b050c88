"""The one way in which a command says something."""

from __future__ import annotations

import click

from prefdata.errors import printable

__all__ = ["say"]


def say(text: str, *, err: bool = False) -> None:
    """Print a text on stdout, or on stderr; names in it cannot command the terminal."""
    click.echo(printable(text), err=err)
