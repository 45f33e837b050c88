"""A second, independent scorer of Balkan preferans: one deal at a time, exact, as the rules page reads.

Every function says which sentence of section 9 of the rules page (``§9``), or of another section, it follows.
The page is the only source of this module; nothing here is vectorised, cached or shared with any other scorer
of the Balkan game, so that the two can be compared.  A deal is a mapping with the names of the deals table;
switches are any object which has the attributes listed in ``DEFAULTS``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, TypeAlias

from tests import second_scorer

SEATS = ("a", "b", "c")

RANKS = {"spades": 2, "diamonds": 3, "hearts": 4, "clubs": 5, "bettel": 6, "sans": 7}

Deal: TypeAlias = Mapping[str, Any]
Adjustment: TypeAlias = Mapping[str, Any]
Number: TypeAlias = int | Fraction
Pair: TypeAlias = tuple[str, str]

DEFAULTS: dict[str, Any] = {
    "refe_max": ((30, 1), (50, 3)),
    "contra_responsibility": "none",
    "come_quota": "each",
    "spades_without_contra": "played",
    "early_stop": "exact",
}

PRESETS: dict[str, dict[str, Any]] = {"balkan": {}, "slovene": {"spades_without_contra": "refe"}}


def preset(name: str, **changes: Any) -> SimpleNamespace:
    """§9: the switches of the Balkan or of the Slovene game, with further changes."""
    return SimpleNamespace(**{**DEFAULTS, **PRESETS[name], **changes})


# --------------------------------------------------------------------------- the sheet


@dataclass
class Entries:
    """What one deal writes: into the contract column of every seat and the juha of every (writer, on)."""

    contract: dict[str, int]
    juha: dict[Pair, int]


@dataclass
class LedgerRow:
    """One deal as it is written, refe and cut included, adjustments not."""

    deal: int
    scored: bool
    contract: dict[str, int]
    juha: dict[Pair, int]
    doubled: bool = False
    cut: bool = False


@dataclass
class Pulka:
    """The final sheet of a pulka, adjustments included, and its ledger."""

    limit: int
    contract: dict[str, int]
    juha: dict[Pair, int]
    refes: dict[str, int]
    hat: dict[str, bool]
    rounds_of_refes: int = 0
    closed: bool = False
    deals_scored: int = 0
    deals_after_end: int = 0
    ledger: list[LedgerRow] = field(default_factory=list)
    unapplied: list[dict[str, Any]] = field(default_factory=list)


def no_seats() -> dict[str, int]:
    """A zero for every seat."""
    return dict.fromkeys(SEATS, 0)


def no_pairs() -> dict[Pair, int]:
    """A zero for every (writer, on)."""
    return {(i, j): 0 for i in SEATS for j in SEATS if i != j}


def new_sheet(limit: int) -> Pulka:
    """§9: every player has one contract column, starting at -L, and a juha column on each other player."""
    return Pulka(limit, dict.fromkeys(SEATS, -limit), no_pairs(), no_seats(), dict.fromkeys(SEATS, False))


# --------------------------------------------------------------------------- who is who in a deal


def defenders(deal: Deal) -> list[str]:
    """§3: in calling order, the declarer's left neighbour first."""
    place = SEATS.index(deal["declarer"])
    return [SEATS[(place + 1) % 3], SEATS[(place + 2) % 3]]


def tricks(deal: Deal, seat: str) -> int:
    """Tricks in the record; null is none."""
    return int(deal[f"tricks_{seat}"] or 0)


def said(deal: Deal, word: str) -> list[str]:
    """The defenders who made this call, in calling order."""
    return [seat for seat in defenders(deal) if deal[f"call_{seat}"] == word]


def gives_refes(deal: Deal, switches: Any) -> bool:
    """§9 refe: all pass; Slovene: a "two" (spades) which nobody contras."""
    if deal["contract"] == "all_pass":
        return True
    return bool(switches.spades_without_contra == "refe" and deal["contract"] == "spades" and deal["contra"] == 0)


def nobody_comes(deal: Deal) -> bool:
    """§9: both defenders passed, which there is not in bettel."""
    return deal["contract"] != "bettel" and len(said(deal, "pass")) == 2


def made(deal: Deal) -> bool:
    """§9: six or more tricks; bettel none; and nobody comes is made without play."""
    taken = tricks(deal, deal["declarer"])
    if deal["contract"] == "bettel":
        return taken == 0
    return nobody_comes(deal) or taken >= 6


def alone(deal: Deal, switches: Any) -> str | None:
    """§9 `contra_responsibility`: after a contra its sayer, who then writes alone; in bettel he may only fall."""
    if switches.contra_responsibility != "alone" or deal["contra"] == 0 or deal["contract"] == "bettel":
        return None
    return str(deal["contra_by"])


