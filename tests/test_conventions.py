"""Conventions: the switches of the rules, the presets, house rules in files, and how wrong ones are refused."""

from __future__ import annotations

import dataclasses
import json
import random
import re
import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prefdata as pref
from prefdata.conventions import (
    ROUNDINGS,
    Convention,
    base_of,
    convention,
    presets,
    resolve,
    resolve_russian,
    save_convention,
    switches,
)
from prefdata.conventions._convention import _CONTRADICTIONS
from prefdata.errors import ConventionError, PrefdataError, TargetExistsError
from prefdata.vocabulary import GAMES
from tests import balkan_strategies, strategies

Switches = dict[str, Any]

# --------------------------------------------------------------------------- the presets of rules §10

SOCHI: Switches = {
    "game": "russian",
    "players": (2, 3, 4),
    # §2
    "scale": 1,
    "whist_factor": 1,
    "remise_factor": 1,
    "misere_factor": 1,
    "shortage_factor": Fraction(1),
    # §3
    "half_whist": ((6, 2), (7, 1)),
    "lone_whist": "greedy",
    "gentleman_scope": "failed",
    "lone_whist_tricks": "all",
    "failed_tricks": True,
    "consolation": "price",
    "consolation_dealer": True,
    "consolation_to": "all",
    "shortage_cap": "personal",
    "shortage_payer": "last",
    "shortage_split": "own",
    "personal_quota": False,
    "ten": "whisted",
    "talon_bonus": False,
    "talon_bonus_three": False,
    # §5
    "raspasy_reset": "made",
    "raspasy": "mountain",
    "raspasy_price": 1,
    "ladder": (1, 2, 3),
    "raspasy_amnesty": False,
    "raspasy_whist": 5,
    "raspasy_dealer_bullet": 0,
    "zero_bonus": "step",
    "zero_bonus_to": "bullet",
    "zero_bonus_points": 1,
    "zero_bonus_dealer": True,
    # §6
    "close": "each",
    "help_rate": 10,
    "help_to": "largest",
    "surplus": "mountain",
    "made_first": "bullet",
    # §7
    "mountain_weight": 10,
    "bullet_weight": 10,
    "mountain_divisor": "players",
    "bullet_divisor": "players",
    "rounding": "code",
    "code_owner": "largest",
    "code_compensation": "down",
    "code_direction": "down",
    # §9, the Balkan game
    "refe_max": ((30, 1), (50, 3)),
    "contra_responsibility": "none",
    "come_quota": "each",
    "early_stop": "exact",
    "spades_without_contra": "played",
}

# whist_factor .. rounding as the columns of the table in §10, and the second table below it
LENINGRAD = SOCHI | {
    "whist_factor": 2,
    "remise_factor": 2,
    "misere_factor": 2,
    "shortage_factor": Fraction(1),
    "shortage_payer": "both",
    "lone_whist": "gentleman",
    "consolation": "price",
    "raspasy_price": 2,
    "zero_bonus": "step",
    "close": "total",
    "bullet_weight": 20,
    "mountain_weight": 10,
}
ROSTOV = SOCHI | {
    "shortage_factor": Fraction(1, 2),
    "lone_whist": "gentleman",
    "consolation": 10,
    "raspasy": "whists",
    "raspasy_price": 1,
    "ladder": (1,),
    "raspasy_whist": 5,
    "zero_bonus": "one",
    "raspasy_dealer_bullet": 1,
}
PRESETS: dict[str, Switches] = {
    "sochi": SOCHI,
    "leningrad": LENINGRAD,
    "rostov": ROSTOV,
    "leningrad-federation": LENINGRAD
    | {
        "talon_bonus": True,
        "talon_bonus_three": True,
        "gentleman_scope": "always",
        "zero_bonus_to": "mountain",
        "zero_bonus_points": 2,
        "zero_bonus_dealer": False,
        "raspasy_reset": "made_whisted",
    },
    "leningrad-tournament": LENINGRAD
    | {"ten": "checked", "zero_bonus_to": "mountain", "zero_bonus_points": 1, "raspasy_reset": "made_whisted"},
    "mendelev": SOCHI
    | {
        "scale": 10,
        "bullet_weight": 1,
        "mountain_weight": 1,
        "help_rate": 1,
        "consolation_to": "inviter",
        "consolation_dealer": True,
        "talon_bonus": True,
        "rounding": "nearest",
    },
    "hussar": SOCHI | {"players": (2,), "half_whist": ()},
    "hussar-indivisible": SOCHI | {"players": (2,), "half_whist": (), "mountain_divisor": 1, "bullet_divisor": 2},
    "kazakh": SOCHI | {"scale": 4, "consolation_to": "whisters", "consolation_dealer": True, "personal_quota": True},
    "classic": SOCHI | {"made_first": "mountain", "ladder": (1, 2, 4)},
    "balkan": SOCHI | {"game": "balkan"},
    "slovene": SOCHI | {"game": "balkan", "spades_without_contra": "refe"},
}


