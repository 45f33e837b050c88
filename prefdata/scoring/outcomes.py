"""Outcomes: all of a deal that scoring looks at, and its canonical 32-bit code.

The code is written in mixed radix over, from the least digit: players; dealer; declarer's place after the dealer;
contract; tricks of the declarer and the first defender (raspasy: of the first two seats after the dealer), or "not
played"; the talon's tricks in raspasy, else its worth; the two calls, or conceded; wrong cards; multiplier.  Seats are
counted from the dealer, so a code says nothing that the rules of the deals table do not leave open, and every legal
deal has exactly one.
"""

from __future__ import annotations

import polars as pl

from prefdata.roles import is_declarer, is_defender, is_last_defender, is_on_left_of_dealer
from prefdata.tables import is_legal_deal
from prefdata.vocabulary import CALL, CONTRACT, LEVELS, SEAT, SEATS, TRICKS, call_column, tricks_column

__all__ = ["INVALID_CODE", "decode", "encode"]

INVALID_CODE = (1 << 32) - 1
"""The one code of every deal that breaks a rule."""

_CONTRACTS = list(CONTRACT.categories)
_NOT_PLAYED = 121
_CONCEDED = 16
_NO_CALL = 3
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
    code = pl.lit(0, dtype=pl.Int64)
    weight = 1
    for digit, radix in _RADIX.items():
        code = code + digits[digit].cast(pl.Int64) * weight
        weight *= radix
    return pl.when(is_legal_deal()).then(code).otherwise(INVALID_CODE).cast(pl.UInt32)


def decode(code: str) -> list[pl.Expr]:
    """Turn outcome codes back into the columns of the deals table; an invalid code gives nulls.

    Parameters
    ----------
    code
        Name of the column of codes.
    """
    return [
        pl.when(pl.col(code) != INVALID_CODE).then(column).alias(column.meta.output_name())
        for column in _decoded(code)
    ]


