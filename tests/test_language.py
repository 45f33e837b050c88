"""The words that people read: complete in every language, all of them used, and looked up in one place."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import prefdata as pref
from prefdata import charts
from prefdata.analysis._rounding_sums import GROUPS
from prefdata.analysis.comparison import ROLES, SOURCES
from prefdata.charts.results import _PERIODS
from prefdata.errors import LanguageError, PointsError, PrefdataError, SimulationError
from prefdata.language import LANGUAGES, Words
from prefdata.vocabulary import LEVELS

PACKAGE = Path(pref.__file__).parent
TABLES: dict[str, dict[str, dict[str, Any]]] = {
    language: tomllib.loads((PACKAGE / "language" / f"{language}.toml").read_text(encoding="utf-8"))
    for language in LANGUAGES
}
SPOKEN = ("words", "texts", "numbers")
SPELT = ("switches", "values")  # as English spells them
SAID = {**TABLES["en"]["words"], **TABLES["en"]["texts"]}

# Keys that are worked out where they are said, each with all that it may be.
WORKED_OUT: dict[str, set[str]] = {
    "contract": {*LEVELS, "misere"},
    "group": {group for group in GROUPS if not group.startswith("seat_")},
    "most['contract']": {*LEVELS, "misere"},
    "most['source']": set(SOURCES),
    "period": {*_PERIODS, "pulka_number"},
    "role": set(ROLES),
    "source": set(SOURCES),
    "value": {*SOURCES, *ROLES},
}


def words_of(kind: Any) -> set[str]:
    """Collect the words that a switch takes, out of the description of its values."""
    quoted = re.findall(r'"([^"]+)"', kind.expected)
    flags = {"true", "false"} if kind.expected == "true or false" else set()
    return flags | {word for word in quoted if kind.check(word) == word}


VALUES = {switch: words_of(kind) for switch, kind in pref.switches().items()}


def keys_said() -> Iterator[ast.expr]:
    """Go through the keys that modules say: the first arguments of calls of `words`."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "words":
                yield node.args[0]


def keys_of(key: ast.expr) -> set[str]:
    """Tell which keys an expression may be."""
    if isinstance(key, ast.Constant):
        return {str(key.value)}
    if isinstance(key, ast.JoinedStr):
        pattern = "".join(
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+" for part in key.values
        )
        return {known for known in SAID if re.fullmatch(pattern, known)}
    return WORKED_OUT[ast.unparse(key)]


def test_every_file_of_words_is_a_language() -> None:
    assert LANGUAGES == ("en", "ru")
    assert {path.stem for path in (PACKAGE / "language").glob("*.toml")} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_have_the_same_keys(language: str) -> None:
    tables = TABLES[language]
    assert set(tables) - {"vega"} == {*SPOKEN, *SPELT} - ({"switches"} if language == "en" else set())
    for table in SPOKEN:
        assert list(tables[table]) == list(TABLES["en"][table]), table
    for table in set(tables) - {"vega"}:
        for key, text in tables[table].items():
            assert isinstance(text, str), key
            assert text, key


