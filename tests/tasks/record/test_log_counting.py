"""The sums of the log and the lines after them are the counts of the lines, whatever happens to these and when."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from threading import Event
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, func, insert, select, update

from habitus_schema import catalog
from habitus_schema.codes import Code, stage_of
from habitus_schema.tables import CountedTo, RejectionCount, RejectionLine, table
from habitus_schema.vocabulary import Dimension
from habitus_tasks import log_counting
from habitus_tasks.forget import forget
from habitus_tasks.log_counting import count_up
from habitus_tasks.log_figures import counts, summary
from habitus_tasks.store import Database, open_database
from habitus_tasks.upkeep import keep_up

DAY = date(2026, 3, 1)
TENANTS = [f"k1-{number:032x}" for number in (1, 2)]
PEOPLE = [f"k1-{number:032x}" for number in (3, 4)]
LINES, SUMS = table(RejectionLine), table(RejectionCount)
C = LINES.c


def empty(database: Database) -> Database:
    for each in (LINES, SUMS, table(CountedTo)):
        database.write(None, lambda connection, each=each: connection.execute(delete(each)))  # type: ignore[misc]
    return database


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def alone(request: pytest.FixtureRequest) -> Iterator[Database]:
    """A database that no other test writes to."""
    url = "sqlite://" if request.param == "sqlite" else request.getfixturevalue("empty_postgres")()
    opened = open_database(url)
    yield opened
    opened.close()


def row(tenant: int, person: int, day: int, kind: int) -> dict[str, Any]:
    code = (Code.ONE_OFF, Code.TOO_LARGE, Code.PRIVATE_URL)[kind % 3]
    return {
        "day": DAY + timedelta(days=day), "stage": stage_of(code), "code": code,
        "dimension": (None, Dimension.PLANNING)[kind // 3], "detector": None, "tenant": TENANTS[tenant],
        "subject": PEOPLE[person], "session": None, "catalog_version": catalog.version(),
    }  # fmt: skip


def write(database: Database, *rows: dict[str, Any]) -> None:
    database.write(None, lambda connection: connection.execute(insert(LINES), list(rows)))


NUMBER = st.integers(0, 1)
ROW = st.builds(row, NUMBER, NUMBER, st.integers(0, 3), st.integers(0, 5))
STEP = st.one_of(
    st.tuples(st.just("write"), st.lists(ROW, min_size=1, max_size=4)),
    st.tuples(st.just("count"), st.integers(1, 5)),
    st.tuples(st.just("forget"), st.tuples(NUMBER, NUMBER)),
    st.tuples(st.just("prune"), st.integers(0, 4)),
    st.tuples(st.just("drop_newest"), st.integers(1, 3)),
    st.tuples(st.just("rename"), st.tuples(NUMBER, NUMBER)),
    st.tuples(st.just("change"), st.integers(0, 3)),
)


def take(database: Database, step: str, told: Any) -> None:
    """One thing that can happen to the log."""
    statements = {
        "prune": lambda: delete(LINES).where(C.day < DAY + timedelta(days=told)),
        "drop_newest": lambda: delete(LINES).where(C.id.in_(select(C.id).order_by(C.id.desc()).limit(told))),
        "rename": lambda: update(LINES).where(C.tenant == TENANTS[told[0]]).values(tenant=TENANTS[told[1]]),
        "change": lambda: update(LINES).where(C.code == Code.ONE_OFF).values(day=DAY + timedelta(days=told)),
    }
    if step == "write":
        write(database, *told)
    elif step == "count":
        count_up(database, chunk=told)
    elif step == "forget":
        forget(database, TENANTS[told[0]], PEOPLE[told[1]], DAY)
    else:
        database.write(None, lambda connection: connection.execute(statements[step]()))


def tally(database: Database, tenant: str | None, since: date | None = None) -> Counter[Any]:
    """The counts, from the lines themselves."""
    wanted = select(C.day, C.code, C.dimension)
    wanted = wanted.where(C.tenant == tenant) if tenant else wanted
    wanted = wanted.where(C.day >= since) if since else wanted
    return Counter(tuple(line) for line in database.read(None, lambda c: c.execute(wanted).all()))


def agree(database: Database) -> None:
    for tenant in (None, *TENANTS):
        for since in (None, DAY + timedelta(days=2)):
            lines = tally(database, tenant, since)
            found = counts(database, tenant, since=since)
            assert {(each.day, each.code, each.dimension): each.count for each in found} == lines
    summed = summary(database, TENANTS[0])
    assert sum(summed.days.values()) == tally(database, TENANTS[0]).total()


def follow(database: Database, steps: list[tuple[str, Any]]) -> None:
    empty(database)
    for step, told in steps:
        take(database, step, told)
        agree(database)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEP, max_size=10))
def test_sums_and_later_lines_agree_with_the_lines_after_every_step(
    steps: list[tuple[str, Any]], in_memory: Database
) -> None:
    follow(in_memory, steps)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEP, max_size=8))
def test_and_so_they_do_on_postgresql(steps: list[tuple[str, Any]], on_postgresql: Database) -> None:
    follow(on_postgresql, steps)


@pytest.fixture(scope="module")
def in_memory() -> Iterator[Database]:
    opened = open_database("sqlite://")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def on_postgresql(empty_postgres: Callable[[], str]) -> Iterator[Database]:
    opened = open_database(empty_postgres())
    yield opened
    opened.close()


def state(database: Database) -> tuple[int, int]:
    """(lines in the sums, the id up to which)."""
    sums, bound = select(func.coalesce(func.sum(SUMS.c.lines), 0)), select(func.max(table(CountedTo).c.upto))
    return database.read(None, lambda c: (int(c.scalar(sums) or 0), c.scalar(bound) or 0))


def test_the_daily_work_counts_each_line_once_and_leaves_no_empty_sum(alone: Database, world_of: Any) -> None:
    empty(alone)
    rule = world_of(alone).rule
    write(alone, row(0, 0, 0, 0), row(0, 1, 1, 3))
    assert keep_up(alone, rule, TENANTS[0], today=DAY).lines == 0, "one tenant's upkeep leaves the log's sums alone"
    assert keep_up(alone, rule, today=DAY).lines == 2
    write(alone, row(1, 0, 0, 0))
    assert keep_up(alone, rule, today=DAY).lines == 1
    assert keep_up(alone, rule, today=DAY).lines == 0
    assert state(alone)[0] == 3
    forget(alone, TENANTS[0], PEOPLE[0], DAY)
    assert state(alone)[0] == 2
    sums = alone.read(None, lambda c: c.scalars(select(SUMS.c.lines)).all())
    assert sorted(sums) == [1, 1]


def test_an_id_that_is_given_again_is_counted_again(in_memory: Database) -> None:
    """SQLite gives the highest id anew once its line is deleted: the new line's id is not above the bound."""
    empty(in_memory)
    write(in_memory, row(0, 0, 0, 0), row(0, 0, 1, 0))
    assert count_up(in_memory) == 2
    take(in_memory, "drop_newest", 1)
    write(in_memory, row(1, 0, 2, 0))
    assert state(in_memory) == (2, 2)
    agree(in_memory)


