"""What crosses a boundary: enum pairs, keyed ids, days. Nothing here can hold a sentence."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from habitus_schema.codes import Code, Stage, stage_of
from habitus_schema.ids import ID_PATTERN
from habitus_schema.pairs import CLOSED, Pair
from habitus_schema.vocabulary import Dimension

KeyedId = Annotated[str, StringConstraints(pattern=ID_PATTERN)]
"""A keyed id, as `habitus_schema.ids` makes them."""
Ticket = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
"""The random name of one submission; all that a task of the content zone carries."""
DetectorName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
"""The name of the detector behind a rejection: one of ours, closed by `habitus_tasks.barriers`."""


class Signal(StrEnum):
    """How the person gave the evidence (labelling.md of the contract)."""

    STANDING = "standing"
    """A stated habit."""
    CORRECTION = "correction"
    """A correction of what the assistant just did."""
    EDIT = "edit"
    """A structural edit of the assistant's output."""


class Scope(StrEnum):
    """Whether the wish is the person's way in general, or tied to one named entity."""

    GENERAL = "general"
    ENTITY = "entity"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair that one session gives evidence for, before the gate. Lives in the content zone only.

    Attributes:
        pair: one pair of the catalog.
        turn: index in `Transcript.turns` of the person's turn that gives the evidence.
        entity: the named entity's normalised name (content; keyed before it leaves the zone), for scope ENTITY.
        cue: the closed id of the rule or component that decided, for debugging and metrics.
    """

    pair: Pair
    signal: Signal
    scope: Scope
    turn: int
    entity: str = ""
    cue: str = ""

    def __repr__(self) -> str:
        return f"Candidate({self.pair}, {self.signal}, {self.scope})"


class Rejection(BaseModel):
    """One content-free line of the rejection log. The stage follows from the code."""

    model_config = CLOSED

    code: Code
    dimension: Dimension | None = None
    detector: DetectorName | None = None

    @property
    def stage(self) -> Stage:
        """The stage that gave it."""
        return stage_of(self.code)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What the extractor made of one session: at most one candidate a pair, and what it turned down."""

    candidates: tuple[Candidate, ...] = ()
    rejections: tuple[Rejection, ...] = ()


class Observed(BaseModel):
    """One pair one session gives evidence for, as it leaves the content zone.

    Attributes:
        message: keyed identity of the person's message that gave it; evidence counts once for each message.
        entity: the keyed id of the named entity, when the scope is ENTITY.
    """

    model_config = CLOSED

    pair: Pair
    signal: Signal
    scope: Scope = Scope.GENERAL
    message: KeyedId | None = None
    entity: KeyedId | None = None


class SessionRecord(BaseModel):
    """All that the content zone tells the record zone about one session: the record task's only argument.

    Attributes:
        context: keyed id of the caller's explicit task context, if given.
        messages: keyed identities of the person's own messages, in order (the last `MAX_MESSAGES`).
        sketch: keyed MinHash of the person's content words: `SKETCH_SIZE` integers, or empty for a short session.
        day: the day (UTC) on which the session ended; times are kept to the day.
    """

    model_config = CLOSED

    ticket: Ticket
    tenant: KeyedId
    subject: KeyedId
    session: KeyedId
    context: KeyedId | None = None
    messages: tuple[KeyedId, ...] = ()
    sketch: tuple[int, ...] = ()
    day: date
    observations: tuple[Observed, ...] = ()
    rejections: tuple[Rejection, ...] = ()
    catalog_version: Annotated[int, Field(ge=1)]


class Outcome(StrEnum):
    """How a submission ended. submitted = recorded + duplicate + dead + in flight (invariant 4)."""

    RECORDED = "recorded"
    DUPLICATE = "duplicate"
    DEAD = "dead"


class Status(StrEnum):
    """A pair's standing in the profile."""

    PROMOTED = "promoted"
    CONTESTED = "contested"


MAX_MESSAGES = 4096
SKETCH_SIZE = 64
