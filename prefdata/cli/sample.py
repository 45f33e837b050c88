"""``prefdata sample``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from prefdata.cli._options import conventions_option, given
from prefdata.cli._say import say


@click.command("sample", short_help="Make a simulated archive of deals.")
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--pulkas", type=click.IntRange(1), default=2000, show_default=True, help="How many pulkas.")
@click.option(
    "--players",
    type=click.Choice(["2", "3", "4", "mix"]),
    help="Players at a table.  [default: 3, or as many as the convention is for]",
)
@conventions_option(several=False, required=False)
@click.option(
    "--limit",
    "bullet_limit",
    type=click.IntRange(1, 65_535),
    help="Points of a bullet.  [default: 20, times the scale of the convention's prices; in the Balkan game 30]",
)
@click.option("--seed", type=int, help="The same seed makes the same deals.  [default: 1]")
def command(out: Path, pulkas: int, players: str | None, **options: Any) -> int:
    """Write a simulated archive to OUT, a new folder, and show how often things happen in it.

    Every pulka is played until it ends under the convention; one that has not ended after 400 deals is left open.
    """
    import polars as pl

    from prefdata.archives import write_archive
    from prefdata.cli._show import print_table
    from prefdata.reports import Section, amount
    from prefdata.simulate import HABITS, frequencies, sample

    table_size = int(players) if players in ("2", "3", "4") else players
    archive = write_archive(sample(pulkas, **given(players=table_size, **options)), out)
    tables = pl.concat_str(pl.col("players").cast(pl.String), pl.lit(" players")).fill_null("all")
    measured = frequencies(archive).with_columns(tables=tables)
    table = measured.pivot("tables", index="measure", values="value", maintain_order=True)
    print_table(Section(frame=table, decimals=None))
    lengths = archive.deals.group_by("pulka").len().collect()["len"].to_list()
    say(f"{amount(pulkas, 'pulka')} with {amount(sum(lengths), 'deal')} written to {out}")
    left_open = lengths.count(HABITS.longest_pulka)
    if left_open:
        say(f"left open after {amount(HABITS.longest_pulka, 'deal')}: {amount(left_open, 'pulka')}", err=True)
    return 0
