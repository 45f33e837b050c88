"""Hostile recorded sheets: CSV, Parquet and Excel files through `prefdata settle`."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import xlsxwriter

import prefdata as pref
from tests.hostile.accounting import look_at_settlements, rows_in
from tests.hostile.case import Case, kind
from tests.hostile.columns import ODD_NUMBERS, STRIDE, TYPES, in_type, odd_rows
from tests.hostile.judging import Fault, Judgement, judge
from tests.hostile.material import CONVENTIONS, mutated, mutated_parquet, sheet_rows, sheets_frame

Record = dict[str, Any]
_NUMBERS = ("pulka", "players", "bullet_limit", "bullet_a", "mountain_a", "mountain_c", "whists_ab", "whists_ca")


def settled(case: Case, file: Path, rows: Sequence[Record] | None) -> Judgement:
    """Settle a file of sheets, and compare with what stands in it."""
    convention = pref.convention(case.rng.choice(CONVENTIONS))
    out = case.folder / f"settled.{case.rng.choice(('parquet', 'parquet', 'csv', 'xlsx'))}"
    ran = case.prefdata("settle", file, "-c", convention.name, "--out", out)
    if ran.is_done:
        if not out.exists():
            raise Fault(Judgement.SILENT_LOSS, f"settle ended with {ran.code} and wrote nothing")
        if out.suffix != ".xlsx":
            read = pl.read_parquet if out.suffix == ".parquet" else pl.read_csv
            look_at_settlements(rows, read(out), ran, convention)
    return judge(ran)


def _lost_lines(file: Path, rows: Sequence[Record] | None) -> None:
    """Look whether a file without quotes has a row for each line."""
    content = file.read_bytes()
    if rows is None or b'"' in content or b"\r" in content:
        return
    lines = [line for line in content.split(b"\n")[1:] if line]
    if len(lines) > len(rows):
        raise Fault(Judgement.SILENT_LOSS, f"{len(lines)} lines with {len(rows)} rows")


def _csv_text(case: Case, rows: Sequence[Record]) -> str:
    """Write sheets as CSV, sometimes with odd cells and separators."""
    separator = case.rng.choice((",",) * 12 + (";", "\t", ", ", "|"))
    newline = case.rng.choice(("\n",) * 8 + ("\r\n", "\r\n", "\r"))
    names = list(rows[0])
    lines = [separator.join(names)]
    lines += [separator.join("" if row[name] is None else str(row[name]) for name in names) for row in rows]
    if case.chance(6):
        lines.insert(case.rng.randrange(len(lines) + 1), case.rng.choice(("", ",", "# note", separator * 40, "1,2")))
    return newline.join(lines) + case.rng.choice(("", newline, newline * 3))


_ODD_CELLS = (
    "TRUE", "true", "1e3", "1e400", "-0", "0x10", "1 000", "1_000", "1,5", '"1"', '"', "'7", "=1+1", "NaN", "inf",
    "-inf", "None", "null", "N/A", "٣", "½", "1.5", "0.08333333", "2020-01-01", "\x00", "\x1b[31m", " 7", "7 ", "+7",
    "--7", "1e0",
    "9223372036854775808", "-9223372036854775809", "99999999999999999999999999", "1099511627777",
)  # fmt: skip


@kind("sheets-csv", 900)
def sheets_csv(case: Case) -> Judgement:
    """Sheets as CSV in odd encodings, with odd separators and cells, or with damaged bytes."""
    rows = sheet_rows(case.rng, case.rng.randint(1, 6))
    if case.chance(2):
        for _ in range(case.rng.choice((1, 1, 3))):
            row = case.rng.choice(rows)
            row[case.rng.choice(list(row))] = case.rng.choice((*_ODD_CELLS, *map(str, ODD_NUMBERS)))
    text = _csv_text(case, rows)
    encoding = case.rng.choice(("utf-8",) * 12 + ("utf-8-sig", "utf-16", "utf-16-le", "cp1251", "utf-32", "latin-1"))
    content = text.encode(encoding, errors="replace")
    if case.chance(3):
        content = mutated(case.rng, content)
    file = case.write("sheets.csv", content)
    texts = rows_in(file)
    judgement = settled(case, file, texts)
    if judgement == Judgement.DONE:
        _lost_lines(file, texts)
    return judgement


@kind("sheets-parquet", 700)
def sheets_parquet(case: Case) -> Judgement:
    """Sheets as Parquet: a column in every type in turn, odd values, damaged bytes."""
    frame = sheets_frame(sheet_rows(case.rng, case.rng.randint(1, 6)))
    way = case.rng.choice(("type", "type", "values", "bytes"))
    if way == "type":
        grid = [(name, type_) for name in (*_NUMBERS, "player_a") for type_ in TYPES]
        name, type_ = grid[case.seed * STRIDE % len(grid)]
        frame = frame.with_columns(in_type(case.rng, name, frame[name].to_list(), type_))
    elif way == "values":
        for _ in range(case.rng.choice((1, 2))):
            frame = odd_rows(case.rng, frame)
    file = case.folder / "sheets.parquet"
    frame.write_parquet(file, compression="zstd" if case.chance(3) else "uncompressed")
    if way == "bytes":
        file.write_bytes(mutated_parquet(case.rng, file.read_bytes()))
    return settled(case, file, rows_in(file))


# --------------------------------------------------------------------------- workbooks

_CELLS: tuple[Any, ...] = (
    True,
    False,
    datetime.date(2020, 1, 1),
    datetime.datetime(2020, 1, 1, 13, 30),
    datetime.time(1, 30),
    "seven",
    "7",
    " 7 ",
    "",
    "1,5",
    "=1/0",
    "=A1",
    "#N/A",
    1.5,
    1 / 3,
    1e300,
    -1,
    2**53,
    2**63,
    0.1,
)


_FORMULAS = {"=1/0": "#DIV/0!", "=A1": "seven"}
"""Formulas with the values that were worked out."""


def _workbook(file: Path, rows: Sequence[Record], odd: dict[tuple[int, str], Any]) -> None:
    book = xlsxwriter.Workbook(file)
    sheet = book.add_worksheet()
    day = book.add_format({"num_format": "dd.mm.yyyy"})
    names = list(rows[0])
    sheet.write_row(0, 0, names)
    for number, row in enumerate(rows):
        for column, name in enumerate(names):
            value = odd.get((number, name), row[name])
            if isinstance(value, datetime.date | datetime.time):
                sheet.write_datetime(number + 1, column, value, day)
            elif value in _FORMULAS:
                sheet.write_formula(number + 1, column, value, None, _FORMULAS[value])
            elif value is not None:
                sheet.write(number + 1, column, value)
    book.close()


def _is_plain_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return False
    try:
        return math.isfinite(float(value))
    except ValueError:
        return False


@kind("sheets-xlsx", 700)
def sheets_xlsx(case: Case) -> Judgement:
    """Sheets as workbooks: cells of every kind, at times late in the file, or damaged bytes."""
    late = case.chance(10)
    rows = sheet_rows(case.rng, 130 if late else case.rng.randint(1, 6))
    odd: dict[tuple[int, str], Any] = {}
    if case.chance(2):
        for _ in range(case.rng.choice((1, 1, 2))):
            number = case.rng.randrange(max(0, len(rows) - 10), len(rows))
            odd[number, case.rng.choice((*_NUMBERS, "player_a"))] = case.rng.choice(_CELLS)
    if late:
        for row in rows[:110]:
            row |= {name: None for name in row if name.startswith("player_")}
    file = case.folder / "sheets.xlsx"
    _workbook(file, rows, odd)
    written: list[Record] | None = [dict(row) for row in rows]
    if case.chance(3):
        file.write_bytes(mutated(case.rng, file.read_bytes()))
        written = None
    elif written is not None:
        for (number, name), value in odd.items():
            if _is_plain_number(value) or value == "":
                written[number][name] = value if value != "" else None
            else:
                written[number][name] = f"a cell that is no number: {value!r}"
    return settled(case, file, written)
