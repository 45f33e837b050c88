"""Players against each other: what passed between two of them in the pulkas that both played."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from prefdata.analysis._columns import COLUMNS
from prefdata.analysis._estimates import means_by, share
from prefdata.archives import Archive, as_archive
from prefdata.conventions import Convention, resolve_russian
from prefdata.doors import as_choice, as_texts
from prefdata.errors import TableError, counted
from prefdata.games import refuse_unless_russian
from prefdata.reports import Report, Section, number
from prefdata.scoring.sheets import sheets
from prefdata.settlement.settling import wide_settlement, with_players
from prefdata.vocabulary import PLAYER_COUNTS, TWELFTHS, pairs, player_column, whists_column

__all__ = ["HeadToHead", "head_to_head"]

_PAIR = ["player", "opponent"]


@dataclass(frozen=True)
class HeadToHead(Report):
    """Every ordered pair of players who met.

    Attributes
    ----------
    convention
        Name of the convention under which everything was scored.
    frame
        A row an ordered pair, sorted: `player`, `opponent`, `pulkas` (that both played), `result_twelfths`, `result`
        (whists: what the settlement passed from the opponent to the player), `mean` of a pulka with `standard_error`,
        `low`, `high` and `interval`, `whists_balance` (whists written on each other), `ahead`, `behind`, `level`
        (pulkas by the better whole result), `ahead_share` with its interval.
    """

    convention: str
    frame: pl.DataFrame

    def matrix(self, column: str = "result") -> pl.DataFrame:
        """Lay a column out as a table of players (rows) against opponents (columns), null where they never met.

        Raises
        ------
        ValueError
            If there is no such column.
        """
        as_choice(column, "column", [name for name in self.frame.columns if name not in _PAIR])
        names = self.frame["player"].unique().sort().to_list()
        return self.frame.pivot("opponent", on_columns=names, index="player", values=column, aggregate_function="first")

    def only(self, *players: str) -> HeadToHead:
        """Keep the pairs of some players, with all whom they met.

        Raises
        ------
        TableError
            If there is no such player.
        """
        known = self.frame["player"].unique().sort().to_list()
        for player in as_texts(players, "players"):
            if player not in known:
                raise TableError(f"nobody met a player {player!r}", hint=f"Known are {', '.join(known)}.")
        return HeadToHead(self.convention, self.frame.filter(pl.col("player").is_in(players)))

    @property
    def title(self) -> str:
        """What the report is about: the convention."""
        return f"Head to head under {self.convention}, in whists (mean of a pulka with 95 % interval)"

    def findings(self) -> tuple[str, ...]:
        """Say between which two players most has passed."""
        most = self.frame.sort(pl.col("result_twelfths").abs(), *_PAIR, descending=[True, False, False]).head(1)
        return tuple(
            f"Most has passed between {row['player']} and {row['opponent']}: {row['player']} "
            f"{'won' if row['result'] >= 0 else 'lost'} {number(abs(row['result']), 1)} whists in "
            f"{counted(row['pulkas'], 'pulka')}."
            for row in most.iter_rows(named=True)
        )

    def sections(self) -> tuple[Section, ...]:
        """Give a row for each pair."""
        columns = ("player", "opponent", "pulkas", "result", "mean", "low", "high", "interval", "ahead", "behind")
        return (Section(frame=self.frame.select(columns)),)

    def render(self, *players: str) -> str:
        """Write the pairs as plain text: all, or those of the players named."""
        return super().render() if not players else self.only(*players).render()


def head_to_head(archive: Archive | str | Path, convention: str | Path | Convention) -> HeadToHead:
    """Compare every ordered pair of players over the pulkas that both played.

    The pairwise result is that of the Code's variant 1 (rules §7): after the amnesty each mountain is paid to every
    opponent, bullets likewise, and whists are set against each other.  A player's pairwise results in a pulka add up to
    his result, so the frame tells whom he wins from.

    Parameters
    ----------
    archive
        The archive with players' names, or its folder.
    convention
        A convention, its name or its file.

    Returns
    -------
    HeadToHead
        The report.

    Raises
    ------
    TableError
        If no pulka names two of its players.

    Examples
    --------
    >>> from prefdata.archives import archive
    >>> from prefdata.examples import one_pulka, three_deals
    >>> named = one_pulka().with_columns(player_a=pl.lit("A"), player_b=pl.lit("B"), player_c=pl.lit("C"))
    >>> met = head_to_head(archive(named, three_deals()), "sochi")
    >>> met.frame.select("player", "opponent", "result_twelfths", "ahead").head(3).rows()
    [('A', 'B', 680, 1), ('A', 'C', 280, 1), ('B', 'A', -680, 0)]
    """
    archive = as_archive(archive)
    refuse_unless_russian(archive.game, "players are compared in")
    switches = resolve_russian(convention)
    met = _pairs(archive, switches)
    if met.is_empty():
        raise TableError("no pulka names two of its players", hint="Fill the columns player_a ... of the pulkas table.")
    lead = pl.col("lead").sign()
    counts = met.group_by(_PAIR).agg(
        whists_balance=pl.col("balance").sum() / TWELFTHS,
        **{name: (lead == sign).sum().cast(pl.Int64) for name, sign in (("ahead", 1), ("behind", -1), ("level", 0))},
    )
    frame = (
        means_by(met, _PAIR, "pairwise")
        .join(counts, on=_PAIR, how="inner")
        .with_columns(decided=pl.col("ahead") + pl.col("behind"))
        .with_columns(share("ahead_share", "ahead", "decided"))
        .sort(_PAIR)
        .select(*COLUMNS["head_to_head"])
    )
    return HeadToHead(switches.name, frame)


def _pairs(archive: Archive, convention: Convention) -> pl.DataFrame:
    """Give a row a pulka and ordered pair: `pairwise`, `balance` and `lead`, in twelfths of a whist."""
    named = with_players(sheets(archive, convention), archive.pulkas.unique("pulka", keep="any"))
    frames = []
    for players in PLAYER_COUNTS:
        tables = named.filter(pl.col("players") == players)
        if tables.is_empty():
            continue
        wide = wide_settlement(tables, players, convention)
        for one, other in pairs(players):
            balance = pl.col(whists_column(one, other)) - pl.col(whists_column(other, one))
            bullets = pl.col(f"bullet_share_{one}") - pl.col(f"bullet_share_{other}")
            mountains = pl.col(f"mountain_share_{one}") - pl.col(f"mountain_share_{other}")
            frame = wide.select(
                "pulka",
                player=player_column(one),
                opponent=player_column(other),
                pairwise=bullets - mountains + balance,
                balance=balance,
                lead=pl.col(f"result_{one}") - pl.col(f"result_{other}"),
            )
            frames.append(frame.drop_nulls(_PAIR))
    empty = {"pulka": pl.Int64, "player": pl.String, "opponent": pl.String}
    numbers = dict.fromkeys(("pairwise", "balance", "lead"), pl.Int64)
    return pl.concat([pl.DataFrame(schema={**empty, **numbers}), *frames]).sort("pulka", *_PAIR)
