"""Files of other programs: what stands in them, where it stood, and what became of it."""

from __future__ import annotations

import copy
import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prefdata as pref
from prefdata.balkan.vocabulary import RANKS, SEATS
from prefdata.cli import main
from prefdata.errors import PrefdataError, TableError
from prefdata.readers import Imported, import_file
from prefdata.readers._json import read_json, unread
from tests import balkan_strategies
from tests.test_public_cases import REFINED

DATA = Path(__file__).parent / "data" / "programs"
PPN, PULKA, IT, RU = "two-games.ppn", "pulka.json", "preferans-score-it.json", "preferans-score-ru.json"
OPTIONS: dict[str, dict[str, str]] = {
    PPN: {"convention": "balkan"},
    PULKA: {"convention": "leningrad"},
    IT: {"convention": "sochi"},
    RU: {"convention": "sochi", "first_dealer": "c"},
}
OF_RU = pref.convention("sochi").replace(
    lone_whist="gentleman", lone_whist_tricks="own", raspasy_price=2, ladder=[1], zero_bonus="none"
)
"""What the program's Sochi game does in a pulka without shortages."""

SHORT = settings(max_examples=settings().max_examples // 4)


def read(name: str, **options: Any) -> Imported:
    return import_file(DATA / name, **{**OPTIONS[name], **options})


def read_text(tmp_path: Path, name: str, text: str, **options: Any) -> Imported:
    """Read a changed form of a file."""
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return import_file(file, **{**OPTIONS[name], **options})


def text_of(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


def entries(sheets: pl.DataFrame | None) -> list[dict[str, int]]:
    """Give what is not nothing in the columns of sheets."""
    assert sheets is not None
    columns = [
        name for name in sheets.columns if name.startswith(("bullet_", "mountain_", "whists_", "contract_", "juha_"))
    ]
    rows = sheets.select(columns).drop("bullet_limit", "bullet_total", strict=False).iter_rows(named=True)
    return [{name: points for name, points in row.items() if points} for row in rows]


def scored(imported: Imported, convention: pref.Convention | str) -> list[dict[str, int]]:
    assert imported.archive is not None
    return entries(pref.sheets(imported.archive, convention))


def counted_up(imported: Imported) -> tuple[int, int, int]:
    return imported.rows, imported.good, len(imported.failures)


# --------------------------------------------------------------------------- what the files hold


def test_a_notation_of_two_games() -> None:
    """The first game is the worked example of the Balkan source, whose columns and results are published."""
    imported = read(PPN)
    assert counted_up(imported) == (8, 8, 0)
    first = {"contract_a": -10, "contract_b": -20, "contract_c": -24}
    first |= {"juha_ac": 12, "juha_bc": 12, "juha_cb": 30, "juha_ca": 60}
    second = {"contract_a": -74, "contract_b": -44, "contract_c": -64}
    second |= {"juha_ac": 44, "juha_ba": 70, "juha_ca": 70, "juha_bc": 48}
    assert entries(imported.sheets) == [first, second]
    (own,) = imported.conventions
    assert (own.name, own.refe_max) == ("balkan+refe_max=2", 2)
    assert imported.archive is not None
    assert scored(imported, own) == [first, second]
    pulkas = imported.archive.pulkas.collect()
    assert pulkas["convention"].to_list() == ["balkan", own.name]
    assert pulkas["player_c"].to_list() == ["Vera of the river", "Gleb"]
    assert pulkas.select("bullet_limit", pl.col("played_on").cast(pl.String), "place").row(0) == (
        30,
        "2026-01-31",
        "The old mill",
    )
    assert imported.sheets is not None
    results = imported.sheets.select("result_a", "result_b", "result_c").rows()
    assert results == [(32, -38, 6), (None, None, None)]
    assert pref.settle(imported.sheets, "balkan").filter(pulka=1)["result"].to_list() == [32, -38, 6]
    assert imported.ignored[-1] == "[Duration]"
    assert imported.notes.select("row", "column", "stood", "taken").row(0) == (20, "Refe", "2", own.name)


@pytest.mark.parametrize(("name", "convention"), [(PULKA, REFINED), (RU, OF_RU)])
def test_a_scorer_whose_rules_are_known_is_met(name: str, convention: pref.Convention) -> None:
    imported = read(name)
    assert imported.rows == imported.good
    assert scored(imported, convention) == entries(imported.sheets)
    assert entries(imported.sheets) != scored(imported, "rostov")
    assert imported.archive is not None
    assert pref.audit(imported.archive, convention).different == []
    assert pref.audit(imported.archive, "rostov").different


def test_four_players_of_a_backup() -> None:
    """Worked by hand under Sochi: 7, misère, half a whist, corrections, raspasy at the first step, 8 passed out."""
    imported = read(IT)
    assert counted_up(imported) == (6, 6, 0)
    assert imported.sheets is None
    bullets = {"bullet_a": 4, "bullet_b": 10, "bullet_c": 1 + 6, "bullet_d": 2 + 1}
    beside = {"mountain_a": 3 + 4, "mountain_b": 6, "whists_ba": 3 * 4, "whists_cd": 2 * 2, "whists_bc": -10}
    assert scored(imported, "sochi") == [bullets | beside]
    assert imported.archive is not None
    deals = imported.archive.deals.collect()
    assert deals["dealer"].to_list() == ["d", "a", "b", "c", "d"]
    assert deals["trump"].to_list() == ["diamonds", None, "spades", None, "notrump"]
    assert imported.archive.pulkas.collect().select("stake", "player_d").row(0) == (0.05, "Gleb")
    assert "undone" in imported.ignored


def test_a_limit_that_was_raised_is_noted() -> None:
    imported = read(RU)
    assert counted_up(imported) == (7, 7, 0)
    assert imported.notes.filter(column="state.history[5]").select("row", "stood", "taken").row(0) == (
        6,
        "18:31 | Добавлена пуля: до 20",
        "20",
    )
    assert imported.notes.filter(column="state.convention").select("stood", "taken").row(0) == ("Сочи", "sochi")
    with pytest.raises(TableError) as caught:
        read(RU, convention=None)
    assert "The file calls its own 'Сочи'" in caught.value.hint


def test_the_json_form_of_the_notation(tmp_path: Path) -> None:
    """The second game of the notation, whose deals stand as objects."""
    players = ("p1", "p2", "p3")

    def deal(number: int, order: int, main: int, told: str, value: int, *of_players: dict[str, Any]) -> dict[str, Any]:
        contract, accepted, kontra = told.split()
        game = {"main": main, "contract": contract, "accepted": int(accepted), "kontra": kontra, "refa": False}
        summary = [{"main": place == main, "tricks": 0} | one for place, one in enumerate(of_players, start=1)]
        bids = dict(zip(players, ("P", "2", "P"), strict=True))
        head = {"id": number, "dealOrder": order, "cards": {"t": "T9"}, "bids": bids}
        return {**head, **game, "value": value, "throws": [], "summary": dict(zip(players, summary, strict=True))}

    deals = [
        deal(
            1, 231, 1, "G6 8 0", 14, {"tricks": 1, "middle": 14}, {"tricks": 5, "left": 70}, {"tricks": 4, "left": 70}
        ),
        deal(2, 312, 3, "4 1 I1", 8, {"tricks": 4, "left": 32}, {}, {"tricks": 6, "middle": -8}),
        deal(3, 123, 2, "G7 0 0", 16, {}, {"tricks": 10, "middle": -16}, {}),
        deal(
            4, 231, 3, "3 8 K2", 12, {"tricks": 1, "left": 12}, {"tricks": 4, "left": 48}, {"tricks": 5, "middle": 12}
        ),
        {"id": 5, "dealOrder": 312, "bids": dict.fromkeys(players, "P")},
    ]
    file = tmp_path / "deals.json"
    file.write_text(json.dumps(deals), encoding="utf-8")
    imported = import_file(file, convention="balkan", bullet_limit=60, players=["Anna", "Boris", "Gleb"])
    assert counted_up(imported) == (5, 5, 0)
    notation = read(PPN)
    assert entries(imported.sheets) == entries(notation.sheets)[1:]
    assert imported.archive is not None
    assert notation.archive is not None
    columns = pl.exclude("pulka", "deal")
    of_second = notation.archive.deals.filter(pulka=2).select(columns).collect()
    assert imported.archive.deals.filter(pl.col("deal") < 5).select(columns).collect().equals(of_second)
    deals[1]["summary"]["p2"]["main"] = True
    file.write_text(json.dumps(deals), encoding="utf-8")
    told = import_file(file, convention="balkan", bullet_limit=60).failures.frame.row(0, named=True)
    assert (told["row"], told["value"]) == (2, "[1].summary.p2.main=true")


# --------------------------------------------------------------------------- what the files leave open


@pytest.mark.parametrize(
    ("name", "lacking", "option"),
    [
        (PPN, "convention", "convention"),
        (PULKA, "convention", "convention"),
        (IT, "convention", "convention"),
        (RU, "convention", "convention"),
        (RU, "first_dealer", "first_dealer"),
    ],
)
def test_what_a_file_leaves_open_is_asked_for(name: str, lacking: str, option: str) -> None:
    with pytest.raises(TableError) as caught:
        read(name, **{lacking: None})
    assert name in caught.value.what
    assert option in caught.value.hint


def test_a_limit_that_a_notation_lacks_is_asked_for(tmp_path: Path) -> None:
    text = text_of(PPN).replace("[Bula 60]", "")
    with pytest.raises(TableError, match="row 20 does not tell the limit"):
        read_text(tmp_path, PPN, text)
    imported = read_text(tmp_path, PPN, text, bullet_limit=60)
    assert entries(imported.sheets) == entries(read(PPN).sheets)


def test_a_convention_of_another_game_is_refused() -> None:
    with pytest.raises(TableError, match="Balkan game, and sochi is a convention of the Russian one"):
        read(PPN, convention="sochi")
    with pytest.raises(TableError, match="Russian game, and balkan is a convention of the Balkan one"):
        read(PULKA, convention="balkan")


def test_who_deals_first_goes_round(tmp_path: Path) -> None:
    document = json.loads(text_of(IT))
    del document["config"]["firstRestPlayerId"]
    with pytest.raises(TableError) as caught:
        read_text(tmp_path, IT, json.dumps(document))
    assert "first_dealer: one of a, b, c, d" in caught.value.hint
    imported = read_text(tmp_path, IT, json.dumps(document), first_dealer="d")
    assert imported.archive is not None
    assert imported.archive.deals.collect()["dealer"].to_list() == ["d", "a", "b", "c", "d"]


def test_the_command_asks_in_its_own_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["import", str(DATA / RU), "--out", str(tmp_path / "archive")]
    assert main(asked) == 2
    assert "Name one with -c" in capsys.readouterr().err
    assert main([*asked, "-c", "sochi"]) == 2
    assert "the seat with --first-dealer: one of a, b, c" in capsys.readouterr().err
    assert main([*asked, "-c", "sochi", "--first-dealer", "c"]) == 0
    assert entries(pref.sheets(tmp_path / "archive", OF_RU)) == entries(read(RU).sheets)


# --------------------------------------------------------------------------- dirty files


@pytest.mark.parametrize(
    ("old", "new", "row", "value", "reason"),
    [
        ("[1 231 1B", "[1 221 1B", 13, "order 221", "order must be the numbers 1, 2 and 3"),
        ("3 AR 3 8 0", "4 AR 3 8 0", 13, "declarer 4", "declarer must be 1, 2 or 3"),
        ("3 AR 3 8 0", "3 AR 9 8 0", 13, "game 9", "game must be a number from 2 to 8"),
        ("3 AR 3 8 0", "3 AR 8 8 0", 13, "game 8", "preferans is a game that has no rules here"),
        ("3 AR 3 8 0", "3 AR 3 3 0", 13, "who came 3", "who came must be a defender"),
        ("3 AR 3 8 0", "3 AR 3 1 I2", 13, "invitation I2", "who invites must be a defender who came"),
        ("3 AR 3 8 0", "3 AR 3 8 X1", 13, "contra X1", "contra must be 0, or I, K, R, S or M"),
        ("8 0 0 6 2", "8 0 0 8 2", 13, "value 8", "value must be 6, as"),
        ("8 0 0 6 2", "8 0 2 6 2", 13, "refe 2", "refe must be 0 or 1"),
        ("M6:-6,F2", "M11:-6,F2", 13, "M11:-6", "summary of the declarer must be such as"),
        ("F2:L12,M6:-6,F2:L12", "F2:L12,M6:-6", 13, "summary F2:L12,M6:-6", "three players"),
        ("P,P,P]", "P,P,2]", 15, "bids P,P,2", "bids must be P,P,P"),
        ("8 0 0 6 2 -", "8 0 0 6 2", 13, "value 0", "value must be"),
        ("[Refe 1]", "[Refe one]", 2, "Refe one", "Refe must be a whole number"),
        ("[Refe 1]", "[Bula 40]", 2, "Bula for the second time", "once in a game"),
        ("[Bula 30]", "[Bula 0]", 1, "Bula 0", "Bula must be from 1 to 65535"),
        ("[Date 2026.01.31]", "[Date 2026.31.01]", 9, "Date 2026.31.01", "such as 2026.01.31"),
        ("[Duration 48]", "Duration 48]", 11, "Duration 48]", "must stand in brackets"),
    ],
)
def test_what_is_wrong_in_a_notation_is_named_by_line(
    tmp_path: Path, old: str, new: str, row: int, value: str, reason: str
) -> None:
    imported = read_text(tmp_path, PPN, text_of(PPN).replace(old, new, 1))
    (told,) = imported.failures.frame.iter_rows(named=True)
    assert (told["row"], told["pulka"]) == (row, 1)
    assert value in told["value"]
    assert reason in told["reason"]
    assert imported.good == 4
    assert entries(imported.sheets) == entries(read(PPN).sheets)[1:]


def test_rules_of_the_tables_name_the_line(tmp_path: Path) -> None:
    text = text_of(PPN).replace("F2:L12,M6:-6,F2:L12", "F2:L12,M6:-6,F1:L12").replace("[3 123", "[5 123", 1)
    frame = read_text(tmp_path, PPN, text).failures.frame
    assert frame.filter(rule="tricks_add_up")["row"].to_list() == [13]
    assert set(frame["pulka"]) == {1}


def changed(name: str, path: Iterable[str | int], value: Any) -> str:
    """Put something else into a document."""
    document = json.loads(text_of(name))
    *way, last = path
    inner = document
    for key in way:
        inner = inner[key]
    inner[last] = value
    return json.dumps(document)


IN_PULKA = ("state", "game")


@pytest.mark.parametrize(
    ("name", "path", "value", "row", "stood", "reason"),
    [
        (PULKA, (*IN_PULKA, "deals", 0, "player"), "D", 1, 'deals[0].player="D"', 'one of "A", "B", "C"'),
        (PULKA, (*IN_PULKA, "deals", 2, "contract"), None, 3, "deals[2].contract=null", "an object"),
        (PULKA, (*IN_PULKA, "deals", 3, "playerTricks"), 11, 4, "deals[3].playerTricks=11", "from 0 to 10"),
        (PULKA, (*IN_PULKA, "deals", 5, "tricks", "B"), "2", 6, 'deals[5].tricks.B="2"', "a whole number"),
        (PULKA, (*IN_PULKA, "deals", 0, "firstHand"), "C", 1, 'deals[0].dealer="C"', "right of the first hand"),
        (PULKA, (*IN_PULKA, "deals", 4), [], 5, "deals[4]=[]", "an object"),
        (PULKA, (*IN_PULKA, "poolLimit"), 0, 1, "poolLimit=0", "from 1 to 65535"),
        (PULKA, (*IN_PULKA, "mount", "A"), 0.7, 1, "mount.A=0.7", "whole in twelfths"),
        (PULKA, (*IN_PULKA, "players", "A"), "\ud800", 1, "players.A=", "a text"),
        (PULKA, (*IN_PULKA, "deals"), {}, 1, "deals={}", "a list"),
        (IT, ("events", 0, "declarerId"), "p4", 1, 'events[0].declarerId="p4"', 'one of "p1"'),
        (
            IT,
            ("events", 3, "adjustments", 1, "amount"),
            0.5,
            4,
            "events[3].adjustments[1].amount=0.5",
            "a whole number",
        ),
        (IT, ("events", 4, "tricks"), {"p1": 4}, 5, "events[4].tricks.p2 is missing", "a whole number"),
        (IT, ("config", "players", 1, "id"), "p1", 1, "config.players=[", "an id of his own"),
        (RU, ("state", "players"), ["А", "Б", "В", "Г", "Д"], 1, "state.players=[", "three or four players"),
        (RU, ("state", "whists", 1), [0, 0], 1, "state.whists=[", "3 rows of 3 numbers"),
        (PULKA, (*IN_PULKA, "whists", "B", "B"), 4, 1, "whists.B.B=4", "nobody writes whists on himself"),
        (RU, ("state", "whists", 2, 2), -1, 1, "state.whists[2][2]=-1", "nobody writes whists on himself"),
        (RU, ("state", "poolClosingMode"), "both", 1, 'state.poolClosingMode="both"', 'one of "each", "total"'),
    ],
)
def test_what_is_wrong_in_a_document_is_named_by_path(
    tmp_path: Path, name: str, path: tuple[str | int, ...], value: Any, row: int, stood: str, reason: str
) -> None:
    imported = read_text(tmp_path, name, changed(name, path, value))
    (told,) = imported.failures.frame.iter_rows(named=True)
    assert told["row"] == row
    assert stood in told["value"]
    assert reason in told["reason"]
    assert (imported.good, imported.archive, imported.sheets) == (0, None, None)


def test_a_bad_game_beside_a_good_one(tmp_path: Path) -> None:
    """Rows of the program's cloud: the deals are counted through, and the good game stays."""
    game = json.loads(text_of(PULKA))["state"]["game"]
    head = {"players": game["players"], "pool_limit": game["poolLimit"], "created_at": "2026-01-31T18:00:00+00:00"}
    state = {key: game[key] for key in ("pool", "mount", "whists", "deals")}
    bad = copy.deepcopy(state)
    bad["deals"][1]["vistDecisions"]["A"] = "maybe"
    rows = [{**head, "state": bad}, {**head, "state": state}]
    imported = read_text(tmp_path, PULKA, json.dumps(rows))
    assert counted_up(imported) == (12, 6, 1)
    assert imported.failures.frame.select("row", "pulka", "value").row(0) == (
        2,
        1,
        '[0].state.deals[1].vistDecisions.A="maybe"',
    )
    assert entries(imported.sheets) == entries(read(PULKA).sheets)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is no JSON: .* line 1, column 2"),
        ("", "is no JSON"),
        ('{"players": [], "players": []}', "the key 'players' stands twice"),
        ('{"players": NaN}', "NaN is no number"),
        ("[" * 100_000, "nested too deeply|no JSON"),
        ("1" * 5000, "is no JSON"),
        ("{}", "of no known format"),
        ("[]", "of no known format"),
        ("3", "of no known format"),
    ],
)
def test_what_is_no_document_is_refused(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(TableError, match=told):
        read_text(tmp_path, PULKA, text)


# --------------------------------------------------------------------------- what is put right


def test_what_was_not_played_has_no_tricks() -> None:
    for name, rows in {PULKA: [2, 3], IT: [3], RU: [2, 4]}.items():
        imported = read(name)
        notes = imported.notes.filter(pl.col("stood").str.contains("tricks_"))
        assert notes["row"].to_list() == rows
        strict = read(name, strict=True)
        assert strict.failures.frame.filter(rule="tricks_where_played")["row"].to_list() == rows
        assert set(strict.failures.frame["row"]) == set(rows)
        assert strict.good == 0


def test_a_ten_that_nobody_whisted_was_not_checked(tmp_path: Path) -> None:
    """The tables would take its tricks for those of a checked ten, which ends raspasy where one must be played."""
    document = json.loads(text_of(PULKA))
    ten = document["state"]["game"]["deals"][1]
    ten["contract"]["level"] = ten["playerTricks"] = 10
    imported = read_text(tmp_path, PULKA, json.dumps(document))
    assert imported.archive is not None
    assert imported.archive.deals.filter(deal=2).select("tricks_a", "tricks_b").collect().row(0) == (None, None)
    assert imported.notes.row(0)[:4] == (2, "tricks", "tricks_a=0, tricks_b=10, tricks_c=0", "nothing")
    strict = read_text(tmp_path, PULKA, json.dumps(document), strict=True)
    assert strict.failures.frame.row(0, named=True)["value"].startswith("state.game.deals[1]: tricks_a=0")


def test_both_whist_on_a_six_of_spades_of_that_program(tmp_path: Path) -> None:
    text = changed(PULKA, (*IN_PULKA, "deals", 0, "contract", "suit"), "S")
    imported = read_text(tmp_path, PULKA, text)
    assert imported.archive is not None
    assert imported.archive.deals.collect().select("call_a", "call_b", "call_c").row(0) == (None, "whist", "whist")
    assert imported.notes.select("row", "column", "stood", "taken").row(0) == (
        1,
        "state.game.deals[0].vistDecisions.C",
        "pass",
        "whist",
    )
    assert read_text(tmp_path, PULKA, text, strict=True).failures.frame["row"].to_list() == [1]


def test_a_journal_that_tells_no_deals_leaves_the_sheet(tmp_path: Path) -> None:
    text = changed(RU, ("state", "history", 2), "18:20 | Мизер: Вера & Ко взял 1.")
    imported = read_text(tmp_path, RU, text, convention=None, first_dealer=None)
    assert imported.archive is None
    assert counted_up(imported) == (1, 1, 0)
    assert entries(imported.sheets) == entries(read(RU).sheets)
    assert imported.notes["column"].to_list() == ["state.history[2]"]


def test_an_earlier_version_wrote_capitals(tmp_path: Path) -> None:
    state = json.loads(text_of(RU))["state"]
    text = json.dumps({key[0].upper() + key[1:]: value for key, value in state.items()})
    imported = read_text(tmp_path, RU, text)
    assert scored(imported, OF_RU) == entries(read(RU).sheets)


def test_one_who_rested_dealt(tmp_path: Path) -> None:
    """Four players: the journal tells who rested, and in a misère the deal goes round."""
    document = json.loads(text_of(RU))
    details = "<div><strong>{}</strong>: {}.</div>"
    told = [
        (
            "6 взяток: Анна сыграл.",
            ["играет; взятки 6; Пуля +2", "отдых", "вист; взятки 4; Висты +8 на Анна", "пас; взятки 0"],
        ),
        ("Мизер: Анна сыграл.", ["играет; взятки 0; Пуля +10", "пас; взятки 4", "пас; взятки 0", "пас; взятки 6"]),
    ]
    players = ["Анна", "Борис", "Вера", "Глеб"]
    history = [
        f"18:00 | {what}\n[[history-details]]\n" + "".join(map(details.format, players, parts)) for what, parts in told
    ]
    nothing = [0, 0, 0, 0]
    document["state"] |= {"players": players, "pool": [12, 0, 0, 0], "mountain": nothing, "history": history}
    document["state"]["whists"] = [nothing, nothing, [8, 0, 0, 0], nothing]
    imported = read_text(tmp_path, RU, json.dumps(document), first_dealer=None)
    assert imported.archive is not None
    deals = imported.archive.deals.collect()
    assert deals.select("dealer", "tricks_b", "tricks_c", "tricks_d").rows() == [("b", None, 4, 0), ("c", 4, None, 6)]
    assert scored(imported, OF_RU) == entries(imported.sheets)


def test_unread_parts_are_listed_once(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text('{"deals": [{"a": 1, "b": 2}, {"a": 1, "b": {"c": 3}}], "x\\u001b": 1}', encoding="utf-8")
    document = read_json(file)
    assert [deal["a"].whole() for deal in document["deals"].items()] == [1, 1]
    assert unread(document) == ["deals[].b", "x\\x1b"]


def test_a_correction_of_the_step_alone_is_noted(tmp_path: Path) -> None:
    document = json.loads(text_of(IT))
    document["events"][3] |= {"adjustments": [], "raspasyLevel": 2}
    imported = read_text(tmp_path, IT, json.dumps(document))
    assert counted_up(imported) == (5, 5, 0)
    assert imported.notes.filter(row=4).select("column", "stood").rows() == [
        ("events[3].raspasyLevel", "2"),
        ("events[3]", "no adjustments"),
    ]


# --------------------------------------------------------------------------- there and back


def notation(deals: Iterable[Mapping[str, Any]], *, limit: int) -> str:
    """Write deals as records of the notation, in the plainest form that it allows."""
    lines = [f"[Bula {limit}]", "[Player1 Anna]"]
    number_of = {seat: str(number) for number, seat in enumerate(SEATS, start=1)}
    for number, deal in enumerate(deals, start=1):
        place = SEATS.index(deal["dealer"])
        order = [SEATS[(place + step) % 3] for step in (1, 2, 3)]
        parts = [str(number), "".join(number_of[seat] for seat in order), "-"]
        if deal["contract"] == "all_pass":
            lines.append("[" + " ".join([*parts, "P,P,P"]) + "]")
            continue
        calls = {seat: deal[f"call_{seat}"] for seat in SEATS}
        came = [seat for seat, call in calls.items() if call in ("come", "invite")]
        inviter = [seat for seat, call in calls.items() if call == "invite"]
        contra = f"I{number_of[inviter[0]]}" if inviter else "0"
        if deal["contra"]:
            contra = " KRSM"[deal["contra"]] + number_of[deal["contra_by"]]
        rank = RANKS[deal["contract"]]
        value = 2 * (rank + deal["hand"]) << deal["contra"]
        game = ("G" if deal["hand"] else "") + str(rank)
        said = "8" if len(came) == 2 else number_of[came[0]] if came else "0"
        told = {seat: f"F{deal[f'tricks_{seat}']}" if deal[f"tricks_{seat}"] else "0" for seat in SEATS}
        told[deal["declarer"]] = f"M{deal['tricks_' + deal['declarer']] or 0}:0"
        parts += ["-", number_of[deal["declarer"]], "-", game, said, contra, str(value), "1", "-"]
        lines.append("[" + " ".join([*parts, ",".join(told[seat] for seat in order)]) + "]")
    return "\n".join(lines)


def as_noted(deal: Mapping[str, Any]) -> dict[str, Any]:
    """Keep what the notation can tell of a deal: no zero of who passed, no defender alone in a bettel."""
    noted = {name: deal[name] for name in deal if name not in ("pulka", "deal", "outcome")}
    seats = [seat for seat in SEATS if seat != deal["declarer"]]
    tricks = {f"tricks_{seat}": deal[f"tricks_{seat}"] for seat in seats}
    if deal["contract"] == "bettel":
        whole = sum(number or 0 for number in tricks.values()) + deal[f"tricks_{deal['declarer']}"] == 10
        return noted | {name: (number or 0) if whole else None for name, number in tricks.items()}
    return noted | {f"tricks_{seat}": None for seat in seats if deal[f"call_{seat}"] == "pass"}


def can_be_noted(deal: Mapping[str, Any]) -> bool:
    """Tell whether the notation has room for it: four contras at most, and none beside an invitation."""
    invited = any(deal[f"call_{seat}"] == "invite" for seat in SEATS)
    return deal["contra"] <= 4 and not (deal["contra"] and invited)


@SHORT
@given(st.lists(balkan_strategies.deals().filter(can_be_noted), min_size=1, max_size=8))
def test_a_notation_comes_back(deals: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, PPN)
        file.write_text(notation(deals, limit=50), encoding="utf-8")
        imported = import_file(file, convention="balkan")
    assert imported.failures.frame.is_empty()
    assert imported.archive is not None
    back = imported.archive.deals.collect().to_dicts()
    assert [as_noted(deal) for deal in back] == [as_noted(deal) for deal in deals]


# --------------------------------------------------------------------------- nothing else than rows or an error

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 20),
    st.sampled_from([10**400, -(2**63), 2**31, 1e308, 0.5, 1e-300, -0.0]),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from(["A", "p1", "vist", "pass", "game", "raspas", "normal", "\ud800", "\0", "=1+1", "6"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=6,
)


def places(value: Any) -> Iterable[tuple[Any, Any]]:
    """List all places of a document: what holds something, and the key or index under which it does."""
    keys = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(keys):
        yield value, key
        yield from places(inner)


@st.composite
def documents(draw: st.DrawFn, name: str) -> str:
    """Draw a document with a few things left out, doubled, or put where something else was."""
    document = json.loads(text_of(name))
    for _ in range(draw(st.integers(1, 4))):
        every = list(places(document))
        if not every:
            break
        holder, key = draw(st.sampled_from(every))
        what = draw(st.sampled_from(["drop", "put", "put", "move"]))
        if what == "drop":
            del holder[key]
        elif what == "put":
            holder[key] = draw(VALUES)
        else:
            other, place = draw(st.sampled_from(every))
            holder[key] = copy.deepcopy(other[place]) if (isinstance(other, list) or place in other) else None
    return json.dumps(document)


def holds(name: str, content: bytes, options: Mapping[str, Any]) -> None:
    """Read bytes: either an error of prefdata, or rows that add up."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, name)
        file.write_bytes(content)
        try:
            imported = import_file(file, **options)
        except PrefdataError:
            return
        assert 0 <= imported.good <= imported.rows
        if imported.good < imported.rows:
            assert len(imported.failures)
        if imported.archive is not None:
            assert not len(imported.archive.check().failures)
        imported.render()


@pytest.mark.parametrize("name", [PULKA, IT, RU])
@SHORT
@given(data=st.data())
def test_no_document_breaks_a_reader(name: str, data: st.DataObject) -> None:
    text = data.draw(documents(name))
    holds(name, text.encode(data.draw(st.sampled_from(["utf-8", "utf-8", "utf-16"]))), OPTIONS[name])


@pytest.mark.parametrize("name", [PPN, PULKA, IT, RU])
@SHORT
@given(data=st.data())
def test_no_bytes_break_a_reader(name: str, data: st.DataObject) -> None:
    content = bytearray((DATA / name).read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        start = data.draw(st.integers(0, len(content)))
        content[start : start + data.draw(st.integers(0, 12))] = data.draw(st.binary(max_size=8))
    formats = {PPN: "ppn", PULKA: "pulka-json", IT: "preferans-score-it", RU: "preferans-score-ru"}
    holds(name, bytes(content), {**OPTIONS[name], "format": formats[name]})


@SHORT
@given(data=st.data())
def test_no_notation_breaks_its_reader(data: st.DataObject) -> None:
    """Parts of records are left out, doubled, exchanged, and replaced by others."""
    lines = [line.split(" ") for line in text_of(PPN).splitlines()]
    for _ in range(data.draw(st.integers(1, 6))):
        line = data.draw(st.sampled_from(lines))
        place = data.draw(st.integers(0, max(len(line) - 1, 0)))
        others = ["0", "1", "9", "123", "F3:L24", "M6:-6", "G6", "K1", "I2", '"', "[", "]", "٣", "9" * 12, "-"]
        line[place : place + data.draw(st.integers(0, 2))] = data.draw(st.lists(st.sampled_from(others), max_size=2))
    text = "\n".join(map(" ".join, lines))
    holds(PPN, text.encode(), {**OPTIONS[PPN], "format": "ppn", "bullet_limit": 60})
