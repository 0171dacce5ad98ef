"""The tally of one dimension: contexts inside the window, the leader, what the last contexts say, and challenges."""

from datetime import date, timedelta

import pytest

from habitus_tasks.rule import PromotionRule
from habitus_tasks.tally import Tally

START = date(2026, 1, 1)


def on(day: int) -> date:
    return START + timedelta(days=day)


def tally_of(story: str, *, k: int = 2, window_days: int = 10) -> Tally:
    """Of votes written as "day context value", the day it is moved to last; '!' marks a standing statement."""
    tally = Tally(PromotionRule(k=k, window_days=window_days))
    *votes, today = story.split(", ")
    for vote in votes:
        day, context, value = vote.split()
        if value.endswith("!"):
            tally.hear(value[:-1], context, on(int(day)), standing=True)
        else:
            tally.hear(value, context, on(int(day)))
    tally.move_to(on(int(today)))
    return tally


@pytest.mark.parametrize(
    ("story", "leader"),
    [
        ("0", None),
        ("1 A u, 1", None),
        ("1 A u, 2 A u, 2", None),
        ("1 A u, 1 B u, 1", "u"),
        ("1 A u, 1 B u, 1 C v, 1", None),
        ("1 A u, 1 B u, 1 C u, 1 D v, 1", "u"),
        ("1 D v, 1 A u, 1 B u, 1 C u, 1", "u"),
        ("1 A u, 1 B u, 1 C u, 1 D v, 1 E w, 1", "u"),
        ("1 A u, 1 B u, 1 C u, 1 D v, 1 E w, 1 F w, 1", None),
        ("1 A u, 5 B u, 11", "u"),
        ("1 A u, 5 B u, 12", None),
    ],
)
def test_the_leader_has_k_contexts_more_than_any_rival(story: str, leader: str | None) -> None:
    assert tally_of(story).leader() == leader


@pytest.mark.parametrize(
    ("story", "recent"),
    [
        ("0", None),
        ("1 A u, 1", None),
        ("1 A u, 2 B u, 2", "u"),
        ("1 A v, 2 B u, 3 C u, 3", "u"),
        ("1 A u, 2 B u, 3 C v, 3", None),
        ("1 A v, 2 B u, 2 C v, 2 D u, 2", None),
        ("1 A u, 1 A v, 1 B v, 1", None),
        ("1 A u, 1 B v, 2 A v, 2", "v"),
        ("1 A u, 1 B u, 2 A v, 2 B v, 2", "v"),
        ("1 A u, 5 B u, 12", None),
        ("1 A v, 1 B v, 5 C u, 6 D u, 12", "u"),
    ],
)
def test_the_last_k_contexts_are_heard_with_all_of_their_last_day(story: str, recent: str | None) -> None:
    assert tally_of(story).recent() == recent


def test_a_context_is_counted_once_for_a_value_until_its_last_word_leaves_the_window() -> None:
    assert tally_of("1 A u, 3 A u, 4 B u, 4 B v, 11").contexts == {"u": 2, "v": 1}
    assert tally_of("1 A u, 3 A u, 4 B u, 4 B v, 12").contexts == {"u": 2, "v": 1}
    assert tally_of("1 A u, 3 A u, 4 B u, 4 B v, 14").contexts == {"u": 1, "v": 1}
    assert tally_of("1 A u, 3 A u, 4 B u, 4 B v, 15").contexts == {}
    assert tally_of("1 A u, 3 A u, 4 B u, 4 B v, 15").said == {"u": on(4), "v": on(4)}


def test_the_last_standing_statement_for_a_rival_inside_the_window_challenges() -> None:
    tally = tally_of("1 A u!, 2 B v!, 4 C w!, 5 D v, 5 E x, 5")
    assert tally.standing == {"u": on(1), "v": on(2), "w": on(4)}
    assert [tally.challenged(holder, on(5)) for holder in "uvwx"] == [on(4), on(4), on(2), on(4)]
    assert tally.challenged("w", on(13)) == date.min
    assert tally_of("1 A u!, 1").challenged("u", on(1)) == date.min
