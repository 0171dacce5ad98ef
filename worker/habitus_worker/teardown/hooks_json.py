"""Our hooks in an agent's JSON settings: put in after the others, taken out without a trace.

Both agents have the same shape: ``{"hooks": {EVENT: [{"hooks": [{"type": "command", "command": ...}]}]}}``.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from habitus_schema.errors import UsageError
from habitus_worker.teardown.edit import with_item, without_item
from habitus_worker.teardown.jsonc import Node, blanked, parsed
from habitus_worker.teardown.ours import is_ours

BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Hook:
    """A command that an agent is to run at an event, and after how many seconds it may end it."""

    command: str
    timeout: int

    def group(self) -> dict[str, Any]:
        """As the agents' settings have it."""
        return {"hooks": [{"type": "command", "command": self.command, "timeout": self.timeout}]}


def with_hooks(text: str, hooks: Mapping[str, Hook]) -> str:
    """`text` with a hook of ours for each event. It must hold none yet; an empty text is an empty document.

    Raises:
        UsageError: when it is not JSON, or not of the agents' shape; the message has nothing of it.
    """
    mark, body = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    made = body if body.strip() else "{}\n"
    for event, hook in hooks.items():
        made = _with_hook(made, event, hook)
    _check(_data(made), _expected(_data(body) if body.strip() else {}, hooks))
    return mark + made


def without_hooks(text: str) -> str:
    """`text` without our hooks, and without the lists and objects that are empty for it.

    Raises:
        UsageError: as `with_hooks` does.
    """
    mark, body = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    made = body
    while made.strip() and (place := _ours(_tree(made))):
        made = without_item(made, *place)
    _check(_data(made) if made.strip() else {}, _stripped(_data(body) if body.strip() else {}))
    return mark + made


def hooks_of(text: str) -> dict[str, Hook]:
    """Our hooks in a text, by event. Raises as `with_hooks` does."""
    body = text.removeprefix(BOM)
    root = _data(body) if body.strip() else {}
    return {
        event: Hook(handler["command"], handler.get("timeout", 0))
        for event, groups in _events(root).items()
        for group in _listed(groups)
        for handler in _handlers(group)
        if _is_our_handler(handler)
    }


def _with_hook(text: str, event: str, hook: Hook) -> str:
    root = _tree(text)
    events = root.member("hooks")
    if events is None:
        return with_item(text, root, {event: [hook.group()]}, "hooks")
    groups = _of_kind(events, "{").member(event)
    if groups is None:
        return with_item(text, events, [hook.group()], event)
    return with_item(text, _of_kind(groups, "["), hook.group())


def _ours(root: Node) -> tuple[Node, int] | None:
    """The largest thing that is ours alone, as its holder and its number there; None when nothing is."""
    events = root.member("hooks")
    for at, groups in enumerate(events.items if events else ()):
        for number, group in enumerate(groups.items):
            handlers = group.member("hooks")
            for place, handler in enumerate(handlers.items if handlers else ()):
                if _is_our_handler(_value(handler)) and events and handlers:
                    chain = [(handlers, place), (groups, number), (events, at), (root, root.items.index(events))]
                    return next((each for each in chain if len(each[0].items) > 1), chain[-1])
    return None


def _value(node: Node) -> Any:
    return {item.key: item.value for item in node.items} if node.kind == "{" else node.value


def _is_our_handler(handler: Any) -> bool:
    command = handler.get("command") if isinstance(handler, dict) else None
    return isinstance(command, str) and is_ours(command)


def _tree(text: str) -> Node:
    try:
        return _of_kind(parsed(text), "{")
    except ValueError:
        raise _not_json() from None


def _data(text: str) -> dict[str, Any]:
    try:
        data = json.loads(blanked(text))
    except (ValueError, RecursionError):
        raise _not_json() from None
    if not isinstance(data, dict):
        raise _other_shape()
    return data


def _of_kind(node: Node, kind: str) -> Node:
    if node.kind != kind:
        raise _other_shape()
    return node


def _not_json() -> UsageError:
    return UsageError("it is not JSON: mend it, then run this again")


def _other_shape() -> UsageError:
    return UsageError("its hooks are not of the shape that the agent documents: mend it, then run this again")


def _events(root: dict[str, Any]) -> dict[str, Any]:
    events = root.get("hooks", {})
    return events if isinstance(events, dict) else {}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _handlers(group: Any) -> list[Any]:
    return _listed(group.get("hooks")) if isinstance(group, dict) else []


def _expected(root: dict[str, Any], hooks: Mapping[str, Hook]) -> dict[str, Any]:
    """What the edit must come to, made from the data instead of the text."""
    events = dict(_events(root))
    for event, hook in hooks.items():
        events[event] = [*events.get(event, []), hook.group()]
    return root | {"hooks": events}


def _stripped(root: dict[str, Any]) -> dict[str, Any]:
    events = {event: _without_ours(groups) for event, groups in _events(root).items()}
    touched = any(events[event] != groups for event, groups in _events(root).items())
    left = {event: groups for event, groups in events.items() if groups or groups == _events(root)[event]}
    if not touched:
        return root
    return {key: left if key == "hooks" else value for key, value in root.items() if key != "hooks" or left}


def _without_ours(groups: Any) -> Any:
    if not isinstance(groups, list):
        return groups
    kept = []
    for group in groups:
        others = [handler for handler in _handlers(group) if not _is_our_handler(handler)]
        if others == _handlers(group):
            kept.append(group)
        elif others:
            kept.append(group | {"hooks": others})
    return kept


def _check(made: dict[str, Any], expected: dict[str, Any]) -> None:
    """The last lock before a person's file is written: the edit changed what it should, and nothing else."""
    if made != expected or list(made) != list(expected):
        raise UsageError("it is laid out in a way that cannot be edited safely: add or remove the hooks by hand")
