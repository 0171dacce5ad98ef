"""The desks of the two zones with their spans: every call goes through unchanged."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import local
from typing import Any

from habitus_schema.codes import Code
from habitus_schema.ids import IdKeys
from habitus_schema.models import Outcome, SessionRecord
from habitus_tasks.pipeline import Extractor
from habitus_tasks.zones import ContentDesk, Ready, RecordDesk
from habitus_worker.traces import Attributes, End, Step, Traces


class TracedContent:
    """A content desk (`ContentDesk`). A span lasts from the try's begin to its last step."""

    def __init__(self, desk: ContentDesk, traces: Traces) -> None:
        self._desk, self._traces, self._own = desk, traces, local()
        self.max_attempts = desk.max_attempts
        self.spare, self.open = desk.spare, desk.open

    @property
    def key(self) -> IdKeys:
        """See `ContentDesk.key`."""
        return self._desk.key

    @property
    def extractor(self) -> Extractor:
        """See `ContentDesk.extractor`."""
        return self._desk.extractor

    def begin(self, ticket: str) -> tuple[int, bytes | None] | None:
        """See `ContentDesk.begin`."""
        self._close()
        since = time.time_ns()
        begun = self._desk.begin(ticket)
        if begun is not None:
            self._own.open = ticket, since
        return begun

    def _close(self) -> None:
        """A try that came to no last step failed; that shows when the next one begins."""
        if found := self._taken():
            self._traces.ended(Step.CONTENT, found[1], {found[0]: {"outcome": End.PUT_BACK}})

    def _taken(self) -> tuple[str, int] | None:
        found: tuple[str, int] | None = getattr(self._own, "open", None)
        self._own.open = None
        return found

    def hand_on(self, record: SessionRecord) -> None:
        """See `ContentDesk.hand_on`."""
        _, since = self._taken() or (record.ticket, time.time_ns())
        with self._traces.handing_on(record.ticket, since):
            self._desk.hand_on(record)

    def bury(self, ticket: str, code: Code) -> None:
        """See `ContentDesk.bury`."""
        _, since = self._taken() or (ticket, time.time_ns())
        self._desk.bury(ticket, code)
        self._traces.ended(Step.CONTENT, since, {ticket: {"outcome": End.DEAD, "code": code}})


class TracedRecord:
    """A record desk (`RecordDesk`). The spans of a group last from when it was taken to when it was settled."""

    def __init__(self, desk: RecordDesk, traces: Traces) -> None:
        self._desk, self._traces, self._own = desk, traces, local()
        self.max_attempts = desk.max_attempts
        self.attempt, self.record, self.give_back = desk.attempt, desk.record, desk.give_back
        self.log_dead_letter = desk.log_dead_letter

    @contextmanager
    def gathering(self, task: str) -> Iterator[Iterator[list[Ready]]]:
        """See `RecordDesk.gathering`."""
        with self._desk.gathering(task) as groups:
            yield map(self._begun, groups)

    def _begun(self, group: list[Ready]) -> list[Ready]:
        self._own.since = time.time_ns()
        return group

    @property
    def _since(self) -> int:
        return int(getattr(self._own, "since", None) or time.time_ns())

    def settle(self, outcomes: Mapping[str, Outcome]) -> object:
        """See `RecordDesk.settle`."""
        settled = self._desk.settle(outcomes)
        ends: dict[str, Attributes] = {ticket: {"outcome": End(outcome.value)} for ticket, outcome in outcomes.items()}
        self._traces.ended(Step.RECORD, self._since, ends)
        self._traces.forget(list(outcomes))
        return settled

    def bury(self, ticket: str, code: Code, record: dict[str, Any] | None) -> None:
        """See `RecordDesk.bury`."""
        self._desk.bury(ticket, code, record)
        self._traces.ended(Step.RECORD, self._since, {ticket: {"outcome": End.DEAD, "code": code}})
