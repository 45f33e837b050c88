"""Outcome codes and keys: one legal deal, one code; the expressions say the same in every engine."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.errors import TableError
from prefdata.russian.codes import INVALID_CODE, decode, decode_codes, encode
from prefdata.russian.packing import LAYOUT
from prefdata.russian.tables import Deals
from prefdata.tables import is_legal_deal
from prefdata.vocabulary import SEATS, entry_columns, pairs
from tests import strategies
from tests.legality import VOCABULARIES, defenders, is_legal, seats_playing
from tests.records import frame_of

Record = dict[str, Any]
Run = Callable[[pl.DataFrame, list[pl.Expr] | pl.Expr], pl.DataFrame]

RADIX = {
    "players": 3,
    "dealer": 4,
    "place": 4,
    "contract": 7,
    "tricks": 122,
    "talon": 4,
    "calls": 17,
    "wrong_cards": 8,
    "multiplier": 16,
}
"""The digits of a code, from the least."""

ENGINES: dict[str, Run] = {
    "eager": lambda frame, expressions: frame.select(expressions),
    "in-memory": lambda frame, expressions: frame.lazy().select(expressions).collect(engine="in-memory"),
    "streaming": lambda frame, expressions: frame.lazy().select(expressions).collect(engine="streaming"),
}


def outcomes_of(deals: list[Record]) -> pl.DataFrame:
    return frame_of(deals, Deals).select(LAYOUT.columns)


def canonical(deal: Record) -> Record:
    """Say the same in the way in which a code gives it back."""
    tidy = {name: deal[name] for name in LAYOUT.columns}
    tidy["wrong_cards"] = "".join(sorted(deal["wrong_cards"]))
    if deal["contract"] == "raspasy" and deal["players"] == 4 and deal[f"tricks_{deal['dealer']}"] is None:
        tidy[f"tricks_{deal['dealer']}"] = 0
    if deal["contract"] == "misere":
        tidy |= {f"tricks_{seat}": None for seat in SEATS if seat != deal["declarer"]}
    return tidy


def code_of(frame: pl.DataFrame) -> pl.Series:
    return frame.select(outcome=encode()).to_series()


def check_bijection(frame: pl.DataFrame, expected: pl.DataFrame) -> None:
    """Check that legal deals have codes, come back from them, and share them only with equal deals."""
    codes = code_of(frame)
    assert codes.dtype == pl.UInt32
    assert codes.null_count() == 0
    assert not (codes == INVALID_CODE).any()
    assert_frame_equal(codes.to_frame().select(decode("outcome")), expected)
    assert_frame_equal(decode_codes(codes), expected)
    assert codes.n_unique() == expected.n_unique()
    assert_frame_equal(code_of(expected).to_frame(), codes.to_frame())


# --------------------------------------------------------------------------- a bijection


def test_thousands_of_random_deals_have_codes_of_their_own() -> None:
    rng = random.Random("codes")
    deals = [deal for _ in range(400) for deal in strategies.random_pulka(rng)["deals"]]
    assert len(deals) > 4000
    check_bijection(outcomes_of(deals), outcomes_of([canonical(deal) for deal in deals]))


def all_deals() -> Iterator[Record]:
    """Go through the legal deals of every table, dealer, declarer, call, split of tricks and wrong cards.

    The talon's worth and the multiplier, which nothing else depends on, go round from deal to deal.
    """
    multipliers = itertools.cycle(range(1, 17))
    worths = itertools.cycle((0, 1, 2, 3, 3))
    for players in (2, 3, 4):
        for dealer in SEATS[:players]:
            empty = strategies.empty_deal(players, dealer, "raspasy")
            playing = seats_playing(empty)
            if players > 2:
                for talon in (0, 1, 2) if players == 4 else (None,):
                    for split in splits(10 - (talon or 0), 3):
                        taken = {f"tricks_{seat}": count for seat, count in zip(playing, split, strict=True)}
                        talons = {f"tricks_{dealer}": talon} if players == 4 else {}
                        yield empty | taken | talons | {"multiplier": next(multipliers)}
            for contract, declarer in itertools.product((*strategies.CONTRACTS, "misere"), playing):
                start = empty | {"contract": contract, "declarer": declarer}
                for deal in deals_of_contract(start):
                    worth = 0 if contract == "misere" else next(worths)
                    yield deal | {"talon": worth, "multiplier": next(multipliers)}


def splits(tricks: int, seats: int) -> Iterator[tuple[int, ...]]:
    if seats == 1:
        yield (tricks,)
        return
    for first in range(tricks + 1):
        yield from ((first, *rest) for rest in splits(tricks - first, seats - 1))


def deals_of_contract(start: Record) -> Iterator[Record]:
    defence = defenders(start)
    seats = [start["declarer"], *defence]
    played = [
        {f"tricks_{seat}": count for seat, count in zip(seats, split, strict=True)} for split in splits(10, len(seats))
    ]
    if start["contract"] == "misere":
        yield from (start | taken for taken in played)
        yield from (start | {f"tricks_{start['declarer']}": count} for count in range(11))
        return
    yield start | {"conceded": True}
    for said in itertools.product(("pass", "whist", "half"), repeat=len(defence)):
        if "half" in said and said != ("pass", "half"):
            continue
        deal = start | {f"call_{seat}": call for seat, call in zip(defence, said, strict=True)}
        whisters = [seat for seat, call in zip(defence, said, strict=True) if call == "whist"]
        if not whisters:
            yield deal
        if said == ("pass", "pass") and start["players"] == 4:
            whists = deal | {f"call_{start['dealer']}": "whist"}
            yield from (
                whists | taken | {"wrong_cards": wrong} for taken in played for wrong in ("", start["declarer"])
            )
        if not whisters and (start["contract"] != "10" or "half" in said):
            continue
        for number, taken in enumerate(played):
            # every set of wrong cards with some splits, none with all of them
            for wrong in subsets([start["declarer"], *(whisters or defence)]) if number % 9 == 0 else [""]:
                yield deal | taken | {"wrong_cards": wrong}


def subsets(seats: list[str]) -> Iterator[str]:
    for size in range(len(seats) + 1):
        yield from ("".join(sorted(chosen)) for chosen in itertools.combinations(seats, size))


def test_all_deals_have_codes_of_their_own() -> None:
    deals = list(all_deals())
    assert len(deals) > 30_000
    frame = outcomes_of(deals)
    assert frame.n_unique() == frame.height
    check_bijection(frame, outcomes_of([canonical(deal) for deal in deals]))


@settings(max_examples=settings().max_examples // 4)
@given(drawn=st.lists(st.one_of(*map(strategies.deals, (2, 3, 4))), min_size=1, max_size=5))
def test_a_code_gives_its_deal_back(drawn: list[Record]) -> None:
    codes = code_of(outcomes_of(drawn))
    assert (codes < INVALID_CODE).all()
    assert decode_codes(codes).to_dicts() == [canonical(deal) for deal in drawn]


def test_two_orders_of_wrong_cards_are_one_outcome() -> None:
    deal = strategies.empty_deal(3, "a", "6") | {"declarer": "c", "call_a": "whist", "call_b": "pass"}
    deal |= {"tricks_a": 4, "tricks_b": 0, "tricks_c": 6}
    codes = code_of(outcomes_of([deal | {"wrong_cards": "ac"}, deal | {"wrong_cards": "ca"}]))
    assert codes.n_unique() == 1


# --------------------------------------------------------------------------- any number as a code


def check_codes(codes: pl.Series) -> None:
    """Check that a code is either that of the legal deal which it gives, or gives no legal deal."""
    for decoded in (codes.to_frame().select(decode(codes.name)), decode_codes(codes)):
        again = code_of(decoded)
        legal = decoded.select(is_legal_deal(Deals).fill_null(False)).to_series()
        assert ((again == INVALID_CODE) | (again == codes)).all(), "a code gives the deal of another code"
        assert ((again == INVALID_CODE) | legal).all()


def test_random_numbers_are_codes_or_invalid() -> None:
    numbers = np.random.default_rng(1).integers(0, 2**32, 50_000)
    check_codes(pl.Series("outcome", numbers, dtype=pl.UInt32))


def test_the_least_and_the_largest_numbers_are_codes_or_invalid() -> None:
    total = int(np.prod(list(RADIX.values())))
    numbers = [*range(2000), *range(total - 1000, total + 1000), *range(INVALID_CODE - 1000, INVALID_CODE + 1)]
    check_codes(pl.Series("outcome", numbers, dtype=pl.UInt32))


@pytest.mark.parametrize("changed", [*RADIX, "beyond"])
def test_a_code_with_one_other_digit_is_a_code_or_invalid(changed: str) -> None:
    rng = random.Random(changed)
    deals = [strategies.random_deal(rng, players) for players in (2, 3, 4) for _ in range(500)]
    codes = code_of(outcomes_of(deals)).unique().cast(pl.Int64).to_numpy()
    weight = 1
    for digit, radix in RADIX.items():
        if digit == changed:
            steps = np.random.default_rng(2).integers(1, radix, len(codes))
            digits = codes // weight % radix
            codes = codes + ((digits + steps) % radix - digits) * weight
        weight *= radix
    if changed == "beyond":
        codes = codes + weight * np.random.default_rng(3).integers(1, 11, len(codes))
    check_codes(pl.Series("outcome", codes, dtype=pl.UInt32))


def test_the_invalid_code_gives_nulls() -> None:
    codes = pl.Series("outcome", [INVALID_CODE], dtype=pl.UInt32)
    for decoded in (codes.to_frame().select(decode("outcome")), decode_codes(codes)):
        assert decoded.columns == list(LAYOUT.columns)
        assert decoded.row(0) == (None,) * len(LAYOUT.columns)


def test_no_code_gives_nulls() -> None:
    codes = pl.Series("outcome", [None], dtype=pl.UInt32)
    assert codes.to_frame().select(decode("outcome")).row(0) == (None,) * len(LAYOUT.columns)


def test_no_deals_have_no_codes() -> None:
    nothing = Deals.create_empty()
    assert code_of(nothing).len() == 0
    assert decode_codes(pl.Series("outcome", [], dtype=pl.UInt32)).schema == nothing.select(LAYOUT.columns).schema


# --------------------------------------------------------------------------- rows that break a rule


def random_cell(rng: random.Random, column: str) -> Any:
    """Draw a value that the column's type can hold."""
    if rng.random() < 0.2:
        return None
    if column in VOCABULARIES:
        return rng.choice(list(VOCABULARIES[column].categories))
    if column == "conceded":
        return rng.random() < 0.5
    if column == "wrong_cards":
        return rng.choice(("", "a", "b", "ab", "ba", "cda", "abcd", "aa", "x", "A", "a b", "é", "d"))
    return rng.choice((*range(20), 30, 31, 32, 33, 40, 63, 64, 100, 128, 200, 254, 255))


