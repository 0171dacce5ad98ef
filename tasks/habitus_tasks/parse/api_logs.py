"""What the three API formats share: where a log keeps the request, the reply, the session's name and its time."""

from collections.abc import Mapping

from habitus_schema.codes import Code
from habitus_schema.errors import TranscriptError
from habitus_tasks.parse.jsonio import as_list, as_map, as_text, moment
from habitus_tasks.parse.turns import TurnLog

_WRAPPERS = ("request", "body", "params")
_SESSION_KEYS = ("session_id", "conversation_id", "id", "custom_id")
_TIME_KEYS = ("ended_at", "created", "created_at", "timestamp")


def request_of(record: Mapping[str, object]) -> Mapping[str, object]:
    """The request in a log line: the line itself, or what lies under 'request' or 'body'."""
    inner = next((as_map(record.get(key)) for key in _WRAPPERS if as_map(record.get(key))), None)
    return record if inner is None or "messages" in record or "input" in record else inner


def reply_of(record: Mapping[str, object]) -> Mapping[str, object]:
    """The reply that a log keeps beside the request; empty when it keeps none."""
    reply = as_map(record.get("response"))
    return as_map(reply.get("body")) or reply or record


def listed(request: Mapping[str, object], key: str) -> list[object]:
    """The list under ``key``.

    Raises:
        TranscriptError: MALFORMED_TRANSCRIPT, when there is no list.
    """
    value = request.get(key)
    if not isinstance(value, list):
        raise TranscriptError(Code.MALFORMED_TRANSCRIPT)
    return value


def session_name(record: Mapping[str, object]) -> str:
    """The session's name: a conversation's id where the log has one, else the id of the call."""
    named = (record, as_map(request_of(record).get("metadata")), reply_of(record))
    return next((text for key in _SESSION_KEYS for place in named if (text := as_text(place.get(key)))), "")


def note_time(log: TurnLog, record: Mapping[str, object]) -> None:
    """Note the time of the call."""
    for place in (record, reply_of(record)):
        for key in _TIME_KEYS:
            log.saw(moment(place.get(key)))


def choices(record: Mapping[str, object]) -> list[Mapping[str, object]]:
    """The messages that a Chat Completions reply offers (the first choice only: the others were not shown)."""
    offered = as_list(reply_of(record).get("choices"))
    return [as_map(as_map(choice).get("message")) for choice in offered[:1]]