@pytest.mark.parametrize("name", presets())
def test_presets_are_those_of_the_rules(name: str) -> None:
    assert {switch: getattr(convention(name), switch) for switch in switches()} == PRESETS[name]


def test_all_presets_are_in_the_table() -> None:
    assert presets() == sorted(PRESETS)


@pytest.mark.parametrize("name", presets())
def test_a_preset_knows_its_name(name: str) -> None:
    found = convention(name)
    assert found.name == name
    assert found.title
    assert convention(found) is found


def test_a_preset_tells_its_base() -> None:
    bases = {name: base_of(name) for name in ("sochi", "kazakh", "leningrad-federation", "slovene")}
    assert bases == {"sochi": None, "kazakh": "sochi", "leningrad-federation": "leningrad", "slovene": "balkan"}
    with pytest.raises(ConventionError, match="unknown convention 'sohci'") as caught:
        base_of("sohci")
    assert "Did you mean sochi?" in caught.value.hint


def test_a_convention_is_resolved_by_either_name() -> None:
    assert resolve is convention is pref.convention
    assert resolve_russian("rostov") == convention("rostov")
    with pytest.raises(ConventionError, match="slovene is a convention of the Balkan game"):
        resolve_russian("slovene")


def test_the_defaults_are_sochi() -> None:
    assert Convention(name="sochi", title=convention("sochi").title) == convention("sochi")
    assert {switch: getattr(Convention(), switch) for switch in switches()} == SOCHI


# --------------------------------------------------------------------------- switches


def test_every_field_is_a_switch() -> None:
    fields = [field.name for field in dataclasses.fields(Convention)]
    assert fields == ["name", "title", *switches()]
    assert set(switches()) == set(SOCHI)
    assert switches() is pref.switches()


@pytest.mark.parametrize("name", switches())
def test_a_switch_tells_what_it_is(name: str) -> None:
    switch = switches()[name]
    assert re.fullmatch(r"[2-79](\.\d)?", switch.section)
    assert set(switch.games) <= {"russian", "balkan"}
    assert switch.games
    assert len(switch.help) > 10
    assert not switch.help.endswith(".")
    assert switch.expected
    assert switch.check(SOCHI[name]) == SOCHI[name]
    with pytest.raises(ValueError, match=re.escape(f"expected {switch.expected}, got ")):
        switch.check(object())


WORDS = {
    "game": ("russian", "balkan"),
    "ten": ("whisted", "checked"),
    "zero_bonus": ("step", "one", "none"),
    "consolation": ("price", "none"),
    "bullet_divisor": ("players", "players-1"),
    "code_owner": ("largest", "smallest", "a", "b", "c", "d"),
    "rounding": (
        *("code", "exact", "code-every-mountain", "nearest", "truncate"),
        *("total-half-up", "total-half-even", "total-truncate"),
    ),
    "scale": (),
    "talon_bonus": (),
    "refe_max": (),
}


@pytest.mark.parametrize("name", WORDS)
def test_the_words_of_a_switch_begin_with_the_default(name: str) -> None:
    switch = switches()[name]
    assert switch.words == WORDS[name]
    assert [switch.check(word) for word in switch.words] == list(switch.words)
    assert re.findall(r'"([^"]*)"', switch.expected) == list(switch.words)


def test_roundings_begin_with_exact() -> None:
    code, exact, *others = WORDS["rounding"]
    assert list(ROUNDINGS) == [exact, code, *others]


GOOD: dict[str, list[tuple[Any, Any]]] = {
    "players": [([2], (2,)), ((4, 3), (3, 4))],
    "scale": [(1, 1), (10_000, 10_000)],
    "help_rate": [(0, 0)],
    "shortage_factor": [
        (0, Fraction(0)),
        (0.5, Fraction(1, 2)),
        ("1/2", Fraction(1, 2)),
        ("1.5", Fraction(3, 2)),
        (100, Fraction(100)),
    ],
    "half_whist": [
        ({}, ()),
        ({"7": 1, "6": 2}, ((6, 2), (7, 1))),
        ({10: 10, 8: 0}, ((8, 0), (10, 10))),
        ([(7, 1)], ((7, 1),)),
        (((6, 2),), ((6, 2),)),
    ],
    "consolation": [("price", "price"), ("none", "none"), (0, 0), (10, 10)],
    "ladder": [([1], (1,)), ((1, 2, 4), (1, 2, 4)), ([0] * 50, (0,) * 50)],
    "bullet_divisor": [("players-1", "players-1"), (1, 1), (4, 4)],
    "talon_bonus": [(True, True), (False, False)],
    "close": [("total", "total")],
    "rounding": [("exact", "exact")],
}
BALKAN_GOOD: dict[str, list[tuple[Any, Any]]] = {
    "refe_max": [
        (0, 0),
        (1000, 1000),
        ({"50": 3, "30": 1}, ((30, 1), (50, 3))),
        ({100: 0}, ((100, 0),)),
        ([(20, 2)], ((20, 2),)),
    ],
    "contra_responsibility": [("alone", "alone")],
    "spades_without_contra": [("refe", "refe")],
    "rounding": [("exact", "exact")],
    "code_owner": [("c", "c")],
}
TAKEN = [
    (game, name, *pair)
    for game, values in (("russian", GOOD), ("balkan", BALKAN_GOOD))
    for name, pairs in values.items()
    for pair in pairs
]


