"""Backups of the scorer rostiktc2-star/preferans-score: a game of three or four players, in Italian words.

The file holds what was played and no columns.  It does not tell who dealt; with four players it tells who rested, or
who rested first, which is the dealer.  The program scores by rules of its own, a Sochi game without consolation whose
half whist is played, which no preset is.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from prefdata.readers._games import RecordedGame, UnreadableError, convention_of, first_dealer_of, records_of
from prefdata.readers._json import Node, read_json, unread
from prefdata.readers._records import PLACE, Format, Options, Records
from prefdata.vocabulary import (
    LARGEST_LIMIT,
    RUSSIAN,
    SEATS,
    TRICKS,
    call_column,
    left_of,
    player_column,
    tricks_column,
)

__all__ = ["FORMAT"]

_LEVELS = {level: str(level) for level in range(6, 11)}
_TRUMPS = {
    "picche": "spades",
    "fiori": "clubs",
    "quadri": "diamonds",
    "cuori": "hearts",
    "senza briscola": "notrump",
}
_CALLS = {"vist": "whist", "pass": "pass", "polvist": "half"}
_KINDS = {kind: kind for kind in ("normal", "mizer", "raspasy", "manual")}
_ENTRIES = {"pool": "bullet", "penalty": "mountain", "credit": "whists"}

_Seats = Mapping[str, str]
"""Seats by the program's keys of the players."""


def _is_recognised(file: Path) -> bool:
    document = read_json(file)
    return document.has("config", "events") and document["config"].has("players", "poolTarget")


def _read(file: Path, options: Options) -> Records:
    """Read a backup of the program."""
    document = read_json(file)
    convention = convention_of(options, RUSSIAN, file)
    game = RecordedGame(pulka={"pulka": 1, "convention": convention.name, PLACE: 1})
    try:
        events = list(document["events"].items())
        game.rows = len(events)
        seats = _seats(document["config"]["players"])
        game.pulka |= _head(document["config"], seats)
        dealer = _first_dealer(document["config"], events, seats, options, file)
    except UnreadableError as error:
        game.refuse(1, error)
        return records_of([game], RUSSIAN, options, ignored=unread(document))
    for row, event in enumerate(events, start=1):
        try:
            if event["type"].one_of(_KINDS) == "manual":
                _read_correction(game, event, row, seats)
                continue
            dealt_by = _dealer(event, seats, dealer)
            dealer = left_of(dealt_by, len(seats))
            keys = {"pulka": 1, "deal": len(game.deals) + 1, "players": len(seats), PLACE: row}
            game.add_deal({**keys, **_deal(event, seats, dealt_by)}, event.path, strict=options.strict)
        except UnreadableError as error:
            game.refuse(row, error)
    return records_of([game], RUSSIAN, options, ignored=unread(document))


def _seats(players: Node) -> dict[str, str]:
    keys = [player["id"].text() for player in players.items()]
    if len(keys) not in (3, 4) or len(set(keys)) < len(keys):
        players.refuse("three or four players, each with an id of his own")
    return dict(zip(keys, SEATS, strict=False))


def _head(config: Node, seats: _Seats) -> dict[str, Any]:
    names = zip(seats.values(), config["players"].items(), strict=True)
    stake = config["euroCentsPerCredit"]
    return {
        "players": len(seats),
        "bullet_limit": config["poolTarget"].whole(1, LARGEST_LIMIT),
        **{player_column(seat): player["name"].text() for seat, player in names},
        "played_on": _day(config["createdAt"]),
        "stake": None if stake.is_absent else stake.whole(0) / 100,
    }


def _day(time: Node) -> date | None:
    """Tell the day on which a game began, by the clock of Greenwich."""
    if time.is_absent:
        return None
    try:
        return date.fromisoformat(time.text()[:10])
    except ValueError:
        time.refuse("a time such as 2026-01-31T18:00:00Z")


def _first_dealer(config: Node, events: list[Node], seats: _Seats, options: Options, file: Path) -> str | None:
    """Tell who dealt first; None where every deal of four players tells who rested."""
    if len(seats) == len(SEATS):
        first = config["firstRestPlayerId"]
        if not first.is_absent:
            return first.one_of(seats)
        if all(event.has("restPlayerId") for event in events):
            return None
    return first_dealer_of(options, len(seats), file)


def _dealer(event: Node, seats: _Seats, following: str | None) -> str:
    """Give the dealer: of four players who rested, else whose turn it is."""
    rests = event["restPlayerId"]
    if len(seats) == len(SEATS) and not rests.is_absent:
        return rests.one_of(seats)
    return following or rests.refuse("the player who rested")


def _deal(event: Node, seats: _Seats, dealer: str) -> dict[str, Any]:
    kind = event["type"].one_of(_KINDS)
    row: dict[str, Any] = {"dealer": dealer}
    active = {key: seat for key, seat in seats.items() if len(seats) < len(SEATS) or seat != dealer}
    if kind == "raspasy":
        return {**row, "contract": "raspasy", **_tricks(event["tricks"], active)}
    declarer = event["declarerId"].one_of(active)
    row |= {"declarer": declarer}
    tricks = {} if event["tricks"].is_absent else _tricks(event["tricks"], active)
    if kind == "mizer":
        own = {tricks_column(declarer): event["declarerTricks"].whole(0, TRICKS)}
        if tricks and not own.items() <= tricks.items():
            event["declarerTricks"].refuse("the declarer's tricks, as under tricks")
        return {**row, "contract": "misere", **tricks, **own}
    said = event["defenderChoices"]
    calls = {call_column(seat): said[key].one_of(_CALLS) for key, seat in active.items() if seat != declarer}
    contract = {"contract": event["level"].one_of(_LEVELS), "trump": event["suit"].one_of(_TRUMPS)}
    return {**row, **contract, **calls, **tricks}


def _tricks(tricks: Node, active: _Seats) -> dict[str, int]:
    return {tricks_column(seat): tricks[key].whole(0, TRICKS) for key, seat in active.items()}


def _read_correction(game: RecordedGame, event: Node, row: int, seats: _Seats) -> None:
    """Read what was written by hand; a step of raspasy that was set by hand has no place in the tables."""
    written = _adjustments(event, seats, {"pulka": 1, "deal": len(game.deals), PLACE: row})
    game.adjustments += written
    level = event["raspasyLevel"]
    if not level.is_absent:
        why = "the step of raspasy was set by hand, which no table tells; it follows from the deals"
        game.note(row, level.path, str(level.whole(1, 3)), "nothing", why)
    if not written:
        game.rows -= 1
        game.note(row, event.path, "no adjustments", "nothing", "a correction without entries is no record")


def _adjustments(event: Node, seats: _Seats, keys: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Give what was written by hand after the last deal; the program may put a surplus of it elsewhere."""
    note = event["note"]
    reason = "correction by hand" if note.is_absent else note.text()
    rows = []
    for written in event["adjustments"].items():
        entry = written["kind"].one_of(_ENTRIES)
        seat = written["fromId" if entry == "whists" else "playerId"].one_of(seats)
        on = {"on_seat": written["againstId"].one_of(seats)} if entry == "whists" else {}
        points = written["amount"].whole()
        rows.append({**keys, "seat": seat, "entry": entry, **on, "points": points, "reason": reason})
    return rows


FORMAT = Format(
    name="preferans-score-it",
    title="a backup of the scorer rostiktc2-star/preferans-score",
    endings=(".json",),
    is_recognised=_is_recognised,
    read=_read,
)
"""The format, as the list of formats has it."""
