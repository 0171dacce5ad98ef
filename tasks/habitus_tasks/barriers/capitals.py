"""Capitals: one in the middle of a sentence must be that of a listed name or of a word about form."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier
from habitus_tasks.barriers.wordlists import DOTTED, FORM, NAMES, WORDS

_CAPITALISED = re.compile(r"(?<!\w)(?<!')[^\W\d_]*[A-Z\u00c0-\u00d6\u00d8-\u00de][^\W\d_]*(?!\d)(?:'[^\W\d_]+)?")
_LETTERS = frozenset("BCDEKNORXZ")
"""Single capitals that stand for something and are no listed word: options B to E, "K=2", "N/A", "I/O", "R", axes."""
_OPENERS = ".!?:\"'`(*\n"
"""What a sentence, a quotation or an item may begin after."""
_HUMPS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def catches(text: str) -> bool:
    """Whether a capital stands where no listed word has one."""
    if text[1:].islower():  # most notes: at most the first letter is one
        return False
    return any(_is_unlisted(found, text) for found in _CAPITALISED.finditer(text))


def _is_unlisted(found: re.Match[str], text: str) -> bool:
    word = found.group()
    plain = word[1:].islower()
    if word in NAMES or word in _LETTERS or (word.lower() in FORM and (plain or word.isupper())):
        return False
    if text[found.start() : found.end() + 2].lower() in DOTTED:  # the P of "P.S."
        return False
    if plain or len(word) == 1:
        before = text[: found.start()].rstrip(" ")
        return before != "" and before[-1] not in _OPENERS
    return not _is_camel(word)


def _is_camel(word: str) -> bool:
    """``maxRetryCount``: humps of at least two letters, each a word about form."""
    humps = _HUMPS.findall(word)
    return len(humps) > 1 and all(len(hump) > 1 and hump.lower() in WORDS for hump in humps)


BARRIER = Barrier("capitals", Code.PRIVATE_NAMED_ENTITY, catches)
