"""Inference finds the convention that sheets were written under, and says what they leave open."""

from __future__ import annotations

import random
import tomllib
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import settings

import prefdata as pref
from prefdata.analysis import Inference
from prefdata.cli import main
from tests.strategies import ONE_SWITCH, without_contradictions

EXAMPLES = (settings.default or settings()).max_examples
SEEDS = EXAMPLES // 25 if EXAMPLES > 1000 else 1
"""House rules that are drawn: one, and more than a hundred in the nightly run."""

RUSSIAN = [name for name in pref.presets() if pref.convention(name).game == "russian"]
BALKAN = [name for name in pref.presets() if pref.convention(name).game == "balkan"]
SOUGHT = [*RUSSIAN, *BALKAN] if EXAMPLES > 1000 else ["kazakh", "slovene"]
"""Presets that are sought: each takes some seconds, so that all of them are for the nightly run."""


@cache
def deals(players: Any = "mix", convention: str = "sochi", pulkas: int = 150) -> pref.Archive:
    return pref.sample(pulkas, players=players, convention=convention, seed=7)


def recorded(archive: pref.Archive, convention: pref.Convention | str) -> pref.Archive:
    """Write the sheets of an archive under a convention, of the pulkas for whose tables it is."""
    sizes = pref.convention(convention).players
    fitting = archive.only(players=list(sizes))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pref.SetAsideWarning)  # of pulkas that it cannot write, nobody has sheets
        sheets = pref.sheets(fitting, convention)
    fitting = fitting.only(pulka=sheets["pulka"].to_list())
    return pref.archive(fitting.pulkas, fitting.deals, sheets=sheets)


def same_sheets(archive: pref.Archive, one: pref.Convention, other: pref.Convention) -> bool:
    """Score the deals anew under both, and compare what was recorded."""
    assert archive.sheets is not None
    names = [name for name in archive.sheets.collect_schema().names() if name.count("_") and name[0] in "bmwcj"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pref.SetAsideWarning)  # a pulka that cannot be written is not the same
        first, second = (pref.sheets(archive, each).select("pulka", *names) for each in (one, other))
    return first.equals(second)


def open_switches(found: Inference) -> set[str]:
    return {switch for named in found.undecided["switch"] for switch in named.split(" and ")}


def check_found(found: Inference, archive: pref.Archive, truth: pref.Convention) -> None:
    """What was found writes the same sheets; where it is another convention, it says so."""
    assert found.remaining.is_empty()
    assert same_sheets(archive, found.convention, truth)
    assert set(truth.diff(found.convention)) <= open_switches(found) or truth.name in named_equal(found)


def named_equal(found: Inference) -> list[str]:
    return found.fits.filter(pl.col("same_sheets"))["convention"].to_list()


@pytest.mark.parametrize("name", SOUGHT)
def test_the_convention_of_every_preset_is_found(name: str) -> None:
    archive = recorded(deals(3, "balkan") if name in BALKAN else deals(), name)
    found = pref.infer(archive)
    assert name in named_equal(found)
    assert found.convention == found.base
    check_found(found, archive, pref.convention(name))


def house_rules(seed: int) -> pref.Convention:
    """Change two switches of a preset, in values of which the search has heard nothing."""
    rng = random.Random(seed)
    base = pref.convention(rng.choice(["sochi", "leningrad", "rostov", "kazakh", "classic"]))
    while True:
        switches = rng.sample(sorted(ONE_SWITCH), 2)
        drawn = {switch: rng.choice(ONE_SWITCH[switch]) for switch in switches}
        whole = {switch: getattr(base, switch) for switch in pref.switches() if switch in base.own_switches()}
        changed = without_contradictions({**whole, **drawn})
        plain = {switch: pref.switches()[switch].plain(value) for switch, value in changed.items()}
        house = base.replace(**plain, name="house")
        if len(house.diff(base)) == 2:
            return house


@pytest.mark.parametrize("seed", range(SEEDS))
def test_house_rules_of_two_changed_switches_are_found(seed: int) -> None:
    truth = house_rules(seed)
    archive = recorded(deals(), truth)
    check_found(pref.infer(archive), archive, truth)


def test_what_is_left_open_and_what_is_excluded_was_scored_anew() -> None:
    archive = recorded(deals(3, pulkas=40), "sochi")
    found = pref.infer(archive)
    assert found.undecided.height > 10
    for switch, taken, fits_too, excluded in found.undecided.rows():
        names = switch.split(" and ")
        here = [line_value(taken, names, place) for place in range(len(names))]
        assert here == [pref.switches()[name].plain(getattr(found.convention, name)) for name in names]
        for values, same in ((fits_too, True), (excluded, False)):
            for value in split_values(values, len(names)):
                other = {name: line_value(value, names, place) for place, name in enumerate(names)}
                try:
                    house = found.convention.replace(**other)
                except pref.PrefdataError:
                    continue  # other switches went back to their defaults with it
                assert same_sheets(archive, found.convention, house) == same, (switch, value)
    told = set(found.undecided["switch"])
    assert {"rounding", "code_owner", "talon_bonus", "consolation_dealer"} <= told
    assert "help_rate" not in told


