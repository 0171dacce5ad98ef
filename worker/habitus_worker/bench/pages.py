"""How fast the log is paged and its pages are served, over many lines, beside one plain SELECT of a page by its key.

The requests go through the real ASGI application, sign-in included, with a real Redis and database. Nine of ten lines
are one tenant's, the others fifty more's; a tenant reads theirs and an operator all. A thousand people have a profile
and fifty sessions each, of which the effect of what was learned is read. The log was counted a day ago, as
the daily work does, so that a day's lines are not in the sums. What a server keeps of figures for some seconds is kept
here too; what its first request costs, before it has any, is told apart.
"""

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, delete, insert, select, text
from starlette.testclient import TestClient

from habitus_schema.codes import Code, Stage
from habitus_schema.ids import Kind
from habitus_schema.tables import RejectionLine, table
from habitus_schema.vocabulary import Dimension
from habitus_tasks.log_counting import count_up
from habitus_tasks.log_figures import counts, share_refused
from habitus_tasks.log_reading import Place, Wanted, listed
from habitus_tasks.store import Database
from habitus_worker.bench.history import SESSIONS, People, load
from habitus_worker.bench.log_lines import DAYS, load_lines
from habitus_worker.days import today
from habitus_worker.embedded import embedded_redis
from habitus_worker.keys import create_keys
from habitus_worker.serve.application import make_application
from habitus_worker.serve.services import Services
from habitus_worker.serve.tokens import Role, add_token
from habitus_worker.settings import Settings, read_settings

LIMIT_MS = 300.0
"""What the median of a page must stay under."""
TENANT, OTHERS, PEOPLE = "bench", 50, 1000
"""The tenant, how many more there are, and people of whom something is learned."""
Say = Callable[[str], None]
Step = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Figure:
    """One way to read the log: medians in milliseconds.

    Attributes:
        floors: the median over that of the plain SELECT.
        worst: the slowest round.
        limit: what the median must stay under; None for what is only told.
    """

    database: str
    operation: str
    median: float
    worst: float
    floors: float
    limit: float | None

    @property
    def holds(self) -> bool:
        """Whether the median is under its limit."""
        return self.limit is None or self.median <= self.limit


