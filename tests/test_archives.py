"""Archives: whatever way they were written and opened, they hold the same deals and give the same sheets."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive, _manifest, _write
from prefdata.errors import ArchiveError, PrefdataError, TableError, TargetExistsError
from prefdata.examples import one_pulka, three_deals
from prefdata.failures import FAILURE_SCHEMA
from prefdata.games import GAMES
from prefdata.russian.codes import encode
from prefdata.russian.tables import Adjustments, Deals
from prefdata.russian.vocabulary import CALL
from prefdata.scoring.values import VALUE_SCHEMA
from prefdata.settlement.settling import SETTLEMENT_SCHEMA
from prefdata.tables import Pulkas
from prefdata.vocabulary import SEAT, entry_columns
from tests import strategies
from tests.records import archive_of, frame_of

Frames = dict[str, pl.DataFrame]
TABLES = ("pulkas", "deals", "adjustments")
PULKAS = 24


def random_archive(seed: str, pulkas: int = PULKAS) -> Archive:
    rng = random.Random(seed)
    archive: Archive = archive_of([strategies.random_pulka(rng) for _ in range(pulkas)])
    return archive


@pytest.fixture(scope="module")
def club() -> Archive:
    """An archive in memory, of all kinds of tables, with adjustments."""
    return random_archive("club")


@pytest.fixture(scope="module")
def club_sheets(club: Archive) -> pl.DataFrame:
    """Its sheets."""
    return sheets_of(club)


@pytest.fixture(scope="module")
def written(club: Archive, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder, in several parts; not to be changed."""
    folder = tmp_path_factory.mktemp("written") / "club"
    pref.write_archive(club, folder, deals_per_part=80)
    return folder


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    """A copy of its folder, to be changed."""
    return Path(shutil.copytree(written, tmp_path / "club"))


def sheets_of(archive: Archive, convention: str = "sochi") -> pl.DataFrame:
    sheets: pl.DataFrame = pref.sheets(archive, convention)
    return sheets


def frames_of(archive: Archive) -> Frames:
    return {table: getattr(archive, table).collect() for table in TABLES}


def archive_of_frames(frames: Frames) -> Archive:
    archive: Archive = pref.archive(frames["pulkas"], frames["deals"], frames["adjustments"])
    return archive


def assert_same_tables(one: Archive, other: Archive) -> None:
    """Check that two archives hold the same rows, the codes left aside."""
    for table in TABLES:
        left, right = frames_of(one)[table], frames_of(other)[table]
        key = ["pulka", "deal"] if "deal" in left.columns else ["pulka"]
        assert_frame_equal(
            left.drop("outcome", strict=False).sort(key, maintain_order=True),
            right.drop("outcome", strict=False).sort(key, maintain_order=True),
        )


