"""Deals and archives of the Balkan game, good ones and those that others write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import prefdata as pref
from prefdata.archives import Archive
from prefdata.balkan.tables import Adjustments, Deals
from prefdata.tables import Pulkas
from prefdata.vocabulary import pairs
from tests import balkan_strategies
from tests.legality import loose_frame

Record = dict[str, Any]
Tables = dict[str, list[Record]]
Capture = pytest.CaptureFixture[str]
Words = list[str | Path]
SCHEMAS = {"pulkas": Pulkas, "deals": Deals, "adjustments": Adjustments}
PAIRS = list(pairs(3))
DATA = Path(__file__).parents[2] / "data"
HOUSE = pref.Convention(name="house", game="balkan", refe_max=1)
"""A convention that knows the refes of every limit."""


def deal(
    dealer: str, contract: str, declarer: str | None = None, calls: str = "", tricks: str = "", **more: Any
) -> Any:
    """Make a deal; `calls="a come b pass"`, `tricks="a 4 b 0"`."""
    row = balkan_strategies.empty_deal(dealer, contract) | {"declarer": declarer}
    said, taken = calls.split(), tricks.split()
    row |= {f"call_{seat}": word for seat, word in zip(said[::2], said[1::2], strict=True)}
    row |= {f"tricks_{seat}": int(number) for seat, number in zip(taken[::2], taken[1::2], strict=True)}
    return row | more


PLAYED = {
    10: (
        30,
        [
            deal("a", "diamonds", "c", "a invited b invite", "a 1 b 2 c 7"),
            deal("b", "bettel", "b", tricks="a 2 b 8", hand=True),
        ],
    ),
    20: (
        50,
        [
            deal("a", "spades", "b", "c come a come", "a 2 b 6 c 2"),
            deal("b", "clubs", "c", "a pass b pass"),
            deal("c", "all_pass"),
            deal("a", "bettel", "a", tricks="a 0"),
            deal("b", "sans", "a", "b invite c invited", "a 5 b 3 c 2", hand=True, contra=2, contra_by="b"),
            deal("c", "hearts", "b", "c come a pass", "b 6 c 4"),
            deal("a", "bettel", "c", tricks="a 4 b 3 c 3", contra=1, contra_by="a"),
        ],
    ),
    30: (30, [deal("c", "all_pass"), deal("a", "hearts", "a", "b pass c come", "a 4 b 0 c 6")]),
}
"""Pulkas with their limits and deals; none of them ends."""


def good_tables() -> Tables:
    adjustment = dict.fromkeys(("on_seat", "reason"))
    return {
        "pulkas": [
            {"pulka": key, "players": 3, "bullet_limit": limit, "convention": "balkan", "player_a": "Ana", "stake": 0.5}
            for key, (limit, _) in PLAYED.items()
        ],
        "deals": [
            {"pulka": key, "deal": number, **row}
            for key, (_, deals) in PLAYED.items()
            for number, row in enumerate(deals, start=1)
        ],
        "adjustments": [
            adjustment | {"pulka": 20, "deal": 0, "seat": "a", "entry": "contract", "points": 3, "reason": "carried"},
            adjustment | {"pulka": 20, "deal": 2, "seat": "b", "entry": "juha", "on_seat": "c", "points": 10},
            adjustment | {"pulka": 30, "deal": 1, "seat": "c", "entry": "contract", "points": -2},
        ],
    }


def archive_of_tables(tables: Tables) -> Archive:
    frames = {name: loose_frame(rows, SCHEMAS[name]) for name, rows in tables.items()}
    archive: Archive = pref.archive(frames["pulkas"], frames["deals"], frames["adjustments"])
    return archive


def sheets_of(archive: Archive, convention: str | pref.Convention = "balkan") -> pl.DataFrame:
    sheets: pl.DataFrame = pref.sheets(archive, convention)
    return sheets


def frames_of(archive: Archive) -> dict[str, pl.DataFrame]:
    return {name: getattr(archive, name).collect() for name in SCHEMAS}


def written_by_others(frames: dict[str, pl.DataFrame], folder: Path, name: str = "part-00000.parquet") -> Path:
    """Write tables as a folder without a manifest."""
    for table, frame in frames.items():
        (folder / table).mkdir(parents=True, exist_ok=True)
        frame.write_parquet(folder / table / name)
    return folder


def listing(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def read_parts(folder: Path) -> pl.DataFrame:
    return pl.concat([pl.read_parquet(file) for file in sorted(folder.glob("*.parquet"))])


ENUMS, WHOLE = pl.selectors.enum(), pl.selectors.integer()
FORMS: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "strings": lambda frame: frame.with_columns(ENUMS.cast(pl.String)),
    "categories": lambda frame: frame.with_columns(ENUMS.cast(pl.String).cast(pl.Categorical)),
    "wide integers": lambda frame: frame.with_columns(WHOLE.cast(pl.Int64)),
    "narrow integers": lambda frame: frame.with_columns(WHOLE.cast(pl.Int16)),
    "unsorted, with more columns": lambda frame: frame.sample(fraction=1, shuffle=True, seed=3).with_columns(
        *(pl.lit(7).alias(name) for name in ("row", "key", "previous", "outcome", "conceded", "call_d"))
    ),
}
