"""JSON with comments, parsed with the place of everything, so that a change touches the bytes it is about alone.

Parsing itself is the standard library's: comments and trailing commas are blanked out first, which moves nothing.
"""

import json
import re
from dataclasses import dataclass
from typing import cast

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.S)
_TRAILING = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])', re.S)
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands.

    Attributes:
        start: where it begins; for a member of an object, where its key does.
        at: where its value begins.
        end: behind the value.
        value: what it is, for a value that is no object or array.
        kind: ``{``, ``[`` or empty.
        key: of a member of an object.
        items: of an object or array.
    """

    start: int
    at: int
    end: int
    value: object = None
    kind: str = ""
    key: str = ""
    items: tuple["Node", ...] = ()

    def member(self, key: str) -> "Node | None":
        """The member of that key; the last one, as readers of JSON have it."""
        return next((item for item in reversed(self.items) if item.key == key and self.kind == "{"), None)


def blanked(text: str) -> str:
    """`text` with spaces in place of comments and trailing commas. As long as it was."""
    plain = _TOKEN.sub(lambda found: found[0] if found[0][0] == '"' else _spaces(found[0]), text)
    return _TRAILING.sub(lambda found: " " if found[0] == "," else found[0], plain)


def _spaces(comment: str) -> str:
    return "".join(each if each == "\n" else " " for each in comment)


def parsed(text: str) -> Node:
    """The tree of a document.

    Raises:
        ValueError: when it is not JSON.
    """
    plain = blanked(text)
    try:
        json.loads(plain)  # its strictness is the measure; what follows only finds places
        return _node(plain, _after(plain, 0))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _after(text: str, at: int) -> int:
    return cast(re.Match[str], _SPACE.match(text, at)).end()


def _node(text: str, at: int) -> Node:
    kind = text[at]
    if kind not in "{[":
        value, end = json.JSONDecoder().raw_decode(text, at)
        return Node(at, at, end, value)
    items, here = [], _after(text, at + 1)
    while text[here] not in "}]":
        item = _member(text, here) if kind == "{" else _node(text, here)
        items.append(item)
        here = _after(text, item.end)
        here = _after(text, here + 1) if text[here] == "," else here
    return Node(at, at, here + 1, None, kind, "", tuple(items))


def _member(text: str, at: int) -> Node:
    key, end = json.JSONDecoder().raw_decode(text, at)
    value = _node(text, _after(text, _after(text, end) + 1))
    return Node(at, value.at, value.end, value.value, value.kind, key, value.items)
