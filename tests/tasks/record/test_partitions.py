"""The log by days: whole and for its readers unchanged, each role seeing what it saw, old days gone at once."""

import secrets
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, insert, inspect, make_url, select, text
from sqlalchemy.exc import ProgrammingError

from habitus_schema import catalog
from habitus_schema.codes import Code, stage_of
from habitus_schema.errors import UsageError
from habitus_schema.tables import RejectionLine, table
from habitus_tasks.log_counting import count_up
from habitus_tasks.log_figures import counts
from habitus_tasks.partitions import AHEAD_DAYS, Kept, is_partitioned, keep_days, partition
from habitus_tasks.person import Tenant
from habitus_tasks.promote import PromotionRule
from habitus_tasks.store import Database, open_database
from habitus_tasks.upkeep import keep_up

ROLES = (Path(__file__).parents[3] / "deploy" / "roles.sql").read_text("utf-8")
TODAY = date(2026, 3, 10)
ACME, GLOBEX = (f"k1-{number:032x}" for number in (1, 2))
LINES = table(RejectionLine)
POLICIES = (
    "SELECT policyname, roles::text, cmd, qual, with_check FROM pg_policies WHERE tablename = 'rejection' ORDER BY 1"
)


def line(days: int, tenant: str = ACME) -> dict[str, Any]:
    return {
        "day": TODAY + timedelta(days=days), "stage": stage_of(Code.ONE_OFF), "code": Code.ONE_OFF, "dimension": None,
        "detector": None, "tenant": tenant, "subject": None, "session": None, "catalog_version": catalog.version(),
    }  # fmt: skip


def write(database: Database, *days: int, tenant: str = ACME) -> None:
    rows = [line(each, tenant) for each in days]
    whose = Tenant(tenant) if database.engine.url.username else None
    database.write(whose, lambda connection: connection.execute(insert(LINES), rows))


def days_of(database: Database, whose: Tenant | None = None) -> list[int]:
    found = database.read(whose, lambda connection: connection.scalars(select(LINES.c.day).order_by(LINES.c.day)).all())
    return [(day - TODAY).days for day in found]


def counted(database: Database) -> dict[int, int]:
    return {(each.day - TODAY).days: each.count for each in counts(database, None, since=TODAY - timedelta(days=900))}


def parts(database: Database) -> dict[str, int]:
    named = text("SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'rejection'::regclass")

    def work(connection: Any) -> dict[str, int]:
        return {name: connection.scalar(text(f"SELECT count(*) FROM {name}")) for name in connection.scalars(named)}

    return database.read(None, work)


