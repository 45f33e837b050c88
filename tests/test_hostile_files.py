"""Files that are damaged, odd or made to harm: each is one sentence, and none is taken for another one."""

from __future__ import annotations

import datetime
import os
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import xlsxwriter

import prefdata as pref
from prefdata.cli import main
from prefdata.errors import PrefdataError
from prefdata.settlement.sheet_files import read_sheets, write_table

COLUMNS = ["pulka", "players", "bullet_limit", "mountain_a", "mountain_b", "whists_ab", "whists_ba"]
ROW = [1, 2, 10, 4, 2, 6, 8]


def workbook(file: Path, cells: dict[tuple[int, int], Any] | None = None, rows: int = 3) -> Path:
    """Write recorded sheets as a workbook, with some cells changed (row and column from 0, headings not counted)."""
    book = xlsxwriter.Workbook(file)
    sheet = book.add_worksheet()
    day = book.add_format({"num_format": "dd.mm.yyyy"})
    sheet.write_row(0, 0, COLUMNS)
    for row in range(rows):
        sheet.write_row(row + 1, 0, [row + 1, *ROW[1:]])
    for (row, column), value in (cells or {}).items():
        if isinstance(value, datetime.date):
            sheet.write_datetime(row + 1, column, datetime.datetime(value.year, value.month, value.day), day)
        else:
            sheet.write(row + 1, column, value)
    book.close()
    return file


# --------------------------------------------------------------------------- the file that was named


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".xlsx"])
@pytest.mark.parametrize("name", ["s[1]", "s?", "*", "s{1,2}", "**"])
def test_the_very_file_is_read(tmp_path: Path, name: str, ending: str) -> None:
    frame = pl.DataFrame(dict(zip(COLUMNS, ([value] for value in ROW), strict=True)))
    write: dict[str, Any] = {
        ".csv": pl.DataFrame.write_csv,
        ".parquet": pl.DataFrame.write_parquet,
        ".xlsx": pl.DataFrame.write_excel,
    }
    write[ending](frame, tmp_path / f"s1{ending}")
    other = frame.with_columns(pulka=2)
    if ending == ".csv":
        (tmp_path / f"{name}{ending}").write_text(other.write_csv())
    else:
        write[ending](other, tmp_path / "plain.tmp" if ending == ".parquet" else tmp_path / f"plain{ending}")
        source = tmp_path / ("plain.tmp" if ending == ".parquet" else f"plain{ending}")
        source.rename(tmp_path / f"{name}{ending}")
    assert read_sheets(tmp_path / f"{name}{ending}")["pulka"].to_list() == [2]
    with pytest.raises(PrefdataError, match="cannot be read"):
        read_sheets(tmp_path / f"z{name}{ending}")


def test_no_reader_takes_a_pattern() -> None:
    """What is read is bytes, or the very file."""
    package = Path(pref.__file__).parent
    readers = re.compile(r"pl\.(?:read|scan)_(?:csv|parquet|ipc|excel)\(([^)]*\))")
    for file in package.rglob("*.py"):
        for told in readers.findall(file.read_text(encoding="utf-8")):
            assert re.search(r"glob=False|read_bytes\(\)|encode\(\)", told), f"{file.name}: {told}"


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".xlsx", ".toml"])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path, ending: str) -> None:
    pipe = tmp_path / f"pipe{ending}"
    os.mkfifo(pipe)
    with pytest.raises(PrefdataError, match="no regular file"):
        pref.convention(pipe) if ending == ".toml" else read_sheets(pipe)


# --------------------------------------------------------------------------- cells and their kinds


