"""A second, independent scorer of preferans: one deal at a time, exact, as the rules page reads.

Every function names the section of the rules page (``§``) which it follows.  The page is the only source of
this module; nothing here is vectorised, cached or shared with any other scorer, so that the two can be
compared.  A deal is a mapping with the names of the deals table; a convention is any object which has the
attributes listed in ``DEFAULTS``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, trunc
from types import SimpleNamespace
from typing import Any, TypeAlias

SEATS = ("a", "b", "c", "d")

PRICES = {"6": 2, "7": 4, "8": 6, "9": 8, "10": 10, "misere": 10}
QUOTAS = {"6": 4, "7": 2, "8": 1, "9": 1, "10": 1}

Deal: TypeAlias = Mapping[str, Any]
Adjustment: TypeAlias = Mapping[str, Any]
Number: TypeAlias = int | Fraction
Pair: TypeAlias = tuple[str, str]

DEFAULTS: dict[str, Any] = {
    "scale": 1,
    "whist_factor": 1,
    "remise_factor": 1,
    "misere_factor": 1,
    "shortage_factor": Fraction(1),
    "half_whist": ((6, 2), (7, 1)),
    "lone_whist": "greedy",
    "gentleman_scope": "failed",
    "lone_whist_tricks": "all",
    "failed_tricks": True,
    "consolation": "price",
    "consolation_dealer": True,
    "consolation_to": "all",
    "shortage_cap": "personal",
    "shortage_payer": "last",
    "shortage_split": "own",
    "personal_quota": False,
    "ten": "whisted",
    "talon_bonus": False,
    "talon_bonus_three": False,
    "raspasy_reset": "made",
    "raspasy": "mountain",
    "raspasy_price": 1,
    "ladder": (1, 2, 3),
    "raspasy_amnesty": False,
    "raspasy_whist": 5,
    "raspasy_dealer_bullet": 0,
    "zero_bonus": "step",
    "zero_bonus_to": "bullet",
    "zero_bonus_points": 1,
    "zero_bonus_dealer": True,
    "close": "each",
    "help_rate": 10,
    "help_to": "largest",
    "surplus": "mountain",
    "made_first": "bullet",
    "mountain_weight": 10,
    "bullet_weight": 10,
    "mountain_divisor": "players",
    "bullet_divisor": "players",
    "rounding": "code",
    "code_owner": "largest",
    "code_compensation": "down",
    "code_direction": "down",
}

_LENINGRAD: dict[str, Any] = {
    "whist_factor": 2,
    "remise_factor": 2,
    "misere_factor": 2,
    "shortage_payer": "both",
    "lone_whist": "gentleman",
    "raspasy_price": 2,
    "close": "total",
    "bullet_weight": 20,
}

_ROSTOV: dict[str, Any] = {
    "shortage_factor": Fraction(1, 2),
    "lone_whist": "gentleman",
    "consolation": 10,
    "raspasy": "whists",
    "ladder": (1,),
    "zero_bonus": "one",
    "raspasy_dealer_bullet": 1,
}

PRESETS: dict[str, dict[str, Any]] = {
    "sochi": {},
    "leningrad": _LENINGRAD,
    "rostov": _ROSTOV,
    "leningrad-federation": {
        **_LENINGRAD,
        "talon_bonus": True,
        "talon_bonus_three": True,
        "gentleman_scope": "always",
        "zero_bonus_to": "mountain",
        "zero_bonus_points": 2,
        "zero_bonus_dealer": False,
        "raspasy_reset": "made_whisted",
    },
    "leningrad-tournament": {
        **_LENINGRAD,
        "ten": "checked",
        "zero_bonus_to": "mountain",
        "raspasy_reset": "made_whisted",
    },
    "mendelev": {
        "scale": 10,
        "bullet_weight": 1,
        "mountain_weight": 1,
        "help_rate": 1,
        "consolation_to": "inviter",
        "talon_bonus": True,
        "rounding": "nearest",
    },
    "hussar": {"half_whist": ()},
    "hussar-indivisible": {"half_whist": (), "mountain_divisor": 1, "bullet_divisor": 2},
    "kazakh": {"scale": 4, "consolation_to": "whisters", "personal_quota": True},
    "classic": {"made_first": "mountain", "ladder": (1, 2, 4)},
}


def preset(name: str, **changes: Any) -> SimpleNamespace:
    """§10: a preset's convention, with further changes."""
    return SimpleNamespace(**{**DEFAULTS, **PRESETS[name], **changes})


# --------------------------------------------------------------------------- the table and the sheet


@dataclass
class Entries:
    """What one deal writes: bullet and mountain of every seat, whists of every (writer, on)."""

    bullet: dict[str, int]
    mountain: dict[str, int]
    whists: dict[Pair, int]


@dataclass
class LedgerRow:
    """One deal as it is written: help and write-off included, adjustments not."""

    deal: int
    scored: bool
    bullet: dict[str, int]
    mountain: dict[str, int]
    whists: dict[Pair, int]
    help: dict[Pair, int]


