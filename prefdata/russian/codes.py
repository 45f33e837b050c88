"""Outcomes: all of a deal that scoring looks at, and its canonical 32-bit code.

The code is written in mixed radix over, from the least digit: players; dealer; declarer's place after the dealer;
contract; tricks of the declarer and the first defender (raspasy: of the first two seats after the dealer; misère: of
the declarer alone), or "not played"; the talon's tricks in raspasy, else its worth; the two calls, or that the sitting
dealer whists, or conceded; wrong cards; multiplier.  Seats are counted from the dealer, so a code says nothing that the
rules of the deals table do not leave open.  Every legal deal has exactly one code, and two deals have the same one only
if they are misères that differ in the tricks of the declarer's opponents, which nobody writes.
"""

from __future__ import annotations

from functools import cache
from math import prod

import polars as pl

from prefdata.doors import as_text
from prefdata.outcomes.staging import number
from prefdata.russian.facts import Facts, is_on_left_of_dealer
from prefdata.russian.tables import Deals
from prefdata.russian.vocabulary import CALL, CONTRACT
from prefdata.tables import is_legal_deal
from prefdata.vocabulary import LEVELS, SEAT, SEATS, TRICKS, call_column, tricks_column

__all__ = ["INVALID_CODE", "decode", "decode_codes", "encode", "renew"]

INVALID_CODE = (1 << 32) - 1
"""The one code of every deal that breaks a rule."""

