"""The command line: thin commands over the library, loaded when they are used."""

from __future__ import annotations

from prefdata.cli._main import main

__all__ = ["main"]
