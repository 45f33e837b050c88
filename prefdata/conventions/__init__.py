"""Conventions as data: switches, presets, house rules in TOML."""

from __future__ import annotations

from prefdata.conventions._convention import COUPLED, PLAYED, Convention, switches
from prefdata.conventions._files import convention, presets, russian_convention, save_convention
from prefdata.conventions._switches import Switch

__all__ = [
    "COUPLED",
    "PLAYED",
    "Convention",
    "Switch",
    "convention",
    "presets",
    "russian_convention",
    "save_convention",
    "switches",
]
