"""Commands that judge and report: effect, check, report."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from habitus_worker.cli.inputs import named
from habitus_worker.cli.output import console, print_json, print_table, say
from habitus_worker.cli.state import State

commands = typer.Typer()
Tenant = Annotated[str | None, typer.Option(callback=named, help="Only this tenant.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


@commands.command(epilog="Example: habitus effect --user ada")
def effect(
    context: typer.Context,
    user: Annotated[str | None, typer.Option(callback=named, help="One person; without it a sample of all.")] = None,
    tenant: Tenant = None,
    people: Annotated[int, typer.Option(min=1, help="People in the sample.")] = 2000,
    json: Json = False,
) -> None:
    """Show corrections a session before and after a pair was promoted, with an interval: does it help?"""
    from habitus_tasks.effect import of_fleet, of_person
    from habitus_worker.cli.effects import print_effects
    from habitus_worker.cli.log_printing import database_for
    from habitus_worker.cli.profiles import rule_of, subject_of
    from habitus_worker.databases import database_of

    state: State = context.obj
    settings = state.settings
    rule = rule_of(settings)
    if user is not None:
        found = of_person(database_of(settings), *subject_of(settings, user, tenant), rule)
    else:
        found = of_fleet(*database_for(settings, tenant), rule, people=people)
    print_effects(found, as_json=json)


@commands.command(epilog="Example: habitus check || mail -s habitus operator@localhost")
def check(
    context: typer.Context,
    days: Annotated[int, typer.Option(min=1, max=14, help="How many days back, beside today.")] = 1,
    tenant: Tenant = None,
    json: Json = False,
) -> int:
    """Look for what should not be in the rejection log; exit 1 when there is any. For cron, once a day."""
    from habitus_worker.checks import advice
    from habitus_worker.checks import check as look
    from habitus_worker.cli.log_printing import database_for
    from habitus_worker.days import today

    settings = context.obj.settings
    found = look(*database_for(settings, tenant), today(), days)
    for each in found if json else ():
        row = {"alarm": each.alarm, "code": each.code, "count": each.count, "before": each.before}
        print_json(row | {"advice": advice(each)})
    if not json:
        rows = [(each.alarm, each.code, each.count, each.before, advice(each)) for each in found]
        print_table("Alarms", ["alarm", "code", "lines", "4 weeks before", "what to do"], rows, empty="none")
    return min(len(found), 1)


@commands.command(epilog="Example: habitus report --since 2026-11-01 --out report.html")
def report(
    context: typer.Context,
    since: Annotated[datetime, typer.Option(formats=["%Y-%m-%d"], help="From this day on.")],
    out: Annotated[Path, typer.Option(help="A file that ends in .html or .md; - prints Markdown.")],
    tenant: Tenant = None,
    private: Annotated[Path | None, typer.Option(help="Private strings to search for, one a line.")] = None,
) -> int:
    """Write one self-contained page that an auditor can file; exit 1 when it has bad news."""
    from habitus_worker.report.gather import gather
    from habitus_worker.report.render import write

    state: State = context.obj
    found = gather(state.settings, since.date(), tenant, private)
    text = write(found, out)
    if text is not None:
        console().print(text, markup=False, soft_wrap=True, end="")
    else:
        say(f"{out} is written: {'all is well' if found.good else 'it has bad news'}")
    return 0 if found.good else 1
