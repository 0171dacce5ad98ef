"""`capitals`: a note with a capital that is not listed is refused."""

import pytest

from habitus_tasks.barriers.capitals import BARRIER

CAUGHT = [
    "for Yusuf",
    "asks Norvane",
    "BLUEFERN prefers",
    "aNdErS",
    "maxOkapi",
    "for Sunrise",
    "Wants Redwater.",
    "by W. again",
    "by J.S. again",
    "Élodie and Élise",
    "a Copper gate",
    "for HANNAH",
    "now ABACK",
    "aBack",
    "BLack is",
    "now NOted",
    "a, V",
    "now Okapi",
]
LEFT_ALONE = [
    "Wants short answers.",
    "First one. Second one.",
    "Sections named Input and Output",
    "NO EMOJI",
    "Python and JSON",
    "camelCase",
    "maxRetryCount",
    "I/O",
    "H2 headings",
    "K=2",
    "TODOs and URLs",
    "Title Case Headings",
    "MAX_RETRIES",
    '"Result: OK"',
    'Ends. "Done"',
    "(Optional) steps",
    "2× shorter",
    "don't",
    "- Bullet",
    "a P.S. section",
    "P.S. is out",
    "V is the letter",
    "Wants it. V is first",
    "Okapi first. Okapi again",
    '"Okapi is',
    "isReady now",
    "set maxTable",
    "one\nOkapi",
    "YYYY-MM-DD",
    "a'OKAPI",
    "x_OKAPI",
    "by V2 again",
    "uses parseJSON",
    "uses parseJSONFile",
]
LEFT_ALONE += [f"as {word} here" for word in "A B C D E I K N O R X Y Z".split()]


@pytest.mark.parametrize("text", CAUGHT)
def test_capitals_catches_a_capital_that_is_not_listed(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_capitals_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
