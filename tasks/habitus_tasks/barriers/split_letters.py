"""A word taken apart: single characters in a row, with spaces or marks between them ("g h p _ h", "J-o-h-n")."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

_SPLIT = re.compile(r"(?<![A-Za-z0-9.])(?!(?:e\.g|i\.e)\b)[A-Za-z](?:[ .,_*|/~+-]{1,3}[A-Za-z0-9](?![A-Za-z0-9])){3}")


def catches(text: str) -> bool:
    """Whether four single characters, the first a letter, follow one another."""
    return _SPLIT.search(text) is not None


BARRIER = Barrier("split_letters", Code.PRIVATE_EVASION, catches)
