"""Commands around query time: mcp, decisions."""

from datetime import datetime
from typing import Annotated

import typer

from habitus_schema.errors import UsageError
from habitus_worker.cli.inputs import named
from habitus_worker.cli.state import State

commands = typer.Typer()


@commands.command(epilog="Example: habitus mcp --user ada")
def mcp(
    context: typer.Context,
    user: Annotated[
        str | None, typer.Option(callback=named, help="Whose profile; your login name if left out.")
    ] = None,
    tenant: Annotated[str | None, typer.Option(callback=named, help="The person's organisation.")] = None,
) -> None:
    """Serve one person's habits to an MCP client, on stdin and stdout."""
    try:
        from habitus_worker.mcp_server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "mcp":
            raise
        raise UsageError("the MCP server needs its extra: pip install 'habitus[worker,mcp]'") from None
    from habitus_worker.user_prompt import login_name

    state: State = context.obj
    settings = state.settings
    serve(settings, user or login_name(), tenant or settings.tenant)


@commands.command(epilog="Example: habitus decisions --stats")
def decisions(
    context: typer.Context,
    stats: Annotated[bool, typer.Option("--stats", help="Shares of the policies by dimension and by reason.")] = False,
    since: Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="From this day on.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Show how pairs were decided, in a sample over all people: what is misjudged as a rule is seen here."""
    from habitus_worker.cli.decided import print_counts, print_stats
    from habitus_worker.databases import database_of

    state: State = context.obj
    show = print_stats if stats else print_counts
    show(database_of(state.settings), since.date() if since else None, json)
