"""The tables: their columns with type and unit, and the rules that their rows keep.

A rule is a named expression, true for a good row; its name, the sentence that says what must hold and the columns it
looks at are listed in `RULES`.  Rules about one deal look at nothing outside its row.  Rules about rows together
(numbering, keys, deals without a pulka) need both tables and live with the archive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import dataframely as dy
import polars as pl

from prefdata.roles import (
    called,
    calls_of,
    is_at_table,
    is_contract,
    is_declarer,
    is_defender,
    is_last_defender,
    is_playing,
    is_sitting_dealer,
    is_unwhisted_ten,
    whist_calls,
)
from prefdata.vocabulary import (
    CALL,
    CONTRACT,
    ENTRY,
    SEAT,
    SEATS,
    TRICKS,
    TRUMP,
    call_column,
    player_column,
    tricks_column,
)

__all__ = [
    "ADJUSTMENTS",
    "DEALS",
    "PULKAS",
    "RULES",
    "Adjustments",
    "Deals",
    "Pulkas",
    "Table",
    "adjusted_column",
    "explain_rule",
    "is_legal_deal",
    "rule",
]

RULES: dict[str, str] = {
    "deal_number_unique": "a pulka has each deal number once",
    "deals_without_gaps": "the deals of a pulka are numbered 1, 2, ... without gaps",
    "deal_of_known_pulka": "every deal belongs to a pulka of its part",
    "pulka_has_deals": "every pulka has deals in its part",
    "players_agree": "a deal has as many players as its pulka",
    "pulka_in_one_part": "a pulka is in one part of the archive only",
    "adjustment_of_known_pulka": "every adjustment belongs to a pulka of its part",
    "adjustment_after_known_deal": "an adjustment follows a deal of its pulka, or opens it as 0",
    "adjustment_at_table": "an adjustment names seats of the table",
}
"""What each rule says, by its name: these are about rows together, the schemas below add those about one row."""

RuleMethod = Callable[[Any], pl.Expr]


def rule(sentence: str) -> Callable[[RuleMethod], Any]:
    """Make a method of a table's schema a rule about one row, true for a good one, and list its sentence."""

    def register(method: RuleMethod) -> Any:
        if RULES.setdefault(method.__name__, sentence) != sentence:
            raise AssertionError(f"two rules named {method.__name__} say different things")
        return dy.rule()(method)

    return register


def _everywhere(condition: Callable[[str], pl.Expr]) -> pl.Expr:
    return pl.all_horizontal(*(condition(seat) for seat in SEATS))


def _tricks(seat: str) -> pl.Expr:
    return pl.col(tricks_column(seat))


def _conceded() -> pl.Expr:
    return pl.col("conceded").fill_null(False)


def _awaits_calls() -> pl.Expr:
    return is_contract() & ~_conceded()


def _is_played() -> pl.Expr:
    return ~is_contract() | (~_conceded() & ((whist_calls() > 0) | is_unwhisted_ten()))


class Pulkas(dy.Schema):
    """One row a pulka (пулька), sorted by `pulka`."""

    pulka = dy.Int64(primary_key=True, description="key, unique in the archive")
    players = dy.UInt8(min=2, max=4, description="players at the table, the sitting dealer included")
    bullet_limit = dy.UInt16(min=1, description="points at which a bullet closes: L of the rules")
    convention = dy.String(description="the convention that it was played under")
    player_a = dy.String(nullable=True, description="name of the player at seat a")
    player_b = dy.String(nullable=True, description="name of the player at seat b")
    player_c = dy.String(nullable=True, description="name of the player at seat c")
    player_d = dy.String(nullable=True, description="name of the player at seat d")
    played_on = dy.Date(nullable=True, description="day of play")
    place = dy.String(nullable=True, description="place of play")
    stake = dy.Float64(nullable=True, min=0, description="money per whist")

    @rule("only seats of the table have a player")
    def players_at_table(cls) -> pl.Expr:
        return _everywhere(lambda seat: is_at_table(seat) | pl.col(player_column(seat)).is_null())


