"""Finds the concepts of ``concepts.txt`` in a text: a dictionary look-up at each word start, linear in the text."""

from functools import cache
from pathlib import Path

_SPACED_BELOW = "\u0590"
"""Scripts up to here (Latin, Greek, Cyrillic, Armenian) match at word starts only."""
_DEVANAGARI = ("\u0900", "\u0dff")
"""Indic scripts write spaces too."""


_HEAD = 4
"""Stems are found by so many of their first characters, or by all when they are shorter."""
_WIDTHS = range(1, _HEAD + 1)


@cache
def _index() -> dict[str, tuple[tuple[str, str], ...]]:
    """Stems with their concepts, by their heads."""
    found: dict[str, list[tuple[str, str]]] = {}
    concept = ""
    for line in Path(__file__).with_name("concepts.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            concept = line.strip("[]")
        elif line and not line.startswith("#"):
            for stem in line.replace("_", " ").split("|"):
                found.setdefault(stem[:_HEAD], []).append((stem, concept))
    return {head: tuple(stems) for head, stems in found.items()}


def _starts(text: str) -> list[int]:
    """Where a stem may begin: after a space, and before every character of a script that matches anywhere."""
    low, high = _DEVANAGARI
    return [
        place
        for place, character in enumerate(text)
        if (character >= _SPACED_BELOW and not low <= character <= high) or (place and text[place - 1] == " ")
    ]


def concepts(tokens: list[str]) -> list[str]:
    """The concepts that the words name, each once, in the order of the first stem found."""
    text = f" {' '.join(tokens)}  "
    index = _index()
    found: dict[str, None] = {}
    heads = index.keys()
    for place in _starts(text):
        head = text[place : place + _HEAD]
        for width in _WIDTHS:
            if head[:width] in heads:
                for stem, concept in index[head[:width]]:
                    if concept not in found and text.startswith(stem, place):
                        found[concept] = None
    return list(found)
