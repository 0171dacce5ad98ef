"""The lock: every word of a note must be on the published list. What the other barriers miss ends here."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier
from habitus_tasks.barriers.wordlists import WORDS

_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{2,}(?![^\W_])(?:'[^\W\d_]+)?")  # `mixed_token` has those with digits
_HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SUFFIX = re.compile(r"'(?:s|d|m|t|re|ve|ll)$")


def published() -> frozenset[str]:
    """Every word that may stand in a note, in lower case: what the LLM extractor is told."""
    return WORDS


def catches(text: str) -> bool:
    """Whether any word of the text is not on the list."""
    if WORDS.issuperset(_WORD.findall(text.lower())):
        return False
    return any(map(_is_unlisted, _WORD.findall(text)))


def _is_unlisted(word: str) -> bool:
    stem = _SUFFIX.sub("", word)
    return not (word.lower() in WORDS or stem.lower() in WORDS or _is_camel(stem))


def _is_camel(stem: str) -> bool:
    """``maxRetryCount``: nothing but humps of two letters or more, each of them listed."""
    humps = _HUMP.findall(stem)
    return "".join(humps) == stem and all(len(hump) > 1 and hump.lower() in WORDS for hump in humps)


BARRIER = Barrier("vocabulary", Code.FREE_TEXT, catches)
