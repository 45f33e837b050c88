"""The ledger: what every deal wrote, help and write-off included."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from prefdata.archives import Archive, as_archive
from prefdata.conventions import Convention
from prefdata.doors import AnyFrame, as_flag, as_frame
from prefdata.errors import TableError
from prefdata.scoring.scorer import ScoredPart, score
from prefdata.tables import adjusted_column, limit_of_each
from prefdata.vocabulary import seats_needed

__all__ = ["ledger", "ledger_of", "running", "unapplied_adjustments"]


def ledger(
    archive: Archive | str | Path, convention: str | Path | Convention, *, running_columns: bool = False
) -> pl.DataFrame:
    """Score every deal of an archive, as it is written.

    Parameters
    ----------
    archive
        The archive, or its folder; pulkas that break a rule are set aside with a `SetAsideWarning`.
    convention
        A convention, its name or its file; ``played`` takes the one in each pulka's row.
    running_columns
        Whether to put the state of the sheet after each deal beside the increments: ``running_bullet_a`` ...
        ``running_whists_dc`` (of the Balkan game ``running_contract_a`` ..., ``running_juha_ab`` ...), Int64, in which
        adjustments count, too.

    Returns
    -------
    pl.DataFrame
        One row a deal, sorted: `pulka`, `deal`, `scored` (false after the pulka's end, with zeros), the increments
        ``bullet_a`` ... ``whists_dc`` with help and write-off in them, and ``help_ab`` ..., the bullet points that a
        wrote into b's bullet (Int32, null for seats that the table does not have).  Of the Balkan game: ``contract_a``
        ..., ``juha_ab`` ..., `doubled` (by a refe), `cut` (as the last game), `gave_refe` (to everybody).
        Adjustments are no deals and not in it.

    Examples
    --------
    >>> from prefdata.archives import archive
    >>> from prefdata.examples import one_pulka, three_deals
    >>> club = archive(one_pulka(), three_deals())
    >>> ledger(club, "sochi").select("deal", "scored", "bullet_a", "mountain_b", "whists_ab").rows()
    [(1, True, 2, 2, 0), (2, True, 0, 6, 6), (3, True, 1, 6, 0)]
    """
    archive, running_columns = as_archive(archive), as_flag(running_columns, "running_columns")
    frames = [ledger_of(scored) for scored in score(archive, convention, ledger=True)]
    result = pl.concat(frames).sort("pulka", "deal") if frames else pl.DataFrame(schema=archive.game.ledger_schema)
    return running(result, archive) if running_columns else result


def ledger_of(scored: ScoredPart) -> pl.DataFrame:
    """Give the ledger of a scored part."""
    tidy, game = scored.tidy, scored.tidy.game
    deals = tidy.deals_of_pulka
    number = np.arange(len(tidy.numbers)) - np.repeat(tidy.starts[:-1], deals) + 1
    players = pl.Series("players", np.repeat(tidy.pulkas["players"].to_numpy(), deals))
    columns = [*game.entries, *game.marks]
    frame = pl.DataFrame(
        [
            pl.Series("pulka", np.repeat(tidy.pulkas["pulka"].to_numpy(), deals)),
            pl.Series("deal", number.astype(np.uint16)),
            pl.Series("scored", scored.scored),
            players,
            *(pl.Series(name, values) for name, values in zip(columns, scored.ledger, strict=True)),
        ]
    ).with_columns(
        *(
            pl.when(pl.col("players") >= seats_needed(name)).then(name).alias(name)
            for name, kind in game.ledger_schema.items()
            if kind == pl.Int32 and seats_needed(name) > 2
        ),
        *(pl.col(name).cast(kind) for name, kind in game.marks.items() if kind != pl.Int32),
    )
    if scored.status.any():
        frame = frame.filter(pl.Series(np.repeat(scored.status == 0, deals)))
    return frame.drop("players")


def running(ledger: pl.DataFrame, archive: Archive) -> pl.DataFrame:
    """Put the state of the sheet after each deal beside a ledger's increments.

    Parameters
    ----------
    ledger
        A ledger, sorted.
    archive
        Its archive, whose adjustments after a deal stand in its row, those that open a pulka in the first.

    Returns
    -------
    pl.DataFrame
        The ledger with ``running_bullet_a`` ... ``running_whists_dc`` (Int64), the columns of the sheet after the deal.
    """
    beside = (
        archive.adjustments.select(
            "pulka",
            pl.col("deal").clip(lower_bound=1),
            column=adjusted_column(),
            points=pl.col("points").cast(pl.Int64),
        )
        .collect()
        .pivot("column", index=["pulka", "deal"], values="points", aggregate_function="sum")
    )
    limits = archive.pulkas.select("pulka", start=-limit_of_each()).collect()
    joined = ledger.join(beside, on=["pulka", "deal"], how="left", suffix="_beside", maintain_order="left")
    joined = joined.join(limits, on="pulka", how="left", maintain_order="left")
    sums = []
    for name in archive.game.entries:
        increment = pl.col(name).cast(pl.Int64)
        if name in beside.columns:
            increment = increment + pl.when("scored").then(f"{name}_beside").fill_null(0)
        start = pl.col("start") if name in archive.game.from_limit else 0
        sums.append((increment.cum_sum().over("pulka") + start).alias(f"running_{name}"))
    return joined.with_columns(sums).select(*ledger.columns, pl.selectors.starts_with("running_"))


def unapplied_adjustments(archive: Archive | str | Path, ledger: AnyFrame) -> pl.DataFrame:
    """List the adjustments that stand after deals which are not scored, and so change nothing (rules §8).

    Parameters
    ----------
    archive
        The archive, or its folder.
    ledger
        Its ledger, as `prefdata.ledger` gives it.

    Raises
    ------
    TableError
        If the ledger lacks a column.
    """
    archive = as_archive(archive)
    hint = "prefdata.ledger(archive, convention) gives a ledger."
    ledger = as_frame(ledger, "ledger", columns=("pulka", "deal", "scored"), hint=hint)
    wrong = [name for name in ("pulka", "deal") if not ledger[name].dtype.is_integer()]
    wrong += [] if ledger["scored"].dtype == pl.Boolean else ["scored"]
    if wrong:
        raise TableError(f"ledger: column {wrong[0]} is {ledger[wrong[0]].dtype}, as in no ledger", hint=hint)
    after_end = ledger.filter(~pl.col("scored")).select("pulka", "deal")
    return archive.adjustments.collect().join(after_end, on=["pulka", "deal"], how="semi", maintain_order="left")
