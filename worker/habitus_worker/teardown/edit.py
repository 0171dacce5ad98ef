"""Two edits of a JSON text, put one in and take one out, that leave every other byte alone."""

import json
import re

from habitus_worker.teardown.jsonc import Node

_INDENT = re.compile(r"^[{\[][ \t]*\r?\n([ \t]+)")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def indent_of(text: str) -> str:
    """One step of the document's indentation; two spaces where it shows none."""
    found = _INDENT.match(text.lstrip("\ufeff \t\r\n"))
    return found[1] if found else "  "


def with_item(text: str, holder: Node, item: object, key: str = "") -> str:
    """`text` with one more item at the end of an object (then with its key) or array, in the document's own style."""
    closing = holder.end - 1
    last = holder.items[-1].end if holder.items else holder.at + 1
    tail = text[last:closing]
    kept = tail.rstrip()  # comments
    flat = bool(holder.items) and "\n" not in text[holder.at : closing]
    line = "\r\n" if "\r\n" in text else "\n"
    depth = _indentation(text, holder.at)
    gap = " " if flat else line + depth + indent_of(text)
    body = json.dumps(item, ensure_ascii=False, indent=None if flat else indent_of(text)).replace("\n", gap)
    body = f"{json.dumps(key)}: {body}" if key else body
    if not holder.items:
        return f"{text[:last]}{kept}{gap}{body}{line}{depth}{text[closing:]}"
    trailing = _comma(text, last, closing) >= 0
    before, after = ("", ",") if trailing else (",", "")
    return f"{text[:last]}{before}{kept}{gap}{body}{after}{tail[len(kept) :]}{text[closing:]}"


def without_item(text: str, holder: Node, number: int) -> str:
    """`text` without one item of an object or array."""
    item, is_last = holder.items[number], number == len(holder.items) - 1
    before = holder.items[number - 1].end if number else holder.at + 1
    following = holder.end - 1 if is_last else holder.items[number + 1].start
    comma = _comma(text, item.end, following)
    end = comma + 1 if comma >= 0 else item.end
    if not is_last:  # what follows takes its place
        return text[: item.start] + text[end:].lstrip()
    start = before + len(text[before : item.start].rstrip())
    left, right = text[:start], text[end:]
    if number and comma < 0:  # the comma that led to it goes as well
        at = _comma(text, before, item.start)
        left = text[:at] + text[at + 1 : start]
    if not number and not text[before:start].strip():
        right = right.lstrip()
    commented = "//" in text[before:start] and not right.lstrip(" \t").startswith(("\n", "\r"))
    return left + ("\n" if commented else "") + right


def _comma(text: str, start: int, end: int) -> int:
    """Where the comma between two places is that is no part of a comment; -1 when there is none."""
    piece = _COMMENT.sub(lambda found: " " * len(found[0]), text[start:end])
    found = piece.find(",")
    return start + found if found >= 0 else -1


def _indentation(text: str, at: int) -> str:
    """The indentation of the line on which a place is."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]
