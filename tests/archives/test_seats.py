"""Columns of seats at which nobody sits may be missing; where somebody sits, their lack is one error of the file."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.cli import main
from prefdata.errors import TableError
from tests import strategies
from tests.archives.builders import Frames, archive_of_frames, assert_same_tables, frames_of, sheets_of, write_files
from tests.records import archive_of

OF_D = ["call_d", "tricks_d"]
OF_C = ["call_c", "tricks_c"]


def archive_with(*players: int) -> Archive:
    rng = random.Random(str(players))
    archive: Archive = archive_of([strategies.random_pulka(rng, number) for number in players * 5])
    return archive


def without(archive: Archive, *columns: str) -> Frames:
    """Give the tables of an archive without columns of deals, and without the players' names."""
    frames = frames_of(archive)
    frames["pulkas"] = frames["pulkas"].drop(pl.selectors.starts_with("player_"))
    frames["deals"] = frames["deals"].drop("outcome", *columns)
    return frames


LACKING = {
    "three": ((3,), OF_D),
    "two and three": ((2, 3), OF_D),
    "two": ((2,), [*OF_C, *OF_D]),
    "two, with tricks": ((2,), ["call_c", *OF_D]),
    "three, with calls": ((3,), ["tricks_d"]),
}


@pytest.mark.parametrize("case", LACKING)
def test_columns_of_absent_seats_may_be_missing(case: str, tmp_path: Path) -> None:
    players, columns = LACKING[case]
    archive = archive_with(*players)
    expected, frames = sheets_of(archive), without(archive, *columns)
    read = archive_of_frames(frames)
    assert not len(read.check().failures)
    assert_same_tables(read, archive)
    assert_frame_equal(sheets_of(read), expected)
    assert_frame_equal(sheets_of(read.only(players=players[0])), expected.filter(pl.col("players") == players[0]))
    for table, frame in frames.items():
        write_files(tmp_path / "club", table, {"part-00000": frame})
    opened = pref.open_archive(tmp_path / "club")
    assert opened.deals.collect_schema() == archive.deals.collect_schema()
    assert_frame_equal(sheets_of(opened), expected)
    assert_same_tables(pref.write_archive(opened, tmp_path / "again"), archive)


