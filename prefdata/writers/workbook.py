"""A workbook: a sheet for each pulka, whose totals and settlement are formulas, and a summary before them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from prefdata.errors import TableError
from prefdata.language import Words
from prefdata.readers.forms import form_words
from prefdata.russian.notation import notation
from prefdata.vocabulary import RUSSIAN, help_column, pairs, player_column
from prefdata.writers._material import Format, Material
from prefdata.writers._pulka_sheet import PulkaSheet, Styles, write_text

__all__ = ["FORMAT"]

_MOST_PULKAS = 500
"""Sheets beyond which a workbook is no use to anybody."""

_WHEN = datetime(2000, 1, 1)
_GREY, _HEAD, _INPUT = "#6b7280", "#e5e7eb", "#fff7df"

# Whole numbers are General: Excel shows 84 under 0.## as "84."
_STYLES: dict[str, dict[str, Any]] = {
    "title": {"bold": True, "font_size": 14},
    "note": {"font_color": _GREY},
    "remark": {"font_color": _GREY, "indent": 1},
    "player": {"bold": True, "bottom": 1, "align": "left"},
    "name": {"bold": True},
    "summed": {"bold": True, "indent": 1},
    "head": {"bg_color": _HEAD, "text_wrap": True, "valign": "top", "bottom": 1},
    "deal": {"font_color": _GREY, "align": "center"},
    "entry": {"num_format": "General"},
    "late": {"font_color": _GREY, "italic": True},
    "total": {"bold": True, "top": 1, "num_format": "General"},
    "parameter": {"bg_color": _INPUT, "num_format": "General"},
    "result": {"bold": True, "num_format": "+General;-General;0"},
    "money": {"num_format": "+0.00;-0.00;0.00"},
}


def _write(material: Material, beside: Path, file: Path) -> None:
    """Write the workbook."""
    try:
        import xlsxwriter  # noqa: PLC0415 - an extra
    except ImportError:
        raise TableError(
            f"{file}: workbooks need an extra", hint="python -m pip install 'prefdata[excel]', or write a .csv."
        ) from None
    pulkas = material.archive.pulkas.select(pl.len()).collect().item()
    if pulkas > _MOST_PULKAS:
        raise TableError(
            f"{file}: {pulkas} pulkas are too many for a workbook, which has a sheet for each",
            hint=f"Choose up to {_MOST_PULKAS} of them, or write a .csv or .json file.",
        )
    with xlsxwriter.Workbook(str(beside), {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        book.set_properties({"created": _WHEN})
        styles = {name: book.add_format(style) for name, style in _STYLES.items()}
        summary = book.add_worksheet(material.words("export_summary"))
        sheets = list(pulka_sheets(material))
        for sheet in sheets:
            sheet.write(book.add_worksheet(str(sheet.pulka["pulka"])), styles)
        _summarise(summary, sheets, material.words, styles)


def _summarise(page: Any, sheets: Sequence[PulkaSheet], words: Words, styles: Styles) -> None:
    """Write a line a pulka: its players with their results, taken from its sheet, and their sum."""
    seats = max((len(sheet.seats) for sheet in sheets), default=0)
    heads = [words("export_pulka"), words("export_convention")]
    heads += [words(f"export_{what}") for _ in range(seats) for what in ("name", "rounded")] + [words("export_sum")]
    for column, head in enumerate(heads):
        write_text(page, 0, column, head, styles["head"])
    for row, sheet in enumerate(sheets, start=1):
        page.write_number(row, 0, sheet.pulka["pulka"], styles["deal"])
        write_text(page, row, 1, sheet.convention.name, styles["note"])
        values = sheet.results()
        cells = [f"'{sheet.pulka['pulka']}'!{cell}" for cell in sheet.result_cell()]
        for place, (seat, cell, value) in enumerate(zip(sheet.seats, cells, values, strict=True)):
            write_text(page, row, 2 + 2 * place, sheet.name_of(seat), styles["summed"])
            page.write_formula(row, 3 + 2 * place, f"={cell}", styles["result"], "" if value is None else value)
        every = ",".join(cells)
        known = [value for value in values if value is not None]
        total = round(sum(known), 9) if len(known) == len(cells) else ""
        page.write_formula(
            row, 2 + 2 * seats, f'=IF(COUNT({every})={len(cells)},SUM({every}),"")', styles["note"], total
        )
    page.freeze_panes(1, 2)
    page.set_column(0, 0, 8)
    page.set_column(1, 1, 22)
    for place in range(seats):
        page.set_column(2 + 2 * place, 2 + 2 * place, 20)
        page.set_column(3 + 2 * place, 3 + 2 * place, 10)
    page.set_column(2 + 2 * seats, 2 + 2 * seats, 18)
    page.set_landscape()
    page.set_paper(9)
    page.fit_to_pages(1, 0)


def pulka_sheets(material: Material) -> Iterator[PulkaSheet]:
    """Gather what stands in the sheet of each pulka that was scored."""
    scored, pulkas = material.scored, material.archive.pulkas.collect()
    beside = {row["pulka"]: row for row in pulkas.iter_rows(named=True)}
    lines = _lines(material, beside)
    settlements = _by_pulka(scored.settlements.with_columns(pl.col("seat").cast(pl.String)))
    for sheet in scored.sheets.iter_rows(named=True):
        key = sheet["pulka"]
        yield PulkaSheet(
            game=material.game,
            convention=scored.conventions[key],
            words=material.words,
            pulka=beside[key],
            sheet=sheet,
            lines=[*_opening(material, sheet), *lines[key]],
            settlement=settlements[key],
            wide=scored.wide[key],
        )


def _by_pulka(frame: pl.DataFrame) -> dict[int, list[dict[str, Any]]]:
    groups = frame.partition_by("pulka", as_dict=True, maintain_order=True)
    return {int(key): group.to_dicts() for (key,), group in groups.items()}


def _opening(material: Material, sheet: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Give the line with which columns begin at minus the limit, in a game that has such."""
    if material.game.from_limit:
        start = dict.fromkeys(material.game.from_limit, -int(sheet["bullet_limit"] or 0))
        yield {"deal": 0, "game": material.words("export_start"), "note": "", "is_scored": True, **start}


