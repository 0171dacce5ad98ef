"""Cue words by language: how long a wish holds, and whether it is taken back. Closed lists of general words."""

import re
import tomllib
from enum import StrEnum
from functools import cache
from pathlib import Path

_ANYWHERE = frozenset({"zh", "ja", "ko"})
"""Languages whose words do not end at spaces (Korean particles join on): their cues match anywhere."""


_NO_WORD = re.compile(r"[^\w']+")
_CURLY, _STRAIGHT = "\u2019", "'"


class Cue(StrEnum):
    """What a cue says."""

    HABIT = "habit"
    """The wish is the person's way in general."""
    ONE_OFF = "one_off"
    """The wish holds this one time."""
    WITHDRAWN = "withdrawn"
    """An earlier wish is taken back."""
    UNDECIDED = "undecided"
    """The person leaves it open."""


def _folded(text: str) -> str:
    """Text as words between single spaces, with one at each end: a cue is then a plain substring."""
    return f" {' '.join(_NO_WORD.sub(' ', text.casefold().replace(_CURLY, _STRAIGHT)).split())} "


@cache
def _cues(cue: Cue) -> tuple[str, ...]:
    """The cues of one kind as substrings of folded text: whole words, stems, or (without spaces) anywhere."""
    lists = tomllib.loads(Path(__file__).with_name("cues.toml").read_text("utf-8"))[cue.value]
    found: set[str] = set()
    for language, entries in lists.items():
        for entry in entries:
            words = _folded(entry.rstrip("*"))
            found.add(words.strip() if language in _ANYWHERE else words.rstrip() if entry.endswith("*") else words)
    return tuple(sorted(found))


def has(cue: Cue, text: str) -> bool:
    """Whether the text holds a cue of this kind, in any language."""
    folded = _folded(text)
    return any(entry in folded for entry in _cues(cue))
