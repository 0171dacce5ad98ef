"""The record zone's work: one or many sessions, one transaction. Nothing lost, nothing twice (invariant 4)."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime

from pydantic import ValidationError
from sqlalchemy import Connection, bindparam, func, select, update

from habitus_schema.codes import Code
from habitus_schema.errors import UsageError
from habitus_schema.models import MAX_MESSAGES, SKETCH_SIZE, Outcome, SessionRecord
from habitus_schema.tables import Settled, table
from habitus_tasks.adding import upsert
from habitus_tasks.lift import lifted
from habitus_tasks.promote import PromotionRule
from habitus_tasks.rejections import log, rejection
from habitus_tasks.store import Database, KeysChangedError, Result
from habitus_tasks.wave import Given, count_wave

_SETTLED = table(Settled).c
_OUTCOME = select(_SETTLED.outcome).where(_SETTLED.ticket == bindparam("ticket"))


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
    (outcome,) = record_sessions(database, [record], rule, today=today)
    return outcome


def record_sessions(
    database: Database, records: Sequence[SessionRecord], rule: PromotionRule, *, today: date | None = None
) -> list[Outcome]:
    """`record_session` for each, in order, in one transaction: all are counted or, when it raises, none is."""
    checked = [_relocked(record) for record in records]
    now = today or datetime.now(UTC).date()

    def attempt() -> list[Outcome]:
        chain = database.keys()
        stored = [lifted(record, chain.lift) for record in checked] if chain else checked
        people = [database.person(record.tenant, record.subject) for record in checked]
        claims: dict[int, Outcome | None] = {}

        def wave(connection: Connection, places: Sequence[int]) -> list[Outcome]:
            if 0 in places:  # the first wave of a transaction, which may have to begin again
                claimed = [(each.ticket, Outcome.RECORDED, min(each.day, now)) for each in stored]
                claims.update(enumerate(_claim(connection, claimed)))
            sessions = {at: Given(people[at], stored[at]) for at in places}
            return _settled_once(connection, sessions, claims, rule, now)

        return database.write_waves(people, wave)

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
            (earlier,) = _claim(connection, [(ticket, Outcome.DEAD, day)])
            if earlier is None:
                log(connection, whose, [rejection(code)], day=day, session=stored)
            return earlier or Outcome.DEAD

        return database.write(whose, bury)

    return _with_keys(attempt)


def _with_keys(attempt: Callable[[], Result]) -> Result:
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


def _claim(connection: Connection, claims: Sequence[tuple[str, Outcome, date]]) -> list[Outcome | None]:
    """Settles tickets, or says how each was settled before; the loser of a race waits here for the winner."""
    rows = [{"ticket": ticket, "outcome": outcome, "day": day} for ticket, outcome, day in claims]
    fresh = set(connection.scalars(upsert(connection, Settled, keep=True).returning(_SETTLED.ticket), rows))
    found: list[Outcome | None] = []
    for ticket, _, _ in claims:
        found.append(None if ticket in fresh else connection.scalars(_OUTCOME, {"ticket": ticket}).one())
        fresh.discard(ticket)
    return found


def _settled_once(
    connection: Connection,
    sessions: Mapping[int, Given],
    claims: Mapping[int, Outcome | None],
    rule: PromotionRule,
    today: date,
) -> list[Outcome]:
    """Counts those of a wave that were not counted before, and corrects how their tickets are said to have ended."""
    outcomes = {at: claims[at] for at in sessions}
    # Also a dead letter that was sent again: it counts after all.
    todo = [at for at, earlier in outcomes.items() if earlier is None or earlier is Outcome.DEAD]
    if todo:
        found = count_wave(connection, [sessions[at] for at in todo], rule, today)
        outcomes |= zip(todo, found, strict=True)
    for at in todo:
        if outcomes[at] is not (claims[at] or Outcome.RECORDED):
            ticket = _SETTLED.ticket == sessions[at].record.ticket
            connection.execute(update(table(Settled)).where(ticket).values(outcome=outcomes[at]))
    return [outcome for outcome in outcomes.values() if outcome is not None]
