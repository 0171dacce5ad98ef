"""`habitus audit`: the canary scan on a deployment, with strings that only the operator knows."""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer
from sqlalchemy import Connection, Table, select

from habitus_schema.errors import UsageError
from habitus_worker.cli.output import console, print_json, print_table, say
from habitus_worker.cli.state import State

if TYPE_CHECKING:
    from habitus_tasks.store import Database

commands = typer.Typer()


@commands.command(epilog="Example: habitus audit < private-strings.txt")
def audit(
    context: typer.Context, json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False
) -> int:
    """Search everything this deployment holds for private strings, one a line on stdin. Prints places and counts."""
    from habitus_tasks.whole import require_whole
    from habitus_worker.audit import MIN_LENGTH
    from habitus_worker.audit import audit as scan
    from habitus_worker.databases import database_of
    from habitus_worker.keys import sealing_keys

    state: State = context.obj
    settings = state.settings
    private = [line.rstrip("\n") for line in sys.stdin if len(line.rstrip("\n")) >= MIN_LENGTH]
    if not private:
        raise UsageError(f"give private strings on stdin, one a line, each of {MIN_LENGTH} characters or more")
    database = database_of(settings)
    require_whole(database)
    folders = [settings.home] if settings.home.is_dir() else []
    keys = sealing_keys(settings.keys)
    if keys is None:
        say("habitus: no sealing keys that can be used here: sealed payloads are not opened")
    found = scan(private, folders, settings.redis, _rows(database), keys)
    if json:
        print_json({"strings": len(private), "bytes_read": found.bytes_read, "places": dict(found.places)})
    else:
        print_table("Found", ["place", "strings"], found.places, empty="none of the strings is anywhere")
        console().print(f"{len(private)} strings looked for in {found.bytes_read:,} bytes")
    return 0 if found.clean else 1


def _rows(database: "Database") -> Iterator[tuple[str, bytes]]:
    """Every row of every table, as the database gives it: also where its files are on another host."""
    from habitus_schema.tables import Row

    for table in Row.metadata.sorted_tables:
        for row in database.read(None, partial(_all, table)):
            yield f"table {table.name}", repr(tuple(row)).encode()


def _all(table: Table, connection: Connection) -> Sequence[Any]:
    return connection.execute(select(table)).all()
