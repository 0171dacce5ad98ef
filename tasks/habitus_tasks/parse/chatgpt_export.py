"""Conversations of a ChatGPT data export: a tree of messages, of which one branch is live."""

from collections.abc import Iterator, Mapping

from habitus_schema.codes import Code
from habitus_schema.errors import TranscriptError
from habitus_schema.transcript import ActionKind, Format, Transcript
from habitus_tasks.parse.jsonio import as_list, as_map, as_text, moment, unique_id
from habitus_tasks.parse.limits import Limits
from habitus_tasks.parse.turns import TurnLog
from habitus_tasks.parse.words import own_text

_SPOKEN = ("text", "multimodal_text")
_HIDDEN = ("is_user_system_message", "is_visually_hidden_from_conversation")


def read_object(session: Mapping[str, object], limits: Limits) -> Transcript:
    """The transcript of one conversation: the branch that ends in ``current_node``.

    Custom instructions lie in the same tree, as a system or a user message; they are repeated in every conversation
    and are not evidence.

    Raises:
        TranscriptError: MALFORMED_TRANSCRIPT, when it has no tree of messages.
    """
    mapping = session.get("mapping")
    if not isinstance(mapping, dict):
        raise TranscriptError(Code.MALFORMED_TRANSCRIPT)
    log = TurnLog(limits)
    for node in reversed(list(_branch(mapping, as_text(session.get("current_node"))))):
        message = as_map(node.get("message"))
        if message:
            _take(log, message, unique_id(node.get("id")))
    log.saw(moment(session.get("update_time")))
    name = as_text(session.get("conversation_id")) or as_text(session.get("id"))
    return log.transcript(Format.CHATGPT_EXPORT, name)


def _branch(mapping: Mapping[str, object], leaf: str) -> Iterator[Mapping[str, object]]:
    """The nodes from the leaf up to the root; a cycle ends the walk."""
    name, seen = leaf if leaf in mapping else _latest_leaf(mapping), set[str]()
    while name in mapping and name not in seen:
        seen.add(name)
        node = as_map(mapping[name])
        yield node
        name = as_text(node.get("parent"))


def _latest_leaf(mapping: Mapping[str, object]) -> str:
    leaves = [name for name, node in mapping.items() if not as_list(as_map(node).get("children"))]
    return max(leaves, key=lambda name: _created(as_map(mapping[name])), default="")


def _created(node: Mapping[str, object]) -> float:
    created = as_map(node.get("message")).get("create_time")
    return float(created) if isinstance(created, int | float) else 0.0


def _take(log: TurnLog, message: Mapping[str, object], identity: str) -> None:
    role = as_text(as_map(message.get("author")).get("role"))
    content, metadata = as_map(message.get("content")), as_map(message.get("metadata"))
    log.messages += 1
    log.saw(moment(message.get("create_time")))
    if role not in ("user", "assistant") or any(metadata.get(flag) is True for flag in _HIDDEN):
        return
    if role == "user" and content.get("content_type") in _SPOKEN:
        own = [text for part in _parts(content) if (text := own_text(part))]
        log.person("\n\n".join(own), identity=identity)
    elif role == "assistant":
        _assistant(log, content, as_text(message.get("recipient")) or "all")


def _parts(content: Mapping[str, object]) -> list[str]:
    """Text parts, and what was said aloud; images and files are left out."""
    parts = []
    for part in as_list(content.get("parts")):
        spoken = as_map(part)
        parts.append(as_text(part if isinstance(part, str) else _transcribed(spoken)))
    return [part for part in parts if part]


def _transcribed(part: Mapping[str, object]) -> object:
    return part.get("text") if part.get("content_type") == "audio_transcription" else ""


def _assistant(log: TurnLog, content: Mapping[str, object], recipient: str) -> None:
    if recipient != "all":
        kind = ActionKind.COMMAND if recipient in ("python", "container.exec") else ActionKind.OTHER
        code = as_text(content.get("text")) or "\n".join(_parts(content))
        log.action(kind, code if kind is ActionKind.COMMAND else "")
    elif content.get("content_type") in _SPOKEN:
        log.assistant("\n\n".join(_parts(content)))
