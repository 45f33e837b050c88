"""Charts in files and notebooks, without a network."""

from __future__ import annotations

import base64
import io
import struct
import zlib
from pathlib import Path
from typing import Any

import altair as alt

from prefdata.charts._theme import as_chart
from prefdata.doors import as_flag, as_path
from prefdata.errors import ChartError
from prefdata.files import new_file

__all__ = ["enable_notebook_charts", "save_chart"]

_SUFFIXES = (".png", ".svg", ".html")
_SCALE = 2


def save_chart(chart: Any, path: str | Path, *, overwrite: bool = False) -> Path:
    """Save a chart as PNG (at double resolution), SVG or HTML (which opens without a network).

    Parameters
    ----------
    chart
        Any Altair chart.
    path
        Where to; its ending, ``.png``, ``.svg`` or ``.html``, tells the format.
    overwrite
        Whether to replace a file that is there.

    Returns
    -------
    Path
        Where the chart is.

    Raises
    ------
    ChartError
        If the ending is another one, or there is no such folder.
    TargetExistsError
        If the file is there already.
    """
    target, overwrite = as_path(path, "path"), as_flag(overwrite, "overwrite")
    as_chart(chart, "chart")
    kind = target.suffix.lower()
    if kind not in _SUFFIXES:
        raise ChartError(f"cannot save a chart as {target.name}", hint=f"End it in {', '.join(_SUFFIXES)}.")
    if not target.parent.is_dir():
        raise ChartError(f"there is no folder {target.parent}", hint="Make it first.")
    with new_file(target, overwrite=overwrite, error=ChartError) as beside:
        beside.write_bytes(_written(chart, kind))
    return target


def _written(chart: Any, kind: str) -> bytes:
    try:
        chart.to_dict()
    except (alt.utils.schemapi.SchemaValidationError, TypeError, ValueError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ChartError(f"the chart cannot be drawn: {reason}", hint="Give it data, a mark and encodings.") from None
    if kind == ".png":
        picture = io.BytesIO()
        chart.save(picture, format="png", scale_factor=_SCALE)
        return picture.getvalue()
    text = io.StringIO()
    chart.save(text, format=kind[1:], **({"inline": True} if kind == ".html" else {}))
    return text.getvalue().encode()


def enable_notebook_charts() -> None:
    """Show charts in notebooks as small pictures.

    They need neither a network nor an extension of JupyterLab.  They are PNG, because JupyterLab hides SVG in notebooks
    that were made elsewhere until they are trusted or run again.
    """
    alt.renderers.register(_RENDERER, _as_picture)
    alt.renderers.enable(_RENDERER)


_RENDERER = "prefdata"
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def _as_picture(specification: dict[str, Any], **_: Any) -> dict[str, str]:
    picture = io.BytesIO()
    alt.Chart.from_dict(specification).save(picture, format="png")
    return {"image/png": base64.b64encode(_pressed(picture.getvalue())).decode()}


def _pressed(picture: bytes) -> bytes:
    """Compress the pixels of a PNG as far as they go; Altair's converter is quick rather than thorough."""
    place = len(_SIGNATURE)
    before: list[bytes] = []
    pixels: list[bytes] = []
    after: list[bytes] = []
    while place < len(picture):
        length, kind = struct.unpack(">I4s", picture[place : place + 8])
        content = picture[place + 8 : place + 8 + length]
        if kind == b"IDAT":
            pixels.append(content)
        else:
            (after if pixels else before).append(_chunk(kind, content))
        place += length + 12
    pressed = zlib.compress(zlib.decompress(b"".join(pixels)), 9)
    return b"".join([_SIGNATURE, *before, _chunk(b"IDAT", pressed), *after])


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I4s", len(content), kind) + content + struct.pack(">I", zlib.crc32(kind + content))
