"""What of a query is read: its own words, capped, with pasted code set aside and noted as cues.

Everything here is linear in at most `READ_HEAD` + `READ_TAIL` characters, whatever the query's length.
"""

import re
import unicodedata
from dataclasses import dataclass

READ_HEAD = 500
"""Characters looked at from the start of a query."""
READ_TAIL = 250
"""Characters looked at from its end, where people ask what they want of the thing they pasted."""
WORDS_HEAD = 170
"""Characters of prose kept from the start, once code is out."""
WORDS_TAIL = 110
"""Characters of prose kept from the end."""

_FENCE = re.compile(r"```[^`]*(?:```|$)|~~~[^~]*(?:~~~|$)")
_TICKED = re.compile(r"`[^`\n]{1,120}`")
_CODE_LINE = re.compile(
    r"^(?:\s{2,}\S|\t|[+\-@]{1,3}\s?\S.*[=(){};]|\s*(?:def|class|import|from|for|if|while|return|function|const|let|var"
    r"|public|private|fn|func|package|#include|SELECT|select|try|except|catch|elif|else)\b.*[:;{}()=]"
    r"|.*[;{}]\s*$|\s*[}\])]+[;,]?\s*$|#!/|\$ |>>> |\w+\(.*\)\s*$|[\w.\[\]]+ ?[-+*/]?= ?\S)"
)
_SUFFIX = re.compile(r"\w\.([a-z]{1,7})\b")
_SUFFIXES = {
    "codefile": "py js ts jsx tsx go rs c cc cpp h java kt rb php sh swift vue cs lua",
    "conffile": "yml yaml toml ini json env cfg conf sql css html tf lock xml mk",
    "docfile": "md txt pdf doc docx ppt pptx rst tex",
    "datafile": "csv xls xlsx parquet tsv log db",
}
_FILES = {suffix: cue for cue, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_MARKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("question", ("?", "？", "؟")),
    ("exclaim", ("!", "！")),
    ("colon", (": ", ":\n")),
    ("error", ("Error", "Exception", "Traceback", "segfault", "exit code")),
    ("money", ("€", "$", "£", "¥", "₽", "₹", "%")),
    ("html", ("</", "/>")),
    ("docfile", ("README",)),
)
"""Cues that plain strings give."""
_CUES: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    ("snake", "_", re.compile(r"[a-z0-9]_[a-z]")),
    ("camel", "", re.compile(r"[a-z][A-Z][a-z]")),
    ("call", "(", re.compile(r"\w\(\w{0,20}\)")),
    ("path", "/", re.compile(r"[\s~.]/\w|\w/\w+/")),
    ("flag", "-", re.compile(r"\s--?[a-z]")),
    ("quoted", "", re.compile(r"['\"“„«「][^'\"”“»」\n]{12}")),
    ("number", "", re.compile(r"\d")),
    ("emoji", "", re.compile("[\U0001f300-\U0001faff]")),
)
"""Cues that patterns give, and the character without which each is not worth looking for."""
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


def _cues(window: str) -> list[str]:
    suffixes = _SUFFIX.findall(window) if "." in window else ()
    cues = {_FILES[suffix]: None for suffix in suffixes if suffix in _FILES}
    cues.update((name, None) for name, marks in _MARKS if any(mark in window for mark in marks))
    cues.update((name, None) for name, mark, pattern in _CUES if mark in window and pattern.search(window))
    return list(cues)


def read(query: str) -> Reading:
    """Reads a query: at most `READ_HEAD` + `READ_TAIL` characters of it."""
    window = _window(query, READ_HEAD, READ_TAIL)
    prose, code = _without_code(window)
    cues = _cues(window)
    cues.append(_size(len(prose.strip()) if len(query) == len(window) else len(query), query.count("\n", 0, READ_HEAD)))
    if code:
        cues.append("code")
    if _TICKED.search(window):
        cues.append("ticked")
    words = unicodedata.normalize("NFKC", _window(prose.strip() or window, WORDS_HEAD, WORDS_TAIL)).lower()
    exact = _SPACE.sub(" ", words).strip()
    return Reading(exact, _DIGITS.sub("0", exact), tuple(cues))
