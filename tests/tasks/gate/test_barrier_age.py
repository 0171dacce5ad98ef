"""`age`: a note with an age is refused."""

import pytest

from habitus_tasks.barriers.age import BARRIER

CAUGHT = [
    "Is 67 and wants more",
    "User is 67",
    "user was 45",
    "They are 30",
    "who turned 50",
    "The person is forty",
    "nearly sixty",
    "over fifty",
    "Wants lists. Is 67.",
    "Notes person is 67",
    "a label is forty",
    "labels are sixty",
    "this was thirty",
    "it turned forty",
    "under sixty",
    "past fifty",
    "almost ninety",
    "turns ninety in june",
    "turning fifty",
    "about to turn sixty",
    "in her early forties",
    "mid-thirties",
    "in the early teens",
]
CAUGHT += [f"late {word}ties" for word in "twen thir for fif six seven eigh nine".split()]
CAUGHT += [f"nearly {word}" for word in "twenty thirty forty fifty sixty seventy eighty ninety".split()]
LEFT_ALONE = [
    "Limit is 80 words",
    "is 80 percent",
    "user is 100% sure",
    "They are 20 lines",
    "over fifty words",
    "is 1.5",
    "over sixty lines",
    "nearly 60",
    "at thirty",
    "user is 40%",
    "user is 40x",
    "user is 12:30",
    "under sixty percent",
    "over fifty %",
    "user is 40 x",
    "turns forty lines into ten",
    "late entities",
    "in their sixties",
    "an early draft",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_age_catches_an_age(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_age_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
