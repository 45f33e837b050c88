"""The notation of tournament sheets."""

from __future__ import annotations

import random
from typing import Any

import polars as pl
import pytest

import prefdata as pref
from prefdata.russian.tables import Deals
from prefdata.russian.vocabulary import CONTRACT, PRICES, TRUMP
from tests import second_scorer, strategies
from tests.records import frame_of

Record = dict[str, Any]
KIND = pl.Struct(
    {"contract": CONTRACT, "trump": TRUMP, "difference": pl.Int8(), "tricks": pl.List(pl.UInt8), "unread": pl.String()}
)


def cells(*texts: str | None) -> list[Record | None]:
    """Read texts, with all that is told of them."""
    frame = pl.DataFrame({"game": texts}, schema={"game": pl.String})
    read = frame.select(pref.read_notation("game"))
    assert read.schema["game"] == KIND
    assert frame.lazy().select(pref.read_notation("game")).collect(engine="streaming").equals(read)
    return read["game"].to_list()


def read(*texts: str | None) -> list[tuple[str, int] | None]:
    """Read the games and results of texts; None where there is none."""
    games = cells(*texts)
    for text, game in zip(texts, games, strict=True):
        if game is not None and game["unread"] is not None:
            assert game == dict.fromkeys(game) | {"unread": text}
    return [
        None if game is None or game["unread"] is not None else (game["contract"], game["difference"]) for game in games
    ]


def understood(*texts: str) -> list[Record]:
    """Read texts that are all understood."""
    games = [game for game in cells(*texts) if game is not None and game["unread"] is None]
    assert len(games) == len(texts)
    return games


def raspasy(*texts: str) -> list[list[int] | None]:
    """Read the tricks of raspasy."""
    games = understood(*texts)
    assert {(game["contract"], game["trump"], game["difference"]) for game in games} == {("raspasy", None, None)}
    return [game["tricks"] for game in games]


@pytest.mark.parametrize("minus", ["-", "‐", "‑", "‒", "–", "—", "―", "−", "－", "﹣"])
def test_every_minus_sign(minus: str) -> None:
    assert read(f"8/{minus}1", f" 8 / {minus} 1 ", f"M/{minus}10") == [("8", -1), ("8", -1), ("misere", -10)]


@pytest.mark.parametrize("name", ["M", "m", "М", "м", "misere", "Misère", "mis", "mizer", "МИЗЕР", "Миз"])
def test_names_of_misere(name: str) -> None:
    assert read(f"{name}/=", f"{name}/-2") == [("misere", 0), ("misere", -2)]


def test_overtricks_and_ten() -> None:
    assert read("7/+1", "10/=", "10/-3", "6/+4") == [("7", 1), ("10", 0), ("10", -3), ("6", 4)]


def test_tricks_of_misere() -> None:
    """Whatever its sign, the number behind a misère is the tricks taken."""
    for taken in range(11):
        texts = [f"M/-{taken}", f"M/+{taken}", f"мизер/{taken}", f"М {taken}", f"m-{taken}", f"misère / {taken}"]
        assert read(*texts) == [("misere", -taken)] * len(texts)


@pytest.mark.parametrize(
    ("trump", "texts"),
    {
        "spades": ["♠", "♤", "S", "п", "пики", "Spades", "♠\ufe0f"],
        "clubs": ["♣", "♧", "C", "С", "т", "T", "трефы", "clubs"],
        "diamonds": ["♦", "♢", "D", "б", "бубны", "Бубен"],
        "hearts": ["♥", "♡", "H", "Н", "ч", "черви", "червы"],
        "notrump": ["NT", "БК", "бк", "БK", "без козыря", "без\u00a0козыря", "Бескозырка", "без кoзыpя", "notrump"],
    }.items(),
)
def test_trumps(trump: str, texts: list[str]) -> None:
    read_as = [form.format(text) for text in texts for form in ("7{}/=", "7 {} / =", "7{}=")]
    assert read(*read_as) == [("7", 0)] * len(read_as)
    assert {game["trump"] for game in understood(*read_as)} == {trump}
    assert understood("7/=")[0]["trump"] is None


def test_the_stroke_may_be_missing_where_nothing_else_can_be_meant() -> None:
    assert read("6=", "7 +1", "8-1", "10−3", "7♠-2") == [("6", 0), ("7", 1), ("8", -1), ("10", -3), ("7", -2)]
    assert read("6-4", "8-7", "7♠-4", "6-8") == [None] * 4
    assert read("6/-4", "8/-7", "6/ -8") == [("6", -4), ("8", -7), ("6", -8)]


@pytest.mark.parametrize("name", ["распасы", "Распасы", "РАСПАСЫ", "распас", "Р", "р", "P", "raspasy", "pаспаcы"])
@pytest.mark.parametrize("between", ["-", " ", "–", " — ", ", ", "/", "\u2009"])
def test_tricks_of_raspasy(name: str, between: str) -> None:
    seats = [["3", "4", "3"], ["10", "0", "0"], ["1", "2", "3", "4"]]
    assert raspasy(*(f"{name} {between.join(tricks)}" for tricks in seats)) == [[3, 4, 3], [10, 0, 0], [1, 2, 3, 4]]
    assert raspasy(name) == [None]


@pytest.mark.parametrize("text", ["распасы 3-4-4", "Р 3-4", "Р 1-2-3-2-2", "распасы 11-0-0", "Р 343", "распасы/="])
def test_what_is_no_raspasy(text: str) -> None:
    assert read(text) == [None]


@pytest.mark.parametrize("text", ["６／＝", "6\u00a0/\u2009=", "\ufeff6/=", "6\u200b/=", "6⁄=", "6\t/\n="])
def test_wide_and_unseen_signs(text: str) -> None:
    assert read(text, text.replace("=", "－２").replace("＝", "－２")) == [("6", 0), ("6", -2)]


@pytest.mark.parametrize("text", ["mиз/=", "мизеp/-0", "MIZER/0", "mise\u0300re/="])
def test_letters_of_either_script(text: str) -> None:
    assert read(text) == [("misere", 0)]


@pytest.mark.parametrize("text", [None, "", "  ", "\u00a0", "-", "–", " — ", "--"])
def test_cells_without_a_game(text: str | None) -> None:
    assert cells(text) == [None]


@pytest.mark.parametrize(
    "text",
    [
        *["6", "/=", "6/", "6/1", "6/0", "6/8", "5/=", "11/=", "66/=", "6/=;", "6//=", "misk/=", "M", "M/", "M♠/="],
        *["♠7/=", "7x/=", "7♠♠/=", "3-4-3", "пас", "=", "+1", "8/+-1", "6 7/=", "7 без/козыря=", "x" * 1000, "6/½"],
    ],
)
def test_what_is_no_notation_is_told(text: str) -> None:
    assert [game and game["unread"] for game in cells(text, "6/=")] == [text, None]
    assert read(text) == [None]


@pytest.mark.parametrize("text", ["6/+5", "10/+1", "M/11", "M/-11", "6/-9", "10/-13"])
def test_results_which_no_deal_has(text: str) -> None:
    assert read(text) == [None]
    assert [game and game["unread"] for game in cells(text)] == [text]


def test_a_column_without_texts() -> None:
    read = pl.DataFrame({"game": [6, None]}).select(pref.read_notation("game").struct.field("unread"))
    assert read["unread"].to_list() == ["6", None]
    empty = pl.DataFrame({"game": []}, schema={"game": pl.Null}).select(pref.read_notation("game"))
    assert empty.height == 0


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
