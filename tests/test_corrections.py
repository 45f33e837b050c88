"""Corrections: over-writing, adjustments added to an archive, a fourth player who joins; and settling by hand."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive
from prefdata.corrections import EFFECT_SCHEMA
from prefdata.errors import ConventionError, CorrectionError, TableError
from prefdata.russian.tables import Adjustments, Deals
from prefdata.vocabulary import bullet_column, entry_columns, mountain_column, seats_at_table, whists_column
from tests import second_scorer, strategies
from tests.records import archive_of, frame_of, plain

Record = dict[str, Any]
PRESETS = ["sochi", "leningrad", "rostov"]
SEATS = strategies.SEATS
PASSED_OUT = {"contract": "6", "declarer": "a", "call_b": "pass", "call_c": "pass"}


def passed_out(players: int = 3, **columns: Any) -> Record:
    """Make the plainest deal: two points in a's bullet."""
    return {"deal": 1, "players": players, "dealer": seats_at_table(players)[-1], **PASSED_OUT, **columns}


def pulka(*adjustments: Record, deals: int = 1, limit: int = 50) -> Record:
    numbered = [passed_out(deal=number) for number in range(1, deals + 1)]
    return {"players": 3, "limit": limit, "deals": numbered, "adjustments": list(adjustments)}


def columns_of(archive: Archive, convention: str | pref.Convention = "sochi") -> pl.DataFrame:
    return pref.sheets(archive, convention).select("pulka", *entry_columns())


def written(adjustments: pl.DataFrame) -> list[tuple[Any, ...]]:
    return adjustments.select("seat", "entry", "on_seat", "points").rows()


# Over-writing


@pytest.mark.parametrize(
    ("error", "correction", "fine"),
    [
        pytest.param(
            ("a", "whists", "b", 8),
            ("a", "whists", "b", -8),
            ("b", "whists", "a", 8),
            id="seed-4.2.7-overwritten-whists: Code 4.2.7",
        ),
        pytest.param(
            ("a", "bullet", None, 4),
            ("a", "bullet", None, -4),
            ("a", "mountain", None, 4),
            id="seed-4.2.7-overwritten-pool: Code 4.2.7",
        ),
    ],
)
def test_over_writing(error: tuple[Any, ...], correction: tuple[Any, ...], fine: tuple[Any, ...]) -> None:
    seat, entry, on_seat, points = error

    def corrected(**keywords: bool) -> pl.DataFrame:
        return pref.correct_over_writing(1, 1, seat, entry, points, on_seat=on_seat, **keywords)

    assert written(corrected(with_error=False)) == [correction, fine]
    assert written(corrected(with_error=False, first_offence=True)) == [correction]
    assert written(corrected()) == [error, correction, fine]
    assert written(corrected(first_offence=True)) == [error, correction]
    assert Adjustments.is_valid(corrected())
    assert corrected()["reason"].str.contains("4.2.7", literal=True).all()


@pytest.mark.parametrize(
    ("seat", "entry", "points", "on_seat", "said"),
    [
        ("a", "mountain", 2, None, "names whists and bullet"),
        ("a", "bullet", 0, None, "above 0"),
        ("a", "bullet", -2, None, "above 0"),
        ("a", "bullet", 1.5, None, "above 0"),
        ("a", "bullet", 2**31, None, "above 0"),
        ("a", "bullet", 2, "b", "written on nobody"),
        ("a", "whists", 2, None, "on_seat is missing"),
        ("a", "whists", 2, "a", "on himself"),
        ("a", "whists", 2, "e", "not one of a, b, c, d"),
        ("e", "bullet", 2, None, "not one of a, b, c, d"),
    ],
)
def test_no_over_writing(seat: str, entry: str, points: int, on_seat: str | None, said: str) -> None:
    with pytest.raises(CorrectionError, match=said) as error:
        pref.correct_over_writing(1, 1, seat, entry, points, on_seat=on_seat)
    assert error.value.hint


@pytest.mark.parametrize("deal", [-1, 2**16])
def test_no_such_deal(deal: int) -> None:
    with pytest.raises(CorrectionError, match="not the number of a deal"):
        pref.correct_over_writing(1, deal, "a", "bullet", 2)


def test_no_such_pulka() -> None:
    for key in ("x", 1.5, 2**63):
        with pytest.raises(CorrectionError, match="not the key of a pulka"):
            pref.correct_over_writing(key, 1, "a", "bullet", 2)  # type: ignore[arg-type]


