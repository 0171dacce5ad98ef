"""A bare age: "is 67", "user turned fifty"."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_AGE = re.compile(
    rf"""
      (?:^|user\s|person\s|they\s|who\s|[.;]\s)(?:is|are|was|turned)\s(?:[1-9]\d\b|(?:{_TENS})\b)
        (?!\s?(?:%|percent\b|x\b|\w+s\b)|[.:]\d)
    | \b(?:is|are|was|turned|over|under|past|nearly|almost)\s(?:{_TENS})\b(?!\s?(?:%|percent\b|\w+s\b))
    """,
    re.VERBOSE | re.IGNORECASE,
)


def catches(text: str) -> bool:
    """Whether the text gives an age."""
    return _AGE.search(text) is not None


BARRIER = Barrier(
    "age", Code.PRIVATE_DEMOGRAPHIC, catches, frozenset({"is", "are", "was", "turned", *_TENS.split("|")})
)
