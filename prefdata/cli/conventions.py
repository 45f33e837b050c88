"""``prefdata conventions``."""

from __future__ import annotations

import click


@click.command("conventions", short_help="Show conventions and how they differ.")
@click.argument("name", metavar="[NAME|FILE]", required=False)
@click.option("--diff", "other", metavar="NAME|FILE", help="Show only the switches in which it differs from this one.")
def command(name: str | None, other: str | None) -> int:
    """List the conventions, or all switches of one: a preset's NAME or a TOML FILE.

    A house rule is a TOML file with the switches that differ from Sochi, such as: lone_whist = "gentleman".
    """
    from prefdata.cli._show import print_table
    from prefdata.conventions import Convention, convention, presets, switches

    if name is None:
        if other is not None:
            raise click.UsageError("--diff needs a convention to compare: prefdata conventions NAME --diff OTHER")
        default = Convention()
        rows = [(preset, convention(preset).title, ", ".join(convention(preset).diff(default))) for preset in presets()]
        print_table(["convention", "title", "switches that differ from Sochi"], rows)
        click.echo("prefdata conventions NAME shows all switches of one.")
        return 0
    chosen = convention(name)
    if other is None:
        meanings = [
            (switch, str(_plain(getattr(chosen, switch))), f"{kind.help}: {kind.expected}")
            for switch, kind in switches().items()
        ]
        print_table(["switch", "value", "meaning: values"], meanings, title=chosen.title or chosen.name)
        return 0
    compared = convention(other)
    differences = chosen.diff(compared)
    if not differences:
        click.echo(f"{chosen.name} and {compared.name} have the same switches")
        return 0
    contrasts = [
        (switch, str(_plain(own)), str(_plain(others)), switches()[switch].help)
        for switch, (own, others) in differences.items()
    ]
    print_table(["switch", chosen.name, compared.name, "meaning"], contrasts)
    return 0


def _plain(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return ", ".join(f"{level}: {tricks}" for level, tricks in value)
    return list(value) if isinstance(value, tuple) else value
