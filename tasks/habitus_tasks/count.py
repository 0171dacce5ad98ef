"""A session's votes: one for each pair at most, each in one task context, counted on the day it was first seen."""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection, bindparam, delete, select

from habitus_schema.codes import Code
from habitus_schema.models import Observed, Rejection, Scope, SessionRecord
from habitus_schema.tables import BlockedPair, Observation, table
from habitus_tasks.arrival import Arrival
from habitus_tasks.messages import Seen
from habitus_tasks.person import Person, mine

_VOTES = table(Observation)
_EARLIER = select(_VOTES.c.dimension, _VOTES.c.value, _VOTES.c.day).where(mine(Observation, "session"))
_DROP = delete(_VOTES).where(mine(Observation, "session"), _VOTES.c.dimension.in_(bindparam("gone")))
_COUPLED = (
    select(_VOTES.c.session)
    .where(mine(Observation, "dimension", "value", "context"), _VOTES.c.session != bindparam("own"))
    .limit(1)
)
_BLOCKED = select(table(BlockedPair).c.dimension, table(BlockedPair).c.value).where(mine(BlockedPair))
_TAKEN_BACK = frozenset({Code.WITHDRAWN, Code.UNDECIDED})


@dataclass(frozen=True, slots=True)
class Count:
    """What counting one session did.

    Attributes:
        pairs: the pairs it votes for now.
        touched: the dimensions in which its votes changed.
        lines: what was not counted, or not as a context of its own.
        rows: the votes to write.
    """

    pairs: tuple[tuple[str, str], ...]
    touched: frozenset[str]
    lines: tuple[Rejection, ...]
    rows: tuple[dict[str, Any], ...]


def vote(connection: Connection, arrival: Arrival) -> Count:
    """The session's votes; deletes those of its earlier ones that no longer hold."""
    blocked = _blocked(connection, arrival.person) if arrival.known.blocks else frozenset()
    old = _earlier(connection, arrival)
    fresh = [each for each in _last_words(arrival) if _is_new(each, arrival)]
    refused = [each for each in fresh if _pair(each) in blocked]
    kept = [each for each in fresh if each not in refused and (arrival.last_word or each.pair.dimension not in old)]
    coupled = [each for each in kept if _coupled(connection, arrival, each)]
    gone = _outspoken(arrival, fresh, old)
    if gone:
        connection.execute(_DROP, arrival.person.key(session=arrival.record.session, gone=list(gone)))
    return Count(
        pairs=tuple(_pair(each) for each in kept),
        touched=gone | {each.pair.dimension.value for each in kept},
        lines=(*_lines(Code.BLOCKED_BY_PERSON, refused), *_lines(Code.ENTITY_COUPLED, coupled)),
        rows=tuple(_row(each, arrival, old) for each in kept),
    )


def _outspoken(arrival: Arrival, fresh: Iterable[Observed], old: Iterable[str]) -> frozenset[str]:
    """The dimensions in which the session's earlier votes no longer hold: the last word of the session counts."""
    if arrival.whole:
        return frozenset(old)
    if not arrival.last_word:
        return frozenset()
    return frozenset(old) & {*(each.pair.dimension.value for each in fresh), *_taken_back(arrival.record)}


def _lines(code: Code, observations: Iterable[Observed]) -> Iterator[Rejection]:
    return (Rejection(code=code, dimension=each.pair.dimension) for each in observations)


def _last_words(arrival: Arrival) -> list[Observed]:
    """At most one observation for each dimension and context, the last; and one for each pair, a general one first."""
    place: dict[object, int] = {message: at for at, message in enumerate(arrival.record.messages)}
    ordered = sorted(arrival.record.observations, key=lambda each: place.get(each.message, len(place)))
    by_context = {(each.pair.dimension, _context(each, arrival)): each for each in ordered}
    general_first = sorted(by_context.values(), key=lambda each: each.scope is Scope.ENTITY)
    by_pair: dict[tuple[str, str], Observed] = {}
    for each in general_first:
        by_pair.setdefault(_pair(each), each)
    return list(by_pair.values())


def _is_new(observed: Observed, arrival: Arrival) -> bool:
    """A message that another session brought is that session's evidence."""
    known = _seen(observed, arrival)
    return known is None or known.session == arrival.record.session


def _seen(observed: Observed, arrival: Arrival) -> Seen | None:
    """What is known of the message that gave it."""
    return arrival.seen.get(observed.message) if observed.message else None


def _entity(observed: Observed) -> str | None:
    """The entity that it is about, unless it is general."""
    return observed.entity if observed.scope is Scope.ENTITY else None


def _context(observed: Observed, arrival: Arrival) -> str:
    return _entity(observed) or arrival.context.id


def _pair(observed: Observed) -> tuple[str, str]:
    return observed.pair.dimension.value, observed.pair.value


def _earlier(connection: Connection, arrival: Arrival) -> dict[str, dict[str, date]]:
    """The session's votes so far: dimension to value to day."""
    if arrival.counted is None:
        return {}
    old: dict[str, dict[str, date]] = {}
    for dimension, value, day in connection.execute(_EARLIER, arrival.person.key(session=arrival.record.session)):
        old.setdefault(dimension, {})[value] = day
    return old


def _row(observed: Observed, arrival: Arrival, old: Mapping[str, Mapping[str, date]]) -> dict[str, Any]:
    dimension, value = _pair(observed)
    known = _seen(observed, arrival)
    earlier = known.day if known else old.get(dimension, {}).get(value) if observed.message is None else None
    return arrival.person.key(
        dimension=dimension,
        value=value,
        session=arrival.record.session,
        context=_context(observed, arrival),
        signal=observed.signal,
        scope=observed.scope,
        message=observed.message,
        day=min(arrival.day, earlier or arrival.day),
        catalog_version=arrival.record.catalog_version,
    )


def _coupled(connection: Connection, arrival: Arrival, observed: Observed) -> bool:
    """Whether another session already counts for this pair in the entity's context."""
    entity = _entity(observed)
    if entity is None:
        return False
    dimension, value = _pair(observed)
    named = {"dimension": dimension, "value": value, "context": entity, "own": arrival.record.session}
    return connection.execute(_COUPLED, arrival.person.key(**named)).first() is not None


def _blocked(connection: Connection, person: Person) -> Set[tuple[str, str]]:
    return {(dimension, value) for dimension, value in connection.execute(_BLOCKED, person.key())}


def _taken_back(record: SessionRecord) -> Iterator[str]:
    return (each.dimension.value for each in record.rejections if each.dimension and each.code in _TAKEN_BACK)
