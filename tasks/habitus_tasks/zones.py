"""What each zone does with one task, in plain functions over the desk at which it works.

The desks are given by the worker (`habitus_worker.desks`); here stands only the order of the steps, since that order
is what keeps a session from being lost or counted twice (design: sealed payloads).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any, Protocol

from pydantic import ValidationError

from habitus_schema.codes import Code
from habitus_schema.errors import UnavailableError, UnsealError
from habitus_schema.ids import IdKeys
from habitus_schema.models import Outcome, SessionRecord
from habitus_schema.transcript import Transcript
from habitus_tasks.pipeline import Caller, Extractor, record_of


class ContentDesk(Protocol):
    """What the content zone has at hand: Redis and the payload keys, never a database."""

    max_attempts: int

    @property
    def key(self) -> IdKeys:
        """The keys of the ids, as of now."""

    @property
    def extractor(self) -> Extractor:
        """What reads a session."""

    def is_done(self, ticket: str) -> bool:
        """Whether this ticket's record was sent and its payload burned."""

    def attempt(self, ticket: str) -> int:
        """Counts one more try outside the message; returns how many there were."""

    def spare(self, ticket: str) -> None:
        """Takes a try back."""

    def open(self, ticket: str) -> tuple[Transcript, Caller] | None:
        """The submission, or None when its payload is gone. Raises UnsealError when no key opens it."""

    def forward(self, record: SessionRecord) -> None:
        """Sends the record task."""

    def done(self, ticket: str) -> None:
        """Marks the ticket done and burns its payload, in one step."""

    def bury(self, ticket: str, code: Code) -> None:
        """Makes the ticket a dead letter; its payload stays until its time to live."""


class RecordDesk(Protocol):
    """What the record zone has at hand: the database and the ledger, never a payload key."""

    max_attempts: int

    def attempt(self, ticket: str) -> int:
        """Counts one more try outside the message; returns how many there were."""

    def spare(self, ticket: str) -> None:
        """Takes a try back."""

    def record(self, record: SessionRecord) -> Outcome:
        """Writes the session in one transaction."""

    def settle(self, ticket: str, outcome: Outcome) -> None:
        """Ends the ticket in the ledger, once."""

    def bury(self, ticket: str, code: Code, record: dict[str, Any] | None) -> None:
        """Makes the ticket a dead letter; the content-free record is kept so that it can be retried."""

    def log_dead_letter(self, ticket: str, code: Code, tenant: str, day: date) -> None:
        """Writes the dead letter's line into the rejection log, once for a ticket."""


@contextmanager
def _spared(desk: ContentDesk | RecordDesk, name: str) -> Iterator[None]:
    """Does not count the try when a service was down: the session is not to blame for that."""
    try:
        yield
    except UnavailableError:
        desk.spare(name)
        raise


def content_step(desk: ContentDesk, ticket: str) -> None:
    """One task of the content zone. Safe to run again at any point of it, by any number of workers."""
    if desk.is_done(ticket):
        return
    if desk.attempt(ticket) > desk.max_attempts:
        desk.bury(ticket, Code.ATTEMPTS_EXHAUSTED)
        return
    try:
        opened = desk.open(ticket)
    except UnsealError:
        desk.bury(ticket, Code.UNSEAL_FAILED)
        return
    if opened is None:
        if not desk.is_done(ticket):  # another worker may have finished between the two looks
            desk.bury(ticket, Code.PAYLOAD_EXPIRED)
        return
    record = record_of(*opened, ticket, desk.key, desk.extractor)
    with _spared(desk, ticket):
        desk.forward(record)
        desk.done(ticket)


def record_step(desk: RecordDesk, ticket: str, body: dict[str, Any]) -> None:
    """One task of the record zone: the second lock (re-validation), the transaction, the ledger."""
    try:
        record = SessionRecord.model_validate(body)
    except ValidationError:
        desk.bury(ticket, Code.FREE_TEXT, None)  # whoever sent this is not our content zone: keep none of it
        return
    if desk.attempt(f"record:{ticket}") > desk.max_attempts:
        desk.bury(ticket, Code.ATTEMPTS_EXHAUSTED, record.model_dump(mode="json"))
        return
    with _spared(desk, f"record:{ticket}"):
        outcome = desk.record(record)
    desk.settle(ticket, outcome)


def buried_step(desk: RecordDesk, ticket: str, code: str, tenant: str, day: str) -> None:
    """Writes a dead letter's line. After too many tries the line is given up: the dead letter itself is kept."""
    if desk.attempt(f"buried:{ticket}") <= desk.max_attempts:
        desk.log_dead_letter(ticket, Code(code), tenant, date.fromisoformat(day))
