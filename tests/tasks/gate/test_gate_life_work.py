"""`life_work`: a note about how somebody's job goes is caught."""

import pytest

from habitus_tasks.barriers.life_pattern import says
from habitus_tasks.barriers.life_work import KINDS

CAUGHT = [
    "was let go in the spring",
    "Keeps it short, being let go soon",
    "they were just passed over",
    "has been replaced",
    "was made redundant and wants lists",
    "was turned down for a better position",
    "let go in june, wants lists",
    "forced out in may",
    "being made to leave, wants summaries",
    "was told to go before june",
    "is on a last warning",
    "hands in the badge",
    "handing in a notice",
    "handed in their old keys",
    "hand in their resignation",
    "are in their last weeks at the place",
    "working out their last week",
    "got the offer",
    "off work since june",
    "back at work after a long pause",
    "started at their new post",
    "start with their new post",
    "the only person left in the group",
    "the unit is being cut",
    "on their improvement plan",
]
CAUGHT += [
    f"was {x}"
    for x in (
        "let go",
        "pushed out",
        "forced out",
        "cut loose",
        "passed over",
        "replaced",
        "dismissed",
        "redundant",
        "made redundant",
    )
]
CAUGHT += [f"turned down for {x} post" for x in "a the their".split()]
CAUGHT += [f"turned down for a {x}" for x in "post position role raise place".split()]
CAUGHT += [
    f"was {x}"
    for x in (
        "asked to leave",
        "told to leave",
        "made to leave",
        "forced to leave",
        "told to quit",
        "made redundant",
        "asked to leave by june",
    )
]
CAUGHT += [
    f"was told to go{x}" for x in (".", ", and wants lists", " by june", " before june", " next week", " this week")
]
CAUGHT += [f"was asked to go{x}" for x in ".".split()]
CAUGHT += [f"a {x} warning" for x in "performance written verbal".split()]
CAUGHT += [
    f"since {x} warning"
    for x in ("their first", "their second", "their last", "their final", "on a final", "got a first")
]
CAUGHT += [f"a performance {x}" for x in ("plan", "rating", "talk", "improvement plan")]
CAUGHT += [f"put on {x} improvement plan" for x in "an their".split()]
CAUGHT += [f"{x} in the badge" for x in "hand hands handed handing".split()]
CAUGHT += [f"handed in {x} badge" for x in "a the their".split()]
CAUGHT += [f"handed in the {x}" for x in "badge keys notice resignation".split()]
CAUGHT += [f"their {x} here" for x in ("last day", "last days", "last week", "last weeks", "final month")]
CAUGHT += [f"their last days {x}" for x in ("at work", "in the unit", "here", "there")]
CAUGHT += [f"{x} out their last month" for x in "work works working".split()]
CAUGHT += [f"{x} an offer" for x in "got has had signed received".split()]
CAUGHT += [f"has {x} offer" for x in ("an", "the", "another", "another good")]
CAUGHT += [f"{x} work" for x in ("without", "off", "looking for")]
CAUGHT += [f"back {x}" for x in ("at work after it", "to work from june")]
CAUGHT += [f"{x} with a new post" for x in "start starts started starting".split()]
CAUGHT += [f"starts {x} new place" for x in ("at a", "at the", "at their", "with a")]
CAUGHT += [f"starts at the new {x}" for x in "place one post position".split()]
CAUGHT += [
    f"the {x}" for x in ("last one left in the unit", "only one left in the unit", "last person left in the unit")
]
CAUGHT += [f"last person left {x}" for x in ("on the team", "in the group", "at their unit")]
CAUGHT += [f"the {x} is being cut" for x in "team unit group post position".split()]
CAUGHT += [f"their post is being {x}" for x in "cut closed".split()]
LEFT_ALONE = [
    "let the lists go",
    "let go of tables",
    "lists were pushed out",
    "was let go of too early",
    "values are passed over",
    "was passed over to the next step",
    "was passed over in silence",
    "was passed over by the parser",
    "and be replaced by commas",
    "the long form is replaced",
    "was turned down for a reason",
    "was asked to leave comments",
    "wants it to go next",
    "was told to go ahead",
    "a warning for each failing test",
    "stop at the first warning",
    "a performance gain",
    "the improvement plan is a list",
    "hand in hand",
    "by hand, in the keys",
    "hands in the answer",
    "pass the keys in the badge",
    "their last message here",
    "wants the last days in the list",
    "works out the last step",
    "had another offer of a summary",
    "has the offer to run it",
    "works without worktrees",
    "without work in between",
    "back to work on the code",
    "starts with the new part",
    "starts at the new line",
    "the last one left in the list",
    "the test is being cut",
    "the only one left out",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_life_work_catches_something_about_a_job(text: str) -> None:
    assert says(KINDS, text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_life_work_leaves_a_near_miss_alone(text: str) -> None:
    assert not says(KINDS, text)