def _decoded(code: str) -> list[pl.Expr]:
    digit: dict[str, pl.Expr] = {}
    weight = 1
    for name, radix in _RADIX.items():
        digit[name] = (pl.col(code).cast(pl.Int64) // weight) % radix
        weight *= radix
    players = digit["players"] + 2
    dealer = digit["dealer"]
    declarer = (dealer + digit["place"]) % players
    contract = digit["contract"]
    raspasy = contract == _CONTRACTS.index("raspasy")
    of_level = contract < len(LEVELS)
    conceded = digit["calls"] == _CONCEDED
    columns = [
        players.cast(pl.UInt8).alias("players"),
        _enum(dealer, SEAT).alias("dealer"),
        _enum(contract, CONTRACT).alias("contract"),
        pl.when(~raspasy).then(_enum(declarer, SEAT)).alias("declarer"),
    ]
    for index, seat in enumerate(SEATS):
        rank = _defender_rank(index, players, dealer, declarer)
        call = pl.when(rank == 1).then(digit["calls"] // 4).when(rank == 2).then(digit["calls"] % 4)
        columns.append(
            pl.when(of_level & ~conceded & (call != _NO_CALL)).then(_enum(call, CALL)).alias(call_column(seat))
        )
    for index, seat in enumerate(SEATS):
        tricks = _decoded_tricks(index, digit, players, raspasy, declarer)
        columns.append(tricks.cast(pl.UInt8).alias(tricks_column(seat)))
    columns += [
        conceded.alias("conceded"),
        pl.when(raspasy).then(0).otherwise(digit["talon"]).cast(pl.UInt8).alias("talon"),
        (digit["multiplier"] + 1).cast(pl.UInt8).alias("multiplier"),
        _decoded_wrong_cards(digit["wrong_cards"], players, dealer, declarer).alias("wrong_cards"),
    ]
    return columns


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


def _declarers() -> dict[str, pl.Expr]:
    return {seat: is_declarer(seat) for seat in SEATS}


def _last_defenders() -> dict[str, pl.Expr]:
    return {seat: is_last_defender(seat) for seat in SEATS}


def _first_defenders() -> dict[str, pl.Expr]:
    three = pl.col("players") > 2
    return {seat: is_defender(seat) & ~(is_last_defender(seat) & three) for seat in SEATS}


def _trick_digit() -> pl.Expr:
    declarer = _of_role("tricks", _declarers()).cast(pl.Int64)
    first_defender = _of_role("tricks", _first_defenders()).cast(pl.Int64)
    first = pl.when(_is_raspasy()).then(_tricks_at(1)).otherwise(declarer)
    second = pl.when(_is_raspasy()).then(_tricks_at(2)).otherwise(first_defender)
    return (first * (TRICKS + 1) + second).fill_null(_NOT_PLAYED)


def _call_digit() -> pl.Expr:
    first = _of_role("call", _first_defenders()).cat.physical().cast(pl.Int64).fill_null(_NO_CALL)
    three = pl.col("players") > 2
    last = _of_role("call", {seat: held & three for seat, held in _last_defenders().items()})
    second = last.cat.physical().cast(pl.Int64).fill_null(_NO_CALL)
    return pl.when(pl.col("conceded")).then(_CONCEDED).otherwise(first * 4 + second)


def _wrong_cards_digit() -> pl.Expr:
    digit = pl.lit(0, dtype=pl.Int64)
    three = pl.col("players") > 2
    roles = [_declarers(), _first_defenders(), {seat: held & three for seat, held in _last_defenders().items()}]
    for bit, role in enumerate(roles):
        named = pl.any_horizontal(
            *(held & pl.col("wrong_cards").str.contains(seat, literal=True) for seat, held in role.items())
        )
        digit = digit + named.cast(pl.Int64) * (1 << bit)
    return digit


def _defender_rank(seat: int, players: pl.Expr, dealer: pl.Expr, declarer: pl.Expr) -> pl.Expr:
    """Rank a seat in calling order: 1 or 2 for the defenders, 0 for the declarer, 3 for nobody."""
    apart = (seat - declarer + 4 * players) % players
    dealer_apart = (dealer - declarer + 4 * players) % players
    sits = (players == 4) & (apart == dealer_apart)
    skipped = (players == 4) & (dealer_apart < apart)
    rank = apart - skipped.cast(pl.Int64)
    return pl.when((players <= seat) | sits).then(3).otherwise(rank)


def _decoded_tricks(
    seat: int, digit: dict[str, pl.Expr], players: pl.Expr, raspasy: pl.Expr, declarer: pl.Expr
) -> pl.Expr:
    played = digit["tricks"] != _NOT_PLAYED
    first, second = digit["tricks"] // (TRICKS + 1), digit["tricks"] % (TRICKS + 1)
    talon = pl.when(raspasy).then(digit["talon"]).otherwise(0)
    third = TRICKS - first - second - talon
    dealer = digit["dealer"]
    place = (seat - dealer + 4 * players) % players
    place = pl.when((place == 0) & (players < 4)).then(players).otherwise(place)
    in_raspasy = pl.when(place == 0).then(talon).when(place == 1).then(first).when(place == 2).then(second)
    rank = _defender_rank(seat, players, dealer, declarer)
    in_contract = pl.when(rank == 0).then(first).when(rank == 1).then(second).when(rank == 2).then(third)
    tricks = pl.when(raspasy).then(in_raspasy.otherwise(third)).otherwise(in_contract)
    return pl.when(played & (players > seat)).then(tricks)


def _decoded_wrong_cards(digit: pl.Expr, players: pl.Expr, dealer: pl.Expr, declarer: pl.Expr) -> pl.Expr:
    parts = []
    for index, seat in enumerate(SEATS):
        rank = _defender_rank(index, players, dealer, declarer)
        named = (
            pl.when(rank == 0)
            .then(digit % 2)
            .when(rank == 1)
            .then(digit // 2 % 2)
            .when(rank == 2)
            .then(digit // 4 % 2)
            .otherwise(0)
        )
        parts.append(pl.when(named == 1).then(pl.lit(seat)).otherwise(pl.lit("")))
    return pl.concat_str(parts)