def listing(folder: Path) -> dict[str, bytes]:
    """Read everything below a folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def parts_of(folder: Path, table: str) -> list[pl.DataFrame]:
    return [pl.read_parquet(file) for file in sorted((folder / table).glob("*.parquet"))]


# --------------------------------------------------------------------------- write and open again


@pytest.mark.parametrize("deals_per_part", [1, 50, 10_000])
def test_a_written_archive_is_the_same(
    club: Archive, club_sheets: pl.DataFrame, tmp_path: Path, deals_per_part: int
) -> None:
    target = tmp_path / "new" / "club"
    back = pref.write_archive(club, target, deals_per_part=deals_per_part)
    assert back.path == target
    assert_same_tables(back, club)
    assert_same_tables(pref.open_archive(str(target)), club)
    assert_frame_equal(sheets_of(back), club_sheets)
    assert os.listdir(tmp_path) == ["new"]
    assert os.listdir(tmp_path / "new") == ["club"]
    check_cuts(back, target, deals_per_part)


def check_cuts(archive: Archive, folder: Path, deals_per_part: int) -> None:
    """Check that each part ends with the pulka in which it becomes full."""
    pulkas, deals = parts_of(folder, "pulkas"), parts_of(folder, "deals")
    assert len(pulkas) == len(deals) == len(archive.parts)
    for of_pulkas, of_deals in zip(pulkas, deals, strict=True):
        assert of_pulkas["pulka"].to_list() == of_deals["pulka"].unique(maintain_order=True).to_list()
        before_last = of_deals.filter(pl.col("pulka") != of_deals["pulka"][-1])
        assert before_last.height < deals_per_part
    assert all(of_deals.height >= deals_per_part for of_deals in deals[:-1])
    assert [part.name for part in archive.parts] == [f"part-{number:05d}.parquet" for number in range(len(deals))]


def test_written_tables_have_the_columns_and_types_of_the_schema(written: Path) -> None:
    for table, schema in zip(TABLES, (Pulkas, Deals, Adjustments), strict=True):
        for frame in parts_of(written, table):
            assert frame.schema == schema.create_empty().schema
            assert frame.height


def test_the_manifest_describes_every_file(written: Path) -> None:
    manifest = json.loads((written / "archive.json").read_text(encoding="utf-8"))
    assert manifest["schema_version"] == 1
    described = {f"{table}/{name}": facts for name, part in manifest["parts"].items() for table, facts in part.items()}
    assert set(described) == {name for name in listing(written) if name.endswith(".parquet")}
    for name, facts in described.items():
        file = written / name
        assert facts == {
            "rows": pl.read_parquet(file).height,
            "size": file.stat().st_size,
            "modified_ns": file.stat().st_mtime_ns,
            "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        }


def test_parts_without_adjustments_have_no_file_of_them(tmp_path: Path) -> None:
    archive = pref.write_archive(pref.archive(one_pulka(), three_deals()), tmp_path / "one")
    assert sorted(listing(tmp_path / "one")) == [
        "archive.json",
        "deals/part-00000.parquet",
        "pulkas/part-00000.parquet",
    ]
    assert archive.adjustments.collect().is_empty()
    assert archive.adjustments.collect_schema() == Adjustments.create_empty().schema


def shuffled(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.sample(fraction=1, shuffle=True, seed=7)


@pytest.mark.parametrize("deals_per_part", [60, 10_000])
def test_what_is_written_is_sorted(
    club: Archive, club_sheets: pl.DataFrame, tmp_path: Path, deals_per_part: int
) -> None:
    archive = archive_of_frames({table: shuffled(frame) for table, frame in frames_of(club).items()})
    back = pref.write_archive(archive, tmp_path / "club", deals_per_part=deals_per_part)
    check_sorted(tmp_path / "club")
    assert_frame_equal(sheets_of(back), club_sheets)


@pytest.mark.parametrize("deals_per_part", [60, 10_000])
def test_parts_in_any_order_are_written_sorted(
    club: Archive, club_sheets: pl.DataFrame, tmp_path: Path, deals_per_part: int
) -> None:
    keys = club_sheets["pulka"].to_list()
    mixed = pref.concat([club.only(pulka=keys[start::3]) for start in (1, 0, 2)])
    back = pref.write_archive(mixed, tmp_path / "club", deals_per_part=deals_per_part)
    assert_same_tables(back, club)
    assert_frame_equal(sheets_of(back), club_sheets)
    check_sorted(tmp_path / "club")


def check_sorted(folder: Path) -> None:
    """Check that each file is sorted by its key."""
    for table, key in (("pulkas", ["pulka"]), ("deals", ["pulka", "deal"]), ("adjustments", ["pulka", "deal"])):
        for frame in parts_of(folder, table):
            assert_frame_equal(frame, frame.sort(key, maintain_order=True))


# --------------------------------------------------------------------------- all or nothing


def test_a_full_folder_is_not_overwritten(club: Archive, folder: Path) -> None:
    before = listing(folder)
    with pytest.raises(TargetExistsError, match="club exists already") as caught:
        pref.write_archive(club, folder)
    assert "append" in caught.value.hint
    assert listing(folder) == before


def test_a_file_is_not_overwritten(club: Archive, tmp_path: Path) -> None:
    (tmp_path / "club").write_text("notes")
    with pytest.raises(TargetExistsError, match="exists already"):
        pref.write_archive(club, tmp_path / "club")
    assert listing(tmp_path) == {"club": b"notes"}


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    back = pref.write_archive(pref.archive(one_pulka(), three_deals()), tmp_path / "club")
    assert back.deals.collect().height == 3
    assert os.listdir(tmp_path) == ["club"]


def test_a_folder_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("notes")
    with pytest.raises(ArchiveError, match="club cannot be written: ") as caught:
        pref.write_archive(pref.archive(one_pulka(), three_deals()), tmp_path / "notes" / "club")
    assert caught.value.hint


def test_an_archive_that_breaks_a_rule_is_not_written(tmp_path: Path) -> None:
    broken = pref.archive(one_pulka(), three_deals().with_columns(talon=pl.Series([0, 4, 0], dtype=pl.UInt8)))
    with pytest.raises(
        ArchiveError, match=r"1 broken rule, the first in pulka 1, deal 2: talon is at most 3 \(talon=4\)"
    ) as caught:
        pref.write_archive(broken, tmp_path / "club")
    assert "archive.check().good" in caught.value.hint
    assert os.listdir(tmp_path) == []


class Breakdown(Exception):  # noqa: N818
    """Something that fails half-way."""


def failing(call: int, function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function work until it is called for the nth time."""
    calls = 0

    def wrapped(*arguments: Any, **keywords: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call:
            raise Breakdown
        return function(*arguments, **keywords)

    return wrapped


FAILURES: dict[str, tuple[Any, str, int]] = {
    "with_codes": (_write, "with_codes", 1),
    "describe": (_manifest, "describe", 1),
    "describe later": (_manifest, "describe", 5),
    "write": (pl.DataFrame, "write_parquet", 4),
    "manifest": (_manifest, "write_manifest", 1),
    "replace": (os, "replace", 1),
    "replace later": (os, "replace", 2),
}


@pytest.mark.parametrize("name", FAILURES)
@pytest.mark.parametrize("exists", [False, True])
def test_a_failure_leaves_nothing_behind(
    club: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, exists: bool
) -> None:
    owner, attribute, call = FAILURES[name]
    if exists:
        (tmp_path / "club").mkdir()
    monkeypatch.setattr(owner, attribute, failing(call, getattr(owner, attribute)))
    with pytest.raises(Breakdown):
        pref.write_archive(club, tmp_path / "club", deals_per_part=50)
    left = {entry.name for entry in tmp_path.iterdir()}
    assert left <= ({"club"} if exists else set())
    assert listing(tmp_path) == {}


@pytest.mark.parametrize("deals_per_part", [0, -1])
def test_a_part_has_at_least_one_deal(club: Archive, tmp_path: Path, deals_per_part: int) -> None:
    with pytest.raises((PrefdataError, ValueError), match="deals_per_part"):
        pref.write_archive(club, tmp_path / "club", deals_per_part=deals_per_part)
    assert os.listdir(tmp_path) == []


# --------------------------------------------------------------------------- append


def renumbered(archive: Archive, by: int) -> Archive:
    return archive_of_frames(
        {table: frame.with_columns(pl.col("pulka") + by) for table, frame in frames_of(archive).items()}
    )


def test_appended_pulkas_are_further_parts(club: Archive, folder: Path) -> None:
    before = listing(folder)
    more = renumbered(random_archive("more", 10), 1000)
    back = pref.append(folder, more, deals_per_part=40)
    after = listing(folder)
    assert {name: after[name] for name in before if name != "archive.json"} == {
        name: content for name, content in before.items() if name != "archive.json"
    }
    old = {name for name in before if name.startswith("deals/")}
    new = {name for name in after if name.startswith("deals/")} - old
    assert new == {f"deals/part-{number:05d}.parquet" for number in range(len(old), len(old) + len(new))}
    assert len(new) > 1
    both = pref.concat([club, more])
    assert_same_tables(back, both)
    assert_frame_equal(sheets_of(back), sheets_of(both))
    assert all(part.has_codes for part in back.parts)
    assert [entry.name for entry in folder.parent.iterdir()] == ["club"]


def test_pulkas_of_equal_keys_are_not_appended(club: Archive, folder: Path) -> None:
    before = listing(folder)
    with pytest.raises(ArchiveError, match=r"has pulka 3 already \(2 such keys\)") as caught:
        pref.append(folder, pref.concat([club.only(pulka=[3, 5]), renumbered(club, 100)]))
    assert "keys" in caught.value.hint
    assert listing(folder) == before


def test_broken_pulkas_are_not_appended(folder: Path) -> None:
    before = listing(folder)
    pulkas = one_pulka().with_columns(pulka=pl.lit(500, dtype=pl.Int64))
    deals = three_deals().with_columns(pulka=pl.lit(500, dtype=pl.Int64), multiplier=pl.lit(0, dtype=pl.UInt8))
    with pytest.raises(ArchiveError, match="pulka 500, deal 1: multiplier is at least 1"):
        pref.append(folder, pref.archive(pulkas, deals))
    assert listing(folder) == before


def test_nothing_is_appended_to_no_archive(club: Archive, tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="nowhere does not exist"):
        pref.append(tmp_path / "nowhere", club)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", [*FAILURES, "replace last"])
def test_a_failure_leaves_the_archive_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    before = listing(folder.parent)
    more = renumbered(random_archive("more", 10), 1000)
    owner, attribute, call = FAILURES.get(name, (os, "replace", 6))
    monkeypatch.setattr(owner, attribute, failing(call, getattr(owner, attribute)))
    with pytest.raises(Breakdown):
        pref.append(folder, more, deals_per_part=40)
    assert listing(folder.parent) == before


def test_pulkas_are_appended_to_a_folder_without_manifest(club: Archive, folder: Path) -> None:
    (folder / "archive.json").unlink()
    old = {file.name for file in (folder / "deals").iterdir()}
    more = renumbered(random_archive("more", 5), 1000)
    back = pref.append(folder, more)
    both = pref.concat([club, more])
    assert_same_tables(back, both)
    assert_frame_equal(sheets_of(back), sheets_of(both))
    assert {part.name for part in back.parts if part.has_codes} == {part.name for part in back.parts} - old


def test_nothing_is_lost_when_pulkas_are_appended_to_a_folder_whose_files_do_not_pair_up(
    club: Archive, tmp_path: Path
) -> None:
    frames = frames_of(club)
    write_files(tmp_path / "club", "pulkas", {"all": frames["pulkas"]})
    write_files(tmp_path / "club", "deals", {"part-00000": frames["deals"][:100], "part-00001": frames["deals"][100:]})
    before = listing(tmp_path / "club")
    more = renumbered(random_archive("more", 5), 1000)
    try:
        back = pref.append(tmp_path / "club", more)
    except ArchiveError as refused:
        assert refused.hint  # noqa: PT017
        assert listing(tmp_path / "club") == before
    else:
        after = listing(tmp_path / "club")
        assert {name: after[name] for name in before} == before
        assert back.deals.collect().height == frames["deals"].height + more.deals.collect().height


# --------------------------------------------------------------------------- archives written by others


def write_files(folder: Path, table: str, files: Frames) -> None:
    (folder / table).mkdir(parents=True, exist_ok=True)
    for name, frame in files.items():
        frame.write_parquet(folder / table / f"{name}.parquet")


def change(table: str, *expressions: Any) -> Callable[[Frames], Frames]:
    return lambda frames: frames | {table: frames[table].with_columns(*expressions)}


def in_every_table(frame_change: Callable[[pl.DataFrame], pl.DataFrame]) -> Callable[[Frames], Frames]:
    return lambda frames: {table: frame_change(frame) for table, frame in frames.items()}


def without_defaults(frames: Frames) -> Frames:
    """Leave out the optional columns that scoring does not look at."""
    optional = {
        "player_a",
        "player_b",
        "player_c",
        "player_d",
        "played_on",
        "place",
        "stake",
        "trump",
        "outcome",
        "reason",
    }
    return {table: frame.drop(optional & set(frame.columns)) for table, frame in frames.items()}


def null_columns(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.lit(None).alias(name) for name in frame.columns if frame[name].is_null().all())


def empty_defaults(frames: Frames) -> Frames:
    deals = frames["deals"].with_columns(
        conceded=pl.when("conceded").then(True),
        talon=pl.when(pl.col("talon") > 0).then("talon"),
        multiplier=pl.when(pl.col("multiplier") > 1).then("multiplier"),
        wrong_cards=pl.when(pl.col("wrong_cards") != "").then("wrong_cards"),
    )
    return frames | {"deals": deals}


ENUMS = pl.selectors.enum()
WHOLE = pl.selectors.integer()
FORMS: dict[str, Callable[[Frames], Frames]] = {
    "strings": in_every_table(lambda frame: frame.with_columns(ENUMS.cast(pl.String))),
    "categories": in_every_table(lambda frame: frame.with_columns(ENUMS.cast(pl.String).cast(pl.Categorical))),
    "another enum": change(
        "deals", pl.col("dealer", "declarer").cast(pl.String).cast(pl.Enum(["d", "c", "b", "a", "e"]))
    ),
    "a narrower enum": change(
        "adjustments", pl.col("entry").cast(pl.String).cast(pl.Enum(["whists", "mountain", "bullet"]))
    ),
    "categories for texts": change("deals", pl.col("wrong_cards").cast(pl.Categorical)),
    "wide integers": in_every_table(lambda frame: frame.with_columns(WHOLE.cast(pl.Int64))),
    "unsigned integers": change("deals", WHOLE.cast(pl.UInt64)),
    "narrow integers": change("deals", WHOLE.exclude("outcome").cast(pl.Int16)),
    "missing columns": without_defaults,
    "columns of nulls": in_every_table(null_columns),
    "no codes": change("deals", pl.lit(None, dtype=pl.UInt32).alias("outcome")),
    "wrong codes": change("deals", pl.lit(7, dtype=pl.UInt32).alias("outcome")),
    "empty defaults": empty_defaults,
    "extra columns": in_every_table(lambda frame: frame.with_columns(note=pl.lit("x"), lists=pl.lit([1, 2]))),
    "an extra column row": in_every_table(lambda frame: frame.with_columns(row=pl.lit(0))),
    "extra columns key, previous": in_every_table(
        lambda frame: frame.with_columns(
            key=pl.lit("x"), previous=pl.lit(0), deals_of_pulka=pl.lit(0), column=pl.lit(1)
        )
    ),
    "unsorted": in_every_table(shuffled),
    "reversed": in_every_table(lambda frame: frame.reverse()),
    "columns in another order": in_every_table(lambda frame: frame.select(reversed(frame.columns))),
    "unsorted strings": in_every_table(lambda frame: shuffled(frame).with_columns(ENUMS.cast(pl.String))),
    "dates with times": change("pulkas", pl.col("played_on").cast(pl.Datetime("us"))),
    "whole stakes": change("pulkas", pl.lit(2).alias("stake")),
    "stakes in decimals": change("pulkas", pl.lit("0.25").cast(pl.Decimal(10, 2)).alias("stake")),
}


@pytest.fixture(scope="module")
def plain() -> Archive:
    """A smaller archive."""
    return random_archive("plain", 12)


@pytest.fixture(scope="module")
def plain_sheets(plain: Archive) -> pl.DataFrame:
    """Its sheets."""
    return sheets_of(plain)


@pytest.mark.parametrize("name", FORMS)
def test_any_form_of_the_tables_gives_the_same_sheets(
    plain: Archive, plain_sheets: pl.DataFrame, tmp_path: Path, name: str
) -> None:
    frames = FORMS[name](frames_of(plain))
    expected = plain_sheets
    assert all(frame.height for frame in frames.values())
    assert_frame_equal(sheets_of(archive_of_frames(frames)), expected)
    for table, frame in frames.items():
        write_files(tmp_path / "club", table, {"part-00000": frame})
    opened = pref.open_archive(tmp_path / "club")
    assert opened.deals.collect_schema() == Deals.create_empty().schema
    assert_frame_equal(sheets_of(opened), expected)
    assert_same_tables(pref.write_archive(opened, tmp_path / "again"), opened)


@pytest.mark.parametrize("name", ["strings", "wide integers", "an extra column row", "unsorted"])
def test_a_broken_row_is_found_in_any_form(plain: Archive, name: str) -> None:
    frames = frames_of(plain)
    frames["deals"] = frames["deals"].with_columns(
        multiplier=pl.when((pl.col("pulka") == 2) & (pl.col("deal") == 1))
        .then(0)
        .otherwise("multiplier")
        .cast(pl.UInt8)
    )
    frames = FORMS[name](frames)
    failures = archive_of_frames(frames).check().failures
    first = failures.frame.row(0, named=True)
    assert failures.frame.select("rule", "pulka", "deal", "value").rows() == [("multiplier|min", 2, 1, "multiplier=0")]
    where = frames["deals"].with_row_index("place").filter(pl.col("pulka") == 2, pl.col("deal") == 1)
    assert first["row"] == where["place"].item()


def test_a_folder_without_manifest_opens(club_sheets: pl.DataFrame, folder: Path) -> None:
    (folder / "archive.json").unlink()
    archive = pref.open_archive(folder)
    assert not any(part.has_codes for part in archive.parts)
    assert_frame_equal(sheets_of(archive), club_sheets)


def test_other_file_names_pair_up(club: Archive, club_sheets: pl.DataFrame, tmp_path: Path) -> None:
    for number, part in enumerate([club.only(pl.col("pulka") <= 9), club.only(pl.col("pulka") > 9)]):
        for table, frame in frames_of(part).items():
            write_files(tmp_path / "club", table, {f"year {number}": frame})
    archive = pref.open_archive(tmp_path / "club")
    assert [part.name for part in archive.parts] == ["year 0.parquet", "year 1.parquet"]
    assert_frame_equal(sheets_of(archive), club_sheets)


def test_files_that_do_not_pair_up_are_one_part(club: Archive, club_sheets: pl.DataFrame, tmp_path: Path) -> None:
    frames = frames_of(club)
    deals = frames["deals"]
    write_files(tmp_path / "club", "pulkas", {"all": frames["pulkas"]})
    write_files(
        tmp_path / "club",
        "deals",
        {
            "1": deals[100:].with_columns(pl.col("deal", "players").cast(pl.Int64)),
            "2": deals[:100].drop("trump", "outcome").with_columns(ENUMS.cast(pl.String)),
        },
    )
    write_files(tmp_path / "club", "adjustments", {"corrections": frames["adjustments"]})
    archive = pref.open_archive(tmp_path / "club")
    assert len(archive.parts) == 1
    assert not archive.parts[0].has_codes
    assert_frame_equal(sheets_of(archive), club_sheets)
    assert len(archive.check().failures) == 0
    assert_frame_equal(sheets_of(pref.write_archive(archive, tmp_path / "again")), club_sheets)


def test_a_failure_names_its_file(folder: Path) -> None:
    file = folder / "deals" / "part-00001.parquet"
    deals = pl.read_parquet(file)
    deals.with_columns(
        talon=pl.when(pl.int_range(pl.len()) == 3).then(9).otherwise("talon").cast(pl.UInt8)
    ).write_parquet(file)
    said = pref.open_archive(folder).check().failures.frame.filter(pl.col("rule") == "talon|max").row(0, named=True)
    assert (said["file"], said["row"]) == (str(file), 3)
    assert (said["pulka"], said["deal"]) == deals.select("pulka", "deal").row(3)


def test_recorded_sheets_are_found(club: Archive, club_sheets: pl.DataFrame, folder: Path) -> None:
    assert pref.open_archive(folder).sheets is None
    assert club.sheets is None
    write_files(folder, "sheets", {"part-00000": club_sheets[:5], "part-00001": club_sheets[5:]})
    recorded = pref.open_archive(folder).sheets
    assert recorded is not None
    assert_frame_equal(recorded.collect(), club_sheets)


# --------------------------------------------------------------------------- what cannot be opened


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
            {"player_a", "player_b", "player_c", "player_d", "played_on", "place", "stake"},
            {"conceded", "talon", "multiplier", "wrong_cards", "trump", "outcome"},
            {"on_seat", "reason"},
        ),
        strict=True,
    )
}


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


