"""Games of the scorer refinishru-Andre/pulka, three players, as it keeps them in a browser or in its cloud.

A file holds a game by itself, what the browser stores (``{"state": {"game": ...}}``), or a row or rows of the cloud
(``{"players": ..., "pool_limit": ..., "state": ...}``).  The sheet that it has worked out stands beside the deals and
is kept as a recorded one.  The program scores by rules of its own, a Leningrad game with habits, which no preset is.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from prefdata.readers._games import RecordedGame, UnreadableError, convention_of, records_of
from prefdata.readers._json import Node, read_json, unread
from prefdata.readers._records import PLACE, Format, Options, Records
from prefdata.vocabulary import (
    LARGEST_LIMIT,
    RUSSIAN,
    TRICKS,
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

_SEATS = {seat.upper(): seat for seat in seats_at_table(3)}
_LEVELS = {level: str(level) for level in range(6, 11)}
_TRUMPS = {"S": "spades", "C": "clubs", "D": "diamonds", "H": "hearts", "NT": "notrump"}
_CALLS = {"vist": "whist", "pass": "pass", "half": "half"}
_KINDS = {kind: kind for kind in ("game", "misere", "raspas", "giveup")}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _is_recognised(file: Path) -> bool:
    return any(_is_game(game) for game in _games(read_json(file)))


def _is_game(game: Node) -> bool:
    return game.has("players", "poolLimit", "deals") or (
        game.has("players", "pool_limit", "state") and game["state"].has("deals")
    )


def _games(document: Node) -> Iterator[Node]:
    """Go through the games, out of whatever they are wrapped in."""
    if isinstance(document.value, list):
        yield from document.items()
    elif document.has("state") and document["state"].has("game"):
        yield document["state"]["game"]
    else:
        yield document


def _read(file: Path, options: Options) -> Records:
    """Read games of the program."""
    document = read_json(file)
    convention = convention_of(options, RUSSIAN, file)
    games: list[RecordedGame] = []
    rows = 0
    for number, node in enumerate(_games(document), start=1):
        game = RecordedGame(pulka={"pulka": number, "players": 3, "convention": convention.name, PLACE: rows + 1})
        _read_game(game, node, rows, options)
        rows += game.rows
        games.append(game)
    return records_of(games, RUSSIAN, options, ignored=unread(document))


def _read_game(game: RecordedGame, node: Node, rows: int, options: Options) -> None:
    """Read one game into its tables; `rows` is how many deals stand before it."""
    try:
        inner = node["state"] if node.has("pool_limit") else node
        deals = list(inner["deals"].items())
    except UnreadableError as error:
        game.refuse(rows + 1, error)
        return
    game.rows = len(deals)
    try:
        game.pulka |= _head(node)
        game.sheet = {**game.pulka, **_sheet(inner)}
    except UnreadableError as error:
        game.refuse(rows + 1, error)
    for number, deal in enumerate(deals, start=1):
        try:
            keys = {"pulka": game.pulka["pulka"], "deal": number, PLACE: rows + number}
            row = {**keys, "players": 3, **_deal(deal)}
            _force_whists(game, row, deal, options)
            game.add_deal(row, deal.path, strict=options.strict)
        except UnreadableError as error:
            game.refuse(rows + number, error)


def _head(node: Node) -> dict[str, Any]:
    limit = node["pool_limit" if node.has("pool_limit") else "poolLimit"].whole(1, LARGEST_LIMIT)
    names = {player_column(seat): node["players"][label].text() for label, seat in _SEATS.items()}
    return {"bullet_limit": limit, **names, "played_on": _day(node)}


def _day(node: Node) -> date | None:
    """Tell the day on which a game began, by the clock of Greenwich."""
    if node.has("createdAt"):
        return (_EPOCH + timedelta(milliseconds=node["createdAt"].whole(0, 4_102_444_800_000))).date()
    if not node.has("created_at"):
        return None
    try:
        return date.fromisoformat(node["created_at"].text()[:10])
    except ValueError:
        node["created_at"].refuse("a time such as 2026-01-31T18:00:00Z")


def _sheet(inner: Node) -> dict[str, Any]:
    """Give the columns that the program has worked out."""
    bullets = {bullet_column(seat): inner["pool"][label].number() for label, seat in _SEATS.items()}
    mountains = {mountain_column(seat): inner["mount"][label].number() for label, seat in _SEATS.items()}
    for label in _SEATS:
        inner["whists"][label][label].nothing()
    whists = {
        whists_column(writer, on): inner["whists"][writer.upper()][on.upper()].number() for writer, on in pairs(3)
    }
    return {**bullets, **mountains, **whists}


def _deal(deal: Node) -> dict[str, Any]:
    kind = deal["type"].one_of(_KINDS)
    row: dict[str, Any] = {"dealer": _dealer(deal)}
    if kind == "raspas":
        tricks = {tricks_column(seat): deal["tricks"][label].whole(0, TRICKS) for label, seat in _SEATS.items()}
        return {**row, "contract": "raspasy", **tricks}
    declarer = deal["player"].one_of(_SEATS)
    row |= {"declarer": declarer}
    if kind == "misere":
        return {**row, "contract": "misere", tricks_column(declarer): deal["playerTricks"].whole(0, TRICKS)}
    level, trump = _contract(deal["contract"])
    row |= {"contract": level, "trump": trump}
    if kind == "giveup":
        return {**row, "conceded": True}
    return {**row, **_calls_and_tricks(deal, declarer)}


def _dealer(deal: Node) -> str:
    """Give the dealer, on whose left the first hand is."""
    dealer, first = deal["dealer"].one_of(_SEATS), deal["firstHand"].one_of(_SEATS)
    if left_of(dealer, 3) != first:
        deal["dealer"].refuse(f"on the right of the first hand {first.upper()}")
    return dealer


def _contract(contract: Node) -> tuple[str, str]:
    contract["kind"].one_of({"game": "game"})
    return contract["level"].one_of(_LEVELS), contract["suit"].one_of(_TRUMPS)


def _calls_and_tricks(deal: Node, declarer: str) -> dict[str, Any]:
    defenders = {label: seat for label, seat in _SEATS.items() if seat != declarer}
    own = {tricks_column(declarer): deal["playerTricks"].whole(0, TRICKS)}
    others = {tricks_column(seat): deal["vistersTricks"][label].whole(0, TRICKS) for label, seat in defenders.items()}
    calls = {call_column(seat): deal["vistDecisions"][label].one_of(_CALLS) for label, seat in defenders.items()}
    return {**own, **others, **calls}


def _force_whists(game: RecordedGame, row: dict[str, Any], deal: Node, options: Options) -> None:
    """Take both calls on a six of spades for whists, as the program does whatever was entered."""
    if (row["contract"], row.get("trump")) != ("6", "spades") or row.get("conceded"):
        return
    for label, seat in _SEATS.items():
        call = row.get(call_column(seat), "whist")
        if call == "whist":
            continue
        said = deal["vistDecisions"][label]
        if options.strict:
            said.refuse('"vist", since this program takes both to whist on a six of spades')
        game.note(row[PLACE], said.path, call, "whist", "this program takes both to whist on a six of spades")
        row[call_column(seat)] = "whist"


FORMAT = Format(
    name="pulka-json",
    title="a game of the scorer refinishru-Andre/pulka",
    endings=(".json",),
    is_recognised=_is_recognised,
    read=_read,
)
"""The format, as the list of formats has it."""
