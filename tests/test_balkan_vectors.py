"""Published worked numbers of the Balkan game, each a test named after its vector, as in `test_vectors`."""

from __future__ import annotations

import polars as pl
import pytest

import prefdata as pref
from tests.balkan_worked import (
    BALKAN,
    SERBIAN,
    Entries,
    Record,
    entry,
    game,
    nonzero,
    pulka,
    written,
)

NEAR_THE_END = [entry("a", 28), entry("b", 28), entry("c", 30)]
"""Four points are missing in a pulka to 30."""

ALL_PASS = game("all_pass", None, calls={})
SHEET = [
    game("diamonds", "c", tricks={"a": 2, "b": 2, "c": 6}),
    game("clubs", "b", calls={"a": "pass", "c": "come"}, tricks={"b": 7, "c": 3}),
    ALL_PASS,
    game("clubs", "a", calls={"b": "pass", "c": "come"}, tricks={"a": 7, "c": 3}),
]
"""The published example of a record: a pulka to 30 that was stopped after four deals."""


def test_the_sheet_row_by_row() -> None:
    """seed-balkan-sheet: the example of the record in the Balkan text."""
    ledger = pref.ledger(pulka(SHEET), BALKAN, running_columns=True)
    assert [nonzero(row) for row in ledger.iter_rows(named=True)] == [
        {"contract_c": 6, "juha_ac": 12, "juha_bc": 12},
        {"contract_b": 10, "juha_cb": 30},
        {},
        {"contract_a": 20, "juha_ca": 60},
    ]
    assert ledger["doubled"].to_list() == [False, False, False, True]
    columns = ledger.select(f"running_contract_{seat}" for seat in "abc").rows()
    assert columns == [(-30, -30, -24), (-30, -20, -24), (-30, -20, -24), (-10, -20, -24)]
    sheet = pref.sheets(pulka(SHEET), BALKAN).row(0, named=True)
    assert nonzero(sheet) == {
        "contract_a": -10,
        "contract_b": -20,
        "contract_c": -24,
        "juha_ac": 12,
        "juha_bc": 12,
        "juha_ca": 60,
        "juha_cb": 30,
    }
    assert [sheet[f"refes_{seat}"] for seat in "abc"] == [0, 1, 1]
    assert not sheet["closed"]


def test_the_settlement() -> None:
    """seed-balkan-settlement: stopped early, 54 points are missing, 18 for each."""
    sheets = pref.sheets(pulka(SHEET), BALKAN)
    settled = pref.settle(sheets, BALKAN)
    assert settled["result"].to_list() == [32.0, -38.0, 6.0]
    assert settled["rounded"].to_list() == [32, -38, 6]
    assert settled["rank"].to_list() == [1, 3, 2]
    steps = pref.settlement_steps(sheets, BALKAN)
    assert steps["share"].to_list() == [18, 18, 18]
    assert steps["equalised"].to_list() == [8, -2, -6]
    assert steps["from_contract"].to_list() == [80, -20, -60]
    assert steps["from_juha"].to_list() == [-48, -18, 66]
    values = pref.values(pulka(SHEET), BALKAN).select(pl.col(f"value_{seat}_twelfths").sum() for seat in "abc")
    assert values.row(0) == (12 * 32, 12 * -38, 12 * 6)


@pytest.mark.parametrize(
    ("deal", "expected"),
    [
        pytest.param(game("clubs", calls={"a": "pass", "b": "pass"}), {"contract_c": 10}, id="with the talon"),
        pytest.param(game("clubs", calls={"a": "pass", "b": "pass"}, hand=True), {"contract_c": 12}, id="hand"),
    ],
)
def test_price_of_clubs(deal: Record, expected: Entries) -> None:
    """seed-balkan-clubs-with-and-without-talon."""
    assert written(deal) == expected


@pytest.mark.parametrize(
    ("columns", "contract", "juha"),
    [
        pytest.param({"hand": False}, -12, 60, id="seed-balkan-bettel-failed"),
        pytest.param({"hand": True}, -14, 70, id="seed-balkan-bettel-hand-failed"),
    ],
)
def test_failed_bettel(columns: Record, contract: int, juha: int) -> None:
    for tricks in ({"c": 1}, {"a": 6, "b": 3, "c": 1}):
        deal = game("bettel", calls={}, tricks=tricks, **columns)
        assert written(deal) == {"contract_c": contract, "juha_ac": juha, "juha_bc": juha}


