"""The order of each zone's steps, with a desk that fails where it is told to."""

from datetime import date
from typing import Any

import pytest
from billiard.exceptions import SoftTimeLimitExceeded

from habitus_schema.codes import Code
from habitus_schema.errors import UnavailableError, UnsealError
from habitus_schema.ids import IdKey, Kind
from habitus_schema.models import Extraction, Outcome, SessionRecord
from habitus_schema.transcript import Format, Speaker, Transcript, Turn
from habitus_tasks.extract import extract
from habitus_tasks.pipeline import Caller
from habitus_tasks.zones import buried_step, content_step, record_step

TICKET = "ab" * 16
KEY = IdKey("k1", b"k" * 32)
SESSION = Transcript(Format.HABITUS, "s", (Turn(Speaker.PERSON, "hello there", "hello there"),), messages=1)


class Desk:
    """Both desks at once: remembers what was asked of it, and breaks at the step it is told to."""

    max_attempts = 3
    key = KEY
    extractor = staticmethod(extract)
    breaks_with: type[Exception] = UnavailableError

    def __init__(self, breaks_at: str = "", opened: object = "session") -> None:
        self.log: list[Any] = []
        self.breaks_at = breaks_at
        self.opened = opened
        self.finished = False
        self.tries: dict[str, int] = {}

    def _step(self, name: str, *what: Any) -> None:
        if self.breaks_at == name:
            raise self.breaks_with(name)
        self.log.append((name, *what))

    def is_done(self, ticket: str) -> bool:
        return self.finished

    def attempt(self, ticket: str) -> int:
        self.tries[ticket] = self.tries.get(ticket, 0) + 1
        return self.tries[ticket]

    def spare(self, ticket: str) -> None:
        self.tries[ticket] -= 1

    def open(self, ticket: str) -> tuple[Transcript, Caller] | None:
        if self.opened is None:
            return None
        if isinstance(self.opened, Exception):
            raise self.opened
        return SESSION, Caller("ada", day=date(2026, 11, 1))

    def forward(self, record: SessionRecord) -> None:
        self._step("forward", record)

    def done(self, ticket: str) -> None:
        self._step("done")
        self.finished = True

    def bury(self, ticket: str, code: Code, record: dict[str, Any] | None = None) -> None:
        self._step("bury", code, record)

    def record(self, record: SessionRecord) -> Outcome:
        self._step("record")
        return Outcome.RECORDED

    def settle(self, ticket: str, outcome: Outcome) -> None:
        self._step("settle", outcome)

    def log_dead_letter(self, ticket: str, code: Code, tenant: str, day: date) -> None:
        self._step("line", code, day)


def _names(desk: Desk) -> list[str]:
    return [entry[0] for entry in desk.log]


def test_the_record_is_sent_before_the_payload_is_burned() -> None:
    desk = Desk()
    content_step(desk, TICKET)
    assert _names(desk) == ["forward", "done"]


@pytest.mark.parametrize("breaks_at", ["forward", "done"])
def test_a_session_whose_task_broke_midway_is_whole_at_the_next_delivery(breaks_at: str) -> None:
    desk = Desk(breaks_at)
    with pytest.raises(UnavailableError):
        content_step(desk, TICKET)
    desk.breaks_at = ""
    content_step(desk, TICKET)
    assert _names(desk)[-2:] == ["forward", "done"]


def test_a_ticket_that_is_done_is_passed_over_and_costs_no_attempt() -> None:
    desk = Desk()
    desk.finished = True
    content_step(desk, TICKET)
    assert desk.log == []
    assert desk.tries == {}


def test_a_payload_that_no_key_opens_becomes_a_dead_letter_at_once() -> None:
    desk = Desk(opened=UnsealError("x"))
    content_step(desk, TICKET)
    assert desk.log == [("bury", Code.UNSEAL_FAILED, None)]


def test_a_payload_that_is_gone_becomes_a_dead_letter() -> None:
    desk = Desk(opened=None)
    content_step(desk, TICKET)
    assert desk.log == [("bury", Code.PAYLOAD_EXPIRED, None)]