def mutated_deals(seed: str, count: int) -> list[Record]:
    rng = random.Random(seed)
    deals = []
    for _ in range(count):
        deal = strategies.random_deal(rng, rng.choice((2, 3, 4)))
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            column = rng.choice(LAYOUT.columns)
            deal[column] = random_cell(rng, column)
        deals.append(deal)
    return deals


def without_nulls(deal: Record) -> Record:
    """Leave the empty optional columns to the border, which fills them: an expression is not to be asked for them."""
    defaults = {"conceded": False, "talon": 0, "multiplier": 1, "wrong_cards": ""}
    return deal | {name: default for name, default in defaults.items() if deal[name] is None}


def test_a_deal_is_invalid_where_the_design_says_so() -> None:
    deals = [without_nulls(deal) for deal in mutated_deals("illegal", 6000)]
    legal = [is_legal(deal) for deal in deals]
    assert 300 < sum(legal) < 3000
    frame = outcomes_of(deals)
    assert frame.select(is_legal_deal(Deals)).to_series().to_list() == legal
    assert (code_of(frame) != INVALID_CODE).to_list() == legal


def test_random_deals_are_legal() -> None:
    rng = random.Random("legal")
    deals = [strategies.random_deal(rng, players) for players in (2, 3, 4) for _ in range(1000)]
    assert all(map(is_legal, deals))


