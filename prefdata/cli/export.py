"""``prefdata export``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from prefdata.cli._main import SET_ASIDE
from prefdata.cli._options import conventions_option, given, overwrite_option, rounding_option
from prefdata.cli._say import say


@click.command("export", short_help="Write pulkas to a workbook, a table or a document.")
@click.argument("archive", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The file: .xlsx, .csv or .json.")
@click.option("--format", type=click.Choice(["xlsx", "csv", "json"]), help="Its format, if its name does not tell.")
@click.option("--pulka", "pulkas", type=int, multiple=True, metavar="N", help="Write this pulka; may be repeated.")
@conventions_option(several=False, required=False)
@rounding_option()
@click.option("--lang", "language", type=click.Choice(["en", "ru"]), help="Language of a workbook.  [default: en]")
@overwrite_option()
def command(archive: Path, out: Path, pulkas: tuple[int, ...], **options: Any) -> int:
    """Write pulkas of ARCHIVE to a file that people use elsewhere.

    A workbook has a sheet for each pulka, with its entries as numbers and its totals and settlement as formulas: change
    an entry, and see.  A .csv is a line a deal, which import reads back; a .json is one document with everything.

    Exits with 0 when done, 1 if pulkas were set aside, 2 on an error.
    """
    import warnings

    from prefdata.errors import SetAsideWarning
    from prefdata.rescoring import export

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SetAsideWarning)
        export(archive, out, pulkas=list(pulkas) or None, **given(**options))
    say(f"written to {out}", err=True)
    for one in caught:
        say(str(one.message), err=True)
    return SET_ASIDE if caught else 0
