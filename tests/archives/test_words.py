"""Words as people write them: each stands for a word of a vocabulary, and what stands for none sets its pulka aside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.archives import Archive, TableFrame
from prefdata.balkan import tables as balkan
from prefdata.balkan import vocabulary as balkan_vocabulary
from prefdata.russian import tables as russian
from prefdata.russian import vocabulary as russian_vocabulary
from prefdata.russian.vocabulary import TRUMP
from prefdata.tables import Table
from prefdata.vocabulary import Words, folded
from tests.archives.builders import Frames, archive_of_frames, assert_same_tables, frames_of, sheets_of, write_files

VOCABULARIES = {"russian": russian_vocabulary.WORDS, "balkan": balkan_vocabulary.WORDS}
TABLES = {"russian": (russian.DEALS, russian.ADJUSTMENTS), "balkan": (balkan.DEALS, balkan.ADJUSTMENTS)}
ALL_WORDS = [(game, words) for game, vocabularies in VOCABULARIES.items() for words in vocabularies.values()]


def written(words: Words) -> Iterator[tuple[str, str]]:
    """Give every text that stands for a word of a vocabulary."""
    for word in words.kind.categories:
        for text in (word, *words.synonyms.get(word, ())):
            yield from ((form, word) for form in (text, text.upper(), text.capitalize(), f" {text}\t", f"\u00a0{text}"))


def columns_of(game: str, kind: pl.Enum) -> list[tuple[Table, str]]:
    return [
        (table, name)
        for table in TABLES[game]
        for name, column in table.schema.columns().items()
        if column.dtype == kind
    ]


@pytest.mark.parametrize("kind", [pl.String, pl.Categorical, "enum"])
@pytest.mark.parametrize(("game", "words"), ALL_WORDS)
def test_every_text_reads_as_its_word(game: str, words: Words, kind: object) -> None:
    texts, expected = zip(*written(words), strict=True)
    column = pl.Series(texts).cast(pl.Enum(sorted(set(texts))) if kind == "enum" else kind)  # type: ignore[arg-type]
    places = columns_of(game, words.kind)
    assert places
    for table, name in places:
        frame = table.schema.create_empty().clear(len(texts)).with_columns(column.alias(name))
        for lazy in (frame.lazy(), pl.concat([frame, frame]).lazy()):
            read = TableFrame(lazy, table, "table").typed().select(name).collect().to_series()
            assert read.dtype == words.kind
            assert read[: len(texts)].to_list() == list(expected)


@pytest.mark.parametrize(("game", "words"), ALL_WORDS)
def test_no_text_stands_for_two_words(game: str, words: Words) -> None:
    texts, meant = zip(*written(words), strict=True)
    forms = pl.DataFrame({"text": texts, "word": meant}).group_by(folded(pl.col("text"))).agg(pl.col("word").n_unique())
    assert forms["word"].max() == 1, game
    assert len(words.spellings) == forms.height
    assert set(words.synonyms) <= set(words.kind.categories)


@pytest.mark.parametrize("game", TABLES)
def test_every_vocabulary_of_a_table_has_its_words(game: str) -> None:
    kinds = {column.dtype for table in TABLES[game] for column in table.schema.columns().values()}
    assert {kind for kind in kinds if isinstance(kind, pl.Enum)} == set(VOCABULARIES[game])
    assert all(table.words is VOCABULARIES[game] for table in TABLES[game])


@pytest.mark.parametrize(
    ("game", "column", "word", "texts"),
    [
        ("russian", "contract", "raspasy", ["Распасы", "распасы", "РАСПАСЫ", "Raspasy", "pаспаcы"]),
        ("russian", "contract", "misere", ["мизер", "MISERE", "misère", "mise\u0300re", "М", "M"]),
        ("russian", "contract", "6", [" 6 ", "６", "Шестерная"]),
        ("russian", "contract", "9", ["девятерная"]),
        ("russian", "call_b", "whist", ["Вист", "WHIST", "виcт"]),
        ("russian", "call_b", "pass", ["пас", "Пас "]),
        ("russian", "call_b", "half", ["полвиста", "Уход за своих", "пол–виста"]),
        ("russian", "trump", "spades", ["пики", "♠"]),
        ("russian", "trump", "clubs", ["трефы", "Трёфы"]),
        ("russian", "trump", "notrump", ["без козыря", "бескозырка", "БК"]),
        ("russian", "dealer", "a", ["A", "а", "А "]),
        ("russian", "entry", "bullet", ["пуля", "ПУЛЯ"]),
        ("russian", "entry", "mountain", ["гора"]),
        ("russian", "entry", "whists", ["висты"]),
        ("balkan", "contract", "hearts", ["herc", "Херц", "hearts"]),
        ("balkan", "contract", "diamonds", ["karo", "бубны"]),
        ("balkan", "contract", "bettel", ["Betl"]),
        ("balkan", "contract", "all_pass", ["All pass"]),
        ("balkan", "call_c", "come", ["dođem", "Dođem", "DOĐEM", "dodjem"]),
        ("balkan", "call_c", "pass", ["ne dođem", "пас"]),
        ("balkan", "call_c", "invite", ["zovem"]),
        ("balkan", "entry", "juha", ["Supa", "юха"]),
    ],
)
def test_what_people_write(game: str, column: str, word: str, texts: list[str]) -> None:
    table = next(table for table in TABLES[game] if column in table.schema.columns())
    frame = table.schema.create_empty().clear(len(texts)).with_columns(pl.Series(column, texts))
    read = TableFrame(frame.lazy(), table, "table").typed().select(column).collect().to_series()
    assert read.to_list() == [word] * len(texts)


RUSSIAN = {
    **dict(zip(["pass", "whist", "half"], ["Пас", "ВИСТ", "полвиста"], strict=True)),
    **dict(zip(["6", "misere", "raspasy"], [" 6", "мизер ", "Распасы"], strict=True)),
    **dict(zip(TRUMP.categories, ["♠", "трефы", "Бубны", "черви", "без козыря"], strict=True)),
    **dict(zip(["bullet", "mountain", "whists"], ["пуля", "Гора", "висты"], strict=True)),
    **dict(zip(["a", "b", "c"], ["A", "B ", "С"], strict=True)),
}
"""The words as a Russian table keeps them."""


def in_russian(frames: Frames) -> Frames:
    words = pl.selectors.enum().cast(pl.String).replace(RUSSIAN)
    return {table: frame.drop("outcome", strict=False).with_columns(words) for table, frame in frames.items()}


def test_an_archive_in_russian_gives_the_same_sheets(club: Archive, club_sheets: pl.DataFrame, tmp_path: Path) -> None:
    trumps = pl.Series(TRUMP.categories.to_list() * 1000, dtype=TRUMP).head(club.deals.collect().height)
    club = pref.archive(club.pulkas, club.deals.with_columns(trump=pl.lit(trumps)), club.adjustments)
    frames = in_russian(frames_of(club))
    assert set(RUSSIAN.values()) <= {
        text for frame in frames.values() for column in frame.select(pl.col(pl.String)) for text in column
    }
    read = archive_of_frames(frames)
    assert not len(read.check().failures)
    assert_same_tables(read, club)
    assert_frame_equal(sheets_of(read), club_sheets)
    for table, frame in frames.items():
        write_files(tmp_path / "club", table, {"part-00000": frame})
    opened = pref.open_archive(tmp_path / "club")
    assert_same_tables(opened, club)
    assert_frame_equal(sheets_of(opened), club_sheets)
    streamed = opened.deals.drop("outcome").sort("pulka", "deal").collect(engine="streaming")
    assert_frame_equal(streamed, club.deals.drop("outcome").sort("pulka", "deal").collect())
    assert_same_tables(pref.write_archive(opened, tmp_path / "again"), club)


def test_tables_of_comma_separated_texts_are_read(plain: Archive, plain_sheets: pl.DataFrame, tmp_path: Path) -> None:
    scanned = {}
    for table, frame in in_russian(frames_of(plain)).items():
        kinds = {name: kind for name, kind in frame.schema.items() if kind in (pl.String, pl.Date, pl.Float64)}
        frame.write_csv(tmp_path / table)
        scanned[table] = pl.scan_csv(tmp_path / table, schema_overrides=kinds)
    assert_frame_equal(sheets_of(pref.archive(**scanned)), plain_sheets)


def test_entries_of_deals_in_russian(plain: Archive) -> None:
    deals = plain.deals.collect()
    written = in_russian({"deals": deals})["deals"]
    expected = pref.entries(deals, "sochi")
    assert_frame_equal(pref.entries(written, "sochi"), expected)
    assert_frame_equal(pref.entries(written.lazy(), "sochi").collect(), expected)


@pytest.mark.parametrize("word", ["Вистт", "вист пас", "Whists", "", " ", "полпаса", "w"])
def test_a_word_that_is_none_sets_its_pulka_alone_aside(plain: Archive, plain_sheets: pl.DataFrame, word: str) -> None:
    frames = in_russian(frames_of(plain))
    lost = frames["deals"].filter(pl.col("call_a").is_not_null()).row(0, named=True)
    is_lost = (pl.col("pulka") == lost["pulka"]) & (pl.col("deal") == lost["deal"])
    frames["deals"] = frames["deals"].with_columns(call_a=pl.when(is_lost).then(pl.lit(word)).otherwise("call_a"))
    read = archive_of_frames(frames)
    good, failures = read.check()
    said = failures.frame.select("rule", "pulka", "deal", "value", "reason").rows()
    reason = "call_a must be one of pass, whist, half"
    assert said == [("call_a|dtype", lost["pulka"], lost["deal"], f"call_a={word}", reason)]
    assert failures.pulkas.to_list() == [lost["pulka"]]
    rest = plain_sheets.filter(pl.col("pulka") != lost["pulka"])
    assert_frame_equal(sheets_of(good), rest)
    with pytest.warns(pref.SetAsideWarning, match=f"call_a={word}"):
        assert_frame_equal(sheets_of(read), rest)


def test_a_broken_deal_in_russian_is_told_in_the_words_of_the_table(plain: Archive) -> None:
    frames = in_russian(frames_of(plain))
    first = frames["deals"].filter(pl.col("call_a") == "ВИСТ").row(0, named=True)
    is_first = (pl.col("pulka") == first["pulka"]) & (pl.col("deal") == first["deal"])
    frames["deals"] = frames["deals"].with_columns(talon=pl.when(is_first).then(9).otherwise("talon").cast(pl.UInt8))
    failures = archive_of_frames(frames).check().failures
    assert failures.counts() == {"talon|max": 1}
