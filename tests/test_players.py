"""Players: profiles, head to head, standings and ratings."""

from __future__ import annotations

from collections import Counter
from datetime import date
from fractions import Fraction
from functools import cache
from pathlib import Path

import polars as pl
import pytest

import prefdata as pref
from prefdata.analysis import (
    COLUMNS,
    Band,
    PlayerProfiles,
    PointsError,
    PointsSystem,
    head_to_head,
    player_profiles,
    points_system,
    points_systems,
    pulka_results,
    ratings,
    seasons,
    standings,
)
from prefdata.analysis._estimates import means_by, wilson
from prefdata.analysis._profile_frames import streaks
from prefdata.errors import ConventionError, TableError
from prefdata.examples import one_pulka, three_deals
from prefdata.simulate import Style
from prefdata.vocabulary import LEVELS, SEATS

# Season of a club: 13 pulkas of four, whole whists.
SEASON_TOTALS = """pulka,A,B,C,D
1,-18,0,-460,478
2,71,-29,-133,91
3,262,-266,226,-222
4,-137,55,-125,207
5,-666,518,0,148
6,421,-243,-59,-119
7,170,-626,254,202
8,119,-497,479,-101
9,405,-667,-105,367
10,-338,210,-230,358
11,322,-402,-778,858
12,-26,-326,262,90
13,-198,-2,206,-6
"""


def season_totals() -> pl.DataFrame:
    wide = pl.read_csv(SEASON_TOTALS.encode())
    return wide.unpivot(index="pulka", variable_name="player", value_name="result").sort("pulka", "player")


def small_archive() -> pref.Archive:
    names = [pl.lit(name).alias(f"player_{seat}") for name, seat in zip("ABC", "abc", strict=True)]
    return pref.archive(one_pulka().with_columns(*names, stake=pl.lit(0.5)), three_deals())


@cache
def club() -> pref.Archive:
    return pref.open_archive(Path(__file__).parents[1] / "data" / "club")


@cache
def club_profiles() -> PlayerProfiles:
    return player_profiles(club())


@cache
def club_results() -> pl.DataFrame:
    return pulka_results(club(), "sochi")


def by_player(frame: pl.DataFrame, column: str) -> dict[str, float]:
    return dict(frame.select("player", column).iter_rows())


# Computed by hand: a six made with one trick short on the whist, an eight one down, a raspasy with 0, 6 and 4 tricks.


def test_small_pulka_results() -> None:
    results = player_profiles(small_archive()).results
    assert by_player(results, "result") == {"A": 80, "B": -114, "C": 34}
    assert by_player(results, "money") == {"A": 40, "B": -57, "C": 17}
    assert by_player(results, "wins") == {"A": 1, "B": 0, "C": 0}
    assert by_player(results, "mean_rank") == {"A": 1, "B": 3, "C": 2}
    assert by_player(results, "whists_per_deal") == pytest.approx({"A": 80 / 3, "B": -38, "C": 34 / 3})
    assert results["interval"].unique().to_list() == ["too few"]
    assert results["standard_error"].null_count() == results["low"].null_count() == 3


def test_small_pulka_roles() -> None:
    profiles = player_profiles(small_archive())
    assert by_player(profiles.declaring, "declared") == {"A": 1, "B": 1, "C": 0}
    assert by_player(profiles.declaring, "made") == {"A": 1, "B": 0, "C": 0}
    assert by_player(profiles.declaring, "undertricks") == {"A": 0, "B": 1, "C": 0}
    assert by_player(profiles.declaring, "value") == {"A": 14, "B": -70, "C": 0}
    assert profiles.declaring["made_share"].to_list() == [1, 0, None]
    calls = profiles.defending.select("player", "called", "whists", "passes", "whist_value", "pass_value")
    assert calls.rows() == [("A", 1, 0, 1, 0, 26), ("B", 1, 1, 0, -14, 0), ("C", 2, 1, 1, 44, 0)]
    tricks = profiles.raspasy.select("player", "tricks_mean", "zeros", "value_mean").rows()
    assert tricks == [("A", 0, 1, 40), ("B", 6, 0, -30), ("C", 4, 0, -10)]


