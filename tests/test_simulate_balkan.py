from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.balkan.facts import Facts
from prefdata.balkan.vocabulary import RANKS, SEATS, contract_column
from prefdata.cli import main
from prefdata.simulate import Habits, SimulationError, Style, _deals, frequencies, sample
from prefdata.vocabulary import player_column

PRESETS = ("balkan", "slovene")
ALONE = pref.convention("balkan").replace(contra_responsibility="alone")

BANDS = {
    "deals_per_pulka": (15, 25),
    "all_pass": (0.05, 0.12),
    "spades": (0.08, 0.2),
    "diamonds": (0.12, 0.25),
    "hearts": (0.18, 0.32),
    "clubs": (0.25, 0.42),
    "bettel": (0.01, 0.05),
    "sans": (0.03, 0.1),
    "hand": (0.03, 0.1),
    "made": (0.75, 0.85),
    "bettel_made": (0.55, 0.85),
    "nobody_came": (0.25, 0.45),
    "one_came": (0.25, 0.45),
    "both_came": (0.06, 0.2),
    "invited": (0.1, 0.25),
    "contra": (0.03, 0.06),
    "recontra": (0.001, 0.01),
}

# Changes only when the game that the generator plays is changed on purpose.
GOLDEN = "13874ab4e0bbab89ea6dda49b0683591440804ef08f2178b8e230b59e74e90d1"


def measures(archive: Archive) -> dict[str, float]:
    return dict(frequencies(archive).filter(players=3).select("measure", "value").rows())


def sums_to_zero(settled: pl.DataFrame) -> bool:
    return settled.group_by("pulka").agg(pl.sum("result_twelfths"))["result_twelfths"].unique().to_list() == [0]


def deals_of(archive: Archive) -> pl.DataFrame:
    return archive.deals.collect()


@pytest.mark.parametrize(("convention", "seed"), [("balkan", 1), ("slovene", 2)])
def test_frequencies_stay_within_their_bands(convention: str, seed: int) -> None:
    archive = sample(2000, convention=convention, seed=seed)
    found = measures(archive)
    assert not {name: found[name] for name, (least, most) in BANDS.items() if not least <= found[name] <= most}
    assert list(found) == ["pulkas", "deals", *BANDS]
    assert found["pulkas"] == 2000
    assert sum(found[game] for game in RANKS) == pytest.approx(1)
    assert sum(found[name] for name in ("nobody_came", "one_came", "both_came", "invited")) == pytest.approx(1)
    doubled = pref.ledger(archive, convention)["doubled"].mean()
    assert isinstance(doubled, float)
    assert 0.04 <= doubled <= 0.15


@pytest.mark.parametrize("convention", [*PRESETS, ALONE], ids=[*PRESETS, "alone"])
def test_pulkas_are_legal_and_end_at_their_end(convention: str | pref.Convention) -> None:
    archive = sample(300, convention=convention, seed=5, bullet_limit=(30, 50))
    assert not len(archive.check().failures)
    sheets = pref.sheets(archive, convention)
    assert sheets.height == 300
    assert sheets["closed"].all()
    assert sheets["deals_after_end"].sum() == 0
    assert sheets.select(pl.sum_horizontal(map(contract_column, SEATS)).unique()).to_series().to_list() == [0]
    assert set(sheets["bullet_limit"].unique()) == {30, 50}
    assert sums_to_zero(pref.settle(sheets, convention))


def test_rare_columns_are_legal_too() -> None:
    habits = Habits(contra=1.5, recontra=-1, bettel_contra=0.5, hand_bid=(0,) * 6, longest_pulka=15)
    archive = sample(200, convention=ALONE, habits=habits)
    assert not len(archive.check().failures)
    deals = deals_of(archive)
    assert set(deals["contra"].unique()) == {0, 1, 2}
    games = deals.filter(pl.col("contract") != "all_pass").group_by("contract").agg(pl.col("hand").n_unique())
    assert dict(games.rows()) == dict.fromkeys(RANKS, 2)
    assert deals.filter(pl.col("contract") == "bettel")["contra"].max() == 1


def test_a_failed_game_stops_at_the_fifth_trick_of_the_defence() -> None:
    archive = sample(100, convention="balkan", habits=Habits(longest_pulka=12))
    deals = deals_of(archive).filter(pl.col("contract") != "bettel")
    taken = [deals.filter(pl.col("declarer") == seat)[f"tricks_{seat}"] for seat in SEATS]
    assert pl.concat([tricks.rename("tricks") for tricks in taken]).min() == 5


def test_dealers_rotate() -> None:
    deals = deals_of(sample(50, convention="balkan", habits=Habits(longest_pulka=12)))
    dealer = pl.col("dealer").cat.physical().cast(pl.Int64)
    moved = ((dealer - dealer.shift() - 1) % 3).over("pulka")
    assert deals.select(moved.drop_nulls().unique()).to_series().to_list() == [0]


def test_a_pulka_depends_on_its_seed_and_key_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(pulkas: int, seed: int = 3, first_pulka: int = 1) -> Archive:
        habits = Habits(longest_pulka=15)
        return sample(pulkas, convention="balkan", seed=seed, first_pulka=first_pulka, habits=habits)

    whole, parts = play(60), [play(25), play(35, first_pulka=26)]
    monkeypatch.setattr(_deals, "_DEALS_PER_BLOCK", 100)
    monkeypatch.setattr(_deals, "cpu_count", lambda: 7)
    monkeypatch.setattr("prefdata.simulate._simulate.DEALS_PER_PART", 400)
    again = play(60)
    assert len(again.parts) > 1
    for other in (pref.concat(parts), again):
        assert_frame_equal(whole.pulkas.collect(), other.pulkas.collect())
        assert_frame_equal(deals_of(whole), deals_of(other))
    assert not deals_of(whole).equals(deals_of(play(60, seed=4)))


