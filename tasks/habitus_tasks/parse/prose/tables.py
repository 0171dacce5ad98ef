"""Tables in Markdown."""

import re

from habitus_tasks.parse.prose.page import Page

_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)+\|?\s*\Z")
_ROW = re.compile(r"\s*\|.*\|\s*\Z")


def blank_tables(page: Page) -> None:
    """Take out tables: a rule line with the rows around it, and runs of two or more rows in pipes."""
    number = 0
    while number < len(page.lines):
        end = number
        while end < len(page.lines) and page.own[end] and "|" in page.lines[end]:
            end += 1
        rows = page.lines[number:end]
        if any(_RULE.match(row) for row in rows) or sum(bool(_ROW.match(row)) for row in rows) > 1:
            page.blank(number, end)
        number = max(end, number + 1)
