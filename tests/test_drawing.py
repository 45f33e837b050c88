"""Drawn sheets: the numbers are those of the ledger, everything has its place, figures face their writers."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import defaultdict
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path
from time import process_time
from xml.etree import ElementTree

import polars as pl
import pytest

import prefdata as pref
from prefdata.drawing import SheetDrawing, draw_sheets, draw_states, save_sheets
from prefdata.drawing._fitting import fit_entries
from prefdata.errors import ChartError, LanguageError, TableError, TargetExistsError
from prefdata.examples import one_pulka, three_deals
from tests.drawings import (
    BIG_BALKAN,
    DRAWINGS,
    LONG,
    NAMES,
    STORED,
    STORED_DRAWINGS,
    Text,
    balkan,
    drawing_of,
    extreme_sheet,
    named,
    sample,
    small,
    texts_of,
)

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

WIDTHS = {**dict.fromkeys("0123456789", 0.556), **dict.fromkeys(". /\u00a0[]", 0.278), **dict.fromkeys("+−", 0.584)}
WIDTHS |= {"*": 0.389, "(": 0.333, ")": 0.333, "×": 0.584}
A4 = (595 - 2 * 18, 842 - 2 * 18)
"""Width and height of the paper in points, without what printers leave white."""

SMALL, CAPITAL = 0.5, 0.66
"""Advance widths in Arial and the fonts that are as wide: of figures exactly, of letters about."""


def box_of(text: Text) -> tuple[float, float, float, float]:
    """Tell what a text covers in the coordinates of its field: left, top, right, bottom."""
    width = sum(WIDTHS.get(letter, CAPITAL if letter.isupper() else SMALL) for letter in text.text) * text.size
    start = {"middle": width / 2, "end": width}.get(text.attributes.get("text-anchor", ""), 0)
    return text.x - start, text.y - 0.73 * text.size, text.x - start + width, text.y + 0.02 * text.size


Box = tuple[float, float, float, float]


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def corners_of(box: Box) -> list[tuple[float, float]]:
    return [(x, y) for x in box[::2] for y in box[1::2]]


def figures_of(svg: str) -> dict[tuple[str, int], str]:
    """Give the figures of a drawing by column and deal."""
    found = {}
    for text in texts_of(svg):
        if "data-deal" in text.attributes:
            place = (text.attributes["data-entry"], int(text.attributes["data-deal"]))
            assert place not in found
            found[place] = text.text
    return found


def number_in(text: str) -> int:
    return int(text.replace("−", "-").strip(".↑↓*()+"))


# --------------------------------------------------------------------------- what is written


@pytest.mark.parametrize(("players", "convention"), [(2, "hussar"), (3, "sochi"), (3, "leningrad"), (4, "rostov")])
def test_entries_are_the_sums_of_what_deals_wrote(players: int, convention: str) -> None:
    archive = sample(players, 10)
    ledger = pref.ledger(archive, convention)
    wanted = {}
    for column in columns_of(players):
        total = 0
        for deal, points in ledger.select("deal", column).iter_rows():
            total += points
            if points:
                wanted[column, deal] = total
    found = figures_of(pref.sheet(archive, 1, convention).svg)
    assert {place: number_in(text) for place, text in found.items()} == wanted
    assert len(wanted) > 20


def columns_of(players: int) -> list[str]:
    seats = "abcd"[:players]
    whists = [f"whists_{one}{other}" for one in seats for other in seats if one != other]
    return [*(f"bullet_{seat}" for seat in seats), *(f"mountain_{seat}" for seat in seats), *whists]


def test_balkan_columns_begin_below_zero() -> None:
    archive = balkan(30)
    ledger = pref.ledger(archive, BIG_BALKAN)
    found = figures_of(pref.sheet(archive, 1, BIG_BALKAN).svg)
    for column in ("contract_a", "contract_b", "contract_c", "juha_ab", "juha_cb"):
        start = -30 if column.startswith("contract") else 0
        wanted = {0: start} if start else {}
        for deal, points in ledger.select("deal", column).iter_rows():
            start += points
            wanted |= {deal: start} if points else {}
        assert {deal: number_in(text) for (name, deal), text in found.items() if name == column} == wanted


def test_balkan_hats_and_refes_are_those_of_the_sheet() -> None:
    for drawing in draw_sheets(pref.sample(30, convention="balkan", seed=1), "balkan"):
        root = ElementTree.fromstring(drawing.svg)
        scored = {one.seat: one for one in drawing.numbers.seats}
        for group in root.iter():
            if group.get("data-seat") in scored and group.get("transform"):
                own = scored[group.get("data-seat", "")]
                assert (
                    (group.find(".//*[@data-hat]") is not None)
                    == own.hat
                    == (drawing.numbers.totals[f"contract_{own.seat}"] > 0)
                )
                refes = group.find(".//*[@data-refes]")
                assert (0 if refes is None else int(refes.get("data-refes", ""))) == own.refes


def test_help_write_off_and_adjustments_are_marked() -> None:
    archive = sample(4, 10)
    ledger = pref.ledger(archive, "sochi")
    marked = defaultdict(set)
    for text in texts_of(pref.sheet(archive, 1, "sochi").svg):
        for mark in text.attributes.get("data-mark", "").split():
            marked[mark].add((text.attributes["data-entry"], int(text.attributes.get("data-deal", 0))))
    helped = {
        place
        for row in ledger.iter_rows(named=True)
        for name, points in row.items()
        if name.startswith("help_") and points
        for place in ((f"bullet_{name[-1]}", row["deal"]), (f"whists_{name[-2:]}", row["deal"]))
    }
    assert marked["help"] == helped != set()
    written_off = {
        (name, row["deal"])
        for row in ledger.iter_rows(named=True)
        for name, points in row.items()
        if name.startswith("mountain_") and points is not None and points < 0
    }
    assert marked["write_off"] == written_off != set()


def test_adjustments_are_in_the_figure_after_which_they_stand() -> None:
    drawn = figures_of(pref.sheet(small(), 1, "sochi").svg)
    written = pref.ledger(small(), "sochi").filter(pl.col("deal") <= 2)
    adjusted = small().adjustments.collect()
    wanted = {}
    for column in ("bullet_c", "mountain_c"):
        points = adjusted.filter(entry=column.removesuffix("_c"), seat="c")["points"].to_list()
        assert points
        wanted[column, 2] = sum(written[column].to_list()) + sum(points)
    assert {place: number_in(text) for place, text in drawn.items() if "*" in text} == wanted


def test_the_rounding_point_stands_where_rule_4_2_12_puts_it() -> None:
    club = pref.sample(15, players=3, bullet_limit=10, seed=5)
    moved, every = 0, pref.settlement_steps(pref.sheets(club, "sochi"), "sochi")
    for drawing in draw_sheets(club, "sochi"):
        steps = every.filter(pulka=drawing.numbers.pulka)
        written = {
            text.attributes["data-entry"]: text.text
            for text in texts_of(drawing.svg)
            if text.attributes.get("data-mark") == "rounding"
        }
        owner = steps.filter(pl.col("adjusted") != 0)
        if not owner.height:
            assert not written
            continue
        moved += 1
        seat, point, whists = owner.select("seat", "adjusted", "compensation").row(0)
        others = [other for other in "abc" if other != seat]
        columns = [f"whists_{seat}{other}" if whists > 0 else f"whists_{other}{seat}" for other in others]
        assert written == {f"mountain_{seat}": f"({'+' if point > 0 else '−'}1)", **dict.fromkeys(columns, "(+3)")}
    assert moved > 3


def test_what_is_carried_over_opens_the_columns() -> None:
    rows = {"pulka": [1, 1, 1], "deal": [0, 0, 1], "seat": ["a", "a", "a"], "on_seat": [None, "b", "b"]}
    frame = pl.DataFrame(
        {**rows, "entry": ["bullet", "whists", "whists"], "points": [5, 12, -2], "reason": ["joined", "joined", "fine"]}
    )
    archive = pref.with_adjustments(pref.archive(one_pulka(), three_deals()), frame)
    drawn = figures_of(pref.sheet(archive, 1, "sochi").svg)
    written = pref.ledger(archive, "sochi").row(0, named=True)
    assert drawn["bullet_a", 0] == "5.*"
    assert number_in(drawn["bullet_a", 1]) == 5 + written["bullet_a"]
    assert "*" not in drawn["bullet_a", 1]
    assert drawn["whists_ab", 0] == "12.*"
    assert drawn["whists_ab", 1] == f"{10 + written['whists_ab']}.*"
    last = {column: number_in(text) for (column, _), text in sorted(drawn.items())}
    totals = pref.sheets(archive, "sochi").row(0, named=True)
    assert last == {column: totals[column] for column in last}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_figures_of_random_pulkas_are_apart_and_add_up(players: int, seed: int) -> None:
    convention = ("hussar", ("sochi", "leningrad", "rostov")[seed], "kazakh")[players - 2]
    club = pref.sample(4, players=players, convention=convention, seed=seed, bullet_limit=(10, 40))
    totals = {row["pulka"]: row for row in pref.sheets(club, convention).iter_rows(named=True)}
    for drawing in draw_sheets(club, convention):
        texts = [text for text in texts_of(drawing.svg) if text.field and "data-label" not in text.attributes]
        boxes = [(text.field, text.on_paper(box_of(text))) for text in texts]
        for (one, first), (other, second) in combinations(boxes, 2):
            assert one != other or not overlap(first, second)
        for text in texts:
            assert all(is_inside(corner, text.shape) for corner in corners_of(box_of(text))), text
        last = {text.attributes["data-entry"]: text.text for text in texts if "data-deal" in text.attributes}
        assert {column: number_in(text) for column, text in last.items()} == {
            column: totals[drawing.numbers.pulka][column] for column in last
        }


@pytest.mark.parametrize("archive", [sample(3, 10), sample(4, 10), balkan(30)], ids=["three", "four", "balkan"])
def test_what_rounding_writes_makes_the_results_whole(archive: pref.Archive) -> None:
    """The marks of rule 4.2.12, settled by themselves, are what lies between the exact results and the rounded ones."""
    is_balkan = archive.game.name == "balkan"
    moved = 0
    for state in draw_states(archive, 1, BIG_BALKAN if is_balkan else "sochi"):
        seats = state.numbers.seats
        gained = dict.fromkeys((own.seat for own in seats), Fraction(0))
        for text in texts_of(state.svg):
            if text.attributes.get("data-mark") != "rounding":
                continue
            column, points = text.attributes["data-entry"], number_in(text.text)
            writer, on = column[-2], column[-1]
            if column.startswith(("whists", "juha")):
                gained[writer] += points
                gained[on] -= points
            else:
                moved += 1
                worth = Fraction(10 * points if is_balkan else -10 * points, len(seats))
                for seat in gained:
                    gained[seat] += (len(seats) - 1) * worth if seat == on else -worth
        assert {own.seat: own.rounded for own in seats} == {own.seat: own.result + gained[own.seat] for own in seats}
    assert moved > 3


def test_a_total_is_never_left_out_for_what_rounding_writes() -> None:
    field = ((0.0, 0.0), (60.0, 0.0), (60.0, 20.0), (0.0, 20.0))
    fitted = fit_entries(["1234567.", "12345678.", "(+2)"], field, [12.0], kept=2)
    assert fitted.left_out == 1
    assert [place.entry for place in fitted.places] == [0, 1, 2]
    assert fitted.size < 12


def test_the_settlement_is_that_of_settle() -> None:
    archive = sample(4, 10)
    settled = pref.settle(pref.sheets(archive, "sochi"), "sochi", pulkas=archive.pulkas)
    shown: dict[str, dict[str, str]] = defaultdict(dict)
    for text in texts_of(pref.sheet(archive, 1, "sochi").svg):
        if "data-settlement" in text.attributes:
            shown[text.attributes["data-seat"]][text.attributes["data-settlement"]] = text.text
        if "data-result" in text.attributes:
            assert number_in(text.text) == settled.filter(seat=text.attributes["data-result"])["rounded"].item()
    for row in settled.iter_rows(named=True):
        assert number_in(shown[row["seat"]]["rounded"]) == row["rounded"]
        assert float(shown[row["seat"]]["money"].replace("−", "-")) == row["money"]
        whole = row["from_whists_twelfths"] % 12 == 0
        assert not whole or number_in(shown[row["seat"]]["from_whists"]) == row["from_whists"]


def test_totals_are_the_sheet() -> None:
    archive = sample(3, 20)
    totals = pref.sheets(archive, "sochi").row(0, named=True)
    for drawing in (
        pref.sheet(archive, 1, "sochi", entries=False),
        pref.sheet(pref.sheets(archive, "sochi"), 1, "sochi"),
    ):
        texts = [text for text in texts_of(drawing.svg) if "data-entry" in text.attributes]
        shown = {text.attributes["data-entry"]: text.text for text in texts if "data-mark" not in text.attributes}
        assert {name: number_in(text) for name, text in shown.items()} == {name: totals[name] for name in columns_of(3)}


def test_closed_bullets_are_ringed() -> None:
    svg = pref.sheet(sample(3, 20), 1, "sochi").svg
    assert svg.count("<rect") == 1 + 3
    assert pref.sheet(sample(3, 20), 1, "sochi", deal=3).svg.count("<rect") == 1


@pytest.mark.parametrize("deal", [1, 7, 12])
def test_a_sheet_is_drawn_as_it_stood(deal: int) -> None:
    archive = sample(4, 20)
    whole, then = (figures_of(pref.sheet(archive, 1, "sochi", deal=until).svg) for until in (None, deal))
    assert then == {place: text for place, text in whole.items() if place[1] <= deal}


@pytest.mark.parametrize("archive", [small(), balkan(20)], ids=["russian", "balkan"])
def test_all_states_are_drawn_as_each_is(archive: pref.Archive) -> None:
    convention = BIG_BALKAN if archive.game.name == "balkan" else "sochi"
    states = list(draw_states(archive, 1, convention))
    assert len(states) == archive.deals.collect().height
    assert states == [pref.sheet(archive, 1, convention, deal=deal) for deal in range(1, len(states) + 1)]


def test_the_last_deal_is_the_end() -> None:
    archive = sample(3, 10)
    deals = archive.deals.collect().height
    last, end = pref.sheet(archive, 1, "sochi", deal=deals), pref.sheet(archive, 1, "sochi")
    assert figures_of(last.svg) == figures_of(end.svg)
    assert last.numbers == end.numbers


@pytest.mark.parametrize("name", [name for name in DRAWINGS if "crowded" in name])
def test_what_is_left_out_is_counted(name: str) -> None:
    drawing = drawing_of(name)
    texts = texts_of(drawing.svg)
    left_out: dict[str | None, int] = {}
    for text in texts:
        if "data-left-out" in text.attributes:
            left_out[text.field] = int(text.attributes["data-left-out"])
            assert text.text == f"[{text.attributes['data-left-out']}] …"
    for column, figures in drawing.numbers.columns.items():
        shown = [text for text in texts if text.attributes.get("data-entry") == column]
        points = [text for text in shown if text.attributes.get("data-mark") == "rounding"]
        assert len(shown) - len(points) + left_out.get(column, 0) == len(figures)
    assert left_out or name.startswith("2")
    assert bool(left_out) == any(text.attributes.get("data-legend") == "left_out" for text in texts)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_sixty_deals_fit(players: int) -> None:
    archive = sample(players, 40, seed=2)
    drawing = pref.sheet(
        archive, 1, "hussar" if players == 2 else "sochi", deal=min(60, archive.deals.collect().height)
    )
    shown = sum("data-deal" in text.attributes for text in texts_of(drawing.svg))
    assert shown >= 0.75 * sum(map(len, drawing.numbers.columns.values()))


# --------------------------------------------------------------------------- where it stands


@pytest.mark.parametrize("name", DRAWINGS)
def test_no_text_is_on_another(name: str) -> None:
    boxes = [(text.text, text.on_paper(box_of(text))) for text in texts_of(drawing_of(name).svg)]
    for (one, first), (other, second) in combinations(boxes, 2):
        assert not overlap(first, second), (one, other)


@pytest.mark.parametrize("name", DRAWINGS)
def test_texts_are_inside_their_fields_and_the_paper(name: str) -> None:
    root = ElementTree.fromstring(drawing_of(name).svg)
    width, height = map(float, root.get("viewBox", "").split()[2:])
    assert float(root.get("width", "")) <= A4[0]
    assert float(root.get("height", "")) <= A4[1]
    fields = set()
    for text in texts_of(drawing_of(name).svg):
        left, top, right, bottom = text.on_paper(box_of(text))
        assert left >= 0, text
        assert top >= 0, text
        assert right <= width, text
        assert bottom <= height, text
        if text.shape:
            fields.add(text.field)
            assert all(is_inside(corner, text.shape) for corner in corners_of(box_of(text))), text
    assert fields == set(drawing_of(name).numbers.columns)


def is_inside(point: tuple[float, float], polygon: tuple[tuple[float, float], ...]) -> bool:
    sides = [
        (x1 - x0) * (point[1] - y0) - (y1 - y0) * (point[0] - x0)
        for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    ]
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)


@pytest.mark.parametrize(
    ("players", "turns"),
    [(2, {"a": 0, "b": 180}), (3, {"a": 0, "b": 90, "c": -90}), (4, {"a": 0, "b": 90, "c": 180, "d": -90})],
)
def test_figures_face_their_writers(players: int, turns: dict[str, int]) -> None:
    """The base of a figure is towards the edge at which its writer sits (Code 4.2.5)."""
    drawing = drawing_of(f"{players} ordinary")
    root = ElementTree.fromstring(drawing.svg)
    assert 600 < float(root.get("viewBox", "").split()[2]) < 660
    found = defaultdict(set)
    names = {}
    for text in texts_of(drawing.svg):
        if text.field:
            found[re.sub("^[a-z]+_", "", text.field)[0]].add(text.turn % 360)
        if "data-name" in text.attributes:
            names[text.attributes["data-name"]] = text.on_paper(box_of(text))
    assert found == {seat: {turn % 360} for seat, turn in turns.items()}
    sides = {
        0: lambda box: box[1] > 500,
        90: lambda box: box[2] < 40,
        180: lambda box: box[3] < 100,
        -90: lambda box: box[0] > 600,
    }
    for seat, turn in turns.items():
        assert sides[turn](names[seat]), seat


@pytest.mark.parametrize("players", [3, 4])
def test_whists_are_on_the_side_of_whom_they_are_written_on(players: int) -> None:
    """Of two fields of whists, the one that leans more to an opponent is written on him."""
    drawing = drawing_of(f"{players} ordinary")
    seats, fields = {}, {}
    for text in texts_of(drawing.svg):
        box = text.on_paper(box_of(text))
        middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        if "data-name" in text.attributes:
            seats[text.attributes["data-name"]] = middle
        if text.attributes.get("data-label", "").startswith("whists"):
            fields[text.attributes["data-label"][-2:]] = middle
    assert len(fields) == players * (players - 1)
    for writer in seats:
        for on, other in permutations(set(seats) - {writer}, 2):
            leanings = [
                _far(fields[writer + one], seats[on]) - _far(fields[writer + one], seats[other]) for one in (on, other)
            ]
            assert leanings[0] < leanings[1]


def _far(one: tuple[float, float], other: tuple[float, float]) -> float:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


MEASURE = """
<script>
const wrong = [];
for (const svg of document.querySelectorAll("svg")) {
  const name = svg.parentElement.id, texts = [...svg.querySelectorAll("text")];
  const boxes = texts.map(text => {
    const box = text.getBBox(), part = 0.13 * box.height, corners = [];
    for (const x of [box.x, box.x + box.width])
      for (const y of [box.y + part, box.y + box.height - part]) {
        const point = svg.createSVGPoint(); point.x = x; point.y = y; corners.push(point);
      }
    const field = text.closest("[data-field]");
    if (field && !corners.every(point => field.querySelector("polygon").isPointInFill(point)))
      wrong.push([name, "outside", text.textContent]);
    const there = corners.map(point => point.matrixTransform(text.getCTM()));
    const xs = there.map(point => point.x), ys = there.map(point => point.y);
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  });
  for (let i = 0; i < boxes.length; i++)
    for (let j = 0; j < i; j++) {
      const [a, b] = [boxes[i], boxes[j]];
      if (a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3])
        wrong.push([name, texts[i].textContent, texts[j].textContent]);
    }
}
document.body.innerHTML = "<pre>" + JSON.stringify(wrong) + "</pre>";
</script>
"""


@pytest.mark.skipif(CHROMIUM is None, reason="there is no browser here")
def test_a_browser_measures_the_same(tmp_path: Path) -> None:
    blocks = "".join(
        f'<div id="{name}">{drawing.svg}</div>'
        for name, drawing in {name: drawing_of(name) for name in DRAWINGS}.items()
    )
    page = tmp_path / "page.html"
    page.write_text(f'<!DOCTYPE html><meta charset="utf-8"><body>{blocks}{MEASURE}', encoding="utf-8")
    command = [
        str(CHROMIUM),
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path / 'profile'}",
        "--dump-dom",
        page.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    told = re.search("<pre>(.*)</pre>", done.stdout, re.DOTALL)
    assert told is not None, done.stderr
    assert json.loads(told[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")) == []


# --------------------------------------------------------------------------- what is shown and saved


@pytest.mark.parametrize("name", STORED_DRAWINGS)
def test_drawings_are_those_that_are_stored(name: str) -> None:
    assert STORED_DRAWINGS[name]().svg == (STORED / f"{name}.svg").read_text(encoding="utf-8")


def test_the_drawing_of_the_readme_is_that_of_the_shipped_archive() -> None:
    assert Path("data/pulka.svg").read_text(encoding="utf-8") == pref.sheet("data/club", 138, "sochi").svg


def test_names_are_escaped() -> None:
    bad = ("<script>alert(1)</script>", "A & \"B\" 'C'", "\x00\x0b]]>\ud83c")
    clean = [name.encode("utf-8", "replace").decode() for name in bad]
    drawing = pref.sheet(named(pref.archive(one_pulka(), three_deals()), clean), 1, "sochi")
    assert "<script" not in drawing.svg
    said = {text.attributes["data-name"]: text.text for text in texts_of(drawing.svg) if "data-name" in text.attributes}
    assert said["a"] == bad[0]
    assert said["b"] == bad[1]
    assert said["c"].startswith("\ufffd\ufffd]]>")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_sheets_are_saved_in_four_forms(tmp_path: Path, theme: str) -> None:
    drawing = pref.sheet(small(), 1, "sochi", theme=theme, language="ru")
    begins = {"svg": b"<svg ", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!DOCTYPE html>"}
    for ending, beginning in begins.items():
        target = tmp_path / f"sheet.{ending}"
        assert drawing.save(target) == target
        assert target.read_bytes().startswith(beginning)
        with pytest.raises(TargetExistsError):
            drawing.save(target)
        drawing.save(target, overwrite=True)
    with pytest.raises(ChartError, match=r"as sheet\.gif(.|\n)*\.svg, \.png, \.pdf, \.html"):
        drawing.save(tmp_path / "sheet.gif")
    with pytest.raises(ChartError, match="cannot be written"):
        drawing.save(tmp_path / "nowhere" / "sheet.svg")
    assert len(list(tmp_path.iterdir())) == 4
    html = (tmp_path / "sheet.html").read_text(encoding="utf-8")
    assert drawing.svg in html
    assert not re.search(r'(src|href)=(?!"data:)', html)
    assert drawing._repr_svg_() == drawing.svg


def test_the_same_is_drawn_the_same() -> None:
    first, second = (pref.sheet(balkan(30), 1, BIG_BALKAN) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("language", ["en", "ru"])
def test_words_are_those_of_the_language(language: str) -> None:
    svg = pref.sheet(named(sample(3, 10), ("1", "2", "3")), 1, "sochi", language=language).svg
    said = " ".join(text.text for text in texts_of(svg) if "data-title" not in text.attributes)
    assert bool(re.search("[а-яё]", said)) == (language == "ru")
    assert bool(re.search("[a-z]", said)) == (language == "en")


def test_nobody_needs_a_name_a_stake_or_a_place() -> None:
    drawing = pref.sheet(pref.archive(one_pulka(), three_deals()), 1, "sochi")
    names = [text.text for text in texts_of(drawing.svg) if "data-name" in text.attributes]
    assert names == ["seat a", "seat b", "seat c"]
    assert "money" not in drawing.svg


# --------------------------------------------------------------------------- many


def test_many_are_drawn_as_one_is(tmp_path: Path) -> None:
    club = pref.sample(12, players="mix", bullet_limit=10, seed=4)
    told: list[tuple[int, int]] = []
    conventions = {2: "hussar"}
    for players in (2, 3, 4):
        some = club.only(players=players)
        convention = conventions.get(players, "sochi")
        many = list(draw_sheets(some, convention))
        assert many == [pref.sheet(club, one.numbers.pulka, convention) for one in many]
    of_three = club.only(players=3)
    keys = of_three.pulkas.collect()["pulka"].to_list()
    folder = save_sheets(of_three, "sochi", tmp_path / "sheets", progress=lambda *done: told.append(done))
    assert {file.name for file in folder.iterdir()} == {f"pulka-{key}.svg" for key in keys}
    assert told == [(done, len(keys)) for done in range(1, len(keys) + 1)]
    first = pref.sheet(of_three, keys[0], "sochi")
    assert (folder / f"pulka-{keys[0]}.svg").read_text(encoding="utf-8") == first.svg
    with pytest.raises(TargetExistsError):
        save_sheets(of_three, "sochi", folder)
    chosen = list(draw_sheets(of_three, "sochi", pulkas=keys[1:2]))
    assert [one.numbers.pulka for one in chosen] == keys[1:2]


def test_a_thousand_are_drawn_in_half_a_minute() -> None:
    club = pref.sample(100, players=4, seed=4)
    took = []
    for _ in range(2):
        start = process_time()
        assert len(list(draw_sheets(club, "sochi"))) == 100
        took.append(process_time() - start)
    assert min(took) < 3


def test_a_sheet_is_drawn_at_once() -> None:
    states = draw_states("data/club", 138, "sochi")
    took = []
    for _ in range(20):
        start = process_time()
        next(states)
        took.append(process_time() - start)
    assert min(took) < 0.05


def test_each_is_drawn_as_it_was_played() -> None:
    pulkas = pref.sample(4, players=3, bullet_limit=10, seed=4)
    mixed = pulkas.pulkas.with_columns(convention=pl.Series(["sochi", "rostov", "sochi", "leningrad"])).collect()
    club = pref.archive(mixed, pulkas.deals.collect())
    drawn = list(draw_sheets(club, "played"))
    assert [one.numbers.convention for one in drawn] == mixed["convention"].to_list()
    assert drawn == [pref.sheet(club, key, "played") for key in range(1, 5)]
    assert drawn[1].svg == pref.sheet(club, 2, "rostov").svg


def test_recorded_sheets_are_drawn() -> None:
    sheets = pl.read_csv("data/sheets.csv")
    drawn = list(draw_sheets(sheets.filter(pl.col("players") == 3), "sochi"))
    assert len(drawn) > 3
    assert all("totals as recorded" in one.svg for one in drawn)
    assert drawn[0] == pref.sheet(sheets, drawn[0].numbers.pulka, "sochi")


# --------------------------------------------------------------------------- what is refused


def test_what_cannot_be_drawn_is_told() -> None:
    club = small()
    with pytest.raises(TableError, match="no pulka 2"):
        pref.sheet(club, 2, "sochi")
    with pytest.raises(TableError, match=r"no deal 4(.|\n)*It has 3 deals"):
        pref.sheet(club, 1, "sochi", deal=4)
    with pytest.raises(TableError, match="no sheet of pulka 2"):
        pref.sheet(pref.sheets(club, "sochi"), 2, "sochi")
    with pytest.raises(TableError, match="do not know the deals"):
        pref.sheet(pref.sheets(club, "sochi"), 1, "sochi", deal=1)
    with pytest.raises(TableError, match="lacks the column"):
        pref.sheet(pl.DataFrame({"x": [1]}), 1, "sochi")
    with pytest.raises(TableError, match="cannot be drawn"):
        pref.sheet(pref.sheets(club, "sochi").with_columns(players=5), 1, "sochi")
    with pytest.raises(ValueError, match="theme is 'blue', not one of light, dark"):
        pref.sheet(club, 1, "sochi", theme="blue")
    with pytest.raises(LanguageError):
        pref.sheet(club, 1, "sochi", language="fr")
    broken = pref.archive(one_pulka(), three_deals().with_columns(tricks_a=pl.Series([8, 2, 0], dtype=pl.UInt8)))
    with pytest.warns(pref.SetAsideWarning), pytest.raises(TableError, match="pulka 1 cannot be drawn"):
        pref.sheet(broken, 1, "sochi")
    with pytest.warns(pref.SetAsideWarning), pytest.raises(TableError, match="set aside under this convention"):
        pref.sheet(club, 1, "hussar")


def test_extreme_values_are_written_in_full() -> None:
    drawing: SheetDrawing = pref.sheet(extreme_sheet(4, 2**39), 1, "sochi")
    written = {text.text for text in texts_of(drawing.svg) if "data-entry" in text.attributes}
    assert {"549755813888", "−549755813888"} <= written
    assert LONG[0] in drawing.svg
    assert NAMES[0] not in drawing.svg
