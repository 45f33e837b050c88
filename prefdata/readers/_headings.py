"""Headings as people write them, and the columns that they stand for: one place for every reader of tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from prefdata.vocabulary import SEATS, call_column, folded, player_column, tricks_column

__all__ = ["Headings", "bare", "headings_of_deals"]

_PLAIN = {
    "pulka": ("pulka", "пулька", "№ пульки", "номер пульки"),
    "deal": ("deal", "сдача", "№", "no", "номер", "№ сдачи", "номер сдачи", "раздача"),
    "players": ("players", "игроков", "число игроков"),
    "dealer": ("dealer", "сдающий", "сдаёт", "сдал", "раздаёт", "раздающий", "deals"),
    "contract": ("contract", "контракт", "игра", "заказ", "game", "bid"),
    "result": ("result", "результат", "итог", "notation"),
    "declarer": ("declarer", "разыгрывающий", "играет", "играющий", "заказал", "игрок", "plays"),
    "conceded": ("conceded", "уход", "уход без трёх", "без трёх", "concession"),
    "talon": ("talon", "прикуп"),
    "multiplier": ("multiplier", "множитель", "factor"),
    "wrong_cards": ("wrong cards", "неверные карты", "не то число карт"),
    "trump": ("trump", "козырь", "масть", "suit"),
    "bullet_limit": ("bullet limit", "limit", "лимит", "пуля до", "пулька до", "до"),
    "bullet_total": ("bullet total", "пуля вместе", "total"),
    "convention": ("convention", "конвенция", "соглашение", "rules", "правила"),
    "played_on": ("played on", "date", "дата"),
    "place": ("place", "место"),
    "stake": ("stake", "ставка"),
    "outcome": ("outcome",),
}
_OF_SEAT = {
    call_column: ("call", "слово", "вист", "вистует", "calls", "висты"),
    tricks_column: ("tricks", "взятки", "взял", "взяток"),
    player_column: ("player", "игрок"),
}
_SEAT_SIGNS = {sign: seat for seat, signs in zip(SEATS, ("a1", "bб2", "cв3", "dг4"), strict=True) for sign in signs}
_BETWEEN = " :-–—_.,()/"


def bare(texts: Iterable[str]) -> list[str]:
    """Bring headings into one form; blanks and strokes between their parts do not count.

    >>> bare(["Взятки – 1", "tricks_a"])
    ['взяtkи1', 'tricksa']
    """
    every = pl.DataFrame({"heading": list(texts)}, schema={"heading": pl.String})
    return [re.sub(r"[\s_\-.:>→]+", "", heading) for heading in every.select(folded(pl.col("heading"))).to_series()]


def _known() -> dict[str, str]:
    spelt = {heading: column for column, headings in _PLAIN.items() for heading in headings}
    for column, words in _OF_SEAT.items():
        spelt |= {word + sign: column(seat) for word in words for sign, seat in _SEAT_SIGNS.items()}
    return dict(zip(bare(spelt), spelt.values(), strict=True))


@dataclass(frozen=True)
class Headings:
    """What the headings of a table of deals stand for.

    Attributes
    ----------
    columns
        The column of each heading that is understood.
    players
        Names of players in the headings, in seat order.
    """

    columns: Mapping[str, str]
    players: Sequence[str] = field(default_factory=tuple)


def headings_of_deals(headings: Sequence[str], mapped: Mapping[str, str], players: Sequence[str] = ()) -> Headings:
    """Understand the headings of a table of deals.

    Parameters
    ----------
    headings
        The headings.
    mapped
        What some of them stand for, as somebody said.
    players
        Names of the players in seat order, if they are known.

    Examples
    --------
    >>> understood = headings_of_deals(["Сдаёт", "Взятки Анна", "Взятки Борис", "вист Борис", "Погода"], {})
    >>> understood.columns
    {'Сдаёт': 'dealer', 'Взятки Анна': 'tricks_a', 'Взятки Борис': 'tricks_b', 'вист Борис': 'call_b'}
    >>> understood.players
    ['Анна', 'Борис']
    """
    known = _known()
    meant = dict(zip(headings, map(known.get, bare(headings)), strict=True)) | dict(mapped)
    found = {heading: column for heading, column in meant.items() if column is not None}
    words = {word: column for column, words in _OF_SEAT.items() for word in bare(words)}
    of_players = []
    for heading in headings:
        if heading not in found:
            parts = re.split(r"[\s_:]+", heading.strip(_BETWEEN))
            for word, rest in ((parts[0], parts[1:]), (parts[-1], parts[:-1])):
                kind = words.get(bare([word])[0])
                if kind is not None and rest:
                    of_players.append((heading, kind, " ".join(rest).strip(_BETWEEN)))
                    break
    names = list(players) or _named_most(of_players)
    seats = dict(zip(bare(names), SEATS, strict=False))
    for heading, kind, name in of_players:
        seat = seats.get(bare([name])[0])
        if seat is not None:
            found[heading] = kind(seat)
    return Headings(found, names)


def _named_most(of_players: Sequence[tuple[str, object, str]]) -> list[str]:
    """List the players that headings name, in the order of the kind of column that names most of them."""
    by_kind: dict[object, list[str]] = {}
    for _, kind, name in of_players:
        by_kind.setdefault(kind, []).append(name)
    longest = max(by_kind.values(), key=len, default=[])
    return longest if len(set(bare(longest))) == len(longest) <= len(SEATS) else []
