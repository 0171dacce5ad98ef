"""Chat messages as APIs have them: a role and content, which is text or a list of typed parts."""

from collections.abc import Mapping, Sequence

from habitus_tasks.parse.actions import acts
from habitus_tasks.parse.jsonio import as_list, as_map, as_text, unique_id
from habitus_tasks.parse.turns import TurnLog
from habitus_tasks.parse.words import own_text

TEXT_KINDS = frozenset({"text", "input_text", "output_text"})
_CALL_KINDS = frozenset({"tool_use", "server_tool_use"})


def texts(content: object, kinds: frozenset[str] = TEXT_KINDS) -> list[str]:
    """The text parts of a message's content, in order; parts of other kinds are left out."""
    if not isinstance(content, list):
        return [as_text(content)]
    parts = [as_map(part) for part in content]
    bare = [as_text(part) for part in content if isinstance(part, str)]
    return bare + [as_text(part.get("text")) for part in parts if part.get("type") in kinds]


def say(log: TurnLog, message: Mapping[str, object]) -> None:
    """Add one chat message to the log: the person's text, or the assistant's text and calls; other roles are silent.

    A message that is no object, or has no role, is skipped and counted.
    """
    role, content = as_text(message.get("role")), message.get("content")
    if not role:
        log.skipped += 1
        return
    log.messages += 1
    if role == "user":
        own = [text for part in texts(content) if (text := own_text(part))]
        log.person("\n\n".join(own), identity=unique_id(message.get("id")))
    elif role == "assistant":
        _assistant(log, content)
        _calls(log, as_list(message.get("tool_calls")))


def _assistant(log: TurnLog, content: object) -> None:
    for part in as_list(content) or [{"type": "text", "text": content}]:
        block = as_map(part)
        if block.get("type") in TEXT_KINDS:
            log.assistant(as_text(block.get("text")))
        elif block.get("type") in _CALL_KINDS:
            act_on(log, as_text(block.get("name")), block.get("input"))


def _calls(log: TurnLog, calls: Sequence[object]) -> None:
    for call in calls:
        function = as_map(as_map(call).get("function")) or as_map(as_map(call).get("custom"))
        act_on(log, as_text(function.get("name")), function.get("arguments", function.get("input")))


def act_on(log: TurnLog, name: str, given: object) -> None:
    """Add the acts of one tool call to the log."""
    for act in acts(name, given):
        log.action(act.kind, act.text, act.path)
