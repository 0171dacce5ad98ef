"""Code that does something: calls with arguments, assignments, queries, definitions, command lines with data."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

_SHAPES = tuple(
    (needed, re.compile(pattern))
    for needed, pattern in (
        ("(", r"\w\((?!\.{2,3}\))[^()\s][^()]{0,200}[=,.'\"\[{]"),  # f(x=1), f(a, b); not O(n)
        ("(", r"\.\w{1,64}\([^)\s]"),
        ("(", r"\b(?:def|class|function|fn|func)\s\w{2,64}\s?\("),
        (":", r"\b(?:for|while|if|elif|with)\s[\w\s.,()]{1,60}:\s\w{1,64}[.(=]"),
        ("select", r"\bselect\s.{1,120}\sfrom\s\w"),
        ("into", r"\binsert\sinto\s\w"),
        ("set", r"\bupdate\s\w{1,64}\sset\s\w"),
        ("from", r"\bdelete\sfrom\s\w|\bfrom\s[\w.]{1,64}\simport\s\w"),
        ("table", r"\b(?:create|drop|alter)\stable\s\w"),
        ("import", r"\bimport\s\w{1,64}\.\w"),
        ("=", r"[=!:+-]=\s?[\"'$(]{0,3}[a-z_]\w{0,64}(?:\.\w|[(\[\"'])"),
        ("=", r"\w\s?=\s?(?:[\"'\[{(]|[a-z_]\w{0,64}(?:\.\w|\())"),
        ("=", r"\b(?:const|let|var|val|final|mut)\s[a-z_]\w{0,64}\s?=\s?[\w\"'(\[{-]"),
        ("=", r"\w\s?=\s?[a-z_]\w{0,64}(?:\s?[*/+%]|\s-)\s?\d"),  # a = b / 0.5; not encoding=utf-8
        ("=", r"\w\s?=\s?\d[\d.]{0,12}\s?[*+]\s?[a-z_(]"),
        ("return", r"\breturn\s\w{1,64}(?:\s?[*/+%]|\s-)\s?\d"),
        ("&", r"&&\s?[\"'$(]{0,3}[a-z_]\w{0,64}(?:\.\w|[(\[\"'])"),
        ("|", r"\|\|?\s?[\"'$(]{0,3}[a-z_]\w{0,64}(?:\.\w|[(\[\"'])"),
        ("[", r"\w\[[\"']?\w{1,64}[\"']?\]"),
        ("{", r"\{\s?[\"']?\w{1,64}[\"']?\s?:"),
        (";", r";\s*[`'\"]?$"),
        ("}", r"\}\s*[`'\"]?$"),
        (">", r"<[a-z][a-z0-9]{0,15}\s[^<>]{0,80}=[^<>]{0,80}>"),
        ("-", r"\b(?:curl|wget|kubectl|ssh|scp|psql|mysql|aws|gcloud|docker|git|terraform|helm)\s(?:[\w-]{1,32}\s){0,4}"
              r"(?:-[a-z]\s|--[\w-]{1,32}[=\s])(?:\w{1,32}\s)?\S{0,64}[/:=.@]"),
        ("-", r"\s-d\s\w{1,64}="),
    )
)  # fmt: skip
_NEEDS = frozenset("=([};:&|-") | {"into", "set", "from", "table", "import", "return"}


def catches(text: str) -> bool:
    """Whether the text holds a piece of code that names something of its own."""
    lower = text.lower()
    return any(needed in lower and shape.search(lower) is not None for needed, shape in _SHAPES)


BARRIER = Barrier("code_snippet", Code.PRIVATE_QUOTED_TEXT, catches, _NEEDS)