@pytest.mark.parametrize("value", [True, False, datetime.date(2020, 1, 1), "seven", "1 000", "0x10"])
def test_a_cell_that_is_no_number_sets_its_sheet_aside(
    tmp_path: Path, value: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    file = workbook(tmp_path / "sheets.xlsx", {(1, 3): value})
    assert main(["settle", str(file), "-c", "sochi"]) == 1
    said = capsys.readouterr()
    assert re.search(r"numbers_of_sheet +1  2  +entries and keys must be numbers \(mountain_a=\S", said.err)
    settled = [line.split()[:2] for line in said.out.splitlines()[2:]]
    assert settled == [["1", "a"], ["1", "b"], ["3", "a"], ["3", "b"]]


@pytest.mark.parametrize("column", [0, 1, 2, 3, 4, 5, 6])
def test_no_column_of_numbers_has_words_only(tmp_path: Path, column: int, capsys: pytest.CaptureFixture[str]) -> None:
    file = workbook(tmp_path / "sheets.xlsx", {(row, column): "seven" for row in range(3)})
    assert main(["settle", str(file), "-c", "sochi"]) == 2
    said = capsys.readouterr()
    assert f"column {COLUMNS[column]} is String" in said.err
    assert said.out == ""


@pytest.mark.parametrize("value", ["7", 7.0, 7])
def test_numbers_written_otherwise_are_numbers(tmp_path: Path, value: Any) -> None:
    sheets = read_sheets(workbook(tmp_path / "sheets.xlsx", {(1, 3): value}))
    assert sheets["mountain_a"].to_list() == [4, 7, 4]


def test_an_error_in_a_cell_sets_its_sheet_aside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "sheets.xlsx"
    book = xlsxwriter.Workbook(file)
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, COLUMNS)
    for row in (1, 2):
        sheet.write_row(row, 0, [row, *ROW[1:]])
    sheet.write_formula(2, 3, "=1/0", None, "#DIV/0!")
    book.close()
    assert main(["settle", str(file), "-c", "sochi"]) == 1
    said = capsys.readouterr()
    assert "(mountain_a=#DIV/0!)" in said.err


@pytest.mark.parametrize("headings", [["bullet_a", "bullet_b"], ["stake"]])
def test_an_error_in_a_column_that_may_be_empty_is_told(
    tmp_path: Path, headings: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "sheets.xlsx"
    book = xlsxwriter.Workbook(file)
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, [*COLUMNS, *headings])
    for row in (1, 2):
        sheet.write_row(row, 0, [row, *ROW[1:]])
        for column in range(len(headings)):
            sheet.write_formula(row, len(COLUMNS) + column, "=1/0", None, "#DIV/0!")
    book.close()
    assert main(["settle", str(file), "-c", "sochi"]) == 2
    said = capsys.readouterr()
    assert f"column {headings[0]} is String, not a number: row 0 has '#DIV/0!'" in said.err


def test_a_workbook_that_spans_more_than_there_is_room_for_is_refused(tmp_path: Path) -> None:
    book = xlsxwriter.Workbook(tmp_path / "sheets.xlsx")
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, COLUMNS)
    sheet.write_row(1, 0, ROW)
    sheet.write(1_048_575, 16_383, 1)
    book.close()
    with pytest.raises(PrefdataError, match="spans 1048576 rows and 16384 columns"):
        read_sheets(tmp_path / "sheets.xlsx")


def test_a_player_may_be_called_by_a_number(tmp_path: Path) -> None:
    sheet = pl.DataFrame(dict(zip(COLUMNS, ([value] for value in ROW), strict=True)))
    sheet.with_columns(player_a=pl.lit("7"), player_b=pl.lit("Anna")).write_csv(tmp_path / "sheets.csv")
    settled = pref.settle(read_sheets(tmp_path / "sheets.csv"), "sochi")
    assert settled["player"].to_list() == ["7", "Anna"]


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".xlsx"])
def test_a_name_that_is_not_unicode_is_read_and_told(
    tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = pl.DataFrame(dict(zip(COLUMNS, ([value] for value in ROW), strict=True)))
    plain, odd = tmp_path / f"plain{ending}", Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")).with_suffix(ending)
    write_table(frame, plain)
    plain.rename(odd)
    assert main(["settle", str(odd), "-c", "sochi"]) == 0
    odd.write_bytes(b"no table")
    assert main(["settle", str(odd), "-c", "sochi"]) == 2
    assert "caf\\udce9" in capsys.readouterr().err


def test_what_comes_late_in_a_workbook_is_read(tmp_path: Path) -> None:
    file = workbook(tmp_path / "sheets.xlsx", rows=150)
    book = xlsxwriter.Workbook(file)
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, [*COLUMNS, "player_a", "mountain_c"])
    for row in range(150):
        sheet.write_row(row + 1, 0, [row + 1, *ROW[1:]])
    sheet.write(140, 7, "Anna")
    sheet.write(145, 8, 3.5)
    book.close()
    sheets = read_sheets(file)
    assert sheets["player_a"].drop_nulls().to_list() == ["Anna"]
    assert sheets["mountain_c"].drop_nulls().to_list() == [3.5]


