"""Balkan sheets that were recorded without deals, settled by the command."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.balkan.vocabulary import (
    SEATS,
    contract_column,
    entry_columns,
    juha_column,
)
from prefdata.errors import PrefdataError
from tests import second_balkan
from tests.balkan_archives.builders import (
    DATA,
    PAIRS,
    Capture,
    listing,
)
from tests.test_cli import typed

HEADER = ["pulka", "players", "bullet_limit", *entry_columns(), "player_a", "player_b", "stake"]
RECORDED = [
    "1,3,50,10,-4,-6,100,0,40,12,8,60,Ana,Bojan,0.5",
    "2,3,50,-18,-18,-18,0,0,0,0,0,0,,,",
    "3,3,50,1.5,-1.5,0,0,0.5,0,0,0,0,,,2",
    "7,3,30,-20,-13,-1,0,0,0,0,0,0,,,",
]


def recorded(folder: Path, *rows: str, header: list[str] = HEADER) -> Path:
    (folder / "sheets.csv").write_text("\n".join([",".join(header), *rows]) + "\n")
    return folder / "sheets.csv"


def settled(capsys: Capture, sheets: Path, *words: str | Path) -> tuple[int, pl.DataFrame, str]:
    """Settle a file of sheets by the command, into another file."""
    out = sheets.with_name("results.csv")
    code, said, err = typed(capsys, "settle", sheets, "-c", "balkan", *words, "--out", out, "--overwrite")
    assert said == ""
    return code, pl.read_csv(out), err


def test_recorded_sheets_are_settled(tmp_path: Path, capsys: Capture) -> None:
    code, results, _ = settled(capsys, recorded(tmp_path, *RECORDED))
    assert code == 0
    assert results.select(
        "pulka", "seat", "player", "result_twelfths", "rounded", "adjusted", "money", "rank"
    ).rows() == [
        (1, "a", "Ana", 152 * 12, 152, 0, 76, 1),
        (1, "b", "Bojan", -148 * 12, -148, 0, -74, 3),
        (1, "c", None, -4 * 12, -4, 0, -2, 2),
        *((2, seat, None, 0, 0, 0, None, 1) for seat in SEATS),
        (3, "a", None, 15 * 12 + 6, None, 0, None, 1),
        (3, "b", None, -15 * 12, None, 0, None, 3),
        (3, "c", None, -6, None, 0, None, 2),
        (7, "a", None, -1040, -86, -1, None, 3),
        (7, "b", None, -200, -17, 0, None, 2),
        (7, "c", None, 1240, 103, 0, None, 1),
    ]
    code, exact, _ = settled(capsys, recorded(tmp_path, *RECORDED), "--rounding", "exact")
    assert code == 0
    assert exact["rounded"].null_count() == exact.height
    assert_frame_equal(exact.select("result_twelfths", "rank"), results.select("result_twelfths", "rank"))
    assert exact["money"].drop_nulls().to_list() == [76, -74, -2, 31, -30, -1]
    code, table, err = typed(capsys, "settle", recorded(tmp_path, *RECORDED), "-c", "slovene")
    assert (code, err) == (0, "")
    assert re.search(r"1 +a +Ana +152 +152 +0 +76 +1", table)


def test_random_sheets_are_settled_exactly(tmp_path: Path, capsys: Capture) -> None:
    """Halves and quarters of a point, and twelfths of a whist, are exact."""
    rng = random.Random("sheets")
    parts = [Fraction(0), Fraction(0), Fraction(1, 2), Fraction(3, 4)]
    rows, expected = [], {}
    for pulka in range(1, 41):
        contract = {seat: rng.randint(-50, 50) + rng.choice(parts) for seat in SEATS}
        juha = {pair: rng.randint(0, 300) + Fraction(rng.choice((0, 0, 0, rng.randrange(12))), 12) for pair in PAIRS}
        rows.append(",".join(str(cell) for cell in (pulka, 3, 50, *map(float, (*contract.values(), *juha.values())))))
        expected[pulka] = second_balkan.exact_results(contract, juha)
    code, results, _ = settled(capsys, recorded(tmp_path, *rows, header=HEADER[:-3]), "--rounding", "exact")
    assert code == 0
    assert {(row["pulka"], row["seat"]): row["result_twelfths"] for row in results.iter_rows(named=True)} == {
        (pulka, seat): result * 12 for pulka, every in expected.items() for seat, result in every.items()
    }


def test_sheets_that_break_a_rule_are_set_aside(tmp_path: Path, capsys: Capture) -> None:
    rest = "0,0,0,0,0,0,,,"
    broken = {
        f"4,3,50,0.1,0,0,{rest}": ("exact_in_twelfths", "contract_a=0.1"),
        f"5,3,50,0,0,{1 / 12},{rest}": ("exact_in_twelfths", f"contract_c={1 / 12}"),
        f"6,4,50,0,0,0,{rest}": ("players_of_sheet", "players=4"),
        f"8,3,0,0,0,0,{rest}": ("limit_of_sheet", "bullet_limit=0"),
        f"9,3,50,0,,0,{rest}": ("seats_filled", "contract_b=empty"),
    }
    code, results, err = settled(capsys, recorded(tmp_path, *RECORDED, *broken))
    assert code == 1
    assert results["pulka"].unique(maintain_order=True).to_list() == [1, 2, 3, 7]
    assert "set aside: 5 pulkas" in err
    good, failures = pref.check_sheets(pl.read_csv(tmp_path / "sheets.csv", infer_schema_length=None), "balkan")
    assert good.height == len(RECORDED)
    found = {pulka: (rule, value) for pulka, rule, value in failures.frame.select("pulka", "rule", "value").rows()}
    for row, (rule, value) in broken.items():
        said = found[int(row[0])]
        assert said[0] == rule
        assert value in said[1].split(", ")
    assert all(rule in err for rule, _ in broken.values())


def test_columns_of_another_game_do_not_matter(tmp_path: Path, capsys: Capture) -> None:
    more = ["bullet_a", "mountain_b", "whists_ab", "note"]
    rows = [f"{row},8,9,7,x" for row in RECORDED]
    code, results, _ = settled(capsys, recorded(tmp_path, *rows, header=[*HEADER, *more]))
    assert code == 0
    assert_frame_equal(results, settled(capsys, recorded(tmp_path, *RECORDED))[1])


@pytest.mark.parametrize("column", ["players", "bullet_limit", "contract_b", "juha_cb"])
def test_a_missing_column_of_sheets_is_named(tmp_path: Path, capsys: Capture, column: str) -> None:
    pl.read_csv(recorded(tmp_path, *RECORDED)).drop(column).write_csv(tmp_path / "sheets.csv")
    code, out, err = typed(capsys, "settle", tmp_path / "sheets.csv", "-c", "balkan", "--out", tmp_path / "out.csv")
    assert (code, out) == (2, "")
    assert err.startswith(
        f"error: the sheets lack the column {column}\nSheets of the Balkan game have pulka, players, "
    )
    assert listing(tmp_path) == ["sheets.csv"]


def test_sheets_of_the_wrong_game_are_refused(tmp_path: Path, capsys: Capture) -> None:
    balkan = recorded(tmp_path, *RECORDED)
    words = tmp_path / "words.csv"
    words.write_text(re.sub(r"(?m)^(\d,3,\d+),[^,]+,", r"\1,ten,", balkan.read_text()))
    for sheets, name, what in (
        (DATA / "sheets.csv", "balkan", "lack the columns contract_a, contract_b, contract_c, juha_ab"),
        (balkan, "sochi", "lack the columns mountain_a, mountain_b, mountain_c, whists_ab"),
        (words, "balkan", "column contract_a is String, not a number"),
    ):
        code, out, err = typed(capsys, "settle", sheets, "-c", name)
        assert (code, out) == (2, "")
        assert what in err


def test_scored_sheets_are_settled_as_recorded_ones(club: Archive, club_sheets: pl.DataFrame, tmp_path: Path) -> None:
    """The marks beside the columns, refes and hats, do not matter; nor whether the file knows them."""
    expected = pref.settle(club_sheets, "balkan", pulkas=club.pulkas)
    columns = [
        "pulka",
        "players",
        "bullet_limit",
        *map(contract_column, SEATS),
        *(juha_column(*pair) for pair in PAIRS),
    ]
    assert_frame_equal(pref.settle(club_sheets.select(columns), "balkan", pulkas=club.pulkas), expected)
    assert_frame_equal(pref.settle(club_sheets, "played", pulkas=club.pulkas), expected)
    with pytest.raises(PrefdataError, match="sheets do not tell the convention"):
        pref.settle(club_sheets, "played")
