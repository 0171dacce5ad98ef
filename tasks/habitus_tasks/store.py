"""The database of the record zone: SQLite for one machine, PostgreSQL for a fleet, one transaction a session.

Every error that leaves here is one of ours, with fixed text: a driver's message can quote a row.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, NoReturn, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, func, inspect, make_url, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import StaticPool
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from habitus_schema import catalog
from habitus_schema.errors import HabitusError, UnavailableError, UsageError
from habitus_schema.tables import SCHEMA_VERSION, CatalogValue, Row, SchemaVersion, table
from habitus_tasks.person import Person, Tenant

Whose = Person | Tenant | None
"""Whom a transaction concerns; None: the whole database, for its owner only."""

Result = TypeVar("Result")

BUSY_SECONDS = 30
"""How long a writer waits for another one before the database counts as unavailable."""
ATTEMPTS = 8
"""Tries of a transaction that the database gave up for another one's sake."""
_AGAIN = frozenset({"40001", "40P01"})
"""SQLSTATE of a serialisation failure and a deadlock (PostgreSQL manual, appendix A)."""


@dataclass(frozen=True, slots=True, repr=False)
class Database:
    """An open database. Share one in a process; open another after a fork."""

    engine: Engine

    def write(self, whose: Whose, work: Callable[[Connection], Result]) -> Result:
        """Runs `work` in one transaction, alone among the writers for this person; all of it happens, or nothing.

        Raises:
            UnavailableError: when the database does not answer, or too many tries gave way to others.
            HabitusError: when a constraint of the database refuses what `work` wrote.
        """
        with _closed_errors():
            for attempt in Retrying(
                retry=retry_if_exception(_gave_way),
                stop=stop_after_attempt(ATTEMPTS),
                wait=wait_random_exponential(multiplier=0.01, max=0.5),
                reraise=True,
            ):
                with attempt, self.engine.connect() as plain:
                    connection = plain.execution_options(habitus_writer=True)
                    with connection.begin():
                        _enter(connection, whose, alone=True)
                        return work(connection)
        raise AssertionError("unreachable: the last attempt returns or raises")

    def read(self, whose: Whose, work: Callable[[Connection], Result]) -> Result:
        """Runs `work` in a read transaction. Raises as `write` does."""
        with _closed_errors(), self.engine.connect() as connection, connection.begin():
            _enter(connection, whose, alone=False)
            return work(connection)

    def overwrite_deleted(self) -> None:
        """SQLite: empties the write-ahead log into the file, where deleted rows are overwritten (`secure_delete`).

        PostgreSQL overwrites them when VACUUM has run and the pages are used again; see docs/promotion.md.
        """
        if self.engine.dialect.name == "sqlite":
            with _closed_errors(), self.engine.connect() as connection:
                connection.connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").close()

    def close(self) -> None:
        """Closes all connections."""
        self.engine.dispose()


def open_database(url: str) -> Database:
    """Opens, and prepares when it is empty, the database at `url`: ``sqlite:///file`` or ``postgresql+psycopg://``.

    Raises:
        UsageError: for any other kind of URL, or a database of another schema version.
        UnavailableError: when it does not answer.
    """
    database = Database(_engine(url))
    prepare(database)
    return database


def prepare(database: Database) -> None:
    """Creates the tables and seeds the catalog in an empty database; refuses one of another version.

    Raises:
        UsageError: when the database has another schema version than this program.
    """
    found = database.read(None, _version)
    if found is None:
        found = database.write(None, _create)
    if found != SCHEMA_VERSION:
        raise UsageError(f"the database has schema version {found}, this habitus needs {SCHEMA_VERSION}: migrate it")


def upsert(connection: Connection, row: type[Row], *, keep: bool = False, only: frozenset[str] = frozenset()) -> Any:
    """An INSERT into `row`'s table that overwrites a row with the same key, or leaves it as it is (`keep`).

    `only`: the columns to write; all when empty.
    """
    return _upsert(connection.dialect.name, row, keep, only)


@cache
def _upsert(dialect: str, row: type[Row], keep: bool, only: frozenset[str]) -> Any:
    insert = (postgresql.insert if dialect == "postgresql" else sqlite.insert)(table(row))
    if keep:
        return insert.on_conflict_do_nothing().execution_options(preserve_rowcount=True)
    key = [column.name for column in table(row).primary_key]
    written = only or {column.name for column in table(row).columns}
    changes = {name: insert.excluded[name] for name in written if name not in key}
    return insert.on_conflict_do_update(index_elements=key, set_=changes)


def _version(connection: Connection) -> int | None:
    if not inspect(connection).has_table(str(SchemaVersion.__tablename__)):
        return None
    version: int | None = connection.scalar(select(func.max(table(SchemaVersion).c.version)))
    return version


def _create(connection: Connection) -> int:
    if connection.dialect.name == "postgresql":  # two programs that start at once: one creates, the other waits
        connection.execute(select(func.pg_advisory_xact_lock(_SCHEMA_LOCK)))
    found = _version(connection)
    if found is not None:
        return found
    Row.metadata.create_all(connection)
    seed = [
        {"dimension": pair.dimension.value, "value": pair.value, "catalog_version": catalog.version()}
        for pair in catalog.all_pairs()
    ]
    connection.execute(table(CatalogValue).insert(), seed)
    connection.execute(table(SchemaVersion).insert().values(version=SCHEMA_VERSION))
    return SCHEMA_VERSION


_SCHEMA_LOCK = 0x6861_6269_7475_73
"""An advisory lock number of our own ("habitus")."""


def _enter(connection: Connection, whose: Whose, *, alone: bool) -> None:
    """PostgreSQL: names the tenant for row-level security, and takes the person's lock until the transaction ends."""
    if connection.dialect.name != "postgresql" or whose is None:
        return
    named = func.set_config("habitus.tenant", whose.tenant, True)
    lock = [func.pg_advisory_xact_lock(whose.lock)] if alone and isinstance(whose, Person) else []
    connection.execute(select(named, *lock))


def _engine(url: str) -> Engine:
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


def _postgresql(url: str) -> Engine:
    """READ COMMITTED, whatever the server's default: what follows the person's lock sees all that is committed."""
    return create_engine(
        url,
        hide_parameters=True,
        isolation_level="READ COMMITTED",
        pool_pre_ping=True,
        connect_args={"connect_timeout": 5, "options": f"-c lock_timeout={BUSY_SECONDS}s"},
    )


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
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writer = connection.get_execution_options().get("habitus_writer", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writer else "BEGIN")

    return engine


def _gave_way(error: BaseException) -> bool:
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in _AGAIN


@contextmanager
def _closed_errors() -> Iterator[None]:
    """Turns whatever the driver says into an error of ours, with no word of it."""
    try:
        yield
    except (DBAPIError, PoolTimeout) as error:
        _refuse(error)
    except SQLAlchemyError:
        raise HabitusError("the database could not do what was asked of it") from None


def _refuse(error: DBAPIError | PoolTimeout) -> NoReturn:
    state = str(getattr(getattr(error, "orig", None), "sqlstate", None) or "")
    refused = isinstance(error, DBAPIError) and type(error).__name__ in ("IntegrityError", "DataError")
    if refused:
        raise HabitusError("the database refused a row that its constraints do not allow") from None
    if state.startswith("42"):  # syntax error or access rule violation: a missing role, grant or table
        raise HabitusError("the database refused the statement: check the role and its grants") from None
    raise UnavailableError("the database does not answer; nothing was lost, try again") from None


__all__ = ["Database", "open_database", "prepare", "upsert"]
