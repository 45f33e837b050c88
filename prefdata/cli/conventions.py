"""``prefdata conventions``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from prefdata.cli._say import say

if TYPE_CHECKING:
    from prefdata.conventions import Convention


@click.command("conventions", short_help="Show conventions and how they differ.")
@click.argument("name", metavar="[NAME|FILE]", required=False)
@click.option("--diff", "other", metavar="NAME|FILE", help="Show only the switches in which it differs from this one.")
def command(name: str | None, other: str | None) -> int:
    """List the conventions, or all switches of one: a preset's NAME or a TOML FILE.

    A house rule is a TOML file with the switches that differ from Sochi, such as lone_whist = "gentleman", or from
    another convention, which it names: base = "rostov".
    """
    from prefdata.conventions import resolve

    if name is None:
        if other is not None:
            raise click.UsageError("--diff needs a convention to compare: prefdata conventions NAME --diff OTHER")
        _print_presets()
    elif other is None:
        _print_switches(resolve(name))
    else:
        _print_differences(resolve(name), resolve(other))
    return 0


def _print_presets() -> None:
    import polars as pl

    from prefdata.cli._show import print_table
    from prefdata.conventions import Convention, base_of, presets, resolve
    from prefdata.reports import Section

    rows = []
    for preset in presets():
        chosen, base = resolve(preset), base_of(preset)
        changed = chosen.diff(resolve(base) if base else Convention())
        rows.append((preset, base or "-", ": ".join([chosen.title, *([", ".join(changed)] if changed else [])])))
    columns = ["convention", "base", "title: differs from its base (or Sochi) in"]
    print_table(Section(frame=pl.DataFrame(rows, schema=columns, orient="row")))
    say("prefdata conventions NAME shows all switches of one; --diff OTHER compares two.")


def _print_switches(chosen: Convention) -> None:
    import polars as pl

    from prefdata.cli._show import print_table
    from prefdata.conventions import switches
    from prefdata.reports import Section

    values = chosen.to_dict()
    rows = [
        (switch, _told(values[switch]), f"{switches()[switch].help}: {switches()[switch].expected}")
        for switch in chosen.own_switches()
    ]
    frame = pl.DataFrame(rows, schema=["switch", "value", "meaning: values"], orient="row")
    print_table(Section(chosen.title or chosen.name, frame))


def _print_differences(chosen: Convention, compared: Convention) -> None:
    import polars as pl

    from prefdata.cli._show import print_table
    from prefdata.conventions import switches
    from prefdata.reports import Section

    shared = [switch for switch in chosen.own_switches() if switch in compared.own_switches()]
    differing = [switch for switch in shared if switch in chosen.diff(compared)]
    if not differing:
        say(f"{chosen.name} and {compared.name} have the same switches")
        return
    if chosen.game != compared.game:
        say(f"{chosen.name} and {compared.name} are of different games, which share only {', '.join(shared)}:")
    own, others = chosen.to_dict(), compared.to_dict()
    rows = [(switch, _told(own[switch]), _told(others[switch]), switches()[switch].help) for switch in differing]
    frame = pl.DataFrame(rows, schema=["switch", "own", "other", "meaning"], orient="row")
    print_table(Section(frame=frame, labels={"own": chosen.name, "other": compared.name}))


def _told(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {item}" for key, item in value.items()) or "-"
    return str(value)
