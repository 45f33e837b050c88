"""The walk: what depends on the order of deals - raspasy steps, closing, help, surplus, the end (rules §5, §6).

All compiled code of the Russian game is in this one module.  A pulka's sheet is one row of integers: the bullets of
its seats, their mountains, then the whists of every ordered pair, as in `vocabulary.entry_columns`.  A walk is compiled
for each number of players and releases the interpreter's lock, so that ranges of pulkas are spread over threads by the
caller.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from prefdata.outcomes.compiled import compiled

__all__ = [
    "ENDS_RUN",
    "HALF_POINTS",
    "IS_MADE",
    "IS_RASPASY",
    "NO_BULLET",
    "OVERFLOW",
    "SEVERAL_BULLETS",
    "ClosingRules",
    "OutcomeEntries",
    "Part",
    "Sheets",
    "column_index",
    "count_rows",
    "sheet_width",
    "walk_for",
]

HALF_POINTS = 1
"""Status of a pulka whose surplus would write half a mountain point."""

OVERFLOW = 2
"""Status of a pulka with an increment that the ledger cannot hold."""

NO_BULLET = -1
SEVERAL_BULLETS = -2

DEALER_SEATS = 4
"""The seats which the last column of a row counts before its flags."""

IS_RASPASY = 4
ENDS_RUN = 8
IS_MADE = 16

_LEDGER_LIMIT = 2**31 - 1


class ClosingRules(NamedTuple):
    """The switches of rules §6 as numbers."""

    close_total: bool
    made_first_mountain: bool
    help_rate: int
    help_to: int  # 0 largest, 1 smallest, 2 clockwise
    surplus: int  # 0 mountain, 1 lost, 2 whists
    surplus_numerator: int  # mountain points, or whists on each other player, for a bullet point
    surplus_denominator: int
    ladder_length: int


class OutcomeEntries(NamedTuple):
    """What each numbered outcome brings, for one number of players.

    A row holds the columns of a sheet, then the only seat with a bullet entry (or `NO_BULLET`, `SEVERAL_BULLETS`), then
    the dealer's seat plus the flags of the outcome.  All that a deal needs stands side by side, because rows are looked
    up in no order.
    """

    first_row: Any  # int32 per outcome: its row, or -1; a raspasy has one row for each step of the ladder
    rows: Any  # int32, rows x (columns of a sheet and two)


class Part(NamedTuple):
    """The deals of one part in order, and the adjustments that belong to its pulkas."""

    starts: Any  # int64 per pulka and one more: its first deal
    limits: Any  # int64 per pulka: L
    totals: Any  # int64 per pulka: the sum of bullets at which it may end
    outcomes: Any  # int32 per deal: number of its outcome
    adjustment_starts: Any  # int64 per pulka and one more
    adjustment_deals: Any  # int64 per adjustment: the deal after which it is written
    adjustment_columns: Any  # int64 per adjustment: column of the sheet
    adjustment_points: Any  # int64 per adjustment


class Sheets(NamedTuple):
    """Where a walk writes; the ledger's arrays have no deals when it is not wanted."""

    columns: Any  # int64 per column of the walked table: its place among those of four seats
    pair_columns: Any  # int64 per pair likewise
    sheets: Any  # int64, columns x pulkas
    closed: Any  # bool per pulka
    deals_scored: Any  # int64 per pulka
    status: Any  # int8 per pulka
    ledger: Any  # int32, columns x deals
    help: Any  # int32, pairs x deals
    scored: Any  # bool per deal


def sheet_width(players: int) -> int:
    """Count the columns of a sheet.

    >>> sheet_width(3)
    12
    """
    return players * (players + 1)


def column_index(players: int, seat: int, on: int) -> int:
    """Find the column of whists that a seat has on another, seats being counted from 0.

    >>> column_index(3, 0, 2), column_index(3, 2, 0)
    (7, 10)
    """
    return 2 * players + seat * (players - 1) + (on if on < seat else on - 1)


_column_index = compiled(column_index)


@compiled
def _whom_to_help(sheet, helper, limit, players, help_to):  # type: ignore[no-untyped-def]
    """Choose the opponent with an open bullet (Code 4.2.3); on equal bullets the nearest on the left; -1 if none."""
    chosen = -1
    for places in range(1, players):
        seat = (helper + places) % players
        if sheet[seat] >= limit:
            continue
        if (
            chosen < 0
            or (help_to == 0 and sheet[seat] > sheet[chosen])
            or (help_to == 1 and sheet[seat] < sheet[chosen])
        ):
            chosen = seat
    return chosen


@compiled
def _write_surplus(sheet, seat, points, players, rules):  # type: ignore[no-untyped-def]
    """Dispose of points when everybody is closed (Code 4.1.1); tells a status."""
    amount = points * rules.surplus_numerator
    if rules.surplus == 0:
        sheet[players + seat] -= amount // rules.surplus_denominator
        if amount % rules.surplus_denominator != 0:
            return HALF_POINTS
    elif rules.surplus == 2:
        for other in range(players):
            if other != seat:
                rounded = (2 * amount + rules.surplus_denominator) // (2 * rules.surplus_denominator)
                sheet[_column_index(players, seat, other)] += rounded
    return 0


