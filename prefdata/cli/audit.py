"""``prefdata audit``."""

from __future__ import annotations

from pathlib import Path

import click

from prefdata.cli._main import SET_ASIDE
from prefdata.cli._options import conventions_option, given, overwrite_option
from prefdata.cli._say import say


@click.command("audit", short_help="Hold recorded sheets against their deals.")
@click.argument("archive", type=click.Path(path_type=Path))
@conventions_option(several=False, required=False)
@click.option("--out", type=click.Path(path_type=Path), help="Write the report to this .html, .txt or .json file.")
@overwrite_option()
def command(archive: Path, convention: str | None, out: Path | None, overwrite: bool | None) -> int:
    """Recompute the recorded sheets of ARCHIVE, in its folder sheets/, from the deals of their pulkas.

    It tells which pulkas differ, in which column and by how much, and the likeliest single cause of each: all that fit
    equally well.  It corrects nothing: an error that was not raised in time stands (rule 4.2.9-10).  Each pulka is
    scored under the convention in its row unless -c names one.

    Exits with 0 when done, whether sheets differ or not; with 1 if pulkas or sheets were set aside, those without deals
    among them; with 2 on an error, such as an archive without recorded sheets.
    """
    import warnings

    from prefdata.cli._show import print_failures
    from prefdata.errors import SetAsideWarning
    from prefdata.explain import audit

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SetAsideWarning)  # it is told below
        found = audit(archive, **given(convention=convention))
    say(found.render())
    if out is not None:
        found.save(out, **given(overwrite=overwrite))
        say(f"written to {out}", err=True)
    if len(found.failures):
        print_failures(found.failures, err=True)
        return SET_ASIDE
    return 0
