"""`encodings`: a note with encoded text is refused."""

import pytest

from habitus_tasks.barriers.encodings import BARRIER

CAUGHT = [
    "a%40b",
    "Ends with %48%61.",
    "Wants Priya%20R.",
    "Wants %20Rows.",
    "See &#47;",
    "See &#x2F;",
    "Use &amp; here",
    "See \\u0061 and so on",
    "See \\u{0061}",
    "See \\x2b",
    "See \\U0001F600",
    "See \\101",
    "Text =C3=A9 here",
    "Starts 6f 6b 6f 6e.",
    "Starts 6F:6B:6F:6E.",
    "Key 0x48616",
    "U+2014 U+2015 in a row",
    "Ends in a%40.",
    "a%ff",
    "See \\xff",
    "Text =AB=CD",
    "-- .- .-.",
    "wants -... ... ...",
    "Signed ... ... .-",
    "Signed ... ... -.",
    "..-/.-./.",
    "U+FEFF U+ABCD",
]
LEFT_ALONE = [
    "About 80% of replies",
    "80%, 90% and 100%",
    "Uses %s and %d",
    "A & B; C",
    "Uses \\n at the end",
    "Escape \\| in tables",
    "a=1, b=2",
    "From 10 to 20 and 30",
    "At 14:05:09 exactly",
    "Mask 0xFF",
    "No em dash (U+2014).",
    "12 34 56",
    "100, 20, 30, 40",
    "10 20 30 400",
    "Ends ... like -- this",
    "a -- b - c",
    "- - -",
    "... ... ...",
    "--- ... ---",
    "x.- . -",
    "- .- .env",
    "-. -.",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_encodings_catches_encoded_text(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_encodings_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
