"""Which task context a session belongs to (design: recurrence and promotion).

The caller's; else that of the session whose messages it repeats; else that of a similar session; else a new one, which
takes the keyed id of the session that opens it. Sessions found to be one conversation become one context, whichever of
them arrived first.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import Connection, bindparam, select, update

from habitus_schema.models import SessionRecord
from habitus_schema.tables import Observation, Session, table
from habitus_tasks.messages import Seen
from habitus_tasks.person import Person, mine
from habitus_tasks.similarity import SKETCH_COLUMNS, most_similar, pack

SKETCH_REACH = 1000
"""How many of a person's latest sketched sessions are looked at. A limit on the cost of one session, not on the window
of any but the busiest person: 1000 is more than five a day for 180 days."""

_SESSIONS = table(Session)
_SKETCH = [_SESSIONS.c[f"sketch_{index}"] for index in range(SKETCH_COLUMNS)]
_CONTEXTS = select(_SESSIONS.c.session, _SESSIONS.c.context, _SESSIONS.c.named).where(
    mine(Session), _SESSIONS.c.session.in_(bindparam("sessions", expanding=True))
)
_SKETCHED = (
    select(_SESSIONS.c.context, _SESSIONS.c.named, *_SKETCH)
    .where(mine(Session), _SESSIONS.c.day.between(bindparam("first"), bindparam("last")), _SKETCH[0].is_not(None))
    .order_by(_SESSIONS.c.day.desc(), _SESSIONS.c.session)
    .limit(SKETCH_REACH)
)


@dataclass(frozen=True, slots=True)
class Context:
    """Where a session's general evidence counts.

    Attributes:
        named: whether a caller gave it.
        absorbed: contexts that turn out to be this one.
    """

    id: str
    named: bool
    absorbed: tuple[str, ...] = ()


def resolve(
    connection: Connection,
    person: Person,
    record: SessionRecord,
    seen: Mapping[str, Seen],
    window_days: int,
    *,
    counted: bool,
) -> Context:
    """The context of `record`.

    `seen`: those of its messages that are known, with the session that owns each. `counted`: whether the session itself
    was counted before.
    """
    owners = dict.fromkeys(seen[message].session for message in record.messages if message in seen)
    contexts = _contexts_of(connection, person, [record.session, *owners]) if counted or owners else {}
    own, kin = contexts.pop(record.session, None), list(dict.fromkeys(contexts.values()))
    if own is None and not kin and record.context is None:
        return _similar(connection, person, record, window_days) or Context(record.session, named=False)
    target = _target(record, own, kin)
    strays = dict.fromkeys(each.id for each in [*filter(None, [own]), *kin] if not each.named and each.id != target.id)
    return Context(target.id, target.named, tuple(strays))


def absorb(connection: Connection, person: Person, context: Context) -> set[str]:
    """Moves the sessions and votes of the absorbed contexts into the one they belong to; the dimensions touched."""
    if not context.absorbed:
        return set()
    sessions, votes = table(Session), table(Observation)
    moved = person.owns(Observation), votes.c.context.in_(context.absorbed)
    touched = set(connection.scalars(select(votes.c.dimension).where(*moved)))
    connection.execute(update(votes).where(*moved).values(context=context.id))
    strays = update(sessions).where(person.owns(Session), sessions.c.context.in_(context.absorbed))
    connection.execute(strays.values(context=context.id, named=context.named))
    return touched


def _contexts_of(connection: Connection, person: Person, sessions: list[str]) -> dict[str, Context]:
    """The context of each of those sessions that was counted, in the order given."""
    rows = connection.execute(_CONTEXTS, person.key(sessions=sessions))
    found = {session: Context(context, named) for session, context, named in rows}
    return {session: found[session] for session in sessions if session in found}


def _target(record: SessionRecord, own: Context | None, kin: list[Context]) -> Context:
    """A named context of its own, the caller's, the first named one of its kin, else what there is."""
    if own is not None and own.named:
        return own
    if record.context is not None:
        return Context(record.context, named=True)
    named = next((each for each in kin if each.named), None)
    return named or own or kin[0]


def _similar(connection: Connection, person: Person, record: SessionRecord, window_days: int) -> Context | None:
    if not record.sketch:
        return None
    first, last = _around(record.day, window_days)
    rows = connection.execute(_SKETCHED, person.key(first=first, last=last)).all()
    place = most_similar(pack(record.sketch), (packed for _, _, *packed in rows))
    return None if place is None else Context(rows[place].context, rows[place].named)


def _around(day: date, window_days: int) -> tuple[date, date]:
    before = min(window_days, (day - date.min).days)
    after = min(window_days, (date.max - day).days)
    return day - timedelta(days=before), day + timedelta(days=after)


def window_start(today: date, window_days: int) -> date:
    """The first day that is inside the window on `today`."""
    return _around(today, window_days)[0]


def expire_sketches(connection: Connection, person: Person, today: date, window_days: int) -> None:
    """Erases the sketches of sessions that are out of the window: no session can be compared with them any more."""
    first = window_start(today, window_days)
    old = update(_SESSIONS).where(person.owns(Session), _SESSIONS.c.day < first, _SKETCH[0].is_not(None))
    connection.execute(old.values({column.name: None for column in _SKETCH}))
