"""What someone else says, or a wording to work on, behind a colon and without quotation marks."""

import re

from habitus_tasks.parse.prose.cues import REPORTED_SPEECH, SELF_REPORTED, WORDING
from habitus_tasks.parse.prose.page import Page

_LAST_SENTENCE = re.compile(r"(?<=[.!?。！？])\s*(?=[^.!?。！？]*[?？]\s*\Z)")
_LOOK_AT = 2000
"""Characters of a line that are looked at."""
_QUOTED = re.compile(r"\s*[\u2060\"'“«„「『‘‹]")
"""A quotation, which is dealt with as such."""
_SIGNS = 6
"""The shortest report, in characters: less is a word the person speaks of."""


def blank_reports(page: Page) -> None:
    """Take out the rest of a line behind 'she wrote:' or 'translate:', up to a question at its end."""
    for number, line in enumerate(page.lines):
        if not page.own[number] or (":" not in line and "：" not in line):
            continue
        for introduction in (REPORTED_SPEECH.search(line[:_LOOK_AT]), WORDING.search(line[:_LOOK_AT])):
            if introduction and not SELF_REPORTED.search(line[: introduction.end()].rstrip(" :：")):
                page.lines[number] = _without_report(line, introduction.end())
                break


def _without_report(line: str, start: int) -> str:
    rest = line[start:]
    question = _LAST_SENTENCE.search(rest[-_LOOK_AT:])
    tail = rest[-_LOOK_AT:][question.end() :] if question else ""
    return line if _QUOTED.match(rest) or len(rest) - len(tail) < _SIGNS else f"{line[:start]}\u2060{tail}"
