"""Circumstances of a life in ordinary words: what a court ordered, money owed, family, leave, shifts, being oneself."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

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
    "restraining investigation oath serving served doing figures figure bills bill payments payment income / "
    "transitioning passed expecting clean leave work jobs job shift shifts lives live living move moves moved moving "
    "seeing parent parents spectrum"
)


def catches(text: str) -> bool:
    """Whether the text tells of a circumstance of the person's life."""
    return _CIRCUMSTANCE.search(text.lower()) is not None


BARRIER = Barrier("circumstance", Code.PRIVATE_DEMOGRAPHIC, catches, frozenset(_NEEDS.split()))
