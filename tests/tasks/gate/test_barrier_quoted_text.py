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
    "says: we sell the unit",
    "writes: we sell the unit",
    "quote: we sell the unit",
    "quoted: we sell the unit",
    "quoting: we sell the unit",
    "typed: we sell the unit",
    "literally: we sell the unit",
    "saying: we sell the unit",
    "words: we sell the unit",
    "answered: we sell the unit",
    "replied: we sell the unit",
    "message: we sell the unit",
    "exclaimed: we sell the unit",
    "don't use my users' names",
    "'tis my team's rule",
    "asked my sister",
    "asks me",
    "my last boss",
    "my codex",
    "he listed me",
    "asked meekly about mine",
    "my",
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
    "Don't add more than two or three lines' worth",
    "'Til the end of the day it isn't read",
    '"I\'m happy to help", then one or two or three short lines, "done"',
    '"You\'re right", then one or two or three short lines, "done"',
    "'You're right!', then one or two or three lines, '(done)'",
]
_OWN_WORK = (
    "answer answers bullets closing closings code commit commits diff diffs draft drafts edit edits example examples "
    "explanation explanations fence fences function functions heading headings intro intros line lines list lists "
    "message messages output outputs paragraph paragraphs plan plans preamble preambles question questions reply "
    "replies response responses script scripts sentence sentences snippet snippets step steps suggestion suggestions "
    "summary summaries table tables version versions wording"
)
LEFT_ALONE += [f"cut my {work}" for work in _OWN_WORK.split()]
LEFT_ALONE += [
    f"my {which} table" for which in "own last latest first second previous earlier long short whole usual".split()
]
LEFT_ALONE += [
    f"{verb} me to stop" for verb in "Asked told wants wanted reminded corrected instructed expects expected".split()
]
LEFT_ALONE += [
    f'"{word} {word} {word} {word} {word} {word}"'
    for word in (
        "a absolutely adjust ai all an and answer any anything apologise apologize are as assist assistant be "
        "below can certainly change changes clarify code conclusion confusion could course did do else "
        "explain feel for free full further glad good great happy has have help helps here hope how i i'm if "
        "in is it know language let like list me mistake model more need needed no of okay or other out "
        "please question questions reach right short some something sorry step steps sum summarise summarize "
        "summary sure tell thank thanks that the there this to today up updated version want what with would "
        "yes you you're your"
    ).split()
]


@pytest.mark.parametrize("text", CAUGHT)
def test_quoted_text_catches_words_of_the_person(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_quoted_text_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
