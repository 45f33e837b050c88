"""``prefdata compare``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from prefdata.cli._main import SET_ASIDE
from prefdata.cli._options import conventions_option, given, overwrite_option
from prefdata.cli._say import say

if TYPE_CHECKING:
    from prefdata.analysis import Attribution


@click.command("compare", short_help="Compare conventions on the same deals, as a page.")
@click.argument("archive", type=click.Path(path_type=Path))
@conventions_option(several=True, played=False)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write a page with tables and pictures to this .html file."
)
@overwrite_option()
def command(archive: Path, conventions: tuple[str, ...], out: Path | None, overwrite: bool | None) -> int:
    """Score ARCHIVE under at least two conventions; the first is the one that the others are compared with.

    It prints what changes: results, winners, ends.  With --out it also writes a page that needs no network: tables,
    pictures, and which switch accounts for how much.
    """
    import warnings

    from prefdata.analysis import compare
    from prefdata.archives import open_archive
    from prefdata.errors import ConventionError, PrefdataError, SetAsideWarning, TargetExistsError

    if len(conventions) < 2:
        raise ConventionError(
            f"{conventions[0]} has nothing to be compared with",
            hint="Give at least two conventions, each with a -c of its own.",
        )
    opened = open_archive(archive)
    attributions: tuple[Attribution, ...] = ()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SetAsideWarning)  # it is told below
        if out is None:
            comparison = compare(opened, conventions)
        else:
            if out.suffix != ".html":
                raise PrefdataError(f"{out} does not end in .html", hint="A page's name ends in .html.")
            if out.exists() and not overwrite:
                raise TargetExistsError(f"{out} exists already", hint="Use --overwrite to replace it.")
            from prefdata.charts import build_report

            report = build_report(opened, conventions)
            report.save(out, **given(overwrite=overwrite))
            comparison, attributions = report.comparison, report.attributions
    say(comparison.render())
    if out is not None:
        say(f"written to {out}", err=True)
    left_out = {"": comparison.failures} | {f"{one.title}: ": one.failures for one in attributions}
    for where, failures in left_out.items():
        if len(failures):
            say(f"{where}{failures.summary()}", err=True)
    return SET_ASIDE if any(map(len, left_out.values())) else 0
