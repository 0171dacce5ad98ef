"""E-mail addresses, and whatever else joins two things with an at sign (``git@host``, ``user:pass@host``)."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

_ADDRESS = re.compile(r"[^\s(\"'`]@\s?\w|\w\s@\s\w")


def catches(text: str) -> bool:
    """Whether an at sign joins two things."""
    return _ADDRESS.search(text) is not None


BARRIER = Barrier("email_address", Code.PRIVATE_EMAIL, catches, frozenset("@"))
