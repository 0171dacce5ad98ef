"""`life_body`: what somebody's body does not do is caught."""

import pytest

from habitus_tasks.barriers.life_body import KINDS
from habitus_tasks.barriers.life_pattern import says

CAUGHT = [
    "cannot sleep",
    "can't make out small text",
    "unable to read small print",
    "cannot feel a thing in their hand",
    "cannot type much",
    "hands that shake",
    "has one good hand",
    "lost the use of one hand",
    "screen-reader",
    "has trouble reading",
    "reading is very slow for them",
    "their attention wanders",
    "telling green from red takes them long",
    "letters jump for them",
    "sees double",
    "tested positive",
    "the scan came back",
    "put on a waiting list in may",
    "was cut open",
]
CAUGHT += [
    f"cannot {x}" for x in ("walk", "sit", "sleep", "eat", "breathe", "focus", "concentrate", "type", "really sleep")
]
CAUGHT += [f"cannot {x} small text" for x in ("make out", "read", "make out the")]
CAUGHT += [f"cannot feel {x} hand" for x in "a the their".split()]
CAUGHT += [f"cannot type {x}" for x in "much long fast".split()]
CAUGHT += [
    f"does {x} well"
    for x in (
        "not see",
        "not hear",
        "not walk",
        "not sleep",
        "not type",
        "hardly sleep",
        "barely sleep",
        "not sleep very",
    )
]
CAUGHT += [f"cannot {x} well" for x in "see hear".split()]
CAUGHT += [f"{x} not well" for x in "is are was been".split()]
CAUGHT += [f"their hand {x}" for x in "shake shakes shook shaking tremble trembles hurt hurts".split()]
CAUGHT += [f"with {x}" for x in ("shaking hands", "shaky hands", "a weak hand", "bad hands", "one good hand")]
CAUGHT += [f"use of {x} hand" for x in ("a", "one", "the", "their", "the left", "the right")]
CAUGHT += [f"cannot use {x} hands" for x in ("a", "one", "the", "their", "either", "their left")]
CAUGHT += [f"cannot use their {x}" for x in "hand hands".split()]
CAUGHT += [f"a screen {x}" for x in "reader readers".split()]
CAUGHT += [
    f"{x} reading"
    for x in (
        "trouble",
        "difficulty",
        "difficulties",
        "struggles",
        "problems",
        "trouble in",
        "trouble with",
        "a hard time",
    )
]
CAUGHT += [
    f"has trouble {x}"
    for x in "focusing reading seeing hearing typing concentrating sleeping walking remembering".split()
]
CAUGHT += [
    f"reading {x}"
    for x in ("is slow for them", "comes hard to them", "is difficult for the user", "is very hard for them")
]
CAUGHT += [f"their attention {x}" for x in ("is gone", "is all over", "wanders", "drifts", "slips", "fails")]
CAUGHT += [
    f"{x} green"
    for x in (
        "tell the red from the",
        "tells red from",
        "telling red from",
        "tell the colours from",
        "tell colors from",
    )
]
CAUGHT += [f"cannot tell {x} apart" for x in ("red", "green", "the green", "colours", "colors")]
CAUGHT += [f"letters {x}" for x in ("jump", "move", "blur", "float", "swim", "dance", "that jump")]
CAUGHT += [f"{x} double" for x in "see sees seeing".split()]
CAUGHT += [
    f"sees double{x}"
    for x in (".", ", so lists", " and wants lists", " but reads", " so no tables", " since june", " at night")
]
CAUGHT += [f"{x} positive" for x in ("tested", "came back", "come back")]
CAUGHT += [f"tested {x}" for x in "positive negative".split()]
CAUGHT += [f"the {x}" for x in ("scan showed something", "scans came back", "scan come back")]
CAUGHT += [f"on {x} waiting list" for x in "a the".split()]
CAUGHT += [f"{x} cut open" for x in "was were be been being".split()]
LEFT_ALONE = [
    "cannot sit through long replies",
    "cannot focus with lists around",
    "cannot make out the plan",
    "cannot feel at ease",
    "cannot type check",
    "not typed well",
    "the code is not well named",
    "a hand that types",
    "both shake hands",
    "weak handles",
    "use of the handle",
    "screen the readers",
    "a screen of text",
    "problems with tables",
    "trouble with lists",
    "reading is fast for them",
    "reading is slow",
    "attention is paid to tables",
    "their attention goes to the top",
    "tell what is red from the log",
    "tells them apart",
    "letters in a row",
    "see double quotes",
    "sees double and single quotes",
    "sees double and triple quotes",
    "a positive tone",
    "tested negative values",
    "a scan of the code",
    "waiting for a list",
    "left it open, cut short",
    "was cut in the open",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_life_body_catches_something_about_a_body(text: str) -> None:
    assert says(KINDS, text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_life_body_leaves_a_near_miss_alone(text: str) -> None:
    assert not says(KINDS, text)
