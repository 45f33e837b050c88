"""Every legal deal has a key of its own, and the rules agree with a judge in plain Python."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.balkan.packing import LAYOUT
from prefdata.balkan.tables import Deals
from prefdata.balkan.vocabulary import (
    CALL,
    CONTRACT,
    RANKS,
    SEAT,
    SEATS,
)
from prefdata.tables import is_legal_deal
from tests import balkan_strategies
from tests.balkan_archives.builders import (
    Record,
)


def is_legal(row: Record) -> bool:
    """Tell whether a deal keeps its table, pulka and number left aside; in plain words, apart from the expressions."""
    if row["players"] != 3 or row["dealer"] not in SEATS or row["contra"] not in range(6) or row["hand"] is None:
        return False
    if row["contract"] == "all_pass":
        return row == balkan_strategies.empty_deal(row["dealer"], "all_pass")
    if row["contract"] not in RANKS or row["declarer"] not in SEATS:
        return False
    defence = balkan_strategies.seats_after(row["declarer"])
    calls = {seat: row[f"call_{seat}"] for seat in SEATS}
    tricks = {seat: row[f"tricks_{seat}"] for seat in SEATS}
    if any(number not in (None, *range(11)) for number in tricks.values()):
        return False
    sayers = [seat for seat in defence if calls[seat] != "pass"]
    if row["contra_by"] not in (sayers if row["contra"] else [None]):
        return False
    if row["contract"] == "bettel":
        recorded = [number for number in tricks.values() if number is not None]
        complete = len(recorded) == 1 or sum(recorded) == 10
        return not any(calls.values()) and tricks[row["declarer"]] is not None and complete
    return calls[row["declarer"]] is None and _is_legal_game([calls[seat] for seat in defence], defence, tricks)


def _is_legal_game(calls: list[str | None], defence: list[str], tricks: Record) -> bool:
    """Judge the calls of the defence, and the tricks, of a game other than bettel."""
    if calls == ["pass", "pass"]:
        return all(number is None for number in tricks.values())
    free = all(call in ("pass", "come") for call in calls)
    if not free and sorted(map(str, calls)) != ["invite", "invited"]:
        return False
    for seat, call in zip(defence, calls, strict=True):
        if (call == "pass" and tricks[seat]) or (call != "pass" and tricks[seat] is None):
            return False
    declarer = next(seat for seat in SEATS if seat not in defence)
    return tricks[declarer] is not None and sum(number or 0 for number in tricks.values()) == 10


def every_deal(dealer: str) -> Iterator[Record]:
    """Make every legal deal of a dealer."""
    yield balkan_strategies.empty_deal(dealer, "all_pass")
    for declarer, hand in product(SEATS, (False, True)):
        first, second = balkan_strategies.seats_after(declarer)
        base = balkan_strategies.empty_deal(dealer, "") | {"declarer": declarer, "hand": hand}
        names = [f"tricks_{seat}" for seat in (declarer, first, second)]
        shares = [(10 - x - y, x, y) for x in range(11) for y in range(11 - x)]
        half = [(10 - x, x, None) for x in range(11)]
        bettel: list[Any] = [*shares, *half, *((x, z, y) for x, y, z in half), *((x, None, None) for x in range(11))]
        for taken, contra in product(bettel, contras(first, second)):
            yield base | {"contract": "bettel"} | dict(zip(names, taken, strict=True)) | contra
        alone: list[Any] = [(10 - x, x, passed) for x in range(11) for passed in (None, 0)]
        games: list[tuple[tuple[str, str], list[Any], list[str]]] = [
            (("come", "come"), shares, [first, second]),
            (("invite", "invited"), shares, [first, second]),
            (("invited", "invite"), shares, [first, second]),
            (("come", "pass"), alone, [first]),
            (("pass", "come"), [(x, z, y) for x, y, z in alone], [second]),
            (("pass", "pass"), [(None, None, None)], []),
        ]
        for calls, tricks, sayers in games:
            said = base | {f"call_{first}": calls[0], f"call_{second}": calls[1]}
            for taken, contra in product(tricks, contras(*sayers)):
                played = said | dict(zip(names, taken, strict=True)) | contra
                yield from (played | {"contract": name} for name in RANKS if name != "bettel")


def contras(*sayers: str) -> list[Record]:
    said = [{"contra": number, "contra_by": seat} for number in range(1, 6) for seat in sayers]
    return [{"contra": 0, "contra_by": None}, *said]


@pytest.fixture(scope="module")
def legal() -> list[Record]:
    """Every legal deal that a deals."""
    return list(every_deal("a"))


KEYED = {name: column.dtype for name, column in Deals.columns().items() if name not in ("pulka", "deal")}


def keyed_frame(rows: list[Record]) -> pl.DataFrame:
    return pl.DataFrame({name: pl.Series([row[name] for row in rows], dtype=kind) for name, kind in KEYED.items()})


def test_the_key_of_every_legal_deal_is_its_own(legal: list[Record]) -> None:
    assert set(LAYOUT.columns) == set(KEYED)
    assert all(map(is_legal, legal))
    of_a = keyed_frame(legal)
    every = pl.concat([of_a.with_columns(dealer=pl.lit(seat, dtype=SEAT)) for seat in SEATS])
    assert every.select(is_legal_deal(Deals).all()).item()
    keys = every.select(key=LAYOUT.pack())["key"]
    assert keys.n_unique() == every.height == 239_475
    assert_frame_equal(LAYOUT.unpack(keys), every, check_column_order=False)


CELLS: dict[str, list[Any]] = {
    "players": [3, 2, 4, 7, 8, 11, 255, None],
    "dealer": [*SEATS, None],
    "contract": [*CONTRACT.categories, None],
    "declarer": [*SEATS, None],
    "hand": [False, True, None],
    **{f"call_{seat}": [*CALL.categories, None] for seat in SEATS},
    "contra": [*range(7), 15, 16, 17, 32, 255, None],
    "contra_by": [*SEATS, None],
    **{f"tricks_{seat}": [*range(12), 14, 15, 16, 20, 128, 255, None] for seat in SEATS},
}
"""What the columns' types can hold, or enough of it."""


