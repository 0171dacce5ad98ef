"""`life_mind`: a crisis, or what somebody goes without, is caught."""

import pytest

from habitus_tasks.barriers.life_mind import KINDS
from habitus_tasks.barriers.life_pattern import says

CAUGHT = [
    "feels like ending it all",
    "thinking of ending everything",
    "no other way out for them",
    "cannot keep going",
    "cannot take it",
    "can't stop crying",
    "needs it all to stop",
    "cannot face people",
    "would rather not be here any longer",
    "feels that nothing matters",
    "are on the edge now",
    "sees no reason to go on",
    "they feel empty",
    "not yet over it",
    "many days without rest",
    "three weeks clean",
    "has two weeks left",
    "at twelve weeks",
    "takes one day at a time",
    "used to hit them",
    "fears that they are being followed",
]
CAUGHT += [f"to {x} it all" for x in "end ends ended ending".split()]
CAUGHT += [
    f"{x} things"
    for x in (
        "wants to end",
        "thinks of ending",
        "thoughts of ending",
        "thinking of ending",
        "thinking about ending",
        "feel like ending",
        "feels like ending",
        "feeling like ending",
        "ready to end",
        "tried to end",
    )
]
CAUGHT += [f"wants to end {x}" for x in "it things everything".split()]
CAUGHT += [f"no {x}" for x in ("way out", "other way out")]
CAUGHT += [
    f"cannot {x}"
    for x in ("keep going", "go on", "carry on", "go on like this", "go on much longer", "go on any longer")
]
CAUGHT += [f"cannot take {x}" for x in ("it", "much more", "any more")]
CAUGHT += [f"cannot stop {x}" for x in "thinking crying".split()]
CAUGHT += [
    f"cannot face {x}" for x in ("people", "anyone", "anything", "the day", "the world", "another day", "other day")
]
CAUGHT += [f"not {x} here any longer" for x in ("be", "being", "want to be")]
CAUGHT += [f"{x} out of it all" for x in "want wants".split()]
CAUGHT += [f"wants out of {x}" for x in ("it all", "everything")]
CAUGHT += [f"not being here {x}" for x in ("any more", "much longer")]
CAUGHT += [f"no {x}" for x in ("point in going on", "reason to go on", "will to live", "reason in living")]
CAUGHT += [f"{x}" for x in ("they feel alone", "user feels alone", "who feels alone", "feeling alone")]
CAUGHT += [
    f"feeling {x}"
    for x in ("giving up", "like nothing", "alone", "empty", "trapped", "like a burden", "like a failure")
]
CAUGHT += [f"not {x}" for x in ("over it", "yet over it")]
CAUGHT += [f"two {x} without sleep" for x in "days weeks months".split()]
CAUGHT += [f"two weeks without {x}" for x in ("sleep", "rest", "work", "food", "drink", "using", "a rest")]
CAUGHT += [f"many {x} clean" for x in "days weeks months".split()]
CAUGHT += [f"weeks {x}" for x in "clean sober dry".split()]
CAUGHT += [f"{x} two weeks left" for x in ("has", "have", "had", "given", "with", "has maybe")]
CAUGHT += [f"has two {x} left" for x in "days weeks months".split()]
CAUGHT += [f"has two weeks {x}" for x in ("left", "to live")]
CAUGHT += [f"weeks {x}" for x in ("pregnant", "along", "in bed")]
CAUGHT += [f"used to {x} them" for x in "hit hurt beat scare follow".split()]
CAUGHT += [f"{x} being watched" for x in ("they are", "user is")]
CAUGHT += [f"they are being {x}" for x in "watched followed".split()]
LEFT_ALONE = [
    "end it here",
    "wants to end it with a summary",
    "wants to end it on a table",
    "wants to end it by the book",
    "wants to end it in one line",
    "wants to end it at the table",
    "wants to end it here",
    "no way out of the loop",
    "cannot go on without a yes",
    "cannot take any more lists",
    "cannot stop the run",
    "wants it to stop",
    "cannot face the user",
    "not be here",
    "nothing matters more",
    "on the edge of the table",
    "on the edge cases",
    "no point in going over it",
    "no reason for it to live in one file",
    "no point in tables",
    "lists feel empty",
    "they feel empty of content",
    "not over the limit",
    "two days without lists",
    "keeps the weeks in a clean table",
    "two weeks left",
    "within weeks",
    "at two",
    "one list at a time",
    "used to scare the lists",
    "it is being watched",
    "weeks in beds",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_life_mind_catches_a_crisis(text: str) -> None:
    assert says(KINDS, text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_life_mind_leaves_a_near_miss_alone(text: str) -> None:
    assert not says(KINDS, text)
