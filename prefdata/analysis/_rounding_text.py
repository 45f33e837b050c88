"""What a rounding study shows: short tables, and sentences that their figures support."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from prefdata.analysis._estimates import ENOUGH
from prefdata.analysis._rounding_frames import StudyFrames
from prefdata.analysis._rounding_sums import GROUPS
from prefdata.errors import counted
from prefdata.reports import Section, listed
from prefdata.vocabulary import TWELFTHS

__all__ = ["say_fractions", "study_sections"]


def study_sections(study: StudyFrames) -> tuple[Section, ...]:
    """Show a study that is grouped by players, or by nothing."""
    told = [
        ("Distance from the exact results, in whists", _distances(study), _say_distance(study)),
        ("Mean gain over the exact result, in whists", _gains(study), _say_favours(study)),
        ("Sheets on which something breaks", _shown(study, study.breaks), _say_breaks(study)),
        ("What the choice of the moved player is worth (code), in whists", _owners(study), _say_owner(study)),
        ("Settled otherwise without the amnesty", _amnesties(study), _say_amnesty(study)),
    ]
    return (
        Section("Totals with fractions", study.fractions, shares=("share", "share_low", "share_high")),
        *(
            Section(title, frame, tuple(said), decimals=3, shares=("share",) if "share" in frame.columns else ())
            for title, frame, said in told
            if said
        ),
    )


def _shown(study: StudyFrames, frame: pl.DataFrame) -> pl.DataFrame:
    """Keep the rules that round, at the tables where any of them does or where fractions are left."""
    moves = study.distance.select(*study.by, "rule", "changed").join(
        study.breaks.select(*study.by, "rule", "not_whole"), on=[*study.by, "rule"], maintain_order="left"
    )
    is_moved = (pl.col("changed") > 0) | (pl.col("not_whole") > 0)
    kept = frame.filter(pl.col("rule").cast(pl.String) != "exact")
    if not study.by:
        return kept if moves.select(is_moved.any()).item() else kept.clear()
    return kept.join(moves.filter(is_moved), on=study.by, how="semi", maintain_order="left")


def _percent(part: int, whole: int) -> str:
    return f"{part} of {counted(whole, 'sheet')} ({100 * part / whole:.1f} %)" if whole else "no sheet"


def _at(row: dict[str, Any]) -> str:
    return f"With {row['players']} players" if "players" in row else "On all sheets"


def _by_table(study: StudyFrames, frame: pl.DataFrame) -> list[list[dict[str, Any]]]:
    """Split a frame's rows by number of players."""
    if not study.by:
        return [frame.rows(named=True)] if frame.height else []
    return [part.rows(named=True) for part in frame.partition_by(study.by, maintain_order=True)]


def say_fractions(study: StudyFrames) -> tuple[str, ...]:
    """Say how many sheets have totals with fractions."""
    return tuple(
        f"{_at(row)} {_percent(row['with_fractions'], row['sheets'])} have totals with fractions "
        f"(95 % interval: {100 * row['share_low']:.1f} to {100 * row['share_high']:.1f} %)."
        for row in study.fractions.iter_rows(named=True)
    )


def _distances(study: StudyFrames) -> pl.DataFrame:
    money = ["mean_money", "largest_money"] if study.distance["mean_money"].count() else []
    columns = ["settled", "mean", "largest", *money, "changed", "changed_whole", "residues", "largest_residue"]
    return _shown(study, study.distance).select(*study.by, "rule", *columns)


def _say_distance(study: StudyFrames) -> list[str]:
    said = []
    for rows in _by_table(study, study.distance):
        told = [row for row in rows if row["rule"] != "exact" and row["settled"]]
        if not any(row["distance_twelfths"] for row in told):
            said.append(f"{_at(rows[0])} no rule moves a result.")
            continue
        # rules may settle different numbers of sheets, so that means are compared and not sums
        least, most = (choose(row["mean"] for row in told) for choose in (min, max))
        nearest, farthest = (listed(row["rule"] for row in told if row["mean"] == mean) for mean in (least, most))
        said.append(
            f"{_at(rows[0])} the mean distance of a seat is smallest under {nearest} ({least:.3f}) and largest under "
            f"{farthest} ({most:.3f})."
        )
        spoilt = [f"{row['rule']} ({row['changed_whole']})" for row in told if row["changed_whole"]]
        if spoilt:
            said.append(f"{_at(rows[0])} sheets that were whole are changed by {listed(spoilt)}.")
    return said