# --------------------------------------------------------------------------- one deal


def price(deal: Deal) -> int:
    """§9: 2 x rank, without the talon 2 x (rank + 1); x 2 per contra step; nothing where all passed."""
    if deal["contract"] == "all_pass":
        return 0
    rank = RANKS[deal["contract"]] + (1 if deal["hand"] else 0)
    return int(2 * rank * 2 ** deal["contra"])


def promises(deal: Deal, switches: Any) -> dict[str, int]:
    """§9: who came answers for two tricks, an inviter for four together; the sayer of contra, alone, for five."""
    sayer = alone(deal, switches)
    if sayer is not None:
        return {sayer: 5}
    return {**dict.fromkeys(said(deal, "come"), 2), **dict.fromkeys(said(deal, "invite"), 4)}


def credited_tricks(deal: Deal, switches: Any) -> dict[str, int]:
    """§9: who came has his own tricks; an inviter, or the sayer of contra alone, all tricks of the defence."""
    together = sum(tricks(deal, seat) for seat in defenders(deal))
    sayer = alone(deal, switches)
    if sayer is not None:
        return {sayer: together}
    if said(deal, "invite"):
        return {said(deal, "invite")[0]: together}
    return {seat: tricks(deal, seat) for seat in said(deal, "come")}


def written_tricks(deal: Deal, switches: Any) -> dict[str, int]:
    """§9: the tricks that each defender writes: five each on a failed bettel, none on a made one."""
    if deal["contract"] == "bettel":
        return {} if made(deal) else dict.fromkeys(defenders(deal), 5)
    credited = credited_tricks(deal, switches)
    return credited if made(deal) else at_most_five(credited)


def at_most_five(credited: Mapping[str, int]) -> dict[str, int]:
    """§9: of a failed contract five tricks together; the larger taker is cut first, equal: the later in order."""
    left = dict(credited)
    while sum(left.values()) > 5:
        most = max(left.values())
        last = [seat for seat, count in left.items() if count == most][-1]
        left[last] -= 1
    return left


def short_defenders(deal: Deal, switches: Any) -> list[str]:
    """§9: only when the contract is made: who has written fewer tricks than he promised.

    Two who both came answer for four together under `come_quota = "pair"`.  In bettel only the sayer of contra,
    where he answers alone.
    """
    if not made(deal) or nobody_comes(deal):
        return []
    if deal["contract"] == "bettel":
        against = deal["contra"] > 0 and switches.contra_responsibility == "alone"
        return [str(deal["contra_by"])] if against else []
    credited = credited_tricks(deal, switches)
    is_pair = len(credited) == 2 and switches.come_quota == "pair"
    if is_pair and sum(credited.values()) >= 4:
        return []
    return [seat for seat, promised in promises(deal, switches).items() if credited[seat] < promised]


def entries_at(deal: Deal, switches: Any, value: int) -> Entries:
    """§9: made + value, failed - value; tricks x value into the juha; short: - value in the own column, once."""
    written = Entries(no_seats(), no_pairs())
    if gives_refes(deal, switches):
        return written
    declarer = deal["declarer"]
    written.contract[declarer] += value if made(deal) else -value
    for seat, count in written_tricks(deal, switches).items():
        written.juha[seat, declarer] += value * count
    for seat in short_defenders(deal, switches):
        written.contract[seat] -= value
    return written


def entries(deal: Deal, switches: Any) -> Entries:
    """§9: what a deal brings as it stands, before refe and cut."""
    return entries_at(deal, switches, price(deal))


# --------------------------------------------------------------------------- a pulka


def most_refes(limit: int, switches: Any) -> int:
    """§9 `refe_max`: L = 50: 3, L = 30: 1; else it must be set."""
    if isinstance(switches.refe_max, int):
        return switches.refe_max
    for of_limit, number in switches.refe_max:
        if of_limit == limit:
            return int(number)
    raise ValueError(f"refe_max does not say how many refes there are in a pulka of {limit}")


def score_pulka(limit: int, deals: Sequence[Deal], switches: Any, adjustments: Iterable[Adjustment] = ()) -> Pulka:
    """§9 the deals with refes, hats and the cut; §8 adjustments; §6 the end is tested once per deal."""
    rounds_allowed = most_refes(limit, switches)
    pulka = new_sheet(limit)
    waiting = [dict(adjustment) for adjustment in adjustments]
    waiting = apply_adjustments(pulka, waiting, after=0)
    for position, deal in enumerate(deals, start=1):
        number = deal.get("deal", position)
        row = LedgerRow(number, not pulka.closed, no_seats(), no_pairs())
        pulka.ledger.append(row)
        if pulka.closed:
            pulka.deals_after_end += 1
            continue
        if gives_refes(deal, switches):
            give_refes(pulka, rounds_allowed)
        else:
            write_game(pulka, row, deal, switches)
        turn_hats(pulka)
        pulka.deals_scored += 1
        waiting = apply_adjustments(pulka, waiting, after=number)
        pulka.closed = sum(pulka.contract.values()) >= 0
    pulka.unapplied = waiting
    return pulka


