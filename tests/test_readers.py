"""Files of people, read: whatever they were saved as, and whatever is wrong with them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.cli import main
from prefdata.readers import FORMATS

DATA = Path(__file__).parent / "data"
RUSSIAN_EXCEL = DATA / "readers" / "club-cp1251.csv"


def test_each_format_is_named_as_it_is_listed() -> None:
    assert all(name == one.name and one.title and one.endings for name, one in FORMATS.items())


def test_a_clubs_table_imports_and_settles_in_a_command_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sheets.csv"
    assert main(["import", str(DATA / "club-sheets.csv"), "--out", str(out)]) == 0
    assert "37 rows read: 37 good, 0 set aside." in capsys.readouterr().out
    assert main(["settle", str(out), "-c", "sochi", "--out", str(tmp_path / "settled.csv")]) == 0
    settled = pl.read_csv(tmp_path / "settled.csv")
    assert settled.group_by("pulka").agg(pl.sum("result_twelfths"))["result_twelfths"].unique().to_list() == [0]
    first = pl.read_csv(DATA / "club-sheets.csv").row(0, named=True)
    assert first["pulka"] == "W001"
    sums = [first[f"hill{seat}"] for seat in (1, 2, 3)]
    balance = first["w12"] + first["w13"] - first["w21"] - first["w31"]
    assert settled["result_twelfths"][0] == 40 * sum(sums) - 120 * sums[0] + 12 * balance


def test_stale_rows_are_named_or_cleared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dirty, rejects = DATA / "club-sheets-dirty.csv", tmp_path / "rejects.csv"
    words = ["import", str(dirty), "--out", str(tmp_path / "sheets.csv")]
    assert main([*words, "--rejects", str(rejects)]) == 1
    assert "4 rows read: 1 good, 3 set aside." in capsys.readouterr().out
    listed = pl.read_csv(rejects)
    assert listed["row"].to_list() == [2, 3, 5]
    assert listed["value"].str.starts_with("mountain_d=").all()
    assert listed["reason"].str.contains("left over").all()
    assert main([*words, "--repair", "--overwrite"]) == 0
    assert "3 values put right" in capsys.readouterr().out
    repaired = pref.import_file(dirty, repair=True)
    assert repaired.notes["row"].to_list() == [2, 3, 5]
    assert repaired.sheets is not None
    assert repaired.sheets.filter(players=3).select(pl.col("^.*_(d|d.|.d)$").null_count()).row(0) == (3,) * 7


def test_a_russian_excels_table_needs_no_option() -> None:
    imported = pref.import_file(RUSSIAN_EXCEL)
    assert (imported.rows, imported.good) == (4, 2)
    assert imported.sheets is not None
    assert imported.sheets.select("pulka", "players", "bullet_limit", "player_a", "stake").rows() == [
        (1, 3, 20, "Анна", 0.5),
        (2, 4, 10, "Вера", 0.5),
    ]
    columns = ["mountain_b", "whists_bc", "whists_ca", "mountain_d"]
    assert imported.sheets.select(columns).rows() == [(-3, 44.5, 0, None), (2, 6, 1020, 11)]
    aside = imported.failures.frame.sort("row")
    assert aside.select("row", "value").rows() == [(4, "mountain_a=много"), (5, "mountain_d=18")]
    settled = pref.settle(imported.sheets, "sochi")
    assert settled.filter(pulka=2)["money"].null_count() == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1251"])
@pytest.mark.parametrize("separator", ";,\t|")
def test_encodings_and_separators_do_not_count(encoding: str, separator: str, tmp_path: Path) -> None:
    text = RUSSIAN_EXCEL.read_text(encoding="cp1251").replace("44,5", "44.5").replace("0,5", "0.5")
    file = tmp_path / "club.csv"
    file.write_bytes(text.replace(";", separator).encode(encoding))
    expected, got = pref.import_file(RUSSIAN_EXCEL), pref.import_file(file)
    assert got.sheets is not None
    assert expected.sheets is not None
    assert_frame_equal(got.sheets, expected.sheets)
    assert_frame_equal(got.failures.frame.drop("file"), expected.failures.frame.drop("file"))


def test_headings_of_ones_own_are_mapped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "club.csv"
    file.write_text("Hill of Anna,hill2,w12,w21\n4,2,30,10\n", encoding="utf-8")
    words = ["import", str(file), "--out", str(tmp_path / "sheets.csv"), "--format", "club-sheets"]
    assert main(words) == 2
    assert "no column for mountain_a" in capsys.readouterr().err
    assert main([*words, "--map", "Hill of Anna=mountain_a"]) == 2
    assert "--limit 20" in capsys.readouterr().err
    assert main([*words, "--map", "Hill of Anna=mountain_a", "--limit", "20", "--players", "Anna,Boris"]) == 0
    sheet = pl.read_csv(tmp_path / "sheets.csv").row(0, named=True)
    assert (sheet["mountain_a"], sheet["bullet_limit"], sheet["player_b"]) == (4, 20, "Boris")


@pytest.mark.parametrize("text", ["", "\n\n", "a", "a,b\n", "a;b\n1;2\n", "a,a\n1,2\n", "\0\0\0", "PK\3\4"])
def test_what_is_no_table_is_refused(text: str, tmp_path: Path) -> None:
    for ending in (".csv", ".xlsx", ".ods", ".ppn"):
        file = tmp_path / f"file{ending}"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(pref.PrefdataError) as refused:
            pref.import_file(file)
        assert str(file) in str(refused.value)


CELLS = st.text(alphabet="0123456789 -−,.;\n\t\"'=#мcpWистыГОРА|\0", max_size=12)


@given(
    st.sampled_from([*FORMATS, None]),
    st.one_of(
        st.binary(max_size=200),
        st.lists(CELLS, max_size=40).map(lambda cells: ",".join(cells).encode()),
        st.lists(CELLS, max_size=12).map(
            lambda cells: ("limit,hill1,hill2,w12,w21\n" + "\n".join(cells)).encode("utf-16")
        ),
    ),
    st.sampled_from([".csv", ".xlsx", ".ods"]),
)
def test_no_bytes_make_anything_but_rows_or_a_clear_error(format: str | None, content: bytes, ending: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"file{ending}")
        file.write_bytes(content)
        try:
            imported = pref.import_file(file, format=format)
        except pref.PrefdataError as error:
            is_told = bool(error.hint)
        else:
            is_told = imported.good == imported.rows or len(imported.failures) > 0
            assert 0 <= imported.good <= imported.rows
        assert is_told
