"""Sheets that are kept as they were paid, and what became of them in a later rescoring."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from prefdata.archives import Archive, freeze_sheets, open_archive
from prefdata.conventions import PLAYED, Convention, is_played, resolve
from prefdata.doors import as_frame, as_lazy_frame, told
from prefdata.errors import ArchiveError
from prefdata.reports import amount, number
from prefdata.scoring.sheets import sheets

__all__ = ["changes_since_frozen", "freeze", "frozen_told"]


def freeze(archive: Archive | str | Path, convention: str | Path | Convention = PLAYED) -> Archive:
    """Keep the sheets of an archive as they are today, in its folder ``sheets/``, since they were paid.

    Every later `rescore` under the same convention tells how many pulkas have another sheet than the frozen one, and
    `audit` tells what made it so.

    Parameters
    ----------
    archive
        The archive's folder; pulkas that break a rule are left out with a `SetAsideWarning`.
    convention
        What was paid: a convention, its name or its file; ``played``, the default, takes the one in each pulka's row.

    Returns
    -------
    Archive
        The archive as opened from its folder.

    Raises
    ------
    ArchiveError
        If the archive has no folder, or that cannot be written.
    TargetExistsError
        If it has sheets already: they are never written over.
    """
    folder = archive.path if isinstance(archive, Archive) else archive
    if not isinstance(folder, str | Path):
        raise ArchiveError(
            f"freeze writes into an archive's folder, and archive is {told(archive)} without one",
            hint="Give the folder's path; write_archive makes one of an archive in memory.",
        )
    name = PLAYED if is_played(convention) else resolve(convention).name
    return freeze_sheets(Path(folder), sheets(open_archive(folder), convention), name)


def changes_since_frozen(archive: Archive, computed: pl.DataFrame, pulkas: pl.Series) -> dict[str, int]:
    """Count the pulkas of a part whose sheets are as they were frozen, and those whose are not.

    Returns
    -------
    dict[str, int]
        `frozen_same`, `frozen_changed`, `frozen_lost` (the pulka is scored no longer) and `frozen_new` (it was not
        scored when the others were frozen).
    """
    assert archive.sheets is not None
    columns = ["pulka", *archive.game.entries]
    mine = as_lazy_frame(archive.sheets, "the frozen sheets", columns=columns).select(columns)
    frozen = as_frame(mine.filter(pl.col("pulka").is_in(pulkas.implode())), "the frozen sheets")
    both = computed.select(columns).join(frozen, on="pulka", how="full", suffix="_frozen")
    lost, new = pl.col("pulka").is_null(), pl.col("pulka_frozen").is_null()
    differs = pl.any_horizontal(pl.col(name).ne_missing(pl.col(f"{name}_frozen")) for name in archive.game.entries)
    counts = both.select(
        frozen_same=(~differs & ~lost & ~new).sum(),
        frozen_changed=(differs & ~lost & ~new).sum(),
        frozen_lost=lost.sum(),
        frozen_new=new.sum(),
    )
    return {name: int(count) for name, count in counts.row(0, named=True).items()}


def frozen_told(convention: str, counts: dict[str, Any]) -> str | None:
    """Say what has become of frozen sheets; nothing where there are none.

    >>> frozen_told("sochi", {"frozen_same": 7, "frozen_changed": 2, "frozen_lost": 0, "frozen_new": 1})
    '2 of 9 frozen sheets have changed under sochi, and 1 pulka has none'
    """
    if "frozen_same" not in counts:
        return None
    changed, lost, new = (counts[f"frozen_{what}"] for what in ("changed", "lost", "new"))
    every = counts["frozen_same"] + changed + lost
    have = "has" if changed == 1 else "have"
    told = f"{number(changed)} of {amount(every, 'frozen sheet')} {have} changed under {convention}"
    told += f", {amount(lost, 'pulka')} of them {'is' if lost == 1 else 'are'} scored no longer" if lost else ""
    return told + (f", and {amount(new, 'pulka')} {'has' if new == 1 else 'have'} none" if new else "")