def test_the_same_seed_gives_what_it_always_gave() -> None:
    archive = sample(12, convention="balkan", seed=2024, bullet_limit=[30, 50])
    text = archive.pulkas.drop("bullet_total").collect().write_csv() + deals_of(archive).write_csv()
    assert hashlib.sha256(text.encode()).hexdigest() == GOLDEN


def test_styles_matter() -> None:
    styles = {"bold": Style(bidding=0.6), "cautious": Style(bidding=-0.6), "defender": Style(whisting=1)}
    archive = sample(300, convention="balkan", styles=styles, habits=Habits(longest_pulka=12))
    rows = deals_of(archive).join(archive.pulkas.collect().select("pulka", "^player_.$"), on="pulka")

    def count(name: str, does: Mapping[str, pl.Expr]) -> int:
        sits = (pl.col(player_column(seat)) == name for seat in SEATS)
        return sum(rows.filter(seated & does[seat]).height for seated, seat in zip(sits, SEATS, strict=True))

    declared = {name: count(name, Facts.of_deal().declares) for name in styles}
    passed = {name: count(name, Facts.of_deal().passes) for name in styles}
    assert declared["bold"] > 1.3 * declared["cautious"]
    assert 1.5 * passed["defender"] < min(passed["bold"], passed["cautious"])


def test_players_who_always_pass_leave_their_pulkas_open() -> None:
    timid = {name: Style(bidding=-10, misere=-10) for name in "abc"}
    archive = sample(3, convention="balkan", styles=timid, habits=Habits(longest_pulka=20))
    assert deals_of(archive)["contract"].unique().to_list() == ["all_pass"]
    assert deals_of(archive)["deal"].max() == 20
    assert not pref.sheets(archive, "balkan")["closed"].any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *(({"players": players}, f"players is {players!r}, but balkan is for 3 players") for players in (2, 4, "mix")),
        ({"bullet_limit": 40}, "bullet_limit=40: balkan does not say how many refes"),
        ({"bullet_limit": [30, 0]}, "bullet_limit is"),
        ({"styles": {"a": Style(), "b": Style()}}, "2 players cannot fill a table of 3"),
    ],
)
def test_impossible_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(SimulationError, match=message) as caught:
        sample(**{"pulkas": 5, "convention": "balkan", **arguments})
    assert caught.value.hint


@pytest.mark.parametrize("habits", [{"game_bid": (0, 0)}, {"contra": 21}, {"bettel_contra": 1.5}])
def test_impossible_habits_are_refused(habits: dict[str, Any]) -> None:
    with pytest.raises(SimulationError, match="habits: "):
        Habits(**habits)


def test_a_house_rule_may_set_the_refes_of_any_limit() -> None:
    house = pref.convention("balkan").replace(refe_max=2)
    archive = sample(5, convention=house, bullet_limit=40)
    assert archive.pulkas.collect()["bullet_limit"].unique().to_list() == [40]
    assert pref.sheets(archive, house)["closed"].all()


def test_a_pulka_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(SimulationError, match="bullet_limit=21: hussar-indivisible would write") as caught:
        sample(5, players=2, convention="hussar-indivisible", bullet_limit=21)
    assert caught.value.hint


@pytest.mark.parametrize("convention", PRESETS)
def test_the_command_line_samples_and_rescores(
    convention: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    club, out = str(tmp_path / "club"), tmp_path / "out"
    assert main(["sample", club, "-c", convention, "--pulkas", "50"]) == 0
    printed = capsys.readouterr().out
    assert all(measure in printed for measure in BANDS)
    assert main(["check", club]) == 0
    assert main(["rescore", club, "-c", convention, "-c", "played", "--out", str(out)]) == 0
    settled = pl.read_parquet(out / convention / "settlements")
    assert settled.height == 150
    assert sums_to_zero(settled)
    assert pref.open_archive(club).pulkas.collect()["bullet_limit"].unique().to_list() == [30]


@pytest.mark.parametrize(
    ("convention", "players", "limit"),
    [
        ("mendelev", 3, 200),
        ("kazakh", 3, 80),
        ("hussar", 2, 20),
        ("hussar-indivisible", 2, 20),
        ("classic", 3, 20),
        ("leningrad-federation", 3, 20),
        ("leningrad-tournament", 3, 20),
    ],
)
def test_other_presets_are_played_to_their_usual_limit(
    convention: str, players: int, limit: int, tmp_path: Path
) -> None:
    archive = sample(200, convention=convention, players=players)
    assert archive.pulkas.collect()["bullet_limit"].unique().to_list() == [limit]
    # Under classic the mountain, where what is made goes first, grows faster than anything is made.
    assert pref.sheets(archive, convention)["closed"].all() == (convention != "classic")
    pref.write_archive(archive, tmp_path / "club")
    pref.rescore(tmp_path / "club", convention, tmp_path / "out", strict=True)
    settled = pl.read_parquet(tmp_path / "out" / convention / "settlements")
    assert settled.height == 200 * players
    assert sums_to_zero(settled)
