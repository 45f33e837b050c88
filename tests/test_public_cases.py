"""What people met in practice with public scorers, typed in as they did, each a test named after its case.

Where an origin follows a habit of its own, a switch makes prefdata follow it.  Habits of one program alone, for which
there is no switch, are told on the page of conventions.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import prefdata as pref
from prefdata.readers import import_file
from tests import balkan_worked as balkan
from tests.worked import (
    BOTH,
    HALF,
    LENINGRAD,
    LONE,
    PASSED,
    ROSTOV,
    SOCHI,
    Entries,
    Record,
    deal,
    entry,
    final,
    pulka,
    raspasy,
    results,
    rounded,
    sheet,
    steps,
    written,
)

REFINED = LENINGRAD.replace(
    name="refined",
    lone_whist="greedy",
    ten="checked",
    zero_bonus_to="mountain",
    zero_bonus_points=2,
    raspasy_amnesty=True,
    close="each",
    help_to="clockwise",
)
"""What an open scorer in the browser does, whose engine tests are called "ref" here."""

# --------------------------------------------------------------------------- whole pulkas and recorded sheets


def test_four_deals_whose_totals_lose_their_fractions() -> None:
    """c02-p2p-four-deals: p2p-games (2016), the test of its counter."""
    archive = pulka(
        [
            deal(10, "a", calls=PASSED, dealer="c"),
            deal(6, "b", calls={"a": "pass", "c": "pass"}, dealer="a"),
            deal("misere", "c", tricks=[5, 5, 0], dealer="b"),
            deal(10, "a", calls=PASSED, dealer="c"),
        ],
        limit=10,
    )
    played = pref.sheets(archive, LENINGRAD)
    assert results(played, LENINGRAD) == [Fraction(560, 3), Fraction(-520, 3), Fraction(-40, 3)]
    assert rounded(played, LENINGRAD.replace(rounding="total-truncate")) == [186, -173, -13]


OPEN = {
    "ad": 34,
    "ab": 84,
    "ac": 136,
    "bd": 96,
    "ba": 60,
    "bc": 0,
    "cd": 108,
    "ca": 220,
    "cb": 192,
    "da": 80,
    "db": 44,
    "dc": 48,
}
WHOLE = {
    "ab": 172,
    "ac": 84,
    "ad": 236,
    "bc": 60,
    "bd": 88,
    "ba": 234,
    "cd": 192,
    "ca": 108,
    "cb": 220,
    "da": 180,
    "db": 132,
    "dc": 48,
}


def of_four(last: int, whists: dict[str, int]) -> pl.DataFrame:
    return sheet([74, 60, 34, last], bullet=[76, 74, 32, 22], limit=76, whists=whists)


@pytest.mark.parametrize(
    ("last", "whists", "expected"),
    [
        pytest.param(76, OPEN, [264, 306, 226, -796], id="c03-prefcount-4p"),
        pytest.param(76, WHOLE, [340, 328, 218, -886], id="c07-prefcount-4p-whole"),
        pytest.param(78, WHOLE, [345, 333, 223, -901], id="c09-prefcount-4p-78"),
    ],
)
def test_sheets_of_four(last: int, whists: dict[str, int], expected: list[int]) -> None:
    """Sheets in the tests of prefcount, a desktop counter of the 2000s, with open bullets."""
    assert rounded(of_four(last, whists), LENINGRAD.replace(code_owner="a")) == expected


def test_a_point_of_four_is_paid_with_three_whists() -> None:
    """c08-prefcount-4p-77: prefcount, which pays rounded up, and goes to the nearest multiple of four."""
    counter = LENINGRAD.replace(code_owner="a", code_compensation="up", code_direction="nearest")
    assert rounded(of_four(77, WHOLE), counter) == [341, 331, 221, -893]
    assert steps(of_four(77, WHOLE), counter, "adjusted") == [-1, 0, 0, 0]
    assert steps(of_four(77, WHOLE), counter, "compensation") == [-3, 0, 0, 0]
    assert steps(of_four(77, WHOLE), LENINGRAD.replace(code_owner="a"), "compensation") == [-2, 0, 0, 0]


@pytest.mark.parametrize(("total", "ends"), [(199, True), (200, True), (201, False)])
def test_a_limit_agreed_as_a_sum(total: int, ends: bool) -> None:
    """c44-limit-as-sum: a club's league, "to 200 together"; also the pool target of a scorer in Swift."""
    played = pulka([deal(10, seat, calls=dict.fromkeys(sorted({*"abc"} - {seat}), "pass")) for seat in "abca" * 5])
    agreed = played.pulkas.with_columns(bullet_limit=None, bullet_total=pl.lit(total, pl.UInt16))
    ended = pref.sheets(pref.archive(agreed, played.deals), LENINGRAD)
    assert ended.select("closed", "deals_scored").row(0) == (ends, 20)
    assert ended["bullet_limit"].item() == (67 if total == 201 else None)
    assert ended.select(pl.sum_horizontal("bullet_a", "bullet_b", "bullet_c")).item() == 200
    assert rounded(ended, LENINGRAD) == rounded(ended.with_columns(bullet_limit=50), LENINGRAD)
    if total % 3:
        with pytest.warns(pref.SetAsideWarning, match=f"bullet_total must divide .*bullet_total={total}"):
            assert pref.sheets(pref.archive(agreed, played.deals), SOCHI).is_empty()
    else:
        assert pref.sheets(pref.archive(agreed, played.deals), SOCHI)["bullet_limit"].item() == 67