# --------------------------------------------------------------------------- nothing at all


def check_empty(archive: Archive) -> None:
    """Check that an archive without rows gives empty frames with the right columns."""
    sheets = sheets_of(archive)
    assert sheets.is_empty()
    assert sheets.schema == pl.Schema(GAMES["russian"].sheet_schema)
    ledger = pref.ledger(archive, "sochi")
    assert ledger.is_empty()
    assert ledger.schema == pl.Schema(GAMES["russian"].ledger_schema)
    running = pref.ledger(archive, "sochi", running_columns=True)
    assert running.columns == [*GAMES["russian"].ledger_schema, *(f"running_{name}" for name in entry_columns())]
    assert set(running.select(pl.selectors.starts_with("running_")).dtypes) == {pl.Int64}
    values = pref.values(archive, "sochi")
    assert values.is_empty()
    assert values.schema == pl.Schema(VALUE_SCHEMA)
    settled = pref.settle(sheets, "sochi", pulkas=archive.pulkas)
    assert settled.is_empty()
    assert settled.schema == pl.Schema(SETTLEMENT_SCHEMA)
    entries = pref.entries(archive.deals, "sochi").collect()
    assert entries.is_empty()
    assert entries.columns == ["pulka", "deal", "raspasy_step", *entry_columns()]
    assert set(entries.select(entry_columns()).dtypes) == {pl.Int32}
    assert pref.unapplied_adjustments(archive, ledger).is_empty()
    good, failures = archive.check()
    assert failures.frame.is_empty()
    assert failures.frame.schema == pl.Schema(FAILURE_SCHEMA)
    assert len(failures) == failures.deals == 0
    assert good.deals.collect().is_empty()
    assert archive.only(players=3).pulkas.collect().is_empty()