def split_values(values: str, switches: int) -> list[str]:
    """Divide a list of values as they stand in TOML, in which tables and lists have commas of their own."""
    found, depth = [""], 0
    for sign in values:
        depth += (sign in "[{") - (sign in "]}")
        if sign == "," and not depth:
            found.append("")
        else:
            found[-1] += sign
    return [value.strip() for value in found if value.strip()]


def line_value(value: str, names: list[str], place: int) -> Any:
    """Read one of the values that stand together."""
    return tomllib.loads(f"value = {value.split(' and ')[place] if len(names) > 1 else value}")["value"]


def test_one_of_several_conventions_is_asked_for() -> None:
    both = [recorded(deals(3, pulkas=30), name) for name in ("sochi", "rostov")]
    second = both[1].pulkas.with_columns(pl.col("pulka") + 1000, convention=pl.lit("rostov"))
    moved = pref.archive(
        second,
        both[1].deals.with_columns(pl.col("pulka") + 1000),
        sheets=both[1].sheets.with_columns(pl.col("pulka") + 1000) if both[1].sheets is not None else None,
    )
    archive = pref.concat([both[0], moved])
    assert "rostov" in named_equal(pref.infer(archive.only(convention="rostov"), most_sheets=10))


def test_a_single_sheet_leaves_much_open() -> None:
    found = pref.infer(recorded(deals(3).only(pulka=1), "sochi"))
    assert (found.sheets, found.searched, found.remaining.height) == (1, 1, 0)
    assert found.undecided.height > 15


def test_only_some_sheets_are_searched_but_all_are_compared() -> None:
    archive = recorded(deals(3), "sochi")
    assert archive.sheets is not None
    first = archive.sheets.with_columns(whists_ab=pl.col("whists_ab") + (pl.col("pulka") == 2).cast(pl.Int64))
    told: list[tuple[int, int, int]] = []
    found = pref.infer(
        pref.archive(archive.pulkas, archive.deals, sheets=first),
        most_sheets=20,
        progress=lambda done, total, count: told.append((done, total, count)),
    )
    assert (found.searched, found.sheets, found.remaining["pulka"].to_list()) == (20, 150, [2])
    assert "looked at 20 of them" in found.findings()[1]
    assert [done for done, _, _ in told] == list(range(1, len(told) + 1))
    assert all(done <= total for done, total, _ in told)


def test_sheets_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    archive = recorded(deals(3, pulkas=10), "sochi")
    assert archive.sheets is not None
    foreign = archive.sheets.with_columns(pl.col("pulka").replace(10, 500))
    found = pref.infer(pref.archive(archive.pulkas, archive.deals, sheets=foreign))
    assert (found.sheets, found.failures.counts()) == (9, {"sheet_has_deals": 1})
    nowhere = archive.sheets.with_columns(pl.col("pulka") + 500)
    with pytest.raises(pref.PrefdataError, match="no recorded sheet of a pulka that can be scored"):
        pref.infer(pref.archive(archive.pulkas, archive.deals, sheets=nowhere))
    with pytest.raises(pref.PrefdataError, match="has no recorded sheets"):
        pref.infer(deals(3, pulkas=10))


def test_slips_of_the_pencil_do_no_harm_and_the_command_writes_the_convention(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = pref.convention("sochi").replace(help_rate=7)
    archive = recorded(deals(4), truth)
    assert archive.sheets is not None
    wrong = archive.sheets.collect()["pulka"].gather_every(40, 3)
    slipped = archive.sheets.with_columns(
        mountain_b=pl.col("mountain_b") + pl.when(pl.col("pulka").is_in(wrong.implode())).then(6).otherwise(0)
    )
    pref.write_archive(pref.archive(archive.pulkas, archive.deals, sheets=slipped), tmp_path / "club")
    command = ["infer", str(tmp_path / "club"), "--out", str(tmp_path / "ours.toml")]
    assert main(command) == 0
    told = capsys.readouterr().out
    assert "sochi with help_rate = 7 writes 146 of 150 recorded sheets." in told
    remaining = told[told.index("Sheets that differ even so") :].splitlines()[3:]
    assert [line.split() for line in remaining if line] == [[str(key), "1", "6"] for key in wrong]
    ours = pref.convention(tmp_path / "ours.toml")
    assert (ours.name, ours.diff(truth)) == ("ours", {})
    assert main(command) == 2
    assert "ours.toml" in capsys.readouterr().err
    pref.write_archive(deals(3, pulkas=5), tmp_path / "bare")
    assert main(["infer", str(tmp_path / "bare")]) == 2
    assert "has no recorded sheets" in capsys.readouterr().err


def test_a_limit_for_which_no_preset_has_refes_is_no_obstacle() -> None:
    limit = pl.lit(60, dtype=pl.UInt16).alias("bullet_limit")
    archive = pref.archive(deals(3, "balkan", 40).pulkas.with_columns(limit), deals(3, "balkan", 40).deals)
    truth = pref.convention("balkan").replace(refe_max=2)
    found = pref.infer(recorded(archive, truth))
    assert (found.remaining.height, found.sheets) == (0, 40)
    assert found.convention.refe_max == 2 or "refe_max" in open_switches(found)