def test_small_pulka_luck() -> None:
    luck = player_profiles(small_archive()).luck
    # Defenders of the six get -7 on average, those of the eight 35, raspasy 0; a declarer is alone in his cell.
    assert by_player(luck, "mix") == pytest.approx({"A": 14 + 35, "B": -7 - 70, "C": -7 + 35})
    assert by_player(luck, "within") == pytest.approx({"A": -9 + 40, "B": -7 - 30, "C": 7 + 9 - 10})


def test_small_pulka_head_to_head() -> None:
    frame = head_to_head(small_archive(), "sochi").frame
    pairs = {
        (player, opponent): result for player, opponent, result in frame.select(*frame.columns[:2], "result").rows()
    }
    # Bullets 3, 0, 0; mountains 0, 14, 4; whists of A and B on each other 6 and 6, of C on B 24 and of A on C none.
    assert pairs["A", "B"] == pytest.approx(10 + 140 / 3)
    assert pairs["A", "C"] == pytest.approx(10 + 40 / 3)
    assert pairs["C", "B"] == pytest.approx(100 / 3 + 24)
    assert frame.filter(player="C", opponent="B")["whists_balance"].item() == 24


def test_adjustments_are_told_apart() -> None:
    names = [pl.lit(name).alias(f"player_{seat}") for name, seat in zip("ABC", "abc", strict=True)]
    extra = pl.DataFrame(
        {
            "pulka": [1],
            "deal": [1],
            "seat": ["a"],
            "entry": ["whists"],
            "on_seat": ["b"],
            "points": [30],
            "reason": [""],
        }
    )
    luck = player_profiles(pref.archive(one_pulka().with_columns(names), three_deals(), extra)).luck
    assert by_player(luck, "adjustments") == {"A": 30, "B": -30, "C": 0}
    assert by_player(luck, "result") == {"A": 110, "B": -144, "C": 34}


def test_wilson_against_published_values() -> None:
    # Binomial 95 % intervals of 8 of 10 and of 0 of 10 by Wilson's score method.
    low, high = wilson(pl.col("made"), pl.col("tried"))
    frame = pl.DataFrame({"made": [8, 0, 0], "tried": [10, 10, 0]}).select(low=low, high=high)
    assert frame.row(0) == pytest.approx((0.4901625, 0.9433178), abs=1e-7)
    assert frame.row(1) == pytest.approx((0, 0.2775328), abs=1e-7)
    assert frame.row(2) == (None, None)


def test_intervals_of_means() -> None:
    frame = pl.concat(
        pl.DataFrame({"player": [name] * pulkas, "twelfths": [12 * (place % 3) for place in range(pulkas)]})
        for name, pulkas in (("few", 3), ("some", 12), ("many", 300))
    )
    means = {row["player"]: row for row in means_by(frame, ["player"], "twelfths").to_dicts()}
    assert {name: row["interval"] for name, row in means.items()} == {
        "few": "too few",
        "some": "bootstrap",
        "many": "normal",
    }
    error = (300 * (2 / 3) / 299 / 300) ** 0.5
    assert means["many"]["standard_error"] == pytest.approx(error)
    assert means["many"]["low"] == pytest.approx(1 - 1.959963984540054 * error)
    assert means["few"]["low"] is None
    assert 0.3 < means["some"]["low"] < 0.7
    assert means["some"]["high"] == pytest.approx(2 - means["some"]["low"], abs=0.1)
    again = means_by(frame.filter(player="some"), ["player"], "twelfths")
    assert again["low"].item() == means["some"]["low"]


