"""Fenced code and inline code."""

import re

from habitus_tasks.parse.prose.page import Page

_OPEN = re.compile(r"\s*(?:[-*>]\s+|\d{1,3}[.)]\s+)?(`{3,}|~{3,})\s*([\w+#./{}=-]*)\s*\Z")
_LATE_OPEN = re.compile(r"(\S.*?)(`{3,}|~{3,})[\w+#.-]*\s*\Z")
_CLOSE = re.compile(r"\s*(`{3,}|~{3,})\s*(?:\Z|(?<=\s)(\S+\s+\S.*))")
_INLINE_FENCE = re.compile(r"```(?=\S)[^`\n]*(?<=\S)```")
_INLINE = re.compile(r"`([^`\n]{1,2000})`")
_LONG_INLINE = 60
"""Characters from which inline code is more than a name or a flag that the person speaks of."""


def blank_fences(page: Page) -> None:
    """Take out fenced blocks. One that is never closed goes to the end of the message; a fence that the person only
    speaks of ('use ``` instead of ~~~') is no block."""
    closings = _Closings(page.lines)
    number = 0
    while number < len(page.lines):
        line = page.lines[number]
        opening = _OPEN.match(line)
        late = None if opening else _LATE_OPEN.match(line)
        if opening and number + 1 < len(page.lines):
            number = _blank_block(page, number, closings.after(number, opening[1]))
        elif late and (end := closings.after(number, late[2])) is not None:
            page.lines[number] = late[1]
            number = _blank_block(page, number + 1, end)
        else:
            page.lines[number] = _without_inline_code(line)
            number += 1


def _blank_block(page: Page, start: int, closing: int | None) -> int:
    """Take out the block; the number of the line that is read next."""
    if closing is None:
        page.blank(start, len(page.lines))
        return len(page.lines)
    tail = (_CLOSE.match(page.lines[closing]) or [None] * 3)[2]
    page.blank(start, closing if tail else closing + 1)
    if tail:
        page.lines[closing] = tail  # what the person goes on to say behind the closing fence
    return closing + 1


class _Closings:
    """The lines that can close a fence, looked up in constant time on average."""

    def __init__(self, lines: list[str]) -> None:
        found = ((number, _CLOSE.match(line)) for number, line in enumerate(lines))
        self._marks = [(number, closing[1]) for number, closing in found if closing]
        self._next = 0
        self._none: dict[str, int] = {}

    def after(self, number: int, mark: str) -> int | None:
        """The first line after ``number`` that closes a fence opened with ``mark``; callers ask in ascending order."""
        while self._next < len(self._marks) and self._marks[self._next][0] <= number:
            self._next += 1
        sign, length = mark[0], len(mark)
        if length >= self._none.get(sign, length + 1):
            return None
        for at in range(self._next, len(self._marks)):
            line, closing = self._marks[at]
            if closing[0] == sign and len(closing) >= length:
                return line
        self._none[sign] = length
        return None


def _without_inline_code(line: str) -> str:
    if "`" not in line:
        return line
    line = _INLINE_FENCE.sub("\u2060", line)
    return _INLINE.sub(lambda code: "\u2060" if len(code[1]) > _LONG_INLINE else code[0], line)
