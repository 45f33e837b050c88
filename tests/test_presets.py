"""Every preset rescores the shipped archive, or a sample of the game it is for, as one types it."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import prefdata as pref
from prefdata.archives import Archive
from prefdata.cli import main
from prefdata.errors import PrefdataError
from prefdata.russian.tables import Deals
from prefdata.tables import Pulkas
from tests.records import frame_of

CLUB = Path(__file__).parent.parent / "data" / "club"
PULKAS = 2000


def is_for_two(name: str) -> bool:
    return name.startswith("hussar")


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The archive for each preset: the shipped one, one of two players, one of the Balkan game."""
    folder = tmp_path_factory.mktemp("archives")
    pref.write_archive(pref.sample(PULKAS, players=2, convention="hussar"), folder / "two")
    pref.write_archive(pref.sample(PULKAS, convention="balkan"), folder / "balkan")
    found = {}
    for name in pref.presets():
        own = folder / "two" if is_for_two(name) else CLUB
        found[name] = folder / "balkan" if pref.convention(name).game == "balkan" else own
    return found


@pytest.mark.parametrize("name", pref.presets())
def test_a_preset_rescores_without_a_special_flag(
    name: str, archives: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["rescore", str(archives[name]), "-c", name, "--out", str(out)]) == 0
    (row,) = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith(f"{name} ")]
    assert row[1:3] == ["2", "000"]
    assert "ok" in row or "ok," in row
    settled = pl.read_parquet(out / name / "settlements" / "*.parquet")
    assert settled["pulka"].n_unique() == PULKAS
    assert (settled.group_by("pulka").agg(pl.col("result_twelfths").sum())["result_twelfths"] == 0).all()
    assert settled["rounded"].null_count() == 0


def two_players(limit: int, deals: list[dict[str, object]]) -> Archive:
    numbered = [{"pulka": 1, "deal": number, **deal} for number, deal in enumerate(deals, start=1)]
    pulka = {"pulka": 1, "players": 2, "bullet_limit": limit, "convention": "hussar"}
    return pref.archive(frame_of([pulka], Pulkas), frame_of(numbered, Deals))


PLAIN = {"players": 2, "dealer": "a", "conceded": False, "talon": 0, "multiplier": 1, "wrong_cards": ""}
SIX = {**PLAIN, "contract": "6", "declarer": "a", "call_b": "whist", "tricks_a": 6, "tricks_b": 4}
RASPASY = {**PLAIN, "contract": "raspasy", "tricks_a": 4, "tricks_b": 6}


def typed_reasons(archive: Archive, folder: Path) -> tuple[int, list[str]]:
    """Rescore under the indivisible hussar; gives the exit code and the reasons of what was set aside."""
    for table, frame in (("pulkas", archive.pulkas), ("deals", archive.deals)):
        (folder / "in" / table).mkdir(parents=True)
        frame.collect().write_parquet(folder / "in" / table / "part-00000.parquet")
    code = main(["rescore", str(folder / "in"), "-c", "hussar-indivisible", "--out", str(folder / "out")])
    return code, pl.read_parquet(folder / "out" / "set-aside" / "*.parquet")["reason"].to_list()


ODD = "hussar-indivisible would write half a mountain point: bullet_limit must be even"


@pytest.mark.parametrize(("limit", "reasons"), [(21, [ODD]), (20, [])])
def test_an_odd_limit_in_the_indivisible_hussar(limit: int, reasons: list[str], tmp_path: Path) -> None:
    """Set aside even where the deals at hand would write no half point."""
    code, found = typed_reasons(two_players(limit, [SIX]), tmp_path)
    assert code == len(reasons)
    assert found == reasons


def test_tables_of_more_than_two_under_the_hussar(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The shipped archive has tables of three and four; two recorded sheets of it settle as little."""
    assert main(["rescore", str(CLUB), "-c", "hussar", "--out", str(tmp_path / "out")]) == 1
    assert "hussar is for 2 players" in capsys.readouterr().err
    sheets = pref.sheets(pref.open_archive(CLUB).only(pulka=[1, 2]), "sochi")
    good, failures = pref.check_sheets(sheets, "hussar")
    assert (good.height, failures.counts()) == (0, {"players_of_sheet": 2})


def test_a_sample_has_as_many_players_as_the_convention_is_for() -> None:
    assert set(pref.sample(3, convention="hussar").pulkas.collect()["players"]) == {2}
    assert pref.invariance("hussar-indivisible").is_constant
    with pytest.raises(PrefdataError, match="players is 'mix', but hussar is for 2 players"):
        pref.sample(3, convention="hussar", players="mix")


def test_pulkas_in_chunks_are_set_aside_like_others() -> None:
    """A frame that was put together has chunks, and those of the good pulkas are left empty."""
    whole = pref.sample(4, convention="hussar", seed=3)
    pulkas = whole.pulkas.collect()
    odd = [pulkas[:2], pulkas[2:].with_columns(bullet_limit=pl.lit(21, dtype=pl.UInt16))]
    chunked = pref.archive(pl.concat(odd, rechunk=False), whole.deals.collect())
    with pytest.warns(pref.SetAsideWarning, match=r"bullet_limit must be even \(bullet_limit=21\)"):
        assert pref.sheets(chunked, "hussar-indivisible")["pulka"].to_list() == [1, 2]


def test_raspasy_of_two_players(tmp_path: Path) -> None:
    assert typed_reasons(two_players(20, [SIX, RASPASY]), tmp_path) == (1, ["two players must not play raspasy"])
