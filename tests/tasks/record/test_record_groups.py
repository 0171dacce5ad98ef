"""Many sessions in one transaction: the same rows as one by one, and all of them or none. On both databases."""

import secrets
import threading
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from habitus_schema.errors import HabitusError
from habitus_schema.models import Outcome, SessionRecord
from habitus_tasks.person import Person
from habitus_tasks.record import record_sessions
from habitus_tasks.store import Database

SHORT, LONG = "response_density=concise_direct", "response_density=detailed_explanatory"
TOO_LARGE = 2**70
"""A version that no database has room for: the one way to fail in the middle of a transaction that is validated."""

SAID = st.tuples(
    st.sampled_from(["ada", "bob"]), st.sampled_from("abcd"), st.sampled_from([SHORT, LONG, "list_style=bullets"]),
    st.integers(0, 3), st.sampled_from(["x", "xy", "z", None]),
)  # fmt: skip


def _people(world: Any, tenant: str) -> dict[str, Any]:
    return {user: type(world)(world.database, world.key, user=user, tenant=tenant) for user in ("ada", "bob")}


def _records(people: dict[str, Any], said: list[tuple[Any, ...]]) -> list[SessionRecord]:
    return [people[user].session(name, pair, day=day, messages=messages) for user, name, pair, day, messages in said]


def _rows(people: dict[str, Any]) -> dict[str, Any]:
    return {user: (world.profile(), sorted(world.log(), key=str)) for user, world in people.items()}


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(SAID, min_size=1, max_size=8), st.integers(1, 8))
def test_a_group_counts_as_the_same_sessions_one_by_one(world: Any, said: list[tuple[Any, ...]], size: int) -> None:
    alone, grouped = (_people(world, secrets.token_hex(4)) for _ in range(2))
    one_by_one = [world.record(record) for record in _records(alone, said)]
    records = _records(grouped, said)
    outcomes = [
        outcome
        for at in range(0, len(records), size)
        for outcome in record_sessions(world.database, records[at : at + size], world.rule, today=world.today)
    ]
    assert outcomes == one_by_one
    assert _rows(grouped) == _rows(alone)


def test_a_group_with_a_session_that_the_database_refuses_leaves_nothing_of_any(world: Any) -> None:
    records = [world.session(name, SHORT, ticket=secrets.token_hex(16)) for name in "abc"]
    bad = records[1].model_copy(update={"catalog_version": TOO_LARGE})
    with pytest.raises((OverflowError, HabitusError)):  # SQLite's driver, PostgreSQL
        record_sessions(world.database, [records[0], bad, records[2]], world.rule, today=world.today)
    assert (world.profile(), world.log()) == ({}, [])
    assert record_sessions(world.database, records, world.rule, today=world.today) == [Outcome.RECORDED] * 3
    assert world.profile() == {SHORT: (3, "promoted")}


def test_a_ticket_that_is_twice_in_a_group_is_counted_once(world: Any) -> None:
    record = world.session("a", SHORT)
    found = record_sessions(world.database, [record, record], world.rule, today=world.today)
    assert found == [Outcome.RECORDED] * 2
    assert len(world.log()) == 1


def test_an_empty_group_is_no_work(world: Any) -> None:
    assert record_sessions(world.database, [], world.rule) == []


def test_two_groups_of_the_same_people_in_opposite_orders_do_not_wait_for_one_another_in_turn(
    database: Database,
) -> None:
    people = [Person(*(f"k1-{secrets.token_hex(16)}" for _ in range(2))) for _ in range(8)]
    runs, done = 20, list[int]()

    def write(whose: list[Person]) -> None:
        for _ in range(runs):
            database.write_waves(whose, lambda _, wave: [done.append(at) for at in wave])

    threads = [threading.Thread(target=write, args=(order,)) for order in (people, people[::-1])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 2 * runs * len(people), "a deadlock would have made one of them begin again"