def test_empty_optional_columns_are_invalid_where_nobody_filled_them() -> None:
    deal = strategies.empty_deal(3, "a", "6") | {"declarer": "c", "call_a": "pass", "call_b": "pass"}
    assert code_of(outcomes_of([deal]))[0] != INVALID_CODE
    for column in ("conceded", "talon", "multiplier", "wrong_cards"):
        assert code_of(outcomes_of([deal | {column: None}]))[0] == INVALID_CODE, column


# --------------------------------------------------------------------------- keys


def test_keys_give_legal_deals_back() -> None:
    rng = random.Random("keys")
    frame = outcomes_of([strategies.random_deal(rng, players) for players in (2, 3, 4) for _ in range(1500)])
    keys = frame.select(key=LAYOUT.pack()).to_series()
    assert keys.dtype == pl.UInt64
    assert_frame_equal(LAYOUT.unpack(keys), frame)
    assert keys.n_unique() == frame.n_unique()


def test_a_key_keeps_illegal_deals_illegal() -> None:
    frame = outcomes_of([without_nulls(deal) for deal in mutated_deals("keys", 6000)])
    unpacked = LAYOUT.unpack(frame.select(key=LAYOUT.pack()).to_series())
    assert_frame_equal(unpacked.select(is_legal_deal(Deals)), frame.select(is_legal_deal(Deals)))
    assert_frame_equal(unpacked.select(encode()), frame.select(encode()))


