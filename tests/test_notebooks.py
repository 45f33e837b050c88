"""The notebooks run without a network, say what they said when they were stored, and are small and clean."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

REPOSITORY = Path(__file__).parent.parent
NOTEBOOKS = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))
MOST_BYTES = 400_000
OF_ONE_MACHINE = re.compile(r"/(work|root|tmp|home)/")
FROM_A_NETWORK = re.compile(r"jsdelivr|unpkg|cdnjs|<script")
# Whatever asks for an address outside finds nobody at home.
NO_NETWORK = {
    f"{name}_PROXY".lower() if lower else f"{name}_PROXY": "http://127.0.0.1:9"
    for name in ("HTTP", "HTTPS", "ALL")
    for lower in (False, True)
}


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def outputs(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def said(notebook: Any) -> list[str]:
    """Collect the sentences that the cells put together from their figures."""
    return [output.data["text/markdown"] for output in outputs(notebook) if "text/markdown" in output.get("data", {})]


def streamed(notebook: Any) -> list[str]:
    """Collect what cells wrote beside their results: warnings, above all."""
    return [output.text for output in outputs(notebook) if output.output_type == "stream"]


async def run(path: Path, settings: Path) -> Any:
    notebook = read(path)
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(path.parent)}})
    folders = {name: str(settings) for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR")}
    await client.async_execute(env={**os.environ, **NO_NETWORK, **folders})
    return notebook


async def run_all(paths: list[Path], settings: Path) -> list[Any]:
    return await asyncio.gather(*(run(path, settings) for path in paths))


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Run copies of the notebooks beside the data, all at once."""
    root = tmp_path_factory.mktemp("repository")
    for folder in ("notebooks", "tests", "settings"):
        (root / folder).mkdir()
    (root / "data").symlink_to(REPOSITORY / "data", target_is_directory=True)
    (root / "tests" / "data").symlink_to(REPOSITORY / "tests" / "data", target_is_directory=True)
    copies = [root / "notebooks" / path.name for path in NOTEBOOKS]
    for path, copy in zip(NOTEBOOKS, copies, strict=True):
        copy.write_bytes(path.read_bytes())
    notebooks = asyncio.run(run_all(copies, root / "settings"))
    return dict(zip((path.stem for path in NOTEBOOKS), notebooks, strict=True))


def test_there_are_four() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["1-first-pulka", "2-variants", "3-rounding", "4-players"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_says_what_is_stored(path: Path, executed: dict[str, Any]) -> None:
    notebook = executed[path.stem]
    assert streamed(notebook) == []
    assert said(notebook) == said(read(path)), "run it again and store it: the figures in its sentences are old"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_charts_need_no_network(path: Path, executed: dict[str, Any]) -> None:
    for notebook in (executed[path.stem], read(path)):
        kinds = [set(output.get("data", {})) for output in outputs(notebook)]
        assert any("image/png" in kind for kind in kinds)
        assert not any(kind & {"application/javascript", "application/vnd.vegalite.v6+json"} for kind in kinds)
        assert not FROM_A_NETWORK.search(nbformat.writes(notebook))  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_stored_with_clean_outputs(path: Path) -> None:
    text, notebook = path.read_text(encoding="utf-8"), read(path)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert path.stat().st_size < MOST_BYTES
    assert not OF_ONE_MACHINE.search(text)
    assert {output.output_type for output in outputs(notebook)} == {"execute_result"}
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert sum(bool(cell.outputs) for cell in cells) >= len(cells) - 1, (
        "only the first cell, which imports, shows nothing"
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_its_metadata_are_of_no_machine(path: Path) -> None:
    notebook = read(path)
    assert notebook.metadata.kernelspec == {"display_name": "Python 3", "language": "python", "name": "python3"}
    assert set(notebook.metadata) <= {"kernelspec", "language_info"}
    assert notebook.metadata.language_info == {"name": "python"}
    assert all(set(cell.metadata) <= {"jupyter", "tags"} for cell in notebook.cells)
