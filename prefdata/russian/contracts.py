"""What a contract of 6-10 or a misère brings (rules §2, §3, §4), as expressions.

One function for each entry; each clause in them is one sentence of the rules.  All work in Int64, so that no narrow
type of a column can wrap.  They are zero in raspasy and never null.
"""

from __future__ import annotations

import polars as pl

from prefdata.conventions import Convention
from prefdata.outcomes.staging import number
from prefdata.russian.facts import Facts, Ruling, by_contract
from prefdata.russian.vocabulary import CONCESSION, WRONG_CARDS
from prefdata.vocabulary import SEATS, TRICKS

__all__ = ["contract_bullet", "contract_mountain", "contract_whists", "is_whisted_and_made"]


def is_whisted_and_made(fact: Facts, ruling: Ruling) -> pl.Expr:
    """Whether a contract was whisted and made; a made checked ten counts as one (rules §5)."""
    return ruling.is_bullet_entry & fact.is_played


def contract_bullet(seat: str, fact: Facts, ruling: Ruling) -> pl.Expr:
    """Bullet of a seat: the price of the declarer's made contract (rules §3.1-3, §4; Code 4.2.1, 4.2.3.2)."""
    return number(fact.declares[seat] & ruling.is_bullet_entry) * ruling.price


def contract_mountain(seat: str, fact: Facts, ruling: Ruling, convention: Convention) -> pl.Expr:
    """Mountain of a seat: the declarer's remise, or a whister's shortage (rules §3.3, §3.6, §3.8, §4, §8)."""
    remise = _remise(fact, ruling, convention)
    return pl.when(fact.declares[seat]).then(remise).otherwise(_shortage(seat, fact, ruling, convention))


def _remise(fact: Facts, ruling: Ruling, convention: Convention) -> pl.Expr:
    """Declarer's penalty: undertricks, three for a concession, two more for wrong cards (rules §3.3, §3.8, §8)."""
    given_up = number(fact.is_conceded) * CONCESSION
    tricks_short = ruling.undertricks + given_up + number(ruling.declarer_has_wrong_cards) * WRONG_CARDS
    contract = number(fact.is_contract) * tricks_short * convention.remise_factor
    misere = number(fact.is_misere) * fact.declarer_tricks * convention.misere_factor
    return (contract + misere) * ruling.price


def _shortage(seat: str, fact: Facts, ruling: Ruling, convention: Convention) -> pl.Expr:
    """Whister's penalty for missing tricks of a made contract, or for wrong cards (rules §3.6, §8; Code 4.2.1)."""
    charged = fact.is_played & (ruling.undertricks == 0) & ~ruling.is_checked & ~ruling.anybody_has_wrong_cards
    of_two = _half_tricks_of_two(seat, fact, ruling, convention)
    short = pl.when(ruling.is_lone_whist).then(ruling.pair_shortage * 2).otherwise(of_two)
    half_tricks = pl.when(fact.has_wrong_cards[seat]).then(2 * WRONG_CARDS).otherwise(number(charged) * short)
    factor = convention.shortage_factor / 2
    return number(ruling.whists[seat]) * half_tricks * ruling.price * factor.numerator // factor.denominator


def _half_tricks_of_two(seat: str, fact: Facts, ruling: Ruling, convention: Convention) -> pl.Expr:
    """Half tricks that one of two whisters pays for: what he is short himself, or what the pair is (rules §3.6)."""
    if convention.shortage_split == "own":
        return _own_shortage(seat, fact, ruling, convention) * 2
    return ruling.pair_shortage * (2 if convention.shortage_split == "whole" else 1)


def _own_shortage(seat: str, fact: Facts, ruling: Ruling, convention: Convention) -> pl.Expr:
    """Tricks that one of two whisters is short himself (rules §3.6)."""
    missing = (ruling.quota // 2 - fact.tricks[seat]).clip(lower_bound=0)
    if convention.shortage_cap == "pair":
        missing = pl.min_horizontal(missing, ruling.pair_shortage)
    one_trick = (1 - fact.tricks[seat]).clip(lower_bound=0)
    if convention.shortage_payer == "last":
        one_trick = one_trick * number(fact.is_last_defender[seat])
    own = pl.when(ruling.quota > 1).then(missing).otherwise(one_trick)
    return own if convention.personal_quota else own * number(ruling.pair_shortage > 0)


def contract_whists(writer: str, on: str, fact: Facts, ruling: Ruling, convention: Convention) -> pl.Expr:
    """Whists that one seat writes on another: only on the declarer (rules §3.2, §3.4, §3.5, §3.7, §3.9)."""
    trick_price = ruling.price * convention.whist_factor
    half_tricks = _whist_half_tricks(writer, fact, ruling, convention) + _talon_half_tricks(writer, fact, convention)
    written = half_tricks * trick_price // 2 + _consolation(writer, fact, ruling, convention)
    return number(fact.declares[on] & fact.is_contract & ~fact.is_conceded) * written


def _whist_half_tricks(seat: str, fact: Facts, ruling: Ruling, convention: Convention) -> pl.Expr:
    """Half tricks that a defender writes, counted in halves because gentlemen share (rules §3.2, §3.4, §3.7)."""
    defence_tricks = TRICKS - fact.declarer_tricks
    of_lone = defence_tricks
    if convention.lone_whist_tricks == "own":
        of_lone = pl.sum_horizontal(*(number(ruling.whists[one]) * fact.tricks[one] for one in SEATS))
    counted = pl.when(ruling.is_lone_whist).then(of_lone).otherwise(fact.tricks[seat])
    for_tricks = number(ruling.whists[seat] & fact.is_played) * counted * 2
    if convention.lone_whist == "gentleman":
        for_tricks = pl.when(ruling.is_shared).then(number(fact.defends[seat]) * of_lone).otherwise(for_tricks)
    for_tricks = for_tricks + number(fact.whists_from_talon[seat]) * defence_tricks * 2
    if not convention.failed_tricks:
        for_tricks = for_tricks * number(ruling.undertricks == 0)
    left_for_half = by_contract({str(level): tricks for level, tricks in convention.half_whist}) * 2
    return for_tricks + number(fact.said_half[seat]) * left_for_half


def _consolation(seat: str, fact: Facts, ruling: Ruling, convention: Convention) -> pl.Expr:
    """Whists for the declarer's undertricks (rules §3.5)."""
    if convention.consolation == "none":
        return pl.lit(0, dtype=pl.Int64)
    if convention.consolation == "price":
        each = ruling.price * convention.whist_factor
    else:
        each = fact.multiplier * (convention.consolation * convention.scale)
    entitled = {
        "all": fact.defends[seat],
        "whisters": ruling.whists[seat],
        "inviter": ruling.whists[seat] & ruling.is_lone_whist,
    }[convention.consolation_to]
    if convention.consolation_dealer:
        entitled = entitled | fact.sits_out[seat]
    entitled = entitled | fact.whists_from_talon[seat]
    return number(entitled) * ruling.undertricks * each


def _talon_half_tricks(seat: str, fact: Facts, convention: Convention) -> pl.Expr:
    """Half tricks that are written for the talon's worth (rules §3.9; Mendelev)."""
    half_tricks = pl.lit(0, dtype=pl.Int64)
    if convention.talon_bonus:
        half_tricks = half_tricks + number(fact.sits_out[seat]) * 2
    if convention.talon_bonus_three:
        half_tricks = half_tricks + number(fact.defends[seat] & (pl.col("players") == 3))
    return half_tricks * pl.col("talon").cast(pl.Int64)
