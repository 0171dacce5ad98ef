"""The weaker forms of a regular expression: one branch of an alternation, or one lookaround, taken out."""

from collections.abc import Iterator
from dataclasses import dataclass, field

NEVER = "(?!)"
"""Matches nothing: what stands for a branch that was taken out."""


@dataclass(slots=True)
class _Group:
    """An open group: where it begins, and where each of its branches does."""

    start: int
    branches: list[int] = field(default_factory=list)


def weakened(pattern: str) -> Iterator[tuple[str, str]]:
    """(what was taken out, the pattern without it). A text without an alternation or a lookaround has none.

    A piece of a pattern (part of an f-string) may open or close groups that it does not hold; those are left alone.
    """
    for start, end in _branches(pattern):
        piece = pattern[start:end].strip()
        if piece:
            yield f"without {piece}", pattern[:start] + _padding(pattern, start, end) + pattern[end:]
    for start, end in _lookarounds(pattern):
        yield f"without {pattern[start:end]}", pattern[:start] + pattern[end:]


def _padding(pattern: str, start: int, end: int) -> str:
    flags = pattern[start:end].lstrip()[:4]
    return f" {NEVER} " if not flags.startswith("?") else flags + NEVER


def _branches(pattern: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    stack = [_Group(0, [0])]
    for at, character in _marks(pattern):
        if character == "(":
            stack.append(_Group(at, [_after_head(pattern, at)]))
        elif character == "|":
            stack[-1].branches.append(at + 1)
        elif len(stack) > 1:
            found += _of(stack.pop(), at)
    return found + (_of(stack[0], len(pattern)) if len(stack) == 1 else [])


def _of(group: _Group, end: int) -> list[tuple[int, int]]:
    if len(group.branches) < 2:
        return []
    ends = [begin - 1 for begin in group.branches[1:]] + [end]
    return list(zip(group.branches, ends, strict=True))


def _lookarounds(pattern: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    stack: list[int] = []
    for at, character in _marks(pattern):
        if character == "(":
            stack.append(at)
        elif character == ")" and stack:
            start = stack.pop()
            if pattern.startswith(("(?!", "(?=", "(?<!", "(?<="), start) and at + 1 - start > len(NEVER):
                found.append((start, at + 1))
    return found


def _after_head(pattern: str, at: int) -> int:
    """Where the content of a group begins: after ``(?:``, ``(?i:``, ``(?<!``."""
    if not pattern.startswith("(?", at):
        return at + 1
    for head in ("(?:", "(?!", "(?=", "(?<!", "(?<=", "(?i:", "(?-i:"):
        if pattern.startswith(head, at):
            return at + len(head)
    return at + 1


def _marks(pattern: str) -> Iterator[tuple[int, str]]:
    """The parentheses and bars that are neither escaped, nor in a class, nor in a remark."""
    at, in_class = 0, False
    while at < len(pattern):
        character = pattern[at]
        if character == "\\":
            at += 2
            continue
        if in_class:
            in_class = character != "]" or pattern[at - 1] == "["
        elif character == "[":
            in_class = True
        elif character == "#" and pattern[at - 1 : at].isspace() and "\n" in pattern[at:]:
            at = pattern.index("\n", at)
        elif character in "(|)":
            yield at, character
        at += 1
