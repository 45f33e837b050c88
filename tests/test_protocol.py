"""Protocols of deals, as people type them and as programs write them."""

from __future__ import annotations

import random
import shutil
import subprocess
import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.cli import main
from prefdata.readers import Imported, Options, _plain
from tests import strategies
from tests.records import archive_of

TYPED = Path(__file__).parent / "data" / "readers" / "protocol-cp1251.csv"
PLAIN = "deal,dealer,contract,declarer,call_a,call_b,call_c,tricks_a,tricks_b,tricks_c\n"


def imported(text: str, tmp_path: Path, **options: object) -> Imported:
    file = tmp_path / "protocol.csv"
    file.write_text(text, encoding="utf-8")
    return pref.import_file(file, **({"bullet_limit": 10, "convention": "sochi"} | options))  # type: ignore[arg-type]


def deals(read: Imported) -> pl.DataFrame:
    assert read.archive is not None
    return read.archive.deals.collect()


def test_a_russian_protocol_needs_no_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "archive"
    assert main(["import", str(TYPED), "--out", str(out)]) == 1
    told = capsys.readouterr().out
    assert "7 rows read: 5 good, 2 set aside." in told
    assert "Контракт=пять" in told
    archive = pref.open_archive(out)
    pulkas = archive.pulkas.collect()
    assert pulkas.select("pulka", "players", "bullet_limit", "convention", "player_b", "player_c", "stake").rows() == [
        (1, 3, 10, "sochi", "Борис", "Вера", 0.5)
    ]
    read = archive.deals.select("dealer", "declarer", "contract", "trump", "call_a", "call_b", "call_c").collect()
    assert read.rows() == [
        ("a", "b", "6", "spades", "whist", None, "pass"),
        ("b", "c", "misere", None, None, None, None),
        ("c", None, "raspasy", None, None, None, None),
        ("a", "a", "7", "notrump", None, "pass", "pass"),
        ("b", "c", "6", "hearts", "pass", "half", None),
    ]
    tricks = archive.deals.select("tricks_a", "tricks_b", "tricks_c").collect().rows()
    assert tricks == [(3, 7, 0), (None, None, 1), (4, 0, 6), (None,) * 3, (None,) * 3]
    sheet = pref.sheets(archive, "sochi").row(0, named=True)
    # b makes a six: bullet 2; a alone whists three tricks for 2 each, and is one trick short of four: mountain 2
    # c takes one trick in a misère: mountain 10; the first raspasy: a 4, c 6, b none and 1 into the bullet
    # a makes a passed out seven: bullet 4; c's six is left for half a whist, two tricks for 2 each: b writes 4 on c
    names = ("bullet_a", "bullet_b", "bullet_c", "mountain_a", "mountain_b", "mountain_c", "whists_ab", "whists_bc")
    assert [sheet[name] for name in names] == [4, 3, 2, 6, 0, 16, 6, 4]


CONTRACTS = {
    "6": ("6", None),
    "6♠": ("6", "spades"),
    "6 пик": ("6", "spades"),
    "7БК": ("7", "notrump"),
    "8 ♥": ("8", "hearts"),
    "9 бубен": ("9", "diamonds"),
    "десятерная": ("10", None),
    "10 треф": ("10", "clubs"),
    "6s": ("6", "spades"),
    "7 NT": ("7", "notrump"),
}


@pytest.mark.parametrize("written", CONTRACTS)
def test_contracts_are_read(written: str, tmp_path: Path) -> None:
    level, trump = CONTRACTS[written]
    read = imported(PLAIN + f"1,a,{written},a,,w,p,10,0,0\n", tmp_path)
    assert deals(read).select("contract", "trump").row(0) == (level, trump)
    assert read.notes.is_empty()


@pytest.mark.parametrize("written", ["M", "м", "Мизер", "misère", "МИЗ", "M/-2", "мизер – 2"])
def test_miseres_are_read(written: str, tmp_path: Path) -> None:
    read = imported(PLAIN + f"1,a,{written},b,-,-,-,,2,\n", tmp_path)
    assert deals(read).select("contract", "tricks_b").row(0) == ("misere", 2)


@pytest.mark.parametrize("written", ["Р", "распасы", "РП", "raspasy", "P 3-4-3"])
def test_raspasy_is_read(written: str, tmp_path: Path) -> None:
    read = imported(PLAIN + f"1,a,{written},,,,,3,4,3\n", tmp_path)
    assert deals(read).select("contract", "tricks_a", "tricks_b").row(0) == ("raspasy", 3, 4)


