"""Pasted e-mails: from their header, or the line that introduces a quoted one, to their sign-off."""

from habitus_tasks.parse.prose.cues import ASSISTANTS, MAIL_FROM, MAIL_HEADER, MAIL_INTRO, MANY, SALUTATION
from habitus_tasks.parse.prose.endings import end_of_mail, sign_off
from habitus_tasks.parse.prose.page import Page

_HEADER_LINES = 8
"""Lines within which a sender's line is followed by another header line."""
_GREETING = 60
"""The longest greeting, in characters."""
_LOOK_AT = 300
"""Characters of a line that are looked at."""


def blank_mails(page: Page) -> None:
    """Take out pasted mails. Where a quoted mail is marked line by line, only its introduction is taken out here."""
    number = 0
    while number < len(page.lines):
        end = number + 1
        if page.own[number] and _begins(page, number):
            end = number + 1 if _is_marked(page, number) else end_of_mail(page, number)
            page.blank(number, end)
        number = end


def _begins(page: Page, number: int) -> bool:
    line = _start(page.lines[number])
    if MAIL_INTRO.match(line) or _greets(page, number, line):
        return True
    if not MAIL_HEADER.match(line):
        return False
    near = [_start(other) for other in page.lines[number : number + _HEADER_LINES]]
    headers = [other for other in near if MAIL_HEADER.match(other)]
    return len(headers) > 1 and any(MAIL_FROM.match(other) for other in headers)


def _greets(page: Page, number: int, line: str) -> bool:
    """Whether a paragraph opens with a greeting on a line of its own, and a sign-off comes after it.

    A whole message may greet the assistant like that: it is a mail when it greets many people, or somebody by name and
    goes on after the sign-off.
    """
    if not (0 < len(line) < _GREETING and SALUTATION.match(line) and sign_off(page, number) is not None):
        return False
    if number == 0:
        by_name = len(line.split()) > 1 and not ASSISTANTS.search(line)
        return bool(MANY.search(line)) or (by_name and end_of_mail(page, number) < len(page.lines))
    return number > 1 and not page.lines[number - 1].strip()


def _is_marked(page: Page, number: int) -> bool:
    """Whether the mail's lines start with '>': then what follows them is the person's."""
    after = page.lines[number + 1 : number + 3]
    return any(line.startswith(">") for line in after) and bool(MAIL_INTRO.match(_start(page.lines[number])))


def _start(line: str) -> str:
    return line.strip()[:_LOOK_AT]
