"""Reports: every result says the same as text, as plain data, as a page, in a notebook and in a file."""

from __future__ import annotations

import json
import re
from dataclasses import is_dataclass
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata import analysis
from prefdata.charts import build_report
from prefdata.errors import PrefdataError, TableError, TargetExistsError
from prefdata.reports import Report, Section, listed, text_table
from prefdata.vocabulary import SEATS

# Players who would break a page, and one whose name is long.
STRANGE = {"A": "<b>K</b>", "B": "L & M", "C": "<script>x()</script>", "D": "N" * 40}
HOUSE = pref.convention("sochi").replace(name="<i>house & garden", surplus="lost", consolation="none")
RESULTS = (
    "Attribution",
    "Comparison",
    "ComparisonPage",
    "HeadToHead",
    "Inference",
    "Invariance",
    "PlayerProfiles",
    "Ratings",
    "Rescoring",
    "RoundingStudy",
    "Standings",
)
WITH_PLAYERS = {"Attribution", "ComparisonPage", "HeadToHead", "PlayerProfiles", "Ratings", "Standings"}
WITH_HOUSE = {"Attribution", "Comparison", "ComparisonPage", "Invariance"}
VOID = {"meta", "link", "br", "hr", "img", "path", "rect", "line", "circle"}


@cache
def club() -> pref.Archive:
    drawn = pref.sample(40, players=4, bullet_limit=10, seed=5)
    named = {
        f"player_{seat}": pl.col(f"player_{seat}").replace_strict(STRANGE, default=pl.col(f"player_{seat}"))
        for seat in SEATS
    }
    return pref.archive(drawn.pulkas.with_columns(**named), drawn.deals)


@cache
def made(name: str) -> Report:
    results = analysis.pulka_results(club(), "sochi")
    if name == "Attribution":
        return pref.attribute(club(), "sochi", HOUSE)
    if name == "Comparison":
        return pref.compare(club(), ["sochi", HOUSE])
    if name == "ComparisonPage":
        return build_report(club(), ["sochi", HOUSE])
    if name == "HeadToHead":
        return analysis.head_to_head(club(), "sochi")
    if name == "Inference":
        some = pref.sample(5, convention="balkan", seed=1)
        return pref.infer(pref.archive(some.pulkas, some.deals, sheets=pref.sheets(some, "balkan")))
    if name == "Invariance":
        return pref.invariance(HOUSE, club())
    if name == "PlayerProfiles":
        return analysis.player_profiles(club(), "sochi")
    if name == "Ratings":
        return analysis.ratings(results)
    if name == "Rescoring":
        with TemporaryDirectory() as folder:
            pref.write_archive(club(), f"{folder}/club")
            return pref.rescore(f"{folder}/club", ["sochi", "rostov"], f"{folder}/out")
    if name == "RoundingStudy":
        return analysis.study_rounding(pref.sheets(club(), "sochi"), "sochi")
    return analysis.standings(results.with_columns(analysis.seasons()), "site-a-weekly", season="season")


@pytest.fixture(params=RESULTS)
def report(request: pytest.FixtureRequest) -> Report:
    found = made(request.param)
    assert type(found).__name__ == request.param
    return found


