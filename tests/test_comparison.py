"""Comparison and attribution: they agree with scoring by hand, and add up exactly."""

from __future__ import annotations

import random
import warnings
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prefdata as pref
from prefdata.analysis.attribution import Attribution, attribute
from prefdata.analysis.comparison import Comparison, compare
from prefdata.archives import Archive
from prefdata.errors import ConventionError
from tests import strategies
from tests.records import archive_of

NAMES = ["sochi", "rostov", "leningrad"]


@pytest.fixture(scope="module")
def club() -> Archive:
    """Random pulkas without adjustments, some of them with players' names."""
    rng = random.Random(21)
    drawn = archive_of([{**strategies.random_pulka(rng), "adjustments": []} for _ in range(120)])
    named = {
        f"player_{seat}": pl.when(pl.col("players") > number).then(pl.lit("KLMN"[number]))
        for number, seat in enumerate("abcd")
    }
    return pref.archive(drawn.pulkas.with_columns(**named), drawn.deals)


@pytest.fixture(scope="module")
def comparison(club: Archive) -> Comparison:
    return compare(club, NAMES)


def results_of(archive: Archive, convention: str | pref.Convention) -> pl.DataFrame:
    return pref.settle(pref.sheets(archive, convention), convention, pulkas=archive.pulkas)


def of_player(settled: pl.DataFrame, player: str) -> int:
    return int(settled.filter(pl.col("player") == player)["result_twelfths"].sum())


def winnings_of(settled: pl.DataFrame) -> int:
    return int(settled["result_twelfths"].clip(lower_bound=0).sum())


def test_results_stand_side_by_side(club: Archive, comparison: Comparison) -> None:
    for name in NAMES:
        expected = results_of(club, name)
        assert comparison.results["pulka"].to_list() == expected["pulka"].to_list()
        assert comparison.results[f"twelfths_{name}"].to_list() == expected["result_twelfths"].to_list()
        assert comparison.results[f"rank_{name}"].to_list() == expected["rank"].to_list()
    difference = comparison.results["result_rostov"] - comparison.results["result_sochi"]
    assert comparison.results["difference_rostov"].to_list() == pytest.approx(difference.to_list())


def test_pulkas_are_compared_one_by_one(club: Archive, comparison: Comparison) -> None:
    sheets = {name: pref.sheets(club, name) for name in NAMES}
    for number, row in enumerate(comparison.pulkas.iter_rows(named=True)):
        rows = comparison.results.filter(pl.col("pulka") == row["pulka"])
        first = {name: set(rows.filter(pl.col(f"rank_{name}") == 1)["seat"]) for name in NAMES}
        assert row["winner_changed_rostov"] == (not first["sochi"] & first["rostov"])
        assert row["spread_rostov"] == pytest.approx(float(np.ptp(rows["result_rostov"].to_numpy())))
        base, other = sheets["sochi"].row(number, named=True), sheets["leningrad"].row(number, named=True)
        if base["closed"] and other["closed"]:
            order = (other["deals_scored"] > base["deals_scored"]) - (other["deals_scored"] < base["deals_scored"])
            assert row["end_leningrad"] == ("same", "later", "earlier")[order]
        else:
            ends = {(True, False): "only base", (False, True): "only this", (False, False): "both open"}
            assert row["end_leningrad"] == ends[base["closed"], other["closed"]]


def test_rank_correlation_of_known_pulkas(comparison: Comparison) -> None:
    for row in comparison.pulkas.iter_rows(named=True):
        rows = comparison.results.filter(pl.col("pulka") == row["pulka"])
        ranks = rows.select(pl.col("twelfths_sochi").rank(), pl.col("twelfths_rostov").rank())
        expected = ranks.select(pl.corr("twelfths_sochi", "twelfths_rostov")).item()
        if row["rank_correlation_rostov"] is None:
            assert ranks.select(pl.all().n_unique() == 1).row(0) != (False, False)
        else:
            assert row["rank_correlation_rostov"] == pytest.approx(expected)


def test_sources_add_up_to_results_of_each_role(club: Archive, comparison: Comparison) -> None:
    sums = comparison.sources.group_by("convention", "source").agg(pl.col("twelfths").sum())
    assert (sums["twelfths"] == 0).all()
    for name in NAMES:
        valued = pref.values(club, name).join(club.deals.collect(), on=["pulka", "deal"])
        declared = pl.concat(
            valued.filter(pl.col("declarer") == seat).select(value=f"value_{seat}_twelfths") for seat in "abcd"
        )
        mine = comparison.sources.filter((pl.col("convention") == name) & (pl.col("role") == "declarer"))
        assert mine["twelfths"].sum() == declared["value"].sum()
        raspasy = valued.filter(pl.col("scored") & (pl.col("contract") == "raspasy"))
        seats = comparison.sources.filter((pl.col("convention") == name) & (pl.col("source") == "raspasy"))
        assert seats["seats"].sum() == raspasy["players"].cast(pl.Int64).sum()


