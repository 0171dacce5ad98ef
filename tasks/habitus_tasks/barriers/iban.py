"""International bank account numbers (ISO 13616): two letters, two check digits, then groups."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import MANY_DIGITS, Barrier

_IBAN = re.compile(r"\b[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]{4}){2,7}(?:[ -]?[A-Za-z0-9]{1,3})?\b")


def catches(text: str) -> bool:
    """Whether the text holds a bank account number with a country code."""
    return any(sum(map(str.isdigit, found)) >= 8 for found in _IBAN.findall(text))


BARRIER = Barrier("iban", Code.PRIVATE_ACCOUNT_NUMBER, catches, frozenset({MANY_DIGITS}))
