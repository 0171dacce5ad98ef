"""Numbers that are not counts, dates, times, ratios or versions. Fails closed: the last word on digits.

Counts have up to four digits, or thousands groups, or end in three zeros. Digits in groups are added up: seven or more
are an account, a card, a telephone or an identity number, however they are separated.
"""

import re

from habitus_schema.codes import Code

from habitus_tasks.barriers.barrier import Barrier

_DATED = re.compile(
    r"""(?<![\w./:-])(?:
      20[0-4]\d-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?
    | (?:0?[1-9]|[12]\d|3[01])[/.-](?:0?[1-9]|[12]\d|3[01])[/.-](?:20)?[0-4]\d
    | 20[0-4]\d[/.](?:0?[1-9]|1[0-2])[/.](?:0?[1-9]|[12]\d|3[01])
    | (?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?:\.\d{1,3})?Z?
    | 20[0-4]\d[-/]20[0-4]\d
    | \d{1,3}(?:,\d{3}){1,2}(?:-\d{1,3}(?:,\d{3}){1,2})?
    | \d{1,3}0-\d{1,3}0
    | \d{1,3}000 | 16384 | 32768 | 65536 | 65535
    )(?![\w/:-]|[.,]\d)""",
    re.VERBOSE,
)
_RUN = re.compile(r"\d(?:[\s().+/_-]{0,5}\d)*")
_ZEROS = re.compile(r"(?<![\d.,:])0\d\d")
_LONGEST = 4
_MOST = 6


def catches(text: str) -> bool:
    """Whether a number remains when counts, dates, times, ratios and versions are taken out."""
    left = _DATED.sub(" ; ", text)
    return _ZEROS.search(left) is not None or any(map(_is_identifier, _RUN.findall(left)))


def _is_identifier(run: str) -> bool:
    groups = re.findall(r"\d+", run)
    return max(map(len, groups)) > _LONGEST or sum(map(len, groups)) > _MOST


BARRIER = Barrier("numbers", Code.PRIVATE_ACCOUNT_NUMBER, catches)
