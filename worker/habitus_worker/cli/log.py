"""`habitus rejections`: what was not learned, and why."""

from datetime import datetime
from typing import Annotated

import typer

from habitus_schema.codes import MEANING, Code, Stage
from habitus_schema.detectors import Detector
from habitus_schema.errors import UsageError
from habitus_schema.vocabulary import Dimension
from habitus_worker.cli.inputs import named
from habitus_worker.cli.output import console, print_json
from habitus_worker.cli.state import State

commands = typer.Typer()
rejections = typer.Typer(
    help="Show what was not learned, and why. Never a word of what was said.",
    epilog="Example: habitus rejections --stage gate --since 2026-11-01",
    invoke_without_command=True,
)
commands.add_typer(rejections, name="rejections")
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


@rejections.callback()
def show(
    context: typer.Context,
    code: Annotated[Code | None, typer.Option(help="Only this code.")] = None,
    stage: Annotated[Stage | None, typer.Option(help="Only this stage.")] = None,
    dimension: Annotated[Dimension | None, typer.Option(help="Only this dimension.")] = None,
    detector: Annotated[Detector | None, typer.Option(help="Only what this detector found.")] = None,
    since: Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="From this day on.")] = None,
    until: Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Up to this day.")] = None,
    tenant: Annotated[str | None, typer.Option(callback=named, help="Only this tenant.")] = None,
    stats: Annotated[bool, typer.Option("--stats", help="Counts by code and day, and what changed.")] = False,
    follow: Annotated[bool, typer.Option("--follow", help="The last ten lines, then new ones until Ctrl-C.")] = False,
    json: Json = False,
    csv: Annotated[bool, typer.Option("--csv", help="Comma-separated, with a header.")] = False,
) -> None:
    """Show what was not learned, and why. Never a word of what was said."""
    if context.invoked_subcommand:
        return
    from habitus_tasks.log_reading import Wanted
    from habitus_worker.cli import log_printing, log_stats

    if json and csv:
        raise UsageError("choose --json or --csv")
    if stats and follow:
        raise UsageError("choose --stats or --follow")
    if since and until and since > until:
        raise UsageError("--since is after --until: no day is in between")
    state: State = context.obj
    wanted = Wanted(code, stage, dimension, detector, since.date() if since else None, until.date() if until else None)
    shape = log_printing.Shape.JSON if json else log_printing.Shape.CSV if csv else log_printing.Shape.TABLE
    if stats:
        log_stats.print_stats(state.settings, wanted, tenant, shape)
        return
    if follow:
        last = log_printing.print_latest(state.settings, wanted, tenant, shape)
        log_printing.follow(state.settings, wanted, tenant, last, shape)
    else:
        log_printing.print_lines(state.settings, wanted, tenant, shape)


@rejections.command(epilog="Example: habitus rejections explain ENTITY_COUPLED")
def explain(
    code: Annotated[str, typer.Argument(help="A code of the log, in any case; all of them without one.")] = "",
    json: Json = False,
) -> None:
    """Say what a code means and what to do about it."""
    chosen = [each for each in Code if code.upper().replace("-", "_") in ("", each.value)]
    if not chosen:
        raise UsageError("not a code of the log: `habitus rejections explain` lists them all")
    for each in chosen:
        stage, meaning, advice = MEANING[each]
        if json:
            print_json({"code": each, "stage": stage, "meaning": meaning, "advice": advice})
        else:
            console().print(f"{each} ({stage}): {meaning}. What to do: {advice}.", markup=False, soft_wrap=True)
