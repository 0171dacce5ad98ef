"""Mark-up elements: a pasted mail in <mail> tags, HTML, or what a program wrapped in a tag of its own."""

import re

from habitus_tasks.parse.prose.page import Page

_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]{0,60})((?:\s[^<>]{0,2000})?)(/?)>")
_LONG = 80
"""Characters from which an element inside a line is pasted rather than spoken of ('put it in <b>bold</b>')."""


def blank_elements(page: Page) -> None:
    """Take out elements that fill a line, span lines, or are long. A tag inside a sentence stays."""
    text = "\n".join(line if own else "" for line, own in zip(page.lines, page.own, strict=True))
    pieces, at = [], 0
    for start, end in sorted([*_elements(text), *_remarks(text)]):
        inside = text[start:end]
        shown = inside.startswith("<!") or _fills_its_line(text, start, end) or "\n" in inside or len(inside) > _LONG
        if start >= at and shown:
            pieces += [text[at:start], "\u2060", "\n\u2060" * inside.count("\n")]
            at = end
    if pieces:
        marked = "".join([*pieces, text[at:]]).split("\n")
        page.lines = [new if own else old for new, old, own in zip(marked, page.lines, page.own, strict=True)]


def _remarks(text: str) -> list[tuple[int, int]]:
    """Remarks of mark-up (<!-- ... -->); one that is never closed is none."""
    found, start = [], text.find("<!--")
    while start >= 0 and (end := text.find("-->", start)) >= 0:
        found.append((start, end + 3))
        start = text.find("<!--", end)
    return found


def _fills_its_line(text: str, start: int, end: int) -> bool:
    before = text[text.rfind("\n", 0, start) + 1 : start]
    line_end = text.find("\n", end)
    after = text[end : line_end if line_end >= 0 else len(text)]
    return not before.strip() and not after.strip()


def _elements(text: str) -> list[tuple[int, int]]:
    """The outermost elements as (start, end): each from an opening tag to the last closing tag that matches it."""
    opened: list[tuple[str, int]] = []
    waiting: dict[str, int] = {}
    found: list[tuple[int, int]] = []
    for tag in _TAG.finditer(text):
        closing, name, itself = tag[1], tag[2], tag[4]
        if itself:
            continue
        if not closing:
            opened.append((name, tag.start()))
            waiting[name] = waiting.get(name, 0) + 1
        elif waiting.get(name):
            start = tag.start()
            while opened:
                last, start = opened.pop()
                waiting[last] -= 1
                if last == name:
                    break
            while found and found[-1][0] >= start:
                found.pop()
            found.append((start, tag.end()))
    return found
