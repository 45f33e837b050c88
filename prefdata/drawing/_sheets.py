"""Drawing the sheet of one pulka, or those of many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from prefdata.archives import Archive, as_archive
from prefdata.archives import archive as archive_of
from prefdata.conventions import Convention, resolve
from prefdata.doors import AnyFrame, as_choice, as_flag, as_frame, as_list, as_path, as_whole, told
from prefdata.drawing._drawing import SheetDrawing, form_of
from prefdata.drawing._numbers import SheetNumbers, numbers_of_archive, numbers_of_sheets
from prefdata.drawing._picture import draw_picture, title_of
from prefdata.drawing._theme import THEMES, Theme
from prefdata.errors import TableError
from prefdata.files import new_folder
from prefdata.language import Words
from prefdata.settlement import check_sheets

__all__ = ["draw_sheets", "draw_states", "save_sheets", "sheet"]

Source = Archive | str | Path | AnyFrame
"""What sheets are drawn of: an archive, its folder, or a frame of sheets."""

_AT_ONCE = 1_000
"""Pulkas whose numbers are gathered together."""


@dataclass(frozen=True)
class _Look:
    """How sheets are to look."""

    entries: bool
    words: Words
    theme: Theme

    def draw(self, numbers: SheetNumbers, deal: int | None = None) -> SheetDrawing:
        """Draw a sheet."""
        return SheetDrawing(
            svg=draw_picture(numbers, self.theme, self.words, entries=self.entries, deal=deal),
            title=title_of(numbers, self.words),
            numbers=numbers,
            language=self.words.language,
            paper=self.theme.paper,
        )


def _look(entries: object, language: str, theme: object) -> _Look:
    chosen = THEMES[as_choice(theme, "theme", THEMES)]
    return _Look(as_flag(entries, "entries"), Words(language), chosen)


def sheet(
    source: Source,
    pulka: int,
    convention: str | Path | Convention,
    *,
    deal: int | None = None,
    entries: bool = True,
    language: str = "en",
    theme: str = "light",
) -> SheetDrawing:
    """Draw the sheet of a pulka as players do, with its settlement.

    Parameters
    ----------
    source
        The archive, or its folder; or a frame of sheets, as `prefdata.settle` takes it, of which totals alone are
        drawn.
    pulka
        The key of the pulka.
    convention
        A convention, its name or its file; of an archive, ``played`` takes the one in the pulka's row.
    deal
        Draw the sheet as it stood after this deal; at the end unless given.
    entries
        Whether all entries of the columns are drawn, as they were written one after the other, or their totals alone.
    language
        Language of the words, ``en`` or ``ru``.
    theme
        ``light`` or ``dark``.

    Returns
    -------
    SheetDrawing
        The drawing, which a notebook shows; its `save` writes ``.svg``, ``.png``, ``.pdf`` or ``.html``.

    Raises
    ------
    TableError
        If there is no such pulka or deal, or the pulka breaks a rule.

    Examples
    --------
    >>> from prefdata.archives import archive
    >>> from prefdata.examples import one_pulka, three_deals
    >>> drawn = sheet(archive(one_pulka(), three_deals()), 1, "sochi")
    >>> drawn
    <SheetDrawing Pulka 1 · sochi · to 10>
    >>> drawn.svg.count("data-entry=")
    9
    """
    look, pulka = _look(entries, language, theme), as_whole(pulka, "pulka")
    if deal is not None:
        deal = as_whole(deal, "deal", 1)
    if isinstance(source, Archive | str | Path):
        one = _one_pulka(as_archive(source, "source"), pulka, deal)
        numbers = list(numbers_of_archive(one, convention))
        if not numbers:
            raise TableError(f"pulka {pulka} cannot be drawn: {_reason(one)}", hint=_CHECK)
    else:
        sheets = as_frame(source, "source", columns=["pulka"])
        if deal is not None:
            raise TableError(
                f"deal is {deal}, but source holds sheets, which do not know the deals that made them",
                hint="Give an archive, or leave deal out.",
            )
        numbers = [_recorded(sheets, pulka, resolve(convention))]
    return look.draw(numbers[0], deal)


_CHECK = "archive.check().failures lists what is wrong with pulkas, and conventions cannot write all of them."


def _one_pulka(archive: Archive, pulka: int, deal: int | None) -> Archive:
    """Take one pulka of an archive into memory, perhaps as it stood after a deal."""
    chosen = archive.only(pulka=pulka)
    pulkas, deals, adjustments = (frame.collect() for frame in (chosen.pulkas, chosen.deals, chosen.adjustments))
    if not pulkas.height:
        raise TableError(f"the archive has no pulka {pulka}", hint="archive.pulkas lists those that it has.")
    if deal is not None:
        if deal > deals.height:
            raise TableError(f"pulka {pulka} has no deal {deal}", hint=f"It has {deals.height} deals.")
        deals, adjustments = (frame.filter(pl.col("deal") <= deal) for frame in (deals, adjustments))
    return archive_of(pulkas, deals, adjustments)


def _reason(one: Archive) -> str:
    failures = one.check().failures
    return failures.summary() if len(failures) else "it was set aside under this convention"


def _recorded(sheets: pl.DataFrame, pulka: int, convention: Convention) -> SheetNumbers:
    """Gather the numbers of one recorded sheet."""
    if not sheets["pulka"].dtype.is_integer():
        raise TableError(f"source: column pulka is {sheets['pulka'].dtype}, not whole numbers", hint="Cast it first.")
    own = sheets.filter(pl.col("pulka") == pulka)
    if not own.height:
        raise TableError(f"there is no sheet of pulka {pulka}", hint="Look at the column pulka of the sheets.")
    good, failures = check_sheets(own, convention)
    if not good.height:
        raise TableError(f"the sheet of pulka {pulka} cannot be drawn: {failures.summary()}", hint=failures.first())
    return next(numbers_of_sheets(good, convention))


def draw_sheets(
    source: Source,
    convention: str | Path | Convention,
    *,
    pulkas: Iterable[int] | None = None,
    entries: bool = True,
    language: str = "en",
    theme: str = "light",
) -> Iterator[SheetDrawing]:
    """Draw the sheets of many pulkas, one after the other; a thousand are scored together.

    Parameters
    ----------
    source, convention, entries, language, theme
        As for `sheet`.
    pulkas
        Keys of the pulkas; all unless given.  Those that break a rule are left out with a `SetAsideWarning`.

    Yields
    ------
    SheetDrawing
        The drawings, in the order of the keys in each part of the archive.

    Examples
    --------
    >>> from prefdata.archives import archive
    >>> from prefdata.examples import one_pulka, three_deals
    >>> list(draw_sheets(archive(one_pulka(), three_deals()), "sochi", language="ru"))
    [<SheetDrawing Пулька 1 · sochi · до 10>]
    """
    look, keys = _look(entries, language, theme), _keys(pulkas)
    return (look.draw(numbers) for _, numbers in _numbers(source, convention, keys))


def draw_states(
    archive: Archive | str | Path,
    pulka: int,
    convention: str | Path | Convention,
    *,
    entries: bool = True,
    language: str = "en",
    theme: str = "light",
) -> Iterator[SheetDrawing]:
    """Draw the sheet of a pulka as it stood after each of its deals; all states are scored together.

    Parameters
    ----------
    archive, pulka, convention, entries, language, theme
        As for `sheet`.

    Returns
    -------
    Iterator[SheetDrawing]
        The drawings, one for each deal; their `numbers` hold what settling at that moment would give.

    Examples
    --------
    >>> from prefdata.archives import archive
    >>> from prefdata.examples import one_pulka, three_deals
    >>> states = draw_states(archive(one_pulka(), three_deals()), 1, "sochi")
    >>> [[own.rounded for own in state.numbers.seats] for state in states]
    [[14, -14, 0], [40, -84, 44], [80, -114, 34]]
    """
    look, pulka = _look(entries, language, theme), as_whole(pulka, "pulka")
    one = _one_pulka(as_archive(archive, "archive"), pulka, None)
    numbers = list(numbers_of_archive(_states(one), convention))
    if not numbers:
        raise TableError(f"pulka {pulka} cannot be drawn: {_reason(one)}", hint=_CHECK)
    return (look.draw(replace(state, pulka=pulka), state.pulka) for state in numbers)


def _states(one: Archive) -> Archive:
    """Make of a pulka as many as it has deals, each ending a deal later; their keys are the numbers of the deals."""
    states = one.deals.select(state=pl.col("deal").cast(pl.Int64))

    def until_each(rows: pl.LazyFrame) -> pl.DataFrame:
        there = states.join(rows, how="cross").filter(pl.col("deal") <= pl.col("state"))
        return there.with_columns(pulka="state").drop("state").collect()

    pulkas = states.join(one.pulkas, how="cross").with_columns(pulka="state").drop("state")
    return archive_of(pulkas.collect(), until_each(one.deals), until_each(one.adjustments))


def save_sheets(
    source: Source,
    convention: str | Path | Convention,
    folder: str | Path,
    *,
    pulkas: Iterable[int] | None = None,
    form: str = "svg",
    entries: bool = True,
    language: str = "en",
    theme: str = "light",
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Draw the sheets of many pulkas into a folder, a file ``pulka-KEY`` for each.

    Parameters
    ----------
    source, convention, pulkas, entries, language, theme
        As for `draw_sheets`.
    folder
        Where to; it must not exist, or be empty, and is there when all are drawn.
    form
        ``svg``, ``png``, ``pdf`` or ``html``.
    progress
        Is told after each sheet how many are done and how many there are in all.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    TargetExistsError
        If the folder has something in it.
    """
    look, target, keys = _look(entries, language, theme), as_path(folder, "folder"), _keys(pulkas)
    form = as_choice(form, "form", ("svg", "png", "pdf", "html"))
    if progress is not None and (isinstance(progress, type) or not callable(progress)):
        raise TypeError(f"progress is {told(progress)}, not a function")
    write = form_of(f".{form}", form)
    with new_folder(target) as beside:
        for done, (total, numbers) in enumerate(_numbers(source, convention, keys), 1):
            (beside / f"pulka-{numbers.pulka}.{form}").write_bytes(write(look.draw(numbers)))
            if progress is not None:
                progress(done, total)
    return target


