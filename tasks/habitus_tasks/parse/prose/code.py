"""Code, logs and stack traces that the person pastes without a fence."""

from habitus_tasks.parse.prose.code_lines import LineKind, kind_of
from habitus_tasks.parse.prose.page import Page


def blank_code(page: Page) -> None:
    """Take out runs of code and log lines, with the comments and blank lines inside them."""
    kinds = [kind_of(line) if own else LineKind.BLANK for line, own in zip(page.lines, page.own, strict=True)]
    number = 0
    while number < len(kinds):
        if kinds[number] in (LineKind.CODE, LineKind.WEAK):
            end = _end_of_run(kinds, number)
            if LineKind.CODE in kinds[number:end]:
                page.blank(number, end)
            number = end
        else:
            number += 1


def _end_of_run(kinds: list[LineKind], start: int) -> int:
    """The end of a run without a line of prose; blank lines at its end are not part of it."""
    end = last = start
    while end < len(kinds) and kinds[end] is not LineKind.PROSE:
        if kinds[end] is not LineKind.BLANK:
            last = end
        end += 1
    return last + 1
