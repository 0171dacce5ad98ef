"""Quotations: quoted lines, and someone else's sentences in quotation marks."""

import re

from habitus_tasks.parse.prose.cues import REPORTED_AFTER, REPORTED_BEFORE, SELF_REPORTED
from habitus_tasks.parse.prose.page import Page

_PAIRS = {"“": "”", "«": "»", "„": '“”"', "「": "」", "『": "』", "»": "«", "‹": "›", "‘": "’"}
_STRAIGHT = "\"'"
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
    for number, line in enumerate(page.lines):
        bare = line.lstrip()
        if page.own[number] and bare.startswith(">") and not bare.startswith((">=", "> =")):
            page.blank(number, number + 1)
            page.quotes = True


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
            page.quotes = True


def _quotations(text: str) -> list[tuple[int, int]]:
    found, at = [], 0
    while at < len(text):
        sign = text[at]
        closing = -1
        if sign in _PAIRS:
            closing = _first(text, _PAIRS[sign], at + 1)
        elif sign in _STRAIGHT and _may_open(text, at):
            closing = _straight_end(text, at)
        if closing > at:
            found.append((at, closing))
            at = closing
        at += 1
    return found


def _first(text: str, closings: str, start: int) -> int:
    ends = [at for sign in closings if (at := text.find(sign, start, start + _REACH)) >= 0]
    return min(ends, default=-1)


def _may_open(text: str, at: int) -> bool:
    before = text[at - 1] if at else " "
    return (before.isspace() or before in "([{:：—–-,;=|" or bool(_CJK.match(before))) and text[
        at + 1 : at + 2
    ].strip() != ""


def _straight_end(text: str, at: int) -> int:
    """The end of a quotation in typewriter signs, inside its paragraph; one that opens a line may hold paragraphs."""
    limit = at + _REACH
    if at and text[at - 1] != "\n":
        paragraph = text.find("\n\n", at, limit)
        limit = paragraph if paragraph >= 0 else limit
    closing = text.find(text[at], at + 2, limit)
    while closing >= 0:
        after = text[closing + 1 : closing + 2]
        if not text[closing - 1].isspace() and not after.isalnum():
            return closing
        if _CJK.match(after):
            return closing
        closing = text.find(text[at], closing + 1, limit)
    return -1


def _is_others(text: str, opening: int, closing: int) -> bool:
    inside = text[opening + 1 : closing]
    words, signs = len(inside.split()), len(_CJK.findall(inside))
    if words >= _LONG_WORDS or signs >= _LONG_SIGNS:
        return True
    before = text[max(0, opening - _WINDOW) : opening].rstrip()
    if (words < _WORDS and signs < _CJK_SIGNS) or SELF_REPORTED.search(before):
        return False
    after = text[closing + 1 : closing + 1 + _WINDOW]
    return before.endswith((":", "：")) or bool(REPORTED_BEFORE.search(before) or REPORTED_AFTER.match(after))
