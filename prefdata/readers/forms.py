"""What the form to type into looks like: its sheets, rows, columns and words, shared by its writer and its reader."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from prefdata.balkan.vocabulary import CALL as BALKAN_CALL
from prefdata.balkan.vocabulary import CONTRACT as BALKAN_CONTRACT
from prefdata.russian.vocabulary import CALL, CONTRACT, TRUMP
from prefdata.vocabulary import BALKAN, RUSSIAN, call_column, player_column, seats_at_table, tricks_column

__all__ = ["FORM_LANGUAGES", "FormWords", "deal_columns", "form_words", "table_rows"]


@dataclass(frozen=True)
class FormWords:
    """The words of a form in one language.

    Attributes
    ----------
    table, deals, help
        Names of its sheets.
    headings
        What stands for each row of the table's sheet and each column of that of the deals; braces hold a player.
    words
        What is chosen from lists, by the words of the tables.
    adds_up, wrong_sum
        What the check says of the tricks of a deal.
    hints
        What is said of a cell while it is typed into, by its column.
    lines
        The sheet of help.
    """

    table: str
    deals: str
    help: str
    headings: dict[str, str]
    words: dict[str, str]
    adds_up: str
    wrong_sum: str
    hints: dict[str, str]
    lines: tuple[str, ...]


_EN = FormWords(
    table="Table",
    deals="Deals",
    help="Help",
    headings={
        "game": "Game",
        "players": "Players",
        "player": "Player {place}",
        "bullet_limit": "Limit of a bullet",
        "convention": "Convention",
        "stake": "Stake per whist",
        "played_on": "Date",
        "place": "Place",
        "deal": "No",
        "dealer": "Dealer",
        "contract": "Contract",
        "trump": "Trump",
        "declarer": "Declarer",
        "hand": "Hand",
        "call": "Call {player}",
        "contra": "Contra",
        "contra_by": "Contra by",
        "tricks": "Tricks {player}",
        "conceded": "Conceded",
        "talon": "Talon",
        "multiplier": "Multiplier",
        "check": "Check",
    },
    words={
        "misere": "misère",
        "notrump": "NT",
        "spades": "♠",
        "clubs": "♣",
        "diamonds": "♦",
        "hearts": "♥",
        "true": "yes",
        "all_pass": "all pass",
    },
    adds_up="ok",
    wrong_sum="tricks: ",
    hints={
        "dealer": "Whose deal it was. With four players he sits out.",
        "contract": "What was played.",
        "declarer": "Who played it; empty in raspasy.",
        "call": "The final call of a defender; empty for the declarer, in a misère and in raspasy.",
        "tricks": "Tricks taken, ten together; empty where nothing was played.",
    },
    lines=(
        "Fill in the sheet Table first: the names of the players go into all lists.",
        "Then write a line a deal into the sheet Deals, one after the other.",
        "The last column says whether the tricks of a deal add up to ten.",
        "Leave the tricks empty where nothing was played: nobody whisted, half a whist, a contract given up.",
        "Save the file, then: prefdata import FILE --out FOLDER",
    ),
)
_RU = FormWords(
    table="Стол",
    deals="Сдачи",
    help="Справка",
    headings={
        "game": "Игра",
        "players": "Игроков",
        "player": "Игрок {place}",
        "bullet_limit": "Пуля до",
        "convention": "Конвенция",
        "stake": "Ставка за вист",
        "played_on": "Дата",
        "place": "Место",
        "deal": "№",
        "dealer": "Сдаёт",
        "contract": "Контракт",
        "trump": "Козырь",
        "declarer": "Играет",
        "hand": "Без прикупа",
        "call": "Слово {player}",
        "contra": "Контра",
        "contra_by": "Кто контрил",
        "tricks": "Взятки {player}",
        "conceded": "Уход без трёх",
        "talon": "Прикуп",
        "multiplier": "Множитель",
        "check": "Проверка",
    },
    words={
        "misere": "мизер",
        "raspasy": "распасы",
        "pass": "пас",
        "whist": "вист",
        "half": "полвиста",
        "notrump": "БК",
        "spades": "♠",
        "clubs": "♣",
        "diamonds": "♦",
        "hearts": "♥",
        "true": "да",
        "all_pass": "все пас",
        "bettel": "бетл",
        "sans": "санс",
        "come": "дођем",
        "invite": "зовем",
        "invited": "позван",
    },
    adds_up="верно",
    wrong_sum="взяток: ",
    hints={
        "dealer": "Кто сдавал. Вчетвером он сидит на прикупе.",
        "contract": "Что играли.",
        "declarer": "Кто играл; на распасах пусто.",
        "call": "Последнее слово защитника; пусто у разыгрывающего, на мизере и на распасах.",
        "tricks": "Взятки, вместе десять; пусто, если не играли.",
    },
    lines=(
        "Сначала заполните лист «Стол»: имена игроков попадут во все списки.",
        "Потом записывайте по строке на сдачу на листе «Сдачи», подряд.",
        "Последний столбец говорит, сходятся ли взятки к десяти.",
        "Если не играли (все пасовали, полвиста, уход без трёх), взятки оставьте пустыми.",
        "Сохраните файл, затем: prefdata import ФАЙЛ --out ПАПКА",
    ),
)
_LANGUAGES = {"en": _EN, "ru": _RU}
FORM_LANGUAGES = tuple(_LANGUAGES)
"""The languages that forms are written in."""


def form_words(language: str) -> FormWords:
    """Give the words of a form.

    >>> form_words("ru").deals
    'Сдачи'
    """
    return _LANGUAGES[language]


def table_rows(players: int) -> list[str]:
    """List what stands in the rows of the table's sheet, from the first one down.

    >>> table_rows(2)[:5]
    ['game', 'players', 'player_a', 'player_b', 'bullet_limit']
    """
    names = [player_column(seat) for seat in seats_at_table(players)]
    return ["game", "players", *names, "bullet_limit", "convention", "stake", "played_on", "place"]


@cache
def deal_columns(game: str, players: int) -> dict[str, tuple[str, ...]]:
    """List the columns of the sheet of deals from left to right, each with the words that are chosen from.

    >>> list(deal_columns("russian", 2))[:5]
    ['deal', 'dealer', 'contract', 'trump', 'declarer']
    """
    seats = seats_at_table(players)
    calls = CALL if game == RUSSIAN else BALKAN_CALL
    between: dict[str, tuple[str, ...]] = {}
    after: dict[str, tuple[str, ...]] = {}
    if game == BALKAN:
        contracts = tuple(BALKAN_CONTRACT.categories)
        between, after = {"hand": ("true",)}, {"contra": ("1", "2", "3", "4", "5"), "contra_by": ()}
    else:
        contracts = tuple(word for word in CONTRACT.categories if word != "raspasy" or players > 2)
        after = {"conceded": ("true",), "talon": ("1", "2", "3"), "multiplier": ()}
    trumps = {"trump": tuple(TRUMP.categories)} if game == RUSSIAN else {}
    chosen = tuple(word for word in calls.categories if word != "half" or players > 2)
    return {
        "deal": (),
        "dealer": (),
        "contract": contracts,
        **trumps,
        "declarer": (),
        **between,
        **{call_column(seat): chosen for seat in seats},
        **{tricks_column(seat): () for seat in seats},
        **after,
    }
