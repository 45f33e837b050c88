"""Hostile conventions: TOML files with damaged bytes, odd values, deep nesting and chains of bases."""

from __future__ import annotations

import random
from collections.abc import Callable

import prefdata as pref
from prefdata.conventions import save_convention
from prefdata.errors import PrefdataError
from tests.hostile.accounting import look_at_rescoring
from tests.hostile.case import Case, kind
from tests.hostile.judging import Judgement, judge
from tests.hostile.material import CLUBS, club, lay_frames, mutated

_ODD_VALUES = (
    "1e30000000",
    '"1e30000000"',
    '"1/99999999999999999999999"',
    "inf",
    "-inf",
    "nan",
    "-1",
    "0",
    "10001",
    "10000",
    "1.5",
    "true",
    '""',
    '"a"',
    "[]",
    "[1, 2, 3]",
    "{}",
    "{ 6 = 2 }",
    "{ 6 = { 7 = 8 } }",
    "1979-05-27",
    "07:32:00",
    "9" * 5000,
    "0x" + "f" * 4000,
    '"\\u0000"',
    '"\\u001b[2J"',
    '"../../thesis.txt"',
    '"' + "x" * 300 + '"',
    "[" * 300 + "]" * 300,
    "9223372036854775808",
    '"1/3"',
    '"0.5"',
    '"١"',
    "[[1], [2]]",
    '"players-1"',
    '"players"',
    "1e308",
    "-0.0",
)


def _odd_switch(rng: random.Random) -> str:
    return f"{rng.choice(sorted(pref.switches()))} = {rng.choice(_ODD_VALUES)}"


def _odd_text(rng: random.Random) -> str:
    count = rng.choice((50, 20_000))
    texts: tuple[Callable[[], str], ...] = (
        lambda: "consolation = " + "[" * count,
        lambda: "consolation = " + "{ a = " * count,
        lambda: ".".join(["a"] * count) + " = 1",
        lambda: "[" + ".".join(["a"] * count) + "]",
        lambda: "ladder = [" + "1," * count + "]",
        lambda: "# " + "x" * count * 100,
        lambda: (
            'name = "' + rng.choice(("", ".", "..", "a/b", "set-aside", "played", "\\u0000", "x" * 300, "sochi")) + '"'
        ),
        lambda: 'title = "' + rng.choice(("", "\\u001b[31m", "x" * count)) + '"',
        lambda: "scale = " + str(10 ** rng.choice((3, 4, 5, 20, 400))),
        lambda: "\n".join(_odd_switch(rng) for _ in range(5)),
        lambda: "a = 1\n" * count,
        lambda: "\ufeff" * 3 + "scale = 1",
        lambda: rng.choice(("\x00", "\r", "=", "[[", '"""', "scale", "scale = ", "'")),
    )
    return rng.choice(texts)()


def _chain(case: Case) -> str:
    """Write files that extend each other, in a chain or a ring; gives the first of them."""
    count = case.rng.choice((2, 15, 21, 1500))
    last = case.rng.choice(
        ("consolation = 10", 'base = "0.toml"', 'base = "none.toml"', 'base = "."', 'base = "/dev/zero"')
    )
    for number in range(count):
        case.write(f"{number}.toml", f'base = "{number + 1}.toml"' if number < count - 1 else last)
    return "0.toml"


def _file(case: Case) -> str:
    way = case.rng.choice(("bytes", "bytes", "switch", "switch", "switch", "text", "text", "chain"))
    if way == "chain":
        return _chain(case)
    if way == "bytes":
        save_convention(pref.convention(case.rng.choice(("rostov", "kazakh"))), case.folder / "whole.toml")
        content = mutated(case.rng, (case.folder / "whole.toml").read_bytes())
        (case.folder / "whole.toml").unlink()
        case.write("house.toml", content)
    elif way == "switch":
        count = case.rng.choice((1, 1, 2))
        text = "\n".join(_odd_switch(case.rng) for _ in range(count))
        case.write("house.toml", case.rng.choice(("", 'base = "rostov"\n')) + text)
    else:
        case.write("house.toml", _odd_text(case.rng))
    return "house.toml"


@kind("conventions", 1100)
def conventions(case: Case) -> Judgement:
    """A convention in a file; where it can be loaded it is shown, or an archive is scored under it."""
    file = case.folder / _file(case)
    ran = case.prefdata("conventions", file, *(["--diff", "rostov"] if case.chance(3) else []))
    judgement = judge(ran)
    loaded = case.call(lambda: pref.convention(file))
    judge(loaded)
    if (loaded.error is None) != (ran.code == 0) or case.chance(2):
        return judgement
    archive = case.folder / "club"
    lay_frames(archive, club(case.rng.randrange(CLUBS)))
    scored = case.prefdata("rescore", archive, "-c", file, "--out", case.out)
    if isinstance(loaded.value, pref.Convention):
        try:
            of_russian = loaded.value.game == "russian"
        except PrefdataError:
            of_russian = False
        if of_russian:
            look_at_rescoring(archive, case.out, scored, [loaded.value])
    return judge(scored)