@pytest.mark.parametrize(("game", "name", "raw", "tidy"), TAKEN)
def test_a_switch_takes_its_values(game: str, name: str, raw: Any, tidy: Any, tmp_path: Path) -> None:
    found = Convention.from_dict({"game": game, name: raw})
    value = getattr(found, name)
    assert value == tidy
    assert type(value) is type(tidy)
    save_convention(found, tmp_path / "house.toml")
    assert convention(tmp_path / "house.toml") == found


WRONG: dict[str, list[Any]] = {
    # whole numbers
    "scale": [0, -1, 10_001, 1.0, "1", True, None, [1], Fraction(1)],
    "raspasy_dealer_bullet": [-1, 10_001, 0.5, "0", False, None],
    # on or off
    "consolation_dealer": [0, 1, "true", None, []],
    # words
    "lone_whist": ["Greedy", "", " greedy", 1, True, None, ["greedy"], {"greedy": 1}],
    "code_owner": ["e", "A", 0],
    # steps of one half
    "shortage_factor": [
        -0.5,
        0.3,
        Fraction(1, 3),
        100.5,
        "1/3",
        "1/0",
        "half",
        "",
        True,
        None,
        [1],
        float("inf"),
        float("nan"),
    ],
    # tricks by level
    "half_whist": [
        {5: 1},
        {11: 1},
        {6: 11},
        {6: -1},
        {6: 1.5},
        {6: True},
        {"six": 2},
        {"6.5": 2},
        {6.5: 2},
        {True: 1},
        6,
        "6",
        [6, 7],
        [(6, 2, 1)],
        [(6, 2), (6, 1)],
        None,
    ],
    # a word or a whole number
    "consolation": ["flat", "Price", "10", -1, 10_001, 1.5, True, None],
    # lists
    "ladder": [[], [1] * 51, [1.0], [-1], [1001], ["1"], [True], "123", 3, None, {1: 2}],
    # a whole number or a table by the limit
    "refe_max": [
        -1,
        1001,
        True,
        1.5,
        "3",
        "",
        None,
        {},
        [],
        [50],
        {0: 1},
        {65_536: 1},
        {50: 1001},
        {50: -1},
        {50: True},
        {50: 1.5},
        {50: "3"},
        {True: 1},
        {50.5: 1},
        {"fifty": 3},
        {"50.5": 3},
        [(50, 3), ("50", 3)],
        [(50, 3, 1)],
    ],
    "contra_responsibility": ["both", True, 5],
    "spades_without_contra": ["", "radlc", False],
    "game": ["Balkan", "slovene", None],
    "players": [[], [1], [5], [3, 3], 3, "34", [True], ["3"], None],
    # divisors
    "mountain_divisor": ["player", "players - 1", 0, 5, -1, 1.5, True, "3", None, [1]],
}


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name, values in WRONG.items() for value in values],
    ids=lambda value: str(value)[:30],
)
def test_a_wrong_value_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ConventionError) as caught:
        Convention.from_dict({"name": "house", name: value})
    switch = switches()[name]
    assert caught.value.what == f"convention 'house': switch {name}: expected {switch.expected}, got {value!r}"
    assert caught.value.hint == f"{name}: {switch.help} (rules §{switch.section})."
    with pytest.raises(ConventionError):
        Convention(**{name: value})
    with pytest.raises(ConventionError):
        Convention().replace(**{name: value})


def test_every_kind_of_switch_has_wrong_values() -> None:
    kinds = {re.sub(r"\d+|\"[^\"]*\"", "#", switch.expected) for switch in switches().values()}
    tried = {re.sub(r"\d+|\"[^\"]*\"", "#", switches()[name].expected) for name in WRONG}
    assert {kind for kind in kinds - tried if not kind.startswith("one of ")} == set()


@pytest.mark.parametrize("name", switches())
def test_a_misspelt_switch_is_refused_with_the_nearest(name: str) -> None:
    middle = len(name) // 2
    for misspelt in (name[:middle] + name[middle + 1 :], name + "x", name.replace("_", "-")):
        if misspelt in switches():
            continue
        with pytest.raises(ConventionError) as caught:
            Convention.from_dict({"name": "house", misspelt: 1})
        assert caught.value.what == f"convention 'house': unknown switch {misspelt}"
        assert caught.value.hint == f"Did you mean {name}?"
        with pytest.raises(ConventionError, match=f"unknown switch {misspelt}"):
            Convention().replace(**{misspelt: 1})


