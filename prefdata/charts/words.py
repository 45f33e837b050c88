"""The words of the charts, in English and Russian: everything that a chart writes is looked up here.

Names that people gave, of conventions and players, are written as they are.
"""

from __future__ import annotations

from typing import Any

from prefdata.errors import PrefdataError

__all__ = ["LANGUAGES", "SWITCHES", "TEXTS", "VALUES", "WORDS", "ChartError", "Words"]

LANGUAGES: tuple[str, ...] = ("en", "ru")
"""Languages of the charts."""


class ChartError(PrefdataError):
    """A chart cannot be drawn or saved as it was asked for."""


WORDS: dict[str, tuple[str, str]] = {
    # axes and legends
    "difference": ("Difference of a seat's result, whists", "Разница результата игрока, висты"),
    "share_of_seats": ("Share of results", "Доля результатов"),
    "sign": ("Against the base", "Относительно базы"),
    "less": ("less", "меньше"),
    "equal": ("about equal", "почти столько же"),
    "more": ("more", "больше"),
    "convention": ("Convention", "Конвенция"),
    "rank_under": ("Rank under {name}", "Место по {name}"),
    "share_of_row": ("Share of the row", "Доля строки"),
    "seats": ("Results", "Результатов"),
    "players": ("Players", "Игроков"),
    "of_players": ("{players} players", "Игроков: {players}"),
    "difference_per_pulka": ("Difference per pulka, whists", "Разница за пульку, висты"),
    "source": ("Source", "Источник"),
    "role": ("Role", "Роль"),
    "change": ("Change, whists", "Изменение, висты"),
    "switch": ("Switches that differ", "Различия правил"),
    "in_all": ("in all", "всего"),
    "and": ("{one} and {other}", "{one} и {other}"),
    "rule": ("Rounding rule", "Правило округления"),
    "distance": ("Distance from the exact result, whists", "Отклонение от точного результата, висты"),
    "mean_of_seats": ("mean of a seat", "в среднем на игрока"),
    "largest": ("largest", "наибольшее"),
    "gain": (
        "Mean gain over the exact result, whists a sheet",
        "Средний выигрыш против точного результата, висты за лист",
    ),
    "group": ("Who", "Кто"),
    "contract": ("Contract", "Контракт"),
    "value": ("Worth to the declarer, whists", "Цена для разыгрывающего, висты"),
    "outcome": ("Outcome", "Исход"),
    "made": ("made", "сыгран"),
    "failed": ("failed", "не сыгран"),
    "cumulative": ("Result so far, whists", "Результат нарастающим итогом, висты"),
    "day": ("Day of play", "День игры"),
    "week": ("Week of play", "Неделя игры"),
    "month": ("Month of play", "Месяц игры"),
    "quarter": ("Quarter of play", "Квартал игры"),
    "year": ("Year of play", "Год игры"),
    "pulka_number": ("Pulkas, in order", "Пульки по порядку"),
    "player": ("Player", "Игрок"),
    "declared": ("Contracts declared", "Заказано контрактов"),
    "whist_share": ("Share of whist calls", "Доля вистов"),
    "field": ("all players", "все игроки"),
    "raspasy_tricks": ("Tricks in a raspasy", "Взяток на распасах"),
    "mean_result": ("Mean result of a pulka, whists", "Средний результат пульки, висты"),
    "points": ("Tournament points", "Турнирные очки"),
    "place": ("Place", "Место"),
    "pulkas": ("Pulkas", "Пульки"),
    "result": ("Result, whists", "Результат, висты"),
    "status": ("Status", "Зачёт"),
    "ranked": ("in the standings", "в зачёте"),
    "below_zero": ("below zero", "ниже нуля"),
    "removed": ("removed", "снят"),
    # sources, roles, contracts
    "contracts made": ("contracts made", "сыгранные контракты"),
    "remises": ("remises", "ремизы"),
    "shortage": ("shortage of whisters", "ремиз на висте"),
    "whists": ("whists for tricks", "висты за взятки"),
    "consolation": ("consolation", "консоляция"),
    "talon": ("talon bonus", "премия за прикуп"),
    "misère": ("misère", "мизер"),
    "misere": ("misère", "мизер"),
    "raspasy": ("raspasy", "распасы"),
    "declarer": ("declarer", "разыгрывающий"),
    "whister": ("whister", "вистующий"),
    "passer": ("passer", "пасующий"),
    "sitting dealer": ("sitting dealer", "сдающий на прикупе"),
    "opponent": ("opponent (misère, concession)", "соперник (мизер, без трёх)"),
    # those whom rounding may favour
    "winner": ("winner", "первый"),
    "loser": ("loser", "последний"),
    "largest_mountain": ("largest mountain", "наибольшая гора"),
    "smallest_mountain": ("smallest mountain", "наименьшая гора"),
    "seat": ("seat {seat}", "место {seat}"),
    "moved": ("whose mountain is moved", "чью гору меняют"),
}
"""For each word or label its English and its Russian text."""

