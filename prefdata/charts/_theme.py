"""The look of all charts: one theme, safe for the colour-blind."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, TypeVar

import altair as alt

from prefdata.doors import as_kind, as_whole
from prefdata.errors import ChartError, LanguageError
from prefdata.language import Words

__all__ = [
    "GAIN",
    "INK",
    "LOSS",
    "NEUTRAL",
    "PALETTE",
    "WIDTH",
    "as_chart",
    "combine",
    "enable_theme",
    "layered",
    "sign_scale",
    "text_title",
    "theme",
    "themed",
    "words_in",
    "wrapped",
    "zero_axis",
]

PALETTE: tuple[str, ...] = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#8C7A00",
    "#4D4D4D",
)
"""Colours of categories: those of Okabe and Ito, yellow darkened and black softened to be seen on white."""

GAIN, LOSS, NEUTRAL, INK = "#0072B2", "#D55E00", "#8C8C8C", "#333333"
"""Colours of what is above zero, below zero and around it, and of writing."""

WIDTH = 640
"""Width of the plotting area of a chart, in pixels."""

_FONT = "Arial, 'Liberation Sans', 'Helvetica Neue', 'DejaVu Sans', sans-serif"
_GRID = "#E5E5E5"
_TITLE_LETTERS, _NOTE_LETTERS = 74, 104

AnyChart = TypeVar("AnyChart", bound=alt.Chart | alt.LayerChart | alt.FacetChart | alt.ConcatChart | alt.VConcatChart)


def theme(language: str = "en") -> dict[str, Any]:
    """Give the theme as a Vega-Lite configuration.

    Parameters
    ----------
    language
        Language in which numbers and dates are written, ``en`` or ``ru``.

    Examples
    --------
    >>> theme()["range"]["category"][0]
    '#0072B2'
    """
    axis = {"labelColor": INK, "titleColor": INK, "gridColor": _GRID, "domainColor": NEUTRAL, "tickColor": NEUTRAL}
    locale = words_in(language).vega_locale()
    return {
        "font": _FONT,
        "background": "white",
        "padding": 12,
        "view": {"stroke": None, "continuousWidth": WIDTH, "continuousHeight": 320},
        "title": {
            "anchor": "start",
            "color": INK,
            "fontSize": 16,
            "frame": "group",
            "offset": 14,
            "subtitleColor": "#595959",
            "subtitleFontSize": 12,
            "subtitlePadding": 6,
        },
        "axis": {
            **axis,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titlePadding": 10,
            "labelLimit": 320,
            "labelFlush": False,
        },
        "header": {"labelFontSize": 13, "labelColor": INK, "titleFontSize": 12, "titleColor": INK, "labelLimit": 520},
        "legend": {
            "labelColor": INK,
            "labelFontSize": 12,
            "labelLimit": 320,
            "orient": "top",
            "symbolOpacity": 1,
            "symbolStrokeWidth": 0,
            "symbolType": "square",
            "titleColor": INK,
            "titleFontSize": 12,
        },
        "range": {
            "category": list(PALETTE),
            "diverging": [LOSS, "#F2F2F2", GAIN],
            "heatmap": ["#F4F8FB", "#9DC6E0", GAIN],
            "ramp": ["#F4F8FB", "#9DC6E0", GAIN],
        },
        "text": {"color": INK, "fontSize": 11},
        **({"locale": locale} if locale else {}),
    }


def words_in(language: str) -> Words:
    """Give the words of a chart.

    Raises
    ------
    ChartError
        If there are no words in the language.

    Examples
    --------
    >>> words_in("en")("raspasy_tricks")
    'Tricks in a raspasy'
    """
    try:
        return Words(language)
    except LanguageError as error:
        raise ChartError(error.what, hint=error.hint) from None


def enable_theme(language: str = "en") -> None:
    """Enable the theme for charts of one's own too, in this session.

    The charts of prefdata carry it with them and do not need it.

    Parameters
    ----------
    language
        Language in which numbers and dates are written, ``en`` or ``ru``.
    """
    configuration = theme(language)

    @alt.theme.register("prefdata", enable=True)
    def _prefdata() -> alt.theme.ThemeConfig:
        return {"config": configuration}  # type: ignore[typeddict-item]


def themed(chart: AnyChart, words: Words) -> AnyChart:
    """Give a chart the theme, whatever theme is enabled."""
    with_theme: AnyChart = chart.configure(**theme(words.language))
    return with_theme


def combine(*charts: Any, columns: int = 1, language: str = "en") -> alt.VConcatChart:
    """Put charts of prefdata together into one, since Altair does not combine charts that carry a configuration.

    Parameters
    ----------
    charts
        Charts; they stay as they are.
    columns
        How many stand side by side.
    language
        Language in which numbers and dates are written, ``en`` or ``ru``.

    Returns
    -------
    alt.VConcatChart
        Rows of charts.
    """
    columns = as_whole(columns, "columns", 1)
    if not charts:
        raise ChartError("charts are none, and nothing can be combined", hint="Give at least one chart.")
    bare = [as_chart(chart, "one of charts").copy() for chart in charts]
    for chart in bare:
        chart.config = alt.Undefined
    rows = [alt.hconcat(*bare[start : start + columns]) for start in range(0, len(bare), columns)]
    together: alt.VConcatChart = alt.vconcat(*rows).resolve_scale(color="independent", x="independent", y="independent")
    return themed(together, words_in(language))


def as_chart(chart: Any, name: str) -> Any:
    """Take any chart of Altair.

    >>> as_chart(alt.Chart().mark_bar(), "chart").mark
    'bar'
    """
    return as_kind(chart, name, alt.TopLevelMixin, hint="The functions of prefdata.charts draw charts of Altair.")


def layered(*charts: Any, **options: Any) -> alt.LayerChart:
    """Lay charts over each other."""
    return alt.LayerChart(layer=list(charts), **options)


def text_title(text: str, note: str = "") -> alt.TitleParams:
    """Make a title and the note below it, in lines that fit."""
    lines = wrapped(text, _TITLE_LETTERS)
    return alt.TitleParams(lines, subtitle=wrapped(note, _NOTE_LETTERS)) if note else alt.TitleParams(lines)


def wrapped(text: str, letters: int) -> list[str]:
    """Break a text into lines, at spaces alone."""
    return wrap(text, letters, break_on_hyphens=False) or [""]


def sign_scale(domain: Sequence[str], colours: Sequence[str] = (LOSS, NEUTRAL, GAIN)) -> alt.Scale:
    """Colour what is below zero, around it, and above it."""
    return alt.Scale(domain=list(domain), range=list(colours))


def zero_axis(title: str | None, **options: Any) -> alt.Axis:
    """Make an axis of numbers whose zero is drawn darker."""
    at_zero: Any = {"condition": {"test": "datum.value === 0", "value": "#7A7A7A"}, "value": _GRID}
    return alt.Axis(title=title, gridColor=at_zero, **{"tickCount": 8, **options})