def nothing(adjustments: bool = False) -> Archive:
    empty = Adjustments.create_empty() if adjustments else None
    archive: Archive = pref.archive(Pulkas.create_empty(), Deals.create_empty(), empty)
    return archive


@pytest.mark.parametrize("adjustments", [False, True])
def test_an_archive_without_rows_gives_empty_frames(adjustments: bool) -> None:
    check_empty(nothing(adjustments))


def test_an_archive_of_which_nothing_is_left_gives_empty_frames(club: Archive, written: Path) -> None:
    check_empty(club.only(pl.lit(False)))
    check_empty(pref.open_archive(written).only(pulka=[]))


def test_no_archives_put_together_give_empty_frames() -> None:
    check_empty(pref.concat([]))


def test_files_without_rows_give_empty_frames(tmp_path: Path) -> None:
    write_files(tmp_path / "club", "pulkas", {"part-00000": Pulkas.create_empty()})
    write_files(tmp_path / "club", "deals", {"part-00000": Deals.create_empty()})
    check_empty(pref.open_archive(tmp_path / "club"))


def test_an_archive_without_rows_is_written_and_opened(tmp_path: Path) -> None:
    back = pref.write_archive(nothing(), tmp_path / "club")
    check_empty(back)
    check_empty(pref.open_archive(tmp_path / "club"))


