"""Rule 4.1.1 measured: where a convention keeps the value of a game, and by how many whists it misses it."""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prefdata as pref
from prefdata.analysis import Invariance
from prefdata.conventions.constancy import CAUSES, drifts, is_constant
from prefdata.vocabulary import SEATS, seats_at_table
from tests import second_scorer, strategies
from tests.records import archive_of, plain

Record = dict[str, Any]
SOCHI = pref.convention("sochi")
HUSSAR = pref.convention("hussar-indivisible")
CLOSING = ["close", "help_rate", "help_to", "surplus", "made_first", "rounding"]
CLOSING += ["mountain_divisor", "bullet_divisor", "bullet_weight", "mountain_weight"]
SHIFTS = [f"shift_{seat}_twelfths" for seat in SEATS]


def quietly(convention: pref.Convention, archive: pref.Archive) -> Invariance:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pref.SetAsideWarning)
        return pref.invariance(convention, archive)


def last_nine(players: int) -> pref.Archive:
    """The Code's example: two points are missing, everybody else is closed, and a nine is made without play."""
    deal = strategies.empty_deal(players, SEATS[players - 1], "9") | {"deal": 1, "declarer": "a"}
    deal |= {f"call_{seat}": "pass" for seat in strategies.seats_after("a", players)[:2] if seat != deal["dealer"]}
    if players == 2:
        deal |= {"dealer": "b", "call_b": "pass"}
    bullets = [
        {"deal": 0, "seat": seat, "entry": "bullet", "on_seat": None, "points": 8 if seat == "a" else 10}
        for seat in seats_at_table(players)
    ]
    return archive_of([{"players": players, "limit": 10, "deals": [deal], "adjustments": bullets}])


def shifts_of(report: Invariance) -> tuple[float | None, ...]:
    """What the only deal shifts, seat by seat; nothing where it is not listed."""
    return report.deals.select(f"shift_{seat}" for seat in SEATS).row(0) if report.deals.height else ()


@pytest.mark.parametrize(
    ("switches", "shifts"),
    [
        pytest.param({"surplus": "lost"}, (-45, 15, 15, 15), id="a"),
        pytest.param({"surplus": "whists"}, (15, -5, -5, -5), id="b"),
        pytest.param({"surplus": "mountain"}, (), id="right"),
    ],
)
def test_the_answers_of_the_code(switches: Record, shifts: tuple[int, ...]) -> None:
    house = SOCHI.replace(**switches)
    report = pref.invariance(house, last_nine(4))
    assert shifts_of(report) == shifts
    assert report.pulkas["shift"].to_list() == list(shifts or (0, 0, 0, 0))
    assert report.is_constant == (not shifts)
    written = pref.ledger(last_nine(4), house).row(0, named=True)
    assert written["bullet_a"] == 2
    assert written["mountain_a"] == (0 if shifts else -6)
    assert written["whists_ab"] == (20 if switches == {"surplus": "whists"} else 0)


@pytest.mark.parametrize(("surplus", "mountain", "shifts"), [("full", -6, (30, -30)), ("mountain", -3, ())])
def test_answer_c_in_a_hussar_with_an_indivisible_mountain(
    surplus: str, mountain: int, shifts: tuple[int, ...]
) -> None:
    house = HUSSAR.replace(surplus=surplus)
    report = pref.invariance(house, last_nine(2))
    assert shifts_of(report)[:2] == shifts
    assert pref.ledger(last_nine(2), house)["mountain_a"].to_list() == [mountain]


@pytest.mark.parametrize(
    ("switches", "players", "cause", "effect"),
    [
        ({"help_rate": 5}, 4, "help", (-5, 5, 0)),
        ({"help_rate": 20}, 2, "help", (10, -10, 0)),
        ({"mountain_divisor": "players-1", "bullet_divisor": "players-1"}, 3, "help", (-5, 5, 0)),
        ({"made_first": "mountain", "bullet_weight": 20, "help_rate": 20}, 4, "mountain", (-7.5, None, 2.5)),
        ({"made_first": "mountain", "bullet_weight": 20, "close": "total"}, 3, "mountain", (-20 / 3, None, 10 / 3)),
        ({"surplus": "lost"}, 3, "lost", (-20 / 3, None, 10 / 3)),
        ({"surplus": "whists"}, 2, "whists", (5, None, -5)),
    ],
)
def test_what_one_point_drifts(switches: Record, players: int, cause: str, effect: tuple[float | None, ...]) -> None:
    house = SOCHI.replace(**switches)
    broken = pref.invariance(house).points.filter(~pl.col("keeps_value"), players=players)
    assert broken["cause"].to_list() == [cause] == [drift.cause for drift in drifts(house, players)]
    assert broken.select("owner", "helped", "other").row(0) == pytest.approx(effect)


