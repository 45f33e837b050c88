"""The form to type into: written, filled in through LibreOffice, read back and scored."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any
from xml.dom import minidom

import polars as pl
import pytest

import prefdata as pref
from prefdata.cli import main
from prefdata.readers import forms
from prefdata.settlement.workbooks import read_cells
from prefdata.writers import write_form

NAMES = ("Anna", "Борис", "Vera-Maria", "Gleb")
Deal = dict[str, Any]
ABSENT: dict[str, Any] = {"convention": "sochi", "bullet_limit": 10, "stake": 0.5, "place": "Club"}

TWO: list[Deal] = [
    {"dealer": 0, "contract": "6", "trump": "spades", "declarer": 1, "call_a": "whist", "tricks_a": 4, "tricks_b": 6},
    {"dealer": 1, "contract": "misere", "declarer": 0, "tricks_a": 1},
]
THREE: list[Deal] = [
    {"dealer": 0, "contract": "6", "declarer": 1, "call_a": "whist", "call_c": "pass"}
    | {"tricks_a": 3, "tricks_b": 7, "tricks_c": 0},
    {"dealer": 1, "contract": "raspasy", "tricks_a": 4, "tricks_b": 0, "tricks_c": 6},
    {"dealer": 2, "contract": "7", "trump": "notrump", "declarer": 0, "call_b": "pass", "call_c": "pass"},
    {"dealer": 0, "contract": "6", "declarer": 2, "call_a": "pass", "call_b": "half"},
    {"dealer": 1, "contract": "8", "declarer": 2, "conceded": "true"},
]
FOUR: list[Deal] = [
    {"dealer": 0, "contract": "6", "trump": "hearts", "declarer": 1, "call_c": "whist", "call_d": "pass"}
    | {"tricks_b": 7, "tricks_c": 3, "tricks_d": 0},
    {"dealer": 1, "contract": "raspasy", "tricks_a": 5, "tricks_c": 3, "tricks_d": 2},
]
BALKAN: list[Deal] = [
    {"dealer": 0, "contract": "diamonds", "declarer": 1, "call_a": "pass", "call_c": "come"}
    | {"tricks_a": 0, "tricks_b": 7, "tricks_c": 3},
    {"dealer": 1, "contract": "all_pass"},
]
GAMES: dict[str, tuple[str, int, str, list[Deal], dict[str, int]]] = {
    # b makes a six, 2; a whists four tricks for 2 each, and takes a trick in a misère: 10 into the mountain
    "two": ("russian", 2, "hussar", TWO, {"bullet_a": 0, "bullet_b": 2, "mountain_a": 10, "whists_ab": 8}),
    # six made: b 2, a 3 whists for 2 each and one short: 2; raspasy: 4, 0 with a bullet point, 6; a's seven passed
    # out: 4; c's six left for half a whist, b two tricks for 2; an eight given up: three for 6 each
    "three": (
        *("russian", 3, "sochi", THREE),
        {"bullet_a": 4, "bullet_b": 3, "bullet_c": 2, "mountain_a": 6, "mountain_b": 0, "mountain_c": 24}
        | {"whists_ab": 6, "whists_bc": 4},
    ),
    # six made: b 2, c 3 whists for 2 each and one short: 2; raspasy 5, 3, 2, and b, who sits out, a bullet point
    "four": (
        *("russian", 4, "sochi", FOUR),
        {"bullet_b": 3, "mountain_a": 5, "mountain_b": 0, "mountain_c": 5, "mountain_d": 2, "whists_cb": 6},
    ),
    # diamonds are worth 6: b from -30 to -24, c writes three tricks
    "balkan": ("balkan", 3, "balkan", BALKAN, {"contract_a": -30, "contract_b": -24, "juha_cb": 18, "refes_a": 1}),
}
CASES = [(language, name) for language in forms.FORM_LANGUAGES for name in GAMES]
WRONG = ("en", "wrong")
COLUMNS = [forms.deal_columns(game, players) for game, players in (("russian", 3), ("balkan", 3))]
ALL_WORDS = {word for columns in COLUMNS for words in columns.values() for word in words}


def cells_of(language: str, name: str) -> dict[tuple[str, int, int], Any]:
    """Tell what is typed, by sheet, row and column from 0."""
    words = forms.form_words(language)
    game, players, convention, deals, _ = GAMES["three" if name == "wrong" else name]
    rows = forms.table_rows(players)
    table: dict[str, Any] = {f"player_{seat}": player for seat, player in zip("abcd"[:players], NAMES, strict=False)}
    table |= ABSENT | {"convention": convention, "bullet_limit": 30 if game == "balkan" else 10}
    typed: dict[tuple[str, int, int], Any] = {(words.table, rows.index(key), 1): value for key, value in table.items()}
    columns = list(forms.deal_columns(game, players))
    for line, deal in enumerate(deals, start=1):
        for column, value in deal.items():
            shown = NAMES[value] if column in ("dealer", "declarer") else words.words.get(value, value)
            typed[words.deals, line, columns.index(column)] = shown
    if name == "wrong":
        typed |= {(words.deals, 1, columns.index("dealer")): "Zoe", (words.deals, 2, columns.index("tricks_a")): "four"}
        typed |= {(words.deals, 2, columns.index("tricks_c")): 5}
    return typed


def fill(file: Path, typed: dict[tuple[str, int, int], Any]) -> None:
    """Type into a flat OpenDocument spreadsheet."""
    document = minidom.parse(str(file))
    sheets = {one.getAttribute("table:name"): one for one in document.getElementsByTagName("table:table")}
    for (sheet, row, column), value in typed.items():
        line = alone(sheets[sheet].getElementsByTagName("table:table-row"), "table:number-rows-repeated", row)
        cell = alone(line.getElementsByTagName("table:table-cell"), "table:number-columns-repeated", column)
        empty(cell)
        is_number = isinstance(value, int | float)
        cell.setAttribute("office:value-type", "float" if is_number else "string")
        if is_number:
            cell.setAttribute("office:value", str(value))
        text = document.createElement("text:p")
        text.appendChild(document.createTextNode(str(value)))
        cell.appendChild(text)
    for cell in document.getElementsByTagName("table:table-cell"):
        if cell.hasAttribute("table:formula"):  # LibreOffice works out what has no value
            empty(cell)
            for value in ("office:string-value", "office:value-type", "calcext:value-type"):
                if cell.hasAttribute(value):
                    cell.removeAttribute(value)
    file.write_text(document.toxml(), encoding="utf-8")


def empty(cell: Any) -> None:
    while cell.firstChild:
        cell.removeChild(cell.firstChild)


def alone(elements: Any, repeated: str, number: int) -> Any:
    """Give the row or cell of a number, cut out of a repeated one."""
    at = 0
    for element in elements:
        times = int(element.getAttribute(repeated) or 1)
        if at <= number < at + times:
            for count, before in ((number - at, True), (at + times - 1 - number, False)):
                if count:
                    copy = element.cloneNode(True)
                    copy.setAttribute(repeated, str(count))
                    element.parentNode.insertBefore(copy, element if before else element.nextSibling)
            if times > 1:
                element.removeAttribute(repeated)
            return element
        at += times
    raise AssertionError(number)


def convert(files: list[Path], ending: str, profile: Path) -> None:
    office = shutil.which("soffice")
    assert office is not None
    words = [office, f"-env:UserInstallation={profile.as_uri()}", "--headless", "--convert-to", ending]
    subprocess.run(
        [*words, "--outdir", str(files[0].parent), *map(str, files)], check=True, capture_output=True, timeout=300
    )


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Path]:
    """Forms of all kinds, filled in, opened and saved by LibreOffice."""
    if shutil.which("soffice") is None:
        pytest.skip("LibreOffice is not installed")
    folder = tmp_path_factory.mktemp("forms")
    empty = {case: folder / f"{'-'.join(case)}.xlsx" for case in [*CASES, WRONG]}
    for (language, name), file in empty.items():
        game, players, *_ = GAMES["three" if name == "wrong" else name]
        write_form(file, players=players, game=game, language=language)
    convert(list(empty.values()), "fods", folder / "profile")
    for (language, name), file in empty.items():
        file.unlink()
        fill(file.with_suffix(".fods"), cells_of(language, name))
    convert([file.with_suffix(".fods") for file in empty.values()], "xlsx", folder / "profile")
    return empty


@pytest.mark.parametrize(("language", "name"), CASES)
def test_a_filled_form_gives_the_sheet(
    language: str, name: str, filled: dict[tuple[str, str], Path], tmp_path: Path
) -> None:
    _, players, convention, _, expected = GAMES[name]
    out = tmp_path / "archive"
    assert main(["import", str(filled[language, name]), "--out", str(out)]) == 0
    archive = pref.open_archive(out)
    assert archive.pulkas.select("players", "player_b", "stake", "place").collect().rows() == [
        (players, "Борис", 0.5, "Club")
    ]
    sheet = pref.sheets(archive, convention).row(0, named=True)
    assert {column: sheet[column] for column in expected} == expected


def test_what_was_typed_wrong_is_named_by_its_cell(filled: dict[tuple[str, str], Path]) -> None:
    columns = list(forms.deal_columns("russian", 3))
    letters = {name: chr(ord("A") + place) for place, name in enumerate(columns)}
    read = pref.import_file(filled[WRONG])
    assert (read.good, read.rows) == (0, 5)
    values = read.failures.frame["value"].to_list()
    assert values == [f"sheet Deals, {letters['tricks_a']}3: four", f"sheet Deals, {letters['dealer']}2: Zoe"]
    checks = read_cells(filled[WRONG].read_bytes(), "Deals", has_headings=False)[:, len(columns)]
    assert checks[:4].to_list() == ["Check", "ok", "tricks: 5", ""]
    headings = read_cells(filled[WRONG].read_bytes(), "Deals", has_headings=False).row(0)
    assert f"Tricks {NAMES[0]}" in headings


def test_an_empty_form_has_no_deals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    form = tmp_path / "pulka.xlsx"
    assert main(["template", str(form), "--lang", "ru"]) == 0
    assert main(["template", str(form)]) == 2
    assert main(["template", str(form), "--overwrite", "--game", "balkan"]) == 0
    assert main(["import", str(form), "--out", str(tmp_path / "archive")]) == 2
    assert "has no deals" in capsys.readouterr().err
    with pytest.raises(pref.PrefdataError, match="not for 4 players"):
        write_form(tmp_path / "four.xlsx", players=4, game="balkan")
    with pytest.raises(pref.PrefdataError, match=r"does not end in \.xlsx"):
        write_form(tmp_path / "pulka.ods")


@pytest.mark.parametrize("language", forms.FORM_LANGUAGES)
@pytest.mark.parametrize(("game", "players"), [("russian", 2), ("russian", 4), ("balkan", 3)])
def test_all_of_a_form_has_words(language: str, game: str, players: int) -> None:
    words = forms.form_words(language)
    columns = forms.deal_columns(game, players)
    kinds = {
        name if name in words.headings else name.partition("_")[0] for name in (*columns, *forms.table_rows(players))
    }
    assert kinds <= set(words.headings)
    assert {word for word in words.words if word != "true"} <= ALL_WORDS
    assert pl.Series(list(words.headings.values())).is_unique().all()
