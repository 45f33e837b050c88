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
from prefdata.cli._say import say

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
    a rule, with the reason), and manifest.json.  It is written to OUT.unfinished first, and renamed when complete.

    The table that is printed counts, for each convention, the pulkas and deals scored, the deals after the end of their
    pulka (not scored), the pulkas set aside, those still open at the end of their record, and says whether all results
    add up to zero.

    Exits with 0 when done, 1 if pulkas were set aside, 2 on an error, 130 if interrupted.
    """
    from prefdata.cli._show import progress_bar
    from prefdata.errors import InterruptedRunError
    from prefdata.rescoring import is_unfinished, rescore, unfinished_folder

    if workers and cluster:
        raise click.UsageError("--workers is for this machine and --cluster for others: give one of them")
    if not out.name:
        raise click.UsageError(f"--out {out} names no folder: give it a name, such as rescored")
    unfinished = unfinished_folder(out)
    if is_unfinished(unfinished) and not options["resume"]:
        say(f"{unfinished}, of a run that was interrupted, is begun afresh; --resume would go on with it", err=True)
    try:
        with _executor(workers, cluster) as executor, progress_bar("rescoring", quiet=quiet or log is not None) as bar:
            done = rescore(
                archive,
                list(conventions),
                out,
                executor=executor,
                progress=_log_line if log else bar,
                **given(**options),
            )
    except KeyboardInterrupt:
        if not is_unfinished(unfinished):
            raise
        raise InterruptedRunError(
            f"interrupted; what was done is kept in {unfinished}", hint="Run it again with --resume to go on."
        ) from None
    _report(done)
    return SET_ASIDE if done.rows_set_aside else 0


@contextmanager
def _executor(workers: int | None, cluster: str | None) -> Iterator[Executor | None]:
    """Make the executor that the options ask for; None leaves it to the library."""
    if workers:
        with _processes(workers) as pool:
            yield pool
    elif cluster:
        try:
            from distributed import Client
        except ImportError:
            raise click.UsageError("--cluster needs the extra: python -m pip install 'prefdata[cluster]'") from None
        try:
            client = Client(cluster, timeout=10)  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise click.UsageError(f"no Dask scheduler answers at {cluster}: {error}") from None
        with client:
            yield client.get_executor()  # type: ignore[no-untyped-call]
    else:
        yield None


@contextmanager
def _processes(workers: int) -> Iterator[Executor]:
    """Start processes which share the cores, and which leave an interruption to this one."""
    import multiprocessing
    import os
    import signal
    from concurrent.futures import ProcessPoolExecutor

    os.environ.setdefault("POLARS_MAX_THREADS", str(max(1, (os.cpu_count() or 1) // workers)))
    # Spawned, because a process that has used Polars must not be forked.
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            for started in [pool.submit(os.getpid) for _ in range(workers)]:
                started.result()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        yield pool


def _log_line(done: int, total: int, deals: int) -> None:
    say(json.dumps({"event": "part", "done": done, "parts": total, "deals": deals}), err=True)


def _report(done: Rescoring) -> None:
    """Print what was scored and what came out; on stderr what was not applied and what was set aside."""
    from prefdata.cli._show import print_failures, print_table

    (section,) = done.sections()
    print_table(section)
    for line in done.findings():
        say(line)
    for line in section.sentences:
        say(line, err=True)
    if done.pulkas_set_aside:
        print_failures(done.failures(), err=True)
        say(f"all rows set aside, with their reasons: {done.folder / 'set-aside'}", err=True)
