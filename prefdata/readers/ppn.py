"""Portable Preferans Notation: games of Balkan preferans with their deals, several games a file.

A game begins with tags, such as ``[Bula 60]``, and goes on with a record for each deal, such as
``[1 231 1BDHM2... M3,P,3 2 AR 4 3 I3 0 8 2 - M7:-8,F3:L24,0]``: its number, the order of the players with the dealer
last, cards, bids, declarer, discarded cards, game (with G: a hand), who came (8: both), invitation or contra, whether a
refe doubled it (which some leave out), value, who leads, play, summary.

What the summaries say was written, and the results that the tags tell, is kept as a recorded sheet.  The JSON form of
the notation, which has deals and no tags, is one game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TypeAlias

from prefdata.balkan.vocabulary import SEATS, contract_column, juha_column
from prefdata.conventions import Convention
from prefdata.errors import ConventionError, TableError, printable
from prefdata.readers._games import RecordedGame, UnreadableError, convention_of, records_of
from prefdata.readers._json import Node, read_json, unread
from prefdata.readers._ppn_deals import SEATS_BY_NUMBER, Line, read_deal
from prefdata.readers._ppn_json import deals_of, is_deal, lines_of
from prefdata.readers._records import PLACE, Format, Options, Records
from prefdata.readers._texts import decoded, read_bytes
from prefdata.vocabulary import BALKAN, LARGEST_LIMIT, pairs, player_column

__all__ = ["FORMAT"]

_RECORD = re.compile(r'\[((?:[^\[\]"]|"[^"]*")*)\]')
_TAG = r'(?P<name>[A-Za-z]\w*)(?:\s+(?:"(?P<quoted>[^"]*)"|(?P<plain>\S+)))?'
_COMMENTS = ("%", ";")
_JSON = ".json"
_LAST_ROW = 2**32 - 1
_LONGEST_SHOWN = 70
_OF_PLAYS = ("cards", "bids", "discarded cards", "leads and play of the deals")

_READ_TAGS = frozenset(
    {
        "Bula",
        "Refe",
        "Date",
        "Location",
        *(f"{tag}{number}" for tag in ("Player", "Result") for number in SEATS_BY_NUMBER),
    }
)

_Tags: TypeAlias = Mapping[str, tuple[Line, str]]
"""Tags by their names, each with its line and value."""


@dataclass(frozen=True)
class _Section:
    """A game as it stands in a file: tags, deals, and what is neither, by its line."""

    tags: list[Line] = field(default_factory=list)
    deals: list[Line] = field(default_factory=list)
    broken: list[tuple[int, UnreadableError]] = field(default_factory=list)

    @property
    def first_row(self) -> int:
        """The line where it begins."""
        return min(*(line.row for line in (*self.tags, *self.deals)), *(row for row, _ in self.broken), _LAST_ROW)


def _is_recognised(file: Path) -> bool:
    if file.suffix.lower() == _JSON:
        return any(is_deal(deal) for deal in deals_of(read_json(file)))
    return re.search(r"^\s*\[Bula\s", decoded(read_bytes(file), file), re.MULTILINE) is not None


def _read(file: Path, options: Options) -> Records:
    """Read a file of the notation."""
    convention = convention_of(options, BALKAN, file)
    document = read_json(file) if file.suffix.lower() == _JSON else None
    sections = list(_sections(decoded(read_bytes(file), file)) if document is None else _section_of(document))
    if not sections:
        raise TableError(f"{file} holds no game", hint="A game begins with tags such as [Bula 60].")
    games = []
    ignored: dict[str, None] = dict.fromkeys(_OF_PLAYS if document is None else unread(document))
    own: dict[str, Convention] = {}
    for number, section in enumerate(sections, start=1):
        game = RecordedGame(pulka={"pulka": number, "players": len(SEATS), PLACE: section.first_row})
        game.rows = len(section.deals) + len(section.broken)
        for row, error in section.broken:
            game.refuse(row, error)
        tags = _tags(game, section)
        ignored |= dict.fromkeys(f"[{name}]" for name in tags if name not in _READ_TAGS)
        chosen = _head(game, tags, convention, options, file)
        if chosen is not convention:
            own[chosen.name] = chosen
        _read_deals(game, section.deals)
        games.append(game)
    return records_of(games, BALKAN, options, ignored=list(ignored), conventions=list(own.values()))


def _sections(text: str) -> Iterator[_Section]:
    """Divide a file into games: a tag after deals begins another one."""
    section = _Section()
    for row, written in enumerate(text.splitlines(), start=1):
        line = written.strip().removeprefix("\ufeff")
        if line.startswith(_COMMENTS):
            continue
        for found in _RECORD.findall(line):
            record = Line(row, found.strip())
            if section.deals and not record.is_deal:
                yield section
                section = _Section()
            (section.deals if record.is_deal else section.tags).append(record)
        beside = _RECORD.sub("", line).strip()
        if beside:
            why = "a tag or a deal must stand in brackets"
            section.broken.append((row, UnreadableError("ppn_record", printable(beside[:_LONGEST_SHOWN]), why)))
    if section.tags or section.deals:
        yield section


def _section_of(document: Node) -> Iterator[_Section]:
    """Take the deals of the JSON form for one game."""
    section = _Section()
    for line in lines_of(document):
        if isinstance(line, Line):
            section.deals.append(line)
        else:
            section.broken.append(line)
    if section.deals or section.broken:
        yield section


def _tags(game: RecordedGame, section: _Section) -> dict[str, tuple[Line, str]]:
    """Give the tags by their names, each with its line and value."""
    tags: dict[str, tuple[Line, str]] = {}
    for line in section.tags:
        try:
            found = line.match(_TAG, line.text, "tag", "a name and a value, in quotes if it has blanks")
            if found["name"] in tags:
                line.refuse(f"tag {found['name']} for the second time", "each tag must stand once in a game")
            tags[found["name"]] = (line, found["quoted"] or found["plain"] or "")
        except UnreadableError as error:
            game.rows += 1
            game.refuse(line.row, error)
    return tags


def _head(game: RecordedGame, tags: _Tags, convention: Convention, options: Options, file: Path) -> Convention:
    """Read the tags into the row of the pulka; gives the convention, which has as many refes as they tell.

    Raises
    ------
    TableError
        If there is no limit, and no option tells it.
    """
    game.pulka["convention"] = convention.name
    if "Bula" not in tags and options.bullet_limit is None:
        raise TableError(
            f"{file}: the game from row {game.pulka[PLACE]} does not tell the limit",
            hint="Give it as bullet_limit, such as 60.",
        )
    for read in (_limit, _results, _names, _day):
        try:
            read(game, tags, options)
        except UnreadableError as error:
            game.refuse(game.pulka[PLACE], error)
    try:
        chosen = _with_refes(game, tags, convention)
    except UnreadableError as error:
        game.refuse(game.pulka[PLACE], error)
        return convention
    game.pulka["convention"] = chosen.name
    return chosen


def _limit(game: RecordedGame, tags: _Tags, options: Options) -> None:
    limit = options.bullet_limit if "Bula" not in tags else _whole(tags, "Bula")
    if limit is None or not 1 <= limit <= LARGEST_LIMIT:
        line, value = tags["Bula"]
        line.refuse(f"Bula {value}", f"Bula must be from 1 to {LARGEST_LIMIT}")
    game.pulka["bullet_limit"] = limit


def _results(game: RecordedGame, tags: _Tags, options: Options) -> None:
    """Keep the results for the sheet."""
    del options
    results = {f"result_{seat}": _whole(tags, f"Result{number}") for number, seat in SEATS_BY_NUMBER.items()}
    game.sheet |= {name: result for name, result in results.items() if result is not None}


def _names(game: RecordedGame, tags: _Tags, options: Options) -> None:
    given = dict(zip(SEATS, options.players, strict=False))
    for number, seat in SEATS_BY_NUMBER.items():
        _, name = tags.get(f"Player{number}", (None, ""))
        game.pulka[player_column(seat)] = name or given.get(seat)
    _, place = tags.get("Location", (None, ""))
    game.pulka["place"] = place or None


def _day(game: RecordedGame, tags: _Tags, options: Options) -> None:
    """Read the day, where it is known: parts that are not known are written as question marks."""
    del options
    line, value = tags.get("Date", (None, ""))
    if line is None or "?" in value:
        return
    try:
        game.pulka["played_on"] = date.fromisoformat(re.sub(r"[./]", "-", value))
    except ValueError:
        line.refuse(f"Date {value}", "Date must be such as 2026.01.31")


def _with_refes(game: RecordedGame, tags: _Tags, convention: Convention) -> Convention:
    """Give the convention, or one of the same switches with the refes of the file, and note which."""
    refes = _whole(tags, "Refe")
    known = convention.refe_max
    limit = game.pulka.get("bullet_limit", 0)
    if refes is None or refes == (known if isinstance(known, int) else dict(known).get(limit)):
        return convention
    line, value = tags["Refe"]
    try:
        own = convention.replace(refe_max=refes)
    except ConventionError:
        line.refuse(f"Refe {value}", "Refe must be a number of refes")
    why = (
        f"{convention.name} has another number of refes, or none, for this limit; a file of the lines "
        f'base = "{convention.name}" and refe_max = {refes} is this convention'
    )
    game.note(line.row, "Refe", value, own.name, why)
    return own


def _whole(tags: _Tags, name: str) -> int | None:
    """Give the whole number of a tag, None if it is not there."""
    if name not in tags:
        return None
    line, value = tags[name]
    return int(line.match(r"[+-]?[0-9]{1,9}", value, name, "a whole number")[0])


def _read_deals(game: RecordedGame, lines: Sequence[Line]) -> None:
    """Read the deals, and add up what their summaries say was written."""
    contracts = dict.fromkeys(map(contract_column, SEATS), -game.pulka.get("bullet_limit", 0))
    sheet = {**contracts, **{juha_column(*pair): 0 for pair in pairs(len(SEATS))}}
    for line in lines:
        try:
            deal, written = read_deal(line)
        except UnreadableError as error:
            game.refuse(line.row, error)
            continue
        game.deals.append({"pulka": game.pulka["pulka"], "players": len(SEATS), PLACE: line.row, **deal})
        for column, points in written.items():
            sheet[column] += points
    game.sheet = {**game.pulka, **sheet, **game.sheet}


FORMAT = Format(
    name="ppn",
    title="Portable Preferans Notation",
    endings=(".ppn", ".txt", _JSON),
    is_recognised=_is_recognised,
    read=_read,
)
"""The format, as the list of formats has it."""
