"""From one schema version to the next: `habitus migrate`, and the making of an empty database."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from sqlalchemy import Connection, func, select

from habitus_schema.errors import HabitusError, UsageError
from habitus_schema.tables import SCHEMA_VERSION
from habitus_tasks import migrations
from habitus_tasks.engines import pragma
from habitus_tasks.person import Person
from habitus_tasks.promote import PromotionRule
from habitus_tasks.settlement import decide_every
from habitus_tasks.store import Database, closed_errors, version_of

_LOCK = 0x6861_6269_7475_73
"""An advisory lock number of our own ("habitus")."""


@dataclass(frozen=True, slots=True)
class Migrated:
    """What `migrate` did: the versions before (0: empty) and after, and how many profiles were settled anew."""

    before: int
    after: int
    settled: int


def migrate(
    database: Database, rule: PromotionRule, *, today: date | None = None, folder: Path = migrations.FOLDER
) -> Migrated:
    """Brings the database to the latest schema version: in one transaction, all of it or nothing.

    Takes the owner of the database on PostgreSQL, where programs that wait for it go on afterwards. Workers of another
    version are to be stopped first: they check the version when they start.

    Raises:
        UsageError: when the database is of a later version than this program.
        UnavailableError: when the database does not answer; nothing was changed.
    """
    target = migrations.latest(folder)
    day = today or datetime.now(UTC).date()
    with alone(database) as connection:
        before = version_of(connection) or 0
        if before > target:
            raise UsageError(f"the database has schema version {before}, this habitus needs {target}: install its own")
        touched = migrations.run(connection, before, folder)
        _settle(connection, touched, rule, day)
    return Migrated(before, target, len(touched))


def create(database: Database) -> int:
    """Makes the tables in an empty database and returns their version; leaves one that another program made meanwhile.

    Raises:
        UnavailableError: when the database does not answer.
    """
    with alone(database) as connection:
        found = version_of(connection)
        if found is None:
            migrations.run(connection, 0)
    return found or SCHEMA_VERSION


def _settle(connection: Connection, people: Iterable[tuple[str, str]], rule: PromotionRule, day: date) -> None:
    for tenant, subject in sorted(people):
        decide_every(connection, Person(tenant, subject), rule, day)


@contextmanager
def alone(database: Database) -> Iterator[Connection]:
    """A transaction that no other migration shares.

    SQLite cannot change a CHECK: a table is built anew in place of the old one, with the enforcement of foreign keys
    off (https://sqlite.org/lang_altertable.html, the twelve steps). They are all checked before the commit.
    """
    sqlite = database.engine.dialect.name == "sqlite"
    with closed_errors(), database.engine.connect() as plain:
        connection = plain.execution_options(habitus_writer=True)
        if sqlite:
            pragma(connection, "foreign_keys=OFF")
        try:
            with connection.begin():
                if not sqlite:
                    connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
                yield connection
                if sqlite and connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
                    raise HabitusError("a migration would leave rows that point at nothing: nothing was changed")
        finally:
            if sqlite:
                pragma(connection, "foreign_keys=ON")
