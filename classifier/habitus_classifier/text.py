"""What of a query is read: its own words, capped, with pasted code set aside and noted as cues.

Everything here is linear in at most `READ_HEAD` + `READ_TAIL` characters, whatever the query's length.
"""

import re
import unicodedata
from dataclasses import dataclass

READ_HEAD = 1200
"""Characters looked at from the start of a query."""
READ_TAIL = 600
"""Characters looked at from its end, where people ask what they want of the thing they pasted."""
WORDS_HEAD = 300
"""Characters of prose kept from the start, once code is out."""
WORDS_TAIL = 140
"""Characters of prose kept from the end."""

_FENCE = re.compile(r"```[^`]*(?:```|$)|~~~[^~]*(?:~~~|$)")
_TICKED = re.compile(r"`[^`\n]{1,120}`")
_CODE_LINE = re.compile(
    r"^(?:\s{2,}\S|\t|[+\-@]{1,3}\s?\S.*[=(){};]|\s*(?:def|class|import|from|for|if|while|return|function|const|let|var"
    r"|public|private|fn|func|package|#include|SELECT|select|try|except|catch|elif|else)\b.*[:;{}()=]"
    r"|.*[;{}]\s*$|\s*[}\])]+[;,]?\s*$|#!/|\$ |>>> |\w+\(.*\)\s*$|[\w.\[\]]+ ?[-+*/]?= ?\S)"
)
_CUES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("codefile", re.compile(r"\b[\w-]{1,40}\.(?:py|js|ts|tsx|jsx|go|rs|c|cc|cpp|h|java|kt|rb|php|sh|swift|vue|cs|lua)\b")),
    ("conffile", re.compile(r"\b[\w-]{1,40}\.(?:ya?ml|toml|ini|json|env|cfg|conf|sql|css|html|tf|lock|xml)\b")),
    ("docfile", re.compile(r"\b[\w-]{1,40}\.(?:md|txt|pdf|docx?|pptx?|rst|tex)\b|README")),
    ("datafile", re.compile(r"\b[\w-]{1,40}\.(?:csv|xlsx?|parquet|tsv|log|db)\b")),
    ("snake", re.compile(r"\b[a-z]{1,30}_[a-z_0-9]{1,40}\b")),
    ("camel", re.compile(r"\b[a-z]{2,30}[A-Z][A-Za-z]{1,30}\b|\b[A-Z][a-z]{1,30}[A-Z][a-z]{1,30}\b")),
    ("call", re.compile(r"\w\(\)|\w\(\w{0,20}\)")),
    ("path", re.compile(r"(?:^|\s)[~.]{0,2}/[\w.-]{2,}|[\w-]{2,}/[\w-]{2,}/")),
    ("flag", re.compile(r"(?:^|\s)--?[a-z][\w-]*")),
    ("error", re.compile(r"\b[A-Z]\w{2,30}(?:Error|Exception)\b|Traceback|segfault|\bE[A-Z]{4,}\b|exit code")),
    ("html", re.compile(r"</?[a-z]{1,10}[ >/]")),
    ("question", re.compile(r"[?？؟]")),
    ("exclaim", re.compile(r"[!！]")),
    ("quoted", re.compile(r"['\"“„«「][^'\"”“»」\n]{12,}")),
    ("colon", re.compile(r":\s")),
    ("number", re.compile(r"\d")),
    ("money", re.compile(r"[€$£¥₽₹]\s?\d|\d\s?[€$£¥₽₹%]")),
    ("emoji", re.compile("[\U0001f300-\U0001faff]")),
)
_SPACE = re.compile(r"\s+")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """What was read of a query. Holds content: never logged, kept or shown.

    Attributes:
        exact: lower-cased prose, code out, one space between words, capped.
        words: the same with every number as ``0``.
        cues: names of what the form alone tells, in any script.
    """

    exact: str
    words: str
    cues: tuple[str, ...]


def _window(text: str, head: int, tail: int) -> str:
    return text if len(text) <= head + tail else f"{text[:head]}\n{text[-tail:]}"


def _without_code(text: str) -> tuple[str, bool]:
    """The prose of ``text``, and whether code was pasted in it."""
    prose, fenced = _FENCE.subn("\n", text)
    lines = prose.split("\n")
    kept = [line for line in lines if not _CODE_LINE.match(line[:200])] if len(lines) > 1 else lines
    return "\n".join(kept), bool(fenced) or len(kept) < len([line for line in lines if line.strip()])


def _size(length: int, lines: int) -> str:
    if lines > 12:
        return "size:many_lines"
    return next((f"size:{limit}" for limit in (20, 45, 90, 180, 400) if length <= limit), "size:long")


def read(query: str) -> Reading:
    """Reads a query: at most `READ_HEAD` + `READ_TAIL` characters of it."""
    window = _window(query, READ_HEAD, READ_TAIL)
    prose, code = _without_code(window)
    cues = [name for name, pattern in _CUES if pattern.search(window)]
    cues.append(_size(len(prose.strip()) if len(query) == len(window) else len(query), query.count("\n", 0, READ_HEAD)))
    if code:
        cues.append("code")
    if _TICKED.search(window):
        cues.append("ticked")
    words = unicodedata.normalize("NFKC", _window(prose.strip() or window, WORDS_HEAD, WORDS_TAIL)).lower()
    exact = _SPACE.sub(" ", words).strip()
    return Reading(exact, _DIGITS.sub("0", exact), tuple(cues))
