"""Bare wishes: a whole message of a few words, in the wording that people use again and again ('shorter, please').

The classifier needs more words than these have. A message counts here when it is nothing but phrases of a closed list
(`bare.toml`), politeness and words of habit apart, so that none of its words can be about anything else.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from habitus_schema.catalog import all_pairs
from habitus_schema.pairs import Pair
from habitus_schema.vocabulary import Dimension
from habitus_tasks.extract.cues import Cue, folded, has, has_joined

MOST_CHARACTERS = 120
TAKEN_BACK_WORDS, UNNAMED_WORDS = 24, 5
"""A longer message that takes something back is left to the classifier, as is one of more words that names nothing."""
_CLAUSE = re.compile(r"[.!;,\n。！，、；]+")
_QUOTING = re.compile(r"[?？\"“”„«»「」`<>|{}=:/\\]")
"""Questions, quotations and code: the words may be somebody else's, or not meant."""


def bare_wishes(text: str) -> frozenset[Pair]:
    """The pairs that a message asks for when it is nothing but bare wishes; none otherwise."""
    if len(text) > MOST_CHARACTERS or _QUOTING.search(text) or not _known(text):
        return frozenset()
    if whole := _wish(text):
        return frozenset({whole})
    wishes = [_wish(clause) for clause in _CLAUSE.split(text) if _core(clause)]
    return frozenset(wish for wish in wishes if wish) if all(wishes) else frozenset()


def taken_back(text: str) -> frozenset[Dimension] | None:
    """The dimensions that a short message takes back what was said about; none of them when it does not say which.

    None when it takes nothing back, or says so in more words than can be read here.
    """
    words = folded(text[: 2 * MOST_CHARACTERS]).split()
    if len(text) > 2 * MOST_CHARACTERS or len(words) > TAKEN_BACK_WORDS or not has(Cue.WITHDRAWN, text):
        return None
    named = frozenset(dimension for dimension, begins in _topics().items() if begins.search(folded(text)))
    return named if named or len(words) <= UNNAMED_WORDS else None


def _known(text: str) -> bool:
    """Whether every word is one of the lists'; of a script without spaces, nothing can be told by words."""
    return has_joined(text) or _words().issuperset(folded(text).split())


def _wish(clause: str) -> Pair | None:
    return _phrases().get(_core(clause))


def _core(clause: str) -> str:
    """A clause without politeness and words of habit at its ends."""
    spaced, joined = _apart()
    plain, before = folded(clause), ""
    while plain != before:
        before = plain
        for words in spaced:
            plain = plain[len(words) - 1 :] if plain.startswith(words) else plain
            plain = plain[: 1 - len(words)] if plain.endswith(words) else plain
        for words in joined:
            plain = f" {plain.strip().removeprefix(words).removesuffix(words).strip()} "
    return plain.strip()


@cache
def _lists() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("bare.toml").read_text("utf-8"))


@cache
def _apart() -> tuple[tuple[str, ...], tuple[str, ...]]:
    words = _lists()["apart"]
    return tuple(map(folded, (*words["polite"], *words["habit"]))), tuple(words["joined"])


@cache
def _words() -> frozenset[str]:
    spaced, _ = _apart()
    return frozenset(word for words in (*spaced, *_phrases()) for word in words.split())


@cache
def _phrases() -> dict[str, Pair]:
    """Each phrase, as `_core` leaves it, with what it asks for."""
    pairs = {str(pair): pair for pair in all_pairs()}
    return {_core(phrase): pairs[name] for name, phrase in (*_framed(), *_plain()) if _core(phrase)}


def _plain() -> Iterator[tuple[str, str]]:
    for name, phrases in _lists()["phrases"].items():
        yield from ((name, phrase) for phrase in phrases)


def _framed() -> Iterator[tuple[str, str]]:
    for name, thing in _lists()["things"].items():
        frames = _lists()["frames"][thing["frame"]]
        for language in thing.keys() - {"frame"}:
            yield from ((name, frame.format(called)) for frame in frames[language] for called in thing[language])


@cache
def _topics() -> dict[Dimension, re.Pattern[str]]:
    def begins(words: list[str]) -> re.Pattern[str]:
        joined = [re.escape(word) for word in words if ord(word[0]) >= 0x3040]
        spaced = [f" {re.escape(word)}" for word in words if ord(word[0]) < 0x3040]
        return re.compile("|".join(spaced + joined))

    return {Dimension(name): begins(words) for name, words in _lists()["topics"].items()}
