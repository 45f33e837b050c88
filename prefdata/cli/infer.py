"""``prefdata infer``."""

from __future__ import annotations

from pathlib import Path

import click

from prefdata.cli._main import SET_ASIDE
from prefdata.cli._say import say


@click.command("infer", short_help="Find the convention that recorded sheets were written under.")
@click.argument("archive", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Write the convention to this new .toml file.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def command(archive: Path, out: Path | None, quiet: bool) -> int:
    """Find the convention under which the recorded sheets of ARCHIVE, in its folder sheets/, follow from its deals.

    It tells how many sheets the best convention writes, which switches the sheets leave open, and which sheets differ
    even so; audit tells what may have happened to those.  One convention is looked for, over all pulkas.

    Exits with 0 when done, 1 if pulkas or sheets were set aside, 2 on an error, such as an archive without sheets.
    """
    import warnings

    from prefdata.analysis import infer
    from prefdata.cli._show import print_failures, progress_bar
    from prefdata.errors import SetAsideWarning
    from prefdata.files import refuse_existing

    if out is not None:
        refuse_existing(out)
    with warnings.catch_warnings(), progress_bar("conventions", quiet=quiet) as bar:
        warnings.simplefilter("ignore", SetAsideWarning)  # it is told below
        found = infer(archive, progress=bar)
    say(found.render())
    if out is not None:
        found.save_convention(out)
        say(f"{found.convention.name} written to {out}", err=True)
    if len(found.failures):
        print_failures(found.failures, err=True)
        return SET_ASIDE
    return 0