def drawn_over_writing(rng: random.Random, key: int, pulka: Record) -> tuple[pl.DataFrame, Record, bool]:
    """Draw an over-writing: its adjustments, the fine as a record, and whether it is the first offence."""
    seats = seats_at_table(pulka["players"])
    seat = rng.choice(seats)
    deal, points = rng.randint(1, len(pulka["deals"])), rng.randint(1, 20)
    on_seat = rng.choice([None, *(other for other in seats if other != seat)])
    first = rng.random() < 0.3
    entry = "whists" if on_seat else "bullet"
    rows = pref.correct_over_writing(key, deal, seat, entry, points, on_seat=on_seat, first_offence=first)
    fine = {"deal": deal, "points": points}
    if on_seat:
        return rows, {**fine, "seat": on_seat, "entry": "whists", "on_seat": seat}, first
    return rows, {**fine, "seat": seat, "entry": "mountain", "on_seat": None}, first


@pytest.mark.parametrize("name", PRESETS)
def test_a_corrected_pulka_is_the_right_one_and_the_fine(name: str) -> None:
    rng = random.Random(21)
    pulkas = [strategies.random_pulka(rng) for _ in range(100)]
    drawn = [drawn_over_writing(rng, key, pulka) for key, pulka in enumerate(pulkas, start=1)]
    corrected = pref.with_adjustments(archive_of(pulkas), *(rows for rows, _, _ in drawn))
    sheets = columns_of(corrected, name).rows(named=True)
    convention = plain(pref.convention(name))
    for sheet, pulka, (_, fine, first) in zip(sheets, pulkas, drawn, strict=True):
        fines = [] if first else [fine]
        right = second_scorer.score_pulka(
            pulka["players"], pulka["limit"], pulka["deals"], convention, [*pulka["adjustments"], *fines]
        )
        for seat in seats_at_table(pulka["players"]):
            assert sheet[bullet_column(seat)] == right.bullet[seat]
            assert sheet[mountain_column(seat)] == right.mountain[seat]
        for pair, whists in right.whists.items():
            assert sheet[whists_column(*pair)] == whists


# Adjustments of an archive


def fine(key: int, deal: int = 1) -> pl.DataFrame:
    return pref.correct_over_writing(key, deal, "a", "bullet", 4, with_error=False)


def test_adjustments_go_to_the_part_of_their_pulka() -> None:
    there = {"deal": 0, "seat": "b", "entry": "mountain", "points": 3}
    low, high = archive_of([pulka(there), pulka()]), archive_of([pulka(), pulka(), pulka()]).only(pulka=3)
    archive = pref.concat([low, high])
    more = pref.with_adjustments(archive, fine(3), fine(1).lazy())
    counts = [part.adjustments.read().height if part.adjustments else 0 for part in more.parts]
    assert counts == [3, 2]
    assert archive.adjustments.collect().height == 1
    assert written(more.adjustments.collect().filter(pulka=1))[0] == ("b", "mountain", None, 3)
    assert columns_of(more).select("bullet_a", "mountain_a", "mountain_b").rows() == [(-2, 4, 3), (2, 0, 0), (-2, 4, 0)]


def test_adjustments_in_other_types() -> None:
    rows = fine(1).with_columns(pl.col("seat", "entry").cast(pl.String), pl.col("points").cast(pl.Int64)).drop("reason")
    archive = pref.with_adjustments(archive_of([pulka()]), rows, fine(1))
    assert columns_of(archive).select("bullet_a", "mountain_a").row(0) == (-6, 8)


def test_adjustments_that_do_not_fit_are_reported() -> None:
    wrong = fine(1).with_columns(seat=pl.lit("x"))
    archive = pref.with_adjustments(archive_of([pulka(), pulka()]), wrong, fine(2, deal=9))
    assert archive.check().failures.counts() == {"adjustment_after_known_deal": 2, "seat|dtype": 2}
    with pytest.warns(pref.SetAsideWarning):
        assert pref.adjustment_effects(archive, "sochi").is_empty()


def test_adjustments_of_unknown_pulkas() -> None:
    archive = archive_of([pulka()])
    with pytest.raises(CorrectionError, match="lacks: 7, 9\n"):
        pref.with_adjustments(archive, fine(9), fine(1), fine(7))
    with pytest.raises(TableError, match="points"):
        pref.with_adjustments(archive, fine(1).drop("points"))
    with pytest.raises(CorrectionError, match="lacks: None"):
        pref.with_adjustments(archive, fine(1).with_columns(pulka=pl.lit(None, pl.Int64)))
    assert pref.with_adjustments(archive) is archive


