"""Turns of phrase about a life, made of ordinary words: body, job, money, home.

Those below are of every matter; each of the modules `life_*` has the kinds of one matter.
"""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers import life_body, life_event, life_law, life_mind, life_money, life_tie, life_work
from habitus_tasks.barriers.barrier import Barrier
from habitus_tasks.barriers.life_pattern import by_word, merged, says

_SHORT = by_word(
    ("laid", r"\blaid\soff\b"),
    ("raise", r"\bgot\sa\sraise\b|%\sraise\b"),
    ("promotion", r"\bfor\s(?:a\s)?promotion\b"),
    ("section", r"\bc-section\b"),
    ("performance", r"\bperformance\sreviews?\b"),
    ("net", r"\bnet\sworth\b"),
    ("job", r"\blos(?:t|ing)\s(?:a|an|the|their)\s(?:\w{1,20}\s)?job\b"),
    ("losing", r"\blosing\sweight\b"),
    ("handed", r"\b(?:left|right|one)[\s-]handed\b"),
    ("hands", r"\bboth\shands\b"),
    ("type types", r"\btypes?\swith\sone\b"),
    (
        "memory attention sleep eye sight back heart",
        r"\b(?:memory|attention|sleep|eye|sight|back|heart)\s(?:problems?|loss|span|trouble)\b",
    ),
    ("bad low poor weak", r"\b(?:bad|low|poor|weak)\s(?:back|sight|vision|eyes|memory)\b"),
    ("see hear", r"(?:CANNOT|\bhard\sto\s)(?:see|hear)\b"),
    ("manager director ex", r"\b(?:user's|person's|their)\s(?!package\b)(?:\w{1,20}\s)?(?:manager|director|ex)\b"),
    ("stock", r"\bstock\s(?:option|price|market)s?\b"),
    ("missing", r"\bmissing\sperson\b"),
    ("$ \u20ac \u00a3 \u00a5", r"[$\u20ac\u00a3\u00a5]\s?\d"),
    (
        "usd eur gbp dollars euros pounds rupees yen quid bucks",
        r"\d[\s-]?k?\s?(?:usd|eur|gbp|dollars|euros|pounds|rupees|yen|quid|bucks)\b",
    ),
    ("year month week", r"\d[\d,.]{0,9}k?\s(?:a|per)\s(?:year|month|week)\b"),
    ("restraining", r"\brestraining\sorder\b"),
    ("investigation oath", r"\bunder\s(?:investigation|oath)\b"),
    ("serving served doing", r"\b(?:serving|served|doing)\stime\b"),
    ("figures figure", r"\b(?:four|five|six|seven|eight)[\s-]figures?\b"),
    ("payment payments bill bills", r"\bbehind\son\s(?:payments?|bills?)\b"),
    ("low", r"\blow[\s-]income\b"),
    ("/", r"\b(?:he/him|she/her|they/them)\b"),
    ("transitioning", r"\b(?:since|after|before|while)\stransitioning\b"),
    ("passed", r"\bpassed\saway\b"),
    ("clean", r"\bbeen\sclean\s(?:since|for)\b"),
    ("leave", r"\b(?:sick|parental|medical|unpaid|family)\sleave\b"),
    ("work jobs", r"\b(?:out\sof\swork|between\sjobs)\b"),
    ("shift shifts", r"\b(?:night|late|early|double)\sshifts?\b|\bshift\swork"),
    ("job jobs", r"\b(?:second|day|full-time|part-time)\sjobs?\b"),
    ("live lives living", r"\b(?:lives?|living)\s(?:alone|with|together)\b"),
    ("move moves moved moving", r"\bmov(?:e|es|ed|ing)\s(?:in|out)\swith\b"),
    ("seeing", r"\bseeing\ssomeone\b"),
    ("parent parents", r"\b(?:single|new)\sparents?\b"),
    ("spectrum", r"\bon\sthe\sspectrum\b"),
)
_CAPITAL = re.compile(r"\s[A-Z]")
_CASED = re.compile(
    r"""
      \bhas\s(?-i:ADD)\b
    | \b(?:lives?|living|based|located|relocat\w{1,4}|travel\w{0,5}|commut\w{1,4})\s(?:in|near|from|to)\s(?-i:[A-Z])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CASED_NEEDS = (
    "add based located relocate relocates relocated relocating travel travels traveled traveling "
    "travelled travelling commute commutes commuting commuted"
)
_KINDS = merged(
    _SHORT,
    *(each.KINDS for each in (life_body, life_event, life_law, life_mind, life_money, life_tie, life_work)),
)


def catches(text: str) -> bool:
    """Whether the text tells something of the person's life in ordinary words."""
    return says(_KINDS, text) or (_CAPITAL.search(text) is not None and _CASED.search(text) is not None)


BARRIER = Barrier("life_phrase", Code.PRIVATE_DEMOGRAPHIC, catches, frozenset({*_CASED_NEEDS.split(), *_KINDS}))
