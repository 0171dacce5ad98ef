"""Numbers that a state gives: social security, insurance, tax, passport and identity card numbers."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import MANY_DIGITS, Barrier

_ID = re.compile(
    r"""
      \d{3}-\d{2}-\d{4}(?![\w-])                        # United States
    | \d{3}\.\d{3}\.\d{3}-\d{2}                   # Brazil
    | \b[A-Z]{2}[ -]?\d{2}[ -]?\d{2}[ -]?\d{2}[ -]?[A-D]\b        # United Kingdom
    | \d{4}\s\d{4}\s\d{4}                      # India
    | \d{6}[ +-]\d{3,5}\b                               # Nordic and Korean: a birth day and a number
    | \b\d{8}-?[A-Z]\b | \b[XYZ]-?\d{7}-?[A-Z]\b                  # Spain
    | \b(?=\d{0,9}[A-Z])(?:[A-Z]{1,3}\d[A-Z0-9]{5,8}|[A-Z0-9]{4,8}\d{4})\b   # passports
    """,
    re.VERBOSE,
)
_NAMED = re.compile(
    r"\b(?:ssn|nino|aadhaar|passport|national insurance|social security|nhs number|tax id|id card|licen[cs]e plate)\b",
    re.IGNORECASE,
)
_NEEDS = "ssn nino aadhaar passport insurance security nhs tax card plate"


def catches(text: str) -> bool:
    """Whether the text holds, or speaks of, a number that a state gives."""
    return _ID.search(text) is not None or _NAMED.search(text) is not None


BARRIER = Barrier("national_id", Code.PRIVATE_ACCOUNT_NUMBER, catches, frozenset(_NEEDS.split()) | {MANY_DIGITS})
