"""Letters and digits in one word. Fails closed: a unit ("30s", "2x"), an ordinal, a version or a listed name only."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import A_DIGIT, Barrier
from habitus_tasks.barriers.dates import without_dates
from habitus_tasks.barriers.wordlists import MIXED, WORDS

_WITH_DIGIT = re.compile(r"\b\w*\d\w*")
_MEASURE = re.compile(
    r"\d{1,4}(?:x|k|s|ms|us|ns|m|min|mins|h|hr|hrs|d|w|px|pt|em|rem|ch|kb|mb|gb|tb|mib|kib|gib|hz|khz|fps|cols?|am|pm|"
    r"st|nd|rd|th|ish|dp|chars?|words|lines|tokens|p)|[a-z]\d{1,2}|v\d{1,4}|x\d{1,4}|\d{1,3}x\d{1,3}",
    re.IGNORECASE,
)
_PART = re.compile(r"[a-z]+\d?|v\d{1,3}|\d{1,3}")
_STEMS = WORDS | {"", "v"}
_PASSWORDS = frozenset(
    [
        "welcome",
        "admin",
        "login",
        "root",
        "user",
        "default",
        "master",
        "access",
        "hello",
        "test",
        "pass",
        "super",
    ]
)
"""Words that passwords begin with, when one digit follows and nothing else."""


def catches(text: str) -> bool:
    """Whether a word mixes letters and digits in a way that is not listed."""
    return _any_unlisted(text) and _any_unlisted(without_dates(text))


def _any_unlisted(text: str) -> bool:
    return any(map(_is_unlisted, _WITH_DIGIT.findall(text)))


def _is_unlisted(token: str) -> bool:
    if token.isdigit():
        return False
    word = token.lower()
    return not (word in MIXED or _MEASURE.fullmatch(word) or _is_identifier(token))


def _is_identifier(token: str) -> bool:
    """``test_case_1``, ``row2``, ``tmp_final_v3``: listed words in lower case, with short numbers."""
    parts = token.strip("_").split("_")
    return token[:-1] not in _PASSWORDS and all(map(_is_part, parts))


def _is_part(part: str) -> bool:
    return part in MIXED or (_PART.fullmatch(part) is not None and part.rstrip("0123456789") in _STEMS)


BARRIER = Barrier("mixed_token", Code.PRIVATE_HIGH_ENTROPY, catches, frozenset({A_DIGIT}))
