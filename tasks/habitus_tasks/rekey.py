"""Re-keying a live database: every row under an older id key, person by person, while workers run.

It can be killed at any moment and run again: what is under the newest key is done, and nothing else is remembered.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, literal, or_, select, union

from habitus_schema.columns import KeyedText
from habitus_schema.errors import HabitusError, UsageError
from habitus_schema.ids import KeyChain
from habitus_schema.tables import BlockedPair, Profile, RejectionLine, Row, Session, Tombstone, table
from habitus_tasks.adopt import adopt, rename_lines
from habitus_tasks.promote import PromotionRule
from habitus_tasks.settlement import decide_every
from habitus_tasks.store import Database
from habitus_tasks.whole import require_whole

BATCH = 1000
"""People looked up at once, and lines without a person in one transaction."""
ROUNDS, PAUSE_SECONDS = 4, 0.5
"""How often it looks for rows that a worker wrote meanwhile, and how much longer it waits before each further look."""
_LINES = table(RejectionLine)
Progress = Callable[[int, int], None]
"""Told (people done, people in all) after each person."""


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """What `rekey` did: people and lines without a person brought under the newest key, and people merged.

    `merged`: of people who had rows under both keys, since a process went on with an old key file.
    """

    people: int
    lines: int
    merged: int


def rekey(
    database: Database,
    rule: PromotionRule,
    progress: Progress = lambda _done, _all: None,
    *,
    today: date | None = None,
) -> Rekeyed:
    """Brings every row under the newest key, and proves by a last scan that no id of an older one is left.

    On PostgreSQL it takes the owner of the database: from another account the last scan would prove nothing.

    Raises:
        UsageError: when there is no key file, rows are of a key that is not in it, or this account does not see all.
        HabitusError: when rows of an older key are left, since a process still writes with an old key file.
        UnavailableError: when the database does not answer; what was done before stays done.
    """
    chain = database.keys()
    if chain is None:
        raise UsageError("re-keying needs the key file: name it with HABITUS_KEY_FILE")
    require_whole(database)
    day = today or datetime.now(UTC).date()
    done = Rekeyed(0, 0, 0)
    for round_ in range(ROUNDS):
        time.sleep(round_ * PAUSE_SECONDS)  # for a transaction that began under the old key and ends after the scan
        done = _once(database, chain, rule, progress, day, done)
        if not database.read(None, lambda connection: left(connection, chain)):
            return done
    raise HabitusError("rows of an older key are left: a process still writes with an old key file; run this again")


def _once(
    database: Database, chain: KeyChain, rule: PromotionRule, progress: Progress, day: date, done: Rekeyed
) -> Rekeyed:
    """Everything that is under an older key now; the sums with what was done before."""
    people, merged = done.people, done.merged
    total = people + database.read(None, lambda connection: _count(connection, chain))
    while found := database.read(None, lambda connection: _people(connection, chain)):
        for tenant, subject in found:
            merged += _one(database, chain, tenant, subject, rule, day)
            people += 1
            progress(people, max(total, people))
        if people > 2 * total + BATCH:
            break
    return Rekeyed(people, done.lines + _unnamed(database, chain), merged)


def left(connection: Connection, chain: KeyChain) -> int:
    """How many rows, of all tables, still hold an id of an older key."""
    count = 0
    for each in Row.metadata.sorted_tables:
        keyed = [column for column in each.columns if isinstance(column.type, KeyedText)]
        if keyed:
            old = or_(*(_older(column, chain) for column in keyed))
            count += connection.scalar(select(func.count()).select_from(each).where(old)) or 0
    return count


def check_known(database: Database) -> None:
    """Refuses a database with ids of a key that this process does not have: it would take people for new ones.

    Looks at both ends of the ids only, so that a start stays quick.

    Raises:
        UsageError: when it is so.
    """
    tenant = table(Session).c.tenant
    ends = database.read(None, lambda connection: connection.execute(select(func.min(tenant), func.max(tenant))).one())
    found = {str(end).partition("-")[0] for end in ends if end}
    chain = database.keys()
    if (chain is not None and not found <= set(chain.names)) or (chain is None and len(found) > 1):
        raise UsageError("the database has ids of a key that is not here: name the newest key file")


def _one(database: Database, chain: KeyChain, tenant: str, subject: str, rule: PromotionRule, day: date) -> bool:
    person = database.person(tenant, subject)

    def work(connection: Connection) -> bool:
        merged = adopt(connection, person, chain.lift, merge=True)
        if merged:
            decide_every(connection, person, rule, day)
        return merged

    return database.write(person, work)


def _older(column: ColumnElement[Any], chain: KeyChain) -> ColumnElement[bool]:
    return column.not_like(literal(f"{chain.newest}-%"))


def _behind(chain: KeyChain) -> Any:
    owners = (table(row).c for row in (Session, Profile, BlockedPair, Tombstone, RejectionLine))
    return union(
        *(
            select(columns.tenant, columns.subject).where(_older(columns.tenant, chain), columns.subject.is_not(None))
            for columns in owners
        )
    )


def _people(connection: Connection, chain: KeyChain) -> list[tuple[str, str]]:
    return [(tenant, subject) for tenant, subject in connection.execute(_behind(chain).limit(BATCH))]


def _count(connection: Connection, chain: KeyChain) -> int:
    return connection.scalar(select(func.count()).select_from(_behind(chain).subquery())) or 0


def _unnamed(database: Database, chain: KeyChain) -> int:
    """Lines of the rejection log that name no person."""
    query = select(_LINES).where(_LINES.c.subject.is_(None), _older(_LINES.c.tenant, chain)).limit(BATCH)

    def work(connection: Connection) -> int:
        lines = [dict(line) for line in connection.execute(query).mappings()]
        rename_lines(connection, lines, chain.lift)
        return len(lines)

    done = 0
    while count := database.write(None, work):
        done += count
    return done
