"""``prefdata rescore``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from prefdata.cli._main import SET_ASIDE
from prefdata.cli._options import conventions_option, given, overwrite_option, rounding_option

if TYPE_CHECKING:
    from prefdata.rescoring import Rescoring


@click.command("rescore", short_help="Score an archive under conventions, into a folder.")
@click.argument("archive", type=click.Path(path_type=Path))
@conventions_option(several=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to write; it must be new.")
@rounding_option()
@click.option("--ledger", is_flag=True, default=None, help="Write what every deal wrote, too.")
@overwrite_option()
@click.option("--resume", is_flag=True, default=None, help="Go on with a run that was interrupted.")
@click.option("--strict", is_flag=True, default=None, help="Stop at the first broken row, instead of setting it aside.")
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Score parts in this many processes.")
@click.option("--cluster", metavar="ADDRESS", help="Score parts on the Dask cluster with this scheduler address.")
@click.option("--log", type=click.Choice(["json"]), help="Tell each part on stderr as a line of JSON.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def command(
    archive: Path,
    conventions: tuple[str, ...],
    out: Path,
    workers: int | None,
    cluster: str | None,
    log: str | None,
    quiet: bool,
    **options: Any,
) -> int:
    """Score every pulka of ARCHIVE under each convention, and settle it.

    OUT gets CONVENTION/sheets, CONVENTION/settlements, with --ledger also CONVENTION/ledger, set-aside (rows that break
    a rule, with the reason), and manifest.json.  Exits with 1 if pulkas were set aside.
    """
    from prefdata.cli._show import progress_bar
    from prefdata.rescoring import rescore

    if options["overwrite"] and options["resume"]:
        raise click.UsageError("--overwrite starts afresh and --resume goes on: give one of them")
    if workers and cluster:
        raise click.UsageError("--workers is for this machine and --cluster for others: give one of them")
    with _executor(workers, cluster) as executor, progress_bar("rescoring", quiet=quiet or log is not None) as bar:
        done = rescore(
            archive,
            list(conventions),
            out,
            executor=executor,
            progress=_log_line if log else bar,
            **given(**options),
        )
    _report(done)
    return SET_ASIDE if done.pulkas_set_aside else 0


@contextmanager
def _executor(workers: int | None, cluster: str | None) -> Iterator[Executor | None]:
    """Make the executor that the options ask for; None leaves it to the library."""
    if workers:
        import multiprocessing
        import os
        from concurrent.futures import ProcessPoolExecutor

        # Spawned, because a process that has used Polars must not be forked; the cores are shared out.
        os.environ.setdefault("POLARS_MAX_THREADS", str(max(1, (os.cpu_count() or 1) // workers)))
        with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
            yield pool
    elif cluster:
        try:
            from distributed import Client
        except ImportError:
            raise click.UsageError("--cluster needs the extra: python -m pip install 'prefdata[cluster]'") from None
        with Client(cluster) as client:  # type: ignore[no-untyped-call]
            yield client.get_executor()
    else:
        yield None


def _log_line(done: int, total: int, deals: int) -> None:
    click.echo(json.dumps({"event": "part", "done": done, "parts": total, "deals": deals}), err=True)


def _report(done: Rescoring) -> None:
    from prefdata.cli._show import number, print_table

    rows = []
    for row in done.table().iter_rows(named=True):
        is_zero = row["sum"] == 0
        check = "ok" if is_zero else f"off by {row['sum']}/12"
        if is_zero and row["rounding_residue"]:
            check = f"ok, rounding {number(row['rounding_residue'])}"
        winner = f"{number(row['largest_win'])} {row['player'] or 'seat ' + str(row['seat'])}, pulka {row['pulka']}"
        counts = (row["pulkas"], row["deals"], row["after_end"], row["set_aside"], row["open"])
        rows.append((row["convention"], *counts, check, winner if row["pulka"] is not None else "-"))
    columns = ["convention", "pulkas", "deals", "after the end", "set aside", "open", "sum check", "largest win"]
    print_table(columns, rows)
    read = done.manifest["read"]
    click.echo(
        f"{number(read['pulkas'])} pulkas with {number(read['deals'])} deals read in {done.manifest['seconds']:.1f} s, "
        f"written to {done.folder}"
    )
    if done.pulkas_set_aside:
        click.echo(f"pulkas set aside, with their reasons: {done.folder / 'set-aside'}", err=True)