def give_refes(pulka: Pulka, rounds_allowed: int) -> None:
    """§9: one for every player, unless somebody is under the hat or `refe_max` have been given, spent included."""
    if any(pulka.hat.values()) or pulka.rounds_of_refes >= rounds_allowed:
        return
    pulka.rounds_of_refes += 1
    for seat in SEATS:
        pulka.refes[seat] += 1


def write_game(pulka: Pulka, row: LedgerRow, deal: Deal, switches: Any) -> None:
    """§9: a refe doubles the next game its owner declares, and is spent; the last game is cut."""
    value = price(deal)
    if pulka.refes[deal["declarer"]] > 0:
        pulka.refes[deal["declarer"]] -= 1
        row.doubled = True
        value *= 2
    sum_of_columns = sum(pulka.contract.values())
    if made(deal) and not short_defenders(deal, switches) and sum_of_columns + value > 0:
        row.cut = True
        value = max(0, -sum_of_columns)
    written = entries_at(deal, switches, value)
    for seat, points in written.contract.items():
        pulka.contract[seat] += points
        row.contract[seat] += points
    for pair, count in written.juha.items():
        pulka.juha[pair] += count
        row.juha[pair] += count


def turn_hats(pulka: Pulka) -> None:
    """§9: on when the contract column is above 0, off when below, unchanged at 0."""
    for seat, points in pulka.contract.items():
        if points > 0:
            pulka.hat[seat] = True
        elif points < 0:
            pulka.hat[seat] = False


def apply_adjustments(pulka: Pulka, waiting: list[dict[str, Any]], after: int) -> list[dict[str, Any]]:
    """§8: signed entries, written as they stand; then the hats; returns those which still wait."""
    for adjustment in waiting:
        if adjustment["deal"] != after:
            continue
        if adjustment["entry"] == "contract":
            pulka.contract[adjustment["seat"]] += adjustment["points"]
        else:
            pulka.juha[adjustment["seat"], adjustment["on_seat"]] += adjustment["points"]
    turn_hats(pulka)
    return [adjustment for adjustment in waiting if adjustment["deal"] != after]


# --------------------------------------------------------------------------- settlement


def shares_of_missing(contract: Mapping[str, Number], early_stop: str) -> dict[str, Fraction]:
    """§9 `early_stop`: what the columns lack of 0, in three equal parts; "whole": in whole points.

    Whole shares are the floor, and one more for those with most to pay, of equal debts the first in seat order.
    """
    missing = -sum((Fraction(points) for points in contract.values()), Fraction(0))
    if early_stop == "exact":
        return dict.fromkeys(SEATS, missing / 3)
    share, rest = divmod(second_scorer.whole(missing), 3)
    debtors = sorted(SEATS, key=lambda seat: contract[seat])[:rest]
    return {seat: Fraction(share + (seat in debtors)) for seat in SEATS}


def shared_columns(contract: Mapping[str, Number], early_stop: str) -> dict[str, Fraction]:
    """§9: the contract columns after the missing sum was shared."""
    shares = shares_of_missing(contract, early_stop)
    return {seat: contract[seat] + shares[seat] for seat in SEATS}


def exact_results(
    contract: Mapping[str, Number], juha: Mapping[Pair, Number], early_stop: str = "exact"
) -> dict[str, Fraction]:
    """§9: the missing sum is shared; 10 x contract column + own juha - the others' juha on him."""
    columns = shared_columns(contract, early_stop)
    results = {}
    for seat in SEATS:
        own = sum(count for (writer, _), count in juha.items() if writer == seat)
        of_others = sum(count for (_, on), count in juha.items() if on == seat)
        results[seat] = 10 * columns[seat] + own - of_others
    return results


def settle(
    contract: Mapping[str, Number],
    juha: Mapping[Pair, Number],
    rounding: str = "code",
    code_owner: str = "largest",
    early_stop: str = "exact",
) -> second_scorer.Settlement:
    """§9 by §7: bullet = contract column, mountain 0, whists = juha, weight 10, divisor 3.

    The 10/3 · Σ_j (P_i - P_j) of §7 is 10 · (P_i - ΣP/3): the column after the missing sum was shared equally.
    What is shared in whole points is shared before.  The mountain of the roundings is L - P but for what the
    amnesty takes off, so that no limit is needed.
    """
    columns, sochi = shared_columns(contract, early_stop), second_scorer.preset("sochi")
    return second_scorer.settle(3, 0, columns, no_seats(), juha, sochi, rounding, code_owner)