def test_an_unknown_switch_is_refused_with_all_there_are() -> None:
    with pytest.raises(ConventionError, match="unknown switch qqq") as caught:
        Convention.from_dict({"qqq": 1})
    assert all(name in caught.value.hint for name in switches())
    assert "title" not in caught.value.hint


# --------------------------------------------------------------------------- contradictions

CONTRADICTIONS: list[Switches] = [
    {"lone_whist": "greedy", "gentleman_scope": "always"},
    {"personal_quota": True, "shortage_cap": "pair"},
    {"personal_quota": True, "shortage_split": "whole"},
    {"shortage_split": "half", "shortage_factor": 0.5},
    {"close": "total", "surplus": "lost"},
    {"zero_bonus": "none", "zero_bonus_to": "mountain"},
    {"zero_bonus_to": "bullet", "zero_bonus_points": 2},
    {"raspasy": "whists", "raspasy_amnesty": True},
    {"raspasy": "mountain", "raspasy_dealer_bullet": 1},
]


@pytest.mark.parametrize("values", CONTRADICTIONS, ids="-".join)
def test_a_contradiction_is_refused(values: Switches, tmp_path: Path) -> None:
    with pytest.raises(ConventionError) as caught:
        Convention(name="house", **values)
    assert caught.value.what.startswith("convention 'house': ")
    assert any(name in caught.value.what for name in values)
    ways_out = tomllib.loads(re.sub(r"Set (.*), or (.*)\.", r"\1\n\2", caught.value.hint))
    assert len(ways_out) == 2
    for name, value in ways_out.items():
        assert Convention(**values | {name: value})
    with pytest.raises(ConventionError):
        Convention().replace(**values)
    file = tmp_path / "house.toml"
    lines = [f"{name} = {json.dumps(value)}" for name, value in values.items()]
    file.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(ConventionError) as caught:
        convention(file)
    assert caught.value.what.startswith(f"{file}: convention 'house': ")
    assert caught.value.hint
    for name in values:
        if values[name] != SOCHI[name]:
            assert getattr(Convention(**values | {name: SOCHI[name]}), name) == SOCHI[name]


def test_every_contradiction_has_a_case() -> None:
    found = set()
    for values in CONTRADICTIONS:
        with pytest.raises(ConventionError) as caught:
            Convention(name="house", **values)
        found.add(caught.value.what.removeprefix("convention 'house': "))
    assert found == {what for _, what, _ in _CONTRADICTIONS}


# --------------------------------------------------------------------------- the switches of each game

BALKAN = {"refe_max", "contra_responsibility", "come_quota", "early_stop", "spades_without_contra"}
SHARED = {"game", "rounding", "code_owner"}
OTHER: Switches = {
    "scale": 4,
    "half_whist": {},
    "consolation_dealer": False,
    "mountain_weight": 1,
    "refe_max": 2,
    "contra_responsibility": "alone",
    "spades_without_contra": "refe",
}


@pytest.mark.parametrize("name", presets())
def test_a_convention_has_the_switches_of_its_game(name: str) -> None:
    own = convention(name).own_switches()
    expected = SHARED | BALKAN if name in ("balkan", "slovene") else set(switches()) - BALKAN
    assert own == [switch for switch in switches() if switch in expected]


@pytest.mark.parametrize("name", OTHER)
def test_a_switch_of_the_other_game_is_refused(name: str, tmp_path: Path) -> None:
    own, other = ("balkan", "russian") if name in BALKAN else ("russian", "balkan")
    assert Convention.from_dict({"game": own, name: OTHER[name]})
    with pytest.raises(ConventionError) as caught:
        Convention.from_dict({"name": "house", "game": other, name: OTHER[name]})
    assert caught.value.what == f"convention 'house': {name} is no switch of the {other.capitalize()} game"
    assert caught.value.hint.startswith(f'A convention that has it needs game = "{own}", or a base of that game; ')
    assert ("This game has game, rounding" in caught.value.hint) == (other == "balkan")
    assert Convention.from_dict({"game": other, name: SOCHI[name]}) == Convention.from_dict({"game": other})


# --------------------------------------------------------------------------- names and files


@pytest.mark.parametrize("name", ["sochi+lone_whist=gentleman", "our table", "Клуб", "my.house[1]", "a 'b' {c: \"d\"}"])
def test_a_name_that_can_name_a_folder_is_taken(name: str, tmp_path: Path) -> None:
    assert Convention(name=name).name == name
    assert convention(write(tmp_path, **{name: ""})).name == name


