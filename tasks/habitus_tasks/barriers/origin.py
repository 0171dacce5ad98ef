"""Where the person comes from: a language or a nation said of a person, not of a text."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

_NATIONS = (
    "British|American|English|German|French|Spanish|Italian|Portuguese|Dutch|Swedish|Danish|Norwegian|Finnish|Polish|"
    "Czech|Hungarian|Turkish|Greek|Russian|Ukrainian|Japanese|Chinese|Korean|Arabic|Hebrew|Hindi|Latin|Roman"
)
_OF_TEXT = (
    "spelling|english|style|letters?|numerals?|words?|version|answers?|repl(?:y|ies)|text|translation|terms?|quotes?|"
    "characters?|alphabet|keyboard|idioms?|sentences?|prose|one|dates?|formats?|names?|abbreviations?|docs?|comments?|"
    "variant|wording|only|too|or|and|when|if|not"
)
_PERSON = "speakers?|users?|person|people|team|company|client|office|unit|side|origin|accent|citizen|native|market"
_ORIGIN = re.compile(
    rf"""
      \b(?:user|person|they|who|someone|an?|native|being)\s(?:is\s|was\s|are\s)?(?:{_NATIONS})\b
        (?!\s(?:{_OF_TEXT})\b)
    | \b(?:{_NATIONS})\s(?:{_PERSON})\b
    | \b(?:first|second|third|native)\slanguage\b
    | \bnative\s\w+\sspeaker
    | \b(?:in|from|near|at|to)\s(?:the\s(?:us|uk|eu)|oxford)\b
        (?!\s(?:formats?|style|spelling|locale|order|date|commas?)\b)
    | \b(?:as|is|being|an?)\s(?:black|white|brown|single|older|senior|junior|former)\s(?:\w+\s)?
        (?:user|person|people|developer|programmer|reader|writer|human|author|adult)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NEEDS = frozenset(
    f"{_NATIONS.lower()}|us|uk|eu|oxford|language|native|black|white|brown|single|older|senior|junior|former".split("|")
)


def catches(text: str) -> bool:
    """Whether the text says where the person comes from or what they are."""
    return _ORIGIN.search(text) is not None


BARRIER = Barrier("origin", Code.PRIVATE_DEMOGRAPHIC, catches, _NEEDS)
