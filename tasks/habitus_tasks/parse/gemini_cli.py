"""Gemini CLI chats: one JSON object a session. A message may be listed twice; its id tells."""

from collections.abc import Mapping

from habitus_schema.codes import Code
from habitus_schema.errors import TranscriptError
from habitus_schema.transcript import Format, Transcript
from habitus_tasks.parse.jsonio import as_list, as_map, as_text, moment, unique_id
from habitus_tasks.parse.limits import Limits
from habitus_tasks.parse.messages import act_on
from habitus_tasks.parse.turns import TurnLog
from habitus_tasks.parse.words import is_slash_command, own_text


def read_object(session: Mapping[str, object], limits: Limits) -> Transcript:
    """The transcript of one chat.

    Raises:
        TranscriptError: MALFORMED_TRANSCRIPT, when it has no list of messages.
    """
    messages = session.get("messages")
    if not isinstance(messages, list):
        raise TranscriptError(Code.MALFORMED_TRANSCRIPT)
    log, seen = TurnLog(limits), set[str]()
    for message in messages:
        fields = as_map(message)
        name = as_text(fields.get("id"))
        if not fields:
            log.skipped += 1
        elif not name or name not in seen:
            seen.add(name)
            _take(log, fields)
    log.saw(moment(session.get("lastUpdated")))
    return log.transcript(Format.GEMINI_CLI, as_text(session.get("sessionId")))


def _take(log: TurnLog, message: Mapping[str, object]) -> None:
    log.messages += 1
    log.saw(moment(message.get("timestamp")))
    text = _text(message.get("content"))
    if message.get("type") == "user" and not is_slash_command(text):
        log.person(own_text(text), identity=unique_id(message.get("id")))
    elif message.get("type") == "gemini":
        log.assistant(text)
        for call in as_list(message.get("toolCalls")):
            act_on(log, as_text(as_map(call).get("name")), as_map(call).get("args"))


def _text(content: object) -> str:
    """Content is text, or a list of parts of which only those with text and nothing else are the speaker's."""
    parts = [as_text(as_map(part).get("text")) for part in as_list(content)]
    return "\n\n".join(part for part in parts if part) if parts else as_text(content)
