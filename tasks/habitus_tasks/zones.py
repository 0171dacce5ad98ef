"""What each zone does with one task, in plain functions over the desk at which it works.

The desks are given by the worker (`habitus_worker.desks`); here stands only the order of the steps, since that order
is what keeps a session from being lost or counted twice (design: sealed payloads).
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

import structlog
from billiard.exceptions import SoftTimeLimitExceeded
from pydantic import ValidationError

from habitus_schema.codes import Code
from habitus_schema.errors import UnavailableError, UnsealError
from habitus_schema.ids import IdKeys
from habitus_schema.models import Outcome, SessionRecord, Ticket
from habitus_schema.transcript import Transcript
from habitus_tasks.pipeline import Caller, Extractor, record_of

_log = structlog.get_logger("habitus.zones")


@dataclass(frozen=True, slots=True, repr=False)
class Ready:
    """A record that the record zone is to write now.

    Attributes:
        body: the record as JSON; None when it is gone.
        tries: how often it was tried alone, this time included; 0 in a group.
    """

    ticket: Ticket
    body: dict[str, Any] | None
    tries: int


class ContentDesk(Protocol):
    """What the content zone has at hand: Redis and the payload keys, never a database."""

    max_attempts: int

    @property
    def key(self) -> IdKeys:
        """The keys of the ids, as of now."""

    @property
    def extractor(self) -> Extractor:
        """What reads a session."""

    def begin(self, ticket: str) -> tuple[int, bytes | None] | None:
        """Counts one more try outside the message; gives how many there were, and the payload unless it is gone.

        None, and no try, when this ticket's record was handed on already.
        """

    def spare(self, ticket: str) -> None:
        """Takes a try back."""

    def open(self, payload: bytes) -> tuple[Transcript, Caller]:
        """The submission. Raises UnsealError when no key opens it."""

    def hand_on(self, record: SessionRecord) -> None:
        """Hands the record to the record zone and burns the payload, in one step."""

    def bury(self, ticket: str, code: Code) -> None:
        """Makes the ticket a dead letter; its payload stays until its time to live."""


class RecordDesk(Protocol):
    """What the record zone has at hand: the database and the ledger, never a payload key."""

    max_attempts: int

    def gathering(self, task: str) -> AbstractContextManager[Iterator[list[Ready]]]:
        """Groups of records that are ready, as long as `task` is to go on. A record that was tried comes alone.

        What is neither settled nor given back when the block ends with an error is given to the same task again.
        """

    def attempt(self, ticket: str) -> int:
        """Counts one more try outside the message; returns how many there were."""

    def give_back(self, tickets: Sequence[str], *, spare: bool) -> None:
        """Makes records ready again. `spare`: as if they had not been tried."""

    def record(self, records: Sequence[SessionRecord]) -> list[Outcome]:
        """Writes the sessions in one transaction: all of them or none."""

    def settle(self, outcomes: Mapping[str, Outcome]) -> object:
        """Ends tickets in the ledger, each once."""

    def bury(self, ticket: str, code: Code, record: dict[str, Any] | None) -> None:
        """Makes the ticket a dead letter; the content-free record is kept so that it can be retried."""

    def log_dead_letter(self, ticket: str, code: Code, tenant: str, day: date) -> None:
        """Writes the dead letter's line into the rejection log, once for a ticket."""


def content_step(desk: ContentDesk, ticket: str) -> None:
    """One task of the content zone. Safe to run again at any point of it, by any number of workers."""
    begun = desk.begin(ticket)
    if begun is None:
        return
    tries, payload = begun
    if tries > desk.max_attempts:
        desk.bury(ticket, Code.ATTEMPTS_EXHAUSTED)
        return
    if payload is None:
        desk.bury(ticket, Code.PAYLOAD_EXPIRED)
        return
    try:
        opened = desk.open(payload)
    except UnsealError:
        desk.bury(ticket, Code.UNSEAL_FAILED)
        return
    record = record_of(*opened, ticket, desk.key, desk.extractor)
    try:
        desk.hand_on(record)
    except UnavailableError:
        desk.spare(ticket)  # a service is down: the session is not to blame for that
        raise


def record_step(desk: RecordDesk, task: str) -> None:
    """One task of the record zone: what is ready, in groups of one transaction each.

    `task`: a closed name, the same when the task is delivered again.
    """
    with desk.gathering(task) as groups:
        for group in groups:
            _record_group(desk, group)


def _record_group(desk: RecordDesk, group: list[Ready]) -> None:
    """A group stands or falls together, and one that falls is written one by one: only then is a try counted."""
    records = [(each, record) for each in group if (record := _relocked(desk, each))]
    if len(group) == 1:
        for each, record in records:
            _record_alone(desk, record, each.tries)
        return
    outcomes = _group_outcomes(desk, [record for _, record in records])
    if outcomes is None:
        for _, record in records:
            _record_alone(desk, record, desk.attempt(f"record:{record.ticket}"))
    else:
        desk.settle({record.ticket: outcome for (_, record), outcome in zip(records, outcomes, strict=True)})


def _relocked(desk: RecordDesk, ready: Ready) -> SessionRecord | None:
    """The second lock: a record is validated again by who writes it; None when it is none, or is gone."""
    if ready.body is None:
        desk.bury(ready.ticket, Code.PAYLOAD_EXPIRED, None)
        return None
    try:
        record = SessionRecord.model_validate(ready.body)
    except ValidationError:
        record = None
    if record is None or record.ticket != ready.ticket:
        desk.bury(ready.ticket, Code.FREE_TEXT, None)  # whoever wrote this is not our content zone: keep none of it
        return None
    return record


def _group_outcomes(desk: RecordDesk, records: list[SessionRecord]) -> list[Outcome] | None:
    """How each ended; None when the group cannot be written as one."""
    try:
        return desk.record(records) if records else []
    except (UnavailableError, SoftTimeLimitExceeded, MemoryError):
        desk.give_back([record.ticket for record in records], spare=True)
        raise
    except Exception as error:  # noqa: BLE001 - which of them is to blame shows when each is alone
        _log.warning("group_failed", count=len(records), error=type(error).__name__)
        return None


def _record_alone(desk: RecordDesk, record: SessionRecord, tries: int) -> None:
    if tries > desk.max_attempts:
        desk.bury(record.ticket, Code.ATTEMPTS_EXHAUSTED, record.model_dump(mode="json"))
        return
    try:
        (outcome,) = desk.record([record])
    except UnavailableError:
        desk.give_back([record.ticket], spare=True)
        raise
    except (SoftTimeLimitExceeded, MemoryError):
        desk.give_back([record.ticket], spare=False)
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, its text may quote a row
        _log.error("step_failed", ticket=record.ticket, error=type(error).__name__)
        desk.give_back([record.ticket], spare=False)
        return
    desk.settle({record.ticket: outcome})


def buried_step(desk: RecordDesk, ticket: str, code: str, tenant: str, day: str) -> None:
    """Writes a dead letter's line. After too many tries the line is given up: the dead letter itself is kept."""
    if desk.attempt(f"buried:{ticket}") <= desk.max_attempts:
        desk.log_dead_letter(ticket, Code(code), tenant, date.fromisoformat(day))
