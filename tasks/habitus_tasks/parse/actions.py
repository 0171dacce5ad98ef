"""What the assistant did through a tool, told from the shape of the call's input and not from the tool's name."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from habitus_schema.transcript import ActionKind
from habitus_tasks.parse.jsonio import as_list, as_map, as_text
from habitus_tasks.parse.patches import patch_actions

_PATHS = ("file_path", "path", "filePath", "absolute_path", "target_file", "filename", "notebook_path", "file")
_CONTENTS = ("content", "file_text", "contents", "text")
_NEW = ("new_string", "new_str", "newString", "insert_text", "new_source", "code_edit", "replacement")
_COMMANDS = ("command", "cmd", "script", "code")
_ASK_TOOLS = frozenset({"askuserquestion", "ask_followup_question", "request_user_input", "ask_user", "question"})
_PLAN_TOOLS = frozenset({"exitplanmode", "exit_plan_mode", "update_plan"})


@dataclass(frozen=True, slots=True, repr=False)
class Act:
    """One act: its kind, its text (content, new text, command line, plan, question) and the file it touched."""

    kind: ActionKind
    text: str = ""
    path: str = ""


def acts(name: str, given: object) -> Iterator[Act]:
    """The acts of one tool call (a patch may hold several).

    Args:
        name: the tool's name.
        given: the call's input: an object, JSON text of one, or bare text (a patch).
    """
    if isinstance(given, str):
        given = _decoded(given)
    if isinstance(given, str):
        yield from _of_text(name, given)
        return
    fields = as_map(given)
    bare = name.replace("-", "_").lower()
    if bare in _PLAN_TOOLS:
        yield Act(ActionKind.PLAN, _plan(fields))
    elif bare in _ASK_TOOLS:
        yield Act(ActionKind.ASK, _questions(fields))
    else:
        yield from _of_fields(fields)


def _decoded(text: str) -> object:
    if not text.lstrip().startswith("{"):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _of_text(name: str, text: str) -> Iterator[Act]:
    patched = [Act(*parts) for parts in patch_actions(text)]
    if patched:
        yield from patched
    elif name.lower() in {"shell", "bash", "exec", "exec_command", "python", "local_shell"}:
        yield Act(ActionKind.COMMAND, text)
    else:
        yield Act(ActionKind.OTHER)


def _of_fields(fields: Mapping[str, object]) -> Iterator[Act]:
    path = _first(fields, _PATHS)
    edits = [as_map(edit) for edit in as_list(fields.get("edits"))]
    new = [text for edit in (fields, *edits) for key in _NEW if (text := as_text(edit.get(key)))]
    command = _command(fields)
    content = _first(fields, _CONTENTS)
    if new or any(key in fields for key in ("old_string", "old_str", "oldString")):
        yield Act(ActionKind.EDIT, "\n".join(new), path)
    elif path and content:
        yield Act(ActionKind.WRITE, content, path)
    elif patched := [Act(*parts) for parts in patch_actions(_first(fields, ("input", "patch", "diff")) or command)]:
        yield from patched
    elif command and not (path and command.isidentifier()):  # a path beside one bare word: an editor's own command
        yield Act(ActionKind.COMMAND, command)
    else:
        yield Act(ActionKind.OTHER, "", path)


def _first(fields: Mapping[str, object], keys: tuple[str, ...]) -> str:
    return next((text for key in keys if (text := as_text(fields.get(key)))), "")


def _command(fields: Mapping[str, object]) -> str:
    for key in _COMMANDS:
        value = fields.get(key)
        words = [as_text(word) for word in as_list(value)]
        if len(words) >= 3 and words[1].startswith("-") and words[1].endswith("c"):
            return words[2]  # ["bash", "-lc", "the command line"]
        if words or as_text(value):
            return " ".join(words) if words else as_text(value)
    return ""


def _plan(fields: Mapping[str, object]) -> str:
    plan = fields.get("plan")
    steps = [as_text(as_map(step).get("step")) for step in as_list(plan)]
    return "\n".join(steps) if steps else as_text(plan)


def _questions(fields: Mapping[str, object]) -> str:
    asked = [as_text(as_map(question).get("question")) for question in as_list(fields.get("questions"))]
    return "\n".join(asked) if asked else _first(fields, ("question", "prompt", "text"))
