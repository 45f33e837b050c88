"""What a contract of 6-10 or a misère brings (rules §2, §3, §4), as expressions.

One function for each entry; each clause in them is one sentence of the rules.  All work in Int64, so that no narrow
type of a column can wrap.  They are zero in raspasy and never null.
"""

from __future__ import annotations

import polars as pl

from prefdata.conventions import Convention
from prefdata.scoring.facts import Facts, Roles, by_contract, number
from prefdata.vocabulary import CONCESSION, TRICKS, WRONG_CARDS

__all__ = ["contract_bullet", "contract_mountain", "contract_whists", "is_whisted_and_made"]


def is_whisted_and_made(fact: Facts) -> pl.Expr:
    """Whether a contract was whisted and made; a made checked ten counts as one (rules §5)."""
    return fact.is_bullet_entry & fact.is_played


def contract_bullet(seat: str, role: Roles, fact: Facts) -> pl.Expr:
    """Bullet of a seat: the price of the declarer's made contract (rules §3.1-3, §4; Code 4.2.1, 4.2.3.2)."""
    return number(role.declares[seat] & fact.is_bullet_entry) * fact.price


def contract_mountain(seat: str, role: Roles, fact: Facts, convention: Convention) -> pl.Expr:
    """Mountain of a seat: the declarer's remise, or a whister's shortage (rules §3.3, §3.6, §3.8, §4, §8)."""
    remise = _remise(role, fact, convention)
    return pl.when(role.declares[seat]).then(remise).otherwise(_shortage(seat, role, fact, convention))


def _remise(role: Roles, fact: Facts, convention: Convention) -> pl.Expr:
    """Declarer's penalty: undertricks, three for a concession, two more for wrong cards (rules §3.3, §3.8, §8)."""
    given_up = number(role.is_conceded) * CONCESSION
    tricks_short = fact.undertricks + given_up + number(fact.declarer_has_wrong_cards) * WRONG_CARDS
    contract = number(role.is_contract) * tricks_short * convention.remise_factor
    misere = number(role.is_misere) * role.declarer_tricks * convention.misere_factor
    return (contract + misere) * fact.price


def _shortage(seat: str, role: Roles, fact: Facts, convention: Convention) -> pl.Expr:
    """Whister's penalty for missing tricks of a made contract, or for wrong cards (rules §3.6, §8; Code 4.2.1)."""
    charged = fact.is_played & (fact.undertricks == 0) & ~fact.is_checked & ~fact.anybody_has_wrong_cards
    own = _own_shortage(seat, role, fact, convention)
    short = pl.when(fact.is_lone_whist).then(fact.pair_shortage).otherwise(own)
    tricks = pl.when(role.has_wrong_cards[seat]).then(WRONG_CARDS).otherwise(number(charged) * short)
    factor = convention.shortage_factor
    return number(fact.whists[seat]) * tricks * fact.price * factor.numerator // factor.denominator


def _own_shortage(seat: str, role: Roles, fact: Facts, convention: Convention) -> pl.Expr:
    """Tricks short of one of two whisters (rules §3.6)."""
    missing = (fact.quota // 2 - role.tricks[seat]).clip(lower_bound=0)
    if convention.shortage_cap == "pair":
        missing = pl.min_horizontal(missing, fact.pair_shortage)
    one_trick = (1 - role.tricks[seat]).clip(lower_bound=0)
    if convention.shortage_payer == "last":
        one_trick = one_trick * number(role.is_last_defender[seat])
    own = pl.when(fact.quota > 1).then(missing).otherwise(one_trick)
    return own if convention.personal_quota else own * number(fact.pair_shortage > 0)


def contract_whists(writer: str, on: str, role: Roles, fact: Facts, convention: Convention) -> pl.Expr:
    """Whists that one seat writes on another: only on the declarer (rules §3.2, §3.4, §3.5, §3.9)."""
    trick_price = fact.price * convention.whist_factor
    half_tricks = _whist_half_tricks(writer, role, fact, convention) + _talon_half_tricks(writer, role, convention)
    written = half_tricks * trick_price // 2 + _consolation(writer, role, fact, convention)
    return number(role.declares[on] & role.is_contract & ~role.is_conceded) * written


def _whist_half_tricks(seat: str, role: Roles, fact: Facts, convention: Convention) -> pl.Expr:
    """Half tricks that a defender writes, counted in halves because gentlemen share (rules §3.2, §3.4)."""
    defence_tricks = TRICKS - role.declarer_tricks
    counted = pl.when(fact.is_lone_whist).then(defence_tricks).otherwise(role.tricks[seat])
    alone = number(fact.whists[seat] & fact.is_played) * counted * 2
    shared = number(role.defends[seat]) * defence_tricks
    left_for_half = by_contract({str(level): tricks for level, tricks in convention.half_whist}) * 2
    for_tricks = (
        pl.when(fact.is_shared).then(shared).otherwise(alone) if convention.lone_whist == "gentleman" else alone
    )
    return for_tricks + number(role.said_half[seat]) * left_for_half


def _consolation(seat: str, role: Roles, fact: Facts, convention: Convention) -> pl.Expr:
    """Whists for the declarer's undertricks (rules §3.5)."""
    if convention.consolation == "none":
        return pl.lit(0, dtype=pl.Int64)
    if convention.consolation == "price":
        each = fact.price * convention.whist_factor
    else:
        each = role.multiplier * (convention.consolation * convention.scale)
    entitled = {
        "all": role.defends[seat],
        "whisters": fact.whists[seat],
        "inviter": fact.whists[seat] & fact.is_lone_whist,
    }[convention.consolation_to]
    if convention.consolation_dealer:
        entitled = entitled | role.sits_out[seat]
    return number(entitled) * fact.undertricks * each


def _talon_half_tricks(seat: str, role: Roles, convention: Convention) -> pl.Expr:
    """Half tricks that are written for the talon's worth (rules §3.9; Mendelev)."""
    half_tricks = pl.lit(0, dtype=pl.Int64)
    if convention.talon_bonus:
        half_tricks = half_tricks + number(role.sits_out[seat]) * 2
    if convention.talon_bonus_three:
        half_tricks = half_tricks + number(role.defends[seat] & (pl.col("players") == 3))
    return half_tricks * pl.col("talon").cast(pl.Int64)
