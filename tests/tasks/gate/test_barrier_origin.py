"""`origin`: a note with where the person comes from is refused."""

import pytest

from habitus_tasks.barriers.origin import BARRIER

CAUGHT = [
    "user is British",
    "they are German",
    "an American",
    "a native English x",
    "Spanish speaker",
    "German team",
    "their third language",
    "native Tagalog speaker",
    "in the US",
    "from the UK",
    "at Oxford",
    "as a black developer",
    "is a single person",
    "being a senior programmer",
    "is an older reader",
]
LEFT_ALONE = [
    "British spelling",
    "American English",
    "question is German",
    "answers in German",
    "a French version",
    "English only",
    "a single line",
    "an older version",
    "plain language",
    "an English answer",
    "senior first",
    "in the US format",
    "an Oxford comma",
    "in US English",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_origin_catches_where_the_person_comes_from(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_origin_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
