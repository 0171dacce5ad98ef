"""The words of ``cues.toml`` as patterns: by what a person introduces words that are not their own."""

import re
import tomllib
from pathlib import Path

_WITHOUT_SPACES = ("zh", "ja", "ko", "hi")
_LISTS: dict[str, dict[str, list[str]]] = tomllib.loads(Path(__file__).with_name("cues.toml").read_text("utf-8"))


def _spaced(name: str) -> str:
    """The entries of languages with spaces between words, as whole words."""
    entries = [entry for language, some in _LISTS[name].items() if language not in _WITHOUT_SPACES for entry in some]
    return rf"(?<!\w)(?:{'|'.join(entries)})(?!\w)"


def _joined(name: str) -> str:
    """The entries of languages without, as parts of a run of letters; an expression that never matches for none."""
    entries = [entry for language in _WITHOUT_SPACES for entry in _LISTS[name].get(language, [])]
    return f"(?:{'|'.join(entries)})" if entries else r"(?!)"


def _words(name: str) -> str:
    return f"(?:{_spaced(name)}|{_joined(name)})"


def _pattern(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


_HEADER_END = r"\s*\*{0,2}\s*[:：]\s*\*{0,2}\s*\S"

REPORTED_BEFORE = _pattern(rf"{_words('reporting')}[^.!?。！？\n]{{0,30}}\Z")
"""Ends before a quotation that someone else says or writes, or that something holds."""
REPORTED_AFTER = _pattern(rf"[\s,，、.]*(?:\w+\s+)?{_words('reporting_after')}")
"""Begins after such a quotation."""
SELF_REPORTED = _pattern(rf"{_words('self_reporting')}\W*\Z")
"""Ends before a quotation of the person themselves."""
REPORTED_SPEECH = _pattern(rf"{_words('reporting_after')}(?: \w+)?\s*[:：]\s*(?=\S)")
"""Introduces, on the same line, what someone else says without quotation marks."""
WORDING = _pattern(rf"{_words('language_work')}[^:：\n]{{0,60}}[:：]\s*(?=\S)")
"""Introduces, on the same line, a wording to translate or correct."""
FIRST_PERSON = _pattern(_words("first_person"))
"""The person speaks of themselves."""
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
HABITS = _pattern(_words("habits"))
"""The same, but a document may speak so too."""
MATERIAL = _pattern(_words("material"))
"""In the line before a block: it is something to work on, or something that came from elsewhere."""
DOCUMENTS = _pattern(_words("documents"))
"""The same, unless the block is a list."""
THIS = _pattern(_words("this"))
"""Points at what follows."""
THIS_PAPER = _pattern(
    rf"{_spaced('this')}(?:\W+\w+){{0,3}}?\W+{_spaced('papers')}|{_joined('this')}\w{{0,6}}{_joined('papers')}"
)
"""Points at a piece of writing that follows: 'this linkedin post'."""
LABEL = _pattern(rf"\W*{_words('labels')}\W{{0,3}}[:：]")
"""Opens a pasted passage: 'Article: ...'."""
SALUTATION = _pattern(rf"\W*{_words('salutation')}|\A[^\n]{{1,20}}様")
"""Begins a mail."""
ASSISTANTS = _pattern(_words("assistants"))
"""In a greeting: it is for an assistant, or for nobody by name."""
MANY = _pattern(_words("many"))
"""In a greeting: it is a circular's."""
ASKING = _pattern(rf"\A\W*{_spaced('asking')}|{_joined('asking')}|[?？؟]\W*\Z")
"""A paragraph in which a person, after what they pasted, asks for something."""
ORDERING = _pattern(rf"\A\W*{_spaced('ordering')}|{_joined('ordering')}")
"""The same, but a pasted document may have such paragraphs too."""
