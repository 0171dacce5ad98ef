"""OpenAI Responses requests: ``input`` is a string or a list of items; the reply's items lie under ``output``."""

from collections.abc import Mapping

from habitus_schema.codes import Code
from habitus_schema.errors import TranscriptError
from habitus_schema.transcript import Format, Transcript
from habitus_tasks.parse.api_logs import note_time, reply_of, request_of, session_name
from habitus_tasks.parse.jsonio import as_list, as_map, as_text
from habitus_tasks.parse.limits import Limits
from habitus_tasks.parse.messages import act_on, say
from habitus_tasks.parse.turns import TurnLog


def read_object(session: Mapping[str, object], limits: Limits) -> Transcript:
    """The transcript of one request.

    Raises:
        TranscriptError: MALFORMED_TRANSCRIPT, when ``input`` is neither text nor a list.
    """
    given = request_of(session).get("input")
    if isinstance(given, str):
        given = [{"role": "user", "content": given}]
    if not isinstance(given, list):
        raise TranscriptError(Code.MALFORMED_TRANSCRIPT)
    log = TurnLog(limits)
    for item in [*given, *as_list(reply_of(session).get("output"))]:
        take_item(log, as_map(item))
    note_time(log, session)
    return log.transcript(Format.OPENAI_RESPONSES, session_name(session))


def take_item(log: TurnLog, item: Mapping[str, object]) -> None:
    """Add one item: a message or a call; outputs of calls, reasoning and unknown items are silent."""
    kind = item.get("type", "message")
    if kind == "message":
        say(log, item)
    elif kind in ("function_call", "custom_tool_call"):
        act_on(log, as_text(item.get("name")), item.get("arguments", item.get("input")))
    elif kind == "local_shell_call":
        act_on(log, "shell", item.get("action"))
