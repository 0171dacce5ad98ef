"""The person's messages by their keyed identities: what was seen before is evidence once, wherever it reappears."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from habitus_schema.tables import Observation, SessionMessage, table
from habitus_tasks.person import Person, mine
from habitus_tasks.wanted import among, rows_of

_MESSAGES = table(SessionMessage)
_SEEN = select(_MESSAGES.c.message, _MESSAGES.c.session, _MESSAGES.c.day).where(
    mine(SessionMessage), _MESSAGES.c.message.in_(bindparam("messages", expanding=True))
)
_OWN = select(_MESSAGES.c.message).where(mine(SessionMessage, "session"))
_ASKED = ("subject", "message")
_CHUNK = 500
"""Ids in one statement; well under the limit on parameters of both databases."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Which session brought a message first, and the earliest day it was seen on."""

    session: str
    day: date


def seen_before(connection: Connection, person: Person, messages: Iterable[str]) -> dict[str, Seen]:
    """Those of `messages` that are known for this person."""
    found: dict[str, Seen] = {}
    for chunk in _chunks(list(messages)):
        rows = connection.execute(_SEEN, person.key(messages=chunk))
        found |= {message: Seen(session, day) for message, session, day in rows}
    return found


def seen_of(connection: Connection, tenant: str, messages: Mapping[str, Sequence[str]]) -> dict[str, dict[str, Seen]]:
    """`seen_before` for many subjects of a tenant in one query: those of each one's `messages` that are known."""
    found: dict[str, dict[str, Seen]] = {subject: {} for subject in messages}
    asked = [(subject, message) for subject, own in messages.items() for message in own]
    if asked:
        dialect = connection.dialect.name
        rows = connection.execute(_seen(dialect), {"tenant": tenant, **rows_of(dialect, _ASKED, asked)})
        for subject, message, session, day in rows:
            found[subject][message] = Seen(session, day)
    return found


@cache
def _seen(dialect: str) -> Any:
    known = _MESSAGES.c
    asked = known.tenant == bindparam("tenant"), among(dialect, [known[name] for name in _ASKED])
    return select(known.subject, known.message, known.session, known.day).where(*asked)


def own_messages(connection: Connection, person: Person, session: str) -> set[str]:
    """The messages that this session brought first."""
    return set(connection.scalars(_OWN, person.key(session=session)))


def antedate(connection: Connection, person: Person, seen: Mapping[str, Seen], day: date) -> set[str]:
    """Messages that turn out to be older than thought take their votes back to `day`; the dimensions touched."""
    late = [message for message, known in seen.items() if known.day > day]
    touched: set[str] = set()
    for chunk in _chunks(late):
        for row in (SessionMessage, Observation):
            columns = table(row).c
            older = person.owns(row), columns.message.in_(chunk), columns.day > day
            if row is Observation:
                touched |= set(connection.scalars(select(columns.dimension).where(*older)))
            connection.execute(update(table(row)).where(*older).values(day=day))
    return touched


def _chunks(messages: Sequence[str]) -> Iterator[Sequence[str]]:
    return (messages[at : at + _CHUNK] for at in range(0, len(messages), _CHUNK))
