"""Network addresses: IPv4 and IPv6, with or without a port or a mask."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import MANY_DIGITS, Barrier

_IP = re.compile(
    r"""
      \d{1,3}(?:\.\d{1,3}){3}
    | (?:[0-9A-Fa-f]{1,4}:){3,7}[0-9A-Fa-f]{0,4}
    | (?<!\w)[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){0,6}::(?:[0-9A-Fa-f]{1,4}|\B)
    | (?<![\w:])::[0-9A-Fa-f]{1,4}\b
    """,
    re.VERBOSE,
)


def catches(text: str) -> bool:
    """Whether the text holds a network address."""
    return _IP.search(text) is not None


BARRIER = Barrier("ip_address", Code.PRIVATE_IP, catches, frozenset({":", MANY_DIGITS}))