def nearly_legal(rng: random.Random, legal: list[Record], count: int) -> list[Record]:
    """Change a few cells of legal deals, to what stands in another one or to anything."""
    rows = []
    for _ in range(count):
        row, other = dict(rng.choice(legal)), rng.choice(legal)
        for name in rng.sample(list(CELLS), rng.choice((1, 1, 1, 2, 2, 3))):
            row[name] = other[name] if rng.random() < 0.5 else rng.choice(CELLS[name])
        rows.append(row)
    return rows


def test_the_judge_and_the_rules_agree_on_nearly_legal_deals(legal: list[Record]) -> None:
    rng = random.Random("nearly legal")
    passed = [balkan_strategies.empty_deal(seat, "all_pass") for seat in SEATS] * (len(legal) // 30)
    rows = nearly_legal(rng, legal + passed, 20_000)
    frame = keyed_frame(rows)
    judged = pl.Series(map(is_legal, rows))
    assert 4_000 < judged.sum() < 12_000
    assert_frame_equal(frame.select(ok=is_legal_deal(Deals)), judged.to_frame("ok"))

    unpacked = LAYOUT.unpack(frame.select(key=LAYOUT.pack())["key"]).select(frame.columns)
    assert_frame_equal(unpacked.select(ok=is_legal_deal(Deals)), judged.to_frame("ok"))
    assert_frame_equal(unpacked.filter(judged), frame.filter(judged))

    judged = pl.Series(is_legal(row | {"hand": bool(row["hand"])}) for row in rows)  # an archive fills what is empty
    keys = pl.Series(range(1, len(rows) + 1))
    one = pl.lit(1, dtype=pl.UInt16)
    limits = {"bullet_limit": pl.lit(50, dtype=pl.UInt16), "convention": pl.lit("balkan")}
    pulkas = pl.DataFrame({"pulka": keys}).with_columns(players=pl.lit(3, dtype=pl.UInt8), **limits)
    archive = pref.archive(pulkas, frame.select(pulka=keys, deal=one).hstack(frame))
    assert_frame_equal(archive.check().failures.pulkas.to_frame(), keys.filter(~judged).to_frame("pulka"))
    with pytest.warns(pref.SetAsideWarning, match=f"set aside: {(~judged).sum()} pulkas with {(~judged).sum()} deals"):
        sheets = pref.sheets(archive, "balkan")
    assert_frame_equal(sheets.select("pulka"), keys.filter(judged).to_frame("pulka"))
