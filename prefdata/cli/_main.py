"""The group of commands, its exit codes, and how errors are told.

Exit codes: 0 done; 1 done, but rows were set aside; 2 an error that the message explains; 130 interrupted.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from prefdata import __version__
from prefdata.cli._say import say
from prefdata.cli._streams import own_words

__all__ = ["COMMANDS", "SET_ASIDE", "main"]

SET_ASIDE = 1
"""Exit code of a command that did its work but set rows aside."""

INTERRUPTED = 130

COMMANDS = {
    "sample": "Make a simulated archive of deals.",
    "template": "Write a form to type a pulka into.",
    "import": "Read records of people or of other programs.",
    "check": "Check an archive against the rules of the tables.",
    "rescore": "Score an archive under conventions, into a folder.",
    "compare": "Compare conventions on the same deals, as a page.",
    "audit": "Hold recorded sheets against their deals.",
    "infer": "Find the convention that recorded sheets were written under.",
    "export": "Write pulkas to a workbook, a table or a document.",
    "freeze": "Keep an archive's sheets as they were paid.",
    "settle": "Settle recorded sheets without deals.",
    "conventions": "Show conventions and how they differ.",
}

_MODULES = {"import": "importing"}
"""Modules of commands whose names no module can bear."""


class _LazyGroup(click.Group):
    """A group whose commands are imported only when they are run; help needs their first lines alone."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"prefdata.cli.{_MODULES.get(cmd_name, cmd_name)}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Begin with: prefdata rescore data/club -c sochi -c rostov --out rescored",
)
@click.version_option(__version__, prog_name="prefdata")
def _prefdata() -> None:
    """Score the card game preferans as data.

    An archive of deals goes in; sheets and settlements under any convention come out, exactly.  PREFDATA COMMAND --help
    tells more about each command.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code.

    Parameters
    ----------
    arguments
        Words after ``prefdata``; those of the process by default.
    """
    with own_words():
        return _main(arguments)


def _main(arguments: Sequence[str] | None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _interrupt)
    try:
        code = _run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:  # whoever read the result has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        say(f"error: {error}", err=True)
        return 2
    return code


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def _run(arguments: Sequence[str] | None) -> int:
    try:
        code: Any = _prefdata.main(arguments, prog_name="prefdata", standalone_mode=False)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(file=shown)
        say(shown.getvalue().rstrip(), err=True)
        return 2
    except SystemExit:  # click's answer to a closed pipe: whoever read the result has seen enough
        return 0
    except (KeyboardInterrupt, click.Abort):
        say("interrupted", err=True)
        return INTERRUPTED
    except Exception as error:
        from prefdata.errors import PrefdataError

        if not isinstance(error, PrefdataError):
            raise
        from prefdata.cli._hints import in_flags

        say(f"error: {in_flags(str(error))}", err=True)
        return error.exit_code
    return code if isinstance(code, int) else 0
