"""The tables: what a table is, the pulkas of every game, and the rules that rows keep.

A rule is a named expression, true for a good row; its name and the sentence that says what must hold are listed in
`RULES`.  Rules about one deal look at nothing outside its row and stand with the deals table of each game.  Rules about
rows together (numbering, keys, deals without a pulka) need both tables and live with the archive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

import dataframely as dy
import polars as pl

from prefdata.vocabulary import SEATS, Words, player_column

__all__ = [
    "PULKAS",
    "RULES",
    "Pulkas",
    "Table",
    "adjusted_column",
    "explain_rule",
    "is_at_table",
    "is_legal_deal",
    "limit_of_all",
    "limit_of_each",
    "rule",
]

RULES: dict[str, str] = {
    "deal_number_unique": "a pulka must have each deal number once",
    "deals_without_gaps": "the deals of a pulka must be numbered 1, 2, ... without gaps",
    "deal_of_known_pulka": "every deal must belong to a pulka of its part",
    "pulka_has_deals": "every pulka must have deals in its part",
    "players_agree": "a deal must have as many players as its pulka",
    "pulka_in_one_part": "a pulka must be in one part of the archive only",
    "rows_beside_have_keys": "the rows beside those of a pulka must have a key that can be read: they may be its own",
    "adjustment_of_known_pulka": "every adjustment must belong to a pulka of its part",
    "adjustment_after_known_deal": "an adjustment must follow a deal of its pulka, or open it as 0",
    "adjustment_at_table": "an adjustment must name seats of the table",
}
"""What each rule says, by its name: these are about rows together, the schemas add those about one row."""

RuleMethod = Callable[[Any], pl.Expr]


def rule(sentence: str) -> Callable[[RuleMethod], Any]:
    """Make a method of a table's schema a rule about one row, true for a good one, and list its sentence."""

    def register(method: RuleMethod) -> Any:
        if RULES.setdefault(method.__name__, sentence) != sentence:
            raise AssertionError(f"two rules named {method.__name__} say different things")
        return dy.rule()(method)

    return register


def is_at_table(seat: str) -> pl.Expr:
    """Tell whether the table of a row has this seat; never null."""
    return (pl.col("players") > SEATS.index(seat)).fill_null(False)


class Pulkas(dy.Schema):
    """One row a pulka (пулька), sorted by `pulka`."""

    pulka = dy.Int64(primary_key=True, description="key, unique in the archive")
    players = dy.UInt8(min=2, max=4, description="players at the table, the sitting dealer included")
    bullet_limit = dy.UInt16(nullable=True, min=1, description="points at which a bullet closes: L of the rules")
    bullet_total = dy.UInt16(nullable=True, min=1, description="the sum of bullets that a table agreed on instead")
    convention = dy.String(description="the convention that it was played under")
    player_a = dy.String(nullable=True, description="name of the player at seat a")
    player_b = dy.String(nullable=True, description="name of the player at seat b")
    player_c = dy.String(nullable=True, description="name of the player at seat c")
    player_d = dy.String(nullable=True, description="name of the player at seat d")
    played_on = dy.Date(nullable=True, description="day of play")
    place = dy.String(nullable=True, description="place of play")
    stake = dy.Float64(nullable=True, min=0, description="money per whist")

    @rule("bullet_limit must be given, or bullet_total, the sum that a table agreed on")
    def limit_is_given(cls) -> pl.Expr:
        return pl.col("bullet_limit").is_not_null() | pl.col("bullet_total").is_not_null()

    @rule("only seats of the table may have a player")
    def players_at_table(cls) -> pl.Expr:
        return pl.all_horizontal(is_at_table(seat) | pl.col(player_column(seat)).is_null() for seat in SEATS)

    @rule("a player must sit at one seat of a pulka only")
    def player_sits_once(cls) -> pl.Expr:
        columns = [pl.col(player_column(seat)) for seat in SEATS]
        names = [pl.when(column.str.strip_chars() != "").then(column) for column in columns]
        return pl.all_horizontal((one != other).fill_null(True) for one, other in combinations(names, 2))


