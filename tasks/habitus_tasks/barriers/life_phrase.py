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
    | \b(?:lives?|living|based|located|relocat\w{1,4}|travel\w{0,5}|commut\w{1,4})\s(?:in|near|from|to)\s(?-i:[A-Z])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CIRCUMSTANCE = re.compile(
    r"""
      \brestraining\sorder\b | \bunder\s(?:investigation|oath)\b | \b(?:serving|served|doing)\stime\b
    | \b(?:four|five|six|seven|eight)[\s-]figures?\b | \bbehind\son\s(?:payments?|bills?)\b | \blow[\s-]income\b
    | \b(?:he/him|she/her|they/them)\b | \b(?:since|after|before|while)\stransitioning\b
    | \bpassed\saway\b | \bis\sexpecting(?:\sa\b|\sin\b|\W*$) | \bbeen\sclean\s(?:since|for)\b
    | \b(?:sick|parental|medical|unpaid|family)\sleave\b | \b(?:out\sof\swork|between\sjobs)\b
    | \b(?:night|late|early|double)\sshifts?\b | \bshift\swork | \b(?:second|day|full-time|part-time)\sjobs?\b
    | \b(?:lives?|living)\s(?:alone|with|together)\b | \bmov(?:e|es|ed|ing)\s(?:in|out)\swith\b | \bseeing\ssomeone\b
    | \b(?:single|new)\sparents?\b | \bon\sthe\sspectrum\b
    """,
    re.VERBOSE,
)
_NEEDS = (
    "promotion section manager director ex add laid raise performance net losing handed hands types type "
    "memory attention sleep eye sight back heart low poor weak bad see hear stock missing $ \u20ac \u00a3 "
    "\u00a5 usd eur gbp dollars euros pounds rupees yen quid bucks year month week live lives living based "
    "located relocate relocates relocated relocating travel travels traveled traveling travelled travelling "
    "commute commutes commuting commuted "
    "restraining investigation oath serving served doing figures figure bills bill payments payment / "
    "transitioning passed expecting clean leave work jobs job shift shifts move moves moved moving "
    "seeing parent parents spectrum"
)


def catches(text: str) -> bool:
    """Whether the text tells something of the person's life in ordinary words."""
    return _PHRASE.search(text) is not None or _CIRCUMSTANCE.search(text.lower()) is not None


BARRIER = Barrier("life_phrase", Code.PRIVATE_DEMOGRAPHIC, catches, frozenset(_NEEDS.split()))
