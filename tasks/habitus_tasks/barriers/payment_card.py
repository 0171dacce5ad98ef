"""Payment cards: 13 to 19 digits, masked numbers, and last digits named as such. No Luhn check: it only loosens."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import MANY_DIGITS, Barrier

_CARD = re.compile(
    r"""
      (?<!\d)\d(?:[ -]?\d){12,18}(?!\d)
    | \b(?:ending|ends)\s(?:in\s|with\s)?\d{4}\b
    | \blast\s(?:four|4)(?:\sdigits)?[:\s]{1,2}\d{4}\b
    | [xX*\#•]{4}[\s-]?\d{4}\b
    | \b(?:visa|mastercard|amex|maestro|card)\b[\s:.\#-]{1,3}\d{4}
    | \b(?:cvv|cvc|iban|bic)\b[\s:]{1,2}\w{3}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NEEDS = "ending ends last xxxx visa mastercard amex maestro card cvv cvc iban bic * # •"


def catches(text: str) -> bool:
    """Whether the text holds a card number or a part of one."""
    return _CARD.search(text) is not None


BARRIER = Barrier("payment_card", Code.PRIVATE_ACCOUNT_NUMBER, catches, frozenset(_NEEDS.split()) | {MANY_DIGITS})
