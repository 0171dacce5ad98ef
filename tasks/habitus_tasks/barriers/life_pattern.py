"""How the kinds of turns of phrase about a life are written: each a pattern, asked only of a note that holds its words.

Not a barrier; `life_phrase` is, and asks them all. A pattern is of lower-case text, and every repetition in it has a
bound. A name in capitals stands for one of the parts below.
"""

import re
from collections.abc import Mapping

ByWord = Mapping[str, tuple[re.Pattern[str], ...]]
"""For each word of two letters or more, or sign, the patterns that a text with it is asked."""

_WORD = re.compile("[a-z]{2,}|[/$\u20ac\u00a3\u00a5]")

_SMALL = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen"
_LARGE = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand"
_DIGITS = r"\d[\d,.]{1,9}k?|\dk"
_AUXILIARY = "is|are|was|were|has|have|got|be|been|being|about|to|just|once"
_THEM = "they|user|person|who|and|since|as|after|because|of"
_NOT_ABLE = r"cannot|can't|cant|can\snot|can\sno\slonger|can\shardly|could\snot|unable\sto"
_GOES_ON = "and|but|so|since|last|next|this|again|now|they|wants|asks|asked|prefers|needs|likes"
_PARTS = {
    "NUMBER": rf"(?:{_SMALL}|{_LARGE}|{_DIGITS}|\d)",
    "LARGE": rf"(?:{_LARGE}|{_DIGITS})",  # nobody counts bullets with these
    "CANNOT": rf"\b(?:{_NOT_ABLE})\s",
    "PASSIVE": rf"(?:^|[.;:,(]\s?|\b(?:{_THEM})\s)(?:(?:{_AUXILIARY})\s){{1,4}}",  # of the person, who may go unsaid
    "ENDS": rf"(?=\W{{0,3}}$|[.,;:]|\s(?:{_GOES_ON})\b)",  # what would be a subject of the note does not follow
}
_PART = re.compile("|".join(_PARTS))


def by_word(*kinds: tuple[str, str]) -> ByWord:
    """Kinds, each as (the words of which a text must hold one, the pattern), filed under their words."""
    filed: dict[str, tuple[re.Pattern[str], ...]] = {}
    for words, pattern in kinds:
        found = re.compile(_PART.sub(lambda part: _PARTS[part[0]], pattern))
        for word in words.split():
            filed[word] = (*filed.get(word, ()), found)
    return filed


def merged(*tables: ByWord) -> ByWord:
    """Several tables as one."""
    words = frozenset().union(*tables)
    return {word: tuple(pattern for table in tables for pattern in table.get(word, ())) for word in words}


def says(kinds: ByWord, text: str) -> bool:
    """Whether any of the kinds is found in a text."""
    lower = text.lower()
    return any(
        pattern.search(lower) is not None
        for word in kinds.keys() & set(_WORD.findall(lower))
        for pattern in kinds[word]
    )
