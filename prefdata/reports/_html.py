"""Reports as HTML that needs nothing from outside."""

from __future__ import annotations

import io
from collections.abc import Sequence
from html import escape
from typing import Any

import polars as pl

from prefdata.reports._section import Section

__all__ = ["fragment", "page"]

# A notebook in dark mode colours every other row; the tables take the colours of the text around them.
_TABLE_STYLE = """
.prefdata-report .wide { overflow-x: auto; }
.prefdata-report .gt_table, .prefdata-report .gt_table * {
  color: inherit !important; background-color: transparent !important;
}
"""

_PAGE_STYLE = """
body { font-family: system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #222; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
p { line-height: 1.5; }
.wide svg { width: 100%; min-width: 34rem; max-width: 52rem; height: auto; }
footer { color: #555; font-size: .85rem; margin-top: 3rem; }
"""


def page(title: str, findings: Sequence[str], sections: Sequence[Section]) -> str:
    """Write a report as one page that can be read on a phone."""
    told = [*_paragraphs(findings), *_blocks(sections, heading="h2", with_pictures=True)]
    body = "\n".join(told)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}</title>\n<style>{_PAGE_STYLE}{_TABLE_STYLE}</style>\n</head>\n"
        f'<body class="prefdata-report">\n<h1>{escape(title)}</h1>\n{body}\n'
        "<footer>Made by prefdata.</footer>\n</body>\n</html>\n"
    )


def fragment(title: str, findings: Sequence[str], sections: Sequence[Section]) -> str:
    """Write a report as a part of a page: what it says and its tables, in the colours of what is around."""
    told = [*_paragraphs(findings), *_blocks(sections, heading="h4", with_pictures=False)]
    body = "\n".join(told)
    return f'<div class="prefdata-report">\n<style>{_TABLE_STYLE}</style>\n<h3>{escape(title)}</h3>\n{body}\n</div>\n'


def _paragraphs(sentences: Sequence[str]) -> list[str]:
    return [f"<p>{escape(sentence)}</p>" for sentence in sentences]


def _blocks(sections: Sequence[Section], *, heading: str, with_pictures: bool) -> list[str]:
    """Write the sections that have anything to show."""
    blocks = []
    for place, section in enumerate(sections):
        shown = [_table(section, place)] if section.table.height else []
        shown += _paragraphs(section.sentences)
        if with_pictures and section.picture is not None:
            shown.append(f'<div class="wide">{_svg(section.picture)}</div>')
        if shown and section.title:
            blocks.append(f"<{heading}>{escape(section.title)}</{heading}>")
        blocks += shown
    return blocks


def _table(section: Section, place: int) -> str:
    from great_tables import GT  # noqa: PLC0415 - it takes a while to load, and few need it

    names = section.table.columns
    numbers = [name for name, kind in section.table.schema.items() if kind.is_numeric()]
    # the groups of a number must not be torn apart
    written = {
        name: [cell.replace(" ", "\N{NO-BREAK SPACE}") for cell in section.cells(name)]
        if name in numbers
        else section.cells(name)
        for name in names
    }
    shown = GT(pl.DataFrame(written), id=f"prefdata-table-{place}")
    shown = shown.cols_label(cases={name: section.label(name) for name in names})
    shown = shown.cols_align("right", columns=numbers)
    return f'<div class="wide">{shown.as_raw_html()}</div>'


def _svg(picture: Any) -> str:
    drawn = io.StringIO()
    picture.save(drawn, format="svg")
    return drawn.getvalue()