TEXTS: dict[str, tuple[str, str]] = {
    "difference_title": (
        "Against {base}, results move most under {name}: by {mean} whists on average",
        "Против {base} сильнее всего меняет результаты {name}: в среднем на {mean} виста",
    ),
    "difference_panel": (
        "{name}: {mean} whists on average, {largest} at most",
        "{name}: в среднем {mean} виста, не более {largest}",
    ),
    "difference_note": (
        "Bars of {width} whists, the grey one around no difference",
        "Ширина столбца в вистах: {width}; серый — вокруг нулевой разницы",
    ),
    "ranks_title": (
        "{kept} of the winners under {first} win under {second} too",
        "{kept} победителей по {first} побеждают и по {second}",
    ),
    "ranks_title_many": (
        "How ranks under {first} move under other conventions",
        "Как места по {first} меняются по другим конвенциям",
    ),
    "ranks_note": ("Shares of the results with a rank under {first}", "Доли результатов с данным местом по {first}"),
    "sources_title": (
        "The difference from {base} comes most of all from {source} under {name}",
        "Больше всего отличает от {base}: {source} по {name}",
    ),
    "sources_equal": ("There is no difference from {base}", "Отличий от {base} нет"),
    "sources_note": (
        "What each role gains or loses in an average pulka; over the roles of a source it adds up to zero, and "
        "raspasy, where all have one role, is left out",
        "Что роль выигрывает или теряет за среднюю пульку; по ролям источника сумма равна нулю, поэтому распасов, где "
        "все равны, здесь нет",
    ),
    "waterfall_archive": (
        "From {first} to {second} the sum of all winnings changes by {whole} whists",
        "От {first} к {second} сумма всех выигрышей меняется; висты: {whole}",
    ),
    "waterfall_player": (
        "From {first} to {second} the result of {name} changes by {whole} whists",
        "От {first} к {second} результат меняется; игрок {name}, висты: {whole}",
    ),
    "waterfall_role": (
        "From {first} to {second} what the role brings changes by {whole} whists: {name}",
        "От {first} к {second} меняется то, что приносит роль «{name}»; висты: {whole}",
    ),
    "waterfall_note": (
        "Each step is the exact mean over all orders in which the switches can be changed (Shapley value)",
        "Каждый шаг — точное среднее по всем порядкам замены правил (значение Шепли)",
    ),
    "distance_title": (
        "Nearest to the exact results: {best}; farthest: {worst}",
        "Ближе всего к точным результатам: {best}; дальше всего: {worst}",
    ),
    "distance_title_one": ("How far {best} strays from the exact results", "Как далеко от точных результатов {best}"),
    "distance_note": (
        "Bars are the mean distance of a seat's result, points the largest; {sheets} sheets under {convention}",
        "Столбцы — среднее отклонение результата игрока, точки — наибольшее; листов: {sheets}, {convention}",
    ),
    "favours_title": (
        "{rule} favours the {group} most of all: {gain} whists a sheet",
        "Больше всего выигрывает {group} по правилу {rule}; висты за лист: {gain}",
    ),
    "favours_title_none": ("No rule favours anybody beyond chance", "Ни одно правило никому не выгодно заметно"),
    "favours_note": (
        "95% intervals, the grey ones include zero; {sheets} sheets under {convention}{players}",
        "Интервалы 95\u00a0%, серые включают ноль; листов: {sheets}, {convention}{players}",
    ),
    "values_title": (
        "Most depends on the {contract} under {name}: {spread} whists between {made} and {failed}",
        "Больше всего зависит от контракта по {name}: {contract}; от «{made}» до «{failed}», висты: {spread}",
    ),
    "values_note": (
        "Three players. Above zero: made exactly, below: one trick short (misère: one trick taken). Both defenders "
        "whist and share their tricks evenly",
        "Три игрока. Выше нуля — сыгран ровно, ниже — без одной (мизер: одна взятка). Вистуют оба и делят взятки "
        "поровну",
    ),
    "time_title": (
        "{best} leads at the end with {most} whists, {worst} is last with {least}",
        "В итоге впереди {best}: {most}, последний — {worst}: {least} (висты)",
    ),
    "time_title_one": ("{best} ends with {most} whists", "Итог игрока {best}: {most} (висты)"),
    "profile_title": (
        "{player}: {mean} whists a pulka on average over {pulkas} pulkas ({convention})",
        "{player}: в среднем за пульку {mean} (висты), сыграно пулек: {pulkas} ({convention})",
    ),
    "profile_contracts": ("Declares: {share} of contracts are made", "Играет: сыграно {share} контрактов"),
    "profile_whists": ("Defends: whists in {share} of calls", "Защищается: вистует в {share} случаев"),
    "profile_raspasy": ("Raspasy: {tricks} tricks on average", "Распасы: взяток в среднем {tricks}"),
    "profile_result": ("Results of all players, 95% intervals", "Результаты всех игроков, 95\u00a0% интервалы"),
    "no_season": ("Standings", "Таблица"),
    "season": ("Season {season}", "Сезон {season}"),
    "standings_title": (
        "{season}: {leader} leads with {points} points, {lead} ahead of {second}",
        "{season}: впереди {leader}, очков {points}; отрыв от {second}: {lead}",
    ),
    "standings_tie": (
        "{season}: {leader} and {second} have {points} points each",
        "{season}: у {leader} и {second} поровну очков: {points}",
    ),
    "standings_one": ("{season}: {leader} has {points} points", "{season}: у {leader} очков {points}"),
    "standings_none": ("{season}: nobody is left in the standings", "{season}: в зачёте никого не осталось"),
}
"""For each title and note its English and its Russian text; braces are filled by the chart."""

