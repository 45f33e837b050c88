"""A drawn sheet: shown in a notebook, saved in whatever form is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from prefdata.doors import as_flag, as_path
from prefdata.drawing._numbers import SheetNumbers
from prefdata.errors import ChartError
from prefdata.files import new_file

__all__ = ["FORMS", "SheetDrawing", "form_of"]

_SCALE = 2.5
"""Pixels of a PNG for each point at which the drawing is shown."""

_PAGE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
body {{ margin: 0; background: {paper}; }}
svg {{ display: block; width: 100%; max-width: 52rem; height: auto; margin: 0 auto; }}
@media print {{ @page {{ size: A4; margin: 12mm; }} svg {{ max-height: 270mm; }} }}
</style>
</head>
<body>
{svg}
</body>
</html>
"""


@dataclass(frozen=True, repr=False)
class SheetDrawing:
    """A drawn sheet, which a notebook shows as it is.

    Attributes
    ----------
    svg
        The drawing as SVG.  A figure of the sheet is a text with ``data-entry``, its column, ``data-deal``, the deal
        that it was written after, and ``data-mark``, what it is marked as; a result has ``data-settlement`` and
        ``data-seat``.
    title
        What it shows.
    numbers
        The numbers that are drawn.
    language, paper
        Its language, and the colour of its ground.
    """

    svg: str
    title: str
    numbers: SheetNumbers
    language: str
    paper: str

    def to_html(self) -> str:
        """Give a page with the drawing, which needs no network."""
        return _PAGE.format(language=self.language, title=escape(self.title), paper=self.paper, svg=self.svg)

    def to_png(self) -> bytes:
        """Give the drawing as PNG, some 1,350 pixels wide."""
        import vl_convert  # noqa: PLC0415 - it takes a while to load, and few need it

        return vl_convert.svg_to_png(self.svg, scale=_SCALE)

    def to_pdf(self) -> bytes:
        """Give the drawing as PDF, to be printed on A4."""
        import vl_convert  # noqa: PLC0415 - it takes a while to load, and few need it

        return vl_convert.svg_to_pdf(self.svg)

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the drawing to a file.

        Parameters
        ----------
        path
            Where to; its ending tells the form: ``.svg``, ``.png`` (some 1,350 pixels wide), ``.pdf`` (for A4), or
            ``.html``, a page that needs no network.
        overwrite
            Whether a file that is there is replaced.

        Returns
        -------
        Path
            Where the drawing is.

        Raises
        ------
        TargetExistsError
            If there is a file and it must not be replaced.
        ChartError
            If the ending is another one, or the file cannot be written.
        """
        target, overwrite = as_path(path, "path"), as_flag(overwrite, "overwrite")
        form = form_of(target.suffix.lower(), target.name)
        with new_file(target, overwrite=overwrite, error=ChartError) as beside:
            beside.write_bytes(form(self))
        return target

    def _repr_svg_(self) -> str:
        """Show the drawing in a notebook."""
        return self.svg

    def __repr__(self) -> str:
        return f"<SheetDrawing {self.title}>"


FORMS: dict[str, Callable[[SheetDrawing], bytes]] = {
    ".svg": lambda drawing: drawing.svg.encode(),
    ".png": SheetDrawing.to_png,
    ".pdf": SheetDrawing.to_pdf,
    ".html": lambda drawing: drawing.to_html().encode(),
}
"""The forms in which a drawing is saved, by the ending of the file."""


def form_of(ending: str, name: str) -> Callable[[SheetDrawing], bytes]:
    """Find the form that an ending stands for.

    Raises
    ------
    ChartError
        If it stands for none.
    """
    if ending not in FORMS:
        raise ChartError(f"a sheet cannot be saved as {name}", hint=f"End the name in {', '.join(FORMS)}.")
    return FORMS[ending]