def test_every_column_is_documented() -> None:
    profiles = club_profiles()
    for name, frame in profiles.frames.items():
        assert frame.columns == list(COLUMNS[name]), name
        assert frame["player"].null_count() == 0
    met = head_to_head(club(), "sochi").frame
    assert met.columns == list(COLUMNS["head_to_head"])
    league = standings(season_totals(), "club-league")
    assert league.frame.columns == list(COLUMNS["standings"])
    assert league.rounds.columns == list(COLUMNS["rounds"])
    rated = ratings(season_totals())
    assert (rated.frame.columns, rated.history.columns) == (list(COLUMNS["ratings"]), list(COLUMNS["history"]))


def test_club_results_add_up() -> None:
    profiles = club_profiles()
    results = profiles.results
    assert results["result_twelfths"].sum() == 0
    assert (profiles.pulkas, profiles.deals) == (2000, 66_950)
    assert results["pulkas"].sum() == club_results().height
    ranks = results.select(pl.sum_horizontal("wins", "second", "third", "fourth")).to_series()
    assert ranks.equals(results["pulkas"], check_names=False)
    money = club_results()["money"].sum()
    assert results["money"].sum() == pytest.approx(money, abs=1e-3)


def test_club_counts_add_up_to_the_deals() -> None:
    profiles = club_profiles()
    deals = club().deals.collect()
    seats = int(deals["players"].cast(pl.Int64).sum())
    assert profiles.declaring.select(pl.col("played").sum() + pl.col("sat_out").sum()).item() == seats
    assert profiles.results["deals"].sum() == profiles.luck["deals"].sum() == seats
    declared = deals.drop_nulls("declarer").height
    assert profiles.declaring["declared"].sum() == profiles.contracts["declared"].sum() == declared
    raspasy = deals.filter(contract="raspasy")
    assert profiles.raspasy["deals"].sum() == 3 * raspasy.height
    assert profiles.raspasy["sat_out"].sum() == raspasy.filter(players=4).height
    of_talon = sum(int(raspasy.filter(players=4, dealer=seat)[f"tricks_{seat}"].sum()) for seat in SEATS)
    assert profiles.raspasy["tricks"].sum() == 10 * raspasy.height - of_talon
    for frame in (profiles.defending, profiles.whists):
        assert frame.filter(pl.col("called") != pl.sum_horizontal("whists", "halves", "passes")).is_empty()
    assert profiles.whists["called"].sum() == profiles.defending["called"].sum()


def plain_recount(archive: pref.Archive) -> dict[str, Counter[str]]:
    names = {row["pulka"]: row for row in archive.pulkas.collect().to_dicts()}
    found: dict[str, Counter[str]] = {}
    for deal in archive.deals.collect().to_dicts():
        for seat in SEATS[: deal["players"]]:
            name = names[deal["pulka"]][f"player_{seat}"]
            count = found.setdefault(name, Counter())
            if deal["players"] == 4 and deal["dealer"] == seat:
                count["sat_out"] += 1
                continue
            count["played"] += 1
            if deal["contract"] == "raspasy":
                count["raspasy"] += 1
                count["raspasy_tricks"] += deal[f"tricks_{seat}"]
            elif deal["declarer"] == seat:
                count["declared"] += 1
                tricks = deal[f"tricks_{seat}"]
                if deal["contract"] == "misere":
                    short = tricks
                elif deal["conceded"]:
                    short = 3
                else:
                    short = 0 if tricks is None else max(0, LEVELS[deal["contract"]] - tricks)
                count["undertricks"] += short
                count["made"] += short == 0 and seat not in deal["wrong_cards"]
                count["misere_tried"] += deal["contract"] == "misere"
                count[f"declared_{deal['contract']}"] += 1
            elif deal[f"call_{seat}"]:
                count[f"call_{deal[f'call_{seat}']}"] += 1
                count["called"] += 1
    return found


