"""The walk of the Balkan game: what depends on the order of deals - refes, hats, the cut of the last game, the end.

All compiled code of this game is in this one module.  A pulka's sheet is one row of integers: the contract columns, the
juhas of every ordered pair, the unspent refes, the hats.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prefdata.outcomes.compiled import compiled

__all__ = ["CAN_BE_CUT", "GIVES_REFE", "Pulkas", "Written", "walk_balkan"]

GIVES_REFE = 1
CAN_BE_CUT = 2
"""Flags of a row of entries, see `BalkanBook.entries`."""

_PLAYERS = 3
_ENTRIES = 9
_VALUE, _DECLARER, _FLAGS = 9, 10, 11
_REFES, _HATS = 9, 12
_DOUBLED, _CUT, _GAVE_REFE = 9, 10, 11


class Pulkas(NamedTuple):
    """The deals of a part in order, and the adjustments that belong to its pulkas."""

    starts: Any  # int64 per pulka and one more: its first deal
    limits: Any  # int64 per pulka: L
    refe_max: Any  # int64 per pulka: how often everybody may be given a refe
    outcomes: Any  # int32 per deal: number of its outcome
    adjustment_starts: Any  # int64 per pulka and one more
    adjustment_deals: Any  # int64 per adjustment: the deal after which it is written
    adjustment_columns: Any  # int64 per adjustment: column of the sheet
    adjustment_points: Any  # int64 per adjustment


class Written(NamedTuple):
    """Where the walk writes; the ledger's arrays have no deals when it is not wanted."""

    sheets: Any  # int64, columns x pulkas
    closed: Any  # bool per pulka
    deals_scored: Any  # int64 per pulka
    ledger: Any  # int32, entries and marks x deals
    scored: Any  # bool per deal


@compiled
def _put_hats(sheet):  # type: ignore[no-untyped-def]
    """Put the hat on above 0, take it off below; at 0 it stays as it is."""
    for seat in range(_PLAYERS):
        if sheet[seat] != 0:
            sheet[_HATS + seat] = sheet[seat] > 0


@compiled
def _adjust(sheet, part, adjustment, end, deal):  # type: ignore[no-untyped-def]
    """Write the adjustments that follow a deal as they stand (rules §8); gives the next adjustment."""
    while adjustment < end and part.adjustment_deals[adjustment] == deal:
        sheet[part.adjustment_columns[adjustment]] += part.adjustment_points[adjustment]
        adjustment += 1
    _put_hats(sheet)
    return adjustment


@compiled
def _spend_refe(sheet, declarer):  # type: ignore[no-untyped-def]
    """Spend a refe of the declarer if he has one; gives the factor of the value."""
    if sheet[_REFES + declarer] == 0:
        return 1
    sheet[_REFES + declarer] -= 1
    return 2


@compiled
def _is_under_hat(sheet):  # type: ignore[no-untyped-def]
    return sheet[_HATS] + sheet[_HATS + 1] + sheet[_HATS + 2] > 0


@compiled
def walk_balkan(pulkas, part, rows, out):  # type: ignore[no-untyped-def]
    """Go through the pulkas with these indices, and write their sheets, and their ledger if it is wanted.

    `rows` has for each outcome the units of the nine columns, the value, the declarer's seat and the flags.
    """
    sheet = np.zeros(_HATS + _PLAYERS, np.int64)
    wants_ledger = len(out.scored) > 0
    for pulka in pulkas:
        last_adjustment = part.adjustment_starts[pulka + 1]
        sheet[:] = 0
        sheet[:_PLAYERS] = -part.limits[pulka]
        adjustment = _adjust(sheet, part, part.adjustment_starts[pulka], last_adjustment, 0)
        refes_given = scored = 0
        ended = False
        for deal in range(part.starts[pulka], part.starts[pulka + 1]):
            row = rows[part.outcomes[deal]]
            scored += 1
            factor, worth = 1, 0
            is_cut = gave_refe = False
            if row[_FLAGS] & GIVES_REFE:
                if refes_given < part.refe_max[pulka] and not _is_under_hat(sheet):
                    refes_given += 1
                    gave_refe = True
                    sheet[_REFES : _REFES + _PLAYERS] += 1
            else:
                factor = _spend_refe(sheet, row[_DECLARER])
                worth = np.int64(row[_VALUE]) * factor
                missing = max(0, -sheet[:_PLAYERS].sum())
                if row[_FLAGS] & CAN_BE_CUT and worth > missing:
                    worth, is_cut = missing, True
            for column in range(_ENTRIES):
                sheet[column] += row[column] * worth
            if wants_ledger:
                for column in range(_ENTRIES):
                    out.ledger[column, deal] = row[column] * worth
                out.ledger[_DOUBLED, deal] = factor == 2
                out.ledger[_CUT, deal] = is_cut
                out.ledger[_GAVE_REFE, deal] = gave_refe
                out.scored[deal] = True
            _put_hats(sheet)
            adjustment = _adjust(sheet, part, adjustment, last_adjustment, scored)
            ended = sheet[:_PLAYERS].sum() >= 0
            if ended:
                break
        out.sheets[:, pulka] = sheet
        out.closed[pulka] = ended
        out.deals_scored[pulka] = scored