class Deals(dy.Schema):
    """One row a deal (сдача), sorted by `pulka` and `deal`."""

    pulka = dy.Int64(nullable=False, description="key of its pulka")
    deal = dy.UInt16(nullable=False, min=1, description="number in the pulka: 1, 2, ... without gaps")
    players = dy.UInt8(min=2, max=4, description="as in pulkas")
    dealer = dy.Enum(SEAT.categories, description="seat of the dealer, who sits out with four players")
    contract = dy.Enum(CONTRACT.categories, description="what was played")
    declarer = dy.Enum(SEAT.categories, nullable=True, description="seat of the declarer; null in raspasy")
    call_a = dy.Enum(CALL.categories, nullable=True, description="final call of seat a where it defends against 6-10")
    call_b = dy.Enum(CALL.categories, nullable=True, description="final call of seat b where it defends against 6-10")
    call_c = dy.Enum(CALL.categories, nullable=True, description="final call of seat c where it defends against 6-10")
    call_d = dy.Enum(CALL.categories, nullable=True, description="final call of seat d where it defends against 6-10")
    tricks_a = dy.UInt8(nullable=True, max=TRICKS, description="tricks of seat a; null where nothing was played")
    tricks_b = dy.UInt8(nullable=True, max=TRICKS, description="tricks of seat b; null where nothing was played")
    tricks_c = dy.UInt8(nullable=True, max=TRICKS, description="tricks of seat c; null where nothing was played")
    tricks_d = dy.UInt8(nullable=True, max=TRICKS, description="tricks of seat d; null where nothing was played")
    conceded = dy.Bool(description="whether the declarer gave up three down before play")
    talon = dy.UInt8(max=3, description="worth of the talon in tricks, 0-3")
    multiplier = dy.UInt8(min=1, max=16, description="factor on the price of this deal")
    wrong_cards = dy.String(description="seats with a wrong number of cards, such as ab")
    trump = dy.Enum(TRUMP.categories, nullable=True, description="trump suit, never scored")
    outcome = dy.UInt32(nullable=True, description="code of all that scoring looks at, written by prefdata")

    @rule("two players do not play raspasy")
    def raspasy_for_three(cls) -> pl.Expr:
        return (pl.col("contract") != "raspasy") | (pl.col("players") != 2)

    @rule("the dealer sits at the table")
    def dealer_at_table(cls) -> pl.Expr:
        return _everywhere(lambda seat: (pl.col("dealer") != seat) | is_at_table(seat))

    @rule("a contract and misère have a declarer, raspasy has none")
    def declarer_of_contract(cls) -> pl.Expr:
        return pl.col("declarer").is_null() == (pl.col("contract") == "raspasy")

    @rule("the declarer sits at the table and is not the sitting dealer")
    def declarer_plays(cls) -> pl.Expr:
        return _everywhere(lambda seat: ~is_declarer(seat) | is_playing(seat))

    @rule("defenders of a 6-10 that is not conceded have a final call, nobody else has")
    def calls_of_defenders(cls) -> pl.Expr:
        return _everywhere(
            lambda seat: pl.col(call_column(seat)).is_not_null() == (is_defender(seat) & _awaits_calls())
        )

    @rule("half a whist is said by the second defender after a pass")
    def half_after_pass(cls) -> pl.Expr:
        after_pass = (calls_of("half") == 1) & (calls_of("pass") == 1)
        return _everywhere(lambda seat: ~called(seat, "half") | (is_last_defender(seat) & after_pass))

    @rule("whoever plays has tricks where something was played, and nobody has where nothing was")
    def tricks_where_played(cls) -> pl.Expr:
        return _everywhere(
            lambda seat: is_sitting_dealer(seat) | (_tricks(seat).is_not_null() == (is_playing(seat) & _is_played()))
        )

    @rule("the tricks of a played deal add up to ten")
    def tricks_add_up(cls) -> pl.Expr:
        total = pl.sum_horizontal(*(_tricks(seat).cast(pl.Int64).fill_null(0) for seat in SEATS))
        nothing = pl.all_horizontal(*(_tricks(seat).is_null() for seat in SEATS))
        return nothing | (total == TRICKS)

    @rule("the sitting dealer has no tricks, but for the talon's 0-2 in raspasy")
    def tricks_of_sitting_dealer(cls) -> pl.Expr:
        talon = (pl.col("contract") == "raspasy") & (pl.col("players") == 4)
        return _everywhere(
            lambda seat: ~is_sitting_dealer(seat) | _tricks(seat).is_null() | (talon & (_tricks(seat) <= 2))
        )

    @rule("only a contract of 6-10 is conceded")
    def conceded_contract(cls) -> pl.Expr:
        return ~_conceded() | is_contract()

    @rule("the talon's worth belongs to a contract of 6-10")
    def talon_of_contract(cls) -> pl.Expr:
        return (pl.col("talon") == 0) | is_contract()

    @rule("wrong_cards names seats, each once")
    def wrong_cards_are_seats(cls) -> pl.Expr:
        named = pl.sum_horizontal(*(_has_wrong_cards(seat).cast(pl.Int64) for seat in SEATS))
        return pl.col("wrong_cards").str.len_bytes().cast(pl.Int64) == named

    @rule("wrong cards belong to the declarer and to whisters of a played 6-10")
    def wrong_cards_in_play(cls) -> pl.Expr:
        return _everywhere(
            lambda seat: (
                ~_has_wrong_cards(seat)
                | (
                    is_contract()
                    & _is_played()
                    & (is_declarer(seat) | called(seat, "whist") | (is_defender(seat) & is_unwhisted_ten()))
                )
            )
        )


