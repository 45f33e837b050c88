"""Over-writing and its fine (Code 4.2.7)."""

from __future__ import annotations

from numbers import Integral

import polars as pl

from prefdata.corrections._rows import Entry, adjustments_of, refuse_no_key, refuse_unknown
from prefdata.doors import as_flag, told
from prefdata.errors import CorrectionError

__all__ = ["correct_over_writing"]


def correct_over_writing(
    pulka: int,
    deal: int,
    seat: str,
    entry: str,
    points: int,
    *,
    on_seat: str | None = None,
    first_offence: bool = False,
    with_error: bool = True,
) -> pl.DataFrame:
    """Turn an over-written entry into its adjustments (Code 4.2.7).

    The fine for over-writing equals the over-writing: whists in excess are taken back, and the player on whom they were
    written writes as many on the offender; bullet points in excess are taken back, and as many go on the offender's
    mountain.  The first time the entry is only corrected, as a warning.

    The rule is one of the Russian game.  Other games have other entries; their corrections are rows of the adjustments
    table that are written by hand.

    Parameters
    ----------
    pulka, deal
        Key of the pulka, and the deal after which the entry was made; 0 for one before the first deal.
    seat
        Who wrote too much.
    entry
        ``whists`` or ``bullet``; the rule names no other.
    points
        The excess, in whists or points, above 0.
    on_seat
        On whom the whists were written.
    first_offence
        Whether it is the first time, so that nothing is fined.
    with_error
        Whether to put the over-written entry itself before its correction, so that only the fine remains: a pulka that
        is scored from its deals holds only what they bring, and the correction alone would take away what was never
        written.  False where the excess stands among the pulka's adjustments already.

    Returns
    -------
    pl.DataFrame
        Rows of the adjustments table, with reasons.

    Raises
    ------
    CorrectionError
        If the rule knows no such over-writing, or there can be no such pulka, deal or seat.

    Examples
    --------
    >>> correct_over_writing(1, 3, "a", "whists", 8, on_seat="b").select("seat", "entry", "on_seat", "points").rows()
    [('a', 'whists', 'b', 8), ('a', 'whists', 'b', -8), ('b', 'whists', 'a', 8)]
    >>> correct_over_writing(1, 3, "a", "bullet", 4, first_offence=True).select("seat", "points", "reason").row(1)
    ('a', -4, 'bullet over-written by 4 is taken back (rule 4.2.7)')
    """
    refuse_no_key(pulka)
    first_offence, with_error = as_flag(first_offence, "first_offence"), as_flag(with_error, "with_error")
    _refuse_unruly(deal, seat, entry, points, on_seat)
    over_written = f"{entry} over-written by {points}"
    rows: list[Entry] = [
        (seat, entry, on_seat, points, f"{over_written} (rule 4.2.7)"),
        (seat, entry, on_seat, -points, f"{over_written} is taken back (rule 4.2.7)"),
    ]
    if not first_offence:
        fine = f"fine for {over_written} at seat {seat} (rule 4.2.7)"
        rows.append(
            (on_seat, "whists", seat, points, fine) if on_seat else (seat, "mountain", None, points, fine),
        )
    return adjustments_of(pulka, deal, rows if with_error else rows[1:])


def _refuse_unruly(deal: int, seat: str, entry: str, points: int, on_seat: str | None) -> None:
    """Raise if rule 4.2.7 knows no such over-writing."""
    if not isinstance(entry, str) or entry not in ("whists", "bullet"):
        raise CorrectionError(
            f"over-writing of {told(entry)} has no fine: rule 4.2.7 names whists and bullet",
            hint="Write another correction as a row of the adjustments table.",
        )
    refuse_unknown(seat)
    if entry == "bullet" and on_seat is not None:
        raise CorrectionError(
            f"a bullet is written on nobody, but on_seat is {told(on_seat)}",
            hint="Leave on_seat out, or correct whists.",
        )
    if entry == "whists":
        if on_seat is None:
            raise CorrectionError("whists are written on somebody, but on_seat is missing", hint="Name on_seat.")
        refuse_unknown(on_seat)
        if on_seat == seat:
            raise CorrectionError(
                f"nobody writes whists on himself, but seat and on_seat are {seat!r}", hint="Name the other player."
            )
    if not isinstance(points, Integral) or not 0 < points < 2**31:
        raise CorrectionError(
            f"points are {told(points)}, but over-writing is a whole number above 0",
            hint="Give what was written in excess, without a sign.",
        )
    if not isinstance(deal, Integral) or not 0 <= deal < 2**16:
        raise CorrectionError(
            f"deal is {told(deal)}, not the number of a deal", hint="Number deals 1, 2, ... or give 0."
        )
