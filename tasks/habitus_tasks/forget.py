"""Forgetting a person: every row and key goes, a keyed tombstone stays, and a new scan of all tables proves it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection, bindparam, delete, select

from habitus_schema.columns import KeyedText
from habitus_schema.tables import Observation, RejectionLine, Row, Session, SessionMessage, Tombstone, table
from habitus_tasks.adding import upsert
from habitus_tasks.adopt import Lift, rename_lines
from habitus_tasks.person import Person
from habitus_tasks.store import Database

_PERSONAL = tuple(
    each for each in reversed(Row.metadata.sorted_tables) if "subject" in each.c and each is not table(Tombstone)
)
_TRACES = (
    table(Session).c.session,
    table(Session).c.context,
    table(SessionMessage).c.message,
    table(Observation).c.context,
    table(Observation).c.message,
    table(RejectionLine).c.session,
)


@dataclass(frozen=True, slots=True)
class Proof:
    """What `forget` did, and what a scan of the tenant's rows in every table found afterwards.

    Attributes:
        deleted: rows deleted.
        scanned: rows that were looked at after it.
        left: rows that still hold the person's id, or that of any of their sessions, contexts, entities or messages.
            The tombstone, which is meant to stay, is not counted.
        tables: rows deleted from each table.
    """

    deleted: int
    scanned: int
    left: int
    tables: tuple[tuple[str, int], ...]


def forget(database: Database, tenant: str, subject: str, day: date) -> Proof:
    """Deletes everything about the person, as of `day`. Sessions that ended on that day or before stay refused.

    Raises:
        UsageError: for a tenant or subject that is no keyed id.
        UnavailableError: when the database does not answer; nothing was deleted, or all of it.
    """
    person = database.person(tenant, subject)
    lift = chain.lift if (chain := database.keys()) else None
    traces, tables = database.write(person, lambda connection: _delete(connection, person, day, lift))
    scanned, left = database.read(person, lambda connection: _scan(connection, person, traces))
    database.overwrite_deleted()
    return Proof(sum(count for _, count in tables), scanned, left, tables)


def _delete(
    connection: Connection, person: Person, day: date, lift: Lift | None
) -> tuple[frozenset[str], tuple[tuple[str, int], ...]]:
    if lift and person.older:
        _lift_unnamed(connection, person, lift)
    traces = frozenset(_traces(connection, person))
    counts = {}
    for each in _PERSONAL:
        theirs = delete(each).where(each.c.tenant == person.tenant, each.c.subject == person.subject)
        counts[each.name] = connection.execute(theirs).rowcount
    counts["rejection"] += _delete_unnamed(connection, person, traces)
    earlier: date | None = connection.scalar(select(table(Tombstone).c.day).where(person.owns(Tombstone)))
    connection.execute(upsert(connection, Tombstone), person.key(day=max(day, earlier or day)))
    return traces, tuple((name, count) for name, count in sorted(counts.items()) if count)


def _lift_unnamed(connection: Connection, person: Person, lift: Lift) -> None:
    """Brings lines that name a session and nobody under the newest key, so that they can be told to be theirs."""
    lines = table(RejectionLine)
    older = [tenant for tenant, _ in person.older]
    nobody = select(lines).where(lines.c.tenant.in_(older), lines.c.subject.is_(None), lines.c.session.is_not(None))
    rename_lines(connection, [dict(line) for line in connection.execute(nobody).mappings()], lift)


def _delete_unnamed(connection: Connection, person: Person, traces: frozenset[str]) -> int:
    """Deletes lines about the person's sessions that name nobody (dead letters); how many."""
    lines = table(RejectionLine)
    nobody = select(lines.c.id, lines.c.session).where(
        lines.c.tenant == person.tenant, lines.c.subject.is_(None), lines.c.session.is_not(None)
    )
    found = [{"line": id_} for id_, session in connection.execute(nobody) if session in traces]
    if found:
        connection.execute(delete(lines).where(lines.c.id == bindparam("line")), found)
    return len(found)


def _traces(connection: Connection, person: Person) -> Iterator[str]:
    """Every keyed id that stands for something of this person: their sessions, contexts, entities and messages."""
    for column in _TRACES:
        owner = column.table
        theirs = select(column).where(owner.c.tenant == person.tenant, owner.c.subject == person.subject).distinct()
        yield from (trace for trace in connection.scalars(theirs) if trace is not None)


def _scan(connection: Connection, person: Person, traces: frozenset[str]) -> tuple[int, int]:
    """Looks at every keyed id in every row of the tenant: how many rows, and how many with a trace of the person."""
    sought = traces | {person.subject}
    scanned, left = 0, 0
    for each in Row.metadata.sorted_tables:
        keyed = [column for column in each.columns if isinstance(column.type, KeyedText)]
        if not keyed or each is table(Tombstone):
            continue
        rows = connection.execution_options(yield_per=1000).execute(
            select(*keyed).where(each.c.tenant == person.tenant)
        )
        for row in rows:
            scanned += 1
            left += not sought.isdisjoint(row)
    return scanned, left
