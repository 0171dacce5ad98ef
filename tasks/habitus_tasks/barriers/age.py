"""A bare age: "is 67", "user turned fifty", "in their late sixties"."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_AGE = re.compile(
    rf"""
      (?:^|user\s|person\s|they\s|who\s|[.;]\s)(?:is|are|was|turned)\s(?:[1-9]\d\b|(?:{_TENS})\b)
        (?!\s?(?:%|percent\b|x\b|\w+s\b)|[.:]\d)
    | \b(?:is|are|was|turn|turned|turns|turning|over|under|past|nearly|almost)\s(?:{_TENS})\b
        (?!\s?(?:%|percent\b|\w+s\b))
    | \b(?:early|mid|late)[\s-](?:teens|(?:twen|thir|for|fif|six|seven|eigh|nine)ties)\b
    """,
    re.VERBOSE,
)


def catches(text: str) -> bool:
    """Whether the text gives an age."""
    return _AGE.search(text.lower()) is not None


BARRIER = Barrier(
    "age",
    Code.PRIVATE_DEMOGRAPHIC,
    catches,
    frozenset({"is", "are", "was", "turned", "early", "mid", "late", *_TENS.split("|")}),
)