def test_an_empty_part_among_others(club: Archive, club_sheets: pl.DataFrame) -> None:
    assert_frame_equal(sheets_of(pref.concat([nothing(), club, nothing(True)])), club_sheets)


# --------------------------------------------------------------------------- large numbers


def passed_out(deals: int, limit: int, kind: type[pl.DataType] = pl.Int64) -> Archive:
    """Make a pulka of sixes that nobody whists, each declarer in turn."""
    number = np.arange(deals)
    seats = np.array(list("abc"))
    turn = pl.Series(seats[number % 3])
    frame = pl.DataFrame(
        {"pulka": np.ones(deals, np.int64), "deal": pl.Series(number + 1, dtype=kind), "players": 3}
    ).with_columns(
        dealer=pl.Series(seats[(number + 2) % 3]).cast(SEAT),
        contract=pl.lit("6"),
        declarer=turn.cast(SEAT),
        **{f"call_{seat}": pl.when(turn != seat).then(pl.lit("pass", dtype=CALL)) for seat in "abc"},
        call_d=pl.lit(None, dtype=CALL),
        **{f"tricks_{seat}": pl.lit(None, dtype=pl.UInt8) for seat in "abcd"},
    )
    pulkas = one_pulka().with_columns(bullet_limit=pl.lit(limit, dtype=pl.UInt16))
    archive: Archive = pref.archive(pulkas, frame)
    return archive


