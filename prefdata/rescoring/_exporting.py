"""Pulkas written to a file for people or for other programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from prefdata.archives import Archive, as_archive
from prefdata.conventions import PLAYED, ROUNDINGS, Convention, is_played, resolve
from prefdata.doors import as_choice, as_flag, as_list, as_path, as_whole
from prefdata.errors import TableError, warn_set_aside
from prefdata.files import new_file
from prefdata.games import refuse_other_game
from prefdata.language import Words
from prefdata.scoring.ledger import ledger_of
from prefdata.scoring.scorer import score
from prefdata.scoring.sheets import sheets_of
from prefdata.settlement.settling import SETTLEMENT_SCHEMA, in_settlement, settle, wide_settlement, with_players
from prefdata.writers import FORMATS, Material, Scored

__all__ = ["export"]


def export(
    archive: Archive | str | Path,
    path: str | Path,
    *,
    format: str | None = None,
    pulkas: Sequence[int] | None = None,
    convention: str | Path | Convention = PLAYED,
    rounding: str | None = None,
    language: str = "en",
    overwrite: bool = False,
) -> Path:
    """Write pulkas to a file that people use elsewhere.

    An .xlsx has a sheet for each pulka, laid out as its columns, with totals and settlement as formulas: whoever
    changes an entry sees what it changes; needs the extra ``excel``.  A .csv is one table, a line a deal, which
    `import_file` reads back.  A .json is one document, with sheets and settlements.

    Texts that begin like formulas are written as texts: in a .csv with an apostrophe before them.

    Parameters
    ----------
    archive
        The archive, or its folder; pulkas that break a rule are left out with a `SetAsideWarning`.
    path
        The file.
    format
        ``xlsx``, ``csv`` or ``json``; unless given, the ending of the file's name tells it.
    pulkas
        Keys of the pulkas to write; all unless given.
    convention
        What sheets are scored under: a convention, its name or its file; ``played`` takes the one in each pulka's row.
    rounding
        The rounding rule, in place of the convention's.
    language
        Of a workbook's words: ``en`` or ``ru``.
    overwrite
        Whether a file that is there is replaced.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    TableError
        If there are no such pulkas, the format cannot hold them, or the file cannot be written.
    TargetExistsError
        If there is a file and it must not be overwritten.

    Examples
    --------
    >>> import json, tempfile
    >>> from prefdata.archives import archive
    >>> from prefdata.examples import one_pulka, three_deals
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = export(archive(one_pulka(), three_deals()), Path(folder, "club.json"))
    ...     club = json.loads(file.read_text(encoding="utf-8"))
    >>> club["pulkas"][0]["sheet"]["mountain_b"]
    14
    """
    archive, file, overwrite = as_archive(archive), as_path(path, "path"), as_flag(overwrite, "overwrite")
    ending = file.suffix.removeprefix(".").lower() if format is None else as_choice(format, "format", FORMATS)
    if ending not in FORMATS:
        known = ", ".join(f".{name} ({one.title})" for name, one in FORMATS.items())
        raise TableError(f"{file}: nobody can tell the format by its name", hint=f"Name it with one of {known}.")
    if rounding is not None:
        as_choice(rounding, "rounding", ROUNDINGS)
    played = PLAYED if is_played(convention) else resolve(convention)
    if isinstance(played, Convention):
        refuse_other_game(played, archive.game, "the archive holds deals")
    words = Words(language)
    chosen = (
        archive
        if pulkas is None
        else _chosen(archive, [as_whole(key, "pulkas") for key in as_list(pulkas, "pulkas", "keys of pulkas")])
    )
    good, failures = chosen.check()
    if len(failures):
        warn_set_aside(f"{failures.summary()}, the first in {failures.first()}")
    material = Material(good, lambda: _scored(good, played, rounding), words)
    with new_file(file, overwrite=overwrite, error=TableError) as beside:
        FORMATS[ending].write(material, beside, file)
    return file


def _chosen(archive: Archive, keys: Sequence[int]) -> Archive:
    """Choose pulkas by their keys."""
    known = archive.pulkas.filter(pl.col("pulka").is_in(list(keys))).select("pulka").collect()["pulka"]
    unknown = sorted(set(keys) - set(known))
    if unknown:
        first = archive.pulkas.select(least=pl.col("pulka").min(), most=pl.col("pulka").max()).collect().row(0)
        raise TableError(
            f"{archive.path or 'the archive'} has no pulka {', '.join(map(str, unknown[:10]))}",
            hint=f"Its pulkas are from {first[0]} to {first[1]}.",
        )
    return archive.only(pulka=list(keys))


def _scored(archive: Archive, convention: Convention | str, rounding: str | None) -> Scored:
    """Score and settle pulkas."""
    ledgers = [pl.DataFrame(schema=archive.game.ledger_schema)]
    sheets = [pl.DataFrame(schema=archive.game.sheet_schema)]
    settlements = [pl.DataFrame(schema=SETTLEMENT_SCHEMA)]
    wide: dict[int, Mapping[str, Any]] = {}
    conventions: dict[int, Convention] = {}
    for scored in score(archive, convention, ledger=True):
        of_part, rules = sheets_of(scored), scored.convention.with_rounding(rounding)
        ledgers.append(ledger_of(scored))
        sheets.append(of_part)
        settlements.append(settle(of_part, rules, pulkas=archive.pulkas))
        wide |= _wide(of_part, rules, archive)
        conventions |= dict.fromkeys(of_part["pulka"], rules)
    return Scored(
        pl.concat(ledgers).sort("pulka", "deal"),
        pl.concat(sheets).sort("pulka"),
        pl.concat(settlements).sort("pulka", maintain_order=True),
        wide,
        conventions,
    )


def _wide(sheets: pl.DataFrame, convention: Convention, archive: Archive) -> dict[int, Mapping[str, Any]]:
    """Settle sheets with all that leads to their results, a row a pulka."""
    known = in_settlement(with_players(sheets, archive.pulkas), archive.game)
    frames = [
        wide_settlement(known.filter(pl.col("players") == players), players, convention)
        for players in archive.game.players
    ]
    return {row["pulka"]: row for frame in frames for row in frame.iter_rows(named=True)}
