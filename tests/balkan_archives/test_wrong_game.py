"""What is of the other game is refused, with the reason and the next step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import prefdata as pref
from prefdata.analysis import head_to_head, player_profiles, pulka_results, study_rounding
from prefdata.archives import Archive
from prefdata.charts import build_report, contract_values
from prefdata.errors import ConventionError, TableError
from tests.balkan_archives.builders import (
    DATA,
    Capture,
    Words,
    listing,
    sheets_of,
)
from tests.test_cli import typed


def test_commands_refuse_the_wrong_game(folder: Path, russian: Archive, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "house.toml").write_text('base = "balkan"\nscale = 4\n')
    pref.write_archive(russian, tmp_path / "russian")
    before = listing(tmp_path)
    balkan_only = "Choose a convention of the Balkan game"
    out: Words = ["--out", tmp_path / "out"]
    page: Words = ["--out", tmp_path / "page.html"]
    cases: list[tuple[Words, str, str]] = [
        (
            ["rescore", folder, "-c", "sochi", *out],
            f"sochi is a convention of the Russian game, but {folder}",
            balkan_only,
        ),
        (
            ["rescore", folder, "-c", "balkan", "-c", "rostov", *out],
            "rostov is a convention of the Russian",
            balkan_only,
        ),
        (
            ["rescore", tmp_path / "russian", "-c", "balkan", *out],
            "balkan is a convention of the Balkan game, but",
            "Choose a convention of the Russian game",
        ),
        (
            ["rescore", DATA / "club", "-c", "slovene", *out],
            f"but {DATA / 'club'} holds deals of the Russian",
            "Choose",
        ),
        (["rescore", folder, "-c", tmp_path / "house.toml", *out], "scale is no switch of the Balkan game", "refe_max"),
        (["compare", folder, "-c", "balkan", "-c", "slovene", *page], "the Russian game only", "conventions"),
        (
            ["compare", folder, "-c", "sochi", "-c", "rostov"],
            "and the archive holds deals of the Balkan",
            "values, settle and rescore",
        ),
        (["compare", tmp_path / "russian", "-c", "sochi", "-c", "balkan"], "this is about the Russian one", "Choose"),
    ]
    for words, what, hint in cases:
        code, result, err = typed(capsys, *words)
        assert (code, result) == (2, ""), words
        assert what in err, (words, err)
        assert hint in err, (words, err)
    assert listing(tmp_path) == before


NOT_FOR_BALKAN: dict[str, Callable[[Archive, str], object]] = {
    "compare": lambda club, name: pref.compare(club, [name, "rostov" if name == "sochi" else "slovene"]),
    "attribute": lambda club, name: pref.attribute(club, name, "rostov" if name == "sochi" else "slovene"),
    "invariance": lambda club, name: pref.invariance(name, club),
    "head_to_head": head_to_head,
    "player_profiles": player_profiles,
    "player_profiles as played": lambda club, _: player_profiles(club),
    "build_report": lambda club, name: build_report(club, [name, "rostov" if name == "sochi" else "slovene"]),
}
ABOUT_GAMES = (
    r"(balkan|sochi) is a convention of (the Balkan|the Russian|another) |the Russian game only, and the archive holds"
)


@pytest.mark.parametrize("name", ["balkan", "sochi"])
@pytest.mark.parametrize("function", NOT_FOR_BALKAN)
def test_what_is_about_the_russian_game_says_so(club: Archive, function: str, name: str) -> None:
    with pytest.raises(ConventionError, match=ABOUT_GAMES) as caught:
        NOT_FOR_BALKAN[function](club, name)
    assert caught.value.hint


def test_scoring_under_another_game_is_refused(club: Archive, club_sheets: pl.DataFrame, russian: Archive) -> None:
    for archive, name, game in ((club, "sochi", "Balkan"), (russian, "slovene", "Russian")):
        for score in (pref.sheets, pref.ledger, pref.values, pref.adjustment_effects):
            with pytest.raises(ConventionError, match=f"{name} is a convention of .* holds deals of the {game} game"):
                score(archive if score is not pref.adjustment_effects else with_contract(archive), name)
    for deals, name, lacking in ((club.deals, "sochi", "call_d"), (russian.deals, "balkan", "contra")):
        frames: list[Any] = [deals, deals.collect()]
        for frame in frames:
            with pytest.raises(TableError, match=f"the deals lack .*{lacking}"):
                pref.entries(frame, name)
    lacking = "the sheets lack the columns"
    for sheets, name, first in (
        (club_sheets, "sochi", "mountain_a"),
        (sheets_of(russian, "sochi"), "balkan", "contract"),
    ):
        with pytest.raises(TableError, match=f"{lacking} {first}"):
            pref.settle(sheets, name)
    for refused in (study_rounding, lambda sheets: pref.fourth_player_joins(sheets.head(1), "balkan", 99)):
        with pytest.raises(TableError, match=f"{lacking} mountain_a"):
            refused(club_sheets)
    for expression in (
        lambda: pref.bullet("a", "balkan"),
        lambda: pref.whists("a", "b", "slovene"),
        lambda: pref.raspasy_step("balkan"),
        lambda: contract_values(["balkan"]),
        lambda: study_rounding(club_sheets, "balkan"),
    ):
        with pytest.raises(ConventionError, match="is a convention of the Balkan game, and this is about the Russian"):
            expression()


def with_contract(archive: Archive) -> Archive:
    """Put an adjustment into an archive, of its own game."""
    entry = "contract" if archive.game.name == "balkan" else "bullet"
    row = {"pulka": 1, "deal": 0, "seat": "a", "entry": entry, "on_seat": None, "points": 1, "reason": None}
    return pref.with_adjustments(archive, pl.DataFrame([row]))


def test_results_of_players_are_of_any_game(club: Archive, club_sheets: pl.DataFrame) -> None:
    settled = pref.settle(club_sheets, "balkan", pulkas=club.pulkas)
    results = pulka_results(club, "balkan").sort("pulka", "seat")
    assert results.select("pulka", "player", "result_twelfths", "money").equals(
        settled.select("pulka", "player", "result_twelfths", "money")
    )
