"""`life_money`: an amount that somebody has, makes or owes is caught."""

import pytest

from habitus_tasks.barriers.life_money import KINDS
from habitus_tasks.barriers.life_pattern import says

CAUGHT = [
    "has two hundred left",
    "has six left this week",
    "makes eighty thousand, wants lists",
    "wants brevity, saved four thousand for the move",
    "took home nine hundred",
    "owes two hundred to a friend",
    "down to their last forty",
    "sixty a week",
    "ninety per hour",
    "lost ninety from it",
]
CAUGHT += [
    f"five hundred {x}" for x in ("left", "saved", "put aside", "set aside", "to their name", "left to their name")
]
CAUGHT += [f"five {x} left" for x in "hundred thousand".split()]
CAUGHT += [f"a thousand left{x}" for x in (".", " till june", " until june", " for june", " and no more")]
CAUGHT += [
    f"two left {x}" for x in ("till june", "until june", "this week", "for this week", "for the month", "the month")
]
CAUGHT += [f"sixty {x} hour" for x in "a an per each every".split()]
CAUGHT += [f"sixty a {x}" for x in "hour day week month".split()]
CAUGHT += [f"{x} sixty" for x in "make makes making made saved borrowed lost spent".split()]
CAUGHT += [
    f"makes nearly sixty{x}" for x in (".", " a time", " an issue", " per head", " from it", " on it", " for it")
]
CAUGHT += [f"{x} home five hundred" for x in "takes took".split()]
CAUGHT += [f"{x} them five" for x in "owe owes owed".split()]
CAUGHT += [f"{x} last ten" for x in ("down to the", "down to their", "on the", "with their")]
LEFT_ALONE = [
    "one hundred lines left",
    "a hundred left over",
    "two left to fix",
    "two left for review",
    "two a week",
    "three per hour",
    "makes two",
    "makes sixty lines",
    "spent twenty minutes",
    "takes the hundred home",
    "owes them an answer",
    "the last fifty",
    "on the last fifty lines",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_life_money_catches_an_amount(text: str) -> None:
    assert says(KINDS, text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_life_money_leaves_a_near_miss_alone(text: str) -> None:
    assert not says(KINDS, text)
