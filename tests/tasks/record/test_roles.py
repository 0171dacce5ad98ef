"""deploy/roles.sql, by connecting as each role: content sees nothing, the reader a profile, none another tenant."""

import secrets
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import ProgrammingError

from habitus_schema.decisions import DecisionReason, PolicyWord
from habitus_schema.errors import HabitusError
from habitus_schema.ids import IdKey, KeyChain
from habitus_schema.models import Outcome
from habitus_schema.pairs import Pair
from habitus_schema.tables import Row
from habitus_schema.vocabulary import Dimension
from habitus_tasks import decisions, profile, rejections
from habitus_tasks.forget import forget
from habitus_tasks.log_counting import count_up
from habitus_tasks.log_figures import stats
from habitus_tasks.person import Tenant
from habitus_tasks.record import record_sessions, settled_counts
from habitus_tasks.store import Database, open_database

ROLES = (Path(__file__).parents[3] / "deploy" / "roles.sql").read_text("utf-8")
SHORT = "response_density=concise_direct"
TABLES = sorted(Row.metadata.tables)


@pytest.fixture(scope="module")
def urls(empty_postgres: Callable[[], str]) -> dict[str, str]:
    """A database with the roles, and a URL for the account of each."""
    owner = make_url(empty_postgres())
    open_database(owner.render_as_string(hide_password=False)).close()
    found = {"owner": owner.render_as_string(hide_password=False)}
    engine = create_engine(owner, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for _ in range(2):  # it can be run again
            connection.connection.cursor().execute(ROLES)
        for role in ("content", "record", "reader"):
            account = f"{role}_{secrets.token_hex(4)}"
            connection.execute(text(f"CREATE ROLE {account} LOGIN IN ROLE habitus_{role}"))
            found[role] = owner.set(username=account).render_as_string(hide_password=False)
    engine.dispose()
    return found


def opened(url: str) -> Database:
    return Database(create_engine(url, hide_parameters=True))


@pytest.fixture
def worlds(urls: dict[str, str], world_of: Any) -> Iterator[Any]:
    """Two tenants whose sessions the record role has counted."""
    database = open_database(urls["record"])
    acme = world_of(database)
    globex = type(acme)(database, acme.key, tenant="globex")
    for world in (acme, globex):
        world.counts("a", SHORT, day=1)
        world.counts("b", SHORT, day=2)
    yield acme, globex
    database.close()


def test_the_record_role_can_do_all_its_work(worlds: Any) -> None:
    acme, _ = worlds
    assert acme.profile() == {SHORT: (2, "promoted")}
    assert acme.counts("a", SHORT, day=1) is Outcome.DUPLICATE
    pair = Pair(dimension=Dimension.LIST_STYLE, value="prose")
    who = (acme.database, *acme.who)
    assert profile.pin(*who, pair, acme.rule, today=acme.today)
    assert profile.block(*who, pair, acme.rule, today=acme.today)
    assert profile.unblock(*who, pair)
    assert len(profile.explain(*who, acme.rule, today=acme.today)) == 1
    assert ("DUPLICATE_SESSION", None) in acme.log()
    assert settled_counts(acme.database)["recorded"] >= 2
    assert forget(*who, acme.today).left == 0
    assert acme.profile() == {}


def test_the_record_role_sees_and_writes_one_tenant_at_a_time(worlds: Any) -> None:
    acme, globex = worlds
    tenant = Tenant(acme.who[0])
    for table in ("session", "session_message", "observation", "profile", "rejection"):
        count = text(f"SELECT count(*), count(DISTINCT tenant) FROM {table}")
        rows, tenants = acme.database.read(tenant, lambda connection, count=count: connection.execute(count).one())
        assert rows > 0
        assert tenants == 1
        changed = text(f"UPDATE {table} SET tenant = tenant WHERE tenant = '{globex.who[0]}'")
        if table != "rejection":
            touched = acme.database.write(tenant, lambda connection, sql=changed: connection.execute(sql).rowcount)
            assert touched == 0
    theirs = text(f"INSERT INTO tombstone VALUES ('{globex.who[0]}', '{globex.who[1]}', '2026-01-01')")
    with pytest.raises(HabitusError):
        acme.database.write(tenant, lambda connection: connection.execute(theirs))


def test_the_record_role_counts_sessions_of_several_tenants_in_one_transaction(worlds: Any) -> None:
    acme, globex = worlds
    records = [each.session(name, SHORT, day=3) for name in "cd" for each in (acme, globex)]
    assert record_sessions(acme.database, records, acme.rule, today=acme.today) == [Outcome.RECORDED] * 4
    assert acme.profile() == globex.profile() == {SHORT: (4, "promoted")}


def test_without_a_tenant_the_record_role_sees_no_row(worlds: Any) -> None:
    acme, _ = worlds
    assert rejections.query(acme.database).lines == ()
    seen = acme.database.read(None, lambda connection: connection.scalar(text("SELECT count(*) FROM profile")))
    assert seen == 0


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO catalog_value VALUES ('list_style', 'prose', 2)",
        "UPDATE schema_version SET version = 2",
        "DELETE FROM settled",
        "DELETE FROM tombstone",
        "UPDATE rejection SET code = 'ONE_OFF'",
        "CREATE TABLE diary (words text)",
        "ALTER TABLE profile DISABLE ROW LEVEL SECURITY",
    ],
)
def test_the_record_role_cannot_change_the_vocabulary_the_schema_or_the_past(worlds: Any, statement: str) -> None:
    acme, _ = worlds
    with pytest.raises(HabitusError):
        acme.database.write(Tenant(acme.who[0]), lambda connection: connection.execute(text(statement)))


