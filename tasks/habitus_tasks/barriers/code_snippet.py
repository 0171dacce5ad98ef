"""Code that does something: calls with arguments, assignments, queries, definitions, command lines with data."""

import re

from habitus_schema.codes import Code

from habitus_tasks.barriers.barrier import Barrier

_CODE = re.compile(
    r"""
      \b\w+\([^()\s][^()]*[=,.'"\[{][^()]*\)                      # f(x=1), f(a, b); not O(n)
    | \b\w+\.\w+\(
    | \b(?:def|class|function|fn|func)\s\w+\s?\(
    | \b(?:for|while|if|elif|with)\s[\w\s.,()]{1,40}:\s\w+[.(=]
    | \bselect\s.{1,80}\sfrom\s\w
    | \b(?:insert\sinto|update\s\w+\sset|delete\sfrom|create\stable|drop\stable|alter\stable)\b
    | (?:==|!=|:=|\+=|-=|&&|\|\|)\s?["'\w$(]+[.(\["']
    | \b\w+\s?=\s?(?:["'\[{(]|\w+[.(])
    | \w\[["']?\w+["']?\]
    | [{};]\s*$
    | ^\s*(?:import|from)\s\w+\.\w
    | <\/?[a-z][a-z0-9]{0,15}(?:\s[^<>]{1,60})>
    | (?:^|[\s`"'])(?:curl|wget|kubectl|ssh|scp|psql|mysql|aws|gcloud|docker|git|terraform|helm)\s(?:[\w-]+\s){0,4}(?:-[a-zA-Z]\s|--\w+[= ])\S*[/:=.@]
    | \s-d\s\w+=
    """,
    re.VERBOSE | re.IGNORECASE,
)


def catches(text: str) -> bool:
    """Whether the text holds a piece of code that names something of its own."""
    return _CODE.search(text) is not None


BARRIER = Barrier("code_snippet", Code.PRIVATE_QUOTED_TEXT, catches, plain=True)
