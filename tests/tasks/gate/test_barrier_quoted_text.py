"""`quoted_text`: a note with words of the person is refused."""

import pytest

from habitus_tasks.barriers.quoted_text import BARRIER

CAUGHT = [
    '"one two three four five six"',
    "'one two three four five six'",
    '"Let me know if you need anything else sold"',
    "'Happy to help, you can let me go'",
    "wrote: we sell the unit",
    "said: stop doing that now",
    "Verbatim: the log shows it",
    "told them: do it again please",
    "my sister",
    "it is mine",
    "by myself",
    "tell me",
    "I'm late",
    "i've done",
    "i'd go",
    "i'll go",
]
LEFT_ALONE = [
    '"one two three four five"',
    "'one two three four five'",
    '"Let me know if you need anything else!"',
    "'Great question! Here is the updated code:' opens each answer",
    '"Sure, I hope this helps you" and "Is there anything else you would like?"',
    '"I apologise for the confusion, you\'re right."',
    "don't do this and that isn't it won't be",
    "wrote: one two three",
    '"my way" is out',
    "`me` only",
    "'tell me' is out",
    "Says done is better",
    "myopic",
    "medium",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_quoted_text_catches_words_of_the_person(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_quoted_text_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