SWITCHES: dict[str, str] = {
    "players": "число игроков",
    "scale": "множитель цен",
    "whist_factor": "цена вистов",
    "remise_factor": "цена ремиза",
    "misere_factor": "цена взятки на мизере",
    "shortage_factor": "цена ремиза на висте",
    "half_whist": "полвиста",
    "lone_whist": "одиночный вист",
    "gentleman_scope": "джентльмен делится",
    "consolation": "консоляция",
    "consolation_dealer": "консоляция на прикупе",
    "consolation_to": "кому консоляция",
    "shortage_cap": "предел ремиза на висте",
    "shortage_payer": "кто отвечает на 8–10",
    "personal_quota": "личная ответственность",
    "ten": "десятерная",
    "talon_bonus": "премия за прикуп",
    "talon_bonus_three": "премия за прикуп втроём",
    "raspasy_reset": "выход из распасов",
    "raspasy": "запись распасов",
    "raspasy_price": "цена взятки на распасах",
    "ladder": "прогрессия распасов",
    "raspasy_amnesty": "амнистия на распасах",
    "raspasy_whist": "висты за взятку на распасах",
    "raspasy_dealer_bullet": "пуля сдающего на распасах",
    "zero_bonus": "премия за ноль взяток",
    "zero_bonus_to": "куда премия за ноль",
    "zero_bonus_points": "размер премии за ноль",
    "zero_bonus_dealer": "премия за ноль на прикупе",
    "close": "закрытие пули",
    "help_rate": "цена помощи",
    "help_to": "кому помощь",
    "surplus": "излишек пули",
    "made_first": "куда сначала сыгранное",
    "mountain_weight": "вес горы",
    "bullet_weight": "вес пули",
    "mountain_divisor": "делитель горы",
    "bullet_divisor": "делитель пули",
}
"""Russian names of a convention's switches; the English ones are the switches' own."""

