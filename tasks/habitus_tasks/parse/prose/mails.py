"""Pasted e-mails: from their header, or the line that introduces a quoted one, to their sign-off."""

import re

from habitus_tasks.parse.prose.cues import FOR_MACHINES, MAIL_FROM, MAIL_HEADER, MAIL_INTRO, SIGN_OFF
from habitus_tasks.parse.prose.page import Page

_HEADER_LINES = 8
"""Lines within which a sender's line is followed by another header line."""
_NAME_LINES, _NAME_LENGTH = 4, 60
"""What may follow a sign-off: a name, a title, a company, a telephone number."""
_POSTSCRIPT = re.compile(r"\s*(?:p\.?\s?s\.?|postscript|n\.?b\.?)\b", re.IGNORECASE)


def blank_mails(page: Page) -> None:
    """Take out pasted mails. Where a mail ends is known by its sign-off only; without one it goes to the end."""
    number = 0
    while number < len(page.lines):
        if page.own[number] and _begins(page, number):
            end = _end_of_mail(page, number)
            page.blank(number, end)
            page.quotes = True
            number = end
        number += 1


def _begins(page: Page, number: int) -> bool:
    line = page.lines[number]
    if MAIL_INTRO.match(line):
        return True
    if not MAIL_HEADER.match(line):
        return False
    headers = [at for at in page.lines[number : number + _HEADER_LINES] if MAIL_HEADER.match(at)]
    return len(headers) > 1 and any(MAIL_FROM.match(at) for at in headers)


def _end_of_mail(page: Page, number: int) -> int:
    quoted = next((line for line in page.lines[number + 1 :] if line.strip()), "")
    if quoted.startswith(">") and MAIL_INTRO.match(page.lines[number]):
        return number + 1  # the quoted lines go by themselves, and what follows them is the person's
    signed = next((at for at in range(number, len(page.lines)) if SIGN_OFF.match(page.lines[at])), None)
    if signed is None:
        return len(page.lines)
    end = signed + 1
    while end < len(page.lines) and end - signed <= _NAME_LINES and 0 < len(page.lines[end].strip()) < _NAME_LENGTH:
        end += 1
    rest = [line for line in page.lines[end:] if line.strip()]
    goes_on = not rest or _POSTSCRIPT.match(rest[0]) or FOR_MACHINES.search("\n".join(rest))
    return len(page.lines) if goes_on else end