@dataclass
class Pulka:
    """The final sheet of a pulka, adjustments included, and its ledger; a sum agreed on stands in `bullet_total`."""

    players: int
    limit: int
    bullet: dict[str, int]
    mountain: dict[str, int]
    whists: dict[Pair, int]
    closed: bool = False
    deals_scored: int = 0
    deals_after_end: int = 0
    ledger: list[LedgerRow] = field(default_factory=list)
    unapplied: list[dict[str, Any]] = field(default_factory=list)
    bullet_total: int | None = None


@dataclass
class Settlement:
    """§7: the exact result by its parts, the rounded one, the point moved and the rank."""

    from_bullet: dict[str, Fraction]
    from_mountain: dict[str, Fraction]
    from_whists: dict[str, Fraction]
    result: dict[str, Fraction]
    rounded: dict[str, int | None]
    adjusted: dict[str, int]
    rank: dict[str, int]


def seats_at(players: int) -> tuple[str, ...]:
    """§1: the seats of a table, clockwise."""
    return SEATS[:players]


def seats_after(seat: str, players: int) -> list[str]:
    """All other seats, the nearest on the left first."""
    place = SEATS.index(seat)
    return [SEATS[(place + k) % players] for k in range(1, players)]


def no_seats(players: int) -> dict[str, int]:
    """A zero for every seat."""
    return dict.fromkeys(seats_at(players), 0)


def no_pairs(players: int) -> dict[Pair, int]:
    """A zero for every (writer, on)."""
    seats = seats_at(players)
    return {(i, j): 0 for i in seats for j in seats if i != j}


def nothing(players: int) -> Entries:
    """A deal which writes nothing."""
    return Entries(no_seats(players), no_seats(players), no_pairs(players))


def whole(value: Number) -> int:
    """Entries are whole; anything else is a mistake of the convention."""
    if value != int(value):
        raise ValueError(f"{value} is not whole")
    return int(value)


# --------------------------------------------------------------------------- who is who in a deal


def sitting_dealer(deal: Deal) -> str | None:
    """§1: the fourth player, out of this deal."""
    return str(deal["dealer"]) if deal["players"] == 4 else None


def playing_seats(deal: Deal) -> list[str]:
    """The seats that hold cards, from the dealer's left; the sitting dealer is left out."""
    order = [*seats_after(deal["dealer"], deal["players"]), deal["dealer"]]
    return [seat for seat in order if seat != sitting_dealer(deal)]


def defenders(deal: Deal) -> list[str]:
    """§3: in calling order, the declarer's left neighbour first, the sitting dealer skipped."""
    return [s for s in seats_after(deal["declarer"], deal["players"]) if s != sitting_dealer(deal)]


def tricks(deal: Deal, seat: str) -> int:
    """Tricks in the record; null is none."""
    return int(deal[f"tricks_{seat}"] or 0)


def was_played(deal: Deal) -> bool:
    """A contract was played when the record holds its declarer's tricks."""
    return deal[f"tricks_{deal['declarer']}"] is not None


def callers(deal: Deal) -> list[str]:
    """The defenders who said whist, in calling order."""
    return [seat for seat in defenders(deal) if deal[f"call_{seat}"] == "whist"]


def whisting_dealer(deal: Deal) -> str | None:
    """§3.7: the sitting dealer who whists after both defenders passed."""
    dealer = sitting_dealer(deal)
    return dealer if dealer is not None and deal[f"call_{dealer}"] == "whist" else None


def is_checked_ten(deal: Deal, convention: Any) -> bool:
    """§3.7: a played ten that is checked by agreement, or because nobody whisted it; never one of the dealer's."""
    if deal["contract"] != "10" or not was_played(deal) or whisting_dealer(deal) is not None:
        return False
    return convention.ten == "checked" or not callers(deal)


def whisters(deal: Deal, convention: Any) -> list[str]:
    """§3.7: the defenders who said whist; in a checked ten all of them, whatever they called."""
    return defenders(deal) if is_checked_ten(deal, convention) else callers(deal)


def half_whister(deal: Deal, convention: Any) -> tuple[str, int] | None:
    """§3.2: who left for half, and for how many tricks; nobody where `half_whist` lacks the level."""
    levels = dict(convention.half_whist)
    for seat in defenders(deal):
        if deal[f"call_{seat}"] == "half" and int(deal["contract"]) in levels:
            return seat, levels[int(deal["contract"])]
    return None


def undertricks(deal: Deal) -> int:
    """§3: the real undertricks u = max(0, l - t_D)."""
    return max(0, int(deal["contract"]) - tricks(deal, deal["declarer"]))


def defence_tricks(deal: Deal) -> int:
    """§3: the defence's tricks T."""
    return sum(tricks(deal, seat) for seat in defenders(deal))


def unit(deal: Deal, convention: Any) -> int:
    """§2: scale and multiplier together."""
    return int(convention.scale * deal["multiplier"])


def price(deal: Deal, convention: Any) -> int:
    """§2: v = price x scale x multiplier."""
    return PRICES[deal["contract"]] * unit(deal, convention)


# --------------------------------------------------------------------------- one deal


