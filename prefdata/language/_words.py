"""The words of one language: looked up, filled in, and numbers written beside them."""

from __future__ import annotations

import copy
import tomllib
from functools import cache
from importlib import resources
from typing import Any

from prefdata.errors import LanguageError

__all__ = ["LANGUAGES", "Words"]

_FOLDER = resources.files("prefdata.language")
_ENDING = ".toml"
_OF_THE_CODE = "en"
"""The language in which switches and their values are spelt, and so are words of it themselves."""


def _languages() -> tuple[str, ...]:
    """List the languages that have a file, English first."""
    files = (file.name for file in _FOLDER.iterdir())
    found = (name.removesuffix(_ENDING) for name in files if name.endswith(_ENDING))
    return tuple(sorted(found, key=lambda language: (language != _OF_THE_CODE, language)))


LANGUAGES: tuple[str, ...] = _languages()
"""The languages in which prefdata speaks, English first."""


@cache
def _tables(language: str) -> dict[str, dict[str, Any]]:
    """Read the tables of a language: `words`, `texts`, `switches`, `values`, `numbers` and `vega`."""
    return tomllib.loads((_FOLDER / f"{language}{_ENDING}").read_text(encoding="utf-8"))


class Words:
    """The words of one language.

    Parameters
    ----------
    language
        One of `LANGUAGES`: ``en`` or ``ru``.

    Raises
    ------
    LanguageError
        If there is no such language.

    Examples
    --------
    >>> Words("en")("rank_under", name="house"), Words("ru")("declarer")
    ('Rank under house', 'разыгрывающий')
    """

    def __init__(self, language: str) -> None:
        if not isinstance(language, str) or language not in LANGUAGES:
            shown = (
                repr(language)
                if isinstance(language, str)
                else f"a language that is no text ({type(language).__name__})"
            )
            raise LanguageError(f"there are no words in {shown}", hint=f"Languages are {', '.join(LANGUAGES)}.")
        self.language = language
        self._tables = _tables(language)

    def __call__(self, key: str, **filled: Any) -> str:
        """Say a word, a label or a title.

        Parameters
        ----------
        key
            Its key in the tables `words` and `texts`.
        filled
            What stands for its braces.

        Raises
        ------
        LookupError
            If the language has no such word.

        Examples
        --------
        >>> Words("ru")("of_players", players=3)
        'Игроков: 3'
        """
        text = self._look_up(key, "words", "texts")
        return text.format(**filled) if filled else text

    def switch(self, name: str) -> str:
        """Name a switch of a convention.

        Parameters
        ----------
        name
            The switch, one of `prefdata.switches`.

        Raises
        ------
        LookupError
            If the language has no name for it.

        Examples
        --------
        >>> Words("en").switch("lone_whist"), Words("ru").switch("lone_whist")
        ('lone whist', 'одиночный вист')
        """
        return name.replace("_", " ") if self.language == _OF_THE_CODE else self._look_up(name, "switches")

    def value(self, value: Any) -> str:
        """Write the value of a switch.

        Parameters
        ----------
        value
            The value; numbers, and texts that are no word of a switch, stand for themselves.

        Examples
        --------
        >>> ru = Words("ru")
        >>> ru.value("greedy"), ru.value(False), ru.value(10), ru.value(((6, 2), (7, 1)))
        ('жлобский', 'нет', '10', '6: 2, 7: 1')
        """
        if isinstance(value, tuple):
            pairs = [f"{one[0]}: {one[1]}" if isinstance(one, tuple) else str(one) for one in value]
            return ", ".join(pairs) or self._look_up("none", "values")
        key = str(value).lower() if isinstance(value, bool) else str(value)
        return str(self._tables["values"].get(key, key))

    def number(self, value: float, decimals: int = 0, *, sign: bool = False) -> str:
        """Write a number as the language does, with a true minus.

        Parameters
        ----------
        value
            The number.
        decimals
            How many decimals are written.
        sign
            Whether a number above zero has its sign too.

        Examples
        --------
        >>> Words("en").number(-1234.5, 1), Words("ru").number(0.5, 1, sign=True)
        ('−1,234.5', '+0,5')
        """
        numbers = self._tables["numbers"]
        rounded = round(value, decimals)
        signs = str.maketrans({",": numbers["thousands"], ".": numbers["decimal"]})
        written = f"{abs(rounded):,.{decimals}f}".translate(signs)
        return f"{'−' if rounded < 0 else '+' if sign and rounded > 0 else ''}{written}"

    def percent(self, share: float, decimals: int = 0) -> str:
        """Write a share as a percentage.

        Parameters
        ----------
        share
            The share, 1 being the whole.
        decimals
            How many decimals are written.

        Examples
        --------
        >>> Words("en").percent(0.126)
        '13%'
        """
        return f"{self.number(100 * share, decimals)}{self._tables['numbers']['percent']}"

    def vega_locale(self) -> dict[str, Any]:
        """Tell Vega how numbers and dates are written; nothing in English, its own language.

        Examples
        --------
        >>> Words("en").vega_locale(), Words("ru").vega_locale()["number"]["decimal"]
        ({}, ',')
        """
        locale = copy.deepcopy(self._tables.get("vega", {}))
        if locale:
            locale["number"].update(self._tables["numbers"])
        return locale

    def _look_up(self, key: str, *tables: str) -> str:
        for table in tables:
            if key in self._tables[table]:
                return str(self._tables[table][key])
        raise LookupError(f"the language {self.language!r} has no {key!r} among its {' and '.join(tables)}")