def test_counts_against_a_plain_recount() -> None:
    archive = pref.sample(25, players="mix", seed=11)
    profiles = player_profiles(archive)
    expected = plain_recount(archive)
    assert sum(count["played"] + count["sat_out"] for count in expected.values()) > 1000
    for row in profiles.declaring.to_dicts():
        count = expected[row["player"]]
        for column in ("played", "sat_out", "declared", "made", "undertricks", "misere_tried"):
            assert row[column] == count[column], (row["player"], column)
        assert row["declared_share"] == count["declared"] / count["played"]
        assert row["declared_share_low"] < row["declared_share"] < row["declared_share_high"]
    for row in profiles.contracts.to_dicts():
        assert row["declared"] == expected[row["player"]][f"declared_{row['contract']}"]
    for row in profiles.defending.to_dicts():
        count = expected[row["player"]]
        counted = [row[column] for column in ("called", "whists", "halves", "passes")]
        assert counted == [count[key] for key in ("called", "call_whist", "call_half", "call_pass")]
        assert row["whist_share"] == count["call_whist"] / count["called"]
    for row in profiles.raspasy.to_dicts():
        count = expected[row["player"]]
        assert (row["deals"], row["tricks"]) == (count["raspasy"], count["raspasy_tricks"])


def test_styles_show_in_the_profiles() -> None:
    declared = by_player(club_profiles().declaring, "declared_share")
    whisted = by_player(club_profiles().defending, "whist_share")
    misere = club_profiles().declaring.select("player", tried=pl.col("misere_tried") / pl.col("played"))
    assert max(declared, key=lambda name: declared[name]) == "B"
    assert min(declared, key=lambda name: declared[name]) == "C"
    assert max(whisted, key=lambda name: whisted[name]) == "D"
    assert misere.sort("tried")["player"].to_list()[-1] == "I"
    luck = by_player(club_profiles().luck, "within_per_deal")
    assert luck["E"] == max(luck.values())
    assert luck["E"] > luck["F"]


@pytest.mark.parametrize("convention", ["sochi", "leningrad", "rostov"])
def test_luck_adds_up(convention: str) -> None:
    archive = pref.sample(60, players="mix", seed=5, convention=convention)
    profiles = player_profiles(archive, convention)
    luck = profiles.luck
    parts = luck.select(pl.sum_horizontal("mix", "within", "adjustments")).to_series()
    assert parts.to_list() == pytest.approx(luck["result"].to_list(), abs=1e-6)
    assert luck["result"].to_list() == profiles.results["result"].to_list()
    assert luck["adjustments"].to_list() == [0.0] * luck.height
    assert luck["mix"].sum() == pytest.approx(0, abs=1e-6)
    assert luck["within"].sum() == pytest.approx(0, abs=1e-6)
    roles = profiles.luck_by_role.group_by("player").agg(pl.col("mix", "within").sum()).sort("player")
    assert roles["mix"].to_list() == pytest.approx(luck["mix"].to_list(), abs=1e-6)
    assert roles["within"].to_list() == pytest.approx(luck["within"].to_list(), abs=1e-6)


def test_chance_is_what_equal_players_differ_by() -> None:
    equals = {f"P{number}": Style() for number in range(60)}
    luck = player_profiles(pref.sample(1500, seed=8, styles=equals)).luck
    scores = luck.select(pl.col("within") / pl.col("chance")).to_series()
    assert float(scores.std() or 0) == pytest.approx(1, abs=0.2)  # type: ignore[arg-type]
    inside = luck.filter((pl.col("within_low") <= 0) & (pl.col("within_high") >= 0)).height
    assert inside >= 52


def test_profiles_are_the_same_again() -> None:
    again = player_profiles(club()).frames
    for name, frame in club_profiles().frames.items():
        assert frame.equals(again[name]), name


def test_pairs_add_up_to_results() -> None:
    frame = head_to_head(club(), "sochi").frame
    sums = frame.group_by("player").agg(pl.col("result_twelfths").sum()).sort("player")
    assert sums.equals(club_profiles().results.select("player", "result_twelfths"))
    turned = frame.rename({"player": "opponent", "opponent": "player"})
    both = frame.join(turned, on=["player", "opponent"], suffix="_turned")
    assert both.height == frame.height
    assert both.filter(pl.col("result_twelfths") != -pl.col("result_twelfths_turned")).is_empty()
    assert both.filter(pl.col("ahead") != pl.col("behind_turned")).is_empty()
    assert frame.filter(pl.col("pulkas") != pl.sum_horizontal("ahead", "behind", "level")).is_empty()
    assert head_to_head(club(), "sochi").matrix("pulkas")["A"][0] is None