@dataclass(frozen=True, eq=False)
class Table:
    """A table: its rows, and the columns that a file may lack.

    Attributes
    ----------
    schema
        Columns with their types, and the rules about one row.
    optional
        Columns that a file may lack, with their value where it does or leaves them empty; None is null.
    words
        What people write for the words of its vocabularies, by their types.
    of_seats
        Columns of seats that a file may lack where no pulka has so many players.
    alternatives
        Optional columns of which a file must have one at least.
    """

    schema: type[dy.Schema]
    optional: Mapping[str, pl.Expr | None]
    words: Mapping[pl.Enum, Words] = field(default_factory=dict)
    of_seats: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name, such as ``deals``."""
        return self.schema.__name__.lower()

    @property
    def defaults(self) -> dict[str, pl.Expr]:
        """Values of the optional columns that are never null."""
        return {name: value for name, value in self.optional.items() if value is not None}


_LIMITS = ("bullet_limit", "bullet_total")

PULKAS = Table(
    Pulkas,
    dict.fromkeys((*_LIMITS, *map(player_column, SEATS), "played_on", "place", "stake")),
    alternatives=_LIMITS,
)


def limit_of_each() -> pl.Expr:
    """Tell the points at which each bullet closes: an n-th of an agreed sum, null where that is no whole number."""
    total, players = (pl.col(name).cast(pl.Int64) for name in ("bullet_total", "players"))
    of_sum = pl.when(total % players == 0).then(total // players)
    return pl.when(total.is_null()).then(pl.col("bullet_limit").cast(pl.Int64)).otherwise(of_sum)


def limit_of_all() -> pl.Expr:
    """Tell the points at which all bullets close together: the agreed sum, or the limit of each times the players."""
    total, players, limit = (pl.col(name).cast(pl.Int64) for name in ("bullet_total", "players", "bullet_limit"))
    return total.fill_null(players * limit)


def adjusted_column() -> pl.Expr:
    """Name the column of a sheet that an adjustment is written in, such as ``whists_ab``."""
    on_seat = pl.col("on_seat").cast(pl.String).fill_null("")
    return pl.concat_str(pl.col("entry").cast(pl.String), pl.lit("_"), pl.col("seat").cast(pl.String), on_seat)


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
    >>> explain_rule(Pulkas, "players_at_table")
    'only seats of the table may have a player'
    >>> explain_rule(Pulkas, "players|max")
    'players must be at most 4'
    """
    column_name, separator, check = rule.partition("|")
    if not separator:
        return RULES.get(rule, "the key of a row must be unique" if rule == "primary_key" else rule)
    column = schema.columns()[column_name]
    if check == "dtype":
        categories = getattr(column, "categories", None)
        one_of = "one of " + ", ".join(categories) if categories else f"a value that {column.dtype} can hold"
        return f"{column_name} must be {one_of}"
    sentences = {
        "nullability": f"{column_name} must not be empty",
        "min": f"{column_name} must be at least {getattr(column, 'min', '')}",
        "max": f"{column_name} must be at most {getattr(column, 'max', '')}",
        "inf": f"{column_name} must be finite",
        "nan": f"{column_name} must be a number",
    }
    return sentences.get(check, f"{column_name} must keep the rule {check}")


@cache
def is_legal_deal(schema: type[dy.Schema]) -> pl.Expr:
    """Tell whether a deal keeps every rule of its table about one row, its pulka, number, trump and code left aside."""
    checks = [
        check
        for name, column in schema.columns().items()
        if name not in ("pulka", "deal", "trump", "outcome")
        for check in column.validation_rules(pl.col(name)).values()
    ]
    rules = [kept.expr for name, kept in schema._validation_rules(with_cast=False).items() if name in RULES]
    return pl.all_horizontal(*(check.fill_null(True) for check in [*checks, *rules]))
