"""Handles of people: ``@name``, ``u/name``, ``name#1234``. Decorators of common libraries are not handles."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

DECORATORS = (
    "dataclass|property|staticmethod|classmethod|abstractmethod|override|overload|cached_property|cache|lru_cache|"
    "pytest|contextmanager|final|param|params|return|returns|throws|type|media|import|deprecated|ts-ignore|wraps|"
    "see|example|author|since|todo|decorator|decorators"
)
_HANDLE = re.compile(
    rf"""
      @(?!(?:{DECORATORS})\b)[A-Za-z0-9_]
    | (?<!\w)[ur]/[A-Za-z0-9_]{{3}}
    | \b[A-Za-z]\w{{1,31}}\#\d{{4}}\b
    | (?<![\w#&])\#[a-z]\w{{2}}
    """,
    re.VERBOSE,
)


def catches(text: str) -> bool:
    """Whether the text holds a handle."""
    return _HANDLE.search(text) is not None


BARRIER = Barrier("handle", Code.PRIVATE_EMAIL, catches, frozenset("@#/"))
