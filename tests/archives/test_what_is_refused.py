"""What cannot be opened says which file or column is wrong, and what to do."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import prefdata as pref
from prefdata.archives import Archive
from prefdata.errors import ArchiveError, TableError
from prefdata.russian.tables import Adjustments, Deals
from prefdata.tables import Pulkas
from tests.archives.builders import (
    TABLES,
    archive_of_frames,
    frames_of,
)


def cut_off(content: bytes) -> bytes:
    return content[: len(content) // 2]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut off": cut_off,
    "cut off at the end": lambda content: content[:-1],
    "empty": lambda _: b"",
    "text": lambda _: b"pulka,deal\n1,1\n",
    "zeros": lambda content: b"PAR1" + bytes(len(content)) + b"PAR1",
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("table", TABLES)
def test_a_damaged_file_is_named(folder: Path, table: str, damage: str) -> None:
    file = sorted((folder / table).iterdir())[-1]
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    with pytest.raises(ArchiveError) as caught:
        pref.open_archive(folder)
    assert caught.value.what.startswith(f"{file} cannot be read as Parquet: ")
    assert "again" in caught.value.hint


@pytest.mark.parametrize("table", ["pulkas", "deals"])
def test_a_file_that_is_damaged_inside_is_named(folder: Path, table: str) -> None:
    file = folder / table / "part-00000.parquet"
    content = bytearray(file.read_bytes())
    content[4:40] = bytes(36)
    file.write_bytes(bytes(content))
    archive = pref.open_archive(folder)
    for use in (
        lambda: pref.sheets(archive, "sochi"),
        archive.check,
        lambda: pref.write_archive(archive, folder / "x"),
    ):
        with pytest.raises(ArchiveError) as caught:
            use()
        assert caught.value.what.startswith(f"{file} cannot be read as Parquet: ")


def test_a_file_that_is_gone_is_named(folder: Path) -> None:
    archive = pref.open_archive(folder)
    file = folder / "deals" / "part-00001.parquet"
    file.unlink()
    with pytest.raises(ArchiveError) as caught:
        pref.sheets(archive, "sochi")
    assert str(file) in caught.value.what


@pytest.mark.parametrize("kind", ["missing", "file", "empty", "no deals", "no pulkas"])
def test_what_is_no_archive_is_refused(folder: Path, kind: str) -> None:
    path = folder / kind
    reasons = {
        "missing": "does not exist",
        "file": "is a file",
        "empty": "is no archive: it has no pulkas/*.parquet",
        "no deals": "is no archive: it has no deals/*.parquet",
        "no pulkas": "is no archive: it has no pulkas/*.parquet",
    }
    if kind == "file":
        path.write_text("notes")
    elif kind != "missing":
        path.mkdir()
    if kind == "no deals":
        shutil.copytree(folder / "pulkas", path / "pulkas")
        (path / "deals").mkdir()
    if kind == "no pulkas":
        shutil.copytree(folder / "deals", path / "deals")
    with pytest.raises(ArchiveError) as caught:
        pref.open_archive(path)
    assert caught.value.what == f"{path} {reasons[kind]}"
    assert caught.value.hint.startswith("An archive is a folder with pulkas/")


REQUIRED = {
    table: [name for name in schema.column_names() if name not in optional]
    for (table, schema), optional in zip(
        {"pulkas": Pulkas, "deals": Deals, "adjustments": Adjustments}.items(),
        (
            {
                "bullet_limit",
                "bullet_total",
                "player_a",
                "player_b",
                "player_c",
                "player_d",
                "played_on",
                "place",
                "stake",
            },
            {"conceded", "talon", "multiplier", "wrong_cards", "trump", "outcome"},
            {"on_seat", "reason"},
        ),
        strict=True,
    )
}


def test_nobody_is_told_to_cut_a_fraction_off_a_limit(plain: Archive) -> None:
    frames = frames_of(plain)
    frames["pulkas"] = frames["pulkas"].with_columns(bullet_limit=pl.lit(66.67))
    with pytest.raises(TableError, match="bullet_limit is Float64, not whole numbers") as caught:
        archive_of_frames(frames)
    assert "If all of them are whole, cast it" in caught.value.hint
    assert caught.value.hint.endswith("What players agreed on together goes into bullet_total.")


def test_one_of_two_limits_is_needed(plain: Archive) -> None:
    frames = frames_of(plain)
    limits, frames["pulkas"] = frames["pulkas"], frames["pulkas"].drop("bullet_limit", "bullet_total")
    with pytest.raises(TableError, match="pulkas lacks the column bullet_limit"):
        archive_of_frames(frames)
    sums = pl.col("bullet_limit").cast(pl.Int64) * pl.col("players")
    frames["pulkas"] = limits.select(pl.exclude("bullet_limit", "bullet_total"), bullet_total=sums)
    with_sums = archive_of_frames(frames)
    for convention in ("sochi", "leningrad"):
        assert pref.sheets(with_sums, convention).equals(pref.sheets(plain, convention))


@pytest.mark.parametrize(("table", "column"), [(table, column) for table in TABLES for column in REQUIRED[table]])
def test_a_missing_column_is_named(plain: Archive, table: str, column: str) -> None:
    frames = frames_of(plain)
    frames[table] = frames[table].drop(column)
    with pytest.raises(TableError) as caught:
        archive_of_frames(frames)
    assert caught.value.what == f"{table} lacks the column {column}"
    assert "has the columns pulka, " in caught.value.hint


def test_all_missing_columns_are_named_with_their_file(folder: Path) -> None:
    file = folder / "deals" / "part-00001.parquet"
    pl.read_parquet(file).drop("contract", "dealer").write_parquet(file)
    with pytest.raises(TableError) as caught:
        pref.open_archive(folder)
    assert caught.value.what == f"{file} lacks the columns dealer, contract"


def test_columns_that_are_empty_throughout_come_as_texts_from_csv(tmp_path: Path) -> None:
    pulkas = "pulka,players,bullet_limit,convention,player_a,played_on,stake\n1,3,10,sochi,,,\n"
    deals = (
        "pulka,deal,players,dealer,contract,declarer,call_a,call_b,call_c,call_d,tricks_a,tricks_b,tricks_c,tricks_d,"
        "conceded,talon,multiplier,wrong_cards,trump\n1,1,3,a,6,b,whist,,pass,,3,7,0,,,,,,\n"
    )
    for name, text in (("pulkas", pulkas), ("deals", deals)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    deals_frame = pl.read_csv(tmp_path / "deals", schema_overrides={"contract": pl.String})
    archive = pref.archive(pl.read_csv(tmp_path / "pulkas", try_parse_dates=True), deals_frame)
    assert not len(archive.check().failures)
    assert pref.sheets(archive, "sochi")["bullet_b"].to_list() == [2]


@pytest.mark.parametrize(
    ("name", "meant"), [("multipler", "multiplier"), ("Conceeded", "conceded"), ("wrong_card", "wrong_cards")]
)
def test_a_misspelt_optional_column_is_not_passed_over(plain: Archive, name: str, meant: str) -> None:
    frames = frames_of(plain)
    frames["deals"] = frames["deals"].rename({meant: name})
    with pytest.raises(TableError, match=f"deals has a column {name}, and no {meant}"):
        pref.archive(**frames)
    unscored = frames_of(plain)["pulkas"].drop("player_d").with_columns(player=pl.lit("Anna"), season=pl.lit("2026"))
    assert pref.archive(unscored, frames_of(plain)["deals"]).pulkas.collect()["player_d"].is_null().all()


IMPOSSIBLE: list[tuple[str, str, pl.Series]] = [
    ("pulkas", "pulka", pl.Series([1.0])),
    ("pulkas", "players", pl.Series(["3"])),
    ("pulkas", "bullet_limit", pl.Series([True])),
    ("pulkas", "convention", pl.Series([1])),
    ("pulkas", "player_b", pl.Series([["Anna"]])),
    ("pulkas", "played_on", pl.Series(["2026-01-01"])),
    ("pulkas", "stake", pl.Series(["0.5"])),
    ("deals", "deal", pl.Series([1.0])),
    ("deals", "dealer", pl.Series([0])),
    ("deals", "contract", pl.Series([6])),
    ("deals", "declarer", pl.Series([b"a"])),
    ("deals", "call_c", pl.Series([True])),
    ("deals", "tricks_a", pl.Series([4.0])),
    ("deals", "conceded", pl.Series([0])),
    ("deals", "wrong_cards", pl.Series([0])),
    ("deals", "trump", pl.Series([1])),
    ("deals", "outcome", pl.Series(["7"])),
    ("adjustments", "points", pl.Series([1.5])),
    ("adjustments", "entry", pl.Series([1])),
]


@pytest.mark.parametrize(("table", "column", "values"), IMPOSSIBLE, ids=[f"{case[0]}-{case[1]}" for case in IMPOSSIBLE])
def test_a_column_of_an_impossible_type_is_named(plain: Archive, table: str, column: str, values: pl.Series) -> None:
    frames = frames_of(plain)
    frames[table] = frames[table].with_columns(pl.lit(values).first().alias(column))
    with pytest.raises(TableError) as caught:
        archive_of_frames(frames)
    assert caught.value.what.startswith(f"{table}: column {column} is {values.dtype}, not ")
    assert column in caught.value.hint


def test_a_column_of_an_impossible_type_is_named_with_its_file(folder: Path) -> None:
    file = folder / "pulkas" / "part-00001.parquet"
    pl.read_parquet(file).with_columns(players=pl.lit("three")).write_parquet(file)
    with pytest.raises(TableError) as caught:
        pref.open_archive(folder)
    assert caught.value.what == f"{file}: column players is String, not whole numbers"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "5",
        '{"schema_version": 1}',
        '{"schema_version": 1, "parts": []}',
        '{"schema_version": "1", "parts": {}}',
        '{"schema_version": null, "parts": {}}',
        '{"schema_version": 1, "parts": {"part-00000.parquet": []}}',
        '{"schema_version": 1, "parts": {"part-00000.parquet": {"deals": {}}}}',
        '{"schema_version": 1, "parts": {"part-00000.parquet": {"deals": 5}}}',
    ],
)
def test_a_damaged_manifest_is_named(folder: Path, content: str) -> None:
    (folder / "archive.json").write_text(content)
    try:
        archive = pref.open_archive(folder)
    except ArchiveError as refused:
        assert str(folder / "archive.json") in refused.what  # noqa: PT017
        assert refused.hint  # noqa: PT017
    else:
        assert not archive.parts[0].has_codes


def test_the_manifest_of_a_later_version_is_refused(folder: Path) -> None:
    (folder / "archive.json").write_text('{"schema_version": 2, "parts": {}}')
    with pytest.raises(ArchiveError, match=r"archive\.json has schema version 2, this prefdata knows 1") as caught:
        pref.open_archive(folder)
    assert caught.value.hint == "Upgrade prefdata."
