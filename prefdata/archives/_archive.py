"""An archive of pulkas and deals, on disk or in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from prefdata.archives._check import check_part, keeps_row_rules
from prefdata.archives._frames import in_memory, scan, together
from prefdata.archives._manifest import Seal, frozen_under, read_seals
from prefdata.archives._part import Part
from prefdata.doors import AnyFrame, as_either_frame, as_flag, as_kind, as_lazy_frame, as_list, as_path, told
from prefdata.errors import ArchiveError, TableError, counted, is_panic
from prefdata.failures import Failures
from prefdata.game import Game
from prefdata.games import GAMES, game_of_columns
from prefdata.tables import Pulkas
from prefdata.vocabulary import RUSSIAN

__all__ = ["WHOLE", "Archive", "Checked", "archive", "as_archive", "concat", "open_archive"]


WHOLE = "whole"
"""Name of the one part of a folder whose files do not pair up."""


class Checked(NamedTuple):
    """What `Archive.check` gives: the pulkas that keep all rules, and what is wrong with the others."""

    good: Archive
    failures: Failures


@dataclass(frozen=True)
class Archive:
    """Pulkas with their deals, in parts of about a million deals.

    Attributes
    ----------
    parts
        The parts; each holds exactly the deals of its pulkas.
    path
        The folder that holds exactly these pulkas, None for an archive in memory or a choice from one.
    sheets
        Sheets that were recorded at the table or frozen, if the archive has any.
    frozen
        Name of the convention under which the sheets were frozen, see `prefdata.freeze`; None where they were not.
    """

    parts: tuple[Part, ...]
    path: Path | None = None
    sheets: pl.LazyFrame | None = None
    frozen: str | None = None

    def __post_init__(self) -> None:
        _refuse_mixed((part.game for part in self.parts), self.path)

    @property
    def game(self) -> Game:
        """The game that the deals are of."""
        return self.parts[0].game if self.parts else GAMES[RUSSIAN]

    @property
    def pulkas(self) -> pl.LazyFrame:
        """The pulkas table."""
        return pl.concat([Pulkas.create_empty(lazy=True), *(part.pulkas.typed() for part in self.parts)])

    @property
    def deals(self) -> pl.LazyFrame:
        """The deals table."""
        return pl.concat([self.game.deals.schema.create_empty(lazy=True), *(part.deals.typed() for part in self.parts)])

    @property
    def adjustments(self) -> pl.LazyFrame:
        """The adjustments table."""
        frames = [part.adjustments.typed() for part in self.parts if part.adjustments is not None]
        return pl.concat([self.game.adjustments.schema.create_empty(lazy=True), *frames])

    @cached_property
    def repeated_pulkas(self) -> pl.Series:
        """Keys of pulkas that stand in more than one part."""
        keys = [part.pulkas.read(part.pulkas.typed().select("pulka"))["pulka"].drop_nulls() for part in self.parts]
        ranges: list[Any] = sorted((key.min(), key.max()) for key in keys if len(key))
        if all(before[1] < after[0] for before, after in pairwise(ranges)):
            return pl.Series("pulka", [], dtype=pl.Int64)
        once = pl.concat([key.unique() for key in keys])
        return once.filter(once.is_duplicated()).unique()

    def check(self) -> Checked:
        """Check every row against the rules of the tables.

        A pulka with a broken row is set aside whole; the others are scored as if it had not been there.

        Returns
        -------
        Checked
            `good`, an archive without the pulkas set aside, and `failures`, which can be counted, listed and written.

        Examples
        --------
        >>> from prefdata.examples import one_pulka, three_deals
        >>> deals = three_deals().with_columns(tricks_a=pl.Series([8, 2, 0], dtype=pl.UInt8))
        >>> good, failures = archive(one_pulka(), deals).check()
        >>> failures.counts()
        {'tricks_add_up': 1}
        """
        every = [self.check_part(part) for part in self.parts]
        good = tuple(
            part.without(failures.pulkas) if len(failures) else part
            for part, failures in zip(self.parts, every, strict=True)
        )
        failures = Failures.gather(every)
        return Checked(replace(self, parts=good, path=None) if len(failures) else self, failures)

    def check_part(self, part: Part) -> Failures:
        """Find every row of one part that breaks a rule."""
        return check_part(part, self.repeated_pulkas)

    def keeps_row_rules(self, part: Part, pulkas: pl.DataFrame, deals_of_pulka: pl.DataFrame) -> bool:
        """Tell whether everything in a part is in order but for its deals; see `check_part` for reasons."""
        once = not len(self.repeated_pulkas) or not pulkas["pulka"].is_in(self.repeated_pulkas.implode()).any()
        return once and keeps_row_rules(part, pulkas, deals_of_pulka)

    def only(self, *predicates: pl.Expr, **values: object) -> Archive:
        """Keep the pulkas which fulfil conditions on the pulkas table.

        Parameters
        ----------
        *predicates
            Expressions over the pulkas table, all of which must be true.
        **values
            A column's wanted value, or a list of them.

        Raises
        ------
        TableError
            If pulkas have no such column.

        Examples
        --------
        >>> from prefdata.examples import one_pulka, three_deals
        >>> club = archive(one_pulka(), three_deals())
        >>> club.only(players=4).pulkas.collect().height
        0
        >>> club.only(pl.col("bullet_limit") >= 10, convention=["sochi", "rostov"]).deals.collect().height
        3
        """
        conditions = [as_kind(one, "a condition", pl.Expr, hint="Write it with pl.col.") for one in predicates]
        for column, value in values.items():
            if column not in Pulkas.column_names():
                raise TableError(
                    f"pulkas have no column {column}", hint=f"They have {', '.join(Pulkas.column_names())}."
                )
            wanted = list(value) if isinstance(value, list | tuple | set | pl.Series) else [value]
            conditions.append(_is_one_of(column, wanted))
        _refuse_unfit(conditions)
        chosen = [
            part.pulkas.read(part.pulkas.typed().filter(*conditions).select("pulka"))["pulka"] for part in self.parts
        ]
        kept = tuple(part.only(keys) for part, keys in zip(self.parts, chosen, strict=True))
        sheets = self.sheets
        if sheets is not None and chosen:
            sheets = sheets.filter(pl.col("pulka").is_in(pl.concat(chosen).implode()))
        return replace(self, parts=kept, path=None, sheets=sheets)

    def stale_codes(self, *, trusted: bool | None = None) -> int:
        """Count the deals whose stored outcome code is not that of their readable columns, which are the truth.

        Parameters
        ----------
        trusted
            Count only in parts whose codes are trusted, since `archive.json` vouches for the file's content, or only in
            the others, whose codes are worked out anew; in all unless given.
        """
        stale, trusted = 0, None if trusted is None else as_flag(trusted, "trusted")
        for part in self.parts:
            if trusted is not None and part.has_codes != trusted:
                continue
            layout, encode, renew = part.game.layout, part.game.encode, part.game.renew
            if encode is not None and renew is not None and "outcome" in part.deals.raw.collect_schema():
                keyed = part.deals.typed().select("outcome", key=layout.pack())
                keyed = keyed.filter(pl.col("outcome").is_not_null())
                different = part.deals.read(keyed.group_by("key", "outcome").len())
                codes = layout.unpack(different["key"]).select(encode()).to_series()
                stale += int(different.filter(renew(pl.col("outcome")) != codes)["len"].sum())
        return stale

    def __repr__(self) -> str:
        where = str(self.path) if self.path else "in memory"
        return f"<Archive {where}, {counted(len(self.parts), 'part')}>"

    def __iter__(self) -> Iterator[Archive]:
        """Go through the archive part by part."""
        return (replace(self, parts=(part,), path=None) for part in self.parts)


def _is_one_of(column: str, wanted: list[Any]) -> pl.Expr:
    """Tell whether a pulka has one of some values in a column."""
    try:
        kind = pl.Series(wanted).dtype
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        kind = pl.Object()
    if kind.is_nested() or kind == pl.Object:
        raise TableError(
            f"{column} is {told(wanted)}, which no pulka has", hint="Give a plain value, or a list of them."
        )
    return pl.col(column).is_in(wanted)


def _refuse_unfit(conditions: list[pl.Expr]) -> None:
    """Refuse conditions that the pulkas table cannot be filtered by."""
    try:
        Pulkas.create_empty(lazy=True).filter(*conditions).collect()
    except BaseException as error:
        if not isinstance(error, pl.exceptions.PolarsError) and not is_panic(error):
            raise
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise TableError(
            f"pulkas cannot be chosen by these conditions: {reason}",
            hint=f"Pulkas have the columns {', '.join(Pulkas.column_names())}.",
        ) from None


def as_archive(archive: Archive | str | Path, name: str = "archive") -> Archive:
    """Take an archive, or open the one in a folder.

    Parameters
    ----------
    archive
        What was given.
    name
        The parameter.

    Raises
    ------
    ArchiveError
        If it is neither an archive nor the path of one.

    Examples
    --------
    >>> from prefdata.examples import one_pulka, three_deals
    >>> as_archive(archive(one_pulka(), three_deals()))
    <Archive in memory, 1 part>
    """
    if isinstance(archive, Archive):
        return archive
    if isinstance(archive, str | Path):
        return open_archive(archive)
    raise ArchiveError(
        f"{name} is {told(archive)}, not an archive",
        hint="Give the path of its folder, or make one: pref.open_archive(path), pref.archive(pulkas, deals).",
    )


def archive(
    pulkas: AnyFrame, deals: AnyFrame, adjustments: AnyFrame | None = None, sheets: AnyFrame | None = None
) -> Archive:
    """Make an archive from frames in memory.

    Parameters
    ----------
    pulkas, deals, adjustments
        Frames in the form of the tables, of Polars or another library.  Optional columns may be missing, as may those
        of seats at which nobody sits.  Texts may stand for the vocabularies, in capitals or not, in English or Russian,
        in the Balkan game in Serbian too, and whole numbers may have any width.
    sheets
        Sheets that were recorded at the table, with their `pulka`; not every pulka needs one, nor every column.

    Raises
    ------
    TableError
        If a column is missing or of an impossible type.

    Examples
    --------
    >>> from prefdata.examples import one_pulka, three_deals
    >>> archive(one_pulka(), three_deals()).deals.select(pl.len()).collect().item()
    3
    """
    tables = {"pulkas": pulkas, "deals": deals} | ({} if adjustments is None else {"adjustments": adjustments})
    frames = {name: in_memory(as_either_frame(frame, name)) for name, frame in tables.items()}
    recorded = None if sheets is None else as_lazy_frame(sheets, "sheets", columns=["pulka"])
    part = Part.from_frames("memory", frames["pulkas"], frames["deals"], frames.get("adjustments"))
    return Archive((part,), sheets=recorded)


def concat(archives: Archive | str | Path | Iterable[Archive | str | Path]) -> Archive:
    """Put archives together; their pulkas must have different keys.

    Parameters
    ----------
    archives
        Archives, or the paths of their folders.

    Raises
    ------
    ArchiveError
        If one of them is none, or they are of different games.
    """
    several = [archives] if isinstance(archives, Archive) else as_list(archives, "archives", "archives")
    every = [as_archive(one, "one of archives") for one in several]
    sheets = [one.sheets for one in every if one.sheets is not None]
    return Archive(
        tuple(part for one in every for part in one.parts),
        sheets=pl.concat(sheets, how="diagonal_relaxed") if sheets else None,
    )


def open_archive(path: str | Path) -> Archive:
    """Open an archive's folder; nothing but the files' schemas is read.

    Only where the deals lack columns of a seat, the players of the pulkas are looked at: nobody may sit there.

    Parameters
    ----------
    path
        Folder with ``pulkas/part-*.parquet`` and ``deals/part-*.parquet``, perhaps ``adjustments/``.

    Raises
    ------
    ArchiveError
        If there is no such folder, it is no archive, or a file cannot be read.
    TableError
        If a file lacks a column.
    """
    folder = as_path(path, "path")
    if not folder.is_dir():
        kind = "is a file" if folder.exists() else "does not exist"
        raise ArchiveError(
            f"{folder} {kind}", hint="An archive is a folder with pulkas/ and deals/; give the path of one."
        )
    files = {
        table: {file.name: file for file in sorted((folder / table).glob("*.parquet")) if file.name[0] != "."}
        for table in ("pulkas", "deals", "adjustments")
    }
    if not files["pulkas"] or not files["deals"]:
        lacking = "pulkas" if not files["pulkas"] else "deals"
        raise ArchiveError(
            f"{folder} is no archive: it has no {lacking}/*.parquet",
            hint="An archive is a folder with pulkas/part-00000.parquet and deals/part-00000.parquet.",
        )
    seals, frozen = read_seals(folder), frozen_under(folder)
    if set(files["pulkas"]) == set(files["deals"]) and set(files["adjustments"]) <= set(files["pulkas"]):
        parts = [
            _open_part(name, {table: named[name] for table, named in files.items() if name in named}, seals.get(name))
            for name in files["pulkas"]
        ]
    else:
        parts = [_open_whole(folder, files)]
    recorded = sorted((folder / "sheets").glob("*.parquet"))
    sheets = together(recorded, str(folder / "sheets")) if recorded else None
    return Archive(tuple(parts), folder, sheets, frozen if recorded else None)


def _refuse_mixed(games: Iterable[Game], path: Path | None) -> None:
    """Refuse deals of different games in one archive."""
    titles = sorted({game.title for game in games})
    if len(titles) > 1:
        raise ArchiveError(
            f"{path or 'the archive'} mixes deals of the {titles[0]} and the {titles[1]} game",
            hint="Keep the deals of each game in an archive of their own.",
        )


def _open_part(name: str, paths: dict[str, Path], seal: Seal | None) -> Part:
    adjustments = paths.get("adjustments")
    return Part.from_frames(
        name,
        scan(paths["pulkas"]),
        scan(paths["deals"]),
        scan(adjustments) if adjustments else None,
        where=(str(paths["pulkas"]), str(paths["deals"]), str(adjustments)),
        files=paths.values(),
        seal=seal,
    )


def _open_whole(folder: Path, files: dict[str, dict[str, Path]]) -> Part:
    """Open a folder written by others, whose files do not pair up, as one part."""
    _refuse_mixed((game_of_columns(scan(file).collect_schema()) for file in files["deals"].values()), folder)

    def whole(table: str) -> pl.LazyFrame:
        return together(files[table].values(), str(folder / table))

    return Part.from_frames(
        WHOLE,
        whole("pulkas"),
        whole("deals"),
        whole("adjustments") if files["adjustments"] else None,
        where=(str(folder / "pulkas"), str(folder / "deals"), str(folder / "adjustments")),
        files=[file for named in files.values() for file in named.values()],
    )
