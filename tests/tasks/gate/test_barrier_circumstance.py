"""`circumstance`: a note with a circumstance of a life in ordinary words is refused."""

import pytest

from habitus_tasks.barriers.circumstance import BARRIER

CAUGHT = [
    "a restraining order",
    "under oath",
    "under investigation",
    "Served time",
    "serving time",
    "doing time",
    "makes six figures",
    "five-figure",
    "behind on bills",
    "behind on payment",
    "low-income",
    "he/him",
    "she/her",
    "they/them",
    "since transitioning",
    "passed away",
    "is expecting",
    "is expecting a",
    "is expecting in May",
    "been clean since",
    "sick leave",
    "out of work",
    "between jobs",
    "night shift",
    "late shifts",
    "shift worker",
    "day job",
    "lives alone",
    "moved in with",
    "moving out with",
    "seeing someone",
    "a single parent",
    "on the spectrum",
    "four figures",
    "seven-figure",
    "eight figures",
    "after transitioning",
    "before transitioning",
    "while transitioning",
    "been clean for",
    "parental leave",
    "medical leave",
    "unpaid leave",
    "family leave",
    "an early shift",
    "double shifts",
    "a second job",
    "a full-time job",
    "part-time jobs",
    "living alone",
    "lives with",
    "live together",
    "move in with",
    "moves in with",
    "a new parent",
]
LEFT_ALONE = [
    "in this order",
    "saves time",
    "made of figures",
    "behind on updates",
    "they or them",
    "after the transition",
    "passed all tests",
    "is expecting tables",
    "kept clean for readers",
    "leave it out",
    "two figures, out of line",
    "between steps",
    "shift tabs",
    "a day, a job",
    "stands alone",
    "moved out of the block",
    "seeing some",
    "a parent class",
    "on the page",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_circumstance_catches_something_of_a_life(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_circumstance_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