# --------------------------------------------------------------------------- deals

NINE = deal(9, "a", calls=PASSED)


@pytest.mark.parametrize(
    ("deals", "opening", "limit", "convention", "expected"),
    [
        pytest.param(
            [raspasy(0, 3, 7)],
            [entry("mountain_a", 58), entry("mountain_c", 40)],
            21,
            REFINED,
            {"mountain_a": 54, "mountain_b": 6, "mountain_c": 54},
            id="c24-ref-zero-raspasy",
        ),
        pytest.param(
            [deal(6, "a", calls=PASSED)],
            [entry("bullet_a", 10)],
            11,
            REFINED,
            {"bullet_a": 11, "bullet_b": 1, "whists_ab": 10},
            id="c26-ref-help-clockwise",
        ),
        pytest.param(
            [NINE],
            [entry("bullet_a", 8), entry("bullet_b", 10), entry("bullet_c", 3), entry("mountain_a", 4)],
            10,
            SOCHI,
            {"bullet_a": 10, "bullet_b": 10, "bullet_c": 9, "mountain_a": 4, "whists_ac": 60},
            id="c33-esch-help",
        ),
        pytest.param(
            [deal("misere", "b", tricks=[None, 2, None])],
            [],
            50,
            SOCHI,
            {"mountain_b": 20},
            id="c31-ref-misere-record",
        ),
    ],
)
def test_a_sheet(
    deals: list[Record], opening: list[Record], limit: int, convention: pref.Convention, expected: Entries
) -> None:
    """Engine tests of two scorers in the browser (2026)."""
    assert final(pulka(deals, opening, limit=limit), convention) == expected


def test_a_nine_when_everybody_has_closed() -> None:
    """c34-esch-floor: it takes no more off than the mountain of 4 has; the Code goes on below zero (4.1.1)."""
    archive = pulka([NINE], [*(entry(f"bullet_{seat}", 10) for seat in "abc"), entry("mountain_a", 4)], limit=10)
    assert final(archive, SOCHI)["mountain_a"] == 4 - 8
    assert "mountain_a" not in final(archive, SOCHI.replace(made_first="mountain", surplus="lost"))


def test_a_concession_inside_a_run() -> None:
    """c29-ref-concession-in-run: the step is counted on, and the concession costs three tricks."""
    conceded = deal(8, "b", conceded=True)
    ran = written(REFINED, raspasy(4, 3, 3), raspasy(4, 3, 3), conceded, raspasy(4, 3, 3))
    assert [one.get("mountain_a") for one in ran] == [2, 4, None, 6]
    assert ran[2] == {"mountain_b": 36}


