"""The words of ``cues.toml`` as patterns: by what a person introduces words that are not their own."""

import re
import tomllib
from pathlib import Path

_WITHOUT_SPACES = ("zh", "ja", "ko", "hi")
_LISTS: dict[str, dict[str, list[str]]] = tomllib.loads(Path(__file__).with_name("cues.toml").read_text("utf-8"))


def _words(name: str) -> str:
    """An alternation of the list's entries: whole words, or parts of a run of letters where no spaces are written."""
    entries = _LISTS[name]
    spaced = [entry for language, some in entries.items() if language not in _WITHOUT_SPACES for entry in some]
    joined = [entry for language in _WITHOUT_SPACES for entry in entries.get(language, [])]
    whole = rf"(?<!\w)(?:{'|'.join(spaced)})(?!\w)"
    return f"(?:{whole}|{'|'.join(joined)})" if joined else whole


def _pattern(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


_HEADER_END = r"\s*\*{0,2}\s*[:：]\s*\*{0,2}\s*\S"

REPORTED_BEFORE = _pattern(rf"{_words('reporting')}[^.!?。！？\n]{{0,30}}\Z")
"""Ends before a quotation that someone else says or writes, or that something holds."""
REPORTED_AFTER = _pattern(rf"[\s,，、.]*(?:\w+\s+)?{_words('reporting_after')}")
"""Begins after such a quotation."""
SELF_REPORTED = _pattern(rf"{_words('self_reporting')}\W*\Z")
"""Ends before a quotation of the person themselves."""
MAIL_FROM = _pattern(rf"\W{{0,4}}{_words('mail_from')}{_HEADER_END}")
"""The sender's line of a mail."""
MAIL_HEADER = _pattern(rf"\W{{0,4}}(?:{_words('mail_from')}|{_words('mail_header')}){_HEADER_END}")
"""Any header line of a mail."""
MAIL_INTRO = _pattern(rf"\s*{_words('mail_intro')}\s*\Z|\s*-{{3,}} ?(?:original|forwarded) ")
"""The line that introduces a quoted mail."""
SIGN_OFF = _pattern(rf"\s*{_words('sign_off')}\s*[,，、.!]?\s*\Z")
"""The line that ends a mail, before the names."""
FOR_MACHINES = _pattern(_words("for_machines"))
"""Talk about 'the user', or to an assistant as such: in what a person shows, never about themselves."""
OWN_RULES = _pattern(_words("own_rules"))
"""In the line before a list: the rules that follow are the person's own."""
MATERIAL = _pattern(_words("material"))
"""In the line before a block: it is something to work on, or something that came from elsewhere."""
DOCUMENTS = _pattern(_words("documents"))
"""The same, unless the block is a list."""
THIS = _pattern(_words("this"))
"""Points at what follows."""
SALUTATION = _pattern(rf"\W*{_words('salutation')}|\A[^\n]{{1,20}}様")
"""Begins a mail."""
ASKING = _pattern(rf"\A\W*{_words('asking')}|[?？؟]\W*\Z")
"""A paragraph in which a person, after what they pasted, asks for something."""
ORDERING = _pattern(rf"\A\W*{_words('ordering')}")
"""The same, but a pasted document may have such paragraphs too."""
