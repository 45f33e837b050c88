"""The numbers of a sheet, gathered for a drawing: nothing here or after it is worked out anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl

from prefdata.archives import Archive
from prefdata.balkan.vocabulary import hat_column, refes_column
from prefdata.conventions import Convention
from prefdata.games import GAMES
from prefdata.scoring.ledger import ledger_of, running
from prefdata.scoring.scorer import score
from prefdata.scoring.sheets import sheets_of
from prefdata.settlement import settle
from prefdata.settlement.rounding import compensation
from prefdata.tables import adjusted_column
from prefdata.vocabulary import (
    RUSSIAN,
    SEATS,
    TWELFTHS,
    bullet_column,
    help_column,
    mountain_column,
    pairs,
    seats_at_table,
    seats_needed,
    whists_column,
)

__all__ = [
    "ADJUSTMENT",
    "HELP",
    "WRITE_OFF",
    "Figure",
    "SeatResult",
    "SheetNumbers",
    "numbers_of_archive",
    "numbers_of_sheets",
]

HELP, WRITE_OFF, ADJUSTMENT = "help", "write_off", "adjustment"
"""What an entry may be marked as."""

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Figure:
    """One figure of a column, as it is written: the column's total after a deal.

    Attributes
    ----------
    total
        The total, in points or whists.
    deal
        The deal that it was written after; 0 where the pulka began with it, None where nobody knows.
    marks
        What made it besides plain play: help, a write-off from the mountain, an adjustment.
    """

    total: int | Fraction
    deal: int | None
    marks: tuple[str, ...] = ()


@dataclass(frozen=True)
class SeatResult:
    """What a seat won or lost, in whists, and what stands over its columns in the Balkan game."""

    seat: str
    player: str | None
    from_bullet: Fraction
    from_mountain: Fraction
    from_whists: Fraction
    result: Fraction
    rounded: int | None
    money: float | None
    refes: int = 0
    hat: bool = False


@dataclass(frozen=True)
class SheetNumbers:
    """All numbers of one sheet.

    Attributes
    ----------
    pulka, players, limit, closed
        The pulka, its players, its limit for each (None where there is none) and whether it has ended (None where
        nobody knows).
    game, convention
        Names of its game and of the convention.
    seats
        The results of the seats, in order.
    columns
        For each column its figures in the order of the deals.
    totals
        For each column its total.
    rounding
        For each column that rule 4.2.12 touches what it writes there, which is not in the totals.
    full_bullets
        The bullet columns that have reached the limit at which each closes.
    deals, after_end
        How many deals were scored, and how many stand after the end of the pulka.
    played_on, place
        Day and place of play.
    """

    pulka: int
    players: int
    limit: int | None
    closed: bool | None
    game: str
    convention: str
    seats: tuple[SeatResult, ...]
    columns: Mapping[str, tuple[Figure, ...]]
    totals: Mapping[str, int | Fraction]
    rounding: Mapping[str, int]
    full_bullets: frozenset[str] = frozenset()
    deals: int | None = None
    after_end: int = 0
    played_on: date | None = None
    place: str | None = None

    @property
    def has_entries(self) -> bool:
        """Whether it is known which deal wrote which figure."""
        return all(figure.deal is not None for figures in self.columns.values() for figure in figures)


def numbers_of_archive(archive: Archive, convention: str | Path | Convention) -> Iterator[SheetNumbers]:
    """Gather the numbers of all pulkas of an archive in memory, scored once; in the order of their keys."""
    ledgers, scored_sheets, settlements = [], [], []
    conventions: dict[str, Convention] = {}
    for scored in score(archive, convention, ledger=True):
        sheets = sheets_of(scored)
        ledgers.append(ledger_of(scored))
        scored_sheets.append(sheets)
        settlements.append(settle(sheets, scored.convention, pulkas=archive.pulkas))
        conventions[scored.convention.name] = scored.convention
    if not scored_sheets:
        return
    ledger = running(pl.concat(ledgers).sort("pulka", "deal"), archive)
    beside = archive.pulkas.select("pulka", "played_on", "place").collect()
    sheets = pl.concat(scored_sheets).sort("pulka").join(beside, on="pulka", how="left", maintain_order="left")
    deals, results = _by_pulka(ledger), _by_pulka(pl.concat(settlements))
    adjusted = _Adjusted.of(archive)
    for sheet in sheets.iter_rows(named=True):
        of_seats = results[sheet["pulka"]]
        rules = conventions[of_seats["convention"][0]]
        columns = _entries(sheet, deals[sheet["pulka"]], adjusted, rules)
        yield _numbers(sheet, of_seats, rules, columns)


def numbers_of_sheets(sheets: pl.DataFrame, convention: Convention) -> Iterator[SheetNumbers]:
    """Gather the numbers of recorded sheets, whose totals alone are known; sheets that break a rule are left out."""
    results = _by_pulka(settle(sheets, convention))
    for sheet in sheets.filter(pl.col("pulka").is_in(list(results))).iter_rows(named=True):
        names = [name for name in GAMES[convention.game].entries if sheet.get(name) is not None]
        columns = {name: (Figure(_exact(sheet[name]), None),) for name in names}
        yield _numbers(sheet, results[sheet["pulka"]], convention, columns)


def _by_pulka(frame: pl.DataFrame) -> dict[int, dict[str, list[Any]]]:
    groups = frame.partition_by("pulka", as_dict=True, maintain_order=True)
    return {int(pulka): group.to_dict(as_series=False) for (pulka,), group in groups.items()}


@dataclass(frozen=True)
class _Adjusted:
    """What adjustments did: the points with which they open columns, and the figures that they are in."""

    opening: Mapping[tuple[int, str], int]
    after: Set[tuple[int, int, str]]

    @classmethod
    def of(cls, archive: Archive) -> _Adjusted:
        """Gather the adjustments of an archive."""
        rows = archive.adjustments.select(
            "pulka", "deal", column=adjusted_column(), points=pl.col("points").cast(pl.Int64)
        ).collect()
        opening = rows.filter(pl.col("deal") == 0).group_by("pulka", "column").agg(pl.col("points").sum())
        after = rows.filter(pl.col("deal") > 0).select("pulka", "deal", "column")
        return cls({(pulka, column): points for pulka, column, points in opening.iter_rows()}, set(after.iter_rows()))


def _entries(
    sheet: Row, deals: Mapping[str, Sequence[Any]], adjusted: _Adjusted, rules: Convention
) -> dict[str, tuple[Figure, ...]]:
    """Gather the figures of each column: one for every deal that wrote in it."""
    pulka, helped = sheet["pulka"], _helped(deals, sheet["players"])
    columns = {}
    for name in GAMES[rules.game].entries:
        if seats_needed(name) > sheet["players"]:
            continue
        figures = _opening(sheet, name, adjusted, rules)
        for place, (deal, points) in enumerate(zip(deals["deal"], deals[name], strict=True)):
            is_adjusted = deals["scored"][place] and (pulka, deal, name) in adjusted.after
            if points or is_adjusted:
                marks = (
                    *([HELP] if (name, deal) in helped else []),
                    *([WRITE_OFF] if points < 0 and name.startswith("mountain") else []),
                    *([ADJUSTMENT] if is_adjusted else []),
                )
                figures.append(Figure(deals[f"running_{name}"][place], deal, marks))
        columns[name] = tuple(figures)
    return columns


def _opening(sheet: Row, name: str, adjusted: _Adjusted, rules: Convention) -> list[Figure]:
    """Give the figure with which a column opens: what adjustments carry over, or minus the limit in the Balkan game."""
    start = -(sheet["bullet_limit"] or 0) if name in GAMES[rules.game].from_limit else 0
    carried = adjusted.opening.get((sheet["pulka"], name))
    if carried is not None:
        return [Figure(start + carried, 0, (ADJUSTMENT,))]
    return [Figure(start, 0)] if start else []


def _helped(deals: Mapping[str, Sequence[Any]], players: int) -> set[tuple[str, int]]:
    """Tell in which figures help is: those of the helped bullet and of the helper's whists."""
    found = set()
    for helper, on in pairs(players):
        for deal, points in zip(deals["deal"], deals.get(help_column(helper, on), ()), strict=False):
            if points:
                found |= {(bullet_column(on), deal), (whists_column(helper, on), deal)}
    return found