def test_a_pulka_of_the_largest_length_and_limit() -> None:
    archive = passed_out(65_535, 65_535)
    row = sheets_of(archive).row(0, named=True)
    assert [row[f"bullet_{seat}"] for seat in "abc"] == [43_690] * 3
    assert (row["bullet_limit"], row["closed"], row["deals_scored"], row["deals_after_end"]) == (
        65_535,
        False,
        65_535,
        0,
    )
    ledger = pref.ledger(archive, "sochi")
    assert ledger["deal"].to_list() == list(range(1, 65_536))
    assert ledger["bullet_b"].sum() == 43_690
    assert len(archive.check().failures) == 0


def test_a_pulka_that_is_too_long_is_set_aside() -> None:
    archive = passed_out(65_536, 10)
    failures = archive.check().failures
    assert failures.frame.select("rule", "pulka", "deal", "value").rows() == [("deal|dtype", 1, None, "deal=65536")]
    assert failures.deals == 65_536
    with pytest.warns(pref.SetAsideWarning, match="1 pulka with 65536 deals"):
        assert sheets_of(archive).is_empty()


def test_the_smallest_limit_ends_a_pulka_at_once() -> None:
    """A six gives two points: one closes the own bullet, one helps; two sixes and the last bullet is closed."""
    row = sheets_of(passed_out(5, 1)).row(0, named=True)
    assert [row[f"bullet_{seat}"] for seat in "abc"] == [1, 1, 1]
    assert (row["closed"], row["deals_scored"], row["deals_after_end"]) == (True, 2, 3)


@pytest.mark.parametrize("key", [-(2**63), -1, 0, 2**63 - 1])
def test_any_whole_number_is_a_key(key: int) -> None:
    pulkas = one_pulka().with_columns(pulka=pl.lit(key, dtype=pl.Int64))
    archive = pref.archive(pulkas, three_deals().with_columns(pulka=pl.lit(key, dtype=pl.Int64)))
    assert sheets_of(archive)["pulka"].to_list() == [key]


# --------------------------------------------------------------------------- codes


def trusted(folder: Path) -> list[bool]:
    return [part.has_codes for part in pref.open_archive(folder).parts]


def test_written_deals_hold_their_codes(written: Path) -> None:
    for deals in parts_of(written, "deals"):
        assert deals["outcome"].null_count() == 0
        assert_frame_equal(deals.select("outcome"), deals.select(outcome=encode()))
    assert trusted(written) == [True] * len(parts_of(written, "deals"))


def with_other_tricks(deals: pl.DataFrame) -> pl.DataFrame:
    """Let the tricks go round in raspasy of three, and double other deals; the codes stay as they were."""
    is_raspasy = (pl.col("contract") == "raspasy") & (pl.col("players") == 3)
    return deals.with_columns(
        pl.when(is_raspasy).then("multiplier").otherwise(pl.col("multiplier") % 16 + 1).alias("multiplier"),
        *(
            pl.when(is_raspasy).then(f"tricks_{right}").otherwise(f"tricks_{seat}").alias(f"tricks_{seat}")
            for seat, right in zip("abc", "cab", strict=True)
        ),
    )


@pytest.mark.parametrize("same_size", [False, True])
def test_stale_codes_are_not_trusted(folder: Path, club_sheets: pl.DataFrame, same_size: bool) -> None:
    files = sorted((folder / "deals").iterdir())
    for file in files:
        with_other_tricks(pl.read_parquet(file)).write_parquet(file)
        os.utime(file, ns=(1, 1))
    if same_size:
        manifest = json.loads((folder / "archive.json").read_text())
        for file in files:
            manifest["parts"][file.name]["deals"]["size"] = file.stat().st_size
        (folder / "archive.json").write_text(json.dumps(manifest))
    assert not any(trusted(folder))
    archive = pref.open_archive(folder)
    sheets = sheets_of(archive)
    assert not sheets.equals(club_sheets)
    assert_frame_equal(sheets, sheets_of(archive_of_frames(frames_of(archive))))
    again = pref.write_archive(archive, folder.parent / "again")
    assert_frame_equal(sheets_of(again), sheets)
    assert all(part.has_codes for part in again.parts)
    codes = again.deals.collect()
    assert_frame_equal(codes.select("outcome"), codes.select(outcome=encode()))


def test_a_file_that_was_only_touched_is_trusted(folder: Path, club_sheets: pl.DataFrame) -> None:
    for file in (folder / "deals").iterdir():
        os.utime(file, ns=(1, 1))
    assert all(trusted(folder))
    assert_frame_equal(sheets_of(pref.open_archive(folder)), club_sheets)


def test_a_copied_archive_is_trusted(written: Path, tmp_path: Path) -> None:
    shutil.copytree(written, tmp_path / "copy", copy_function=shutil.copy)
    assert all(trusted(tmp_path / "copy"))


def test_codes_are_read_where_they_are_trusted(folder: Path) -> None:
    """The readable columns say something else here, under a manifest which says that prefdata wrote them."""
    manifest = json.loads((folder / "archive.json").read_text())
    expected = sheets_of(pref.open_archive(folder))
    for file in (folder / "deals").iterdir():
        deals = with_other_tricks(pl.read_parquet(file))
        deals.write_parquet(file)
        manifest["parts"][file.name]["deals"] = _manifest.describe(file, deals.height)
    (folder / "archive.json").write_text(json.dumps(manifest))
    assert all(trusted(folder))
    assert_frame_equal(sheets_of(pref.open_archive(folder)), expected)


