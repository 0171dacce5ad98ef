"""Host and domain names, and hosts with a port. Fails closed: a dotted word must be a listed one or a version."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import INNER_DOT, Barrier
from habitus_tasks.barriers.wordlists import CODE_ROOTS, DOTTED

_DOTTED = re.compile(r"(?<!\w)\w[\w-]*(?:\.[\w-]+)+")
_VERSION = re.compile(
    r"v?\d{1,4}(?:\.(?:\d{1,4}|x)){1,2}(?:-?(?:rc|a|b|alpha|beta|dev|post|pre)\.?\d{0,3}(?:\.\d{1,3})?)?\w{0,3}", re.I
)
_PORT = re.compile(r"(?<![\w.])[A-Za-z][\w.-]{1,63}:(?!20\d\d\b)\d{4,5}\b")


def catches(text: str) -> bool:
    """Whether the text holds a host name or a host with a port."""
    if _PORT.search(text) is not None:
        return True
    return any(map(_is_host, _DOTTED.findall(text)))


def _is_host(dotted: str) -> bool:
    word = dotted.lower().rstrip("-")
    if word in DOTTED or word.partition(".")[0] in CODE_ROOTS:
        return False
    return _VERSION.fullmatch(word) is None


BARRIER = Barrier("domain", Code.PRIVATE_DOMAIN, catches, frozenset({":", INNER_DOT}))
