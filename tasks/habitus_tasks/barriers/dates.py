"""Dates, times, ranges and rounded counts: the digits that notes about form are full of. Not a barrier; two use it."""

import re

_DATED = re.compile(
    r"""(?<![\w./:-])(?:
      20[0-4]\d-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?
    | (?:0?[1-9]|[12]\d|3[01])[/.-](?:0?[1-9]|[12]\d|3[01])[/.-](?:20)?[0-4]\d
    | 20[0-4]\d[/.](?:0?[1-9]|1[0-2])[/.](?:0?[1-9]|[12]\d|3[01])
    | (?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?:\.\d{1,3})?Z?
    | 20[0-4]\d[-/]20[0-4]\d
    | [1-9]\d{0,2}0-[1-9]\d{0,2}0
    | [1-9]\d{0,2}000 | 16384 | 32768 | 65535 | 65536
    )(?![\w/:-]|[.,]\d)""",
    re.VERBOSE,
)


def without_dates(text: str) -> str:
    """The text with a mark in place of each of them, so that the digits around one do not run together."""
    return _DATED.sub(" ; ", text)
