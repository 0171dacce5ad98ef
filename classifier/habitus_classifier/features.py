"""Hashed character n-grams of a reading: the inputs of the facet model, the same in training and in use.

Every feature is a CRC-32 of a few characters, so the weights file holds no text. Words of scripts with spaces give
n-grams of 3 to 5 characters within the word, the word itself and pairs of neighbours; scripts without spaces give
n-grams of 1 to 3 characters. The concepts of the short lexicon, and each two of them together, are features too: they
carry what is learned in one language over to the others.
"""

import re
from bisect import bisect_right
from collections.abc import Container
from dataclasses import dataclass
from itertools import pairwise
from zlib import crc32

from habitus_classifier.concepts import concepts
from habitus_classifier.text import Reading

_CLAUSE = re.compile(r"[.,;:!?…()«»“”„،؛؟।。、，！？：；（）「」『』\-–—\"]+(?:\s|$)|[،؛؟।。、，！？：；（）「」『』]")
_TOKEN = re.compile(r"[^\s.,;:!?…()\[\]{}\"'`«»“”„‚‘’،؛؟।。、，！？：；（）「」『』《》·\-–—/\\|<>=+*&^%$#@~]+")
_WEIGHT = 3
"""A concept counts so often, so that the model leans on it."""
_MOST = 12
"""Concepts looked at in one text."""
_CLAUSES = 2
"""So many clauses of the start and of the end are looked at one by one."""
_CLAUSE_WORDS = 16
"""A clause of more words than this is no aside in which something is asked for."""
_DENSE_FROM = "\u0e00"
_DENSE = "\u0e00\u0f00\u1000\u10a0\u1100\u1200\u1780\u1800\u2e80\ua000\uac00\ud7b0\uf900\ufb00"
"""Where scripts without spaces begin and end, in turn: a pattern of such ranges would take milliseconds to compile."""


_TECHNICAL = frozenset(
    {
        *(
            "script",
            "function",
            "code",
            "refactor",
            "install",
            "command",
            "test",
            "commit",
            "comments",
            "types",
            "docstring",
        ),
        *(
            "format",
            "errors",
            "library",
            "language",
            "declarative",
            "codething",
            "ops",
            "fencing",
            "shellform",
            "lookup",
        ),
    }
)
"""Concepts that speak of software."""
_EVERYDAY = frozenset(
    {
        *("recipe", "letter", "recipient", "post", "essay", "creative", "health", "law", "travel", "personal", "food"),
        *("household", "people", "body", "study", "money", "goesout", "howmuch"),
    }
)
"""Concepts that speak of anything else."""
_CODE_CUES = frozenset(
    {"codefile", "conffile", "snake", "camel", "call", "path", "flag", "error", "html", "code", "ticked"}
)
_SIGN_WEIGHT = 4


@dataclass(frozen=True, slots=True, repr=False)
class Features:
    """The features of a text, and those of each of its clauses when it has several, as 32-bit hashes.

    Attributes:
        concepts: the concepts of the short lexicon that the text names.
    """

    whole: set[int]
    clauses: list[set[int]]
    concepts: frozenset[str]


def _grams(token: str, low: int, high: int, found: set[int]) -> None:
    data = token.encode("utf-16-le", "surrogatepass")
    size = len(data)
    for width in range(2 * low, min(2 * high, size) + 2, 2):
        found.update([crc32(data[start : start + width], width) for start in range(0, size - width + 1, 2)])


def _dense(token: str) -> bool:
    """Whether the token has a character of a script without spaces."""
    return any(bisect_right(_DENSE, character) % 2 for character in token)


def _word(token: str) -> int:
    return crc32(token.encode("utf-8", "surrogatepass"), 1)


def _of_concepts(names: list[str]) -> set[int]:
    ordered = sorted(names[:_MOST])
    found = {crc32(name.encode(), 10 + copy) for name in ordered for copy in range(_WEIGHT)}
    found.update(crc32(f"{one}+{two}".encode(), 3) for at, one in enumerate(ordered) for two in ordered[at + 1 :])
    return found


def _of_field(names: set[str], cues: set[str]) -> set[int]:
    """Features for how much speaks of software and how much of anything else: that nothing does is a sign too."""
    software = min(3, len(names & _TECHNICAL) + 2 * len(cues & _CODE_CUES))
    everyday = min(2, len(names & _EVERYDAY))
    signs = (f"software:{software}", f"everyday:{everyday}", f"field:{min(1, software)}{min(1, everyday)}")
    return {crc32(sign.encode(), 20 + copy) for sign in signs for copy in range(_SIGN_WEIGHT)}


_PUBLIC: dict[str, frozenset[int]] = {}
"""The features of words that the weights know. Words of a query that only its author knows never get here."""


def _of_word(token: str, known: Container[int]) -> set[int] | frozenset[int]:
    found: set[int] = set()
    if token > _DENSE_FROM and _dense(token):
        _grams(token, 1, 3, found)
        return found
    word = _word(token)
    _grams(f"_{token[:24]}_", 3, 5, found)
    found.add(word)
    if word in known:
        _PUBLIC[token] = frozenset(found)
    return found


def _of_words(tokens: list[str], known: Container[int]) -> set[int]:
    found: set[int] = set()
    for token in set(tokens):
        found |= _PUBLIC.get(token) or _of_word(token, known)
    found.update([_word(f"{one} {two}") for one, two in pairwise(["^", *tokens, "$"])])
    return found


def words_of(reading: Reading) -> dict[int, str]:
    """The words of a reading by their features; of a script without spaces, each two neighbouring characters."""
    found: dict[int, str] = {}
    for token in _TOKEN.findall(reading.words):
        if token > _DENSE_FROM and _dense(token):
            pairs = (token[start : start + 2] for start in range(len(token) - 1))
            found.update((crc32(pair.encode("utf-16-le", "surrogatepass"), 4), pair) for pair in pairs)
        else:
            found[_word(token)] = token[:24]
    return found


def features(reading: Reading, known: Container[int] = ()) -> Features:
    """The features of a reading. `known`: those of the weights; what their words come to is kept for the next query."""
    whole = {crc32(cue.encode(), 2) for cue in reading.cues}
    named: dict[str, None] = {}
    clauses: list[tuple[set[int], list[str]]] = []
    words: set[int] = set()
    for clause in _CLAUSE.split(reading.words):
        tokens = _TOKEN.findall(clause)
        if tokens:
            names, found = concepts(tokens), _of_words(tokens, known)
            named.update(dict.fromkeys(names))
            words |= found
            if len(tokens) <= _CLAUSE_WORDS:
                clauses.append((found, names))
    asides = clauses if len(clauses) <= 2 * _CLAUSES else clauses[:_CLAUSES] + clauses[-_CLAUSES:]
    alone = len(clauses) == 1 and clauses[0][0] == words
    whole |= words | _of_concepts(list(named)) | _of_field(set(named), set(reading.cues))
    return Features(whole, [] if alone else [found | _of_concepts(names) for found, names in asides], frozenset(named))
