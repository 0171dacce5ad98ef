"""`spelled_out`: a note with something written out in words is refused."""

import pytest

from habitus_tasks.barriers.spelled_out import BARRIER

CAUGHT = [
    "ann at host dot org",
    "ann at host dot zz now",
    "the site is harrow dot com",
    "ann [at] host",
    "ann(at)host",
    "host [dot] org",
    "ann < at > host",
    "slash home slash ann",
    "backslash data backslash",
    "four seven two nine",
    "four, seven, two, nine",
    "double nine three one five",
    "Dial Zero One Two Three",
    "minus {dash} here",
    "first (underscore) last",
    "go to example dot internal",
    "forty dot three dot nine dot eighty",
    "one ninety two dot one sixty eight dot five",
    "10 point 0 point 4",
    "thirteen dot hundred dot forty-two",
    "eleven dot twelve dot nine",
    "home (slash) ann",
    "dot net",
    "dot org",
    "dot io",
    "dot dev",
    "dot app",
    "dot ai",
    "dot co",
    "dot edu",
    "dot gov",
    "dot info",
    "dot uk",
    "dot de",
    "dot fr",
    "dot es",
    "dot it",
    "dot nl",
    "dot no",
    "dot se",
    "dot eu",
    "dot us",
    "dot ca",
    "dot au",
    "dot in",
    "dot jp",
    "dot ch",
    "dot local",
]
CAUGHT += [
    f"{word} {word} {word} {word}"
    for word in "zero oh nought one two three four five six seven eight nine double triple treble".split()
]
LEFT_ALONE = [
    "at the top, a dot at the end",
    "three dots rather than one",
    "two or three bullets",
    "one two three",
    "a slash between words",
    "slash and dots",
    "one, two and three",
    "dot com_pare",
    "three dot eleven",
    "version two point one",
    "one dot after another dot",
    "ten dots, four dots, two dots",
    "a dot two dots",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_spelled_out_catches_something_written_out_in_words(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_spelled_out_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
