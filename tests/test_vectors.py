"""Published worked numbers, each a test of prefdata named after its vector.

A vector's name stands in the test's id or docstring with its origin in short: the Code's texts, federations' and
programs' own tests, tables and manuals.  Where an origin departs from the usual rules, a switch makes prefdata follow
it, and the test shows both numbers.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

import prefdata as pref
from prefdata.archives import Archive
from prefdata.tables import Pulkas
from prefdata.vocabulary import (
    bullet_column,
    pairs,
    seats_at_table,
)
from tests.records import frame_of
from tests.worked import (
    AMONG_OPPONENTS,
    BOTH,
    CLASSIC,
    FEDERATION,
    GENTLEMAN,
    HALF,
    INDIVISIBLE,
    LENINGRAD,
    LEVELS,
    LONE,
    MENDELEV,
    PASSED,
    ROSTOV,
    SOCHI,
    Entries,
    Record,
    balances,
    deal,
    entry,
    final,
    moved_by_hand,
    nonzero,
    pulka,
    raspasy,
    results,
    rounded,
    sheet,
    steps,
    written,
)

# The Code's own examples, and its rules on closing the bullets


def nine_with_two_missing(players: int) -> Archive:
    """Make a nine played when its declarer lacks two points and everybody else is closed."""
    closed = [entry(bullet_column(seat), 50) for seat in seats_at_table(players)[1:]]
    calls, tricks = ({"b": "whist"}, [9, 1]) if players == 2 else (LONE, [9, 1, 0])
    nine = deal(9, calls=calls, tricks=tricks, players=players)
    return pulka([nine], [entry("bullet_a", 48), *closed])


def test_surplus_of_a_nine_with_two_missing() -> None:
    """seed-4.1.1-surplus-nine-two-missing: Code 4.1.1."""
    archive = nine_with_two_missing(4)
    ledger = pref.ledger(archive, SOCHI).row(0, named=True)
    assert nonzero(ledger) == {"bullet_a": 2, "mountain_a": -6, "whists_ba": 8}
    sheets = pref.sheets(archive, SOCHI)
    assert nonzero(sheets.row(0, named=True)) == {
        **{bullet_column(seat): 50 for seat in "abcd"},
        "mountain_a": -6,
        "whists_ba": 8,
    }
    assert sheets["closed"].item()
    settlement = pref.settle(sheets, SOCHI)
    assert settlement["from_mountain_twelfths"].to_list() == [45 * 12, -15 * 12, -15 * 12, -15 * 12]
    # the game keeps its value, whatever the state of the pulka: eight points less the whists of the defence
    values = [f"value_{seat}" for seat in "abcd"]
    assert pref.values(archive, SOCHI).select(values).row(0) == (60 - 8, -20 + 8, -20, -20)
    early = pulka([deal(9, calls=LONE, tricks=[9, 1, 0], players=4)])
    assert pref.values(early, SOCHI).select(values).row(0) == (60 - 8, -20 + 8, -20, -20)


@pytest.mark.parametrize(
    ("surplus", "instead"),
    [
        pytest.param("whists", {"whists_ab": 20, "whists_ac": 20, "whists_ad": 20}, id="b"),
        pytest.param("lost", {}, id="a"),
    ],
)
def test_wrong_answers_about_the_surplus(surplus: str, instead: Entries) -> None:
    """seed-4.1.1-wrong-answer-b: Code 4.1.1, whose answers a and b break the value of a game.

    Six points as whists on each partner are 20 each, where the mountain brings 15.
    """
    archive = nine_with_two_missing(4)
    ledger = pref.ledger(archive, SOCHI.replace(surplus=surplus)).row(0, named=True)
    assert nonzero(ledger) == {"bullet_a": 2, "whists_ba": 8, **instead}
    assert steps(pref.sheets(archive, SOCHI), SOCHI, "share") == [0, 15, 15, 15]


@pytest.mark.parametrize(
    ("convention", "mountain"),
    [
        pytest.param(INDIVISIBLE, -3, id="half"),
        pytest.param(SOCHI, -6, id="divisible"),
        pytest.param(INDIVISIBLE.replace(surplus="full"), -6, id="c"),
    ],
)
def test_surplus_in_the_hussar(convention: pref.Convention, mountain: int) -> None:
    """seed-4.1.1-hussar-indivisible: Code 4.1.1, whose answer c writes the whole surplus off."""
    ledger = pref.ledger(nine_with_two_missing(2), convention).row(0, named=True)
    assert nonzero(ledger) == {"bullet_a": 2, "mountain_a": mountain, "whists_ba": 8}


@pytest.mark.parametrize(
    ("contract", "last", "carried", "totals"),
    [
        pytest.param(8, 54, -8, (80, -40, -40), id="seed-4.2.3.3-leningrad-eight: Code 4.2.3.3"),
        pytest.param(
            9,
            56,
            -12,
            (Fraction(320, 3), Fraction(-160, 3), Fraction(-160, 3)),
            id="seed-4.2.3.3-leningrad-nine: Code 4.2.3.3",
        ),
    ],
)
def test_end_of_a_leningrad_pulka(contract: int, last: int, carried: int, totals: tuple[Fraction, ...]) -> None:
    """The last game is written in full; what is above or below the limit goes to the mountain, doubled."""
    game = deal(contract, calls=PASSED)
    sheets = pref.sheets(pulka([game, game], [entry(bullet_column(seat), 48) for seat in "abc"]), LENINGRAD)
    assert nonzero(sheets.row(0, named=True)) == {"bullet_a": last, "bullet_b": 48, "bullet_c": 48}
    assert sheets.select("closed", "deals_scored", "deals_after_end").row(0) == (True, 1, 1)
    assert steps(sheets, LENINGRAD, "carried") == [carried, 4, 4]
    assert results(sheets, LENINGRAD) == list(totals)


def test_a_point_moved_among_three() -> None:
    """seed-4.2.12-three-players: Code 4.2.12."""
    uneven = sheet([1, 0, 0])
    assert steps(uneven, SOCHI, "share") == pytest.approx([10 / 3, 0, 0])
    assert steps(uneven, SOCHI, "adjusted") == [-1, 0, 0]
    assert steps(uneven, SOCHI, "compensation") == [-3, 0, 0]
    by_hand = moved_by_hand(uneven, SOCHI)
    assert nonzero(by_hand.row(0, named=True)) == {"whists_ba": 3, "whists_ca": 3}
    assert results(by_hand, SOCHI) == rounded(uneven, SOCHI) == [-6, 3, 3]
    gains = [whole - exact for whole, exact in zip(rounded(uneven, SOCHI), results(uneven, SOCHI), strict=True)]
    assert gains == [Fraction(2, 3), Fraction(-1, 3), Fraction(-1, 3)]


def test_help() -> None:
    """seed-4.2.3-aid-rate: Code 4.2.3."""
    before = [entry("bullet_a", 50), entry("bullet_b", 40), entry("bullet_c", 30)]
    archive = pulka([deal(7, calls=PASSED)], before)
    assert final(archive, SOCHI) == {"bullet_a": 50, "bullet_b": 44, "bullet_c": 30, "whists_ab": 40}
    assert pref.ledger(archive, SOCHI)["help_ab"].item() == 4


# Penalties


@pytest.mark.parametrize(
    ("error", "penalty"),
    [
        pytest.param(("whists_ab", 8), ("whists_ba", 8), id="seed-4.2.7-overwritten-whists: Code 4.2.7"),
        pytest.param(("bullet_a", 4), ("mountain_a", 4), id="seed-4.2.7-overwritten-pool: Code 4.2.7"),
    ],
)
def test_over_writing(error: tuple[str, int], penalty: tuple[str, int]) -> None:
    """What was written in excess is taken back, and as much is the fine."""
    column, excess = error
    written_wrongly, taken_back, fine = entry(column, excess), entry(column, -excess, after=1), entry(*penalty, after=1)
    archive = pulka([deal(6, "c", calls={"a": "pass", "b": "pass"})], [written_wrongly, taken_back, fine])
    assert final(archive, SOCHI) == {"bullet_c": 2, penalty[0]: penalty[1]}


@pytest.mark.parametrize(
    ("taken", "tricks_written", "undertricks_written", "mountain", "real_undertricks"),
    [
        pytest.param(6, 4, 2, 4, 0, id="seed-3.9.18-wrong-cards-six-took-6: Code 3.9.18"),
        pytest.param(4, 2, 4, 8, 2, id="seed-3.9.18-wrong-cards-six-took-4: Code 3.9.18"),
        pytest.param(8, 4, 2, 4, 0, id="seed-3.9.18-wrong-cards-six-took-8: Code 3.9.18"),
    ],
)
def test_declarer_with_wrong_cards(
    taken: int, tricks_written: int, undertricks_written: int, mountain: int, real_undertricks: int
) -> None:
    """The mountain is that of an honest six with the tricks written; whists go by the real tricks."""
    wrong = deal(6, calls=BOTH, tricks=[taken, 10 - taken, 0], wrong_cards="a")
    honest = deal(6, calls=BOTH, tricks=[tricks_written, 10 - tricks_written, 0])
    penalised, as_written = written(SOCHI, wrong, honest)
    consolation = {"whists_ca": 2 * real_undertricks} if real_undertricks else {}
    assert penalised == {
        "mountain_a": mountain,
        "whists_ba": 2 * (10 - taken) + 2 * real_undertricks,
        **consolation,
    }
    assert as_written["mountain_a"] == mountain == 2 * undertricks_written


# Contracts


@pytest.mark.parametrize(
    ("convention", "game", "expected"),
    [
        pytest.param(
            SOCHI,
            deal(6, calls=BOTH, tricks=[9, 1, 0]),
            {"bullet_a": 2, "mountain_b": 2, "mountain_c": 4, "whists_ba": 2},
            id="kodeks-two-whisters-short-on-six: Code, in the tests of the collection engine",
        ),
        pytest.param(
            SOCHI,
            deal("misere", "c", tricks=[4, 3, 3]),
            {"mountain_c": 30},
            id="marriage-misere-three: suntehnik/preferance, after Marriage 3.30",
        ),
        pytest.param(
            SOCHI,
            deal(8, calls=BOTH, tricks=[6, 3, 1]),
            {"mountain_a": 12, "whists_ba": 30, "whists_ca": 18},
            id="ll-ts32: ll1r1k-1337/preference",
        ),
        pytest.param(
            SOCHI,
            deal(6, calls=LONE, tricks=[5, 3, 2]),
            {"mountain_a": 2, "whists_ba": 12, "whists_ca": 2},
            id="ll-ts33-greedy: ll1r1k-1337/preference",
        ),
        pytest.param(
            SOCHI,
            deal(6, calls=BOTH, tricks=[5, 3, 2]),
            {"mountain_a": 2, "whists_ba": 8, "whists_ca": 6},
            id="ll-example-9.5: ll1r1k-1337/preference",
        ),
        pytest.param(
            SOCHI.replace(ten="checked"),
            deal(10, calls=BOTH, tricks=[8, 1, 1]),
            {"mountain_a": 20, "whists_ba": 30, "whists_ca": 30},
            id="ll-ts39-ten: ll1r1k-1337/preference",
        ),
        pytest.param(
            SOCHI,
            deal(7, calls=BOTH, tricks=[7, 1, 2]),
            {"bullet_a": 4, "whists_ba": 4, "whists_ca": 8},
            id="rostik-seven-two-whisters: rostiktc2-star/preferans-score, section 8",
        ),
        pytest.param(
            SOCHI,
            deal(6, calls=BOTH, tricks=[6, 3, 1]),
            {"bullet_a": 2, "whists_ba": 6, "whists_ca": 2},
            id="coll-six-made-two-whists: collection engine",
        ),
        pytest.param(
            GENTLEMAN,
            deal(6, calls=LONE, tricks=[5, 3, 2]),
            {"mountain_a": 2, "whists_ba": 7, "whists_ca": 7},
            id="coll-gentleman: collection engine",
        ),
        pytest.param(
            SOCHI,
            deal(6, calls=HALF),
            {"bullet_a": 2, "whists_ca": 4},
            id="coll-half-whist-six: collection engine",
        ),
        pytest.param(
            SOCHI,  # its players 0, 2, 1 call in this order: a, b, c
            deal(8, calls=BOTH, tricks=[10, 0, 0]),
            {"bullet_a": 6, "mountain_c": 6},
            id="coll-eight-nobody-takes: collection engine",
        ),
        pytest.param(
            LENINGRAD,
            deal(8, calls=BOTH, tricks=[10, 0, 0]),
            {"bullet_a": 6, "mountain_b": 6, "mountain_c": 6},
            id="fspr-eight-nobody-takes: refinishru-Andre/pulka, FSPR",
        ),
        pytest.param(
            LENINGRAD,
            deal(10, calls=BOTH, tricks=[10, 0, 0]),
            {"bullet_a": 10, "mountain_b": 10, "mountain_c": 10},
            id="fspr-ten-nobody-takes: refinishru-Andre/pulka, FSPR",
        ),
        pytest.param(
            LENINGRAD,
            deal(7, calls=BOTH, tricks=[5, 3, 2], players=4),
            {"mountain_a": 16, "whists_ba": 3 * 8 + 16, "whists_ca": 2 * 8 + 16, "whists_da": 16},
            id="fspr-dealer-consolation: refinishru-Andre/pulka, FSPR",
        ),
    ],
)
def test_contract(convention: pref.Convention, game: Record, expected: Entries) -> None:
    assert written(convention, game) == [expected]


def test_ten_whisted_without_consolation() -> None:
    """rostik-ten-whisted: rostiktc2-star/preferans-score, section 11, a house that writes no consolation."""
    tens = [deal(10, calls=LONE, tricks=[taken, 10 - taken, 0]) for taken in (10, 9, 8)]
    assert written(SOCHI.replace(consolation="none"), *tens) == [
        {"bullet_a": 10, "mountain_b": 10},
        {"mountain_a": 10, "whists_ba": 10},
        {"mountain_a": 20, "whists_ba": 20},
    ]


def test_second_whister_of_an_eight_without_a_trick() -> None:
    """rostik-eight-second-whister: rostiktc2-star/preferans-score, section 20.

    Its manual charges the second whister for his own trick, which is `personal_quota`.  The rules (§3.6) do not: the
    pair has its quota of one, so nobody is short.
    """
    eight = deal(8, calls=BOTH, tricks=[9, 1, 0])
    assert written(SOCHI.replace(personal_quota=True), eight) == [{"bullet_a": 6, "whists_ba": 6, "mountain_c": 6}]
    assert written(SOCHI, eight) == [{"bullet_a": 6, "whists_ba": 6}]


def test_gentleman_of_a_made_seven() -> None:
    """fspr-gentleman-made: refinishru-Andre/pulka, FSPR.

    The federation halves a made contract too, which is `gentleman_scope`.  The rules (§3.4, after Lesnoy) halve only
    when the declarer fails, so that Leningrad's lone whister writes all 24.
    """
    seven = deal(7, calls=LONE, tricks=[7, 3, 0])
    assert written(FEDERATION, seven) == [{"bullet_a": 4, "whists_ba": 12, "whists_ca": 12}]
    assert written(LENINGRAD, seven) == [{"bullet_a": 4, "whists_ba": 24}]


def test_half_whist_in_leningrad() -> None:
    """home-six-half-whist: refinishru-Andre/pulka, home preset; a seven brings as much."""
    assert written(LENINGRAD, deal(6, calls=HALF), deal(7, calls=HALF)) == [
        {"bullet_a": 2, "whists_ca": 8},
        {"bullet_a": 4, "whists_ca": 8},
    ]


@pytest.mark.parametrize(
    ("level", "price", "quota"),
    [
        pytest.param(6, 20, 4, id="6, seed-mendelev-whister-short: Mendelev"),
        pytest.param(7, 40, 2, id="7, seed-mendelev-whister-short: Mendelev"),
    ],
)
def test_whister_one_short_at_mendelevs_prices(level: int, price: int, quota: int) -> None:
    short = deal(level, calls=LONE, tricks=[11 - quota, quota - 1, 0])
    assert written(MENDELEV, short) == [{"bullet_a": price, "mountain_b": price, "whists_ba": price * (quota - 1)}]


@pytest.mark.parametrize(
    ("convention", "game", "expected"),
    [
        *(
            pytest.param(
                MENDELEV,
                deal(6, calls=PASSED, talon=worth, players=4),
                {"bullet_a": 20, "whists_da": 20 * worth},
                id=f"{vector}: Mendelev",
            )
            for vector, worth in [
                ("seed-mendelev-talon-a", 1),
                ("seed-mendelev-talon-k-q", 1),
                ("seed-mendelev-talon-a-k", 2),
                ("seed-mendelev-talon-a-a", 3),
            ]
        ),
        pytest.param(
            LENINGRAD.replace(talon_bonus=True),
            deal(7, calls=PASSED, talon=2, players=4),
            {"bullet_a": 4, "whists_da": 16},
            id="fspr-talon-ak-4p: refinishru-Andre/pulka, FSPR",
        ),
        pytest.param(
            LENINGRAD.replace(talon_bonus_three=True),
            deal(6, calls=PASSED, talon=3),
            {"bullet_a": 2, "whists_ba": 6, "whists_ca": 6},
            id="fspr-talon-two-aces-3p: refinishru-Andre/pulka, FSPR",
        ),
    ],
)
def test_talon_bonus(convention: pref.Convention, game: Record, expected: Entries) -> None:
    assert written(convention, game) == [expected]


# Tables


@pytest.mark.parametrize(
    ("convention", "table"),
    [
        pytest.param(
            SOCHI,
            {
                "6": [2, 4, 6, 8, 10],
                "7": [4, 8, 12, 16, 20],
                "8": [6, 12, 18, 24, 30],
                "9": [8, 16, 24, 32, 40],
                "10": [10, 20, 30, 40, 50],
                "misere": [10, 20, 30, 40, 50],
            },
            id="table-remise-sochi: mentoss/prefcalc, contracts",
        ),
        pytest.param(
            LENINGRAD,
            {
                "6": [4, 8, 12, 16, 20],
                "7": [8, 16, 24, 32, 40],
                "8": [12, 24, 36, 48, 60],
                "9": [16, 32, 48, 64, 80],
                "10": [20, 40, 60, 80, 100],
                "misere": [20, 40, 60, 80, 100],
            },
            id="table-remise-leningrad: mentoss/prefcalc, contracts",
        ),
    ],
)
def test_remise_table(convention: pref.Convention, table: dict[str, list[int]]) -> None:
    for contract, row in table.items():
        counts = [down if contract == "misere" else int(contract) - down for down in (1, 2, 3, 4, 5)]
        calls = {} if contract == "misere" else BOTH
        failed = [deal(contract, calls=calls, tricks=[count, 10 - count, 0]) for count in counts]
        assert [entries["mountain_a"] for entries in written(convention, *failed)] == row


def test_leningrad_prices() -> None:
    """table-leningrad-prices: shram.kiev.ua, Leningradka; Lesnoy."""
    made = [deal(level, calls=LONE, tricks=[10, 0, 0]) for level in LEVELS]
    entries = written(LENINGRAD, *made, deal("misere", tricks=[0, 5, 5]))
    assert [row["bullet_a"] for row in entries] == [2, 4, 6, 8, 10, 10]
    quotas = (4, 2, 1, 1, 1)
    assert [row["mountain_b"] // quota for row, quota in zip(entries, quotas, strict=False)] == [2, 4, 6, 8, 10]
    assert entries[-1] == {"bullet_a": 10}

    one_down = [deal(level, calls=BOTH, tricks=[level - 1, 11 - level, 0]) for level in LEVELS]
    *failed, misere = written(LENINGRAD, *one_down, deal("misere", tricks=[1, 5, 4]))
    assert [row["mountain_a"] for row in [*failed, misere]] == [4, 8, 12, 16, 20, 20]
    # c has but the consolation, b writes each trick of the defence beside it
    assert [row["whists_ca"] for row in failed] == [4, 8, 12, 16, 20]
    of_tricks = [(row["whists_ba"] - row["whists_ca"], 11 - level) for row, level in zip(failed, LEVELS, strict=True)]
    assert [whists / tricks for whists, tricks in of_tricks] == [4, 8, 12, 16, 20]
    assert misere == {"mountain_a": 20}


def test_quotas() -> None:
    """table-kodeks-whist-quota: Code 3.8.2, pref.md.  A lone whister without a trick pays for them all."""
    made = [deal(level, calls=LONE, tricks=[10, 0, 0]) for level in LEVELS]
    *entries, misere = written(SOCHI, *made, deal("misere", tricks=[0, 10, 0]))
    assert [row["mountain_b"] // row["bullet_a"] for row in entries] == [4, 2, 1, 1, 1]
    assert misere == {"bullet_a": 10}


# Raspasy


@pytest.mark.parametrize(
    ("convention", "step", "game", "expected"),
    [
        pytest.param(
            SOCHI.replace(raspasy_amnesty=True),
            1,
            raspasy(3, 5, 2),
            {"mountain_a": 1, "mountain_b": 3},
            id="kodeks-raspasy-amnesty: Code, quoted in an engine",
        ),
        pytest.param(
            LENINGRAD.replace(raspasy_amnesty=True, raspasy_price=4),
            1,
            raspasy(5, 4, 1),
            {"mountain_a": 16, "mountain_b": 12},
            id="home-raspasy-amnesty: refinishru-Andre/pulka, home preset",
        ),
        pytest.param(
            SOCHI,
            3,
            raspasy(0, 2, 8),
            {"bullet_a": 3, "mountain_b": 6, "mountain_c": 24},
            id="marriage-raspasy-third: suntehnik/preferance, after Marriage 3.30",
        ),
        pytest.param(
            SOCHI,
            1,
            raspasy(0, 2, 8),
            {"bullet_a": 1, "mountain_b": 2, "mountain_c": 8},
            id="marriage-raspasy-first: suntehnik/preferance, after Marriage 3.30",
        ),
        pytest.param(
            SOCHI,
            5,
            raspasy(1, 0, 9),
            {"mountain_a": 3, "bullet_b": 3, "mountain_c": 27},
            id="marriage-raspasy-saturates: suntehnik/preferance, after Marriage 3.30",
        ),
        pytest.param(
            ROSTOV,
            1,
            raspasy(6, 4, 0),
            {"bullet_c": 1, "whists_ca": 30, "whists_cb": 20},
            id="coll-rostov-raspasy: collection engine",
        ),
        pytest.param(
            FEDERATION,
            1,
            raspasy(4, 2, 4, 0, dealer="b"),
            {"mountain_a": 8, "mountain_b": 4, "mountain_c": 8, "mountain_d": -4},
            id="fspr-raspasy-4p: refinishru-Andre/pulka, FSPR",
        ),
        pytest.param(
            FEDERATION,
            1,
            raspasy(5, 5, 0, 0, dealer="d"),
            {"mountain_a": 10, "mountain_b": 10, "mountain_c": -4},
            id="fspr-raspasy-zero-dealer: refinishru-Andre/pulka, FSPR",
        ),
    ],
)
def test_raspasy(convention: pref.Convention, step: int, game: Record, expected: Entries) -> None:
    assert written(convention, *[game] * step)[-1] == expected


def test_classic_ladder() -> None:
    """op-classic-raspasy-multiplier: knigochet.com, anonymous classic rules.

    The dealer's fine of up to 10 after the third raspasy in a row goes by agreement: an adjustment of his mountain.
    """
    all_pass = [raspasy(4, 3, 3, None)] * 3
    assert written(CLASSIC, *all_pass) == [
        {"mountain_a": 4 * factor, "mountain_b": 3 * factor, "mountain_c": 3 * factor, "bullet_d": factor}
        for factor in (1, 2, 4)
    ]
    fined = pulka(all_pass, [entry("mountain_d", 10, after=3)])
    assert final(fined, CLASSIC) == {
        "mountain_a": 28,
        "mountain_b": 21,
        "mountain_c": 21,
        "mountain_d": 10,
        "bullet_d": 7,
    }


# Values


def test_value_of_a_misere_caught_with_six() -> None:
    """reviewpref-misere-six-caught-leningrad-4p: review-pref.ru, school 145."""
    misere = deal("misere", tricks=[6, 4, 0], players=4)
    assert written(LENINGRAD, misere) == [{"mountain_a": 120}]
    values = pref.values(pulka([misere]), LENINGRAD).row(0, named=True)
    assert [values[f"value_{seat}"] for seat in "abcd"] == [-900, 300, 300, 300]
    assert values["value_b"] + values["value_c"] == 600


def test_value_by_the_formula() -> None:
    """cp-value-formula-on-alikas: the CP formula, applied to the AK deal.

    A seven two down, whisted by both, has its numbers: 80 whists of mountain and 44 whists written on the declarer.
    """
    seven = deal(7, calls=BOTH, tricks=[5, 3, 2], players=4)
    (entries,) = written(SOCHI, seven)
    assert entries.pop("mountain_a") == 8
    assert sum(entries.values()) == 44
    assert pref.values(pulka([seven]), SOCHI)["value_a"].item() == -104


# Settlement


def test_settlement_in_all_its_steps() -> None:
    """mailru-minigames-3p: minigames.mail.ru, how to settle."""
    whists = {"ab": 170, "ac": 60, "ba": 64, "bc": 178, "ca": 88, "cb": 95}
    closed = sheet([42, 96, 132], whists=whists)
    assert steps(closed, SOCHI, "amnesty") == [42, 42, 42]
    assert steps(closed, SOCHI, "remaining") == [0, 54, 90]
    shares = dict(zip("abc", steps(closed, SOCHI, "share"), strict=True))
    assert shares == {"a": 0, "b": 180, "c": 300}
    with_mountain = {pair: count + shares[pair[1]] for pair, count in whists.items()}
    assert with_mountain == {"ab": 350, "ac": 360, "ba": 64, "bc": 478, "ca": 88, "cb": 275}
    assert balances(closed, SOCHI) == {"ab": 286, "ac": 272, "bc": 203}
    assert results(closed, SOCHI) == rounded(closed, SOCHI) == [558, -83, -475]


def test_settlement_of_bullets() -> None:
    """mentoss-12-points-of-pool: mentoss/prefcalc, three players."""
    uneven = sheet([0, 0, 0], bullet=[22, 10, 10], limit=22)
    assert steps(uneven, SOCHI, "remaining") == [0, 12, 12]
    assert steps(uneven, SOCHI, "share") == [0, 40, 40]
    assert results(uneven, SOCHI) == [80, -40, -40]


@pytest.mark.parametrize(
    ("recorded", "totals"),
    [
        pytest.param(
            sheet(
                [8, 9, 10, 11],
                bullet=[20, 20, 20, 20],
                whists={writer + on: 10 * number for writer, on in pairs(4) for number in [1 + "abcd".index(writer)]},
            ),
            [-45, -15, 15, 45],
            id="temaput-four: temaput/prefcalc",
        ),
        pytest.param(
            sheet([17, 1, 12], bullet=[20, 20, 20], whists={"bc": 6, "ca": 30}),
            [-100, 96, 4],
            id="marriage-final: suntehnik/preferance, after Marriage 3.30",
        ),
    ],
)
def test_settlement(recorded: pl.DataFrame, totals: list[int]) -> None:
    assert results(recorded, SOCHI) == rounded(recorded, SOCHI) == totals


def test_settlement_divided_among_opponents() -> None:
    """ll-ts40-divisor-n-minus-1: ll1r1k-1337/preference.

    It divides a point among the opponents, which two switches do.  The rules (§7, Code 4.2.14) divide among all
    players, the owner included.
    """
    recorded = sheet([0, 14, 6], bullet=[3, 0, 0], whists={"ba": 8})
    assert results(recorded, AMONG_OPPONENTS) == [122, -117, -5]
    assert results(recorded, SOCHI) == [Fraction(236, 3), Fraction(-226, 3), Fraction(-10, 3)]


def test_shares_divided_among_opponents() -> None:
    """rostik-final-divisor-n-minus-1: rostiktc2-star/preferans-score, section 18; the rules divide by n again."""
    recorded = sheet([2, 5, 8])
    for convention, shares in [(AMONG_OPPONENTS, [0, 15, 30]), (SOCHI, [0, 10, 20])]:
        assert steps(recorded, convention, "remaining") == [0, 3, 6]
        assert steps(recorded, convention, "share") == shares


def test_shares_rounded_to_the_nearest() -> None:
    """seed-mendelev-mountain-share: Mendelev, who writes 140/3 as 47."""
    recorded = sheet([0, 120, 140])
    assert steps(recorded, MENDELEV, "remaining") == [0, 120, 140]
    assert steps(recorded, MENDELEV, "share") == pytest.approx([0, 40, 140 / 3])
    assert rounded(sheet([0, 120, 0]), MENDELEV) == [40, -80, 40]
    assert rounded(sheet([0, 0, 140]), MENDELEV) == [47, 47, -94]
    assert rounded(recorded, MENDELEV) == [40 + 47, 47 - 80, 40 - 94]


def test_mutual_whists() -> None:
    """seed-mendelev-mutual: Mendelev."""
    assert balances(sheet([0, 0, 0], whists={"ab": 125, "ba": 80}), MENDELEV) == {"ab": 45, "ac": 0, "bc": 0}


def referat() -> pl.DataFrame:
    """Make a sheet with the printed balances; north, west, east and south are a, b, c, d.

    The mountains and whists stand in a figure that is lost.  One point in north's mountain makes the printed halves.
    """
    return sheet([1, 0, 0, 0], whists={"ab": 17, "ac": 30, "da": 12, "cb": 25, "db": 63, "dc": 10})


def test_settlement_of_four_with_halves() -> None:
    """referat-4p-exact: referat, kazedu.kz 39901."""
    assert balances(referat(), SOCHI) == {"ab": 14.5, "ac": 27.5, "ad": -14.5, "bc": -25, "bd": -63, "cd": -10}
    assert results(referat(), SOCHI) == [27.5, -102.5, -12.5, 87.5]


def test_a_point_moved_among_four() -> None:
    """referat-4p-rule-4.2.12: referat, kazedu.kz 39901; the twin of the Code's example."""
    assert steps(referat(), SOCHI, "adjusted") == [-1, 0, 0, 0]
    assert steps(referat(), SOCHI, "compensation") == [-2, 0, 0, 0]
    by_hand = moved_by_hand(referat(), SOCHI)
    assert nonzero((by_hand - referat()).row(0, named=True)) == {
        "mountain_a": -1,
        "whists_ba": 2,
        "whists_ca": 2,
        "whists_da": 2,
    }
    assert balances(by_hand, SOCHI) == {"ab": 15, "ac": 28, "ad": -14, "bc": -25, "bd": -63, "cd": -10}
    assert results(by_hand, SOCHI) == rounded(referat(), SOCHI) == [29, -103, -13, 87]
    gains = [whole - exact for whole, exact in zip(rounded(referat(), SOCHI), results(referat(), SOCHI), strict=True)]
    assert gains == [1.5, -0.5, -0.5, -0.5]