def _gains(study: StudyFrames) -> pl.DataFrame:
    shown = _shown(study, study.favours)
    wide = shown.pivot("group", index=[*study.by, "rule"], values="gain", maintain_order=True)
    groups = [name for name in GROUPS if name in wide.columns]
    return wide.select(*study.by, "rule", *groups)


def _say_favours(study: StudyFrames) -> list[str]:
    said, clear = [], False
    for rows in _by_table(study, _shown(study, study.favours)):
        told = [row for row in rows if row["group"] != "moved"]
        if max(row["sheets"] for row in told) < ENOUGH:
            said.append(f"{_at(rows[0])} there are too few sheets (below {ENOUGH}) to say whom a rule favours.")
            continue
        strongest = [text for rule in study.rules if (text := _strongest([r for r in told if r["rule"] == rule]))]
        if strongest:
            clear = True
            said.append(f"{_at(rows[0])} the largest gain or loss that is clear of zero: {'; '.join(strongest)}.")
        else:
            said.append(f"{_at(rows[0])} no rule's gain or loss is clear of zero.")
    missed = "By chance alone 5 % of such intervals miss zero where nobody is favoured."
    return [*said, missed] if clear else said


def _is_clear(row: dict[str, Any]) -> bool:
    return bool(row["low"] is not None and (row["low"] > 0 or row["high"] < 0))


def _strongest(rows: Sequence[dict[str, Any]]) -> str:
    """Tell whom one rule moves farthest, with the half of the interval; nothing if nobody is clear of zero."""
    clear = [row for row in rows if _is_clear(row)]
    if not clear:
        return ""
    most = max(abs(row["gain"]) for row in clear)
    named = [row for row in clear if abs(row["gain"]) == most]
    whom = "everybody" if len(named) == len(rows) else listed(row["group"].replace("_", " ") for row in named)
    return f"{named[0]['rule']} {whom} {named[0]['gain']:+.3f} ± {named[0]['high'] - named[0]['gain']:.3f}"


def _say_breaks(study: StudyFrames) -> list[str]:
    said = []
    for rows in _by_table(study, _shown(study, study.breaks)):
        kinds = {
            "the sum is not zero": "not_zero_sum",
            "the order changes": "order",
            "a result changes its sign": "sign",
            "fractions are left": "not_whole",
        }
        for what, column in kinds.items():
            worst = max(row[column] for row in rows)
            if worst:
                most = [row for row in rows if row[column] == worst]
                # `settled` leaves out what a rule could not settle
                number = most[0]["settled"] + (most[0]["not_whole"] if column == "not_whole" else 0)
                rules = listed(row["rule"] for row in most)
                said.append(f"{_at(rows[0])} {what} most often under {rules}: {_percent(worst, number)}.")
    return said or ["No rule breaks anything."]


def _owners(study: StudyFrames) -> pl.DataFrame:
    counts = ["ranks_from_exact", "ranks_from_convention", "ranks_contested"]
    return study.owner.select(*study.by, "owner", "point", "sheets", "gain", "value", *counts)


def _say_owner(study: StudyFrames) -> list[str]:
    said = []
    for rows in _by_table(study, study.owner):
        of_seat = [row for row in rows if row["owner"] == "a"]
        number = sum(row["sheets"] for row in of_seat)
        if number:
            worth = sum(row["value_twelfths"] for row in of_seat) / TWELFTHS / number
            contested = sum(row["ranks_contested"] for row in of_seat)
            said.append(
                f"{_at(rows[0])} being chosen or not makes a difference of {worth:.2f} whists on average, and whom the "
                f"players choose decides ranks on {_percent(contested, number)} that move a mountain."
            )
    return said or ["No mountain is moved."]


def _amnesties(study: StudyFrames) -> pl.DataFrame:
    return _shown(study, study.amnesty).select(
        *study.by, "rule", "sheets", "otherwise", "share", "otherwise_ranks", "largest"
    )


def _say_amnesty(study: StudyFrames) -> list[str]:
    said = []
    for rows in _by_table(study, study.amnesty):
        told = [f"{row['rule']} on {_percent(row['otherwise'], row['sheets'])}" for row in rows if row["otherwise"]]
        if told:
            said.append(f"{_at(rows[0])} the amnesty decides results of {listed(told)}.")
    return said or ["No rule depends on the amnesty."]
