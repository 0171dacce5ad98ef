"""Random strings: UUIDs, hashes, base64 and base32, keys without a known prefix."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import A_DIGIT, Barrier

_LONG = re.compile(r"[A-Za-z0-9+/_-]{7,}(?:={1,2}(?!\w))?")
_HEX = re.compile(r"(?:0x)?[0-9A-Fa-f-]{7,}")
_SWITCH = re.compile(r"[a-z][A-Z0-9]|[0-9][A-Za-z]|[A-Z][0-9]|[A-Z]{2}[a-z]")
_MIN_LENGTH = 14
_MIN_SWITCHES = 4
"""Changes of class within a token. A random base64 token of 14 has about 8; an identifier in camel case under 4."""


def catches(text: str) -> bool:
    """Whether the text holds a string too random to be a word."""
    return any(map(_is_random, _LONG.findall(text)))


def _is_random(token: str) -> bool:
    if _HEX.fullmatch(token) is not None:
        return not token.replace("-", "").isdigit() and any(map(str.isdigit, token))
    return len(token) >= _MIN_LENGTH and (token[-1] == "=" or len(_SWITCH.findall(token)) >= _MIN_SWITCHES)


BARRIER = Barrier("high_entropy", Code.PRIVATE_HIGH_ENTROPY, catches, frozenset({A_DIGIT, "="}))