def test_adjustments_of_an_archive_on_disk(tmp_path: Path) -> None:
    pref.write_archive(archive_of([pulka(), pulka()]), tmp_path / "club")
    more = pref.with_adjustments(pref.open_archive(tmp_path / "club"), fine(2))
    pref.write_archive(more, tmp_path / "corrected")
    assert_frame_equal(columns_of(pref.open_archive(tmp_path / "corrected")), columns_of(more))


# What adjustments change


@pytest.mark.parametrize("rounding", ["code", "exact", "nearest", "total-half-up", "total-half-even"])
@pytest.mark.parametrize("name", PRESETS)
def test_effects_of_adjustments(name: str, rounding: str) -> None:
    rng = random.Random(22)
    pulkas = [strategies.random_pulka(rng) for _ in range(120)]
    archive = archive_of(pulkas)
    effects = pref.adjustment_effects(archive, name, rounding=rounding)
    assert effects.schema == pl.Schema(EFFECT_SCHEMA)
    adjusted = [key for key, pulka in enumerate(pulkas, start=1) if pulka["adjustments"]]
    assert effects["pulka"].unique(maintain_order=True).to_list() == adjusted
    convention = plain(pref.convention(name))
    residues = []
    for key in adjusted:
        pulka, rows = pulkas[key - 1], effects.filter(pulka=key)
        deals, limit, players = pulka["deals"], pulka["limit"], pulka["players"]
        bare = second_scorer.uncapped_result(players, limit, deals, convention)
        sheet = second_scorer.score_pulka(players, limit, deals, convention, pulka["adjustments"])
        settled = second_scorer.settle(
            players, limit, sheet.bullet, sheet.mountain, sheet.whists, convention, rounding=rounding
        )
        assert rows["without_twelfths"].to_list() == [12 * bare[seat] for seat in rows["seat"]]
        assert rows["with_twelfths"].to_list() == [12 * settled.result[seat] for seat in rows["seat"]]
        assert rows["shift_twelfths"].equals(rows["with_twelfths"] - rows["without_twelfths"], check_names=False)
        assert rows["rounded"].to_list() == [settled.rounded[seat] for seat in rows["seat"]]
        residues.append(rows["residue"].unique().item())
        assert residues[-1] == (None if rounding == "exact" else rows["rounded"].sum())
    sums = effects.group_by("pulka").agg(pl.col("without_twelfths", "with_twelfths", "shift_twelfths").sum())
    assert (sums.drop("pulka") == 0).to_series().all()
    assert any(residues) == rounding.startswith("total")


def test_effects_under_the_convention_played() -> None:
    archive = pref.with_adjustments(archive_of([pulka(), pulka()], "leningrad"), fine(2))
    assert_frame_equal(pref.adjustment_effects(archive, "played"), pref.adjustment_effects(archive, "leningrad"))


def test_no_adjustments_no_effects() -> None:
    effects = pref.adjustment_effects(archive_of([pulka()]), "sochi")
    assert effects.is_empty()
    assert effects.schema == pl.Schema(EFFECT_SCHEMA)


# A fourth player


def recorded(bullet: list[int], mountain: list[int], *, limit: int = 50, **columns: Any) -> pl.DataFrame:
    entries = dict.fromkeys(entry_columns(3), 0)
    entries |= dict(zip(map(bullet_column, "abc"), bullet, strict=True))
    entries |= dict(zip(map(mountain_column, "abc"), mountain, strict=True))
    return pl.DataFrame([{"pulka": 1, "players": 3, "bullet_limit": limit, **entries, **columns}])


@pytest.mark.parametrize(
    ("bullet", "mountain", "newcomer", "start"),
    [
        pytest.param([10, 20, 30], [3, 6, 9], (20, 6), 0, id="whole means"),
        pytest.param([10, 20, 31], [3, 6, 9], (20, 6), Fraction(-5, 2), id="a third of a bullet point lost"),
        pytest.param([10, 20, 30], [3, 6, 10], (20, 7), -5, id="two thirds of a mountain point won"),
        pytest.param([10, 20, 32], [3, 6, 10], (20, 7), -10, id="the most"),
        pytest.param([0, 0, 0], [-3, -6, -10], (0, -6), Fraction(-5, 2), id="below zero, upwards"),
        pytest.param([0, 0, -1], [0, 0, 0], (-1, 0), -5, id="a bullet below zero, downwards"),
    ],
)
def test_means_of_the_newcomer(
    bullet: list[int], mountain: list[int], newcomer: tuple[int, int], start: Fraction
) -> None:
    joining = pref.fourth_player_joins(recorded(bullet, mountain), "sochi", 2)
    entries = {row["entry"]: row["points"] for row in joining.adjustments.filter(seat="d").rows(named=True)}
    assert (entries.get("bullet", 0), entries.get("mountain", 0)) == newcomer
    assert joining.effects["shift_twelfths"].to_list() == [-start * 4, -start * 4, -start * 4, start * 12]


