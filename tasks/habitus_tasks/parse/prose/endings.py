"""Where something that the person pasted ends, and their own words go on."""

import re
from bisect import bisect_left

from habitus_tasks.parse.prose.cues import ASKING, FOR_MACHINES, ORDERING, OWN_RULES, SALUTATION, SIGN_OFF
from habitus_tasks.parse.prose.page import Page
from habitus_tasks.parse.prose.shapes import HEADING, KEYED, LIST_ITEM, QUOTING

_LAST_WORD = 300
"""The longest paragraph that may be the person's last word after what they pasted, in characters."""
_LOOK_AT = 300
"""Characters of a line that are looked at."""
_NAME_LINES, _NAME_LENGTH = 4, 60
"""What may follow a sign-off: a name, a title, a company, a telephone number."""
_POSTSCRIPT = re.compile(r"\s*(?:p\.?\s?s\.?|postscript|n\.?b\.?)(?!\w)", re.IGNORECASE)


def end_of_mail(page: Page, start: int) -> int:
    """The line after a mail that begins at ``start``: known by its sign-off only, without one the end of the message.

    A postscript, and what speaks to an assistant about 'the user', still belong to the mail.
    """
    signed = sign_off(page, start)
    if signed is None:
        return len(page.lines)
    end = signed + 1
    while end < len(page.lines) and end - signed <= _NAME_LINES and 0 < len(page.lines[end].strip()) < _NAME_LENGTH:
        end += 1
    rest = [line for line in page.lines[end:] if line.strip()]
    goes_on = not rest or _POSTSCRIPT.match(rest[0]) or FOR_MACHINES.search("\n".join(rest))
    return len(page.lines) if goes_on else end


def end_of_paste(page: Page, start: int) -> int:
    """The line after a pasted block: the person may speak again in the message's last paragraph, or last line."""
    if SALUTATION.match(page.lines[start][:_LOOK_AT]) or sign_off(page, start) is not None:
        return end_of_mail(page, start)
    end = len(page.lines)
    while end > start and not page.lines[end - 1].strip():
        end -= 1
    last = end
    while last > start and page.lines[last - 1].strip():
        last -= 1
    own = next((at for at in range(start + 1, end) if _heads_own_rules(page, at)), None)
    if own is not None:
        return own
    if last > start and _speaks_again(page, start, last, end):
        return last
    if end - start > 1 and _is_shown(page, end - 2) and _speaks_again(page, start, end - 1, end):
        return end - 1
    return end


def _heads_own_rules(page: Page, number: int) -> bool:
    """Whether a line opens a paragraph of the person's own rules ('Rules for you:')."""
    line = page.lines[number][:_LOOK_AT]
    opens = page.own[number] and not page.lines[number - 1].strip()
    return opens and line.rstrip().endswith((":", "：")) and bool(OWN_RULES.search(line))


def sign_off(page: Page, start: int) -> int | None:
    """The first line from ``start`` on that ends a mail."""
    if page.sign_offs is None:
        lines = enumerate(page.lines)
        page.sign_offs = [at for at, line in lines if SIGN_OFF.match(line.strip()[:_LOOK_AT])]
    number = bisect_left(page.sign_offs, start)
    return page.sign_offs[number] if number < len(page.sign_offs) else None


def _speaks_again(page: Page, start: int, last: int, end: int) -> bool:
    """Whether the lines from ``last`` to ``end``, after a block that begins at ``start``, are the person's."""
    text = "\n".join(page.lines[last:end])
    if not all(page.own[last:end]) or len(text) > _LAST_WORD or FOR_MACHINES.search(text):
        return False
    if any(LIST_ITEM.match(line) or HEADING.match(line) for line in page.lines[last:end]):
        return False
    if ASKING.search(text):
        return True
    casual = text[:1].islower() and not page.lines[start].lstrip()[:1].islower()
    before = next((at for at in range(last - 1, start - 1, -1) if page.lines[at].strip()), start)
    return casual or (bool(ORDERING.search(text)) and _is_shown(page, before))


def _is_shown(page: Page, number: int) -> bool:
    """Whether a line is of a kind that people show rather than say: a list, a heading, a quotation, code."""
    line = page.lines[number]
    marked = LIST_ITEM.match(line) or HEADING.match(line) or KEYED.match(line) or line.lstrip()[:1] in QUOTING
    return bool(marked) or not page.own[number]
