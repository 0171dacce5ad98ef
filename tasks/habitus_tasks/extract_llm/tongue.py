"""In which of four ways a text is written, as far as masking has to know. A guess from its words and letters."""

import re
from enum import Enum, auto
from functools import cache

from stop_words import get_stop_words

from habitus_tasks.barriers.wordlists import WORDS

_WORD = re.compile(r"[^\W\d_]{2,}")
ENGLISH_SHARE = 0.5
"""Of its Latin words so many are on the gate's published list: English, or something as harmless."""
GERMAN_SHARE = 0.15
"""Of its words so many are German function words that the other languages do not have."""


class Tongue(Enum):
    """How names can be told in a text."""

    ENGLISH = auto()
    """By a list of words that are none."""
    GERMAN = auto()
    """Hardly: every noun has a capital."""
    OTHER = auto()
    """By a capital within a sentence."""
    OTHER_SCRIPT = auto()
    """Not at all where letters have no case; Latin words in it stand out."""


@cache
def _german_words() -> frozenset[str]:
    others = {word for language in ("english", "dutch", "swedish", "danish") for word in get_stop_words(language)}
    return frozenset(word.casefold() for word in get_stop_words("german")) - frozenset(others)


def _is_latin(letter: str) -> bool:
    """Latin letters with all their marks, those of Vietnamese included; sounds and superscripts apart."""
    return letter < "\u0250" or "\u1e00" <= letter <= "\u1eff"


def scripts_of(word: str) -> set[bool]:
    """For the letters of a word: whether they are Latin. Both, for a mixed one; none, without letters."""
    return {_is_latin(c) for c in word if c.isalpha()}


def tongue_of(text: str) -> Tongue:
    """The way the text is written; English when it has no words."""
    words = [word.casefold() for word in _WORD.findall(text)]
    latin = [word for word in words if _is_latin(word[0])]
    if sum(map(len, latin)) * 2 < sum(map(len, words)):
        return Tongue.OTHER_SCRIPT
    if sum(word in WORDS for word in latin) >= ENGLISH_SHARE * len(latin):
        return Tongue.ENGLISH
    german = sum(word in _german_words() for word in latin)
    return Tongue.GERMAN if german and german >= GERMAN_SHARE * len(latin) else Tongue.OTHER