@compiled
def _write_bullet(sheet, helped, seat, points, is_made, limit, players, rules):  # type: ignore[no-untyped-def]
    """Place one bullet entry whole: own bullet, help, surplus (rules §6); tells a status."""
    if is_made and rules.made_first_mountain:
        off = min(points, max(0, sheet[players + seat]))
        sheet[players + seat] -= off
        points -= off
    if rules.close_total:
        sheet[seat] += points
        return 0
    own = min(points, max(0, limit - sheet[seat]))
    sheet[seat] += own
    points -= own
    while points > 0:
        other = _whom_to_help(sheet, seat, limit, players, rules.help_to)
        if other < 0:
            return _write_surplus(sheet, seat, points, players, rules)
        given = min(points, limit - sheet[other])
        column = _column_index(players, seat, other)
        sheet[other] += given
        sheet[column] += given * rules.help_rate
        helped[column - 2 * players] += given
        points -= given
    return 0


@compiled
def _fits(bullet, points, limit, rules):  # type: ignore[no-untyped-def]
    """Whether a bullet entry is simply added, as most are: no surplus, nothing to write off."""
    return bullet + points <= limit and not rules.made_first_mountain


@compiled
def _write_ledger(out, deal, sheet, before, helped):  # type: ignore[no-untyped-def]
    """Write what a deal has changed; tells a status."""
    status = 0
    for column in range(len(sheet)):
        increment = sheet[column] - before[column]
        if increment > _LEDGER_LIMIT or increment < -_LEDGER_LIMIT:
            status = OVERFLOW
        out.ledger[out.columns[column], deal] = increment
    for pair in range(len(helped)):
        out.help[out.pair_columns[pair], deal] = helped[pair]
    out.scored[deal] = True
    return status


@compiled
def _write_bullets(sheet, helped, rows, row, limit, players, rules):  # type: ignore[no-untyped-def]
    """Place the bullet entries of a deal one after the other, from the dealer's left, the dealer last (rules §6)."""
    status = 0
    flags = rows[row, -1]
    dealer, is_made = flags % DEALER_SEATS, flags & IS_MADE
    for place in range(1, players + 1):
        seat = (dealer + place) % players
        points = np.int64(rows[row, seat])
        if points > 0:
            status |= _write_bullet(sheet, helped, seat, points, is_made, limit, players, rules)
    return status


@compiled
def _adjust(sheet, part, adjustment, end, deal):  # type: ignore[no-untyped-def]
    """Write the adjustments that follow a deal as they stand (rules §8); gives the next adjustment."""
    while adjustment < end and part.adjustment_deals[adjustment] == deal:
        sheet[part.adjustment_columns[adjustment]] += part.adjustment_points[adjustment]
        adjustment += 1
    return adjustment


@compiled
def _row_and_run(row, run, rows, ladder_length):  # type: ignore[no-untyped-def]
    """Find the row of a deal by its step in a run of raspasy (rules §5); gives the run so far, too."""
    flags = rows[row, -1]
    if flags & IS_RASPASY:
        return row + min(run, ladder_length - 1), run + 1
    return row, 0 if flags & ENDS_RUN else run


@compiled
def count_rows(pulkas, part, entries, deals_scored, ladder_length, counts):  # type: ignore[no-untyped-def]
    """Count how often each row of entries was written in the scored deals of these pulkas."""
    for pulka in pulkas:
        run = 0
        for deal in range(part.starts[pulka], part.starts[pulka] + deals_scored[pulka]):
            row, run = _row_and_run(entries.first_row[part.outcomes[deal]], run, entries.rows, ladder_length)
            counts[row] += 1


@cache
def walk_for(players: int) -> Any:
    """Compile the walk for a number of players.

    The walk is ``walk(pulkas, part, entries, rules, out)``: it goes through the pulkas with these indices, whose deals
    all have this number of players, and writes their sheets, and their ledger if it is wanted, to `out`.
    """
    width = sheet_width(players)

    def walk(pulkas, part, entries, rules, out):  # type: ignore[no-untyped-def]
        sheet = np.zeros(width, np.int64)
        before = np.zeros(width, np.int64)
        helped = np.zeros(width - 2 * players, np.int64)
        # Records are not handed on for every deal: that would count references to all their arrays each time.
        rows, first_row, outcomes = entries.rows, entries.first_row, part.outcomes
        bullets_just_add = rules.close_total and not rules.made_first_mountain
        wants_ledger = len(out.scored) > 0
        for pulka in pulkas:
            limit, total = part.limits[pulka], part.totals[pulka]
            last_adjustment = part.adjustment_starts[pulka + 1]
            sheet[:] = 0
            adjustment = _adjust(sheet, part, part.adjustment_starts[pulka], last_adjustment, 0)
            run = scored = status = 0
            ended = False
            for deal in range(part.starts[pulka], part.starts[pulka + 1]):
                row, run = _row_and_run(first_row[outcomes[deal]], run, rows, rules.ladder_length)
                if wants_ledger:
                    before[:] = sheet
                    helped[:] = 0
                for column in range(players, width):
                    sheet[column] += rows[row, column]
                scored += 1
                sole = rows[row, width]
                changed = sole != NO_BULLET or scored == 1
                if sole >= 0 and (bullets_just_add or _fits(sheet[sole], rows[row, sole], limit, rules)):
                    sheet[sole] += rows[row, sole]
                elif sole != NO_BULLET:
                    status |= _write_bullets(sheet, helped, rows, row, limit, players, rules)
                if wants_ledger:
                    status |= _write_ledger(out, deal, sheet, before, helped)
                if adjustment < last_adjustment:
                    changed = True
                    adjustment = _adjust(sheet, part, adjustment, last_adjustment, scored)
                if changed and sheet[:players].sum() >= total:
                    ended = rules.close_total or sheet[:players].min() >= limit
                    if ended:
                        break
            for column in range(width):
                out.sheets[out.columns[column], pulka] = sheet[column]
            out.closed[pulka] = ended
            out.deals_scored[pulka] = scored
            out.status[pulka] = status

    return compiled(walk)
