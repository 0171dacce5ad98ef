"""The readers by format. A new format is one module, one line here and one in ``detect``."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from habitus_schema.codes import Code
from habitus_schema.errors import TranscriptError
from habitus_schema.transcript import Format, Transcript
from habitus_tasks.parse import (
    aider,
    anthropic_messages,
    chatgpt_export,
    claude_code,
    codex_rollout,
    cursor,
    gemini_cli,
    habitus,
    openai_chat,
    openai_responses,
    opencode,
    specstory,
)
from habitus_tasks.parse.detect import detect
from habitus_tasks.parse.jsonio import as_map
from habitus_tasks.parse.limits import Limits

RECORDS: Mapping[Format, Callable[[Iterable[object], Limits], Transcript]] = {
    Format.CLAUDE_CODE: claude_code.read_records,
    Format.CODEX_ROLLOUT: codex_rollout.read_records,
    Format.OPENCODE: opencode.read_records,
    Format.CURSOR: cursor.read_records,
}
OBJECTS: Mapping[Format, Callable[[Mapping[str, object], Limits], Transcript]] = {
    Format.HABITUS: habitus.read_object,
    Format.OPENAI_CHAT: openai_chat.read_object,
    Format.OPENAI_RESPONSES: openai_responses.read_object,
    Format.ANTHROPIC_MESSAGES: anthropic_messages.read_object,
    Format.CHATGPT_EXPORT: chatgpt_export.read_object,
    Format.GEMINI_CLI: gemini_cli.read_object,
}
TEXTS: Mapping[Format, Callable[[Iterable[str], Limits], Iterator[Transcript]]] = {
    Format.AIDER: aider.read_text,
    Format.SPECSTORY: specstory.read_text,
}


def read_session(session: object, format: Format | None = None, limits: Limits | None = None) -> Transcript:
    """The transcript of one session that is already decoded.

    Args:
        session: a list of records for the formats that are JSON Lines, the session's object for the others, and the
            whole text for the Markdown ones.
        format: the format, or None to tell it from the content.
        limits: what is kept at most; the defaults when None.

    Raises:
        TranscriptError: MALFORMED_TRANSCRIPT, UNSUPPORTED_FORMAT or TOO_LARGE.
    """
    limits = limits or Limits()
    if not isinstance(session, dict | list | str) or not session:
        raise TranscriptError(Code.MALFORMED_TRANSCRIPT)
    known = format or detect(session)
    if known is None:
        raise TranscriptError(Code.UNSUPPORTED_FORMAT)
    if known in RECORDS and isinstance(session, list | dict):
        return RECORDS[known](session if isinstance(session, list) else _listed(session), limits)
    if known in OBJECTS and isinstance(session, dict):
        return OBJECTS[known](as_map(session), limits)
    if known in TEXTS and isinstance(session, str):
        found = next(TEXTS[known](session.split("\n"), limits), None)
        if found:
            return found
    raise TranscriptError(Code.MALFORMED_TRANSCRIPT)


def _listed(session: Mapping[str, object]) -> list[object]:
    """The records of an export that keeps them under ``messages`` (opencode)."""
    messages = session.get("messages")
    return messages if isinstance(messages, list) else [session]