def test_a_damaged_workbook_is_one_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    whole = workbook(tmp_path / "whole.xlsx").read_bytes()
    rng = random.Random("workbooks")
    for number in range(60):
        content = bytearray(whole)
        if number % 3 == 0:
            del content[rng.randrange(len(content)) :]
        else:
            for _ in range(rng.choice((1, 5, 50))):
                content[rng.randrange(len(content))] = rng.randrange(256)
        file = tmp_path / "damaged.xlsx"
        file.write_bytes(bytes(content))
        assert main(["settle", str(file), "-c", "sochi"]) in (0, 1, 2)
        said = capfd.readouterr().err
        assert "Traceback" not in said
        assert "panicked" not in said, number


@pytest.mark.parametrize("kind", [pl.Float32, pl.Float16])
def test_narrow_numbers_are_widened_before_they_are_multiplied(kind: type[pl.DataType]) -> None:
    whists = 5_592_407 if kind == pl.Float32 else 2047
    sheet = pl.DataFrame(dict(zip(COLUMNS, ([value] for value in ROW), strict=True)))
    narrow = sheet.with_columns(whists_ab=pl.lit(float(whists), kind))
    exact = sheet.with_columns(whists_ab=pl.lit(whists))
    settled, expected = (pref.settle(one, "sochi")["result_twelfths"].to_list() for one in (narrow, exact))
    assert settled == expected


# --------------------------------------------------------------------------- conventions


@pytest.mark.parametrize(
    "text",
    [
        'shortage_factor = "1e30000000"',
        'shortage_factor = "1/99999999999999999999999"',
        "scale = " + "9" * 5000,
        "consolation = " + "[" * 20_000,
        ".".join(["a"] * 20_000) + " = 1",
        'base = "a\\u0000b"',
        'base = "\\u0000.toml"',
        'base = "' + "x" * 300 + '.toml"',
        "shortage_factor = inf",
        "shortage_factor = nan",
        "ladder = [" + "1," * 100_000 + "]",
        "# " + "x" * 2_000_000,
        'name = "a\\u001bb"',
        'name = ""',
        "half_whist = { 6 = 2, 7 = { 8 = 9 } }",
    ],
    ids=lambda text: text[:24],
)
def test_a_hostile_convention_is_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "house.toml").write_text(text, encoding="utf-8")
    with pytest.raises(PrefdataError) as caught:
        pref.convention(tmp_path / "house.toml")
    assert len(str(caught.value)) < 6000


def test_a_long_chain_of_bases_is_refused(tmp_path: Path) -> None:
    (tmp_path / "0.toml").write_text("consolation = 10")
    for number in range(1, 1500):
        (tmp_path / f"{number}.toml").write_text(f'base = "{number - 1}.toml"')
    assert pref.convention(tmp_path / "15.toml").consolation == 10
    with pytest.raises(PrefdataError, match="extend each other"):
        pref.convention(tmp_path / "1499.toml")


@pytest.mark.parametrize(
    "name", ["house.toml", "./house.toml", "pipe.toml", "a\x00b.toml", "x" * 300, "", "/dev/zero", "sochi.toml"]
)
def test_a_name_in_a_row_is_never_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / "house.toml").write_text("consolation = 10")
    os.mkfifo(tmp_path / "pipe.toml")
    monkeypatch.chdir(tmp_path)
    drawn = pref.sample(2, seed=1, bullet_limit=4)
    named = pl.when(pl.col("pulka") == 2).then(pl.lit(name)).otherwise("convention").alias("convention")
    club = pref.archive(drawn.pulkas.with_columns(named), drawn.deals)
    with pytest.warns(pref.SetAsideWarning, match="convention_known"):
        assert pref.sheets(club, "played")["pulka"].to_list() == [1]
    with pytest.raises(PrefdataError, match="unknown convention"):
        pref.settle(pref.sheets(drawn, "sochi"), "played", pulkas=club.pulkas)


# --------------------------------------------------------------------------- archives


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"schema_version": Infinity, "parts": {}}',
        '{"schema_version": NaN, "parts": {}}',
        '{"schema_version": 1, "parts": {"part-00000.parquet": {"deals": {"size": 1}}}}',
        '{"schema_version": 1, "parts": {"part-00000.parquet": 3}}',
        '{"schema_version": 1, "parts": ' + '{"a":' * 100_000,
        "[" * 100_000,
        '{"schema_version": ' + "9" * 5000 + "}",
        "\x00\xff",
    ],
    ids=lambda text: text[:24],
)
def test_a_hostile_manifest_is_one_sentence(tmp_path: Path, text: str) -> None:
    pref.write_archive(pref.sample(2, seed=1, bullet_limit=4), tmp_path / "club")
    (tmp_path / "club" / "archive.json").write_text(text, encoding="latin-1")
    with pytest.raises(PrefdataError, match=r"archive\.json"):
        pref.open_archive(tmp_path / "club")


