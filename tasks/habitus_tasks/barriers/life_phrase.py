"""Turns of phrase about a life, made of ordinary words: body, job, money, home."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

_PHRASE = re.compile(
    r"""
      \blaid\soff\b | \bgot\sa\sraise\b | \bfor\s(?:a\s)?promotion\b | %\sraise\b | \bc-section\b
    | \bperformance\sreviews?\b | \bnet\sworth\b
    | \blos(?:t|ing)\s(?:a|an|the|their)\s(?:\w+\s)?job\b | \blosing\sweight\b
    | \b(?:left|right|one)[\s-]handed\b | \bboth\shands\b | \btypes?\swith\sone\b
    | \b(?:memory|attention|sleep|eye|sight|back|heart)\s(?:problems?|loss|span|trouble)\b
    | \b(?:bad|low|poor|weak)\s(?:back|sight|vision|eyes|memory)\b
    | \b(?:cannot|can't|can\snot|hard\sto)\s(?:see|hear)\b
    | \b(?:user's|person's|their)\s(?!package\b)(?:\w+\s)?(?:manager|director|ex)\b | \bhas\s(?-i:ADD)\b
    | \bstock\s(?:option|price|market)s?\b | \bmissing\sperson\b
    | [$\u20ac\u00a3\u00a5]\s?\d | \d[\s-]?k?\s?(?:usd|eur|gbp|dollars|euros|pounds|rupees|yen|quid|bucks)\b
    | \d[\d,.]{0,9}k?\s(?:a|per)\s(?:year|month|week)\b
    | \b(?:lives?|living|based|located|relocat\w{2,4}|travel\w{0,5}|commut\w{1,4})\s(?:in|near|from|to)\s(?-i:[A-Z])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NEEDS = (
    "promotion section manager director ex add laid raise performance net lost losing handed hands types type "
    "memory attention sleep eye sight back heart low poor weak bad cannot see hear stock missing $ \u20ac \u00a3 "
    "\u00a5 usd eur gbp dollars euros pounds rupees yen quid bucks year month week live lives living based "
    "located relocate relocates relocated relocating travel travels traveled traveling travelled travelling "
    "commute commutes commuting commuted"
)


def catches(text: str) -> bool:
    """Whether the text tells something of the person's life in ordinary words."""
    return _PHRASE.search(text) is not None


BARRIER = Barrier("life_phrase", Code.PRIVATE_DEMOGRAPHIC, catches, frozenset(_NEEDS.split()))
