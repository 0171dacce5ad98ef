"""The lock: every word of a note must be on the published list. What the other barriers miss ends here."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier
from habitus_tasks.barriers.wordlists import IDIOMS, WORDS

_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{2,}(?![^\W_])(?:'[^\W\d_]+)?")  # `mixed_token` has those with digits
_HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SUFFIX = re.compile(r"'(?:s|d|re|ve|ll)$")


def _by_first_word() -> dict[str, re.Pattern[str]]:
    """For each first word of an idiom, what finds the idioms that begin with it: none goes on where another ends."""
    phrases: dict[str, list[str]] = {}
    for phrase in sorted(IDIOMS):
        phrases.setdefault(_WORD.findall(phrase)[0], []).append(re.escape(phrase).replace(r"\ ", "[ -]"))
    return {word: re.compile(rf"\b(?:{'|'.join(each)})\b", re.IGNORECASE) for word, each in phrases.items()}


_IDIOMS = _by_first_word()


def published() -> frozenset[str]:
    """Every word that may stand in a note, in lower case: what the LLM extractor is told."""
    return WORDS


def catches(text: str) -> bool:
    """Whether any word of the text is neither on the list nor part of a listed idiom."""
    words = _WORD.findall(text.lower())
    if WORDS.issuperset(words):
        return False
    return any(map(_is_unlisted, _WORD.findall(without_idioms(text))))


def without_idioms(text: str) -> str:
    """The text with spaces in place of the listed idioms: what is left stands where it stood."""
    for word in _WORD.findall(text.lower()):
        if word in _IDIOMS:
            text = _IDIOMS[word].sub(lambda found: " " * len(found[0]), text)
    return text


def _is_unlisted(word: str) -> bool:
    stem = _SUFFIX.sub("", word)
    return not (stem.lower() in WORDS or _is_camel(stem))


def _is_camel(stem: str) -> bool:
    """``maxRetryCount``: nothing but humps of two letters or more, each of them listed."""
    humps = _HUMP.findall(stem)
    return "".join(humps) == stem and all(len(hump) > 1 and hump.lower() in WORDS for hump in humps)


BARRIER = Barrier("vocabulary", Code.FREE_TEXT, catches)