FEDERATION = pref.convention("leningrad-federation")
FROM_TALON: dict[str, Any] = {"players": 4, "dealer": "a", "calls": {"a": "whist", "c": "pass", "d": "pass"}}


@pytest.mark.parametrize(
    ("convention", "tricks", "expected"),
    [
        (FEDERATION, [None, 5, 2, 3], {"mountain_b": 4, "whists_ab": 24, "whists_cb": 4, "whists_db": 4}),
        (FEDERATION, [None, 7, 1, 2], {"bullet_b": 2, "whists_ab": 12}),
        (FEDERATION, [None, 10, 0, 0], {"bullet_b": 2}),
        (ROSTOV, [None, 5, 2, 3], {"mountain_b": 2, "whists_ab": 20, "whists_cb": 10, "whists_db": 10}),
    ],
)
def test_the_sitting_dealer_whists(convention: pref.Convention, tricks: list[int | None], expected: Entries) -> None:
    """c32-dealer-whists: federation rule 6.6; a scorer for Android and one in the browser know it."""
    assert written(convention, deal(6, "b", tricks=tricks, **FROM_TALON)) == [expected]


@pytest.mark.parametrize(
    ("convention", "game", "expected"),
    [
        pytest.param(
            SOCHI.replace(consolation="none", lone_whist_tricks="own"),
            deal(7, calls=LONE, tricks=[4, 3, 3]),
            {"mountain_a": 12, "whists_ba": 12},
            id="c36-lone-own-tricks",
        ),
        pytest.param(
            ROSTOV.replace(half_whist={6: 1, 7: 1}),
            deal(6, calls=HALF),
            {"bullet_a": 2, "whists_ca": 2},
            id="c38-android-half-rostov",
        ),
    ],
)
def test_a_deal(convention: pref.Convention, game: Record, expected: Entries) -> None:
    """Single deals in the tests of scorers for Android and in the browser."""
    assert written(convention, game) == [expected]


def test_a_ten_that_nobody_whisted() -> None:
    """c40-android-ten: two down; its 20 whists each are two of consolation at the price, its tricks left out."""
    failed = deal(10, calls=PASSED, tricks=[8, 1, 1])
    alone = SOCHI.replace(failed_tricks=False)
    assert written(alone, failed) == [{"mountain_a": 20, "whists_ba": 20, "whists_ca": 20}]
    assert written(SOCHI, failed) == [{"mountain_a": 20, "whists_ba": 30, "whists_ca": 30}]


def test_five_more_for_ten_tricks() -> None:
    """c43-totus-bonus: a scorer in Swift gives 15 for ten; what is paid on top is an adjustment (rules §2)."""
    played = pulka([deal(10, calls=PASSED, tricks=[10, 0, 0])], [entry("bullet_a", 5, after=1)])
    assert final(played, SOCHI) == {"bullet_a": 15}


@pytest.mark.parametrize(("level", "both", "lone"), [(6, 4, 8), (7, 4, 8), (8, 6, 6), (9, 8, 8), (10, 0, 0)])
def test_shortages(level: int, both: int, lone: int) -> None:
    """c46-pro-shortage-table: the tests of a server; nobody takes a trick."""
    server = SOCHI.replace(ten="checked", shortage_payer="both")
    by_two, alone = (written(server, deal(level, calls=calls, tricks=[10, 0, 0]))[0] for calls in (BOTH, LONE))
    assert [by_two.get("mountain_b", 0), by_two.get("mountain_c", 0)] == [both, both]
    assert [alone.get("mountain_b", 0), alone.get("mountain_c", 0)] == [lone, 0]


