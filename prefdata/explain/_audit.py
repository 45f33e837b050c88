"""An audit: recorded sheets held against the deals of their pulkas (Code 4.2.9-10)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from prefdata.archives import Archive, as_archive
from prefdata.conventions import PLAYED, Convention, is_played, resolve
from prefdata.explain._report import DIFFERENCES_SCHEMA, PULKAS_SCHEMA, RESULTS_SCHEMA, Audit
from prefdata.explain._search import CAUSES_SCHEMA, find_causes
from prefdata.explain.beside import Beside, put_beside, put_together, recorded_sheets, without_deals
from prefdata.failures import Failures
from prefdata.games import refuse_other_game
from prefdata.scoring.scorer import by_convention
from prefdata.scoring.tidy import tidy_parts
from prefdata.vocabulary import seats_needed

__all__ = ["audit"]


def audit(archive: Archive | str | Path, convention: str | Path | Convention = PLAYED) -> Audit:
    """Hold recorded sheets against the deals of their pulkas: what differs, by how much, and what made it so.

    An audit reports and never corrects: an error that nobody raised before the end of the next auction stands (Code
    4.2.9-10), so that a recorded sheet may lawfully differ from its deals.

    Of each sheet that differs the likeliest single cause is looked for: a deal or an entry that was not written, or
    twice, or with the wrong sign; an entry in another column than its own; help in the wrong bullet; over-writing; two
    digits that changed places, two columns that were taken for each other; bullets carried or a mountain moved by a
    settlement; another convention, or one switch of it set otherwise.  A cause is named only where it makes the whole
    difference, with what follows from it later in the pulka or without; where several fit equally well, all are.

    Parameters
    ----------
    archive
        The archive, or its folder, with recorded `sheets`; the columns that a sheet leaves empty are not looked at, and
        without bullets everybody is taken for closed.  Pulkas and sheets that break a rule are set aside, see
        `Audit.failures`.
    convention
        What the sheets were written under: a convention, its name or its file; ``played``, the default, takes the one
        in each pulka's row.

    Returns
    -------
    Audit
        A report, with the differences, the results and the causes as frames.

    Raises
    ------
    ArchiveError
        If the archive has no recorded sheets.
    TableError
        If they have no keys, or cannot be read.

    Examples
    --------
    The table forgot the mountain of the failed eight:

    >>> from prefdata.archives import archive
    >>> from prefdata.examples import one_pulka, three_deals
    >>> from prefdata.scoring.sheets import sheets
    >>> written = sheets(archive(one_pulka(), three_deals()), "sochi").with_columns(mountain_b=pl.lit(8))
    >>> found = audit(archive(one_pulka(), three_deals(), sheets=written))
    >>> found.differences.row(0), found.causes.select("cause", "deal", "column", "points").row(0)
    ((1, 'mountain_b', 8.0, 14.0, -6.0), ('entry missing', 2, 'mountain_b', 6.0))
    """
    archive = as_archive(archive)
    played = None if is_played(convention) else resolve(convention)
    if played is not None:
        refuse_other_game(played, archive.game, "the archive holds deals")
    recorded = recorded_sheets(archive)
    sides: list[Beside] = []
    failures: list[Failures] = []
    keys = [pl.Series("pulka", [], dtype=pl.Int64)]
    for tidy in tidy_parts(archive):
        failures.append(tidy.failures)
        keys.append(tidy.pulkas["pulka"])
        groups = [(tidy, played)] if played is not None else by_convention(tidy, failures)
        for group, of_group in groups:
            side, broken = put_beside(group, of_group, recorded)
            sides.append(side)
            failures += broken
    here = pl.concat(keys)
    failures.append(without_deals(recorded, here, failures))
    gathered = Failures.gather(failures)
    different = [side.only(np.count_nonzero(side.difference, axis=1) > 0) for side in sides]
    bare = here.filter(~here.is_in(recorded["pulka"].implode()) & ~here.is_in(gathered.pulkas.implode()))
    return Audit(
        convention=PLAYED if played is None else played.name,
        pulkas=pl.concat([pl.DataFrame(schema=PULKAS_SCHEMA), *map(_agreement, sides)]).sort("pulka"),
        differences=pl.concat([pl.DataFrame(schema=DIFFERENCES_SCHEMA), *map(_differences, different)]).sort(
            "pulka", maintain_order=True
        ),
        results=pl.concat([pl.DataFrame(schema=RESULTS_SCHEMA), *(side.results() for side in different)]).sort(
            "pulka", maintain_order=True
        ),
        causes=pl.concat([CAUSES_SCHEMA.to_frame(), *map(find_causes, put_together(different))]).sort(
            "pulka", maintain_order=True
        ),
        without_sheet=bare.sort(),
        failures=gathered,
    )


def _agreement(side: Beside) -> pl.DataFrame:
    """List the sheets of a part: a row a pulka."""
    players = side.tidy.pulkas["players"].to_numpy()
    every = sum((players >= seats_needed(name)).astype(np.int64) for name in side.game.entries)
    compared = side.known.sum(axis=1)
    columns = {
        "pulka": side.sheets["pulka"],
        "players": side.tidy.pulkas["players"],
        "convention": pl.repeat(side.convention.name, side.sheets.height, eager=True, dtype=pl.String),
        "columns_compared": pl.Series(compared, dtype=pl.UInt8),
        "columns_empty": pl.Series(every - compared, dtype=pl.UInt8),
        "columns_different": pl.Series(np.count_nonzero(side.difference, axis=1), dtype=pl.UInt8),
    }
    return pl.DataFrame(columns, schema=PULKAS_SCHEMA)


def _differences(side: Beside) -> pl.DataFrame:
    """List the entries that differ, in the order of a sheet's columns."""
    pulkas, columns = np.nonzero(side.difference)
    names = np.array(list(side.game.entries))
    return pl.DataFrame(
        {
            "pulka": side.sheets["pulka"].gather(pulkas),
            "column": pl.Series(names[columns].tolist(), dtype=pl.String),
            "recorded": side.recorded[pulkas, columns],
            "computed": side.computed[pulkas, columns],
            "difference": side.difference[pulkas, columns],
        },
        schema=DIFFERENCES_SCHEMA,
    )