class Page(HTMLParser):
    """What a browser makes of a page: its texts, its elements, and whether they are closed in turn."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.addresses: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "data", "action")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.texts.append(data.strip())


def unnumbered(html: str) -> str:
    """Leave out the numbers of gradients, which are counted over all pictures ever drawn."""
    return re.sub(r"gradient_\d+", "gradient", html)


def texts_of(table: pl.DataFrame) -> set[str]:
    return {value for kind in table.select(pl.selectors.string()) for value in kind.drop_nulls() if value}


def test_results_are_frozen_reports(report: Report) -> None:
    assert is_dataclass(report)
    assert type(report).__dataclass_params__.frozen
    assert report.sections()
    assert len(report.findings()) >= 1


def test_every_report_of_the_analyses_is_tried() -> None:
    named = {name for name in analysis.__all__ if isinstance(getattr(analysis, name), type)}
    reports = {name for name in named if issubclass(getattr(analysis, name), Report)}
    assert reports == set(RESULTS) - {"ComparisonPage", "Rescoring"}


def test_text_tells_everything(report: Report) -> None:
    text = report.render()
    lines = text.splitlines()
    assert lines[: 1 + len(report.findings())] == [report.title, *report.findings()]
    for section in report.sections():
        assert set(section.sentences) <= set(lines)
        assert section.table.is_empty() or text_table(section) in text
        assert section.picture is not None or section.title in text
    assert not re.search(r"[ \t]$", text, flags=re.MULTILINE)


def test_data_go_through_json(report: Report) -> None:
    told = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert (told["title"], told["findings"]) == (report.title, list(report.findings()))
    assert len(told["sections"]) == len(report.sections())
    for section, kept in zip(report.sections(), told["sections"], strict=True):
        assert (kept["title"], kept["sentences"]) == (section.title, list(section.sentences))
        assert kept["columns"] == section.table.columns
        assert_frame_equal(pl.DataFrame(kept["rows"], schema=section.table.schema), section.table)


def test_page_needs_nothing_from_outside(report: Report) -> None:
    html = report.to_html()
    page = Page(html)
    assert [address for address in page.addresses if not address.startswith(("data:", "#"))] == []
    assert not re.findall(r"@import|url\((?!['\"]?#)", html)
    assert set(re.findall(r"https?://[^/\"]+", html)) <= {"http://www.w3.org"}
    assert "viewport" in html
    assert unnumbered(html) == unnumbered(report.to_html())


def test_page_tells_everything(report: Report) -> None:
    page = Page(report.to_html())
    sections = report.sections()
    assert page.texts.count(report.title) == 2
    assert set(report.findings()) <= set(page.texts)
    assert page.tags.count("table") == sum(section.table.height > 0 for section in sections)
    assert page.tags.count("svg") == sum(section.picture is not None for section in sections)
    for section in sections:
        assert {section.title, *section.sentences} - {""} <= set(page.texts)
        assert texts_of(section.table) <= set(page.texts)


def test_notebooks_show_a_fragment(report: Report) -> None:
    html = report._repr_html_()
    page = Page(html)
    assert not {"html", "body", "head", "svg", "script"} & set(page.tags)
    assert {report.title, *report.findings()} <= set(page.texts)
    for section in report.sections():
        assert texts_of(section.table) <= set(page.texts)
    # Tables are as dark or bright as what is around them, also where a notebook colours every other row.
    assert re.search(r"\.gt_table \* \{\s*color: inherit !important; background-color: transparent !important", html)
    assert not re.search(r"color:[^;]*!important", html.replace("inherit !important", "").replace("transparent !i", ""))


@pytest.mark.parametrize("name", sorted(WITH_PLAYERS | WITH_HOUSE))
def test_names_are_written_and_never_obeyed(name: str) -> None:
    report = made(name)
    names = {*(STRANGE.values() if name in WITH_PLAYERS else ()), *([HOUSE.name] if name in WITH_HOUSE else ())}
    for html in (report.to_html(), report._repr_html_()):
        page = Page(html)
        assert not {"b", "i", "script"} & set(page.tags)
        assert [one for one in names if not any(one in text for text in page.texts)] == []
    assert [one for one in names if one not in report.render()] == []


def test_files_hold_what_is_shown(report: Report, tmp_path: Path) -> None:
    shown = {"html": report.to_html(), "txt": report.render() + "\n"}
    for ending in ("html", "txt", "json"):
        file = tmp_path / f"report.{ending}"
        assert report.save(file) == file
        text = file.read_text(encoding="utf-8")
        assert unnumbered(text) == unnumbered(shown.get(ending, text))
        with pytest.raises(TargetExistsError, match="exists already"):
            report.save(file)
        file.write_text("an earlier one")
        report.save(str(file), overwrite=True)
        assert unnumbered(file.read_text(encoding="utf-8")) == unnumbered(text)
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8")) == report.to_dict()
    for wrong in ("report.htm", "report", "report.csv"):
        with pytest.raises(PrefdataError, match=r"End the name in \.html, \.txt, \.json"):
            report.save(tmp_path / wrong)
    assert len(list(tmp_path.iterdir())) == 3


def test_players_are_chosen() -> None:
    profiles, met = made("PlayerProfiles"), made("HeadToHead")
    assert isinstance(profiles, analysis.PlayerProfiles)
    assert isinstance(met, analysis.HeadToHead)
    player = STRANGE["B"]
    assert profiles.render(player) == profiles.only(player).render()
    assert len(profiles.only(player).sections()) == len(profiles.sections()) + 3
    assert met.render(player) == met.only(player).render()
    assert set(met.only(player).frame["player"]) == {player}
    for narrow in (profiles.only, met.only):
        with pytest.raises(TableError, match="a player 'B'"):
            narrow("B")


def test_seasons_are_chosen() -> None:
    standings = made("Standings")
    assert isinstance(standings, analysis.Standings)
    season = standings.frame["season"][0]
    assert standings.render(season) == standings.only(season).render()
    assert set(standings.only(season).rounds["season"]) == {season}
    with pytest.raises(TableError, match="no season '1831'"):
        standings.render("1831")


def test_findings_agree_with_the_frames() -> None:
    met, rated, profiles = made("HeadToHead"), made("Ratings"), made("PlayerProfiles")
    assert isinstance(met, analysis.HeadToHead)
    assert isinstance(rated, analysis.Ratings)
    assert isinstance(profiles, analysis.PlayerProfiles)
    most = max(met.frame.rows(named=True), key=lambda row: abs(row["result"]))
    assert {most["player"], most["opponent"]} <= set(re.split(" between | and |: ", met.findings()[0]))
    assert rated.findings()[0].startswith(f"{rated.frame['player'][0]} is rated first")
    sides = {"more": pl.col("within_low") > 0, "less": pl.col("within_high") < 0}
    beyond = {side: profiles.luck.filter(is_clear)["player"].to_list() for side, is_clear in sides.items()}
    assert any(beyond.values())
    said = " ".join(profiles.findings())
    for side, players in beyond.items():
        assert (f"{listed(players)} won {side} than chance" in said) if players else (f"won {side}" not in said)


def test_nothing_to_compare_is_told() -> None:
    empty = pref.compare(club().only(pulka=0), ["sochi", "rostov"])
    assert empty.findings() == ("sochi: 0 pulkas.", "rostov: 0 pulkas.")
    assert "<table" in empty.to_html()


def test_what_was_set_aside_is_told() -> None:
    eleven = pl.when(pl.col("pulka") == 5).then(11).otherwise("tricks_a").cast(pl.UInt8).alias("tricks_a")
    broken = pref.archive(club().pulkas, club().deals.with_columns(eleven).drop("outcome"))
    with pytest.warns(pref.SetAsideWarning):
        comparison = pref.compare(broken, ["sochi", "rostov"])
    assert comparison.findings()[-1].startswith("Set aside: 1 pulka with")


class Plain(Report):
    """A report of one section."""

    def __init__(self, section: Section) -> None:
        self.section = section

    @property
    def title(self) -> str:
        return "Plain"

    def findings(self) -> tuple[str, ...]:
        return ()

    def sections(self) -> tuple[Section, ...]:
        return (self.section,)


def test_a_section_without_anything_is_left_out() -> None:
    for section in (Section("Empty"), Section("Empty", pl.DataFrame({"wins": []}))):
        nothing = Plain(section)
        assert nothing.render() == "Plain"
        assert "Empty" not in nothing.to_html() + nothing._repr_html_()
        assert nothing.to_dict()["sections"][0]["rows"] == []


def test_values_are_written_alike_in_text_and_on_the_page() -> None:
    values: dict[str, Any] = {
        "whole": [12345, None, -3],
        "part": [-0.04, 1234.56, float("nan")],
        "share": [0.125, None, 1.0],
        "won": [True, False, None],
        "day": ["a", "b", None],
    }
    section = Section("Values", pl.DataFrame(values), shares=("share",), labels={"day": "the day"})
    written = [line.split("  ") for line in text_table(section).splitlines()]
    cells = [[cell.strip() for cell in line if cell.strip()] for line in written]
    assert cells[0] == ["whole", "part", "share", "won", "the day"]
    assert cells[2:] == [
        ["12 345", "0.0", "12.5%", "yes", "a"],
        ["-", "1 234.6", "-", "no", "b"],
        ["-3", "-", "100.0%", "-", "-"],
    ]
    page = Page(Plain(section).to_html())
    shown = [text.replace("\N{NO-BREAK SPACE}", " ") for text in page.texts if text]
    first = shown.index("12 345")
    assert shown[first : first + 15] == [cell for row in cells[2:] for cell in row]
    assert Plain(section).to_dict()["sections"][0]["rows"][2]["part"] is None


def test_only_the_last_column_is_wrapped() -> None:
    words = "what must hold in every row of the table"
    section = Section(frame=pl.DataFrame({"rule": ["a-rule-of-some-length"], "rows": [1000], "reason": [words]}))
    assert len(text_table(section).splitlines()) == 3
    lines = text_table(section, width=60).splitlines()
    assert max(map(len, lines)) <= 60
    first = lines[2].index("what")
    assert all(line[:first].strip() == "" for line in lines[3:])
    assert " ".join([lines[2][first:], *(line.strip() for line in lines[3:])]) == words
    assert text_table(section, width=10).splitlines()[2].startswith("a-rule-of-some-length  1 000  ")
