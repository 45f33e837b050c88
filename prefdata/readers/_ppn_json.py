"""Deals of Portable Preferans Notation in its JSON form, as the records that they stand for.

A document is a deal or a list of deals.  The form has no tags: it tells neither the limit nor the players.
"""

from __future__ import annotations

from collections.abc import Iterator

from prefdata.readers._games import UnreadableError
from prefdata.readers._json import Node
from prefdata.readers._ppn_deals import SEATS_BY_NUMBER, Line

__all__ = ["deals_of", "is_deal", "lines_of"]

_PLAYERS = dict.fromkeys(f"p{number}" for number in SEATS_BY_NUMBER)


def is_deal(node: Node) -> bool:
    """Tell whether an object is a deal of this form."""
    return node.has("id", "dealOrder", "bids")


def deals_of(document: Node) -> Iterator[Node]:
    """Go through the deals of a document."""
    if isinstance(document.value, list):
        yield from document.items()
    else:
        yield document


def lines_of(document: Node) -> Iterator[Line | tuple[int, UnreadableError]]:
    """Give the records that the deals of a document stand for, or what cannot be read in one, with its number."""
    for row, deal in enumerate(deals_of(document), start=1):
        try:
            yield Line(row, " ".join(_parts(deal)))
        except UnreadableError as error:
            yield row, error


def _parts(deal: Node) -> list[str]:
    """Give the parts of a record in their order."""
    bids = [deal["bids"][player].text() for player in _PLAYERS]
    head = [str(deal["id"].whole(0)), str(deal["dealOrder"].whole(0)), "-", ",".join(bids) or "-"]
    if set(bids) == {"P"}:
        return head
    main = deal["main"].whole(1, len(_PLAYERS))
    game = [_word(deal["contract"]), _word(deal["accepted"]), _word(deal["kontra"])]
    refe = "1" if deal["refa"].flag() else "0"
    value, order = str(deal["value"].whole(0)), head[1]
    summary = ",".join(_summary(deal["summary"][f"p{number}"], is_main=number == str(main)) for number in order)
    return [*head, str(main), "-", *game, refe, value, "-", "-", summary]


def _word(node: Node) -> str:
    """Give a number or a text as it stands in a record."""
    text = node.text() if isinstance(node.value, str) else str(node.whole(0))
    return text if text and not text.isspace() and " " not in text else node.refuse("a number or a word")


def _summary(player: Node, *, is_main: bool) -> str:
    """Give what a summary tells of a player."""
    if player["main"].flag() != is_main:
        player["main"].refuse("true for the player who is main, and for nobody else")
    tricks = player["tricks"].whole(0)
    middle = player["middle"]
    if is_main:
        return f"M{tricks}:{middle.whole()}"
    left = player["left"]
    if not tricks and left.is_absent and middle.is_absent:
        return "0"
    fall = "" if middle.is_absent else f":{middle.whole(0)}"
    return f"F{tricks}:L{0 if left.is_absent else left.whole(0)}{fall}"
