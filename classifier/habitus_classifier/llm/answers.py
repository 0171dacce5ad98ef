"""What an answer must be, and how it is read: by its schema where a server keeps one, and by hand always."""

import json
import re
from collections.abc import Mapping
from itertools import permutations
from typing import Any, NamedTuple

from habitus_classifier.policy import Reason
from habitus_classifier.vote import ORDERS, parse_ranking

_CONFLICTS = {"none": None, "query": Reason.CONTRADICTED, "recipient": Reason.RECIPIENT, "medium": Reason.MEDIUM}
_RANKING = {"type": "string", "enum": ["".join(each) for each in permutations("ABC")]}
RANKING_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"ranking": _RANKING},
    "required": ["ranking"],
    "additionalProperties": False,
}
"""Of an answer by MLE or CPE-Recall."""
INTENT_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"conflict": {"type": "string", "enum": list(_CONFLICTS)}, "ranking": _RANKING},
    "required": ["conflict", "ranking"],
    "additionalProperties": False,
}
"""Of an answer by CPE-Intent, which alone sees enough to tell a contradiction."""
MOST_PARTS = 6
"""Statements that one preference is split into."""
MOST_CHARACTERS = 400
"""Of a statement."""
_TEXT = {"type": "string", "minLength": 1, "maxLength": MOST_CHARACTERS}
PARTS_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "preferences": {
            "type": "array",
            "minItems": 1,
            "maxItems": MOST_PARTS,
            "items": {
                "type": "object",
                "properties": {"statement": _TEXT, "subject": _TEXT, "area": _TEXT},
                "required": ["statement", "subject", "area"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["preferences"],
    "additionalProperties": False,
}
"""Of an answer that splits a preference."""
_READ = 20_000
"""Characters of an answer that are looked at."""
_WRITTEN = re.compile(r"\b([ABC]) ?> ?([ABC]) ?> ?([ABC])\b")


class Ranked(NamedTuple):
    """A module's answer.

    Attributes:
        order: three letters, most fitting first.
        conflict: why the preference must not be applied, or None.
    """

    order: str
    conflict: Reason | None = None


class Part(NamedTuple):
    """One statement of a preference, with what the modules that may not see it are told instead. Holds content."""

    statement: str
    subject: str
    area: str

    def __repr__(self) -> str:
        return "Part(...)"


def read_ranking(text: str) -> Ranked | None:
    """The ranking in an answer: JSON, JSON among other text, or one ranking written out; else None."""
    text = _spoken(text)
    found = _object(text)
    if found is not None:
        value = found.get("ranking")
        if isinstance(value, list):
            value = "".join(each for each in value if isinstance(each, str))
        conflict = found.get("conflict", "none")
        known = isinstance(value, str) and isinstance(conflict, str) and conflict in _CONFLICTS
        order = _order(value) if known and isinstance(value, str) else None
        return Ranked(order, _CONFLICTS[conflict]) if order else None
    order = _order(text)
    written = {"".join(each) for each in _WRITTEN.findall(text)}
    if order is None and len(written) == 1:
        order = _order(written.pop())
    return Ranked(order) if order else None


def read_parts(text: str) -> tuple[Part, ...] | None:
    """The statements in an answer, or None when it is of another form."""
    listed = (_object(_spoken(text)) or {}).get("preferences")
    if not isinstance(listed, list) or not 0 < len(listed) <= MOST_PARTS:
        return None
    parts = []
    for each in listed:
        values = [each.get(name) if isinstance(each, dict) else None for name in Part._fields]
        words = [value.strip() for value in values if isinstance(value, str)]
        if len(words) != len(Part._fields) or not all(0 < len(word) <= MOST_CHARACTERS for word in words):
            return None
        parts.append(Part(*words))
    return tuple(parts)


def _order(text: str) -> str | None:
    """A ranking of three letters, and not what an unparseable one counts as."""
    order = parse_ranking(text)
    plain = "".join(character for character in text[:64].upper() if character not in "> ,\n")
    return order if plain in ORDERS else None


def _spoken(text: str) -> str:
    """The answer without the thoughts that a reasoning model writes before it."""
    return text.rpartition("</think>")[2].strip()[:_READ]


def _object(text: str) -> dict[str, Any] | None:
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return None
    try:
        found = json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