def test_six_deals() -> None:
    """c48-kintero-table: the tests of a scorer in the browser (2026)."""
    deals = [
        deal(7, calls=BOTH, tricks=[7, 2, 1]),
        deal(6, calls=LONE, tricks=[5, 3, 2]),
        deal(6, calls=BOTH, tricks=[7, 2, 1]),
        deal(6, calls={"b": "pass", "c": "whist"}, tricks=[7, 2, 1]),
        deal("misere", "b", tricks=[4, 2, 4]),
        deal(6, calls=HALF),
    ]
    found = written(SOCHI, *deals)
    assert [one.get("whists_ba", 0) for one in found] == [8, 12, 4, 0, 0, 0]
    assert [one.get("whists_ca", 0) for one in found] == [4, 2, 2, 6, 0, 4]
    assert [one.get("mountain_c", 0) for one in found] == [0, 0, 2, 2, 0, 0]
    assert (found[1]["mountain_a"], found[4]["mountain_b"]) == (2, 20)


# --------------------------------------------------------------------------- the Balkan game

YUGOSLAV = balkan.SERBIAN.replace(refe_max=2)
CLUBS, BETTEL, HEARTS = "clubs", "bettel", "hearts"
ALONE = {"b": "pass", "c": "come"}
CAME = {"b": "come", "c": "come"}


def game(contract: str, declarer: str, calls: dict[str, str], tricks: tuple[int, ...] = (), **columns: Any) -> Record:
    return balkan.game(contract, declarer, calls=calls, tricks=dict(zip("abc", tricks, strict=False)), **columns)


@pytest.mark.parametrize(
    ("played", "expected"),
    [
        pytest.param(
            game(CLUBS, "a", {"b": "invite", "c": "invited"}, (7, 3, 0), contra=2, contra_by="b"),
            {"contract_a": 40, "contract_b": -40, "juha_ba": 120},
            id="c11-yu-deal-01",
        ),
        pytest.param(
            game(HEARTS, "a", ALONE, (6, 0, 4)) | {"tricks_b": None},
            {"contract_a": 8, "juha_ca": 32},
            id="c11-yu-deal-03 c11-yu-deal-12 c11-yu-deal-15",
        ),
        pytest.param(
            game(BETTEL, "a", {}, (0, 6, 4), hand=True, contra=1, contra_by="b"),
            {"contract_a": 28, "contract_b": -28},
            id="c11-yu-deal-04",
        ),
        pytest.param(
            game(HEARTS, "a", CAME, (6, 2, 2)),
            {"contract_a": 8, "juha_ba": 16, "juha_ca": 16},
            id="c11-yu-deal-06",
        ),
        pytest.param(
            game("diamonds", "b", {"a": "invite", "c": "invited"}, (3, 7, 0), contra=2, contra_by="a"),
            {"contract_b": 24, "contract_a": -24, "juha_ab": 72},
            id="c11-yu-deal-07",
        ),
        pytest.param(
            game(HEARTS, "b", {"a": "come", "c": "come"}, (1, 6, 3)),
            {"contract_b": 8, "contract_a": -8, "juha_cb": 24, "juha_ab": 8},
            id="c11-yu-deal-08",
        ),
        pytest.param(
            game(HEARTS, "a", {"b": "invited", "c": "invite"}, (7, 0, 3), contra=1, contra_by="c"),
            {"contract_a": 16, "contract_c": -16, "juha_ca": 48},
            id="c11-yu-deal-13",
        ),
        pytest.param(
            game(BETTEL, "b", {}, (6, 0, 4), hand=True, contra=2, contra_by="a"),
            {"contract_b": 56, "contract_a": -56},
            id="c11-yu-deal-14",
        ),
    ],
)
def test_a_balkan_deal(played: Record, expected: Entries) -> None:
    """Fifteen reference deals of a Serbian scorer, to 100 with two refes."""
    assert balkan.written(played, YUGOSLAV) == expected


def near_the_end(*columns: int) -> list[Record]:
    """Bring the contract columns of a pulka to 30 where they are."""
    return [balkan.entry(seat, 30 + column) for seat, column in zip("abc", columns, strict=True)]


