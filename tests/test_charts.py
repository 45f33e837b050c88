"""Charts: they build from small real inputs, stay within Altair's limits, speak Russian, and are saved offline."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import pytest

import prefdata as pref
from prefdata import charts
from prefdata.analysis import (
    PlayerProfiles,
    RoundingStudy,
    Standings,
    player_profiles,
    pulka_results,
    seasons,
    standings,
    study_rounding,
)
from prefdata.analysis.attribution import Attribution, attribute
from prefdata.analysis.comparison import Comparison, compare
from prefdata.archives import Archive
from prefdata.charts._frames import for_chart
from prefdata.errors import ChartError, TargetExistsError

CHARTS = [
    "difference_distribution",
    "winner_change_matrix",
    "source_chart",
    "attribution_waterfall",
    "rounding_error",
    "rounding_favours",
    "contract_values",
    "results_over_time",
    "player_profile",
    "standings_chart",
]


class Inputs:
    """What the charts are drawn from, made once."""

    def __init__(self) -> None:
        self.archive: Archive = pref.sample(100, players="mix", bullet_limit=10, seed=11)
        self.house = pref.convention("rostov").replace(name="my.house[1]", consolation=7)
        self.comparison: Comparison = compare(self.archive, ["sochi", "rostov", self.house])
        self.attribution: Attribution = attribute(self.archive, "sochi", "rostov")
        self.results = pulka_results(self.archive, "sochi")
        self.profiles: PlayerProfiles = player_profiles(self.archive.only(players=[3, 4]), "sochi")
        self.study: RoundingStudy = study_rounding(pref.sheets(self.archive, "sochi"), "sochi")
        self.standings: Standings = standings(self.results.with_columns(seasons()), "site-a-weekly", season="season")
        self.player: str = self.profiles.results["player"][0]

        self.drawn: dict[tuple[str, str], Any] = {}

    def draw(self, name: str, language: str = "en") -> Any:
        """Draw a chart, which a test may change."""
        if (name, language) not in self.drawn:
            self.drawn[name, language] = self.draw_anew(name, language)
        return self.drawn[name, language].copy()

    def draw_anew(self, name: str, language: str) -> Any:
        arguments: dict[str, tuple[Any, ...]] = {
            "attribution_waterfall": (self.attribution,),
            "rounding_error": (self.study,),
            "rounding_favours": (self.study,),
            "contract_values": (["sochi", "leningrad", self.house],),
            "results_over_time": (self.results,),
            "player_profile": (self.profiles, self.player),
            "standings_chart": (self.standings,),
        }
        function: Callable[..., Any] = getattr(charts, name)
        return function(*arguments.get(name, (self.comparison,)), language=language)


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    return Inputs()


class Tags(HTMLParser):
    """The tags of a page, each with the names of its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, set[str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name for name, _ in attrs}))


