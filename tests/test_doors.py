"""Every public door: the wrong kind of thing is refused with one sentence, and what can be understood is taken."""

from __future__ import annotations

import dataclasses
import datetime
import inspect
import json
import re
import traceback
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata import analysis, charts, corrections, drawing, simulate
from prefdata.doors import AnyFrame, as_frame
from prefdata.errors import PrefdataError
from prefdata.examples import one_pulka, three_deals

PACKAGE = str(Path(pref.__file__).parent)
ROOMS = {
    "prefdata": pref,
    "analysis": analysis,
    "charts": charts,
    "simulate": simulate,
    "corrections": corrections,
    "drawing": drawing,
}
HOUSE = pref.convention("sochi").replace(name="house", consolation="none")


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of its own, since a text may be taken for the name of a file."""
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(tmp_path_factory.mktemp("doors"))
        yield Path()


@cache
def club() -> pref.Archive:
    named = [pl.lit(name).alias(f"player_{seat}") for seat, name in zip("abc", "KLM", strict=True)]
    return pref.archive(one_pulka().with_columns(named), three_deals())


@cache
def on_disk() -> Path:
    pref.write_archive(club(), "club")
    return Path("club")


def with_sheets() -> pref.Archive:
    """Give the pulka with its sheet."""
    return pref.archive(one_pulka(), three_deals(), sheets=scored())


def balkan_with_sheets() -> pref.Archive:
    """Give a Balkan pulka with its sheet, whose convention is quickly inferred."""
    club = pref.sample(1, convention="balkan", seed=1)
    return pref.archive(club.pulkas, club.deals, sheets=pref.sheets(club, "balkan"))


def unfrozen() -> Path:
    """Write the pulka to a folder of its own."""
    return pref.write_archive(club(), next(fresh)).path or Path()


@cache
def club_table() -> Path:
    file = Path("club.csv")
    file.write_text("limit,Hill of Anna,hill2,w12,w21\n20,4,2,30,10\n", encoding="utf-8")
    return file


@cache
def scored() -> pl.DataFrame:
    return pref.sheets(club(), "sochi")


@cache
def results() -> pl.DataFrame:
    return analysis.pulka_results(club(), "sochi")


@cache
def comparison() -> analysis.Comparison:
    return pref.compare(club(), ["sochi", HOUSE])


@cache
def study() -> analysis.RoundingStudy:
    return analysis.study_rounding(scored(), "sochi")


@cache
def profiles() -> analysis.PlayerProfiles:
    return analysis.player_profiles(club(), "sochi")


@cache
def ranked() -> analysis.Standings:
    dated = results().with_columns(played_on=pl.lit(datetime.date(2024, 9, 1)))
    return analysis.standings(dated.with_columns(analysis.seasons()), "club-league", season="season")


@cache
def fined() -> pref.Archive:
    return pref.with_adjustments(club(), fine())


@cache
def written() -> pl.DataFrame:
    return pref.ledger(club(), "sochi")


@cache
def attributed() -> analysis.Attribution:
    return pref.attribute(club(), "sochi", HOUSE)


@cache
def chart() -> Any:
    return charts.contract_values(["sochi"])


def fine() -> pl.DataFrame:
    return pref.correct_over_writing(1, 2, "c", "bullet", 4)


fresh = (f"new-{number}" for number in count())

Right = dict[str, Any]
CALLS: dict[str, Callable[[], Right]] = {
    "prefdata.Convention": lambda: pref.convention("sochi").to_dict(),
    "prefdata.adjustment_effects": lambda: {
        "archive": fined(),
        "convention": "sochi",
        "rounding": "code",
    },
    "prefdata.append": lambda: {"path": on_disk(), "archive": further(), "deals_per_part": 1000},
    "prefdata.archive": lambda: {
        "pulkas": one_pulka(),
        "deals": three_deals(),
        "adjustments": fine(),
        "sheets": scored(),
    },
    "prefdata.attribute": lambda: {"archive": club(), "first": "sochi", "second": HOUSE},
    "prefdata.audit": lambda: {"archive": with_sheets(), "convention": "sochi"},
    "prefdata.bullet": lambda: {"seat": "a", "convention": "sochi"},
    "prefdata.check_sheets": lambda: {"sheets": scored(), "convention": "sochi"},
    "prefdata.compare": lambda: {"archive": club(), "conventions": ["sochi", HOUSE]},
    "prefdata.concat": lambda: {"archives": [club()]},
    "prefdata.convention": lambda: {"name_or_path": "sochi"},
    "prefdata.correct_over_writing": lambda: {
        "pulka": 1,
        "deal": 2,
        "seat": "a",
        "entry": "whists",
        "points": 8,
        "on_seat": "b",
        "first_offence": True,
        "with_error": True,
    },
    "prefdata.decode": lambda: {"code": "outcome"},
    "prefdata.encode": dict,
    "prefdata.entries": lambda: {"deals": three_deals(), "convention": "sochi"},
    "prefdata.fourth_player_joins": lambda: {
        "sheet": scored(),
        "convention": "sochi",
        "pulka": 2,
        "player": "N",
        "seat": "d",
        "bullet_limit": 20,
        "pulkas": club().pulkas,
    },
    "prefdata.export": lambda: {
        "archive": club(),
        "path": f"{next(fresh)}.json",
        "format": "json",
        "pulkas": [1],
        "convention": "sochi",
        "rounding": "exact",
        "language": "ru",
        "overwrite": False,
    },
    "prefdata.freeze": lambda: {"archive": unfrozen(), "convention": "sochi"},
    "prefdata.import_file": lambda: {
        "path": club_table(),
        "format": "club-sheets",
        "columns": {"Hill of Anna": "mountain_a"},
        "players": ["K", "L"],
        "bullet_limit": 20,
        "convention": "sochi",
        "first_dealer": "a",
        "repair": False,
        "strict": False,
    },
    "prefdata.infer": lambda: {"archive": balkan_with_sheets(), "most_sheets": 10, "progress": None},
    "prefdata.invariance": lambda: {"convention": "sochi", "archive": club()},
    "prefdata.ledger": lambda: {"archive": club(), "convention": "sochi", "running_columns": True},
    "prefdata.mountain": lambda: {"seat": "a", "convention": "sochi"},
    "prefdata.notation": dict,
    "prefdata.open_archive": lambda: {"path": on_disk()},
    "prefdata.presets": dict,
    "prefdata.raspasy_step": lambda: {"convention": "sochi"},
    "prefdata.read_notation": lambda: {"column": "game"},
    "prefdata.rescore": lambda: {
        "archive": on_disk(),
        "conventions": ["sochi"],
        "out": next(fresh),
        "rounding": "code",
        "ledger": False,
        "overwrite": False,
        "resume": False,
        "strict": False,
        "progress": lambda done, parts, deals: None,
        "executor": ThreadPoolExecutor(1),
    },
    "prefdata.sample": lambda: {
        "pulkas": 1,
        "players": 3,
        "convention": "sochi",
        "seed": 1,
        "bullet_limit": 4,
        "first_pulka": 1,
        "styles": simulate.PLAYERS,
        "habits": simulate.HABITS,
    },
    "prefdata.save_convention": lambda: {"convention": "sochi", "path": f"{next(fresh)}.toml"},
    "prefdata.settle": lambda: {
        "sheets": scored(),
        "convention": "sochi",
        "rounding": "code",
        "pulkas": club().pulkas,
    },
    "prefdata.settlement_steps": lambda: {
        "sheets": scored(),
        "convention": "sochi",
        "variant": 1,
        "rounding": "code",
    },
    "prefdata.sheet": lambda: {
        "source": club(),
        "pulka": 1,
        "convention": "sochi",
        "deal": 2,
        "entries": True,
        "language": "en",
        "theme": "light",
    },
    "prefdata.sheets": lambda: {"archive": club(), "convention": "sochi"},
    "prefdata.switches": dict,
    "prefdata.unapplied_adjustments": lambda: {"archive": club(), "ledger": written()},
    "prefdata.values": lambda: {"archive": club(), "convention": "sochi", "nominal": False},
    "prefdata.whists": lambda: {"writer": "a", "on": "b", "convention": "sochi"},
    "prefdata.with_adjustments": lambda: {"archive": club(), "frames": fine()},
    "prefdata.write_archive": lambda: {
        "archive": club(),
        "path": next(fresh),
        "deals_per_part": 1000,
        "overwrite": False,
    },
    "analysis.Band": lambda: {"rate": Fraction(1, 2), "up_to": 100},
    "analysis.PointsSystem": lambda: {
        "name": "house",
        "title": "",
        "kind": "rank",
        "bands": (analysis.Band(Fraction(1)),),
        "floor": -10,
        "by_rank": (3, 2),
        "by_rank_in_minus": (1,),
        "alone_in_plus": 4,
    },
    "analysis.head_to_head": lambda: {"archive": club(), "convention": "sochi"},
    "analysis.player_profiles": lambda: {"archive": club(), "convention": "sochi"},
    "analysis.points_system": lambda: {"name_or_path": "club-league"},
    "analysis.points_systems": dict,
    "analysis.pulka_results": lambda: {"archive": club(), "convention": "sochi"},
    "analysis.ratings": lambda: {"results": results(), "mu": 25.0, "sigma": 8.0, "beta": 4.0, "tau": 0.1},
    "analysis.seasons": lambda: {"starts": 9, "column": "played_on"},
    "analysis.standings": lambda: {
        "results": results(),
        "points": "club-league",
        "season": "player",
        "result": "result",
    },
    "analysis.study_rounding": lambda: {
        "sheets": scored(),
        "convention": "sochi",
        "rules": ["code"],
        "pulkas": club().pulkas,
        "by": ["players"],
    },
    "charts.attribution_waterfall": lambda: {
        "attribution": attributed(),
        "player": "K",
        "role": None,
        "language": "en",
    },
    "charts.build_report": lambda: {"archive": club(), "conventions": ["sochi", HOUSE], "language": "en"},
    "charts.combine": lambda: {"charts": chart(), "columns": 1, "language": "en"},
    "charts.contract_values": lambda: {"conventions": ["sochi"], "language": "en"},
    "charts.difference_distribution": lambda: {"comparison": comparison(), "bar": 2.0, "language": "en"},
    "charts.enable_notebook_charts": dict,
    "charts.enable_theme": lambda: {"language": "en"},
    "charts.player_profile": lambda: {"profiles": profiles(), "player": "K", "language": "en"},
    "charts.results_over_time": lambda: {
        "results": results(),
        "players": ["K"],
        "result": "result",
        "language": "en",
    },
    "charts.rounding_error": lambda: {"study": study(), "language": "en"},
    "charts.rounding_favours": lambda: {"study": study(), "players": 3, "columns": 3, "language": "en"},
    "charts.save_chart": lambda: {"chart": chart(), "path": f"{next(fresh)}.svg", "overwrite": False},
    "charts.source_chart": lambda: {"comparison": comparison(), "language": "en"},
    "charts.standings_chart": lambda: {"standings": ranked(), "season": "2024/25", "language": "en"},
    "charts.theme": lambda: {"language": "en"},
    "charts.winner_change_matrix": lambda: {
        "comparison": comparison(),
        "first": "sochi",
        "second": "house",
        "players": 3,
        "language": "en",
    },
    "drawing.draw_sheets": lambda: {
        "source": scored(),
        "convention": "sochi",
        "pulkas": [1],
        "entries": True,
        "language": "en",
        "theme": "light",
    },
    "drawing.draw_states": lambda: {
        "archive": club(),
        "pulka": 1,
        "convention": "sochi",
        "entries": True,
        "language": "en",
        "theme": "light",
    },
    "drawing.save_sheets": lambda: {
        "source": scored(),
        "convention": "sochi",
        "folder": next(fresh),
        "pulkas": [1],
        "form": "svg",
        "entries": True,
        "language": "en",
        "theme": "light",
        "progress": a_function,
    },
    "simulate.Habits": lambda: dict(vars(simulate.HABITS)),
    "simulate.Style": lambda: dict(vars(simulate.Style())),
    "simulate.frequencies": lambda: {"archive": club()},
}
"""For every public function, and every class that people make things of, arguments that are right."""

FRAMES = {
    "prefdata.archive": ("pulkas", "deals", "adjustments", "sheets"),
    "prefdata.check_sheets": ("sheets",),
    "prefdata.entries": ("deals",),
    "prefdata.fourth_player_joins": ("sheet", "pulkas"),
    "prefdata.settle": ("sheets", "pulkas"),
    "prefdata.settlement_steps": ("sheets",),
    "prefdata.unapplied_adjustments": ("ledger",),
    "prefdata.with_adjustments": ("frames",),
    "analysis.ratings": ("results",),
    "analysis.standings": ("results",),
    "analysis.study_rounding": ("sheets", "pulkas"),
    "charts.results_over_time": ("results",),
    "drawing.draw_sheets": ("source",),
}
"""Parameters that take frames."""

METHODS: dict[str, tuple[Callable[[], Any], Callable[[], Right]]] = {
    "Archive.only": (lambda: club().only, lambda: {"players": 3, "convention": ["sochi"], "predicates": pl.lit(True)}),
    "Archive.stale_codes": (lambda: club().stale_codes, lambda: {"trusted": True}),
    "Convention.diff": (lambda: HOUSE.diff, lambda: {"other": HOUSE}),
    "Convention.from_dict": (lambda: pref.Convention.from_dict, lambda: {"values": {"name": "house"}}),
    "Convention.with_rounding": (lambda: HOUSE.with_rounding, lambda: {"rounding": "exact"}),
    "Failures.write": (lambda: club().check().failures.write, lambda: {"path": f"{next(fresh)}.csv"}),
    "HeadToHead.matrix": (lambda: analysis.head_to_head(club(), "sochi").matrix, lambda: {"column": "result"}),
    "HeadToHead.only": (lambda: analysis.head_to_head(club(), "sochi").only, lambda: {"players": "K"}),
    "PlayerProfiles.only": (lambda: profiles().only, lambda: {"players": "K"}),
    "PointsSystem.from_dict": (lambda: analysis.PointsSystem.from_dict, lambda: {"values": {"name": "house"}}),
    "Report.save": (lambda: ranked().save, lambda: {"path": f"{next(fresh)}.txt", "overwrite": False}),
    "RoundingStudy.regroup": (lambda: study().regroup, lambda: {"by": ["players"]}),
    "SheetDrawing.save": (
        lambda: pref.sheet(club(), 1, "sochi").save,
        lambda: {"path": f"{next(fresh)}.svg", "overwrite": False},
    ),
    "Standings.only": (lambda: ranked().only, lambda: {"season": "2024/25"}),
}
"""Methods that take arguments, of what public functions give."""

RESULTS = {
    *("prefdata.Archive", "prefdata.Failures", "charts.ComparisonPage", "corrections.Joining"),
    "drawing.SheetDrawing",
    *(f"analysis.{name}" for name in ("Attribution", "Comparison", "HeadToHead", "Inference", "Invariance")),
    *(f"analysis.{name}" for name in ("PlayerProfiles", "Ratings", "RoundingStudy", "Standings", "SwitchGroup")),
}
"""Classes of which prefdata makes things, and nobody else."""


def further() -> pref.Archive:
    """Give the same pulka under a key that is not taken."""
    key = pl.lit(10 + pref.open_archive(on_disk()).pulkas.collect().height, pl.Int64).alias("pulka")
    return pref.archive(one_pulka().with_columns(key), three_deals().with_columns(key))


def a_function(*_: Any) -> None:
    """Do nothing."""


WRONG: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "True": lambda: True,
    "3": lambda: 3,
    "3.5": lambda: 3.5,
    "nan": lambda: float("nan"),
    "10**30": lambda: 10**30,
    "'text'": lambda: "text",
    "bytes": lambda: b"bytes",
    "[]": list,
    "[1]": lambda: [1],
    "[[]]": lambda: [[]],
    "{}": dict,
    "{1}": lambda: {1},
    "date": lambda: datetime.date(2020, 1, 1),
    "path": lambda: Path("not-there"),
    "DataFrame": pl.DataFrame,
    "LazyFrame": pl.LazyFrame,
    "lazy file": lambda: pl.scan_parquet("not-there.parquet"),
    "Series": lambda: pl.Series("values", [1, 2]),
    "Expr": lambda: pl.col("pulka"),
    "archive": club,
    "convention": lambda: HOUSE,
    "function": lambda: a_function,
    "class": lambda: pl.DataFrame,
    "object": object,
    "chart": alt.Chart,
}
"""Things of every kind; for every parameter most of them are wrong."""


# --------------------------------------------------------------------------- what is wrong


def function_of(name: str) -> Callable[..., Any]:
    """Find a public function, class or method."""
    if name in METHODS:
        method: Callable[..., Any] = METHODS[name][0]()
        return method
    room, _, function = name.partition(".")
    found: Callable[..., Any] = getattr(ROOMS[room], function)
    return found


def right_of(name: str) -> Right:
    return METHODS[name][1]() if name in METHODS else CALLS[name]()


def call(function: Callable[..., Any], arguments: Right) -> Any:
    by_place = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    places = [key for key, one in inspect.signature(function).parameters.items() if one.kind in by_place]
    named = {key: value for key, value in arguments.items() if key not in places}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pref.SetAsideWarning)
        return function(*(arguments[key] for key in places), **named)


def names_of(parameter: str, thing: Any, right: Right) -> set[str]:
    """List what an error may be about: the parameter, the thing or what is in it, and what it clashes with."""
    inside = list(thing) if isinstance(thing, list | set | pl.Series) else []
    spelt = (
        {}
        if isinstance(thing, pl.LazyFrame)
        else {spell(one)[:20] for one in (thing, *inside) for spell in (repr, str)}
    )
    clashing = {str(one) for one in right.values() if isinstance(one, str | Path)}
    return {parameter, parameter.removesuffix("s"), type(thing).__name__, *spelt, *clashing} | (
        {thing.__name__} if isinstance(thing, type) else set()
    )


def complaint(name: str, parameter: str, thing: Any) -> str:
    """Say what is wrong with the answer to a thing; nothing if it is a result, or one sentence of prefdata's own."""
    function, right = function_of(name), right_of(name)
    try:
        call(function, {**right, parameter: thing})
    except BaseException as error:  # a panic of Polars is no Exception
        last = traceback.extract_tb(error.__traceback__)[-1]
        is_own = last.filename.startswith(PACKAGE) and (last.line or "").startswith("raise")
        if not isinstance(error, PrefdataError | TypeError | ValueError) or not is_own:
            return f"{type(error).__name__} in {last.filename}:{last.lineno}: {str(error)[:200]}"
        told = str(error)
        if len(told.splitlines()) > 3 or not any(one in told for one in names_of(parameter, thing, right)):
            return f"it says: {told}"
    return ""


