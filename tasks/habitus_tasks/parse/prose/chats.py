"""Pasted conversations: lines that begin with a time and a speaker, or with the two sides of a chat with a bot."""

import re

from habitus_tasks.parse.prose.page import Page

_TIME = r"\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\.?)?"
_DATE = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?"
_STAMPED = re.compile(
    rf"\[?(?:{_DATE}\s)?{_TIME}\]?\s*[-–]?\s*<?[\w .'@()-]{{1,40}}[:>]\s\S"  # [10:32] Ann: text
    rf"|[\w .'@()-]{{1,40}}?\s{{1,4}}[\[(]?(?:{_DATE}\s)?{_TIME}[\])]?\s*(?:\Z|:)",  # Ann  10:32 AM
    re.IGNORECASE,
)
_SIDE = re.compile(
    r"\**(?:system|user|human|assistant|ai|chatgpt|claude|gemini|copilot|bot|agent|gpt)\**\s*:", re.IGNORECASE
)
_LOOK_AT = 120
"""Characters of a line that are looked at."""


def blank_chats(page: Page) -> None:
    """Take out pasted chats, each from its first stamped line to the end of its last one's paragraph."""
    lines = [line.strip()[:_LOOK_AT] for line in page.lines]
    stamped = [at for at, line in enumerate(lines) if page.own[at] and _STAMPED.match(line)]
    sides = [at for at, line in enumerate(lines) if page.own[at] and _SIDE.match(line)]
    for marks in (stamped, sides):
        if len(marks) > 1:
            end = marks[-1] + 1
            while end < len(lines) and lines[end]:
                end += 1
            page.blank(marks[0], end)
