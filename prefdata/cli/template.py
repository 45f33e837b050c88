"""``prefdata template``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from prefdata.cli._options import given, overwrite_option
from prefdata.cli._say import say


@click.command("template", short_help="Write a form to type a pulka into.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--players", type=click.IntRange(2, 4), help="Players at the table.  [default: 3]")
@click.option("--game", metavar="NAME", help="The game, russian or balkan.  [default: russian]")
@click.option("--lang", "language", type=click.Choice(["en", "ru"]), help="Language of the form.  [default: en]")
@overwrite_option()
def command(file: Path, **options: Any) -> int:
    """Write FILE, an .xlsx workbook with a sheet for the table, one for the deals and one of help.

    Fill it in with LibreOffice or Excel; then: prefdata import FILE --out my-archive.
    """
    from prefdata.writers import write_form

    write_form(file, **given(**options))
    say(f"{file} is written; fill it in, then: prefdata import {file} --out FOLDER", err=True)
    return 0
