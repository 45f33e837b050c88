"""``prefdata import``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from prefdata.cli._main import SET_ASIDE
from prefdata.cli._options import given, overwrite_option
from prefdata.cli._say import say


@click.command("import", short_help="Read records of people or of other programs.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder for the archive; of sheets without deals a .csv, .parquet or .xlsx file, which settle takes.",
)
@click.option("--format", metavar="NAME", help="Format of the file; recognised unless given.")
@click.option(
    "--map",
    "columns",
    multiple=True,
    metavar="HEADING=COLUMN",
    help="What a heading of the file stands for; may be given several times.",
)
@click.option("--players", metavar="NAME,NAME,...", help="Players in seat order, where the file does not name them.")
@click.option(
    "--limit", "bullet_limit", type=click.IntRange(1, 65_535), help="Limit of a bullet, where the file has none."
)
@click.option("-c", "--convention", metavar="NAME", help="Convention, where the file has none.")
@click.option("--first-dealer", metavar="SEAT", help="Seat that dealt first, a to d, where the file does not tell it.")
@click.option("--repair", is_flag=True, default=None, help="Clear what is known to be left over, with a note.")
@click.option("--strict", is_flag=True, default=None, help="Put nothing right: set such rows aside.")
@overwrite_option()
@click.option(
    "--rejects", type=click.Path(path_type=Path), help="Write what was set aside to this .csv or .parquet file."
)
def command(
    file: Path,
    out: Path,
    columns: Sequence[str],
    players: str | None,
    overwrite: bool | None,
    rejects: Path | None,
    **options: Any,
) -> int:
    """Read FILE: a protocol of deals, a club's table of final columns, a file of another program.

    Deals become an archive in the folder --out; then: prefdata rescore OUT -c sochi --out results.  Sheets without
    deals become a table in the file --out; then: prefdata settle OUT -c sochi.

    What is not understood is set aside with its row, its column and the reason, and the rest is read.

    Exits with 0 when all rows were read, 1 if some were set aside, 2 on an error.
    """
    from prefdata.cli._show import print_table
    from prefdata.errors import counted
    from prefdata.files import refuse_existing
    from prefdata.readers import import_file

    if rejects is not None:
        refuse_existing(rejects)
    named = [name.strip() for name in players.split(",")] if players else None
    imported = import_file(file, **given(columns=_mapped(columns), players=named, **options))
    say("\n".join([imported.title, *imported.findings()]))
    for section in imported.sections():
        say("")
        print_table(section)
        say("\n".join(section.sentences))
    if imported.good:
        _write(imported, out, **given(overwrite=overwrite))
    else:
        say(f"nothing is written to {out}: no row is good", err=True)
    if rejects is not None:
        imported.failures.write(rejects)
        say(f"{counted(len(imported.failures), 'reason')} written to {rejects}", err=True)
    if imported.good == imported.rows and not len(imported.failures):
        return 0
    if rejects is None:
        say("--rejects FILE writes all that was set aside, with the reasons.", err=True)
    return SET_ASIDE


def _mapped(columns: Sequence[str]) -> dict[str, str] | None:
    """Read what stands for what."""
    wrong = [one for one in columns if not all(one.rpartition("=")[::2])]
    if wrong:
        raise click.UsageError(f"--map {wrong[0]} is no HEADING=COLUMN, such as --map 'Hill of Anna=mountain_a'")
    return {one.rpartition("=")[0]: one.rpartition("=")[2] for one in columns} or None


def _write(imported: Any, out: Path, **options: Any) -> None:
    """Write what was read: an archive, or a table of sheets."""
    from prefdata.archives import write_archive
    from prefdata.errors import TableError, counted
    from prefdata.reports import amount
    from prefdata.settlement.sheet_files import write_table

    if imported.archive is None:
        write_table(imported.sheets, out, **options)
        say(
            f"{counted(imported.sheets.height, 'sheet')} written to {out}; next: prefdata settle {out} -c NAME",
            err=True,
        )
        return
    if out.suffix in (".csv", ".parquet", ".xlsx"):
        raise TableError(
            f"{imported.file} holds deals, which make an archive", hint="Name a folder, such as my-archive."
        )
    written = write_archive(imported.archive, out, **options)
    pulkas = written.pulkas.collect().height
    deals = written.deals.select("pulka").collect().height
    say(
        f"{amount(pulkas, 'pulka')} with {amount(deals, 'deal')} written to {out}; "
        f"next: prefdata rescore {out} -c NAME --out FOLDER",
        err=True,
    )
