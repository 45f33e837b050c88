"""All words that people read, as data: a TOML file for each language.

Names that people gave, of conventions and players, are written as they are.
"""

from __future__ import annotations

from prefdata.language._words import LANGUAGES, Words

__all__ = ["LANGUAGES", "Words"]
