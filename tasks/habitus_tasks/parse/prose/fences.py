"""Fenced code and inline code."""

import re

from habitus_tasks.parse.prose.page import Page

_OPEN = re.compile(r"\s*(?:[-*>]\s+|\d+[.)]\s+)?(`{3,}|~{3,})\s*([\w+#./{}=-]*)\s*\Z")
_LATE_OPEN = re.compile(r"(\S.*?)(`{3,}|~{3,})([\w+#.-]*)\s*\Z")
_INLINE_FENCE = re.compile(r"```(?=\S)[^`\n]*(?<=\S)```")
_INLINE = re.compile(r"`([^`\n]{1,2000})`")
_LONG_INLINE = 60
"""Characters from which inline code is more than a name or a flag that the person speaks of."""


def blank_fences(page: Page) -> None:
    """Take out fenced blocks. One that is never closed goes to the end of the message; a fence that the person only
    speaks of ('use ``` instead of ~~~') is no block."""
    number = 0
    while number < len(page.lines):
        opening = _OPEN.match(page.lines[number])
        late = None if opening else _LATE_OPEN.match(page.lines[number])
        if opening:
            end = _end_of_fence(page, number, opening[1])
            page.blank(number, end)
            number = end
        elif (
            late and (end := _end_of_fence(page, number, late[2])) < len(page.lines) + 1 and _closes(page, end, late[2])
        ):
            page.lines[number] = late[1]
            page.blank(number + 1, end)
            number = end
        else:
            page.lines[number] = _without_inline_code(page.lines[number])
            number += 1


def _end_of_fence(page: Page, number: int, mark: str) -> int:
    for at in range(number + 1, len(page.lines)):
        if _is_closing(page.lines[at], mark):
            return at + 1
    return len(page.lines)


def _closes(page: Page, end: int, mark: str) -> bool:
    return _is_closing(page.lines[end - 1], mark)


def _is_closing(line: str, mark: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(mark) and not bare.strip(mark[0])


def _without_inline_code(line: str) -> str:
    if "`" not in line:
        return line
    line = _INLINE_FENCE.sub("\u2060", line)
    return _INLINE.sub(lambda code: "\u2060" if len(code[1]) > _LONG_INLINE else code[0], line)