@pytest.fixture
def urls(empty_postgres: Callable[[], str]) -> dict[str, str]:
    """An empty database with the roles, and a URL for its owner and for an account of two roles."""
    owner = make_url(empty_postgres())
    found = {"owner": owner.render_as_string(hide_password=False)}
    open_database(found["owner"]).close()
    engine = create_engine(owner, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.connection.cursor().execute(ROLES)
        for role in ("record", "reader"):
            account = f"{role}_{secrets.token_hex(4)}"
            connection.execute(text(f"CREATE ROLE {account} LOGIN IN ROLE habitus_{role}"))
            found[role] = owner.set(username=account).render_as_string(hide_password=False)
    engine.dispose()
    return found


@pytest.fixture
def owner(urls: dict[str, str]) -> Iterator[Database]:
    database = open_database(urls["owner"])
    yield database
    database.close()


def _rules(database: Database) -> tuple[Any, ...]:
    def work(connection: Any) -> tuple[Any, ...]:
        seen = inspect(connection)
        return (
            sorted((each["name"], str(each["type"]), each["nullable"]) for each in seen.get_columns("rejection")),
            sorted((each["name"], each["sqltext"]) for each in seen.get_check_constraints("rejection")),
            sorted((each["name"], tuple(each["column_names"])) for each in seen.get_indexes("rejection")),
            connection.execute(text(POLICIES)).all(),
            connection.scalar(text("SELECT relrowsecurity FROM pg_class WHERE oid = 'rejection'::regclass")),
            connection.scalars(
                text("SELECT a::text FROM pg_class, unnest(relacl) a WHERE oid = 'rejection'::regclass ORDER BY 1")
            ).all(),
            connection.execute(
                text(
                    "SELECT attname, attacl::text FROM pg_attribute WHERE attrelid = 'rejection'::regclass"
                    " AND attacl IS NOT NULL ORDER BY 1"
                )
            ).all(),
            connection.scalars(
                text(
                    "SELECT tgname FROM pg_trigger WHERE tgrelid = 'rejection'::regclass"
                    " AND NOT tgisinternal ORDER BY 1"
                )
            ).all(),
        )

    return database.read(None, work)


def test_nothing_but_the_key_changes_and_no_line_is_lost(owner: Database) -> None:
    write(owner, -400, -3, -3, 0, 2)
    count_up(owner)
    before, sums = _rules(owner), counted(owner)
    assert partition(owner, TODAY)
    assert _rules(owner) == before
    assert before[4] is True
    assert before[3]
    assert days_of(owner) == [-400, -3, -3, 0, 2]
    assert counted(owner) == sums == {-400: 1, -3: 2, 0: 1, 2: 1}
    key = owner.read(None, lambda connection: inspect(connection).get_pk_constraint("rejection"))
    assert key["constrained_columns"] == ["id", "day"]
    assert not partition(owner, TODAY)


def test_each_line_goes_where_its_day_is_and_none_is_refused(owner: Database) -> None:
    write(owner, -1)
    partition(owner, TODAY)
    write(owner, -500, 0, 1, 1, AHEAD_DAYS, AHEAD_DAYS + 1, 300)
    found = parts(owner)
    assert found["rejection_before"] == 3
    assert found["rejection_2026_03_11"] == 2
    assert found["rejection_2026_03_17"] == 1
    assert found["rejection_later"] == 2
    assert len(found) == AHEAD_DAYS + 2
    assert len(set(owner.read(None, lambda c: c.scalars(select(LINES.c.id)).all()))) == 8


def test_the_days_go_on_and_what_came_too_early_is_moved_to_its_day(owner: Database) -> None:
    partition(owner, TODAY)
    write(owner, 1, AHEAD_DAYS + 2, AHEAD_DAYS + 2)
    count_up(owner)
    assert parts(owner)["rejection_later"] == 2
    assert keep_days(owner, TODAY + timedelta(days=3)) == Kept(made=3)
    assert keep_days(owner, TODAY + timedelta(days=3)) == Kept()
    found = parts(owner)
    assert (found["rejection_later"], found["rejection_2026_03_19"]) == (0, 2)
    assert counted(owner) == {1: 1, AHEAD_DAYS + 2: 2}


def test_old_days_are_dropped_with_their_sums_and_older_lines_deleted(owner: Database) -> None:
    write(owner, -2, -1)
    partition(owner, TODAY)
    write(owner, 1, 2, 3, 3, 40)
    count_up(owner)
    write(owner, 3, 4)  # not counted yet
    done = keep_days(owner, TODAY + timedelta(days=7), keep=4)
    assert (done.dropped, done.lines) == (2, 2)
    assert days_of(owner) == [3, 3, 3, 4, 40]
    assert counted(owner) == {3: 3, 4: 1, 40: 1}
    assert "rejection_2026_03_12" not in parts(owner)
    assert "rejection_2026_03_13" in parts(owner)


def test_the_record_role_writes_and_sees_one_tenant_and_no_partition(urls: dict[str, str], owner: Database) -> None:
    write(owner, 0, tenant=GLOBEX)
    partition(owner, TODAY)
    record = open_database(urls["record"])
    write(record, 0, 1, 1)
    assert days_of(record, Tenant(ACME)) == [0, 1, 1]
    assert days_of(record, Tenant(GLOBEX)) == [0]
    assert days_of(record) == []
    assert keep_days(record, TODAY + timedelta(days=300), keep=1) == Kept()
    assert len(days_of(owner)) == 4
    record.close()
    for role in ("record", "reader"):
        engine = create_engine(urls[role], hide_parameters=True)
        for name in ("rejection_before", "rejection_2026_03_11", "rejection_later"):
            with engine.connect() as connection, pytest.raises(ProgrammingError, match="permission denied"):
                connection.execute(text(f"SELECT count(*) FROM {name}"))
        engine.dispose()


def test_the_roles_can_be_run_again_on_a_log_by_days(urls: dict[str, str], owner: Database) -> None:
    partition(owner, TODAY)
    before = _rules(owner)
    engine = create_engine(urls["owner"], isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.connection.cursor().execute(ROLES)
    engine.dispose()
    assert _rules(owner) == before


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_log_that_is_one_table_loses_its_old_lines_too(kind: str, request: pytest.FixtureRequest) -> None:
    url = "sqlite://" if kind == "sqlite" else request.getfixturevalue("empty_postgres")()
    database = open_database(url)
    write(database, -9, -5, -5, -4, 0)
    count_up(database)
    write(database, -6)
    rule = PromotionRule()
    assert keep_up(database, rule, today=TODAY).log == Kept()
    assert keep_up(database, rule, today=TODAY, log_days=4).log == Kept(lines=4)
    assert days_of(database) == [-4, 0]
    assert counted(database) == {-4: 1, 0: 1}
    assert not database.read(None, is_partitioned)
    database.close()


def test_sqlite_has_no_partitions() -> None:
    database = open_database("sqlite://")
    with pytest.raises(UsageError, match="PostgreSQL"):
        partition(database, TODAY)
    database.close()
