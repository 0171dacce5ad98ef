"""A table full of what made-up people said, loaded in bulk: random ids as in real life, the same history for each."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection

from habitus_schema import catalog
from habitus_schema.ids import IdKey, Kind
from habitus_schema.models import MAX_MESSAGES, SKETCH_SIZE, Observed, Scope, SessionRecord, Signal
from habitus_schema.tables import Observation, Profile, Row, Session, SessionMessage, table
from habitus_tasks.similarity import pack

SESSIONS = 50
"""Sessions of one person: one every three days, over 150 of the window's 180 days."""
VOTES = 2
"""Votes of one session."""
DAY = date(2026, 1, 1)
TODAY = DAY + timedelta(days=150)
_PAIRS = [
    next(pair for pair in catalog.all_pairs() if pair.dimension is dimension)
    for dimension in dict.fromkeys(pair.dimension for pair in catalog.all_pairs())
][:5]
_TABLES: tuple[type[Row], ...] = (Session, SessionMessage, Observation, Profile)
_CHUNK = 200
"""People in one go to the database."""


@dataclass(frozen=True, slots=True)
class People:
    """Made-up people, by their numbers from 0.

    `key` gives them ids, so that the same number is the same person again. `start`: the day of their first session.
    """

    key: IdKey
    count: int
    start: date = DAY

    def who(self, number: int) -> tuple[str, str]:
        """(tenant, subject)"""
        return self.key.keyed(Kind.TENANT, "bench"), self.key.keyed(Kind.SUBJECT, "bench", str(number))

    def session(self, number: int, name: str) -> SessionRecord:
        """A new session of the person: four messages, two votes, a sketch, in a context of its own."""
        tenant, subject = self.who(number)
        messages = tuple(self.key.keyed(Kind.MESSAGE, str(number), name, str(each)) for each in range(4))
        return SessionRecord(
            ticket=hashlib.blake2b(f"{number} {name}".encode(), digest_size=16).hexdigest(),
            tenant=tenant,
            subject=subject,
            session=self.key.keyed(Kind.SESSION, str(number), name),
            messages=messages[:MAX_MESSAGES],
            sketch=_sketch(f"{number} {name}"),
            day=TODAY,
            observations=tuple(
                Observed(pair=pair, signal=Signal.CORRECTION, message=message)
                for pair, message in zip(_PAIRS[:VOTES], messages, strict=False)
            ),
            catalog_version=catalog.version(),
        )


def people_for(observations: int, key: IdKey) -> People:
    """As many people as have so many observations between them."""
    return People(key, max(1, observations // (SESSIONS * VOTES)))


def load(connection: Connection, people: People) -> None:
    """Fills the tables, in the order of their keys: COPY on PostgreSQL, many rows a statement on SQLite."""
    numbers = sorted(range(people.count), key=people.who)
    for at in range(0, len(numbers), _CHUNK):
        rows: dict[type[Row], list[tuple[Any, ...]]] = {row: [] for row in _TABLES}
        for number in numbers[at : at + _CHUNK]:
            for row, values in _rows(people, number):
                rows[row].append(values)
        for row in _TABLES:
            _put(connection, row, sorted(rows[row], key=lambda values: values[:5]))


def _put(connection: Connection, row: type[Row], rows: list[tuple[Any, ...]]) -> None:
    name, columns = table(row).name, [column.name for column in table(row).columns]
    cursor = connection.connection.cursor()
    if connection.dialect.name == "postgresql":
        with cursor.copy(f"COPY {name} ({', '.join(columns)}) FROM STDIN") as copy:
            for values in rows:
                copy.write_row(values)
    else:
        marks = ", ".join("?" * len(columns))
        plain = [tuple(value.isoformat() if isinstance(value, date) else value for value in each) for each in rows]
        cursor.executemany(f"INSERT INTO {name} VALUES ({marks})", plain)  # noqa: S608 - a table of ours
    cursor.close()


def _rows(people: People, number: int) -> Iterator[tuple[type[Row], tuple[Any, ...]]]:
    """Every row of one person, its values in the order of the table's columns."""
    who, version = people.who(number), catalog.version()
    for place in range(SESSIONS):
        name = f"old {place}"
        session = people.key.keyed(Kind.SESSION, str(number), name)
        message = people.key.keyed(Kind.MESSAGE, str(number), name)
        day = people.start + timedelta(days=3 * place)
        sketch = pack(_sketch(f"{number} {name}"))
        yield Session, (*who, session, session, False, day, version, *sketch)
        yield SessionMessage, (*who, message, session, day)
        for vote in range(VOTES):
            pair = _PAIRS[(place + vote) % len(_PAIRS)]
            said = (pair.dimension.value, pair.value, session, session, Signal.EDIT.value, Scope.GENERAL.value)
            yield Observation, (*who, *said, message, day, version)
    last, expires = (people.start + timedelta(days=days) for days in (3 * SESSIONS, 3 * SESSIONS + 100))
    for pair in _PAIRS:
        figures = ("promoted", False, SESSIONS * VOTES // len(_PAIRS), people.start, last, expires, version)
        yield Profile, (*who, pair.dimension.value, pair.value, *figures)


def _sketch(name: str) -> tuple[int, ...]:
    return tuple(hashlib.blake2b(name.encode(), digest_size=SKETCH_SIZE).digest())