@pytest.mark.parametrize("name", [*CALLS, *METHODS])
def test_the_wrong_kind_of_thing_is_one_sentence(name: str) -> None:
    call(function_of(name), right_of(name))
    complaints = {
        (parameter, kind): complaint(name, parameter, make())
        for parameter in right_of(name)
        for kind, make in WRONG.items()
    }
    assert {place: told for place, told in complaints.items() if told} == {}


CELLS: dict[str, pl.Expr] = {
    "text": pl.lit("x"),
    "day": pl.date(2020, 1, 1),
    "truth": pl.lit(True),
    "list": pl.lit([1], dtype=pl.List(pl.Int64)),
    "broken": pl.lit(1.5),
    "nan": pl.lit(float("nan")),
    "null": pl.lit(None),
    "struct": pl.struct(pl.lit(1)),
    "negative": pl.lit(-1, pl.Int64),
    "large": pl.lit(2**63 - 1, pl.Int64),
    "decimal": pl.lit(1).cast(pl.Decimal(10, 2)),
    "bytes": pl.lit(b"x"),
}


@pytest.mark.parametrize("name", FRAMES)
def test_a_column_of_the_wrong_kind_is_one_sentence(name: str) -> None:
    complaints = {}
    for parameter in FRAMES[name]:
        frame = as_frame(right_of(name)[parameter], parameter)
        one_of_each = {re.sub("_[a-d]+$", "", column): column for column in reversed(frame.columns)}
        for column in one_of_each.values():
            for kind, cell in CELLS.items():
                told = complaint(name, parameter, frame.with_columns(cell.alias(column)))
                complaints[parameter, column, kind] = "" if told.startswith("it says") else told
    assert {place: told for place, told in complaints.items() if told} == {}


