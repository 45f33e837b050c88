"""Ratings: players' strength, followed from pulka to pulka by their ranks."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl
from openskill.models import PlackettLuce, PlackettLuceRating

from prefdata.analysis._columns import COLUMNS
from prefdata.analysis.results import as_results
from prefdata.doors import AnyFrame, as_number
from prefdata.errors import counted
from prefdata.reports import Report, Section, number

__all__ = ["Ratings", "ratings"]


@dataclass(frozen=True)
class Ratings(Report):
    """Players' ratings and how they came about.

    Attributes
    ----------
    frame
        A row a player, the strongest first: `place`, `player`, `pulkas`, `mu` (estimated strength; everybody begins at
        25), `sigma` (its standard deviation; everybody begins at 25/3), `ordinal` (mu - 3 sigma: a strength that he
        almost surely has, 0 at the beginning, hence low for who played little).
    history
        A row a rated pulka and player, in the order of time: `pulka`, `played_on`, `player`, `rank`, and `mu`, `sigma`,
        `ordinal` after the pulka.
    """

    frame: pl.DataFrame
    history: pl.DataFrame

    @property
    def title(self) -> str:
        """What the report is about: the model."""
        return "Ratings (Plackett-Luce by ranks; ordinal = mu - 3 sigma)"

    def findings(self) -> tuple[str, ...]:
        """Say who is rated first."""
        first = self.frame.filter(pl.col("place") == 1)
        return tuple(
            f"{row['player']} is rated first after {counted(row['pulkas'], 'pulka')}: ordinal "
            f"{number(row['ordinal'], 2)}."
            for row in first.iter_rows(named=True)
        )

    def sections(self) -> tuple[Section, ...]:
        """Give a row for each player."""
        return (Section(frame=self.frame, decimals=2, sentences=() if self.frame.height else ("nobody",)),)


def ratings(
    results: AnyFrame,
    *,
    mu: float = 25.0,
    sigma: float = 25 / 3,
    beta: float = 25 / 6,
    tau: float = 25 / 300,
) -> Ratings:
    """Rate players by their ranks in pulkas, one pulka after the other.

    The model is openskill's Plackett-Luce.  It sees who was before whom, not by how many whists; equal results are a
    draw.  Pulkas follow each other by `played_on` (undated ones last) and key.  Pulkas with fewer than two named
    players, or with one player on two seats, are not rated.

    Parameters
    ----------
    results
        A row a pulka and player: `pulka`, `player` and `result` (whists), perhaps `result_twelfths`, which is compared
        instead, and `played_on`; `pulka_results` gives all.
    mu, sigma
        Strength with which everybody begins, and its uncertainty.
    beta, tau
        Spread of a player's form from pulka to pulka, and by how much his strength may drift between two; all four are
        parameters of ``openskill.models.PlackettLuce``.

    Returns
    -------
    Ratings
        The report.

    Raises
    ------
    TableError
        If a column is missing.

    Examples
    --------
    >>> results = pl.DataFrame({"pulka": [1, 1, 1], "player": ["A", "B", "C"], "result": [90, 10, -100]})
    >>> ratings(results).frame.select("place", "player", "pulkas").rows()
    [(1, 'A', 1), (2, 'B', 1), (3, 'C', 1)]
    """
    model = PlackettLuce(
        mu=as_number(mu, "mu"),
        sigma=as_number(sigma, "sigma"),
        beta=as_number(beta, "beta"),
        tau=as_number(tau, "tau"),
    )
    ranked = _ranked(as_results(results))
    try:
        after = _follow(ranked, model)
    except ArithmeticError:
        raise ValueError(
            f"mu is {mu}, sigma {sigma}, beta {beta}, tau {tau}, with which ratings leave the range of numbers"
        ) from None
    history = ranked.with_columns(
        pl.Series(name, [numbers[place] for numbers in after], dtype=pl.Float64)
        for place, name in enumerate(("mu", "sigma", "ordinal"))
    ).select(*COLUMNS["history"])
    final = (
        history.group_by("player", maintain_order=True)
        .agg(pl.len().cast(pl.Int64).alias("pulkas"), pl.col("mu", "sigma", "ordinal").last())
        .sort("ordinal", "player", descending=[True, False])
        .with_columns(place=pl.col("ordinal").rank("min", descending=True).cast(pl.Int64))
    )
    return Ratings(final.select(*COLUMNS["ratings"]), history)


def _ranked(results: pl.DataFrame) -> pl.DataFrame:
    """Rank the named players of every pulka, in the order of time."""
    compared = "result_twelfths" if "result_twelfths" in results.columns else "result"
    day = pl.col("played_on") if "played_on" in results.columns else pl.lit(None, dtype=pl.Date).alias("played_on")
    named = results.select("pulka", day, "player", compared=pl.col(compared)).drop_nulls(["player", "compared"])
    others = pl.col("player").n_unique().over("pulka")
    return (
        named.filter((pl.len().over("pulka") > 1) & (others == pl.len().over("pulka")))
        .with_columns(rank=pl.col("compared").rank("min", descending=True).over("pulka").cast(pl.Int64))
        .sort("played_on", "pulka", "rank", "player", nulls_last=True)
        .drop("compared")
    )


def _follow(ranked: pl.DataFrame, model: PlackettLuce) -> list[tuple[float, float, float]]:
    """Rate pulka after pulka; gives mu, sigma and ordinal after each row."""
    current: dict[str, PlackettLuceRating] = {}
    after: list[tuple[float, float, float]] = []
    grouped = ranked.group_by("pulka", maintain_order=True).agg("player", "rank")
    for players, ranks in zip(grouped["player"].to_list(), grouped["rank"].to_list(), strict=True):
        teams = [[current.get(player) or model.rating(name=player)] for player in players]
        for player, (rating,) in zip(players, model.rate(teams, ranks=ranks), strict=True):
            current[player] = rating
            after.append((rating.mu, rating.sigma, rating.ordinal()))
    return after
