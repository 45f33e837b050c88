"""The pages for developers name files, commands and profiles that exist."""

from __future__ import annotations

import importlib.util
import re
import shlex
import tomllib
from pathlib import Path

import pytest
from hypothesis import settings
from nbconvert.preprocessors import ClearMetadataPreprocessor, ExecutePreprocessor

from tests.pages import blocks, codes, table_of

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = blocks(PAGE)
OF_TESTS = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
FILE = re.compile(r"[\w./*-]+\.(?:md|py|ipynb|png|toml)|(?:\.ci|data|notebooks|prefdata|tests)/[\w./*-]+")
MODULES = {"pytest": "pytest", "ruff": "ruff", "mypy": "mypy", "python": "pip", "jupyter": "nbconvert"}


def files(words: list[str]) -> list[str]:
    return [word for word in words if FILE.fullmatch(word)]


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)]+)\)", PAGE))
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_named_files_are_there() -> None:
    named = files(codes(PAGE))
    assert len(named) > 10
    assert [name for name in named if not list(ROOT.glob(name))] == []


def test_the_page_of_tests_names_every_file_that_is_there() -> None:
    there = {path.name for path in (ROOT / "tests").glob("*.py")} - {"__init__.py"}
    folders = {f"{path.parent.name}/" for path in (ROOT / "tests").glob("*/__init__.py")}
    named = set(codes(OF_TESTS))
    assert (there | folders) - named == set()
    assert [name for name in named if "/" in name or name.endswith(".py") if not files_of_tests(name)] == []


def files_of_tests(name: str) -> list[Path]:
    return [*(ROOT / "tests").glob(name), *(ROOT / "tests").glob(f"*/{name}")]


def test_every_file_of_tests_has_its_place() -> None:
    """Published numbers, properties and the like stand in one table, all files by what they are about in another."""
    placed = {name for cell in table_of(OF_TESTS, "about").column("files") for name in codes(cell)}
    assert {path.name for path in (ROOT / "tests").glob("test_*.py")} <= placed


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)]+)\)", OF_TESTS))
def test_links_of_the_page_of_tests_lead_somewhere(link: str) -> None:
    assert (ROOT / "tests" / link).exists()


@pytest.mark.parametrize("command", [*COMMANDS, *blocks(OF_TESTS)])
def test_commands_can_be_given(command: str) -> None:
    first, *words = shlex.split(command)
    assert list(ROOT.glob(first)) or importlib.util.find_spec(MODULES[first])
    assert [word for word in files(words) if not list(ROOT.glob(word))] == []
    for profile in re.findall(r"--hypothesis-profile=(\w+)", command):
        assert settings.get_profile(profile)


def test_every_kind_of_command_is_told() -> None:
    assert {shlex.split(command)[0] for command in COMMANDS} == {*MODULES, ".ci/run"}


def test_setting_up_is_what_the_readme_says() -> None:
    assert COMMANDS[0] in blocks(README)


def test_profiles_are_as_told() -> None:
    told = table_of(PAGE, "profile")
    for profile, examples in zip(told.column("profile"), told.column("examples of each property"), strict=True):
        assert settings.get_profile(*codes(profile)).max_examples == int(examples)


def test_the_notebooks_are_run_with_options_that_exist() -> None:
    (command,) = (command for command in COMMANDS if command.startswith("jupyter"))
    options = re.findall(r"--(\w+)\.(\w+)=", command)
    assert len(options) == 4
    known = {kind.__name__: kind.class_trait_names() for kind in (ClearMetadataPreprocessor, ExecutePreprocessor)}
    assert [name for kind, name in options if name not in known[kind]] == []


def test_the_oldest_versions_are_those_that_the_project_admits() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["excel"]]
    least = {name: version for one in wanted for name, version in re.findall(r"^([\w-]+)>=([\d.]+)", one)}
    assert all("<" in one for one in wanted)
    pinned = dict(re.findall(r"^([\w-]+)==([\d.]+)$", (ROOT / "tests/oldest-versions.txt").read_text(), re.MULTILINE))
    assert set(least) <= set(pinned)
    for name, version in least.items():
        assert (pinned[name] + ".").startswith(version + "."), name