def test_a_payload_that_another_worker_just_burned_is_no_dead_letter() -> None:
    class Raced(Desk):
        def open(self, ticket: str) -> None:
            self.finished = True

    desk = Raced()
    content_step(desk, TICKET)
    assert desk.log == []


def test_a_poison_session_is_tried_as_often_as_set_and_then_buried() -> None:
    desk = Desk("forward")
    desk.breaks_with = RuntimeError
    for _ in range(desk.max_attempts):
        with pytest.raises(RuntimeError):
            content_step(desk, TICKET)
    content_step(desk, TICKET)
    assert desk.log == [("bury", Code.ATTEMPTS_EXHAUSTED, None)]


@pytest.mark.parametrize("failure", [SoftTimeLimitExceeded, MemoryError])
def test_a_machine_too_busy_to_read_a_session_costs_a_try_and_not_the_evidence(failure: type[Exception]) -> None:
    def busy(_: Transcript) -> Extraction:
        raise failure("of " + SESSION.turns[0].text)

    desk = Desk()
    desk.extractor = busy  # type: ignore[method-assign]
    with pytest.raises(failure) as raised:
        content_step(desk, TICKET)
    assert (desk.log, str(raised.value.args)) == ([], "()")
    desk.extractor = extract  # type: ignore[method-assign]
    content_step(desk, TICKET)
    assert _names(desk) == ["forward", "done"]


def _body(**changes: Any) -> dict[str, Any]:
    record = SessionRecord(
        ticket=TICKET,
        tenant=KEY.keyed(Kind.TENANT, "t"),
        subject=KEY.keyed(Kind.SUBJECT, "t", "u"),
        session=KEY.keyed(Kind.SESSION, "t", "u", "s"),
        day=date(2026, 11, 1),
        catalog_version=1,
    )
    return {**record.model_dump(mode="json"), **changes}


def test_a_record_is_written_before_the_ledger_is_told() -> None:
    desk = Desk()
    record_step(desk, TICKET, _body())
    assert desk.log == [("record",), ("settle", Outcome.RECORDED)]


@pytest.mark.parametrize(
    "changes",
    [
        {"observations": [{"pair": {"dimension": "list_style", "value": "my secret"}, "signal": "edit"}]},
        {"subject": "ada@example.com"},
        {"note": "free text"},
        {"messages": ["plain"]},
    ],
)
def test_a_record_that_is_not_closed_is_buried_and_none_of_it_is_kept(changes: dict[str, Any]) -> None:
    desk = Desk()
    record_step(desk, TICKET, _body(**changes))
    assert desk.log == [("bury", Code.FREE_TEXT, None)]


def test_a_record_that_is_not_closed_is_not_kept_however_often_it_is_sent() -> None:
    desk = Desk()
    for _ in range(desk.max_attempts + 2):
        record_step(desk, TICKET, _body(note="free text"))
    assert set(desk.log) == {("bury", Code.FREE_TEXT, None)}


def test_a_poison_record_is_buried_with_its_content_free_body_so_that_it_can_be_retried() -> None:
    desk = Desk("record")
    desk.breaks_with = RuntimeError
    for _ in range(desk.max_attempts):
        with pytest.raises(RuntimeError):
            record_step(desk, TICKET, _body())
    record_step(desk, TICKET, _body())
    assert desk.log == [("bury", Code.ATTEMPTS_EXHAUSTED, _body())]


@pytest.mark.parametrize("breaks_at", ["forward", "done", "record"])
def test_an_outage_costs_no_attempts_however_long_it_lasts(breaks_at: str) -> None:
    desk = Desk(breaks_at)
    for _ in range(5 * desk.max_attempts):
        with pytest.raises(UnavailableError):
            record_step(desk, TICKET, _body()) if breaks_at == "record" else content_step(desk, TICKET)
    desk.breaks_at = ""
    record_step(desk, TICKET, _body())
    content_step(desk, TICKET)
    assert "bury" not in _names(desk)


def test_a_dead_letter_leaves_its_line_in_the_log() -> None:
    desk = Desk()
    buried_step(desk, TICKET, "UNSEAL_FAILED", KEY.keyed(Kind.TENANT, "t"), "2026-11-01")
    assert desk.log == [("line", Code.UNSEAL_FAILED, date(2026, 11, 1))]
