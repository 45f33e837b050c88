"""The base of all results that can be shown."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import date
from math import isfinite
from pathlib import Path
from typing import Any

from prefdata.doors import as_flag, as_path
from prefdata.errors import PrefdataError
from prefdata.files import new_file
from prefdata.reports._html import fragment, page
from prefdata.reports._section import Section
from prefdata.reports._text import text_report

__all__ = ["Report"]


class Report(ABC):
    """A result that says what it found and shows its tables, in whatever form is asked for.

    A subclass names its `title`, its `findings` and its `sections`.

    Examples
    --------
    >>> import polars as pl
    >>> class Wins(Report):
    ...     title = "Wins of the club"
    ...
    ...     def findings(self):
    ...         return ("A has won most.",)
    ...
    ...     def sections(self):
    ...         return (Section("Pulkas won", pl.DataFrame({"player": ["A", "B"], "wins": [3, 1]})),)
    >>> print(Wins().render())
    Wins of the club
    A has won most.
    <BLANKLINE>
    Pulkas won
    player  wins
    ------  ----
    A          3
    B          1
    >>> Wins().to_dict()["sections"][0]["rows"][0]
    {'player': 'A', 'wins': 3}
    """

    @property
    @abstractmethod
    def title(self) -> str:
        """What the report is about."""

    @abstractmethod
    def findings(self) -> tuple[str, ...]:
        """Say in sentences what was found."""

    @abstractmethod
    def sections(self) -> tuple[Section, ...]:
        """Give the tables, sentences and pictures, in their order."""

    def render(self) -> str:
        """Write the report as plain text, without its pictures."""
        return text_report(self.title, self.findings(), self.sections())

    def to_dict(self) -> dict[str, Any]:
        """Give the report as plain data, without its pictures.

        Returns
        -------
        dict[str, Any]
            `title`, `findings`, and `sections`, each with its `title`, `sentences`, names of `columns` and `rows`:
            texts, numbers, truth values and None, so that it can be written as JSON.
        """
        return {
            "title": self.title,
            "findings": list(self.findings()),
            "sections": [
                {
                    "title": section.title,
                    "sentences": list(section.sentences),
                    "columns": section.table.columns,
                    "rows": [
                        {name: _plain(value) for name, value in row.items()}
                        for row in section.table.iter_rows(named=True)
                    ],
                }
                for section in self.sections()
            ],
        }

    def to_html(self) -> str:
        """Write the report as one page, which needs no network and can be read on a phone."""
        return page(self.title, self.findings(), self.sections())

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the report to a file.

        Parameters
        ----------
        path
            Where to; its ending tells the form: ``.html`` a page, ``.txt`` plain text, ``.json`` plain data.
        overwrite
            Whether a file that is there is replaced.

        Returns
        -------
        Path
            Where the report is.

        Raises
        ------
        TargetExistsError
            If there is a file and it must not be replaced.
        PrefdataError
            If the ending is another one, or the file cannot be written.
        """
        target, overwrite = as_path(path, "path"), as_flag(overwrite, "overwrite")
        forms: dict[str, Callable[[], str]] = {
            ".html": self.to_html,
            ".txt": lambda: self.render() + "\n",
            ".json": lambda: json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n",
        }
        form = forms.get(target.suffix.lower())
        if form is None:
            raise PrefdataError(
                f"a report cannot be saved as {target.name}", hint=f"End the name in {', '.join(forms)}."
            )
        with new_file(target, overwrite=overwrite, error=PrefdataError) as beside:
            beside.write_text(form(), encoding="utf-8")
        return target

    def _repr_html_(self) -> str:
        """Show findings and tables in a notebook."""
        return fragment(self.title, self.findings(), self.sections())


def _plain(value: Any) -> Any:
    """Make what JSON can hold of a value in a table."""
    if isinstance(value, float) and not isfinite(value):
        return None
    return value.isoformat() if isinstance(value, date) else value