@pytest.mark.parametrize("seat", SEATS)
def test_seats_and_names(seat: str) -> None:
    pulkas = archive_of([pulka()], "rostov").pulkas.with_columns(
        player_a=pl.lit("Anna"), player_b=pl.lit("Boris"), player_c=pl.lit("Clara"), stake=pl.lit(0.5)
    )
    sheet = recorded([2, 4, 6], [1, 2, 3], whists_ab=10, whists_bc=20, whists_ca=30)
    joining = pref.fourth_player_joins(sheet, "sochi", 2, player="Dmitri", seat=seat, bullet_limit=40, pulkas=pulkas)
    row = joining.pulkas.row(0, named=True)
    names = {place: row[f"player_{place}"] for place in SEATS}
    assert names.pop(seat) == "Dmitri"
    assert list(names.values()) == ["Anna", "Boris", "Clara"]
    assert (row["pulka"], row["players"], row["bullet_limit"], row["convention"]) == (2, 4, 40, "rostov")
    assert row["stake"] == 0.5
    a, b, c = names
    whists = joining.adjustments.filter(entry="whists").select("seat", "on_seat", "points").rows()
    assert sorted(whists, key=lambda written: int(written[2])) == [(a, b, 10), (b, c, 20), (c, a, 30)]
    assert joining.effects["player"].to_list() == [row[f"player_{place}"] for place in SEATS]
    reasons = dict(joining.adjustments.filter(pl.col("entry") == "bullet").select("seat", "reason").rows())
    assert reasons == {
        **dict.fromkeys(names, "carried over from pulka 1"),
        seat: "mean of the bullets, rounded down",
    }


def test_joining_any_sheet_under_any_convention() -> None:
    rng = random.Random(23)
    joined = 0
    while joined < 60:
        three, switches = strategies.random_recorded_sheet(rng, 3), strategies.random_switches(rng)
        entries = [value for column in ("bullet", "mountain", "whists") for value in three[column].values()]
        if any(Fraction(value).denominator > 1 for value in entries):
            continue
        joined += 1
        convention, seat = pref.convention("sochi").replace(**switches), rng.choice(SEATS)
        whists = {whists_column(*pair): count for pair, count in three["whists"].items()}
        sheet = recorded(
            list(three["bullet"].values()), list(three["mountain"].values()), limit=three["limit"], **whists
        ).with_columns(closed=False)
        joining = pref.fourth_player_joins(sheet, convention, 2, seat=seat, bullet_limit=60)
        check_joining(joining, three, convention, seat)


def check_joining(joining: Any, three: Record, convention: pref.Convention, seat: str) -> None:
    """Hold a joining against the second scorer, and its shifts against what the rounded means give."""
    rules = plain(convention)
    before = second_scorer.settle(3, three["limit"], three["bullet"], three["mountain"], three["whists"], rules).result
    empty = second_scorer.Pulka(4, 60, second_scorer.no_seats(4), second_scorer.no_seats(4), second_scorer.no_pairs(4))
    second_scorer.apply_adjustments(empty, joining.adjustments.rows(named=True), 0)
    after = second_scorer.settle(4, 60, empty.bullet, empty.mountain, empty.whists, rules)
    taken = dict(zip((other for other in SEATS if other != seat), "abc", strict=True))
    expected = {place: before[taken[place]] if place in taken else Fraction(0) for place in SEATS}
    rows = joining.effects.rows(named=True)
    assert [row["without_twelfths"] for row in rows] == [12 * expected[place] for place in SEATS]
    assert [row["with_twelfths"] for row in rows] == [12 * after.result[place] for place in SEATS]
    assert [row["rounded"] for row in rows] == [after.rounded[place] for place in SEATS]
    assert sum(row["shift_twelfths"] for row in rows) == 0
    shift = {row["seat"]: Fraction(row["shift_twelfths"], 12) for row in rows}
    lost_bullet = Fraction(sum(three["bullet"].values()), 3) - empty.bullet[seat]
    won_mountain = empty.mountain[seat] - Fraction(sum(three["mountain"].values()), 3)
    assert 0 <= lost_bullet < 1
    assert 0 <= won_mountain < 1
    start = 3 * (convention.bullet_share(4) * lost_bullet + convention.mountain_share(4) * won_mountain)
    assert shift[seat] == -start
    if convention.bullet_divisor == convention.mountain_divisor == "players":
        assert {shift[place] for place in taken} == {start / 3}