def _numbers(
    sheet: Row, results: Mapping[str, Sequence[Any]], rules: Convention, columns: Mapping[str, tuple[Figure, ...]]
) -> SheetNumbers:
    return SheetNumbers(
        pulka=sheet["pulka"],
        players=sheet["players"],
        limit=sheet.get("bullet_limit"),
        closed=sheet.get("closed"),
        game=rules.game,
        convention=rules.name,
        seats=tuple(_seat(sheet, results, place) for place in range(sheet["players"])),
        columns=columns,
        totals={name: _exact(sheet[name]) for name in columns},
        rounding=_rounding(results["adjusted"], sheet["players"], rules),
        full_bullets=_full_bullets(sheet, rules),
        deals=sheet.get("deals_scored"),
        after_end=sheet.get("deals_after_end") or 0,
        played_on=sheet.get("played_on"),
        place=sheet.get("place"),
    )


def _seat(sheet: Row, results: Mapping[str, Sequence[Any]], place: int) -> SeatResult:
    seat = SEATS[place]
    exact = {
        name: Fraction(results[f"{name}_twelfths"][place], TWELFTHS)
        for name in ("from_bullet", "from_mountain", "from_whists", "result")
    }
    return SeatResult(
        seat=seat,
        player=results["player"][place],
        **exact,
        rounded=results["rounded"][place],
        money=results["money"][place],
        refes=sheet.get(refes_column(seat)) or 0,
        hat=bool(sheet.get(hat_column(seat))),
    )


def _rounding(adjusted: Sequence[int], players: int, rules: Convention) -> dict[str, int]:
    """Tell what the moved point of rule 4.2.12 writes: in its owner's mountain, and in whists for it.

    The Balkan game has no mountain: a point less of it is one more in the contract column.
    """
    own = {settled: name for name, settled in GAMES[rules.game].entries.items()}
    written: dict[str, int] = {}
    seats = seats_at_table(players)
    for owner, point in zip(seats, adjusted, strict=True):
        if not point:
            continue
        mountain = mountain_column(owner)
        written |= {own[mountain]: point} if mountain in own else {own[bullet_column(owner)]: -point}
        for other in seats:
            if other != owner:
                column = whists_column(owner, other) if point > 0 else whists_column(other, owner)
                written[own[column]] = compensation(players, rules)
    return written


def _full_bullets(sheet: Row, rules: Convention) -> frozenset[str]:
    limit = sheet.get("bullet_limit")
    if limit is None or rules.game != RUSSIAN or rules.close != "each":
        return frozenset()
    bullets = map(bullet_column, seats_at_table(sheet["players"]))
    return frozenset(bullet for bullet in bullets if (sheet.get(bullet) or 0) >= limit)


def _exact(value: int | float) -> int | Fraction:
    """Take a number of a sheet, whole or exact in twelfths."""
    exact = Fraction(round(value * TWELFTHS), TWELFTHS)
    return exact.numerator if exact.denominator == 1 else exact