def test_a_key_is_a_word_or_a_text() -> None:
    assert not set(TABLES["en"]["words"]) & set(TABLES["en"]["texts"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_have_the_same_braces(language: str) -> None:
    for table in SPOKEN:
        for key, text in TABLES[language][table].items():
            braces = sorted(re.findall(r"\{[^}]*\}", text))
            assert braces == sorted(re.findall(r"\{[^}]*\}", TABLES["en"][table][key])), key
            assert not re.search("[{}]", re.sub(r"\{[a-z]+\}", "", text)), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_switches_and_their_values_have_words(language: str) -> None:
    words, every = TABLES[language], set.union(*VALUES.values())
    if language == "en":
        assert set(words["values"]) < every
        assert all(text != key for key, text in words["values"].items())
        assert not [value for value in every - set(words["values"]) if "_" in value]
    else:
        assert list(words["switches"]) == list(pref.switches())
        assert set(words["values"]) == every
    names = [Words(language).switch(switch) for switch in pref.switches()]
    assert len(set(names)) == len(names)


def test_words_of_switches_are_found() -> None:
    assert VALUES["lone_whist"] == {"greedy", "gentleman"}
    assert VALUES["consolation"] == {"price", "none"}
    assert VALUES["mountain_divisor"] == {"players", "players-1"}
    assert VALUES["personal_quota"] == {"true", "false"}
    assert VALUES["shortage_factor"] == VALUES["ladder"] == set()


def test_every_default_is_written_in_russian() -> None:
    ru = Words("ru")
    for switch in pref.switches():
        default = getattr(pref.Convention(), switch)
        assert not re.search("[a-z]", ru.value(default)), switch
        assert not re.search("[a-z]", ru.switch(switch)), switch


def test_every_key_that_is_said_is_there_and_no_other() -> None:
    said: set[str] = set()
    worked_out: set[str] = set()
    for key in keys_said():
        found = keys_of(key)
        assert found, ast.unparse(key)
        assert found <= set(SAID), ast.unparse(key)
        said |= found
        if not isinstance(key, ast.Constant | ast.JoinedStr):
            worked_out.add(ast.unparse(key))
    assert worked_out == set(WORKED_OUT)
    assert set(SAID) == said


def test_what_is_missing_fails_loudly() -> None:
    words = Words("ru")
    with pytest.raises(LookupError, match="'ru' has no 'trumps' among its words and texts"):
        words("trumps")
    with pytest.raises(LookupError, match="'ru' has no 'trumps' among its switches"):
        words.switch("trumps")
    with pytest.raises(KeyError, match="name"):
        words("rank_under", place=1)
    with pytest.raises(LanguageError, match=r"no words in 'fr'(.|\n)*en, ru"):
        Words("fr")


def test_numbers_are_written_as_the_language_does() -> None:
    en, ru = Words("en"), Words("ru")
    assert en.number(-1234567.25, 1) == "−1,234,567.2"
    assert ru.number(-1234567.25, 1) == "−1\u00a0234\u00a0567,2"
    assert (en.number(-0.04, 1, sign=True), ru.number(3, sign=True)) == ("0.0", "+3")
    assert (en.percent(0.1234, 1), ru.percent(0.1234, 1)) == ("12.3%", "12,3\u00a0%")


def test_values_are_written() -> None:
    en, ru = Words("en"), Words("ru")
    assert (en.value(True), ru.value("players-1"), ru.value(()), en.value((1, 2, 3))) == (
        "yes",
        "без одного",
        "нет",
        "1, 2, 3",
    )
    assert (en.value(10), ru.value("house")) == ("10", "house")


def test_vega_is_told_numbers_and_dates() -> None:
    locale = Words("ru").vega_locale()
    assert locale["number"] == {
        "decimal": ",",
        "thousands": "\u00a0",
        "grouping": [3],
        "currency": ["", "\u00a0₽"],
        "percent": "\u00a0%",
    }
    time = locale["time"]
    assert [len(time[name]) for name in ("days", "shortDays", "months", "shortMonths")] == [7, 7, 12, 12]
    locale["number"].clear()
    assert Words("ru").vega_locale()["number"]
    assert "locale" not in charts.theme("en")


@pytest.mark.parametrize("path", sorted((PACKAGE / "charts").glob("*.py")), ids=lambda path: path.stem)
def test_charts_have_no_words_of_their_own(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search("[а-яё]", text, re.IGNORECASE)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.keyword) and node.arg in ("title", "subtitle"):
            assert not isinstance(node.value, ast.Constant) or node.value.value is None, ast.unparse(node)


def test_words_need_no_frames() -> None:
    code = (
        "import sys; from prefdata.language import LANGUAGES, Words; [Words(language) for language in LANGUAGES];"
        "print(sorted(name for name in sys.modules if name.partition('.')[0] in ('altair', 'numpy', 'polars')),"
        "sorted(name for name in sys.modules if name.startswith('prefdata.')))"
    )
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert printed.strip() == "[] ['prefdata.errors', 'prefdata.language', 'prefdata.language._words']"


def test_errors_are_of_one_tree() -> None:
    for error in (charts.ChartError, LanguageError, PointsError, SimulationError):
        assert issubclass(error, PrefdataError)
        assert error.__module__ == "prefdata.errors"
        assert error.exit_code == 2