class Adjustments(dy.Schema):
    """Signed entries beside the deals: penalties, corrections, columns carried over (rules §8)."""

    pulka = dy.Int64(nullable=False, description="key of its pulka")
    deal = dy.UInt16(nullable=False, description="the deal after which it is written; 0 opens the pulka")
    seat = dy.Enum(SEAT.categories, description="whose sheet it is written in")
    entry = dy.Enum(ENTRY.categories, description="which column it is written in")
    on_seat = dy.Enum(SEAT.categories, nullable=True, description="on whom, for whists")
    points = dy.Int32(nullable=False, description="points or whists, signed")
    reason = dy.String(nullable=True, description="why")

    @rule("whists are written on another seat, other entries on nobody")
    def adjustment_on_seat(cls) -> pl.Expr:
        on_other = pl.col("on_seat").is_not_null() & (pl.col("on_seat") != pl.col("seat")).fill_null(False)
        return pl.when(pl.col("entry") == "whists").then(on_other).otherwise(pl.col("on_seat").is_null())


@dataclass(frozen=True, eq=False)
class Table:
    """A table: its rows, and the columns that a file may lack.

    Attributes
    ----------
    schema
        Columns with their types, and the rules about one row.
    optional
        Columns that a file may lack, with their value where it does or leaves them empty; None is null.
    """

    schema: type[dy.Schema]
    optional: Mapping[str, pl.Expr | None]

    @property
    def name(self) -> str:
        """Its name, such as ``deals``."""
        return self.schema.__name__.lower()

    @property
    def defaults(self) -> dict[str, pl.Expr]:
        """Values of the optional columns that are never null."""
        return {name: value for name, value in self.optional.items() if value is not None}


PULKAS = Table(Pulkas, dict.fromkeys(("player_a", "player_b", "player_c", "player_d", "played_on", "place", "stake")))
DEALS = Table(
    Deals,
    {
        "conceded": pl.lit(False),
        "talon": pl.lit(0, dtype=pl.UInt8),
        "multiplier": pl.lit(1, dtype=pl.UInt8),
        "wrong_cards": pl.lit(""),
        "trump": None,
        "outcome": None,
    },
)
ADJUSTMENTS = Table(Adjustments, dict.fromkeys(("on_seat", "reason")))


def adjusted_column() -> pl.Expr:
    """Name the column of a sheet that an adjustment is written in, such as ``whists_ab``."""
    on_seat = pl.col("on_seat").cast(pl.String).fill_null("")
    return pl.concat_str(pl.col("entry").cast(pl.String), pl.lit("_"), pl.col("seat").cast(pl.String), on_seat)


def _has_wrong_cards(seat: str) -> pl.Expr:
    return pl.col("wrong_cards").str.contains(seat, literal=True).fill_null(False)


def explain_rule(schema: type[dy.Schema], rule: str) -> str:
    """Say in words what a rule of a table demands.

    Parameters
    ----------
    schema
        The table's schema.
    rule
        Name of the rule, as `dataframely` gives it: that of a rule above, or ``column|check``.

    Examples
    --------
    >>> explain_rule(Deals, "tricks_add_up")
    'the tricks of a played deal add up to ten'
    >>> explain_rule(Deals, "talon|max")
    'talon is at most 3'
    """
    column_name, separator, check = rule.partition("|")
    if not separator:
        return RULES.get(rule, "the key of a row is unique" if rule == "primary_key" else rule)
    column = schema.columns()[column_name]
    if check == "dtype":
        categories = getattr(column, "categories", None)
        one_of = "one of " + ", ".join(categories) if categories else f"a value that {column.dtype} can hold"
        return f"{column_name} is {one_of}"
    sentences = {
        "nullability": f"{column_name} is not empty",
        "min": f"{column_name} is at least {getattr(column, 'min', '')}",
        "max": f"{column_name} is at most {getattr(column, 'max', '')}",
    }
    return sentences.get(check, f"{column_name} keeps the rule {check}")


@cache
def is_legal_deal(schema: type[dy.Schema] = Deals) -> pl.Expr:
    """Tell whether a deal keeps every rule about one row, its pulka, number, trump and code left aside."""
    checks = [
        check
        for name, column in schema.columns().items()
        if name not in ("pulka", "deal", "trump", "outcome")
        for check in column.validation_rules(pl.col(name)).values()
    ]
    rules = [kept.expr for name, kept in schema._validation_rules(with_cast=False).items() if name in RULES]
    return pl.all_horizontal(*(check.fill_null(True) for check in [*checks, *rules]))
