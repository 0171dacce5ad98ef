"""Code, logs and stack traces that the person pastes without a fence."""

from habitus_tasks.parse.prose.code_lines import LineKind, kind_of
from habitus_tasks.parse.prose.page import Page

_HEADS = ("@@ ", "diff --git ", "index ")
"""How the head of a diff, the line that may follow it, and the head of a hunk begin."""


def blank_code(page: Page) -> None:
    """Take out runs of code and log lines, with the comments and blank lines inside them."""
    kinds = _kinds(page)
    number = 0
    while number < len(kinds):
        if kinds[number] in (LineKind.CODE, LineKind.WEAK):
            end = _end_of_run(kinds, number)
            if LineKind.CODE in kinds[number:end]:
                page.blank(number, end)
            number = end
        else:
            number += 1


def _kinds(page: Page) -> list[LineKind]:
    """The kind of each line; below the head of a diff or of a hunk, lines that begin like a diff's are code."""
    kinds, in_hunk = [], False
    for line, own in zip(page.lines, page.own, strict=True):
        in_hunk = line.startswith(_HEADS) or (in_hunk and line[:1] in ("+", "-", " ", "\\"))
        kinds.append(LineKind.CODE if in_hunk else kind_of(line) if own else LineKind.BLANK)
    return kinds


def _end_of_run(kinds: list[LineKind], start: int) -> int:
    """The end of a run without a line of prose; blank lines at its end are not part of it."""
    end = last = start
    while end < len(kinds) and kinds[end] is not LineKind.PROSE:
        if kinds[end] is not LineKind.BLANK:
            last = end
        end += 1
    return last + 1
