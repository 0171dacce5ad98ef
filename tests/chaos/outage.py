"""A database that cannot be reached for a while."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from sqlalchemy import create_engine, text

from habitus_worker.settings import Settings


@contextmanager
def outage(settings: Settings) -> Iterator[None]:
    """No session can be recorded in the block."""
    with _sqlite_outage(settings) if "sqlite" in settings.database else _postgresql_outage(settings):
        yield


@contextmanager
def _sqlite_outage(settings: Settings) -> Iterator[None]:
    """Somebody else holds the file."""
    with closing(sqlite3.connect(settings.home / "habitus.db", isolation_level=None, timeout=60)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        yield
        holder.execute("ROLLBACK")


@contextmanager
def _postgresql_outage(settings: Settings) -> Iterator[None]:
    """The server ends every connection to the database, in the middle of whatever it does, and lets no new one in."""
    url, _, name = settings.database.rpartition("/")
    name, _, query = name.partition("?")
    server = create_engine(f"{url}/postgres?{query}", isolation_level="AUTOCOMMIT")
    end = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name")
    try:
        with server.connect() as connection:
            connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false"))
            connection.execute(end, {"name": name})
            yield
            connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true"))
    finally:
        server.dispose()
