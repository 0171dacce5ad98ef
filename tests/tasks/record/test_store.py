"""The database: what it refuses, how it says so, and that nobody's writing is lost."""

import multiprocessing
import os
import secrets
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text

from habitus_schema.errors import HabitusError, UnavailableError, UsageError
from habitus_schema.tables import SCHEMA_VERSION, SchemaVersion, table
from habitus_tasks import profile
from habitus_tasks.person import Person, Tenant
from habitus_tasks.record import record_session
from habitus_tasks.store import ATTEMPTS, Database, open_database, prepare

SHORT = "response_density=concise_direct"
SECRET = "hunter2-FAKE"
PROCESSES = 8
EACH = 12


@pytest.mark.parametrize(
    "url",
    ["", "nonsense", "mysql://u:hunter2-FAKE@h/d", "postgresql://u:hunter2-FAKE@h/d", "postgresql+pg8000://u@h/d"],
)
def test_any_other_kind_of_url_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UsageError) as refusal:
        open_database(url)
    assert SECRET not in str(refusal.value)


def test_a_database_that_is_not_there_is_unavailable_without_a_word_of_its_url(tmp_path: Path) -> None:
    for url in (f"postgresql+psycopg://u:{SECRET}@/d?host={tmp_path}", f"sqlite:///{tmp_path}/{SECRET}/habitus.db"):
        with pytest.raises(UnavailableError) as refusal:
            open_database(url)
        assert SECRET not in str(refusal.value)
        assert refusal.value.__cause__ is None


def test_a_file_that_is_no_database_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / "habitus.db").write_bytes(b"not a database, but a diary. " * 100)
    with pytest.raises(HabitusError) as refusal:
        open_database(f"sqlite:///{tmp_path / 'habitus.db'}")
    assert "diary" not in str(refusal.value)


def test_a_database_of_another_schema_version_is_refused_clearly(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'habitus.db'}"
    database = open_database(url)
    database.write(None, lambda connection: connection.execute(table(SchemaVersion).insert().values(version=999)))
    database.close()
    with pytest.raises(UsageError, match=rf"schema version 999.*needs {SCHEMA_VERSION}"):
        open_database(url)


def test_preparing_twice_changes_nothing(database: Database) -> None:
    prepare(database)
    prepare(database)


def test_a_refused_row_is_reported_without_its_words(database: Database, world: Any) -> None:
    def write(connection: Connection) -> None:
        connection.execute(
            text("INSERT INTO catalog_value VALUES ('pet', :secret, 1)"),
            {"secret": SECRET},
        )

    with pytest.raises(HabitusError) as refusal:
        database.write(Person(*world.who), write)
    assert SECRET not in str(refusal.value)
    assert refusal.value.__cause__ is None
    assert refusal.value.__suppress_context__


def test_a_failed_transaction_leaves_nothing(database: Database, world: Any) -> None:
    class BrokenError(Exception):
        pass

    def write(connection: Connection) -> None:
        connection.execute(
            text("INSERT INTO tombstone VALUES (:tenant, :subject, '2026-01-01')"), Person(*world.who).key()
        )
        raise BrokenError

    with pytest.raises(BrokenError):
        database.write(Person(*world.who), write)
    assert world.counts("a", SHORT).value == "recorded"
    assert world.log() == [("BELOW_RECURRENCE", "response_density")], "not FORGOTTEN: the tombstone was rolled back"


@pytest.mark.parametrize("missing", [None, "", "ada", "k1-xyz", "k1-" + "0" * 32 + "\n", 7])
def test_a_query_without_a_tenant_or_a_subject_is_refused(database: Database, world: Any, missing: Any) -> None:
    tenant, subject = world.who
    for who in ((missing, subject), (tenant, missing)):
        with pytest.raises(UsageError) as refusal:
            profile.show(database, *who)
        assert "xyz" not in str(refusal.value)
    with pytest.raises(UsageError):
        Tenant(missing)


def _promote(url: str, names: list[str], world: Any, start: Any) -> None:
    database = open_database(url)
    start.wait()
    for name in names:
        record_session(database, world.session(name, SHORT, "list_style=bullets"), world.rule, today=world.today)
    database.close()


