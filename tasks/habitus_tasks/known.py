"""What is known of people before a session of each is counted, in one query: most of it is that there is nothing.

Each figure saves a query, or tells that one is needed. A query costs a round trip to the database.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, exists, func, select

from habitus_schema.tables import BlockedPair, Profile, Row, Session, Tombstone, table
from habitus_tasks.wanted import rows_of, wanted

_ASKED = ("subject", "session")


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a person and of one of their sessions. A day is None when there is none.

    Attributes:
        forgotten: the day of the person's tombstone.
        latest: the day of the newest session counted.
        counted: the last day of the same session as counted so far; None when it is new.
        sketched: the day of the oldest session with a sketch.
        expires: the first day on which a value of the profile no longer holds.
        blocks: whether the person has blocked a pair.
    """

    forgotten: date | None
    latest: date | None
    counted: date | None
    sketched: date | None
    expires: date | None
    blocks: bool


def known_of(connection: Connection, tenant: str, sessions: Mapping[str, str]) -> dict[str, Known]:
    """What is known of each of these subjects of a tenant, and of the session given for it; all by their keyed ids."""
    dialect = connection.dialect.name
    asked = rows_of(dialect, _ASKED, list(sessions.items()))
    rows = connection.execute(_known(dialect), {"tenant": tenant, **asked})
    return {subject: Known(*found) for subject, *found in rows}


@cache
def _known(dialect: str) -> Any:
    asked = wanted(dialect, *_ASKED)

    def mine(row: type[Row]) -> tuple[Any, Any]:
        return table(row).c.tenant == bindparam("tenant"), table(row).c.subject == asked.c.subject

    def one(column: Any, row: type[Row], *conditions: Any) -> Any:
        return select(column).where(*mine(row), *conditions).scalar_subquery()

    sessions = table(Session).c
    return select(
        asked.c.subject,
        one(table(Tombstone).c.day, Tombstone),
        one(func.max(sessions.day), Session),
        one(sessions.day, Session, sessions.session == asked.c.session),
        one(func.min(sessions.day), Session, sessions.sketch_0.is_not(None)),
        one(func.min(table(Profile).c.expires), Profile),
        exists().where(*mine(BlockedPair)),
    )
