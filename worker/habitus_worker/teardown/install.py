"""Installing habitus for an agent: which files change, and how. Nothing is written here."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from habitus_schema.errors import UsageError
from habitus_worker.teardown import codex_toml, hooks_json
from habitus_worker.teardown.agents import LAYOUTS, Agent
from habitus_worker.teardown.hooks_json import Hook
from habitus_worker.teardown.jsonc import blanked
from habitus_worker.teardown.ours import shell
from habitus_worker.teardown.settings_files import Change, backup_of, text_of

TIMEOUTS = {Agent.CLAUDE_CODE: 10, Agent.CODEX: 3}
"""Seconds for the teardown hook. Claude Code's 1.5 s for all hooks are raised by a hook that asks for more; Codex warns
above 3."""
PROMPT_TIMEOUT = 5
"""Seconds for the query-time hook, for which the person waits."""
SESSION_END_SINCE = (0, 146)
"""The first Codex that has the event (openai/codex 33895 and entireio/cli 1940: 0.145 or 0.146)."""
CODEX_CONFIG = "config.toml"
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to change, and what to tell the person."""

    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _File:
    """One settings file on its way from what it is to what it is to be.

    Attributes:
        text: what it is; None where there is no file. So with the other two.
        bare: without anything of ours.
        after: what it is to be.
    """

    path: Path
    text: str | None = field(repr=False)
    bare: str | None = field(repr=False)
    after: str | None = field(repr=False)

    @classmethod
    def opened(cls, path: Path, before: Callable[[str, str | None], str | None]) -> "_File":
        """The file at a path, links followed; `before` says what it was without us."""
        real = Path(os.path.realpath(path))
        text, kept = text_of(real), text_of(backup_of(real))
        bare = None if text is None else _naming(real, lambda: before(text, kept))
        return cls(real, text, bare, bare)

    def edit(self, change: Callable[[str], str]) -> None:
        """Changes what it is to be. A refusal names the file."""
        self.after = _naming(self.path, lambda: change(self.after or ""))

    def change(self) -> Change | None:
        """What is to be written, if anything is."""
        if self.after == self.text:
            return None
        return Change(self.path, self.text, self.after, None if self.after == self.bare else self.bare)


def plan(
    agent: Agent, folder: Path, teardown: list[str], prompt: list[str], *, uninstall: bool, notify: bool | None
) -> Plan:
    """How the agent's settings have to change.

    Args:
        folder: the agent's own folder.
        teardown, prompt: the commands of the two hooks (`habitus_worker.teardown.ours`).
        uninstall: whether to take out what is ours.
        notify: for Codex, whether to use `notify` for versions without SessionEnd; None to find out.

    Raises:
        UsageError: when a file cannot be read for what it should be; the message names it.
    """
    hooks = {
        "SessionEnd": Hook(shell(teardown), TIMEOUTS[agent]),
        "UserPromptSubmit": Hook(shell(prompt), PROMPT_TIMEOUT),
    }
    main = _File.opened(folder / LAYOUTS[agent].hooks, _json_before)
    files, notes = [main], list[str]()
    if agent is Agent.CODEX:
        config = _File.opened(folder / CODEX_CONFIG, _toml_before)
        files.append(config)
        if not uninstall:
            _codex_hooks(main, config, hooks)
            notes = _codex_notify(config, teardown, _is_old() if notify is None else notify)
    elif not uninstall:
        main.edit(lambda text: hooks_json.with_hooks(text, hooks))
        if blanked(main.bare or "") != (main.bare or ""):
            notes = [
                "the file has comments or a comma before a closing bracket, which we keep; Claude Code passes over a "
                "settings file that has either: until they are out, these hooks do not run"
            ]
    return Plan(tuple(change for file in files if (change := file.change())), tuple(notes))


def _codex_hooks(main: _File, config: _File, hooks: dict[str, Hook]) -> None:
    """Puts the hooks where the person keeps theirs: Codex warns at each start when they are in both files."""
    bare = config.bare or ""
    inline = codex_toml.with_hooks(bare, hooks) if codex_toml.has_inline_hooks(bare) else None
    if inline is not None:
        config.after = inline
    else:
        main.edit(lambda text: hooks_json.with_hooks(text, hooks))


def _codex_notify(config: _File, words: list[str], notify: bool) -> list[str]:
    notes = ["Codex runs a new hook once you trust it: type /hooks in Codex, and trust the two of habitus"]
    if notify:
        noted = codex_toml.with_notify(config.after or "", words)
        if noted is None:
            notes.append("your own `notify` stays; sessions are found in the history, half an hour after they end")
        else:
            config.after = noted
    if codex_toml.hooks_are_off(config.bare or ""):
        notes.append("config.toml switches hooks off ([features]): sessions are found in the history alone")
    return notes


def _json_before(text: str, kept: str | None) -> str | None:
    """What the file was before us: to the byte, where nothing but our part has changed since."""
    stripped = hooks_json.without_hooks(text)
    if stripped == text:
        return text
    ours = hooks_json.hooks_of(text)
    for before in (kept, None):
        with suppress(UsageError):
            if hooks_json.with_hooks(before or "", ours) == text:
                return before
    return stripped


def _toml_before(text: str, kept: str | None) -> str | None:
    stripped = codex_toml.without_ours(text)
    if kept is not None and kept.rstrip("\r\n") == stripped.rstrip("\r\n") and stripped != text:
        return kept  # our block made its last line a whole one
    return stripped if stripped or not text else None


def _naming(path: Path, edit: Callable[[], Made]) -> Made:
    try:
        return edit()
    except UsageError as error:
        raise UsageError(f"{path} is left as it is: {error}") from None


def _is_old() -> bool:
    """Whether the Codex on PATH is older than the event."""
    program = shutil.which("codex")
    if program is None:
        return False
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    found = re.search(r"(\d{1,4})\.(\d{1,4})\.\d", done.stdout)
    return found is not None and (int(found[1]), int(found[2])) < SESSION_END_SINCE
