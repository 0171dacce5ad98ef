"""The rejection log by days on PostgreSQL: a partition for each day, so that old days can be dropped at once.

`partition` turns the one table into a partitioned one, in one transaction and without copying a line: the table that is
there becomes the partition of all days up to today, ``rejection_before``. Every day after it has a partition of its
own, made by `keep_days` a week ahead. ``rejection_later`` takes the days that nobody made one for; nothing is refused.

Programs see no difference: the name, the columns, the triggers, the grants and the row-level security are the parent's,
and a partition by its own name is nobody's but the owner's. The key becomes (id, day), since PostgreSQL wants the day
in it (manual, 5.12.2.3). SQLite has no partitions, and a database of one machine no need of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import Connection, bindparam, delete, select, text

from habitus_schema import recount
from habitus_schema.errors import UsageError
from habitus_schema.tables import RejectionCount, RejectionLine, table
from habitus_tasks.log_counting import CHUNK, WAIT
from habitus_tasks.store import Database

AHEAD_DAYS = 7
"""For how many days after today there are partitions."""
_BEFORE, _LATER = "rejection_before", "rejection_later"
_KIND = text("SELECT relkind::text FROM pg_class WHERE oid = to_regclass('rejection')")
_INDEXES = text(
    "SELECT c.relname, pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
    " WHERE i.indrelid = 'rejection'::regclass AND NOT i.indisprimary ORDER BY 1"
)
_KEY = text("SELECT conname FROM pg_constraint WHERE conrelid = 'rejection'::regclass AND contype = 'p'")
_GRANTS = text(
    "SELECT grantee::regrole::text, privilege_type, NULL FROM pg_class, aclexplode(relacl)"
    " WHERE oid = CAST(:name AS regclass) AND grantee <> 0 AND grantee <> relowner"
    " UNION ALL SELECT grantee::regrole::text, privilege_type, quote_ident(attname)"
    " FROM pg_attribute, aclexplode(attacl) WHERE attrelid = CAST(:name AS regclass)"
)
_POLICIES = text(
    "SELECT quote_ident(policyname), array_to_string(roles, ', '), cmd, qual, with_check FROM pg_policies"
    " WHERE schemaname = current_schema AND tablename = :name"
)
_OURS = text("SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'rejection'::regclass")
_GUARDED = text("SELECT relrowsecurity FROM pg_class WHERE oid = 'rejection'::regclass")
_PARTITIONS = text(
    "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'rejection'::regclass ORDER BY 1"
)


_LINES, _SUMS = table(RejectionLine), table(RejectionCount)
_OLD = delete(_LINES).where(
    _LINES.c.id.in_(select(_LINES.c.id).where(_LINES.c.day < bindparam("oldest", type_=_LINES.c.day.type)).limit(CHUNK))
)


@dataclass(frozen=True, slots=True)
class Kept:
    """What `keep_days` did: partitions made and dropped, and lines deleted one by one."""

    made: int = 0
    dropped: int = 0
    lines: int = 0


NOTHING_KEPT = Kept()


def is_partitioned(connection: Connection) -> bool:
    """Whether the log is a partitioned table."""
    return connection.dialect.name == "postgresql" and connection.scalar(_KIND) == "p"


def partition(database: Database, today: date) -> bool:
    """Makes the log a partitioned table; False when it is one. It takes the owner of the tables.

    Who writes to the log waits meanwhile: the lines are read once, to index them by (id, day), and none is copied.

    Raises:
        UsageError: on SQLite.
        UnavailableError: when the database does not answer; nothing was changed.
    """
    if database.engine.dialect.name != "postgresql":
        raise UsageError("SQLite has no partitions: this is for a deployment on PostgreSQL")
    return database.write(None, lambda connection: _partition(connection, today))


def _partition(connection: Connection, today: date) -> bool:
    if is_partitioned(connection):
        return False
    run = connection.exec_driver_sql
    run("LOCK TABLE rejection IN ACCESS EXCLUSIVE MODE")
    newest = connection.scalar(text("SELECT max(day) FROM rejection")) or today
    first = max(newest, today) + timedelta(days=1)
    indexes, key = connection.execute(_INDEXES).all(), connection.scalar(_KEY)
    sequence = connection.scalar(text("SELECT pg_get_serial_sequence('rejection', 'id')"))
    given, guarded = list(_access(connection, "rejection")), connection.scalar(_GUARDED)
    taken_away = [f"REVOKE ALL ON {_BEFORE} FROM {role}" for role in sorted({role for role, _ in given if role})]
    for trigger in ("delete", "update"):
        run(f"DROP TRIGGER rejection_count_{trigger} ON rejection")
    run(f"ALTER TABLE rejection RENAME TO {_BEFORE}")
    for name, _ in indexes:
        run(f'ALTER INDEX "{name}" RENAME TO "{_BEFORE}{name.removeprefix("ix_rejection")}"')
    run(f'ALTER TABLE {_BEFORE} DROP CONSTRAINT "{key}"')
    run(f"CREATE TABLE rejection (LIKE {_BEFORE} INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (day)")
    run(f'ALTER TABLE rejection ADD CONSTRAINT "{key}" PRIMARY KEY (id, day)')
    run(f"ALTER SEQUENCE {sequence} OWNED BY rejection.id")
    run(f"ALTER TABLE rejection ATTACH PARTITION {_BEFORE} FOR VALUES FROM (MINVALUE) TO ('{first}')")
    for _, definition in indexes:
        run(definition)  # takes the index of the same columns that the old table has
    run(f"CREATE TABLE {_LATER} PARTITION OF rejection DEFAULT")
    for statement in (*recount.POSTGRESQL, *(statement for _, statement in given), *taken_away):
        run(statement)
    if guarded:
        run("ALTER TABLE rejection ENABLE ROW LEVEL SECURITY")
    _make_days(connection, today)
    return True


def _access(connection: Connection, relation: str) -> Iterator[tuple[str, str]]:
    """The statements that give what this table grants, each with the role, and those of its policies."""
    for role, privilege, column in connection.execute(_GRANTS, {"name": relation}):
        yield role, f"GRANT {privilege}{f' ({column})' if column else ''} ON {relation} TO {role}"
    for name, roles, command, using, check in connection.execute(_POLICIES, {"name": relation}):
        rule = f"{f' USING ({using})' if using else ''}{f' WITH CHECK ({check})' if check else ''}"
        yield "", f"CREATE POLICY {name} ON {relation} FOR {command} TO {roles}{rule}"


def keep_days(database: Database, today: date, keep: int | None = None) -> Kept:
    """Makes the partitions of the days to come, and lets lines go that are older than `keep` days; None keeps all.

    Lines in no partition of a day of their own are deleted, many transactions long. The sums of all go with them. On
    PostgreSQL it takes the owner of the tables, and does nothing for anybody else.

    Raises:
        UnavailableError: when the database does not answer, or others hold the log; what was done stays done.
    """
    if not database.read(None, _is_ours):
        return NOTHING_KEPT
    oldest = None if keep is None else today - timedelta(days=keep)
    made, dropped = database.write(None, lambda connection: _turn_over(connection, today, oldest))
    lines = 0
    while oldest and (gone := database.write(None, lambda connection: connection.execute(_OLD, {"oldest": oldest}))):
        lines += gone.rowcount
        if gone.rowcount < CHUNK:
            break
    return Kept(made, dropped, lines)


def _is_ours(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite" or bool(connection.scalar(_OURS))


def _turn_over(connection: Connection, today: date, oldest: date | None) -> tuple[int, int]:
    if not is_partitioned(connection):
        return 0, 0
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{WAIT}'")
    return _make_days(connection, today), _drop_days(connection, oldest) if oldest else 0


def _make_days(connection: Connection, today: date) -> int:
    there = set(connection.scalars(_PARTITIONS))
    ahead = [today + timedelta(days=days) for days in range(1, AHEAD_DAYS + 1)]
    missing = [day for day in ahead if _name(day) not in there and _is_free(connection, day)]
    for day in missing:
        _make_day(connection, day)
    return len(missing)


def _is_free(connection: Connection, day: date) -> bool:
    """Whether the day is after those of the old table."""
    bound = "SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE oid = to_regclass(:name)"
    found = connection.scalar(text(bound), {"name": _BEFORE})
    return not found or day.isoformat() >= str(found).split("'")[-2]


def _make_day(connection: Connection, day: date) -> None:
    """Lines of the day that came before it are moved; the parent's triggers do not see that, and need not."""
    run, name = connection.exec_driver_sql, _name(day)
    run(f"CREATE TABLE {name} (LIKE rejection INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)")
    run(
        f"WITH moved AS (DELETE FROM {_LATER} WHERE day = '{day}' RETURNING *)"  # noqa: S608 - a date and fixed names
        f" INSERT INTO {name} SELECT * FROM moved"
    )
    run(f"ALTER TABLE rejection ATTACH PARTITION {name} FOR VALUES FROM ('{day}') TO ('{day + timedelta(days=1)}')")


def _drop_days(connection: Connection, oldest: date) -> int:
    days = [_day(name) for name in connection.scalars(_PARTITIONS) if name not in (_BEFORE, _LATER)]
    old = [day for day in days if day < oldest]
    for day in old:
        connection.exec_driver_sql(f"DROP TABLE {_name(day)}")
    connection.execute(delete(_SUMS).where(_SUMS.c.day.in_(old)))  # which no trigger sees
    return len(old)


def _day(name: str) -> date:
    return date(*map(int, name.split("_")[1:]))


def _name(day: date) -> str:
    return f"rejection_{day:%Y_%m_%d}"
