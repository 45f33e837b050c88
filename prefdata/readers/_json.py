"""JSON documents of other programs, read with the place of everything that is wrong in them.

A `Node` is a value with its path, such as ``events[3].tricks``.  It is asked for what it should be and refuses what it
is not; and it notes what was asked for, so that a reader can tell what it has left unread.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from prefdata.errors import TableError, printable
from prefdata.readers._games import UnreadableError
from prefdata.readers._texts import decoded, read_bytes

__all__ = ["Node", "read_json", "unread"]

Word = TypeVar("Word")

_ABSENT = object()
_LONGEST_SHOWN = 60
_LARGEST = 2**31 - 1


@dataclass(frozen=True, eq=False)
class Node:
    """A value of a document.

    Attributes
    ----------
    value
        The value.
    path
        Its place, empty for the document itself.
    pattern
        Its place with every index left out.
    asked
        Patterns of everything that was asked for in the document.
    """

    value: Any
    path: str = ""
    pattern: str = ""
    asked: set[str] = field(default_factory=set)

    @property
    def is_absent(self) -> bool:
        """Whether nothing stands here, or null."""
        return self.value is _ABSENT or self.value is None

    def has(self, *keys: str) -> bool:
        """Tell whether it is an object with all of some keys, without asking for them."""
        return isinstance(self.value, dict) and all(key in self.value for key in keys)

    def __getitem__(self, key: str) -> Node:
        """Give what stands under a key of an object; something absent if there is no such key."""
        if not isinstance(self.value, dict):
            self.refuse("an object")
        return self._inner(self.value.get(key, _ABSENT), f"{self.path}.{key}".lstrip("."), f"{self.pattern}.{key}")

    def items(self) -> Iterator[Node]:
        """Go through a list."""
        if not isinstance(self.value, list):
            self.refuse("a list")
        for number, value in enumerate(self.value):
            yield self._inner(value, f"{self.path}[{number}]", f"{self.pattern}[]")

    def whole(self, least: int = -_LARGEST, most: int = _LARGEST) -> int:
        """Give a whole number between two others."""
        number = self._number("a whole number")
        if number % 1 or not least <= number <= most:
            self.refuse(f"a whole number from {least} to {most}")
        return int(number)

    def number(self) -> float:
        """Give a number that is exact in twelfths."""
        number = self._number("a number")
        if abs(number) > _LARGEST or number * 12 % 1:
            self.refuse(f"a number to {_LARGEST} that is whole in twelfths")
        return float(number)

    def nothing(self) -> None:
        """Refuse whatever is not 0 or absent: nobody writes on himself."""
        if not self.is_absent and self.number() != 0:
            self.refuse("0, since nobody writes whists on himself")

    def text(self) -> str:
        """Give a text that can be written to a file."""
        if not isinstance(self.value, str) or _is_broken(self.value):
            self.refuse("a text")
        return str(self.value)

    def flag(self) -> bool:
        """Give a truth value."""
        if not isinstance(self.value, bool):
            self.refuse("true or false")
        return bool(self.value)

    def one_of(self, words: Mapping[Any, Word]) -> Word:
        """Give what a word or a number stands for."""
        kinds = (str, int) if not isinstance(self.value, bool) else ()
        if not isinstance(self.value, kinds) or self.value not in words:
            self.refuse("one of " + ", ".join(json.dumps(word, ensure_ascii=False) for word in words))
        return words[self.value]

    def refuse(self, wanted: str, rule: str = "json_value") -> NoReturn:
        """Set its game aside: it should be something else.

        Raises
        ------
        UnreadableError
            Always.
        """
        raise UnreadableError(rule, self.shown(), f"{self.path or 'the document'} must be {wanted}")

    def shown(self) -> str:
        """Show its place and what stands there."""
        if self.value is _ABSENT:
            return f"{self.path} is missing"
        try:
            told = json.dumps(self.value, ensure_ascii=False)
        except RecursionError:
            told = "something nested deeply"
        short = told if len(told) <= _LONGEST_SHOWN else told[: _LONGEST_SHOWN - 3] + "..."
        return printable(f"{self.path}={short}" if self.path else short)

    def _inner(self, value: Any, path: str, pattern: str) -> Node:
        self.asked.add(pattern)
        return Node(value, path, pattern, self.asked)

    def _number(self, wanted: str) -> int | float:
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            self.refuse(wanted)
        return self.value


def read_json(file: Path) -> Node:
    """Read a document.

    Raises
    ------
    TableError
        If the file cannot be read, is no JSON, or names a key of an object twice.
    """
    text = decoded(read_bytes(file), file)
    try:
        value = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_object, parse_constant=_refuse_constant)
    except RecursionError:
        raise TableError(f"{file} is nested too deeply", hint="Export the game again.") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise TableError(f"{file} is no JSON: {error.msg} in {where}", hint="Export the game again.") from None
    except ValueError as error:
        raise TableError(f"{file} is no JSON: {printable(str(error))}", hint="Export the game again.") from None
    return Node(value)


def unread(document: Node) -> list[str]:
    """List the parts of a document that nobody asked for, each once, however often they stand in it.

    >>> document = Node({"players": ["Anna"], "theme": {"colour": "green"}})
    >>> names = [player.text() for player in document["players"].items()]
    >>> unread(document)
    ['theme']
    """
    return list(
        dict.fromkeys(printable(pattern.lstrip(".")) for pattern in _unread(document.value, "", document.asked))
    )


def _unread(value: Any, pattern: str, asked: set[str]) -> Iterator[str]:
    if isinstance(value, dict):
        inner = [(f"{pattern}.{key}", one) for key, one in value.items()]
    elif isinstance(value, list) and f"{pattern}[]" in asked:
        inner = [(f"{pattern}[]", one) for one in value]
    else:
        return
    known = any(name in asked for name, _ in inner)
    for name, one in inner:
        if name in asked:
            yield from _unread(one, name, asked)
        elif known or not pattern:
            yield name


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} stands twice in an object")
        found[key] = value
    return found


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _is_broken(text: str) -> bool:
    """Tell whether a text has half of a pair of surrogates, or a sign that no table holds."""
    return any("\ud800" <= sign <= "\udfff" for sign in text)
