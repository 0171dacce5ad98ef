"""Numbers that are not counts, dates, times, ratios or versions. Fails closed: the last word on digits.

Counts have up to four digits, or thousands groups, or end in three zeros. Digits in groups are added up: seven or more
are an account, a card, a telephone or an identity number, however they are separated.
"""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import MANY_DIGITS, Barrier
from habitus_tasks.barriers.dates import without_dates

_RUN = re.compile(r"\d(?:[\s().+/_|*~-]{0,8}\d)*")
_ZEROS = re.compile(r"(?<![\d.,:])0\d\d|(?<![\d.])[1-9]\d{0,2}\.\d{4}")  # 007; 59.3293 is a place, 0.8512 a score
_LONGEST = 4
_MOST = 6


def catches(text: str) -> bool:
    """Whether a number remains when counts, dates, times, ratios and versions are taken out."""
    return _any_identifier(text) and _any_identifier(without_dates(text))


def _any_identifier(text: str) -> bool:
    return _ZEROS.search(text) is not None or any(map(_is_identifier, _RUN.findall(text)))


def _is_identifier(run: str) -> bool:
    groups = re.findall(r"\d+", run)
    return max(map(len, groups)) > _LONGEST or sum(map(len, groups)) > _MOST


BARRIER = Barrier("numbers", Code.PRIVATE_ACCOUNT_NUMBER, catches, frozenset({"0", MANY_DIGITS}))