def test_only_the_changed_part_loses_its_trust(folder: Path, club_sheets: pl.DataFrame) -> None:
    file = folder / "deals" / "part-00001.parquet"
    pl.read_parquet(file).write_parquet(file, compression="uncompressed")
    assert trusted(folder) == [number != 1 for number in range(len(trusted(folder)))]
    assert_frame_equal(sheets_of(pref.open_archive(folder)), club_sheets)


def test_codes_that_somebody_dropped_are_not_missed(folder: Path, club_sheets: pl.DataFrame) -> None:
    file = folder / "deals" / "part-00000.parquet"
    pl.read_parquet(file).drop("outcome").write_parquet(file)
    assert_frame_equal(sheets_of(pref.open_archive(folder)), club_sheets)


def test_broken_rows_of_a_trusted_archive_are_set_aside(folder: Path, club_sheets: pl.DataFrame) -> None:
    file = folder / "pulkas" / "part-00000.parquet"
    pulkas = pl.read_parquet(file)
    key = pulkas["pulka"][1]
    pulkas.with_columns(
        bullet_limit=pl.when(pl.col("pulka") == key).then(0).otherwise("bullet_limit").cast(pl.UInt16)
    ).write_parquet(file)
    archive = pref.open_archive(folder)
    assert all(part.has_codes for part in archive.parts)
    with pytest.warns(pref.SetAsideWarning, match=r"bullet_limit\|min"):
        assert_frame_equal(sheets_of(archive), club_sheets.filter(pl.col("pulka") != key))


def test_a_pulka_in_two_parts_of_a_folder_is_set_aside(folder: Path, club_sheets: pl.DataFrame) -> None:
    key = parts_of(folder, "pulkas")[0]["pulka"][0]
    for table in ("pulkas", "deals"):
        first, second = parts_of(folder, table)[:2]
        pl.concat([second, first.filter(pl.col("pulka") == key)]).write_parquet(folder / table / "part-00001.parquet")
    archive = pref.open_archive(folder)
    failures = archive.check().failures
    assert failures.counts() == {"pulka_in_one_part": 2}
    assert failures.frame["file"].to_list() == [str(folder / "pulkas" / f"part-0000{part}.parquet") for part in (0, 1)]
    expected = club_sheets.filter(pl.col("pulka") != key)
    with pytest.warns(pref.SetAsideWarning, match="pulka_in_one_part"):
        assert_frame_equal(sheets_of(archive), expected)
    assert_frame_equal(sheets_of(archive.check().good), expected)


# --------------------------------------------------------------------------- only, concat, part by part


@pytest.mark.parametrize("on_disk", [False, True])
def test_only_keeps_whole_pulkas(club: Archive, club_sheets: pl.DataFrame, written: Path, on_disk: bool) -> None:
    archive = pref.open_archive(written) if on_disk else club
    for chosen, condition in (
        (archive.only(players=4), pl.col("players") == 4),
        (archive.only(players=[2, 4]), pl.col("players") != 3),
        (archive.only(pl.col("bullet_limit") > 5, players=3), (pl.col("bullet_limit") > 5) & (pl.col("players") == 3)),
        (archive.only(pulka=pl.Series([3, 1, 99])), pl.col("pulka").is_in([1, 3])),
        (archive.only(), pl.lit(True)),
    ):
        expected = club_sheets.filter(condition)
        assert expected.height
        assert frames_of(chosen)["pulkas"]["pulka"].to_list() == expected["pulka"].to_list()
        assert set(frames_of(chosen)["deals"]["pulka"]) == set(expected["pulka"])
        assert set(frames_of(chosen)["adjustments"]["pulka"]) <= set(expected["pulka"])
    assert_frame_equal(sheets_of(archive.only(players=[2, 4])), club_sheets.filter(pl.col("players") != 3))


def test_archives_put_together_are_scored_together(club: Archive, written: Path) -> None:
    other = renumbered(club, -100)
    both = pref.concat([pref.open_archive(written), other])
    expected = pl.concat([sheets_of(other), sheets_of(club)])
    assert_frame_equal(sheets_of(both), expected)
    assert both.deals.collect().height == 2 * club.deals.collect().height


def test_an_archive_is_gone_through_part_by_part(club_sheets: pl.DataFrame, written: Path) -> None:
    one_by_one = [sheets_of(part) for part in pref.open_archive(written)]
    assert len(one_by_one) == len(parts_of(written, "pulkas"))
    assert_frame_equal(pl.concat(one_by_one), club_sheets)


def test_lazy_frames_make_an_archive(club: Archive, club_sheets: pl.DataFrame) -> None:
    frames = frames_of(club)
    lazy = pref.archive(frames["pulkas"].lazy(), frames["deals"].lazy(), frames["adjustments"].lazy())
    assert_frame_equal(sheets_of(lazy), club_sheets)


# --------------------------------------------------------------------------- failures as files


@pytest.fixture
def failures(club: Archive) -> pref.Failures:
    """Some broken rows."""
    frames = frames_of(club)
    frames["deals"] = frames["deals"].with_columns(
        talon=pl.when(pl.col("pulka") == 2).then(7).otherwise("talon").cast(pl.UInt8)
    )
    found: pref.Failures = archive_of_frames(frames).check().failures
    assert len(found)
    return found


def test_failures_are_written_as_parquet(failures: pref.Failures, tmp_path: Path) -> None:
    failures.write(tmp_path / "rejects.parquet")
    assert_frame_equal(pl.read_parquet(tmp_path / "rejects.parquet"), failures.frame)


