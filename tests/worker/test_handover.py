"""From zone to zone, on a real Redis: what is ready is written in groups, and nobody's death keeps it to himself."""

from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from habitus_schema.codes import Code
from habitus_schema.models import Outcome
from habitus_worker import handover as module
from habitus_worker.app import CONTENT_QUEUES, RECORD_QUEUES
from habitus_worker.handover import AT_ONCE, Handover, Next
from habitus_worker.lanes import Lane, Rules
from habitus_worker.ledger import DeadLetter, Ledger, connect, payload_key
from habitus_worker.serve.queue import Queue
from habitus_worker.settings import read_settings

TENANT = "k1-" + "0" * 32


def _name(number: int) -> str:
    return f"{number:032x}"


@pytest.fixture
def ledger(redis_url: str) -> Ledger:
    return Ledger(redis_url, 600)


def _ready(ledger: Ledger, numbers: Iterable[int], lane: Lane = Lane.LIVE) -> list[Lane | None]:
    """Hands sessions in and on; the calls this makes."""
    calls = []
    for number in numbers:
        ledger.submit(_name(number), b"sealed", TENANT, lane)
        calls.append(Handover(ledger).hand_on(_name(number), {"n": number}).call)
    return calls


def _taken(ledger: Ledger, holder: str = "a", *, first: bool = False) -> list[tuple[int, int]]:
    found = Handover(ledger).take(holder, first=first)
    assert all(each.body == {"n": int(each.ticket, 16)} for each in found)
    return [(int(each.ticket, 16), each.tries) for each in found]


def test_what_is_ready_is_taken_once_as_a_group_that_costs_no_try(ledger: Ledger) -> None:
    _ready(ledger, range(3))
    assert _taken(ledger) == [(0, 0), (1, 0), (2, 0)]
    assert _taken(ledger, "b") == []


def test_one_that_is_ready_alone_is_tried_at_once(ledger: Ledger) -> None:
    _ready(ledger, [7])
    assert _taken(ledger) == [(7, 1)]


def test_a_group_has_a_limit_and_the_live_lane_comes_first(ledger: Ledger) -> None:
    _ready(ledger, range(5), Lane.BACKFILL)
    _ready(ledger, range(5, AT_ONCE + 3))
    first, second = _taken(ledger), _taken(ledger)
    assert [number for number, _ in first] == [*range(5, AT_ONCE + 3), 0, 1]
    assert [number for number, _ in second] == [2, 3, 4]


def test_the_payload_is_burned_in_the_step_that_makes_the_record_ready(ledger: Ledger, redis_url: str) -> None:
    _ready(ledger, [1])
    assert not connect(redis_url).exists(payload_key(_name(1)))
    assert ledger.begin(_name(1)) is None


def test_a_task_that_is_delivered_again_takes_what_it_had_and_nobody_else_does(ledger: Ledger) -> None:
    _ready(ledger, range(3))
    _taken(ledger, "a", first=True)
    assert _taken(ledger, "b", first=True) == []
    again = [_taken(ledger, "a", first=at == 0) for at in range(3)]
    assert again == [[(0, 1)], [(1, 1)], [(2, 1)]], "each alone: one of them may be what killed the worker"


def test_what_a_task_took_can_be_taken_by_others_when_its_time_is_over(redis_url: str) -> None:
    ledger = Ledger(redis_url, 600, Rules(lease=0))
    _ready(ledger, range(2))
    _taken(ledger, "a", first=True)
    assert [_taken(ledger, "b") for _ in range(2)] == [[(0, 1)], [(1, 1)]]


def test_a_session_that_was_in_a_failed_group_keeps_no_other_one_waiting(ledger: Ledger) -> None:
    _ready(ledger, range(2))
    _taken(ledger)
    Handover(ledger).give_back([_name(1)], spare=False)
    _ready(ledger, range(2, 5))
    assert [_taken(ledger) for _ in range(2)] == [[(1, 1)], [(2, 0), (3, 0), (4, 0)]]


