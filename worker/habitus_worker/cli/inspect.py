"""Commands by which people inspect the fleet: deadletters, status, config."""

from typing import Annotated

import typer

from habitus_schema.codes import MEANING
from habitus_schema.errors import UsageError
from habitus_worker.cli.output import console, print_json, print_table
from habitus_worker.cli.state import State

commands = typer.Typer()
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


@commands.command(epilog="Example: habitus status --json")
def status(context: typer.Context, json: Json = False) -> int:
    """Print the identity submitted = recorded + duplicate + dead-lettered + in flight; exit 1 when it does not hold."""
    from habitus_worker.cli.inspecting import print_status

    state: State = context.obj
    return 0 if print_status(state.settings, json) else 1


@commands.command(epilog="Example: habitus config")
def config(context: typer.Context, json: Json = False) -> None:
    """Print the settings in force, secrets masked."""
    from habitus_worker.keys import mask_url

    settings = context.obj.settings
    rows = settings.model_dump(mode="json", exclude={"redis_url", "broker_url", "database_url"})
    rows |= {"redis_url": mask_url(settings.redis), "broker_url": mask_url(settings.broker)}
    rows |= {"database_url": mask_url(settings.database)}
    if json:
        print_json(rows)
    else:
        print_table("Settings", ["setting", "value"], sorted(rows.items()))


deadletters = typer.Typer(no_args_is_help=True, help="Sessions that were given up: list, retry, drop.")
commands.add_typer(deadletters, name="deadletters")


@deadletters.command("list", epilog="Example: habitus deadletters list")
def list_(context: typer.Context, json: Json = False) -> None:
    """List the dead letters."""
    from habitus_worker.ledger import Ledger

    settings = context.obj.settings
    letters = Ledger(settings.redis, settings.payload_ttl).dead_letters()
    if json:
        for letter in letters:
            print_json({"ticket": letter.ticket, "code": letter.code, "day": letter.day})
    else:
        rows = [(letter.ticket, letter.day, letter.code, MEANING[letter.code][2]) for letter in letters]
        print_table("Dead letters", ["ticket", "day", "code", "what to do"], rows, empty="none")


@deadletters.command(epilog="Example: habitus deadletters retry --all")
def retry(
    context: typer.Context,
    tickets: Annotated[list[str] | None, typer.Argument()] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every dead letter.")] = False,
) -> int:
    """Send dead letters through the fleet again."""
    from habitus_worker.deadletters import retry as again

    settings = context.obj.settings
    sent, missing = again(settings, _chosen(tickets, all_))
    console().print(f"{sent} sent again, {missing} not found or expired")
    return min(missing, 1)


@deadletters.command(epilog="Example: habitus deadletters drop --all")
def drop(
    context: typer.Context,
    tickets: Annotated[list[str] | None, typer.Argument()] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every dead letter.")] = False,
) -> int:
    """Burn the payloads of dead letters for good. They stay counted as dead-lettered."""
    from habitus_worker.deadletters import drop as burn

    settings = context.obj.settings
    burned, missing = burn(settings, _chosen(tickets, all_))
    console().print(f"{burned} dropped, {missing} not found")
    return min(missing, 1)


def _chosen(tickets: list[str] | None, all_: bool) -> list[str] | None:
    """The tickets that were named; None for every one."""
    if not tickets and not all_:
        raise UsageError("name tickets, or --all")
    return None if all_ else tickets