def test_failures_are_written_as_csv(failures: pref.Failures, tmp_path: Path) -> None:
    failures.write(str(tmp_path / "rejects.csv"))
    back = pl.read_csv(tmp_path / "rejects.csv", schema_overrides=dict(FAILURE_SCHEMA))
    assert_frame_equal(back, failures.frame)


@pytest.mark.parametrize("name", ["rejects.csv", "rejects.parquet"])
def test_no_failures_are_a_file_with_columns(club: Archive, tmp_path: Path, name: str) -> None:
    club.check().failures.write(tmp_path / name)
    back = pl.read_csv(tmp_path / name) if name.endswith(".csv") else pl.read_parquet(tmp_path / name)
    assert back.columns == list(FAILURE_SCHEMA)
    assert back.is_empty()


@pytest.mark.parametrize("name", ["rejects.csv", "rejects.parquet"])
def test_failures_overwrite_nothing(failures: pref.Failures, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("notes")
    with pytest.raises(TargetExistsError, match=f"{name} exists already") as caught:
        failures.write(tmp_path / name)
    assert caught.value.hint
    assert (tmp_path / name).read_text() == "notes"


# --------------------------------------------------------------------------- adjustments


def adjusted(*rows: tuple[int, str, str, str | None, int], limit: int = 10) -> Archive:
    """Make the example's pulka with adjustments: deal, seat, entry, on_seat, points."""
    names = ("deal", "seat", "entry", "on_seat", "points")
    records = [{"pulka": 1, "reason": "why not", **dict(zip(names, row, strict=True))} for row in rows]
    pulkas = one_pulka().with_columns(bullet_limit=pl.lit(limit, dtype=pl.UInt16))
    archive: Archive = pref.archive(pulkas, three_deals(), frame_of(records, Adjustments))
    return archive


def test_adjustments_are_written_as_they_stand() -> None:
    before = sheets_of(pref.archive(one_pulka(), three_deals())).row(0, named=True)
    archive = adjusted(
        (0, "c", "bullet", None, 4),
        (0, "c", "bullet", None, -1),
        (1, "a", "mountain", None, -7),
        (2, "b", "whists", "c", 25),
        (3, "a", "bullet", None, 100),
    )
    assert len(archive.check().failures) == 0
    after = sheets_of(archive).row(0, named=True)
    changed = {name: after[name] - before[name] for name in entry_columns(3) if after[name] != before[name]}
    assert changed == {"bullet_c": 3, "mountain_a": -7, "whists_bc": 25, "bullet_a": 100}
    ledger = pref.ledger(archive, "sochi")
    assert pref.unapplied_adjustments(archive, ledger).is_empty()
    assert_frame_equal(ledger, pref.ledger(pref.archive(one_pulka(), three_deals()), "sochi"))


def test_running_columns_hold_the_adjustments() -> None:
    archive = adjusted((0, "c", "bullet", None, 3), (1, "a", "mountain", None, -7), (3, "b", "whists", "c", 25))
    running = pref.ledger(archive, "sochi", running_columns=True)
    assert running["running_bullet_c"].to_list() == [3, 3, 3]
    assert running["running_mountain_a"].to_list() == [-7, -7, -7]
    last = running.select(pl.selectors.starts_with("running_")).tail(1)
    expected = sheets_of(archive).select(pl.col(name).alias(f"running_{name}") for name in entry_columns())
    assert_frame_equal(last, expected)


@pytest.mark.parametrize("deal", [1, 2, 3])
def test_adjustments_after_the_end_are_reported_and_not_applied(deal: int) -> None:
    """An opening adjustment leaves two points open, which the first deal's six brings; so the pulka ends with it."""
    opening: tuple[tuple[int, str, str, str | None, int], ...] = (
        (0, "a", "bullet", None, 1),
        (0, "b", "bullet", None, 3),
        (0, "c", "bullet", None, 3),
    )
    late = (deal, "b", "mountain", None, 5)
    archive = adjusted(*opening, late, limit=3)
    assert len(archive.check().failures) == 0
    row = sheets_of(archive).row(0, named=True)
    assert (row["closed"], row["deals_scored"], row["deals_after_end"]) == (True, 1, 2)
    without = sheets_of(adjusted(*opening, limit=3)).row(0, named=True)
    unapplied = pref.unapplied_adjustments(archive, pref.ledger(archive, "sochi"))
    if deal == 1:
        assert row["mountain_b"] == without["mountain_b"] + 5
        assert unapplied.is_empty()
    else:
        assert row == without
        names = ("deal", "seat", "entry", "on_seat", "points")
        assert unapplied.select(names).rows() == [late]
        assert unapplied["reason"].to_list() == ["why not"]


def test_adjustments_are_read_from_a_folder(tmp_path: Path) -> None:
    archive = adjusted((0, "c", "bullet", None, 3), (3, "b", "whists", "c", 25))
    back = pref.write_archive(archive, tmp_path / "club")
    assert_frame_equal(back.adjustments.collect(), archive.adjustments.collect())
    assert_frame_equal(sheets_of(back), sheets_of(archive))


def test_an_opening_adjustment_may_close_a_pulka() -> None:
    """The end is looked for once a deal, so the first deal is still scored."""
    opening = [(0, seat, "bullet", None, 10) for seat in "abc"]
    row = sheets_of(adjusted(*opening)).row(0, named=True)
    assert (row["closed"], row["deals_scored"], row["deals_after_end"]) == (True, 1, 2)


# --------------------------------------------------------------------------- warnings are errors


def test_nothing_else_is_warned_of(folder: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        archive = pref.open_archive(folder)
        pref.settle(sheets_of(archive), "sochi", pulkas=archive.pulkas)
        pref.ledger(archive, "leningrad", running_columns=True)
        pref.values(archive, "sochi")
