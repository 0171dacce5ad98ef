"""Clause windows: a message cut into sentences and clauses, in any script.

A wish rarely fills a message, so the heads score windows of it, and scope and one-off marks hold for their own clause.
"""

import re
from dataclasses import dataclass

_STOP = re.compile(r"\n+|[。！？｡︒]+[」』”’）)]*|[.!?…؟۔।]+[\"'”’»)\]]*(?=\s|$)|;(?=\s)|؛")
_PAUSE = re.compile(
    r"[,，、،:：]+(?=\s|[\u3040-\u9fff\uac00-\ud7af\u0600-\u06ff])|[，、；]|\s[-\u2013\u2014]+\s|\u2014"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:\w|e\.g|i\.e|z\.B|d\.h|u\.a|vs|etc|dr|mr|mrs|ms|prof|st|no|nr|sr|sra|m|mme|bv|bzw|ca|approx|fig|inc|ltd|co|p\.ej|т\.е|т\.д|np|tzn)$",
    re.IGNORECASE,
)
LONG_SENTENCE = 240
"""Characters after which a sentence without a stop is cut at a pause, so that no window grows without bound."""


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open character range of a text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The words of the span."""
        return text[self.start : self.end]


def _trim(text: str, start: int, end: int) -> Span | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end) if any(char.isalnum() for char in text[start:end]) else None


def _cut(text: str, start: int, end: int, pattern: re.Pattern[str]) -> list[Span]:
    spans: list[Span] = []
    begin = start
    for match in pattern.finditer(text, start, end):
        if match.group().startswith(".") and _ABBREVIATION.search(text[max(start, match.start() - 6) : match.start()]):
            continue
        span = _trim(text, begin, match.end())
        if span:
            spans.append(span)
            begin = match.end()
    last = _trim(text, begin, end)
    return [*spans, last] if last else spans


def clauses(text: str, sentence: Span) -> list[Span]:
    """The clauses of one sentence, in order: parts between commas, colons and dashes."""
    return _cut(text, sentence.start, sentence.end, _PAUSE)


def _bounded(text: str, sentence: Span) -> list[Span]:
    """A sentence, or its parts of at most `LONG_SENTENCE` characters, cut at pauses, then at spaces, then anywhere."""
    if sentence.end - sentence.start <= LONG_SENTENCE:
        return [sentence]
    parts: list[Span] = []
    begin = sentence.start
    marks = [span.end for span in clauses(text, sentence)]
    while sentence.end - begin > LONG_SENTENCE:
        limit = begin + LONG_SENTENCE
        cut = max((mark for mark in marks if begin + 20 < mark <= limit), default=0)
        cut = cut or max(text.rfind(" ", begin + 20, limit), 0) or limit
        parts += [span for span in (_trim(text, begin, cut),) if span]
        begin = cut
    return parts + [span for span in (_trim(text, begin, sentence.end),) if span]


def sentences(text: str) -> list[Span]:
    """The sentences of a text, in order; lines end sentences too. Spans without a letter or digit are dropped."""
    return [part for span in _cut(text, 0, len(text), _STOP) for part in _bounded(text, span)]