def test_a_line_whose_transaction_is_open_is_waited_for_or_left_to_the_next_count(
    on_postgresql: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its id is lower than that of a line that is there already: a bound above it would lose it."""
    monkeypatch.setattr(log_counting, "WAIT", "50ms")
    empty(on_postgresql)
    with on_postgresql.engine.connect() as slow, slow.begin():
        slow.execute(insert(LINES), row(0, 0, 0, 0))
        write(on_postgresql, row(0, 0, 1, 0))
        assert count_up(on_postgresql) == 0
    assert count_up(on_postgresql) == 2
    agree(on_postgresql)


@pytest.mark.parametrize("first", ["delete", "count"])
def test_a_line_that_is_deleted_while_it_is_counted_is_in_no_sum(on_postgresql: Database, first: str) -> None:
    empty(on_postgresql)
    write(on_postgresql, row(0, 0, 0, 0), row(0, 1, 1, 0))
    begun, go_on = Event(), Event()

    def slowly(connection: Any) -> None:
        if first == "delete":
            connection.execute(delete(LINES).where(C.subject == PEOPLE[0]))
        else:
            log_counting._count(connection, 2**62, 100)
        begun.set()
        go_on.wait(10)

    with ThreadPoolExecutor() as pool:
        slow = pool.submit(on_postgresql.write, None, slowly)
        begun.wait(10)
        other = pool.submit(take, on_postgresql, *(("count", 9) if first == "delete" else ("forget", (0, 0))))
        go_on.set()
        slow.result(20)
        other.result(20)
    agree(on_postgresql)
    count_up(on_postgresql)
    assert state(on_postgresql)[0] == tally(on_postgresql, None).total() == 1


def test_many_at_once_leave_the_sums_true(on_postgresql: Database) -> None:
    empty(on_postgresql)
    chance = random.Random(5)
    rows = [row(chance.randrange(2), chance.randrange(2), chance.randrange(4), chance.randrange(6)) for _ in range(160)]

    def write_all(part: int) -> None:
        for each in rows[part::4]:
            write(on_postgresql, each, each)

    def count_often(_: int) -> None:
        for _ in range(10):
            count_up(on_postgresql, chunk=7)

    def change_often(number: int) -> None:
        for turn in range(8):
            take(on_postgresql, "rename", (turn % 2, 1 - turn % 2))
            take(on_postgresql, "drop_newest", 1 + number)
            take(on_postgresql, "forget", (number, turn % 2))

    with ThreadPoolExecutor(7) as pool:
        work = [pool.submit(write_all, part) for part in range(4)]
        work += [pool.submit(count_often, 0), *(pool.submit(change_often, number) for number in range(2))]
        for each in work:
            each.result(60)
    agree(on_postgresql)
    count_up(on_postgresql)
    agree(on_postgresql)
    assert state(on_postgresql)[0] == tally(on_postgresql, None).total()
