"""The desks at which the zones work: what each has at hand, and nothing of the other's (two zones, two credentials)."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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
from habitus_tasks.record import record_dead_letter, record_sessions
from habitus_tasks.store import Database
from habitus_tasks.zones import Ready
from habitus_worker.app import BACKFILL_CONTENT_QUEUE, BACKFILL_RECORD_QUEUE, RECORD_QUEUE
from habitus_worker.broker import ANSWER_SECONDS
from habitus_worker.days import today
from habitus_worker.handover import AT_ONCE, Handover
from habitus_worker.keys import KeyRing
from habitus_worker.lanes import Lane
from habitus_worker.ledger import DeadLetter, Ledger
from habitus_worker.seal import unseal

SHIFT_SECONDS = 2.0
"""How long a record task goes on, so that other tasks of its queue get their turn."""
LINGER_SECONDS = 0.5
"""How long a record worker waits for more: a call costs as much as recording several sessions."""
LOOK_SECONDS = 0.2
"""Between two looks. What a session may wait for others, and what makes groups out of a steady stream."""


def send(app: Celery, name: str, queue: str, *args: Any) -> None:
    """Sends a task with none of its arguments in its headers.

    Raises:
        UnavailableError: when the broker does not take it.
    """
    try:
        app.send_task(
            name, args=args, queue=queue, argsrepr="-", kwargsrepr="-", ignore_result=True,
            confirm_timeout=ANSWER_SECONDS,
        )  # fmt: skip
    except (OperationalError, OSError):
        raise UnavailableError("the broker does not take tasks: start it, then try again") from None


def call_record_zone(app: Celery, lane: Lane | None) -> None:
    """Sends the record zone a task to see what is ready, in this lane; none: it need not be called."""
    if lane is not None:
        send(app, RECORD_TASK, RECORD_QUEUE if lane is Lane.LIVE else BACKFILL_RECORD_QUEUE)


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
        self._handover = Handover(ledger)
        self.max_attempts = max_attempts
        self.begin, self.spare = ledger.begin, ledger.spare
        self.extractor = extractor

    @property
    def key(self) -> IdKeys:
        """See `ContentDesk.key`."""
        return self._keys().ids

    def open(self, payload: bytes) -> tuple[Transcript, Caller]:
        """See `ContentDesk.open`."""
        submission = unseal(payload, self._keys().seal)
        return submission.transcript, submission.caller

    def hand_on(self, record: SessionRecord) -> None:
        """See `ContentDesk.hand_on`. What is sent after it and lost is sent by the sweep."""
        following = self._handover.hand_on(record.ticket, record.model_dump(mode="json"))
        call_record_zone(self._app, following.call)
        if following.ticket:
            send(self._app, CONTENT_TASK, BACKFILL_CONTENT_QUEUE, following.ticket)

    def bury(self, ticket: str, code: Code) -> None:
        """See `ContentDesk.bury`. The log line goes first: the record zone writes it once for a ticket."""
        tenant = self._ledger.owner(ticket) or self.key.keyed(Kind.TENANT, DEFAULT_TENANT)
        day = today().isoformat()
        send(self._app, BURIED_TASK, RECORD_QUEUE, ticket, code.value, tenant, day)
        self._ledger.bury(DeadLetter(ticket, code, day))


class RecordWork:
    """The record zone's desk: the ledger and the database."""

    def __init__(
        self, ledger: Ledger, database: Database, app: Celery, rule: PromotionRule, max_attempts: int, linger: float
    ) -> None:
        """`linger`: seconds without a record after which a task ends; 0 where it would keep others from their work."""
        self._ledger, self._database, self._app, self._rule = ledger, database, app, rule
        self._handover, self._linger = Handover(ledger), linger
        self.max_attempts = max_attempts
        self.attempt, self.settle, self.give_back = ledger.attempt, ledger.settle, self._handover.give_back

    @contextmanager
    def gathering(self, task: str) -> Iterator[Iterator[list[Ready]]]:
        """See `RecordDesk.gathering`."""
        yield self._groups(task)
        call_record_zone(self._app, self._handover.leave_off(task))

    def _groups(self, task: str) -> Iterator[list[Ready]]:
        begun = heard = time.monotonic()
        group = self._handover.take(task, first=True)
        while group or self._linger:
            if group:
                yield group
                heard = time.monotonic()
            if time.monotonic() - begun > SHIFT_SECONDS or time.monotonic() - heard > self._linger > 0:
                return
            if self._linger and len(group) < AT_ONCE:
                time.sleep(LOOK_SECONDS)  # so that a group comes together
            group = self._handover.take(task, first=False)

    def record(self, records: Sequence[SessionRecord]) -> list[Outcome]:
        """See `RecordDesk.record`."""
        return record_sessions(self._database, records, self._rule)

    def bury(self, ticket: str, code: Code, record: dict[str, Any] | None) -> None:
        """See `RecordDesk.bury`."""
        day = today().isoformat()
        if tenant := self._ledger.owner(ticket):
            send(self._app, BURIED_TASK, RECORD_QUEUE, ticket, code.value, tenant, day)
        self._ledger.bury(DeadLetter(ticket, code, day, record))

    def log_dead_letter(self, ticket: str, code: Code, tenant: KeyedId, day: date) -> None:
        """See `RecordDesk.log_dead_letter`."""
        record_dead_letter(self._database, ticket, code, tenant, None, None, day)
