"""Ticket, case, order and pull request numbers."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

_KINDS = (
    "ticket issue pr mr request bug incident case matter docket invoice order claim customer client account acct "
    "member patient badge room policy contract booking reservation shipment reference ref file record "
    "application permit licence license serial po rma sr cr jira gh"
)
_KIND = _KINDS.replace(" ", "|")
_STANDARDS = (
    "UTF|ISO|SHA|RFC|PEP|AES|RSA|GPT|IEEE|EN|DIN|ES|HTTP|TLS|IPV|BASE|CP|UCS|MD|PY|ECMA|POSIX|WCAG|AP|CSS|HTML|UTC|GMT|"
    "WEEK|STEP|TOP|PART|LEVEL|OPTION"
)
_TICKET = re.compile(
    rf"""
      \b(?!(?:{_STANDARDS})-)[A-Z][A-Z0-9]{{1,9}}-\d{{1,8}}\b
    | (?<![\w&])\#\d{{3}} | (?<![\w!])!\d{{2}}
    | (?i:\b(?:{_KIND})(?:\s?(?:no|nr|num|number|id)\b\.?)?[\s:\#!-]{{0,3}}(?:[A-Z]{{1,5}}-?)?\d{{3}})
    | (?i:\b(?:ticket|issue|pr|mr|bug|incident|matter|docket|invoice|claim)\s?(?:(?:no|nr)\.?|\#|!)\s?\d)
    """,
    re.VERBOSE,
)


def catches(text: str) -> bool:
    """Whether the text holds the number of a ticket, a case, an order or the like."""
    return _TICKET.search(text) is not None


BARRIER = Barrier("ticket", Code.PRIVATE_ACCOUNT_NUMBER, catches, frozenset("#!-") | frozenset(_KINDS.split()))
