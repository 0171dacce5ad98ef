"""Hashed character n-grams of a reading: the inputs of the facet model, the same in training and in use.

Every feature is a CRC-32 of a few characters, so the weights file holds no text. Words of scripts with spaces give
n-grams of 3 to 5 characters within the word, the word itself and pairs of neighbours; scripts without spaces give
n-grams of 1 to 3 characters. The concepts of the short lexicon, and each two of them together, are features too: they
carry what is learned in one language over to the others.
"""

import re
from dataclasses import dataclass
from zlib import crc32

from habitus_classifier.concepts import concepts
from habitus_classifier.text import Reading

_CLAUSE = re.compile(r"[.,;:!?…()«»“”„،؛؟।。、，！？：；（）「」『』\-–—\"]+(?:\s|$)|[،؛؟।。、，！？：；（）「」『』]")
_TOKEN = re.compile(r"[^\s.,;:!?…()\[\]{}\"'`«»“”„‚‘’،؛؟।。、，！？：；（）「」『』《》·\-–—/\\|<>=+*&^%$#@~]+")
_WEIGHT = 3
"""A concept counts so often, so that the model leans on it."""
_MOST = 12
"""Concepts looked at in one text."""
_CLAUSES = 4
"""Clauses looked at one by one."""
_DENSE_FROM = "\u0e00"
_DENSE = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")


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
    for width in range(2 * low, 2 * high + 2, 2):
        for start in range(0, size - width + 1, 2):
            found.add(crc32(data[start : start + width], width))


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


def _of_words(tokens: list[str]) -> set[int]:
    found: set[int] = set()
    previous = "^"
    for token in tokens:
        if token > _DENSE_FROM and _DENSE.search(token):
            _grams(token, 1, 3, found)
        else:
            _grams(f"_{token[:24]}_", 3, 5, found)
            found.add(_word(token))
        found.add(_word(f"{previous} {token}"))
        previous = token
    found.add(_word(f"{previous} $"))
    return found


def features(reading: Reading) -> Features:
    """The features of a reading."""
    whole = {crc32(cue.encode(), 2) for cue in reading.cues}
    named: dict[str, None] = {}
    clauses: list[set[int]] = []
    for clause in _CLAUSE.split(reading.words):
        tokens = _TOKEN.findall(clause)
        if tokens:
            names, found = concepts(tokens), _of_words(tokens)
            named.update(dict.fromkeys(names))
            whole |= found
            if len(clauses) < _CLAUSES:
                clauses.append(found | _of_concepts(names))
    whole |= _of_concepts(list(named)) | _of_field(set(named), set(reading.cues))
    return Features(whole, clauses if len(clauses) > 1 else [], frozenset(named))
