"""Windows of a message for the heads: each sentence, and runs of sentences of at most `CHUNK` tokens."""

from dataclasses import dataclass

from habitus_tasks.extract.clauses import Span, sentences
from habitus_tasks.extract.encoder import tokens

CHUNK = 64
"""Tokens of the longest window: about three sentences, what a wish and its reason take."""
MAX_SENTENCES = 32
"""Sentences of one message that are looked at, half from its start and half from its end: bounds the cost."""


@dataclass(frozen=True, slots=True, repr=False)
class Window:
    """A run of tokens of a message (half-open, in the message's token list) and the characters it covers."""

    first: int
    last: int
    span: Span


@dataclass(frozen=True, slots=True, repr=False)
class Tokenized:
    """A message as tokens, with its windows. Window positions count the leading sentence mark as token 0."""

    ids: list[int]
    windows: list[Window]


def _kept(text: str) -> list[Span]:
    spans = sentences(text)
    half = MAX_SENTENCES // 2
    return spans if len(spans) <= MAX_SENTENCES else spans[:half] + spans[-half:]


def _chunks(single: list[Window]) -> list[Window]:
    """Runs of two or more neighbouring sentences, each as long as `CHUNK` allows."""
    runs: list[list[Window]] = [[]]
    for window in single:
        if runs[-1] and window.last - runs[-1][0].first > CHUNK:
            runs.append([])
        runs[-1].append(window)
    return [
        Window(run[0].first, run[-1].last, Span(run[0].span.start, run[-1].span.end)) for run in runs if len(run) > 1
    ]


def tokenize(text: str) -> Tokenized:
    """A message as tokens and windows; a message without words has no window."""
    ids: list[int] = []
    single: list[Window] = []
    for span in _kept(text):
        piece = tokens(span.of(text))[:CHUNK]
        single.append(Window(len(ids) + 1, len(ids) + 1 + len(piece), span))
        ids += piece
    return Tokenized(ids, [*single, *_chunks(single)])