def test_a_source_is_what_its_switch_takes_away(club: Archive) -> None:
    """Without consolation, all that was consolation is gone and nothing else has changed."""
    house = pref.convention("rostov").replace(name="house", consolation="none")
    both = compare(club.only(players=[3, 4]), ["rostov", house]).sources
    rostov, bare = (both.filter(pl.col("convention") == name) for name in ("rostov", "house"))
    assert bare.filter(pl.col("source") == "consolation")["whists"].abs().sum() == 0
    assert rostov.filter(pl.col("source") == "consolation")["whists"].abs().sum() > 0
    columns = ["source", "role", "seats", "twelfths"]
    others = pl.col("source") != "consolation"
    assert rostov.filter(others).select(columns).rows() == bare.filter(others).select(columns).rows()


def test_summary_and_text(comparison: Comparison) -> None:
    row = comparison.summary.row(1, named=True)
    assert row["pulkas"] == 120
    assert row["winner_changed"] == pytest.approx(comparison.pulkas["winner_changed_rostov"].mean())
    assert "against sochi" in comparison.render()
    assert comparison.ranks["seats"].sum() == 3 * comparison.results.height


def test_what_cannot_be_compared(club: Archive) -> None:
    for names in ([], ["sochi"], ["sochi", "sochi"]):
        with pytest.raises(ConventionError, match="cannot compare"):
            compare(club, names)


def test_pulkas_that_one_convention_cannot_write_are_left_out_of_all(club: Archive) -> None:
    house = pref.convention("sochi").replace(name="house", bullet_weight=5)
    with pytest.warns(pref.SetAsideWarning, match="pulka_can_be_written"):
        compared = compare(club, ["sochi", house])
    assert compared.pulkas.height == 120 - len(compared.failures.pulkas)
    assert not set(compared.results["pulka"]) & set(compared.failures.pulkas)


# --------------------------------------------------------------------------- attribution


@pytest.fixture(scope="module")
def attribution(club: Archive) -> Attribution:
    return attribute(club, "sochi", "rostov")


def test_attribution_adds_up_exactly(club: Archive, attribution: Attribution) -> None:
    before, after = (results_of(club, name) for name in ("sochi", "rostov"))
    for table, key in ((attribution.archive, None), (attribution.players, "player"), (attribution.roles, "role")):
        groups = table.partition_by(key, as_dict=True) if key else {(None,): table}
        for rows in groups.values():
            shares = dict(rows.select("group", "twelfths").rows())
            whole = Fraction(shares.pop("all"))
            assert sum(map(Fraction, shares.values())) == whole
            if key is None:
                assert whole == winnings_of(after) - winnings_of(before)
    for player in "KLMN":
        (whole,) = attribution.players.filter(player=player, group="all")["twelfths"]
        assert int(whole) == of_player(after, player) - of_player(before, player)


def test_coupled_switches_move_together(attribution: Attribution) -> None:
    assert [group.name for group in attribution.groups] == [
        "shortage_factor",
        "lone_whist",
        "consolation",
        "raspasy+ladder+raspasy_dealer_bullet",
        "zero_bonus",
    ]
    leningrad = pref.convention("leningrad").diff(pref.convention("sochi"))
    assert {"close", "bullet_weight"} <= set(leningrad)


@pytest.mark.parametrize(
    ("switch", "value"),
    [("lone_whist", "gentleman"), ("consolation", 10), ("shortage_payer", "both"), ("help_rate", 5)],
)
def test_one_switch_is_flipped_by_hand(club: Archive, switch: str, value: object) -> None:
    house = pref.convention("sochi").replace(name="house", **{switch: value})
    attributed = attribute(club, "sochi", house)
    assert [group.name for group in attributed.groups] == [switch]
    before, after = (results_of(club, convention) for convention in ("sochi", house))
    for player in "KLMN":
        change = of_player(after, player) - of_player(before, player)
        (share,) = attributed.players.filter(player=player, group=switch)["twelfths"]
        assert int(share) == change


def test_two_switches_by_hand(club: Archive) -> None:
    """With two switches the Shapley value is the mean of both orders."""
    sochi = pref.convention("sochi")
    first, second = {"whist_factor": 2}, {"remise_factor": 2}
    house = sochi.replace(name="house", **first, **second)

    def worth(**changes: int) -> int:
        settled = results_of(club, sochi.replace(name="mixture", **changes))
        return of_player(settled, "K")

    alone = worth(**first) - worth()
    after = worth(**first, **second) - worth(**second)
    (share,) = attribute(club, sochi, house).players.filter(player="K", group="whist_factor")["twelfths"]
    assert Fraction(share) == Fraction(alone + after, 2)


