"""Connections to the two databases: SQLite for one machine, PostgreSQL for a fleet."""

from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import StaticPool
from tenacity import retry, retry_if_exception, stop_after_delay, wait_random

from habitus_schema.errors import UsageError

BUSY_SECONDS = 30
"""How long a writer waits for another one before the database counts as unavailable."""


def engine_of(url: str) -> Engine:
    """The engine for ``sqlite:///file``, ``sqlite://`` (in memory) or ``postgresql+psycopg://``. Connects to nothing.

    Raises:
        UsageError: for any other kind of URL.
    """
    try:
        parsed = make_url(url)
        kind = parsed.get_backend_name()
        if kind == "sqlite":
            return _sqlite(url, in_memory=parsed.database in (None, "", ":memory:"))
        if parsed.drivername == "postgresql+psycopg":
            return _postgresql(url)
    except (ArgumentError, NoSuchModuleError, ValueError):
        pass  # falls through to the one message, which does not repeat a URL that may hold a password
    raise UsageError("the database URL must begin with sqlite:/// or postgresql+psycopg://")


def in_memory(engine: Engine) -> bool:
    """Whether the engine's database ends with the process."""
    return isinstance(engine.pool, StaticPool)


def pragma(connection: Connection, setting: str) -> None:
    """SQLite: runs a PRAGMA outside of any transaction."""
    connection.connection.cursor().execute(f"PRAGMA {setting}").close()


def _postgresql(url: str) -> Engine:
    """READ COMMITTED, whatever the server's default: what follows the person's lock sees all that is committed.

    No statement is kept prepared: each is planned for the tables as they are. A plan that was kept from the time when
    they were empty went through all of a tenant's rows (measured: 2 s a group, 40 s into a new fleet's first history).
    """
    return create_engine(
        url,
        hide_parameters=True,
        isolation_level="READ COMMITTED",
        pool_pre_ping=True,
        connect_args={
            "connect_timeout": 5,
            "options": f"-c lock_timeout={BUSY_SECONDS}s",
            "prepare_threshold": None,
        },
    )


@retry(
    retry=retry_if_exception(lambda error: "locked" in str(error)),
    stop=stop_after_delay(BUSY_SECONDS),
    wait=wait_random(0.01, 0.1),
    reraise=True,
)
def _pragma(connection: Any, pragma: str) -> None:
    """Sets a pragma. Several programs that find a new file turn WAL on at once, and that change waits for nobody."""
    connection.execute(f"PRAGMA {pragma}").close()


def _sqlite(url: str, *, in_memory: bool) -> Engine:
    """One writer at a time, readers never wait.

    WAL with ``synchronous=NORMAL`` (https://sqlite.org/pragma.html#pragma_synchronous): a killed process loses nothing
    and the file is never damaged; a power cut may take back the last transactions, which `habitus status` then shows
    as outcomes the ledger has and the database lacks. FULL would close that gap at an fsync a session, a fifth of the
    speed on a quiet disk and far less on a busy one; a fleet that needs it uses PostgreSQL.
    ``secure_delete``: what a person asked to forget is overwritten, not just unlinked.
    """
    pool = {"poolclass": StaticPool, "connect_args": {"check_same_thread": False}} if in_memory else {}
    engine = create_engine(url, hide_parameters=True, **pool)

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: object) -> None:
        connection.isolation_level = None  # the driver begins nothing by itself: see `begin`
        for pragma in (
            f"busy_timeout={BUSY_SECONDS * 1000}",
            "journal_mode=WAL",
            "synchronous=NORMAL",
            "foreign_keys=ON",
            "secure_delete=ON",
        ):
            _pragma(connection, pragma)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writer = connection.get_execution_options().get("habitus_writer", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writer else "BEGIN")

    return engine
