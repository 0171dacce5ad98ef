"""The order of each zone's steps, with a desk that fails where it is told to."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
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
from habitus_tasks.zones import Ready, buried_step, content_step, record_step

TICKET = "ab" * 16
OTHERS = tuple(f"{number:032x}" for number in range(3))
Groups = Sequence[list[Ready]]
KEY = IdKey("k1", b"k" * 32)
SESSION = Transcript(Format.HABITUS, "s", (Turn(Speaker.PERSON, "hello there", "hello there"),), messages=1)


class Desk:
    """Both desks at once: remembers what was asked of it, and breaks at the step, or on the tickets, it is told to."""

    max_attempts = 3
    key = KEY
    extractor = staticmethod(extract)
    breaks_with: type[Exception] = UnavailableError

    def __init__(self, breaks_at: str = "", payload: bytes | None = b"sealed", groups: Groups = ()) -> None:
        self.log: list[Any] = []
        self.breaks_at = breaks_at
        self.payload = payload
        self.opens: Exception | None = None
        self.groups = groups
        self.poison: set[str] = set()
        self.finished = False
        self.tries: dict[str, int] = {}

    def _step(self, name: str, *what: Any) -> None:
        if self.breaks_at == name:
            raise self.breaks_with(name)
        self.log.append((name, *what))

    def begin(self, ticket: str) -> tuple[int, bytes | None] | None:
        return None if self.finished else (self.attempt(ticket), self.payload)

    def attempt(self, ticket: str) -> int:
        self.tries[ticket] = self.tries.get(ticket, 0) + 1
        return self.tries[ticket]

    def spare(self, ticket: str) -> None:
        self.tries[ticket] -= 1

    def open(self, payload: bytes) -> tuple[Transcript, Caller]:
        if self.opens:
            raise self.opens
        return SESSION, Caller("ada", day=date(2026, 11, 1))

    def hand_on(self, record: SessionRecord) -> None:
        self._step("hand on", record)
        self.finished = True

    @contextmanager
    def gathering(self, task: str) -> Iterator[Iterator[list[Ready]]]:
        yield iter(list(group) for group in self.groups)
        self.log.append(("left off", task))

    def give_back(self, tickets: Sequence[str], *, spare: bool) -> None:
        self.log.append(("give back", *tickets, "spared" if spare else "tried"))

    def bury(self, ticket: str, code: Code, record: dict[str, Any] | None = None) -> None:
        self._step("bury", code, record)

    def record(self, records: Sequence[SessionRecord]) -> list[Outcome]:
        tickets = [record.ticket for record in records]
        self._step("record", *tickets)
        if self.poison & set(tickets):
            self.log.pop()
            raise RuntimeError("of " + SESSION.turns[0].text)
        return [Outcome.RECORDED for _ in records]

    def settle(self, outcomes: Mapping[str, Outcome]) -> None:
        self._step("settle", *outcomes)

    def log_dead_letter(self, ticket: str, code: Code, tenant: str, day: date) -> None:
        self._step("line", code, day)


def _names(desk: Desk) -> list[str]:
    return [entry[0] for entry in desk.log]


def test_a_session_is_read_and_handed_on() -> None:
    desk = Desk()
    content_step(desk, TICKET)
    assert _names(desk) == ["hand on"]


def test_a_session_whose_task_broke_midway_is_whole_at_the_next_delivery() -> None:
    desk = Desk("hand on")
    with pytest.raises(UnavailableError):
        content_step(desk, TICKET)
    desk.breaks_at = ""
    content_step(desk, TICKET)
    assert _names(desk) == ["hand on"]


def test_a_ticket_that_is_done_is_passed_over_and_costs_no_attempt() -> None:
    desk = Desk()
    desk.finished = True
    content_step(desk, TICKET)
    assert desk.log == []
    assert desk.tries == {}


def test_a_payload_that_no_key_opens_becomes_a_dead_letter_at_once() -> None:
    desk = Desk()
    desk.opens = UnsealError("x")
    content_step(desk, TICKET)
    assert desk.log == [("bury", Code.UNSEAL_FAILED, None)]


def test_a_payload_that_is_gone_becomes_a_dead_letter() -> None:
    desk = Desk(payload=None)
    content_step(desk, TICKET)
    assert desk.log == [("bury", Code.PAYLOAD_EXPIRED, None)]


def test_a_poison_session_is_tried_as_often_as_set_and_then_buried() -> None:
    desk = Desk("hand on")
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
    assert _names(desk) == ["hand on"]


def _body(ticket: str = TICKET, **changes: Any) -> dict[str, Any]:
    record = SessionRecord(
        ticket=ticket,
        tenant=KEY.keyed(Kind.TENANT, "t"),
        subject=KEY.keyed(Kind.SUBJECT, "t", "u"),
        session=KEY.keyed(Kind.SESSION, "t", "u", "s"),
        day=date(2026, 11, 1),
        catalog_version=1,
    )
    return {**record.model_dump(mode="json"), **changes}


def _alone(tries: int = 1, **changes: Any) -> Groups:
    return ([Ready(TICKET, _body(**changes), tries)],)


def _group(*tickets: str) -> Groups:
    return ([Ready(ticket, _body(ticket), 0) for ticket in tickets],)


def test_a_record_is_written_before_the_ledger_is_told() -> None:
    desk = Desk(groups=_alone())
    record_step(desk, "task")
    assert desk.log == [("record", TICKET), ("settle", TICKET), ("left off", "task")]


def test_a_group_is_written_at_once_and_settled_at_once() -> None:
    desk = Desk(groups=_group(*OTHERS))
    record_step(desk, "task")
    assert desk.log == [("record", *OTHERS), ("settle", *OTHERS), ("left off", "task")]
    assert desk.tries == {}


def test_one_bad_session_takes_no_other_one_of_its_group_down() -> None:
    desk = Desk(groups=_group(*OTHERS))
    desk.poison = {OTHERS[1]}
    record_step(desk, "task")
    assert [entry for entry in desk.log if entry[0] == "settle"] == [("settle", OTHERS[0]), ("settle", OTHERS[2])]
    assert ("give back", OTHERS[1], "tried") in desk.log
    assert desk.tries == {f"record:{ticket}": 1 for ticket in OTHERS}


@pytest.mark.parametrize(
    "changes",
    [
        {"observations": [{"pair": {"dimension": "list_style", "value": "my secret"}, "signal": "edit"}]},
        {"subject": "ada@example.com"},
        {"note": "free text"},
        {"messages": ["plain"]},
        {"ticket": "cd" * 16},
    ],
)
@pytest.mark.parametrize("tries", [1, 99])
def test_a_record_that_is_not_closed_is_buried_and_none_of_it_is_kept(changes: dict[str, Any], tries: int) -> None:
    desk = Desk(groups=([Ready(TICKET, _body() | changes, tries)],))
    record_step(desk, "task")
    assert desk.log == [("bury", Code.FREE_TEXT, None), ("left off", "task")]


def test_a_record_that_is_not_closed_is_left_out_of_its_group() -> None:
    forged = Ready(OTHERS[1], _body(OTHERS[1], note="free text"), 0)
    desk = Desk(groups=([*_group(OTHERS[0])[0], forged],))
    record_step(desk, "task")
    assert desk.log[:3] == [("bury", Code.FREE_TEXT, None), ("record", OTHERS[0]), ("settle", OTHERS[0])]


def test_a_record_that_is_gone_becomes_a_dead_letter() -> None:
    desk = Desk(groups=([Ready(TICKET, None, 1)],))
    record_step(desk, "task")
    assert desk.log[0] == ("bury", Code.PAYLOAD_EXPIRED, None)


def test_a_poison_record_is_buried_with_its_content_free_body_so_that_it_can_be_retried() -> None:
    desk = Desk(groups=[_alone(tries)[0] for tries in range(1, 5)])
    desk.poison = {TICKET}
    record_step(desk, "task")
    given_back = ("give back", TICKET, "tried")
    assert desk.log[:-1] == [given_back] * 3 + [("bury", Code.ATTEMPTS_EXHAUSTED, _body())]


@pytest.mark.parametrize("group", [_alone(), _group(*OTHERS)])
def test_an_outage_of_the_database_costs_no_attempts_and_gives_all_back(group: Groups) -> None:
    desk = Desk("record", groups=group)
    with pytest.raises(UnavailableError):
        record_step(desk, "task")
    assert desk.log == [("give back", *(each.ticket for each in group[0]), "spared")]
    assert desk.tries == {}


@pytest.mark.parametrize("failure", [SoftTimeLimitExceeded, MemoryError])
def test_a_record_worker_that_is_too_busy_ends_its_task_and_keeps_nothing_to_itself(failure: type[Exception]) -> None:
    for group, how in ((_alone(), "tried"), (_group(*OTHERS), "spared")):
        desk = Desk("record", groups=group)
        desk.breaks_with = failure
        with pytest.raises(failure):
            record_step(desk, "task")
        assert desk.log == [("give back", *(each.ticket for each in group[0]), how)]


def test_an_outage_costs_no_attempts_however_long_it_lasts() -> None:
    desk = Desk("hand on")
    for _ in range(5 * desk.max_attempts):
        with pytest.raises(UnavailableError):
            content_step(desk, TICKET)
    desk.breaks_at = ""
    content_step(desk, TICKET)
    assert "bury" not in _names(desk)


def test_a_dead_letter_leaves_its_line_in_the_log() -> None:
    desk = Desk()
    buried_step(desk, TICKET, "UNSEAL_FAILED", KEY.keyed(Kind.TENANT, "t"), "2026-11-01")
    assert desk.log == [("line", Code.UNSEAL_FAILED, date(2026, 11, 1))]
