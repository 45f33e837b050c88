"""What must hold for every archive, whatever the numbers are."""

from __future__ import annotations

import random
from typing import Any

import polars as pl
import pytest

import prefdata as pref
from prefdata.archives import Archive
from prefdata.conventions import Convention
from prefdata.conventions.constancy import is_constant
from prefdata.vocabulary import SEATS, bullet_column, entry_columns, left_of, seats_at_table
from tests import second_scorer, strategies
from tests.records import archive_of, plain

Record = dict[str, Any]
PRESETS = ["sochi", "leningrad", "rostov"]
PULKAS = 200


def drawn_pulkas(seed: int, *, adjusted: bool = False) -> list[Record]:
    rng = random.Random(seed)
    pulkas = [strategies.random_pulka(rng) for _ in range(PULKAS)]
    return pulkas if adjusted else [{**pulka, "adjustments": []} for pulka in pulkas]


@pytest.fixture(scope="module")
def archive() -> Archive:
    return archive_of(drawn_pulkas(3))


@pytest.fixture(scope="module")
def adjusted() -> Archive:
    return archive_of(drawn_pulkas(4, adjusted=True))


def results(archive: Archive, convention: str | Convention) -> pl.DataFrame:
    return pref.settle(pref.sheets(archive, convention), convention)


@pytest.mark.parametrize("name", PRESETS)
def test_results_sum_to_zero(adjusted: Archive, name: str) -> None:
    sums = results(adjusted, name).group_by("pulka").agg(pl.col("result_twelfths", "rounded").sum())
    assert (sums["result_twelfths"] == 0).all()
    assert (sums["rounded"] == 0).all()


@pytest.mark.parametrize("name", PRESETS)
def test_whole_rounded_results_under_code(adjusted: Archive, name: str) -> None:
    settled = results(adjusted, name)
    assert settled["rounded"].null_count() == 0
    assert ((settled["rounded"] * 12 - settled["result_twelfths"]).abs() <= 18).all()
    assert (settled.group_by("pulka").agg(pl.col("adjusted").abs().sum())["adjusted"] <= 1).all()


@pytest.mark.parametrize("name", PRESETS)
def test_closing_does_not_change_results(name: str) -> None:
    """The exact result of a closed sheet is that of uncapped bullets (rules §6, Invariance)."""
    pulkas = drawn_pulkas(5, adjusted=True)
    convention = pref.convention(name)
    settled = results(archive_of(pulkas), name).partition_by("pulka", as_dict=True)
    for key, pulka in enumerate(pulkas, start=1):
        uncapped = second_scorer.uncapped_result(
            pulka["players"], pulka["limit"], pulka["deals"], plain(convention), pulka["adjustments"]
        )
        for row in settled[(key,)].iter_rows(named=True):
            assert row["result_twelfths"] == uncapped[row["seat"]] * 12


@pytest.mark.parametrize("name", PRESETS)
def test_values_of_deals_add_up_to_results(archive: Archive, name: str) -> None:
    valued = pref.values(archive, name)
    columns = [f"value_{seat}_twelfths" for seat in SEATS]
    assert (valued.select(pl.sum_horizontal(columns)).to_series() == 0).all()
    sums = valued.group_by("pulka", maintain_order=True).agg(pl.col(columns).sum())
    for row in results(archive, name).iter_rows(named=True):
        assert sums[f"value_{row['seat']}_twelfths"][row["pulka"] - 1] == row["result_twelfths"]
    assert valued.filter(~pl.col("scored")).select(columns).null_count().sum_horizontal().item() > 0


def test_value_does_not_depend_on_the_state_of_the_pulka(archive: Archive) -> None:
    """A deal is worth the same in the middle of a pulka and when everybody is about to close (Code 4.1.1)."""
    valued = pref.values(archive, "sochi").filter("scored")
    stepped = archive.deals.select("pulka", "deal", pref.raspasy_step("sochi")).collect()
    same = ["raspasy_step", "outcome"]
    deals = archive.deals.select("pulka", "deal", outcome=pref.encode()).collect()
    valued = valued.join(stepped, on=["pulka", "deal"]).join(deals, on=["pulka", "deal"])
    step = pl.col("raspasy_step").clip(upper_bound=3)
    spread = valued.with_columns(step).group_by(same).agg(pl.col("value_a_twelfths").n_unique(), pl.len())
    assert (spread["len"] > 1).any()
    assert (spread["value_a_twelfths"] == 1).all()


@pytest.mark.parametrize("name", PRESETS)
def test_both_variants_of_the_settlement_agree(adjusted: Archive, name: str) -> None:
    sheets = pref.sheets(adjusted, name)
    by_amnesty = pref.settlement_steps(sheets, name, variant=1)
    by_mean = pref.settlement_steps(sheets, name, variant=2)
    assert by_amnesty["result"].to_list() == by_mean["result"].to_list()
    against = by_amnesty.select(pl.sum_horizontal(pl.selectors.starts_with("against_"))).to_series()
    assert against.to_list() == pytest.approx(by_amnesty["result"].to_list())
    balance = by_mean["from_mean"] + by_mean["from_whists"]
    assert balance.to_list() == pytest.approx(by_mean["result"].to_list())
    assert by_amnesty["remaining"].min() == 0


