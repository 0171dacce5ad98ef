"""The desks of the two zones with a stopwatch: every call goes through unchanged, and is counted in `Measures`."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date

from habitus_schema.codes import Code
from habitus_schema.ids import IdKeys
from habitus_schema.models import Extraction, KeyedId, Outcome, SessionRecord
from habitus_schema.transcript import Transcript
from habitus_tasks.pipeline import Caller, Extractor
from habitus_tasks.zones import ContentDesk, Ready, RecordDesk
from habitus_worker.measures import Measures, Timed, Tried, TriedIn


class MeasuredContent:
    """A content desk (`ContentDesk`)."""

    def __init__(self, desk: ContentDesk, measures: Measures) -> None:
        self._desk, self._measures = desk, measures
        self.max_attempts = desk.max_attempts
        self.spare, self.bury = desk.spare, desk.bury

    @property
    def key(self) -> IdKeys:
        """See `ContentDesk.key`."""
        return self._desk.key

    @property
    def extractor(self) -> Extractor:
        """See `ContentDesk.extractor`."""
        extract = self._desk.extractor

        def timed(transcript: Transcript) -> Extraction:
            with self._measures.timing(Timed.EXTRACT):
                return extract(transcript)

        return timed

    def begin(self, ticket: str) -> tuple[int, bytes | None] | None:
        """See `ContentDesk.begin`."""
        begun = self._desk.begin(ticket)
        if begun is not None:
            self._measures.tried(TriedIn.CONTENT, Tried.FIRST if begun[0] <= 1 else Tried.AGAIN)
        return begun

    def open(self, payload: bytes) -> tuple[Transcript, Caller]:
        """See `ContentDesk.open`."""
        with self._measures.timing(Timed.OPEN):
            return self._desk.open(payload)

    def hand_on(self, record: SessionRecord) -> None:
        """See `ContentDesk.hand_on`."""
        with self._measures.timing(Timed.HAND_ON):
            self._desk.hand_on(record)


class MeasuredRecord:
    """A record desk (`RecordDesk`)."""

    def __init__(self, desk: RecordDesk, measures: Measures) -> None:
        self._desk, self._measures = desk, measures
        self.max_attempts = desk.max_attempts
        self.give_back, self.bury = desk.give_back, desk.bury

    @contextmanager
    def gathering(self, task: str) -> Iterator[Iterator[list[Ready]]]:
        """See `RecordDesk.gathering`."""
        with self._desk.gathering(task) as groups:
            yield map(self._counted, groups)

    def _counted(self, group: list[Ready]) -> list[Ready]:
        again = sum(each.tries > 1 for each in group)
        self._measures.tried(TriedIn.RECORD, Tried.AGAIN, again)
        self._measures.tried(TriedIn.RECORD, Tried.FIRST, len(group) - again)
        return group

    def attempt(self, name: str) -> int:
        """See `RecordDesk.attempt`: a record of a group that failed as one."""
        if name.startswith("record:"):
            self._measures.tried(TriedIn.RECORD, Tried.AGAIN)
        return self._desk.attempt(name)

    def record(self, records: Sequence[SessionRecord]) -> list[Outcome]:
        """See `RecordDesk.record`."""
        with self._measures.timing(Timed.RECORD):
            return self._desk.record(records)

    def settle(self, outcomes: Mapping[str, Outcome]) -> object:
        """See `RecordDesk.settle`."""
        ages = self._measures.ages(list(outcomes))
        settled = self._desk.settle(outcomes)
        for age in ages:
            self._measures.took(Timed.SESSION, age)
        return settled

    def log_dead_letter(self, ticket: str, code: Code, tenant: KeyedId, day: date) -> None:
        """See `RecordDesk.log_dead_letter`."""
        self._desk.log_dead_letter(ticket, code, tenant, day)
