"""The sessions of a chaos run, and what they come to when they are counted calmly, one after the other."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from canaries import Canaries
from sqlalchemy import Connection, select

from habitus_schema.ids import IdKeys
from habitus_schema.tables import Observation, Profile, Row, Session, table
from habitus_schema.transcript import Transcript
from habitus_tasks.parse import read_session
from habitus_tasks.pipeline import Caller, record_of
from habitus_tasks.promote import PromotionRule
from habitus_tasks.record import record_session
from habitus_tasks.store import Database, open_database

WISHES = ("zero_external_deps=True, please, always.", "fence_backtick_count=4, always.", "")
"""Literal spellings: what is tested is the counting, whatever the extractor's model makes of prose."""
SESSIONS_A_PERSON = 12
CONTEXTS_A_PERSON = 4
DIFFERENT = 200
FIRST_DAY = date(2026, 6, 1)
COUNTED = (Profile, Observation, Session)
"""The tables that must be the same, row for row, as after the calm run."""


@dataclass(frozen=True, slots=True, repr=False)
class Given:
    """One session as it is handed in."""

    transcript: Transcript
    caller: Caller


class Few(Canaries):
    """Canaries that come up again after the first few hundred: each is searched for in everything that is left."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self._chance = chance

    def one(self) -> str:
        return super().one() if len(self.planted) < DIFFERENT else self._chance.choice(self.planted)


def sessions(count: int, seed: int, canaries: Canaries) -> list[Given]:
    """So many different sessions, a private string in every message, name and context."""
    chance = random.Random(seed)
    people = [
        (f"{canaries.one()} {who}", f"tenant {chance.randrange(3)}") for who in range(count // SESSIONS_A_PERSON + 1)
    ]
    contexts = {person: [canaries.one() for _ in range(CONTEXTS_A_PERSON)] for person, _ in people}
    given = []
    for number in range(count):
        user, tenant = people[number % len(people)]
        # No two of a person on one day: among those of a day the last word is the one that came last.
        day = FIRST_DAY + timedelta(days=number // len(people))
        caller = Caller(user, tenant, chance.choice(contexts[user]), day)
        given.append(Given(read_session(_envelope(number, chance, canaries), None), caller))
    return given


def _envelope(number: int, chance: random.Random, canaries: Canaries) -> dict[str, Any]:
    said = [f"Where in {canaries.one()} is {canaries.one()}, number {number}?", chance.choice(WISHES) or "Thank you."]
    answers = [f"It is {canaries.one()}, the {number}th. " * 5, "Done."]
    messages = [
        {"role": role, "content": text}
        for own, answer in zip(said, answers, strict=True)
        for role, text in (("user", own), ("assistant", answer))
    ]
    return {"session_id": f"{canaries.one()} {number}", "messages": messages}


def calm(given: list[Given], keys: IdKeys) -> dict[str, list[tuple[Any, ...]]]:
    """What the sessions come to when each is recorded once, in order, by one process."""
    database = open_database("sqlite://")
    for number, each in enumerate(given):
        record_session(database, record_of(each.transcript, each.caller, f"{number:032x}", keys), PromotionRule())
    found = counted(database)
    database.close()
    return found


def counted(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of what was counted, in a fixed order."""

    def rows(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
        return {str(kind.__tablename__): sorted(_rows(connection, kind), key=repr) for kind in COUNTED}

    return database.read(None, rows)


def dump(database: Database) -> bytes:
    """Everything in the database, as text."""
    kinds = Row.metadata.sorted_tables
    return database.read(None, lambda each: repr([each.execute(select(kind)).all() for kind in kinds])).encode()


def _rows(connection: Connection, kind: type[Row]) -> Iterator[tuple[Any, ...]]:
    # Sketches are left out: they are what tells two contexts apart, and these are named.
    columns = [column for column in table(kind).columns if not column.name.startswith("sketch")]
    yield from (tuple(row) for row in connection.execute(select(*columns)))
