"""The desks at which the zones work: what each has at hand, and nothing of the other's (two zones, two credentials)."""

from collections.abc import Callable
from datetime import date
from typing import Any

from celery import Celery
from kombu.exceptions import OperationalError

from habitus_schema.codes import Code
from habitus_schema.errors import UnavailableError
from habitus_schema.ids import IdKeys, Kind
from habitus_schema.models import KeyedId, Outcome, SessionRecord
from habitus_schema.transcript import Transcript
from habitus_tasks.extract import extract
from habitus_tasks.jobs import BURIED_TASK, CONTENT_TASK, RECORD_TASK
from habitus_tasks.pipeline import DEFAULT_TENANT, Caller, Extractor
from habitus_tasks.promote import PromotionRule
from habitus_tasks.record import record_dead_letter, record_session
from habitus_tasks.store import Database
from habitus_worker.app import BACKFILL_CONTENT_QUEUE, BACKFILL_RECORD_QUEUE, RECORD_QUEUE
from habitus_worker.days import today
from habitus_worker.keys import KeyRing
from habitus_worker.ledger import DeadLetter, Ledger
from habitus_worker.seal import unseal


def send(app: Celery, name: str, queue: str, *args: Any) -> None:
    """Sends a task with none of its arguments in its headers.

    Raises:
        UnavailableError: when the broker does not take it.
    """
    try:
        app.send_task(name, args=args, queue=queue, argsrepr="-", kwargsrepr="-", ignore_result=True)
    except (OperationalError, OSError):
        raise UnavailableError("the broker does not take tasks: start it, then try again") from None


class ContentWork:
    """The content zone's desk: Redis and the keys."""

    def __init__(
        self,
        ledger: Ledger,
        keys: Callable[[], KeyRing],
        app: Celery,
        max_attempts: int,
        extractor: Extractor = extract,
    ) -> None:
        self._ledger, self._keys, self._app = ledger, keys, app
        self.max_attempts = max_attempts
        self.is_done = ledger.is_done
        self.attempt, self.spare = ledger.attempt, ledger.spare
        self.extractor = extractor

    @property
    def key(self) -> IdKeys:
        """See `ContentDesk.key`."""
        return self._keys().ids

    def open(self, ticket: str) -> tuple[Transcript, Caller] | None:
        """See `ContentDesk.open`."""
        blob = self._ledger.payload(ticket)
        if blob is None:
            return None
        submission = unseal(blob, self._keys().seal)
        return submission.transcript, submission.caller

    def forward(self, record: SessionRecord) -> None:
        """See `ContentDesk.forward`. The record is kept first: a message can be lost with the worker that takes it."""
        body = record.model_dump(mode="json")
        is_live = self._ledger.keep_record(record.ticket, body)
        send(self._app, RECORD_TASK, RECORD_QUEUE if is_live else BACKFILL_RECORD_QUEUE, record.ticket, body)

    def done(self, ticket: str) -> None:
        """See `ContentDesk.done`. It is the turn of the next of its tenant then."""
        if following := self._ledger.done(ticket):
            send(self._app, CONTENT_TASK, BACKFILL_CONTENT_QUEUE, following)

    def bury(self, ticket: str, code: Code) -> None:
        """See `ContentDesk.bury`. The log line goes first: the record zone writes it once for a ticket."""
        tenant = self._ledger.owner(ticket) or self.key.keyed(Kind.TENANT, DEFAULT_TENANT)
        day = today().isoformat()
        send(self._app, BURIED_TASK, RECORD_QUEUE, ticket, code.value, tenant, day)
        self._ledger.bury(DeadLetter(ticket, code, day))


class RecordWork:
    """The record zone's desk: the ledger and the database."""

    def __init__(self, ledger: Ledger, database: Database, app: Celery, rule: PromotionRule, max_attempts: int) -> None:
        self._ledger, self._database, self._app, self._rule = ledger, database, app, rule
        self.max_attempts = max_attempts
        self.attempt, self.spare = ledger.attempt, ledger.spare

    def record(self, record: SessionRecord) -> Outcome:
        """See `RecordDesk.record`."""
        return record_session(self._database, record, self._rule)

    def settle(self, ticket: str, outcome: Outcome) -> None:
        """See `RecordDesk.settle`."""
        self._ledger.settle(ticket, outcome)

    def bury(self, ticket: str, code: Code, record: dict[str, Any] | None) -> None:
        """See `RecordDesk.bury`."""
        day = today().isoformat()
        if tenant := self._ledger.owner(ticket):
            send(self._app, BURIED_TASK, RECORD_QUEUE, ticket, code.value, tenant, day)
        self._ledger.bury(DeadLetter(ticket, code, day, record))

    def log_dead_letter(self, ticket: str, code: Code, tenant: KeyedId, day: date) -> None:
        """See `RecordDesk.log_dead_letter`."""
        record_dead_letter(self._database, ticket, code, tenant, None, None, day)