@pytest.mark.parametrize(
    ("columns", "last", "expected"),
    [
        pytest.param(
            (-10, -2, 6), game(CLUBS, "a", {"b": "pass", "c": "pass"}), {"contract_a": 6}, id="c13-yu-cut-unwhisted"
        ),
        pytest.param(
            (-14, -2, 6),
            game(CLUBS, "a", CAME, (6, 2, 2)),
            {"contract_a": 10, "juha_ba": 20, "juha_ca": 20},
            id="c14-yu-exact-end",
        ),
    ],
)
def test_the_last_balkan_game(columns: tuple[int, ...], last: Record, expected: Entries) -> None:
    """Examples that a user of a Serbian scorer reported."""
    archive = balkan.pulka([last], near_the_end(*columns))
    assert balkan.nonzero(pref.ledger(archive, YUGOSLAV).row(0, named=True)) == expected
    assert pref.sheets(archive, YUGOSLAV)["closed"].to_list() == [True]


@pytest.mark.parametrize(
    ("columns", "equalised", "whists"),
    [
        pytest.param((-24, -34, -28), [4, -5, 1], [40, -50, 10], id="c15-yu-writeoff-86"),
        pytest.param((-20, -30, -40), [10, 0, -10], [100, 0, -100], id="c17-yu-writeoff-90"),
    ],
)
def test_points_missing_in_a_balkan_pulka(columns: tuple[int, ...], equalised: list[int], whists: list[int]) -> None:
    """Numbered examples of a Serbian rule book of 2001."""
    stopped = pref.sheets(balkan.pulka([balkan.game("all_pass", None, calls={})], near_the_end(*columns)), YUGOSLAV)
    book = YUGOSLAV.replace(early_stop="whole")
    found = pref.settlement_steps(stopped, book)
    assert found["contract"].to_list() == list(columns)
    assert found["equalised"].to_list() == equalised
    assert [missing + given for missing, given in zip(columns, found["share"], strict=True)] == equalised
    assert found["result"].to_list() == found["rounded"].to_list() == whists
    exact = pref.settle(stopped, YUGOSLAV)["result"]
    assert exact.to_list() == pytest.approx([10 * (column - sum(columns) / 3) for column in columns])


def test_two_who_came_and_took_four() -> None:
    """c21-yu-pair-rule: two Serbian scorers take three and one for enough."""
    played = game(CLUBS, "a", CAME, (6, 3, 1))
    assert balkan.written(played, YUGOSLAV.replace(come_quota="pair")) == {
        "contract_a": 10,
        "juha_ba": 30,
        "juha_ca": 10,
    }
    assert balkan.written(played, YUGOSLAV)["contract_c"] == -10
    short = game(CLUBS, "a", CAME, (7, 2, 1))
    assert balkan.written(short, YUGOSLAV.replace(come_quota="pair"))["contract_c"] == -10


def test_both_write_under_contra() -> None:
    """c23-yu-contra-each-own: hearts with a refe and a contra, failed."""
    deals = [
        balkan.game("all_pass", None, calls={}),
        game(HEARTS, "b", {"a": "come", "c": "come"}, (2, 5, 3), contra=1, contra_by="a"),
    ]
    last = pref.ledger(balkan.pulka(deals, limit=50), balkan.BALKAN.replace(refe_max=2)).row(1, named=True)
    assert balkan.nonzero(last) == {"contract_b": -32, "juha_ab": 64, "juha_cb": 96}


# --------------------------------------------------------------------------- forms of records


def test_a_record_of_three_seats(tmp_path: Path) -> None:
    """c49-three-seat-deals: any record of three, without columns of the fourth seat."""
    played = pref.sample(5, seed=3, bullet_limit=6)
    played.deals.drop("call_d", "tricks_d").collect().write_csv(tmp_path / "deals.csv")
    played.pulkas.drop("player_d", "bullet_total").collect().write_csv(tmp_path / "pulkas.csv")
    pulkas = pl.read_csv(tmp_path / "pulkas.csv", try_parse_dates=True)
    read = pref.archive(pulkas, pl.read_csv(tmp_path / "deals.csv", infer_schema_length=None))
    assert pref.sheets(read, "sochi").equals(pref.sheets(played, "sochi"))


