"""The longest pulka, the smallest and largest limit, the keys at both ends."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import prefdata as pref
from prefdata.archives import Archive
from prefdata.examples import one_pulka, three_deals
from prefdata.russian.vocabulary import CALL
from prefdata.vocabulary import SEAT
from tests.archives.builders import (
    sheets_of,
)


def passed_out(deals: int, limit: int, kind: type[pl.DataType] = pl.Int64) -> Archive:
    """Make a pulka of sixes that nobody whists, each declarer in turn."""
    number = np.arange(deals)
    seats = np.array(list("abc"))
    turn = pl.Series(seats[number % 3])
    frame = pl.DataFrame(
        {"pulka": np.ones(deals, np.int64), "deal": pl.Series(number + 1, dtype=kind), "players": 3}
    ).with_columns(
        dealer=pl.Series(seats[(number + 2) % 3]).cast(SEAT),
        contract=pl.lit("6"),
        declarer=turn.cast(SEAT),
        **{f"call_{seat}": pl.when(turn != seat).then(pl.lit("pass", dtype=CALL)) for seat in "abc"},
        call_d=pl.lit(None, dtype=CALL),
        **{f"tricks_{seat}": pl.lit(None, dtype=pl.UInt8) for seat in "abcd"},
    )
    pulkas = one_pulka().with_columns(bullet_limit=pl.lit(limit, dtype=pl.UInt16))
    archive: Archive = pref.archive(pulkas, frame)
    return archive


def test_a_pulka_of_the_largest_length_and_limit() -> None:
    archive = passed_out(65_535, 65_535)
    row = sheets_of(archive).row(0, named=True)
    assert [row[f"bullet_{seat}"] for seat in "abc"] == [43_690] * 3
    assert (row["bullet_limit"], row["closed"], row["deals_scored"], row["deals_after_end"]) == (
        65_535,
        False,
        65_535,
        0,
    )
    ledger = pref.ledger(archive, "sochi")
    assert ledger["deal"].to_list() == list(range(1, 65_536))
    assert ledger["bullet_b"].sum() == 43_690
    assert len(archive.check().failures) == 0


def test_a_pulka_that_is_too_long_is_set_aside() -> None:
    archive = passed_out(65_536, 10)
    failures = archive.check().failures
    assert failures.frame.select("rule", "pulka", "deal", "value").rows() == [("deal|dtype", 1, None, "deal=65536")]
    assert failures.deals == 65_536
    with pytest.warns(pref.SetAsideWarning, match="1 pulka with 65536 deals"):
        assert sheets_of(archive).is_empty()


def test_the_smallest_limit_ends_a_pulka_at_once() -> None:
    """A six gives two points: one closes the own bullet, one helps; two sixes and the last bullet is closed."""
    row = sheets_of(passed_out(5, 1)).row(0, named=True)
    assert [row[f"bullet_{seat}"] for seat in "abc"] == [1, 1, 1]
    assert (row["closed"], row["deals_scored"], row["deals_after_end"]) == (True, 2, 3)


@pytest.mark.parametrize("key", [-(2**63), -1, 0, 2**63 - 1])
def test_any_whole_number_is_a_key(key: int) -> None:
    pulkas = one_pulka().with_columns(pulka=pl.lit(key, dtype=pl.Int64))
    archive = pref.archive(pulkas, three_deals().with_columns(pulka=pl.lit(key, dtype=pl.Int64)))
    assert sheets_of(archive)["pulka"].to_list() == [key]
