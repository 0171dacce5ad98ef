"""OpenAI Chat Completions requests, bare or as a log line with the reply beside them."""

from collections.abc import Mapping

from habitus_schema.transcript import Format, Transcript
from habitus_tasks.parse.api_logs import choices, listed, note_time, request_of, session_name
from habitus_tasks.parse.jsonio import as_map
from habitus_tasks.parse.limits import Limits
from habitus_tasks.parse.messages import say
from habitus_tasks.parse.turns import TurnLog


def read_object(session: Mapping[str, object], limits: Limits) -> Transcript:
    """The transcript of one request. Only the role ``user`` can hold a person's words.

    Raises:
        TranscriptError: MALFORMED_TRANSCRIPT, when it has no list of messages.
    """
    log = TurnLog(limits)
    for message in [*listed(request_of(session), "messages"), *choices(session)]:
        say(log, as_map(message))
    note_time(log, session)
    return log.transcript(Format.OPENAI_CHAT, session_name(session))
