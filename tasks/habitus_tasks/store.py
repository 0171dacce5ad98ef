"""The database of the record zone: SQLite for one machine, PostgreSQL for a fleet, one transaction a session.

Every error that leaves here is one of ours, with fixed text: a driver's message can quote a row.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from sqlalchemy import Connection, Engine, bindparam, func, inspect, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from habitus_schema import catalog
from habitus_schema.errors import HabitusError, UnavailableError, UsageError
from habitus_schema.ids import KeyChain
from habitus_schema.tables import SCHEMA_VERSION, CatalogValue, Row, SchemaVersion, table
from habitus_tasks.engines import engine_of, in_memory, pragma
from habitus_tasks.person import Person, Tenant

Whose = Person | Tenant | None
"""Whom a transaction concerns; None: the whole database, for its owner only."""

Result = TypeVar("Result")

ATTEMPTS = 8
"""Tries of a transaction that the database gave up for another one's sake."""
_AGAIN = frozenset({"40001", "40P01"})
"""SQLSTATE of a serialisation failure and a deadlock (PostgreSQL manual, appendix A)."""
_NAME_TENANT = select(func.set_config("habitus.tenant", bindparam("tenants"), True))

Keys = Callable[[], KeyChain | None]
"""Gives the id keys of the moment; None when ids are taken as they come (there was never a second key)."""


class KeysChangedError(UnavailableError):
    """The key file changed between the look at it and the lock: look again."""