CALLS = {"whist": "вист в В w W + whist vist", "pass": "пас п П p P − – - pass", "half": "полвиста в½ ½ пв half"}


@pytest.mark.parametrize(("call", "written"), [(call, one) for call, every in CALLS.items() for one in every.split()])
def test_calls_are_read(call: str, written: str, tmp_path: Path) -> None:
    others = {"whist": "п", "pass": "в", "half": "п"}
    tricks = ",,," if call == "half" else ",6,4,0"
    first, second = (others[call], written)
    read = imported(PLAIN + f"1,c,6,a,,{first},{second}{tricks}\n", tmp_path)
    assert deals(read)["call_c"].to_list() == [call]


def test_results_beside_games_are_understood(tmp_path: Path) -> None:
    heads = "dealer,declarer,contract,result,call_a,call_b,call_c,tricks_a,tricks_b,tricks_c\n"
    rows = "a,b,,7/+1,в,,п,2,,0\nb,c,,M/-2,,,,,,\nc,,,Р 3-4-3,,,,,,\na,a,,6/=,,п,п,,,\nb,a,8,без трёх,,,,,,\n"
    read = imported(heads + rows, tmp_path)
    assert read.failures.frame.is_empty()
    tricks = deals(read).select("tricks_a", "tricks_b", "tricks_c").rows()
    assert tricks == [(2, 8, 0), (None, None, 2), (3, 4, 3), (None,) * 3, (None,) * 3]
    assert deals(read).select("contract", "conceded").row(4) == ("8", True)
    contradicted = imported(heads + "a,b,,7/+1,в,,п,3,7,0\n", tmp_path)
    assert contradicted.failures.counts() == {"result_agrees": 1}


def test_pulkas_are_told_by_empty_lines_and_lines_above(tmp_path: Path) -> None:
    row = "1,a,6,a,,в,п,6,4,0\n2,b,6,a,,в,п,6,4,0\n"
    first, second = "Игроки: Anna, Boris, Vera\nПуля до: 20\n", "Игроки: Gleb; Anna; Boris\nПуля до: 30\n"
    text = f"{first}{PLAIN}{row}\n{second}{PLAIN}{row}\n{row}"
    read = imported(text, tmp_path, bullet_limit=None)
    assert read.archive is not None
    pulkas = read.archive.pulkas.select("pulka", "bullet_limit", "player_a").collect().rows()
    assert pulkas[:2] == [(1, 20, "Anna"), (2, 30, "Gleb")]
    assert read.failures.counts()["limit_is_given"] == 1  # the third has none
    assert read.failures.pulkas.to_list() == [3]


def test_headings_may_name_other_players_further_down(tmp_path: Path) -> None:
    def pulka(*names: str) -> str:
        columns = ";".join(f"{word} {name}" for word in ("Вист", "Взятки") for name in names)
        return f"Сдаёт;Играет;Контракт;{columns}\n{names[0]};{names[1]};6♠;в;;п;3;7;0\n\n"

    read = imported(pulka("Anna", "Boris", "Vera") + pulka("Vera", "Gleb", "Anna"), tmp_path)
    assert read.archive is not None
    names = read.archive.pulkas.select("player_a", "player_b", "player_c").collect().rows()
    assert names == [("Anna", "Boris", "Vera"), ("Vera", "Gleb", "Anna")]
    assert deals(read).select("dealer", "declarer", "call_a", "tricks_b").rows() == [("a", "b", "whist", 7)] * 2
    moved = imported("Игроки: Vera, Anna, Boris\n" + pulka("Anna", "Boris", "Vera"), tmp_path)
    assert set(moved.failures.counts()) == {"headings_agree"}


def test_a_wrong_cell_sets_its_pulka_aside(tmp_path: Path) -> None:
    good = "1,1,a,6,a,,в,п,6,4,0\n"
    wrong = {
        "dealer": "2,1,Zoe,6,a,,в,п,6,4,0\n",
        "call_b": "3,1,a,6,a,,maybe,п,6,4,0\n",
        "tricks_a": "4,1,a,6,a,,в,п,six,4,0\n",
    }
    second = "".join(f"{key},2,a,6,a,,в,п,6,4,0\n" for key in (2, 3, 4))
    read = imported("pulka," + PLAIN + good + "".join(wrong.values()) + second, tmp_path)
    assert (read.rows, read.good) == (7, 1)
    told = {row["rule"]: row for row in read.failures.frame.iter_rows(named=True)}
    assert {name: told[name]["row"] for name in wrong} == {"dealer": 3, "call_b": 4, "tricks_a": 5}
    assert told["tricks_a"]["value"] == "tricks_a=six"
    assert deals(read)["pulka"].to_list() == [1]


