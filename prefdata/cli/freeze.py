"""``prefdata freeze``."""

from __future__ import annotations

from pathlib import Path

import click

from prefdata.cli._main import SET_ASIDE
from prefdata.cli._options import conventions_option, given
from prefdata.cli._say import say


@click.command("freeze", short_help="Keep an archive's sheets as they were paid.")
@click.argument("archive", type=click.Path(path_type=Path))
@conventions_option(several=False, required=False)
def command(archive: Path, convention: str | None) -> int:
    """Write the sheets of ARCHIVE as they are today into its folder sheets/, for good.

    Every later rescore under the same convention tells how many have changed, and audit tells what made them so.  Each
    pulka is scored under the convention in its row unless -c names one.  Sheets that are there are never written over.

    Exits with 0 when done, with 1 if pulkas were set aside and so have no frozen sheet, with 2 on an error.
    """
    import warnings

    from prefdata.errors import SetAsideWarning
    from prefdata.reports import amount
    from prefdata.rescoring import freeze

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SetAsideWarning)
        frozen = freeze(archive, **given(convention=convention))
    assert frozen.sheets is not None
    say(f"{amount(frozen.sheets.collect().height, 'sheet')} frozen under {frozen.frozen} in {archive / 'sheets'}")
    for one in caught:
        say(str(one.message), err=True)
    return SET_ASIDE if caught else 0
