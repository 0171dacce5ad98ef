"""Anthropic Messages requests, bare or as a log line with the reply beside them.

A ``tool_result`` block sits in a message of role ``user``, possibly beside a text block of the person: blocks are
taken by their kind, and only ``text`` is one of the person's.
"""

from collections.abc import Mapping

from habitus_schema.transcript import Format, Transcript
from habitus_tasks.parse.api_logs import listed, note_time, reply_of, request_of, session_name
from habitus_tasks.parse.jsonio import as_map
from habitus_tasks.parse.limits import Limits
from habitus_tasks.parse.messages import say
from habitus_tasks.parse.turns import TurnLog


def read_object(session: Mapping[str, object], limits: Limits) -> Transcript:
    """The transcript of one request.

    Raises:
        TranscriptError: MALFORMED_TRANSCRIPT, when it has no list of messages.
    """
    log = TurnLog(limits)
    for message in listed(request_of(session), "messages"):
        say(log, as_map(message))
    reply = reply_of(session)
    if reply.get("role") == "assistant":
        say(log, reply)
    note_time(log, session)
    return log.transcript(Format.ANTHROPIC_MESSAGES, session_name(session))