def turned(pulka: Record) -> Record:
    """Turn a table by one seat to the left."""
    players = pulka["players"]

    def turn(value: Any) -> Any:
        return left_of(value, players) if value in SEATS else value

    deals = []
    for deal in pulka["deals"]:
        new = {**deal, "dealer": turn(deal["dealer"]), "declarer": turn(deal["declarer"])}
        for seat in seats_at_table(players):
            for column in ("call", "tricks"):
                new[f"{column}_{turn(seat)}"] = deal[f"{column}_{seat}"]
        new["wrong_cards"] = "".join(turn(seat) for seat in deal["wrong_cards"])
        deals.append(new)
    adjustments = [{**one, "seat": turn(one["seat"]), "on_seat": turn(one["on_seat"])} for one in pulka["adjustments"]]
    return {**pulka, "deals": deals, "adjustments": adjustments}


@pytest.mark.parametrize("name", PRESETS)
def test_turning_the_table_turns_the_results(name: str) -> None:
    pulkas = drawn_pulkas(6, adjusted=True)
    before = results(archive_of(pulkas), name)
    after = results(archive_of([turned(pulka) for pulka in pulkas]), name)
    places = {(row["pulka"], row["seat"]): row["result_twelfths"] for row in after.iter_rows(named=True)}
    for row in before.iter_rows(named=True):
        seat = left_of(row["seat"], pulkas[row["pulka"] - 1]["players"])
        assert places[row["pulka"], seat] == row["result_twelfths"]


@pytest.mark.parametrize("name", PRESETS)
def test_pulka_ends_where_a_running_sum_says(archive: Archive, name: str) -> None:
    """No point is lost before the end, so that the sum of all bullet entries reaches n L when the pulka ends."""
    bullets = pl.sum_horizontal(*(pl.col(bullet_column(seat)).fill_null(0) for seat in SEATS)).cast(pl.Int64)
    entries = pref.entries(archive.deals, name).with_columns(total=bullets.cum_sum().over("pulka")).collect()
    limits = archive.pulkas.select("pulka", full=pl.col("players").cast(pl.Int64) * pl.col("bullet_limit")).collect()
    ends = (
        entries.join(limits, on="pulka")
        .group_by("pulka")
        .agg(
            closed=(pl.col("total") >= pl.col("full")).any(),
            deals_scored=pl.col("deal").filter(pl.col("total") >= pl.col("full")).min().fill_null(pl.col("deal").max()),
        )
        .sort("pulka")
    )
    sheets = pref.sheets(archive, name)
    assert sheets["closed"].to_list() == ends["closed"].to_list()
    assert sheets["deals_scored"].to_list() == ends["deals_scored"].to_list()


@pytest.mark.parametrize("name", PRESETS)
def test_ledger_adds_up_to_sheets(adjusted: Archive, name: str) -> None:
    ledger = pref.ledger(adjusted, name, running_columns=True)
    last = ledger.filter("scored").group_by("pulka", maintain_order=True).last()
    sheets = pref.sheets(adjusted, name)
    for column in entry_columns():
        assert last[f"running_{column}"].to_list() == sheets[column].to_list(), column
    unscored = ledger.filter(~pl.col("scored")).select(entry_columns())
    assert unscored.height
    assert (unscored.fill_null(0) == 0).select(pl.all_horizontal(pl.all()).all()).item()


def test_entries_are_the_ledger_before_anything_closes(archive: Archive) -> None:
    open_ended = pref.archive(archive.pulkas.with_columns(bullet_limit=pl.lit(65_535, pl.UInt16)), archive.deals)
    entries = pref.entries(archive.deals, "rostov").collect()
    ledger = pref.ledger(open_ended, "rostov")
    assert entries.select(entry_columns()).equals(ledger.select(entry_columns()))


def test_constant_value_is_known() -> None:
    sochi = pref.convention("sochi")
    broken = {
        "help_rate": 9,
        "surplus": "whists",
        "mountain_divisor": "players-1",
        "bullet_divisor": "players-1",
        "bullet_weight": 20,
    }
    assert all(is_constant(pref.convention(name), players) for name in PRESETS for players in (2, 3, 4))
    for switch, value in broken.items():
        house = sochi.replace(**{switch: value})
        constant = switch == "mountain_divisor"  # help is paid in bullets, and the surplus at their common rate
        assert is_constant(house, 3) == constant, switch
        if not constant:
            with pytest.raises(pref.PrefdataError, match="no constant value"):
                pref.values(archive_of(drawn_pulkas(3)[:1]), house)
