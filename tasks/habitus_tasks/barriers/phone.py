"""Telephone numbers, national and international."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import MANY_DIGITS, Barrier
from habitus_tasks.barriers.dates import without_dates

_PHONE = re.compile(
    r"""
      \+\s?\(?\d[\d\s().-]{6,24}\d
    | \(\s?\d{2,5}\s?\)[\s.-]?\d[\d\s.-]{3,16}\d
    | (?<![\w.])0\d{1,5}[\s/.-]\d[\d\s/.-]{3,16}\d
    | 00\d{8,}
    | \d{3}[\s.-]\d{3}[\s.-]\d{4}
    | (?<![\w.-])\d{3}-\d{4}(?![\w-])
    | \b(?:tel|phone|mobile|cell|fax|whatsapp|ext|extension|call|dial|ring|text)\b[:.\s]{1,3}
        (?:them\sat\s|on\s|at\s)?\+?\d[\d\s().-]{2,20}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NEEDS = "tel phone mobile cell fax whatsapp ext extension call dial ring text"


def catches(text: str) -> bool:
    """Whether the text holds a telephone number."""
    return _PHONE.search(without_dates(text)) is not None


BARRIER = Barrier("phone", Code.PRIVATE_PHONE, catches, frozenset(_NEEDS.split()) | {MANY_DIGITS})
