"""A person's rows under an older id key, brought under the newest one: all of them, in one transaction.

Whoever writes a person does this first (`Database.write`), so that a rotation of keys and the daily work go on at the
same time, and nothing of a person is ever looked for under the wrong key.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, and_, bindparam, delete, exists, or_, select, update

from habitus_schema.columns import KeyedText
from habitus_schema.tables import (
    BlockedPair,
    Observation,
    Profile,
    RejectionLine,
    Row,
    Session,
    SessionMessage,
    Tombstone,
    table,
)
from habitus_tasks.adding import upsert
from habitus_tasks.messages import seen_before
from habitus_tasks.person import Person
from habitus_tasks.similarity import SKETCH_COLUMNS

Lift = Callable[[str], str]
"""Wraps an id by every key it is not yet wrapped by."""
_OWNERS: tuple[type[Row], ...] = (Session, Profile, BlockedPair, Tombstone, RejectionLine)
"""Tables without a row in any of which a person has none in the others either."""
_MOVED: tuple[type[Row], ...] = (Session, SessionMessage, Observation, Profile, BlockedPair)
"""What is written anew under the new ids, parents first."""


def _of(row: type[Row]) -> Any:
    columns = table(row).c
    return and_(columns.tenant == bindparam("old_tenant"), columns.subject == bindparam("old_subject"))


_ANY = select(or_(*(exists().where(_of(row)) for row in _OWNERS)))
_ALL: tuple[type[Row], ...] = (*_MOVED, Tombstone, RejectionLine)
_READ: dict[type[Row], Any] = {row: select(table(row)).where(_of(row)) for row in _ALL}
_DROP: dict[type[Row], Any] = {row: delete(table(row)).where(_of(row)) for row in _ALL}
_SKETCHES = {f"sketch_{index}": None for index in range(SKETCH_COLUMNS)}
_LINE = table(RejectionLine)
_RENAME_LINE = update(_LINE).where(_LINE.c.id == bindparam("line"))
_RENAME_TOMBSTONE = update(table(Tombstone)).where(_of(Tombstone))


def behind(connection: Connection, person: Person) -> list[tuple[str, str]]:
    """The older ids of the person under which there are rows."""
    return [each for each in person.older if connection.scalar(_ANY, _named(each))]


def adopt(connection: Connection, person: Person, lift: Lift, *, merge: bool = False) -> bool:
    """Brings the person's rows under the newest key. Sketches, which cannot be re-keyed, are erased.

    `merge`: also when there are rows under both, which only a process that went on with an old key file can cause;
    without it these are left to `habitus_tasks.rekey`, since the rule has to settle the profile after it.

    Returns:
        whether anything was merged.
    """
    found = behind(connection, person)
    there = bool(found) and bool(connection.scalar(_ANY, _named((person.tenant, person.subject))))
    merged = False
    for each in found:
        if there and not merge:
            return False
        _move(connection, each, person, lift, merge=there)
        merged, there = merged or there, True
    return merged


def _named(ids: tuple[str, str]) -> dict[str, str]:
    return {"old_tenant": ids[0], "old_subject": ids[1]}


def _move(connection: Connection, old: tuple[str, str], person: Person, lift: Lift, *, merge: bool) -> None:
    for row in _MOVED:
        rows = [_lifted(row, each, lift) for each in connection.execute(_READ[row], _named(old)).mappings()]
        if row is Observation and merge:
            rows = list(_own_evidence(connection, person, rows))
        if rows:
            connection.execute(upsert(connection, row, keep=True), rows)
    for row in reversed(_MOVED):
        connection.execute(_DROP[row], _named(old))
    _move_tombstone(connection, old, person)
    lines = connection.execute(_READ[RejectionLine], _named(old)).mappings()
    rename_lines(connection, [dict(line) for line in lines], lift)


def _lifted(row: type[Row], values: Mapping[Any, Any], lift: Lift) -> dict[str, Any]:
    keyed = [column.name for column in table(row).columns if isinstance(column.type, KeyedText)]
    moved = {name: lift(values[name]) if values[name] is not None else None for name in keyed}
    return {**values, **moved, **(_SKETCHES if row is Session else {})}


def _own_evidence(connection: Connection, person: Person, rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Those votes whose message is not known as another session's: a message is evidence once."""
    seen = seen_before(connection, person, [row["message"] for row in rows if row["message"]])
    return (row for row in rows if row["message"] not in seen or seen[row["message"]].session == row["session"])


def _move_tombstone(connection: Connection, old: tuple[str, str], person: Person) -> None:
    days = table(Tombstone).c.day
    there = connection.scalar(select(days).where(person.owns(Tombstone)))
    if there is None:
        connection.execute(_RENAME_TOMBSTONE.values(person.key()), _named(old))
        return
    earlier = connection.scalar(select(days).where(_of(Tombstone)), _named(old))
    if earlier is not None:
        later = update(table(Tombstone)).where(person.owns(Tombstone))
        connection.execute(later.values(day=max(there, earlier)))
        connection.execute(_DROP[Tombstone], _named(old))


def rename_lines(connection: Connection, lines: list[dict[str, Any]], lift: Lift) -> None:
    """Gives rows of the rejection log their ids under the newest key."""
    names = ("tenant", "subject", "session")
    rows = [
        {"line": line["id"], **{name: lift(line[name]) if line[name] else None for name in names}} for line in lines
    ]
    if rows:
        connection.execute(_RENAME_LINE, rows)
