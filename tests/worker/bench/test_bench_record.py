"""`habitus bench record`: it measures what it says, on tables that the real code could have filled."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from habitus_schema.ids import IdKey
from habitus_schema.models import Outcome
from habitus_schema.tables import Observation, table
from habitus_tasks import profile
from habitus_tasks.promote import PromotionRule
from habitus_tasks.record import record_session
from habitus_tasks.store import Database
from habitus_worker.bench.history import SESSIONS, TODAY, VOTES, People, load, people_for
from habitus_worker.bench.record import OPERATIONS, Figure, measure
from habitus_worker.bench.servers import postgresql_databases, sqlite_files

RULE = PromotionRule()


@pytest.fixture(params=["sqlite", "postgresql"])
def make(request: pytest.FixtureRequest) -> Iterator[Callable[[], Database]]:
    if request.param == "sqlite":
        with sqlite_files() as files:
            yield files
    else:
        with postgresql_databases(request.getfixturevalue("postgres_url")) as databases:
            yield databases


@pytest.fixture
def people() -> People:
    return people_for(3 * SESSIONS * VOTES, IdKey.generate())


def test_the_table_has_the_observations_that_were_asked_for(make: Callable[[], Database], people: People) -> None:
    database = make()
    database.write(None, lambda connection: load(connection, people))
    count = select(func.count()).select_from(table(Observation))
    assert database.read(None, lambda connection: connection.scalar(count)) == 3 * SESSIONS * VOTES
    database.close()


def test_what_was_loaded_is_what_the_rule_says_of_it(make: Callable[[], Database], people: People) -> None:
    """The loaded profile stays as it is when the rule settles everything anew: it is a real one."""
    database = make()
    database.write(None, lambda connection: load(connection, people))
    who = people.who(1)
    loaded = {(row.pair, row.contexts) for row in profile.show(database, *who, today=TODAY)}
    assert len(loaded) == 5
    assert {(row.pair, row.contexts) for row in profile.refresh(database, *who, RULE, today=TODAY)} == loaded
    assert profile.show(database, *who, today=TODAY + timedelta(days=400)) == ()
    database.close()


def test_each_session_to_record_is_new_and_counts(make: Callable[[], Database], people: People) -> None:
    database = make()
    database.write(None, lambda connection: load(connection, people))
    before = profile.show(database, *people.who(0), today=TODAY)[0]
    for name in ("new 1", "new 2"):
        record = people.session(0, name)
        assert record_session(database, record, RULE, today=TODAY) is Outcome.RECORDED
    after = {row.pair: row for row in profile.show(database, *people.who(0), today=TODAY)}[before.pair]
    assert after.contexts == before.contexts + 2
    database.close()


def test_the_figures_are_positive_and_the_floor_is_the_cheapest_write(make: Callable[[], Database]) -> None:
    said: list[str] = []
    figures = {each.operation: each for each in measure("any", make, 100, 300, 15, said.append)}
    assert tuple(figures) == OPERATIONS
    assert all(min(each.small, each.large, each.growth, each.floors) > 0 for each in figures.values())
    assert figures["floor"].floors == 1
    assert figures["record"].floors > 1
    assert [line.partition(" loaded")[0] for line in said[:2]] == [
        "any: 100 observations of 1 people",
        "any: 300 observations of 3 people",
    ]


@pytest.mark.parametrize(("growth", "limit", "holds"), [(1.1, 1.2, True), (1.3, 1.2, False), (9.0, None, True)])
def test_growth_is_held_against_its_limit(growth: float, limit: float | None, holds: bool) -> None:
    assert Figure("SQLite", "read", 1, 1, growth, 1, limit).holds is holds


def test_the_command_prints_a_line_for_each_figure_and_leaves_nothing_behind(tmp_path: Path, postgres_url: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "habitus_worker", "--database-url", postgres_url, "--home", str(tmp_path), "bench",
         "record", "--small", "100", "--large", "200", "--rounds", "3", "--json"],
        capture_output=True, text=True, env={"TMPDIR": str(tmp_path)}, check=False,
    )  # fmt: skip
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["database"], row["operation"]) for row in rows] == [
        (database, operation) for database in ("SQLite", "PostgreSQL") for operation in OPERATIONS
    ]
    assert done.returncode == int(not all(row["holds"] for row in rows))
    assert list(tmp_path.iterdir()) == []