def test_streaks_by_hand() -> None:
    twelfths = [5, 7, -1, -2, -3, 0, 4, 4, 9, -9, 3, 3, 3]
    results = pl.DataFrame(
        {"player": ["A"] * 13 + ["B"], "pulka": [*range(1, 14), 1], "result_twelfths": [*twelfths, -5]}
    )
    first, second = streaks(results).to_dicts()
    assert (first["longest_winning"], first["winning_from"], first["winning_to"]) == (3, 7, 9)
    assert (first["longest_losing"], first["losing_from"], first["losing_to"]) == (3, 3, 5)
    assert (first["current"], second["current"]) == (3, -1)
    assert (second["longest_winning"], second["winning_from"]) == (0, None)


def test_time_order_is_by_day() -> None:
    archive = pref.sample(6, seed=2)
    pulkas = archive.pulkas.collect().with_columns(
        played_on=pl.Series([None, *(date(2024, 1, 10 - day) for day in range(5))])
    )
    ordered = pulka_results(pref.archive(pulkas, archive.deals), "sochi")
    assert ordered["pulka"].unique(maintain_order=True).to_list() == [6, 5, 4, 3, 2, 1]


def test_deals_after_the_end_and_unnamed_seats_are_left_out() -> None:
    archive = pref.sample(20, seed=4, bullet_limit=20)
    pulkas = archive.pulkas.with_columns(
        pl.lit(10, dtype=pl.UInt16).alias("bullet_limit"), pl.lit(None, dtype=pl.String).alias("player_a")
    )
    shorter = pref.archive(pulkas, archive.deals)
    profiles = player_profiles(shorter)
    scored = pref.sheets(shorter, "sochi")["deals_scored"].sum()
    assert profiles.deals == scored < archive.deals.collect().height
    assert profiles.results["pulkas"].sum() == 40
    assert profiles.results["deals"].sum() == 2 * scored


def test_results_as_played_may_mix_conventions() -> None:
    mixed = pref.concat([pref.sample(3, seed=1), pref.sample(3, seed=1, first_pulka=4, convention="rostov")])
    results = pulka_results(mixed, "played")
    assert results["pulka"].n_unique() == 6
    assert results["result_twelfths"].sum() == 0
    assert standings(results, "club-league").frame["pulkas"].sum() == 18


def test_an_empty_archive_has_no_players() -> None:
    profiles = player_profiles(club().only(pulka=0), "sochi")
    assert (profiles.pulkas, profiles.deals) == (0, 0)
    assert all(frame.is_empty() for frame in profiles.frames.values())
    assert "nobody" in profiles.render()


def test_errors_explain_themselves() -> None:
    nobody = pref.archive(one_pulka(), three_deals())
    with pytest.raises(TableError, match="no pulka names its players"):
        player_profiles(nobody)
    with pytest.raises(TableError, match="names two"):
        head_to_head(nobody, "sochi")
    with pytest.raises(ConventionError, match="no constant value"):
        player_profiles(small_archive(), pref.convention("sochi").replace(name="lossy", surplus="lost"))
    with pytest.raises(ConventionError, match="each pulka's own"):
        player_profiles(small_archive(), "played")
    mixed = pref.concat([pref.sample(1, seed=1), pref.sample(1, seed=1, first_pulka=2, convention="rostov")])
    with pytest.raises(ConventionError, match="played under rostov, sochi"):
        player_profiles(mixed)
    assert player_profiles(mixed, "rostov").convention == "rostov"
    with pytest.raises(TableError, match="no pulka has a player 'Z'"):
        club_profiles().render("Z")


