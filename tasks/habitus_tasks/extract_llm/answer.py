"""What the model may answer: a list of findings over closed words. Everything else is refused, item by item."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictInt, ValidationError

from habitus_schema.catalog import all_pairs
from habitus_schema.models import Scope, Signal
from habitus_tasks.gate import MAX_NOTE

MAX_FINDINGS = 60
"""More findings than a window's messages can hold; what comes after is not read."""


class Hold(StrEnum):
    """Whether the wish holds, in the model's judgement."""

    HOLDS = "holds"
    """It is the person's wish, and not marked as for this time only."""
    ONE_OFF = "one_off"
    """It is for this one time or this one deliverable."""
    WITHDRAWN = "withdrawn"
    """The message takes an earlier wish of this dimension back without asking for another."""
    UNDECIDED = "undecided"
    """The message leaves it open."""


class Finding(BaseModel):
    """One pair that one message speaks for.

    Attributes:
        pair: "dimension=value"; any text here, since it is the gate that judges it.
        message: the number of the person's message.
        name: the number of the hidden name the wish is tied to, for scope ENTITY.
        note: why, in the gate's published words; read by the gate, then dropped.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    pair: Annotated[str, Field(max_length=200)]
    message: StrictInt
    signal: Signal
    scope: Scope
    hold: Hold
    name: StrictInt | None = None
    note: str | None = None

    def __repr__(self) -> str:
        return "Finding()"

    __str__ = __repr__

    @property
    def key(self) -> tuple[str, int]:
        """What tells it from the others: its pair and its message."""
        return self.pair, self.message


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """Findings of the right form, and how many were of none."""

    findings: tuple[Finding, ...]
    malformed: int


def schema() -> dict[str, Any]:
    """The JSON schema of an answer, in the subset that servers with constrained output share."""
    finding = {
        "pair": {"type": "string", "enum": [str(pair) for pair in all_pairs()]},
        "message": {"type": "integer"},
        "signal": {"type": "string", "enum": [Signal.STANDING.value, Signal.CORRECTION.value]},
        "scope": {"type": "string", "enum": [each.value for each in Scope]},
        "hold": {"type": "string", "enum": [each.value for each in Hold]},
        "name": {"type": ["integer", "null"]},
        "note": {"type": "string", "description": f"at most {MAX_NOTE} characters"},
    }
    return _object({"findings": {"type": "array", "items": _object(finding)}})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object", "properties": dict(properties), "required": list(properties), "additionalProperties": False,
    }  # fmt: skip


def read_answer(text: str) -> Answer | None:
    """The findings in an answer's text, or None when it is not an object with a list of findings.

    Words or a fence around the object are passed over: a server that cannot bind its output may write them.
    """
    found = _first_object(text)
    items = found.get("findings") if found is not None else None
    if not isinstance(items, list):
        return None
    findings, malformed = [], 0
    for item in items[:MAX_FINDINGS]:
        try:
            findings.append(Finding.model_validate(item))
        except ValidationError:
            malformed += 1
    return Answer(tuple(findings), malformed)


_BRACE = re.compile(r"\{")
_TRIES = 20


def _first_object(text: str) -> dict[str, Any] | None:
    decoder = json.JSONDecoder()
    for number, brace in enumerate(_BRACE.finditer(text)):
        if number == _TRIES:
            return None
        try:
            found, _ = decoder.raw_decode(text, brace.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and "findings" in found:
            return found
    return None
