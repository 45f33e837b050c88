"""Writing SVG: elements with their attributes, all texts escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from xml.sax.saxutils import escape, quoteattr

__all__ = ["Canvas", "number"]

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Signs that no XML may hold, escaped or not."""


def number(value: float) -> str:
    """Spell a coordinate, to a tenth.

    >>> number(12.34), number(-0.01), number(5)
    ('12.3', '0', '5')
    """
    return f"{round(value, 1) + 0.0:g}" if abs(value) >= 0.05 else "0"


class Canvas:
    """What has been drawn so far.

    >>> canvas = Canvas()
    >>> with canvas.group(fill="red"):
    ...     canvas.text(1, 2, "A & B", data_deal=6)
    >>> print(canvas.drawn())
    <g fill="red"><text x="1" y="2" data-deal="6">A &amp; B</text></g>
    """

    def __init__(self) -> None:
        self._parts: list[str] = []

    def element(self, name: str, content: str | None = None, **attributes: object) -> None:
        """Draw an element; `content` is a text, and an attribute that is None is left out."""
        opening = f"<{name}{_spelt(attributes)}"
        self._parts.append(f"{opening}/>" if content is None else f"{opening}>{_escaped(content)}</{name}>")

    def text(self, x: float, y: float, text: str, **attributes: object) -> None:
        """Write a text at a place."""
        self.element("text", text, x=x, y=y, **attributes)

    @contextmanager
    def group(self, name: str = "g", **attributes: object) -> Iterator[None]:
        """Draw what follows inside an element."""
        self._parts.append(f"<{name}{_spelt(attributes)}>")
        yield
        self._parts.append(f"</{name}>")

    def include(self, other: Canvas) -> None:
        """Draw what was drawn on another canvas."""
        self._parts.append(other.drawn())

    def drawn(self) -> str:
        """Give all that was drawn."""
        return "".join(self._parts)


def _escaped(text: str) -> str:
    return escape(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text))


def _spelt(attributes: dict[str, object]) -> str:
    spelt = []
    for name, value in attributes.items():
        if value is not None:
            shown = (
                number(value) if isinstance(value, float) else _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", str(value))
            )
            spelt.append(f" {name.strip('_').replace('_', '-')}={quoteattr(shown)}")
    return "".join(spelt)
