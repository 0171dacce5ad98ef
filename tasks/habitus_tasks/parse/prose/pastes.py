"""Documents that the person pastes, told by the line that introduces them or by the rules drawn around them."""

import re
from itertools import accumulate

from habitus_tasks.parse.prose.cues import (
    ASKING,
    DOCUMENTS,
    FIRST_PERSON,
    FOR_MACHINES,
    HABITS,
    LABEL,
    MATERIAL,
    OWN_RULES,
    THIS,
    THIS_PAPER,
)
from habitus_tasks.parse.prose.endings import end_of_paste
from habitus_tasks.parse.prose.page import Page
from habitus_tasks.parse.prose.shapes import HEADING, KEYED, LIST_ITEM

_RULE = re.compile(
    r"(?:-{3,}|={3,}|\*{3,}|_{3,}|#{3,}|\"{3}|<{3,}|>{3,}|[-=]{2,}\s?[^-=\s][^-=]{0,40}[-=]{2,})\Z",
)
_POINTS_UP = re.compile(r"\s*(?:\^+|↑+)\s*\w")
_HANDOVER = re.compile(r"[:：]\s*\Z")
_LONG = 120
"""Characters from which what follows 'summarise this' is the thing to summarise."""
_LONGEST_CUE = 1000
"""Characters in which an introduction is looked for."""
_LOOK_INTO = 4000
"""Characters of a paragraph that are looked at."""
_LABEL_AT = 60
"""Characters of a line in which a label stands."""
_LOOK_AT = 40
"""Lines of a paragraph that are looked at to tell its shape."""


def blank_delimited(page: Page) -> None:
    """Take out what stands between two rules ('---' above and below), and below one that hands something over."""
    rules = [at for at, line in enumerate(page.lines) if page.own[at] and _RULE.match(line.strip())]
    for first, second in zip(rules[::2], rules[1::2], strict=False):
        page.blank(first, second + 1)
    if len(rules) % 2 and _hands_over(page, rules[-1]):
        page.blank(rules[-1], end_of_paste(page, rules[-1] + 1))


def blank_pastes(page: Page) -> None:
    """Take out blocks that the person introduces as material ('fix this mail:'), but not their own ('my rules:')."""
    _blank_above(page)
    _blank_labelled(page)
    followed_by = list(accumulate((len(line) for line in reversed(page.lines)), initial=0))[-2::-1]
    number = 0
    while number < len(page.lines):
        block = number + 1
        if page.own[number] and _may_introduce(_near_end(page.lines[number])):
            while block < len(page.lines) and not page.lines[block].strip():
                block += 1
            if block < len(page.lines) and page.own[block] and _introduces(page, number, block, followed_by[number]):
                end = end_of_paste(page, block)
                page.blank(block, end)
                block = end
        number = block
    _blank_asides(page)


def _blank_above(page: Page) -> None:
    """Take out what stands above a line that points at it ('^ found this in the repo')."""
    up = next((at for at, line in enumerate(page.lines) if at and page.own[at] and _POINTS_UP.match(line)), None)
    if up:
        page.blank(0, up)


def _blank_labelled(page: Page) -> None:
    """Take out a later paragraph that a label opens ('Article: ...'), with what follows it."""
    for number in range(1, len(page.lines)):
        opens = page.own[number] and not page.lines[number - 1].strip()
        if opens and LABEL.match(page.lines[number][:_LABEL_AT]):
            page.blank(number, end_of_paste(page, number))
            return


def _may_introduce(line: str) -> bool:
    material = MATERIAL.search(line) or DOCUMENTS.search(line) or THIS_PAPER.search(line)
    return bool(material) and not (OWN_RULES.search(line) or HABITS.search(line))


def _introduces(page: Page, number: int, block: int, followed_by: int) -> bool:
    """Whether the line introduces the block: with a colon, or pointing at something that looks like a document."""
    line, first = _near_end(page.lines[number]), page.lines[block][:_LONGEST_CUE]
    material, paper = MATERIAL.search(line), THIS_PAPER.search(line)
    if not (material or paper) and LIST_ITEM.match(first):
        return False
    asks = ASKING.search(first) and not FIRST_PERSON.match(first.lstrip())
    if _HANDOVER.search(line) or (paper and block > number + 1 and not asks):
        return True
    points = THIS.search(line) and material and not (ASKING.search(first) or FIRST_PERSON.search(first))
    return _is_structured(page, block) or (bool(points) and block > number + 1 and followed_by > _LONG)


def _is_structured(page: Page, start: int) -> bool:
    """Whether a block looks like a document although nothing hands it over: a heading, or nothing but keys."""
    lines = []
    for line in page.lines[start : start + _LOOK_AT]:
        if not line.strip():
            break
        lines.append(line)
    heads = HEADING.match(page.lines[start]) and len(page.lines) > start + 1
    return bool(heads) or (len(lines) > 1 and all(KEYED.match(line) for line in lines))


def _hands_over(page: Page, number: int) -> bool:
    before = next((page.lines[at] for at in range(number - 1, -1, -1) if page.lines[at].strip()), "")
    return _may_introduce(_near_end(before))


def _near_end(line: str) -> str:
    """Where an introduction stands in a line: at its end, when it is longer than introductions are."""
    return line[-_LONGEST_CUE:]


def _blank_asides(page: Page) -> None:
    """Take out later paragraphs that speak to an assistant about 'the user': people do not speak of themselves so."""
    for start, end in list(page.paragraphs()):
        text = "\n".join(page.lines[start:end])
        if start > 0 and FOR_MACHINES.search(text[:_LOOK_INTO]) and not ASKING.search(text[:_LOOK_INTO]):
            page.blank(start, end)
