"""The read-only profile: SQLite and PostgreSQL, a bounded memory, and an empty profile on any trouble."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from habitus_classifier.profile import CACHE_SECONDS, Reader
from habitus_schema.errors import UsageError
from habitus_schema.ids import IdKey, Kind

KEY = IdKey("k1", b"k" * 32)
TENANT, OTHER_TENANT = (KEY.keyed(Kind.TENANT, name) for name in ("one", "two"))
ADA, BOB = (KEY.keyed(Kind.SUBJECT, "one", name) for name in ("ada", "bob"))
TABLE = (
    "CREATE TABLE profile (tenant TEXT, subject TEXT, dimension TEXT, value TEXT, status TEXT, pinned BOOLEAN,"
    " expires DATE)"
)


class Database:
    """A database with a profile table, on either server."""

    def __init__(self, url: str, connection: Any, mark: str) -> None:
        self.url, self.connection, self.mark = url, connection, mark
        self.run(TABLE)

    def run(self, statement: str, *values: object) -> None:
        self.connection.execute(statement.replace("?", self.mark), values)
        self.connection.commit()

    def add(
        self, pair: str, status: str = "promoted", expires: str | None = None, tenant: str = TENANT, subject: str = ADA
    ) -> None:
        dimension, _, value = pair.partition("=")
        self.run(
            "INSERT INTO profile VALUES (?, ?, ?, ?, ?, ?, ?)", tenant, subject, dimension, value, status, True, expires
        )


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    if request.param == "sqlite":
        path = tmp_path / "with space" / "habitus.db"
        path.parent.mkdir()
        with sqlite3.connect(path) as connection:
            yield Database(f"sqlite:///{path}", connection, "?")
        connection.close()
        return
    import psycopg

    url = request.getfixturevalue("empty_postgres")()
    with psycopg.connect(url.replace("+psycopg", "")) as server:
        yield Database(url, server, "%s")


def read(database: Database) -> list[str]:
    with closing(Reader(database.url)) as reader:
        return [str(pair) for pair in reader.pairs(TENANT, ADA)]


@pytest.fixture
def fresh(database: Database) -> Iterator[Reader]:
    """A reader without a memory."""
    with closing(Reader(database.url, cache_seconds=0)) as reader:
        yield reader


def test_promoted_pairs_come_in_the_catalogs_order(database: Database) -> None:
    for pair in ("progress_updates=quiet", "list_style=prose", "verbosity_ceiling_tokens=300"):
        database.add(pair)
    assert read(database) == ["list_style=prose", "verbosity_ceiling_tokens=300", "progress_updates=quiet"]


def test_contested_and_expired_pairs_are_left_out(database: Database) -> None:
    database.add("list_style=prose", status="contested")
    database.add("table_usage=avoid", expires="2001-01-01")
    database.add("emoji_usage=none", expires="2999-01-01")
    assert read(database) == ["emoji_usage=none"]


def test_rows_that_are_no_pair_of_the_catalog_are_dropped(database: Database) -> None:
    database.add("list_style=haiku")
    database.add("favourite_dish=borscht")
    database.add("emoji_usage=none")
    assert read(database) == ["emoji_usage=none"]


def test_another_person_and_another_tenant_are_never_served(database: Database) -> None:
    database.add("list_style=prose", subject=BOB)
    database.add("list_style=prose", tenant=OTHER_TENANT)
    assert read(database) == []


def test_a_pair_that_was_forgotten_is_served_no_longer_than_the_bound(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    database.add("list_style=prose")
    with closing(Reader(database.url)) as reader:
        assert len(reader.pairs(TENANT, ADA)) == 1
        database.run("DELETE FROM profile")
        now += CACHE_SECONDS - 0.01
        assert len(reader.pairs(TENANT, ADA)) == 1
        now += 0.02
        assert reader.pairs(TENANT, ADA) == ()


def test_without_a_memory_every_call_reads(database: Database, fresh: Reader) -> None:
    assert fresh.pairs(TENANT, ADA) == ()
    database.add("list_style=prose")
    assert len(fresh.pairs(TENANT, ADA)) == 1


def test_a_missing_table_gives_an_empty_profile_and_is_counted_and_not_remembered(database: Database) -> None:
    with closing(Reader(database.url)) as reader:
        database.run("DROP TABLE profile")
        assert reader.pairs(TENANT, ADA) == ()
        assert reader.errors == 1
        database.run(TABLE)
        database.add("list_style=prose")
        assert len(reader.pairs(TENANT, ADA)) == 1


def test_many_threads_may_share_a_reader(database: Database, fresh: Reader) -> None:
    database.add("list_style=prose")
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda: found.extend(len(fresh.pairs(TENANT, ADA)) for _ in range(5))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (found, fresh.errors) == ([1] * 30, 0)


def test_reading_never_creates_or_changes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    reader = Reader(f"sqlite:///{path}")
    assert reader.pairs(TENANT, ADA) == ()
    assert reader.errors == 1
    assert not path.exists()


def test_a_locked_database_gives_an_empty_profile_soon(tmp_path: Path) -> None:
    path = tmp_path / "habitus.db"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(TABLE)
    connection.execute("BEGIN EXCLUSIVE")
    reader = Reader(f"sqlite:///{path}")
    assert reader.pairs(TENANT, ADA) == ()
    assert reader.errors == 1
    connection.close()


def test_a_server_that_is_not_there_gives_an_empty_profile(tmp_path: Path) -> None:
    reader = Reader(f"postgresql+psycopg://habitus@/habitus?host={tmp_path}")
    assert reader.pairs(TENANT, ADA) == ()
    assert reader.errors == 1


@pytest.mark.parametrize("url", ["", "sqlite://", "mysql://hunter2@host/db", "file.db"])
def test_another_kind_of_url_is_refused_without_being_repeated(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        Reader(url)
    assert "hunter2" not in str(caught.value)
