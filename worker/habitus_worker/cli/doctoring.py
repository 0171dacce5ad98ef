"""The command that looks a deployment over: doctor."""

from dataclasses import asdict
from typing import Annotated

import typer

from habitus_worker.cli.output import print_json, print_table
from habitus_worker.cli.state import State

commands = typer.Typer()


@commands.command(epilog="Example: habitus doctor --zone content")
def doctor(
    context: typer.Context,
    zone: Annotated[str, typer.Option(help="What this host serves: content, record or all.")] = "all",
    json: Annotated[bool, typer.Option("--json", help="One finding a line.")] = False,
) -> int:
    """Look a deployment over: ok, warn or bad, and what to do; exit 1 when anything is bad. Changes nothing."""
    from habitus_worker.doctor.finding import Verdict
    from habitus_worker.doctor.run import examine
    from habitus_worker.fleet import Zone

    state: State = context.obj
    try:
        chosen = Zone(zone)
    except ValueError:
        raise typer.BadParameter("choose content, record or all", param_hint="--zone") from None
    findings = list(examine(state.settings, chosen))
    if json:
        for each in findings:
            print_json(asdict(each))
    else:
        rows = [(each.verdict, each.check, each.found, each.advice) for each in findings]
        print_table("Doctor", ["", "check", "found", "what to do"], rows)
    return int(any(each.verdict is Verdict.BAD for each in findings))
