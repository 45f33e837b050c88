"""What a contract of 6-10 or a misère brings (rules §2, §3, §4), as expressions over the deals table.

One function for each entry; each clause in them is one sentence of the rules.  All work in Int64, so that no narrow
type of a column can wrap.  They are zero in raspasy and never null.
"""

from __future__ import annotations

import polars as pl

from prefdata.conventions import Convention
from prefdata.roles import (
    called,
    is_contract,
    is_declarer,
    is_defender,
    is_last_defender,
    is_sitting_dealer,
    is_unwhisted_ten,
    whist_calls,
)
from prefdata.vocabulary import LEVELS, PRICES, QUOTAS, SEATS, TRICKS, tricks_column

__all__ = [
    "contract_bullet",
    "contract_mountain",
    "contract_whists",
    "is_bullet_entry",
    "is_whisted_and_made",
    "price",
]


def _by_contract(values: dict[str, int]) -> pl.Expr:
    return pl.col("contract").replace_strict(values, default=0, return_dtype=pl.Int64)


def _flag(condition: pl.Expr) -> pl.Expr:
    return condition.cast(pl.Int64)


def price(convention: Convention) -> pl.Expr:
    """Price of the contract, v: price x scale x multiplier (rules §2)."""
    return _by_contract(PRICES) * convention.scale * pl.col("multiplier").cast(pl.Int64)


def _level() -> pl.Expr:
    return _by_contract(LEVELS)


def _tricks(seat: str) -> pl.Expr:
    return pl.col(tricks_column(seat)).cast(pl.Int64).fill_null(0)


def _declarer_tricks() -> pl.Expr:
    return pl.sum_horizontal(*(_flag(is_declarer(seat)) * _tricks(seat) for seat in SEATS))


def _defence_tricks() -> pl.Expr:
    return TRICKS - _declarer_tricks()


def _is_played() -> pl.Expr:
    return is_contract() & ~_is_conceded() & ((whist_calls() > 0) | is_unwhisted_ten())


def _is_conceded() -> pl.Expr:
    return pl.col("conceded").fill_null(False)


def _undertricks() -> pl.Expr:
    """Real undertricks of a played contract: u (rules §3)."""
    short = (_level() - _declarer_tricks()).clip(lower_bound=0)
    return pl.when(_is_played()).then(short).otherwise(0)


def _is_checked(convention: Convention) -> pl.Expr:
    """Whether both defenders count as whisters without a quota: a checked ten (rules §3.7)."""
    by_convention = pl.lit(convention.ten == "checked") & (pl.col("contract") == "10") & _is_played()
    return is_unwhisted_ten() | by_convention


def _is_whister(seat: str, convention: Convention) -> pl.Expr:
    return is_defender(seat) & (called(seat, "whist") | _is_checked(convention))


def _is_lone_whist(convention: Convention) -> pl.Expr:
    """Whether one defender answers and writes alone; two players have no other."""
    checked = _is_checked(convention)
    return ((whist_calls() == 1) & ~checked) | (checked & (pl.col("players") == 2))


def _has_wrong_cards(seat: str) -> pl.Expr:
    return (pl.col("wrong_cards") != "") & pl.col("wrong_cards").str.contains(seat, literal=True)


def _declarer_has_wrong_cards() -> pl.Expr:
    return pl.any_horizontal(*(is_declarer(seat) & _has_wrong_cards(seat) for seat in SEATS))


def is_bullet_entry() -> pl.Expr:
    """Whether the declarer's entry goes to the bullet: made, passed out, half whist, misère (rules §3.1-3, §4, §5)."""
    contract = is_contract() & ~_is_conceded() & (_undertricks() == 0) & ~_declarer_has_wrong_cards()
    misere = (pl.col("contract") == "misere") & (_declarer_tricks() == 0)
    return contract | misere


def is_whisted_and_made() -> pl.Expr:
    """Whether a contract was whisted and made; a made checked ten counts as one (rules §5)."""
    return is_bullet_entry() & _is_played()


def contract_bullet(seat: str, convention: Convention) -> pl.Expr:
    """Bullet of a seat: the price of the declarer's made contract (rules §3.1-3, §4; Code 4.2.1, 4.2.3.2)."""
    return _flag(is_declarer(seat) & is_bullet_entry()) * price(convention)


def contract_mountain(seat: str, convention: Convention) -> pl.Expr:
    """Mountain of a seat: the declarer's remise, or a whister's shortage (rules §3.3, §3.6, §3.8, §4, §8)."""
    own = _remise(convention)
    return pl.when(is_declarer(seat)).then(own).otherwise(_shortage(seat, convention))


def _remise(convention: Convention) -> pl.Expr:
    """Declarer's penalty: undertricks, three for a concession, two more for wrong cards (rules §3.3, §3.8, §8)."""
    tricks_short = (
        pl.when(_is_conceded())
        .then(3)
        .when(_declarer_has_wrong_cards())
        .then(_undertricks() + 2)
        .otherwise(_undertricks())
    )
    contract = _flag(is_contract()) * tricks_short * convention.remise_factor
    misere = _flag(pl.col("contract") == "misere") * _declarer_tricks() * convention.misere_factor
    return (contract + misere) * price(convention)


