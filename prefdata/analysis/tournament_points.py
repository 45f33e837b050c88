"""Systems of tournament points, as data: how the result of a pulka becomes points."""

from __future__ import annotations

import dataclasses
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from numbers import Rational
from pathlib import Path
from typing import Any, Literal

import polars as pl

from prefdata.doors import told
from prefdata.errors import PointsError
from prefdata.vocabulary import TWELFTHS

__all__ = ["Band", "PointsError", "PointsSystem", "points_system", "points_systems"]


def _rate(rate: object) -> Fraction:
    """Give the exact rate of a band."""
    try:
        if isinstance(rate, Rational | str):
            return Fraction(rate)
        if isinstance(rate, float):
            return Fraction(str(rate))
    except (ArithmeticError, ValueError):
        pass
    raise PointsError(f"rate of a band is {told(rate)}, not a number", hint='Give one such as 0.1 or "1/3".')


@dataclass(frozen=True)
class Band:
    """A stretch of whists that counts at one rate.

    Attributes
    ----------
    rate
        Points for a whist.
    up_to
        Whists at which the band ends; None goes on for ever.

    Raises
    ------
    PointsError
        If they are not numbers.
    """

    rate: Fraction
    up_to: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "rate", _rate(self.rate))
        if self.up_to is not None and (isinstance(self.up_to, bool) or not isinstance(self.up_to, int)):
            raise PointsError(f"up_to of a band is {told(self.up_to)}", hint="Give whole whists, or None.")


@dataclass(frozen=True, kw_only=True)
class PointsSystem:
    """How the result of a pulka becomes tournament points.

    Attributes
    ----------
    name, title
        Its name, and how people call it.
    kind
        ``whists``: by the whists won.  ``rank``: by the place in the pulka.
    bands
        Kind ``whists``: rates of the whists above zero, from below; each whist counts at its own band's rate, and above
        the last band nothing.  Whists below zero count one to one.
    floor
        A result below it removes the player from the standings; None removes nobody.
    by_rank, by_rank_in_minus
        Kind ``rank``: points of the first, second, ... who won whists, and who did not; nothing for further places.
        Equal results share the points of the places that they take.
    alone_in_plus
        Points of the only player who won whists, None where that is nothing special.

    Raises
    ------
    PointsError
        If the fields contradict each other.

    Examples
    --------
    >>> weekly = points_system("site-a-weekly")
    >>> pl.DataFrame({"twelfths": [12 * 150, 12 * 300, 12 * 900, -12 * 40]}).select(weekly.points_of("twelfths") /
    ...     weekly.unit).to_series().to_list()
    [150.0, 210.0, 245.0, -40.0]
    """

    name: str = "unnamed"
    title: str = ""
    kind: Literal["whists", "rank"] = "whists"
    bands: tuple[Band, ...] = (Band(Fraction(1)),)
    floor: int | None = None
    by_rank: tuple[int, ...] = ()
    by_rank_in_minus: tuple[int, ...] = ()
    alone_in_plus: int | None = None

    def __post_init__(self) -> None:
        self._refuse_kinds()
        ends = [band.up_to for band in self.bands]
        finite = [end for end in ends if end is not None]
        if not ends or None in ends[:-1] or finite != sorted(set(finite)) or any(end <= 0 for end in finite):
            raise PointsError(
                f"{self.name}: bands end at {ends}",
                hint="Let them rise from above 0; only the last may be without end.",
            )
        if self.kind == "rank" and not self.by_rank:
            raise PointsError(f"{self.name}: no points by rank", hint="Give by_rank, such as [3, 2].")

    def _refuse_kinds(self) -> None:
        """Refuse fields that hold the wrong kind of thing."""
        for name in ("name", "title"):
            if not isinstance(getattr(self, name), str):
                raise PointsError(f"{name} is {told(getattr(self, name))}, not a text", hint="Put it in quotes.")
        if not isinstance(self.kind, str) or self.kind not in ("whists", "rank"):
            raise PointsError(f"{self.name}: kind is {told(self.kind)}", hint="Give whists or rank.")
        for name, kind in (("bands", Band), ("by_rank", int), ("by_rank_in_minus", int)):
            several = getattr(self, name)
            if not isinstance(several, tuple | list) or not all(isinstance(one, kind) for one in several):
                what = "bands" if kind is Band else "all whole"
                raise PointsError(
                    f"{self.name}: {name} is {told(several)}; they are not {what}",
                    hint="Only the rate of a band may be broken.",
                )
            object.__setattr__(self, name, tuple(several))
        for name in ("floor", "alone_in_plus"):
            if not isinstance(getattr(self, name), int | None):
                raise PointsError(
                    f"{self.name}: {name} is {told(getattr(self, name))}, not whole",
                    hint="Only the rate of a band may be broken.",
                )

    @property
    def unit(self) -> int:
        """Parts of a point in which points are exact."""
        return TWELFTHS * math.lcm(*(band.rate.denominator for band in self.bands))

    def points_of(self, twelfths: str) -> pl.Expr:
        """Give the points of a result, in parts of a point (`unit`), as an expression.

        Parameters
        ----------
        twelfths
            Column of the results in twelfths of a whist, Int64.  The kind ``rank`` compares them over `pulka`.
        """
        return self._by_whists(pl.col(twelfths)) if self.kind == "whists" else self._by_rank(pl.col(twelfths))

    def _by_whists(self, result: pl.Expr) -> pl.Expr:
        parts = self.unit // TWELFTHS
        points = result.clip(upper_bound=0) * parts
        start = 0
        for band in self.bands:
            end = None if band.up_to is None else band.up_to * TWELFTHS
            points = points + (result.clip(start, end) - start) * int(band.rate * parts)
            start = end or 0
        return points

    def _by_rank(self, result: pl.Expr) -> pl.Expr:
        rank = result.rank("min", descending=True).over("pulka").cast(pl.Int64)
        sharing = pl.len().over("pulka", result).cast(pl.Int64)
        in_plus = (result > 0).sum().over("pulka")
        won, lost = (_places(points, rank, sharing) for points in (self.by_rank, self.by_rank_in_minus or self.by_rank))
        shared = pl.when(result > 0).then(won).otherwise(lost)
        points = shared * self.unit // sharing
        if self.alone_in_plus is None:
            return points
        return pl.when((in_plus == 1) & (result > 0)).then(self.alone_in_plus * self.unit).otherwise(points)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> PointsSystem:
        """Make a system of plain values, as a TOML file has them.

        Raises
        ------
        PointsError
            If there is a field that a system does not have, or a value of a wrong type.
        """
        known = {field.name for field in dataclasses.fields(cls)}
        if not isinstance(values, Mapping):
            raise PointsError(f"values is {told(values)}, not a table", hint=f"Fields are {', '.join(sorted(known))}.")
        for key in values:
            if key not in known:
                raise PointsError(f"unknown field {key!r}", hint=f"Fields are {', '.join(sorted(known))}.")
        given = dict(values)
        try:
            if "bands" in given:
                given["bands"] = tuple(_band(band) for band in given["bands"])
            for key in ("by_rank", "by_rank_in_minus"):
                given[key] = tuple(given.get(key, ()))
        except (KeyError, TypeError, ValueError) as error:
            raise PointsError(
                f"bands or points cannot be read: {error}", hint='A band is { up_to = 200, rate = 0.1 } or "1/3".'
            ) from None
        return cls(**given)

    def to_dict(self) -> dict[str, Any]:
        """Give the fields as plain values, as a TOML file has them; what is None is left out.

        >>> PointsSystem.from_dict(points_system("site-b").to_dict()) == points_system("site-b")
        True
        """
        bands = [
            {"rate": str(band.rate), **({} if band.up_to is None else {"up_to": band.up_to})} for band in self.bands
        ]
        plain = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        lists = {"by_rank": list(self.by_rank), "by_rank_in_minus": list(self.by_rank_in_minus), "bands": bands}
        return {name: value for name, value in {**plain, **lists}.items() if value is not None}


