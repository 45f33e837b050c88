"""Conventions as data: switches, presets, house rules in TOML."""

from __future__ import annotations

from prefdata.conventions._convention import COUPLED, PLAYED, ROUNDINGS, Convention, Rounding, switches
from prefdata.conventions._files import (
    base_of,
    convention,
    is_played,
    one_or_several,
    preset,
    presets,
    resolve,
    resolve_russian,
    save_convention,
)
from prefdata.conventions._switches import Switch

__all__ = [
    "COUPLED",
    "PLAYED",
    "ROUNDINGS",
    "Convention",
    "Rounding",
    "Switch",
    "base_of",
    "convention",
    "is_played",
    "one_or_several",
    "preset",
    "presets",
    "resolve",
    "resolve_russian",
    "save_convention",
    "switches",
]
