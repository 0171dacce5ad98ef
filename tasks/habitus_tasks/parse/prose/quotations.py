"""Quotations: quoted lines, and someone else's sentences in quotation marks."""

import re
from bisect import bisect_left

from habitus_tasks.parse.prose.cues import REPORTED_AFTER, REPORTED_BEFORE, SELF_REPORTED
from habitus_tasks.parse.prose.page import Page

_PAIRS = {"“": "”", "«": "»", "„": '“”"', "「": "」", "『": "』", "»": "«", "‹": "›", "‘": "’"}
_STRAIGHT = "\"'"
_TRIPLES = ('"' * 3, "'" * 3)
_OPENING = re.compile("|".join([*_TRIPLES, *_PAIRS, *_STRAIGHT]))
_COMPARISON = re.compile(r"\s*>\s?[=\d]")
"""'> 300 words is too long' compares; it does not quote."""
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORDS, _CJK_SIGNS = 3, 6
"""From this many words (or signs, in a script without spaces) a quotation is a sentence when it is attributed."""
_LONG_WORDS, _LONG_SIGNS = 12, 24
"""From this many it is a quotation even when nobody is named."""
_REACH = 4000
"""The longest quotation looked for, in characters."""
_WINDOW = 48
"""Characters before and after a quotation in which it may be attributed."""


def blank_quoted_lines(page: Page) -> None:
    """Take out lines that start with the quotation sign of mails and Markdown."""
    quoted = [line.lstrip().startswith(">") for line in page.lines]
    for number, line in enumerate(page.lines):
        alone = not any(quoted[max(0, number - 1) : number]) and not any(quoted[number + 1 : number + 2])
        if page.own[number] and quoted[number] and not (alone and _COMPARISON.match(line)):
            page.blank(number, number + 1)


def blank_quotations(page: Page) -> None:
    """Take out quotations that are long, or a sentence that the person attributes to someone else."""
    for start, end in list(page.runs()):
        text = "\n".join(page.lines[start:end])
        pieces, at = [], 0
        for opening, closing in _quotations(text):
            if opening >= at and _is_others(text, opening, closing):
                inside = text[opening : closing + 1]
                pieces += [text[at:opening], "\u2060", "\n\u2060" * inside.count("\n")]
                at = closing + 1
        if pieces:
            page.replace(start, end, "".join([*pieces, text[at:]]))


def _quotations(text: str) -> list[tuple[int, int]]:
    ends = {sign: _straight_ends(text, sign) for sign in _STRAIGHT}
    found, at = [], 0
    for opening in _OPENING.finditer(text):
        start = opening.start()
        if start < at:
            continue
        closing = -1
        if opening[0] in _TRIPLES:
            closing = text.find(opening[0], start + 3, start + _REACH)
            closing += 2 if closing >= 0 else 0
        elif opening[0] in _PAIRS:
            closing = _first(text, _PAIRS[opening[0]], start + 1)
        elif _may_open(text, start):
            closing = _straight_end(text, start, ends[opening[0]])
        if closing > start:
            found.append((start, closing))
            at = closing + 1
    return found


def _first(text: str, closings: str, start: int) -> int:
    ends = [at for sign in closings if (at := text.find(sign, start, start + _REACH)) >= 0]
    return min(ends, default=-1)


def _may_open(text: str, at: int) -> bool:
    before = text[at - 1] if at else " "
    return (before.isspace() or before in "([{:：—–-,;=|" or bool(_CJK.match(before))) and text[
        at + 1 : at + 2
    ].strip() != ""


def _straight_ends(text: str, sign: str) -> list[int]:
    """Where a quotation in typewriter signs can end: after a letter or stop, and not before a letter."""
    ends, at = [], text.find(sign)
    while at >= 0:
        after = text[at + 1 : at + 2]
        if at and not text[at - 1].isspace() and (not after.isalnum() or _CJK.match(after)):
            ends.append(at)
        at = text.find(sign, at + 1)
    return ends


def _straight_end(text: str, start: int, ends: list[int]) -> int:
    """The end of a quotation in typewriter signs, inside its paragraph; one that opens a line may hold paragraphs."""
    number = bisect_left(ends, start + 2)
    closing = ends[number] if number < len(ends) else -1
    if closing < 0 or closing - start > _REACH:
        return -1
    opens_line = start == 0 or text[start - 1] == "\n"
    return closing if opens_line or "\n\n" not in text[start:closing] else -1


def _is_others(text: str, opening: int, closing: int) -> bool:
    if text[opening : opening + 3] in _TRIPLES:
        return True
    inside = text[opening + 1 : closing]
    words, signs = len(inside.split()), len(_CJK.findall(inside))
    if words >= _LONG_WORDS or signs >= _LONG_SIGNS:
        return True
    before = text[max(0, opening - _WINDOW) : opening].rstrip()
    if (words < _WORDS and signs < _CJK_SIGNS) or SELF_REPORTED.search(before):
        return False
    after = text[closing + 1 : closing + 1 + _WINDOW]
    return before.endswith((":", "：")) or bool(REPORTED_BEFORE.search(before) or REPORTED_AFTER.match(after))
