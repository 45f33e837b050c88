"""Whether all rows of a rescoring are accounted for, and its sums those of the second scorer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import polars as pl

import prefdata as pref
from prefdata.vocabulary import bullet_column, mountain_column, pairs, seats_at_table, whists_column
from tests import legality, second_scorer
from tests.hostile.judging import Fault, Judgement, Ran, observed
from tests.hostile.material import TABLES
from tests.records import plain

__all__ = ["look_at_rescoring", "look_at_settlements", "rows_in"]

Record = dict[str, Any]


def look_at_rescoring(
    archive: Path, out: Path, ran: Ran, conventions: Iterable[pref.Convention | str], *, by_columns: bool = True
) -> None:
    """Look whether a rescoring accounts for every row, and compare it with the second scorer.

    Parameters
    ----------
    archive, out
        Folder of the archive, and of the result.
    ran
        What the command said.
    conventions
        What it was asked for.
    by_columns
        Whether the readable columns are the truth; not where a hash is forged.

    Raises
    ------
    Fault
        If anything is lost in silence, or wrong.
    """
    if not ran.is_done:
        if (out / "manifest.json").exists():
            raise Fault(Judgement.SILENT_LOSS, f"exit code {ran.code}, and yet there is a result")
        return
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    rows = {table: rows_of(archive, table) for table in TABLES}
    for table, found in rows.items():
        if found is not None and manifest["read"][table] != len(found):
            raise Fault(
                Judgement.SILENT_LOSS, f"{len(found)} rows of {table}, {manifest['read'][table]} read by the manifest"
            )
    _add_up(manifest, out, ran)
    for convention in conventions:
        label = convention if isinstance(convention, str) else convention.name
        sheets = _results(out, label, "sheets")
        settlements = _results(out, label, "settlements")
        _zero(settlements, label)
        pulkas, deals = rows["pulkas"], rows["deals"]
        if by_columns and pulkas is not None and deals is not None:
            _compare(sheets, settlements, label, convention, pulkas, deals, rows["adjustments"] or [])


def rows_of(archive: Path, table: str) -> list[Record] | None:
    """Read the rows of a table as Polars reads them; None where it cannot."""
    rows: list[Record] = []
    for file in sorted((archive / table).glob("*.parquet")):
        found = None if file.name.startswith(".") else rows_in(file)
        if found is None and not file.name.startswith("."):
            return None
        rows += found or []
    return rows


def rows_in(file: Path) -> list[Record] | None:
    """Read the rows of a Parquet or CSV file, all cells of CSV as texts; None where Polars cannot."""
    read = partial(pl.read_csv, infer_schema=False) if file.suffix == ".csv" else pl.read_parquet
    ran = observed(lambda: read(file, glob=False).to_dicts())
    return ran.value if isinstance(ran.value, list) else None


def _add_up(manifest: Record, out: Path, ran: Ran) -> None:
    """Look whether read = scored or applied + after the end + set aside, and whether a loss shows in the exit code."""
    read, aside = manifest["read"], 0
    for label, counts in manifest["conventions"].items():
        sums = {
            "pulkas": counts["pulkas_scored"] + counts["pulkas_set_aside"],
            "deals": counts["deals_scored"] + counts["deals_after_end"] + counts["deals_set_aside"],
            "adjustments": counts["adjustments_applied"]
            + counts["adjustments_after_end"]
            + counts["adjustments_set_aside"],
        }
        if sums != read:
            raise Fault(Judgement.SILENT_LOSS, f"{label}: read {read}, accounted for {sums}")
        aside += sum(counts[f"{table}_set_aside"] for table in TABLES)
        written = _results(out, label, "sheets").height
        if written != counts["pulkas_scored"]:
            raise Fault(Judgement.SILENT_LOSS, f"{label}: {written} sheets of {counts['pulkas_scored']} pulkas scored")
    reasons = sum(pl.read_parquet(file, glob=False).height for file in (out / "set-aside").glob("*.parquet"))
    if ran.code == 0 and (aside or reasons):
        raise Fault(Judgement.SILENT_LOSS, f"exit code 0, {aside} rows set aside with {reasons} reasons")
    if ran.code == 1 and not reasons:
        raise Fault(Judgement.SILENT_LOSS, "exit code 1 without a reason in set-aside")


def _results(out: Path, label: str, table: str) -> pl.DataFrame:
    files = sorted((out / label / table).glob("*.parquet"))
    return pl.concat([pl.read_parquet(file, glob=False) for file in files])


def _zero(settlements: pl.DataFrame, label: str) -> None:
    """Look whether the results of each pulka add up to zero, exactly."""
    sums: dict[int, int] = {}
    for key, twelfths in settlements.select("pulka", "result_twelfths").rows():
        sums[key] = sums.get(key, 0) + twelfths
    for key, total in sums.items():
        if total:
            raise Fault(Judgement.WRONG_SUM, f"{label}: the results of pulka {key} add up to {total}/12")


def _compare(
    sheets: pl.DataFrame,
    settlements: pl.DataFrame,
    label: str,
    convention: pref.Convention | str,
    pulkas: Sequence[Record],
    deals: Sequence[Record],
    adjustments: Sequence[Record],
) -> None:
    """Compare every pulka that was scored with what the second scorer makes of the same rows."""
    settled = settlements.partition_by("pulka", as_dict=True)
    for row in sheets.iter_rows(named=True):
        key = row["pulka"]
        of_pulka = [pulka for pulka in pulkas if pulka["pulka"] == key]
        if len(of_pulka) != 1:
            raise Fault(Judgement.WRONG_SUM, f"{label}: pulka {key} was scored, and has {len(of_pulka)} rows")
        (pulka,) = of_pulka
        switches = pref.convention(pulka["convention"]) if isinstance(convention, str) else convention
        expected = _expected(pulka, [one for one in deals if one["pulka"] == key], adjustments, switches, label)
        _same(_numbers(expected), _numbers_of(row, expected.players), f"{label}: pulka {key}")
        settlement = second_scorer.settle(
            expected.players, expected.limit, expected.bullet, expected.mountain, expected.whists, plain(switches)
        )
        _same_settlement(settlement, settled[(key,)], f"{label}: pulka {key}")


def _expected(
    pulka: Record, deals: list[Record], adjustments: Sequence[Record], switches: pref.Convention, label: str
) -> second_scorer.Pulka:
    """Let the second scorer score a pulka; a row that no rules allow is a fault, since it was scored."""
    key = pulka["pulka"]
    where = f"{label}: pulka {key} was scored"
    of_pulka = [_with_seats(one) for one in adjustments if one["pulka"] == key]
    deals = [_filled(deal) for deal in sorted(deals, key=lambda deal: int(deal["deal"] or 0))]
    if [deal["deal"] for deal in deals] != list(range(1, len(deals) + 1)) or not deals:
        raise Fault(Judgement.WRONG_SUM, f"{where}, its deals are numbered {[deal['deal'] for deal in deals][:20]}")
    for deal in deals:
        if deal["players"] != pulka["players"] or not _is_legal(deal):
            raise Fault(Judgement.WRONG_SUM, f"{where} with the deal {deal}")
    try:
        limits = {
            name: None if pulka.get(name) is None else int(pulka[name]) for name in ("bullet_limit", "bullet_total")
        }
        return second_scorer.score_pulka(
            pulka["players"],
            limits["bullet_limit"],
            deals,
            plain(switches),
            sorted(of_pulka, key=_deal_of),
            bullet_total=limits["bullet_total"],
        )
    except (ValueError, KeyError, TypeError, LookupError) as error:
        raise Fault(Judgement.WRONG_SUM, f"{where}; the second scorer: {type(error).__name__} {error}") from None


def _is_legal(deal: Record) -> bool:
    """Ask the independent judge of deals, once about each different one."""
    return _judged(tuple((name, value) for name, value in deal.items() if name not in ("pulka", "deal", "outcome")))


@lru_cache(maxsize=4096)
def _judged(deal: tuple[tuple[str, Any], ...]) -> bool:
    return legality.is_legal(dict(deal))


def _deal_of(adjustment: Mapping[str, Any]) -> int:
    return int(adjustment["deal"])


_SEATS_OF_ROWS = ("dealer", "declarer", "seat", "on_seat")


def _with_seats(row: Mapping[str, Any]) -> Record:
    """Take the seats of a row as prefdata does, in capitals or not."""
    return {name: value.lower() if name in _SEATS_OF_ROWS and value else value for name, value in row.items()}


def _filled(deal: Record) -> Record:
    """Fill what a row may leave open."""
    names = ["declarer", "trump", *(f"{what}_{seat}" for what in ("call", "tricks") for seat in "abcd")]
    given = {name: value for name, value in _with_seats(deal).items() if value is not None}
    return {**dict.fromkeys(names), **legality.DEFAULTS, **given}


def _numbers(sheet: second_scorer.Pulka) -> Record:
    seats = seats_at_table(sheet.players)
    return {
        **{bullet_column(seat): sheet.bullet[seat] for seat in seats},
        **{mountain_column(seat): sheet.mountain[seat] for seat in seats},
        **{whists_column(*pair): sheet.whists[pair] for pair in pairs(sheet.players)},
        "closed": sheet.closed,
        "deals_scored": sheet.deals_scored,
        "deals_after_end": sheet.deals_after_end,
    }


def _numbers_of(row: Record, players: int) -> Record:
    names = [*map(bullet_column, seats_at_table(players)), *map(mountain_column, seats_at_table(players))]
    names += [whists_column(*pair) for pair in pairs(players)]
    return {name: row[name] for name in (*names, "closed", "deals_scored", "deals_after_end")}


def _same(expected: Record, found: Record, where: str) -> None:
    different = {name: (value, found.get(name)) for name, value in expected.items() if found.get(name) != value}
    if different:
        raise Fault(Judgement.WRONG_SUM, f"{where}: (second scorer, prefdata) {different}")


def _same_settlement(expected: second_scorer.Settlement, rows: pl.DataFrame, where: str) -> None:
    if sorted(rows["seat"].cast(pl.String).to_list()) != sorted(expected.result):
        raise Fault(Judgement.WRONG_SUM, f"{where}: settled for the seats {rows['seat'].to_list()}")
    for row in rows.iter_rows(named=True):
        seat = row["seat"]
        wanted = {"result_twelfths": expected.result[seat] * 12}
        wanted |= {name: getattr(expected, name)[seat] for name in ("rounded", "adjusted", "rank")}
        _same(wanted, row, f"{where}, seat {seat}")


def look_at_settlements(
    rows: Sequence[Record] | None, settled: pl.DataFrame, ran: Ran, convention: pref.Convention
) -> None:
    """Compare settled sheets with the second scorer, and count those that were not settled.

    Parameters
    ----------
    rows
        The sheets that stand in the file, with numbers or texts as values; None where nobody can tell.
    settled
        What was written.
    ran
        What the command said.
    convention
        What it was asked for.
    """
    _zero(settled, convention.name)
    keys = settled["pulka"].unique(maintain_order=True).to_list()
    if rows is None:
        return
    if ran.code == 0 and len(keys) != len(rows):
        raise Fault(Judgement.SILENT_LOSS, f"exit code 0, {len(rows)} sheets in the file, {len(keys)} settled")
    by_key: dict[Any, list[Record]] = {}
    for row in rows:
        by_key.setdefault(_key(row.get("pulka")), []).append(row)
    for (key,), of_pulka in settled.partition_by("pulka", as_dict=True).items():
        found = by_key.get(key, [])
        if len(found) != 1:
            raise Fault(Judgement.WRONG_SUM, f"pulka {key} was settled, and has {len(found)} rows")
        _same_settlement(_settled_by_hand(found[0], convention), of_pulka, f"pulka {key}")


def _key(value: Any) -> Any:
    """Take a key as the number that it is; what is none stays what it is."""
    try:
        return _exact(value)
    except (ValueError, TypeError, OverflowError):
        return value if value is None else str(value)


def _settled_by_hand(row: Record, convention: pref.Convention) -> second_scorer.Settlement:
    omitted = not any(bullet_column(seat) in row for seat in "abcd")
    try:
        players, switches, known = int(row["players"]), plain(convention), row["bullet_limit"]
        limit = second_scorer.limit_of(players, None if known is None and not omitted else int(known), switches)
        seats = seats_at_table(players)
        bullet = {seat: Fraction(limit) if omitted else _exact(row[bullet_column(seat)]) for seat in seats}
        mountain = {seat: _exact(row[mountain_column(seat)]) for seat in seats}
        whists = {pair: _exact(row[whists_column(*pair)]) for pair in pairs(players)}
    except (ValueError, TypeError, OverflowError, KeyError) as error:
        raise Fault(Judgement.WRONG_SUM, f"a sheet was settled whose cells are no numbers: {error!r}: {row}") from None
    return second_scorer.settle(players, limit, bullet, mountain, whists, switches)


def _exact(value: Any) -> Fraction:
    """Take a cell as the number that it is, to the nearest twelfth, as the page of limits says."""
    if isinstance(value, bool):
        raise ValueError(f"{value} is no number")
    number = value.strip() if isinstance(value, str) else value
    if isinstance(number, str):
        try:
            return Fraction(int(number))
        except ValueError:
            number = float(number)
    if isinstance(number, float | Decimal):
        return Fraction(round(Fraction(number) * 12), 12)
    return Fraction(number)