def _places(points: Sequence[int], rank: pl.Expr, sharing: pl.Expr) -> pl.Expr:
    """Add up the points of the places that equal results take, from their rank on."""
    total = pl.lit(0, dtype=pl.Int64)
    for place, value in enumerate(points, start=1):
        taken = (rank <= place) & (rank + sharing > place)
        total = total + pl.when(taken).then(value).otherwise(0)
    return total


def _band(values: Mapping[str, Any]) -> Band:
    return Band(values["rate"], values.get("up_to"))


def points_systems() -> list[str]:
    """List the systems of points that come with prefdata.

    >>> points_systems()
    ['club-league', 'site-a-weekly', 'site-b']
    """
    folder = resources.files("prefdata.analysis") / "points"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def points_system(name_or_path: str | Path | PointsSystem) -> PointsSystem:
    """Give a system of points by its name or from a TOML file.

    Parameters
    ----------
    name_or_path
        Name of a system that comes with prefdata, path of a file (it ends in ``.toml``), or a system, given back.

    Raises
    ------
    PointsError
        If there is no such system or file, or it contradicts itself.

    Examples
    --------
    >>> points_system("club-league").by_rank
    (3, 2)
    """
    if isinstance(name_or_path, PointsSystem):
        return name_or_path
    if not isinstance(name_or_path, str | Path):
        raise PointsError(
            f"{told(name_or_path)} is no system of points",
            hint="Give the name of one, the path of a TOML file, or an analysis.PointsSystem.",
        )
    path = Path(name_or_path)
    if path.suffix != ".toml":
        if str(name_or_path) not in points_systems():
            known = ", ".join(points_systems())
            raise PointsError(f"unknown system of points {str(name_or_path)!r}", hint=f"Known are {known}.")
        source = resources.files("prefdata.analysis") / "points" / f"{name_or_path}.toml"
        return _parse(source.read_text(encoding="utf-8"), str(name_or_path))
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PointsError(f"{path} cannot be read: {error}", hint="Give the path of a TOML file.") from None
    return _parse(text, path.stem)


def _parse(text: str, name: str) -> PointsSystem:
    try:
        values = tomllib.loads(text, parse_float=Fraction)
    except tomllib.TOMLDecodeError as error:
        raise PointsError(f"{name} is not valid TOML: {error}", hint="Mend the line it names.") from None
    try:
        return PointsSystem.from_dict({"name": name, **values})
    except PointsError as error:
        raise PointsError(f"{name}: {error.what}", hint=error.hint) from None