def score_deal(deal: Deal, convention: Any, step: int = 1) -> Entries:
    """§3-§5, §8: the entries of one deal as it stands, before any closing of bullets."""
    entries = nothing(deal["players"])
    if deal["contract"] == "raspasy":
        score_raspasy(deal, convention, step, entries)
    elif deal["contract"] == "misere":
        score_misere(deal, convention, entries)
    elif deal["conceded"]:
        score_concession(deal, convention, entries)
    else:
        score_contract(deal, convention, entries)
    return entries


def score_misere(deal: Deal, convention: Any, entries: Entries) -> None:
    """§4: made, bullet v; failed, mountain v x misere_factor per trick taken; no whists."""
    declarer, value = deal["declarer"], price(deal, convention)
    taken = tricks(deal, declarer)
    if taken == 0:
        entries.bullet[declarer] += value
    else:
        entries.mountain[declarer] += value * convention.misere_factor * taken


def score_concession(deal: Deal, convention: Any, entries: Entries) -> None:
    """§3.8: three down, and nobody writes anything."""
    entries.mountain[deal["declarer"]] += 3 * price(deal, convention) * convention.remise_factor


def score_contract(deal: Deal, convention: Any, entries: Entries) -> None:
    """§3: a contract of 6-10 which was passed out, left for half, or played."""
    half = half_whister(deal, convention)
    if half is not None:
        write_half_whist(deal, convention, entries, *half)
    elif not was_played(deal):
        entries.bullet[deal["declarer"]] += price(deal, convention)
    else:
        write_declarer(deal, convention, entries)
        write_trick_whists(deal, convention, entries)
        write_consolation(deal, convention, entries)
        write_whisters_mountain(deal, convention, entries)
    write_talon_bonus(deal, convention, entries)


def write_half_whist(deal: Deal, convention: Any, entries: Entries, leaver: str, for_tricks: int) -> None:
    """§3.2: made without play; the leaver writes v x whist_factor x tricks."""
    declarer, value = deal["declarer"], price(deal, convention)
    entries.bullet[declarer] += value
    entries.whists[leaver, declarer] += value * convention.whist_factor * for_tricks


def write_declarer(deal: Deal, convention: Any, entries: Entries) -> None:
    """§3.3 made or failed; §8 a declarer with wrong cards is two tricks worse, and never made."""
    declarer, value, down = deal["declarer"], price(deal, convention), undertricks(deal)
    if declarer in deal["wrong_cards"]:
        down += 2
    if down == 0:
        entries.bullet[declarer] += value
    else:
        entries.mountain[declarer] += value * convention.remise_factor * down


def write_trick_whists(deal: Deal, convention: Any, entries: Entries) -> None:
    """§3.4: whists for tricks; nobody writes them on a contract which failed, unless `failed_tricks`."""
    if undertricks(deal) > 0 and not convention.failed_tricks:
        return
    declarer, value = deal["declarer"], price(deal, convention) * convention.whist_factor
    for seat, count in counted_tricks(deal, convention).items():
        entries.whists[seat, declarer] += whole(value * count)


def counted_tricks(deal: Deal, convention: Any) -> dict[str, Number]:
    """§3.4: two whisters their own tricks; a lone one all or his own, shared by a gentleman; §3.7 the dealer all."""
    dealer, whisting, defence = whisting_dealer(deal), whisters(deal, convention), defenders(deal)
    if dealer is not None:
        return {dealer: defence_tricks(deal)}
    if len(whisting) == 2:
        return {seat: tricks(deal, seat) for seat in whisting}
    counted = tricks(deal, whisting[0]) if convention.lone_whist_tricks == "own" else defence_tricks(deal)
    if len(defence) == 2 and lone_whist_is_shared(deal, convention):
        return dict.fromkeys(defence, Fraction(counted, 2))
    return {whisting[0]: counted}


def lone_whist_is_shared(deal: Deal, convention: Any) -> bool:
    """§3.4: by a gentleman when the contract really failed (§8: not for a penalty alone), or always."""
    if convention.lone_whist != "gentleman":
        return False
    return undertricks(deal) > 0 or convention.gentleman_scope == "always"


def write_consolation(deal: Deal, convention: Any, entries: Entries) -> None:
    """§3.5: whists on the declarer for his real undertricks."""
    if convention.consolation == "none":
        return
    if convention.consolation == "price":
        each = price(deal, convention) * convention.whist_factor
    else:
        each = convention.consolation * unit(deal, convention)
    for seat in consoled(deal, convention):
        entries.whists[seat, deal["declarer"]] += each * undertricks(deal)


def consoled(deal: Deal, convention: Any) -> list[str]:
    """§3.5: who writes consolation: all defenders, the whisters, or the inviter; and the sitting dealer.

    §3.7: a sitting dealer who whists writes it in any case, and the passers only under "all".
    """
    if (whister := whisting_dealer(deal)) is not None:
        return [*defenders(deal), whister] if convention.consolation_to == "all" else [whister]
    whisting = whisters(deal, convention)
    if convention.consolation_to == "all":
        receivers = defenders(deal)
    elif convention.consolation_to == "whisters":
        receivers = whisting
    else:
        receivers = whisting if len(whisting) == 1 else []
    dealer = sitting_dealer(deal)
    if dealer is not None and convention.consolation_dealer:
        return [*receivers, dealer]
    return list(receivers)