@pytest.mark.parametrize("ending", [".xlsx", ".ods"])
def test_workbooks_are_read_as_texts_are(ending: str, tmp_path: Path) -> None:
    from xlsxwriter import Workbook  # noqa: PLC0415 - an extra

    file = tmp_path / "protocol.xlsx"
    text = TYPED.read_text(encoding="cp1251")
    with Workbook(str(file)) as book:
        sheet = book.add_worksheet()
        for row, line in enumerate(text.splitlines()):
            for column, cell in enumerate(line.split(";")):
                sheet.write(row, column, int(cell) if cell.isdigit() else cell)
    if ending == ".ods":
        office = shutil.which("soffice")
        if office is None:
            pytest.skip("LibreOffice is not installed")
        words = [
            office,
            f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}",
            "--headless",
            "--convert-to",
            "ods",
        ]
        subprocess.run([*words, "--outdir", tmp_path, file], check=True, capture_output=True, timeout=300)
    expected, got = pref.import_file(TYPED), pref.import_file(file.with_suffix(ending))
    assert_frame_equal(deals(got), deals(expected))
    assert_frame_equal(got.failures.frame.drop("file"), expected.failures.frame.drop("file"))


def archive_and_table(seed: int) -> tuple[pref.Archive, pl.DataFrame]:
    rng = random.Random(seed)
    drawn = [strategies.random_pulka(rng) | {"adjustments": []} for _ in range(40)]
    drawn = [pulka for pulka in drawn if pulka["deals"]]
    archive = archive_of(drawn)
    named = archive.pulkas.with_columns(player_a=pl.lit("Anna"), player_b=pl.lit("Boris"), place=pl.lit("Club, hall 2"))
    archive = pref.archive(named, archive.deals.drop("outcome"))
    table = archive.deals.drop("outcome").collect().join(named.drop("players").collect(), on="pulka")
    return archive, table


@pytest.mark.parametrize("form", ["plain", "semicolons", "shuffled words"])
def test_an_archive_written_as_a_table_comes_back(form: str, tmp_path: Path) -> None:
    archive, table = archive_and_table(3)
    file = tmp_path / "table.csv"
    table.write_csv(file, separator="," if form == "plain" else ";")
    if form == "shuffled words":
        file.write_text(
            file.read_text().replace("misere", "Мизер").replace("half", "в½").replace("pass", "П"), "utf-16"
        )
    assert (_plain.read_plain(file, Options()) is not None) == (form == "plain")
    read = pref.import_file(file)
    assert read.archive is not None
    assert (read.good, read.rows) == (table.height, table.height)
    assert_frame_equal(read.archive.deals.drop("outcome").collect(), archive.deals.drop("outcome").collect())
    assert_frame_equal(read.archive.pulkas.collect(), archive.pulkas.collect())


WORDS = [
    "6",
    "♠",
    "мизер",
    "распасы",
    "в",
    "п",
    "-",
    "a",
    "b",
    "Анна",
    "10",
    "0",
    "7/+1",
    "",
    "\n",
    ";",
    ",",
    '"',
    "½",
    "9" * 30,
]


@settings(max_examples=30)
@given(st.lists(st.sampled_from(WORDS), max_size=60), st.booleans(), st.sampled_from(["utf-8", "utf-16", "cp866"]))
def test_no_text_makes_anything_but_rows_or_a_clear_error(words: list[str], is_plain: bool, encoding: str) -> None:
    heads = ("pulka,players," if is_plain else "") + PLAIN
    text = heads + ",".join(words)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "protocol.csv")
        file.write_bytes(text.encode(encoding, "replace"))
        try:
            read = pref.import_file(file, bullet_limit=10, convention="sochi")
        except pref.PrefdataError as error:
            is_told = bool(error.hint)
        else:
            is_told = read.good == read.rows or len(read.failures) > 0
            assert 0 <= read.good <= read.rows
        assert is_told
