"""`life_law`: courts, police and prison without a word of theirs are caught."""

import pytest

from habitus_tasks.barriers.life_law import KINDS
from habitus_tasks.barriers.life_pattern import says

CAUGHT = [
    "took the stand",
    "gave evidence",
    "the other party",
    "the other side of their case",
    "out on bail",
    "as the inquiry is pending",
    "caught with something small",
    "was questioned by them",
    "was picked up at the border",
    "is inside for two years",
    "gets out after ten weeks",
    "leave to remain",
    "did time",
    "may not speak about the case",
]
CAUGHT += [f"{x} the stand" for x in "take takes taking took".split()]
CAUGHT += [f"took the stand{x}" for x in (".", " on monday")]
CAUGHT += [f"{x} evidence" for x in "gave giving".split()]
CAUGHT += [
    f"gave evidence{x}"
    for x in (
        ".",
        ", wants lists",
        " last week",
        " this week",
        " next week",
        " against them",
        " before them",
        " and wants lists",
    )
]
CAUGHT += [f"{x} party" for x in ("the other", "opposing")]
CAUGHT += [f"opposing {x}" for x in "side party".split()]
CAUGHT += [f"other side {x}" for x in ("in the case", "of a case", "of this matter", "in their case")]
CAUGHT += [f"{x} bail" for x in "on made got granted".split()]
CAUGHT += [f"{x} is open" for x in ("the matter", "their case", "a case", "this inquiry", "the suit")]
CAUGHT += [f"the case {x} open" for x in ("is", "stays", "remains", "is still")]
CAUGHT += [f"the case is {x}" for x in "open pending heard tried ongoing".split()]
CAUGHT += [f"caught with {x}" for x in "it something".split()]
CAUGHT += [
    f"was {x}"
    for x in (
        "questioned",
        "charged",
        "arrested",
        "questioned about it",
        "charged by them",
        "charged over it",
        "charged with it",
        "questioned twice",
    )
]
CAUGHT += [f"was picked up {x}" for x in ("by them", "last week", "at the border")]
CAUGHT += [f"inside for {x}" for x in ("two years", "a few days", "another two months", "some weeks", "two more years")]
CAUGHT += [f"inside for two {x}" for x in "days weeks months years".split()]
CAUGHT += [
    f"{x}"
    for x in (
        "get out in two weeks",
        "gets out after two weeks",
        "gets out in a few weeks",
        "gets out in some weeks",
        "gets out next week",
        "gets out next month",
    )
]
CAUGHT += [f"gets out in four {x}" for x in "days weeks months years".split()]
CAUGHT += [f"leave to {x}" for x in "stay remain".split()]
CAUGHT += [f"{x} time" for x in "did does".split()]
CAUGHT += [f"did time{x}" for x in (".", " for it", " inside")]
CAUGHT += [f"{x} about it" for x in ("cannot talk", "can't talk", "may not talk", "cannot speak")]
CAUGHT += [f"cannot talk about {x}" for x in ("it", "the case")]
LEFT_ALONE = [
    "takes the stand that lists help",
    "gave evidence for each claim",
    "give evidence",
    "the party",
    "the other parties",
    "opposing views",
    "the other side of the table",
    "on bail out",
    "on bail early",
    "the case is open to change",
    "caught with a test",
    "errors are caught",
    "lists are questioned",
    "is charged to the call",
    "was picked up in review",
    "inside for loops",
    "gets out in front",
    "gets out next",
    "leave to the user",
    "does time zones",
    "did time it",
    "cannot talk about tables",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_life_law_catches_something_of_the_law(text: str) -> None:
    assert says(KINDS, text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_life_law_leaves_a_near_miss_alone(text: str) -> None:
    assert not says(KINDS, text)
