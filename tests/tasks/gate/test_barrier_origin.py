"""`origin`: a note with where the person comes from is refused."""

import pytest

from habitus_tasks.barriers.origin import BARRIER

CAUGHT = [
    "user is British",
    "they are German",
    "an American",
    "a native English x",
    "Spanish speaker",
    "German team",
    "their third language",
    "native Tagalog speaker",
    "in the US",
    "from the UK",
    "at Oxford",
    "as a black developer",
    "is a single person",
    "being a senior programmer",
    "is an older reader",
    "person is German",
    "who is German",
    "someone German",
    "being German",
    "user was German",
    "user is a German",
    "first language",
    "second language",
    "native language",
    "near the US",
    "to the US",
    "as black people",
    "is white people",
    "being older person",
    "a brown person",
    "a junior author",
    "a former adult",
    "a black human",
    "a white user",
    "a single writer",
    "in the EU",
]
CAUGHT += [
    f"German {word}"
    for word in (
        "speaker speakers user users person people team company client office unit side origin accent citizen "
        "native market"
    ).split()
]
CAUGHT += [
    f"user is {word}"
    for word in (
        "British American English German French Spanish Italian Portuguese Dutch Swedish Danish Norwegian "
        "Finnish Polish Czech Hungarian Turkish Greek Russian Ukrainian Japanese Chinese Korean Arabic Hebrew "
        "Hindi Latin Roman"
    ).split()
]
LEFT_ALONE = [
    "British spelling",
    "American English",
    "question is German",
    "answers in German",
    "a French version",
    "English only",
    "a single line",
    "an older version",
    "plain language",
    "an English answer",
    "senior first",
    "in the US format",
    "an Oxford comma",
    "in US English",
    "in the US style",
    "in the US spelling",
    "in the US locale",
    "in the US order",
    "in the US date",
    "to Oxford commas",
    "to Oxford comma",
]
LEFT_ALONE += [
    f"an English {word}"
    for word in (
        "spelling english style letter letters numeral numerals word words version answer answers reply "
        "replies text translation term terms quote quotes character characters alphabet keyboard idiom idioms "
        "sentence sentences prose one date dates format formats name names abbreviation abbreviations doc "
        "docs comment comments variant wording only too or and when if not"
    ).split()
]


@pytest.mark.parametrize("text", CAUGHT)
def test_origin_catches_where_the_person_comes_from(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_origin_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
