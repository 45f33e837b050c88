"""Tables and whole pages as HTML that needs nothing from outside."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

import polars as pl

from prefdata.errors import PrefdataError, TargetExistsError, reason_of

__all__ = ["page", "save_page", "table"]

_STYLE = """
body { font-family: system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #222; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
p { line-height: 1.5; }
.wide { overflow-x: auto; }
.wide svg { width: 100%; min-width: 34rem; max-width: 52rem; height: auto; }
footer { color: #555; font-size: .85rem; margin-top: 3rem; }
"""


def table(
    frame: pl.DataFrame,
    *,
    title: str,
    labels: Mapping[str, str] | None = None,
    shares: Sequence[str] = (),
    decimals: int = 1,
) -> str:
    """Make a table of a small frame.

    Parameters
    ----------
    frame
        What to show.
    title
        Says what is seen.
    labels
        Words for columns, in place of their names.
    shares
        Columns that are shares from 0 to 1, shown as percentages.
    decimals
        Decimals of other numbers that are not whole.
    """
    from great_tables import GT  # noqa: PLC0415 - it takes a while to load, and few need it

    shown = GT(frame).tab_header(title=title).sub_missing(missing_text="")
    fractions = [name for name, kind in frame.schema.items() if kind.is_float() and name not in shares]
    wholes = [name for name, kind in frame.schema.items() if kind.is_integer()]
    if fractions:
        shown = shown.fmt_number(columns=fractions, decimals=decimals)
    if wholes:
        shown = shown.fmt_integer(columns=wholes)
    if shares:
        shown = shown.fmt_percent(columns=list(shares), decimals=1)
    names = {name: name.replace("_", " ") for name in frame.columns}
    shown = shown.cols_label(cases={name: (labels or {}).get(name, words) for name, words in names.items()})
    return f'<div class="wide">{shown.as_raw_html()}</div>'


def page(title: str, blocks: Sequence[str]) -> str:
    """Put blocks of HTML together into one page that can be read on a phone."""
    body = "\n".join(blocks)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<h1>{escape(title)}</h1>\n{body}\n</body>\n</html>\n"
    )


def save_page(html: str, path: str | Path, *, overwrite: bool = False) -> None:
    """Write a page to a file, whole or not at all.

    Raises
    ------
    TargetExistsError
        If there is a file and it must not be overwritten.
    PrefdataError
        If it cannot be written.
    """
    file = Path(path)
    if file.exists() and not overwrite:
        raise TargetExistsError(f"{file} exists already", hint="Use --overwrite to replace it.")
    beside = file.with_name(f".{file.name}.new")
    try:
        beside.write_text(html, encoding="utf-8")
        os.replace(beside, file)
    except OSError as error:
        raise PrefdataError(f"{file} cannot be written: {reason_of(error)}", hint="Choose another place.") from None
    finally:
        beside.unlink(missing_ok=True)
