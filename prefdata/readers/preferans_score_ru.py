"""Games of the scorer mathfewmatthews-dev/preferans-score, in Russian words, as it saves them or a browser keeps them.

The file holds the columns, and a journal in sentences from which the deals are read.  A game whose journal does not
tell calls and tricks is kept as a recorded sheet alone.  The journal does not tell who dealt; with four players it
tells who rested, if it was not a misère.  The program has conventions of its own, which no preset is.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prefdata.readers._games import RecordedGame, UnreadableError, convention_of, first_dealer_of, records_of
from prefdata.readers._json import Node, read_json, unread
from prefdata.readers._records import PLACE, Format, Options, Records
from prefdata.vocabulary import (
    LARGEST_LIMIT,
    RUSSIAN,
    SEATS,
    bullet_column,
    call_column,
    left_of,
    mountain_column,
    pairs,
    player_column,
    seats_at_table,
    tricks_column,
    whists_column,
)

__all__ = ["FORMAT"]

_PARTS = ("players", "pool", "mountain", "whists")
_CALLS = {"вист": "whist", "пас": "pass", "полвиста": "half"}
_RESTS = "отдых"
_ENTRIES = {"пуля": "bullet", "гора": "mountain", "висты": "whists"}
_CLOSING = {"each": "bullet_limit", "total": "bullet_total"}

_DETAILS = "\n[[history-details]]\n"
_TIME = r"^[\d:]+ \| "
_OF_PLAYER = re.compile(r"<div><strong>(.*?)</strong>: (.*?)\.</div>")
_TRICKS = re.compile(r"взятки(?: в прикупе)? (10|\d)")
_CONTRACT = r"(?P<level>6|7|8|9|10) взяток: (?P<declarer>NAME) (?:сыграл|ремиз \d+)\."
_MISERE = r"Мизер: (?P<declarer>NAME) (?:сыграл|взял \d+)\.(?: Карты: .*)?"
_RASPASY = r"Распасы \d+\."
_LIMIT = r"Добавлена пуля: до (?P<limit>\d+)"
_BY_HAND = (
    r"Ручной ввод: (?P<name>NAME) (?P<points>[+-]\d{1,9}) (?P<area>пуля|гора|висты)(?: на (?P<on>NAME))?(?: \(.*\))?"
)

_Seats = Mapping[str, str]
"""Seats by the names of the players."""


def _state(document: Node) -> Node:
    """Give the game, out of whatever it is wrapped in."""
    return document["state"] if document.has("state") else document


def _either(state: Node, key: str) -> Node:
    """Give what stands under a key, which an earlier version wrote with a capital."""
    capital = key[0].upper() + key[1:]
    return state[capital if state.has(capital) and not state.has(key) else key]


def _is_recognised(file: Path) -> bool:
    state = _state(read_json(file))
    return state.has(*_PARTS) or state.has(*map(str.capitalize, _PARTS))


def _read(file: Path, options: Options) -> Records:
    """Read a game of the program."""
    document = read_json(file)
    game = RecordedGame(pulka={"pulka": 1, PLACE: 1}, rows=1)
    try:
        state = _state(document)
        seats = _seats(_either(state, "players"))
        game.pulka |= _head(state, seats)
        game.sheet = {**game.pulka, **_sheet(state, len(seats))}
        called = _either(state, "convention")
        name = "" if called.is_absent else called.text()
        journal = [(item, _told(item, seats)) for item in _either(state, "history").items()]
    except UnreadableError as error:
        game.refuse(1, error)
        return records_of([game], RUSSIAN, options, ignored=unread(document))
    untold = next((item for item, told in journal if told is None), None)
    if untold is None:
        game.pulka["convention"] = convention_of(options, RUSSIAN, file, called=name).name
        if name:
            why = "a convention of the program, whose settings are those of no preset"
            game.note(1, called.path, name, game.pulka["convention"], why)
        _write_deals(game, journal, len(seats), options, file)
    else:
        game.only_sheet = True
        why = "the journal does not tell in words that are known who called and took what; only the columns are kept"
        game.note(1, untold.path, untold.text(), "", why)
    return records_of([game], RUSSIAN, options, ignored=unread(document))


def _seats(players: Node) -> dict[str, str]:
    names = [player.text() for player in players.items()]
    if len(names) not in (3, 4) or len(set(names)) < len(names) or not all(map(str.strip, names)):
        players.refuse("three or four players, each with a name of his own")
    return dict(zip(names, SEATS, strict=False))


def _head(state: Node, seats: _Seats) -> dict[str, Any]:
    closing = _either(state, "poolClosingMode")
    limit = "bullet_limit" if closing.is_absent else closing.one_of(_CLOSING)
    names = {player_column(seat): name for name, seat in seats.items()}
    return {"players": len(seats), limit: _either(state, "poolTarget").whole(1, LARGEST_LIMIT), **names}


def _sheet(state: Node, players: int) -> dict[str, Any]:
    """Give the columns that the program has worked out."""
    seats = seats_at_table(players)
    columns: dict[str, Any] = {}
    for part, column in (("pool", bullet_column), ("mountain", mountain_column)):
        values = _either(state, part)
        entries = list(values.items())
        if len(entries) != players:
            values.refuse(f"{players} numbers, one for each player")
        columns |= {column(seat): entry.number() for seat, entry in zip(seats, entries, strict=True)}
    table = _either(state, "whists")
    rows = [list(row.items()) for row in table.items()]
    if [len(row) for row in rows] != [players] * players:
        table.refuse(f"{players} rows of {players} numbers")
    for place in range(players):
        rows[place][place].nothing()
    written = {pair: rows[seats.index(pair[0])][seats.index(pair[1])] for pair in pairs(players)}
    return {**columns, **{whists_column(*pair): entry.number() for pair, entry in written.items()}}


def _told(item: Node, seats: _Seats) -> dict[str, Any] | None:
    """Read an entry of the journal: columns of a deal, of an adjustment, or a new limit; None if it does not tell."""
    summary, _, details = item.text().partition(_DETAILS)
    sentence = re.sub(_TIME, "", summary)
    limit = _match(_LIMIT, sentence, seats)
    if limit is not None:
        return {"limit": limit["limit"]}
    by_hand = _match(_BY_HAND, sentence, seats)
    if by_hand is not None:
        return _adjustment(by_hand, seats, sentence)
    players = _players(details, seats)
    return None if players is None else _deal(sentence, players, seats)


def _match(pattern: str, sentence: str, seats: _Seats) -> dict[str, str] | None:
    """Match a sentence; NAME in the pattern stands for the name of any player."""
    names = "|".join(map(re.escape, sorted(seats, key=len, reverse=True)))
    found = re.fullmatch(pattern.replace("NAME", f"(?:{names})"), sentence)
    return None if found is None else found.groupdict(default="")


def _adjustment(found: Mapping[str, str], seats: _Seats, sentence: str) -> dict[str, Any] | None:
    entry = _ENTRIES[found["area"]]
    if (entry == "whists") != bool(found["on"]):
        return None
    on = {"on_seat": seats[found["on"]]} if found["on"] else {}
    points = int(found["points"])
    return {"entry": entry, "seat": seats[found["name"]], **on, "points": points, "reason": sentence}


def _players(details: str, seats: _Seats) -> dict[str, tuple[str, int | None]] | None:
    """Read the details of a deal: the role and the tricks of every seat; None if somebody is left out."""
    found = {}
    for name, told in _OF_PLAYER.findall(details):
        role, *parts = told.split("; ")
        tricks = next(filter(None, map(_TRICKS.fullmatch, parts)), None)
        found[html.unescape(name)] = (role, int(tricks[1]) if tricks else None)
    return {seats[name]: told for name, told in found.items()} if found.keys() == seats.keys() else None


def _deal(sentence: str, players: Mapping[str, tuple[str, int | None]], seats: _Seats) -> dict[str, Any] | None:
    """Give the columns of a deal; the dealer, if somebody is said to have rested."""
    resting = [seat for seat, (role, _) in players.items() if role == _RESTS]
    dealer = {"dealer": resting[0]} if resting else {}
    tricks = {tricks_column(seat): took for seat, (_, took) in players.items() if took is not None}
    if _match(_RASPASY, sentence, seats) is not None:
        return {"contract": "raspasy", **dealer, **tricks}
    misere = _match(_MISERE, sentence, seats)
    if misere is not None:
        return {"contract": "misere", "declarer": seats[misere["declarer"]], **dealer, **tricks}
    contract = _match(_CONTRACT, sentence, seats)
    if contract is None:
        return None
    declarer = seats[contract["declarer"]]
    calls = {call_column(seat): _CALLS[role] for seat, (role, _) in players.items() if role in _CALLS}
    return {"contract": contract["level"], "declarer": declarer, **dealer, **calls, **tricks}


def _write_deals(
    game: RecordedGame, journal: list[tuple[Node, dict[str, Any] | None]], players: int, options: Options, file: Path
) -> None:
    """Write the deals of a journal in their order, each with its dealer."""
    dealer = ""
    game.rows = 0
    for row, (item, told) in enumerate(journal, start=1):
        columns = told or {}
        if "limit" in columns:
            why = "the limit was raised in play; the pulka has the last one from its beginning"
            game.note(row, item.path, item.text(), str(game.pulka.get("bullet_limit", "")), why)
            continue
        game.rows += 1
        if "entry" in columns:
            game.adjustments.append({"pulka": 1, "deal": len(game.deals), PLACE: row, **columns})
            continue
        following = left_of(dealer, players) if dealer else ""
        dealer = columns.get("dealer") or following or first_dealer_of(options, players, file)
        keys = {"pulka": 1, "deal": len(game.deals) + 1, "players": players, PLACE: row}
        try:
            game.add_deal({**keys, **columns, "dealer": dealer}, item.path, strict=options.strict)
        except UnreadableError as error:
            game.refuse(row, error)


FORMAT = Format(
    name="preferans-score-ru",
    title="a game of the scorer mathfewmatthews-dev/preferans-score",
    endings=(".json",),
    is_recognised=_is_recognised,
    read=_read,
)
"""The format, as the list of formats has it."""
