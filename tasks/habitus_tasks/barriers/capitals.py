"""Capitals: one in the middle of a sentence must be that of a listed name or of a word about form."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier
from habitus_tasks.barriers.wordlists import DOTTED, FORM, NAMES, WORDS

_CAPITALISED = re.compile(r"(?<!\w)(?<!')[^\W\d_]*[A-Z\u00c0-\u00d6\u00d8-\u00de][^\W\d_]*(?!\d)(?:'[^\W\d_]+)?")
_LETTERS = frozenset("ABCDEIKNORXYZ")
"""Single capitals that stand for something: options A to E, "I", "K=2", "N/A", "I/O", "C", "R", axes."""
_START = re.compile(r"(?:^|[.!?:]\s|[\"'`(*\n]|^[-*]\s|\.\.\.)\s*$")
_HUMPS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def catches(text: str) -> bool:
    """Whether a capital stands where no listed word has one."""
    if text[1:].islower():  # most notes: at most the first letter is one
        return False
    return any(_is_unlisted(found, text) for found in _CAPITALISED.finditer(text))


def _is_unlisted(found: re.Match[str], text: str) -> bool:
    word = found.group()
    if (
        word in NAMES
        or word in _LETTERS
        or (word.lower() in FORM and (word.isupper() or word.istitle() or word[1:].islower()))
    ):
        return False
    if _is_abbreviated(found, text):
        return False
    if word[1:].islower() or len(word) == 1:
        return _START.search(text, max(0, found.start() - 4), found.start()) is None
    return not _is_camel(word)


def _is_abbreviated(found: re.Match[str], text: str) -> bool:
    """Either letter of a listed abbreviation: "P.S.", "U.S."."""
    start, end = found.span()
    return text[max(0, start - 2) : end].lower() in DOTTED or text[start : end + 2].lower() in DOTTED


def _is_camel(word: str) -> bool:
    """``maxRetryCount``: humps of at least two letters, each a word about form."""
    humps = _HUMPS.findall(word)
    return len(humps) > 1 and all(len(hump) > 1 and hump.lower() in WORDS for hump in humps)


BARRIER = Barrier("capitals", Code.PRIVATE_NAMED_ENTITY, catches)