def test_coefficients_multiply() -> None:
    """seed-balkan-coefficient: under a refe and a recontra everything is eightfold."""
    doubled = game("clubs", tricks={"a": 2, "b": 2, "c": 6}, contra=2, contra_by="a")
    ledger = pref.ledger(pulka([ALL_PASS, doubled], limit=50), BALKAN)
    assert nonzero(ledger.row(1, named=True)) == {"contract_c": 80, "juha_ac": 160, "juha_bc": 160}


@pytest.mark.parametrize(
    ("deal", "convention", "expected"),
    [
        pytest.param(
            game("clubs", tricks={"a": 2, "b": 2, "c": 6}),
            BALKAN,
            {"contract_c": 10, "juha_ac": 20, "juha_bc": 20},
            id="serb-tref-made",
        ),
        pytest.param(
            game("clubs", tricks={"a": 3, "b": 2, "c": 5}),
            BALKAN,
            {"contract_c": -10, "juha_ac": 30, "juha_bc": 20},
            id="serb-tref-failed",
        ),
        pytest.param(
            game("clubs", tricks={"a": 4, "b": 2, "c": 4}),
            BALKAN,
            {"contract_c": -10, "juha_ac": 30, "juha_bc": 20},
            id="serb-cap-five",
        ),
        pytest.param(
            game("clubs", tricks={"a": 2, "b": 2, "c": 6}, contra=1, contra_by="a"),
            SERBIAN,
            {"contract_a": -20, "contract_c": 20, "juha_ac": 80},
            id="serb-kontra",
        ),
        pytest.param(game("bettel", calls={}, tricks={"c": 0}), BALKAN, {"contract_c": 12}, id="serb-bettel-made"),
        pytest.param(
            game("sans", tricks={"a": 2, "b": 2, "c": 6}),
            BALKAN,
            {"contract_c": 14, "juha_ac": 28, "juha_bc": 28},
            id="serb-sans-made",
        ),
    ],
)
def test_serbian_numbers(deal: Record, convention: pref.Convention, expected: Entries) -> None:
    """Numbers of a Serbian program, whose contract columns bear the other sign."""
    assert written(deal, convention) == expected


# What the text says in words


INVITED = {"a": "invite", "b": "invited"}


@pytest.mark.parametrize(
    ("deal", "expected"),
    [
        pytest.param(
            game("diamonds", calls=INVITED, tricks={"a": 1, "b": 3, "c": 6}),
            {"contract_c": 6, "juha_ac": 24},
            id="an inviter writes for both",
        ),
        pytest.param(
            game("diamonds", calls=INVITED, tricks={"a": 1, "b": 2, "c": 7}),
            {"contract_a": -6, "contract_c": 6, "juha_ac": 18},
            id="an inviter pays for both",
        ),
        pytest.param(
            game("diamonds", tricks={"a": 1, "b": 1, "c": 8}),
            {"contract_a": -6, "contract_b": -6, "contract_c": 6, "juha_ac": 6, "juha_bc": 6},
            id="both short",
        ),
        pytest.param(
            game("diamonds", calls=INVITED, tricks={"a": 3, "b": 5, "c": 2}),
            {"contract_c": -6, "juha_ac": 30},
            id="an inviter writes five tricks at most",
        ),
        pytest.param(
            game("diamonds", tricks={"a": 4, "b": 4, "c": 2}),
            {"contract_c": -6, "juha_ac": 18, "juha_bc": 12},
            id="of equal takers the later is cut first",
        ),
        pytest.param(game("spades", calls={"a": "pass", "b": "pass"}, hand=True), {"contract_c": 6}, id="nobody comes"),
    ],
)
def test_defence(deal: Record, expected: Entries) -> None:
    assert written(deal) == expected


def test_the_last_game_is_cut() -> None:
    """The sum comes to exactly 0, and the juhas are cut in proportion."""
    made = game("clubs", tricks={"a": 2, "b": 2, "c": 6})
    ledger = pref.ledger(pulka([made, made], NEAR_THE_END), BALKAN)
    assert nonzero(ledger.row(0, named=True)) == {"contract_c": 4, "juha_ac": 8, "juha_bc": 8}
    assert ledger["cut"].to_list() == [True, False]
    assert ledger["scored"].to_list() == [True, False]
    sheet = pref.sheets(pulka([made, made], NEAR_THE_END), BALKAN)
    assert sheet.select("closed", "deals_after_end").row(0) == (True, 1)


def test_a_short_defender_keeps_the_game_going() -> None:
    short = game("clubs", tricks={"a": 1, "b": 3, "c": 6})
    sheet = pref.sheets(pulka([short], NEAR_THE_END), BALKAN).row(0, named=True)
    assert nonzero(sheet) == {"contract_a": -12, "contract_b": -2, "contract_c": 10, "juha_ac": 10, "juha_bc": 30}
    assert not sheet["closed"]


