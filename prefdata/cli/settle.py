"""``prefdata settle``."""

from __future__ import annotations

from pathlib import Path

import click

from prefdata.cli._main import SET_ASIDE
from prefdata.cli._options import conventions_option, given, overwrite_option, rounding_option
from prefdata.cli._say import say


@click.command("settle", short_help="Settle recorded sheets without deals.")
@click.argument("sheets", type=click.Path(path_type=Path))
@conventions_option(several=False)
@rounding_option()
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write the settlements to this .csv, .parquet or .xlsx file."
)
@overwrite_option()
def command(sheets: Path, convention: str, rounding: str | None, out: Path | None, overwrite: bool | None) -> int:
    """Settle SHEETS, a .csv, .parquet or .xlsx file with a row for each pulka.

    Its columns are pulka, players, bullet_limit, bullet_a ... (left out where everybody is closed), mountain_a ...,
    whists_ab ... (what a has written on b); player_a ... and stake are taken where they are.  Sheets of the Balkan game
    have contract_a ... and juha_ab ... instead.
    """
    from prefdata.cli._show import print_failures, print_table
    from prefdata.conventions import resolve
    from prefdata.errors import counted
    from prefdata.reports import Section
    from prefdata.settlement.settling import settle_checked, with_players
    from prefdata.settlement.sheet_files import read_sheets, write_table
    from prefdata.settlement.sheet_rules import check_sheets

    chosen = resolve(convention).with_rounding(rounding)
    good, failures = check_sheets(read_sheets(sheets), chosen)
    settled = settle_checked(with_players(good, None), chosen)
    if out is not None:
        write_table(settled, out, **given(overwrite=overwrite))
        say(f"{counted(settled.height, 'row')} written to {out}", err=True)
    else:
        columns = ["pulka", "seat", "player", "result", "rounded", "adjusted", "money", "rank"]
        print_table(Section(frame=settled.select(columns), decimals=None))
    if len(failures):
        say(failures.summary(), err=True)
        print_failures(failures, err=True)
        return SET_ASIDE
    return 0