def test_reports_as_text() -> None:
    text = club_profiles().render()
    assert text.startswith("Players under sochi: 2000 pulkas, 66950 deals")
    assert "95 % interval" in text
    one = club_profiles().render("B")
    assert "Contracts" in one
    assert "misere" in one
    assert "\nC " not in one
    assert "Season 2021/22" in standings(club_results().with_columns(seasons()), "site-b", season="season").render()
    of_one = head_to_head(club(), "sochi").render("A").splitlines()
    assert [line.split()[1] for line in of_one if line.startswith("A ")] == list("BCDEFGHIJKL")
    assert ratings(club_results()).render().splitlines()[5].split()[1] == "E"


# Standings of the club's season, computed by hand.


def test_club_league() -> None:
    league = standings(season_totals(), "club-league").frame
    assert league.select("place", "player", "points", "result").rows() == [
        (1, "D", 24, 2351),
        (2, "A", 16, 387),
        (3, "C", 16, -463),
        (4, "B", 9, -2275),
    ]
    assert by_player(league, "firsts") == {"D": 5, "A": 3, "C": 4, "B": 1}


def test_weekly_of_site_a() -> None:
    weekly = standings(season_totals(), "site-a-weekly")
    points = by_player(weekly.frame, "points")
    assert points["A"] == pytest.approx(-162.0)
    assert points["D"] == pytest.approx(1187.2)
    assert not weekly.frame["removed"].any()
    best = weekly.rounds.filter(pulka=11, player="D")
    assert best["points"].item() == 245.0


def test_site_b_removes() -> None:
    table = standings(season_totals(), "site-b").frame
    assert table.row(0)[1:3] == (1, "D")
    assert table["points"][0] == pytest.approx(409.3)
    assert table.filter("removed")["player"].sort().to_list() == ["A", "B", "C"]
    assert table.filter("removed")["place"].null_count() == 3


@pytest.mark.parametrize(
    ("name", "result", "points"),
    [
        *[("site-a-weekly", whists, points) for whists, points in ((200, 200), (210, 201), (650, 245), (2000, 245))],
        *[("site-a-weekly", whists, points) for whists, points in ((0, 0), (-999, -999))],
        *[("site-b", whists, points) for whists, points in ((50, 50), (51, 50.5), (100, 75), (110, 76), (-3, -3))],
    ],
)
def test_points_by_whists(name: str, result: int, points: float) -> None:
    frame = pl.DataFrame({"pulka": [1], "player": ["A"], "result": [result]})
    assert standings(frame, name).frame["points"].item() == points


def test_floor_is_not_yet_removal() -> None:
    results = pl.DataFrame({"pulka": [1, 2], "player": ["A", "B"], "result": [-1000, -1001]})
    assert by_player(standings(results, "site-a-weekly").frame, "removed") == {"A": False, "B": True}


@pytest.mark.parametrize(
    ("results", "points"),
    [
        ([90, 10, -100], [3, 2, 0]),
        ([100, -40, -60], [4, 1, 0]),
        ([100, 0, -100], [4, 1, 0]),
        ([50, 50, -100], [2.5, 2.5, 0]),
        ([100, -50, -50], [4, 0.5, 0.5]),
        ([0, 0, 0], [4 / 3] * 3),
    ],
)
def test_points_by_rank(results: list[int], points: list[float]) -> None:
    frame = pl.DataFrame({"pulka": [1, 1, 1], "player": ["A", "B", "C"], "result": results})
    assert standings(frame, "club-league").rounds.sort("player")["points"].to_list() == pytest.approx(points)


def test_standings_by_season() -> None:
    results = club_results().with_columns(seasons())
    table = standings(results, "club-league", season="season")
    assert table.frame["season"].unique().sort().to_list() == ["2021/22", "2022/23", "2023/24", "2024/25"]
    assert table.frame["pulkas"].sum() == results.height
    # 5 points are given in every pulka, whoever is in plus.
    assert table.frame["points"].sum() == pytest.approx(5 * 2000, abs=len(results) / 3)
    first = table.frame.group_by("season", maintain_order=True).first()
    assert first["place"].to_list() == [1, 1, 1, 1]
    rounded = standings(results, "club-league", result="rounded").frame
    assert rounded["season"].null_count() == rounded.height == 12


