"""``prefdata check``."""

from __future__ import annotations

from pathlib import Path

import click

from prefdata.cli._main import SET_ASIDE
from prefdata.cli._say import say


@click.command("check", short_help="Check an archive against the rules of the tables.")
@click.argument("archive", type=click.Path(path_type=Path))
@click.option("--rejects", type=click.Path(path_type=Path), help="Write the broken rows to this .csv or .parquet file.")
def command(archive: Path, rejects: Path | None) -> int:
    """Check every deal of ARCHIVE, a folder with pulkas/ and deals/.

    Exits with 0 if all rows keep the rules, with 1 if some do not: then it lists the broken rules, and where.
    """
    from prefdata.archives import open_archive
    from prefdata.cli._show import print_failures
    from prefdata.errors import counted
    from prefdata.reports import amount

    opened = open_archive(archive)
    good, failures = opened.check()
    pulkas = good.pulkas.collect().height
    for trusted, scored in (
        (False, "they are scored by their columns"),
        (
            True,
            "archive.json vouches for them, so that they are scored by the code: delete it to have the columns scored",
        ),
    ):
        if stale := opened.stale_codes(trusted=trusted):
            say(
                f"warning: {amount(stale, 'deal')} with an outcome code that the columns contradict; {scored}", err=True
            )
    if rejects is not None:
        failures.write(rejects)
        say(f"{counted(len(failures), 'row')} written to {rejects}", err=True)
    if not len(failures):
        deals = good.deals.select("pulka").collect().height
        say(f"{archive}: all rules are kept by {amount(pulkas, 'pulka')} with {amount(deals, 'deal')}")
        return 0
    print_failures(failures)
    say(f"{archive}: {failures.summary()}; good: {counted(pulkas, 'pulka')}")
    deals = good.deals.select("pulka").collect().height
    say(f"{amount(deals + failures.deals, 'deal')} read: {amount(deals, 'deal')} good, {failures.deals} set aside")
    if rejects is None:
        say("--rejects FILE writes all broken rows with their values.", err=True)
    return SET_ASIDE