def rows_of(frame: pl.DataFrame) -> list[Record]:
    return frame.head(3).to_dicts()


NUMBERS = ["players", "talon", "multiplier", *(f"tricks_{seat}" for seat in SEATS)]


@pytest.mark.parametrize("column", NUMBERS)
def test_a_key_never_makes_a_number_legal(column: str) -> None:
    rng = random.Random(column)
    deals = [strategies.random_deal(rng, players) for players in (2, 3, 4) for _ in range(20)]
    rows = [deal | {column: value} for deal in deals for value in range(256)]
    frame = outcomes_of(rows)
    unpacked = LAYOUT.unpack(frame.select(key=LAYOUT.pack()).to_series())
    legal = frame.select(is_legal_deal(Deals)).to_series()
    still_legal = unpacked.select(is_legal_deal(Deals)).to_series()
    assert rows_of(frame.filter(legal != still_legal)) == []
    assert_frame_equal(unpacked.filter(legal), frame.filter(legal))


# --------------------------------------------------------------------------- engines


@pytest.fixture(scope="module")
def deals() -> pl.DataFrame:
    """Legal deals of many pulkas, in order."""
    rng = random.Random("engines")
    rows = [
        {"pulka": key, **deal}
        for key, pulka in enumerate((strategies.random_pulka(rng) for _ in range(60)), start=1)
        for deal in pulka["deals"]
    ]
    return frame_of(rows, Deals)


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_codes_and_keys_are_the_same_in_every_engine(deals: pl.DataFrame, engine: str) -> None:
    expressions = [encode().alias("code"), LAYOUT.pack().alias("key"), is_legal_deal(Deals).alias("legal")]
    assert_frame_equal(ENGINES[engine](deals, expressions), ENGINES["eager"](deals, expressions))
    codes = deals.select(outcome=encode())
    assert_frame_equal(ENGINES[engine](codes, decode("outcome")), ENGINES["eager"](codes, decode("outcome")))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["sochi", "leningrad", "rostov"])
