"""One wave of sessions, each of another person of one tenant: what all of them read and write is one statement each.

Nothing that one of them does is about the people of the others, so the order of their steps makes no difference.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection

from habitus_schema.codes import Code
from habitus_schema.models import Outcome, Rejection, SessionRecord
from habitus_schema.tables import Observation, Session, SessionMessage
from habitus_tasks.adding import insert, upsert
from habitus_tasks.arrival import Arrival, arrive, named
from habitus_tasks.context import absorb, expire_sketches, window_start
from habitus_tasks.count import Count, vote
from habitus_tasks.known import Known, known_of
from habitus_tasks.messages import Seen, antedate, seen_of
from habitus_tasks.person import Person, Tenant
from habitus_tasks.promote import PromotionRule
from habitus_tasks.rejections import lines_of, rejection, unlogged, write_lines
from habitus_tasks.settlement import Change, Question, decide_together, due_of
from habitus_tasks.similarity import pack

Lines = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Given:
    """A session that is to be counted, and whose it is."""

    person: Person
    record: SessionRecord


@dataclass(frozen=True, slots=True)
class _Counted:
    """A session on its way through the wave: where it belongs, the dimensions it touched, its votes unless it is a
    duplicate."""

    arrival: Arrival
    touched: frozenset[str]
    count: Count | None


def count_wave(connection: Connection, wave: Sequence[Given], rule: PromotionRule, today: date) -> list[Outcome]:
    """Counts each session of the wave, with its tenant named and its people's locks held; says how each ended.

    A session that ended after `today` counts as of `today`.
    """
    tenant = wave[0].person.tenant
    known = known_of(connection, tenant, {each.person.subject: each.record.session for each in wave})
    seen = seen_of(connection, tenant, {each.person.subject: named(each.record) for each in wave})
    lines: Lines = []
    counted: list[_Counted] = []
    outcomes: list[Outcome] = []
    for each in wave:
        of, day = known[each.person.subject], min(each.record.day, today)
        if of.forgotten is not None and day <= of.forgotten:
            lines += lines_of(Tenant(tenant), [rejection(Code.FORGOTTEN)], day=day)
            outcomes.append(Outcome.RECORDED)
        else:
            counted.append(_count(connection, each, rule, day, today, of, seen[each.person.subject]))
            outcomes.append(Outcome.RECORDED if counted[-1].count else Outcome.DUPLICATE)
    _write(connection, [(each.arrival, each.count) for each in counted if each.count])
    lines += _settled(connection, tenant, counted, rule)
    write_lines(connection, lines)
    return outcomes


def _count(
    connection: Connection,
    given: Given,
    rule: PromotionRule,
    day: date,
    today: date,
    known: Known,
    seen: Mapping[str, Seen],
) -> _Counted:
    """Everything up to the rows that it adds."""
    as_of = max(today, known.latest or today)
    arrival = arrive(connection, given.person, given.record, rule, day, as_of, known, seen)
    touched = absorb(connection, given.person, arrival.context) | antedate(connection, given.person, arrival.seen, day)
    count = None if arrival.duplicate else vote(connection, arrival)
    return _Counted(arrival, frozenset(touched | (count.touched if count else frozenset())), count)


def _write(connection: Connection, counted: Sequence[tuple[Arrival, Count]]) -> None:
    """Writes the sessions with their messages and votes; of a session's versions the later day and the fuller sketch
    stay."""
    rows = [_session(arrival) for arrival, _ in counted]
    for columns in {frozenset(row) for row in rows}:
        same = [row for row in rows if row.keys() == columns]
        connection.execute(upsert(connection, Session, only=columns), same)
    for arrival, _ in counted:
        _expire(connection, arrival)
    messages = [
        arrival.person.key(message=message, session=arrival.record.session, day=arrival.day)
        for arrival, _ in counted
        for message in arrival.new
    ]
    votes = [row for _, count in counted for row in count.rows]
    for row, fresh in ((SessionMessage, messages), (Observation, votes)):
        if fresh:
            insert(connection, row, fresh)


def _session(arrival: Arrival) -> dict[str, Any]:
    record = arrival.record
    row = arrival.person.key(
        session=record.session,
        context=arrival.context.id,
        named=arrival.context.named,
        day=max(arrival.day, arrival.counted or arrival.day),
        catalog_version=record.catalog_version,
    )
    return row | {
        f"sketch_{index}": packed for index, packed in enumerate(pack(record.sketch) if record.sketch else ())
    }


def _expire(connection: Connection, arrival: Arrival) -> None:
    oldest = min(arrival.day, arrival.known.sketched or arrival.day)
    if arrival.record.sketch and oldest < window_start(arrival.today, arrival.rule.window_days):
        expire_sketches(connection, arrival.person, arrival.today, arrival.rule.window_days)


def _settled(connection: Connection, tenant: str, counted: Sequence[_Counted], rule: PromotionRule) -> Lines:
    """Decides the dimensions that were touched or are due; what is to be said about each session."""
    asked = [list(_questions(connection, each)) for each in counted]
    changes = iter(decide_together(connection, tenant, [question for own in asked for question in own], rule))
    lines: Lines = []
    for each, own in zip(counted, asked, strict=True):
        found = {question.dimension: next(changes) for question in own}
        lines += _lines(connection, each, found)
    return lines


def _questions(connection: Connection, counted: _Counted) -> Iterator[Question]:
    arrival = counted.arrival
    due = due_of(connection, arrival.person, arrival.today, arrival.known.expires)
    return (Question(arrival.person, dimension, arrival.today) for dimension in sorted({*counted.touched, *due}))


def _lines(connection: Connection, counted: _Counted, changes: Mapping[str, Change]) -> Lines:
    arrival, count, record = counted.arrival, counted.count, counted.arrival.record
    if count is None:
        duplicate = [rejection(Code.DUPLICATE_SESSION)]
        return lines_of(arrival.person, duplicate, day=arrival.day, session=record.session)
    said = [*record.rejections, *count.lines, *_unpromoted(count, changes)]
    if arrival.counted is not None:
        said = list(unlogged(connection, arrival.person, record.session, said))
    version = record.catalog_version
    return lines_of(arrival.person, said, day=arrival.day, session=record.session, catalog_version=version)


def _unpromoted(count: Count, changes: Mapping[str, Change]) -> Iterator[Rejection]:
    """Why what the session says is not in the profile, and what its votes displaced: each once."""
    codes = [
        (dimension, code)
        for dimension, change in changes.items()
        for code in change.codes([value for spoken, value in count.pairs if spoken == dimension])
    ]
    return (rejection(code, dimension) for dimension, code in dict.fromkeys(codes))
