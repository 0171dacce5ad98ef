"""Hardware addresses: six pairs or three fours of hexadecimal digits."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import A_DIGIT, Barrier

_MAC = re.compile(r"[0-9A-Fa-f]{2}([:-])(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}|[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4}){2}")


def catches(text: str) -> bool:
    """Whether the text holds a hardware address."""
    return _MAC.search(text) is not None


BARRIER = Barrier("mac_address", Code.PRIVATE_IP, catches, frozenset({":", A_DIGIT}))
