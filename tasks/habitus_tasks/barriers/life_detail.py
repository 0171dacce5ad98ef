"""Something about the person's life: health, money, family, belief, origin, work. By word, and by turn of phrase."""

import re

from habitus_schema.codes import Code

from habitus_tasks.barriers.barrier import Barrier
from habitus_tasks.barriers.wordlists import SENSITIVE

_WORD = re.compile(r"[^\W\d_]+")
_PHRASE = re.compile(
    r"""
      \b(?:is|was|being|as)\s(?:an?\s)?(?:british|american|english|latin|greek|roman|oxford)\b(?!\s(?:spelling|english|style|letters|numerals|comma))
    | \b(?:as|is|being)\san?\s(?:single|young|older|senior|junior|former|new|native)\s(?!\w+\s(?:line|block|file|table|list|step|string|quote))\w+\b(?=.*\b(?:user|person|they|wants|prefers)\b)
    | \b(?:first|second|third|native)\slanguage\b
    | \$\s?\d | \d\s?(?:usd|eur|gbp|dollars|euros|pounds|rupees|yen)\b
    | \b\d+k?\s(?:a|per)\s(?:year|month|week)\b
    | \b(?:lives?|living|based|located|moving|moved|relocating|relocated|travell?ing|commut\w+)\s(?:in|near|from|to)\s[A-Z]
    """,
    re.VERBOSE | re.IGNORECASE,
)


def catches(text: str) -> bool:
    """Whether the text says something about the person's life."""
    return not SENSITIVE.isdisjoint(_WORD.findall(text.lower())) or _PHRASE.search(text) is not None


BARRIER = Barrier("life_detail", Code.PRIVATE_DEMOGRAPHIC, catches, plain=True)
