from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.russian.facts import Facts
from prefdata.simulate import HABITS, PLAYERS, Habits, SimulationError, Style, _deals, frequencies, sample
from prefdata.vocabulary import SEATS, player_column

CONVENTIONS = ("sochi", "leningrad", "rostov")

BANDS = {
    "raspasy": (0.20, 0.35),
    "contract_6": (0.40, 0.60),
    "contract_7": (0.18, 0.30),
    "contract_8": (0.08, 0.18),
    "contract_9": (0.03, 0.09),
    "contract_10": (0.005, 0.04),
    "misere": (0.03, 0.09),
    "made": (0.70, 0.88),
    "both_passed": (0.10, 0.30),
}

# Changes only when the game that the generator plays is changed on purpose.
GOLDEN = "f592950e9637f71f1b0e413cccef4cbf38ae11f8c9389fefe7ded3bdd1104d8c"


def measures(archive: Archive, players: int | None = None) -> dict[str, float]:
    found = frequencies(archive).filter(pl.col("players").eq_missing(pl.lit(players, dtype=pl.UInt8)))
    return dict(found.select("measure", "value").rows())


def deals_of(archive: Archive) -> pl.DataFrame:
    return archive.deals.collect()


@pytest.mark.parametrize(
    ("convention", "seed"), [("sochi", 1), ("sochi", 2), ("sochi", 3), ("leningrad", 1), ("rostov", 2)]
)
@pytest.mark.parametrize("players", [3, 4, "mix"])
def test_frequencies_stay_within_their_bands(convention: str, players: Any, seed: int) -> None:
    found = measures(sample(2000, players=players, convention=convention, seed=seed))
    outside = {name: found[name] for name, (least, most) in BANDS.items() if not least <= found[name] <= most}
    assert not outside
    if players == 3:
        assert 25 <= found["deals_per_pulka"] <= 60


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_two_players_have_no_raspasy(seed: int) -> None:
    hussar = sample(2000, players=2, seed=seed)
    found = measures(hussar)
    assert found["raspasy"] == 0
    outside = {name: found[name] for name, (least, most) in BANDS.items() if not least <= found[name] <= most}
    assert outside.keys() == {"raspasy"}
    seats = hussar.deals.select(pl.col("declarer").drop_nulls().unique()).collect().to_series()
    assert set(seats.to_list()) == {"a", "b"}


@pytest.mark.parametrize("players", [2, 3, 4, "mix"])
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_pulkas_are_legal_and_end_at_their_end(convention: str, players: Any) -> None:
    archive = sample(300, players=players, convention=convention, seed=5, bullet_limit=(10, 15, 20))
    assert not len(archive.check().failures)
    sheets = pref.sheets(archive, convention)
    assert sheets.height == 300
    assert sheets["closed"].all()
    assert sheets["deals_after_end"].sum() == 0
    assert set(sheets["bullet_limit"].unique()) == {10, 15, 20}


@pytest.mark.parametrize("ten", ["whisted", "checked"])
def test_rare_columns_are_legal_too(ten: str) -> None:
    habits = Habits(wrong_cards=0.5, doubled=0.3, unwhisted_ten=1, half_whist=0.8, concession=0.5, hopeless=0)
    house = pref.convention("sochi").replace(ten=ten, half_whist={"6": 2})
    archive = sample(300, players="mix", convention=house, habits=habits)
    assert not len(archive.check().failures)
    deals = deals_of(archive)
    assert set(deals["multiplier"].unique()) == {1, 2}
    assert set(deals["wrong_cards"].unique()) == {"", *SEATS}
    assert set(deals["talon"].unique()) == {0, 1, 2, 3}
    assert set(deals["conceded"].unique()) == {False, True}
    assert deals.filter(Facts.of_deal().half_calls > 0)["contract"].unique().to_list() == ["6"]
    tens = deals.filter(pl.col("contract") == "10", ~pl.col("conceded"))
    assert tens.height
    assert tens.select(Facts.of_deal().whist_calls.max()).item() == (2 if ten == "whisted" else 0)
    assert tens.filter(Facts.of_deal().whist_calls == 0).select(Facts.of_deal().is_unwhisted_ten.all()).item()


def test_dealers_rotate_and_players_are_different() -> None:
    archive = sample(200, players="mix")
    dealer = pl.col("dealer").cat.physical().cast(pl.Int64)
    moved = (dealer - dealer.shift() - 1) % pl.col("players")
    assert deals_of(archive).select(moved.over("pulka").drop_nulls().unique()).to_series().to_list() == [0]
    names = archive.pulkas.select("players", different=pl.concat_list("^player_.$").list.drop_nulls().list.n_unique())
    assert names.filter(pl.col("players") != pl.col("different")).collect().is_empty()
    assert archive.pulkas.collect()["played_on"].is_sorted()


