"""Random strings: UUIDs, hashes, base64 and base32, keys without a known prefix."""

import re

from habitus_schema.codes import Code

from habitus_tasks.barriers.barrier import Barrier

_HASHED = re.compile(
    r"""
      \b[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\b
    | \b(?=[0-9A-Fa-f]{0,63}?[0-9])(?=[0-9A-Fa-f]{0,63}?[A-Fa-f])[0-9A-Fa-f]{7,}\b
    | [A-Za-z0-9+/]{12,}={1,2}(?!\w)
    """,
    re.VERBOSE,
)
_LONG = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{14,}")
_SWITCH = re.compile(r"[a-z][A-Z0-9]|[0-9][A-Za-z]|[A-Z][0-9]|[A-Z]{2}[a-z]")
_MIN_SWITCHES = 4
"""Changes of class within a token. A random base64 token of 14 has about 8; an identifier in camel case under 4."""


def catches(text: str) -> bool:
    """Whether the text holds a string too random to be a word."""
    if _HASHED.search(text) is not None:
        return True
    return any(len(_SWITCH.findall(token)) >= _MIN_SWITCHES for token in _LONG.findall(text))


BARRIER = Barrier("high_entropy", Code.PRIVATE_HIGH_ENTROPY, catches)
