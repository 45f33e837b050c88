"""A record of a deal in Portable Preferans Notation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from prefdata.balkan.vocabulary import RANKS, SEATS, contract_column, juha_column
from prefdata.errors import printable
from prefdata.readers._games import UnreadableError
from prefdata.vocabulary import call_column, tricks_column

__all__ = ["SEATS_BY_NUMBER", "Line", "read_deal"]

SEATS_BY_NUMBER = {str(number): seat for number, seat in enumerate(SEATS, start=1)}
"""Seats by the numbers of the players in the notation."""

_GAMES = {str(rank): name for name, rank in RANKS.items()}
_CONTRAS = {sign: steps for steps, sign in enumerate("KRSM", start=1)}
_PARTS = (14, 13)
_OF_DECLARER = r"M(?P<tricks>10|[0-9]):(?P<middle>[+-]?[0-9]{1,9})"
_OF_DEFENDER = r"F(?P<tricks>10|[0-9])(?::[LR](?P<left>[0-9]{1,9}))?(?::(?P<middle>[0-9]{1,9}))?"
_LONGEST_SHOWN = 70


@dataclass(frozen=True)
class Line:
    """What stands between brackets, and the line of the file where it does."""

    row: int
    text: str

    @property
    def is_deal(self) -> bool:
        """Whether it is a deal rather than a tag."""
        return self.text[:1].isdigit()

    def refuse(self, what: str, reason: str) -> NoReturn:
        """Set its game aside.

        Raises
        ------
        UnreadableError
            Always.
        """
        short = self.text if len(self.text) <= _LONGEST_SHOWN else self.text[: _LONGEST_SHOWN - 3] + "..."
        raise UnreadableError("ppn_record", printable(f"{what} in [{short}]"), reason, self.row)

    def match(self, pattern: str, part: str, what: str, reason: str) -> re.Match[str]:
        """Match a part of it."""
        found = re.fullmatch(pattern, part)
        if found is None:
            self.refuse(f"{what} {part}", f"{what} must be {reason}")
        return found


def read_deal(line: Line) -> tuple[dict[str, Any], dict[str, int]]:
    """Read a deal.

    Returns
    -------
    tuple
        Its columns in the table of deals, and what its summary says was written, by columns of a sheet.

    Raises
    ------
    UnreadableError
        If a part of it cannot be read, or two parts contradict each other.

    Examples
    --------
    >>> read_deal(Line(1, "2 312 - P,P,P"))
    ({'deal': 2, 'dealer': 'b', 'contra': 0, 'contract': 'all_pass'}, {})
    """
    parts = line.text.split()
    if len(parts) not in (4, *_PARTS):
        line.refuse(f"{len(parts)} parts", "a deal must have 4 parts where all passed, else 14, or 13 without the refe")
    number = line.match("[0-9]{1,5}", parts[0], "number", "a whole number")
    order = line.match("[123]{3}", parts[1], "order", "the numbers 1, 2 and 3, the dealer's last")[0]
    if len(set(order)) < len(SEATS):
        line.refuse(f"order {order}", "order must be the numbers 1, 2 and 3, the dealer's last")
    row = {"deal": int(number[0]), "dealer": SEATS_BY_NUMBER[order[-1]], "contra": 0}
    if len(parts) == 4:
        line.match("P,P,P", parts[3], "bids", "P,P,P where nothing else is told")
        return {**row, "contract": "all_pass"}, {}
    refe = parts[9] if len(parts) == _PARTS[0] else None
    value, summary = (parts[10], parts[13]) if refe is not None else (parts[9], parts[12])
    game = _game(line, parts[4], parts[6], parts[8])
    _check_value(line, game, refe, value)
    if game["contract"] != "bettel":
        game |= _calls(line, game["declarer"], parts[7], parts[8])
    tricks, written = _summary(line, summary, order, game["declarer"])
    return {**row, **game, **_tricks(game, tricks)}, written


def _game(line: Line, main: str, contract: str, contra: str) -> dict[str, Any]:
    """Give the game, who plays it, and how often who doubled its value."""
    declarer = SEATS_BY_NUMBER[line.match("[123]", main, "declarer", "1, 2 or 3")[0]]
    hand, rank = line.match("(G?)([2-8])", contract, "game", "a number from 2 to 8, with G where it is a hand").groups()
    if rank not in _GAMES:
        line.refuse(f"game {contract}", "preferans is a game that has no rules here")
    sign, sayer = line.match(
        "(?:0|([IKRSM])([123]))", contra, "contra", "0, or I, K, R, S or M with the number of a player"
    ).groups()
    game = {"contract": _GAMES[rank], "declarer": declarer, "hand": bool(hand)}
    if sign in _CONTRAS:
        game |= {"contra": _CONTRAS[sign], "contra_by": SEATS_BY_NUMBER[sayer]}
    return game


def _check_value(line: Line, game: Mapping[str, Any], refe: str | None, value: str) -> None:
    """Refuse a value that the game, contras and a refe do not make."""
    line.match("[0-9]{1,9}", value, "value", "a whole number")
    single = 2 * (RANKS[game["contract"]] + game["hand"]) << game.get("contra", 0)
    possible = {None: (single, 2 * single), "0": (single,), "1": (2 * single,)}
    if refe not in possible:
        line.refuse(f"refe {refe}", "refe must be 0 or 1")
    if int(value) not in possible[refe]:
        told = " or ".join(map(str, possible[refe]))
        line.refuse(f"value {value}", f"value must be {told}, as the game, contra and refe make it")


def _calls(line: Line, declarer: str, came: str, contra: str) -> dict[str, str]:
    """Give the calls of the defenders."""
    line.match("[0-9]", came, "who came", "0, the number of a defender, or 8")
    defenders = [seat for seat in SEATS if seat != declarer]
    if SEATS_BY_NUMBER.get(came) == declarer:
        line.refuse(f"who came {came}", "who came must be a defender")
    both = came not in ("0", *SEATS_BY_NUMBER)
    calls = {seat: "come" if both or SEATS_BY_NUMBER.get(came) == seat else "pass" for seat in defenders}
    if contra.startswith("I"):
        inviter = SEATS_BY_NUMBER[contra[1]]
        if calls.get(inviter) != "come":
            line.refuse(f"invitation {contra}", "who invites must be a defender who came")
        calls = {seat: "invite" if seat == inviter else "invited" for seat in defenders}
    return {call_column(seat): call for seat, call in calls.items()}


def _summary(line: Line, summary: str, order: str, declarer: str) -> tuple[dict[str, int], dict[str, int]]:
    """Give the tricks of everybody who has some in a summary, and what was written."""
    told = summary.split(",")
    if len(told) != len(SEATS):
        line.refuse(f"summary {summary}", "summary must tell of three players")
    tricks: dict[str, int] = {}
    written: dict[str, int] = {}
    for number, part in zip(order, told, strict=True):
        seat = SEATS_BY_NUMBER[number]
        if seat == declarer:
            found = line.match(_OF_DECLARER, part, "summary of the declarer", "such as M7:-8")
            written[contract_column(seat)] = -int(found["middle"])
        elif part == "0":
            continue
        else:
            found = line.match(_OF_DEFENDER, part, "summary of a defender", "0, or such as F3:L24 or F1:L8:8")
            written[contract_column(seat)] = -int(found["middle"] or 0)
            written[juha_column(seat, declarer)] = int(found["left"] or 0)
        tricks[seat] = int(found["tricks"])
    return tricks, written


def _tricks(game: Mapping[str, Any], tricks: Mapping[str, int]) -> dict[str, int]:
    """Keep the tricks that a deal of the table has: none where nobody came, no zero of who passed."""
    calls = {seat: game.get(call_column(seat)) for seat in SEATS if seat != game["declarer"]}
    if set(calls.values()) == {"pass"}:
        return {}
    if game["contract"] == "bettel" and sum(tricks.values()) != 10:
        return {tricks_column(game["declarer"]): tricks[game["declarer"]]}
    shown = {seat: tricks.get(seat, 0) for seat in SEATS if calls.get(seat) != "pass" or tricks.get(seat)}
    return {tricks_column(seat): number for seat, number in shown.items()}