def test_a_pulka_depends_on_its_seed_and_key_only(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sample(60, players="mix", seed=3)
    parts = [sample(25, players="mix", seed=3), sample(35, players="mix", seed=3, first_pulka=26)]
    monkeypatch.setattr(_deals, "_DEALS_PER_BLOCK", 100)
    monkeypatch.setattr(_deals, "cpu_count", lambda: 7)
    again = sample(60, players="mix", seed=3)
    for other in (pref.concat(parts), again):
        assert_frame_equal(whole.pulkas.collect(), other.pulkas.collect())
        assert_frame_equal(deals_of(whole), deals_of(other))
    assert not deals_of(whole).equals(deals_of(sample(60, players="mix", seed=4)))


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        pref.write_archive(sample(200, players="mix", seed=11), tmp_path / name)
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.parquet"))
    assert len(files) == 2
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_the_same_seed_gives_what_it_always_gave() -> None:
    archive = sample(12, players="mix", seed=2024, bullet_limit=[10, 20])
    text = archive.pulkas.drop("bullet_total").collect().write_csv() + deals_of(archive).write_csv()
    assert hashlib.sha256(text.encode()).hexdigest() == GOLDEN


def test_styles_matter() -> None:
    styles = {
        "bold": Style(bidding=0.6),
        "cautious": Style(bidding=-0.6),
        "dummy": Style(),
        "whister": Style(whisting=1),
    }
    archive = sample(800, players=4, styles=styles)
    rows = deals_of(archive).join(archive.pulkas.collect().select("pulka", "^player_.$"), on="pulka")
    declarer = pl.coalesce(pl.when(Facts.of_deal().declares[seat]).then(pl.col(player_column(seat))) for seat in SEATS)
    declared = dict(rows.group_by(declarer.alias("name")).len().drop_nulls().rows())
    assert declared["bold"] > 1.3 * declared["dummy"] > 1.3 * 1.2 * declared["cautious"]
    whists = {
        name: sum(
            rows.filter(pl.col(player_column(seat)) == name).select((pl.col(f"call_{seat}") == "whist").sum()).item()
            for seat in SEATS
        )
        for name in styles
    }
    assert whists["whister"] > 1.2 * whists["dummy"]


def test_skill_pays() -> None:
    styles = {**{name: Style() for name in "abc"}, "master": Style(skill=1)}
    archive = sample(600, players=4, styles=styles)
    results = pref.settle(pref.sheets(archive, "sochi"), "sochi", pulkas=archive.pulkas)
    mean = dict(results.group_by("player").agg(pl.col("result").mean()).rows())
    assert mean.pop("master") > 20 > max(mean.values())


def test_misere_comes_with_appetite() -> None:
    def share(appetite: float) -> float:
        styles = {name: Style(misere=appetite) for name in "abc"}
        return measures(sample(200, styles=styles))["misere"]

    assert share(-0.5) < share(0) < share(0.5)


def test_players_who_always_pass_are_made_to_play() -> None:
    timid = {name: Style(bidding=-10, misere=-10) for name in "abc"}
    hussar = deals_of(sample(3, players=2, styles=timid, habits=Habits(longest_pulka=20)))
    assert set(hussar["contract"].unique()) <= {"6", "7"}
    three = deals_of(sample(3, players=3, styles=timid, habits=Habits(longest_pulka=20)))
    assert three["contract"].unique().to_list() == ["raspasy"]


def test_a_pulka_that_never_ends_stays_open() -> None:
    archive = sample(5, bullet_limit=1000, habits=Habits(longest_pulka=30))
    assert deals_of(archive)["deal"].max() == 30
    assert not pref.sheets(archive, "sochi")["closed"].any()


def test_large_archives_come_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sample(50)
    monkeypatch.setattr("prefdata.simulate._simulate.DEALS_PER_PART", 400)
    parts = sample(50)
    assert len(parts.parts) > 2
    assert_frame_equal(deals_of(whole), deals_of(parts))


def test_frequencies_count_every_table() -> None:
    archive = sample(100, players="mix")
    found = frequencies(archive)
    assert found.columns == ["measure", "players", "value"]
    assert found["players"].unique().sort().to_list() == [None, 2, 3, 4]
    assert measures(archive)["pulkas"] == 100 == sum(measures(archive, players)["pulkas"] for players in (2, 3, 4))
    shares = measures(archive, 3)
    assert sum(shares[f"contract_{level}"] for level in range(6, 11)) + shares["misere"] == pytest.approx(1)
    assert shares["deals_per_pulka"] == shares["deals"] / shares["pulkas"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pulkas": 0}, "pulkas is 0"),
        ({"pulkas": 2.5}, "pulkas is 2.5"),
        ({"players": 5}, "players is 5"),
        ({"players": "3"}, "players is '3'"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": True}, "seed is True"),
        ({"bullet_limit": 0}, r"bullet_limit is \[0\]"),
        ({"bullet_limit": []}, r"bullet_limit is \[\]"),
        ({"bullet_limit": [20, 70_000]}, "bullet_limit is"),
        ({"first_pulka": 0}, "first_pulka is 0"),
        ({"styles": {"a": Style(), "b": Style()}}, "2 players cannot fill a table of 3"),
        ({"convention": "sotchi"}, "unknown convention"),
    ],
)
def test_impossible_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(pref.PrefdataError, match=message) as caught:
        sample(**{"pulkas": 1, **arguments})
    assert caught.value.hint


@pytest.mark.parametrize(
    "habits",
    [
        {"half_whist": 1.5},
        {"misere_caught": (0, 0, 0)},
        {"misere_tricks": (0, 0)},
        {"whist_first": (1, 2, 3, 4, 50)},
        {"mix": (0, 0, 0)},
        {"weekdays": ()},
        {"places": ()},
        {"luck": float("nan")},
        {"longest_pulka": 0},
        {"pulkas_per_evening": 0},
    ],
)
def test_impossible_habits_are_refused(habits: dict[str, Any]) -> None:
    with pytest.raises(SimulationError, match="habits: ") as caught:
        Habits(**habits)
    assert caught.value.hint


def test_impossible_styles_are_refused() -> None:
    with pytest.raises(SimulationError, match="style: bidding"):
        Style(bidding=11)


def test_the_usual_players_and_habits() -> None:
    assert list(PLAYERS) == list("ABCDEFGHIJKL")
    assert Habits() == HABITS
    assert hash(Habits(mix=[1, 1, 1])) == hash(Habits(mix=(1, 1, 1)))  # type: ignore[arg-type]
    assert np.mean([style.bidding for style in PLAYERS.values()]) == pytest.approx(0, abs=0.05)
