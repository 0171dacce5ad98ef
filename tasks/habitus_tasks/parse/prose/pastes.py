"""Documents that the person pastes, told by the line that introduces them or by the rules drawn around them."""

import re

from habitus_tasks.parse.prose.cues import ASKING, FOR_MACHINES, MATERIAL, OWN_RULES
from habitus_tasks.parse.prose.page import Page

_RULE = re.compile(r"\s*(?:-{3,}|={3,}|\*{3,}|_{3,}|#{3,}|\"{3}|<{3,}|>{3,}|[-=]{2,}\s*[^-=\n]{1,40}\s*[-=]{2,})\s*\Z")
_LIST = re.compile(r"\s*(?:[-*+•·–]\s+|\d{1,3}[.)]\s+|[a-z][.)]\s+|\[[ x]\]\s+)")
_HEADING = re.compile(r"\s*#{1,6}\s+\S")
_KEYED = re.compile(r"\s*[\w .\"'-]{1,40}:(?:\s|\Z)")
_HANDOVER = re.compile(r"[:：]\s*\Z")
_LONG = 400
"""Characters from which a block is a document rather than a sentence."""
_LAST_WORD = 300
"""The longest paragraph that may be the person's last word after what they pasted, in characters."""


def blank_delimited(page: Page) -> None:
    """Take out what stands between two rules ('---' above and below)."""
    rules = [at for at, line in enumerate(page.lines) if page.own[at] and _RULE.match(line)]
    for first, second in zip(rules[::2], rules[1::2], strict=False):
        page.blank(first, second + 1)
        page.quotes = True
    if len(rules) % 2 and _hands_over(page, rules[-1]):
        page.blank(rules[-1], _end_of_paste(page, rules[-1] + 1))
        page.quotes = True


def blank_pastes(page: Page) -> None:
    """Take out the blocks that the person introduces as material ('fix this mail:'), not their own rules ('my rules:')."""
    number = 0
    while number < len(page.lines):
        if page.own[number] and page.lines[number].strip() and _introduces(page, number):
            start = number + 1
            while start < len(page.lines) and not page.lines[start].strip():
                start += 1
            end = _end_of_paste(page, start)
            page.blank(start, end)
            page.quotes = page.quotes or end > start
            number = max(end, number)
        number += 1
    if page.quotes:
        _blank_asides(page)


def _introduces(page: Page, number: int) -> bool:
    line, rest = page.lines[number], page.lines[number + 1 :]
    block = next((at for at in range(number + 1, len(page.lines)) if page.lines[at].strip()), None)
    if block is None or not page.own[block] or not MATERIAL.search(line) or OWN_RULES.search(line):
        return False
    if _HANDOVER.search(line):
        return True
    return _is_structured(page, block) or sum(map(len, rest)) > _LONG * 3


def _is_structured(page: Page, start: int) -> bool:
    """Whether a block looks like a document although nothing hands it over: headings, keys, a list after a blank."""
    lines = _paragraph(page, start)
    heads = bool(_HEADING.match(lines[0]))
    keyed = sum(bool(_KEYED.match(line)) for line in lines)
    return (heads and len(page.lines) > start + 1) or (len(lines) > 1 and keyed == len(lines))


def _paragraph(page: Page, start: int) -> list[str]:
    end = start
    while end < len(page.lines) and page.lines[end].strip():
        end += 1
    return page.lines[start:end]


def _hands_over(page: Page, number: int) -> bool:
    before = next((page.lines[at] for at in range(number - 1, -1, -1) if page.lines[at].strip()), "")
    return bool(MATERIAL.search(before)) and not OWN_RULES.search(before)


def _end_of_paste(page: Page, start: int) -> int:
    """Where the paste ends: before the message's last paragraph, or last line, when the person speaks again there."""
    end = len(page.lines)
    while end > start and not page.lines[end - 1].strip():
        end -= 1
    last = end
    while last > start and page.lines[last - 1].strip():
        last -= 1
    if last > start and _speaks_again(page, last, end):
        return last
    if end - start > 1 and _is_other_kind(page, end - 1) and _speaks_again(page, end - 1, end):
        return end - 1
    return end


def _speaks_again(page: Page, start: int, end: int) -> bool:
    text = "\n".join(page.lines[start:end])
    shown = not all(page.own[start:end]) or len(text) > _LAST_WORD
    if shown or any(_LIST.match(line) or _HEADING.match(line) for line in page.lines[start:end]):
        return False
    return bool(ASKING.search(text)) and not FOR_MACHINES.search(text)


def _is_other_kind(page: Page, number: int) -> bool:
    """Whether the line before is of a document (list, heading, quoted, code), so that this one may be the person's."""
    before = page.lines[number - 1]
    marked = (
        _LIST.match(before) or _HEADING.match(before) or _KEYED.match(before) or before.lstrip()[:1] in "\"'“«„「<[>|"
    )
    return bool(marked) or not page.own[number - 1]


def _blank_asides(page: Page) -> None:
    """Beside what was pasted, a paragraph that speaks to an assistant about 'the user' belongs to the paste."""
    for start, end in list(page.paragraphs()):
        text = "\n".join(page.lines[start:end])
        if start > 0 and FOR_MACHINES.search(text) and not ASKING.search(text):
            page.blank(start, end)
