"""Addresses and numbers written out in words: "name at host dot com", "slash home slash", "four seven two nine"."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

_DIGIT = r"(?:zero|oh|nought|one|two|three|four|five|six|seven|eight|nine|double|triple|treble)"
_NUMBER = rf"(?:{_DIGIT}|ten|eleven|twelve|hundred|\w{{2,5}}(?:ty|teen)|\d{{1,3}})"
_COUNT = rf"{_NUMBER}(?:[\s-]{_NUMBER}){{0,4}}"
_SPELLED = re.compile(
    rf"""
      [\[({{<]\s?(?:at|dot|dash|slash|underscore)\s?[\])}}>]      # [at], (dot)
    | \b(?:
        dot\s(?:com|net|org|io|dev|app|ai|co|edu|gov|info|uk|de|fr|es|it|nl|no|se|eu|us|ca|au|in|jp|ch|internal|local)\b
      | at\s[\w-]{{1,40}}\sdot\s
      | (?:back)?slash\s[\w.-]{{1,40}}\s(?:back)?slash\b
      | {_DIGIT}(?:[\s,.;-]{{1,3}}{_DIGIT}\b){{3}}              # four digits in a row are a number, three are a count
      | (?:dot|point)\s{_COUNT}\s(?:dot|point)\s{_NUMBER}\b     # a host; what has one dot is a version
      )
    """,
    re.VERBOSE,
)


def catches(text: str) -> bool:
    """Whether an address or a number is written out in words."""
    return _SPELLED.search(text.lower()) is not None


BARRIER = Barrier(
    "spelled_out",
    Code.PRIVATE_EVASION,
    catches,
    frozenset(
        [
            "at",
            "dot",
            "point",
            "dash",
            "slash",
            "backslash",
            "underscore",
            "zero",
            "oh",
            "nought",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "double",
            "triple",
            "treble",
        ]
    ),
)