def measure(kind: str, make: Callable[[], Database], count: int, rounds: int, say: Say) -> list[Figure]:
    """Loads `count` lines into a fresh database that `make` gives, and reads them in every way."""
    with TemporaryDirectory(prefix="habitus-bench-") as folder, embedded_redis(Path(folder)) as redis_url:
        database = make()
        url = database.engine.url.render_as_string(hide_password=False)
        settings = read_settings(home=Path(folder), redis_url=redis_url, database_url=url)
        keys = create_keys(settings.keys)
        tenant, last = keys.ids.keyed(Kind.TENANT, TENANT), today()
        people = People(keys.ids.first, PEOPLE, last - timedelta(days=3 * SESSIONS))
        database.write(None, lambda connection: load(connection, people))
        others = [keys.ids.keyed(Kind.TENANT, f"{TENANT} {number}") for number in range(OTHERS)]
        _fill(database, lambda connection: load_lines(connection, tenant, count, last, others=others), count, kind, say)
        steps = {"plain SELECT": _floor(database, count)} | dict(
            _queries(database, tenant, count, last - timedelta(days=DAYS // 2))
        )
        with _clients(settings) as (client, operator, services):
            day = last - timedelta(days=DAYS // 2)
            steps |= dict(_pages(client, services, count, day)) | dict(
                _operator(operator, services, count, day, tenant)
            )
            say(f"{kind}: {rounds} rounds")
            figures = _figures(kind, {name: _timed(step, rounds) for name, step in steps.items()})
        database.close()
    return figures


def _fill(database: Database, load: Callable[[Connection], None], count: int, kind: str, say: Say) -> None:
    """Loads the lines, and counts those of all days but the last."""
    start = time.perf_counter()
    newest = database.write(None, lambda connection: _load(connection, load, count // DAYS))
    say(f"{kind}: {count:,} lines loaded in {time.perf_counter() - start:.0f} s")
    start = time.perf_counter()
    counted = count_up(database)
    say(f"{kind}: {counted:,} of them counted in {time.perf_counter() - start:.0f} s")
    database.write(None, lambda connection: connection.execute(insert(table(RejectionLine)), newest))
    if database.engine.dialect.name == "postgresql":
        # VACUUM marks pages as seen by all, as the server does by itself after a while; index-only reads need it.
        with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM ANALYZE"))


def _load(connection: Connection, load: Callable[[Connection], None], last: int) -> list[dict[str, Any]]:
    """Loads with the indexes away, which is quicker; takes the `last` lines out again, until the others are counted."""
    lines = table(RejectionLine)
    for index in lines.indexes:
        index.drop(connection)
    load(connection)
    newest = select(lines).order_by(lines.c.id.desc()).limit(last)
    rows = [dict(row) for row in connection.execute(newest).mappings()]
    connection.execute(delete(lines).where(lines.c.id >= rows[-1]["id"]))
    for index in lines.indexes:
        index.create(connection)
    return rows


def _floor(database: Database, count: int) -> Step:
    columns = table(RejectionLine).c
    plain = select(*columns).where(columns.id > count // 2).order_by(columns.id).limit(100)
    return lambda: database.read(None, lambda connection: connection.execute(plain).all())


def _queries(database: Database, tenant: str, count: int, day: date) -> Iterator[tuple[str, Step]]:
    middle = Place(day, count // 2)
    choices = {
        "from the middle on": Wanted(),
        "--code": Wanted(code=Code.UNDECIDED),
        "--stage": Wanted(stage=Stage.QUEUE),
        "--dimension": Wanted(dimension=list(Dimension)[-1]),
        "--since --until": Wanted(since=day, until=day),
        "of which there is none": Wanted(code=Code.TOO_LARGE, dimension=list(Dimension)[-1]),
    }
    for name, chosen in choices.items():
        yield f"rejections {name}", lambda chosen=chosen: listed(database, tenant, chosen, after=middle)  # type: ignore[misc]
    yield "rejections --stats: the counts", lambda: counts(database, tenant)
    yield "rejections --stats: the share of sessions", lambda: share_refused(database, tenant)


@contextmanager
def _clients(settings: Settings) -> Iterator[tuple[TestClient, TestClient, Services]]:
    """A tenant's browser, an operator's, and what serves them."""
    key = create_keys(settings.keys).ids.first
    app = make_application(settings, ["bench"])
    client, operator = TestClient(app, "http://bench"), TestClient(app, "http://bench")
    with client:
        for each, role in ((client, Role.TENANT), (operator, Role.OPERATOR)):
            token = add_token(settings.tokens, TENANT, role, key)
            proof = each.get("/sign-in").text.partition('name="proof" value="')[2].partition('"')[0]
            each.post("/sign-in", data={"token": token, "proof": proof}).raise_for_status()
        yield client, operator, app.state.services


def _pages(client: TestClient, services: Services, count: int, day: date) -> Iterator[tuple[str, Step]]:
    for path in (
        "/", "/?days=90", "/log", f"/log?before={day}.{count // 2}", "/log?code=UNDECIDED", "/log?stage=queue",
        f"/log?dimension={list(Dimension)[-1]}", f"/log?dimension={next(iter(Dimension))}&code=ONE_OFF",
        "/log?detector=iban", f"/log?since={day}&until={day}", f"/log?until={day}&code=PRIVATE_IP", "/dead-letters",
        "/people", "/effect", "/codes",
    ):  # fmt: skip
        yield f"GET {path}", lambda path=path: client.get(path).raise_for_status()  # type: ignore[misc]
    yield "POST /people", lambda: _post(client)
    for path in ("/", "/?days=90", "/effect"):
        yield f"first GET {path} of a server", lambda path=path: _first(client, services, path)  # type: ignore[misc]


def _operator(client: TestClient, services: Services, count: int, day: date, tenant: str) -> Iterator[tuple[str, Step]]:
    for path in (
        "/", "/?days=90", "/log", f"/log?before={day}.{count // 2}", "/log?code=UNDECIDED", "/log?stage=queue",
        f"/log?dimension={list(Dimension)[-1]}", "/log?detector=iban", f"/log?since={day}&until={day}",
        f"/log?tenant={tenant}", "/dead-letters", "/effect",
    ):  # fmt: skip
        yield f"GET {path} for an operator", lambda path=path: client.get(path).raise_for_status()  # type: ignore[misc]
    for path in ("/", "/?days=90", "/effect"):
        yield f"first GET {path} of a server, for an operator", lambda path=path: _first(client, services, path)  # type: ignore[misc]


def _first(client: TestClient, services: Services, path: str) -> None:
    services.forget_figures()
    client.get(path).raise_for_status()


def _post(client: TestClient) -> None:
    proof = client.get("/people").text.partition('name="proof" value="')[2].partition('"')[0]
    client.post("/people", data={"user": secrets.token_hex(4), "proof": proof}).raise_for_status()


def _timed(step: Step, rounds: int) -> list[float]:
    step()  # connections are opened and statements compiled
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        step()
        taken.append((time.perf_counter() - start) * 1000)
    return taken


def _figures(kind: str, taken: dict[str, list[float]]) -> list[Figure]:
    floor = median(taken["plain SELECT"])
    return [
        Figure(
            kind, name, median(times), max(times), median(times) / floor,
            LIMIT_MS if name.startswith(("GET", "POST", "first")) else None,
        )
        for name, times in taken.items()
    ]  # fmt: skip
