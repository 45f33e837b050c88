"""Players: what they win, how they declare and defend, and how much of it is luck."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import polars as pl

from prefdata.analysis import _profile_frames as frames
from prefdata.analysis._luck import luck, luck_by_role
from prefdata.analysis._player_deals import player_deals, pulka_results
from prefdata.archives import Archive, as_archive
from prefdata.conventions import Convention, preset, resolve_russian
from prefdata.doors import as_texts
from prefdata.errors import ConventionError, TableError, counted
from prefdata.games import refuse_unless_russian
from prefdata.reports import Report, Section, listed

__all__ = ["PlayerProfiles", "player_profiles"]

_SHOWN: dict[str, tuple[str, tuple[str, ...], int]] = {
    "results": (
        "Results, in whists (mean of a pulka with 95 % interval)",
        ("player", "pulkas", "result", "mean", "low", "high", "interval", "whists_per_deal", "wins", "money"),
        1,
    ),
    "declaring": (
        "As declarer",
        (
            *("player", "declared", "declared_share", "made", "made_share", "made_share_low", "made_share_high"),
            *("undertricks", "value_mean", "misere_tried", "misere_made"),
        ),
        1,
    ),
    "defending": (
        "As defender",
        (
            *("player", "called", "whists", "halves", "passes", "whist_share", "whist_share_low", "whist_share_high"),
            *("whist_value_mean", "pass_value_mean"),
        ),
        1,
    ),
    "raspasy": (
        "In raspasy",
        ("player", "deals", "tricks_mean", "tricks_error", "zeros", "value_mean", "value_error"),
        2,
    ),
    "luck": (
        "Result = mix of contracts and roles + play within them + adjustments, in whists (chance: one deviation)",
        ("player", "deals", "result", "mix", "within", "adjustments", "chance", "within_low", "within_high"),
        1,
    ),
    "streaks": ("Longest runs, in pulkas", ("player", "longest_winning", "longest_losing", "current"), 1),
}
_SHOWN_OF_FEW: dict[str, tuple[str, tuple[str, ...], int]] = {
    "contracts": (
        "Contracts",
        (
            *("player", "contract", "declared", "made", "made_share", "made_share_low", "made_share_high"),
            *("unplayed", "conceded", "undertricks", "value_mean"),
        ),
        1,
    ),
    "whists": (
        "Whists by level",
        (
            *("player", "contract", "called", "whists", "whist_share", "whist_share_low", "whist_share_high"),
            *("whist_value_mean", "pass_value_mean"),
        ),
        1,
    ),
    "luck_by_role": (
        "Mix and play by role, in whists",
        ("player", "role", "deals", "value", "mix", "within", "chance"),
        1,
    ),
}


@dataclass(frozen=True)
class PlayerProfiles(Report):
    """Profiles of all players of an archive.

    Every frame is sorted by `player`; `prefdata.analysis.COLUMNS` tells the meaning and unit of every column.  Shares
    have Wilson's 95 % intervals.  Means over pulkas have normal ones from 30 pulkas on, those of a seeded bootstrap
    from 5 on (`interval` says which) and none below.

    Attributes
    ----------
    convention
        Name of the convention under which everything was scored.
    pulkas, deals
        How many pulkas and scored deals were counted.
    results
        A row a player: result of his pulkas, money, ranks.
    declaring
        A row a player: what he declared and made, misère apart.
    contracts
        A row a player and contract: success by level.
    defending, whists
        A row a player, and a row a player and level (`contract`): final calls, and what the deals where he whisted or
        passed were worth to him.
    raspasy
        A row a player: tricks and value.
    luck, luck_by_role
        A row a player, and a row a player and role: the result taken apart, see `player_profiles`.
    streaks
        A row a player: longest runs of pulkas won and lost.
    is_part
        Whether these are some of the players, of whom a report tells everything.
    """

    convention: str
    pulkas: int
    deals: int
    results: pl.DataFrame
    declaring: pl.DataFrame
    contracts: pl.DataFrame
    defending: pl.DataFrame
    whists: pl.DataFrame
    raspasy: pl.DataFrame
    luck: pl.DataFrame
    luck_by_role: pl.DataFrame
    streaks: pl.DataFrame
    is_part: bool = False

    @property
    def frames(self) -> dict[str, pl.DataFrame]:
        """All frames by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if isinstance(value, pl.DataFrame)}

    def only(self, *players: str) -> PlayerProfiles:
        """Keep some players; they are still compared with everybody.

        Raises
        ------
        TableError
            If there is no such player.
        """
        known = self.results["player"].to_list()
        for player in as_texts(players, "players"):
            if player not in known:
                raise TableError(f"no pulka has a player {player!r}", hint=f"Known are {', '.join(known)}.")
        kept = {name: frame.filter(pl.col("player").is_in(players)) for name, frame in self.frames.items()}
        return PlayerProfiles(self.convention, self.pulkas, self.deals, **kept, is_part=True)

    @property
    def title(self) -> str:
        """What the report is about: the convention, how many pulkas and deals."""
        counts = f"{counted(self.pulkas, 'pulka')}, {counted(self.deals, 'deal')}"
        return f"Players under {self.convention}: {counts}"

    def findings(self) -> tuple[str, ...]:
        """Say whose play goes beyond chance."""
        if self.luck.is_empty():
            return ()
        sides = {"more": pl.col("within_low") > 0, "less": pl.col("within_high") < 0}
        found = {side: self.luck.filter(beyond)["player"].to_list() for side, beyond in sides.items()}
        told = [
            f"Beyond their mix of contracts and roles {listed(names)} won {side} than chance explains (95 %)."
            for side, names in found.items()
            if names
        ]
        if not told:
            return ("Beyond their mix of contracts and roles nobody won more or less than chance explains (95 %).",)
        return (*told, "By chance alone 5 % of players are found so where all play alike.")

    def sections(self) -> tuple[Section, ...]:
        """Give the tables: a line a player, and everything about players who were chosen."""
        shown = {**_SHOWN, **_SHOWN_OF_FEW} if self.is_part else _SHOWN
        return tuple(
            Section(
                title,
                self.frames[name].select(columns),
                sentences=() if self.frames[name].height else ("nobody",),
                decimals=decimals,
                shares=tuple(column for column in columns if "share" in column),
            )
            for name, (title, columns, decimals) in shown.items()
        )

    def render(self, *players: str) -> str:
        """Write the profiles as plain text: a line a player, or everything about the players named."""
        return super().render() if not players else self.only(*players).render()


