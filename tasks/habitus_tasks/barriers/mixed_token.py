"""Letters and digits in one word. Fails closed: a unit ("30s", "2x"), an ordinal, a version or a listed name only."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import A_DIGIT, Barrier
from habitus_tasks.barriers.dates import without_dates
from habitus_tasks.barriers.wordlists import MIXED, WORDS

_WITH_DIGIT = re.compile(r"\b\w*\d\w*")
_MEASURE = re.compile(
    r"\d{1,4}(?:x|k|s|ms|us|ns|m|min|mins|h|hr|hrs|d|w|px|pt|em|rem|ch|kb|mb|gb|tb|mib|kib|gib|hz|khz|fps|col|cols|"
    r"am|pm|st|nd|rd|th|ish|dp|char|chars|words|lines|tokens|d?p)|[a-z]\d{1,2}|v\d{1,4}|\dd|x\d{1,4}|\d{1,3}x\d{1,3}",
    re.IGNORECASE,
)


def catches(text: str) -> bool:
    """Whether a word mixes letters and digits in a way that is not listed."""
    return any(map(_is_unlisted, _WITH_DIGIT.findall(without_dates(text))))


def _is_unlisted(token: str) -> bool:
    if token.isdigit():
        return False
    word = token.lower()
    return not (word in MIXED or _MEASURE.fullmatch(word) or _is_identifier(word))


def _is_identifier(word: str) -> bool:
    """``test_case_1``, ``spaces_2``: listed words with short numbers between underscores."""
    parts = word.strip("_").split("_")
    return len(parts) > 1 and all(
        part in WORDS or part in MIXED or (part.isdigit() and len(part) < 4) for part in parts
    )


BARRIER = Barrier("mixed_token", Code.PRIVATE_HIGH_ENTROPY, catches, frozenset({A_DIGIT}))