def _lines(material: Material, pulkas: Mapping[int, Mapping[str, Any]]) -> dict[int, list[dict[str, Any]]]:
    """Gather what was written in each pulka, a line a deal and a line an adjustment, in order."""
    deals = material.archive.deals.with_columns(
        game=notation() if material.game.name == RUSSIAN else pl.lit(None, dtype=pl.String)
    ).collect()
    told = {(row["pulka"], row["deal"]): row for row in deals.iter_rows(named=True)}
    found: dict[int, list[dict[str, Any]]] = {}
    for row in material.scored.ledger.iter_rows(named=True):
        key, deal = row["pulka"], row["deal"]
        found.setdefault(key, []).append(
            {
                **{name: row[name] for name in material.game.entries},
                "deal": deal,
                "game": _game(told[key, deal], pulkas[key], material.words),
                "note": _note(row, pulkas[key], material),
                "is_scored": row["scored"],
            }
        )
    for row in material.archive.adjustments.collect().iter_rows(named=True):
        if row["pulka"] in found:
            _adjust(found[row["pulka"]], row, material.words)
    return found


def _game(deal: Mapping[str, Any], pulka: Mapping[str, Any], words: Words) -> str:
    """Tell who played what."""
    game = deal["game"] or str(deal["contract"])
    game = form_words(words.language).words.get(game, game)
    return game if deal["declarer"] is None else f"{game} · {_name(pulka, deal['declarer'])}"


def _name(pulka: Mapping[str, Any], seat: str) -> str:
    return str(pulka.get(player_column(seat)) or seat)


def _note(row: Mapping[str, Any], pulka: Mapping[str, Any], material: Material) -> str:
    """Tell what the entries alone do not show: help, marks of the game, a deal after the end."""
    notes = [] if row["scored"] else [material.words("export_late")]
    for helper, helped in pairs():
        points = row.get(help_column(helper, helped))
        if points:
            names = f"{_name(pulka, helper)} → {_name(pulka, helped)}"
            notes.append(f"{material.words('drawn_help')} {names}: {points}")
    marks = [mark for mark in material.game.marks if not mark.startswith("help_") and row.get(mark)]
    notes += [material.words(f"export_{mark}") for mark in marks]
    return "; ".join(notes)


def _adjust(lines: list[dict[str, Any]], row: Mapping[str, Any], words: Words) -> None:
    """Put an adjustment behind its deal; it counts if that was reached."""
    seats = f"{row['seat']}{row['on_seat'] or ''}"
    is_scored = row["deal"] <= sum(line["is_scored"] and "adjusts" not in line for line in lines)
    notes = [*([] if is_scored else [words("export_late")]), *([row["reason"]] if row["reason"] else [])]
    place = sum(line["deal"] <= row["deal"] for line in lines)
    line = {"deal": row["deal"], "game": words("drawn_adjustment"), "note": "; ".join(notes), "is_scored": is_scored}
    lines.insert(place, {**line, f"{row['entry']}_{seats}": row["points"], "adjusts": True})


FORMAT = Format("xlsx", "a workbook", _write)
"""The format, as the list of formats has it."""
