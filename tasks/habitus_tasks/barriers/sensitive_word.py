"""Words about a life: health, money, family, belief, work, law. They only name the reason:

none of them is on the published list, so that the vocabulary refuses them too.
"""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier
from habitus_tasks.barriers.wordlists import SENSITIVE

_WORD = re.compile(r"[^\W\d_]{2,}")


def catches(text: str) -> bool:
    """Whether the text holds a word about a person's life."""
    return not SENSITIVE.isdisjoint(_WORD.findall(text.lower()))


BARRIER = Barrier("sensitive_word", Code.PRIVATE_DEMOGRAPHIC, catches, SENSITIVE)
