"""Commands that run or feed a stack: demo, up, worker, submit."""

import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress

from habitus_schema.codes import MEANING
from habitus_schema.errors import HabitusError
from habitus_schema.models import Rejection
from habitus_schema.transcript import Format
from habitus_worker.cli.inputs import named, open_input
from habitus_worker.cli.output import console, print_json, say
from habitus_worker.cli.state import State

if TYPE_CHECKING:
    from habitus_tasks.pipeline import Caller
    from habitus_worker.submitting import Submitter

commands = typer.Typer()


class Pool(StrEnum):
    """How a worker runs its tasks."""

    PREFORK = "prefork"
    THREADS = "threads"
    SOLO = "solo"


@commands.command(epilog="Example: habitus demo")
def demo() -> None:
    """Run the whole main job on sample sessions, show what came of it, and clean up."""
    from habitus_worker.demo.run import run_demo

    run_demo()


@commands.command(epilog="Example: habitus up")
def up(
    context: typer.Context,
    once: Annotated[bool, typer.Option("--once", help="Take what the agents' hooks noted down, then stop.")] = False,
) -> None:
    """Run Redis and a worker on the data folder, in the foreground, until Ctrl-C."""
    from habitus_worker.stack import run_once, run_stack
    from habitus_worker.teardown.spool import entries, spool_of

    state: State = context.obj
    if once:
        taken = run_once(state.settings)
        waits = sum(1 for _ in entries(spool_of(state.settings.home)))
        say(
            f"{taken} sessions taken"
            + (f"; {waits} wait for a whole transcript: run this again later" if waits else "")
        )
    else:
        run_stack(state.settings, say)


@commands.command(epilog="Example: habitus worker --zone content")
def worker(
    context: typer.Context,
    zone: Annotated[str, typer.Option(help="content, record or all.")] = "all",
    pool: Annotated[Pool, typer.Option(help="Celery's pool.")] = Pool.PREFORK,
    concurrency: Annotated[int | None, typer.Option(help="Tasks at once.")] = None,
) -> None:
    """Serve one zone of a deployment, or both."""
    from habitus_worker.fleet import Zone, run_worker

    state: State = context.obj
    try:
        chosen = Zone(zone)
    except ValueError:
        raise typer.BadParameter("choose content, record or all", param_hint="--zone") from None
    run_worker(state.with_flags(concurrency=concurrency), chosen, pool.value)


@commands.command(epilog="Example: habitus submit session.jsonl --user ada --context billing-service")
def submit(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(help="Transcripts; - reads stdin.")],
    user: Annotated[
        str | None, typer.Option(callback=named, help="Whose sessions these are; else who the envelope names.")
    ] = None,
    tenant: Annotated[
        str | None, typer.Option(callback=named, help="The person's organisation; else the envelope's.")
    ] = None,
    task_context: Annotated[str, typer.Option("--context", help="What the sessions belong to.")] = "",
    format: Annotated[Format | None, typer.Option(help="Detected from the content when left out.")] = None,
    backfill: Annotated[bool, typer.Option("--backfill", help="Old sessions: live ones go first.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One receipt a line.")] = False,
) -> int:
    """Hand finished sessions to the fleet. Each is sealed before it leaves this process."""
    from habitus_tasks.pipeline import Caller
    from habitus_worker.days import today
    from habitus_worker.lanes import BacklogFullError, Lane
    from habitus_worker.submitting import Submitter

    state: State = context.obj
    submitter = Submitter(state.settings, Lane.BACKFILL if backfill else Lane.LIVE)
    caller = Caller(user or "", tenant or "", task_context, today())
    taken = refused = 0
    progress = Progress(console=console(stderr=True), transient=True, disable=not sys.stderr.isatty())
    with progress:
        for path in progress.track(files, description="submitting"):
            try:
                for ticket in _handed_in(path, format, submitter, caller, state.settings.tenant):
                    taken += ticket is not None
                    refused += ticket is None
                    if json and ticket:
                        print_json({"file": str(path), "ticket": ticket})
            except BacklogFullError as error:
                raise HabitusError(f"{error}; {taken} submitted, from {path} on not") from None
            except HabitusError as error:
                refused += 1
                say(f"habitus: {error}")
    say(f"{taken} submitted" + (f", {refused} refused" if refused else ""))
    return min(refused, 1)


def _handed_in(
    path: Path, format_: Format | None, submitter: "Submitter", caller: "Caller", tenant: str
) -> Iterator[str | None]:
    from habitus_tasks.parse import read

    with open_input(path) as stream:
        for number, found in enumerate(read(stream, format_), 1):
            if isinstance(found, Rejection):
                _stage, meaning, advice = MEANING[found.code]
                say(f"habitus: {path}, session {number}: {meaning} ({found.code}); {advice}. Not submitted")
                yield None
            elif not caller.user and not found.user_id:
                say(f"habitus: {path}, session {number}: it names nobody; say whose it is with --user. Not submitted")
                yield None
            else:
                yield submitter.submit(found, caller.filled(found, "", tenant))