def _shortage(seat: str, convention: Convention) -> pl.Expr:
    """Whister's penalty for missing tricks of a made contract, or for wrong cards (rules §3.6, §8; Code 4.2.1)."""
    charged = _is_played() & (pl.col("wrong_cards") == "") & (_undertricks() == 0) & ~_is_checked(convention)
    short = pl.when(_is_lone_whist(convention)).then(_pair_shortage()).otherwise(_own_shortage(seat, convention))
    whister = _is_whister(seat, convention)
    tricks = pl.when(_has_wrong_cards(seat)).then(2).otherwise(_flag(charged) * short)
    factor = convention.shortage_factor
    return _flag(whister) * tricks * price(convention) * factor.numerator // factor.denominator


def _pair_shortage() -> pl.Expr:
    return (_by_contract(QUOTAS) - _defence_tricks()).clip(lower_bound=0)


def _own_shortage(seat: str, convention: Convention) -> pl.Expr:
    """Tricks short of one of two whisters (rules §3.6)."""
    quota = _by_contract(QUOTAS)
    missing = (quota // 2 - _tricks(seat)).clip(lower_bound=0)
    if convention.shortage_cap == "pair":
        missing = pl.min_horizontal(missing, _pair_shortage())
    pays_one = is_last_defender(seat) if convention.shortage_payer == "last" else pl.lit(True)
    one_trick = _flag(pays_one) * (1 - _tricks(seat)).clip(lower_bound=0)
    own = pl.when(quota > 1).then(missing).otherwise(one_trick)
    if convention.personal_quota:
        return own
    return pl.when(_pair_shortage() > 0).then(own).otherwise(0)


def contract_whists(writer: str, on: str, convention: Convention) -> pl.Expr:
    """Whists that one seat writes on another: only on the declarer (rules §3.2, §3.4, §3.5, §3.9)."""
    trick_price = price(convention) * convention.whist_factor
    for_tricks = (_whist_tricks(writer, convention) + _half_whist_tricks(writer, convention)) * trick_price
    shared = _flag(_is_shared(convention)) * _flag(is_defender(writer)) * _defence_tricks() * trick_price // 2
    written = (
        pl.when(_is_shared(convention)).then(shared).otherwise(for_tricks)
        + _consolation(writer, convention)
        + _talon_bonus(writer, convention) * trick_price // 2
    )
    return _flag(is_declarer(on) & is_contract() & ~_is_conceded()) * written


def _is_shared(convention: Convention) -> pl.Expr:
    """Whether a lone whister halves his trick whists with the passer: gentleman's whist (rules §3.4)."""
    if convention.lone_whist == "greedy":
        return pl.lit(False)
    lone = _is_lone_whist(convention) & _is_played() & (pl.col("players") > 2)
    return lone if convention.gentleman_scope == "always" else lone & (_undertricks() > 0)


def _whist_tricks(seat: str, convention: Convention) -> pl.Expr:
    """Tricks that a whister writes: his own, or all the defence's where he whists alone (rules §3.4)."""
    counted = pl.when(_is_lone_whist(convention)).then(_defence_tricks()).otherwise(_tricks(seat))
    return _flag(_is_whister(seat, convention) & _is_played()) * counted


def _half_whist_tricks(seat: str, convention: Convention) -> pl.Expr:
    """Tricks written for leaving with half a whist, where the convention has it at this level (rules §3.2)."""
    table = {str(level): tricks for level, tricks in convention.half_whist}
    return _flag(called(seat, "half")) * _by_contract(table)


def _consolation(seat: str, convention: Convention) -> pl.Expr:
    """Whists for the declarer's undertricks (rules §3.5)."""
    if convention.consolation == "none":
        return pl.lit(0, dtype=pl.Int64)
    if convention.consolation == "price":
        each = price(convention) * convention.whist_factor
    else:
        each = pl.col("multiplier").cast(pl.Int64) * (convention.consolation * convention.scale)
    defenders = {
        "all": is_defender(seat),
        "whisters": _is_whister(seat, convention),
        "inviter": _is_whister(seat, convention) & _is_lone_whist(convention),
    }
    entitled = defenders[convention.consolation_to]
    if convention.consolation_dealer:
        entitled = entitled | is_sitting_dealer(seat)
    return _flag(entitled) * _undertricks() * each


def _talon_bonus(seat: str, convention: Convention) -> pl.Expr:
    """Half tricks written for the talon's worth (rules §3.9; Mendelev)."""
    worth = pl.col("talon").cast(pl.Int64)
    of_four = _flag(is_sitting_dealer(seat)) * 2 if convention.talon_bonus else pl.lit(0, dtype=pl.Int64)
    of_three = (
        _flag(is_defender(seat) & (pl.col("players") == 3))
        if convention.talon_bonus_three
        else pl.lit(0, dtype=pl.Int64)
    )
    return (of_four + of_three) * worth