def test_eight_processes_counting_for_one_person_lose_no_update(database: Database, world: Any) -> None:
    url = database.engine.url.render_as_string(hide_password=False)
    spawn = multiprocessing.get_context("fork")
    start = spawn.Barrier(PROCESSES)
    # Each session goes to two processes: whoever comes second finds a duplicate.
    names = [f"s{number}" for number in range(PROCESSES * EACH // 2)]
    shares = [names[at::PROCESSES] + names[at + 1 :: PROCESSES] for at in range(PROCESSES)]
    world.database = None  # a connection must not cross a fork
    database.close()
    children = [spawn.Process(target=_promote, args=(url, share, world, start)) for share in shares]
    for child in children:
        child.start()
    for child in children:
        child.join()
    assert [child.exitcode for child in children] == [0] * PROCESSES
    world.database = database
    assert world.profile() == {SHORT: (len(names), "promoted"), "list_style=bullets": (len(names), "promoted")}
    duplicates = sum(code == "DUPLICATE_SESSION" for code, _ in world.log())
    assert duplicates == sum(map(len, shares)) - len(names)


def _die_before_the_commit(url: str, person: Person) -> None:
    def work(connection: Connection) -> None:
        connection.execute(text("INSERT INTO tombstone VALUES (:tenant, :subject, '2026-12-31')"), person.key())
        os.kill(os.getpid(), signal.SIGKILL)

    open_database(url).write(person, work)


def test_a_worker_killed_before_its_commit_leaves_nothing_and_no_lock(database: Database, world: Any) -> None:
    url = database.engine.url.render_as_string(hide_password=False)
    database.close()
    child = multiprocessing.get_context("fork").Process(target=_die_before_the_commit, args=(url, Person(*world.who)))
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    assert world.counts("a", SHORT).value == "recorded"
    assert world.log() == [("BELOW_RECURRENCE", "response_density")]


def test_two_programs_that_start_at_once_on_an_empty_database_both_find_it_prepared(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'habitus.db'}"
    opened: list[Database] = []
    threads = [threading.Thread(target=lambda: opened.append(open_database(url))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 4
    for database in opened:
        database.close()


@pytest.fixture
def postgres(empty_postgres: Callable[[], str]) -> Iterator[Database]:
    database = open_database(empty_postgres())
    yield database
    database.close()


@pytest.fixture
def someone() -> Person:
    return Person(*(f"k1-{secrets.token_hex(16)}" for _ in range(2)))


def test_a_real_deadlock_is_retried_until_both_have_written(postgres: Database, someone: Person) -> None:
    first, second = (f"k1-{digit * 32}" for digit in "ab")
    put = text(
        "INSERT INTO tombstone VALUES (:tenant, :subject, '2026-01-01')"
        " ON CONFLICT (tenant, subject) DO UPDATE SET day = excluded.day"
    )
    meet = threading.Barrier(2)
    tries: list[str] = []

    def lock(mine: str, other: str) -> None:
        def work(connection: Connection) -> None:
            tries.append(mine)
            connection.execute(put, {"tenant": someone.tenant, "subject": mine})
            if tries.count(mine) == 1:
                meet.wait(10)
            connection.execute(put, {"tenant": someone.tenant, "subject": other})

        postgres.write(Tenant(someone.tenant), work)

    threads = [threading.Thread(target=lock, args=pair) for pair in ((first, second), (second, first))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(tries) >= 3, "one was chosen as the victim of the deadlock, and tried again"


def test_a_serialisation_failure_is_retried(postgres: Database, someone: Person) -> None:
    tries: list[int] = []

    def work(connection: Connection) -> str:
        tries.append(1)
        if len(tries) < 3:
            connection.execute(text("DO $$ BEGIN RAISE SQLSTATE '40001'; END $$"))
        return "done"

    assert postgres.write(someone, work) == "done"
    assert len(tries) == 3


def test_a_connection_that_is_cut_is_unavailable_and_the_next_call_finds_another(
    postgres: Database, someone: Person
) -> None:
    cut = text("SELECT pg_terminate_backend(pg_backend_pid())")
    with pytest.raises(UnavailableError):
        postgres.write(someone, lambda connection: connection.execute(cut))
    assert postgres.write(someone, lambda connection: connection.scalar(text("SELECT 1"))) == 1


def test_connections_that_died_while_idle_are_replaced(postgres: Database, someone: Person) -> None:
    pid = postgres.read(None, lambda connection: connection.scalar(text("SELECT pg_backend_pid()")))
    other = open_database(postgres.engine.url.render_as_string(hide_password=False))
    other.read(None, lambda connection: connection.execute(text(f"SELECT pg_terminate_backend({pid}, 5000)")))
    other.close()
    assert postgres.read(None, lambda connection: connection.scalar(text("SELECT pg_backend_pid()"))) != pid


def test_a_failure_that_never_ends_is_unavailable(postgres: Database, someone: Person) -> None:
    tries: list[int] = []

    def work(connection: Connection) -> None:
        tries.append(1)
        connection.execute(text("DO $$ BEGIN RAISE SQLSTATE '40P01' USING MESSAGE = 'hunter2-FAKE'; END $$"))

    with pytest.raises(UnavailableError) as refusal:
        postgres.write(someone, work)
    assert len(tries) == ATTEMPTS
    assert SECRET not in str(refusal.value)


def test_sqlite_runs_with_a_write_ahead_log_foreign_keys_and_overwritten_deletes(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'habitus.db'}")
    pragmas = ("journal_mode", "foreign_keys", "synchronous", "secure_delete", "busy_timeout")
    read = database.read(None, lambda connection: [connection.scalar(text(f"PRAGMA {each}")) for each in pragmas])
    assert read == ["wal", 1, 1, 1, 30_000]
    database.close()


def test_a_reader_of_sqlite_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "habitus.db"
    database = open_database(f"sqlite:///{path}")
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    who = Person("k1-" + "0" * 32, "k1-" + "1" * 32)
    assert profile.show(database, who.tenant, who.subject, today=date(2026, 1, 1) + timedelta(days=1)) == ()
    writer.close()
    database.close()


def test_on_postgresql_no_statement_is_kept_prepared_and_keys_are_found_by_keys(
    empty_postgres: Callable[[], str],
) -> None:
    """A plan made while a table was empty goes through all of it later, for every session."""
    database = open_database(empty_postgres())
    person = database.person("k1-" + "a" * 32, "k1-" + "b" * 32)

    def asked(connection: Connection) -> tuple[str, int]:
        for _ in range(12):  # the driver would prepare a statement at its sixth time
            connection.execute(text("SELECT count(*) FROM session WHERE tenant = :tenant"), {"tenant": "x"})
        kept = connection.scalar(text("SELECT count(*) FROM pg_prepared_statements"))
        return str(connection.scalar(text("SHOW enable_seqscan"))), int(kept or 0)

    assert database.write(person, asked) == ("off", 0)
    assert database.read(person, asked) == ("on", 0)
    database.close()