@pytest.mark.parametrize("name", ["", " ", ".", "..", ".house", "a/b", "/", "a\\b", "a\nb", "\0", "\ud800", "played"])
def test_a_name_that_cannot_name_a_folder_is_refused(name: str) -> None:
    what = "stands for each pulka's own" if name == "played" else f"{name!r} cannot name a folder"
    with pytest.raises(ConventionError, match=re.escape(what)) as caught:
        Convention(name=name)
    assert caught.value.hint.startswith("Name it otherwise; ")
    with pytest.raises(ConventionError, match=re.escape(what)):
        Convention.from_dict({"name": name, "scale": 4})


@pytest.mark.parametrize("text", ["name = 3", "name = ['a']", "title = 4", "title = true"])
def test_a_label_that_is_no_text_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(ConventionError, match=r"(name|title) is .*, not a text") as caught:
        convention(write(tmp_path, house=text))
    assert caught.value.hint


@pytest.mark.parametrize(("stem", "text"), [("leningrad", "scale = 4"), ("house", 'name = "leningrad"\nscale = 4')])
def test_a_file_with_a_preset_s_name_is_that_preset(stem: str, text: str, tmp_path: Path) -> None:
    preset = 'base = "leningrad"\n'
    same = convention(write(tmp_path, **{stem: preset + text.replace("scale = 4", "")}))
    assert (same.name, same.diff(convention("leningrad"))) == ("leningrad", {})
    file = write(tmp_path, **{stem: preset + text})
    with pytest.raises(ConventionError) as caught:
        convention(file)
    assert caught.value.what == f"{file}: it is named 'leningrad', as a preset is, but differs from it in scale"
    assert 'name = "..."' in caught.value.hint
    with pytest.raises(ConventionError, match="as a preset is, but differs from it in scale"):
        save_convention(same.replace(name="leningrad", scale=4), tmp_path / "other.toml")
    assert not (tmp_path / "other.toml").exists()


def test_a_misspelt_preset_is_refused_with_the_nearest() -> None:
    for misspelt, meant in {
        "sotchi": "sochi",
        "Leningrad": "leningrad",
        "ROSTOV": "rostov",
        "rostow": "rostov",
    }.items():
        with pytest.raises(ConventionError) as caught:
            convention(misspelt)
        assert caught.value.what == f"unknown convention {misspelt!r}"
        assert caught.value.hint.startswith(f"Did you mean {meant}? The presets are ")
        assert all(name in caught.value.hint for name in presets())


@pytest.mark.parametrize("name", ["qqq", "", "/", "house.yaml", "sochi.tom"])
def test_an_unknown_preset_is_refused_with_all_there_are(name: str) -> None:
    with pytest.raises(ConventionError) as caught:
        convention(name)
    assert caught.value.what == f"unknown convention {name!r}"
    assert ", ".join(presets()) in caught.value.hint
    assert ".toml" in caught.value.hint


def test_a_name_without_its_ending_is_told_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path, house='base = "friday"', friday="scale = 4")
    with pytest.raises(ConventionError, match="unknown convention 'friday'") as caught:
        convention(file)
    assert caught.value.hint.startswith("Did you mean friday.toml? ")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConventionError, match="unknown convention 'house'") as caught:
        convention("house")
    assert caught.value.hint.startswith("Did you mean house.toml? ")


@pytest.mark.parametrize("names", ["sochi,rostov", "sochi, house.toml", "house.toml,sochi"])
def test_several_names_at_once_are_told_apart(names: str) -> None:
    with pytest.raises(ConventionError, match=r"unknown convention|cannot be read") as caught:
        convention(names)
    assert "several make a list" in caught.value.hint


@pytest.mark.parametrize("key", ["convention", "extends", "preset", "bases", "Base"])
def test_a_base_by_another_name_is_told(key: str, tmp_path: Path) -> None:
    with pytest.raises(ConventionError, match=f"convention 'house': unknown switch {key}") as caught:
        convention(write(tmp_path, house=f'{key} = "sochi"'))
    assert caught.value.hint == "Did you mean base?"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    for file in (tmp_path / "house.toml", tmp_path / "no folder" / "house.toml"):
        for path in (file, str(file)):
            with pytest.raises(ConventionError) as caught:
                convention(path)
            assert caught.value.what == f"convention file {file} cannot be read: No such file or directory"
            assert "presets" in caught.value.hint


def test_a_folder_is_no_convention(tmp_path: Path) -> None:
    (tmp_path / "house.toml").mkdir()
    with pytest.raises(ConventionError, match=r"house\.toml cannot be read: Is a directory"):
        convention(tmp_path / "house.toml")


