"""The cost of recording a session and of reading a profile, with few and with many observations in the table.

Small and large tables take turns, operation by operation, so that whatever else the machine does falls on both; what
is told are ratios within the run. The floor is a transaction of one plain SELECT and one plain INSERT.
"""

import random
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median

from sqlalchemy import Connection, text

from habitus_schema.ids import IdKey
from habitus_tasks import profile
from habitus_tasks.promote import PromotionRule
from habitus_tasks.record import record_session
from habitus_tasks.store import Database
from habitus_worker.bench.history import TODAY, People, load, people_for

LIMITS = {"record": 1.5, "read": 1.2}
"""How much dearer an operation may be on the large table."""
OPERATIONS = ("record", "read", "floor")
WARM_UP = 20
"""Rounds that are not counted."""
Say = Callable[[str], None]
_FLOOR_SELECT = text("SELECT day FROM session WHERE tenant = :tenant AND subject = :subject LIMIT 1")
_FLOOR_INSERT = text("INSERT INTO settled (ticket, outcome, day) VALUES (:ticket, 'recorded', '2026-01-01')")


@dataclass(frozen=True, slots=True)
class Figure:
    """One operation on one database: medians in microseconds, and their ratios.

    Attributes:
        growth: large over small.
        floors: the median on the large table over that of the floor there.
        limit: what `growth` must stay under; None for the floor itself.
    """

    database: str
    operation: str
    small: float
    large: float
    growth: float
    floors: float
    limit: float | None

    @property
    def holds(self) -> bool:
        """Whether the operation grows less than it may."""
        return self.limit is None or self.growth < self.limit


@dataclass(slots=True)
class _Table:
    """A database with so many observations, and the seconds that each operation took."""

    database: Database
    people: People
    seconds: dict[str, list[float]] = field(default_factory=lambda: {each: [] for each in OPERATIONS})


def measure(kind: str, make: Callable[[], Database], small: int, large: int, rounds: int, say: Say) -> list[Figure]:
    """Loads two fresh databases that `make` gives and measures on both in turn.

    `kind`: the database's name in the figures. `small`, `large`: observations in each.
    """
    tables = [_loaded(make(), size, kind, say) for size in (small, large)]
    chance, rule = random.Random(kind), PromotionRule()  # noqa: S311 - who comes next is no secret
    say(f"{kind}: {rounds} rounds")
    for round_ in range(WARM_UP + rounds):
        for each in chance.sample(tables, 2):
            for operation, run in chance.sample(list(_operations(each, round_, chance, rule)), len(OPERATIONS)):
                start = time.perf_counter()
                run()
                each.seconds[operation].append(time.perf_counter() - start)
    for each in tables:
        each.database.close()
    return _figures(kind, *tables)


def _loaded(database: Database, size: int, kind: str, say: Say) -> _Table:
    people = people_for(size, IdKey.generate())
    start = time.perf_counter()

    def work(connection: Connection) -> None:
        load(connection, people)

    database.write(None, work)
    if database.engine.dialect.name == "postgresql":
        database.write(None, lambda connection: connection.execute(text("ANALYZE")))
    say(f"{kind}: {size} observations of {people.count} people loaded in {time.perf_counter() - start:.0f} s")
    return _Table(database, people)


def _operations(
    measured: _Table, round_: int, chance: random.Random, rule: PromotionRule
) -> Iterator[tuple[str, Callable[[], object]]]:
    database, people = measured.database, measured.people
    recorded, shown, plain = (chance.randrange(people.count) for _ in OPERATIONS)
    record = people.session(recorded, f"new {round_}")
    ids = people.who(plain)

    def floor(connection: Connection) -> None:
        connection.execute(_FLOOR_SELECT, {"tenant": ids[0], "subject": ids[1]}).first()
        connection.execute(_FLOOR_INSERT, {"ticket": secrets.token_hex(16)})

    yield "record", lambda: record_session(database, record, rule, today=TODAY)
    yield "read", lambda: profile.show(database, *people.who(shown), today=TODAY)
    yield "floor", lambda: database.write(None, floor)


def _figures(kind: str, small: _Table, large: _Table) -> list[Figure]:
    def micros(measured: _Table, operation: str) -> float:
        return median(measured.seconds[operation][WARM_UP:]) * 1e6

    figures = []
    for operation in OPERATIONS:
        few, many = micros(small, operation), micros(large, operation)
        floors = many / micros(large, "floor")
        figures.append(Figure(kind, operation, few, many, many / few, floors, LIMITS.get(operation)))
    return figures