VALUES: dict[str, tuple[str, str]] = {
    "True": ("yes", "да"),
    "False": ("no", "нет"),
    "greedy": ("greedy", "жлобский"),
    "gentleman": ("gentleman", "джентльменский"),
    "failed": ("failed", "при ремизе"),
    "always": ("always", "всегда"),
    "price": ("price", "по цене"),
    "none": ("none", "нет"),
    "all": ("all", "всем"),
    "whisters": ("whisters", "вистующим"),
    "inviter": ("inviter", "пригласившему"),
    "personal": ("personal", "личный"),
    "pair": ("pair", "общий"),
    "last": ("last", "последний"),
    "both": ("both", "оба"),
    "whisted": ("whisted", "вистуется"),
    "checked": ("checked", "проверяется"),
    "made": ("made", "сыгранная игра"),
    "any": ("any", "любая игра"),
    "made_whisted": ("made and whisted", "сыгранная с вистом"),
    "mountain": ("mountain", "гора"),
    "whists": ("whists", "висты"),
    "bullet": ("bullet", "пуля"),
    "step": ("step", "по ступени"),
    "one": ("one", "одно очко"),
    "each": ("each", "каждый"),
    "total": ("total", "вместе"),
    "largest": ("largest", "наибольшей"),
    "smallest": ("smallest", "наименьшей"),
    "clockwise": ("clockwise", "по кругу"),
    "lost": ("lost", "пропадает"),
    "full": ("full", "полностью"),
    "players": ("players", "все игроки"),
    "players-1": ("players − 1", "без одного"),
}
"""Words for the values that switches take; numbers stand for themselves."""


class Words:
    """The words of one language.

    Parameters
    ----------
    language
        ``en`` or ``ru``.

    Raises
    ------
    ChartError
        If there is no such language.

    Examples
    --------
    >>> Words("en")("rank_under", name="house"), Words("ru")("declarer")
    ('Rank under house', 'разыгрывающий')
    >>> Words("en").number(-1234.5, 1), Words("en").percent(0.126)
    ('−1,234.5', '13%')
    """

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise ChartError(f"there are no words in {language!r}", hint=f"Languages are {', '.join(LANGUAGES)}.")
        self.language = language
        self._place = LANGUAGES.index(language)

    def __call__(self, key: str, **filled: Any) -> str:
        """Say a word, a label or a title; a word that is not known stands for itself."""
        texts = WORDS.get(key) or TEXTS.get(key)
        text = texts[self._place] if texts else key
        return text.format(**filled) if filled else text

    def number(self, value: float, decimals: int = 0, *, sign: bool = False) -> str:
        """Write a number as the language does, with a true minus."""
        written = f"{abs(round(value, decimals)):,.{decimals}f}"
        if self.language == "ru":
            written = written.replace(",", "\u00a0").replace(".", ",")
        rounded = round(value, decimals)
        return f"{'−' if rounded < 0 else '+' if sign and rounded > 0 else ''}{written}"

    def percent(self, share: float, decimals: int = 0) -> str:
        """Write a share as a percentage."""
        sign = "%" if self.language == "en" else "\u00a0%"
        return self.number(100 * share, decimals) + sign

    def switch(self, name: str) -> str:
        """Name a switch of a convention."""
        return SWITCHES.get(name, name) if self.language == "ru" else name.replace("_", " ")

    def value(self, value: Any) -> str:
        """Write the value of a switch."""
        if isinstance(value, tuple):
            pairs = [f"{one[0]}: {one[1]}" if isinstance(one, tuple) else str(one) for one in value]
            return ", ".join(pairs) or VALUES["none"][self._place]
        texts = VALUES.get(str(value))
        return texts[self._place] if texts else str(value)