@pytest.mark.parametrize("text", ["scale =", "scale = 1\nscale = 2", "= 1", "[half_whist\n", "scale 1", "title = 'a"])
def test_invalid_toml_is_named_with_its_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "house.toml"
    file.write_text("# house rules\n" + text, encoding="utf-8")
    with pytest.raises(ConventionError, match=r"is not valid TOML: .*(line [23]|end of document)") as caught:
        convention(file)
    assert caught.value.what.startswith(str(file))
    assert caught.value.hint


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_bytes('title = "сочинка"\n'.encode("cp1251"))
    with pytest.raises(ConventionError, match=r"house\.toml cannot be read: it is not UTF-8 text"):
        convention(file)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("scala = 1", "convention 'house': unknown switch scala"),
        ("scale = 0", "convention 'house': switch scale: expected a whole number from 1 to 10000, got 0"),
        ("[half_whist]\n5 = 1", "convention 'house': switch half_whist: expected a table from level"),
        ("shortage_factor = inf", "convention 'house': switch shortage_factor: expected a factor"),
        ("ladder = 2026-01-01", "convention 'house': switch ladder: expected a list"),
        ('name = "ours"\nten = "none"', "convention 'ours': switch ten: expected one of"),
    ],
)
def test_a_wrong_switch_in_a_file_is_named_with_the_file(tmp_path: Path, text: str, what: str) -> None:
    file = tmp_path / "house.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConventionError) as caught:
        convention(file)
    assert caught.value.what.startswith(f"{file}: {what}")
    assert caught.value.hint