def test_whists_of_a_bullet_divided_among_the_others_differ_by_rounding_only() -> None:
    house = SOCHI.replace(surplus="whists", bullet_divisor="players-1", bullet_weight=9, help_rate=12)
    assert is_constant(house, 4)
    (drift,) = drifts(house.replace(bullet_weight=10), 4)[1:]
    assert (drift.cause, drift.rounded) == ("whists", True)
    assert drift.owner == drift.other == 0


@settings(max_examples=settings().max_examples // 3)
@given(pulkas=st.lists(strategies.pulkas(), min_size=1, max_size=4), changes=strategies.switches())
def test_shifts_are_what_a_second_scorer_finds(pulkas: list[Record], changes: Record) -> None:
    house = pref.Convention.from_dict({"name": "drawn", **changes})
    report = quietly(house, archive_of(pulkas))
    assert (report.deals.select(pl.sum_horizontal(SHIFTS)).to_series() == 0).all()
    of_deals = report.deals.group_by("pulka").agg(pl.col(SHIFTS).sum())
    sums = {row["pulka"]: row for row in of_deals.iter_rows(named=True)}
    for (key,), rows in report.pulkas.partition_by("pulka", as_dict=True).items():
        pulka, switches = pulkas[key - 1], plain(house)
        record = (pulka["players"], pulka["limit"], pulka["deals"], switches, pulka["adjustments"])
        sheet = second_scorer.score_pulka(*record)
        settled = second_scorer.settle(*record[:2], sheet.bullet, sheet.mountain, sheet.whists, switches)
        nominal = second_scorer.uncapped_result(*record)
        for row in rows.iter_rows(named=True):
            seat = row["seat"]
            assert row["result_twelfths"] == settled.result[seat] * 12
            assert row["nominal_twelfths"] == nominal[seat] * 12
            assert row["shift_twelfths"] == (settled.result[seat] - nominal[seat]) * 12
            assert row["shift_twelfths"] == sums.get(key, {}).get(f"shift_{seat}_twelfths", 0)


@pytest.fixture(scope="module")
def lively() -> pref.Archive:
    """Short pulkas with many deals, so that help is given and points are left over."""
    rng = random.Random(411)
    drawn = [strategies.random_pulka(rng) for _ in range(150)]
    return archive_of([{**pulka, "limit": rng.choice([2, 4, 6, 12])} for pulka in drawn])


def test_constant_is_what_never_shifts(lively: pref.Archive) -> None:
    rng = random.Random(12)
    seen = set()
    for _ in range(25):
        drawn = strategies.random_switches(rng)
        closing = {name: drawn[name] for name in CLOSING}
        house = pref.Convention(name="house", **closing)
        report = quietly(house, lively)
        for players in report.summary["players"]:
            shifted = report.pulkas.filter(pl.col("shift_twelfths") != 0, players=players)
            assert is_constant(house, players) == shifted.is_empty(), (closing, players)
            seen.add((players, shifted.is_empty()))
    assert len(seen) == 6


@pytest.mark.parametrize(
    "switches",
    [
        {"surplus": "lost", "help_rate": 7},
        {"surplus": "whists", "mountain_divisor": "players-1"},
        {"surplus": "full", "made_first": "mountain", "bullet_weight": 20},
        {"made_first": "mountain", "bullet_weight": 20, "help_rate": 20},
        {"surplus": "whists", "made_first": "mountain", "mountain_weight": 20},
    ],
    ids=str,
)
def test_causes_account_for_all_shifts(lively: pref.Archive, switches: Record) -> None:
    """A deal with one declarer and one cause shifts its points times the drift of one, but for rounded whists."""
    house = SOCHI.replace(name="house", **switches)
    report = pref.invariance(house, lively)
    for row in report.causes.iter_rows(named=True):
        assert row["owner_twelfths"] + (row["helped_twelfths"] or 0) + row["other_twelfths"] == 0
    of_one_cause = pl.sum_horizontal(pl.col(f"{cause}_points") > 0 for cause in CAUSES) == 1
    declared = lively.deals.filter(pl.col("contract") != "raspasy").collect()
    deals = report.deals.filter(of_one_cause).join(declared, on=["pulka", "deal"], how="semi")
    assert deals.height > 10
    for row in deals.iter_rows(named=True):
        (drift,) = (one for one in drifts(house, row["players"]) if row[f"{one.cause}_points"])
        won = sum(max(row[name] or 0, 0) for name in SHIFTS)
        expected = abs(drift.owner) * row[f"{drift.cause}_points"] * 12
        assert abs(won - expected) <= 6 * drift.rounded * (row["players"] - 1)
    assert set(report.causes["cause"]) == {drift.cause for players in (2, 3, 4) for drift in drifts(house, players)}
    assert report.players["shift_twelfths"].sum() == 0


@pytest.mark.parametrize(
    "switches", [{"surplus": "lost"}, {"surplus": "whists"}, {"help_rate": 7, "surplus": "full", "bullet_weight": 20}]
)
def test_the_owner_of_a_cause_is_the_declarer(switches: Record) -> None:
    """Without raspasy only declarers write into bullets, so that their shifts are those of all owners."""
    rng = random.Random(5)
    pulkas = []
    for pulka in (strategies.random_pulka(rng) for _ in range(120)):
        declared = [deal for deal in pulka["deals"] if deal["declarer"]]
        numbered = [{**deal, "deal": number} for number, deal in enumerate(declared, start=1)]
        if numbered:
            pulkas.append({**pulka, "limit": rng.choice([2, 6]), "deals": numbered, "adjustments": []})
    archive = archive_of(pulkas)
    report = quietly(SOCHI.replace(name="house", **switches), archive)
    declarers = archive.deals.select("pulka", "deal", "declarer").collect()
    shifts = report.deals.join(declarers, on=["pulka", "deal"], maintain_order="left")
    owners = sum(row[f"shift_{row['declarer']}_twelfths"] for row in shifts.iter_rows(named=True))
    assert owners == report.causes["owner_twelfths"].sum() != 0


def test_the_summary_counts_winners_and_means(lively: pref.Archive) -> None:
    report = quietly(SOCHI.replace(name="house", surplus="lost"), lively)
    for summary in report.summary.iter_rows(named=True):
        mine = report.pulkas.filter(players=summary["players"])
        assert summary["mean"] == pytest.approx(mine["shift"].abs().mean())
        firsts = (
            {name: set(rows.filter(pl.col(name) == 1)["seat"]) for name in ("rank", "nominal_rank")}
            for rows in mine.partition_by("pulka")
        )
        changed = sum(not first["rank"] & first["nominal_rank"] for first in firsts)
        assert summary["winner_changed"] == changed
        assert summary["winner_changed"] < summary["pulkas_shifted"]
    assert report.summary["winner_changed"].sum() > 0


@pytest.mark.parametrize("name", ["sochi", "leningrad", "rostov"])
def test_nominal_values_are_the_values_of_a_constant_game(lively: pref.Archive, name: str) -> None:
    nominal = pref.values(lively, name, nominal=True)
    assert nominal.columns[3:] == [f"nominal_{seat}" for seat in SEATS] + [f"nominal_{seat}_twelfths" for seat in SEATS]
    assert nominal.rows() == pref.values(lively, name).rows()


def test_nominal_values_do_not_depend_on_where_points_go(lively: pref.Archive) -> None:
    house = SOCHI.replace(surplus="lost", help_rate=3, made_first="mountain")
    with pytest.raises(pref.PrefdataError, match=r"no constant value with 2 players.*3 whists, where 10") as refusal:
        pref.values(lively, house)
    assert "nominal=True" in str(refusal.value)
    assert "prefdata.invariance" in str(refusal.value)
    nominal = pref.values(lively, house, nominal=True).filter("scored")
    both = nominal.join(pref.values(lively, "sochi").filter("scored"), on=["pulka", "deal"])
    assert both.height > 500
    for seat in SEATS:
        assert both[f"nominal_{seat}_twelfths"].equals(both[f"value_{seat}_twelfths"])


def test_report_in_words(lively: pref.Archive, tmp_path: Path) -> None:
    report = pref.invariance(SOCHI.replace(name="house", surplus="lost"), lively)
    assert "a surplus point is lost (its owner -7 1/2 whists, each other +2 1/2)" in report.render()
    assert report.summary["pulkas_shifted"].sum() < report.summary["pulkas"].sum() == 150
    report.save(tmp_path / "house.html")
    assert "Whom it shifts most" in (tmp_path / "house.html").read_text(encoding="utf-8")
    with pytest.raises(pref.PrefdataError, match="exists already"):
        report.save(tmp_path / "house.html")
    quiet = pref.invariance("sochi")
    assert quiet.is_constant
    assert "keeps its value" in quiet.render()
    assert quiet.pulkas.is_empty()
    assert quiet.pulkas.schema == report.pulkas.schema


def test_empty_tables_are_left_out() -> None:
    """Where bullets just add up, a point has no other place to go to."""
    report = pref.invariance("leningrad", last_nine(4))
    assert report.points.is_empty()
    assert "nobody" not in report.render()
    assert "Whists of one bullet point" not in report.render() + report.to_html()
    assert "<table" not in report.to_html()
    assert "Whists of one bullet point" in pref.invariance("sochi").render()


def test_the_rule_is_about_one_game() -> None:
    with pytest.raises(pref.PrefdataError, match="this is about the Russian one"):
        pref.invariance(pref.Convention(name="other", game="balkan"))
