"""Sheets: the final columns of every pulka."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from prefdata.archives import Archive, as_archive
from prefdata.conventions import Convention
from prefdata.scoring.scorer import ScoredPart, score
from prefdata.tables import limit_of_each
from prefdata.vocabulary import seats_needed

__all__ = ["sheets", "sheets_of"]


def sheets(archive: Archive | str | Path, convention: str | Path | Convention) -> pl.DataFrame:
    """Score every pulka of an archive: its final bullet, mountain and whist columns.

    Parameters
    ----------
    archive
        The archive, or its folder; pulkas that break a rule are set aside with a `SetAsideWarning`.
    convention
        A convention, its name or its file; ``played`` takes the one in each pulka's row.

    Returns
    -------
    pl.DataFrame
        One row a pulka, sorted: `pulka`, `players`, `bullet_limit` (of each player; null where a table agreed on a sum
        that does not divide), ``bullet_a`` ... and ``mountain_a`` ... in points,
        ``whists_ab`` ... in whists (Int64, null for seats that the table does not have), `closed` (whether the pulka
        ended), `deals_scored`, `deals_after_end`.  Of the Balkan game: ``contract_a`` ... in points, from minus the
        limit up, ``juha_ab`` ... in whists, ``refes_a`` ... (not spent), ``hat_a`` ... (whether a seat is under the
        hat).

    Examples
    --------
    >>> from prefdata.archives import archive
    >>> from prefdata.examples import one_pulka, three_deals
    >>> scored = sheets(archive(one_pulka(), three_deals()), "sochi")
    >>> scored.select("bullet_a", "mountain_b", "whists_cb", "closed", "deals_scored").row(0)
    (3, 14, 24, False, 3)
    """
    archive = as_archive(archive)
    frames = [sheets_of(scored) for scored in score(archive, convention)]
    return pl.concat(frames).sort("pulka") if frames else pl.DataFrame(schema=archive.game.sheet_schema)


def sheets_of(scored: ScoredPart) -> pl.DataFrame:
    """Give the sheets of a scored part."""
    tidy, game = scored.tidy, scored.tidy.game
    limit = limit_of_each().cast(pl.UInt16).alias("bullet_limit")
    frame = tidy.pulkas.select("pulka", "players", limit).with_columns(
        *(pl.Series(name, values) for name, values in zip([*game.entries, *game.states], scored.sheets, strict=True)),
        closed=pl.Series(scored.closed),
        deals_scored=pl.Series(scored.deals_scored),
        deals_after_end=pl.Series(tidy.deals_of_pulka - scored.deals_scored),
    )
    frame = frame.with_columns(
        *(
            pl.when(pl.col("players") >= seats_needed(name)).then(name)
            for name in game.entries
            if seats_needed(name) > 2
        ),
        *(pl.col(name).cast(kind) for name, kind in game.states.items()),
    )
    return frame.filter(pl.Series(scored.status == 0)) if scored.status.any() else frame
