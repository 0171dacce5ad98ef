"""The content zone's work on one session, as one plain function: read, extract, gate, and say it in keyed ids.

What comes in is content; what goes out (`SessionRecord`) can hold none.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date
from typing import Any

from billiard.exceptions import SoftTimeLimitExceeded

from habitus_schema import catalog
from habitus_schema.codes import Code
from habitus_schema.errors import TranscriptError
from habitus_schema.ids import IdKey, IdKeys, Kind
from habitus_schema.models import MAX_MESSAGES, Candidate, Extraction, Observed, Rejection, Scope, SessionRecord
from habitus_schema.transcript import Format, Speaker, Transcript
from habitus_tasks.extract import extract
from habitus_tasks.gate import admit
from habitus_tasks.identity import message_ids
from habitus_tasks.lift import lifted
from habitus_tasks.parse import read_session
from habitus_tasks.sketch import sketch_of


@dataclass(frozen=True, slots=True, repr=False)
class Caller:
    """Who submits a session: plain names, keyed before they leave. They outrank the names inside the transcript.

    Attributes:
        user, tenant: names; an empty one is taken from the transcript, and `tenant` is "default" after that.
        context: the task context, or empty.
        day: the day to count the session on when the transcript has no time.
    """

    user: str = ""
    tenant: str = ""
    context: str = ""
    day: date = date.min

    def filled(self, transcript: Transcript, user: str, tenant: str) -> "Caller":
        """The caller of one session: what they named, else what the transcript names, else these defaults."""
        return replace(
            self, user=self.user or transcript.user_id or user, tenant=self.tenant or transcript.tenant_id or tenant
        )


Extractor = Callable[[Transcript], Extraction]
"""From a transcript to candidates; `habitus_tasks.extract.extract` unless another is given."""
Admitted = tuple[list[Candidate], tuple[Rejection, ...]]
DEFAULT_TENANT = "default"


def digest(
    session: Any, format: Format | None, caller: Caller, ticket: str, keys: IdKeys, extractor: Extractor = extract
) -> SessionRecord:
    """Everything the record zone may know of one session.

    A transcript that cannot be read, or an extractor that breaks, gives a record with the closed code and no evidence.
    """
    try:
        transcript = read_session(session, format)
    except TranscriptError as error:
        return lifted(_unreadable(error.code, caller, ticket, keys.first), keys.outgoing)
    return record_of(transcript, caller, ticket, keys, extractor)


def record_of(
    transcript: Transcript, caller: Caller, ticket: str, keys: IdKeys, extractor: Extractor = extract
) -> SessionRecord:
    """`digest`, for a transcript that is read already."""
    sketch = sketch_of(_prose(transcript), keys)
    admitted = _admitted(transcript, extractor)
    return lifted(_record(transcript, caller, ticket, sketch, admitted, keys.first), keys.outgoing)


def _record(
    transcript: Transcript, caller: Caller, ticket: str, sketch: tuple[int, ...], admitted: Admitted, key: IdKey
) -> SessionRecord:
    """The record in ids of the first key: some ids are made of others, and must not change with a new key."""
    tenant = caller.tenant or transcript.tenant_id or DEFAULT_TENANT
    user = caller.user or transcript.user_id
    context = caller.context or transcript.task_context
    # A message's identity is made the person's own: two people who wrote the same line must not be told to be linked.
    ids = [mid and key.keyed(Kind.MESSAGE, tenant, user, mid) for mid in message_ids(transcript, key)]
    candidates, rejections = admitted
    name = transcript.session_id or next((mid for mid in ids if mid), "") or ticket
    return SessionRecord(
        ticket=ticket,
        tenant=key.keyed(Kind.TENANT, tenant),
        subject=key.keyed(Kind.SUBJECT, tenant, user),
        session=key.keyed(Kind.SESSION, tenant, user, name),
        context=key.keyed(Kind.CONTEXT, tenant, user, context) if context else None,
        messages=tuple(dict.fromkeys(mid for mid in ids if mid))[-MAX_MESSAGES:],
        sketch=sketch,
        day=transcript.ended_at.astimezone(UTC).date() if transcript.ended_at else caller.day,
        observations=tuple(_observed(each, ids[each.turn], tenant, user, key) for each in candidates),
        rejections=rejections,
        catalog_version=catalog.version(),
    )


def extraction_of(transcript: Transcript, extractor: Extractor = extract) -> Extraction:
    """What the extractor finds, or the closed code in place of an exception, whose text could quote the transcript.

    Raises:
        SoftTimeLimitExceeded, MemoryError: as they come. A busy machine is no word on the session: it is tried again.
    """
    try:
        return extractor(transcript)
    except (SoftTimeLimitExceeded, MemoryError) as error:
        raise type(error)() from None
    except Exception:  # noqa: BLE001 - any failure at all; its text must not travel, its count does
        return Extraction(rejections=(Rejection(code=Code.EXTRACTOR_FAILED),))


def _admitted(transcript: Transcript, extractor: Extractor) -> Admitted:
    extraction = extraction_of(transcript, extractor)
    admitted: list[Candidate] = []
    rejections = list(extraction.rejections)
    for candidate in extraction.candidates:
        refusal = admit(candidate, transcript)
        if refusal is None:
            admitted.append(candidate)
        else:
            rejections.append(refusal)
    return admitted, tuple(rejections)


def _observed(candidate: Candidate, message: str | None, tenant: str, user: str, key: IdKey) -> Observed:
    coupled = candidate.scope is Scope.ENTITY
    return Observed(
        pair=candidate.pair,
        signal=candidate.signal,
        scope=candidate.scope,
        message=message,
        entity=key.keyed(Kind.ENTITY, tenant, user, candidate.entity) if coupled else None,
    )


def _prose(transcript: Transcript) -> list[str]:
    return [turn.prose for turn in transcript.turns if turn.speaker is Speaker.PERSON and turn.prose]


def _unreadable(code: Code, caller: Caller, ticket: str, key: IdKey) -> SessionRecord:
    tenant = caller.tenant or DEFAULT_TENANT
    return SessionRecord(
        ticket=ticket,
        tenant=key.keyed(Kind.TENANT, tenant),
        subject=key.keyed(Kind.SUBJECT, tenant, caller.user),
        session=key.keyed(Kind.SESSION, tenant, caller.user, ticket),
        day=caller.day,
        rejections=(Rejection(code=code),),
        catalog_version=catalog.version(),
    )