def test_commands_take_deals_without_columns_of_absent_seats(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = archive_with(3)
    for table, frame in without(archive, *OF_D).items():
        write_files(tmp_path / "club", table, {"part-00000": frame})
    assert main(["check", str(tmp_path / "club")]) == 0
    assert main(["rescore", str(tmp_path / "club"), "-c", "sochi", "--out", str(tmp_path / "out")]) == 0
    assert_frame_equal(pl.read_parquet(tmp_path / "out/sochi/sheets/*.parquet"), sheets_of(archive))
    crowded = archive_with(4)
    for table, frame in without(crowded, *OF_D).items():
        write_files(tmp_path / "four", table, {"part-00000": frame})
    capsys.readouterr()
    assert main(["rescore", str(tmp_path / "four"), "-c", "sochi", "--out", str(tmp_path / "none")]) == 2
    assert "part-00000.parquet lacks the columns call_d, tricks_d" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_comma_separated_deals_of_three_need_three_seats(tmp_path: Path) -> None:
    pulkas = "pulka,players,bullet_limit,convention\n1,3,10,sochi\n"
    deals = (
        "pulka,deal,players,dealer,contract,declarer,call_a,call_b,call_c,tricks_a,tricks_b,tricks_c\n"
        "1,1,3,a,6,b,whist,,pass,3,7,0\n1,2,3,b,raspasy,,,,,4,0,6\n"
    )
    for name, text in (("pulkas", pulkas), ("deals", deals)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    frame = pl.read_csv(tmp_path / "deals", schema_overrides={"contract": pl.String})
    read = pref.archive(pl.read_csv(tmp_path / "pulkas"), frame)
    assert not len(read.check().failures)
    whole = frame.with_columns(pl.lit(None).alias(name) for name in OF_D)
    assert_frame_equal(sheets_of(read), sheets_of(pref.archive(pl.read_csv(tmp_path / "pulkas"), whole)))
    assert sheets_of(read)["bullet_b"].to_list() == [2 + 1]


@pytest.mark.parametrize(
    ("players", "columns", "said", "most"),
    [
        ((2, 3, 4), OF_D, "columns call_d, tricks_d", 4),
        ((3, 4), ["tricks_d"], "column tricks_d", 4),
        ((2, 3), ["call_c", *OF_D], "column call_c", 3),
        ((4, 2), ["tricks_c", "call_d"], "columns call_d, tricks_c", 4),
    ],
)
def test_a_lack_where_somebody_sits_is_one_error(
    players: tuple[int, ...], columns: list[str], said: str, most: int, tmp_path: Path
) -> None:
    archive = archive_with(*players)
    frames = without(archive, *columns)
    first = frames["pulkas"].filter(pl.col("players") == most)["pulka"][0]
    with pytest.raises(TableError) as caught:
        archive_of_frames(frames)
    assert caught.value.what == f"deals lacks the {said}"
    assert caught.value.hint.endswith(f" Pulka {first} has {most} players.")
    lazy = {table: frame.lazy() for table, frame in frames.items()}
    with pytest.raises(TableError, match=f"deals lacks the {said}"):
        pref.archive(**lazy)
    for table, frame in frames.items():
        write_files(tmp_path / "club", table, {"part-00000": frame})
    with pytest.raises(TableError) as caught:
        pref.open_archive(tmp_path / "club")
    assert caught.value.what == f"{tmp_path / 'club' / 'deals' / 'part-00000.parquet'} lacks the {said}"


@pytest.mark.parametrize("column", ["call_a", "call_b", "tricks_a", "tricks_b", "dealer"])
def test_everybody_has_the_seats_of_two(column: str) -> None:
    with pytest.raises(TableError, match=f"deals lacks the column {column}"):
        archive_of_frames(without(archive_with(2), column, *OF_C, *OF_D))


@pytest.mark.parametrize("table", ["pulkas", "deals"])
@pytest.mark.parametrize("number", [4, 7, 0, None])
def test_a_broken_number_of_players_sets_its_pulka_alone_aside(table: str, number: int | None) -> None:
    archive = archive_with(3)
    frames = without(archive, *OF_D)
    is_second = (pl.col("pulka") == 2) & (pl.col("deal") == 1 if table == "deals" else True)
    frames[table] = frames[table].with_columns(players=pl.when(is_second).then(number).otherwise("players"))
    if (table, number) == ("pulkas", 4):
        with pytest.raises(TableError, match="Pulka 2 has 4 players"):
            archive_of_frames(frames)
        return
    good, failures = archive_of_frames(frames).check()
    assert failures.pulkas.to_list() == [2]
    assert_frame_equal(sheets_of(good), sheets_of(archive).filter(pl.col("pulka") != 2))


def test_entries_of_deals_without_columns_of_absent_seats() -> None:
    deals = archive_with(2, 3).deals.collect()
    expected = pref.entries(deals, "sochi")
    lean = deals.drop("outcome", *OF_D)
    assert_frame_equal(pref.entries(lean, "sochi"), expected)
    assert_frame_equal(pref.entries(lean.lazy(), "sochi").collect(), expected)
    of_two = deals.filter(players=2)
    assert_frame_equal(pref.entries(of_two.drop(*OF_C, *OF_D), "sochi"), pref.entries(of_two, "sochi"))
    crowded = archive_with(4, 3).deals.collect().drop(OF_D)
    for frame in (crowded, crowded.lazy()):
        with pytest.raises(TableError, match="deals lacks the columns call_d, tricks_d"):
            pref.entries(frame, "sochi")
    with pytest.raises(TableError, match="the deals lack call_b"):
        pref.entries(lean.drop("call_b"), "sochi")