def test_single_entries_are_those_of_the_frame(deals: pl.DataFrame, name: str, engine: str) -> None:
    expected = pref.entries(deals, name)
    steps = ENGINES[engine](deals, [pref.raspasy_step(name)])
    assert_frame_equal(steps, expected.select("raspasy_step"))
    expressions = [
        *(pref.bullet(seat, name) for seat in SEATS),
        *(pref.mountain(seat, name) for seat in SEATS),
        *(pref.whists(writer, on, name) for writer, on in pairs()),
    ]
    staged = deals.with_columns(pref.raspasy_step(name))
    assert_frame_equal(ENGINES[engine](staged, expressions), expected.select(entry_columns()))


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_lazy_entries_are_the_eager_ones(deals: pl.DataFrame, engine: Any) -> None:
    eager = pref.entries(deals, "rostov")
    lazy = pref.entries(deals.lazy(), "rostov")
    assert isinstance(eager, pl.DataFrame)
    assert isinstance(lazy, pl.LazyFrame)
    assert lazy.collect_schema() == eager.schema
    assert_frame_equal(lazy.collect(engine=engine), eager)


def test_raspasy_steps_count_within_a_pulka(deals: pl.DataFrame) -> None:
    steps = deals.select("pulka", "contract", pref.raspasy_step("sochi"))
    assert steps["raspasy_step"].dtype == pl.UInt32
    for pulka in steps.partition_by("pulka"):
        assert pulka["raspasy_step"].max() == longest_run(pulka)
        before = 0
        for contract, step in pulka.select("contract", "raspasy_step").iter_rows():
            assert (step > 0) == (contract == "raspasy")
            assert step in (0, 1, before + 1)
            before = max(before, step) if step != 1 else 1


def longest_run(pulka: pl.DataFrame) -> int:
    return int(pulka["raspasy_step"].max() or 0)  # type: ignore[arg-type]


# --------------------------------------------------------------------------- columns of `entries`


def test_entries_are_those_of_every_seat_at_the_table(deals: pl.DataFrame) -> None:
    found = pref.entries(deals, "sochi")
    assert found.columns == ["pulka", "deal", "raspasy_step", *entry_columns()]
    assert set(found.select(entry_columns()).dtypes) == {pl.Int32}
    assert_frame_equal(found.select("pulka", "deal"), deals.select("pulka", "deal"))
    beside = found.with_columns(deals["players"])
    for column in entry_columns():
        needed = max(SEATS.index(seat) for seat in column.rpartition("_")[2]) + 1
        absent = beside["players"] < needed
        assert beside[column].is_null().equals(absent.alias(column)), column


@pytest.mark.parametrize("lazy", [False, True])
def test_entries_fill_the_optional_columns(deals: pl.DataFrame, lazy: bool) -> None:
    plain = deals.filter(
        ~pl.col("conceded"), pl.col("talon") == 0, pl.col("multiplier") == 1, pl.col("wrong_cards") == ""
    )
    assert plain.height > 100
    lacking = plain.drop("conceded", "talon", "multiplier", "wrong_cards", "trump", "outcome")
    expected = pref.entries(plain, "leningrad")
    if lazy:
        assert_frame_equal(pref.entries(lacking.lazy(), "leningrad").collect(), expected)
    else:
        assert_frame_equal(pref.entries(lacking, "leningrad"), expected)


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("column", ["pulka", "deal", "players", "dealer", "contract", "declarer", "call_b", "tricks_b"])
def test_entries_name_a_missing_column(deals: pl.DataFrame, column: str, lazy: bool) -> None:
    lacking = deals.drop(column)
    with pytest.raises(TableError, match=f"lack {column}") as caught:
        pref.entries(lacking.lazy() if lazy else lacking, "sochi")
    assert "prefdata.russian.tables.Deals" in caught.value.hint


def test_entries_name_all_missing_columns(deals: pl.DataFrame) -> None:
    with pytest.raises(TableError, match=r"lack declarer, tricks_a"):
        pref.entries(deals.drop("tricks_a", "declarer"), "sochi")


def test_entries_of_no_deals_are_empty() -> None:
    assert pref.entries(Deals.create_empty(), "sochi").shape == (0, 3 + len(entry_columns()))
