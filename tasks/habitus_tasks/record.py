"""The record zone's work: one session, one transaction. Nothing lost, nothing twice (invariant 4)."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime

from pydantic import ValidationError
from sqlalchemy import Connection, bindparam, func, select, update

from habitus_schema.codes import Code
from habitus_schema.errors import UsageError
from habitus_schema.models import MAX_MESSAGES, SKETCH_SIZE, Outcome, Rejection, SessionRecord
from habitus_schema.tables import Session, Settled, Tombstone, table
from habitus_tasks.arrival import Arrival, arrive
from habitus_tasks.context import absorb, expire_sketches, latest_day
from habitus_tasks.count import Count, vote
from habitus_tasks.lift import lifted
from habitus_tasks.messages import antedate, claim
from habitus_tasks.person import Person, Tenant, mine
from habitus_tasks.promote import PromotionRule
from habitus_tasks.rejections import log, rejection, unlogged
from habitus_tasks.settlement import Change, decide_all
from habitus_tasks.similarity import pack
from habitus_tasks.store import Database, KeysChangedError, upsert

_OUTCOME = select(table(Settled).c.outcome).where(table(Settled).c.ticket == bindparam("ticket"))
_FORGOTTEN = select(table(Tombstone).c.day).where(mine(Tombstone))


def record_session(
    database: Database, record: SessionRecord, rule: PromotionRule, *, today: date | None = None
) -> Outcome:
    """Counts one session. Safe to call again with the same ticket, from any number of processes at once.

    A session that ended after `today` (UTC; the clock of a client was wrong) counts as of `today`. One that the person
    asked to be forgotten settles as RECORDED with a FORGOTTEN line and leaves nothing of the person.

    Raises:
        UsageError: for a record outside the contract: the second lock (invariant 1).
        UnavailableError: when the database does not answer; nothing was written.
    """
    checked = _relocked(record)
    now = today or datetime.now(UTC).date()

    def attempt() -> Outcome:
        chain, person = database.keys(), database.person(checked.tenant, checked.subject)
        stored = lifted(checked, chain.lift) if chain else checked
        return database.write(person, lambda connection: _settled_once(connection, person, stored, rule, now))

    return _with_keys(attempt)


def record_dead_letter(
    database: Database, ticket: str, code: Code, tenant: str, subject: str | None, session: str | None, day: date
) -> Outcome:
    """Logs a submission that was given up, once for a ticket, and settles it as dead unless it was settled before.

    Raises:
        UsageError: for a tenant or subject that is no keyed id.
        UnavailableError: when the database does not answer; nothing was written.
    """

    def attempt() -> Outcome:
        whose = database.tenant(tenant) if subject is None else database.person(tenant, subject)
        chain = database.keys()
        stored = chain.lift(session) if chain and session else session

        def bury(connection: Connection) -> Outcome:
            earlier = _claim(connection, ticket, Outcome.DEAD, day)
            if earlier is None:
                log(connection, whose, [rejection(code)], day=day, session=stored)
            return earlier or Outcome.DEAD

        return database.write(whose, bury)

    return _with_keys(attempt)


def _with_keys(attempt: Callable[[], Outcome]) -> Outcome:
    """Runs `attempt`, again when the keys changed under it: then with the new ones."""
    while True:
        try:
            return attempt()
        except KeysChangedError:
            continue


def settled_counts(database: Database) -> dict[str, int]:
    """How many submissions ended in each `Outcome`, by its value: for the identity of invariant 4.

    Raises:
        UnavailableError: when the database does not answer.
    """
    outcome = table(Settled).c.outcome
    rows = database.read(
        None, lambda connection: connection.execute(select(outcome, func.count()).group_by(outcome)).all()
    )
    return {each.value: 0 for each in Outcome} | {each.value: int(count) for each, count in rows}


def _relocked(record: SessionRecord) -> SessionRecord:
    try:
        checked = SessionRecord.model_validate(record.model_dump(warnings=False))
    except ValidationError:
        raise UsageError("a session record outside the contract") from None
    if len(checked.sketch) not in (0, SKETCH_SIZE) or len(checked.messages) > MAX_MESSAGES:
        raise UsageError("a session record outside the contract")
    return checked


def _claim(connection: Connection, ticket: str, outcome: Outcome, day: date) -> Outcome | None:
    """Settles the ticket, or says how it was settled before; the loser of a race waits here for the winner."""
    row = {"ticket": ticket, "outcome": outcome, "day": day}
    claimed = connection.execute(upsert(connection, Settled, keep=True), row)
    if claimed.rowcount:
        return None
    earlier: Outcome = connection.scalars(_OUTCOME, {"ticket": ticket}).one()
    return earlier


def _settled_once(
    connection: Connection, person: Person, record: SessionRecord, rule: PromotionRule, today: date
) -> Outcome:
    day = min(record.day, today)
    earlier = _claim(connection, record.ticket, Outcome.RECORDED, day)
    if earlier is not None and earlier is not Outcome.DEAD:
        return earlier
    outcome = _recorded(connection, person, record, rule, day, today)
    if outcome is not (earlier or Outcome.RECORDED):  # also a dead letter that was sent again: it counts after all
        settled = table(Settled)
        connection.execute(update(settled).where(settled.c.ticket == record.ticket).values(outcome=outcome))
    return outcome


def _recorded(
    connection: Connection, person: Person, record: SessionRecord, rule: PromotionRule, day: date, today: date
) -> Outcome:
    if _forgotten(connection, person, day):
        log(connection, Tenant(person.tenant), [rejection(Code.FORGOTTEN)], day=day)
        return Outcome.RECORDED
    as_of = max(today, latest_day(connection, person) or today)
    arrival = arrive(connection, person, record, rule, day, as_of)
    touched = absorb(connection, person, arrival.context) | antedate(connection, person, arrival.seen, day)
    if arrival.duplicate:
        log(connection, person, [rejection(Code.DUPLICATE_SESSION)], day=day, session=record.session)
        decide_all(connection, person, touched, rule, as_of)
        return Outcome.DUPLICATE
    _keep(connection, arrival)
    claim(connection, person, record.session, arrival.new, day)
    count = vote(connection, arrival)
    changes = decide_all(connection, person, touched | count.touched, rule, as_of)
    lines = [*record.rejections, *count.lines, *_unpromoted(count, changes)]
    if arrival.counted is not None:
        lines = list(unlogged(connection, person, record.session, lines))
    log(connection, person, lines, day=day, session=record.session, catalog_version=record.catalog_version)
    return Outcome.RECORDED


def _forgotten(connection: Connection, person: Person, day: date) -> bool:
    tombstone: date | None = connection.scalar(_FORGOTTEN, person.key())
    return tombstone is not None and day <= tombstone


def _keep(connection: Connection, arrival: Arrival) -> None:
    """Writes the session's row; the later day, and the fuller sketch, of its versions stays."""
    record = arrival.record
    row = arrival.person.key(
        session=record.session,
        context=arrival.context.id,
        named=arrival.context.named,
        day=max(arrival.day, arrival.counted or arrival.day),
        catalog_version=record.catalog_version,
    )
    row |= {f"sketch_{index}": packed for index, packed in enumerate(pack(record.sketch) if record.sketch else ())}
    connection.execute(upsert(connection, Session, only=frozenset(row)), row)
    if record.sketch:
        expire_sketches(connection, arrival.person, arrival.today, arrival.rule.window_days)


def _unpromoted(count: Count, changes: Mapping[str, Change]) -> Iterator[Rejection]:
    """Why what the session says is not in the profile, and what its votes displaced: each once."""
    codes = [
        (dimension, code)
        for dimension, change in changes.items()
        for code in change.codes([value for spoken, value in count.pairs if spoken == dimension])
    ]
    return (rejection(code, dimension) for dimension, code in dict.fromkeys(codes))
