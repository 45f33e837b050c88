"""The notation of tournament sheets."""

from __future__ import annotations

import random
from typing import Any

import polars as pl
import pytest

import prefdata as pref
from prefdata.russian.tables import Deals
from prefdata.russian.vocabulary import CONTRACT, PRICES
from tests import second_scorer, strategies
from tests.records import frame_of

Record = dict[str, Any]


def read(*texts: str | None) -> list[tuple[str, int] | None]:
    frame = pl.DataFrame({"game": texts}, schema={"game": pl.String}).select(pref.read_notation("game"))
    assert frame.schema["game"] == pl.Struct({"contract": CONTRACT, "difference": pl.Int8})
    return [None if game is None else (game["contract"], game["difference"]) for game in frame["game"]]


@pytest.mark.parametrize("minus", ["-", "‐", "‑", "‒", "–", "—", "−"])
def test_every_minus_sign(minus: str) -> None:
    assert read(f"8/{minus}1", f" 8 / {minus} 1 ", f"M/{minus}10") == [("8", -1), ("8", -1), ("misere", -10)]


@pytest.mark.parametrize("name", ["M", "m", "М", "м", "misere", "Misère", "mis", "mizer", "МИЗЕР", "Миз"])
def test_names_of_misere(name: str) -> None:
    assert read(f"{name}/=", f"{name}/-2") == [("misere", 0), ("misere", -2)]


def test_overtricks_and_ten() -> None:
    assert read("7/+1", "10/=", "10/-3", "6/+4") == [("7", 1), ("10", 0), ("10", -3), ("6", 4)]


@pytest.mark.parametrize(
    "text",
    [None, "", "–", "6", "/=", "6/", "6/1", "6/0", "6=", "5/=", "11/=", "66/=", "6/=;", "6//=", "raspasy", "misk/="],
)
def test_what_is_no_notation(text: str | None) -> None:
    assert read(text) == [None]


@pytest.mark.parametrize("text", ["6/+5", "10/+1", "M/+1", "M/-11", "6/-9", "10/-13"])
def test_results_which_no_deal_has(text: str) -> None:
    assert read(text) == [None]


def expected(deal: Record) -> tuple[str, int] | None:
    """Tell what a sheet should say of a deal, from the second scorer's facts."""
    contract, declarer = deal["contract"], deal["declarer"]
    if contract == "raspasy":
        return None
    if contract == "misere":
        return contract, -second_scorer.tricks(deal, declarer)
    if deal["conceded"]:
        return contract, -3
    if not second_scorer.was_played(deal):
        return contract, 0
    if declarer in deal["wrong_cards"]:
        return contract, -(second_scorer.undertricks(deal) + 2)
    return contract, second_scorer.tricks(deal, declarer) - int(contract)


@pytest.fixture(scope="module")
def deals() -> list[Record]:
    rng = random.Random(11)
    return [strategies.random_deal(rng, players) for players in (2, 3, 4) for _ in range(1000)]


def test_writing_and_reading(deals: list[Record]) -> None:
    frame = frame_of(deals, Deals)
    written = frame.select(pref.notation())
    games = written.select(pref.read_notation("notation")).to_series().to_list()
    assert [game and (game["contract"], game["difference"]) for game in games] == [expected(deal) for deal in deals]
    assert written.equals(frame.lazy().select(pref.notation()).collect(engine="streaming"))


def test_failed_contracts_write_the_difference(deals: list[Record]) -> None:
    """A failure's mountain is the price for every trick that the sheet tells as missing (Code 4.2.1)."""
    sochi = pref.convention("sochi")
    frame = frame_of(deals, Deals).with_columns(pulka=pl.int_range(pl.len()), deal=pl.lit(1, dtype=pl.UInt16))
    written = frame.select("pulka", "declarer", "multiplier", pref.notation())
    games = pref.entries(frame, sochi).join(written, on="pulka")
    failed = games.with_columns(pref.read_notation("notation").struct.unnest()).filter(pl.col("difference") < 0)
    price = pl.col("contract").replace_strict(PRICES, return_dtype=pl.Int64) * pl.col("multiplier")
    mountain = pl.coalesce(
        pl.when(pl.col("declarer") == seat).then(pl.col(f"mountain_{seat}")) for seat in strategies.SEATS
    )
    assert failed.height > 500
    assert failed.select((mountain == -pl.col("difference") * price).all()).item()


def test_deals_without_optional_columns(deals: list[Record]) -> None:
    """What `notation` needs, an archive's deals have."""
    plain = [deal for deal in deals if not deal["conceded"] and not deal["wrong_cards"]][:50]
    numbered = [{**deal, "pulka": key, "deal": 1} for key, deal in enumerate(plain, start=1)]
    frame = frame_of(numbered, Deals)
    pulkas = frame.select("pulka", "players", bullet_limit=10, convention=pl.lit("sochi"))
    lean = pref.archive(pulkas, frame.drop("conceded", "wrong_cards", "trump", "outcome", strict=False)).deals
    assert lean.select(pref.notation()).collect().equals(frame.select(pref.notation()))


def test_missing_tricks_are_not_made_up() -> None:
    row = {"pulka": 1, "deal": 1, "players": 3, "dealer": "c", "contract": "8", "declarer": "a", "conceded": False}
    called = {"call_b": "whist", "call_c": "pass", "wrong_cards": "", "multiplier": 1, "talon": 0}
    frame = frame_of([{**row, **called}, {**row, **called, "wrong_cards": "a"}], Deals)
    assert frame.select(pref.notation()).to_series().to_list() == [None, None]
