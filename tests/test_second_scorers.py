"""The second scorers by themselves, on examples worked by hand from the rules page and on what the strategies draw."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from tests import balkan_strategies, legality, second_balkan, second_scorer, strategies

Record = dict[str, Any]
Written = dict[str, int]

BY_THE_DEALER = {"b": "pass", "c": "pass", "d": "whist"}
"""Calls of four players: the defenders b and c passed, and d, who dealt, defends against a."""


def contract(
    level: int, tricks: Mapping[str, int] | None, calls: Mapping[str, str], players: int = 3, **columns: Any
) -> Record:
    """Make a contract of a, dealt by the last seat."""
    deal = strategies.empty_deal(players, strategies.SEATS[players - 1], str(level)) | {"declarer": "a"}
    deal |= {f"call_{seat}": call for seat, call in calls.items()}
    deal |= {f"tricks_{seat}": count for seat, count in (tricks or {}).items()}
    deal |= columns
    assert legality.is_legal(deal)
    return deal


def taken(a: int, b: int, c: int) -> Written:
    return {"a": a, "b": b, "c": c}


def written(deal: Record, **switches: Any) -> Written:
    """Everything that a deal writes: "P a" a bullet, "M a" a mountain, "b a" whists of b on a."""
    entries = second_scorer.score_deal(deal, second_scorer.preset("sochi", **switches))
    columns = {f"P {seat}": points for seat, points in entries.bullet.items()}
    columns |= {f"M {seat}": points for seat, points in entries.mountain.items()}
    columns |= {f"{writer} {on}": count for (writer, on), count in entries.whists.items()}
    return {name: count for name, count in columns.items() if count}


def mountains(deal: Record, **switches: Any) -> Written:
    return {name: points for name, points in written(deal, **switches).items() if name.startswith("M")}


# --------------------------------------------------------------------------- §3, contracts of 6-10


def test_a_lone_whister_writes_only_his_own_tricks() -> None:
    made = contract(6, taken(6, 3, 1), {"b": "whist", "c": "pass"})
    assert written(made) == {"P a": 2, "b a": 8}
    assert written(made, lone_whist_tricks="own") == {"P a": 2, "b a": 6}
    two = contract(6, taken(6, 3, 1), {"b": "whist", "c": "whist"})
    assert written(two, lone_whist_tricks="own") == {"P a": 2, "b a": 6, "c a": 2}


def test_a_gentleman_shares_only_his_own_tricks() -> None:
    failed = contract(6, taken(4, 5, 1), {"b": "whist", "c": "pass"})
    assert written(failed, lone_whist="gentleman") == {"M a": 4, "b a": 6 + 4, "c a": 6 + 4}
    halved = written(failed, lone_whist="gentleman", lone_whist_tricks="own")
    assert halved == {"M a": 4, "b a": 5 + 4, "c a": 5 + 4}


def test_a_failed_contract_brings_no_tricks() -> None:
    failed = contract(6, taken(5, 4, 1), {"b": "whist", "c": "whist"})
    assert written(failed) == {"M a": 2, "b a": 8 + 2, "c a": 2 + 2}
    assert written(failed, failed_tricks=False) == {"M a": 2, "b a": 2, "c a": 2}
    assert written(failed, failed_tricks=False, consolation="none") == {"M a": 2}
    for_cards = contract(6, taken(6, 3, 1), {"b": "whist", "c": "whist"}, wrong_cards="a")
    assert written(for_cards, failed_tricks=False) == {"M a": 4, "b a": 6, "c a": 2}


@pytest.mark.parametrize(
    ("level", "tricks", "own", "whole", "half"),
    [
        (6, taken(8, 2, 0), {"M c": 4}, {"M b": 4, "M c": 4}, {"M b": 2, "M c": 2}),
        (6, taken(7, 3, 0), {"M c": 4}, {"M b": 2, "M c": 2}, {"M b": 1, "M c": 1}),
        (8, taken(10, 0, 0), {"M c": 6}, {"M b": 6, "M c": 6}, {"M b": 3, "M c": 3}),
        (8, taken(9, 1, 0), {}, {}, {}),
    ],
)
def test_two_whisters_split_a_shortage(
    level: int, tricks: Written, own: Written, whole: Written, half: Written
) -> None:
    made = contract(level, tricks, {"b": "whist", "c": "whist"})
    assert mountains(made) == own
    for payer, cap in (("last", "personal"), ("both", "pair")):
        assert mountains(made, shortage_split="whole", shortage_payer=payer, shortage_cap=cap) == whole
        assert mountains(made, shortage_split="half", shortage_payer=payer, shortage_cap=cap) == half


def test_a_lone_whister_pays_the_whole_shortage_however_it_is_split() -> None:
    made = contract(6, taken(9, 0, 1), {"b": "whist", "c": "pass"})
    for split in ("own", "whole", "half"):
        assert written(made, shortage_split=split) == {"P a": 2, "b a": 2, "M b": 6}


# --------------------------------------------------------------------------- §3.7, the sitting dealer whists


def test_the_dealer_who_whists_a_made_contract() -> None:
    made = contract(6, taken(6, 3, 1), BY_THE_DEALER, 4)
    assert written(made) == {"P a": 2, "d a": 8}
    assert written(made, lone_whist_tricks="own", lone_whist="gentleman", gentleman_scope="always") == written(made)
    short = contract(7, taken(10, 0, 0), BY_THE_DEALER, 4, talon=2)
    assert written(short, talon_bonus=True, shortage_split="whole") == {"P a": 4, "d a": 8}


def test_the_dealer_who_whists_a_failed_contract() -> None:
    failed = contract(6, taken(4, 5, 1), BY_THE_DEALER, 4)
    assert written(failed) == {"M a": 4, "d a": 12 + 4, "b a": 4, "c a": 4}
    assert written(failed, consolation_dealer=False, lone_whist="gentleman") == written(failed)
    for receivers in ("whisters", "inviter"):
        assert written(failed, consolation_to=receivers) == {"M a": 4, "d a": 12 + 4}
    assert written(failed, failed_tricks=False) == {"M a": 4, "d a": 4, "b a": 4, "c a": 4}
    assert written(failed, consolation="none") == {"M a": 4, "d a": 12}


def test_a_ten_that_the_dealer_whists_is_not_checked() -> None:
    failed = contract(10, taken(9, 1, 0), BY_THE_DEALER, 4)
    for ten in ("whisted", "checked"):
        assert written(failed, ten=ten, consolation_to="whisters") == {"M a": 10, "d a": 10 + 10}
    checked = contract(10, taken(9, 1, 0), {"b": "pass", "c": "pass"}, 4)
    assert written(checked, consolation_to="whisters") == {"M a": 10, "b a": 10 + 10, "c a": 10, "d a": 10}


def test_the_dealer_whists_against_wrong_cards() -> None:
    deal = contract(6, taken(6, 3, 1), BY_THE_DEALER, 4, wrong_cards="a")
    assert written(deal) == {"M a": 4, "d a": 8}


# --------------------------------------------------------------------------- §4 and §5


def test_a_misere_needs_the_tricks_of_its_declarer_alone() -> None:
    misere = strategies.empty_deal(3, "c", "misere") | {"declarer": "a", "tricks_a": 2}
    assert legality.is_legal(misere)
    assert written(misere) == {"M a": 20} == written(misere | {"tricks_b": 5, "tricks_c": 3})
    assert written(misere | {"tricks_a": 0}) == {"P a": 10}


@pytest.mark.parametrize(
    ("deal", "resets"),
    [
        (contract(6, taken(5, 4, 1), {"b": "whist", "c": "pass"}), {"any", "whisted"}),
        (contract(6, taken(6, 3, 1), {"b": "whist", "c": "pass"}), {"any", "made", "made_whisted", "whisted"}),
        (contract(6, taken(6, 3, 1), {"b": "whist", "c": "pass"}, wrong_cards="a"), {"any", "whisted"}),
        (contract(6, None, {"b": "pass", "c": "pass"}), {"any", "made"}),
        (contract(6, None, {"b": "pass", "c": "half"}), {"any", "made"}),
        (contract(6, None, {}, conceded=True), {"any"}),
        (contract(10, taken(9, 1, 0), {"b": "pass", "c": "pass"}), {"any", "whisted"}),
        (contract(6, taken(6, 3, 1), BY_THE_DEALER, 4), {"any", "made", "made_whisted", "whisted"}),
        (contract(6, taken(5, 4, 1), BY_THE_DEALER, 4), {"any", "whisted"}),
        (strategies.empty_deal(3, "c", "misere") | {"declarer": "a", "tricks_a": 0}, {"any", "made"}),
        (strategies.empty_deal(3, "c", "misere") | {"declarer": "a", "tricks_a": 1}, {"any"}),
    ],
)
def test_which_deals_end_a_run_of_raspasy(deal: Record, resets: set[str]) -> None:
    for reset in ("any", "made", "made_whisted", "whisted"):
        switches = second_scorer.preset("sochi", raspasy_reset=reset)
        assert second_scorer.ends_raspasy_run(deal, switches) == (reset in resets), reset


# --------------------------------------------------------------------------- §6, a sum agreed on


def four_sixes() -> list[Record]:
    return [contract(6, None, {"b": "pass", "c": "pass"}) for _ in range(4)]


def test_a_sum_agreed_on_ends_play_together() -> None:
    leningrad = second_scorer.preset("leningrad")
    for limit in (None, 50):
        pulka = second_scorer.score_pulka(3, limit, four_sixes(), leningrad, bullet_total=5)
        assert (pulka.closed, pulka.deals_scored, pulka.bullet) == (True, 3, {"a": 6, "b": 0, "c": 0})
    assert not second_scorer.score_pulka(3, 5, four_sixes(), leningrad).closed
    settled = [
        second_scorer.settle(3, limit, pulka.bullet, pulka.mountain, pulka.whists, leningrad) for limit in (None, 0, 70)
    ]
    assert settled[0] == settled[1] == settled[2]
    assert settled[0].result == {"a": 80, "b": -40, "c": -40}


def test_a_sum_agreed_on_is_shared_by_the_limits() -> None:
    sochi = second_scorer.preset("sochi")
    pulka = second_scorer.score_pulka(3, 50, four_sixes(), sochi, bullet_total=6)
    assert (pulka.limit, pulka.closed, pulka.deals_scored) == (2, True, 3)
    assert (pulka.bullet, pulka.whists["a", "b"], pulka.whists["a", "c"]) == ({"a": 2, "b": 2, "c": 2}, 20, 20)
    sheet = (pulka.bullet, pulka.mountain, pulka.whists)
    for total in (None, 5):
        with pytest.raises(ValueError, match="limit"):
            second_scorer.score_pulka(3, None, four_sixes(), sochi, bullet_total=total)
        with pytest.raises(ValueError, match="limit"):
            second_scorer.settle(3, None, *sheet, sochi, bullet_total=total)
    with pytest.raises(ValueError, match="sum of 5"):
        second_scorer.settle(3, 2, *sheet, sochi, bullet_total=5)


# --------------------------------------------------------------------------- §7, rounding


@pytest.mark.parametrize(
    ("mountain", "compensation", "direction", "moved", "rounded"),
    [
        (1, "down", "down", -1, [-6, 2, 2, 2]),
        (1, "up", "down", -1, [-9, 3, 3, 3]),
        (1, "down", "nearest", -1, [-6, 2, 2, 2]),
        (3, "down", "down", -1, [-21, 7, 7, 7]),
        (3, "up", "down", -1, [-24, 8, 8, 8]),
        (3, "down", "nearest", +1, [-24, 8, 8, 8]),
        (3, "up", "nearest", +1, [-21, 7, 7, 7]),
    ],
)
def test_the_point_of_four_players_and_its_whists(
    mountain: int, compensation: str, direction: str, moved: int, rounded: list[int]
) -> None:
    switches = second_scorer.preset("sochi", code_compensation=compensation, code_direction=direction)
    sheet = (second_scorer.no_seats(4), second_scorer.no_seats(4) | {"a": mountain}, second_scorer.no_pairs(4))
    settled = second_scorer.settle(4, 0, *sheet, switches)
    assert list(settled.result.values()) == [Fraction(-15 * mountain, 2), *[Fraction(5 * mountain, 2)] * 3]
    assert (settled.adjusted["a"], list(settled.rounded.values())) == (moved, rounded)
    every = second_scorer.settle(4, 0, *sheet, switches, "code-every-mountain")
    assert every.adjusted["a"] == -1


def test_three_players_have_one_point_whatever_old_counters_do() -> None:
    switches = second_scorer.preset("sochi", code_compensation="up", code_direction="nearest")
    for mountain, moved, rounded in ((1, -1, [-6, 3, 3]), (2, +1, [-14, 7, 7])):
        sheet = (second_scorer.no_seats(3), second_scorer.no_seats(3) | {"a": mountain}, second_scorer.no_pairs(3))
        settled = second_scorer.settle(3, 0, *sheet, switches)
        assert (settled.adjusted["a"], list(settled.rounded.values())) == (moved, rounded)


def test_totals_lose_their_fraction_towards_zero() -> None:
    sheet = (second_scorer.no_seats(4), second_scorer.no_seats(4) | {"a": 1}, second_scorer.no_pairs(4))
    settled = second_scorer.settle(4, 0, *sheet, second_scorer.preset("sochi"), "total-truncate")
    assert list(settled.rounded.values()) == [-7, 2, 2, 2]


# --------------------------------------------------------------------------- §9, the Balkan game


def game(contract: str, calls: Mapping[str, str], tricks: Mapping[str, int], **columns: Any) -> Record:
    """Make a game of a, dealt by c."""
    deal = balkan_strategies.empty_deal("c", contract) | {"declarer": "a"}
    deal |= {f"call_{seat}": call for seat, call in calls.items()}
    return deal | {f"tricks_{seat}": count for seat, count in tricks.items()} | columns


def columns_of(deal: Record, **switches: Any) -> list[int]:
    return list(second_balkan.entries(deal, second_balkan.preset("balkan", **switches)).contract.values())


@pytest.mark.parametrize(
    ("tricks", "each", "pair"),
    [
        (taken(6, 3, 1), [6, 0, -6], [6, 0, 0]),
        (taken(6, 0, 4), [6, -6, 0], [6, 0, 0]),
        (taken(6, 2, 2), [6, 0, 0], [6, 0, 0]),
        (taken(7, 2, 1), [6, 0, -6], [6, 0, -6]),
        (taken(8, 1, 1), [6, -6, -6], [6, -6, -6]),
    ],
)
def test_two_who_came_answer_together(tricks: Written, each: list[int], pair: list[int]) -> None:
    deal = game("diamonds", {"b": "come", "c": "come"}, tricks)
    assert columns_of(deal) == each
    assert columns_of(deal, come_quota="pair") == pair


def test_one_who_came_answers_for_two_tricks() -> None:
    deal = game("diamonds", {"b": "come", "c": "pass"}, {"a": 9, "b": 1})
    assert columns_of(deal, come_quota="pair") == [6, -6, 0] == columns_of(deal)


@pytest.mark.parametrize(("contra", "value"), [(1, 28), (2, 56)])
def test_whoever_contras_a_made_bettel_falls(contra: int, value: int) -> None:
    deal = game("bettel", {}, {"a": 0}, hand=True, contra=contra, contra_by="c")
    assert columns_of(deal, contra_responsibility="alone") == [value, 0, -value]
    assert columns_of(deal) == [value, 0, 0]
    failed = second_balkan.entries(
        deal | {"tricks_a": 1}, second_balkan.preset("balkan", contra_responsibility="alone")
    )
    assert failed.contract == {"a": -value, "b": 0, "c": 0}
    assert (failed.juha["b", "a"], failed.juha["c", "a"]) == (5 * value, 5 * value)


def test_a_bettel_against_a_contra_is_not_cut() -> None:
    """Of 10 points that are missing a bettel for 24 writes them all, unless the sayer of contra falls."""
    deal = game("bettel", {}, {"a": 0}, contra=1, contra_by="b")
    missing = [{"deal": 0, "seat": "c", "entry": "contract", "on_seat": None, "points": 80}]
    none, alone = (second_balkan.preset("balkan", contra_responsibility=who) for who in ("none", "alone"))
    cut = second_balkan.score_pulka(30, [deal], none, missing)
    assert (cut.contract, cut.closed, cut.ledger[0].cut) == ({"a": -20, "b": -30, "c": 50}, True, True)
    full = second_balkan.score_pulka(30, [deal], alone, missing)
    assert (full.contract, full.closed, full.ledger[0].cut) == ({"a": -6, "b": -54, "c": 50}, False, False)


@pytest.mark.parametrize(
    ("columns", "shares"),
    [
        ((-24, -34, -28), (28, 29, 29)),
        ((-18, -18, -18), (18, 18, 18)),
        ((-20, -20, -18), (20, 19, 19)),
        ((4, 0, 0), (-2, -1, -1)),
        ((3, 2, 0), (-2, -2, -1)),
    ],
)
def test_a_missing_sum_is_shared_in_whole_points(columns: tuple[int, ...], shares: tuple[int, ...]) -> None:
    contract = dict(zip("abc", columns, strict=True))
    shared = [column + share for column, share in zip(columns, shares, strict=True)]
    assert list(second_balkan.shares_of_missing(contract, "whole").values()) == list(shares)
    juha = second_balkan.no_pairs() | {("a", "b"): 60}
    settled = second_balkan.settle(contract, juha, early_stop="whole")
    expected = [10 * shared[0] + 60, 10 * shared[1] - 60, 10 * shared[2]]
    assert list(settled.result.values()) == list(settled.rounded.values()) == expected
    assert settled.result == second_balkan.exact_results(contract, juha, "whole")


def test_a_missing_sum_is_shared_exactly_by_default() -> None:
    contract = {"a": -24, "b": -34, "c": -28}
    results = second_balkan.exact_results(contract, second_balkan.no_pairs())
    assert results == {"a": Fraction(140, 3), "b": Fraction(-160, 3), "c": Fraction(20, 3)}
    assert second_balkan.settle(contract, second_balkan.no_pairs()).result == results


# --------------------------------------------------------------------------- what is drawn, and what is legal


def drawn_deals() -> list[Record]:
    rng = random.Random("legal")
    return [strategies.random_deal(rng, players) for players in (2, 3, 4) for _ in range(2000)]


def test_all_drawn_deals_are_legal() -> None:
    for deal in drawn_deals():
        assert legality.is_legal(deal), deal


def test_every_new_kind_of_deal_is_drawn() -> None:
    deals = drawn_deals()
    by_the_dealer = [deal for deal in deals if second_scorer.whisting_dealer(deal) is not None]
    assert {deal["contract"] for deal in by_the_dealer} == set(strategies.CONTRACTS)
    assert {deal["wrong_cards"] in ("", deal["declarer"]) for deal in by_the_dealer} == {True}
    assert any(deal["wrong_cards"] for deal in by_the_dealer)
    miseres = [deal for deal in deals if deal["contract"] == "misere"]
    alone = [sum(deal[f"tricks_{seat}"] is not None for seat in strategies.SEATS) == 1 for deal in miseres]
    assert {(deal["players"], one) for deal, one in zip(miseres, alone, strict=True)} == {
        (players, one) for players in (2, 3, 4) for one in (False, True)
    }


def test_sums_agreed_on_are_drawn() -> None:
    rng = random.Random("sums")
    kinds = set()
    for _ in range(300):
        pulka = strategies.random_pulka(rng)
        total, all_limits = pulka["bullet_total"], pulka["limit"] * pulka["players"]
        kinds.add(None if total is None else (total % pulka["players"] == 0, total == all_limits))
    assert kinds == {None, (True, True), (True, False), (False, False)}


@pytest.mark.parametrize(
    "changes",
    [
        {"call_b": "whist"},
        {"call_c": "half"},
        {"call_a": "pass"},
        {"call_d": "pass"},
        {"call_d": "half"},
        {"wrong_cards": "d"},
        {"wrong_cards": "b"},
        {"tricks_d": 0},
        {"tricks_a": None, "tricks_b": None, "tricks_c": None},
        {"tricks_b": None, "tricks_c": None},
        {"conceded": True},
        {"contract": "misere", "declarer": "a"},
    ],
)
def test_what_the_dealer_may_not_whist(changes: Record) -> None:
    deal = contract(6, taken(6, 3, 1), BY_THE_DEALER, 4)
    assert not legality.is_legal(deal | changes)


@pytest.mark.parametrize(
    "tricks", [{"tricks_b": 8}, {"tricks_c": 0}, {"tricks_d": 8}, {"tricks_a": 11}, {"tricks_a": None}]
)
def test_which_tricks_a_misere_may_not_hold(tricks: Record) -> None:
    deal = strategies.empty_deal(3, "c", "misere") | {"declarer": "a", "tricks_a": 2}
    assert not legality.is_legal(deal | tricks)


def test_drawn_pulkas_are_settled_to_nothing_under_drawn_switches() -> None:
    rng = random.Random("second scorers")
    settled = 0
    for _ in range(300):
        pulka, switches = strategies.random_pulka(rng), SimpleNamespace(**strategies.random_switches(rng))
        players, limit, total = pulka["players"], pulka["limit"], pulka["bullet_total"]
        rest = (pulka["deals"], switches, pulka["adjustments"])
        try:
            sheet = second_scorer.score_pulka(players, limit, *rest, bullet_total=total)
        except ValueError as error:
            assert "half points" in str(error) or "no whole limit" in str(error)  # noqa: PT017
            continue
        settled += 1
        columns = (sheet.bullet, sheet.mountain, sheet.whists, switches)
        result = second_scorer.settle(players, limit, *columns, bullet_total=total).result
        assert sum(result.values()) == 0
        assert result == second_scorer.settle(players, sheet.limit, *columns).result
    assert settled > 200