def write_whisters_mountain(deal: Deal, convention: Any, entries: Entries) -> None:
    """§3.6 the shortage, never of a dealer (§3.7); §8 with wrong cards two tricks for each such whister, no more."""
    each = price(deal, convention) * convention.shortage_factor
    if deal["wrong_cards"]:
        short = {seat: Fraction(2) for seat in defenders(deal) if seat in deal["wrong_cards"]}
    elif undertricks(deal) > 0 or is_checked_ten(deal, convention) or whisting_dealer(deal) is not None:
        short = {}
    else:
        short = shortages(deal, convention)
    for seat, count in short.items():
        entries.mountain[seat] += whole(each * count)


def shortages(deal: Deal, convention: Any) -> dict[str, Fraction]:
    """§3.6: tricks of shortage of each whister when the contract is made; two share by `shortage_split`."""
    whisting = callers(deal)
    pair_short = Fraction(max(0, QUOTAS[deal["contract"]] - defence_tricks(deal)))
    if len(whisting) == 1 or convention.shortage_split == "whole":
        return dict.fromkeys(whisting, pair_short)
    if convention.shortage_split == "half":
        return dict.fromkeys(whisting, pair_short / 2)
    return own_shortages(deal, convention, pair_short)


def own_shortages(deal: Deal, convention: Any, pair_short: Fraction) -> dict[str, Fraction]:
    """§3.6: two whisters each for his own quota; on 8-10 the last, or both; nobody if the pair has its quota."""
    whisting, quota = callers(deal), QUOTAS[deal["contract"]]
    if pair_short == 0 and not convention.personal_quota:
        return {}
    if quota >= 2:
        own = {seat: Fraction(max(0, quota // 2 - tricks(deal, seat))) for seat in whisting}
    else:
        payers = whisting[-1:] if convention.shortage_payer == "last" else whisting
        own = {seat: Fraction(max(0, 1 - tricks(deal, seat))) for seat in payers}
    if convention.shortage_cap == "pair" and not convention.personal_quota:
        own = {seat: min(count, pair_short) for seat, count in own.items()}
    return own


def write_talon_bonus(deal: Deal, convention: Any, entries: Entries) -> None:
    """§3.9: the sitting dealer the talon's worth; with three players each opponent half of it."""
    declarer, dealer = deal["declarer"], sitting_dealer(deal)
    worth = price(deal, convention) * convention.whist_factor * deal["talon"]
    if dealer is not None and convention.talon_bonus:
        entries.whists[dealer, declarer] += worth
    if deal["players"] == 3 and convention.talon_bonus_three:
        for seat in defenders(deal):
            entries.whists[seat, declarer] += whole(Fraction(worth, 2))


# --------------------------------------------------------------------------- raspasy


def step_price(deal: Deal, convention: Any, step: int) -> int:
    """§5: p = raspasy_price x scale x multiplier x ladder[min(step, len)]."""
    rung = convention.ladder[min(step, len(convention.ladder)) - 1]
    return int(convention.raspasy_price * unit(deal, convention) * rung)


def score_raspasy(deal: Deal, convention: Any, step: int, entries: Entries) -> None:
    """§5: all passed."""
    if convention.raspasy == "mountain":
        write_raspasy_mountain(deal, convention, step, entries)
    else:
        write_raspasy_whists(deal, convention, entries)
        if sitting_dealer(deal) is not None:
            entries.bullet[deal["dealer"]] += convention.raspasy_dealer_bullet * unit(deal, convention)
    write_zero_bonus(deal, convention, step, entries)


def write_raspasy_mountain(deal: Deal, convention: Any, step: int, entries: Entries) -> None:
    """§5: everybody p per trick, the talon's tricks the sitting dealer; amnesty takes the smallest off."""
    taken = {seat: tricks(deal, seat) for seat in seats_at(deal["players"])}
    forgiven = min(taken.values()) if convention.raspasy_amnesty else 0
    for seat, count in taken.items():
        entries.mountain[seat] += step_price(deal, convention, step) * (count - forgiven)


def write_raspasy_whists(deal: Deal, convention: Any, entries: Entries) -> None:
    """§5 (Rostov): the fewest tricks write on the others; two who tie halve; three write nothing."""
    order = playing_seats(deal)
    fewest = min(tricks(deal, seat) for seat in order)
    winners = [seat for seat in order if tricks(deal, seat) == fewest]
    each = convention.raspasy_whist * unit(deal, convention)
    for loser in (seat for seat in order if seat not in winners):
        amount = each * tricks(deal, loser)
        if len(winners) == 1:
            entries.whists[winners[0], loser] += amount
        else:
            entries.whists[winners[0], loser] += amount - amount // 2
            entries.whists[winners[1], loser] += amount // 2


def write_zero_bonus(deal: Deal, convention: Any, step: int, entries: Entries) -> None:
    """§5: no real trick: p, or scale x multiplier, into the bullet or off the mountain."""
    if convention.zero_bonus == "none":
        return
    amount = unit(deal, convention) if convention.zero_bonus == "one" else step_price(deal, convention, step)
    for seat in zero_bonus_seats(deal, convention):
        if tricks(deal, seat) > 0:
            continue
        if convention.zero_bonus_to == "bullet":
            entries.bullet[seat] += amount
        else:
            entries.mountain[seat] -= convention.zero_bonus_points * amount


def zero_bonus_seats(deal: Deal, convention: Any) -> list[str]:
    """§5: the playing seats; the sitting dealer too in mountain raspasy, if `zero_bonus_dealer`."""
    dealer = sitting_dealer(deal)
    if dealer is not None and convention.raspasy == "mountain" and convention.zero_bonus_dealer:
        return [*playing_seats(deal), dealer]
    return playing_seats(deal)


def ends_raspasy_run(deal: Deal, convention: Any) -> bool:
    """§5: whether a deal ends the run of raspasy; a raspasy itself never does."""
    if deal["contract"] == "raspasy":
        return False
    if convention.raspasy_reset == "any":
        return True
    if convention.raspasy_reset == "whisted":
        return was_whisted(deal, convention)
    return declarer_made(deal) and (convention.raspasy_reset == "made" or was_whisted(deal, convention))


def was_whisted(deal: Deal, convention: Any) -> bool:
    """§5: a played contract of 6-10 with a whister, or a checked ten; §3.7 the sitting dealer's whist is one."""
    if deal["contract"] not in QUOTAS or not was_played(deal):
        return False
    return bool(whisters(deal, convention)) or whisting_dealer(deal) is not None


def declarer_made(deal: Deal) -> bool:
    """§5: the declarer's entry went to the bullet: made, passed out, half whist, misère."""
    if deal["conceded"] or deal["declarer"] in deal["wrong_cards"]:
        return False
    if deal["contract"] == "misere":
        return tricks(deal, deal["declarer"]) == 0
    return not was_played(deal) or undertricks(deal) == 0


def raspasy_steps(deals: Sequence[Deal], convention: Any) -> list[int]:
    """§5: every deal's step: the position in its run for raspasy, 1 for any other deal."""
    steps: list[int] = []
    run = 0
    for deal in deals:
        if deal["contract"] == "raspasy":
            run += 1
            steps.append(run)
        else:
            run = 0 if ends_raspasy_run(deal, convention) else run
            steps.append(1)
    return steps


# --------------------------------------------------------------------------- a pulka


def score_pulka(
    players: int,
    limit: int | None,
    deals: Sequence[Deal],
    convention: Any,
    adjustments: Iterable[Adjustment] = (),
    *,
    bullet_total: int | None = None,
) -> Pulka:
    """§6: all deals of a pulka with help, write-off, adjustments and the end.

    §9, indivisible mountain: an odd limit, which would write half points, is refused.
    """
    if limit is None and bullet_total is None:
        raise ValueError("neither a limit nor a sum says where the pulka ends")
    limit = limit_of(players, limit, convention, bullet_total)
    writes_off = convention.close == "each" and convention.surplus == "mountain"
    if writes_off and bullet_in_mountain(players, convention).denominator == 2 and limit % 2 == 1:
        raise ValueError("half points: the limit")
    pulka = Pulka(players, limit, no_seats(players), no_seats(players), no_pairs(players), bullet_total=bullet_total)
    waiting = [dict(adjustment) for adjustment in adjustments]
    waiting = apply_adjustments(pulka, waiting, after=0)
    for position, (deal, step) in enumerate(zip(deals, raspasy_steps(deals, convention), strict=True), start=1):
        number = deal.get("deal", position)
        row = LedgerRow(
            number,
            not pulka.closed,
            no_seats(players),
            no_seats(players),
            no_pairs(players),
            no_pairs(players),
        )
        pulka.ledger.append(row)
        if pulka.closed:
            pulka.deals_after_end += 1
            continue
        write_deal(pulka, row, deal, score_deal(deal, convention, step), convention)
        pulka.deals_scored += 1
        waiting = apply_adjustments(pulka, waiting, after=number)
        pulka.closed = is_over(pulka, convention)
    pulka.unapplied = waiting
    return pulka


def limit_of(players: int, limit: int | None, convention: Any, bullet_total: int | None = None) -> int:
    """§6: L; with a sum agreed on its n-th part under "each"; under "total" it may be missing, and §7 needs none."""
    if convention.close == "total":
        return 0 if limit is None else limit
    if bullet_total is not None:
        if bullet_total % players != 0:
            raise ValueError(f"no whole limit: a sum of {bullet_total} for {players} players")
        return bullet_total // players
    if limit is None:
        raise ValueError("no limit")
    return limit


def apply_adjustments(pulka: Pulka, waiting: list[dict[str, Any]], after: int) -> list[dict[str, Any]]:
    """§8: signed entries, written as they stand; returns those which still wait."""
    for adjustment in waiting:
        if adjustment["deal"] != after:
            continue
        seat, points = adjustment["seat"], adjustment["points"]
        if adjustment["entry"] == "bullet":
            pulka.bullet[seat] += points
        elif adjustment["entry"] == "mountain":
            pulka.mountain[seat] += points
        else:
            pulka.whists[seat, adjustment["on_seat"]] += points
    return [adjustment for adjustment in waiting if adjustment["deal"] != after]


def write_deal(pulka: Pulka, row: LedgerRow, deal: Deal, entries: Entries, convention: Any) -> None:
    """§6: mountains and whists are added; bullets are placed from the dealer's left, the dealer last."""
    for seat, points in entries.mountain.items():
        write_mountain(pulka, row, seat, points)
    for (writer, on), count in entries.whists.items():
        write_whists(pulka, row, writer, on, count)
    for seat in [*seats_after(deal["dealer"], pulka.players), deal["dealer"]]:
        points = entries.bullet[seat]
        if convention.made_first == "mountain" and seat == deal["declarer"]:
            points = write_made_off_mountain(pulka, row, seat, points)
        if points > 0:
            place_bullet(pulka, row, seat, points, convention)


def write_bullet(pulka: Pulka, row: LedgerRow, seat: str, points: int) -> None:
    """Points into a bullet, on the sheet and in the ledger."""
    pulka.bullet[seat] += points
    row.bullet[seat] += points


def write_mountain(pulka: Pulka, row: LedgerRow, seat: str, points: int) -> None:
    """Points into a mountain, on the sheet and in the ledger."""
    pulka.mountain[seat] += points
    row.mountain[seat] += points


def write_whists(pulka: Pulka, row: LedgerRow, writer: str, on: str, count: int) -> None:
    """Whists of a writer on another, on the sheet and in the ledger."""
    pulka.whists[writer, on] += count
    row.whists[writer, on] += count


def write_made_off_mountain(pulka: Pulka, row: LedgerRow, seat: str, points: int) -> int:
    """§6 (Classic): a made game comes off the own mountain first, never below zero; returns the rest."""
    taken = min(points, max(0, pulka.mountain[seat]))
    write_mountain(pulka, row, seat, -taken)
    return points - taken


def place_bullet(pulka: Pulka, row: LedgerRow, seat: str, points: int, convention: Any) -> None:
    """§6: one entry, placed whole: own bullet, help, mountain."""
    if convention.close == "total":
        write_bullet(pulka, row, seat, points)
        return
    own = min(points, room(pulka, seat))
    write_bullet(pulka, row, seat, own)
    rest = points - own
    while rest > 0 and (helped := whom_to_help(pulka, seat, convention)) is not None:
        given = min(rest, room(pulka, helped))
        write_bullet(pulka, row, helped, given)
        write_whists(pulka, row, seat, helped, convention.help_rate * given)
        row.help[seat, helped] += given
        rest -= given
    if rest > 0:
        write_surplus(pulka, row, seat, rest, convention)


def room(pulka: Pulka, seat: str) -> int:
    """§6: what a bullet lacks of L; a bullet at or above L is closed."""
    return max(0, pulka.limit - pulka.bullet[seat])


def whom_to_help(pulka: Pulka, helper: str, convention: Any) -> str | None:
    """§6: the opponent whose open bullet takes the help; equal ones: nearest on the helper's left."""
    candidates = [seat for seat in seats_after(helper, pulka.players) if room(pulka, seat) > 0]
    if not candidates:
        return None
    if convention.help_to == "clockwise":
        return candidates[0]
    if convention.help_to == "smallest":
        return min(candidates, key=lambda seat: pulka.bullet[seat])
    return max(candidates, key=lambda seat: pulka.bullet[seat])


def write_surplus(pulka: Pulka, row: LedgerRow, seat: str, points: int, convention: Any) -> None:
    """§6: everybody closed: off the own mountain, or one of the habits which 4.1.1 calls wrong."""
    if convention.surplus == "mountain":
        written_off = points * bullet_in_mountain(pulka.players, convention)
        if written_off.denominator != 1:
            raise ValueError("half points")
        write_mountain(pulka, row, seat, -int(written_off))
    elif convention.surplus == "full":
        write_mountain(pulka, row, seat, -points)
    elif convention.surplus == "whists":
        count = half_up(Fraction(points * convention.bullet_weight, pulka.players - 1))
        for other in seats_after(seat, pulka.players):
            write_whists(pulka, row, seat, other, count)


def is_over(pulka: Pulka, convention: Any) -> bool:
    """§6: every bullet at L, or the sum of bullets at n x L, or at the sum that the table agreed on."""
    if convention.close == "total":
        end = pulka.players * pulka.limit if pulka.bullet_total is None else pulka.bullet_total
        return sum(pulka.bullet.values()) >= end
    return all(points >= pulka.limit for points in pulka.bullet.values())


# --------------------------------------------------------------------------- settlement


def divisor(name: str | int, players: int) -> int:
    """§7: n, n - 1, or a number."""
    if name == "players":
        return players
    if name == "players-1":
        return players - 1
    return int(name)


def bullet_share(players: int, convention: Any) -> Fraction:
    """§7: whists of one bullet point between two players."""
    return Fraction(convention.bullet_weight, divisor(convention.bullet_divisor, players))


def mountain_share(players: int, convention: Any) -> Fraction:
    """§7: whists of one mountain point between two players."""
    return Fraction(convention.mountain_weight, divisor(convention.mountain_divisor, players))


def bullet_in_mountain(players: int, convention: Any) -> Fraction:
    """§7: r, a bullet point in mountain points."""
    return bullet_share(players, convention) / mountain_share(players, convention)


def half_up(value: Number) -> int:
    """§7: floor(x + 1/2), below zero too."""
    return floor(value + Fraction(1, 2))


def against_all(values: Mapping[str, Number], seats: Sequence[str]) -> dict[str, Fraction]:
    """Σ_j (x_i - x_j) for every seat i."""
    return {i: sum((Fraction(values[i]) - values[j] for j in seats), Fraction(0)) for i in seats}


def whist_balance(whists: Mapping[Pair, Number], seats: Sequence[str]) -> dict[str, Fraction]:
    """Σ_j (W_ij - W_ji) for every seat i."""
    return {i: sum((Fraction(whists[i, j]) - whists[j, i] for j in seats if j != i), Fraction(0)) for i in seats}


def settle(
    players: int,
    limit: int | None,
    bullet: Mapping[str, Number],
    mountain: Mapping[str, Number],
    whists: Mapping[Pair, Number],
    convention: Any,
    rounding: str | None = None,
    code_owner: str | None = None,
    *,
    bullet_total: int | None = None,
) -> Settlement:
    """§7: the exact settlement of a sheet, and its rounding; the amnesty takes L out again."""
    seats, limit = seats_at(players), limit_of(players, limit, convention, bullet_total)
    per_bullet, per_mountain = bullet_share(players, convention), mountain_share(players, convention)
    from_bullet = {s: per_bullet * x for s, x in against_all(bullet, seats).items()}
    from_mountain = {s: -per_mountain * x for s, x in against_all(mountain, seats).items()}
    from_whists = whist_balance(whists, seats)
    result = {s: from_bullet[s] + from_mountain[s] + from_whists[s] for s in seats}
    table = Remainders(players, mountains_after_amnesty(players, limit, bullet, mountain, convention), from_whists)
    totals, adjusted = rounded_totals(
        table, convention, rounding or convention.rounding, code_owner or convention.code_owner
    )
    rank = {s: 1 + sum(other > result[s] for other in result.values()) for s in seats}
    return Settlement(from_bullet, from_mountain, from_whists, result, totals, adjusted, rank)


@dataclass
class Remainders:
    """§7, before rounding: every mountain after the amnesty, and every whist balance."""

    players: int
    mountain: dict[str, Fraction]
    balance: dict[str, Fraction]


def mountains_after_amnesty(
    players: int,
    limit: int,
    bullet: Mapping[str, Number],
    mountain: Mapping[str, Number],
    convention: Any,
) -> dict[str, Fraction]:
    """§7: M' = M + r (L - P), then m = M' - min M'."""
    r = bullet_in_mountain(players, convention)
    carried = {s: mountain[s] + r * (limit - bullet[s]) for s in seats_at(players)}
    return {s: carried[s] - min(carried.values()) for s in carried}


def all_whole(values: Iterable[Fraction]) -> bool:
    """Whether no value has a fraction."""
    return all(Fraction(value).denominator == 1 for value in values)


def total_by_shares(shares: Mapping[str, Number], balance: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """§7: every other player writes a mountain's share on its owner; then the whist balance."""
    seats = list(shares)
    return {s: balance[s] - x for s, x in against_all(shares, seats).items()}


def moved_totals(table: Remainders, moves: Mapping[str, int], convention: Any) -> dict[str, Fraction]:
    """§7: the totals after mountains were moved by a point, with the whists that compensate for it."""
    per_point = mountain_share(table.players, convention)
    compensation = compensating_whists(table.players, convention)
    totals = total_by_shares({s: per_point * (m + moves.get(s, 0)) for s, m in table.mountain.items()}, table.balance)
    for owner, move in moves.items():
        for other in seats_after(owner, table.players):
            totals[other] -= move * compensation
            totals[owner] += move * compensation
    return totals


def compensating_whists(players: int, convention: Any) -> int:
    """§7 `code_compensation`: trunc(mountain_weight / n) whists, or with four players the next whole number up."""
    each = Fraction(convention.mountain_weight, players)
    return ceil(each) if players == 4 and convention.code_compensation == "up" else floor(each)


def rounded_totals(
    table: Remainders, convention: Any, rounding: str, code_owner: str
) -> tuple[dict[str, int | None], dict[str, int]]:
    """§7: the rounded totals, none where one of them is not whole, and the points moved."""
    per_point = mountain_share(table.players, convention)
    shares = {s: per_point * m for s, m in table.mountain.items()}
    totals = total_by_shares(shares, table.balance)
    moves: dict[str, int] = {}
    if rounding == "code":
        moves = code_move(table, convention, code_owner)
        totals = moved_totals(table, moves, convention)
    elif rounding == "code-every-mountain":
        moves = every_mountain_moves(table, convention)
        totals = moved_totals(table, moves, convention)
    elif rounding == "nearest":
        totals = total_by_shares({s: half_up(x) for s, x in shares.items()}, table.balance)
    elif rounding == "truncate":
        totals = total_by_shares({s: floor(x) for s, x in shares.items()}, table.balance)
    elif rounding == "total-half-up":
        totals = {s: Fraction(half_up(x)) for s, x in totals.items()}
    elif rounding == "total-half-even":
        totals = {s: Fraction(round(x)) for s, x in totals.items()}
    elif rounding == "total-truncate":
        totals = {s: Fraction(trunc(x)) for s, x in totals.items()}
    elif rounding != "exact":
        raise ValueError(f"no such rounding: {rounding}")
    adjusted = {s: moves.get(s, 0) for s in totals}
    if rounding == "exact" or not all_whole(totals.values()):
        return dict.fromkeys(totals), adjusted
    return {s: int(x) for s, x in totals.items()}, adjusted


def code_move(table: Remainders, convention: Any, code_owner: str) -> dict[str, int]:
    """§7 `code`: the first of two points that makes every total whole; nothing if none does, or none need."""
    if all_whole(moved_totals(table, {}, convention).values()):
        return {}
    owner = owner_of_the_point(table, convention, code_owner)
    if owner is None:
        return {}
    for point in points_to_try(table, convention):
        if all_whole(moved_totals(table, {owner: point}, convention).values()):
            return {owner: point}
    return {}


def points_to_try(table: Remainders, convention: Any) -> tuple[int, int]:
    """§7 `code_direction`: -1, then +1; "nearest" with four players: +1 first where Σm mod 4 is above 2."""
    nearest = table.players == 4 and convention.code_direction == "nearest"
    return (+1, -1) if nearest and sum(table.mountain.values()) % 4 > 2 else (-1, +1)


def owner_of_the_point(table: Remainders, convention: Any, code_owner: str) -> str | None:
    """§7: the largest (smallest) mountain whose own share is not whole, equal: first in seat order."""
    if code_owner not in ("largest", "smallest"):
        return code_owner if code_owner in table.mountain else None
    per_point = mountain_share(table.players, convention)
    uneven = [s for s, m in table.mountain.items() if (per_point * m).denominator != 1]
    if not uneven:
        return None
    choose = max if code_owner == "largest" else min
    return choose(uneven, key=lambda s: table.mountain[s])


def every_mountain_moves(table: Remainders, convention: Any) -> dict[str, int]:
    """§7 `code-every-mountain`: every mountain whose share is not whole, by the first point that helps it."""
    per_point = mountain_share(table.players, convention)
    moves: dict[str, int] = {}
    for seat, m in table.mountain.items():
        if (per_point * m).denominator == 1:
            continue
        for point in (-1, +1):
            if (per_point * (m + point)).denominator == 1:
                moves[seat] = point
                break
    return moves


# --------------------------------------------------------------------------- invariance


def value_in_whists(
    players: int,
    bullet: Mapping[str, Number],
    mountain: Mapping[str, Number],
    whists: Mapping[Pair, Number],
    convention: Any,
) -> dict[str, Fraction]:
    """§7: the one line, for the columns of a deal or of a sheet."""
    seats = seats_at(players)
    bullets, mountains = against_all(bullet, seats), against_all(mountain, seats)
    balance = whist_balance(whists, seats)
    per_bullet, per_mountain = bullet_share(players, convention), mountain_share(players, convention)
    return {s: per_bullet * bullets[s] - per_mountain * mountains[s] + balance[s] for s in seats}


def deal_value(entries: Entries, players: int, convention: Any) -> dict[str, Fraction]:
    """§6 invariance: what a deal is worth to every player, in whists, whatever the state of the pulka."""
    return value_in_whists(players, entries.bullet, entries.mountain, entries.whists, convention)


def uncapped_result(
    players: int,
    limit: int | None,
    deals: Sequence[Deal],
    convention: Any,
    adjustments: Iterable[Adjustment] = (),
    *,
    bullet_total: int | None = None,
) -> dict[str, Fraction]:
    """§6 invariance: the values of the scored deals and of the applied adjustments, added up."""
    adjustments = list(adjustments)
    pulka = score_pulka(players, limit, deals, convention, adjustments, bullet_total=bullet_total)
    steps = raspasy_steps(deals, convention)
    scored = [row.deal for row in pulka.ledger if row.scored]
    written = Pulka(players, pulka.limit, no_seats(players), no_seats(players), no_pairs(players))
    for after in [0, *scored]:
        apply_adjustments(written, [dict(adjustment) for adjustment in adjustments], after)
    total = value_in_whists(players, written.bullet, written.mountain, written.whists, convention)
    for deal, step in list(zip(deals, steps, strict=True))[: len(scored)]:
        value = deal_value(score_deal(deal, convention, step), players, convention)
        total = {seat: total[seat] + value[seat] for seat in total}
    return total