def test_a_table_that_a_russian_spreadsheet_saved(tmp_path: Path) -> None:
    """c50-excel-ru-csv: semicolons, cp1251, decimal commas."""
    lines = [
        "№;лимит;игроков;игрок 1;игрок 2;игрок 3;гора 1;гора 2;гора 3;висты 1-2;висты 1-3;"
        "висты 2-1;висты 2-3;висты 3-1;висты 3-2",
        'Л-7;20;3;Анна;Борис;Вера;"6,5";0;12;10;0;0;0;0;0',
    ]
    file = tmp_path / "club.csv"
    file.write_bytes("\r\n".join(lines).encode("cp1251"))
    imported = import_file(file)
    assert (imported.rows, imported.good, len(imported.failures)) == (1, 1, 0)
    assert imported.sheets is not None
    assert imported.sheets.select("record", "player_b", "mountain_a").row(0) == ("Л-7", "Борис", 6.5)
    assert results(imported.sheets, SOCHI) == [Fraction(20, 3), Fraction(155, 3), Fraction(-175, 3)]


def test_unplayed_deals_with_tricks(tmp_path: Path) -> None:
    """c52-passed-out-with-tricks: scorers on telephones and in the browser fill in tricks and calls of no deal."""
    names = {"A": "Anna", "B": "Boris", "C": "Vera"}
    nothing = dict.fromkeys(names, 0)

    def recorded(declarer: str, level: int, own: int, others: Record, said: Record) -> Record:
        game = {"kind": "game", "level": level, "suit": "H"}
        tricks = {"playerTricks": own, "vistersTricks": nothing | others, "vistDecisions": said}
        return {"type": "game", "dealer": "C", "firstHand": "A", "player": declarer, "contract": game, **tricks}

    whists = {"B": "vist", "C": "vist"}
    misere = {**recorded("A", 10, 0, {"B": 6, "C": 4}, whists), "type": "misere", "blind": False}
    played = [
        recorded("B", 7, 10, {}, {"A": "pass", "C": "pass"}),
        recorded("A", 6, 8, {"C": 2}, {"B": "pass", "C": "half"}),
        misere,
    ]
    columns = {"pool": nothing, "mount": nothing, "whists": dict.fromkeys(names, nothing)}
    file = tmp_path / "game.json"
    file.write_text(json.dumps({"players": names, "poolLimit": 50, **columns, "deals": played}), encoding="utf-8")
    imported = import_file(file, convention="sochi")
    assert imported.notes["row"].to_list() == [1, 2]
    assert imported.archive is not None
    expected = [{"bullet_b": 4}, {"bullet_a": 2, "whists_ca": 4}, {"bullet_a": 10}]
    assert written(SOCHI, *imported.archive.deals.drop("pulka", "deal", "outcome").collect().to_dicts()) == expected
    unplayed = [
        deal(7, "b", calls={"a": "pass", "c": "pass"}),
        deal(6, calls=HALF),
        deal("misere", tricks=[0, None, None]),
    ]
    for convention in (SOCHI, LENINGRAD, ROSTOV):
        assert final(imported.archive, convention) == final(pulka(unplayed), convention)


# --------------------------------------------------------------------------- all of them

COLLECTION = Path(__file__).parents[2] / "shared" / "cases.json"


@pytest.mark.skipif(not COLLECTION.exists(), reason="the collection of cases is no part of the project")
def test_every_case_is_here() -> None:
    """Look every case's name up, where the collection lies beside the checkout."""
    here = Path(__file__)
    page = here.parents[1] / "prefdata" / "conventions" / "README.md"
    forms = here.parent / "balkan_archives" / "test_forms.py"
    text = "".join(file.read_text(encoding="utf-8") for file in (here, forms))
    cases = json.loads(COLLECTION.read_text(encoding="utf-8"))["cases"]
    habits = {case["id"] for case in cases if case["needs"].startswith("habit of one program")}
    assert len(habits) == page.read_text(encoding="utf-8").count("one program:")
    names = [case["id"] for case in cases if case["id"] not in habits]
    assert names
    assert [name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)] == []
