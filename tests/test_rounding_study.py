"""The rounding study, counted again sheet by sheet by the second scorer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Any

import polars as pl
import pytest

import prefdata as pref
from prefdata.analysis.rounding_study import RoundingStudy, study_rounding
from prefdata.errors import ConventionError, TableError
from prefdata.settlement.rounding import ROUNDING_RULES
from prefdata.vocabulary import SEATS, bullet_column, mountain_column, pairs, seats_at_table, whists_column
from tests import second_scorer
from tests.records import plain
from tests.test_club_sheets import read

SOCHI = pref.convention("sochi")
RULES = tuple(ROUNDING_RULES)
Row = dict[str, Any]
Totals = dict[str, Fraction]


def table_of(row: Mapping[str, Any], convention: Any) -> tuple[second_scorer.Remainders, second_scorer.Remainders]:
    """Give what the second scorer rounds, after the amnesty and without it."""
    players, limit = row["players"], row["bullet_limit"]
    seats = seats_at_table(players)
    bullet = {seat: Fraction(str(row.get(bullet_column(seat), limit))) for seat in seats}
    mountain = {seat: Fraction(row[mountain_column(seat)]) for seat in seats}
    whists = {pair: Fraction(row[whists_column(*pair)]) for pair in pairs(players)}
    balance = second_scorer.whist_balance(whists, seats)
    rate = second_scorer.bullet_in_mountain(players, convention)
    carried = {seat: mountain[seat] + rate * (limit - bullet[seat]) for seat in seats}
    lowered = second_scorer.mountains_after_amnesty(players, limit, bullet, mountain, convention)
    return second_scorer.Remainders(players, lowered, balance), second_scorer.Remainders(players, carried, balance)


def rounded_by(table: second_scorer.Remainders, convention: Any, rule: str, owner: str) -> tuple[Totals | None, Row]:
    """Give the rounded totals, the exact ones under `exact`, and the points moved."""
    totals, adjusted = second_scorer.rounded_totals(table, convention, rule, owner)
    if rule == "exact":
        return exact_of(table, convention), adjusted
    if any(total is None for total in totals.values()):
        return None, adjusted
    return {seat: Fraction(total) for seat, total in totals.items() if total is not None}, adjusted


def exact_of(table: second_scorer.Remainders, convention: Any) -> Totals:
    return second_scorer.moved_totals(table, {}, convention)


def ranks(totals: Totals) -> list[int]:
    return [sum(other > own for other in totals.values()) for own in totals.values()]


def sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def groups_of(table: second_scorer.Remainders, exact: Totals, adjusted: Row) -> Iterator[tuple[str, list[str]]]:
    best, worst = max(exact.values()), min(exact.values())
    yield "winner", [seat for seat in exact if exact[seat] == best]
    yield "loser", [seat for seat in exact if exact[seat] == worst]
    high, low = max(table.mountain.values()), min(table.mountain.values())
    yield "largest_mountain", [seat for seat in exact if table.mountain[seat] == high]
    yield "smallest_mountain", [seat for seat in exact if table.mountain[seat] == low]
    yield from ((f"seat_{seat}", [seat]) for seat in exact)
    yield "moved", [seat for seat in exact if adjusted[seat] != 0]


class Reference:
    """The study again, with fractions and loops."""

    def __init__(
        self, rows: Sequence[Row], convention: pref.Convention, stakes: dict[int, float] | None = None
    ) -> None:
        self.convention = plain(convention)
        self.stakes = stakes or {}
        self.counts: dict[tuple[Any, ...], dict[str, Any]] = defaultdict(lambda: defaultdict(Fraction))
        self.gains: dict[tuple[Any, ...], list[Fraction]] = defaultdict(list)
        self.money: dict[tuple[Any, ...], list[float]] = defaultdict(list)
        for row in rows:
            after, before = table_of(row, self.convention)
            key = (row["players"], row["bullet_limit"])
            self.add_fractions(key, after)
            for rule in RULES:
                self.add_rule((*key, rule), after, before, rule, self.stakes.get(row["pulka"]))
            self.add_owners(key, after)

    def add_fractions(self, key: tuple[Any, ...], table: second_scorer.Remainders) -> None:
        rests = {value % 1 for value in exact_of(table, self.convention).values()}
        names = {Fraction(1, 3): "one_third", Fraction(2, 3): "two_thirds", Fraction(1, 2): "halves"}
        counts = self.counts[("fractions", *key)]
        counts["sheets"] += 1
        if rests != {0}:
            counts["with_fractions"] += 1
            counts[names.get(rests.copy().pop(), "other") if len(rests) == 1 else "other"] += 1

    def add_rule(
        self,
        key: tuple[Any, ...],
        after: second_scorer.Remainders,
        before: second_scorer.Remainders,
        rule: str,
        stake: float | None,
    ) -> None:
        counts = self.counts[("rule", *key)]
        exact = exact_of(after, self.convention)
        totals, adjusted = rounded_by(after, self.convention, rule, self.convention.code_owner)
        without, _ = rounded_by(before, self.convention, rule, self.convention.code_owner)
        counts["sheets"] += 1
        counts["otherwise"] += totals != without
        if totals is not None and without is not None:
            counts["otherwise_ranks"] += ranks(totals) != ranks(without)
            difference = max(abs(totals[seat] - without[seat]) for seat in totals)
            counts["otherwise_largest"] = max(counts["otherwise_largest"], difference)
        is_whole = totals is not None and all(total.denominator == 1 for total in totals.values())
        counts["not_whole"] += not is_whole
        if totals is not None:
            self.add_settled(key, exact, totals, stake)
            for group, members in groups_of(after, exact, adjusted):
                if members:
                    gain = sum(((totals[seat] - exact[seat]) for seat in members), Fraction(0)) / len(members)
                    self.gains[(*key, group)].append(gain)
                    if stake is not None:
                        self.money[(*key, group)].append(float(gain) * stake)

    def add_settled(self, key: tuple[Any, ...], exact: Totals, totals: Totals, stake: float | None) -> None:
        counts = self.counts[("rule", *key)]
        distances = [abs(totals[seat] - exact[seat]) for seat in exact]
        counts["settled"] += 1
        counts["seats"] += len(exact)
        counts["distance"] += sum(distances)
        counts["largest"] = max(counts["largest"], *distances)
        counts["changed"] += any(distances)
        counts["changed_whole"] += any(distances) and all(value.denominator == 1 for value in exact.values())
        residue = sum(totals.values())
        counts["residues"] += residue != 0
        counts["residue"] = max(counts["residue"], abs(residue))
        if stake is not None:
            self.money[key].extend(float(distance) * stake for distance in distances)
        signs = [
            (sign(exact[one] - exact[two]), sign(totals[one] - totals[two])) for one, two in combinations(exact, 2)
        ]
        counts["order"] += ranks(exact) != ranks(totals)
        counts["ties_made"] += any(old != 0 and new == 0 for old, new in signs)
        counts["ties_broken"] += any(old == 0 and new != 0 for old, new in signs)
        counts["swaps"] += any(old * new == -1 for old, new in signs)
        counts["sign"] += any(sign(exact[seat]) != sign(totals[seat]) for seat in exact)
        counts["sign_reversed"] += any(exact[seat] * totals[seat] < 0 for seat in exact)

    def add_owners(self, key: tuple[Any, ...], table: second_scorer.Remainders) -> None:
        seats, exact = list(table.mountain), exact_of(table, self.convention)
        choices = ["largest", "smallest", *seats]
        settled = {choice: rounded_by(table, self.convention, "code", choice) for choice in choices}
        orders = {choice: ranks(totals) for choice, (totals, _) in settled.items() if totals is not None}
        for choice, (totals, adjusted) in settled.items():
            owners = [seat for seat in seats if adjusted[seat] != 0]
            if totals is None or not owners:
                continue
            counts = self.counts[("owner", *key, choice, adjusted[owners[0]])]
            counts["sheets"] += 1
            counts["gain"] += totals[owners[0]] - exact[owners[0]]
            # what the same player has where another is chosen
            others = [settled[seat][0] for seat in seats if seat != owners[0]]
            counts["value"] += max(abs(totals[owners[0]] - other[owners[0]]) for other in others if other is not None)
            counts["ranks_from_exact"] += orders[choice] != ranks(exact)
            counts["ranks_from_convention"] += orders[choice] != orders[self.convention.code_owner]
            counts["ranks_contested"] += len({tuple(orders[seat]) for seat in seats}) > 1


def assert_confirmed(study: RoundingStudy, expected: Reference) -> None:
    """Compare every frame of a study with the reference."""
    for got in study.fractions.iter_rows(named=True):
        counts = expected.counts[("fractions", got["players"], got["bullet_limit"])]
        for name in ("sheets", "with_fractions", "one_third", "two_thirds", "halves", "other"):
            assert got[name] == counts[name], (got, name)
        assert got["share"] == pytest.approx(counts["with_fractions"] / counts["sheets"])
    assert_rules(study, expected)
    assert_favours(study, expected)
    found = {}
    for got in study.owner.iter_rows(named=True):
        key = ("owner", got["players"], got["bullet_limit"], got["owner"], got["point"])
        found[key] = counts = expected.counts[key]
        for name in ("sheets", "ranks_from_exact", "ranks_from_convention", "ranks_contested"):
            assert got[name] == counts[name], (got, name)
        for name in ("gain", "value"):
            assert got[f"{name}_twelfths"] == counts[name] * 12, (got, name)
            assert got[name] == pytest.approx(float(counts[name] / counts["sheets"]))
    assert found.keys() == {key for key in expected.counts if key[0] == "owner"}
    tables = {key[1:] for key in expected.counts if key[0] == "fractions"}
    assert set(study.fractions.select("players", "bullet_limit").rows()) == tables
    for frame in (study.distance, study.breaks, study.amnesty):
        assert frame.height == len(tables) * len(RULES)


def assert_rules(study: RoundingStudy, expected: Reference) -> None:
    keys = ["players", "bullet_limit", "rule"]
    breaks = study.breaks.drop("settled")
    wide = study.distance.join(breaks, on=keys).join(study.amnesty, on=keys, suffix="_amnesty")
    assert wide.height == study.distance.height
    for got in wide.iter_rows(named=True):
        key = tuple(got[name] for name in keys)
        counts, money = expected.counts[("rule", *key)], expected.money[key]
        same = ("settled", "seats", "changed", "changed_whole", "residues", "not_whole", "order", "ties_made")
        for name in (*same, "ties_broken", "swaps", "sign", "sign_reversed", "sheets", "otherwise", "otherwise_ranks"):
            assert got[name] == counts[name], (key, name)
        assert got["not_zero_sum"] == counts["residues"]
        assert got["distance_twelfths"] == counts["distance"] * 12
        assert (got["largest_twelfths"] or 0) == counts["largest"] * 12
        assert (got["largest_residue"] or 0) == counts["residue"]
        assert (got["largest_twelfths_amnesty"] or 0) == counts["otherwise_largest"] * 12
        assert got["share"] == pytest.approx(float(counts["otherwise"] / counts["sheets"]))
        if counts["settled"]:
            assert got["mean"] == pytest.approx(float(counts["distance"] / counts["seats"]))
            assert got["largest"] == pytest.approx(float(counts["largest"]))
        assert got["mean_money"] == (pytest.approx(sum(money) / len(money)) if money else None)
        assert got["largest_money"] == (pytest.approx(max(money)) if money else None)


def assert_favours(study: RoundingStudy, expected: Reference) -> None:
    found = set()
    for got in study.favours.iter_rows(named=True):
        key = (got["players"], got["bullet_limit"], got["rule"], got["group"])
        gains, money = expected.gains[key], expected.money[key]
        found.add(key)
        assert got["sheets"] == len(gains)
        mean = sum(gains, Fraction(0)) / len(gains)
        assert got["gain"] == pytest.approx(float(mean))
        assert got["gain_money"] == (pytest.approx(sum(money) / len(money)) if money else None)
        if len(gains) > 1:
            squares = sum(((gain - mean) ** 2 for gain in gains), Fraction(0))
            error = sqrt(squares / (len(gains) - 1) / len(gains))
            assert got["standard_error"] == pytest.approx(error)
            if len(gains) < 30:
                assert got["low"] is got["high"] is None
            else:
                assert got["low"] == pytest.approx(float(mean) - 1.959963985 * error, abs=1e-9)
                assert got["high"] == pytest.approx(float(mean) + 1.959963985 * error, abs=1e-9)
        else:
            assert got["standard_error"] is None
    assert found == {key for key, gains in expected.gains.items() if gains}


@pytest.fixture(scope="module")
def club() -> pl.DataFrame:
    return read("club-sheets.csv")


@pytest.fixture(scope="module")
def archive() -> pref.Archive:
    return pref.sample(2000, players="mix", seed=20, bullet_limit=[10, 20])


@pytest.fixture(scope="module")
def simulated(archive: pref.Archive) -> RoundingStudy:
    return study_rounding(pref.sheets(archive, SOCHI), SOCHI, pulkas=archive.pulkas)


def test_second_scorer_confirms_the_club_sheets(club: pl.DataFrame) -> None:
    stakes = {pulka: 0.5 * (pulka % 3) for pulka in club["pulka"] if pulka % 4}
    staked = club.with_columns(stake=pl.col("pulka").replace_strict(stakes, default=None, return_dtype=pl.Float64))
    assert_confirmed(study_rounding(staked, SOCHI), Reference(club.rows(named=True), SOCHI, stakes))


@pytest.mark.parametrize("owner", ["smallest", "b"])
def test_second_scorer_confirms_other_owners(club: pl.DataFrame, owner: str) -> None:
    convention = SOCHI.replace(code_owner=owner)
    assert_confirmed(study_rounding(club, convention), Reference(club.rows(named=True), convention))


@pytest.mark.parametrize("name", ["sochi", "leningrad", "rostov"])
def test_second_scorer_confirms_simulated_sheets(archive: pref.Archive, name: str) -> None:
    sheets, pulkas = pref.sheets(archive, name).head(300), archive.pulkas.collect()
    stakes = {pulka: stake for pulka, stake in pulkas.select("pulka", "stake").rows() if stake is not None}
    convention = pref.convention(name)
    study = study_rounding(sheets, name, pulkas=archive.pulkas)
    assert_confirmed(study, Reference(sheets.rows(named=True), convention, stakes))


@pytest.mark.parametrize(("weight", "parts"), [(1, 1), (10, 2)])
def test_second_scorer_confirms_what_cannot_be_made_whole(club: pl.DataFrame, weight: int, parts: int) -> None:
    convention = SOCHI.replace(mountain_weight=weight, bullet_weight=weight)
    sheets = club.with_columns(pl.col("mountain_b") / parts)
    study = study_rounding(sheets, convention)
    assert_confirmed(study, Reference(sheets.rows(named=True), convention))
    code = study.regroup([]).breaks.row(by_predicate=pl.col("rule") == "code", named=True)
    assert code["not_whole"] > 0
    assert code["settled"] + code["not_whole"] == 37
    assert "fractions are left most often under" in study.render()


def test_known_facts_of_the_club_sheets(club: pl.DataFrame) -> None:
    study = study_rounding(club)
    by_players = study.regroup(["players"])
    assert by_players.fractions.select("players", "sheets", "with_fractions").rows() == [(3, 19, 16), (4, 18, 5)]
    points = study.regroup([]).owner.filter(owner="largest").select("point", "sheets").rows()
    assert points == [(-1, 11), (1, 10)]
    assert study.sheets == 37
    assert study.regroup(["players", "bullet_limit"]).distance.equals(study.distance)


def test_exact_keeps_everything(simulated: RoundingStudy) -> None:
    exact = simulated.distance.filter(rule="exact")
    assert exact.height
    assert exact.select(pl.sum("distance_twelfths", "largest_twelfths", "changed", "residues")).row(0) == (0, 0, 0, 0)
    assert simulated.favours.filter(rule="exact").select(pl.col("gain").abs().max()).item() == 0
    assert simulated.breaks.filter(rule="exact")["not_whole"].equals(
        simulated.fractions["with_fractions"].alias("not_whole")
    )


def test_pairwise_rules_keep_the_sum(simulated: RoundingStudy) -> None:
    pairwise = simulated.breaks.filter(~pl.col("rule").cast(pl.String).str.starts_with("total"))
    assert pairwise["not_zero_sum"].sum() == 0
    halves = simulated.distance.filter(pl.col("rule").cast(pl.String).str.starts_with("total-half"))
    assert halves["largest_twelfths"].max() == 6
    assert halves["largest_residue"].max() == 2  # Mendelev tolerates two whists
    truncated = simulated.distance.filter(rule="total-truncate")
    assert truncated["largest_twelfths"].max() == 8
    assert truncated.select(pl.col("largest_residue").max().is_between(1, 2)).item()


def test_code_changes_only_sheets_with_fractions(simulated: RoundingStudy) -> None:
    code = simulated.distance.filter(rule="code")
    assert code["changed"].equals(simulated.fractions["with_fractions"].alias("changed"))
    assert code["changed_whole"].sum() == 0
    moved = simulated.owner.group_by("players", "bullet_limit", "owner").agg(pl.sum("sheets"))
    fractional = moved.join(simulated.fractions, on=["players", "bullet_limit"], how="left")
    assert (fractional["sheets"] == fractional["with_fractions"]).all()


def test_a_point_is_worth_what_the_rules_say(simulated: RoundingStudy) -> None:
    # of three, -1 gives the owner 2/3 and each other -1/3; of four, -1 gives 3/2 and each other -1/2 (rules §7)
    worth = simulated.owner.select("players", "point", "gain", "value").unique().sort("players", "point").rows()
    assert worth == [
        (3, -1, pytest.approx(2 / 3), 1.0),
        (3, 1, pytest.approx(-2 / 3), 1.0),
        (4, -1, 1.5, 2.0),
    ]


def test_only_shares_depend_on_the_amnesty(simulated: RoundingStudy) -> None:
    by_rule = dict(simulated.amnesty.group_by("rule").agg(pl.sum("otherwise")).rows())
    assert by_rule["exact"] == by_rule["total-half-up"] == by_rule["total-half-even"] == 0
    assert min(by_rule[rule] for rule in ("code", "code-every-mountain", "nearest", "truncate")) > 0


def test_order_and_number_of_sheets_do_not_matter(archive: pref.Archive, simulated: RoundingStudy) -> None:
    shuffled = pref.sheets(archive, SOCHI).sample(fraction=1, shuffle=True, seed=3)
    again = study_rounding(shuffled, SOCHI, pulkas=archive.pulkas)
    for name in ("fractions", "distance", "favours", "breaks", "owner", "amnesty"):
        assert getattr(again, name).equals(getattr(simulated, name)), name
    assert again.render() == simulated.render()


def test_regrouped_frames_add_up(simulated: RoundingStudy) -> None:
    for by in (["players"], ["bullet_limit"], []):
        pooled = simulated.regroup(by)
        assert pooled.fractions["sheets"].sum() == 2000
        assert pooled.distance.columns[: len(by)] == by
        assert pooled.distance["distance_twelfths"].sum() == simulated.distance["distance_twelfths"].sum()
        assert pooled.favours["sheets"].sum() == simulated.favours["sheets"].sum()
        assert pooled.render()


def test_each_under_its_own_convention(archive: pref.Archive) -> None:
    pulkas = archive.pulkas.collect().with_columns(
        convention=pl.when(pl.col("pulka") % 2 == 0).then(pl.lit("leningrad")).otherwise(pl.lit("sochi"))
    )
    sheets = pref.sheets(archive, SOCHI)
    study = study_rounding(sheets, "played", pulkas=pulkas)
    halves = [
        study_rounding(sheets.filter(pl.col("pulka") % 2 == rest), name, pulkas=pulkas)
        for rest, name in enumerate(("leningrad", "sochi"))
    ]
    counts = pl.concat([half.breaks for half in halves]).group_by("players", "bullet_limit", "rule").sum()
    assert study.breaks.equals(counts.sort("players", "bullet_limit", "rule"))
    with pytest.raises(TableError, match="played"):
        study_rounding(sheets, "played")


def test_broken_sheets_are_left_out() -> None:
    dirty = read("club-sheets-dirty.csv")
    with pytest.warns(pref.SetAsideWarning, match="set aside: 3 pulkas.*absent_seats_empty"):
        study = study_rounding(dirty)
    assert (study.sheets, study.set_aside) == (1, 3)
    assert study.render().startswith("Rounding under default: 1 sheet; 3 sheets left out\n")


def test_no_sheets() -> None:
    study = study_rounding(read("club-sheets.csv").clear(), rules=["code", "truncate"])
    assert study.sheets == 0
    assert study.fractions.height == study.favours.height == study.owner.height == 0
    assert study.render() == "Rounding under default: 0 sheets"
    assert study.regroup([]).render() == study.render()


@pytest.mark.parametrize("rules", [["exact"], ["nearest", "code"], ["total-half-even"]])
def test_chosen_rules(club: pl.DataFrame, rules: list[str]) -> None:
    study = study_rounding(club, rules=rules)
    assert study.rules == tuple(rules)
    assert study.regroup([]).distance["rule"].to_list() == rules
    assert study.render()


def test_impossible_arguments_are_refused(club: pl.DataFrame) -> None:
    with pytest.raises(ConventionError, match="rounding"):
        study_rounding(club, rules=["upwards"])
    with pytest.raises(ValueError, match="by takes"):
        study_rounding(club, by=["rule"])


def test_sentences_hold(simulated: RoundingStudy, club: pl.DataFrame) -> None:
    text = simulated.render()
    for row in simulated.regroup(["players"]).fractions.iter_rows(named=True):
        said = f"With {row['players']} players {row['with_fractions']} of {row['sheets']} sheets"
        assert f"{said} ({100 * row['share']:.1f} %) have totals with fractions" in text
    assert "With 2 players no rule moves a result." in text
    assert "With 3 players being chosen or not makes a difference of 1.00 whists on average" in text
    assert "With 4 players being chosen or not makes a difference of 2.00 whists on average" in text
    assert "With 3 players the sum is not zero most often under total-half-up and total-half-even" in text
    assert all(len(line) < 350 for line in text.splitlines())
    assert "With 3 players there are too few sheets" in study_rounding(club).render()


def test_groups_of_all_seats(simulated: RoundingStudy) -> None:
    seats = simulated.favours.filter(pl.col("group").cast(pl.String).is_in([f"seat_{seat}" for seat in SEATS]))
    zero_sum = seats.filter(~pl.col("rule").cast(pl.String).str.starts_with("total"))
    sums = zero_sum.group_by("players", "bullet_limit", "rule").agg(pl.len(), pl.sum("gain"))
    assert (sums["len"] == sums["players"]).all()
    assert sums.filter(pl.col("gain").abs() > 1e-12).height == 0
