"""`vocabulary`: a note with a word that is not on the list is refused."""

import pytest

from habitus_tasks.barriers.vocabulary import BARRIER, published

CAUGHT = [
    "hannah boateng",
    "bluefern prefers",
    "letmein-please",
    "correcthorsebattery",
    "a sourdough list",
    "the eulogy",
    "okapi's way",
    "maxOkapiCount",
    "x_okapi",
    "naïveté",
    "listéfile",
    "aList",
    "retry_okapi",
    "a pet and a peeve",
    "peeve",
    "my pet peeves, a pet",
    "thumbs for it",
    "thumbs-upset",
]
LEFT_ALONE = [
    "Wants short answers.",
    "step-by-step",
    "snake_case",
    "don't and it's",
    "user's edits",
    "maxRetryCount",
    "isReady",
    "isn't maxRetryCount",
    "naïve's maxRetry",
    "naïve",
    "e.g. i.e. w/o",
    "PYTHON",
    "42",
    "",
    "4th and h264",
    "don't",
    "Headings are a pet peeve.",
    "Thumbs-up first",
    "A Pet Peeve, again a pet-peeve",
    "in kebab-case, with a thumbs up",
    "okapi42",
    "parseJSONFile",
    "it'd",
    "who're",
    "should've",
    "user'll",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_vocabulary_catches_a_word_that_is_not_on_the_list(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_vocabulary_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)


def test_vocabulary_publishes_the_words_that_may_stand() -> None:
    assert not BARRIER.refuses(" ".join(published()))
    assert {"answers", "short"} < published()
