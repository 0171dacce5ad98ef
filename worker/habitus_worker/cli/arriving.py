"""Commands by which sessions arrive: drain, import."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from habitus_worker.cli.inputs import named
from habitus_worker.cli.output import console, print_json, say
from habitus_worker.cli.state import State
from habitus_worker.teardown.agents import Agent

if TYPE_CHECKING:
    from habitus_worker.teardown.backfill import Imported, Task

commands = typer.Typer()
MOST_NAMED = 20
"""Files that could not be read, of which so many are named."""
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


@commands.command(epilog="Example: habitus drain")
def drain(context: typer.Context, json: Json = False) -> None:
    """Hand in what the hooks noted down, and sessions whose hook never ran. A worker does this on its own."""
    from habitus_worker.teardown.rounds import Rounds

    state: State = context.obj
    done = Rounds(state.settings).run()
    if json:
        print_json({"handed_in": done.handed_in, "waiting": done.waiting, "given_up": dict(done.given_up)})
    else:
        say(f"{done.handed_in} handed in" + (f", {done.waiting} wait" if done.waiting else ""))
        _say_why(done.given_up, "given up")


@commands.command("import", epilog="Example: habitus import")
def import_(
    context: typer.Context,
    path: Annotated[
        Path | None, typer.Argument(help="A file or folder; the agents' own history when left out.")
    ] = None,
    agent: Annotated[Agent | None, typer.Option(help="One agent's; else all, or told from the content.")] = None,
    user: Annotated[
        str | None, typer.Option(callback=named, help="Whose these are; else who the transcript names, or you.")
    ] = None,
    tenant: Annotated[
        str | None, typer.Option(callback=named, help="The person's organisation; else the one it names.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Files that were handed in before, too.")] = False,
    json: Json = False,
) -> int:
    """Hand in whole history folders, the oldest session first. Stop it and run it again as you like."""
    from habitus_worker.keys import load_keys
    from habitus_worker.ledger import Ledger
    from habitus_worker.submitting import PatientSubmitter
    from habitus_worker.teardown.backfill import backfill
    from habitus_worker.teardown.intake import Desk
    from habitus_worker.teardown.taken import Taken

    state: State = context.obj
    settings = state.settings
    submitter = PatientSubmitter(settings)
    ledger = Ledger(settings.redis, settings.payload_ttl)
    tasks = _tasks(state, path, agent, user, tenant)
    if not tasks:
        say("no transcripts there: name a file or folder")
    columns = (TextColumn("importing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console(stderr=True), transient=True, disable=not sys.stderr.isatty())
    with bar, Taken(settings.home, load_keys(settings.keys).ids) as taken:
        desk = Desk(lambda: submitter, taken)
        shown = bar.add_task("", total=len(tasks))
        try:
            done = backfill(tasks, desk, lambda: ledger.counts().in_flight, lambda: bar.advance(shown), again=again)
        except KeyboardInterrupt:
            bar.stop()
            say("stopped; run it again and it goes on where it was")
            return 1
    _say_imported(done, json)
    return int(bool(done.passed_over))


def _tasks(state: State, path: Path | None, agent: Agent | None, user: str | None, tenant: str | None) -> list["Task"]:
    from habitus_worker.teardown.backfill import Task, of_agent, of_path
    from habitus_worker.teardown.enrolment import enrolment
    from habitus_worker.teardown.intake import Owner

    def owner(whose: Agent) -> Owner:
        enrolled = enrolment(state.settings.home, whose)
        return Owner(
            user or enrolled.user, tenant or enrolled.tenant or state.settings.tenant, bool(user), bool(tenant)
        )

    if path is not None:
        whose = owner(agent or Agent.CLAUDE_CODE)
        return [Task(found, format_, whose) for found, format_ in of_path(path, agent)]
    return [
        Task(found, format_, owner(each))
        for each in ([agent] if agent else Agent)
        for found, format_ in of_agent(each, enrolment(state.settings.home, each).folder)
    ]


def _say_imported(done: "Imported", json: bool) -> None:
    if json:
        print_json(
            {
                "files": done.files, "handed_in": done.handed_in, "known": done.known, "empty": done.empty,
                "passed_over": dict(done.passed_over),
            }
        )  # fmt: skip
        return
    parts = [f"{done.handed_in} sessions handed in from {done.files} files"]
    parts += [f"{done.known} files were handed in before"] if done.known else []
    parts += [f"{done.empty} in which the person says nothing"] if done.empty else []
    say("; ".join(parts))
    _say_why(done.passed_over, "passed over")
    for reason, place in done.refused[:MOST_NAMED]:
        say(f"  {reason}: {place}")
    if len(done.refused) > MOST_NAMED:
        say(f"  and {len(done.refused) - MOST_NAMED} more")


def _say_why(counts: Mapping[str, int], what: str) -> None:
    from habitus_schema.codes import MEANING, Code
    from habitus_worker.teardown.intake import REASONS, Reason

    for reason, times in sorted(counts.items()):
        meaning = REASONS[Reason(reason)] if reason in set(Reason) else MEANING[Code(reason)][1]
        say(f"{times} {what}: {meaning} ({reason})")