def test_a_mutated_part_is_rows_or_one_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    club = pref.write_archive(pref.sample(3, seed=1, bullet_limit=4), tmp_path / "club").path
    assert club is not None
    file = club / "deals" / "part-00000.parquet"
    whole = file.read_bytes()
    rng = random.Random("parts")
    for number in range(120):
        content = bytearray(whole)
        start = len(content) // 2 if number % 2 else len(content) - 600
        for _ in range(rng.choice((1, 3, 20))):
            content[rng.randrange(start, len(content))] = rng.randrange(256)
        file.write_bytes(bytes(content))
        code = main(["rescore", str(club), "-c", "sochi", "--out", str(tmp_path / f"out-{number}")])
        assert code in (0, 1, 2)
        assert "Traceback" not in capfd.readouterr().err


def club(folder: Path) -> Path:
    archive = pref.write_archive(pref.sample(6, seed=1, bullet_limit=4), folder / "club", deals_per_part=20)
    assert len(archive.parts) > 1
    assert archive.path is not None
    return archive.path


@pytest.mark.parametrize("tables", [["adjustments", "deals", "pulkas"], ["deals"], ["adjustments"], ["sheets"]])
def test_a_file_that_is_listed_but_gone_is_told(
    tmp_path: Path, tables: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    deals = pref.sample(6, seed=1, bullet_limit=4)
    pulka = deals.pulkas.collect()["pulka"][-1]
    fine = pl.DataFrame({"pulka": [pulka], "deal": [0], "seat": ["a"], "entry": ["mountain"], "points": [2]})
    whole = pref.archive(deals.pulkas, deals.deals, fine)
    whole = replace(whole, sheets=pref.sheets(whole, "sochi").lazy())
    folder = pref.write_archive(whole, tmp_path / "club", deals_per_part=20).path
    assert folder is not None
    for table in tables:
        next(iter(sorted((folder / table).glob("*.parquet"), reverse=True))).unlink()
    assert main(["rescore", str(folder), "-c", "sochi", "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert re.search(rf"lacks {len(tables)} files? that its archive.json lists, such as {tables[0]}/part-", said)
    assert not (tmp_path / "out").exists()
    (folder / "archive.json").unlink()
    if tables != ["deals"]:
        assert main(["check", str(folder)]) == 0


def test_a_pipe_in_the_place_of_a_part_is_refused_at_once(tmp_path: Path) -> None:
    folder = club(tmp_path)
    part = folder / "deals" / "part-00001.parquet"
    part.unlink()
    os.mkfifo(part)
    with pytest.raises(PrefdataError, match="a pipe or a device"):
        pref.open_archive(folder)


def test_recorded_sheets_of_unlike_types_are_one_sentence(tmp_path: Path) -> None:
    folder = club(tmp_path)
    (folder / "sheets").mkdir()
    pl.DataFrame({"pulka": [1], "mountain_a": [1]}).write_parquet(folder / "sheets" / "part-00000.parquet")
    pl.DataFrame({"pulka": [2], "mountain_a": [[1]]}).write_parquet(folder / "sheets" / "part-00001.parquet")
    with pytest.raises(PrefdataError, match="columns of different types"):
        pref.open_archive(folder)


def test_every_unknown_convention_is_told_with_its_own_name() -> None:
    played = pref.sample(40, seed=2, bullet_limit=4)
    names = [f"house {number}" if number % 3 else "sochi" for number in range(40)]
    pulkas = played.pulkas.collect().with_columns(convention=pl.Series(names))
    with pytest.warns(pref.SetAsideWarning, match="unknown convention 'house 1'"):
        assert pref.sheets(pref.archive(pulkas, played.deals), "played").height == 14


@pytest.mark.parametrize("out", ["a\0b", "\0"])
def test_a_name_with_a_nul_is_one_sentence(tmp_path: Path, out: str) -> None:
    with pytest.raises(PrefdataError, match="no file can be called"):
        pref.rescore(club(tmp_path), "sochi", out)
