"""What is exported: workbooks that calculate, tables that come back, documents, texts that stay texts."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import fastexcel
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prefdata as pref
from prefdata.cli import main
from prefdata.conventions import ROUNDINGS

RUSSIAN = [name for name in pref.presets() if pref.convention(name).game == "russian"]
BALKAN = [name for name in pref.presets() if pref.convention(name).game == "balkan"]
WHOLE_STOP = "balkan-whole"

CASES: dict[str, tuple[str, pref.Convention]] = {
    **{name: ("mix", pref.convention(name)) for name in RUSSIAN},
    **{name: ("balkan", pref.convention(name)) for name in BALKAN},
    **{f"sochi-{rule}": ("mix", pref.convention("sochi").with_rounding(rule)) for rule in ROUNDINGS},
    "smallest": ("mix", pref.convention("sochi").replace(code_owner="smallest", name="smallest")),
    "seat-b": ("mix", pref.convention("sochi").replace(code_owner="b", code_compensation="up", name="seat-b")),
    "nearest-four": ("mix", pref.convention("sochi").replace(code_direction="nearest", name="nearest-four")),
    "mendelev-code": ("mix", pref.convention("mendelev").with_rounding("code")),  # leaves some results unrounded
    WHOLE_STOP: ("balkan", pref.convention("balkan").replace(early_stop="whole", name=WHOLE_STOP)),
}

CHANGED = ["leningrad", "mendelev", "hussar", "slovene", "sochi-code", "sochi-code-every-mountain", "sochi-truncate"]
"""Cases in which an entry is changed: every road to a result."""

FILES = ((list(CASES), "bare"), (CHANGED, "changed"))


def deals(kind: str, convention: pref.Convention) -> pref.Archive:
    """Make a few pulkas of every size that a convention is for, stopped early some of them."""
    if kind == "balkan":
        return pref.sample(6, convention="balkan", seed=4)
    every = pref.sample(60, players="mix", seed=4)
    of_sizes = [every.only(players=size).pulkas.collect()["pulka"].head(3) for size in convention.players]
    return every.only(pulka=pl.concat(of_sizes).to_list())


class Workbooks:
    """Workbooks before and after LibreOffice has calculated them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.archives: dict[str, pref.Archive] = {}
        for name, (kind, convention) in CASES.items():
            self.archives[name] = deals(kind, convention)
            pref.export(self.archives[name], self.written(name), convention=convention)
        self.changes = {name: change(self.written(name), folder / f"{name}-changed.xlsx") for name in CHANGED}
        for name in CASES:
            change(self.written(name), folder / f"{name}-bare.xlsx", by=0)
        bare, changed = ([folder / f"{name}-{what}.xlsx" for name in names] for names, what in FILES)
        self.calculate([*bare, *changed])

    def written(self, name: str) -> Path:
        return self.folder / f"{name}.xlsx"

    def calculated(self, name: str, what: str = "bare") -> Path:
        return self.folder / "calculated" / f"{name}-{what}.xlsx"

    def calculate(self, files: Sequence[Path]) -> None:
        office = shutil.which("soffice")
        assert office is not None
        profile = f"-env:UserInstallation={(self.folder / 'profile').as_uri()}"
        command = [office, profile, "--headless", "--convert-to", "xlsx", "--outdir", str(self.folder / "calculated")]
        subprocess.run([*command, *map(str, files)], check=True, capture_output=True, timeout=400)


_FORMULA_VALUE = re.compile(r"(</f>)<v>[^<]*</v>")
_ENTRY = re.compile(r'<c r="([A-Z]+)(\d+)" s="\d+"><v>(-?\d+)</v></c>')

_MOUNTAIN = "D"
"""Column of the first player's mountain, in the Russian game."""


def change(file: Path, target: Path, by: int = 3) -> tuple[str, int]:
    """Take the values of all formulas away, and raise a mountain entry of the first pulka; gives its column and row."""
    found = ("", 0)
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name).decode() if name.endswith(".xml") else old.read(name)
            if isinstance(content, str) and name.startswith("xl/worksheets/"):
                content = _FORMULA_VALUE.sub(r"\1", content)
                if name.endswith("/sheet2.xml"):
                    entries = [cell for cell in _ENTRY.finditer(content) if cell[1] >= "C" and int(cell[2]) > 6]
                    entry = next((cell for cell in entries if cell[1] == _MOUNTAIN), entries[0])
                    found = (entry[1], int(entry[2]))
                    raised = entry[0].replace(f"<v>{entry[3]}</v>", f"<v>{int(entry[3]) + by}</v>")
                    content = content.replace(entry[0], raised, 1)
            new.writestr(name, content)
    return found