def test_a_file_says_what_differs_from_sochi(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(
        'title = "У нас"\nshortage_factor = "1/2"\nladder = [1, 2]\nconsolation = 5\n[half_whist]\n6 = 1\n8 = 1\n',
        encoding="utf-8",
    )
    house = convention(str(file))
    assert (house.name, house.title) == ("house", "У нас")
    assert house.diff(convention("sochi")) == {
        "shortage_factor": (Fraction(1, 2), Fraction(1)),
        "half_whist": (((6, 1), (8, 1)), ((6, 2), (7, 1))),
        "consolation": (5, "price"),
        "ladder": ((1, 2), (1, 2, 3)),
    }


def test_a_file_may_name_its_convention(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('name = "ours"\n', encoding="utf-8")
    assert convention(file).name == "ours"


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('title = "У нас"\n', encoding="utf-8-sig")
    assert convention(file) == Convention(name="house", title="У нас")


def test_an_empty_file_is_sochi(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text("", encoding="utf-8")
    assert convention(file) == Convention(name="house")


# --------------------------------------------------------------------------- files that extend a convention


def write(folder: Path, **files: str) -> Path:
    """Write TOML files; gives the first."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder / f"{next(iter(files))}.toml"


@pytest.mark.parametrize("base", presets())
def test_a_file_may_extend_a_preset(base: str, tmp_path: Path) -> None:
    house = convention(write(tmp_path, house=f'base = "{base}"\nrounding = "exact"\n'))
    assert (house.name, house.title) == ("house", "")
    assert house == convention(base).replace(name="house", title="", rounding="exact")
    assert house.game == convention(base).game


def test_a_file_may_extend_one_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club = 'name = "ours"\ntitle = "Club"\nbase = "rostov"\nscale = 4\nladder = [1, 2]\nhalf_whist = { 6 = 2, 7 = 1 }\n'
    house = 'base = "club.toml"\ntitle = "House"\nladder = [2]\nhalf_whist = { 8 = 1 }\n'
    file = write(tmp_path, house=house, club=club)
    expected = convention("rostov").replace(name="house", title="House", scale=4, ladder=[2], half_whist={8: 1})
    assert convention(file) == expected
    monkeypatch.chdir(tmp_path)
    assert convention("house.toml") == expected
    guest = write(tmp_path / "guests", guest=f'name = "house"\ntitle = "House"\nbase = "../{file.name}"\n')
    assert convention(guest) == expected
    by_path = write(tmp_path / "guests", path=f"name = 'house'\ntitle = 'House'\nbase = '{file}'\n")
    assert convention(by_path) == expected


def test_a_file_may_take_back_what_its_base_sets(tmp_path: Path) -> None:
    in_mountain = 'base = "rostov"\nraspasy = "mountain"\n'
    with pytest.raises(ConventionError, match='raspasy_dealer_bullet belongs to raspasy = "whists"') as caught:
        convention(write(tmp_path, house=in_mountain))
    assert "raspasy_dealer_bullet = 0" in caught.value.hint
    house = convention(write(tmp_path, house=in_mountain + "raspasy_dealer_bullet = 0\n"))
    assert set(house.diff(convention("rostov"))) == {"raspasy", "raspasy_dealer_bullet"}
    again = convention(write(tmp_path, again='base = "house.toml"\nraspasy = "whists"\nraspasy_dealer_bullet = 1\n'))
    assert again.diff(convention("rostov")) == {}


NO_BASE = [
    ("base = 1", "base is 1, not a text"),
    ('base = ["sochi", "rostov"]', "base is ['sochi', 'rostov'], not a text"),
    ('base = ""', "unknown convention ''"),
    ('base = "sotchi"', "unknown convention 'sotchi'"),
    ('base = "house"', "unknown convention 'house'"),
    ('base = "club.toml"', "convention file {folder}/club.toml cannot be read: No such file or directory"),
    ('base = "house.toml"', "base 'house.toml' comes back to this file"),
    ('base = "./../here/house.toml"', "base './../here/house.toml' comes back to this file"),
    ('base = "scala.toml"', "{folder}/scala.toml: convention 'scala': unknown switch scala"),
    ('base = "broken.toml"', "{folder}/broken.toml is not valid TOML: "),
    ('base = "there.toml"', "{folder}/there.toml: {folder}/back.toml: base 'there.toml' comes back to this file"),
    ('base = "back.toml"', "{folder}/back.toml: {folder}/there.toml: base 'back.toml' comes back to this file"),
    ('base = "round.toml"', "{folder}/round.toml: base 'house.toml' comes back to this file"),
    ('base = "clash.toml"\nlone_whist = "gentleman"', "{folder}/clash.toml: convention 'clash': gentleman_scope is "),
    ('base = "kazakh"\ngame = "balkan"', "convention 'house': scale is no switch of the Balkan game"),
    ('base = "slovene"\ngame = "russian"', "convention 'house': spades_without_contra is no switch of the Russian"),
    ('base = "balkan"\nscale = 4', "convention 'house': scale is no switch of the Balkan game"),
]


@pytest.mark.parametrize(("text", "what"), NO_BASE)
def test_a_wrong_base_is_refused_with_the_files_on_the_way(text: str, what: str, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    others = {
        "scala": "scala = 1",
        "broken": "scale =",
        "there": 'base = "back.toml"',
        "back": 'base = "there.toml"',
        "round": 'base = "house.toml"',
        "clash": 'gentleman_scope = "always"',
    }
    file = write(folder, house=text, **others)
    with pytest.raises(ConventionError) as caught:
        convention(file)
    assert caught.value.what.startswith(f"{file}: " + what.format(folder=folder))
    assert caught.value.hint


def test_two_files_may_extend_the_same_one(tmp_path: Path) -> None:
    file = write(tmp_path, one='base = "club.toml"', other='base = "club.toml"', club="scale = 4")
    assert convention(file).diff(convention(tmp_path / "other.toml")) == {}


def test_a_saved_file_needs_no_base(tmp_path: Path) -> None:
    house = convention(write(tmp_path, house='base = "club.toml"', club='base = "slovene"\nrefe_max = 2'))
    save_convention(house, tmp_path / "saved.toml")
    (tmp_path / "club.toml").unlink()
    assert "base" not in tomllib.loads((tmp_path / "saved.toml").read_text(encoding="utf-8"))
    assert convention(tmp_path / "saved.toml") == house


@pytest.mark.parametrize("name", ["rostov", "slovene"])
def test_a_saved_file_has_the_switches_of_its_game(name: str, tmp_path: Path) -> None:
    save_convention(name, tmp_path / "saved.toml")
    saved = tomllib.loads((tmp_path / "saved.toml").read_text(encoding="utf-8"))
    assert list(saved) == ["name", "title", *convention(name).own_switches()]
    assert convention(tmp_path / "saved.toml") == convention(name)


@pytest.mark.parametrize("name", ["house", "house.txt", "house.toml.bak"])
def test_a_file_that_could_not_be_read_is_not_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConventionError, match=f"{name} does not end in .toml") as caught:
        save_convention("sochi", tmp_path / name)
    assert caught.value.hint
    assert not (tmp_path / name).exists()


def test_a_file_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text("scale = 4\n", encoding="utf-8")
    with pytest.raises(TargetExistsError, match=r"house\.toml exists already") as caught:
        save_convention(convention("sochi"), file)
    assert caught.value.hint
    assert file.read_text(encoding="utf-8") == "scale = 4\n"


def test_a_file_in_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PrefdataError, match="no folder"):
        save_convention(convention("sochi"), tmp_path / "no folder" / "house.toml")


@given(changes=strategies.switches())
def test_a_convention_comes_back_from_its_file(changes: Switches, tmp_path_factory: pytest.TempPathFactory) -> None:
    drawn = Convention.from_dict({"name": "house", "title": 'Дом "у моря"\\', **changes})
    file = tmp_path_factory.mktemp("conventions") / "another name.toml"
    save_convention(drawn, file)
    assert convention(file) == drawn
    assert hash(convention(file)) == hash(drawn)


NAMES = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="/\\"), max_size=8).filter(
    lambda name: name.strip() and not name.startswith(".")
)


@settings(max_examples=settings().max_examples // 2)
@given(name=NAMES, title=st.text(max_size=8))
def test_any_title_comes_back_from_its_file(name: str, title: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    drawn = Convention(name=name, title=title)
    file = tmp_path_factory.mktemp("conventions") / "house.toml"
    save_convention(drawn, file)
    assert convention(file) == drawn


# --------------------------------------------------------------------------- as plain data


@given(changes=strategies.switches())
def test_a_convention_comes_back_from_plain_data(changes: Switches) -> None:
    drawn = Convention.from_dict({"name": "drawn", **changes})
    plain = drawn.to_dict()
    assert Convention.from_dict(plain) == drawn
    assert Convention.from_dict(json.loads(json.dumps(plain))) == drawn
    assert list(plain) == ["name", "title", *switches()]
    assert {name: getattr(drawn, name) for name in changes} == changes


DRAWN: dict[str, Callable[[random.Random], Switches]] = {
    "russian": strategies.random_switches,
    "balkan": lambda rng: balkan_strategies.random_switches(rng, limit=30),
}
NOT_DRAWN: dict[str, dict[str, str]] = {
    "russian": {"game": "it chooses the strategy", "players": "tables of any number are drawn"},
    "balkan": {
        "game": "it chooses the strategy",
        "rounding": "test_balkan_scorers_agree goes through all of them",
        "code_owner": "test_balkan_scorers_agree goes through all of them",
    },
}


@pytest.mark.parametrize("game", GAMES)
def test_the_second_scorer_meets_every_switch_and_word(game: str) -> None:
    rng = random.Random(game)
    draws = [DRAWN[game](rng) for _ in range(3000)]
    for drawn in draws:
        assert sorted([*drawn, *NOT_DRAWN[game]]) == sorted(Convention(game=game).own_switches())
    for name in draws[0]:
        values, switch = {drawn[name] for drawn in draws}, switches()[name]
        assert set(switch.words) <= values, name
        assert len(values) > 1, name


@given(first=strategies.switches(), second=strategies.switches())
def test_a_difference_reads_the_same_from_both_sides(first: Switches, second: Switches) -> None:
    one, other = Convention(name="one", **first), Convention(name="other", **second)
    there, back = one.diff(other), other.diff(one)
    assert there == {name: (mine, theirs) for name, (theirs, mine) in back.items()}
    assert all(mine != theirs for mine, theirs in there.values())
    assert one.diff(one) == {}
    became = one.replace(name="other", **{name: theirs for name, (_, theirs) in there.items()})
    assert became == other
    assert hash(became) == hash(other)


def test_a_name_is_no_convention_to_differ_from() -> None:
    with pytest.raises(ConventionError, match="'rostov' is none") as caught:
        convention("sochi").diff("rostov")  # type: ignore[arg-type]
    assert "prefdata.convention('rostov')" in caught.value.hint


def test_a_replaced_convention_tells_the_changes_in_its_name() -> None:
    sochi = convention("sochi")
    house = sochi.replace(lone_whist="gentleman")
    assert house.name == "sochi+lone_whist=gentleman"
    assert house.diff(sochi) == {"lone_whist": ("gentleman", "greedy")}
    again = house.replace(scale=4, ladder=[1, 2])
    assert again.name == "sochi+lone_whist=gentleman+scale=4+ladder=[1, 2]"
    assert again.ladder == (1, 2)
    assert sochi.replace(name="", lone_whist="gentleman") == house
    assert sochi == convention("sochi")


def test_a_replaced_convention_may_be_named() -> None:
    house = convention("rostov").replace(name="house", scale=10)
    assert (house.name, house.scale) == ("house", 10)
    assert house.diff(convention("rostov")) == {"scale": (10, 1)}


def test_nothing_replaced_is_the_same() -> None:
    assert convention("rostov").replace() == convention("rostov")


def test_conventions_are_keys() -> None:
    found = {convention(name): name for name in presets()}
    assert len(found) == len(presets())
    assert found[Convention(name="sochi", title="Sochi", shortage_factor=1, ladder=[1, 2, 3])] == "sochi"  # type: ignore[arg-type]


def test_a_convention_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        convention("sochi").scale = 4  # type: ignore[misc]


def test_what_a_point_brings() -> None:
    indivisible = Convention(mountain_divisor=1, bullet_divisor=2)
    wrong_habit = Convention(mountain_divisor="players-1", bullet_divisor="players-1")
    assert [convention("sochi").mountain_share(players) for players in (2, 3, 4)] == [
        5,
        Fraction(10, 3),
        Fraction(5, 2),
    ]
    assert convention("leningrad").bullet_share(4) == 5
    assert wrong_habit.mountain_share(3) == 5
    rates = [one.exchange_rate(2) for one in (convention("sochi"), convention("leningrad"), indivisible)]
    assert rates == [1, 2, Fraction(1, 2)]
