"""Cue words by language: how long a wish holds, and whether it is taken back. Closed lists of general words."""

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

_ANYWHERE = frozenset({"zh", "ja", "ko"})
"""Languages whose words do not end at spaces (Korean particles join on): their cues match anywhere."""


_NO_WORD = re.compile(r"[^\w']+")
_JOINED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
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


def folded(text: str) -> str:
    """Text as words between single spaces, with one at each end: a cue is then a plain substring."""
    return f" {' '.join(_NO_WORD.sub(' ', text.casefold().replace(_CURLY, _STRAIGHT)).split())} "


@dataclass(frozen=True, slots=True)
class _Cues:
    """The cues of one kind: by their first word, and those of scripts without spaces, which match anywhere."""

    by_word: dict[str, tuple[str, ...]]
    stems: tuple[str, ...]
    anywhere: tuple[str, ...]


@cache
def _cues(cue: Cue) -> _Cues:
    lists = tomllib.loads(Path(__file__).with_name("cues.toml").read_text("utf-8"))[cue.value]
    spaced = [entry for language, entries in lists.items() if language not in _ANYWHERE for entry in entries]
    by_word: dict[str, tuple[str, ...]] = {}
    for words in {folded(entry) for entry in spaced if not entry.endswith("*")}:
        first = words.split()[0]
        by_word[first] = (*by_word.get(first, ()), words)
    stems = tuple(sorted({folded(entry.rstrip("*")).rstrip() for entry in spaced if entry.endswith("*")}))
    joined = {folded(entry).strip() for language in _ANYWHERE for entry in lists.get(language, [])}
    return _Cues(by_word, stems, tuple(sorted(joined)))


def has(cue: Cue, text: str) -> bool:
    """Whether the text holds a cue of this kind, in any language."""
    plain, cues = folded(text), _cues(cue)
    if any(words in plain for word in plain.split() for words in cues.by_word.get(word, ())):
        return True
    if any(stem in plain for stem in cues.stems):
        return True
    return has_joined(plain) and any(entry in plain for entry in cues.anywhere)


def has_joined(text: str) -> bool:
    """Whether part of the text is in a script whose words do not end at spaces."""
    return bool(_JOINED.search(text))
