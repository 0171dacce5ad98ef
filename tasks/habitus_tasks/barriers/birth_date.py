"""Dates of birth and ages, and full dates too old to be the day of a session."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import MANY_DIGITS, Barrier

_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_BIRTH = re.compile(
    rf"""
      \b(?:born|birth|birthday|birthdate|dob|birthplace)\b
    | \b(?:aged?|turning|turned|turns|age\sof)[\s:]{{1,2}}[1-9]\d\b(?!%)
    | \b\d{{1,3}}[\s-]?(?:years?|yrs?)[\s-]?(?:old|of\sage)\b | \b\d{{1,3}}\s?(?:yo|y/o)\b
    | \b(?:1[89]\d\d)[-/.]\d{{1,2}}[-/.]\d{{1,2}}\b(?<!1970-01-01)
    | \b\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:1[89]\d\d|[5-9]\d)\b
    | \b\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?(?:{_MONTH})[a-z]{{0,6}}\.?,?\s(?:1[89]\d\d|200\d)\b
    | \b(?:{_MONTH})[a-z]{{0,6}}\.?\s\d{{1,2}}(?:st|nd|rd|th)?,?\s(?:1[89]\d\d|200\d)\b
    | \b19[2-9]\d\b(?![-.]\w|\s?\w+s\b)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NEEDS = "born birth birthday birthdate dob birthplace age aged turning turned turns old yo"


def catches(text: str) -> bool:
    """Whether the text holds a date of birth or an age."""
    return _BIRTH.search(text) is not None


BARRIER = Barrier("birth_date", Code.PRIVATE_DEMOGRAPHIC, catches, frozenset(_NEEDS.split()) | {"/", "9", MANY_DIGITS})