def test_the_hat() -> None:
    """On above 0, unchanged at 0, off below; while anybody is under it, nobody is given a refe."""
    up = game("sans", calls={"a": "pass", "b": "pass"}, hand=True)  # 16
    down = game("sans", tricks={"a": 3, "b": 2, "c": 5}, hand=True)
    hats, refes = [], []
    deals = [up, up, ALL_PASS, down, down, ALL_PASS]
    for count in range(1, len(deals) + 1):
        row = pref.sheets(pulka(deals[:count]), BALKAN).row(0, named=True)
        hats.append(row["hat_c"])
        refes.append(row["refes_a"])
    # -14, 2, 2, -14, -30, -30
    assert hats == [False, True, True, False, False, False]
    assert refes == [0, 0, 0, 0, 0, 1]


def test_the_hat_stays_at_nothing() -> None:
    """A column that comes down to 0 keeps its hat."""
    above = entry("c", 32)
    row = pref.sheets(pulka([ALL_PASS], [above]), BALKAN).row(0, named=True)
    assert (row["contract_c"], row["hat_c"], row["refes_b"]) == (2, True, 0)
    row = pref.sheets(pulka([ALL_PASS, ALL_PASS], [above, entry("c", -2, after=1)]), BALKAN).row(0, named=True)
    assert (row["contract_c"], row["hat_c"], row["refes_b"]) == (0, True, 0)
    row = pref.sheets(pulka([ALL_PASS, ALL_PASS], [above, entry("c", -3, after=1)]), BALKAN).row(0, named=True)
    assert (row["contract_c"], row["hat_c"], row["refes_b"]) == (-1, False, 1)


def test_the_hat_is_put_on_by_the_deal_before_its_adjustments() -> None:
    """A column that a game takes above 0 and an adjustment after it back to 0 keeps the hat."""
    made = game("hearts", calls={"a": "pass", "b": "pass"})  # 8
    opening, after = entry("c", 30), entry("c", -8, after=1)
    row = pref.sheets(pulka([made, ALL_PASS], [opening, after]), BALKAN).row(0, named=True)
    assert (row["contract_c"], row["hat_c"], row["refes_a"]) == (0, True, 0)


def test_a_game_is_cut_to_nothing_where_nothing_is_missing() -> None:
    """Opening adjustments may take the sum above 0; the first deal is scored even so."""
    made = game("clubs", tricks={"a": 2, "b": 2, "c": 6})
    ledger = pref.ledger(pulka([made], [entry("a", 95)]), BALKAN)
    assert nonzero(ledger.row(0, named=True)) == {}
    assert ledger["cut"].to_list() == [True]


@pytest.mark.parametrize(("limit", "most"), [(30, 1), (50, 3)])
def test_as_many_refes_as_the_limit_allows(limit: int, most: int) -> None:
    passed = pulka([ALL_PASS] * 5, limit=limit)
    assert pref.ledger(passed, BALKAN)["gave_refe"].to_list() == [True] * most + [False] * (5 - most)
    row = pref.sheets(passed, BALKAN).row(0, named=True)
    assert [row[f"refes_{seat}"] for seat in "abc"] == [most] * 3


def test_a_refe_is_spent_by_its_owner_on_his_next_game() -> None:
    """Made, failed or passed out; the spent ones count towards the maximum."""
    passed = game("diamonds", calls={"a": "pass", "b": "pass"})
    failed = game("diamonds", "a", calls={"b": "come", "c": "come"}, tricks={"a": 5, "b": 3, "c": 2})
    ledger = pref.ledger(pulka([ALL_PASS, passed, passed, failed, ALL_PASS, passed]), BALKAN)
    assert ledger["doubled"].to_list() == [False, True, False, True, False, False]
    assert ledger["contract_c"].to_list() == [0, 12, 6, 0, 0, 6]
    assert ledger["contract_a"].to_list() == [0, 0, 0, -12, 0, 0]


def test_slovene_spades() -> None:
    """A "two" that nobody contras writes nothing and gives a refe."""
    two = game("spades", tricks={"a": 2, "b": 2, "c": 6})
    contra = {**two, "contra": 1, "contra_by": "a"}
    ledger = pref.ledger(pulka([two, contra], limit=50), "slovene")
    assert [nonzero(row) for row in ledger.iter_rows(named=True)] == [
        {},
        {"contract_c": 16, "juha_ac": 32, "juha_bc": 32},
    ]
    assert ledger["doubled"].to_list() == [False, True]