@dataclass(frozen=True, slots=True, repr=False)
class Database:
    """An open database. Share one in a process; open another after a fork.

    `keys`: by which ids of an older key find their rows, in whichever state of a rotation these are.
    """

    engine: Engine
    keys: Keys = lambda: None

    def person(self, tenant: str, subject: str) -> Person:
        """The person with these ids, given under any key.

        Raises:
            UsageError: when one is missing, is not a keyed id, or is of a key that is not in the key file.
        """
        given, chain = Person(tenant, subject), self.keys()
        if chain is None:
            return given
        tenants, subjects = chain.forms(tenant), chain.forms(subject)
        if len(tenants) != len(subjects):
            raise UsageError("the tenant's and the subject's ids are of different keys")
        *older, newest = zip(tenants, subjects, strict=True)
        return Person(*newest, older=tuple(older))

    def tenant(self, tenant: str) -> Tenant:
        """The tenant with this id, given under any key. Raises as `person` does."""
        given, chain = Tenant(tenant), self.keys()
        if chain is None:
            return given
        *older, newest = chain.forms(tenant)
        return Tenant(newest, older=tuple(older))

    def write(self, whose: Whose, work: Callable[[Connection], Result]) -> Result:
        """Runs `work` in one transaction, alone among the writers for this person; all of it happens, or nothing.

        Raises:
            UnavailableError: when the database does not answer, or too many tries gave way to others.
            HabitusError: when a constraint of the database refuses what `work` wrote.
        """
        (result,) = self.write_waves([whose], lambda connection, _: [work(connection)])
        return result

    def write_waves(
        self, people: Sequence[Whose], work: Callable[[Connection, Sequence[int]], Sequence[Result]]
    ) -> list[Result]:
        """Runs `work` in one transaction, alone among the writers for any of `people`; all of it happens, or nothing.

        `work` is called for one wave after another: with the places in `people` of some of one tenant, none of them
        twice in a wave, and whoever comes twice in the order given. It gives a result for each. Raises as `write` does.
        """

        def result(connection: Connection) -> list[Result]:
            _lock(connection, people)
            found: dict[int, Result] = {}
            for wave in _waves(people):
                _name(connection, people[wave[0]])
                for at in wave:
                    self._bring_up(connection, people[at])
                found |= zip(wave, work(connection, wave), strict=True)
            return [found[at] for at in range(len(people))]

        with closed_errors():
            for attempt in Retrying(
                retry=retry_if_exception(_gave_way),
                stop=stop_after_attempt(ATTEMPTS),
                wait=wait_random_exponential(multiplier=0.01, max=0.5),
                reraise=True,
            ):
                with attempt, self.engine.connect() as plain:
                    connection = plain.execution_options(habitus_writer=True)
                    with connection.begin():
                        return result(connection)
        raise AssertionError("unreachable: the last attempt returns or raises")

    def read(self, whose: Whose, work: Callable[[Connection], Result]) -> Result:
        """Runs `work` in a read transaction. Raises as `write` does.

        A person whose rows lie under an older key is brought under the newest first, which is a write.
        """
        if isinstance(whose, Person) and whose.older:
            self.write(whose, lambda _: None)
        with closed_errors(), self.engine.connect() as connection, connection.begin():
            _name(connection, whose)
            return work(connection)

    def _bring_up(self, connection: Connection, whose: Whose) -> None:
        """Under the person's lock: no other process can have moved their rows since unless the key file says so."""
        chain = self.keys() if whose is not None else None
        if whose is None or chain is None:
            return
        if chain.lift(whose.tenant) != whose.tenant:
            raise KeysChangedError("the keys changed at this moment; nothing was lost, try again")
        if isinstance(whose, Person) and whose.older:
            from habitus_tasks.adopt import adopt  # which writes through this module

            adopt(connection, whose, chain.lift)

    def overwrite_deleted(self) -> None:
        """SQLite: empties the write-ahead log into the file, where deleted rows are overwritten (`secure_delete`).

        PostgreSQL overwrites them when VACUUM has run and the pages are used again; see docs/promotion.md.
        """
        if self.engine.dialect.name == "sqlite":
            with closed_errors(), self.engine.connect() as connection:
                pragma(connection, "wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Closes all connections."""
        self.engine.dispose()


def open_database(url: str, keys: Keys = lambda: None) -> Database:
    """Opens, and prepares when it is empty, the database at `url`: ``sqlite:///file`` or ``postgresql+psycopg://``.

    `keys`: see `Database`.

    Raises:
        UsageError: for any other kind of URL, or a database of another schema version.
        UnavailableError: when it does not answer.
    """
    database = connect(url, keys)
    prepare(database)
    return database


def connect(url: str, keys: Keys = lambda: None) -> Database:
    """The database at `url`, whatever its version. Connects on first use.

    Raises:
        UsageError: for any other kind of URL.
    """
    return Database(engine_of(url), keys)


def prepare(database: Database) -> None:
    """Creates the tables and seeds the catalog in an empty database; refuses one of another version.

    Raises:
        UsageError: when the database has another schema version than this program.
    """
    found = database.read(None, version_of)
    if found is None:
        found = _create(database)
    if found != SCHEMA_VERSION:
        advice = "run `habitus migrate`" if found < SCHEMA_VERSION else "install the habitus that made it"
        raise UsageError(f"the database has schema version {found}, this habitus needs {SCHEMA_VERSION}: {advice}")


def version_of(connection: Connection) -> int | None:
    """The schema version of the database; None when it is empty."""
    if not inspect(connection).has_table(str(SchemaVersion.__tablename__)):
        return None
    version: int | None = connection.scalar(select(func.max(table(SchemaVersion).c.version)))
    return version


def _create(database: Database) -> int:
    if in_memory(database.engine):  # it ends with this process and is never migrated: the quick way
        return database.write(None, _create_here)
    from habitus_tasks.migrate import create  # Alembic, which a start on a prepared database does not need

    return create(database)


def _create_here(connection: Connection) -> int:
    Row.metadata.create_all(connection)
    seed = [
        {"dimension": pair.dimension.value, "value": pair.value, "catalog_version": catalog.version()}
        for pair in catalog.all_pairs()
    ]
    connection.execute(table(CatalogValue).insert(), seed)
    connection.execute(table(SchemaVersion).insert().values(version=SCHEMA_VERSION))
    return SCHEMA_VERSION


def _waves(people: Sequence[Whose]) -> list[list[int]]:
    """The places of `people`, by tenant and by how often the same person came before."""
    waves: dict[tuple[object, int], list[int]] = defaultdict(list)
    times: Counter[Whose] = Counter()
    for at, whose in enumerate(people):
        waves[whose and whose.tenants, times[whose]].append(at)
        times[whose] += 1
    return list(waves.values())


def _lock(connection: Connection, people: Iterable[Whose]) -> None:
    """PostgreSQL: takes everybody's locks until the transaction ends, in one order, so that none waits in turn.

    Foreign keys are checked by plans that the server keeps. They are to find the row by its key even when they were
    made while the table was empty and it seemed cheaper to read all of it.
    """
    if connection.dialect.name == "postgresql":
        locks = sorted({lock for whose in people if isinstance(whose, Person) for lock in whose.locks})
        if locks:
            by_keys = func.set_config("enable_seqscan", "off", True)
            connection.execute(select(by_keys, *(func.pg_advisory_xact_lock(lock) for lock in locks)))


def _name(connection: Connection, whose: Whose) -> None:
    """PostgreSQL: names the tenant for row-level security."""
    if connection.dialect.name == "postgresql" and whose is not None:
        connection.execute(_NAME_TENANT, {"tenants": ",".join(whose.tenants)})


def _gave_way(error: BaseException) -> bool:
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in _AGAIN


@contextmanager
def closed_errors() -> Iterator[None]:
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


__all__ = [
    "Database",
    "KeysChangedError",
    "Result",
    "closed_errors",
    "connect",
    "open_database",
    "prepare",
    "version_of",
]
