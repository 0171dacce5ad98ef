"""The person's own prose inside their own message: what is left when everything they only show is taken out.

People paste code, logs, mails and documents into their messages, and quote others. None of that is their own wish
about how an answer should look, however much it may read like one. Each step takes out one kind; all are linear in
the length of the text.
"""

from habitus_tasks.parse.prose.chats import blank_chats
from habitus_tasks.parse.prose.code import blank_code
from habitus_tasks.parse.prose.fences import blank_fences
from habitus_tasks.parse.prose.mails import blank_mails
from habitus_tasks.parse.prose.page import MARK, Page
from habitus_tasks.parse.prose.pastes import blank_delimited, blank_pastes
from habitus_tasks.parse.prose.quotations import blank_quotations, blank_quoted_lines
from habitus_tasks.parse.prose.reports import blank_reports
from habitus_tasks.parse.prose.tables import blank_tables
from habitus_tasks.parse.prose.tags import blank_elements

__all__ = ["MARK", "own_prose"]

_STEPS = (
    blank_fences,
    blank_elements,
    blank_mails,
    blank_quoted_lines,
    blank_delimited,
    blank_chats,
    blank_tables,
    blank_code,
    blank_pastes,
    blank_quotations,
    blank_reports,
)


def own_prose(text: str) -> str:
    """The person's own prose in ``text``.

    Taken out are fenced and unfenced code, quoted lines, pasted logs, stack traces, tables, mails and documents,
    mark-up elements, and quotations of others; each stretch leaves one `MARK`. A list of the person's own rules and a
    short phrase in quotation marks ('say "done" at the end') stay.
    """
    page = Page(text)
    for step in _STEPS:
        step(page)
    return page.prose()