def _keys(pulkas: Iterable[int] | None) -> list[int] | None:
    if pulkas is None:
        return None
    listed = pulkas.to_list() if isinstance(pulkas, pl.Series) else as_list(pulkas, "pulkas", "keys of pulkas")
    return [as_whole(pulka, "one of pulkas") for pulka in listed]


def _numbers(
    source: Source, convention: str | Path | Convention, keys: list[int] | None
) -> Iterator[tuple[int, SheetNumbers]]:
    """Gather the numbers of many pulkas, with how many there are in all."""
    if not isinstance(source, Archive | str | Path):
        sheets = as_frame(source, "source", columns=["pulka"])
        chosen = sheets if keys is None else sheets.filter(pl.col("pulka").is_in(keys))
        yield from ((chosen.height, numbers) for numbers in numbers_of_sheets(chosen, resolve(convention)))
        return
    archive = as_archive(source, "source")
    archive = archive if keys is None else archive.only(pulka=keys)
    every = archive.pulkas.select("pulka").collect()["pulka"]
    for part in archive:
        own = part.pulkas.select("pulka").collect()["pulka"]
        for start in range(0, len(own), _AT_ONCE):
            some = part if len(own) <= _AT_ONCE else part.only(pulka=own[start : start + _AT_ONCE].to_list())
            yield from ((len(every), numbers) for numbers in numbers_of_archive(some, convention))
