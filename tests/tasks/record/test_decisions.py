"""The decision log: counts about nobody, added up, pruned after their time."""

import threading
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from habitus_classifier import Policy, Reason
from habitus_schema.decisions import DecisionReason, PolicyWord
from habitus_schema.tables import DecisionCount, table
from habitus_schema.vocabulary import Dimension
from habitus_tasks.decisions import Count, note, prune, totals
from habitus_tasks.promote import PromotionRule
from habitus_tasks.store import Database, open_database
from habitus_tasks.upkeep import keep_up

DAY = date(2026, 3, 1)
FENCE = Dimension.CODE_FENCE_STYLE, PolicyWord.SUPPORT, DecisionReason.VOTE
TABLES = Dimension.TABLE_USAGE, PolicyWord.IGNORE, DecisionReason.CONTRADICTED


@pytest.fixture
def database(tmp_path: Any) -> Any:
    opened = open_database(f"sqlite:///{tmp_path / 'habitus.db'}")
    yield opened
    opened.close()


def test_its_words_are_those_of_the_classifier() -> None:
    assert [word.value for word in PolicyWord] == [policy.word for policy in Policy]
    assert {reason.value for reason in DecisionReason} == {reason.value for reason in Reason}


def test_counts_of_a_day_add_up(database: Database) -> None:
    note(database, {FENCE: 2, TABLES: 1}, DAY)
    note(database, {FENCE: 3}, DAY)
    note(database, {FENCE: 1}, DAY + timedelta(days=1))
    assert totals(database) == [Count(*FENCE, 6), Count(*TABLES, 1)]
    assert totals(database, DAY + timedelta(days=1)) == [Count(*FENCE, 1)]


def test_nothing_and_zero_are_not_written(database: Database) -> None:
    note(database, {}, DAY)
    note(database, {FENCE: 0}, DAY)
    assert totals(database) == []


def test_it_holds_no_id_and_no_text() -> None:
    assert set(table(DecisionCount).c.keys()) == {"day", "dimension", "policy", "reason", "decisions"}


def test_old_days_are_pruned_and_the_rest_stays(database: Database) -> None:
    note(database, {FENCE: 1}, DAY)
    note(database, {TABLES: 1}, DAY + timedelta(days=5))
    assert prune(database, DAY + timedelta(days=5)) == 1
    assert totals(database) == [Count(*TABLES, 1)]


def test_upkeep_prunes_by_the_retention_and_only_when_it_is_told(database: Database) -> None:
    note(database, {FENCE: 1}, DAY)
    assert keep_up(database, PromotionRule(), today=DAY + timedelta(days=99)).decisions == 0
    assert keep_up(database, PromotionRule(), today=DAY + timedelta(days=30), decision_days=30).decisions == 0
    assert keep_up(database, PromotionRule(), today=DAY + timedelta(days=31), decision_days=30).decisions == 1
    assert totals(database) == []


def test_writers_at_once_lose_nothing(database: Database) -> None:
    def write() -> None:
        for _ in range(5):
            note(database, {FENCE: 1, TABLES: 1}, DAY)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [count.decisions for count in totals(database)] == [20, 20]


def test_on_postgresql_too(empty_postgres: Callable[[], str]) -> None:
    opened = open_database(empty_postgres())
    try:
        note(opened, {FENCE: 1}, date(2001, 1, 1))
        note(opened, {FENCE: 2}, date(2001, 1, 1))
        found = next(count for count in totals(opened) if (count.dimension, count.policy, count.reason) == FENCE)
        assert found.decisions >= 3
        assert prune(opened, date(2001, 1, 2)) == 1
    finally:
        opened.close()