def test_money() -> None:
    """referat-4p-money: referat, kazedu.kz 39901, at a kopeck a whist."""
    names = {"player_a": "N", "player_b": "W", "player_c": "E", "player_d": "S"}
    pulkas = frame_of([{"pulka": 1, "players": 4, "bullet_limit": 20, "stake": 1.0, **names}], Pulkas)
    paid = pref.settle(referat(), SOCHI, pulkas=pulkas)
    assert paid.select("player", "money").rows() == [("N", 29), ("W", -103), ("E", -13), ("S", 87)]


def test_notation() -> None:
    """seed-4.2.11-notation: Code 4.2.11, which prints the minus sign as an en dash."""
    sheet = pl.DataFrame({"game": ["6/=", "8/–1", "8/-1"]})
    read = sheet.select(pref.read_notation("game").struct.field("contract", "difference"))
    assert read.rows() == [("6", 0), ("8", -1), ("8", -1)]
    games = pulka([deal(6, calls=PASSED), deal(8, calls=LONE, tricks=[7, 2, 1])]).deals.collect()
    assert games.select(pref.notation()).to_series().to_list() == ["6/=", "8/-1"]


# All of them


COLLECTION = Path(__file__).parents[2] / "shared" / "vectors.json"


@pytest.mark.skipif(not COLLECTION.exists(), reason="the collection of vectors is no part of the project")
def test_every_vector_is_here() -> None:
    """Look every vector's name up, where the collection lies beside the checkout."""
    here = Path(__file__)
    text = here.read_text(encoding="utf-8") + here.with_name("test_balkan_vectors.py").read_text(encoding="utf-8")
    names = [vector["id"] for vector in json.loads(COLLECTION.read_text(encoding="utf-8"))]
    assert names
    assert [name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)] == []