def test_what_an_outage_gave_back_was_not_tried_and_makes_groups_again(ledger: Ledger) -> None:
    _ready(ledger, range(3))
    for expected in (0, 0):
        assert _taken(ledger) == [(number, expected) for number in range(3)]
        Handover(ledger).give_back([_name(number) for number in range(3)], spare=True)


def test_tries_alone_are_counted_and_an_outage_takes_its_own_back(ledger: Ledger) -> None:
    _ready(ledger, [1])
    tries = []
    for spare in (False, True, False, False):
        tries += _taken(ledger)
        Handover(ledger).give_back([_name(1)], spare=spare)
    assert tries == [(1, 1), (1, 2), (1, 2), (1, 3)]


@pytest.mark.parametrize("ends", ["settled", "buried"])
def test_what_has_ended_is_ready_no_more_and_cannot_be_given_back(ledger: Ledger, ends: str) -> None:
    _ready(ledger, range(2))
    _taken(ledger)
    for number in range(2):
        if ends == "settled":
            ledger.settle({_name(number): Outcome.RECORDED})
        else:
            ledger.bury(DeadLetter(_name(number), Code.ATTEMPTS_EXHAUSTED, "2026-11-01", {}))
    Handover(ledger).give_back([_name(0)], spare=True)
    assert _taken(ledger, "a", first=True) == []


def test_a_session_that_ended_meanwhile_is_not_handed_on_and_its_payload_stays(ledger: Ledger) -> None:
    ledger.submit(_name(1), b"sealed", TENANT)
    ledger.bury(DeadLetter(_name(1), Code.UNSEAL_FAILED, "2026-11-01"))
    assert Handover(ledger).hand_on(_name(1), {}) == Next(None, None)
    assert ledger.payload(_name(1)) == b"sealed"
    assert _taken(ledger) == []


def test_a_dead_letter_of_the_record_zone_is_ready_again_when_it_is_revived(ledger: Ledger) -> None:
    _ready(ledger, [1])
    ledger.bury(DeadLetter(_name(1), Code.ATTEMPTS_EXHAUSTED, "2026-11-01", {"n": 1}))
    assert ledger.revive(_name(1), {"n": 1})
    assert _taken(ledger) == [(1, 1)]


def test_a_record_that_is_gone_is_said_to_be(ledger: Ledger, redis_url: str) -> None:
    _ready(ledger, [1])
    connect(redis_url).delete(f"habitus:record:{_name(1)}")
    assert [(each.ticket, each.body) for each in Handover(ledger).take("a", first=True)] == [(_name(1), None)]


def test_a_steady_stream_makes_one_call_and_a_lane_has_its_own(ledger: Ledger) -> None:
    assert _ready(ledger, range(3)) == [Lane.LIVE, None, None]
    assert _ready(ledger, range(3, 5), Lane.BACKFILL) == [Lane.BACKFILL, None]


def test_while_a_task_gathers_nobody_is_called_until_there_is_work_for_two(ledger: Ledger) -> None:
    _ready(ledger, [0])
    _taken(ledger, "a", first=True)
    calls = _ready(ledger, range(1, AT_ONCE + 3))
    assert calls == [None] * AT_ONCE + [Lane.LIVE, None]