def test_playing_on_with_four() -> None:
    played = pref.sheets(archive_of([pulka(deals=2)]), "sochi")
    joining = pref.fourth_player_joins(played, "sochi", 2)
    assert joining.effects.select("without_twelfths", "with_twelfths").rows() == [
        (320, 330),
        (-160, -150),
        (-160, -150),
        (0, -30),
    ]
    deals = frame_of([{"pulka": 2, **passed_out(4)}], Deals)
    four = pref.archive(joining.pulkas, deals, joining.adjustments)
    assert not len(four.check().failures)
    assert columns_of(four).select("bullet_a", "bullet_b", "bullet_d").row(0) == (6, 0, 1)


def test_divisors_that_change_what_a_point_costs() -> None:
    convention = pref.convention("sochi").replace(mountain_divisor="players-1", bullet_divisor="players-1")
    joining = pref.fourth_player_joins(recorded([0, 0, 0], [0, 9, 9]), convention, 2)
    assert joining.effects.select("without", "with").rows() == [(90, 80), (-45, -40), (-45, -40), (0, 0)]


def test_a_residue_of_joining() -> None:
    convention = pref.convention("sochi").replace(rounding="total-half-up")
    joining = pref.fourth_player_joins(recorded([0, 0, 1], [0, 0, 1]), convention, 2)
    assert joining.effects["with"].to_list() == [2.5, 2.5, 2.5, -7.5]
    assert joining.effects["rounded"].to_list() == [3, 3, 3, -7]
    assert joining.effects["residue"].to_list() == [2] * 4


@pytest.mark.parametrize(
    ("sheet", "keywords", "said"),
    [
        (recorded([0, 0, 0], [0, 0, 0]).clear(), {}, "there are 0 sheets"),
        (recorded([0, 0, 0], [0, 0, 0]), {"seat": "e"}, "not one of"),
        (recorded([0, 0, 0], [0, 0, 0]), {"pulka": 1}, "that of the three already"),
        (recorded([0, 0, 0], [0, 0, 0]), {"pulka": "x"}, "not the key of a pulka"),
        (recorded([0, 0, 0], [0, 0, 0]), {"bullet_limit": 0}, "at least 1"),
        (recorded([0, 0, 0], [0, 0, 0]), {"bullet_limit": "x"}, "at least 1"),
        (recorded([30, 0, 9], [0, 0, 0]), {"bullet_limit": 29}, "a bullet that is carried over is 30"),
        (
            recorded([30, 0, 9], [0, 0, 0]),
            {"bullet_limit": 12, "convention": "leningrad"},
            "the mean of the bullets that are carried over is 13",
        ),
        (recorded([0, 0, 0], [0, 0, 0]), {"player": 3}, "player is 3, not a name"),
        (recorded([0, 0, 0], [0, 0, 0]), {"player": " "}, "not a name"),
        (
            recorded([0, 0, 0], [0, 0, 0]),
            {"player": "Boris", "pulkas": "known"},
            "sits at the table already, at seat b",
        ),
        (recorded([0, 0, 0], [0, 0, 0]), {"convention": "played"}, "does not tell the convention"),
        (recorded([50, 50, 50], [0, 0, 0], closed=True), {}, "is closed"),
        (recorded([50, 50, 50], [0, 0, 0]), {}, "is closed"),
        (recorded([50, 50, 50], [0, 0, 0]).with_columns(mountain_b=pl.lit(0.5)), {}, "mountain_b=0.5"),
        (recorded([0, 0, 0], [0, 0, 0]).with_columns(mountain_b=pl.lit(None, pl.Int64)), {}, "breaks a rule"),
        (recorded([0, 0, 0], [0, 0, 0]).with_columns(pulka=5), {"pulkas": "known"}, "0 rows of pulka 5"),
    ],
)
def test_nobody_joins(sheet: pl.DataFrame, keywords: Record, said: str) -> None:
    if "pulkas" in keywords:
        keywords = {**keywords, "pulkas": archive_of([pulka()]).pulkas.with_columns(player_b=pl.lit("Boris"))}
    with pytest.raises(CorrectionError, match=said) as error:
        pref.fourth_player_joins(sheet, **{"convention": "sochi", "pulka": 2, **keywords})
    assert error.value.hint


