"""`sensitive_word`: a note with a word about a life is refused."""

import pytest

from habitus_tasks.barriers.sensitive_word import BARRIER

CAUGHT = [
    "has DIABETES",
    "a mortgage",
    "their wife",
    "is Muslim",
    "an engineer",
]
LEFT_ALONE = [
    "a table",
    "diabete",
    "five tale",
    "merged",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_sensitive_word_catches_a_word_about_a_life(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_sensitive_word_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
