"""A message as tokens: its sentences, and segments of whole sentences that the encoder reads at once."""

from dataclasses import dataclass

from habitus_tasks.extract.clauses import Span, sentences
from habitus_tasks.extract.pieces import tokens

LONGEST = 94
"""Tokens of a segment, without sentence marks: about five sentences, what a wish, its reason and a task take."""
MAX_SENTENCES = 32
"""Sentences of one message that are looked at, half from its start and half from its end: bounds the cost."""


@dataclass(frozen=True, slots=True, repr=False)
class Segment:
    """A run of sentences.

    Attributes:
        ids: token ids, without sentence marks.
        sentence: for each of them, the position of its sentence in the message.
    """

    ids: tuple[int, ...]
    sentence: tuple[int, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Tokenized:
    """A message as sentences (character ranges) and the segments that hold them."""

    sentences: tuple[Span, ...]
    segments: tuple[Segment, ...]


def _kept(text: str) -> list[Span]:
    spans = sentences(text)
    half = MAX_SENTENCES // 2
    return spans if len(spans) <= MAX_SENTENCES else spans[:half] + spans[-half:]


def tokenize(text: str) -> Tokenized:
    """A message as segments; a message without words has none."""
    spans = _kept(text)
    runs: list[tuple[list[int], list[int]]] = [([], [])]
    for place, span in enumerate(spans):
        ids = tokens(span.of(text))[:LONGEST]
        if runs[-1][0] and len(runs[-1][0]) + len(ids) > LONGEST:
            runs.append(([], []))
        runs[-1][0].extend(ids)
        runs[-1][1].extend([place] * len(ids))
    return Tokenized(tuple(spans), tuple(Segment(tuple(ids), tuple(places)) for ids, places in runs if ids))
