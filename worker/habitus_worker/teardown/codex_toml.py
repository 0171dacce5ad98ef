"""Our lines in Codex's config.toml: a block between two marks, so that taking it out leaves every other byte alone.

`notify` must stand before the first table, so its block is the file's first; hooks may stand at its end.
"""

import json
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from habitus_schema.errors import UsageError
from habitus_worker.teardown.hooks_json import Hook
from habitus_worker.teardown.ours import is_ours

BEGIN = "# habitus: begin (`habitus install codex --uninstall` takes this out)"
END = "# habitus: end"


def settings_of(text: str) -> dict[str, Any]:
    """The settings in a text.

    Raises:
        UsageError: when it is not TOML; the message has nothing of it.
    """
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except ValueError:
        raise UsageError("it is not TOML: mend it, then run this again") from None


def has_inline_hooks(text: str) -> bool:
    """Whether hooks are kept here, and not in hooks.json: Codex warns at each start when they are in both."""
    hooks = settings_of(text).get("hooks", {})
    return isinstance(hooks, dict) and any(isinstance(groups, list) for groups in hooks.values())


def hooks_are_off(text: str) -> bool:
    """Whether Codex is told not to run hooks, by the key of today or by the one it had."""
    features = settings_of(text).get("features", {})
    return isinstance(features, dict) and False in (features.get("hooks"), features.get("codex_hooks"))


def with_notify(text: str, words: Sequence[str]) -> str | None:
    """`text` with our program for `notify`; None when the person has another, for there can be one only."""
    if "notify" in settings_of(text):
        return None
    made = _block([f"notify = {_array(words)}"], text) + text
    return _checked(made, settings_of(text) | {"notify": list(words)})


def with_hooks(text: str, hooks: Mapping[str, Hook]) -> str | None:
    """`text` with our hooks after the others; None when theirs are written in a way that ends the list."""
    before = settings_of(text)
    lines = [
        line
        for event, hook in hooks.items()
        for line in (
            f"[[hooks.{event}]]", f"[[hooks.{event}.hooks]]", 'type = "command"',
            f"command = {_string(hook.command)}", f"timeout = {hook.timeout}",
        )
    ]  # fmt: skip
    gap = "" if not text or text.endswith("\n") else _line(text)
    events = dict(before.get("hooks", {}))
    for event, hook in hooks.items():
        events[event] = [*events.get(event, []), hook.group()]
    try:
        return _checked(text + gap + _block(lines, text), before | {"hooks": events})
    except UsageError:
        return None


def without_ours(text: str) -> str:
    """`text` without our blocks. A block to which somebody has added lines of another kind keeps those.

    Raises:
        UsageError: when what is left is not TOML.
    """
    kept, inside = list[str](), False
    for line in text.splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        inside = inside or bare == BEGIN
        if not inside or not (bare in (BEGIN, END) or _is_our_line(bare)):
            kept.append(line)
        inside = inside and bare != END
    made = "".join(kept)
    settings_of(made)
    return made


def _is_our_line(line: str) -> bool:
    if line.startswith(("[[hooks.SessionEnd", "[[hooks.UserPromptSubmit")) or line == 'type = "command"':
        return True
    key, _, value = line.partition(" = ")
    if key == "timeout":
        return value.isdigit()
    if key not in ("command", "notify"):
        return False
    found = settings_of(line)[key]
    return is_ours(found if isinstance(found, str) else shlex.join(found))


def _block(lines: Sequence[str], text: str) -> str:
    return "".join(f"{each}{_line(text)}" for each in (BEGIN, *lines, END))


def _line(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _string(text: str) -> str:
    return json.dumps(text)  # JSON's escapes are TOML's, but for those of surrogates, which no command line holds


def _array(words: Sequence[str]) -> str:
    return f"[{', '.join(_string(word) for word in words)}]"


def _checked(made: str, expected: dict[str, Any]) -> str:
    if settings_of(made) != expected:
        raise UsageError("it is laid out in a way that cannot be edited safely: add the lines by hand")
    return made