def cells(file: Path, sheet: str | int) -> list[tuple[Any, ...]]:
    """Read what stands in the cells of a sheet."""
    frame = fastexcel.read_excel(file).load_sheet(sheet, header_row=None, dtypes="string").to_polars()
    return frame.rows()


def numbers(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Take texts for the numbers that they are; nothing and an empty text are one."""

    def number(cell: Any) -> Any:
        try:
            return round(float(cell), 6)
        except (TypeError, ValueError):
            return cell or None

    return [[number(cell) for cell in row] for row in rows]


@pytest.fixture(scope="module")
def workbooks(tmp_path_factory: pytest.TempPathFactory) -> Workbooks:
    if shutil.which("soffice") is None:
        pytest.skip("LibreOffice is not installed")
    return Workbooks(tmp_path_factory.mktemp("workbooks"))


def results(file: Path) -> dict[int, list[float]]:
    """Read the results from the summary."""
    rows = numbers(cells(file, 0))[1:]
    return {int(row[0]): [cell for cell in row[3:-1:2] if cell is not None] for row in rows}


def settled(sheets: pl.DataFrame, convention: pref.Convention) -> dict[int, list[float]]:
    column = "result" if convention.rounding == "exact" else "rounded"
    rows = pref.settle(sheets, convention).select("pulka", pl.col(column).cast(pl.Float64).round(6))
    found: dict[int, list[float]] = {}
    for pulka, result in rows.iter_rows():
        if result is not None:
            found.setdefault(pulka, []).append(result)
    return found


@pytest.mark.parametrize("name", CASES)
def test_a_calculated_workbook_has_our_results(name: str, workbooks: Workbooks) -> None:
    convention = CASES[name][1]
    sheets = pref.sheets(workbooks.archives[name], convention)
    expected = settled(sheets, convention)
    found = results(workbooks.calculated(name))
    assert set(found) == set(sheets["pulka"])
    assert {pulka: cells for pulka, cells in found.items() if cells} == expected
    written = fastexcel.read_excel(workbooks.written(name)).sheet_names
    for number, sheet in enumerate(written):  # what stands in the file is what a program that calculates comes to
        assert numbers(cells(workbooks.written(name), number)) == numbers(cells(workbooks.calculated(name), number)), (
            sheet
        )


@pytest.mark.parametrize("name", CHANGED)
def test_a_changed_entry_changes_the_settlement_as_settle_does(name: str, workbooks: Workbooks) -> None:
    convention = CASES[name][1]
    sheets = pref.sheets(workbooks.archives[name], convention)
    file = workbooks.calculated(name, "changed")
    first = fastexcel.read_excel(file).sheet_names[1]
    letters, _ = workbooks.changes[name]
    place = sum((ord(sign) - ord("A") + 1) * 26**power for power, sign in enumerate(reversed(letters))) - 3
    players = int(sheets.filter(pulka=int(first))["players"][0])
    column = columns_of(sheets, players)[place]
    changed = sheets.with_columns(
        (pl.col(column) + pl.when(pl.col("pulka") == int(first)).then(3).otherwise(0)).alias(column)
    )
    before, after = settled(sheets, convention), settled(changed, convention)
    found = results(file)
    key = int(first)
    assert before.get(key) != after.get(key)
    assert [cell for cell in found[key] if cell is not None] == after.get(key, [])
    assert {pulka: found[pulka] for pulka in before if pulka != key} == {
        pulka: cells for pulka, cells in before.items() if pulka != key
    }


def columns_of(sheets: pl.DataFrame, players: int) -> list[str]:
    """List the columns in the order of a workbook: those of a player together."""
    seats = "abcd"[:players]
    names = [
        name for name in sheets.columns if re.fullmatch(r"(bullet|mountain|whists|contract|juha)_[a-d]{1,2}", name)
    ]
    return [name for seat in seats for name in names if name.split("_")[1][0] == seat and name[-1] in seats]


def test_the_same_pulkas_give_the_same_bytes(tmp_path: Path) -> None:
    club = pref.sample(5, players=4, seed=2)
    files = [pref.export(club, tmp_path / f"{number}.xlsx", language="ru") for number in (1, 2)]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_adjustments_help_and_deals_after_the_end_are_seen(tmp_path: Path) -> None:
    club = pref.sample(30, players=4, convention="leningrad", seed=3)
    late = pref.sheets(club, "leningrad").filter(pl.col("deals_after_end") > 0)
    fine = pref.correct_over_writing(1, 2, "c", "bullet", 4)
    file = pref.export(pref.with_adjustments(club, fine), tmp_path / "club.xlsx", convention="sochi")
    rows = [" ".join(cell for cell in row if cell) for row in cells(file, "1")]
    assert sum("adjustment" in row for row in rows) == fine.height
    helped = pref.ledger(club, "sochi").filter(pulka=1).select("^help_.*$").fill_null(0).sum_horizontal()
    assert sum("help" in row for row in rows) == (helped > 0).sum()
    assert late.is_empty() or late.height > 0
    total = next(row for row in numbers(cells(file, "1")) if row[1] == "total")
    sheet = pref.sheets(pref.with_adjustments(club, fine), "sochi").filter(pulka=1)
    assert total[2:22] == [float(sheet[name][0]) for name in columns_of(sheet, 4)]


def test_what_is_not_rounded_is_left_empty(tmp_path: Path) -> None:
    club, convention = pref.sample(6, players=4, seed=2), "mendelev"
    file = pref.export(club, tmp_path / "club.xlsx", convention=convention, rounding="code")
    rounded = pref.settle(pref.sheets(club, convention), convention, rounding="code")
    unrounded = set(rounded.filter(pl.col("rounded").is_null())["pulka"])
    rows = numbers(cells(file, 0))[1:]
    assert {row[0] for row in rows if set(row[3::2]) == {None} and row[-1] is None} == unrounded
    assert 0 < len(unrounded) < club.pulkas.collect().height


def test_an_adjustment_after_the_end_is_seen_and_does_not_count(tmp_path: Path) -> None:
    club = pref.sample(30, players=4, convention="leningrad", seed=3)
    shorter = pref.archive(club.pulkas.with_columns(bullet_limit=pl.lit(3, dtype=pl.UInt16)), club.deals)
    sheets = pref.sheets(shorter, "leningrad")
    late = sheets.filter(pl.col("deals_after_end") > 0).row(0, named=True)
    after = late["deals_scored"] + 1
    fined = pref.with_adjustments(shorter, pref.correct_over_writing(late["pulka"], after, "c", "bullet", 4))
    file = pref.export(fined, tmp_path / "club.xlsx", convention="leningrad", pulkas=[late["pulka"]])
    rows = cells(file, 1)
    told = [row for row in rows if "adjustment" in row]
    assert sorted(cell for row in told for cell in row[2:22] if cell) == ["-4", "4", "4"]
    assert all(any("after the end" in (cell or "") for cell in row) for row in told)
    total = next(row for row in numbers(rows) if row[1] == "total")
    assert total[2:22] == [float(late[name]) for name in columns_of(sheets, 4)]


def test_a_text_that_no_cell_holds_is_told(tmp_path: Path) -> None:
    club = pref.sample(1, players=2, seed=1)
    named = pref.archive(club.pulkas.with_columns(player_a=pl.lit("x" * 32_768)), club.deals)
    with pytest.raises(pref.PrefdataError, match=r"has 32768 characters, and a cell holds 32767\nShorten it"):
        pref.export(named, tmp_path / "club.xlsx")
    assert not list(tmp_path.iterdir())


def test_a_workbook_without_its_library_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(pref.PrefdataError, match=r"need an extra\npython -m pip install 'prefdata\[excel\]'"):
        pref.export(pref.sample(1, players=2, seed=1), tmp_path / "club.xlsx")
    assert not list(tmp_path.iterdir())


def test_a_workbook_speaks_its_language(tmp_path: Path) -> None:
    for number, club in enumerate((pref.sample(3, players=4, seed=1), pref.sample(20, convention="balkan", seed=4))):
        file = pref.export(club, tmp_path / f"{number}.xlsx", language="ru")
        for sheet in fastexcel.read_excel(file).sheet_names:
            told = " ".join(cell for row in cells(file, sheet)[1:] for cell in row if cell)
            assert not re.findall(r"raspasy|misere|all_pass|spades|bettel|gave_refe|doubled|cut", told)


@pytest.mark.parametrize("kind", [2, 3, 4, "mix", "balkan"])
def test_a_table_of_deals_comes_back_equal(kind: Any, tmp_path: Path) -> None:
    balkan = kind == "balkan"
    club = pref.sample(20, convention="balkan", seed=5) if balkan else pref.sample(20, players=kind, seed=5)
    file = pref.export(club, tmp_path / "club.csv")
    back = pref.import_file(file)
    assert (back.rows, back.good, back.notes.height) == (club.deals.collect().height,) * 2 + (0,)
    assert back.archive is not None
    assert back.archive.pulkas.collect().equals(club.pulkas.collect())
    mine, theirs = (one.deals.collect().drop("outcome", strict=False) for one in (club, back.archive))
    assert theirs.equals(mine)


def test_a_document_holds_everything(tmp_path: Path) -> None:
    club = pref.sample(4, players=3, seed=6)
    file = pref.export(club, tmp_path / "club.json", convention="rostov", pulkas=[2, 4])
    told = json.loads(file.read_text(encoding="utf-8"))
    assert (told["format"], told["schema_version"]) == ("prefdata", 1)
    assert [pulka["pulka"] for pulka in told["pulkas"]] == [2, 4]
    sheets = pref.sheets(club, "rostov")
    results = pref.settle(sheets, "rostov")
    for pulka in told["pulkas"]:
        deals = club.deals.filter(pl.col("pulka") == pulka["pulka"]).collect()
        assert [deal["contract"] for deal in pulka["deals"]] == deals["contract"].to_list()
        assert pulka["sheet"]["mountain_b"] == sheets.filter(pulka=pulka["pulka"])["mountain_b"][0]
        mine = results.filter(pulka=pulka["pulka"])["result_twelfths"].to_list()
        assert [row["result_twelfths"] for row in pulka["settlement"]] == mine
        assert pref.Convention.from_dict(pulka["scored_under"]) == pref.convention("rostov")


HOSTILE = [
    "=1+1",
    "+7",
    "-Anna",
    "@SUM(A1)",
    "'=x",
    "''",
    "<b>&amp;",
    "Анна",
    "a,b;c",
    'say "hi"',
    "=cmd|' /C calc'!A0",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_texts_stay_texts_in_every_format(name: str, tmp_path: Path) -> None:
    check_name(name, tmp_path)


@settings(max_examples=8)
@given(name=st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(str.strip))
def test_drawn_names_stay_what_they_are(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    check_name(" ".join(name.split()), tmp_path_factory.mktemp("names"))


def check_name(name: str, folder: Path) -> None:
    club = pref.sample(1, players=2, seed=1)
    named = pref.archive(club.pulkas.with_columns(player_a=pl.lit(name), place=pl.lit(name)), club.deals)
    back = pref.import_file(pref.export(named, folder / "club.csv"))
    assert back.archive is not None
    assert back.archive.pulkas.select("player_a", "place").collect().row(0) == (name, name)
    first = (folder / "club.csv").read_text(encoding="utf-8").splitlines()[1]
    assert not any(cell.lstrip('"').startswith(("=", "+", "@")) for cell in first.split(","))
    told = json.loads(pref.export(named, folder / "club.json").read_text(encoding="utf-8"))
    assert told["pulkas"][0]["player_a"] == name
    workbook = pref.export(named, folder / "club.xlsx")
    assert cells(workbook, 0)[1][2] == name
    with zipfile.ZipFile(workbook) as parts:
        formulas = re.findall(r"<f>([^<]*)</f>", parts.read("xl/worksheets/sheet2.xml").decode())
    assert not any("cmd" in formula for formula in formulas)


def test_what_cannot_be_exported_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    club = pref.write_archive(pref.sample(3, players=3, seed=1), tmp_path / "club")
    assert main(["export", str(club.path), "--out", str(tmp_path / "a.csv"), "--pulka", "7", "--pulka", "2"]) == 2
    assert "has no pulka 7" in capsys.readouterr().err
    assert main(["export", str(club.path), "--out", str(tmp_path / "a.doc")]) == 2
    assert "a.doc" in capsys.readouterr().err
    assert main(["export", str(club.path), "--out", str(tmp_path / "a.json"), "--pulka", "2"]) == 0
    assert main(["export", str(club.path), "--out", str(tmp_path / "a.json")]) == 2
    assert main(["export", str(club.path), "--out", str(tmp_path / "a.json"), "--overwrite"]) == 0
    capsys.readouterr()
    fined = pref.with_adjustments(club, pref.correct_over_writing(1, 2, "c", "bullet", 4))
    with pytest.raises(pref.PrefdataError, match="pulka 1 has adjustments"):
        pref.export(fined, tmp_path / "b.csv")
    with pytest.raises(pref.PrefdataError, match="too many for a workbook"):
        pref.export(pref.sample(501, players=2, seed=1), tmp_path / "b.xlsx")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "club"]


def test_pulkas_that_break_a_rule_are_left_out_and_told(tmp_path: Path) -> None:
    club = pref.sample(3, players=3, seed=1)
    broken = pref.archive(club.pulkas.with_columns(players=pl.col("players") + (pl.col("pulka") == 2)), club.deals)
    pref.write_archive(club, tmp_path / "club")
    with pytest.warns(pref.SetAsideWarning, match="set aside: 1 pulka"):
        file = pref.export(broken, tmp_path / "club.json")
    assert [pulka["pulka"] for pulka in json.loads(file.read_text())["pulkas"]] == [1, 3]
