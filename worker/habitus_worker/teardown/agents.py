"""The agents whose sessions arrive by a hook: where they keep their settings and their history.

Sources: the agents' own documentation and their files as other readers describe them (docs/teardown.md).
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from stat import S_ISREG
from types import MappingProxyType

from habitus_schema.transcript import Format


class Agent(StrEnum):
    """The agents that `habitus install` knows."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"


@dataclass(frozen=True, slots=True)
class Layout:
    """Where an agent keeps what concerns us.

    Attributes:
        title: the agent's name as people say it.
        variable: the environment variable that moves its folder.
        folder: its folder below the person's home when the variable is not set.
        histories: the folders below it that hold transcripts.
        hooks: the file below it that holds hooks.
        prefixes, endings: how the name of a transcript begins and ends.
        format: the format of a transcript.
    """

    title: str
    variable: str
    folder: str
    histories: tuple[str, ...]
    hooks: str
    prefixes: tuple[str, ...]
    endings: tuple[str, ...]
    format: Format

    def own_folder(self) -> Path:
        """The agent's folder as this process's environment has it."""
        return Path(os.environ.get(self.variable) or Path.home() / self.folder)

    def is_transcript(self, name: str) -> bool:
        """Whether a file of that name holds a session of the person; a sub-agent's does not."""
        return name.startswith(self.prefixes) and name.endswith(self.endings) and not name.startswith("agent-")

    def is_transcript_of(self, name: str, session: str) -> bool:
        """Whether a file of that name holds the session of that id."""
        return self.is_transcript(name) and any(name.endswith(f"{session}{ending}") for ending in self.endings)


LAYOUTS: MappingProxyType[Agent, Layout] = MappingProxyType(
    {
        Agent.CLAUDE_CODE: Layout(
            "Claude Code", "CLAUDE_CONFIG_DIR", ".claude", ("projects",), "settings.json", ("",), (".jsonl",),
            Format.CLAUDE_CODE,
        ),
        Agent.CODEX: Layout(
            "Codex", "CODEX_HOME", ".codex", ("sessions", "archived_sessions"), "hooks.json", ("rollout-",),
            (".jsonl", ".jsonl.zst"), Format.CODEX_ROLLOUT,
        ),
    }
)  # fmt: skip
PASSED_OVER = frozenset({"subagents", "node_modules", ".git"})
"""Folders that hold no session of the person."""


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Found:
    """A file of a history folder. Ordered by age, the oldest first, so that the last word is handed in last."""

    changed: float
    path: Path


def transcripts(agent: Agent, folder: Path) -> Iterator[Found]:
    """The transcripts below an agent's own folder, in no order. What cannot be looked at is passed over."""
    layout = LAYOUTS[agent]
    for history in layout.histories:
        yield from files(folder / history, layout.is_transcript)


def files(folder: Path, wanted: Callable[[str], bool]) -> Iterator[Found]:
    """The regular files below `folder` with a wanted name. Symbolic links to folders are not followed."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in PASSED_OVER]
        for name in names:
            if wanted(name) and (found := _looked_at(Path(place, name))):
                yield found


def _looked_at(path: Path) -> Found | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return Found(status.st_mtime, path) if S_ISREG(status.st_mode) else None
