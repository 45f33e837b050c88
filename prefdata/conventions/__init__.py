"""Conventions of the Russian game as data: switches, presets, house rules in TOML."""

from __future__ import annotations

from prefdata.conventions._convention import COUPLED, Convention, switches
from prefdata.conventions._files import PLAYED, convention, presets, save_convention
from prefdata.conventions._switches import Switch

__all__ = ["COUPLED", "PLAYED", "Convention", "Switch", "convention", "presets", "save_convention", "switches"]
