"""`life_tie`: whom somebody is with, and who they are, is caught."""

import pytest

from habitus_tasks.barriers.life_pattern import says
from habitus_tasks.barriers.life_tie import KINDS

CAUGHT = [
    "their better half tests it",
    "the better half prefers tabs",
    "they met someone",
    "is single again",
    "broke up last week",
    "breaking up with someone",
    "needs to see to the little one",
    "their little ones",
    "is expecting in june",
    "their second is on the way",
    "trying for another one",
    "changed their name",
    "going by another new name",
    "grew up in the east",
    "came out recently",
]
CAUGHT += [f"their {x} half" for x in "other better".split()]
CAUGHT += [
    f"{x} someone"
    for x in (
        "met",
        "love",
        "loves",
        "found",
        "lost",
        "misses",
        "missing",
        "seeing",
        "dating",
        "hides from",
        "hiding from",
    )
]
CAUGHT += [f"is {x}" for x in ("single", "newly single", "single again")]
CAUGHT += [f"likes tabs{x} single" for x in (", being", ". Is", "; is")]
CAUGHT += [f"{x} are single" for x in "they".split()]
CAUGHT += [f"{x} is single" for x in ("user", "somebody who")]
CAUGHT += [
    f"broke up {x}"
    for x in (
        "with a friend",
        "with the other",
        "with their friend",
        "with someone",
        "last week",
        "recently",
        "this week",
    )
]
CAUGHT += [f"{x} up with someone" for x in "breaking broken".split()]
CAUGHT += [f"breaking up with {x}" for x in ("their friend", "someone")]
CAUGHT += [f"{x} little one" for x in "the their".split()]
CAUGHT += [f"{x} expecting" for x in "is are".split()]
CAUGHT += [
    f"is expecting {x}" for x in ("a", "and wants lists", "in june", "soon", "any day", "their first", "their second")
]
CAUGHT += [f"a {x} on the way" for x in ("first", "second", "third", "another", "one", "first is")]
CAUGHT += [f"trying for {x} one" for x in "a the another their".split()]
CAUGHT += [f"trying for a {x}" for x in "first second third one".split()]
CAUGHT += [f"{x} their name" for x in "changed changing changes".split()]
CAUGHT += [f"changed their {x}" for x in ("name", "first name")]
CAUGHT += [f"{x} by a new name" for x in "go goes going".split()]
CAUGHT += [f"goes by {x} new name" for x in "a another their the".split()]
CAUGHT += [f"goes by the {x} name" for x in "new old".split()]
CAUGHT += [f"{x} up in care" for x in "grew grown growing".split()]
CAUGHT += [f"grew up {x} it" for x in "in with on as without".split()]
CAUGHT += [f"grew up {x}" for x in "there here".split()]
CAUGHT += [f"is {x}" for x in ("about to come out",)]
CAUGHT += [
    f"{x}"
    for x in (
        "they came out",
        "the user came out",
        "somebody who came out",
        "Came out",
        "they have come out",
        "are coming out",
    )
]
CAUGHT += [
    f"has just come out{x}"
    for x in (
        ".",
        ", wants lists",
        " last week",
        " this week",
        " recently",
        " as gay",
        " as trans",
        " to their boss",
        " and wants lists",
    )
]
LEFT_ALONE = [
    "their other half of the list",
    "their other half in a table",
    "their other half as prose",
    "the other half",
    "the better half of the list",
    "the better half in a table",
    "found someone else's code",
    "single quotes",
    "quotes are single again",
    "quotes match and are single",
    "found someone's guide",
    "another on the way to it",
    "broke up the list",
    "broken up with headings",
    "breaking up with lists",
    "the little ones",
    "a little one",
    "is expecting tables",
    "on the way",
    "trying for a second time",
    "trying for a first pass",
    "trying for a one try",
    "changed the name",
    "goes by the name",
    "grew up to three lines",
    "the table came out wrong",
    "it came out",
    "has come out as a table",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_life_tie_catches_a_tie(text: str) -> None:
    assert says(KINDS, text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_life_tie_leaves_a_near_miss_alone(text: str) -> None:
    assert not says(KINDS, text)