def test_four_do_not_wait_for_a_fourth() -> None:
    four = pref.sheets(archive_of([{"players": 4, "limit": 10, "deals": [passed_out(4)], "adjustments": []}]), "sochi")
    with pytest.raises(CorrectionError, match="has 4 players"):
        pref.fourth_player_joins(four, "sochi", 2)


@pytest.mark.parametrize(
    ("bullet", "limit", "convention"),
    [
        ([30, 0, 9], 30, "sochi"),
        ([30, 0, 9], 13, "leningrad"),
        ([56, 3, 0], None, "leningrad"),
        ([56, 3, 0], 50, "sochi"),
    ],
)
def test_bullets_that_the_limit_holds(bullet: list[int], limit: int | None, convention: str) -> None:
    """A lowered limit holds what is carried over; a bullet above the old limit may stay there."""
    joining = pref.fourth_player_joins(recorded(bullet, [0, 0, 0]), convention, 2, bullet_limit=limit)
    assert joining.pulkas["bullet_limit"].item() == (limit or 50)


def test_joining_is_of_the_russian_game() -> None:
    balkan = pref.sheets(pref.sample(1, convention="balkan"), "balkan")
    for name in ("balkan", "sochi"):
        with pytest.raises(TableError, match="joins in the Russian game only, and the sheets lack") as error:
            pref.fourth_player_joins(balkan, name, 2)
        assert "sheets of the Balkan game; give one of the Russian game" in error.value.hint
    with pytest.raises(TableError, match=r"^the sheets lack"):
        pref.fourth_player_joins(balkan.drop("contract_a"), "sochi", 2)
    with pytest.raises(ConventionError, match="about the Russian one"):
        pref.fourth_player_joins(recorded([0, 0, 0], [0, 0, 0]), "balkan", 2)


def test_a_pulkas_table_has_keys() -> None:
    with pytest.raises(TableError, match="lacks the column pulka"):
        pref.fourth_player_joins(
            recorded([0, 0, 0], [0, 0, 0]), "sochi", 2, pulkas=archive_of([pulka()]).pulkas.drop("pulka")
        )


def test_playing_on_after_the_end() -> None:
    closed = recorded([50, 50, 50], [0, 0, 0], closed=True)
    joining = pref.fourth_player_joins(closed, "sochi", 2, bullet_limit=70)
    assert joining.pulkas["bullet_limit"].item() == 70


# The settlement by hand


def four_and_three() -> pl.DataFrame:
    archive = archive_of([{"players": 4, "limit": 10, "deals": [passed_out(4)], "adjustments": []}, pulka()])
    return pref.sheets(archive, "sochi")


@pytest.mark.parametrize(("variant", "last_step"), [(1, "against_d"), (2, "from_whists")])
def test_steps_keep_their_order_for_tables_of_all_sizes(variant: int, last_step: str) -> None:
    sheets = four_and_three()
    steps = pref.settlement_steps(sheets, "sochi", variant=variant)
    assert steps.columns[-5:] == [last_step, "result", "rounded", "adjusted", "compensation"]
    assert list(zip(steps["pulka"], steps["seat"], strict=True)) == [(1, s) for s in "abcd"] + [(2, s) for s in "abc"]
    assert steps.columns == pref.settlement_steps(sheets.head(1), "sochi", variant=variant).columns


@pytest.mark.parametrize("rounding", ["code", "exact", "nearest", "truncate", "total-half-up"])
def test_steps_under_another_rounding_rule(rounding: str) -> None:
    columns = ["pulka", "seat", "rounded", "adjusted"]
    settled = pref.settle(four_and_three(), "sochi", rounding=rounding)
    steps = pref.settlement_steps(four_and_three(), "sochi", rounding=rounding)
    assert_frame_equal(steps.select(columns), settled.select(columns))


def test_nothing_is_missing_in_balkan_steps() -> None:
    """The columns of a pulka that was played to its end add up to 0, and a zero has no sign."""
    steps = pref.settlement_steps(pref.sheets(pref.sample(2, convention="balkan"), "balkan"), "balkan")
    assert steps["share"].cast(pl.String).to_list() == ["0.0"] * 6