def player_profiles(archive: Archive | str | Path, convention: str | Path | Convention | None = None) -> PlayerProfiles:
    """Profile the players of an archive.

    Luck is measured against the values of deals.  All deals of the archive are sorted into cells by players at the
    table, contract and role (declarer, defender, sitting dealer, raspasy).  `mix` is what a player's deals would have
    brought had each been worth the mean of its cell: which contracts and roles came to him by cards and bidding.
    `within` is what they brought above it: how well he, and the cards of the moment, played them.  Neither is pure luck
    or pure skill, but `chance` tells how far `within` strays, one standard deviation, when everybody plays alike: what
    stays inside ± 1.96 of it is no evidence of skill.  It takes deals for independent.  A bold bidder changes his own
    mix, and a strong opponent lowers everybody else's `within`.

    Parameters
    ----------
    archive
        The archive with players' names, or its folder; seats without one are left out of the profiles but not of the
        cells.
    convention
        A convention that keeps the value of a game constant, its name or its file; unless given, the one that all
        pulkas were played under.

    Returns
    -------
    PlayerProfiles
        The report.

    Raises
    ------
    ConventionError
        If the convention does not keep the value of a game constant, is ``played`` or is not given for an archive that
        was played under several: values are compared under one.
    TableError
        If no pulka names its players.

    Warns
    -----
    SetAsideWarning
        If pulkas break a rule.

    Examples
    --------
    >>> from prefdata.archives import archive
    >>> from prefdata.examples import one_pulka, three_deals
    >>> named = one_pulka().with_columns(player_a=pl.lit("A"), player_b=pl.lit("B"), player_c=pl.lit("C"))
    >>> profiles = player_profiles(archive(named, three_deals()), "sochi")
    >>> profiles.declaring.select("player", "played", "declared", "made", "value").rows()
    [('A', 3, 1, 1, 14.0), ('B', 3, 1, 0, -70.0), ('C', 3, 0, 0, 0.0)]
    >>> profiles.luck.select("player", "result", "mix", "within").rows()
    [('A', 80.0, 49.0, 31.0), ('B', -114.0, -77.0, -37.0), ('C', 34.0, 28.0, 6.0)]
    """
    archive = as_archive(archive)
    refuse_unless_russian(archive.game, "players are profiled in")
    switches = resolve_russian(_only_one_played(archive) if convention is None else convention)
    settled = pulka_results(archive, switches)
    deals = player_deals(archive, switches)
    results = frames.results(settled)
    return PlayerProfiles(
        convention=switches.name,
        pulkas=settled["pulka"].n_unique(),
        deals=int(settled.unique("pulka", keep="any")["deals"].sum()),
        results=results,
        declaring=frames.declaring(deals),
        contracts=frames.contracts(deals),
        defending=frames.defending(deals),
        whists=frames.defending(deals, by_level=True),
        raspasy=frames.raspasy(deals),
        luck=luck(deals, results),
        luck_by_role=luck_by_role(deals),
        streaks=frames.streaks(settled),
    )


def _only_one_played(archive: Archive) -> Convention:
    """Give the convention that all pulkas of an archive were played under."""
    names = archive.pulkas.select(pl.col("convention").drop_nulls().unique().sort()).collect().to_series().to_list()
    if len(names) != 1:
        played = f"under {', '.join(names)}" if names else "under none"
        raise ConventionError(f"pulkas were played {played}", hint="Name the convention to compare players under.")
    return preset(str(names[0]))
