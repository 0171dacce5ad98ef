"""Web and other addresses with a scheme, ``www.``, and hosts followed by a path."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

_URL = re.compile(
    r"""
      ://[\w\[:]
    | \bwww\d?\.\w
    | \b(?:mailto|tel|sip|sips|xmpp|magnet|data|urn|arn|jdbc):[\w+]
    | \w\.[A-Za-z]{2,24}/\w
    | \w\.[A-Za-z]{2,24}\?\w+=
    """,
    re.VERBOSE | re.IGNORECASE,
)


def catches(text: str) -> bool:
    """Whether the text holds a web address or another address with a scheme."""
    return _URL.search(text) is not None


BARRIER = Barrier("url", Code.PRIVATE_URL, catches, frozenset(":/?") | {"www"})