def test_every_public_parameter_is_tried() -> None:
    public = {f"{room}.{name}": getattr(module, name) for room, module in ROOMS.items() for name in module.__all__}
    made = {name for name, thing in public.items() if callable(thing)}
    errors = {
        name for name in made if isinstance(public[name], type) and issubclass(public[name], BaseException | Warning)
    }
    known = {id(public[name]) for name in [*CALLS, *RESULTS]}
    assert {name for name in made - errors if id(public[name]) not in known} == set()
    for name in [*CALLS, *METHODS]:
        several = inspect.Parameter.VAR_KEYWORD
        wanted = {
            key for key, one in inspect.signature(function_of(name)).parameters.items() if one.kind is not several
        }
        assert wanted <= set(right_of(name)), name


# --------------------------------------------------------------------------- what is understood


class Foreign:
    """A table of a library that speaks Arrow's C stream, as frames of pandas and relations of DuckDB do."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._table = frame.to_arrow()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


FORMS: dict[str, Callable[[pl.DataFrame], AnyFrame]] = {
    "lazy": pl.DataFrame.lazy,
    "pyarrow": pl.DataFrame.to_arrow,
    "foreign": Foreign,
}


def plain(result: Any) -> Any:
    """Make what a function gives comparable."""
    if isinstance(result, pl.LazyFrame):
        return plain(result.collect())
    if isinstance(result, pl.DataFrame):
        return result.schema, result.rows()
    if isinstance(result, pref.Archive):
        return plain(result.pulkas), plain(result.deals), plain(result.adjustments)
    if isinstance(result, alt.TopLevelMixin):
        return json.dumps(result.to_dict(), default=str)
    if isinstance(result, tuple | Iterator):
        return tuple(map(plain, result))
    if dataclasses.is_dataclass(result):
        return {field.name: plain(getattr(result, field.name)) for field in dataclasses.fields(result)}
    return result


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", FRAMES)
def test_frames_of_every_form_are_taken(name: str, form: str) -> None:
    right = right_of(name)
    frames = {key: as_frame(right[key], key) for key in FRAMES[name]}
    expected = call(function_of(name), right)
    found = call(function_of(name), right | {key: FORMS[form](frame) for key, frame in frames.items()})
    assert plain(found) == plain(expected)


OF_OTHER_FOLDERS = {f"prefdata.{name}" for name in ("append", "audit", "export", "freeze", "infer", "rescore")}
"""They change their folder, need one with sheets or give a new place; their own tests give them folders."""


@pytest.mark.parametrize("kind", [str, Path])
@pytest.mark.parametrize("name", [name for name in CALLS if name not in OF_OTHER_FOLDERS])
def test_the_folder_stands_for_its_archive(name: str, kind: type) -> None:
    if "archive" in inspect.signature(function_of(name)).parameters:
        expected = call(function_of(name), right_of(name) | {"archive": pref.open_archive(on_disk())})
        found = call(function_of(name), right_of(name) | {"archive": kind(on_disk())})
        if name not in ("charts.build_report", "prefdata.write_archive"):
            assert plain(found) == plain(expected)


def test_entries_come_back_as_they_were_given() -> None:
    expected = pref.entries(three_deals(), "sochi")
    lazy = pref.entries(three_deals().lazy(), "sochi")
    assert isinstance(lazy, pl.LazyFrame)
    assert_frame_equal(lazy.collect(), expected)
    assert_frame_equal(pref.entries(Foreign(three_deals()), "sochi"), expected)


def test_an_opened_archive_is_rescored_from_its_folder() -> None:
    done = pref.rescore(pref.open_archive(on_disk()), "sochi", next(fresh))
    assert done.manifest["archive"] == str(on_disk())
    with pytest.raises(PrefdataError, match="archive is an Archive without"):
        pref.rescore(club(), "sochi", next(fresh))


def test_one_stands_for_several() -> None:
    assert plain(charts.contract_values("sochi")) == plain(charts.contract_values(["sochi"]))
    assert plain(pref.concat(on_disk())) == plain(pref.open_archive(on_disk()))
    assert study().regroup("players").by == ("players",)
    assert analysis.study_rounding(scored(), "sochi", rules="code").rules == ("code",)
    drawn = [charts.results_over_time(results(), players=players) for players in ("K", ["K"])]
    assert plain(drawn[0]) == plain(drawn[1])


def test_a_comparison_says_that_a_second_convention_is_needed() -> None:
    for one in ("sochi", Path("sochi"), pref.convention("sochi"), ["sochi"]):
        with pytest.raises(
            PrefdataError, match="cannot compare sochi with nothing else\nGive at least two conventions"
        ):
            pref.compare(club(), one)
    with pytest.raises(PrefdataError, match="several make a list"):
        pref.compare(club(), "sochi, rostov")


def test_pulkas_may_lack_what_may_be_empty() -> None:
    bare = one_pulka().select("pulka", "players", "bullet_limit", "convention")
    assert pref.settle(scored(), "played", pulkas=bare)["player"].to_list() == [None] * 3


def test_a_lazy_frame_of_a_file_that_is_gone_is_one_sentence() -> None:
    with pytest.raises(PrefdataError, match=r"sheets cannot be read: .*gone\.parquet"):
        pref.settle(pl.scan_parquet("gone.parquet"), "sochi")