def test_the_reader_reads_the_profile_of_one_tenant_and_nothing_else(worlds: Any, urls: dict[str, str]) -> None:
    acme, globex = worlds
    reader = opened(urls["reader"])
    for world in (acme, globex):
        (row,) = profile.show(reader, *world.who, today=world.today)
        assert str(row.pair) == SHORT
    everything = text("SELECT DISTINCT tenant FROM profile")
    assert reader.read(Tenant(acme.who[0]), lambda c: c.scalars(everything).all()) == [acme.who[0]]
    assert reader.read(None, lambda c: c.scalars(everything).all()) == []
    for table in TABLES:
        if table not in ("profile", "schema_version"):
            with pytest.raises(HabitusError):
                reader.read(Tenant(acme.who[0]), lambda c, table=table: c.execute(text(f"SELECT * FROM {table}")))
    with pytest.raises(HabitusError):
        reader.write(Tenant(acme.who[0]), lambda c: c.execute(text("DELETE FROM profile")))
    reader.close()


@pytest.mark.parametrize("table", TABLES)
def test_the_content_role_can_read_nothing(urls: dict[str, str], table: str) -> None:
    engine = create_engine(urls["content"])
    with engine.connect() as connection, pytest.raises(ProgrammingError):
        connection.execute(text(f"SELECT * FROM {table}"))
    engine.dispose()


def test_the_owner_reads_the_log_of_the_whole_fleet(worlds: Any, urls: dict[str, str]) -> None:
    owner = open_database(urls["owner"])
    tenants = {line.tenant for line in rejections.query(owner, limit=1000).lines}
    assert {world.who[0] for world in worlds} <= tenants
    owner.close()


def test_the_record_role_brings_a_person_of_its_tenant_under_a_new_key_and_no_other(
    worlds: Any, urls: dict[str, str]
) -> None:
    acme, globex = worlds
    acme.counts("c", "list_style=prose", day=3)
    chain = KeyChain("k1", acme.key, (IdKey("k2", b"2" * 32),))
    rotated = open_database(urls["record"], lambda: chain)
    before = acme.profile()
    assert before
    rotating = type(acme)(rotated, acme.key)
    assert rotating.profile() == before
    assert rotating.counts("a", SHORT, day=1) is Outcome.DUPLICATE
    assert acme.profile() == {}, "nothing is left under the old key"
    assert len(globex.profile()) == 1
    rotated.close()


def test_the_record_role_counts_decisions_and_prunes_them(urls: dict[str, str]) -> None:
    database = open_database(urls["record"])
    kind = Dimension.TABLE_USAGE, PolicyWord.IGNORE, DecisionReason.VOTE
    decisions.note(database, {kind: 2}, date(2026, 3, 1))
    decisions.note(database, {kind: 1}, date(2026, 3, 1))
    assert [count.decisions for count in decisions.totals(database)] == [3]
    assert decisions.prune(database, date(2026, 3, 2)) == 1
    database.close()


def test_the_record_role_takes_forgotten_lines_from_the_sums_of_its_tenant(worlds: Any, urls: dict[str, str]) -> None:
    """By the triggers, under row-level security. It counts nothing itself: it sees no line without a tenant."""
    acme, globex = worlds
    assert count_up(acme.database) == 0
    owner = open_database(urls["owner"])
    assert count_up(owner) > 0
    before = {world.tenant: stats(world.database, world.who[0]) for world in worlds}
    assert all(before.values())
    assert forget(acme.database, *acme.who, acme.today).left == 0
    assert stats(acme.database, acme.who[0]) == []
    assert stats(globex.database, globex.who[0]) == before["globex"]
    seen = text("SELECT DISTINCT tenant FROM rejection_count")
    assert acme.database.read(Tenant(globex.who[0]), lambda c: c.scalars(seen).all()) == [globex.who[0]]
    assert acme.database.read(None, lambda c: c.scalars(seen).all()) == []
    with pytest.raises(HabitusError):
        acme.database.write(None, lambda c: c.execute(text("DELETE FROM rejection_counted")))
    owner.close()
