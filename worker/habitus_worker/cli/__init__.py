"""The `habitus` program. Data on stdout, messages on stderr; exit 0 done, 1 a check failed or input refused, 2 use."""

import os
import signal
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from habitus_schema.errors import HabitusError, UsageError
from habitus_worker.cli import (
    arriving,
    auditing,
    connecting,
    doctoring,
    fleet,
    hooking,
    inspect,
    keeping,
    log,
    measuring,
    people,
    pure,
    reporting,
    scaling,
    serving,
)
from habitus_worker.cli.state import State

app = typer.Typer(
    name="habitus",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Learns how a person likes to work with AI assistants, and not one byte of what they worked on.",
)
GROUPS = (
    fleet,
    arriving,
    hooking,
    people,
    log,
    inspect,
    doctoring,
    reporting,
    auditing,
    keeping,
    serving,
    connecting,
    measuring,
    scaling,
    pure,
)
for commands in (module.commands for module in GROUPS):
    app.registered_commands += commands.registered_commands
    app.registered_groups += commands.registered_groups


def _exit(status: object, **_: object) -> None:
    """A command returns its exit code; None is 0."""
    raise typer.Exit(status if isinstance(status, int) else 0)


def _show_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"habitus {version('habitus')}\n")
        raise typer.Exit


@app.callback(result_callback=_exit)
def options(
    context: typer.Context,
    home: Annotated[Path | None, typer.Option(help="Data folder of the embedded stack.")] = None,
    redis_url: Annotated[str | None, typer.Option(help="Redis of a deployment.")] = None,
    database_url: Annotated[str | None, typer.Option(help="Database of a deployment.")] = None,
    config: Annotated[Path | None, typer.Option(help="Settings as a TOML file.")] = None,
    _version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True)] = False,
) -> None:
    """Settings come from HABITUS_* variables, a TOML file over them, these flags over both."""
    context.obj = State(config, home=home, redis_url=redis_url, database_url=database_url)


def main() -> None:
    """Runs the program and exits. A failure is one line on stderr, and never holds a byte of a transcript."""
    _open_what_was_closed()
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # read when numpy is imported, which is later
        os.environ.setdefault(name, "1")  # a fleet has a process a core, and our matrices are small
    for each in (signal.SIGTERM, signal.SIGHUP):  # as Ctrl-C: whatever was started is stopped, temporary folders go
        signal.signal(each, _interrupted)
    try:
        app()
    except BrokenPipeError:  # whoever read the pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except HabitusError as error:
        _fail(str(error), 2 if isinstance(error, UsageError) else 1)
    except OSError as error:  # the system's own words, without the file's name: it may be one that we were given
        _fail(f"the system refused: {error.strerror or type(error).__name__}", 1)
    except Exception as error:  # noqa: BLE001 - a traceback could quote a transcript; its class cannot
        _fail(f"internal error ({type(error).__name__}): please report how you got here", 1)


def _open_what_was_closed() -> None:
    """A standard stream that was closed (`>&-`) leads nowhere; else the next file opened would take its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            number = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, mode))


def _interrupted(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _fail(message: str, status: int) -> NoReturn:
    sys.stderr.write(f"habitus: {message}\n")
    sys.exit(status)
