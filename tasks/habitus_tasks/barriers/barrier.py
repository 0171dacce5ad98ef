"""What a barrier is: a name, a code, one yes-or-no question about a note, and what a note must hold to be asked it."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from habitus_schema.codes import Code

A_DIGIT = "a digit"
"""Held by a text with a digit. The marks are not words, so that no text can hold one by saying it."""
MANY_DIGITS = "many digits"
"""Held by a text with `_MANY` digits or more."""
INNER_DOT = "inner dot"
"""Held by a text with a dot between two characters of words."""
_MANY = 5
_WORD = re.compile(r"[^\W\d_]{2,}")
_DIGIT = re.compile(r"\d")
_DOT = re.compile(r"\w\.\w")


@dataclass(frozen=True, slots=True)
class Barrier:
    """One kind of private thing that a note may not hold.

    Attributes:
        name: the detector name that a refusal carries; also the name of the barrier's file, test and docs entry.
        code: the closed reason.
        catches: True when the folded text of a note holds that kind of thing. It returns nothing of what it saw.
        needs: characters, lower-case words and marks; a text that holds none of them is not asked. None: always asked.
            The question is slow and this is fast, and most notes hold none of them.
    """

    name: str
    code: Code
    catches: Callable[[str], bool]
    needs: frozenset[str] | None = None

    def refuses(self, text: str) -> bool:
        """Whether a note of this folded text is asked, and caught."""
        return (self.needs is None or not self.needs.isdisjoint(held_by(text))) and self.catches(text)


def held_by(text: str) -> set[str]:
    """The characters of a text, its words of two letters or more in lower case, and its marks."""
    held = {*text, *_WORD.findall(text.lower())}
    digits = len(_DIGIT.findall(text))
    if digits:
        held.add(A_DIGIT)
    if digits >= _MANY:
        held.add(MANY_DIGITS)
    if _DOT.search(text) is not None:
        held.add(INNER_DOT)
    return held