_CONTRACTS = list(CONTRACT.categories)
_CALLS = list(CALL.categories)
_NOT_PLAYED = 121
_CONCEDED = 16
_NO_CALL = 3
_DEALER_WHISTS = 11
"""Digit of calls of no two defenders, the first never leaving for half: both passed, and the sitting dealer whists."""
_RADIX: dict[str, int] = {
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


@cache
def encode() -> pl.Expr:
    """Make the outcome code of a deal: UInt32, `INVALID_CODE` where a rule of the table is broken.

    Needs the outcome columns in the types of the deals table.

    Examples
    --------
    >>> from prefdata.examples import three_deals
    >>> coded = three_deals().select(encode().alias("outcome"))
    >>> coded.select(decode("outcome")).select("contract", "declarer", "tricks_a").row(0)
    ('6', 'a', 7)
    """
    digits = {
        "players": pl.col("players").cast(pl.Int64) - 2,
        "dealer": pl.col("dealer").cat.physical().cast(pl.Int64),
        "place": pl.when(pl.col("declarer").is_null()).then(0).otherwise(_declarer_place()),
        "contract": pl.col("contract").cat.physical().cast(pl.Int64),
        "tricks": _trick_digit(),
        "talon": pl.when(_is_raspasy()).then(_tricks_at(0).fill_null(0) * _four()).otherwise(pl.col("talon")),
        "calls": _call_digit(),
        "wrong_cards": _wrong_cards_digit(),
        "multiplier": pl.col("multiplier").cast(pl.Int64) - 1,
    }
    code = pl.sum_horizontal(digit.cast(pl.Int64) * _weight(name) for name, digit in digits.items())
    return pl.when(is_legal_deal(Deals)).then(code).otherwise(INVALID_CODE).cast(pl.UInt32)


def decode(code: str) -> pl.Expr:
    """Turn outcome codes back into the columns of the deals table that scoring looks at.

    Parameters
    ----------
    code
        Name of the column of codes.

    Returns
    -------
    pl.Expr
        One that expands to all those columns; they are null where the number is no deal's code.
    """
    code = as_text(code, "code", "the name of a column")
    fields = pl.Struct(dict(decode_codes(pl.Series([], dtype=pl.UInt32)).schema))
    struct = pl.col(code).map_batches(
        lambda codes: decode_codes(codes).to_struct(code), return_dtype=fields, is_elementwise=True
    )
    return struct.struct.unnest()


def renew(code: pl.Expr) -> pl.Expr:
    """Give codes that an earlier version wrote the form of today: those of misère told the other players' tricks."""
    digit = _digits(code.cast(pl.Int64))
    declarers, anothers = digit["tricks"] // (TRICKS + 1), digit["tricks"] % (TRICKS + 1)
    told = (digit["contract"] == _CONTRACTS.index("misere")) & (declarers + anothers <= TRICKS) & (code != INVALID_CODE)
    return (code.cast(pl.Int64) - number(told) * anothers * _weight("tricks")).cast(pl.UInt32)


def decode_codes(codes: pl.Series) -> pl.DataFrame:
    """Turn a series of outcome codes into the columns of the deals table, as `decode` does.

    A number that is no deal's code is known by this, that the deal which it seems to be has another code.
    """
    frame = codes.to_frame("code").with_columns(**_digits(pl.col("code").cast(pl.Int64)))
    digit = {name: pl.col(name) for name in _RADIX}
    frame = frame.with_columns(rank.alias(f"rank_{seat}") for seat, rank in zip(SEATS, _ranks(digit), strict=True))
    deals = frame.select("code", **_decoded(digit, [pl.col(f"rank_{seat}") for seat in SEATS]))
    is_code = (encode() == pl.col("code")) & (pl.col("code") != INVALID_CODE)
    deals = deals.with_columns(is_code=is_code)
    return deals.select(pl.when("is_code").then(name).alias(name) for name in deals.columns[1:-1])


def _weight(name: str) -> int:
    """Tell what a digit is multiplied by in a code."""
    names = list(_RADIX)
    return prod(_RADIX[lower] for lower in names[: names.index(name)])


def _digits(code: pl.Expr) -> dict[str, pl.Expr]:
    return {name: code // _weight(name) % radix for name, radix in _RADIX.items()}


def _ranks(digit: dict[str, pl.Expr]) -> list[pl.Expr]:
    """Rank the seats in calling order: 1 or 2 for the defenders, 0 for the declarer, 3 for nobody."""
    players, dealer = digit["players"] + 2, digit["dealer"]
    return [_rank(seat, players, dealer, digit["place"]) for seat in range(len(SEATS))]


def _rank(seat: int, players: pl.Expr, dealer: pl.Expr, place: pl.Expr) -> pl.Expr:
    apart = (seat - dealer - place + 2 * players) % players
    dealer_apart = (players - place) % players
    four = players == 4
    rank = apart - (four & (dealer_apart < apart)).cast(pl.Int64)
    return pl.when((players <= seat) | (four & (apart == dealer_apart))).then(3).otherwise(rank)


def _decoded(digit: dict[str, pl.Expr], ranks: list[pl.Expr]) -> dict[str, pl.Expr]:
    players = digit["players"] + 2
    declarer = (digit["dealer"] + digit["place"]) % players
    contract = digit["contract"]
    raspasy = contract == _CONTRACTS.index("raspasy")
    conceded = digit["calls"] == _CONCEDED
    has_calls = (contract < len(LEVELS)) & ~conceded
    calls = [_decoded_call(digit["calls"], rank, digit["dealer"] == seat) for seat, rank in enumerate(ranks)]
    tricks = [_decoded_tricks(seat, digit, players, rank) for seat, rank in enumerate(ranks)]
    return {
        "players": players.cast(pl.UInt8),
        "dealer": _enum(digit["dealer"], SEAT),
        "contract": _enum(contract, CONTRACT),
        "declarer": pl.when(~raspasy).then(_enum(declarer, SEAT)),
        **{
            call_column(seat): pl.when(has_calls & (call != _NO_CALL)).then(_enum(call, CALL))
            for seat, call in zip(SEATS, calls, strict=True)
        },
        **{tricks_column(seat): taken.cast(pl.UInt8, strict=False) for seat, taken in zip(SEATS, tricks, strict=True)},
        "conceded": conceded,
        "talon": pl.when(raspasy).then(0).otherwise(digit["talon"]).cast(pl.UInt8),
        "multiplier": (digit["multiplier"] + 1).cast(pl.UInt8),
        "wrong_cards": _decoded_wrong_cards(digit["wrong_cards"], ranks),
    }


def _decoded_call(calls: pl.Expr, rank: pl.Expr, is_dealer: pl.Expr) -> pl.Expr:
    passed, whist = (pl.lit(_CALLS.index(call)) for call in ("pass", "whist"))
    from_talon = pl.when(is_dealer).then(whist).otherwise(_by_rank(rank, None, passed, passed))
    return pl.when(calls == _DEALER_WHISTS).then(from_talon).otherwise(_by_rank(rank, None, calls // 4, calls % 4))


def _by_rank(rank: pl.Expr, declarer: pl.Expr | None, first: pl.Expr, last: pl.Expr) -> pl.Expr:
    """Choose by rank in calling order; null for whoever has none."""
    of_defenders = pl.when(rank == 1).then(first).when(rank == 2).then(last)
    return of_defenders if declarer is None else of_defenders.when(rank == 0).then(declarer)


def _enum(index: pl.Expr, enum: pl.Enum) -> pl.Expr:
    return pl.when(index < len(enum.categories)).then(index).cast(pl.UInt8).cat.to(enum)


def _is_raspasy() -> pl.Expr:
    return pl.col("contract") == "raspasy"


def _four() -> pl.Expr:
    return (pl.col("players") == 4).cast(pl.Int64)


def _declarer_place() -> pl.Expr:
    """Count the declarer's places on the dealer's left, 1-3; three players' dealer is at 3, two players' at 2."""
    players = pl.col("players").cast(pl.Int64)
    apart = (
        pl.col("declarer").cat.physical().cast(pl.Int64) - pl.col("dealer").cat.physical().cast(pl.Int64)
    ) % players
    return pl.when(apart == 0).then(players).otherwise(apart)


def _tricks_at(place: int) -> pl.Expr:
    """Look up the tricks of the seat some places on the dealer's left."""
    return pl.coalesce(
        *(pl.when(is_on_left_of_dealer(seat, place)).then(pl.col(tricks_column(seat))) for seat in SEATS)
    ).cast(pl.Int64)


def _of_role(column: str, role: dict[str, pl.Expr]) -> pl.Expr:
    return pl.coalesce(*(pl.when(held).then(pl.col(f"{column}_{seat}")) for seat, held in role.items()))


def _last_of_two() -> dict[str, pl.Expr]:
    """Tell who is the second defender; two players have none."""
    three = pl.col("players") > 2
    return {seat: is_last & three for seat, is_last in Facts.of_deal().is_last_defender.items()}


def _trick_digit() -> pl.Expr:
    fact = Facts.of_deal()
    declarer = _of_role("tricks", fact.declares).cast(pl.Int64)
    first_defender = _of_role("tricks", fact.is_first_defender).cast(pl.Int64)
    first = pl.when(_is_raspasy()).then(_tricks_at(1)).otherwise(declarer)
    of_defender = pl.when(fact.is_misere).then(0).otherwise(first_defender)
    second = pl.when(_is_raspasy()).then(_tricks_at(2)).otherwise(of_defender)
    return (first * (TRICKS + 1) + second).fill_null(_NOT_PLAYED)


def _call_digit() -> pl.Expr:
    fact = Facts.of_deal()
    first = _of_role("call", fact.is_first_defender).cat.physical().cast(pl.Int64).fill_null(_NO_CALL)
    second = _of_role("call", _last_of_two()).cat.physical().cast(pl.Int64).fill_null(_NO_CALL)
    said = pl.when(fact.dealer_whists).then(_DEALER_WHISTS).otherwise(first * 4 + second)
    return pl.when(pl.col("conceded")).then(_CONCEDED).otherwise(said)


def _wrong_cards_digit() -> pl.Expr:
    fact = Facts.of_deal()
    digit = pl.lit(0, dtype=pl.Int64)
    for bit, role in enumerate([fact.declares, fact.is_first_defender, _last_of_two()]):
        named = pl.any_horizontal(*(held & fact.has_wrong_cards[seat] for seat, held in role.items()))
        digit = digit + number(named) * (1 << bit)
    return digit


def _decoded_tricks(seat: int, digit: dict[str, pl.Expr], players: pl.Expr, rank: pl.Expr) -> pl.Expr:
    raspasy, misere = (digit["contract"] == _CONTRACTS.index(name) for name in ("raspasy", "misere"))
    first, second = digit["tricks"] // (TRICKS + 1), digit["tricks"] % (TRICKS + 1)
    talon = pl.when(raspasy).then(digit["talon"]).otherwise(0)
    third = TRICKS - first - second - talon
    place = (seat - digit["dealer"] + players) % players
    sits_out = (place == 0) & (players == 4)
    in_raspasy = pl.when(sits_out).then(talon).when(place == 1).then(first).when(place == 2).then(second)
    in_contract = pl.when(~misere | (rank == 0)).then(_by_rank(rank, first, second, third))
    tricks = pl.when(raspasy).then(in_raspasy.otherwise(third)).otherwise(in_contract)
    return pl.when((digit["tricks"] != _NOT_PLAYED) & (players > seat)).then(tricks)


def _decoded_wrong_cards(digit: pl.Expr, ranks: list[pl.Expr]) -> pl.Expr:
    bits = [digit // (1 << bit) % 2 for bit in range(3)]
    named = [_by_rank(rank, *bits).fill_null(0) == 1 for rank in ranks]
    return pl.concat_str(
        pl.when(wrong).then(pl.lit(seat)).otherwise(pl.lit("")) for seat, wrong in zip(SEATS, named, strict=True)
    )