def test_rounding_accounts_for_nothing(club: Archive) -> None:
    house = pref.convention("sochi").replace(name="house", rounding="exact", code_owner="smallest")
    assert attribute(club, "sochi", house).archive.rows() == [("all", 0.0, "0")]


def test_too_many_switches_are_refused(club: Archive) -> None:
    far = pref.convention("rostov").replace(
        name="far", whist_factor=2, remise_factor=2, misere_factor=2, ten="checked", talon_bonus=True, help_rate=5
    )
    with pytest.raises(ConventionError, match="11 groups"):
        attribute(club, "sochi", far)


def made_sixes(*limits: int) -> Archive:
    """Pulkas of three, each of one six that seat a makes and nobody whists: nobody has a mountain."""
    deal = strategies.empty_deal(3, "c", "6") | {"deal": 1, "declarer": "a", "call_b": "pass", "call_c": "pass"}
    return archive_of([{"players": 3, "limit": limit, "deals": [deal], "adjustments": []} for limit in limits])


WEIGHTS = {"bullet_weight": 20, "mountain_weight": 20, "help_rate": 20}


def test_mixtures_are_compared_on_equal_pulkas() -> None:
    """With a mountain of 20 and a bullet of 10 a pulka to 21 cannot be written: no switch may gain or lose by that."""
    house = pref.convention("sochi").replace(name="house", **WEIGHTS)
    with pytest.warns(pref.SetAsideWarning, match=r"1 pulka.*pulka_can_be_written.*Attribution\.failures"):
        attributed = attribute(made_sixes(20, 21), "sochi", house)
    shares = dict(attributed.archive.select("group", "whists").rows())
    alone = attribute(made_sixes(20), "sochi", house)
    assert shares == dict(alone.archive.select("group", "whists").rows())
    assert shares["mountain_weight"] == shares["help_rate"] == 0
    assert shares["bullet_weight"] == shares["all"] == pytest.approx(2 * 2 * 10 / 3)
    assert attributed.failures.frame.select("pulka", "rule", "value").rows() == [
        (2, "pulka_can_be_written", "bullet_limit=21")
    ]
    assert attributed.failures.frame["reason"].item().startswith("sochi+")
    assert "pulka 2: sochi+" in attributed.findings()[-1]
    assert not len(alone.failures)


def test_a_pulka_that_breaks_a_rule_is_named() -> None:
    broken = made_sixes(20, 20)
    broken = pref.archive(broken.pulkas, broken.deals.with_columns(talon=pl.when(pl.col("pulka") == 1).then(9)))
    with pytest.warns(pref.SetAsideWarning, match=r"1 pulka with 1 deal \(talon\|max\)"):
        attributed = attribute(broken, "sochi", "rostov")
    assert attributed.failures.pulkas.to_list() == [1]


def test_what_one_of_the_two_cannot_write_is_left_out_under_both() -> None:
    for_three = pref.convention("sochi").replace(name="for three", players=[3], consolation="none")
    two = strategies.empty_deal(2, "b", "6") | {"deal": 1, "declarer": "a", "call_b": "pass"}
    pair = archive_of([{"players": 2, "limit": 10, "deals": [two], "adjustments": []}])
    with pytest.warns(pref.SetAsideWarning):
        attributed = attribute(pref.concat([pair, archive_without_first()]), "sochi", for_three)
    assert attributed.failures.pulkas.to_list() == [1]
    assert set(attributed.players["whists"]) == {0.0}


def archive_without_first() -> Archive:
    return made_sixes(10, 10).only(pl.col("pulka") > 1)


@settings(max_examples=settings().max_examples // 5)
@given(st.lists(st.integers(1, 30), min_size=1, max_size=4), st.permutations(list(WEIGHTS)))
def test_attribution_is_that_of_the_pulkas_that_all_mixtures_write(limits: list[int], order: list[str]) -> None:
    changed = {name: WEIGHTS[name] for name in order[:2]}
    house = pref.convention("sochi").replace(name="house", **changed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pref.SetAsideWarning)
        attributed = attribute(made_sixes(*limits), "sochi", house)
    even = [limit for limit in limits if limit % 2 == 0 or "mountain_weight" not in changed]
    assert len(attributed.failures.pulkas) == len(limits) - len(even)
    if even:
        expected = attribute(made_sixes(*even), "sochi", house)
        assert attributed.archive.rows() == expected.archive.rows()
        assert attributed.players.rows() == expected.players.rows()
