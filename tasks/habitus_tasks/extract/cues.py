"""Cue words by language: how long a wish holds, and whether it is taken back. Closed lists of general words."""

import re
import tomllib
from enum import StrEnum
from functools import cache
from pathlib import Path

_ANYWHERE = frozenset({"zh", "ja", "ko"})
"""Languages whose words do not end at spaces (Korean particles join on): their cues match anywhere."""


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


def _pattern(language: str, cue: str) -> str:
    if language in _ANYWHERE:
        return re.escape(cue)
    stem = re.escape(cue.rstrip("*").strip())
    return rf"(?<!\w){stem}" + ("" if cue.endswith("*") else r"(?!\w)")


@cache
def _compiled(cue: Cue) -> re.Pattern[str]:
    lists = tomllib.loads(Path(__file__).with_name("cues.toml").read_text("utf-8"))[cue.value]
    patterns = {_pattern(language, entry) for language, entries in lists.items() for entry in entries}
    return re.compile("|".join(sorted(patterns, key=len, reverse=True)), re.IGNORECASE)


def has(cue: Cue, text: str) -> bool:
    """Whether the text holds a cue of this kind, in any language."""
    return bool(_compiled(cue).search(text.replace("\u2019", "'")))
