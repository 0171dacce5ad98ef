"""Back-pressure and fairness, on a real Redis: a full backlog takes nothing, and no tenant gets in another's way."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from habitus_schema.codes import Code
from habitus_schema.models import Outcome
from habitus_worker.handover import Handover
from habitus_worker.lanes import BacklogFullError, Lane, Rules, Turn
from habitus_worker.ledger import DeadLetter, Ledger, connect

TENANTS = ["k1-" + str(number) * 32 for number in range(3)]


def _name(number: int) -> str:
    return f"{number:032x}"


def _hand_in(ledger: Ledger, numbers: range, tenant: str, lane: Lane) -> list[Turn]:
    return [ledger.submit(_name(number), b"sealed", tenant, lane) for number in numbers]


def _done(ledger: Ledger, ticket: str) -> str | None:
    return Handover(ledger).hand_on(ticket, {}).ticket


def test_a_full_backlog_takes_nothing_and_counts_nothing(redis_url: str) -> None:
    ledger = Ledger(redis_url, 600, Rules(backlog=3))
    _hand_in(ledger, range(3), TENANTS[0], Lane.LIVE)
    for refused in (lambda: ledger.check_room(3), lambda: _hand_in(ledger, range(3, 4), TENANTS[1], Lane.LIVE)):
        with pytest.raises(BacklogFullError, match="the backlog is full"):
            refused()
    counts = ledger.counts()
    assert (counts.submitted, counts.in_flight) == (3, 3)
    assert ledger.payload(_name(3)) is None
    ledger.settle({_name(0): Outcome.RECORDED})
    assert _hand_in(ledger, range(4, 5), TENANTS[1], Lane.LIVE) == [Turn.LIVE]


def test_the_backlog_is_exact_however_many_hand_in_at_once(redis_url: str) -> None:
    def one(number: int) -> bool:
        try:
            Ledger(redis_url, 600, Rules(backlog=10)).submit(_name(number), b"sealed", TENANTS[0])
        except BacklogFullError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(one, range(40))) == 10
    assert Ledger(redis_url, 600).counts().in_flight == 10


def test_a_backfill_has_so_many_tasks_with_the_broker_and_the_rest_take_turns(redis_url: str) -> None:
    ledger = Ledger(redis_url, 600, Rules(backfill=2))
    assert _hand_in(ledger, range(5), TENANTS[0], Lane.BACKFILL) == [Turn.BACKFILL] * 2 + [Turn.WAITS] * 3
    assert _done(ledger, _name(1)) == _name(2)
    assert _done(ledger, _name(1)) is None, "a redelivery lets nobody in"
    assert _done(ledger, _name(0)) == _name(3)
    assert _hand_in(ledger, range(5, 6), TENANTS[1], Lane.BACKFILL) == [Turn.BACKFILL], "another tenant does not wait"
    assert [_done(ledger, _name(number)) for number in (2, 3, 4)] == [_name(4), None, None]


def test_the_live_sessions_of_whoever_backfills_are_not_behind_the_backfill(redis_url: str) -> None:
    ledger = Ledger(redis_url, 600, Rules(backfill=1))
    _hand_in(ledger, range(50), TENANTS[0], Lane.BACKFILL)
    assert _hand_in(ledger, range(50, 51), TENANTS[0], Lane.LIVE) == [Turn.LIVE]
    assert [Handover(ledger).hand_on(_name(number), {}).call for number in (0, 50)] == [Lane.BACKFILL, Lane.LIVE]


def test_who_floods_the_live_lane_goes_with_the_backfills_and_before_his_own(redis_url: str) -> None:
    ledger = Ledger(redis_url, 600, Rules(live=2, backfill=1))
    _hand_in(ledger, range(3), TENANTS[0], Lane.BACKFILL)
    turns = _hand_in(ledger, range(3, 7), TENANTS[0], Lane.LIVE)
    assert turns == [Turn.LIVE, Turn.LIVE, Turn.WAITS, Turn.WAITS]
    assert _hand_in(ledger, range(7, 8), TENANTS[1], Lane.LIVE) == [Turn.LIVE]
    assert [_done(ledger, _name(number)) for number in (0, 5, 6, 1)] == [_name(5), _name(6), _name(1), _name(2)]


def test_who_waits_is_not_lost(redis_url: str) -> None:
    ledger = Ledger(redis_url, 600, Rules(backfill=1))
    _hand_in(ledger, range(3), TENANTS[0], Lane.BACKFILL)
    assert ledger.lost(older_than=0) == [_name(0)]


STEPS = st.lists(
    st.tuples(st.sampled_from(["live", "backfill", "done", "settle", "bury"]), st.sampled_from(TENANTS)), max_size=60
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(STEPS)
def test_whatever_happens_everybody_who_was_handed_in_gets_a_turn(
    redis_server: str, steps: list[tuple[str, str]]
) -> None:
    connect(redis_server).flushall()
    ledger = Ledger(redis_server, 600, Rules(live=2, backfill=2))
    sent: list[tuple[str, str]] = []
    tenants: dict[str, str] = {}

    def leave(ticket: str, step: str) -> None:
        if step == "done":
            following = _done(ledger, ticket)
            sent.extend([(tenants[following], following)] if following else [])
        elif step == "settle":
            ledger.settle({ticket: Outcome.RECORDED})
        else:
            ledger.bury(DeadLetter(ticket, Code.PAYLOAD_EXPIRED, "2026-11-01"))
        waiting = [ticket for ticket in ledger.lost(older_than=0) if (tenants[ticket], ticket) not in sent]
        sent.extend((tenants[ticket], ticket) for ticket in waiting)

    for step, tenant in steps:
        if step in ("live", "backfill"):
            ticket = _name(len(tenants))
            tenants[ticket] = tenant
            if ledger.submit(ticket, b"sealed", tenant, Lane[step.upper()]) is not Turn.WAITS:
                sent.append((tenant, ticket))
        elif sent:
            leave(sent.pop(0)[1], step)
        assert max(Counter(tenant for tenant, _ in sent).values(), default=0) <= 4, "two live and two of a backfill"
    left = {ticket for _, ticket in sent}
    while sent:
        leave(sent.pop(0)[1], "done")
        left |= {ticket for _, ticket in sent}
    keys = {key.decode() for key in connect(redis_server).scan_iter("habitus:*")}
    assert not keys & {"habitus:places", "habitus:live", "habitus:admitted"}
    assert not [key for key in keys if key.startswith("habitus:waiting")]
