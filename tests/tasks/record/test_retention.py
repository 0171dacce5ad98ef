"""Old observations go and the profile stays as it was, and so does what recognises a copy. On both databases."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from habitus_schema.errors import UsageError
from habitus_schema.models import Outcome
from habitus_schema.tables import Observation, Session, table
from habitus_tasks import profile
from habitus_tasks.upkeep import keep_up

SHORT, PLAIN = "response_density=concise_direct", "emoji_usage=none"


def rows(world: Any, kind: Any) -> int:
    count = select(func.count()).where(table(kind).c.tenant == world.who[0])
    found: int = world.database.read(None, lambda connection: connection.scalar(count))
    return found


def test_observations_go_when_they_are_too_old_and_only_those(world: Any) -> None:
    other = type(world)(world.database, world.key, tenant="globex")
    for each in (world, other):
        each.counts("a", PLAIN, day=1)
        each.counts("b", SHORT, day=100)
        each.counts("c", SHORT, day=101)
    window = world.rule.window_days
    today = world.today + timedelta(days=window)
    before = profile.show(world.database, *world.who, today=today)
    assert before
    assert keep_up(world.database, world.rule, today=today).observations == 0  # unless it is asked for
    first = rows(world, Observation)
    done = keep_up(world.database, world.rule, today=today, evidence_days=window)
    assert done.observations >= 2
    assert (rows(world, Observation), rows(other, Observation)) == (first - 1, first - 1)
    assert rows(world, Session) == rows(other, Session) == 3
    assert profile.show(world.database, *world.who, today=today) == before
    assert keep_up(world.database, world.rule, today=today, evidence_days=window).observations == 0


def test_a_session_that_comes_again_after_its_observations_went_counts_for_nothing(world: Any) -> None:
    assert world.counts("a", PLAIN, day=1, messages=("m1",)) is Outcome.RECORDED
    today = world.today + timedelta(days=400)
    keep_up(world.database, world.rule, today=today, evidence_days=world.rule.window_days)
    assert rows(world, Observation) == 0
    assert world.counts("a", PLAIN, day=1, messages=("m1",)) is Outcome.DUPLICATE
    assert (rows(world, Session), rows(world, Observation)) == (1, 0)


def test_evidence_that_still_counts_cannot_be_let_go(world: Any) -> None:
    with pytest.raises(UsageError, match="HABITUS_WINDOW_DAYS"):
        keep_up(world.database, world.rule, evidence_days=world.rule.window_days - 1)