def test_seasons_of_a_calendar_and_undated() -> None:
    days = pl.DataFrame({"played_on": [date(2020, 1, 1), None, date(2020, 12, 31)]})
    assert days.select(seasons(1)).to_series().to_list() == ["2020", None, "2020"]
    assert days.select(seasons([date(2020, 6, 1)])).to_series().to_list() == [None, None, "2020-06-01"]
    with pytest.raises(ValueError, match="not a month"):
        seasons(13)


def test_systems_of_points_are_data(tmp_path: Path) -> None:
    for name in points_systems():
        system = points_system(name)
        assert PointsSystem.from_dict(system.to_dict()) == system
        assert points_system(system) is system
    file = tmp_path / "ours.toml"
    file.write_text('kind = "whists"\nbands = [{ up_to = 30, rate = "1/3" }]\n', encoding="utf-8")
    ours = points_system(file)
    assert ours.bands == (Band(Fraction(1, 3), 30),)
    frame = pl.DataFrame({"pulka": [1], "player": ["A"], "result": [10]})
    assert standings(frame, ours).frame["points"].item() == pytest.approx(10 / 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind = 1", "kind is 1"),
        ('kind = "rank"', "no points by rank"),
        ('kind = "rank"\nby_rank = [2.5]', "not all whole"),
        ("bands = [{ rate = 1 }, { up_to = 5, rate = 2 }]", "bands end at"),
        ("bands = []", "bands end at"),
        ("bands = [{ up_to = 5 }]", "cannot be read"),
        ("prize = 1", "unknown field 'prize'"),
        ("kind = ", "not valid TOML"),
    ],
)
def test_systems_of_points_are_checked(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(PointsError, match=message):
        points_system(file)


def test_unknown_systems_and_columns() -> None:
    with pytest.raises(PointsError, match="unknown system"):
        points_system("chess")
    with pytest.raises(PointsError, match="cannot be read"):
        points_system("nowhere.toml")
    with pytest.raises(TableError, match="no column result"):
        standings(season_totals().drop("result"), "site-b")
    with pytest.raises(TableError, match="no column player"):
        ratings(season_totals().drop("player"))
    with pytest.raises(TableError, match="null in some rows"):
        standings(season_totals().with_columns(result=pl.lit(None, dtype=pl.Float64)), "site-b")


def test_ratings_follow_the_ranks() -> None:
    results = pl.DataFrame(
        {"pulka": [key for key in range(1, 11) for _ in "ABC"], "player": list("ABC") * 10, "result": [9, 0, -9] * 10}
    )
    rated = ratings(results)
    assert rated.frame["player"].to_list() == ["A", "B", "C"]
    assert rated.frame["mu"].is_sorted(descending=True)
    winner = rated.history.filter(player="A")
    assert winner["mu"].is_sorted()
    assert winner["sigma"].is_sorted(descending=True)
    assert winner["mu"][0] > 25 > rated.history.filter(player="C")["mu"][0]
    assert rated.history.select((pl.col("mu") - 3 * pl.col("sigma") - pl.col("ordinal")).abs().max()).item() < 1e-9


def test_draws_and_unrated_pulkas() -> None:
    results = pl.DataFrame(
        {
            "pulka": [1, 1, 2, 2, 3, 3, 3],
            "player": ["A", "B", "A", None, "A", "A", "B"],
            "result": [0.0, 0.0, 5.0, -5.0, 1.0, 1.0, -2.0],
        }
    )
    rated = ratings(results)
    assert rated.history["pulka"].to_list() == [1, 1]
    assert rated.history["mu"][0] == pytest.approx(rated.history["mu"][1])


def test_ratings_find_the_better_players() -> None:
    places = by_player(ratings(club_results()).frame, "place")
    assert places["E"] < places["L"] < places["A"] < places["F"]