def parts_of(node: Any, key: str) -> Iterator[Any]:
    """Go through all values under a key, at any depth."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name == key:
                yield value
            yield from parts_of(value, key)
    elif isinstance(node, list):
        for value in node:
            yield from parts_of(value, key)


def rows_of(chart: Any, label: str) -> list[dict[str, Any]]:
    """Give the rows of the largest data set that has a column."""
    datasets: list[list[dict[str, Any]]] = list(chart.to_dict()["datasets"].values())
    return max((rows for rows in datasets if label in rows[0]), key=len)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("name", CHARTS)
def test_charts_stay_within_the_limits_of_altair(inputs: Inputs, name: str, language: str) -> None:
    drawn = inputs.draw(name, language).to_dict()
    assert drawn["datasets"]
    for rows in drawn["datasets"].values():
        assert 0 < len(rows) <= 5000
        assert not [column for column in rows[0] if re.search(r"[.:\[\]]", column)]
    text = json.dumps(drawn, ensure_ascii=False, allow_nan=False)
    assert bool(re.search("[а-я]{4}", text.replace("₽", ""))) == (language == "ru")


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_has_a_title_and_the_theme(inputs: Inputs, name: str) -> None:
    drawn = inputs.draw(name).to_dict()
    title = " ".join(drawn["title"]["text"])
    assert len(title) > 20
    assert "{" not in title
    assert drawn["config"]["range"]["category"] == list(charts.PALETTE)
    assert "Arial" in drawn["config"]["font"]
    assert all(title is None or title for title in parts_of(drawn, "title"))


@pytest.mark.parametrize("name", CHARTS)
def test_charts_are_saved(inputs: Inputs, name: str, tmp_path: Path) -> None:
    picture = charts.save_chart(inputs.draw(name), tmp_path / "chart.png")
    assert picture.read_bytes().startswith(b"\x89PNG")
    drawing = charts.save_chart(inputs.draw(name, "ru"), tmp_path / "chart.svg").read_text(encoding="utf-8")
    assert drawing.startswith("<svg")
    assert re.search("[а-я]{4}", drawing)
    assert "NaN" not in drawing
    assert "undefined" not in drawing


def test_html_needs_no_network(inputs: Inputs, tmp_path: Path) -> None:
    page = charts.save_chart(inputs.draw("contract_values", "ru"), tmp_path / "chart.html").read_text(encoding="utf-8")
    assert "мизер" in page or "\\u043c\\u0438\\u0437\\u0435\\u0440" in page
    tags = Tags()
    tags.feed(page)
    assert "script" in {tag for tag, _ in tags.found}
    assert not [names for _, names in tags.found if {"src", "href"} & names]


def test_saving_is_careful(inputs: Inputs, tmp_path: Path) -> None:
    chart = inputs.draw("standings_chart")
    path = charts.save_chart(chart, tmp_path / "chart.svg")
    with pytest.raises(TargetExistsError, match=r"exists(.|\n)*overwrite"):
        charts.save_chart(chart, path)
    assert charts.save_chart(chart, path, overwrite=True) == path
    with pytest.raises(ChartError, match=r"chart\.gif(.|\n)*\.png"):
        charts.save_chart(chart, tmp_path / "chart.gif")
    with pytest.raises(ChartError, match="no folder"):
        charts.save_chart(chart, tmp_path / "nowhere" / "chart.svg")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["chart.svg"]


def test_charts_can_be_changed(inputs: Inputs) -> None:
    chart = inputs.draw("contract_values").properties(width=300, title="Mine")
    assert chart.to_dict()["width"] == 300
    assert chart.to_dict()["title"] == "Mine"
    assert inputs.draw("difference_distribution").encode(color=alt.value("black")).to_dict()
    matrix = inputs.draw("winner_change_matrix")
    matrix.spec.width = 400
    assert 400 in parts_of(matrix.to_dict(), "width")
    profile = inputs.draw("player_profile")
    profile.concat[0] = profile.concat[0].properties(width=500)
    assert 500 in parts_of(profile.to_dict(), "width")


def test_charts_stand_together(inputs: Inputs, tmp_path: Path) -> None:
    names = ("standings_chart", "winner_change_matrix", "player_profile")
    first = inputs.draw(names[0], "ru")
    together = charts.combine(first, *(inputs.draw(name, "ru") for name in names[1:]), columns=2, language="ru")
    assert len(list(parts_of(together.to_dict(), "config"))) == 1
    assert first.config is not alt.Undefined
    assert charts.save_chart(together, tmp_path / "all.png").stat().st_size > 10_000


# --------------------------------------------------------------------------- what the charts show


def test_bars_of_differences_count_every_result(inputs: Inputs) -> None:
    rows = rows_of(charts.difference_distribution(inputs.comparison), "share")
    assert sum(row["seats"] for row in rows) == 2 * inputs.comparison.results.height
    middle = [row for row in rows if row["start"] == -row["end"]]
    assert {row["sign"] for row in middle} == {"about equal"}
    wide = rows_of(charts.difference_distribution(inputs.comparison, bar=100), "share")
    assert {row["end"] - row["start"] for row in wide} == {100}


def test_equal_conventions_can_be_drawn(inputs: Inputs) -> None:
    twin = pref.convention("sochi").replace(name="twin")
    equal = compare(inputs.archive, ["sochi", twin])
    assert charts.difference_distribution(equal).to_dict()
    assert "no difference" in charts.source_chart(equal).to_dict()["title"]["text"][0]
    title = charts.winner_change_matrix(equal).to_dict()["title"]["text"][0]
    assert title == "100% of the winners under sochi win under twin too"


def test_ranks_of_one_pair(inputs: Inputs) -> None:
    chart = charts.winner_change_matrix(inputs.comparison, first="rostov", second="sochi", players=3)
    assert isinstance(chart, alt.LayerChart)
    rows = rows_of(chart, "share")
    assert sum(row["share"] for row in rows) == pytest.approx(3)
    with pytest.raises(ChartError, match="mine was not compared"):
        charts.winner_change_matrix(inputs.comparison, second="mine")
    with pytest.raises(ChartError, match="no such pulkas"):
        charts.winner_change_matrix(inputs.comparison, players=5)


def test_sources_are_differences_of_an_average_pulka(inputs: Inputs) -> None:
    rows = rows_of(charts.source_chart(inputs.comparison), "role")
    sums = inputs.comparison.sources.filter(pl.col("convention") == "rostov", pl.col("role") == "declarer")
    drawn = sum(row["whists"] for row in rows if row["convention"] == "rostov" and row["role"] == "declarer")
    assert drawn == pytest.approx(sums["difference"].sum() / inputs.comparison.pulkas.height)


@pytest.mark.parametrize("chosen", [{}, {"player": "A"}, {"role": "declarer"}])
def test_waterfalls_end_at_the_whole(inputs: Inputs, chosen: dict[str, str]) -> None:
    rows = rows_of(charts.attribution_waterfall(inputs.attribution, **chosen), "next")
    *steps, last = rows
    assert steps[-1]["end"] == pytest.approx(last["end"])
    assert [row["start"] for row in steps[1:]] == pytest.approx([row["end"] for row in steps[:-1]])
    assert "consolation: price → 10" in {row["label"] for row in rows}


def test_waterfalls_of_nobody(inputs: Inputs) -> None:
    for chosen in ({"player": "Nobody"}, {"role": "dummy"}, {"player": "A", "role": "declarer"}):
        with pytest.raises(ChartError):
            charts.attribution_waterfall(inputs.attribution, **chosen)


def test_values_of_known_contracts() -> None:
    rows = rows_of(charts.contract_values(["sochi"]), "outcome")
    found = {(row["contract"], row["outcome"]): row["value"] for row in rows}
    # Six made: 2 in the bullet are 40/3 whists, less 4 tricks at 2; failed: the same less 5 tricks and twice 2 more.
    assert found["6", "made"] == pytest.approx(40 / 3 - 8)
    assert found["6", "failed"] == pytest.approx(-40 / 3 - 10 - 4)
    assert found["misère", "made"] == -found["misère", "failed"] == pytest.approx(200 / 3)
    with pytest.raises(ChartError, match="cannot draw"):
        charts.contract_values(["sochi", "sochi"])
    with pytest.raises(pref.PrefdataError, match="no constant value"):
        charts.contract_values([pref.convention("sochi").replace(name="lost", surplus="lost")])


def test_rounding_charts_follow_the_study(inputs: Inputs) -> None:
    together = rows_of(charts.rounding_error(inputs.study.regroup([])), "mean")
    assert len(together) == len(inputs.study.rules)
    three = rows_of(charts.rounding_favours(inputs.study, players=3), "gain")
    assert "seat d" not in {row["who"] for row in three}
    assert "exact" not in {row["rule"] for row in three}
    with pytest.raises(ChartError, match="no such sheets"):
        charts.rounding_favours(inputs.study, players=5)


def test_results_add_up_over_time(inputs: Inputs) -> None:
    for results in (inputs.results, inputs.results.drop("played_on")):
        rows = rows_of(charts.results_over_time(results, players=["A", "B"]), "at")
        sums = dict(results.group_by("player").agg(pl.col("result").sum()).rows())
        last = {row["player"]: row["whists"] for row in rows}
        assert last == pytest.approx({player: sums[player] for player in "AB"})


def test_long_times_are_taken_together() -> None:
    days = pl.date_range(pl.date(2000, 1, 1), pl.date(2010, 1, 1), eager=True)
    long = pl.DataFrame({"pulka": range(len(days)), "played_on": days, "player": "A", "result": 1.0})
    both = pl.concat([long, long.with_columns(player=pl.lit("B"), result=pl.lit(-1.0))])
    for results in (both, both.drop("played_on")):
        rows = rows_of(charts.results_over_time(results), "at")
        assert len(rows) <= 5000
        assert max(row["whists"] for row in rows) == len(days)


def test_results_that_cannot_be_drawn(inputs: Inputs) -> None:
    with pytest.raises(ChartError, match="no column player"):
        charts.results_over_time(inputs.results.drop("player"))
    with pytest.raises(ChartError, match="no results of Nobody"):
        charts.results_over_time(inputs.results, players=["A", "Nobody"])
    two = pl.concat([inputs.results.with_columns(convention=pl.lit(name)) for name in ("one", "two")])
    with pytest.raises(ChartError, match="several conventions"):
        charts.results_over_time(two)


def test_standings_of_a_season(inputs: Inputs) -> None:
    table = inputs.standings.frame
    rows = rows_of(charts.standings_chart(inputs.standings, season=table["season"][0]), "points")
    first = table.filter(pl.col("season") == table["season"][0])
    assert [row["player"] for row in rows] == first["player"].to_list()
    with pytest.raises(ChartError, match="no season '1900'"):
        charts.standings_chart(inputs.standings, season="1900")


def test_profiles_of_two_players_have_no_raspasy() -> None:
    few = player_profiles(pref.sample(2, players=2, bullet_limit=10, seed=5), "sochi")
    chart = charts.player_profile(few, few.results["player"][0])
    assert len(chart.concat) == 3
    idle = replace(few, contracts=few.contracts.clear(), whists=few.whists.clear())
    assert "–" in charts.player_profile(idle, few.results["player"][0]).to_json(ensure_ascii=False)


def test_nobody_has_no_profile(inputs: Inputs) -> None:
    with pytest.raises(ChartError, match=r"Nobody(.|\n)*Known are"):
        charts.player_profile(inputs.profiles, "Nobody")


# --------------------------------------------------------------------------- words, theme, notebooks


def test_languages_without_words_are_refused() -> None:
    with pytest.raises(ChartError, match="no words in 'fr'"):
        charts.contract_values(["sochi"], language="fr")


def test_frames_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ChartError, match="5001 rows"):
        for_chart(pl.DataFrame({"a": range(5001)}))
    with pytest.raises(ChartError, match=r"difference_my\.house"):
        for_chart(pl.DataFrame({"difference_my.house": [1]}))


def test_theme_and_renderer_are_enabled() -> None:
    active, renderer = alt.theme.active, alt.renderers.active
    try:
        charts.enable_theme("ru")
        mine = alt.Chart(pl.DataFrame({"x": [1]})).mark_bar().encode(x="x:Q").to_dict()
        assert mine["config"]["range"]["category"] == list(charts.PALETTE)
        assert mine["config"]["locale"]["number"]["decimal"] == ","
        charts.enable_notebook_charts()
        shown = charts.contract_values(["sochi"])._repr_mimebundle_()
        assert "image/png" in str(shown)
    finally:
        alt.theme.enable(active)
        alt.renderers.enable(renderer)


def test_names_are_documented() -> None:
    for name in charts.__all__:
        assert hasattr(charts, name)
        assert getattr(charts, name).__doc__
