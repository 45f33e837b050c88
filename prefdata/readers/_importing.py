"""Reading a file of any known format, and setting aside what cannot be scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from prefdata.archives import Archive, archive
from prefdata.conventions import presets
from prefdata.doors import as_choice, as_flag, as_kind, as_path, as_texts, as_whole
from prefdata.errors import TableError
from prefdata.failures import FAILURE_SCHEMA, Failures
from prefdata.readers import club_sheets, form, ppn, preferans_score_it, preferans_score_ru, protocol, pulka_json
from prefdata.readers._records import PLACE, Format, Imported, Options, Records
from prefdata.vocabulary import LARGEST_LIMIT, SEATS

__all__ = ["FORMATS", "import_file"]

FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        form.FORMAT,
        ppn.FORMAT,
        protocol.FORMAT,
        club_sheets.FORMAT,
        pulka_json.FORMAT,
        preferans_score_it.FORMAT,
        preferans_score_ru.FORMAT,
    )
}
"""The formats by name, in the order in which a file is tried for them."""


def import_file(
    path: str | Path,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    players: Sequence[str] = (),
    bullet_limit: int | None = None,
    convention: str | None = None,
    first_dealer: str | None = None,
    repair: bool = False,
    strict: bool = False,
) -> Imported:
    r"""Read a file of people or of another program.

    Parameters
    ----------
    path
        The file.
    format
        Name of its format, one of `FORMATS`; recognised by the content unless given.
    columns
        For headings of the file, the columns that they stand for.
    players
        Names of the players in seat order, where the file does not name them.
    bullet_limit, convention
        The limit and the convention of its pulkas, where the file does not tell them.
    first_dealer
        The seat that dealt first, where the file does not tell it; the deal goes round clockwise.
    repair
        Whether what is known to be left over is cleared, with a note; else its rows are set aside.
    strict
        Whether what can be put right, such as tricks of a game that was not played, is set aside instead.

    Returns
    -------
    Imported
        The good pulkas as an archive, or sheets without deals as a frame; what was set aside, with its row in the file,
        and notes of what was put right.

    Raises
    ------
    TableError
        If the file cannot be read, or is of no known format.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "club.csv")
    ...     _ = file.write_text("limit,players,hill1,hill2,w12,w21\n20,2,4,2,30,10\n")
    ...     imported = import_file(file)
    >>> imported.sheets.select("bullet_limit", "mountain_a", "whists_ab").row(0)
    (20, 4, 30)
    """
    file = as_path(path, "path")
    chosen = None if format is None else FORMATS[as_choice(format, "format", FORMATS)]
    options = Options(
        columns=_as_columns(columns),
        players=as_texts(players, "players"),
        bullet_limit=None if bullet_limit is None else as_whole(bullet_limit, "bullet_limit", 1, LARGEST_LIMIT),
        convention=None if convention is None else as_choice(convention, "convention", presets()),
        first_dealer=None if first_dealer is None else as_choice(first_dealer, "first_dealer", SEATS),
        repair=as_flag(repair, "repair"),
        strict=as_flag(strict, "strict"),
    )
    if not file.is_file():
        kind = "is no regular file" if file.exists() else "does not exist"
        raise TableError(f"{file} {kind}", hint="Give the path of a file.")
    known = chosen or _recognised(file)
    return _sorted_out(file, known, known.read(file, options))


def _as_columns(columns: object) -> dict[str, str]:
    """Take headings with the columns that they stand for."""
    hint = 'Give headings with their columns, such as {"Hill of Anna": "mountain_a"}.'
    given = as_kind({} if columns is None else columns, "columns", Mapping, hint=hint)  # type: ignore[type-abstract]
    texts = as_texts([text for pair in given.items() for text in pair], "columns")
    return dict(zip(texts[::2], texts[1::2], strict=True))


def _recognised(file: Path) -> Format:
    for one in FORMATS.values():
        if file.suffix.lower() in one.endings and one.is_recognised(file):
            return one
    known = "; ".join(f"{one.name} ({one.title})" for one in FORMATS.values())
    raise TableError(f"{file} is of no known format", hint=f"Name the format: {known}.")


def _sorted_out(file: Path, format: Format, records: Records) -> Imported:
    """Check what was read, and set aside the pulkas of rows that were not understood or break a rule."""
    failures = [_failures_of(records.refused, file)]
    records = _without_refused(records)
    checked = None
    if records.pulkas is not None and records.deals is not None:
        checked, broken = _checked(records, file)
        failures.append(broken)
    every, sheets = Failures.gather(failures), _good_sheets(records, checked)
    if checked is not None and sheets is not None:
        checked = replace(checked, sheets=sheets.lazy())
    return Imported(
        file=file,
        format=format,
        archive=checked,
        sheets=sheets,
        failures=every,
        notes=records.notes.sort("row", maintain_order=True),
        rows=records.rows,
        good=_good_rows(records, checked),
        ignored=records.ignored,
        conventions=records.conventions,
    )


def _good_sheets(records: Records, checked: Archive | None) -> pl.DataFrame | None:
    """Give the sheets; beside deals, those of the pulkas whose deals are good."""
    if records.sheets is None:
        return None
    sheets = records.sheets.drop(PLACE)
    return sheets if checked is None else sheets.filter(pl.col("pulka").is_in(_keys(checked)))


def _without_refused(records: Records) -> Records:
    """Leave out the pulkas of rows that were not understood."""
    if "pulka" not in records.refused.columns or records.pulkas is None:
        return records
    refused = records.refused["pulka"].drop_nulls().unique().implode()
    tables = {"pulkas": records.pulkas, "deals": records.deals, "adjustments": records.adjustments}
    kept = {
        name: None if frame is None else frame.filter(~pl.col("pulka").is_in(refused)) for name, frame in tables.items()
    }
    return replace(records, pulkas=kept["pulkas"], deals=kept["deals"], adjustments=kept["adjustments"])


def _good_rows(records: Records, checked: Archive | None) -> int:
    """Count the rows of the file that are in the good pulkas: deals, and what was written beside them."""
    if checked is None or records.deals is None:
        return 0 if records.sheets is None else records.sheets.height
    keys = _keys(checked)
    deals = records.deals.filter(pl.col("pulka").is_in(keys))
    if records.adjustments is None:
        return deals.height
    beside = records.adjustments.filter(pl.col("pulka").is_in(keys)).filter(
        ~pl.col(PLACE).is_in(deals[PLACE].implode())
    )
    return deals.height + beside[PLACE].n_unique()


def _keys(checked: Archive) -> pl.Series:
    """List the keys of the good pulkas, for `is_in`."""
    return checked.pulkas.select("pulka").collect()["pulka"].implode()


def _failures_of(refused: pl.DataFrame, file: Path) -> Failures:
    columns = {name: pl.lit(None, dtype=kind) for name, kind in FAILURE_SCHEMA.items()}
    known = {"rule": pl.col("rule"), "value": pl.col("value"), "reason": pl.col("reason"), "row": pl.col("row")}
    known |= {name: pl.col(name).cast(FAILURE_SCHEMA[name]) for name in ("pulka", "deal") if name in refused.columns}
    frame = refused.select(
        **columns | known | {"file": pl.lit(str(file)), "table": pl.lit("file")},
    ).select(list(FAILURE_SCHEMA))
    return Failures(frame, pulka_rows=refused.height)


def _checked(records: Records, file: Path) -> tuple[Archive, Failures]:
    """Make an archive of the records, without the pulkas that break a rule, whose rows are told as the file's."""
    assert records.pulkas is not None
    assert records.deals is not None
    tables = {"pulkas": records.pulkas, "deals": records.deals, "adjustments": records.adjustments}
    frames = {name: frame.drop(PLACE) for name, frame in tables.items() if frame is not None}
    good, failures = archive(frames["pulkas"], frames["deals"], frames.get("adjustments")).check()
    places = [
        frame.select(pl.lit(name).alias("table"), pl.int_range(pl.len(), dtype=pl.UInt32).alias("row"), place=PLACE)
        for name, frame in tables.items()
        if frame is not None
    ]
    told = failures.frame.join(pl.concat(places), on=["table", "row"], how="left", maintain_order="left")
    told = told.with_columns(row=pl.col("place").cast(pl.UInt32), file=pl.lit(str(file))).select(list(FAILURE_SCHEMA))
    return good, Failures(told, failures.deals, failures.adjustments, failures.pulka_rows)
