"""The native envelope: one JSON object a session, with its names, its end and its messages."""

from collections.abc import Mapping
from dataclasses import replace

from habitus_schema.codes import Code
from habitus_schema.errors import TranscriptError
from habitus_schema.transcript import Format, Transcript
from habitus_tasks.parse.jsonio import as_map, as_text, moment
from habitus_tasks.parse.limits import Limits
from habitus_tasks.parse.messages import say
from habitus_tasks.parse.turns import TurnLog


def read_object(session: Mapping[str, object], limits: Limits) -> Transcript:
    """The transcript of one envelope.

    Raises:
        TranscriptError: MALFORMED_TRANSCRIPT, when it has no list of messages.
    """
    messages = session.get("messages")
    if not isinstance(messages, list):
        raise TranscriptError(Code.MALFORMED_TRANSCRIPT)
    log = TurnLog(limits)
    for message in messages:
        say(log, as_map(message))
    log.saw(moment(session.get("ended_at")))
    transcript = log.transcript(Format.HABITUS, as_text(session.get("session_id")))
    return replace(
        transcript,
        user_id=as_text(session.get("user_id")),
        tenant_id=as_text(session.get("tenant_id")),
        task_context=as_text(session.get("task_context")),
    )