def test_a_call_that_was_lost_is_made_again_by_the_next_session(
    ledger: Ledger, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _ready(ledger, [0]) == [Lane.LIVE]
    assert 0 < connect(redis_url).ttl("habitus:called:l") <= module.CALL_SECONDS
    connect(redis_url).delete("habitus:called:l")  # as Redis does then
    assert _ready(ledger, [1]) == [Lane.LIVE]


def test_a_task_that_leaves_off_calls_again_when_something_is_ready(ledger: Ledger) -> None:
    handover = Handover(ledger)
    _ready(ledger, [0])
    _taken(ledger, "a", first=True)
    assert handover.leave_off("a") is None
    ledger.settle({_name(0): Outcome.RECORDED})
    _taken(ledger, "a", first=True)
    assert _ready(ledger, [1], Lane.BACKFILL) == [None]
    assert handover.leave_off("a") is Lane.BACKFILL
    assert handover.leave_off("a") is None, "the call is on its way"


def test_a_worker_that_died_while_it_gathered_is_soon_not_counted_on(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "GATHERING_SECONDS", 0)
    _taken(ledger, "a", first=True)
    assert _ready(ledger, [0]) == [Lane.LIVE]


def test_a_record_nobody_was_called_for_is_overdue_and_one_that_is_taken_is_not(ledger: Ledger) -> None:
    handover = Handover(ledger)
    _ready(ledger, [0], Lane.BACKFILL)
    assert (handover.overdue(60), handover.overdue(-1)) == (None, Lane.BACKFILL)
    _ready(ledger, [1])
    assert handover.overdue(-1) is Lane.LIVE
    _taken(ledger)
    assert handover.overdue(-1) is None


def test_a_kept_record_is_listed_once_and_a_ticket_without_one_is_not(ledger: Ledger, redis_url: str) -> None:
    _ready(ledger, [0])
    connect(redis_url).delete("habitus:ready:l")
    assert [Handover(ledger).list_kept(_name(number)) for number in (0, 0, 1)] == [True, True, False]
    assert _taken(ledger) == [(0, 1)]


def test_a_record_that_is_listed_in_both_lanes_is_taken_once(ledger: Ledger, redis_url: str) -> None:
    _ready(ledger, [0, 1], Lane.BACKFILL)
    assert Handover(ledger).list_kept(_name(0))
    assert connect(redis_url).zscore("habitus:ready:l", _name(0)) is None
    connect(redis_url).zadd("habitus:ready:l", {_name(0): 1})  # as two content workers with one ticket can leave it
    assert _taken(ledger, "a") == [(0, 0), (1, 0)]
    assert _taken(ledger, "b") == []


def test_what_is_ready_counts_as_waiting_in_the_queue_of_its_lane(ledger: Ledger, redis_url: str) -> None:
    _ready(ledger, range(3))
    _ready(ledger, range(3, 5), Lane.BACKFILL)
    _taken(ledger)
    ledger.settle({_name(0): Outcome.RECORDED})
    depth = Queue(read_settings(redis_url=redis_url)).waiting().depth
    assert [depth[queue] for queue in (*CONTENT_QUEUES, *RECORD_QUEUES)] == [0, 0, 2, 2]


STEPS = st.lists(st.sampled_from(["hand in", "take", "die", "settle", "give back", "spare", "leave off"]), max_size=40)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(STEPS)
def test_whatever_happens_to_who_takes_it_every_record_can_be_taken_until_it_is_settled(
    redis_server: str, steps: list[str]
) -> None:
    connect(redis_server).flushall()
    ledger = Ledger(redis_server, 600)
    handover = Handover(ledger)
    handed, settled, held, first = 0, set[str](), list[str](), True
    for step in steps:
        if step == "hand in":
            _ready(ledger, [handed])
            handed += 1
        elif step == "take" and not held:
            held, first = [each.ticket for each in handover.take("a", first=first)], False
        elif step == "die":  # and the task is delivered again
            held, first = [], True
        elif step == "settle" and held:
            ledger.settle(dict.fromkeys(held, Outcome.RECORDED))
            settled, held = settled | {*held}, []
        elif step in ("give back", "spare") and held:
            handover.give_back(held, spare=step == "spare")
            held = []
        elif step == "leave off" and not held and not first:
            handover.leave_off("a")
            first = True
        assert ledger.counts().holds
    first = True
    while group := handover.take("a", first=first):
        assert not {each.ticket for each in group} & settled
        ledger.settle({each.ticket: Outcome.RECORDED for each in group})
        first = False
    assert ledger.counts().recorded == handed
    left = {key.decode() for key in connect(redis_server).scan_iter("habitus:*")}
    assert not {key for key in left if key.startswith(("habitus:ready", "habitus:record:", "habitus:attempts"))}
