"""Ticket, case, order and pull request numbers."""

import re

from habitus_schema.codes import Code

from habitus_tasks.barriers.barrier import Barrier

_STANDARDS = "UTF|ISO|SHA|RFC|PEP|AES|RSA|GPT|IEEE|EN|DIN|ES|HTTP|TLS|IPV|BASE|CP|UCS|MD|H|C|X|V|PY|ECMA|POSIX|WCAG|AP|P|K|N"
_TICKET = re.compile(
    rf"""
      \b(?!(?:{_STANDARDS})-)[A-Z][A-Z0-9]{{1,9}}-\d{{1,8}}\b
    | \b(?:ticket|issue|pr|mr|pull\srequest|merge\srequest|bug|incident|case|matter|docket|invoice|order|claim|
         customer|client|account|acct|member|patient|badge|room|policy|contract|booking|reservation|shipment|
         reference|ref|file|record|application|permit|licence|license|serial|po|rma|sr|cr|jira)
      (?:\s?(?:no|nr|num|number|id)\b\.?)?[\s:\#-]{{0,3}}(?:[A-Z]{{1,5}}-?)?\d{{3}}
    | \b(?:ticket|issue|pr|mr|bug|incident|case|matter|docket|invoice|claim)\s?(?:(?:no|nr)\.?|\#)\s?\d
    | (?<![\w&])\#\d{{3}}
    """,
    re.VERBOSE | re.IGNORECASE,
)


def catches(text: str) -> bool:
    """Whether the text holds the number of a ticket, a case, an order or the like."""
    return _TICKET.search(text) is not None


BARRIER = Barrier("ticket", Code.PRIVATE_ACCOUNT_NUMBER, catches)
