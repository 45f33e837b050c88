"""The README and the shipped data stay true."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import prefdata as pref
from prefdata.russian.tables import Deals
from prefdata.simulate import HABITS
from prefdata.tables import Pulkas

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


@pytest.mark.parametrize("code", PYTHON)
def test_python_of_the_readme_runs(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    assert len(list(tmp_path.iterdir())) == 2 or "render()" in code


def test_toml_of_the_readme_is_a_convention(tmp_path: Path) -> None:
    (code,) = re.findall(r"```toml\n(.*?)```", README, flags=re.DOTALL)
    file = tmp_path / "house.toml"
    file.write_text(code, encoding="utf-8")
    house = pref.convention(file)
    assert set(house.diff(pref.convention("sochi"))) == {"lone_whist", "consolation", "half_whist", "rounding"}


def test_links_of_the_readme_lead_somewhere() -> None:
    for link in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / link).exists(), link


def test_shipped_archive_keeps_its_schema_and_all_rules() -> None:
    club = pref.open_archive(ROOT / "data" / "club")
    assert not len(club.check().failures)
    (part,) = club.parts
    assert part.has_codes
    for table, schema in ((part.pulkas, Pulkas), (part.deals, Deals)):
        assert dict(table.raw.collect_schema()) == {name: column.dtype for name, column in schema.columns().items()}
    assert club.pulkas.collect().height == 2000
    assert sum(file.stat().st_size for file in (ROOT / "data" / "club").rglob("*.*")) < 500_000


def test_shipped_archive_is_what_its_dictionary_says() -> None:
    text = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
    for name in [*Pulkas.column_names(), *Deals.column_names()]:
        assert f"`{name}`" in text or re.search(r"`(player|call|tricks)_a` … ", text), name
    habits = replace(HABITS, mix=(0, 5, 4))
    again = pref.sample(2000, players="mix", bullet_limit=[10, 20, 30], seed=2026, habits=habits)
    club = pref.open_archive(ROOT / "data" / "club")
    assert_frame_equal(again.deals.drop("outcome").collect(), club.deals.drop("outcome").collect())
    assert_frame_equal(again.pulkas.collect(), club.pulkas.collect())


def test_recorded_sheets_settle_to_what_was_published() -> None:
    sheets = pl.read_csv(ROOT / "data" / "sheets.csv")
    sochi = pref.settle(sheets, "sochi", rounding="exact")
    published = {1: [-100, 96, 4], 2: [-45, -15, 15, 45], 3: [558, -83, -475]}
    for pulka, results in published.items():
        assert sochi.filter(pl.col("pulka") == pulka)["result"].to_list() == results
    leningrad = pref.settle(sheets, "leningrad", rounding="exact")
    assert leningrad.filter(pl.col("pulka") == 4)["result"].to_list() == [80, -40, -40]
    assert leningrad.filter(pl.col("pulka") == 5)["result_twelfths"].to_list() == [1280, -640, -640]
    assert sheets.height == 10
    assert (sochi.group_by("pulka").agg(pl.col("result_twelfths").sum())["result_twelfths"] == 0).all()
