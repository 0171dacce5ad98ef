"""The ledger, on a real Redis: every submission is counted once, ends once, and is never lost in between."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from habitus_schema.codes import Code
from habitus_schema.errors import UnavailableError
from habitus_schema.models import Outcome
from habitus_worker.handover import Handover
from habitus_worker.lanes import Rules
from habitus_worker.ledger import DeadLetter, Ledger, connect, payload_key

TENANT = "k1-" + "0" * 32
TICKETS = [f"{number:032x}" for number in range(4)]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["submit", "recorded", "duplicate", "bury", "revive", "hand on", "take"]),
        st.sampled_from(TICKETS),
    ),
    max_size=30,
)


@pytest.fixture
def ledger(redis_url: str) -> Ledger:
    return Ledger(redis_url, ttl=600)


def _take(ledger: Ledger, step: str, ticket: str) -> None:
    if step == "submit":
        ledger.submit(ticket, b"sealed", TENANT)
    elif step == "bury":
        ledger.bury(DeadLetter(ticket, Code.PAYLOAD_EXPIRED, "2026-11-01"))
    elif step == "revive":
        ledger.revive(ticket)
    elif step == "hand on":
        Handover(ledger).hand_on(ticket, {})
    elif step == "take":
        Handover(ledger).take("a task", first=True)
    else:
        ledger.settle({ticket: Outcome(step)})


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(STEPS)
def test_the_identity_holds_after_every_step_of_any_history(redis_server: str, steps: list[tuple[str, str]]) -> None:
    connect(redis_server).flushall()
    ledger = Ledger(redis_server, ttl=600)
    submitted: set[str] = set()
    for step, ticket in steps:
        if step == "submit" and ticket in submitted:
            continue  # a ticket is random and handed out once
        submitted |= {ticket} if step == "submit" else set()
        _take(ledger, step, ticket)
        assert ledger.counts().holds
    assert ledger.counts().submitted == len(submitted)


def test_a_submission_ends_once_however_often_its_task_is_delivered(ledger: Ledger) -> None:
    ledger.submit(TICKETS[0], b"sealed", TENANT)
    assert ledger.settle({TICKETS[0]: Outcome.RECORDED}) == [True]
    assert ledger.settle({TICKETS[0]: Outcome.DUPLICATE}) == [False]
    assert not ledger.bury(DeadLetter(TICKETS[0], Code.PAYLOAD_EXPIRED, "2026-11-01"))
    counts = ledger.counts()
    assert (counts.recorded, counts.duplicate, counts.dead, counts.in_flight) == (1, 0, 0, 0)


def test_many_submissions_end_in_one_step_each_with_its_outcome(ledger: Ledger) -> None:
    for ticket in TICKETS[:3]:
        ledger.submit(ticket, b"sealed", TENANT)
    ledger.settle({TICKETS[1]: Outcome.RECORDED})
    ends = {TICKETS[0]: Outcome.RECORDED, TICKETS[1]: Outcome.RECORDED, TICKETS[2]: Outcome.DUPLICATE}
    assert ledger.settle(ends) == [True, False, True]
    counts = ledger.counts()
    assert (counts.recorded, counts.duplicate, counts.in_flight) == (2, 1, 0)


def test_what_was_handed_on_has_no_payload_and_a_dead_letter_keeps_it(ledger: Ledger, redis_url: str) -> None:
    for ticket in TICKETS[:2]:
        ledger.submit(ticket, b"sealed", TENANT)
    Handover(ledger).hand_on(TICKETS[0], {})
    ledger.bury(DeadLetter(TICKETS[1], Code.UNSEAL_FAILED, "2026-11-01"))
    assert ledger.payload(TICKETS[0]) is None
    assert ledger.begin(TICKETS[0]) is None
    assert ledger.payload(TICKETS[1]) == b"sealed"
    assert 0 < connect(redis_url).ttl(payload_key(TICKETS[1])) <= 600


def test_a_dead_letter_keeps_its_code_and_its_record_and_can_be_revived_once(ledger: Ledger) -> None:
    ledger.submit(TICKETS[0], b"sealed", TENANT)
    letter = DeadLetter(TICKETS[0], Code.ATTEMPTS_EXHAUSTED, "2026-11-01", {"day": "2026-11-01"})
    assert ledger.bury(letter)
    assert ledger.dead_letters() == [letter]
    assert ledger.owner(TICKETS[0]) == TENANT
    assert ledger.revive(TICKETS[0])
    assert not ledger.revive(TICKETS[0])
    assert ledger.dead_letters() == []
    assert ledger.counts().in_flight == 1


def test_a_dropped_dead_letter_loses_its_payload_and_stays_counted(ledger: Ledger) -> None:
    ledger.submit(TICKETS[0], b"sealed", TENANT)
    ledger.bury(DeadLetter(TICKETS[0], Code.UNSEAL_FAILED, "2026-11-01"))
    assert ledger.drop(TICKETS[0])
    assert not ledger.drop(TICKETS[0])
    assert ledger.payload(TICKETS[0]) is None
    assert ledger.counts().dead == 1
    assert ledger.counts().holds


def test_a_try_gives_the_payload_until_it_is_burned(ledger: Ledger) -> None:
    ledger.submit(TICKETS[0], b"sealed", TENANT)
    assert [ledger.begin(TICKETS[0]) for _ in range(2)] == [(1, b"sealed"), (2, b"sealed")]
    assert ledger.begin(TICKETS[1]) == (1, None)
    Handover(ledger).hand_on(TICKETS[0], {})
    assert ledger.begin(TICKETS[0]) is None


def test_attempts_are_counted_outside_the_message(ledger: Ledger) -> None:
    assert [ledger.attempt(TICKETS[0]) for _ in range(3)] == [1, 2, 3]
    assert ledger.attempt(TICKETS[1]) == 1


def test_a_try_that_an_outage_cost_is_taken_back(ledger: Ledger) -> None:
    ledger.attempt(TICKETS[0])
    ledger.attempt(TICKETS[0])
    ledger.spare(TICKETS[0])
    assert ledger.attempt(TICKETS[0]) == 2


def test_a_ticket_that_was_tried_and_is_not_heard_of_again_is_found_too(redis_url: str) -> None:
    ledger = Ledger(redis_url, 600, Rules(resend=0))
    for ticket in TICKETS[:3]:
        ledger.submit(ticket, b"sealed", TENANT)
    ledger.begin(TICKETS[0])
    ledger.settle({TICKETS[2]: Outcome.RECORDED})
    assert set(ledger.lost(older_than=0)) == set(TICKETS[:2])


def test_a_ticket_whose_task_was_never_sent_is_found_once(ledger: Ledger) -> None:
    for ticket in TICKETS[:3]:
        ledger.submit(ticket, b"sealed", TENANT)
    ledger.begin(TICKETS[1])  # a worker has tried it: its message is alive
    Handover(ledger).hand_on(TICKETS[2], {})  # its record is the record zone's
    assert ledger.lost(older_than=0) == [TICKETS[0]]
    assert ledger.lost(older_than=0) == []


def test_no_more_is_sent_again_than_could_be_lost(ledger: Ledger) -> None:
    for ticket in TICKETS:
        ledger.submit(ticket, b"sealed", TENANT)
    assert ledger.lost(older_than=0, waiting=4) == []
    assert ledger.lost(older_than=0, waiting=3) == [TICKETS[0]]
    assert ledger.lost(older_than=0) == TICKETS[1:]


def test_a_ticket_in_flight_for_a_short_time_is_not_called_lost(ledger: Ledger) -> None:
    ledger.submit(TICKETS[0], b"sealed", TENANT)
    assert ledger.lost(older_than=60) == []


def test_a_redis_that_is_not_there_gives_one_clear_line_without_its_password() -> None:
    ledger = Ledger("redis://user:s3cret@127.0.0.1:1/0", ttl=600)
    with pytest.raises(UnavailableError, match=r"does not answer at redis://user:\*\*\*@127.0.0.1:1/0"):
        ledger.counts()


def test_a_full_redis_is_told_apart_from_one_that_is_down(redis_url: str) -> None:
    client = connect(redis_url)
    client.config_set("maxmemory", 1)
    try:
        with pytest.raises(UnavailableError, match="out of memory"):
            Ledger(redis_url, ttl=600).submit(TICKETS[0], b"sealed", TENANT)
    finally:
        client.config_set("maxmemory", 0)
    assert Ledger(redis_url, ttl=600).counts().submitted == 0
